"""Text -> Program: the grammar of the LLM query language, with errors that show the place and what was expected."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from cgstore.errors import BadInput
from cgstore.query.ast import Argument, Call, Literal, OutputRef, Place, Program, Value
from cgstore.query.reply import QueryText, read_reply
from cgstore.values import is_unicode

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

MAX_LENGTH = 200_000
"""Longest program, in characters."""

MAX_QUERIES = 50
"""Most calls in a program, nested ones counted."""

SEARCH_ARGUMENTS = ("relation", "head_entity", "tail_entity", "key", "value")

SIGNATURES: dict[str, tuple[str, ...]] = {
    "get_information": SEARCH_ARGUMENTS,
    "set_union": ("set1", "set2", "set3", "set4"),
    "set_intersection": ("set1", "set2", "set3", "set4"),
    "set_difference": ("set1", "set2"),
    "set_negation": ("set",),
    "keep": ("set", "value"),
    "min": ("set",),
    "max": ("set",),
    "mean": ("set",),
    "sum": ("set",),
    "count": ("set",),
}
"""The functions of the language and the names of their arguments (language page, sections 6 and 7)."""

ALIASES = {"set1": "set", "set_1": "set1", "set_2": "set2", "set_3": "set3", "set_4": "set4", "head": "head_entity"}
ALIASES |= {"tail": "tail_entity"}
"""Argument names that LLMs write for the legal ones; an alias counts only where its own name is not legal."""

_OPERATORS = {"==": "=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">="}
_OUTPUT = re.compile(r"output_of_query_?\s*(\d+)")
_ESCAPE = re.compile(r"\\(['\"\\])")


class ProgramError(BadInput):
    """A program that cannot be understood: the message names the place and shows it with a caret."""

    def __init__(self, problem: str, text: str, place: Place, hint: str | None = None) -> None:
        line_start = text.rfind("\n", 0, place[0]) + 1
        line_end = text.find("\n", place[0])
        line = text[line_start : line_end if line_end >= 0 else len(text)]
        number, column = text.count("\n", 0, place[0]) + 1, place[0] - line_start
        window = max(0, column - 60)
        shown = line[window : window + 120].replace("\t", " ")
        width = max(1, min(place[1] - place[0], len(shown) - (column - window)))
        caret = " " * (column - window) + "^" * width
        super().__init__(f"Line {number}, column {column + 1}: {problem}\n  {shown}\n  {caret}", hint)
        self.place = place


def parse(text: str) -> Program:
    """The program that a reply or a bare list of calls holds.

    Raises:
        ProgramError: it is malformed, calls an unknown function, or refers to an output that is not there.
    """
    if len(text) > MAX_LENGTH:
        raise BadInput(f"The program has {len(text):,} characters; at most {MAX_LENGTH:,} are read.")
    if not is_unicode(text):
        raise BadInput("The program is no valid Unicode text.", "Is the terminal or the file in UTF-8?")
    reply = read_reply(text)
    if not reply.queries:
        raise BadInput("There is no query in this program.", "Write for example: get_information(head_entity='Ulm')")
    calls = tuple(call for query in reply.queries for call in _parse_calls(query, text))
    total = sum(_count_calls(call) for call in calls)
    if total > MAX_QUERIES:
        raise BadInput(f"The program has {total} calls; at most {MAX_QUERIES} are run.")
    checked = tuple(_checked(call, text, index) for index, call in enumerate(calls))
    return Program(checked, text, reply.target)


@lru_cache(maxsize=1)
def _grammar() -> Lark:
    from lark import Lark

    source = resources.files("cgstore.query").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(source, parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=False)


def _parse_calls(query: QueryText, text: str) -> list[Call]:
    from lark.exceptions import UnexpectedInput

    try:
        tree = _grammar().parse(query.text)
        return [_build_call(child, query.offset) for child in tree.children if not isinstance(child, str)]
    except UnexpectedInput as error:
        found = error.pos_in_stream if isinstance(error.pos_in_stream, int) and error.pos_in_stream >= 0 else None
        at = query.offset + (len(query.text) if found is None else min(found, len(query.text)))
        raise ProgramError(f"expected {_expected(error, text[at : at + 1])}", text, (at, at + 1)) from error
    except RecursionError as error:
        raise ProgramError("calls are nested too deeply", text, (query.offset, query.offset + 1)) from error


_TERMINALS = {
    "NAME": "a function or argument name",
    "OP": "one of = < > <= >=",
    "QUOTED": "a quoted value",
    "BARE": "a value",
    "LPAR": "'('",
    "RPAR": "')'",
    "COMMA": "','",
    "$END": "the end of the query",
}


def _expected(error: Any, found: str) -> str:
    if found in "'\"‘“" and found:
        return "a closing quote, and after it ',' and an argument, or ')'"
    terminals = getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", None)
    names = sorted({_TERMINALS[t] for t in terminals or () if t in _TERMINALS})
    return " or ".join(names) if names else "a call such as get_information(head_entity='Ulm')"


def _build_call(tree: Tree[Token], offset: int) -> Call:
    name, *arguments = tree.children
    place = (offset + tree.meta.start_pos, offset + tree.meta.end_pos)
    built = tuple(_build_argument(a, offset) for a in arguments if not isinstance(a, str))
    return Call(str(name), built, place)


def _build_argument(tree: Any, offset: int) -> Argument:
    place = (offset + tree.meta.start_pos, offset + tree.meta.end_pos)
    if tree.data == "positional":
        return Argument("", "=", _build_value(tree.children[0], offset), place)
    name, op, value = tree.children
    return Argument(str(name), _OPERATORS.get(str(op), str(op)), _build_value(value, offset), place)


def _build_value(tree: Any, offset: int) -> Value:
    if tree.data == "call":
        return _build_call(tree, offset)
    token = tree.children[0]
    place = (offset + token.start_pos, offset + token.end_pos)
    content = _ESCAPE.sub(r"\1", str(token)[1:-1]) if tree.data == "quoted" else str(token).strip()
    if match := _OUTPUT.fullmatch(content.strip()):
        return OutputRef(int(match[1]), place)
    return Literal(content, place)


def _count_calls(call: Call) -> int:
    return 1 + sum(_count_calls(a.value) for a in call.arguments if isinstance(a.value, Call))


def _checked(call: Call, text: str, index: int) -> Call:
    """The call with legal argument names; refuses unknown functions, arguments and outputs that are not there yet."""
    if call.function not in SIGNATURES:
        near = difflib.get_close_matches(call.function, SIGNATURES, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"Functions: {', '.join(SIGNATURES)}."
        place = (call.place[0], call.place[0] + len(call.function))
        raise ProgramError(f"there is no function '{call.function}'", text, place, hint)
    arguments = tuple(_checked_argument(call, position, text, index) for position in range(len(call.arguments)))
    checked = replace(call, arguments=arguments)
    _check_required(checked, text)
    return checked


def _checked_argument(call: Call, position: int, text: str, index: int) -> Argument:
    argument = replace(call.arguments[position], name=_legal_name(call, position, text))
    if argument.op != "=" and argument.name not in ("tail_entity", "value"):
        problem = f"'{argument.op}' is no comparison for '{argument.name}'"
        raise ProgramError(problem, text, argument.place, "Only tail_entity and value can be compared.")
    value = argument.value
    if isinstance(value, OutputRef) and not 1 <= value.number <= index:
        raise ProgramError(f"query {index + 1} can only use outputs of queries before it", text, value.place)
    return replace(argument, value=_checked(value, text, index)) if isinstance(value, Call) else argument


def _legal_name(call: Call, position: int, text: str) -> str:
    legal, argument = SIGNATURES[call.function], call.arguments[position]
    if argument.name in legal:
        return argument.name
    if not argument.name:
        if legal is not SEARCH_ARGUMENTS and position < len(legal):
            return legal[position]
        raise ProgramError("this argument has no name", text, argument.place, f"Write {legal[0]}='...'.")
    if (alias := ALIASES.get(argument.name)) in legal:
        return str(alias)
    near = difflib.get_close_matches(argument.name, legal, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Arguments of {call.function}: {', '.join(legal)}."
    raise ProgramError(f"{call.function} has no argument '{argument.name}'", text, argument.place, hint)


def _check_required(call: Call, text: str) -> None:
    required = {"keep": ("set", "value"), "set_difference": ("set1", "set2"), "get_information": ()}.get(
        call.function, ("set",) if "set" in SIGNATURES[call.function] else ("set1", "set2")
    )
    for name in required:
        if not call.given(name):
            raise ProgramError(f"{call.function} needs {name}=...", text, call.place)
    for name in {a.name for a in call.arguments} - {"value", "tail_entity"}:
        if len(call.given(name)) > 1:
            raise ProgramError(f"{name} is given twice", text, call.given(name)[1].place)
    if not call.arguments:
        raise ProgramError(f"{call.function} needs arguments", text, call.place)
