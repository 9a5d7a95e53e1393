"""What users say of answers: a right one becomes a demonstration, of a wrong one an LLM sees the correction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cgstore import arguments
from cgstore.ask.run import QueryEngine
from cgstore.catalog.sources import ready_sources
from cgstore.errors import BadInput, QueryFailed
from cgstore.llm.demonstrations import kinds_made
from cgstore.llm.demonstrations.stored import State, StoredDemonstration, put
from cgstore.llm.graph_view import GraphView
from cgstore.model import Answer
from cgstore.options import QueryOptions
from cgstore.text.names import is_unicode, shared_key, some_of, without_accents
from cgstore.text.numbers import denotation

MOST_VALUES = 1_000
"""Values of a right answer."""


@dataclass(frozen=True)
class Feedback:
    """Keeps what users say of answers, after programs were run again over the sources asked; None: all ready ones."""

    engine: QueryEngine
    sources: Sequence[str] | None
    options: QueryOptions

    def right(self, answer: Answer) -> StoredDemonstration:
        """Keeps the program of a right answer as a demonstration, if it gives the same answer when it is run again.

        Raises:
            BadInput: there is no program, or it gives another answer now.
        """
        question = _question_of(answer)
        if answer.abstained:
            hint = "`wrong` takes the right answer, or the right program."
            raise BadInput("This question had no answer, so no program can be kept.", hint)
        again = self._run(answer.program)
        if denotation(again.lines) != denotation(answer.lines):
            raise BadInput(
                f"The program now gives {_shown(again)}, and not {_shown(answer)}, so it is not kept.",
                "Did the data change? Ask again.",
            )
        stored = self._demonstration(question, answer.program, again)
        put(self.engine.db, stored)
        return stored

    def wrong(self, answer: Answer, answers: Sequence[str], program: str | None) -> StoredDemonstration:
        """Keeps a wrong answer with the right values, or with a right program, which becomes a demonstration.

        Raises:
            BadInput: nothing says what is right, the right values are those of the answer but for their spelling, or
                the right program does not give them.
        """
        question, answers = _question_of(answer), _values_of(answers)
        if not answers and program is None:
            raise BadInput("The right answer is missing.", "Give the right answer, or a program that gives it.")
        if answers and denotation(answers) == denotation(answer.lines):
            raise BadInput(f"The answer was {_shown(answer)}: the same.", "Mark it right, or give another answer.")
        if answers and _spelling(answers) == _spelling(answer.lines) and not self._is_other_node(answers, answer):
            hint = "Mark the answer right, and correct the spelling in the data."
            raise BadInput(f"The answer was {_shown(answer)}: the same but for the spelling.", hint)
        gave = tuple(map(str, answer.lines[:MOST_VALUES]))
        if program is None:
            stored = self._correction(question, answer, answers)
        else:
            again = self._run(arguments.text("program", program))
            if answers and _spelling(again.lines) != _spelling(answers):
                hint = "Correct the program, or leave it out."
                raise BadInput(f"The program gives {_shown(again)}, and not the right answer.", hint)
            if again.abstained:
                raise BadInput("The program gives no answer.", "Correct the program, or give the right answer alone.")
            right = tuple(map(str, again.lines[:MOST_VALUES]))
            stored = self._demonstration(question, program, again, gold=right, wrong=answer.program, gave=gave)
        put(self.engine.db, stored)
        return stored

    def _is_other_node(self, answers: Sequence[str], answer: Answer) -> bool:
        """Whether a right value that was not in the answer is the very name of a node, as Peru and Perú may be two."""
        keys = [shared_key(value) for value in {*answers} - {*map(str, answer.lines)}]
        return bool(self.engine.db.read("MATCH (n:CgNode) WHERE n.key IN $keys RETURN 1 LIMIT 1", {"keys": keys}))

    def _run(self, program: str) -> Answer:
        try:
            return self.engine.run(program, self.sources, None, self.options)
        except (BadInput, QueryFailed) as error:
            raise BadInput(f"The program cannot be run: {error.message}", error.hint) from error

    def _demonstration(
        self,
        question: str,
        program: str,
        again: Answer,
        *,
        gold: tuple[str, ...] = (),
        wrong: str = "",
        gave: tuple[str, ...] = (),
    ) -> StoredDemonstration:
        if self.options.lang != "llm":
            hint = "`cgstore convert --from sexpr --to program` writes it in that language."
            raise BadInput("Only programs in the LLM query language become demonstrations.", hint)
        names = tuple(sorted({triple.source for triple in again.evidence})) or tuple(self.sources or ())
        return StoredDemonstration(
            question,
            program,
            source_kind=self._kind(names),
            gold=gold,
            sources=names,
            wrong_program=wrong,
            gave=gave,
        )

    def _correction(self, question: str, answer: Answer, answers: tuple[str, ...]) -> StoredDemonstration:
        if not answer.program:
            hint = "Give a right program; it becomes a demonstration."
            raise BadInput("No program was written for this question, so none can be corrected.", hint)
        names = tuple(self.sources or sorted({triple.source for triple in answer.evidence}))
        return StoredDemonstration(
            question,
            answer.program,
            source_kind=self._kind(names),
            state=State.WRONG,
            gold=answers,
            sources=names,
            wrong_program=answer.program,
            gave=tuple(map(str, answer.lines[:MOST_VALUES])),
        )

    def _kind(self, sources: Sequence[str]) -> str:
        """The kind of source of a demonstration; empty where the sources are of several kinds."""
        own = kinds_made(self._view(sources).kinds)
        return own[0] if len(own) == 1 else ""

    def _view(self, sources: Sequence[str]) -> GraphView:
        return GraphView(self.engine.db, ready_sources(self.engine.db, list(sources) or None))


def _question_of(answer: Answer) -> str:
    """The question of an answer."""
    question = getattr(answer, "question", None)
    if not isinstance(question, str) or not question.strip():
        raise BadInput("`answer` has no question.", "Give an answer of `ask`.")
    return question


def _values_of(answers: Sequence[str]) -> tuple[str, ...]:
    given = tuple(str(value) for value in ([answers] if isinstance(answers, str) else answers))
    if len(given) > MOST_VALUES or not all(map(is_unicode, given)):
        raise BadInput("`answers` has too many values, or is not valid Unicode text.", f"Give at most {MOST_VALUES:,}.")
    return given


def _spelling(values: Iterable[str | float]) -> frozenset[str | float]:
    """The values as `denotation` has them, and without accents."""
    return frozenset(without_accents(value) if isinstance(value, str) else value for value in denotation(values))


def _shown(answer: Answer) -> str:
    return some_of([str(value) for value in answer.lines])
