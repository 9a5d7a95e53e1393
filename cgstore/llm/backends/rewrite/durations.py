"""How long a fact held: the programs in the unit that a question asks for, the most exact one first.

The number that answers `how long` says its unit: whole years where these are two or more, else whole months or days.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta

from cgstore.llm.backends import CannotPropose, Decision, Proposal, Run
from cgstore.llm.backends.rewrite.fact_asked import DAYS_OF, Asked, how_long, how_many_years
from cgstore.text.dates import Step

FEWEST = 2
"""Fewest whole years, or months, that are said instead of smaller units."""

_IN_CALENDAR = "In years of the calendar, since not all days are known: the end minus the start of each term, added up."


@dataclass(frozen=True)
class Duration:
    """A program for a duration in a unit; `note` says how it is taken, `nothing` why it may give nothing."""

    program: str
    unit: str
    note: str
    nothing: str = ""


def durations(asked: Asked, steps: Set[Step], said: str) -> Iterator[Duration]:
    """The programs for how long a fact held.

    Args:
        asked: the fact.
        steps: those of the times of the sources.
        said: the unit that the question asks for; empty: any.

    Raises:
        CannotPropose: the times do not say how many of this unit.
    """
    step, *others = steps
    own = f"{step}s" if step in (Step.YEAR, Step.MONTH) else "days"
    unit = said or own
    program = "" if others else how_long(asked, step, unit)
    if not program:
        raise CannotPropose(f"the times of the sources asked are {step}s, which do not say how many {unit}")
    about = "" if unit == own else f"; whole {unit}, of {DAYS_OF[unit]} days each"
    yield Duration(
        program,
        unit,
        f"In {unit}: the end minus the start of each term in the data, added up over all terms{about}.",
        f"The data have no duration in {unit} for '{asked.text}': either each start is the {step} of its end, so that "
        f"the end is not known or it was shorter than that, or a time is known less exactly than by {step}, or several "
        "records have one start.",
    )
    if own == "days" and said in ("", "years"):
        yield Duration(how_many_years(asked), "years", _IN_CALENDAR)


def with_unit(decision: Decision, proposal: Proposal | None, run: Run) -> Decision:
    """The decision with the unit of the number that answers, where the question leaves it to the answer.

    Args:
        decision: of a backend.
        proposal: the one whose program was chosen.
        run: runs programs.
    """
    chosen = decision.chosen
    if chosen is None or chosen.answer is None or proposal is None or not (proposal.unit and chosen.answered):
        return decision
    value = chosen.answer.answer[0]
    starts = run(chosen.program.split("\n", 1)[0]).answer if proposal.unit == "days" else None
    said = in_words(round(float(value)), proposal.unit, min(map(str, starts.answer)) if starts else "")
    notes = (f"In all {value:,} {proposal.unit}.",) if proposal.unit != "years" else ()
    answer = replace(chosen.answer, answer=(said,))
    return replace(decision, chosen=replace(chosen, answer=answer), warnings=(*decision.warnings, *notes))


def in_words(number: int, unit: str, start: str = "") -> str:
    """A duration with its unit: `13 years`, `7 months`, `45 days`.

    Args:
        number: how many years, months or days.
        unit: of these.
        start: the first day, from which days are counted by the calendar; the last day counts too.
    """
    months = number if unit == "months" else _whole_months(number, start) if unit == "days" else 0
    if unit != "years" and months >= 12 * FEWEST:
        number, unit = months // 12, "years"
    elif unit == "days" and months >= FEWEST:
        number, unit = months, "months"
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"


def _whole_months(days: int, start: str) -> int:
    try:
        first = date.fromisoformat(start)
        behind = first + timedelta(days=days + 1)
    except (ValueError, OverflowError):
        return int(days / float(DAYS_OF["months"]))
    return 12 * (behind.year - first.year) + behind.month - first.month - (behind.day < first.day)
