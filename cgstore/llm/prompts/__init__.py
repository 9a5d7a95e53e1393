"""What an LLM reads: the language, the sources asked, demonstrations and the question; `feedback` is on its programs.

If they exceed the budget, parts are dropped in this order: sample rows, relations, demonstrations, the farthest first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import resources
from pathlib import Path

from cgstore.embedding.encoder import Encoder
from cgstore.errors import BadInput
from cgstore.llm.chat import Message
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.graph_view import SAMPLE, GraphView, Neighbourhood
from cgstore.llm.prompts.schema import (
    MAX_RELATIONS,
    MAX_SAMPLED,
    Ranked,
    Relevance,
    Size,
    choose,
    quoted,
    rank,
    schema_text,
    whole,
)
from cgstore.mapping.mentions import Mention
from cgstore.source_kinds import TABLE, kind_named
from cgstore.text.likeness import similar

BUDGET = 6_000
"""Tokens of all messages together."""

LEAST_RELATIONS = 20
"""Relations that stay in any prompt; demonstrations are dropped before these."""

PAGES = ("of_tables", "of_kgs", "of_statements", "of_tkgs")
"""The pages about kinds of sources, in the order of a prompt; `of_statements` is about qualifiers of facts."""

MAX_NAMES = 20
"""Names in the question that a prompt explains."""

MAX_LINKS, LEAST_LINKS = 12, 3
"""Relations listed for a name as head, and as tail; the smaller number if relations had to be dropped."""

PER_MESSAGE = 4
"""Tokens around each message."""

_PIECES = re.compile(r"([A-Za-z]+)|([0-9]+)|([\x21-\x7e])|([^\x00-\x7f])")


def tokens(text: str) -> int:
    """An upper estimate of the tokens of a text, without a tokenizer.

    A token is at most four letters of a word, three digits of a number, or one sign. A character outside ASCII counts
    as its bytes in UTF-8 less one. The tokenizers of models merge more, and for most scripts much more.
    """
    count = 0
    for word, number, sign, other in _PIECES.findall(text):
        if word:
            count += -(-len(word) // 4)
        elif number:
            count += -(-len(number) // 3)
        else:
            count += 1 if sign else len(other.encode("utf-8", "surrogatepass")) - 1
    return count


def tokens_of(messages: Sequence[Message]) -> int:
    """An upper estimate of the tokens of messages."""
    return sum(PER_MESSAGE + tokens(message.content) for message in messages)


class Prompt:
    """Writes the messages of questions.

    Args:
        texts: the texts with fields.
        budget: estimated tokens of all messages together.
        encoder: ranks relations if there are too many; None: the default one, loaded when first needed. Without an
            encoder they are ranked by words in common.
    """

    def __init__(self, texts: PromptTexts, budget: int = BUDGET, encoder: Encoder | None = None) -> None:
        self.texts = texts
        self.budget = budget
        self._relevance = Relevance(encoder)

    def messages(
        self,
        question: str,
        graph: GraphView,
        demonstrations: Sequence[Demonstration],
        system: str = "system",
        context: str = "",
    ) -> tuple[Message, ...]:
        """The system text, demonstrations as turns of a dialogue, and the question with the names found in it.

        Args:
            question: in plain words; never shortened.
            graph: the sources asked.
            demonstrations: the nearest last.
            system: name of the system text.
            context: what stands before the question in its turn (see `context`).

        Raises:
            BadInput: the question and the shortest description of the language and the data exceed the budget.
        """
        content = PromptContent(question, graph, self._relevance, context)
        most = min(content.count, MAX_RELATIONS)
        least = min(most, LEAST_RELATIONS)

        def fitting(size: Size, first: int = 0) -> tuple[Message, ...] | None:
            messages = self._written(content, size, demonstrations[first:], system)
            return messages if tokens_of(messages) <= self.budget else None

        for rows in range(SAMPLE, -1, -1):
            if messages := fitting(Size(rows, most)):
                return messages
        if messages := _largest(lambda relations: fitting(Size(0, relations)), least, most - 1):
            return messages
        for first in range(1, len(demonstrations) + 1):
            if messages := fitting(Size(0, least), first):
                return messages
        needed = tokens_of(self._written(content, Size(0, least), (), system))
        raise BadInput(
            f"The question does not fit a prompt of {self.budget:,} tokens: it takes {needed:,} (estimated).",
            "Give a larger --prompt-tokens, ask fewer sources, or shorten the question.",
        )

    def _written(
        self, content: PromptContent, size: Size, shots: Sequence[Demonstration], system: str
    ) -> tuple[Message, ...]:
        render = self.texts.render
        fields = {
            "language": render("language"),
            "about": "\n\n".join(render(name) for name in content.pages),
            "schema": content.schema(size),
        }
        messages = [Message("system", render(system, **fields))]
        for shot in shots:
            messages.append(Message("user", render("question", question=shot.question, names="")))
            messages.append(Message("assistant", shot.program))
        asked = render("question", question=content.question, names=content.names(size))
        return (*messages, Message("user", f"{content.context}\n\n{asked}" if content.context else asked))


def _largest(fitting: Callable[[int], tuple[Message, ...] | None], low: int, high: int) -> tuple[Message, ...] | None:
    """The messages with the largest number from `low` to `high` that fit, if any do."""
    best = None
    while low <= high:
        middle = (low + high + 1) // 2
        if messages := fitting(middle):
            best, low = messages, middle + 1
        else:
            high = middle - 1
    return best


class PromptContent:
    """What a prompt says about a question and the sources asked; reads each thing once."""

    def __init__(self, question: str, graph: GraphView, relevance: Relevance, context: str = "") -> None:
        self.question, self.context = question, context
        self._graph, self._relevance = graph, relevance
        self._outlines = graph.outlines
        self._only_tables = set(graph.kinds) == {TABLE.name}

    @cached_property
    def count(self) -> int:
        """The relations and columns of all sources together."""
        return sum(len(outline.relations) for outline in self._outlines)

    @property
    def pages(self) -> list[str]:
        """The texts about the kinds of sources."""
        pages = {kind_named(kind).prompt_page for kind in self._graph.kinds}
        if any(outline.keys for outline in self._outlines):
            pages.add("of_statements")
        return [page for page in PAGES if page in pages]

    def schema(self, size: Size) -> str:
        """The sources in words."""
        fits = self.count <= size.relations
        shown = whole(self._outlines) if fits else choose(self._outlines, self._ranked, size.relations)
        tables = [one.outline.name for one in shown if kind_named(one.outline.kind).has_rows][:MAX_SAMPLED]
        samples = self._graph.samples(tables) if size.rows and tables else {}
        return schema_text(shown, len(self._graph.sources), samples, size.rows)

    def names(self, size: Size) -> str:
        """The names and times in the question, each with the relations around it."""
        most = MAX_LINKS if size.relations >= min(self.count, MAX_RELATIONS) else LEAST_LINKS
        lines = [f"{quoted(mention.name)}{self._where(mention, around, most)}" for mention, around in self._around]
        return "\n".join(["Names in it:", *lines]) if lines else ""

    @cached_property
    def _mentions(self) -> list[Mention]:
        return self._graph.mentions(self.question)

    @cached_property
    def _around(self) -> list[tuple[Mention, Neighbourhood]]:
        """Each name and time in the question once, with its relations; weak mentions only count for tables."""
        mentions = (m for m in self._mentions if m.kind != "relation")
        sure = {m.key: m for m in mentions if self._only_tables or not m.weak}
        return [(mention, self._graph.relations_of(key)) for key, mention in list(sure.items())[:MAX_NAMES]]

    @cached_property
    def _near(self) -> set[str]:
        """The relations that the question names, and those around the names in it."""
        named = {m.name for m in self._mentions if m.kind == "relation"}
        return named.union(*(side for _, around in self._around for side in around))

    @cached_property
    def _ranked(self) -> Ranked:
        return rank(self._outlines, self._near, self._scores)

    @cached_property
    def _scores(self) -> dict[str, float]:
        names = [relation.name for outline in self._outlines for relation in outline.relations]
        return self._relevance.scores(self.question, names)

    def _where(self, mention: Mention, around: Neighbourhood, most: int) -> str:
        """Where the data has a name."""
        if self._only_tables and around.tail:
            return f": in the column{'s' * (len(around.tail) > 1)} {self._listed(around.tail, most)}"
        sides = [("head of", around.head), ("tail of", around.tail)]
        parts = [f"{side} {self._listed(relations, most)}" for side, relations in sides if relations]
        if mention.kind == "time" and not parts:
            parts = ["a time"]
        return f": {', '.join(parts)}" if parts else ""

    def _listed(self, relations: Sequence[str], most: int) -> str:
        """Names of relations; if there are too many, those most like the question."""
        if len(relations) <= most:
            return "; ".join(map(quoted, relations))
        scores = self._scores
        best = sorted(relations, key=lambda name: (-scores.get(name, 0.0), name))[:most]
        return f"{'; '.join(map(quoted, best))}; and {len(relations) - most:,} more"


# Texts: plain files, the shipped ones, which a user's own may replace
#
# A file `NAME.txt` has fields in braces, such as `{question}`. They are filled in once, so that a question or a cell
# may contain braces.
#
# | file | text | fields |
# |---|---|---|
# | `system` | the task, the form of a reply | `language`, `about`, `schema` |
# | `sexpr` | as `system`, for S-expressions, with the language in short | `schema` |
# | `language` | the query language in short | |
# | `of_tables`, `of_kgs`, `of_statements`, `of_tkgs` | a page about each kind of source, filled in for `about` | |
# | `question` | the turn with the question | `question`, `names` |
# | `retry` | feedback on earlier programs | `tried` |
# | `function` | a function that the language lacks | `function`, `arguments` |
# | `explore` | as `system`, for an LLM that may look before it writes | `language`, `about`, `schema` |


VARIABLE = "CGSTORE_PROMPTS"
"""The environment variable that names a user's folder of texts."""

NAMES = ("system", "language", *PAGES, "question", "retry", "function", "explore", "sexpr")
"""The texts, each a file of that name and `.txt`."""

NEEDED = {"question": ("question",), "retry": ("tried",), "function": ("function", "arguments")}
"""The fields without which a user's text would ask nothing."""


class PromptTexts:
    """The texts of a user's folder, and the shipped ones for those that it lacks.

    Args:
        folder: the user's; default: the one in CGSTORE_PROMPTS, if any.

    Raises:
        BadInput: the folder does not exist, or a file in it has an unknown name, cannot be read, or lacks a field.
    """

    def __init__(self, folder: Path | None = None) -> None:
        named = os.environ.get(VARIABLE)
        self.folder = folder or (Path(named).expanduser() if named else None)
        self._texts = {name: _shipped(name) for name in NAMES} | (_own(self.folder) if self.folder else {})

    def render(self, name: str, **fields: str) -> str:
        """A text with its fields filled in, without white space at the end; other braces stay."""
        if not fields:
            return self._texts[name].rstrip()
        places = re.compile("{(" + "|".join(map(re.escape, fields)) + ")}")
        return places.sub(lambda match: fields[match[1]], self._texts[name]).rstrip()


def _shipped(name: str) -> str:
    return resources.files("cgstore.llm").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8")


def _own(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise BadInput(f"There is no folder {folder} of prompts.", f"Is --prompts or {VARIABLE} right?")
    return {path.stem: _read(path) for path in sorted(folder.glob("*.txt"))}


def _read(path: Path) -> str:
    if path.stem not in NAMES:
        near = similar(path.stem, NAMES)
        hint = f"Did you mean {near[0]}.txt?" if near else f"There are: {', '.join(NAMES)}."
        raise BadInput(f"{path} does not have the name of a prompt.", hint)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The prompt {path} cannot be read: {error}") from error
    missing = [f"{{{field}}}" for field in NEEDED.get(path.stem, ()) if f"{{{field}}}" not in text]
    if missing:
        raise BadInput(f"The prompt {path} lacks {', '.join(missing)}.", "Put it where the text belongs.")
    return text
