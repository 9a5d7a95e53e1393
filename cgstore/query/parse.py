"""Text -> Program: the grammar of the LLM query language, with errors that show the place and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from cgstore.errors import BadInput
from cgstore.query.ast import Argument, Call, Each, Literal, OutputRef, Place, Program, Value, output_number
from cgstore.query.functions import (
    FUNCTIONS,
    FURTHER,
    LITERALS,
    MAX_ARGUMENTS,
    SEARCH,
    SYNONYMS,
    UNCLEAR,
    legal_argument,
)
from cgstore.query.reply import OUTPUT, QueryText, lone_calls, read_infix, read_reply, without_brackets
from cgstore.text.dates import read_moment
from cgstore.text.likeness import similar
from cgstore.text.names import is_unicode
from cgstore.text.numbers import read_number

if TYPE_CHECKING:
    from lark import Lark

MAX_LENGTH = 200_000
"""Longest program, in characters."""

MAX_QUERIES = 50
"""Most calls in a program, nested ones counted."""

MAX_TOKENS = 5_000
"""Most words and signs of a query."""

MAX_LITERALS = 1_000
"""Most arguments of `literals`."""

EACH = "each"
"""The name of the element in a call that is run for each element of a set."""

NOT_FOR_EACH = ("set_negation", "reach")
"""Functions that cannot stand in such a call, beside those that have one themselves."""

COMPARABLE = ("tail_entity", "value", *(value for _, value in FURTHER))
"""Arguments that may be compared by order, and be given more than once."""

TEXT_TESTS = ("contains", "starts_with", "ends_with")
"""Arguments of `keep` that are about the text of elements; each may be given more than once."""

_OPERATORS = {"==": "=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">="}
_MISSING_COMMA = re.compile(
    r"['\"]\s+(head_entity|tail_entity|relation|key|value|source|where_key2?|where_value2?|set\d?)\s*(?:[<>]=?|=)\s*['\"]"
)
_NEXT_CALL = re.compile(r"(['\"’”])\s*\n\s*([A-Za-z_]\w*)\s*\(")
_CALLABLE = FUNCTIONS.keys() | SYNONYMS.keys()
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


NO_LLM_ASKED = "An LLM could give the values of a function that nobody defined, but none is asked here."


class UnknownFunction(ProgramError):
    """A function that the language does not have: it would be left to an LLM (language page, section 9)."""

    def __init__(self, call: Call, text: str) -> None:
        near = similar(call.function, [*FUNCTIONS, *SYNONYMS], least=0.7)
        known = f"Did you mean {near[0]}? " if near else f"Functions: {', '.join(FUNCTIONS)}. "
        known = f"{UNCLEAR[call.function]} " if call.function in UNCLEAR else known
        hint = f"{known}{NO_LLM_ASKED}"
        place = (call.place[0], call.place[0] + len(call.function))
        super().__init__(f"there is no function '{call.function}'", text, place, hint)
        self.function = call.function


def parse(text: str, *, undefined: bool = False) -> Program:
    """The program that a reply or a bare list of calls holds.

    Args:
        text: the reply, or the calls.
        undefined: whether calls of functions that nobody defined stay in it as they are written.

    Raises:
        ProgramError: it is malformed, calls an unknown function, or refers to an output that is not there.
    """
    if len(text) > MAX_LENGTH:
        raise BadInput(f"The program has {len(text):,} characters; at most {MAX_LENGTH:,} are read.")
    if not is_unicode(text):
        raise BadInput("The program is not valid Unicode text.", "Is the terminal or the file in UTF-8?")
    queries, target = read_reply(text)
    if not queries:
        raise BadInput("There is no query in this program.", "Write for example: get_information(head_entity='Ulm')")
    for name, place in lone_calls(text):
        if name in _CALLABLE:
            number = 1 + sum(query.offset < place[0] for query in queries)
            hint = f"Write 'Query{number}: ' before it, or leave the line out."
            raise ProgramError("this call stands on no Query line, and would be ignored", text, place, hint)
    if len(queries) > MAX_QUERIES:
        at = queries[MAX_QUERIES].offset
        raise _too_many("query", MAX_QUERIES, len(queries), text, (at, at + 1))
    calls = tuple(call for query in queries for call in _parse_calls(query, text))
    every = [call for outer in calls for call in outer.all_calls()]
    if len(every) > MAX_QUERIES:
        raise _too_many("call", MAX_QUERIES, len(every), text, every[MAX_QUERIES].place)
    return Program(tuple(_Checker(text, index, undefined).call(call) for index, call in enumerate(calls)), text, target)


@cache
def grammar(package: str) -> Lark:
    """The parser of the `grammar.lark` in a package."""
    from lark import Lark

    source = resources.files(package).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(source, parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=False)


def _parse_calls(query: QueryText, text: str) -> list[Call]:
    from lark.exceptions import UnexpectedInput

    if (written_out := read_infix(query)) is not None:
        return [written_out]
    query = without_brackets(query)
    try:
        tree = _tree(query, text)
        return list(map(_Builder(text, query.offset).call, tree.children))
    except UnexpectedInput as error:
        problem, at = _what_is_wrong(error, query)
        raise ProgramError(problem, text, (query.offset + at, query.offset + at + 1)) from error
    except RecursionError as error:
        raise ProgramError("calls are nested too deeply", text, (query.offset, query.offset + 1)) from error


def _tree(query: QueryText, text: str) -> Any:
    """The syntax tree, built token by token, so that a text of endless ones is left early."""
    parser = grammar("cgstore.query").parse_interactive(query.text)
    for number, token in enumerate(parser.iter_parse()):
        if number > MAX_TOKENS:
            at = query.offset + (token.start_pos or 0)
            raise ProgramError(f"at most {MAX_TOKENS:,} words and signs are read", text, (at, at + 1))
    return parser.feed_eof()  # type: ignore[no-untyped-call]


def _too_many(what: str, most: int, there: int, text: str, place: Place) -> ProgramError:
    return ProgramError(f"this is {what} {most + 1} of {there:,}; at most {most} are read", text, place)


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


_AFTER_QUOTE = ' \t\n\r"”`.,;'
"""What may stand after the last value of a query that lacks its last parenthesis."""


def _what_is_wrong(error: Any, query: QueryText) -> tuple[str, int]:
    """The problem, and its place in the query's text."""
    end = len(query.text.rstrip(_AFTER_QUOTE))
    is_open = query.text.count("(") > query.text.count(")")
    terminals = getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", None)
    if getattr(getattr(error, "token", None), "type", "") == "$END":
        return "a ')' is missing at the end" if is_open else f"expected {_expected(terminals)}", end
    found = error.pos_in_stream if isinstance(error.pos_in_stream, int) and error.pos_in_stream >= 0 else end
    if query.text[found : found + 1] == ")" and query.text.count(")") > query.text.count("("):
        return "there is a ')' too many", found
    if query.text[found : found + 1] not in ("'", '"', "‘", "“"):
        return f"expected {_expected(terminals)}", found
    quoted = query.text[found:].rstrip(_AFTER_QUOTE.replace('"', ""))
    closing = _CLOSING[quoted[0]]
    if is_open and len(quoted) > 1 and quoted.rstrip('"' if closing != '"' else "")[-1] in closing:
        return "a ')' is missing at the end", end
    if not any(mark in quoted[1:] for mark in closing):
        return "the quote that opens here is not closed", found
    return "after the closing quote of this text stands neither ',' and an argument nor ')'", found


_CLOSING = {"'": "'", '"': '"', "‘": "’‘", "“": "”“"}


def _expected(terminals: Any) -> str:
    names = sorted({_TERMINALS[t] for t in terminals or () if t in _TERMINALS})
    return " or ".join(names) if names else "a call such as get_information(head_entity='Ulm')"


@dataclass(frozen=True)
class _Builder:
    """Makes calls of the syntax tree of a query that begins at `offset` of the program's text."""

    text: str
    offset: int

    def place(self, node: Any) -> Place:
        where = getattr(node, "meta", node)
        return self.offset + where.start_pos, self.offset + where.end_pos

    def call(self, tree: Any) -> Call:
        name, *arguments = tree.children
        given = (argument for each in arguments for argument in self.arguments(each, str(name)))
        return Call(str(name), tuple(given), self.place(tree))

    def arguments(self, tree: Any, function: str) -> Iterator[Argument]:
        """An argument; the comparison in `if(count(...) > 5, ...)` or `if(output_of_query1 > 5, ...)` is three."""
        place = self.place(tree)
        if tree.data == "positional":
            yield Argument("", "=", self.value(tree.children[0]), place)
            return
        left, op, value = tree.children
        sign = _OPERATORS.get(str(op), str(op))
        if tree.data == "named":
            yield Argument(str(left), sign, self.value(value), place)
            return
        if SYNONYMS.get(function, function) not in ("if", "compare"):
            hint = "Write the call as a query of its own, and compare its output: keep(set=..., value>'5')."
            raise ProgramError("a comparison of outputs can only stand in if and compare", self.text, place, hint)
        yield Argument("value1", "=", self.value(left), place)
        yield Argument("value2", "=", self.value(value), place)
        yield Argument("operator", "=", Literal(sign, self.place(op)), place)

    def value(self, tree: Any) -> Value:
        if tree.data == "call":
            return self.call(tree)
        token = str(tree.children[0])
        place = self.place(tree.children[0])
        if tree.data == "quoted" and (missing := _MISSING_COMMA.search(token)):
            argument = (place[0] + missing.start(1), place[0] + missing.end(1))
            raise ProgramError("a ',' is missing before this argument", self.text, argument)
        if tree.data == "quoted" and (call := _NEXT_CALL.search(token)) and call[2] in _CALLABLE:
            end = place[0] + call.end(1)
            raise ProgramError("a ')' is missing after this value", self.text, (end - 1, end))
        content = _ESCAPE.sub(r"\1", token[1:-1]) if tree.data == "quoted" else token.strip()
        if match := OUTPUT.fullmatch(content.strip()):
            return OutputRef(output_number(match[1]), place)
        return Literal(content, place)


@dataclass(frozen=True)
class _Checker:
    """Checks the calls of one query of a program, and gives them legal names.

    Args:
        text: the program.
        index: how many queries stand before this one.
        undefined: whether functions that nobody defined may be called.
    """

    text: str
    index: int
    undefined: bool

    def error(self, problem: str, place: Place, hint: str | None = None) -> ProgramError:
        return ProgramError(problem, self.text, place, hint)

    def call(self, call: Call) -> Call:
        """The call with legal names; refuses unknown functions, arguments and outputs that are not there yet."""
        function = call.function if call.function in FUNCTIONS else SYNONYMS.get(call.function)
        if function is None and not self.undefined:
            raise UnknownFunction(call, self.text)
        most = MAX_LITERALS if function == LITERALS else MAX_ARGUMENTS
        if len(call.arguments) > most:
            raise _too_many("argument", most, len(call.arguments), self.text, call.arguments[most].place)
        if function is None:
            return call.with_values(self.value)
        arguments: list[Argument] = []
        for written in call.arguments:
            taken = sum(a.name in ("value1", "value2") for a in arguments)
            name = legal_argument(function, written.name, len(arguments), taken)
            arguments.append(self.named(call, function, written, name))
        if function == LITERALS:
            arguments = [_as_literal(argument, self.text) for argument in arguments]
        checked = Call(function, tuple(arguments), call.place).with_values(self.value)
        self.check_required(checked)
        return self.with_each(checked) if FUNCTIONS[function].body else checked

    def named(self, call: Call, function: str, written: Argument, name: str | None) -> Argument:
        """The argument with its legal name."""
        if name is None:
            legal = FUNCTIONS[function].arguments
            if not written.name:
                raise self.error("this argument has no name", written.place, f"Write {legal[0]}='...'.")
            near = similar(written.name, legal)
            listed = ", ".join((*legal[:2], "...") if len(legal) == MAX_ARGUMENTS else legal)
            hint = f"Did you mean {near[0]}?" if near else f"Arguments of {function}: {listed}."
            raise self.error(f"{call.function} has no argument '{written.name}'", written.place, hint)
        if written.op != "=" and name not in COMPARABLE:
            hint = "Only tail_entity and value can be compared."
            raise self.error(f"'{written.op}' cannot be used with '{name}'", written.place, hint)
        if name == "source" and not isinstance(written.value, Literal):
            raise self.error("source takes the name of a source", written.place, "Write it out: source='...'.")
        return replace(written, name=name)

    def value(self, argument: Argument) -> Value:
        """The value of an argument, if it can be had in this query."""
        value = argument.value
        if isinstance(value, OutputRef) and not 1 <= value.number <= self.index:
            raise self.error(f"query {self.index + 1} can only use outputs of queries before it", value.place)
        return self.call(value) if isinstance(value, Call) else value

    def with_each(self, call: Call) -> Call:
        """A call with a body: `each` in it is the element at hand, and a relation alone stands for its values."""
        body = FUNCTIONS[call.function].body

        def value_of(argument: Argument) -> Value:
            value = argument.value
            if isinstance(value, Literal):
                return _each_or_its_values(value)
            return self.of_each(value, call.function) if isinstance(value, Call) else value

        return call.with_values(lambda a: value_of(a) if a.name in body else a.value)

    def of_each(self, call: Call, outer: str) -> Call:
        """A call within the body of `outer`."""
        row = FUNCTIONS.get(call.function)
        if row is None:
            raise UnknownFunction(call, self.text)
        if row.body or call.function in NOT_FOR_EACH:
            hint = "Write it as a query of its own, and use its output here."
            raise self.error(f"{call.function} cannot be run for each element of {outer}", call.place, hint)

        def value_of(argument: Argument) -> Value:
            value = argument.value
            if isinstance(value, Call):
                return self.of_each(value, outer)
            if not isinstance(value, Literal):
                return value
            is_side = argument.name in ("value1", "value2") and call.function != "equals"
            if is_side or (argument.name == "set" and call.function != LITERALS):
                is_value = read_number(value.text) is not None or read_moment(value.text) is not None
                return value if is_value else _each_or_its_values(value)
            return Each(value.place) if value.text == EACH else value

        return call.with_values(value_of)

    def check_required(self, call: Call) -> None:
        """Refuses a call that lacks an argument, or has one twice."""
        row = FUNCTIONS[call.function]
        for name in row.required_arguments:
            if not call.given(name):
                written = ", ".join(f"{each}=..." for each in row.required_arguments)
                hint = f"Write {row.name}({written})."
                if row.name == "calculate":
                    hint = "Write operator='+', '-', '*' or '/'; of two dates, year_difference(value1=..., value2=...)."
                raise self.error(f"{call.function} needs {name}=...", call.place, hint)
        repeated = COMPARABLE if call.function in (SEARCH, "keep") else ("set",) if row.several else (row.repeated,)
        repeated = (*repeated, *TEXT_TESTS) if call.function == "keep" else repeated
        for name in {a.name for a in call.arguments}.difference(repeated):
            if len(call.given(name)) > 1:
                raise self.error(f"{name} is given twice", call.given(name)[1].place)
        if call.function == "keep" and not any(call.given(name) for name in ("value", *TEXT_TESTS)):
            hint = "Write value>'5', contains='...', starts_with='...' or ends_with='...'."
            raise self.error("keep needs value=... or contains=...", call.place, hint)
        for names in FURTHER:
            there = [name for name in names if call.given(name)]
            if there and (len(there) < len(names) or not call.given("key")):
                hint = f"Write key='...', {names[0]}='...', {names[1]}='...': all of them speak of one statement."
                lacking = next(name for name in (*names, "key") if not call.given(name))
                raise self.error(f"{there[0]} needs {lacking}=...", call.given(there[0])[0].place, hint)
        if all(a.name == "source" for a in call.arguments) and call.function not in (LITERALS, "heads"):
            raise self.error(f"{call.function} needs arguments", call.place)


def _each_or_its_values(literal: Literal) -> Each | Call:
    """The element, or its values under a relation."""
    if literal.text == EACH:
        return Each(literal.place)
    head = Argument("head_entity", "=", Each(literal.place), literal.place)
    return Call(SEARCH, (head, Argument("relation", "=", literal, literal.place)), literal.place)


def _as_literal(argument: Argument, text: str) -> Argument:
    """The argument as a literal, also where it reads as an output."""
    if not isinstance(argument.value, OutputRef):
        return argument
    start, end = argument.value.place
    return replace(argument, value=Literal(text[start:end].strip("'\""), argument.value.place))
