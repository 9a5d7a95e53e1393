"""The LLM query language as a grammar in GBNF, by which llama.cpp and vLLM let an LLM write programs and nothing else.

`grammar.lark` reads what LLMs write of themselves; this is the form that prompts show. Functions have their own names
and arguments, the required ones first, and values stand in single quotes. What a grammar cannot say is left to `parse`:
which outputs there are by then, and which arguments need or exclude each other.
"""

from __future__ import annotations

from functools import lru_cache

from cgstore.query.functions import FUNCTIONS, SEARCH, Function
from cgstore.query.parse import COMPARABLE

LONGEST, LONGEST_TEXT = 20, 300
"""Most queries of a program, and characters of a text in quotes, which a small LLM may repeat without an end."""

OPENINGS = ('Query1: "', 'None: "')
"""How each reply in the grammar begins."""

_COMMA = ' ", " '

_VALUES = rf"""
none ::= "None: \"" [^"\x00-\x1F\x7F]{{1,{LONGEST_TEXT}}} "\""
value ::= quoted | "each" | call
quoted ::= "'" ([^'\\\x00-\x1F\x7F] | "\\" ['"\\]){{1,{LONGEST_TEXT}}} "'"
compared ::= ("'output_of_query" [1-9] [0-9]? "'" | "each" | call) " "? order " "? value
order ::= "=" | "<" | ">" | "<=" | ">="
"""


@lru_cache(maxsize=1)
def gbnf() -> str:
    """The rules, of which `root` is a whole reply: a program, or the line that says what the data lack."""
    queries = [
        rf'query-{number} ::= "Query{number}: \"" call "\"" ("\n" query-{number + 1})?' for number in range(1, LONGEST)
    ]
    last = rf'query-{LONGEST} ::= "Query{LONGEST}: \"" call "\""'
    calls = [f'{_rule_name(row.name)} ::= "{row.name}(" ({_arguments(row)}) ")"' for row in FUNCTIONS.values()]
    every = f"call ::= {' | '.join(map(_rule_name, FUNCTIONS))}"
    return "\n".join(["root ::= query-1 | none", *queries, last, every, *calls]) + _VALUES


def _arguments(row: Function) -> str:
    """The arguments of a function: the required ones in their order, then others in any."""
    named = {name: f'"{name}" order value' if name in COMPARABLE else f'"{name}=" value' for name in row.arguments}
    further = [text for name, text in named.items() if name not in row.required_arguments or name == row.repeated]
    one = f"({' | '.join([*further, *([named['set']] if row.several else [])])})"
    needed = _COMMA.join(map(_in_place, row.required_arguments))
    if not needed:
        return f'{one} (", " {one})*' if row.name == SEARCH else f'({one} (", " {one})*)?'
    several = row.several or row.repeated or len(further) > 1
    listed = f'{needed} (", " {one}){"*" if several else "?"}' if further or row.several else needed
    if row.form == "compare" and "operator" in named:
        return f"{listed} | {_COMMA.join(['compared', *map(_in_place, row.arguments[3:])])}"
    return listed


def _in_place(argument: str) -> str:
    """An argument in its place, where it needs no name."""
    return f'("{argument}=")? value'


def _rule_name(function: str) -> str:
    return function.replace("_", "-")
