"""Why a recorded program's answer is right or not: one class a question, with its detail, and the table of classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from cgstore.errors import BadInput, QueryFailed
from cgstore.evaluate.metrics import Value, covers, f1
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.query.parse import ProgramError, UnknownFunction, parse


class Kind(StrEnum):
    """The classes, in the order of the table."""

    RIGHT = "right"
    SUPERSET = "superset"
    OTHER = "other answer"
    NOTHING = "no answer"
    FUNCTION = "unknown function"
    MALFORMED = "malformed"
    UNMAPPED = "unmapped name"
    KINDS = "kinds"
    FAILED = "failed"


ORDER = tuple(str(kind) for kind in Kind)


@dataclass(frozen=True)
class Reason:
    """Why an answer is what it is; the detail of an unknown function is its name."""

    kind: Kind
    detail: str = ""

    def __str__(self) -> str:
        if self.kind is Kind.FUNCTION:
            return f"{self.kind} {self.detail}"
        return f"{self.kind}: {self.detail}" if self.detail else str(self.kind)


def reason_of_error(error: BadInput | QueryFailed, reply: str) -> Reason:
    """Why a reply could not be run.

    Raises:
        BadInput: the error itself, where it is not the program's: a source is missing.
    """
    if isinstance(error, UnknownFunction):
        return Reason(Kind.FUNCTION, error.function)
    if isinstance(error, UnmappedName):
        return Reason(Kind.UNMAPPED, str(error))
    if isinstance(error, QueryFailed):
        return Reason(Kind.FAILED, error.message)
    if not _is_well_formed(reply):
        return Reason(Kind.MALFORMED, str(error))
    if isinstance(error, ProgramError):
        return Reason(Kind.KINDS, str(error))
    raise error


def _is_well_formed(reply: str) -> bool:
    try:
        parse(reply)
    except BadInput:
        return False
    return True


def reason_of_answer(gold: tuple[str, ...], answer: Answer, right: bool) -> Reason:
    """Why an answer is right or not; what was said of it while it was made is part of the detail."""
    if right:
        return Reason(Kind.RIGHT)
    notes = "; ".join(answer.warnings)
    if answer.abstained:
        return Reason(Kind.NOTHING, notes)
    kind, how = _compared(gold, answer.answer)
    return Reason(kind, f"{how}; {notes}" if notes else how)


def _compared(gold: tuple[str, ...], answer: tuple[Value, ...]) -> tuple[Kind, str]:
    if gold and covers(gold, answer):
        return Kind.SUPERSET, f"{len(answer):,} answers, {len(set(gold)):,} of them gold"
    score = f1(gold, answer)
    return Kind.OTHER, f"f1 {score:.2f}" if score else "none of them gold"


def table(reasons: Iterable[Reason]) -> str:
    """The classes with counts and shares as aligned text; below them the unknown functions, the most frequent first."""
    reasons = list(reasons)
    counts = Counter(reason.kind for reason in reasons)
    functions = Counter(reason.detail for reason in reasons if reason.kind is Kind.FUNCTION)
    rows = [(str(kind), counts[kind]) for kind in Kind if counts[kind]]
    width = max([len("reason"), *(len(name) for name, _ in rows), *(len(name) + 2 for name in functions)])
    lines = [f"{'reason':<{width}}  {'n':>6}  {'share':>6}"]
    lines += [f"{name:<{width}}  {count:>6}  {count / len(reasons):>6.3f}" for name, count in rows]
    if functions:
        lines.append("unknown functions:")
        lines += [f"{'  ' + name:<{width}}  {count:>6}" for name, count in functions.most_common()]
    return "\n".join(lines)
