"""Readings that account for every word of a question, where the model is not sure of the likeliest one.

The model weighs readings by what it learnt from other tables, and doubts a short question whose column is not named.
Where all readings that leave no word and no signal out agree, and ask for what the question names or what the rows
are called by, it is the only way to understand the question.
"""

from __future__ import annotations

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.compared import of_age
from cgstore.llm.backends.compose.condition_features import condition_features
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.counted import quantity_of
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.measures import SPELT_UNITS
from cgstore.llm.backends.compose.naming import Context, is_right_before
from cgstore.llm.backends.compose.parties import asked_parties, is_party, names_party
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.runs import is_place
from cgstore.llm.backends.compose.signals import BY_TIME, OF_TIMES_SPENT
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.things import may_mean_rows
from cgstore.llm.backends.compose.words import LIGHT_VERBS, QuestionText, mask_of, stem, word_set
from cgstore.text.names import normal_form

_NUMBERS = ("sum", "mean", "max", "min", "list")
_SURE = ("exact", "number", "stems", "short", "flag", "rank")


def rank_of(reading: Reading, context: Context) -> int:
    """How well a question justifies a reading that accounts for all of its words; 0 if it does not.

    3: its column is named; 2: by other words; 1: it is what the rows are called by.
    """
    text = context.text
    explained = explained_words(reading, context) | _asked_noun(reading, context) | paid_for(reading, context)
    for condition in reading.conditions:
        explained |= sum({run.mask for run in context.runs[condition.column] if not run.inverse})
    if reading.superlative is not None and reading.superlative.column is not None:
        explained |= sum({run.mask for run in context.runs[reading.superlative.column] if run.meant})
    light = _light(text) if reading.conditions or reading.ordered_by or reading.bound else 0
    light |= row_words(text, context.table) if reading.bound else 0
    if text.content & ~(explained | light) or any(signal.mask & ~explained for signal in context.signals.found):
        return 0
    values = 0
    for condition in reading.conditions:
        values |= condition.mask
    if any(each != reading.ordered_by and each.mask & ~values for each in context.signals.extremes):
        return 0
    if any(mask_of(each.first, each.last) & text.content & ~explained for each in reading.skipped):
        return 0
    if not all(_is_sure(condition, context) for condition in reading.conditions) or not _is_ordered(reading, context):
        return 0
    return _of_target(reading, context)


def _asked_noun(reading: Reading, context: Context) -> int:
    """The noun that is asked for, as bits, though nothing is called so: one for the rows, or for who does something.

    `Which parcels` are the jobs of a courier, `which customer sends` is a sender.
    """
    text, table, place, target = context.text, context.table, context.head, reading.target
    if place is None or target is None:
        return 0
    is_asked, extreme = context.signals.wh == "which" and place == context.asked_noun, reading.ordered_by
    if is_asked and names_party(text.tokens[place].stem):
        is_doer = any(run.first == place + 1 and not (run.inverse or run.meant) for run in context.runs[target])
        return 1 << place if is_doer and is_party(table.columns[target]) else 0
    values = sum({1 << n for each in reading.conditions for n in range(each.first, each.last)})
    is_ordered = extreme is not None and place == extreme.last and text.forms[place - 2] in ("the", "our", "which")
    is_known = context.of_rows & ~values or context.named_mask >> place & 1
    is_of_rows = target == table.subject and not is_known and (is_asked or is_ordered)
    return 1 << place if is_of_rows and may_mean_rows(text.tokens[place], table, reading.rows) else 0


def paid_for(reading: Reading, context: Context) -> int:
    """The words for what is owed or paid behind a condition of yes and no, as bits: `who owes us the fee for 2024`."""
    columns = context.table.columns
    ends = [each.last for each in reading.conditions if each.how == "flag" and columns[each.column].is_flag]
    named = [run for n, run in context.every_run if columns[n].is_amount and not run.meant]
    return sum({run.mask for run in named if any(0 <= run.first - end <= _REACH for end in ends)})


_REACH = 3
"""Words between a verb and what it is said of."""


def _light(text: QuestionText) -> int:
    """The verbs that add nothing: light ones, and what `we` have done with the rows: `have we mended`."""
    forms = text.forms
    mask = sum(1 << n for n, form in enumerate(forms) if form in LIGHT_VERBS)
    is_ours = (
        forms[-1:]
        and forms[-1] not in _WANTING
        and forms[-2:-1] in (("we",), ("you",), ("they",))
        and forms[-3:-2] in (("have",), ("did",), ("do",))
    )
    return mask | 1 << len(forms) - 1 if is_ours else mask


_WANTING = word_set("need want lack miss require owe expect")
"""Verbs of what we have not: `how many vices do we need`."""


def _of_target(reading: Reading, context: Context) -> int:
    target = reading.target
    if target is None:
        return 3 if reading.operation == "count" and reading.conditions else 0
    if reading.operation not in (*_NUMBERS, "distinct", "having") and not reading.operation.startswith("group"):
        return 0
    column = context.table.columns[target]
    if reading.bound is not None and not _are_grouped(reading, context):
        return 0
    is_distinct = reading.operation == "distinct" and context.signals.has("distinct")
    if (
        not is_distinct
        and context.signals.wh in ("how many", "how much")
        and (not column.is_ordered or column.is_of_numbers or column.form == "date")
    ):
        return 0
    if reading.operation in ("list", "sum") and column is quantity_of(reading.conditions, context):
        return 2
    used = 0
    for condition in reading.conditions:
        used |= condition_features(context, condition)[1]
    run = context.best_run(target, used)
    if run is not None:
        return 3 if run.share == 1 and not run.meant else 2
    is_subject = target == context.table.subject or asked_parties(context) == (column,)  # `whose` names the patient
    return int(is_subject and reading.operation == "list")


def _are_grouped(reading: Reading, context: Context) -> bool:
    """Whether the noun behind `which` names the values that have several rows, and no number may be meant instead."""
    behind = reading.mask << 1
    amounts = [run for n, run in context.every_run if context.table.columns[n].is_amount and run.mask & behind]
    head = context.head
    named = [run for run in context.runs[reading.target or 0] if head is not None and run.mask >> head & 1]
    return bool(named) and not amounts


def _is_sure(condition: Condition, context: Context) -> bool:
    """Whether a condition is said as it stands in the table, a number with its column or where only one may have it."""
    column = context.table.columns[condition.column]
    if condition.how not in _SURE:
        return _is_head(condition, column, context.text) or _is_name(condition, context)
    if condition.how != "number":
        return True
    if naming := condition_features(context, condition)[1] & ~condition.mask:
        columns = context.table.columns
        others = [(columns[place], run.mask) for place, run in context.every_run if place != column.place]
        # "first tops" are no "Second TOPS"
        return not any(
            naming & mask == naming and (mask != naming or each.form == column.form) for each, mask in others
        )
    columns = context.table.columns
    said = {form for n, form in enumerate(context.text.forms) if condition.mask >> n & 1 and form in SPELT_UNITS}
    if said and column.measure:
        return sum(each.measure == column.measure for each in columns) == 1  # "over 20 kilos"
    if column.form == "date":
        return sum(each.form == "date" for each in columns) == 1
    return sum(each.is_amount and not each.is_key for each in columns) == 1


def _is_name(condition: Condition, context: Context) -> bool:
    """Whether a value is a name in capitals that one cell alone has among its words: `Igwe`."""
    tokens = context.text.tokens[condition.first : condition.last]
    return condition.how == "part" and condition.op == "=" and all(token.text[0].isupper() for token in tokens)


def _is_head(condition: Condition, column: Column, text: QuestionText) -> bool:
    """Whether a value is the noun of cells that say more of it: `shepherd` for `German shepherd`; names have none."""
    if condition.how != "part" or condition.op not in ("=", "contains") or column.form != "text":
        return False
    cells = [column.cells[row] for row in rows_in(condition.rows)]
    last = {stem(normal_form(cell).split()[-1]) for cell in cells}
    is_noun = condition.last - condition.first == 1 and last == {text.tokens[condition.first].stem}
    return is_noun and not is_place(column) and all(len(cell.split()) > 1 for cell in cells)


def _is_ordered(reading: Reading, context: Context) -> bool:
    """Whether it is said by which column a superlative orders the rows."""
    superlative = reading.superlative
    if superlative is None or superlative.column is None:
        return superlative is None
    column = context.table.columns[superlative.column]
    ordered = [each for each in context.table.columns if each.is_ordered and not each.is_key]
    extreme = superlative.extreme
    is_named = any(
        (run.last > extreme.last and extreme.first <= run.first <= extreme.last + 2)
        or is_right_before(run, extreme, context)
        for run in context.runs[column.place]
    )
    times = [each for each in ordered if each.form == "date" and not each.is_of_birth]
    is_only_time = extreme.word in BY_TIME | OF_TIMES_SPENT and times == [column]
    is_meant = means(extreme.word, column) or column in of_age(extreme.word, context.table)
    return is_named or is_only_time or is_meant or ordered == [column]
