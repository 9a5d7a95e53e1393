"""What speaks for and against one condition of a reading."""

from __future__ import annotations

from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.runs import Run
from cgstore.llm.backends.compose.words import is_content, word_set

Features = dict[str, float]
"""Numbers by the names of features."""

_LIKE = {"rank": "flag", "short": "stems"}
"""Ways to find a value that no question was learnt from, with the one whose weights they have."""

NEAR = 4
"""Words between a value and the name of its column."""


def condition_features(context: Context, condition: Condition) -> tuple[Features, int]:
    """The features of a condition, and the words that it explains with the name of its column."""
    text, table = context.text, context.table
    column = table.columns[condition.column]
    mask = condition.mask
    f: Features = {}
    kind = "=" if condition.op in ("=", "contains", "empty", "filled") else "!=" if condition.op == "!=" else "<>"
    f[f"condition {_LIKE.get(condition.how, condition.how)} {kind}"] = 1
    f[f"condition {column.form} {kind}"] = 1
    f["condition words"] = min(condition.last - condition.first, 5)
    run = _beside(context, condition)
    if run is None:
        f[f"condition unnamed {kind}"] = 1
        f[f"condition unnamed {_LIKE.get(condition.how, condition.how)}"] = 1
        others = [
            each.place
            for each in table.columns
            if each.place != column.place and any(_gap(other, condition) <= 1 for other in context.runs[each.place])
        ]
        if others:
            f["condition beside another name"] = 1
        before = text.forms[condition.first - 1] if condition.first else ""
        if before in _PREPOSITIONS:
            f[f"condition {before} {column.form}"] = 1
    else:
        mask |= run.mask
        gap = _gap(run, condition)
        f[f"condition named {min(gap, NEAR)}{' after' if run.first >= condition.last else ''}"] = 1
        f["condition named share"] = run.share
        if run.meant:
            f["condition named by meaning"] = 1
        if run.share == 1:
            f["condition named whole"] = 1
    if condition.op == "contains" or condition.how == "part":
        f["condition part of cells"] = min(condition.rows.bit_count(), 4) / 4
    if condition.how == "exact" and condition.last - condition.first == 1:
        token = text.tokens[condition.first]
        if token.text.islower() and any(token.stem in each.stems for each in table.columns):
            f["condition word of a name"] = 1
        if token.text.isdigit():
            f["condition digits"] = 1
    if condition.rows == table.every:
        f["condition of all rows"] = 1
    return f, mask


_PREPOSITIONS = word_set("in on at by for from with of to against as during")


def _gap(run: Run, condition: Condition) -> int:
    """The words between the name of a column and a value, without those of grammar."""
    return (
        condition.first - run.last
        if run.last <= condition.first
        else run.first - condition.last
        if run.first >= condition.last
        else 99
    )


def _beside(context: Context, condition: Condition) -> Run | None:
    """The naming of a condition's column that stands nearest to its value."""
    best, least = None, 99.0
    for run in context.runs[condition.column]:
        gap = _gap(run, condition)
        if gap > NEAR + 2:
            continue
        cost = gap + 0.5 * (run.first >= condition.last) - 2 * run.share + run.meant
        if cost < least and not _crosses(context, run, condition):
            best, least = run, cost
    return best


def _crosses(context: Context, run: Run, condition: Condition) -> bool:
    """Whether a clause ends between the name of a column and the value."""
    low, high = (run.last, condition.first) if run.last <= condition.first else (condition.last, run.first)
    if low >= high:
        return False
    words = context.text.forms[low:high]
    return sum(map(is_content, words)) > 2
