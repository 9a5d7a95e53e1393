"""Text -> form: S-expressions as in the benchmarks, and skeletons with `[ surface names ]` as models write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeGuard

from cgstore.errors import BadInput
from cgstore.query.ast import Place
from cgstore.query.parse import MAX_LENGTH, ProgramError, grammar
from cgstore.query.sexpr import forms
from cgstore.text.names import is_unicode, many

if TYPE_CHECKING:
    from lark import Token, Tree

MAX_DEPTH = 50
"""Most lists within each other."""

WORDS = {"LESS THAN": "LT", "LESS EQUAL": "LE", "GREATER THAN": "GT", "GREATER EQUAL": "GE"}
"""The functions that skeletons write in two words (ChatKBQA)."""

_USAGE = {
    "JOIN": "(JOIN relation x)",
    "AND": "(AND x y)",
    "OR": "(OR x y)",
    "DIFF": "(DIFF x y)",
    "COUNT": "(COUNT x)",
    "ARGMAX": "(ARGMAX x relation)",
    "ARGMIN": "(ARGMIN x relation)",
    **{function: f"({function} relation value)" for function in forms.SIGNS},
    "TC": "(TC x relation time)",
    "R": "(R relation)",
}
"""How each function is written."""

FUNCTIONS = frozenset(_USAGE)

_MACHINE_ID = re.compile(r"[mg]\.[0-9a-z_]+", re.IGNORECASE)
_CLASS = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z0-9_]+)+")
_ROW = re.compile(r"line_\d+")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def read_sexpr(text: str) -> forms.Form:
    """The form that an S-expression stands for.

    Names are symbols (`m.0abc`, `people.person.spouse`), texts in double quotes (`"Tom Hanks"`), or
    surface names in brackets (`[ Tom Hanks ]`). Functions may be in lower case.

    Raises:
        ProgramError: it is malformed; the message shows the place.
        BadInput: it is too long, or not Unicode text.
    """
    from lark.exceptions import UnexpectedInput

    if len(text) > MAX_LENGTH:
        raise BadInput(f"The S-expression has {len(text):,} characters; at most {MAX_LENGTH:,} are read.")
    if not is_unicode(text):
        raise BadInput("The S-expression is not valid Unicode text.", "Is the terminal or the file in UTF-8?")
    if not text.strip():
        raise BadInput("There is no S-expression.", 'Write for example: (JOIN (R spouse) "Marie Curie")')
    try:
        tree = grammar("cgstore.query.sexpr").parse(text)
    except UnexpectedInput as error:
        at = min(max(error.pos_in_stream or 0, 0), len(text))
        raise _malformed(text, at) from error
    return _Reader(text).form(tree.children[0])


def _malformed(text: str, at: int) -> ProgramError:
    end = min(at + 1, len(text))
    outside = _QUOTED.sub("", text)
    if '"' in outside:
        quote = text.rindex('"')
        return ProgramError("the quote that opens here is not closed", text, (quote, quote + 1))
    if (missing := outside.count("(") - outside.count(")")) > 0:
        problem = "a ')' is missing at the end" if missing == 1 else f"{missing} ')' are missing at the end"
        return ProgramError(problem, text, (len(text), len(text) + 1))
    if missing < 0 and text[at:end] == ")":
        return ProgramError("there is a ')' too many", text, (at, end))
    return ProgramError("something stands here that does not belong to the S-expression", text, (at, end))


class _Reader:
    """Builds forms from the syntax tree of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0

    # Forms ------------------------------------------------------------------------------------------------------------

    def form(self, item: Any, *, in_set: bool = False) -> forms.Form:
        """The form of an item; `in_set`: where a symbol such as `film.film` means the instances of a class."""
        if _is_token(item):
            return self.leaf(item, in_set)
        function, arguments, place = self.function(item)
        if function == "R":
            hint = "Write (JOIN (R relation) x)."
            raise ProgramError("(R ...) is a relation, and a set is needed here", self.text, place, hint)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ProgramError(f"lists are nested more than {MAX_DEPTH} deep", self.text, place)
        built = self.built(function, arguments, place)
        self.depth -= 1
        return built

    def built(self, function: str, arguments: list[Any], place: Place) -> forms.Form:
        """The form of a list that begins with a function."""
        match function:
            case "JOIN":
                operand = self.form(arguments[1])
                for step in reversed(self.path(arguments[0])):
                    operand = forms.Join(step, operand, place)
                return operand
            case "COUNT":
                return forms.Count(self.form(arguments[0], in_set=True), place)
            case "ARGMAX" | "ARGMIN":  # ChatKBQA also writes the relations of a path one after the other
                path = tuple(step for each in arguments[1:] for step in self.path(each))
                return forms.Extreme(function, self.form(arguments[0], in_set=True), path, place)
            case "TC":
                return self.time(arguments, place)
            case "AND" | "OR" | "DIFF":
                return forms.Combination(function, tuple(self.form(each, in_set=True) for each in arguments), place)
        value = self.form(arguments[1])
        if not isinstance(value, forms.Value):
            hint = f"Write {_USAGE[function]}."
            raise ProgramError(f"{function} compares with a value as written", self.text, place, hint)
        return forms.OrderComparison(function, self.path(arguments[0]), value, place)

    def time(self, arguments: list[Any], place: Place) -> forms.Form:
        """TC, which takes one relation and one time."""
        path, time = self.path(arguments[1]), self.form(arguments[2])
        if len(path) > 1 or path[0].inverse:
            hint = f"Write {_USAGE['TC']}."
            raise ProgramError("a time constraint takes one relation", self.text, path[0].place, hint)
        if not isinstance(time, forms.Value):
            raise ProgramError("the time of a constraint is a year, a month, a day or NOW", self.text, place)
        operand = self.form(arguments[0], in_set=True)
        return forms.TimeConstraint(operand, path[0], forms.Name(time.text, time.place), place)

    # Relations --------------------------------------------------------------------------------------------------------

    def path(self, item: Any) -> forms.Path:
        """A relation, `(R relation)`, or `(JOIN relation relation)`."""
        if _is_token(item):
            return (forms.Step(_text(item), place=_place(item)),)
        function, arguments, place = self.function(item)
        if function == "R":
            return tuple(step.inverted for step in reversed(self.path(arguments[0])))
        if function == "JOIN":
            return tuple(step for each in arguments for step in self.path(each))
        hint = "Write relation, (R relation) or (JOIN relation relation)."
        raise ProgramError(f"{function} is not a relation", self.text, place, hint)

    # Parts ------------------------------------------------------------------------------------------------------------

    def function(self, item: Tree[Token]) -> tuple[str, list[Any], Place]:
        """The function of a list, its arguments and its place; checked for their number."""
        place = (item.meta.start_pos, item.meta.end_pos)
        begins = f"A list begins with one of {', '.join(_USAGE)}."
        if not item.children:
            raise ProgramError("this list is empty", self.text, place, begins)
        first, arguments = item.children[0], list(item.children[1:])
        word = _text(first).upper() if _is_token(first) and first.type == "SYMBOL" else ""
        if arguments and _is_token(arguments[0]) and f"{word} {_text(arguments[0]).upper()}" in WORDS:
            word, arguments = WORDS[f"{word} {_text(arguments[0]).upper()}"], arguments[1:]
        if word not in FUNCTIONS:
            at = _place(first) if _is_token(first) else place
            raise ProgramError("this is not a function of S-expressions", self.text, at, begins)
        low, high = ARITY.get(word, (2, 2))
        if not low <= len(arguments) <= high:
            problem = f"{word} has {many(len(arguments), 'argument')}"
            problem += f", and takes at most {high}" if len(arguments) > high else ""
            hint = f"Write {_USAGE[word]}, and names with blanks in double quotes."
            raise ProgramError(problem, self.text, place, hint)
        return word, arguments, place

    def leaf(self, token: Token, in_set: bool) -> forms.Form:
        """A name, a typed value, or a class."""
        place = _place(token)
        if token.type == "TYPED":
            value, _, datatype = str(token).rpartition("^^")
            return forms.TypedLiteral(_unquoted(value), _local(datatype), place)
        text = _text(token)
        if token.type == "SYMBOL":
            value, caret, datatype = text.partition("^^")
            if caret:
                return forms.TypedLiteral(value, _local(datatype), place)
            if in_set and is_class_name(text):
                return forms.ClassName(text, place)
        if token.type == "BRACKETED" and in_set and " , " in token and is_class_name(text):
            return forms.ClassName(text, place)
        if token.type == "BRACKETED" and " , " in token and '"' not in token and not _CLASS.fullmatch(text):
            return forms.Name(" ".join(str(token)[1:-1].split()).replace(" , ", ", "), place)  # `[ Vernon , Texas ]`
        return forms.Name(text, place)


ARITY = {
    **dict.fromkeys(("AND", "OR"), (2, 20)),
    **dict.fromkeys(("COUNT", "R"), (1, 1)),
    **dict.fromkeys(forms.EXTREMES, (2, 6)),
    "TC": (3, 3),
}
"""The least and the most arguments of a function; of all others it is two."""


def _is_token(item: Tree[Token] | Token) -> TypeGuard[Token]:
    return isinstance(item, str)


def _place(token: Token) -> Place:
    return token.start_pos or 0, token.end_pos or 0


def _text(token: Token) -> str:
    """The name that a token writes: unquoted, or a surface name, where ` , ` stands for the dots of an identifier."""
    if token.type == "QUOTED":
        return _unquoted(str(token))
    if token.type != "BRACKETED":
        return str(token)
    quoted = str(token)[1:-1].strip()
    if quoted.startswith('"') and quoted.endswith('"') and len(quoted) > 1:
        return _unquoted(quoted)
    surface = " ".join(quoted.split())
    if _ROW.fullmatch(surface):
        return f"[{surface}]"
    parts = surface.split(" , ")
    return ".".join(part.replace(" ", "_") for part in parts) if len(parts) > 1 else surface


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(r"\1", text[1:-1])


def is_class_name(text: str) -> bool:
    """Whether a symbol such as `film.film` means the instances of a class where a set stands."""
    return bool(_CLASS.fullmatch(text)) and not _MACHINE_ID.fullmatch(text)


def _local(datatype: str) -> str:
    """The local name of a datatype: of `<http://www.w3.org/2001/XMLSchema#integer>` and `xsd:integer` alike."""
    return re.split(r"[#:/]", datatype.strip("<>"))[-1]
