"""Readings of a question: what may be asked of a table, composed of conditions, a column and an operation.

As in Pasupat and Liang, "Compositional Semantic Parsing on Semi-Structured Tables" (ACL 2015), the parser floats: parts
need not stand in any order in the question, and may be implied. All small combinations are made, and ranked later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cgstore.llm.backends.compose.column import DATES, NUMBERS, Column
from cgstore.llm.backends.compose.compared import compared_columns, is_only_a_time, of_age
from cgstore.llm.backends.compose.comparisons import LESS, MORE
from cgstore.llm.backends.compose.conditions import Condition, Stretch
from cgstore.llm.backends.compose.meanings import MEANT, means, means_another
from cgstore.llm.backends.compose.measures import SPELT_UNITS, UNITS_OF, measures_asked
from cgstore.llm.backends.compose.runs import of_money
from cgstore.llm.backends.compose.signals import (
    BY_TIME,
    OF_AGES,
    OF_RANKS,
    OF_SIZES,
    OF_SPEEDS,
    OF_TIMES_SPENT,
    TURNED,
    Extreme,
    Signal,
    Signals,
    group_bounds,
)
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import QuestionText, stem, word_set
from cgstore.text.kinds import ValueKind

MAX_SETS = 16
"""Sets of conditions of one question."""

MAX_CONDITIONS = 4

MAX_STRETCHES = 7
"""Stretches of values that are combined."""


@dataclass(frozen=True)
class Superlative:
    """The rows with the greatest or the least number under a column; under None, the last or first of all rows."""

    column: int | None
    extreme: Extreme
    end: str


@dataclass(frozen=True)
class Reading:
    """What a question may ask: an operation on the cells of a column (None: rows), in the rows of all conditions.

    `skipped` are stretches of values that no condition uses. `by` is the column of groups or of what is compared,
    `bound` a comparison of the numbers of groups, `claim` what is to hold of every row. `groups` has the conditions,
    those together of which one is enough: equalities on one column; and those that leave out rows of totals. `rows` are
    those for which all groups hold, before any superlative. `unit`: that in which a difference of dates, or a number of
    a duration, is asked for. `function`: what the greatest of groups is one of. `also` are further columns asked for.
    """

    operation: str
    target: int | None
    conditions: tuple[Condition, ...] = ()
    skipped: tuple[Stretch, ...] = ()
    superlative: Superlative | None = None
    extreme: Extreme | None = None
    by: int | None = None
    bound: tuple[str, int] | None = None
    claim: Condition | None = None
    mask: int = 0
    groups: tuple[tuple[Condition, ...], ...] = ()
    rows: int = 0
    unit: str = ""
    function: str = "sum"
    also: tuple[int, ...] = ()

    @property
    def ordered_by(self) -> Extreme | None:
        """The superlative that it uses."""
        return self.superlative.extreme if self.superlative else self.extreme

    def said(self) -> Iterator[Condition]:
        """Its conditions, and those that it leaves out."""
        yield from self.conditions
        for stretch in self.skipped:
            yield from stretch.options


def reading_of(
    table: Table, conditions: tuple[Condition, ...], skipped: tuple[Stretch, ...] = (), operation: str = "list"
) -> Reading:
    """A reading of these conditions alone, with the rows for which they hold."""
    groups: dict[tuple[int, int], list[Condition]] = {}
    for place, each in enumerate(conditions):
        key = (each.column, -1) if each.op in ("=", "contains") else (each.column, place)
        groups.setdefault(key, []).append(each)
    rows = table.every
    for group in groups.values():
        some = 0
        for condition in group:
            some |= condition.rows
        rows &= some
    return Reading(operation, None, conditions, skipped, groups=tuple(map(tuple, groups.values())), rows=rows)


def condition_sets(stretches: Sequence[Stretch]) -> list[tuple[tuple[Condition, ...], tuple[Stretch, ...]]]:
    """The sets of conditions that a question may state, each with the stretches that it leaves out."""
    kept = sorted(stretches, key=lambda s: -_weight(s))[:MAX_STRETCHES]
    sets: list[tuple[float, tuple[Condition, ...], tuple[Stretch, ...], int]] = [(0.0, (), (), 0)]
    for stretch in sorted(kept):
        grown = []
        for score, chosen, skipped, mask in sets:
            grown.append((score - _weight(stretch), chosen, (*skipped, stretch), mask))
            if len(chosen) < MAX_CONDITIONS:
                grown += [
                    (score + 0.01 * (option.how == "exact"), (*chosen, option), skipped, mask | option.mask)
                    for option in stretch.options
                    if not any(option.first < other.last and other.first < option.last for other in chosen)
                ]
        sets = sorted(grown, key=lambda each: -each[0])[: 2 * MAX_SETS]
    return [(chosen, skipped) for _, chosen, skipped, _ in sets[:MAX_SETS]]


_HOW = {"exact": 1.0, "number": 0.8, "stems": 0.6, "short": 0.6, "part": 0.4, "flag": 0.4, "rank": 0.8}


def _weight(stretch: Stretch) -> float:
    """How much is lost if the stretch is left out."""
    return (stretch.last - stretch.first) * max(_HOW[option.how] for option in stretch.options)


def readings(text: QuestionText, table: Table, signals: Signals, stretches: Sequence[Stretch]) -> Iterator[Reading]:
    """All readings of a question that give an answer, over one table."""
    for conditions, skipped in condition_sets(stretches):
        base = reading_of(table, conditions, skipped)
        if signals.is_truth:
            pairs = list(_compared_pairs(base, table, text))
            yield from pairs or [replace(base, operation="exists")]
            if not signals.wh:
                continue
        yield from _plain(base, table, signals)
        yield from _with_superlative(base, table, signals)
        yield from _groups(base, table, signals, text)
        yield from _neighbours(base, signals, table)


def _plain(base: Reading, table: Table, signals: Signals) -> Iterator[Reading]:
    """Cells, counts, sums and extremes of one column."""
    operations = _operations(signals)
    if "count" in operations and not _counts_an_amount(signals, table):
        yield replace(base, operation="count")
    for column in table.columns:
        for operation in operations:
            unit = _unit_of_time(signals, column) if operation in ("sum", "mean") else ""
            is_added = _may_be_added(column, operation, signals) or unit
            if operation == "count" or (operation in ("sum", "mean") and not is_added):
                continue
            if operation in ("max", "min"):
                if column.is_ordered and not column.is_key:
                    yield from (
                        replace(base, operation=end, target=column.place, extreme=extreme)
                        for extreme in signals.extremes
                        if extreme.end == operation and extreme.place == 1
                        if _may_order(extreme, column, table, signals)
                        for end in _ends(extreme, column)
                    )
                continue
            if operation == "distinct" and (column.is_distinct or _is_one_value(base, column)):
                continue
            if operation == "list" and table.has_texts and _asks_for_another(signals, column):
                continue
            if operation == "list" and (column.ends or any(_gives_back(each, column) for each in base.conditions)):
                continue
            if operation == "list" and _is_key_unasked(signals, column, table):
                continue
            if operation == "list" and any(each.how == "flag" and each.column == column.place for each in base.said()):
                continue  # "who works remotely" does not ask for yes and no
            yield replace(base, operation=operation, target=column.place, unit=unit)


def _unit_of_time(signals: Signals, column: Column) -> str:
    """The unit in which a number of a column of durations is asked for; empty if none is, or for other columns."""
    if column.unit is None or column.kind.plain is not ValueKind.DURATION:
        return ""
    return next((form for form in signals.text.forms if form in SPELT_UNITS and UNITS_OF[form].measure == "time"), "")


def _may_be_added(column: Column, operation: str, signals: Signals) -> bool:
    """Whether the numbers of a column may be added up: not those of orders, and not per cents that are not named."""
    if not column.is_amount or column.is_of_numbers:
        return False
    if operation == "sum" and (column.is_of_one or (column.rate and column.measure != "")):
        return False  # prices per kilo make no total
    is_share = operation == "sum" and column.kind.plain is ValueKind.PERCENT
    return not is_share or any(token.stem in column.stems for token in signals.text.tokens)


def _counts_an_amount(signals: Signals, table: Table) -> bool:
    """Whether `how many` asks for the numbers of a column: `how many pallets` of `capacity_pallets`."""
    for signal in signals.of("count"):
        for token in signals.text.tokens[signal.last : signal.last + 1]:
            named = [each for each in table.columns if token.stem in each.stems]
            named = [each for each in named if len(each.stems) == 1] or named
            if not named and token.form in SPELT_UNITS:
                named = [each for each in table.columns if each.measure == UNITS_OF[token.form].measure]
            if not named and signals.has("sum"):
                amounts = [each for each in table.columns if each.is_amount]
                named = [each for each in amounts if not MEANT.get(token.stem, set()).isdisjoint(each.stems)]
            if len(named) == 1 and named[0].is_amount and not named[0].is_of_numbers and not named[0].is_rank:
                return token.form not in ("times", "number")
    return False


def _gives_back(condition: Condition, column: Column) -> bool:
    """Whether a column has nothing but the one value that the question names."""
    is_whole = condition.how in ("exact", "stems", "short", "number") and condition.op == "="
    return condition.column == column.place and is_whole and len(condition.values) == 1


def _is_one_value(base: Reading, column: Column) -> bool:
    """Whether the rows have one value of a column, of which there are no different ones to be counted."""
    return any(each.column == column.place and each.op == "=" and len(each.values) == 1 for each in base.conditions)


def _is_key_unasked(signals: Signals, column: Column, table: Table) -> bool:
    """Whether a column only tells the rows apart, and the question wants their names: `which employee`, `Emp ID`."""
    is_number = column.is_key or bool(column.numbered)
    if any(table.numbered_by(token.stem) == column.place for token in signals.text.tokens):
        return False
    return is_number and table.has_names and NUMBERS.isdisjoint(signals.text.forms)


def _asks_for_another(signals: Signals, column: Column) -> bool:
    """Whether a column of times, or of the numbers of rows, is not asked for: `who ordered`, `what was ordered`."""
    if signals.wh == "who":
        return column.form in ("date", "clock")
    behind = signals.text.tokens[signals.wh_at + 1 : signals.wh_at + 3]
    if signals.wh != "what" or len(behind) < 2 or behind[0].form not in _AUXILIARIES:
        return False
    if column.numbered:
        return not {"no", "nr", "number", "id", "code"} & set(signals.text.forms)
    return column.form in ("date", "clock") and any(stem(word) == behind[1].stem for word in column.words)


_AUXILIARIES = word_set("was were is are did does do has have")


def _operations(signals: Signals) -> list[str]:
    """The operations that the words of a question may ask for."""
    found = ["list"]
    if signals.has("count") or signals.has("much"):
        found += ["count", "distinct", "sum"] if signals.has("count") else ["sum"]
    elif signals.has("sum") or signals.wh in ("how many", "how much"):
        found += ["sum"]  # "how many" may be among the words for a column
    if signals.has("mean"):
        found += ["mean"]
    found += dict.fromkeys(extreme.end for extreme in signals.extremes)
    return found


def _may_order(extreme: Extreme, column: Column, table: Table, signals: Signals) -> bool:
    """Whether a superlative may order by a column: `oldest` alone by an age, `oldest record` by anything ordered."""
    if not column.is_ordered or column.is_key or (extreme.word in OF_SIZES and is_only_a_time(column, table)):
        return False
    is_of_age = extreme.word in OF_AGES and column not in of_age(extreme.word, table)
    if is_of_age or means_another(extreme.word, column, table.columns):
        return False
    if measures_asked(extreme.word) == {"money"} and column not in of_money(table):
        return False  # the dearest flat is that of the highest rent, not of the highest deposit
    if extreme.word in BY_TIME and column.to_come and column.to_come not in signals.text.forms:
        return False  # the last visit is not that of the last `next visit`
    if extreme.word == "last" and column.measure:
        return False  # what lasts longest is not the last
    if extreme.word in OF_TIMES_SPENT and column.form == "date" and not _lasts(signals):
        return False
    behind = signals.text.tokens[extreme.last : extreme.last + 2]
    ordered = [each for each in table.columns if each.is_ordered]
    before = {token.stem for token in signals.text.tokens[max(0, extreme.first - 2) : extreme.first]}
    if extreme.word in BY_TIME and any(before & set(each.stems) for each in ordered if each.form == "date"):
        return bool(before & set(column.stems))  # "was hired last"
    is_beside = not column.measure and any(token.stem in column.stems for token in behind)
    if extreme.word in BY_TIME and column.is_amount and any(each.form == "date" for each in ordered) and not is_beside:
        return means(extreme.word, column)  # the first fee is not the least one
    if any(token.stem in each.stems for each in ordered for token in behind):
        return True
    return means(extreme.word, column) or not any(means(extreme.word, each) for each in ordered)


def _lasts(signals: Signals) -> bool:
    """Whether a time spent goes on since a date: `who has been here longest`."""
    return not _SPENT.isdisjoint(signals.text.forms)


_SPENT = word_set("been serving standing served worked employed")


def _may_be_of_rows(extreme: Extreme, table: Table, signals: Signals) -> bool:
    """Whether a superlative may go by the order of the rows: not where it goes by a time, as in `hired last`."""
    times = [column for column in table.columns if column.form in ("date", "clock")]
    around = signals.text.tokens[max(0, extreme.first - 2) : extreme.last + 2]
    if any(token.stem in column.stems for column in times for token in around):
        return False
    before = signals.text.forms[max(0, extreme.first - 3) : extreme.first]
    if any(each.kind in DATES and not each.is_of_birth for each in times) and not _COMING.isdisjoint(before):
        return False
    return extreme.word in ("first", "last") or (extreme.word in BY_TIME and not times)


_COMING = word_set("came come comes arrived arrive got get went go left returned finished done")
"""Verbs of what comes first or last by its date, if the table has one."""


def _ends(extreme: Extreme, column: Column) -> list[str]:
    """The ends of a column's order that a superlative may mean: the best place of a ranking is the least."""
    other = "min" if extreme.end == "max" else "max"
    if extreme.word == "youngest" and column.form != "date":
        return [other]
    if extreme.word in OF_SPEEDS and (column.form == "clock" or _TIME_TAKEN.issubset(column.stems)):
        return [other]
    if column.form == "date" and (extreme.word in TURNED or extreme.word in OF_TIMES_SPENT):
        return [other]
    return [extreme.end, other] if column.is_rank and extreme.word in OF_RANKS else [extreme.end]


_TIME_TAKEN = frozenset((stem("time"),))
"""What the name of a column of times that something takes has, in seconds or on a clock: the fastest has the least."""


def _with_superlative(base: Reading, table: Table, signals: Signals) -> Iterator[Reading]:
    """A column in the rows that have the most, or the least, of another one."""
    named = 0
    for condition in base.conditions:
        named |= condition.mask if condition.how == "exact" and condition.last - condition.first > 1 else 0
    for extreme in [each for each in signals.extremes if not each.mask & named]:  # not the "Best Debut"
        for column in [*table.columns, None]:
            ends = [extreme.end] if _may_be_of_rows(extreme, table, signals) else []
            if column is not None:
                ends = _ends(extreme, column) if _may_order(extreme, column, table, signals) else []
            for end in ends:
                superlative = Superlative(column.place if column else None, extreme, end)
                for target in table.columns:
                    if _is_key_unasked(signals, target, table) or any(_gives_back(c, target) for c in base.conditions):
                        continue
                    if column is None or target.place != column.place or extreme.place > 1:
                        yield replace(base, target=target.place, superlative=superlative)
        for target in table.columns:
            is_kind = not (target.is_distinct or target.is_ordered or target.is_flag)
            if is_kind and extreme.word in ("most", "least", "fewest"):
                yield replace(base, operation=f"group {extreme.end}", target=target.place, extreme=extreme)
        if (signals.has("sum") or signals.has("mean")) and extreme.place == 1:
            yield from _sums(base, table, signals, extreme)


def _sums(base: Reading, table: Table, signals: Signals, extreme: Extreme) -> Iterator[Reading]:
    """The value of a column whose rows have the most of another one together: `the most tonnes in all`."""
    function, end = "mean" if signals.has("mean") else "sum", f"group {extreme.end}"
    for target in table.columns:
        if not target.is_distinct and target.form in ("text", "names"):
            for of in table.columns:
                if _may_be_added(of, function, signals) and not of.is_rank:
                    greatest = replace(base, operation=end, target=target.place, extreme=extreme)
                    yield replace(greatest, by=of.place, function=function)


def _groups(base: Reading, table: Table, signals: Signals, text: QuestionText) -> Iterator[Reading]:
    """Numbers of each value of a column, and values whose group has a number of rows."""
    if signals.has("each"):
        for by in table.columns:
            if not by.is_distinct:
                yield replace(base, operation="per count", target=by.place)
                if signals.has("sum") or signals.has("mean"):
                    function = "mean" if signals.has("mean") else "sum"
                    for of in table.columns:
                        if _may_be_added(of, function, signals):
                            yield replace(base, operation=f"per {function}", target=by.place, by=of.place)
    for bound in group_bounds(text):
        for by in table.columns:
            if not by.is_distinct:
                kept = tuple(c for c in base.conditions if not (c.how == "number" and c.mask & bound[2]))
                grouped = reading_of(table, kept, base.skipped, "having")
                yield replace(grouped, target=by.place, bound=bound[:2], mask=bound[2])


def _neighbours(base: Reading, signals: Signals, table: Table) -> Iterator[Reading]:
    """A column in the row after, or before, that of the conditions."""
    if not base.conditions or base.conditions[0].op != "=" or len(base.conditions) > 2:
        return
    for kind in ("next", "previous"):
        for signal in signals.of(kind):
            if not any(each.op == "=" and _stands_at(signal, each, signals) for each in base.conditions):
                continue
            is_beside = kind == "next" and signals.text.forms[signal.last : signal.last + 1] == ("to",)
            if is_beside or any(each.mask & signal.mask for each in base.conditions):
                continue  # "opened after 1900" compares
            for column in table.columns:
                yield replace(base, operation=kind, target=column.place, mask=signal.mask)


_ADJECTIVES = word_set("next previous following preceding prior")


def _stands_at(signal: Signal, condition: Condition, signals: Signals) -> bool:
    """Whether a signal stands before a value (`after Albion`), or before what is asked for (`the next opponent`)."""
    if 0 <= condition.first - signal.last <= 2 or 0 <= signal.first - condition.last <= 1:
        return True
    forms = signals.text.forms
    return (
        forms[signal.first] in _ADJECTIVES and signal.first > 0 and forms[signal.first - 1] in ("the", "which", "what")
    )


def _compared_pairs(base: Reading, table: Table, text: QuestionText) -> Iterator[Reading]:
    """Whether one row has more of a column than another."""
    groups = [group for group in base.groups if len(group) == 2]
    words = [form for form in text.forms if form in MORE or form in LESS]
    if "or" in text.forms or not words or len(groups) != 1 or len(base.conditions) != 2:
        return  # "more or less than", "is A or B higher": not for yes or no
    if all(condition.op == "=" for condition in groups[0]):
        for column, is_less in compared_columns(table, words[0]):
            operation = "less" if is_less else "greater"
            yield replace(base, operation=operation, target=column.place, by=groups[0][0].column)
