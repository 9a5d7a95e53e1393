"""What speaks for and against a reading of a question, as named features with numbers.

They compare the question with the table in general terms: which words are explained and by what, how near a column's
name stands to a value or to the question word, which kind of cells a question word asks for. `pair` features join a
word of the question with a word of a column's name (`who`, `driver`); training keeps the frequent ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.comparisons import LESS, MORE, REACH
from cgstore.llm.backends.compose.condition_features import Features, condition_features
from cgstore.llm.backends.compose.conditions import Stretch
from cgstore.llm.backends.compose.counted import counted_columns, words_of_kinds
from cgstore.llm.backends.compose.measures import SPELT_UNITS, UNITS_OF
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.parties import words_of_part
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.runs import Run
from cgstore.llm.backends.compose.signals import Extreme
from cgstore.llm.backends.compose.states import PRICES
from cgstore.llm.backends.compose.words import is_content


def _of_conditions(reading: Reading, context: Context) -> tuple[Features, int, int]:
    """The features of all conditions, the words that these explain, and the words of their values; worked out once."""
    if (found := context.of_sets.get(id(reading.conditions))) is None:
        f: Features = {}
        explained = values = 0
        for condition in reading.conditions:
            if condition not in context.of_condition:
                context.of_condition[condition] = condition_features(context, condition)
            own, mask = context.of_condition[condition]
            for name, value in own.items():
                f[name] = f.get(name, 0) + value
            explained |= mask
            values |= condition.mask
        f[f"conditions {min(len(reading.conditions), 4)}"] = 1
        _add_skipped(f, reading.skipped, context)
        _add_joined(f, reading, context)
        found = context.of_sets[id(reading.conditions)] = (reading.conditions, f, explained, values)
    return found[1:]


def features_of(reading: Reading, context: Context) -> Features:
    """The features of a reading."""
    f: Features = {}
    text, explained = context.text, _add_parts(f, reading, context)
    left = text.content & ~explained
    f["words left"] = left.bit_count()
    f[f"words left {min(left.bit_count(), 4)}"] = 1
    if left:
        names = [text.tokens[n] for n in range(len(text)) if left >> n & 1]
        f["names left"] = sum(token.text[0].isupper() or token.text[0].isdigit() for token in names)
    unused = _unused_signals(reading, context, explained)
    for kind in unused:
        f[f"unused {kind}"] = 1
    if context.signals.is_truth != (reading.operation in ("exists", "greater", "less")):
        f["yes or no otherwise"] = 1
    return f


def explained_words(reading: Reading, context: Context) -> int:
    """The words of the question that a reading accounts for."""
    return _add_parts({}, reading, context)


def _add_parts(f: Features, reading: Reading, context: Context) -> int:
    """The features of all parts of a reading, and the words that they explain together."""
    base, mask, values = _of_conditions(reading, context)
    f |= base
    explained = reading.mask | mask
    f[f"operation {reading.operation}"] = 1
    explained |= _add_operation(f, reading, context, explained)
    if reading.claim is not None:
        explained |= condition_features(context, reading.claim)[1]
    if reading.target is not None:
        explained |= _add_target(f, reading, context, explained, values) | words_of_part(reading.target, context)
    for place in reading.also:
        run = context.best_run(place, 0)
        explained |= run.mask if run is not None else 0
    _add_rows(f, reading, context)
    return explained | _compared_words(reading, context) | context.of_rows


def _compared_words(reading: Reading, context: Context) -> int:
    """The words by which two rows are compared, and those that only say that a condition holds now."""
    mask = 0
    if reading.operation in ("greater", "less"):
        mask = sum(1 << n for n, form in enumerate(context.text.forms) if form in MORE or form in LESS)
    if reading.ordered_by is not None or reading.operation == "exists":
        mask |= sum(1 << n for n, form in enumerate(context.text.forms) if form == "ever")
    for signal in context.signals.of("more"):
        if context.text.forms[signal.first] in ("under", "over", "above", "below") and any(
            0 <= condition.first - signal.last <= 1 and condition.how != "number" for condition in reading.conditions
        ):
            mask |= signal.mask  # "under construction"
    for signal in context.signals.of("now"):
        if any(
            condition.op in ("empty", "filled")
            or 0 <= condition.first - signal.last <= 1
            or 0 <= signal.first - condition.last <= 1
            for condition in reading.conditions
            if condition.how == "flag" or not context.table.columns[condition.column].is_distinct
        ) or any(each.op in ("empty", "!=") or each.how == "flag" for each in reading.conditions):
            mask |= signal.mask
    return mask


def _add_skipped(f: Features, skipped: Iterable[Stretch], context: Context) -> None:
    for stretch in skipped:
        best = stretch.options[0].how
        tokens = context.text.tokens[stretch.first : stretch.last]
        named = any(run.first < stretch.last and stretch.first < run.last for runs in context.runs for run in runs)
        f[f"skipped {best}{' named' if named else ''}"] = f.get(f"skipped {best}{' named' if named else ''}", 0) + 1
        f["skipped words"] = f.get("skipped words", 0) + stretch.last - stretch.first
        if any(token.text[0].isupper() for token in tokens):
            f["skipped capital"] = f.get("skipped capital", 0) + 1


def _add_joined(f: Features, reading: Reading, context: Context) -> None:
    """Several values of one column are alternatives, or what is compared; other conditions hold together."""
    for group in reading.groups:
        if len(group) > 1:
            between = context.text.forms[group[0].last : group[1].first]
            joined = any(word in ("or", "and", "nor", "versus", "vs") for word in between)
            f["one column twice" if not joined else "one column joined"] = 1
    columns = {condition.column for condition in reading.conditions}
    if len(columns) < len(reading.groups):
        f["one column compared twice"] = 1


def _add_operation(f: Features, reading: Reading, context: Context, explained: int) -> int:
    """The features of what is done, and the words that this explains."""
    signals, operation = context.signals, reading.operation
    mask = 0
    wh = signals.wh
    f[f"{wh} {operation}"] = 1
    kinds = {
        "count": ("count",),
        "distinct": ("count", "distinct"),
        "sum": ("sum", "count", "much"),
        "mean": ("mean",),
        "difference": ("difference",),
        "per count": ("each", "count"),
        "per sum": ("each", "sum"),
        "per mean": ("each", "mean"),
    }.get(operation, ())
    for kind in kinds:
        found = signals.of(kind)
        if found:
            f[f"{operation} for {kind}"] = 1
        for signal in found:
            mask |= signal.mask
    if reading.by is not None and operation in ("per sum", "per mean", "group max", "group min"):
        of = context.best_run(reading.by, explained)
        mask |= of.mask | _further(context, context.table.columns[reading.by], of) if of is not None else 0
        mask |= sum({run.mask for run in context.runs[reading.by] if not run.meant})
        mask |= _of_sum(reading, context) if reading.extreme is not None else 0
    if operation in ("distinct", "count") and counted_columns(context) is not None:
        mask |= words_of_kinds(context)
    if operation == "list":
        # "how many points" may ask for a cell
        for signal in signals.of("count") + signals.of("much"):
            if reading.target is not None and context.table.columns[reading.target].is_ordered:
                f["list for count"] = 1
                mask |= signal.mask
    if operation == "count":
        mask |= _counted(f, reading, context, explained)
    extreme = reading.ordered_by
    if extreme is not None:
        mask |= extreme.mask
        mask |= _add_extreme(f, reading, extreme, context, explained)
    if operation in ("greater", "less"):
        for n, form in enumerate(context.text.forms):
            if form in MORE or form in LESS:
                mask |= (form in ("more", "less", "fewer")) << n
                reach = context.text.forms[n + 1 : n + 1 + REACH]
                if "than" in reach:
                    mask |= 1 << n + 1 + reach.index("than")
    if operation in ("having", "group max", "group min", "per count"):
        mask |= context.of_subject
    for kind in ("or", "both"):
        if any(len(group) > 1 for group in reading.groups):
            for signal in signals.of(kind):
                mask |= signal.mask
    return mask


def _of_sum(reading: Reading, context: Context) -> int:
    """The words of a greatest sum that say no more than that it is one: `brought in the most ... in all`."""
    assert reading.extreme is not None
    mask = sum(signal.mask for signal in context.signals.of(reading.function))
    before = reading.extreme.first - 1
    while before > 0 and not context.text.content >> before & 1:
        before -= 1
    named = any(run.mask >> before & 1 for _, run in context.every_run)
    return mask if before <= 0 or named else mask | 1 << before


def _counted(f: Features, reading: Reading, context: Context, explained: int) -> int:
    """The noun that is counted: a column's name, or a word for the rows."""
    text = context.text
    counts = context.signals.of("count")
    if not counts:
        return 0
    last = counts[0].last
    for n in range(last, min(len(text), last + 3)):
        for column, runs in zip(context.table.columns, context.runs, strict=True):
            for run in runs:
                if run.first == n and not run.mask & explained and (n == last or not column.is_amount):
                    f[f"counted {column.form}{' by meaning' if run.meant else ''}"] = 1
                    f["counted share"] = run.share
                    return run.mask
    if last < len(text) and is_content(text.forms[last]) and not explained >> last & 1:
        f["counted unnamed"] = 1
        return 1 << last
    return 0


def _add_extreme(f: Features, reading: Reading, extreme: Extreme, context: Context, explained: int) -> int:
    """How a superlative fits the column whose values it orders."""
    text, operation = context.text, reading.operation
    place = reading.superlative.column if reading.superlative else reading.target
    name = "superlative" if reading.superlative else "extreme"
    end = reading.superlative.end if reading.superlative else operation
    f[f"{name} {operation}"] = 1
    if operation.startswith("group"):
        return 0
    if place is None:
        f[f"order of rows {extreme.word in ('first', 'last')}"] = 1
        return 0
    column = context.table.columns[place]
    f[f"{name} {column.form}"] = 1
    if column.is_rank:
        f[f"{name} rank {'turned' if end != extreme.end else 'straight'}"] = 1
    if extreme.word in ("first", "last", "latest", "earliest", "oldest", "newest"):
        f[f"{name} {extreme.word} {column.form}"] = 1
    _add_noun(f, name, reading, extreme, context)
    if any(0 <= extreme.first - run.last <= 1 for run in context.runs[place]):
        f[f"{name} behind column"] = 1
    free = [run for run in context.runs[place] if not run.mask & explained]
    after = [run for run in free if 0 <= run.first - extreme.last <= 2]
    own = [run for run in free if run.first < extreme.last and extreme.first < run.last]
    if run := next(iter(after), None):
        f[f"{name} names column"] = 1
        f[f"{name} share"] = run.share
        return run.mask
    if own:
        f[f"{name} means column"] = 1
        return own[0].mask
    if free:
        f[f"{name} column elsewhere"] = 1
        return free[0].mask
    f[f"{name} column unnamed"] = 1
    if sum(each.is_ordered for each in context.table.columns) == 1:
        f[f"{name} only column"] = 1
    for stem in column.stems:
        f[f"pair {text.forms[extreme.last - 1]}|{stem}"] = 1
    return 0


def _add_noun(f: Features, name: str, reading: Reading, extreme: Extreme, context: Context) -> None:
    """What the noun behind a superlative is: `most points` names the order, `cheapest train` what is asked for."""
    text = context.text
    place = next((n for n in range(extreme.last, min(len(text), extreme.last + 3)) if is_content(text.forms[n])), None)
    if place is None:
        f[f"{name} noun none"] = 1
        return
    naming = {n for n, runs in enumerate(context.runs) if any(run.mask >> place & 1 and not run.meant for run in runs)}
    ordered = reading.superlative.column if reading.superlative else reading.target
    if ordered in naming:
        noun = "ordered"
    elif reading.target in naming:
        noun = "target"
    else:
        noun = "named" if naming else "unnamed"
    f[f"{name} noun {noun}{' subject' if reading.target == context.table.subject else ''}"] = 1


def _add_target(f: Features, reading: Reading, context: Context, explained: int, values: int) -> int:
    """How the question asks for the cells of a column, and the words that this explains."""
    place = reading.target
    assert place is not None
    column = context.table.columns[place]
    wh = context.signals.wh
    f[f"{wh} {column.form}"] = 1
    if reading.operation == "list":
        f[f"{wh} {column.form} {'distinct' if column.is_distinct else 'repeated'}"] = 1
    if column.place == 0:
        f["target first column"] = 1
    if column.place == context.table.subject:
        f["target subject"] = 1
        f[f"target subject {reading.operation}{' superlative' if reading.superlative else ''}"] = 1
    if context.head is not None:
        own = any(each.mask >> context.head & 1 for each in context.runs[place])
        subject = column.place == context.table.subject
        by_value = any(each.first <= context.head < each.last for each in reading.conditions)
        head = "value" if by_value else "own" if own else "named" if context.head_is_named else "unnamed"
        f[f"target head {head}{' subject' if subject else ''}"] = 1
    used = [condition for condition in reading.conditions if condition.column == place]
    if used:
        f[f"target in condition {'=' if used[0].op == '=' and len(used) == 1 else 'other'}"] = 1
        f[f"target in condition {reading.operation}"] = 1
    run = context.best_run(place, explained)
    best = max(
        (each.share for n, runs in enumerate(context.runs) if n != place for each in runs if not each.mask & explained),
        default=0,
    )
    if run is None:
        f["target unnamed"] = 1
        if best:
            f["target unnamed others named"] = best
        if context.runs[place]:
            f["target name used"] = 1
        _add_pairs(f, column, context, explained)
        return 0
    _add_naming(f, reading, context, run, best, explained)
    if reading.operation == "distinct" or column.is_amount:
        f[f"{wh} {reading.operation} {column.form}"] = 1
    _add_pairs(f, column, context, explained | run.mask)
    return (
        run.mask
        | _numbers_of_name(context, place, explained)
        | _of_paying(context, column)
        | _units(context, column)
        | _further(context, column, run)
    )


def _further(context: Context, column: Column, run: Run) -> int:
    """Other words of a question that mean the column too: `addressed to` beside `towns` for `City`."""
    stems = [token.stem for token in context.text.tokens]
    mask = 0
    for each in context.runs[column.place]:
        is_other = each.meant and not each.inverse and stems[each.first] not in stems[run.first : run.last]
        mask |= each.mask if is_other else 0
    return mask


def _units(context: Context, column: Column) -> int:
    """The units in which a number of the column may be asked for (`in minutes`), and what it is for (`a bottle`)."""
    measured = {form for form in context.text.forms if form in SPELT_UNITS and UNITS_OF[form].measure == column.measure}
    return sum(
        1 << n
        for n, token in enumerate(context.text.tokens)
        if n and (token.form in measured or token.stem in column.rate)
    )


def _numbers_of_name(context: Context, place: int, explained: int) -> int:
    """The numbers of a column's name that are said apart from it: `2023` of `visitors_2023`."""
    mask = 0
    for run in context.runs[place]:
        is_number = all(form.isdigit() for form in context.text.forms[run.first : run.last])
        mask |= run.mask if is_number and not run.mask & explained else 0
    return mask


def _of_paying(context: Context, column: Column) -> int:
    """The words that only say what is paid for: `how much does it cost to get into the museum`."""
    forms = context.text.forms
    if PRICES.isdisjoint(column.stems):
        return 0
    found = [n for n in range(1, len(forms) - 1) if forms[n] in _ENTER and forms[n - 1] == "to"]
    return sum(1 << n for n in found if forms[n] != "get" or forms[n + 1] in ("in", "into", "to"))


_ENTER = ("get", "enter", "visit")


def _add_naming(f: Features, reading: Reading, context: Context, run: Run, best: float, explained: int) -> None:
    """How the question names the column that it asks for; `best` is the largest share of the name of another one."""
    text, signals, place = context.text, context.signals, reading.target
    f["target named"] = 1
    f["target share"] = run.share
    f["target words"] = run.mask.bit_count()
    if run.meant:
        f["target by meaning"] = 1
    if run.inflected:
        f["target inflected"] = 1
    if run.headless:
        f["target headless"] = 1
    if run.share == 1:
        f["target whole"] = 1
    if best > run.share:
        f["target others named better"] = best - run.share
    gap = run.first - signals.wh_at - 1
    if gap >= 0:
        content = sum(1 for n in range(signals.wh_at + 1, run.first) if is_content(text.forms[n]))
        f[f"target after wh {min(content, 3)}"] = 1
        if gap == 0:
            f["target at wh"] = 1
    else:
        f["target before wh"] = 1
    conditions = [condition.first for condition in reading.conditions]
    if conditions and run.first > min(conditions):
        f["target after value"] = 1
    earlier = sum(
        1
        for n, runs in enumerate(context.runs)
        if n != place
        for each in runs[:1]
        if each.last <= run.first and not each.mask & explained and each.share >= run.share
    )
    f["target not first named"] = min(earlier, 2)
    operation = reading.operation
    if operation in ("sum", "mean", "max", "min"):
        kinds = {"sum": "sum", "mean": "mean"}
        starts = [s.last for s in signals.of(kinds[operation])] if operation in kinds else []
        starts += [reading.extreme.last] if reading.extreme else []
        gaps = [run.first - start for start in starts if run.first >= start]
        if gaps and min(gaps) <= 2:
            f[f"{operation} beside target"] = 1
        elif starts:
            f[f"{operation} away from target"] = 1
    if operation in ("list", "sum", "distinct") and signals.has("count"):
        starts = [s.last for s in signals.of("count")]
        if any(0 <= run.first - start <= 2 for start in starts):
            f[f"{operation} how many target"] = 1


def _add_pairs(f: Features, column: Column, context: Context, explained: int) -> None:
    """Words of the question that nothing explains, each with each word of the column's name."""
    text = context.text
    left = [
        token.stem for n, token in enumerate(text.tokens) if text.content & ~explained & ~context.signal_mask & 1 << n
    ]
    for stem in column.stems[:4]:
        f[f"pair {context.signals.wh}|{stem}"] = 1
        for word in left[:8]:
            f[f"pair {word}|{stem}"] = 1


def _add_rows(f: Features, reading: Reading, context: Context) -> None:
    """How many rows a reading has, and what this says of its operation."""
    rows = reading.rows.bit_count()
    some = "no" if not rows else "one" if rows == 1 else "all" if rows == context.table.rows else "some"
    f[f"{reading.operation} {some} rows"] = 1
    if reading.superlative:
        f[f"superlative {some} rows"] = 1


def _unused_signals(reading: Reading, context: Context, explained: int) -> list[str]:
    """The kinds of signals whose words nothing explains."""
    found = {signal.kind for signal in context.signals.found if signal.mask & ~explained}
    if unused_extremes(reading, context, explained):
        found.add("extreme")
    return sorted(found)


def unused_extremes(reading: Reading, context: Context, explained: int) -> list[Extreme]:
    """The superlatives of the question that a reading does not use, and of which a word is not explained."""
    used = reading.ordered_by
    return [each for each in context.signals.extremes if each != used and each.mask & ~explained]
