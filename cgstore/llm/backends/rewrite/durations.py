"""How long a fact held: the programs in the unit that a question asks for, the most exact one first."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite.fact_asked import DAYS_OF, Asked, how_long, how_many_years
from cgstore.text.dates import Step

_IN_CALENDAR = "In years of the calendar, since not all days are known: the end minus the start of each term, added up."


@dataclass(frozen=True)
class Duration:
    """A program for a duration; `note` says in which unit it is, `nothing` why it may give nothing."""

    program: str
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
        f"In {unit}: the end minus the start of each term in the data, added up over all terms{about}.",
        f"The data have no duration in {unit} for '{asked.text}': either each start is the {step} of its end, so that "
        f"the end is not known or it was shorter than that, or a time is known less exactly than by {step}, or several "
        "records have one start.",
    )
    if own == "days" and said in ("", "years"):
        yield Duration(how_many_years(asked), _IN_CALENDAR)
