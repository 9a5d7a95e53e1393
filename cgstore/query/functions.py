"""The functions of the language, the names of their arguments, and what LLMs write for both.

Beside those of the published language (language page, sections 6 and 7) there are those that recorded replies call
although nobody defined them, where they have one plain meaning. What has none is an LLM function.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SEARCH = "get_information"

LITERALS = "literals"
"""The function that gives what is written: a set of names, numbers or words."""

SEARCH_ARGUMENTS = ("relation", "head_entity", "tail_entity", "key", "value", "source")


@dataclass(frozen=True)
class Signature:
    """The arguments of a function in order, and those of them that must be given.

    `operands`: the first two are values whatever they are called (`value1`, `count1`, `a`), in the order written.
    `several`: the set may be given as several, `set1`, `set2` and so on, or more than once.
    """

    arguments: tuple[str, ...]
    required: tuple[str, ...] = ("set",)
    operands: bool = False
    several: bool = False


_SETS = Signature(("set1", "set2", "set3", "set4"), ("set1", "set2"))
_SET = Signature(("set",))
_SOME = Signature(("set",), several=True)
_TWO = Signature(("value1", "value2"), ("value1", "value2"), operands=True)
_OF_ROWS = Signature(("set", "relation"))

SIGNATURES: dict[str, Signature] = {
    SEARCH: Signature(SEARCH_ARGUMENTS, ()),
    "set_union": _SETS,
    "set_intersection": _SETS,
    "set_difference": Signature(("set1", "set2"), ("set1", "set2")),
    "set_negation": _SET,
    "keep": Signature(("set", "value"), ("set", "value")),
    "min": _SOME,
    "max": _SOME,
    "mean": _SOME,
    "sum": _SOME,
    "count": _SET,
    "mode": _SET,
    "first": _SET,
    "last": _SET,
    "argmin": _OF_ROWS,
    "argmax": _OF_ROWS,
    "previous_row": _SET,
    "next_row": _SET,
    "abs": _SET,
    "extract_year": _SET,
    "to_number": _SET,
    "to_integer": _SET,
    "distinct": _SET,
    "sort": Signature(("set", "order", "ascending", "reverse")),
    "subtract": _TWO,
    "difference": Signature(("value1", "value2", "unit"), ("value1", "value2"), operands=True),
    "year_difference": _TWO,
    "calculate": Signature(("value1", "value2", "operator"), ("value1", "value2", "operator"), operands=True),
    "add": _TWO,
    "multiply": _TWO,
    "divide": _TWO,
    "compare": Signature(("value1", "value2", "operator"), ("value1", "value2"), operands=True),
    "if": Signature(("value1", "value2", "operator", "then", "else"), ("value1", "value2"), operands=True),
    "equals": _TWO,
    "greater_than": _TWO,
    "less_than": _TWO,
    LITERALS: Signature(("set",), (), several=True),
}
"""What can be called, by its name."""

SYNONYMS: dict[str, str] = {
    **dict.fromkeys(("average", "avg", "set_mean", "calculate_average"), "mean"),
    **dict.fromkeys(("total", "set_sum", "calculate_sum"), "sum"),
    **dict.fromkeys(("size", "len", "set_count", "count_unique", "count_distinct"), "count"),
    **dict.fromkeys(("maximum", "find_max", "set_max", "max_of"), "max"),
    **dict.fromkeys(("minimum", "find_min"), "min"),
    **dict.fromkeys(("arg_max", "arg_max_by"), "argmax"),
    **dict.fromkeys(("arg_min", "arg_min_by"), "argmin"),
    **dict.fromkeys(("most", "most_common", "most_frequent", "get_most_common", "most_occurrences"), "mode"),
    **dict.fromkeys(("get_first", "first_row", "first_element", "choose_one", "get_any"), "first"),
    **dict.fromkeys(("get_last", "last_row", "last_element"), "last"),
    **dict.fromkeys(("unique", "set_unique", "remove_duplicates"), "distinct"),
    **dict.fromkeys(("sorted", "set_sort"), "sort"),
    **dict.fromkeys(("float",), "to_number"),
    **dict.fromkeys(("int", "to_int"), "to_integer"),
    **dict.fromkeys(("minus", "subtraction"), "subtract"),
    **dict.fromkeys(
        (
            "calculate_difference",
            "calc_difference",
            "abs_difference",
            "absolute_difference",
        ),
        "difference",
    ),
    **dict.fromkeys(("year_diff", "years_between", "calculate_years_difference"), "year_difference"),
    **dict.fromkeys(("calculator", "Calculator", "calculation", "calc"), "calculate"),
    **dict.fromkeys(("addition", "plus"), "add"),
    **dict.fromkeys(("product",), "multiply"),
    **dict.fromkeys(("ratio", "calculate_ratio", "division"), "divide"),
    **dict.fromkeys(
        (
            "Compare",
            "comparison",
            "compare_values",
            "compare_numbers",
            "compare_numeric",
            "compare_count",
            "compare_counts",
            "compare_amount",
            "compare_quantity",
            "compare_dates",
            "compare_date",
            "compare_scores",
            "set_compare",
            "set_comparison",
        ),
        "compare",
    ),
    **dict.fromkeys(("is_equal", "check_equality", "check_equal", "equal", "is_same", "set_equals"), "equals"),
    **dict.fromkeys(("is_greater_than", "is_greater"), "greater_than"),
    **dict.fromkeys(("is_less_than", "is_less"), "less_than"),
    **dict.fromkeys(("year", "get_year"), "extract_year"),
    **dict.fromkeys(("if_else", "if_then_else", "if_greater", "if_greater_than"), "if"),
    **dict.fromkeys(("union",), "set_union"),
    **dict.fromkeys(("intersection", "intersect"), "set_intersection"),
    **dict.fromkeys(("set_minus",), "set_difference"),
    **dict.fromkeys(("negation",), "set_negation"),
}
"""Names that LLMs write for these functions. Each says the same as its function: what has a meaning of its own is a
function of its own, or none (`any`, `only` and `sample` may mean several things; an LLM may be asked for them)."""

UNCLEAR: dict[str, str] = {
    **dict.fromkeys(
        ("any", "some", "exists"),
        "Write first(set=...) for one element; if(value1=count(set=...), value2='0', operator='>', then='yes', "
        "else='no') says whether there is one.",
    ),
    **dict.fromkeys(("sample", "random", "random_choice"), "Write first(set=...) for one element."),
    **dict.fromkeys(("only", "only_element", "single"), "Write first(set=...), and count(set=...) for how many."),
    "length": "Write count(set=...) for the number of elements.",
}
"""Names that LLMs write for functions that the language does not have, and what to write instead."""

_ALIASES = {
    "set1": "set",
    "set_1": "set1",
    "set_2": "set2",
    "set_3": "set3",
    "set_4": "set4",
    "head": "head_entity",
    "tail": "tail_entity",
    "comparison": "operator",
    "comparator": "operator",
    "option": "operator",
    "operation": "operator",
    "op": "operator",
    "order": "operator",
    "comparison_operator": "operator",
    "true": "then",
    "if_true": "then",
    "true_value": "then",
    "value_if_true": "then",
    "then_value": "then",
    "false": "else",
    "if_false": "else",
    "false_value": "else",
    "value_if_false": "else",
    "else_value": "else",
    "key": "relation",
    "attribute": "relation",
    "column": "relation",
    **dict.fromkeys(("value", "values", "value1", "list", "date", "number", "input", "output", "array"), "set"),
}
"""Argument names that LLMs write for the legal ones; an alias counts only where its own name is not legal."""

_OPERAND = re.compile(r"(?:[a-z]+_?)*[12]|[abxy]|minuend|subtrahend|(?:start|end|from|to)(?:_[a-z]+)?|set|value", re.I)


_NUMBERED = re.compile(r"(?:set|value|output)_?[1-9]")


def legal_argument(function: str, written: str, position: int, taken: int) -> str | None:
    """The legal name of an argument, or None.

    Args:
        function: a name of `SIGNATURES`.
        written: the argument's name, empty where it has none.
        position: its place in the call, from 0.
        taken: how many operands stand before it.
    """
    signature = SIGNATURES[function]
    if written in signature.arguments:
        return written
    if signature.several and _NUMBERED.fullmatch(written):
        return "set"
    if not written:
        named = function == SEARCH or position >= len(signature.arguments)
        return None if named else signature.arguments[position]
    if _ALIASES.get(written) in signature.arguments and not (signature.operands and _ALIASES[written] == "set"):
        return _ALIASES[written]
    if signature.operands and taken < 2 and _OPERAND.fullmatch(written):
        return signature.arguments[taken]
    return None
