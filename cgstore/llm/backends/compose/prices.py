"""What was paid for all, in a table that also has the price of one: no unit price is what somebody spent."""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.measures import OF_ONE, measures_asked
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.runs import COSTING, PRESENT, whole_sums
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import stem, word_list, word_set


def takes_one_for_all(reading: Reading, context: Context) -> bool:
    """Whether a reading goes by the price of one where what was paid for all is asked for: `spent`, `over $3,000`."""
    columns = context.table.columns
    ordered = reading.superlative.column if reading.superlative else None
    used = [columns[n] for n in (reading.target, ordered, reading.by) if n is not None]
    compared = [columns[each.column] for each in reading.conditions if each.how == "number" and each.op != "="]
    if any(_is_unnamed(each, context) for each in compared) and (whole_sums(context.table) or _is_of_deals(context)):
        return True
    return any(_is_unnamed(each, context) for each in used) and (asks_paid(context) or _is_of_deals(context))


def price_of_one(reading: Reading, context: Context) -> Iterator[str]:
    """Why the price of each is not what was paid where several are meant, as reasons for no answer."""
    table, forms = context.table, context.text.forms
    name = next((each.name for each in table.columns if each.is_of_one), "")
    if name and _may_be_of_one(reading, context):
        yield f"whether '{name}', the total or that of several rows is meant is not said"
    if not takes_one_for_all(reading, context):
        return
    several = [each for each in reading.conditions if each.op == "=" and forms[each.last - 1].endswith("s")]
    if whole_sums(table) or _has_quantity(table):
        yield f"what was paid for all is not known: '{name}' is for one"
    elif several:
        said = context.text.between(several[0].first, several[0].last)
        yield f"what '{said}' cost together is not known: '{name}' is for one"


def _may_be_of_one(reading: Reading, context: Context) -> bool:
    """Whether no single total may be meant: `which items cost more`, `who spent more`, `how much do we pay for it`."""
    text, whole = context.text, [each.place for each in whole_sums(context.table)]
    if any(not run.meant for place in whole for run in context.runs[place]):
        return False
    head, wh = context.head, context.signals.wh
    is_of_things = wh == "who" or (wh in ("which", "what") and head is not None and not context.of_rows >> head & 1)
    if is_of_things and asks_paid(context):
        return any(each.column in whole and each.how == "number" for each in reading.conditions)
    return reading.target in whole and not PRESENT.isdisjoint(text.forms) and bool(reading.conditions)


def asks_paid(context: Context) -> bool:
    """Whether a question asks what somebody has paid: not what a thing costs, or the dearest one, by its price."""
    forms = context.text.forms
    dear = [forms[n] for each in context.signals.extremes for n in range(each.first, min(len(forms), each.last + 1))]
    of_things = not PRESENT.isdisjoint(forms) or any(measures_asked(form) == {"money"} for form in dear)
    return not _PAYING.isdisjoint(forms) or not (COSTING.isdisjoint(forms) or of_things)


def is_paid_together(column: Column, reading: Reading, context: Context) -> bool:
    """Whether the sums of several rows are what was paid: `how much did Ann spend`."""
    is_one_thing = OF_ONE.isdisjoint(context.text.forms) and not context.signals.has("each")
    is_number = context.signals.wh in ("what", "how much", "how") and is_one_thing
    return is_number and reading.superlative is None and column in whole_sums(context.table) and asks_paid(context)


def _is_unnamed(column: Column, context: Context) -> bool:
    is_named = any(not run.meant for run in context.runs[column.place])
    return column.is_of_one and not is_named and _OF_ONE.isdisjoint(context.text.forms)


def _is_of_deals(context: Context) -> bool:
    """Whether a row as a whole is what has a price: `the most expensive order` is not that of the dearest item."""
    extremes = [extreme.last + n for extreme in context.signals.extremes for n in (0, 1)]
    places = [n for n in (*extremes, *context.counted_at, context.head) if n is not None and n < len(context.text)]
    return any(context.of_rows >> n & 1 and context.text.tokens[n].stem in _DEALS for n in places)


def _has_quantity(table: Table) -> bool:
    return any(each.is_amount and not _QUANTITIES.isdisjoint(each.stems) for each in table.columns)


_PAYING = word_set(
    "pay pays paid paying spend spends spent spending charge charged bill billed earn earns earned money"
)
_OF_ONE = OF_ONE | word_set("per unit price prices priced piece")
_DEALS = frozenset(map(stem, word_list("order purchase sale deal delivery invoice transaction booking")))
_QUANTITIES = frozenset(map(stem, word_list("quantity qty pieces units copies")))
