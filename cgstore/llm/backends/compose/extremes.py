"""Why a superlative is not answered: what is asked for is something else, or by what it orders is not said."""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.column import DATES
from cgstore.llm.backends.compose.dropped import is_in_order
from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.naming import Context, is_right_before
from cgstore.llm.backends.compose.parties import is_party, names_party
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.signals import OF_AGES, Extreme
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.words import word_set
from cgstore.text.names import some_of

_TOTAL = word_set("total overall")
_IN_ALL = _TOTAL | word_set("most least fewest")


def unnamed_extreme(reading: Reading, context: Context) -> Iterator[str]:
    """Why a number is no answer to who or which has the most of it: `which dog is the lightest`, as reasons."""
    text, extreme = context.text, reading.ordered_by
    if reading.operation not in ("max", "min") or reading.target is None or extreme is None:
        return
    is_thing = not _ANY_THING.isdisjoint(text.forms[extreme.last : extreme.last + 2])
    if any(run.first > extreme.last + 1 or run.last <= extreme.first for run in context.runs[reading.target]):
        is_thing = False  # "what did the most expensive item cost"
    is_thing = is_thing or context.asks_what_has(extreme, reading.target)
    if text.forms[:1] not in (("which",), ("who",)) and not is_thing:
        return
    column = context.table.columns[reading.target]
    if not {token.stem for token in text.tokens[1:3]}.intersection(column.stems):
        yield f"which row has it is asked, and '{column.name}' is not its name"


_ANY_THING = word_set("item thing one piece")
"""Nouns for a row of any table: `our most expensive item`."""


_OWING = word_set("owe owes owed")
_OF_MONEY = _OWING | word_set("pay pays paid spend spends spent earn earns earned")
"""Verbs of amounts of money, of which the most is not that of most rows."""


def misordered(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why rows are not ordered by what a question says, as reasons: `highest mileage` is no capacity."""
    superlative = reading.superlative
    is_of_rows = reading.operation in ("group max", "group min") and reading.by is None
    verbs = _OF_MONEY if is_of_rows else _OWING if reading.ordered_by is not None else frozenset()
    for place, form in enumerate(context.text.forms):
        if form in verbs and not any(run.mask >> place & 1 for _, run in context.every_run if not run.meant):
            yield f"'{form}' asks for amounts, and no column is known to say them"
    if superlative is not None and superlative.column is None and unused & ~row_words(context.text, context.table):
        dates = [each for each in context.table.columns if each.kind in DATES and not each.is_of_birth]
        times = [each for each in dates if not each.to_come]
        if times and not (len(times) == 1 < len(dates) and is_in_order(times[0])):
            names = [each.name for each in times]
            yield f"'{superlative.extreme.word}' may go by {some_of(names)} or by the order of the rows"
        left = unused & ~row_words(context.text, context.table)
        if left >> superlative.extreme.last & 1 and context.text.forms[superlative.extreme.last] != "time":
            yield f"'{context.text.between(superlative.extreme.first, superlative.extreme.last + 1)}' is not understood"
    if superlative is None or superlative.column is None:
        return
    column, extreme = context.table.columns[superlative.column], superlative.extreme
    if extreme.word in OF_AGES and not means(extreme.word, column) and _are_people(extreme, context):
        yield f"no column is known to say how old somebody is: '{column.name}' is when a thing was got"
    runs = context.runs[column.place]
    is_named = any(not run.inflected and run.last > extreme.first for run in runs)
    is_named = is_named or any(is_right_before(run, extreme, context) for run in runs)
    own = sum({run.mask for run in runs})
    ordered = [
        context.table.columns[n].name
        for n, run in context.every_run
        if not is_named and context.table.columns[n].is_ordered and run.mask & unused and not run.mask & own
    ]
    if ordered:
        yield f"'{extreme.word}' may go by {some_of(ordered)} or by '{column.name}'"
    if is_named or means(extreme.word, column):
        return
    around = [*range(max(0, extreme.first - 2), min(len(context.text), extreme.last + 4))]
    around += [context.head] if context.head is not None else []
    others = [n for n in around if (unused & ~row_words(context.text, context.table)) >> n & 1]
    if others and extreme.word not in ("latest", "newest", "earliest", "first", "last"):
        said = context.text.between(min(extreme.first, *others), max(extreme.last, max(others) + 1))
        yield f"by which column '{said}' orders the rows is not understood"


def _are_people(extreme: Extreme, context: Context) -> bool:
    """Whether the oldest person is asked for: `who is the oldest`, `the oldest owner`."""
    forms, tokens = context.text.forms, context.text.tokens[extreme.last : extreme.last + 2]
    columns = context.table.columns
    named = [columns[n] for n, run in context.every_run if extreme.last <= run.first <= extreme.last + 1]
    is_who = context.signals.wh == "who" and forms[context.signals.wh_at + 1 : extreme.first] in _BEING
    return is_who or any(map(is_party, named)) or any(names_party(token.stem) for token in tokens)


_BEING = tuple((verb, *article) for verb in ("is", "was", "s") for article in (("the",), ("our",), ()))


def is_of_groups(reading: Reading, context: Context) -> bool:
    """Whether single rows are ordered by a number where that of several is asked for: `the most overall`."""
    superlative, target, columns = reading.superlative, reading.target, context.table.columns
    if superlative is None or superlative.column is None or target is None or columns[target].is_distinct:
        return False
    phrases = [context.text.forms[each.first : each.last] for each in context.signals.of("sum")]
    return columns[superlative.column].is_amount and any(phrase in _OVERALL for phrase in phrases)


_OVERALL = (("in", "total"), ("in", "all"), ("overall",), ("altogether",), ("all", "together"))


def unsummed(reading: Reading, context: Context) -> Iterator[str]:
    """Why single rows may not be meant where the most in total is asked for, as reasons for no answer."""
    superlative, target, columns = reading.superlative, reading.target, context.table.columns
    if superlative is None or superlative.column is None or target is None or columns[target].is_distinct:
        return
    if is_of_groups(reading, context):
        yield f"single rows of '{columns[target].name}' are not what is compared in total"
    said = context.text.forms[superlative.extreme.first : superlative.extreme.last + 2]
    rows = row_words(context.text, context.table) if _TOTAL.isdisjoint(said) else 0
    if any(rows >> n & 1 and not form.endswith("s") for n, form in enumerate(context.text.forms)):
        return  # "whose visit was the most expensive" asks for one row
    if _IN_ALL.isdisjoint(said) or superlative.extreme.place > 1 or not columns[superlative.column].is_amount:
        return
    sums: dict[str, float] = {}
    best: dict[str, float] = {}
    sign = 1 if superlative.end == "max" else -1
    for row in rows_in(reading.rows):
        cell, number = columns[target].cells[row], columns[superlative.column].numbers[row]
        if number is not None:
            sums[cell] = sums.get(cell, 0) + sign * number
            best[cell] = max(best.get(cell, sign * number), sign * number)
    if sums and max(sums, key=lambda cell: sums[cell]) != max(best, key=lambda cell: best[cell]):
        yield f"single rows and sums of '{columns[superlative.column].name}' give different answers"
