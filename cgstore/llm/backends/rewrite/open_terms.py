"""Durations of terms that have no end in the data: these may still go on, so that nothing says how long they are."""

from __future__ import annotations

import re
from dataclasses import replace

from cgstore.llm.backends import Decision, Run
from cgstore.query.build import numbered
from cgstore.text.names import some_of

_SEARCH = r"(get_information\(.*\))"
_EACH_TERM = re.compile(rf"\"for_each\(set='output_of_query1', value=\w+_difference\(each, {_SEARCH}\)\)\"$")
_EACH_HOLDER = re.compile(
    rf"\"for_each\(set='output_of_query1', value=subtract\(sum\({_SEARCH}\), sum\({_SEARCH}\)\)\)\"$"
)


def without_open_terms(decision: Decision, run: Run) -> Decision:
    """The decision, or none where a term that a duration needs has no end."""
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
    names = some_of([str(value) for value in answer.answer])
    what = "the term that began in" if lacking.startswith("count") else "a term of"
    reason = f"{what} {names} has no end in the data and may still go on: ask when it began"
    return replace(decision, chosen=None, because="", attempts=(), warnings=(reason,))
