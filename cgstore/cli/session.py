"""A session of `cgstore shell`, without the terminal, which `cgstore.cli.shell` reads."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import click

from cgstore.cli.answer_text import render, render_part
from cgstore.cli.sources import description_lines, source_lines
from cgstore.errors import BadInput
from cgstore.llm.remembered import LONGEST_CONVERSATION, AnswerMemory
from cgstore.model import Answer
from cgstore.text.likeness import did_you_mean
from cgstore.text.tables import table_lines

if TYPE_CHECKING:
    from cgstore.llm.backends import Backend
    from cgstore.options import QueryKeywords
    from cgstore.store import Store

_PROGRAM = re.compile(r"\(|[a-z][a-z_0-9]*\(")
_NUMBERED = re.compile(r"(Query\d+\s*:|\{[\w ,]+\}\s*$)")
_GOES_ON = re.compile(r"(\+|(and|or|but|what about|how about)\b)", re.IGNORECASE)
_REFERS = re.compile(
    r"\b(he|she|it|they|his|her|hers|its|their|theirs|him|them|that|those|these|this|there|then)\b", re.IGNORECASE
)
_POINTS_BACK = re.compile(r"\b(he|she|it|they|his|her|hers|its|their|theirs|him|them|those|these)\b", re.IGNORECASE)
"""Words that mean what an earlier answer names; `there` and `that` mostly do not (`how many are there`)."""

_NAME = "IT"
"""What is no pronoun in capitals, but a department or a subject."""

COMMANDS = {
    "/help": "what can be typed",
    "/sources": "what is loaded",
    "/describe": "what is in a source: /describe NAME",
    "/source": "ask these sources only: /source NAME ...; /source alone: all",
    "/why": "how the last answer was found: names, steps, Cypher, time (also /explain)",
    "/evidence": "all condition triples that prove it",
    "/program": "its program",
    "/open": "open its evidence in Neo4j Browser",
    "right": "the last answer is right: its program becomes a demonstration",
    "wrong": "it is wrong: wrong ANSWER, several with ; between them",
    "/new": "forget the earlier answers, which a follow-up question refers to",
    "/quit": "end (also Ctrl-D)",
}
"""The commands of a session, with what they do."""

_OTHER_NAMES = {"/explain": "/why", "/exit": "/quit", "/right": "right", "/wrong": "wrong"}

WELCOME = "Type a question, or a program of the query language. /help lists the commands, Ctrl-D ends."

CHOOSE = "Type the number of a reading to have it answered."

_ALONE = (
    "The small model reads each question by itself: it cannot refer to an earlier one. "
    "Ask the whole question, or start the shell with an LLM (--llm openai)."
)


class Ended(Exception):
    """The user has ended the session."""


@dataclass
class Session:
    """What a session knows: the backend, the sources asked, and the answers so far.

    Args:
        store: what is asked.
        backend: what writes programs.
        sources: names of the sources asked; none: all.
        mapping: the options of queries.
        say: prints a text.
        open_link: opens an address in the user's browser, and says whether it could.
    """

    store: Store
    backend: Backend
    sources: list[str]
    mapping: QueryKeywords
    say: Callable[[str], None] = click.echo
    open_link: Callable[[str], bool] = lambda link: click.launch(link) == 0
    answers: list[Answer] = field(default_factory=list)
    judged: tuple[Answer, list[str]] | None = None
    _numbered: list[str] = field(default_factory=list)
    _interrupts: int = 0
    _thread: threading.local = field(default_factory=threading.local)
    _number: int = 0

    def __post_init__(self) -> None:
        self._memory = AnswerMemory.of(self.store.db)

    @property
    def waits(self) -> bool:
        """Whether more lines of a program with numbers are expected; an empty line runs it."""
        return bool(self._numbered)

    def line(self, text: str) -> None:
        """Runs a line.

        Raises:
            Ended: it is `/quit`.
            CgstoreError: it cannot be done.
        """
        self._thread.interrupts = self._interrupts
        text = text.strip()
        if _NUMBERED.match(text):  # a program with a number for each query is read to its end
            self._numbered.append(text)
            return
        self.run_numbered()
        if not text:
            return
        word, _, rest = text.partition(" ")
        word = _OTHER_NAMES.get(word, word)
        if word in COMMANDS and not (word == "right" and rest):
            self._commands[word](rest.strip())
        elif word.startswith("/"):
            raise BadInput(f"There is no command '{word}'.", did_you_mean(word, list(COMMANDS), "/help lists them."))
        elif is_program(text):
            self._run(text)
        elif self._is_reading(text):
            self._read(int(text))
        else:
            self._ask(text)

    def interrupt(self) -> None:
        """Discards the output and the answer of the line that another thread is running."""
        self._interrupts += 1

    @property
    def _is_dropped(self) -> bool:
        """Whether the line of this thread was interrupted."""
        return getattr(self._thread, "interrupts", self._interrupts) != self._interrupts

    def _tell(self, text: str) -> None:
        if not self._is_dropped:
            self.say(text)

    def run_numbered(self) -> None:
        """Runs the program whose lines have been read."""
        self._thread.interrupts = self._interrupts
        if self._numbered:
            program, self._numbered = "\n".join(self._numbered), []
            self._run(program)

    def _run(self, program: str) -> None:
        options: QueryKeywords = {**self.mapping, "lang": "sexpr" if program.startswith("(") else "llm"}
        answer = self.store.query(program, self.sources or None, **options)
        if not self._is_dropped:
            self.show(answer)

    def _is_reading(self, text: str) -> bool:
        """Whether a line is the number of a reading that the last answer offers."""
        offered = self.judged[0].readings if self.judged else ()
        return text.isdecimal() and 1 <= int(text) <= len(offered)

    def _read(self, number: int) -> None:
        """Answers a reading of the last question."""
        asked, sources = self._question
        reading = asked.readings[number - 1]
        options: QueryKeywords = {**self.mapping, "lang": "llm"}
        found = self.store.query(reading.program, sources or None, **options)
        answer = replace(found, question=asked.question, because=f"reading {number} was chosen: {reading.meaning}")
        if not self._is_dropped:
            self._number = self._memory.add(answer, sources=sources, options=self.mapping)
            self.answers = self.answers[:-1]
            self.show(answer)

    def show(self, answer: Answer) -> None:
        """Prints an answer and its notes, and keeps it for the commands about the last answer."""
        self.answers = [*self.answers, answer][-LONGEST_CONVERSATION:]
        self.judged = answer, list(self.sources)
        self._tell(render_part(answer, "answer"))
        if answer.readings:
            self._tell(CHOOSE)

    def _ask(self, question: str) -> None:
        earlier = [answer for answer in self.answers if answer.question]
        goes_on, can_follow = bool(_GOES_ON.match(question)), self.backend.follows_up
        if goes_on and not can_follow:
            raise BadInput("This follows an earlier question.", _ALONE)
        refers = goes_on or _has_pronoun(_REFERS, question)
        after = earlier if refers and can_follow else []
        followed = self._memory.conversation() if after else []
        question = question.lstrip("+ ") if goes_on else question
        answer = self.store.ask(question, self.backend, self.sources or None, after=after, **self.mapping)
        if self._is_dropped:
            return
        if answer.abstained and _has_pronoun(_POINTS_BACK, question) and not can_follow:
            answer = replace(answer, warnings=(*answer.warnings, _ALONE))
        self._number = self._memory.add(
            answer, sources=self.sources, lang=self.backend.lang, options=self.mapping, earlier=followed
        )
        self.show(answer)

    @property
    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {
            "/help": self._help,
            "/sources": lambda _: self._lines(source_lines(self.store.sources())),
            "/describe": self._describe,
            "/source": self._choose,
            "/why": lambda _: self._tell(render(self._last, explain=True)),
            "/evidence": lambda _: self._tell(render_part(self._last, "evidence") or "There is none."),
            "/program": lambda _: self._tell(self._last.program or "No program was run."),
            "/open": self._open,
            "right": self._right,
            "wrong": self._wrong,
            "/new": self._forget,
            "/quit": self._quit,
        }

    def _help(self, _: str) -> None:
        self._lines([WELCOME, *(f"  {line}" for line in table_lines(("", ""), COMMANDS.items())[1:])])

    def _describe(self, name: str) -> None:
        if not name and len(self.sources) != 1:
            raise BadInput("Which source?", "/describe NAME; /sources lists what is loaded.")
        self._lines(description_lines(self.store.describe(name or self.sources[0])))

    def _choose(self, names: str) -> None:
        chosen = [names] if names in self.source_names() else names.split()
        self.store.ready(chosen or None)
        if self._is_dropped:
            return
        self.sources = chosen
        self._tell(f"Asked now: {', '.join(chosen) if chosen else 'all sources'}.")

    def _open(self, _: str) -> None:
        link = self._last.browser
        if not link:
            raise BadInput("The last answer has no link to Neo4j Browser.", "See its notes: /why.")
        if not self.open_link(link):
            self._tell(f"No browser could be started here. The address:\n  {link}")

    def _right(self, _: str) -> None:
        answer, sources = self._question
        kept = self.store.right(answer, sources or None, **self._options)
        self._memory.judge(self._number, "right")
        self._tell(f"Kept as a demonstration: {kept.question}")

    def _wrong(self, right: str) -> None:
        answer, sources = self._question
        if not right:
            raise BadInput(
                "The right answer is missing.", "wrong ANSWER, several with ; between them; or wrong PROGRAM."
            )
        if is_program(right):
            kept = self.store.wrong(answer, (), right, sources or None, **self._options)
        else:
            values = [value.strip() for value in right.split(";") if value.strip()]
            kept = self.store.wrong(answer, values, None, sources or None, **self._options)
        self._memory.judge(self._number, "wrong")
        self._tell(f"Kept with its correction: {kept.question}")

    def _forget(self, _: str) -> None:
        self.answers = []
        self._tell("The next question stands alone.")

    def _quit(self, _: str) -> None:
        raise Ended

    def _lines(self, lines: Sequence[str]) -> None:
        self._tell("\n".join(lines))

    def source_names(self) -> list[str]:
        """The names of the sources of the graph."""
        return [source.name for source in self.store.sources()]

    @property
    def _last(self) -> Answer:
        if self.judged is None:
            raise BadInput("There is no answer yet.", "Ask something first.")
        return self.judged[0]

    @property
    def _question(self) -> tuple[Answer, list[str]]:
        """The last answer, with the sources that were asked, if a question was asked for it."""
        if not self._last.question or self.judged is None:
            raise BadInput("The last answer is that of a program.", "Only answers to questions are right or wrong.")
        return self.judged

    @property
    def _options(self) -> QueryKeywords:
        options: QueryKeywords = {"lang": self.backend.lang}
        options.update(self.mapping)
        return options


def _has_pronoun(pattern: re.Pattern[str], question: str) -> bool:
    """Whether a question has one of some pronouns."""
    return any(match[0] != _NAME or question.isupper() for match in pattern.finditer(question))


def is_program(text: str) -> bool:
    """Whether a text is a program and not a question."""
    return bool(_PROGRAM.match(text))
