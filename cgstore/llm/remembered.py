"""The last answers of `cgstore ask`, kept on this machine for each database, so that users can judge and follow them.

    <home>/answers/<hash of the address and the database>.sqlite     mode 600; <home> as for the managed server

They are local because several users may share one database. Questions, programs and values are kept, and nothing of the
connection. An unusable file costs the memory and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cgstore.errors import BadInput
from cgstore.llm.local_file import LocalFile
from cgstore.model import Answer
from cgstore.server.home import home_folder

if TYPE_CHECKING:
    from cgstore.cypher.connection import Database
    from cgstore.options import QueryKeywords

MOST = 100
"""Answers that are kept for one database."""

MOST_VALUES, MOST_CHARACTERS = 1_000, 500_000
"""Values of one answer, and characters of all its values; of a longer answer only the number is kept."""

LONGEST_CONVERSATION = 3
"""Questions of one conversation before the present one."""

_TABLE = "CREATE TABLE IF NOT EXISTS answers (number INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL)"
_OLDEST = "DELETE FROM answers WHERE number <= (SELECT number FROM answers ORDER BY number DESC LIMIT 1 OFFSET ?)"


@dataclass(frozen=True)
class Remembered:
    """An answer as it is kept.

    Attributes:
        question: what was asked.
        program: the program of the answer; empty if none was run.
        values: what it gave: the values, or the text of each row; empty if there are too many.
        total: how many it gave.
        sources: names of the sources that were asked; none: all.
        lang: the language of the program.
        options: the options of queries that were not the default ones.
        earlier: the numbers of the questions that this one follows, the last one last.
        number: its number; 0 before it is kept.
        judged: `right` or `wrong`, as a user marked it; empty before.
    """

    question: str
    program: str
    values: tuple[str | int | float, ...] = ()
    total: int = 0
    sources: tuple[str, ...] = ()
    lang: str = "llm"
    options: dict[str, Any] = field(default_factory=dict)
    earlier: tuple[int, ...] = ()
    number: int = 0
    judged: str = ""

    @property
    def answer(self) -> Answer:
        """The question, its program and its values."""
        return Answer(self.values, self.program, question=self.question)

    @property
    def is_whole(self) -> bool:
        """Whether all values are kept."""
        return len(self.values) == self.total

    @property
    def whole_answer(self) -> Answer:
        """The answer with all its values, which can be judged.

        Raises:
            BadInput: it has more values than are kept.
        """
        if not self.is_whole:
            hint = "From Python, `store.right(answer)` and `store.wrong(answer, ...)` take any answer."
            raise BadInput(f"The answer has {self.total:,} values, more than are remembered.", hint)
        return self.answer

    @property
    def keywords(self) -> QueryKeywords:
        """The options with which the question was asked."""
        options: QueryKeywords = {"lang": self.lang}
        options.update(self.options)  # type: ignore[typeddict-item]
        return options


class AnswerMemory:
    """The last answers of one database, in `folder` (default: `answers` in the home); several processes may use it."""

    def __init__(self, uri: str, database: str | None = None, folder: Path | None = None) -> None:
        name = hashlib.sha256(f"{uri.rpartition('@')[2]}\n{database or ''}".encode()).hexdigest()[:16]
        self.file = (folder or answers_folder()) / f"{name}.sqlite"
        self._kept = LocalFile(self.file, _TABLE, "The last answers cannot be kept")

    @classmethod
    def of(cls, db: Database) -> AnswerMemory:
        """The answers that this machine remembers of a database."""
        return cls(db.uri, db.name)

    def add(
        self,
        answer: Answer,
        *,
        sources: Sequence[str] | None = None,
        lang: str = "llm",
        options: Mapping[str, Any] | None = None,
        earlier: Sequence[Remembered] = (),
    ) -> int:
        """Keeps an answer with what it was asked with, and forgets the oldest beyond `MOST`.

        Returns its number; 0 if it could not be kept.
        """
        lines = answer.lines
        fits = len(lines) <= MOST_VALUES and sum(len(str(value)) for value in lines) <= MOST_CHARACTERS
        entry = {
            "question": answer.question or "",
            "program": answer.program,
            "values": list(lines) if fits else [],
            "total": len(lines),
            "sources": list(sources or ()),
            "lang": lang,
            "options": {name: value for name, value in (options or {}).items() if value and name != "lang"},
            "earlier": [one.number for one in earlier],
        }
        text = json.dumps(entry, ensure_ascii=False)

        def write(connection: sqlite3.Connection) -> int:
            number = connection.execute("INSERT INTO answers (entry) VALUES (?)", (text,)).lastrowid
            connection.execute(_OLDEST, (MOST,))
            return number or 0

        return self._kept.use(write) or 0

    def judge(self, number: int, judged: Literal["right", "wrong"]) -> None:
        """Marks an answer as right or wrong."""
        update = "UPDATE answers SET entry = json_set(entry, '$.judged', ?) WHERE number = ?"
        self._kept.use(lambda connection: connection.execute(update, (judged, number)))

    def last(self, most: int = MOST) -> list[Remembered]:
        """The answers kept, the last one first."""
        query = "SELECT number, entry FROM answers ORDER BY number DESC LIMIT ?"
        rows = (
            self._kept.use(lambda connection: connection.execute(query, (most,)).fetchall())
            if self.file.exists()
            else []
        )
        return [_remembered(number, entry) for number, entry in rows or ()]

    def conversation(self) -> list[Remembered]:
        """The last answer, and before it those that its question follows, the last one last."""
        kept = {one.number: one for one in self.last()}
        if not kept:
            return []
        last = kept[max(kept)]
        earlier = [kept[number] for number in last.earlier if number in kept]
        return [*earlier, last][-LONGEST_CONVERSATION:]

    def clear(self) -> int:
        """Forgets all answers, and returns their number."""
        count = len(self.last())
        self.file.unlink(missing_ok=True)
        return count


def answers_folder() -> Path:
    """`answers` in the home of cgstore."""
    return home_folder() / "answers"


def _remembered(number: int, entry: str) -> Remembered:
    fields = json.loads(entry)
    lists: dict[str, Sequence[Any]] = {name: tuple(fields.get(name, ())) for name in ("values", "sources", "earlier")}
    return Remembered(**{**fields, **lists, "number": number})
