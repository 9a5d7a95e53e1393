"""The functions of the language, one row each: their names, their arguments, what they take and what they give.

A new function is a row here and its Cypher in `cgstore.cypher.compile.functions`, unless it is planned in a new way.
Beside the functions of the published language (language page, sections 6 and 7) there are those that LLMs call in
recorded replies although nobody defined them, where they have one plain meaning. All others are LLM functions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Any

from cgstore.query.operands import OutputKind

SEARCH = "get_information"

FURTHER = (("where_key", "where_value"), ("where_key2", "where_value2"))
"""Further keys of the statement that `key` speaks of, and their values."""

LITERALS = "literals"
"""The function that gives what is written: a set of names, numbers or words."""

OF_ALL_FACTS = ("sum", "mean", "median", "standard_deviation")
"""Aggregates that take the number of each fact."""

GROUP_FUNCTIONS = ("count", "min", "max", *OF_ALL_FACTS)
"""Aggregates that a group is given its number by."""

NODES = frozenset({OutputKind.NODES, OutputKind.ROWS})
VALUES = NODES | {OutputKind.NUMBERS}
ANYTHING = frozenset(OutputKind) - {OutputKind.RECORDS}
TEXTS = frozenset({OutputKind.NODES, OutputKind.WORDS})
DATES = frozenset({OutputKind.NODES})
ROWS = frozenset({OutputKind.ROWS})


class Gives(StrEnum):
    """What an output holds, seen from the sets of the call."""

    ELEMENTS = auto()
    HEADS = auto()
    NUMBERS = auto()
    WORDS = auto()


@dataclass(frozen=True)
class Function:
    """A row of the table.

    Attributes:
        name: the name in programs.
        form: how a call is planned: a method of `planner.Planner`, and of `sentences.wording.Wording`.
        arguments: their names in order.
        gives: what the output holds.
        takes: what the sets may hold.
        synonyms: what LLMs write for the name, between blanks. Each means the same as the name; what has a meaning of
            its own is a function of its own, or none.
        required: how many of the arguments, from the first, must be given.
        operands: the first two arguments are values whatever they are called (`value1`, `count1`, `a`), in this order.
        several: the set may be given as several, `set1`, `set2` and so on, or more than once.
        repeated: the argument that may be given more than once, as `column1`, `column2` and so on.
        body: the arguments that are calls with `each`, run for one element at a time.
        of_numbers: it takes the numbers of a set with numbers, as functions of two operands do.
        numeric: elements that are not numbers are left out, and a note says so.
    """

    name: str
    form: str
    arguments: tuple[str, ...]
    gives: Gives
    takes: frozenset[OutputKind]
    synonyms: str
    required: int
    operands: bool = False
    several: bool = False
    numeric: bool = False
    repeated: str = ""
    body: tuple[str, ...] = ()
    of_numbers: bool = False

    @property
    def required_arguments(self) -> tuple[str, ...]:
        """The names of the arguments that must be given."""
        return self.arguments[: self.required]


# fmt: off
def _row(name: str, form: str, arguments: str, gives: Gives, takes: frozenset[OutputKind], synonyms: str = "",
         required: int = 1, **more: Any) -> Function:
    return Function(name, form, tuple(arguments.split()), gives, takes, synonyms, required, **more)


MAX_ARGUMENTS = 20
"""Most arguments of a call."""

_SETS = " ".join(f"set{number}" for number in range(1, MAX_ARGUMENTS + 1))

_ROWS = (
    _row(SEARCH, "search", "relation head_entity tail_entity key value source where_key where_value where_key2 "
         "where_value2", Gives.HEADS, NODES, required=0),
    _row("set_union", "sets", _SETS, Gives.ELEMENTS, ANYTHING, "union", 2),
    _row("set_intersection", "sets", _SETS, Gives.ELEMENTS, ANYTHING, "intersection intersect", 2),
    _row("set_difference", "sets", "set1 set2", Gives.ELEMENTS, ANYTHING, "set_minus", 2),
    _row("set_negation", "negation", "set", Gives.HEADS, NODES | {OutputKind.FACTS}, "negation"),
    _row("for_each", "for_each", "set value", Gives.ELEMENTS, VALUES, "each_of map", 2, body=("value",),
         of_numbers=True),
    _row("group", "group", "by set of function", Gives.ELEMENTS, VALUES, "group_by groupby", body=("by", "of"),
         of_numbers=True),
    _row("select", "select", "set column", Gives.ELEMENTS, VALUES, "select_columns columns", body=("column",),
         repeated="column", of_numbers=True),
    _row("keep", "keep", "set value contains starts_with ends_with", Gives.ELEMENTS, VALUES | TEXTS, "filter",
         of_numbers=True),
    _row("heads", "heads", "relation source", Gives.HEADS, NODES, "get_heads all_heads get_rows all_rows", 0),
    _row("exists", "aggregate", "set", Gives.WORDS, ANYTHING, "is_not_empty not_empty non_empty"),
    _row("min", "aggregate", "set", Gives.ELEMENTS, VALUES, "minimum find_min", several=True, numeric=True,
         of_numbers=True),
    _row("max", "aggregate", "set", Gives.ELEMENTS, VALUES, "maximum find_max set_max max_of", several=True,
         numeric=True, of_numbers=True),
    _row("mean", "aggregate", "set", Gives.NUMBERS, VALUES, "average avg set_mean calculate_average", several=True,
         numeric=True, of_numbers=True),
    _row("sum", "aggregate", "set", Gives.NUMBERS, VALUES, "total set_sum calculate_sum", several=True,
         numeric=True, of_numbers=True),
    _row("median", "aggregate", "set", Gives.NUMBERS, VALUES, "set_median calculate_median find_median", numeric=True,
         of_numbers=True),
    _row("standard_deviation", "aggregate", "set", Gives.NUMBERS, VALUES,
         "std stdev std_dev stddev standard_dev calculate_standard_deviation", numeric=True, of_numbers=True),
    _row("count", "aggregate", "set", Gives.NUMBERS, ANYTHING,
         "size len set_count count_unique count_distinct"),
    _row("mode", "aggregate", "set", Gives.ELEMENTS, NODES,
         "most most_common most_frequent get_most_common most_occurrences"),
    _row("first", "aggregate", "set n", Gives.ELEMENTS, ANYTHING,
         "get_first first_row first_element choose_one get_any", of_numbers=True),
    _row("last", "aggregate", "set n", Gives.ELEMENTS, ANYTHING, "get_last last_row last_element",
         of_numbers=True),
    _row("nth", "aggregate", "set n", Gives.ELEMENTS, ANYTHING, "get_nth nth_element nth_row nth_value", 2,
         of_numbers=True),
    _row("longest_run", "aggregate", "set", Gives.ELEMENTS, ROWS,
         "longest_streak longest_sequence longest_consecutive_run longest_consecutive max_streak"),
    _row("argmin", "heads_of_extreme", "set relation", Gives.HEADS, NODES, "arg_min arg_min_by", numeric=True,
         of_numbers=True),
    _row("argmax", "heads_of_extreme", "set relation", Gives.HEADS, NODES, "arg_max arg_max_by", numeric=True,
         of_numbers=True),
    _row("previous_row", "rows_beside", "set", Gives.HEADS, VALUES),
    _row("next_row", "rows_beside", "set", Gives.HEADS, VALUES),
    _row("abs", "each", "set", Gives.NUMBERS, VALUES, of_numbers=True),
    _row("extract_year", "each", "set", Gives.NUMBERS, VALUES, "year get_year", of_numbers=True),
    _row("to_number", "each", "set", Gives.NUMBERS, VALUES, "float", of_numbers=True),
    _row("to_integer", "each", "set", Gives.NUMBERS, VALUES, "int to_int", of_numbers=True),
    _row("extract_month", "each", "set", Gives.NUMBERS, DATES, "month get_month"),
    _row("extract_year_month", "each", "set", Gives.WORDS, DATES,
         "year_month month_year year_and_month month_and_year get_year_month get_month_year extract_month_year "
         "extract_year_and_month extract_month_and_year to_year_month"),
    _row("extract_quarter", "each", "set", Gives.NUMBERS, DATES, "quarter get_quarter"),
    _row("extract_day", "each", "set", Gives.NUMBERS, DATES, "day_of_month get_day get_day_of_month"),
    _row("extract_weekday", "each", "set", Gives.WORDS, DATES,
         "weekday day_of_week get_weekday get_day_of_week extract_day_of_week"),
    _row("extract_number", "each", "set which", Gives.NUMBERS, TEXTS,
         "get_number parse_number number_in_text extract_numeric"),
    _row("items", "items", "set separator", Gives.WORDS, TEXTS, "split split_text split_items list_items"),
    _row("fold", "each", "set", Gives.WORDS, TEXTS, "fold_case casefold case_fold fold_text"),
    _row("distinct", "distinct", "set", Gives.ELEMENTS, ANYTHING, "unique set_unique remove_duplicates",
         of_numbers=True),
    _row("sort", "sort", "set order ascending reverse", Gives.ELEMENTS, VALUES | TEXTS, "sorted set_sort",
         of_numbers=True),
    _row("reach", "reach", "head_entity relation tail_entity at_most", Gives.HEADS, NODES,
         "reachable transitive_closure", 0),
    _row("subtract", "arithmetic", "value1 value2", Gives.NUMBERS, VALUES, "minus subtraction", 2, operands=True),
    _row("difference", "arithmetic", "value1 value2 unit", Gives.NUMBERS, VALUES,
         "calculate_difference calc_difference abs_difference absolute_difference", 2, operands=True),
    _row("year_difference", "arithmetic", "value1 value2", Gives.NUMBERS, VALUES,
         "year_diff years_between calculate_years_difference", 2, operands=True),
    _row("month_difference", "arithmetic", "value1 value2", Gives.NUMBERS, VALUES,
         "month_diff months_between calculate_months_difference", 2, operands=True),
    _row("day_difference", "arithmetic", "value1 value2", Gives.NUMBERS, VALUES,
         "day_diff days_between calculate_days_difference", 2, operands=True),
    _row("calculate", "calculate", "value1 value2 operator", Gives.NUMBERS, VALUES,
         "calculator Calculator calculation calc", 3, operands=True),
    _row("add", "arithmetic", "value1 value2", Gives.NUMBERS, VALUES, "addition plus", 2, operands=True),
    _row("multiply", "arithmetic", "value1 value2", Gives.NUMBERS, VALUES, "product", 2, operands=True),
    _row("divide", "arithmetic", "value1 value2", Gives.NUMBERS, VALUES, "ratio calculate_ratio division", 2,
         operands=True),
    _row("percentage", "arithmetic", "value1 value2", Gives.NUMBERS, VALUES,
         "percent percentage_of percent_of calculate_percentage", 2, operands=True),
    _row("compare", "compare", "value1 value2 operator", Gives.HEADS, VALUES,
         "Compare comparison compare_values compare_numbers compare_numeric compare_count compare_counts "
         "compare_amount compare_quantity compare_dates compare_date compare_scores set_compare set_comparison", 2,
         operands=True),
    _row("if", "compare", "value1 value2 operator then else", Gives.ELEMENTS, VALUES,
         "if_else if_then_else if_greater if_greater_than", 2, operands=True),
    _row("equals", "equals", "value1 value2", Gives.WORDS, VALUES,
         "is_equal check_equality check_equal equal is_same set_equals", 2, operands=True),
    _row("greater_than", "compare", "value1 value2", Gives.WORDS, VALUES, "is_greater_than is_greater", 2,
         operands=True),
    _row("less_than", "compare", "value1 value2", Gives.WORDS, VALUES, "is_less_than is_less", 2, operands=True),
    _row(LITERALS, "literals", "set", Gives.ELEMENTS, ANYTHING, required=0, several=True),
)
# fmt: on

FUNCTIONS: dict[str, Function] = {row.name: row for row in _ROWS}
"""What can be called, by its name."""

SYNONYMS: dict[str, str] = {synonym: row.name for row in _ROWS for synonym in row.synonyms.split()}
"""The functions by what LLMs write for their names."""

UNCLEAR: dict[str, str] = {
    **dict.fromkeys(
        ("any", "some"), "Write exists(set=...) for whether there is an element, first(set=...) for one of them."
    ),
    **dict.fromkeys(("is_empty", "empty", "not_exists"), "Write exists(set=...), which is 'no' for an empty set."),
    **dict.fromkeys(("sample", "random", "random_choice"), "Write first(set=...) for one element."),
    **dict.fromkeys(("only", "only_element", "single"), "Write first(set=...), and count(set=...) for how many."),
    **dict.fromkeys(
        ("contains", "starts_with", "startswith", "ends_with", "endswith"),
        "Write keep(set=..., contains='...'), with starts_with or ends_with likewise, for the elements that have a "
        "text, and exists(...) around it for yes or no.",
    ),
    **dict.fromkeys(("top", "top_n"), "Write first(set=sort(set=..., order='descending'), n='3')."),
    "length": "Write count(set=...) for the number of elements.",
    **dict.fromkeys(
        ("lower", "lower_case", "lowercase", "to_lower", "normalize", "normalise", "strip", "trim"),
        "Write fold(set=...), which gives each text without case, accents and blanks at its ends.",
    ),
}
"""Names that LLMs write for functions that the language does not have, and what to write instead."""

_ALIASES = {
    alias: name
    for name, aliases in {
        "set": "set1 value values value1 list date number input output array",
        **{name: name.replace("set", "set_") for name in _SETS.split()},
        "head_entity": "head",
        "tail_entity": "tail",
        "operator": "comparison comparator option operation op order comparison_operator",
        "then": "true if_true true_value value_if_true then_value",
        "else": "false if_false false_value value_if_false else_value",
        "relation": "key attribute column",
        "n": "k limit place position rank",
        "which": "ordinal",
        "separator": "delimiter sep",
        "contains": "substring containing",
        "starts_with": "startswith prefix begins_with",
        "ends_with": "endswith suffix",
        "at_most": "max_steps max_hops max_depth depth steps hops",
        "by": "group_by key_column",
        "function": "aggregate aggregation agg",
    }.items()
    for alias in aliases.split()
}
"""Argument names that LLMs write for the legal ones; an alias counts only where its own name is not legal."""

_OPERAND = re.compile(r"(?:[a-z]+_?)*[12]|[abxy]|minuend|subtrahend|(?:start|end|from|to)(?:_[a-z]+)?|set|value", re.I)
_NUMBERED = re.compile(r"(?:set|value|output)_?[1-9]")
_REPEATED = re.compile(r"([a-z]+)_?\d{0,2}")


def legal_argument(function: str, written: str, position: int, taken: int) -> str | None:
    """Finds the legal name of an argument; None if there is none.

    Args:
        function: a name of `FUNCTIONS`.
        written: the argument's name, empty where it has none.
        position: its place in the call, from 0.
        taken: how many operands stand before it.
    """
    row = FUNCTIONS[function]
    if written in row.arguments:
        return written
    if row.several and _NUMBERED.fullmatch(written):
        return "set"
    if row.repeated and ((not written and position >= len(row.arguments)) or _stem(written) == row.repeated):
        return row.repeated
    if not written:
        named = function == SEARCH or position >= len(row.arguments)
        return None if named else row.arguments[position]
    if _ALIASES.get(written) in row.arguments and not (row.operands and _ALIASES[written] == "set"):
        return _ALIASES[written]
    if row.operands and taken < 2 and _OPERAND.fullmatch(written):
        return row.arguments[taken]
    return None


def _stem(written: str) -> str:
    """The name of an argument without its number."""
    found = _REPEATED.fullmatch(written)
    return found[1] if found else ""
