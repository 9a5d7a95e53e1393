"""Durations of terms that have no end in the data: these may still go on, so that nothing says how long they are.

The longest one is sure where those are shorter even if they go on until now; the shortest is that of the ended ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from cgstore.llm.backends import Decision, Run
from cgstore.llm.backends.rewrite.rewording import UNTIL_NOW
from cgstore.query.build import numbered, quote
from cgstore.text.dates import number_of
from cgstore.text.names import some_of

_SEARCH = r"(get_information\(.*\))"
_EACH_TERM = re.compile(rf"\"for_each\(set='output_of_query1', value=\w+_difference\(each, {_SEARCH}\)\)\"$")
_EACH_HOLDER = re.compile(
    rf"\"for_each\(set='output_of_query1', value=subtract\(sum\({_SEARCH}\), sum\({_SEARCH}\)\)\)\"$"
)


def without_open_terms(decision: Decision, run: Run, now: str) -> Decision:
    """The decision, or none where a term that a duration needs has no end.

    Args:
        decision: of a backend.
        run: runs programs.
        now: the time until which facts without an end hold in the data; empty if they have none.
    """
    last = decision.chosen or (decision.attempts[-1] if decision.attempts else None)
    lines = last.program.splitlines() if last else []
    if len(lines) < 2:
        return decision
    first = lines[0].split('"', 1)[1].rstrip('"')
    if match := _EACH_TERM.search(lines[1]):
        lacking, fewest = f"count({match[1]})", "value='0'"
    elif match := _EACH_HOLDER.search(lines[1]):
        lacking, fewest = f"subtract(count({match[2]}), count({match[1]}))", "value>'0'"
    else:
        return decision
    check = [first, f"for_each(set='output_of_query1', value={lacking})", f"keep(set='output_of_query2', {fewest})"]
    answer = run(numbered(check)).answer
    if answer is None or not answer.answer:
        return decision
    still = [str(value) for value in answer.answer]
    names = some_of(still)
    if match and not lacking.startswith("count") and decision.chosen and now:
        return _among_ended(decision, still, (match[1], match[2]), run, now)
    what = "the term that began in" if lacking.startswith("count") else "a term of"
    reason = f"{what} {names} has no end in the data and may still go on: ask when it began"
    return replace(decision, chosen=None, because="", attempts=(), warnings=(reason,))


def _among_ended(decision: Decision, still: Sequence[str], searches: tuple[str, str], run: Run, now: str) -> Decision:
    """The decision about the longest or shortest term that ended; none where one that goes on is longer until now."""
    assert decision.chosen and decision.chosen.answer
    best = [str(value) for value in decision.chosen.answer.answer]
    ends, starts = ([_numbers(search, name, run) for name in best] for search in searches)
    length = max((sum(end) - sum(start) for end, start in zip(ends, starts, strict=True)), default=0.0)
    until = number_of(now) or 0.0
    longer = [name for name in still if until - max(_numbers(searches[1], name, run), default=until) >= length]
    note = f"Left out: {some_of(still)}, of whom a term has no end in the data."
    if "argmin(" in decision.chosen.program or not longer:
        if "argmin(" not in decision.chosen.program:
            note = f"{note.removesuffix('.')}, and would be shorter until {now}, {UNTIL_NOW}."
        return replace(decision, warnings=(*decision.warnings, note))
    reason = (
        f"a term of {some_of(longer)} has no end in the data, and would be the longest if it goes on until {now}; "
        f"of those that ended it is that of {some_of(best)}"
    )
    return replace(decision, chosen=None, because="", attempts=(), warnings=(reason,))


def _numbers(search: str, name: str, run: Run) -> list[float]:
    """The times that a search for each finds for a name, as numbers of years."""
    asked = re.sub(r"=each\b", lambda _: f"={quote(name)}", search)
    answer = run(numbered([asked])).answer
    return [number for each in (answer.answer if answer else ()) if (number := number_of(str(each))) is not None]
