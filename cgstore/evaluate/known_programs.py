"""The backends `oracle` and `replay`: known programs, which measure what comes after the LLM.

`oracle` runs gold annotations (SQL, a path of relations, CronQuestions' annotation), as if no LLM erred. `replay` runs
recorded replies of an LLM, where a name that no node has becomes the nearest one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from cgstore.errors import BadInput, QueryFailed
from cgstore.evaluate.benchmarks import REPLAY_SETS
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Question, Reason, Selection, sample
from cgstore.evaluate.mapping import damaged_program
from cgstore.evaluate.outcome import MORE, NOTHING, OTHER, PART, REFUSED, RIGHT, Outcome, beside_gold, outcome_of
from cgstore.evaluate.run import Ask
from cgstore.evaluate.scoring import settled
from cgstore.llm.backends.replay import read_recorded
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.options import MAX_COMBINATIONS, QueryKeywords
from cgstore.query.parse import ProgramError, UnknownFunction, parse
from cgstore.store import Store
from cgstore.text.tables import table_lines


def _tried(
    store: Store, question: Question, program: str, options: QueryKeywords
) -> tuple[Answer, BadInput | QueryFailed | None]:
    """The answer of a program, empty if an error, which is returned too, leaves it without one."""
    try:
        answer = store.query(program, list(question.sources), **options)
    except (BadInput, QueryFailed) as error:
        return Answer((), program), error
    return (replace(answer, answer=answer.lines) if question.rows else answer), None


def oracle_backend(store: Store, benchmark: Benchmark) -> Ask:
    """Returns a function that runs the program of a question's annotation and judges its answer by denotation."""
    judge = replace(benchmark.judge, judged_by=("accuracy",))

    def ask(question: Question) -> Outcome:
        answer, error = _tried(store, question, benchmark.program(question), {"exact": True, "evidence": False})
        scores = judge.scores(question.gold, settled(question.gold, answer.answer))
        said = error.message.splitlines()[0] if error else ""
        if right := judge.is_right(scores):
            reason = Reason(RIGHT, said)
        elif answer.answer:
            reason = beside_gold(question.gold, answer.answer, MORE, PART, OTHER)
        else:
            reason = Reason(REFUSED if error else NOTHING, said)
        return outcome_of(question, answer, scores, right, reason)

    return ask


def summary_text(name: str, outcomes: Sequence[Outcome]) -> str:
    """Returns how many are right, and each class of the others with its first question."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.reason_class, []).append(outcome)
    right, n = len(groups.pop(RIGHT, ())), len(outcomes)
    lines = [f"{name}: {right:,} of {n:,} right ({right / n:.2%})"]
    for kind, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        lines += [f"  {len(group):>5}  {kind}", f"         such as question {group[0].id}: {group[0].reason}"]
    return "\n".join(lines)


class ReplyClass(StrEnum):
    """The classes of reasons, in the order of the table."""

    RIGHT = "right"
    SUPERSET = "superset"
    OTHER = "other answer"
    NOTHING = "no answer"
    FUNCTION = "unknown function"
    MALFORMED = "malformed"
    UNMAPPED = "unmapped name"
    KINDS = "kinds"
    FAILED = "failed"


@dataclass(frozen=True)
class Recording:
    """A set and the file of its recorded replies, which may be missing."""

    name: str
    path: Path

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark whose questions were replied to."""
        return REPLAY_SETS[self.name]

    def selection(self, data: Path) -> Selection:
        """Returns the selection of the set."""
        return Selection(data, **self.benchmark.replay_sets[self.name])

    def read(self, data: Path, limit: int | None = None, seed: int = 0) -> Drawn:
        """Reads the replies, `limit` of them drawn by `seed`, as questions; those without known gold are left out."""
        find = self.benchmark.recorded(self.selection(data))
        questions = []
        recordings = sample(read_recorded(self.path), limit, seed)
        for each in recordings:
            if found := find(each):
                questions.append(replace(found[0], reply=each.reply, others=tuple(found[1:])))
        return Drawn(questions, len(recordings) - len(questions))


def recordings_of(data: Path, sets: Sequence[str] = (), files: Sequence[Path] = ()) -> list[Recording]:
    """Returns what to run: the given files, else the given sets, else every set whose replies the data have.

    A file belongs to the one set that is given, else to the one that its name says.
    """
    if files:
        if len(sets) > 1:
            raise BadInput("--questions takes one --set, to which all the files belong.", "Give one, or none.")
        return [Recording(sets[0] if sets else _set_of(path), path) for path in files]
    every = [Recording(name, data / "recorded" / f"{name}.jsonl") for name in dict.fromkeys(sets or REPLAY_SETS)]
    present = [each for each in every if each.path.is_file()]
    if not present:
        of = f" of {', '.join(sets)}" if sets else ""
        raise BadInput(f"{data} has no recorded replies{of}.", "They are looked for as recorded/SET.jsonl.")
    return every if sets else present


def _set_of(path: Path) -> str:
    if path.stem not in REPLAY_SETS:
        raise BadInput(f"The name of {path.name} is not that of a set.", f"Give --set with {', '.join(REPLAY_SETS)}.")
    return path.stem


def replay_backend(
    store: Store, benchmark: Benchmark, damage: str | None = None, seed: int = 0, combinations: int = MAX_COMBINATIONS
) -> Ask:
    """Returns a function that runs the reply to a question, on its other tables too until one gives an answer.

    With a kind of `DAMAGES`, every name of every program is damaged by the seed, and mapped as a user's is. Without
    one, a name that has no node is mapped to the nearest, however far.
    """
    options: QueryKeywords = {"evidence": False, "combinations": combinations}
    if not damage:
        options |= {"threshold": 0.0, "by_column": 0.0}
    judge = replace(benchmark.judge, accuracy=None)

    def run_reply(question: Question, program: str) -> tuple[Outcome, bool]:
        """The outcome, and whether there are values."""
        answer, error = _tried(store, question, program, options)
        reason = reason_of_error(error, program) if error else None
        scores = judge.scores(question.gold, answer.answer)
        right = judge.is_right(scores)
        reason = reason or reason_of_answer(question.gold, answer, right)
        return outcome_of(question, answer, scores, right, reason), not answer.abstained

    def ask(question: Question) -> Outcome:
        program = damaged_program(question.reply, damage, seed) if damage else question.reply
        tried = []
        for each in (question, *question.others):
            outcome, has_answer = run_reply(each, program)
            if has_answer:
                return outcome
            tried.append(outcome)
        return tried[0]

    return ask


def reason_of_error(error: BadInput | QueryFailed, reply: str) -> Reason:
    """Returns why a reply could not be run; raises the error if the program is not to blame."""
    if isinstance(error, UnknownFunction):
        return Reason(ReplyClass.FUNCTION, error.function, joint=" ")
    if isinstance(error, UnmappedName):
        return Reason(ReplyClass.UNMAPPED, str(error))
    if isinstance(error, QueryFailed):
        return Reason(ReplyClass.FAILED, error.message)
    try:
        parse(reply)
    except BadInput:
        return Reason(ReplyClass.MALFORMED, str(error))
    if isinstance(error, ProgramError):
        return Reason(ReplyClass.KINDS, str(error))
    raise error


def reason_of_answer(gold: tuple[str, ...], answer: Answer, right: bool) -> Reason:
    """Returns why an answer is right or not; the detail includes the notes of the answer."""
    if right:
        return Reason(ReplyClass.RIGHT)
    notes = "; ".join(answer.warnings)
    if answer.abstained:
        return Reason(ReplyClass.NOTHING, notes)
    reason = beside_gold(gold, answer.answer, ReplyClass.SUPERSET, ReplyClass.OTHER, ReplyClass.OTHER)
    return reason._replace(detail=f"{reason.detail}; {notes}") if notes else reason


def reasons_table(outcomes: Sequence[Outcome]) -> str:
    """Returns the classes of reasons with counts and shares, and the unknown functions, as aligned text."""
    counts = Counter(outcome.reason_class for outcome in outcomes)
    of_functions = (outcome.reason for outcome in outcomes if outcome.reason_class == ReplyClass.FUNCTION)
    functions = Counter(reason.removeprefix(f"{ReplyClass.FUNCTION} ") for reason in of_functions)
    rows = [(kind, str(counts[kind]), f"{counts[kind] / len(outcomes):.3f}") for kind in ReplyClass if counts[kind]]
    lines = table_lines(("reason", "n", "share"), rows, right=("n", "share"))
    if functions:
        unknown = ((name, str(count)) for name, count in functions.most_common())
        lines += table_lines(("unknown function", "n"), unknown, right=("n",))
    return "\n".join(lines)
