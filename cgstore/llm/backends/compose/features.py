"""What speaks for and against a reading of a question, as named features with numbers.

They compare the question with the table in general terms: which words are explained and by what, how near a column's
name stands to a value or to the question word, which kind of cells a question word asks for. `pair` features join a
word of the question with a word of a column's name (`who`, `driver`); training keeps the frequent ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from cgstore.llm.backends.compose.anchors import Condition, Stretch
from cgstore.llm.backends.compose.readings import Reading, rows_of
from cgstore.llm.backends.compose.signals import Extreme, Signals
from cgstore.llm.backends.compose.table import Column, Table
from cgstore.llm.backends.compose.words import QuestionText, is_content

Features = dict[str, float]

NEAR = 4
"""Words between a value and the name of its column."""

_MEANS = {
    "high": "high elevat altitud",
    "tall": "high elevat",
    "long": "long duratio durat page tim distanc runtim",
    "old": "ag bear year dat found establish build open",
    "young": "ag bear",
    "new": "year dat open build",
    "late": "year dat",
    "latest": "year dat",
    "earliest": "year dat",
    "early": "year dat",
    "cheap": "pric cost far",
    "cheapest": "pric cost far",
    "expensiv": "pric cost far",
    "cost": "pric far",
    "price": "cost far",
    "earn": "salar incom wag pay prize earn mon",
    "pay": "salar pric cost wag",
    "heavy": "weight mass",
    "heaviest": "weight mass",
    "weigh": "weight mass",
    "large": "area siz populat capac",
    "largest": "area siz populat capac",
    "big": "area siz populat capac",
    "biggest": "area siz populat capac",
    "fast": "tim speed",
    "fastest": "tim speed",
    "far": "distanc",
    "tallest": "high elevat",
    "oldest": "ag bear year dat found establish build open",
    "youngest": "ag bear dat",
    "shortest": "long high duratio durat page tim distanc",
    "person": "player nam coach driver",
    "game": "opponent match dat",
    "liv": "cit residenc address population populat",
    "inhabit": "populat",
    "rank": "posit plac",
    "plac": "posit rank locat venu cit",
    "posit": "rank plac",
    "team": "club",
    "club": "team",
    "countr": "nation nationalit",
    "nation": "countr",
    "attend": "crowd",
    "crowd": "attend",
    "play": "dat",
    "stadium": "venu arena ground",
    "author": "write",
    "write": "author",
}  # fmt: skip
"""Words that ask for what columns call otherwise, by their stems."""


@dataclass(frozen=True)
class Run:
    """Where a question names a column: its words, how many of the name's, and whether by other words of its meaning."""

    first: int
    last: int
    mask: int
    share: float
    meant: bool = False


class Context:
    """A question with a table, and what their comparison needs again and again."""

    def __init__(self, text: QuestionText, table: Table, signals: Signals) -> None:
        self.text, self.table, self.signals = text, table, signals
        self.runs = [_runs(text, column) for column in table.columns]
        self._of_condition: dict[Condition, tuple[Features, int]] = {}
        self._best: dict[tuple[int, int], Run | None] = {}

    @cached_property
    def signal_mask(self) -> int:
        """The words of all signals that must be used."""
        mask = 0
        for signal in self.signals.found:
            mask |= signal.mask
        for extreme in self.signals.extremes:
            mask |= extreme.mask
        return mask

    def best_run(self, column: int, without: int) -> Run | None:
        """The best naming of a column outside of some words."""
        key = (column, without)
        if key not in self._best:
            free = [run for run in self.runs[column] if not run.mask & without]
            self._best[key] = max(free, key=lambda run: (not run.meant, run.share, run.mask.bit_count(), -run.first), default=None)
        return self._best[key]

    def of_condition(self, condition: Condition) -> tuple[Features, int]:
        """The features of one condition, and the words that it explains with the name of its column."""
        if condition not in self._of_condition:
            self._of_condition[condition] = _condition_features(self, condition)
        return self._of_condition[condition]


def _runs(text: QuestionText, column: Column) -> list[Run]:
    """Where the question names a column, by stretches of its name's words with at most one small word between."""
    wanted = set(column.stems)
    total = len(wanted) or 1
    places = [n for n, token in enumerate(text.tokens) if token.stem in wanted]
    runs: list[list[int]] = []
    for place in places:
        if runs and place - runs[-1][-1] <= 2 and (place - runs[-1][-1] == 1 or not is_content(text.forms[place - 1])):
            runs[-1].append(place)
        else:
            runs.append([place])
    found = []
    for run in runs:
        mask = sum(1 << place for place in run)
        found.append(Run(run[0], run[-1] + 1, mask, len({text.tokens[place].stem for place in run}) / total))
    for place, token in enumerate(text.tokens):
        if token.stem not in wanted:
            means = _MEANS.get(token.stem, "") + " " + _MEANS.get(token.form, "")
            if wanted.intersection(means.split()):
                found.append(Run(place, place + 1, 1 << place, 1 / total, True))
    return found


def _condition_features(context: Context, condition: Condition) -> tuple[Features, int]:
    text, table = context.text, context.table
    column = table.columns[condition.column]
    mask = condition.mask
    f: Features = {}
    kind = "=" if condition.op in ("=", "contains") else "!=" if condition.op == "!=" else "<>"
    f[f"condition {condition.how} {kind}"] = 1
    f[f"condition {column.form} {kind}"] = 1
    f["condition words"] = min(condition.last - condition.first, 5)
    run = _beside(context, condition)
    if run is None:
        f[f"condition unnamed {kind}"] = 1
        f[f"condition unnamed {condition.how}"] = 1
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


_PREPOSITIONS = frozenset("in on at by for from with of to against as during".split())


def _gap(run: Run, condition: Condition) -> int:
    """The words between the name of a column and a value, without those of grammar."""
    return condition.first - run.last if run.last <= condition.first else run.first - condition.last if run.first >= condition.last else 99


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


def features_of(reading: Reading, context: Context) -> Features:
    """The features of a reading."""
    text, table, signals = context.text, context.table, context.signals
    f: Features = {}
    explained = reading.mask
    values = 0
    for condition in reading.conditions:
        own, mask = context.of_condition(condition)
        for name, value in own.items():
            f[name] = f.get(name, 0) + value
        explained |= mask
        values |= condition.mask
    f[f"conditions {min(len(reading.conditions), 4)}"] = 1
    _add_skipped(f, reading.skipped, context)
    _add_joined(f, reading, context)
    operation = reading.operation
    f[f"operation {operation}"] = 1
    explained |= _add_operation(f, reading, context, explained)
    if reading.target is not None:
        explained |= _add_target(f, reading, context, explained, values)
    _add_rows(f, reading, context)
    left = text.content & ~explained
    f["words left"] = left.bit_count()
    f[f"words left {min(left.bit_count(), 4)}"] = 1
    if left:
        names = [text.tokens[n] for n in range(len(text)) if left >> n & 1]
        f["names left"] = sum(token.text[0].isupper() or token.text[0].isdigit() for token in names)
    unused = _unused_signals(reading, context, explained)
    for kind in unused:
        f[f"unused {kind}"] = 1
    if signals.is_truth != (operation in ("exists", "greater", "less")):
        f["yes or no otherwise"] = 1
    return f


def explained_words(reading: Reading, context: Context) -> int:
    """The words of the question that a reading accounts for."""
    explained, values = reading.mask, 0
    for condition in reading.conditions:
        _, mask = context.of_condition(condition)
        explained |= mask
        values |= condition.mask
    explained |= _add_operation({}, reading, context, explained)
    if reading.target is not None:
        explained |= _add_target({}, reading, context, explained, values)
    return explained


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
    for group in reading.by_column():
        if len(group) > 1:
            between = context.text.forms[group[0].last : group[1].first]
            joined = any(word in ("or", "and", "nor", "versus", "vs") for word in between)
            f["one column twice" if not joined else "one column joined"] = 1
    columns = {condition.column for condition in reading.conditions}
    if len(columns) < len(reading.by_column()):
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
    if operation == "list":
        # "how many points" may ask for a cell
        for signal in signals.of("count") + signals.of("much"):
            if reading.target is not None and context.table.columns[reading.target].is_ordered:
                f["list for count"] = 1
                mask |= signal.mask
    if operation == "count":
        mask |= _counted(f, reading, context, explained)
    extreme = reading.superlative.extreme if reading.superlative else reading.extreme
    if extreme is not None:
        mask |= extreme.mask
        mask |= _add_extreme(f, reading, extreme, context, explained)
    if operation in ("greater", "less"):
        for n, form in enumerate(context.text.forms):
            more = form in _GREATER or form in _LESS
            if more:
                f[f"{operation} {'greater' if form in _GREATER else 'less'}"] = 1
                mask |= 1 << n
                if n + 1 < len(context.text) and context.text.forms[n + 1] == "than":
                    mask |= 1 << n + 1
    for kind in ("or", "both"):
        if any(len(group) > 1 for group in reading.by_column()):
            for signal in signals.of(kind):
                mask |= signal.mask
    return mask


_GREATER = frozenset("more greater larger higher bigger longer later taller heavier wider deeper better older".split())
_LESS = frozenset("less fewer smaller lower shorter earlier lighter younger cheaper worse".split())


def _counted(f: Features, reading: Reading, context: Context, explained: int) -> int:
    """The noun that is counted: a column's name, or a word for the rows."""
    text = context.text
    counts = context.signals.of("count")
    if not counts:
        return 0
    last = counts[0].last
    for n in range(last, min(len(text), last + 3)):
        for runs in context.runs:
            for run in runs:
                if run.first == n and not run.mask & explained:
                    f["counted named"] = 1
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
    f[f"{name} {operation}"] = 1
    if operation.startswith("group"):
        return 0
    if place is None:
        f[f"order of rows {extreme.word in ('first', 'last')}"] = 1
        return 0
    column = context.table.columns[place]
    f[f"{name} {column.form}"] = 1
    if extreme.word in ("first", "last", "latest", "earliest", "oldest", "newest"):
        f[f"{name} {extreme.word} {column.form}"] = 1
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


def _add_target(f: Features, reading: Reading, context: Context, explained: int, values: int) -> int:
    """How the question asks for the cells of a column, and the words that this explains."""
    text, signals, place = context.text, context.signals, reading.target
    assert place is not None
    column = context.table.columns[place]
    wh = signals.wh
    f[f"{wh} {column.form}"] = 1
    if reading.operation == "list":
        f[f"{wh} {column.form} {'distinct' if column.is_distinct else 'repeated'}"] = 1
    if column.place == 0:
        f["target first column"] = 1
    used = [condition for condition in reading.conditions if condition.column == place]
    if used:
        f[f"target in condition {'=' if used[0].op == '=' and len(used) == 1 else 'other'}"] = 1
    run = context.best_run(place, explained)
    best = max((each.share for n, runs in enumerate(context.runs) if n != place for each in runs if not each.mask & explained), default=0)
    if run is None:
        f["target unnamed"] = 1
        if best:
            f["target unnamed others named"] = best
        if context.runs[place]:
            f["target name used"] = 1
        _add_pairs(f, column, context, explained)
        return 0
    f["target named"] = 1
    f["target share"] = run.share
    f["target words"] = run.mask.bit_count()
    if run.meant:
        f["target by meaning"] = 1
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
    if operation == "distinct" or column.form == "number":
        f[f"{wh} {operation} {column.form}"] = 1
    _add_pairs(f, column, context, explained | run.mask)
    return run.mask


def _add_pairs(f: Features, column: Column, context: Context, explained: int) -> None:
    """Words of the question that nothing explains, each with each word of the column's name."""
    text = context.text
    left = [token.stem for n, token in enumerate(text.tokens) if text.content & ~explained & ~context.signal_mask & 1 << n]
    for stem in column.stems[:4]:
        f[f"pair {context.signals.wh}|{stem}"] = 1
        for word in left[:8]:
            f[f"pair {word}|{stem}"] = 1


def _add_rows(f: Features, reading: Reading, context: Context) -> None:
    """How many rows a reading has, and what this says of its operation."""
    rows = rows_of(reading, context.table).bit_count()
    some = "no" if not rows else "one" if rows == 1 else "all" if rows == context.table.rows else "some"
    f[f"{reading.operation} {some} rows"] = 1
    if reading.superlative:
        f[f"superlative {some} rows"] = 1


def _unused_signals(reading: Reading, context: Context, explained: int) -> list[str]:
    """The kinds of signals whose words nothing explains."""
    found = {signal.kind for signal in context.signals.found if signal.mask & ~explained}
    used = [each for each in (reading.extreme, reading.superlative.extreme if reading.superlative else None) if each]
    for extreme in context.signals.extremes:
        if extreme not in used and extreme.mask & ~explained:
            found.add("extreme")
    return sorted(found)
