"""The notation as a grammar of llama.cpp (GBNF), with the names of one prompt as its only names."""

from __future__ import annotations

import json
from collections.abc import Iterable

from cgstore.llm.small.notation import TIME_KEYS, name_text
from cgstore.llm.small.prompt import Prompt
from cgstore.model import ROW_NUMBER
from cgstore.query.functions import FUNCTIONS, SEARCH

_RULES = r"""
root ::= " " (call | search)
expression ::= call | search | value
search ::= ("@" name | "*" | name) (" | " operand)? bound* (" : " condition (" & " condition)*)? (" ; " source)?
condition ::= name (" " sign " " operand)? bound*
bound ::= " @ " name " " sign " " operand
operand ::= value | call | "(" search ")"
value ::= text | number | "each"
text ::= "\"" [^"\\\n]+ "\""
number ::= "-"? [0-9]+ ("." [0-9]+)? | [0-9] [0-9] [0-9] [0-9] "-" [0-9] [0-9] ("-" [0-9] [0-9])?
sign ::= "=" | "<" | ">" | "<=" | ">="
call ::= function "(" argument (", " argument)* ")"
argument ::= (keyword "=")? expression | sign " " value | sign | keyword "=" word | word
"""


def grammar_of(prompt: Prompt) -> str:
    """The grammar of the programs that a prompt allows; that the data do not say it is none."""
    names = [*map(name_text, prompt.relations), ROW_NUMBER, *TIME_KEYS]
    functions = [name for name in FUNCTIONS if name != SEARCH]
    keywords = dict.fromkeys(name for row in FUNCTIONS.values() for name in row.arguments if not name[-1].isdigit())
    words = ("years", "months", "days", "descending", "ascending", "alphabetical", "count", "sum", "mean", "min",
             "max", "median", "standard_deviation", "first", "last")  # fmt: skip
    rules = {
        "name": names,
        "source": list(map(name_text, prompt.sources)) or ["table"],
        "function": functions,
        "keyword": keywords,
        "word": words,
    }
    return _RULES + "".join(f"{rule} ::= {_either(texts)}\n" for rule, texts in rules.items())


def _either(texts: Iterable[str]) -> str:
    return " | ".join(json.dumps(text, ensure_ascii=False) for text in texts)
