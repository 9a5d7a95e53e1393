"""What an LLM reads: the language, the sources asked, demonstrations and the question; `feedback` is on its programs.

If they exceed the budget, parts are dropped in this order: examples of graphs' relations, rows of tables (down to
`LEAST_ROWS`), what columns hold, the last rows, relations far from the question, demonstrations, the farthest first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from importlib import resources
from pathlib import Path

from cgstore.catalog.kinds import TABLE, kind_named
from cgstore.embedding.encoder import Encoder
from cgstore.errors import BadInput, setting
from cgstore.llm.chat import Message
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.fact_view import NameLink
from cgstore.llm.graph_view import GraphView, Outline
from cgstore.llm.prompts.notes import NameNotes
from cgstore.llm.prompts.schema import (
    EVALUATED,
    MAX_RELATIONS,
    Content,
    Ranked,
    Relevance,
    Shown,
    Size,
    choose,
    rank,
    schema_text,
    whole,
)
from cgstore.llm.table_view import LONGEST_CELL, TableRows
from cgstore.mapping.mentions import CellNames, Mention, NearMentions, Node
from cgstore.model import ROW_NUMBER
from cgstore.text.kinds import ValueKind
from cgstore.text.likeness import similar
from cgstore.text.names import shared_key

BUDGET = 8_000
"""Tokens of all messages together."""

LEAST_RELATIONS = 20
"""Relations that stay in any prompt; demonstrations are dropped before these."""

LEAST_ROWS = 5
"""Rows of a table that are dropped only after what is said of its columns."""

MAX_EXAMPLES = 40
"""Relations of graphs that are shown with an example, the most relevant to the question."""

MAX_TABLES = 10
"""Tables whose rows are read."""

PAGES = ("of_tables", "of_kgs", "of_statements", "of_parallel", "of_tkgs")
"""The pages about kinds of sources, in the order of a prompt.

`of_statements` is about qualifiers of facts, `of_parallel` about facts with several statements.
"""

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
        encoder: ranks relations if there are too many; loaded when first needed if None. Without an encoder they are
            ranked by words in common.
        rows: most rows shown of each table; None: as many as have room; 0: no cell of a table and no fact of a graph.
    """

    def __init__(
        self, texts: PromptTexts, budget: int = BUDGET, encoder: Encoder | None = None, *, rows: int | None = None
    ) -> None:
        self.texts = texts
        self.budget = budget
        self.rows = rows
        self._relevance = Relevance(encoder)

    def messages(
        self,
        question: str,
        graph: GraphView,
        demonstrations: Sequence[Demonstration],
        system: str = "system",
        context: str = "",
    ) -> tuple[Message, ...]:
        """The system text, demonstrations as turns of a dialogue (the nearest last), and the question with its names.

        The `context` stands before the question in its turn. The question is never shortened.

        Raises:
            BadInput: the question and the shortest description of the language and the data exceed the budget.
        """
        content = PromptContent(question, graph, self._relevance, self.rows, context)
        most = min(content.count, MAX_RELATIONS)
        least = min(most, LEAST_RELATIONS)
        rows, examples = content.most_rows, 0 if content.private else MAX_EXAMPLES

        def fitting(size: Size, first: int = 0) -> tuple[Message, ...] | None:
            messages = self._written(content, size, demonstrations[first:], system)
            return messages if tokens_of(messages) <= self.budget else None

        some, nothing = min(rows, LEAST_ROWS), Size(0, least, 0)
        tries: list[Callable[[], tuple[Message, ...] | None]] = [
            lambda: fitting(Size(rows, most, examples)),
            lambda: _largest(lambda number: fitting(Size(rows, most, number)), 1, examples - 1),
            lambda: _largest(lambda number: fitting(Size(number, most, min(1, examples))), some, rows - 1),
            lambda: _largest(lambda number: fitting(Size(number, most, 0)), 0, some),
            lambda: _largest(lambda number: fitting(Size(0, number, 0)), least, most - 1),
            *(partial(fitting, nothing, first) for first in range(1, len(demonstrations) + 1)),
        ]
        for attempt in tries:
            if messages := attempt():
                return messages
        needed = tokens_of(self._written(content, nothing, (), system))
        raise BadInput(
            f"The question does not fit a prompt of {self.budget:,} tokens: it takes {needed:,} (estimated).",
            f"Give a larger {setting('prompt-tokens')}, ask fewer sources, or shorten the question.",
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
    """What a prompt says about a question and the sources asked; reads each thing once.

    `context` stands before the question in its turn; see `Prompt` for `rows`.
    """

    def __init__(
        self, question: str, graph: GraphView, relevance: Relevance, rows: int | None = None, context: str = ""
    ) -> None:
        self.question, self.context = question, context
        self._graph, self._relevance, self._rows = graph, relevance, rows
        self._outlines = graph.outlines
        self._only_tables = set(graph.kinds) == {TABLE.name}
        self.private = rows == 0

    @cached_property
    def count(self) -> int:
        """The relations and columns of all sources together."""
        return sum(len(outline.relations) for outline in self._outlines)

    @property
    def most_rows(self) -> int:
        """The rows that may be shown of a table."""
        read = max((len(table.rows) for table in self._tables.values()), default=0)
        return read if self._rows is None else min(read, self._rows)

    @property
    def pages(self) -> list[str]:
        """The texts about the kinds of sources."""
        pages = {kind_named(kind).prompt_page for kind in self._graph.kinds}
        if any(outline.keys for outline in self._outlines):
            pages.add("of_statements")
        if any(outline.is_parallel for outline in self._outlines):
            pages.add("of_parallel")
        return [page for page in PAGES if page in pages]

    def schema(self, size: Size) -> str:
        """The sources in words."""
        return schema_text(self._shown(size.relations), len(self._graph.sources), self._content, size)

    def names(self, size: Size) -> str:
        """The notes on the names and times in the question."""
        brief = size.relations < min(self.count, MAX_RELATIONS)
        notes = NameNotes(
            self._links,
            self._scores,
            only_tables=self._only_tables,
            private=self.private,
            timed=any(map(_has_times, self._outlines)),
            brief=brief,
        )
        return notes.text(self._names, self._near, LEAST_LINKS if brief else MAX_LINKS)

    def _shown(self, relations: int = MAX_RELATIONS) -> list[Shown]:
        return whole(self._outlines) if self.count <= relations else choose(self._outlines, self._ranked, relations)

    @cached_property
    def _content(self) -> Content:
        shown = self._shown()
        graphs = [one for one in shown if not kind_named(one.outline.kind).has_rows]
        facts = self._graph.relation_facts([(one.outline.name, each.name) for one in graphs for each in one.relations])
        times = self._graph.times if any(one.outline.step for one in graphs) and not self.private else {}
        names = (*(mention.name for mention in self._names), *(node.name for node in self._near_nodes))
        joins = () if any(one.outline.name.startswith(EVALUATED) for one in shown) else self._graph.joins()
        return Content(self._tables, facts, times, names, self.private, joins)

    @cached_property
    def _tables(self) -> dict[str, TableRows]:
        """The rows of the tables, or of some if they are many; none if no cell may be shown."""
        shown = self._shown()
        tables = [one.outline.name for one in shown if kind_named(one.outline.kind).has_rows][:MAX_TABLES]
        keys = [mention.key for mention in self._names]
        return self._graph.table_rows(tables, keys) if tables and not self.private else {}

    @cached_property
    def _mentions(self) -> list[Mention]:
        return self._graph.mentions(self.question)

    @cached_property
    def _names(self) -> list[Mention]:
        """Each name and time in the question once; weak mentions only count for tables."""
        mentions = (m for m in self._mentions if m.kind != "relation")
        sure = {m.key: m for m in mentions if self._only_tables or not m.weak}
        return list(sure.values())[:MAX_NAMES]

    @cached_property
    def _near(self) -> NearMentions:
        """What the question may mean besides. The cells of tables that were read whole need no further look-up."""
        used = [m for m in self._mentions if m.kind == "relation" or self._only_tables or not m.weak]
        cells = None
        every = self._only_tables and len(self._tables) == len(self._graph.sources)
        if every and all(table.whole for table in self._tables.values()):
            cells = CellNames(_nodes(self._tables.values()))
        return self._graph.near_mentions(self.question, used, cells)

    @property
    def _near_nodes(self) -> list[Node]:
        return [node for each in self._near.likely for node in each.nodes]

    @cached_property
    def _links(self) -> dict[str, tuple[NameLink, ...]]:
        """The links of the names, and of those that the question may mean."""
        keys = [*(mention.key for mention in self._names), *(node.key for node in self._near_nodes)]
        links = self._graph.links(list(dict.fromkeys(keys)))
        return {key: tuple(link for link in each if link.relation != ROW_NUMBER) for key, each in links.items()}

    @cached_property
    def _ranked(self) -> Ranked:
        """The relations, first those that the question names and those around the names in it."""
        named = {m.name for m in self._mentions if m.kind == "relation"}
        around = self._graph.links([mention.key for mention in self._names])
        links = [link for each in around.values() for link in each]
        onward = (step.relation for link in links for step in link.onward)
        return rank(self._outlines, named.union((link.relation for link in links), onward), self._scores)

    @cached_property
    def _scores(self) -> dict[str, float]:
        names = [relation.name for outline in self._outlines for relation in outline.relations]
        return self._relevance.scores(self.question, names)


def _has_times(outline: Outline) -> bool:
    """Whether a time of the question may be one of a source: of its facts, of a qualifier, or of a column of dates."""
    dates = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)
    return bool(outline.step or outline.keys) or any(relation.kind in dates for relation in outline.relations)


def _nodes(tables: Iterable[TableRows]) -> Iterator[Node]:
    """The cells of tables as nodes, in order; a cell that was cut or joined is not a name."""
    for table in tables:
        for cells in table.rows.values():
            yield from (Node(shared_key(cell), cell) for cell in cells if cell and len(cell) < LONGEST_CELL)


# Texts: plain files with fields in braces, the shipped ones, which a user's own may replace (`docs/asking.md`)

VARIABLE = "CGSTORE_PROMPTS"
"""The environment variable that names a user's folder of texts."""

NAMES = ("system", "compact", "language", *PAGES, "question", "retry", "function", "explore", "sexpr")
"""The texts, each a file of that name and `.txt`."""

NEEDED = {"question": ("question",), "retry": ("tried",), "function": ("function", "arguments")}
"""The fields without which a user's text would ask nothing."""


class PromptTexts:
    """The texts of a user's folder (default: CGSTORE_PROMPTS, if any), and the shipped ones for those that it lacks.

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
        raise BadInput(f"There is no folder {folder} of prompts.", f"Is {setting('prompts')} or {VARIABLE} right?")
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
