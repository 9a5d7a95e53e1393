"""Steps that read texts: numbers inside them, their items, tests of them, their folded form, and parts of dates."""

from __future__ import annotations

from cgstore.cypher.compile.context import EXAMPLES, CompileContext
from cgstore.cypher.compile.functions import NUMBER_OF_EACH, element_lines, finite, in_order
from cgstore.query import operators as ops
from cgstore.query.operands import Operand, OutputKind, TextTest
from cgstore.query.settings import ACCENTS, BLANKS, without_accents
from cgstore.text.kinds import ValueKind
from cgstore.text.names import SEPARATOR
from cgstore.text.numbers import COMMA

_ASCII = r"\\p{ASCII}*"

OPERATORS = {"contains": "CONTAINS", "starts_with": "STARTS WITH", "ends_with": "ENDS WITH"}


def text_lines(operand: Operand, context: CompileContext) -> list[str]:
    """A row (e, x, number, name) for each carrier: the element, its number or null, and its whole text."""
    lines = element_lines(operand, context)
    if context.kind_of(operand) is OutputKind.WORDS:
        return [*lines, "WITH *, x AS name"]
    return [*lines, *context.seek_node(operand), f"WITH *, n.name AS name{_unless_rows(context)}"]


def _unless_rows(context: CompileContext) -> str:
    """The condition that an element x is not a row, which has no text, where there are any."""
    if not context.scope.columns.nodes:
        return ""
    context.values["separator"] = SEPARATOR
    return " WHERE NOT (x CONTAINS $separator AND name =~ '\\\\[line_[0-9]+\\\\]')"


def text_condition(test: TextTest, context: CompileContext) -> str:
    """The condition on `name`, the text of an element."""
    text = context.parameter(test, "text", without_accents(test.text))
    return f"{folded('name', context)} {OPERATORS[test.test]} {text}"


def folded(text: str, context: CompileContext) -> str:
    """An expression for a text without case and accents: letters are taken apart from their marks, and joined again."""
    context.values["accents"] = list(ACCENTS)
    parts = f"split(normalize(toLower({text}), NFD), $accents)"
    letters = f"normalize(reduce(all = '', part IN {parts} | all + part), NFC)"
    return f"CASE WHEN {text} =~ '{_ASCII}' THEN toLower({text}) ELSE {letters} END"  # which is quicker by far


def trimmed(text: str, context: CompileContext) -> str:
    """An expression for what `fold` gives: the folded text without blanks at its ends."""
    context.values["blanks"] = BLANKS
    return f"btrim({folded(text, context)}, $blanks)"


def fold_lines(number: int, step: ops.EachNumber, context: CompileContext) -> list[str]:
    """The body of `fold`."""
    lines = [*text_lines(step.operand, context), "WITH DISTINCT name"]
    return [*lines, f"RETURN collect(DISTINCT {trimmed('name', context)}) AS q{number + 1}"]


def items_lines(number: int, step: ops.Items, context: CompileContext) -> list[str]:
    """The body of `items`: the parts in the order of the texts, each where it first stands."""
    context.values["blanks"] = BLANKS
    separators = context.parameter(step, "separators", list(step.separators))
    return [
        *in_order(step.operand, context),
        *([f"WITH *{texts}"] if context.holds_nodes(step.operand) and (texts := _unless_rows(context)) else []),
        f"UNWIND split(name, {separators}) AS part",
        "WITH btrim(part, $blanks) AS part WHERE part <> ''",
        f"RETURN collect(DISTINCT part) AS q{number + 1}",
    ]


# One result of each ---------------------------------------------------------------------------------------------------

_WEEKDAYS = "['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']"

_OF_DATE = {
    "extract_month": "toFloat(date.month)",
    "extract_year_month": "left(toString(date), size(toString(date)) - 3)",
    "extract_quarter": "toFloat(date.quarter)",
    "extract_day": "toFloat(date.day)",
    "extract_weekday": f"{_WEEKDAYS}[date.dayOfWeek - 1]",
    "months_of": "toFloat(12 * date.year + date.month - 1)",
    "days_of": "toFloat(duration.inDays(date('1970-01-01'), date).days)",
}
"""Functions of each date: months are counted from year 0, days from 1970."""

_OF_MONTHS = ("extract_month", "extract_year_month", "extract_quarter", "months_of")
"""Functions that need no day."""

_WITHOUT_YEAR = ("extract_month", "extract_quarter", "extract_day")
"""Functions that need no year."""

OF_TEXTS = frozenset((*_OF_DATE, "extract_number"))
"""The functions of each element that look at its text."""


def lacking(function: str) -> str:
    """What an element lacks that such a function gives nothing for."""
    return "number" if function == "extract_number" else "month" if function in _OF_MONTHS else "day"


def each_text_lines(number: int, step: ops.EachNumber, context: CompileContext) -> list[str]:
    """The body of a function of each text or date; `unread` has what gives nothing, as notes tell it."""
    read = result_lines(step, context)
    output, unread = f"q{number + 1}", f"unread{number + 1}"
    relation = "null" if context.kind_of(step.operand) is OutputKind.WORDS else "e.node1"
    is_fact = "false" if relation == "null" else "e.relation IS NULL"
    return [
        *(_dates(step.operand, context) if step.function in _OF_DATE else text_lines(step.operand, context)),
        f"WITH DISTINCT x, name, {relation} AS relation, number, {is_fact} AS is_fact",
        *read,
        f"WITH collect(DISTINCT result) AS {output}, count(*) AS size, "
        "collect(CASE WHEN result IS NULL THEN [x, relation] END) AS others",
        f"RETURN {output}, [size(others), size, others[..{EXAMPLES}]] AS {unread}",
    ]


def result_lines(step: ops.EachNumber, context: CompileContext) -> list[str]:
    """Binds `result`, that of a function of each element; null where there is none.

    Rows have an element or a fact x, its text `name`, its relation, its number, and whether a fact says it (`is_fact`).
    """
    if step.function == "fold":
        return [f"WITH x, relation, {trimmed('name', context)} AS result"]
    if step.function == "extract_number":
        return _number_inside(step, context)
    if step.function in _OF_DATE:
        return _part_of_date(step, context)
    return [f"WITH x, relation, {NUMBER_OF_EACH[step.function]} AS result"]


def _number_inside(step: ops.EachNumber, context: CompileContext) -> list[str]:
    """Binds the number at a place in a text (language page, "Numbers inside a text").

    First each run of digits is marked with what stands before it: `|x` for anything, `| ` for a blank or the
    beginning, `|.` and `|,`; then those that belong to one number are joined. In a relation with decimal commas, the
    two marks change places.
    """
    context.values |= {"blank_list": list(BLANKS), "digits": list("0123456789")}
    place = context.parameter(step, "place", step.place)
    commas = [node.key for node in context.scope.relations.nodes if node.kind.decimal == COMMA]
    is_comma = f"is_fact AND relation IN {context.parameter(step, 'commas', commas)}"
    return [
        f"WITH *, CASE WHEN {is_comma} THEN ',' ELSE '.' END AS point",
        "WITH *, reduce(all = '| ', c IN split(name, '') | all + CASE",
        "  WHEN c IN $digits THEN c",
        "  WHEN c IN ['.', ','] THEN CASE WHEN c = point THEN '|.' ELSE '|,' END",
        "  WHEN c IN ['-', '−'] AND all ENDS WITH '| ' THEN '-'",
        "  WHEN c IN $blank_list THEN '| '",
        "  ELSE '|x' END) AS marked",
        "WITH *, reduce(all = [], part IN split(marked, '|')[1..] | CASE",
        "  WHEN part =~ ',[0-9]{3}' AND all[-1] =~ '-?[0-9]{1,3}(?:,[0-9]{3})*' THEN all[..-1] + (all[-1] + part)",
        "  WHEN part =~ '[.][0-9]+' AND all[-1] =~ '-?[0-9,]*[0-9]' THEN all[..-1] + (all[-1] + part)",
        "  ELSE all + substring(part, 1) END) AS parts",
        f"WITH *, [part IN parts WHERE part =~ '-?[0-9].*' | toFloat(replace(part, ',', ''))][{place}] AS inside",
        f"WITH x, relation, {finite('inside')}[0] AS result",
    ]


# Dates ----------------------------------------------------------------------------------------------------------------

_ASIDE = r"(?:\\s*(?:\\([^()]*\\)|\\[[^\\[\\]]*\\]|[*†‡§^]))*\\s*"
"""What may stand behind a date: the mark of a footnote, or a bracket."""

_YEAR = r"\\s*[-+−]?[0-9]{1,12}" + _ASIDE
_ISO_MONTH = r"\\s*[-+]?[0-9]{4,12}-[0-9]{2}\\s*"
_ISO_DAY = r"\\s*[-+]?[0-9]{4,12}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}.*)?\\s*"
_MONTH = r"\\s*(?:[0-9]{4,12}-[0-9]{2}|[^0-9]*\\p{L}[^0-9]*[0-9]{4})" + _ASIDE
"""A month in a column of dates: in ISO form, or letters and no figures but those of a year."""

_EXACT = 0.000001
"""Part of a day by which a date may be inexact."""


def _dates(operand: Operand, context: CompileContext) -> list[str]:
    return [*element_lines(operand, context), "WITH *, x AS name"]


def _part_of_date(step: ops.EachNumber, context: CompileContext) -> list[str]:
    """Binds a part of a date from its number; its text says whether it is a day, a month or a year.

    A date is what is written in ISO form, or a value that its relation reads as one.
    """
    kinds: dict[str, list[str]] = {"dates": [], "days_of_years": []}
    for node in context.scope.relations.nodes:
        if node.kind in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE):
            kinds["dates"].append(node.key)
        elif node.kind is ValueKind.DAY and step.function in _WITHOUT_YEAR:
            kinds["days_of_years"].append(node.key)
    dates, days = (context.parameter(step, name, keys) for name, keys in kinds.items())
    months = "true" if step.function in _OF_MONTHS else "false"
    length = "CASE WHEN year % 400 = 0 OR (year % 4 = 0 AND year % 100 <> 0) THEN 366 ELSE 365 END"
    return [
        f"WITH *, is_fact AND relation IN {dates} AS is_read, is_fact AND relation IN {days} AS is_day",
        "WITH *, number IS NOT NULL AND abs(number) < 1000000000 AND CASE",
        "  WHEN is_day THEN true",
        f"  WHEN is_read THEN NOT name =~ '{_YEAR}' AND ({months} OR NOT name =~ '{_MONTH}')",
        f"  ELSE name =~ '{_ISO_DAY}' OR ({months} AND name =~ '{_ISO_MONTH}') END AS is_exact",
        "WITH *, CASE WHEN is_day THEN 2000 WHEN is_exact THEN toInteger(floor(number)) END AS year",
        f"WITH *, CASE WHEN is_day THEN number - 1 ELSE (number - year) * {length} END + {_EXACT} AS days",
        "WITH *, CASE WHEN is_exact THEN date({year: year}) + duration({days: toInteger(floor(days))}) END AS date",
        f"WITH x, relation, {_OF_DATE[step.function]} AS result",
    ]
