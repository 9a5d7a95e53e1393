"""Programs as the small model writes them: one line, short, and total over the query language.

A search names what it gives, `|` an entity it goes from, `:` conditions on heads, and `@` qualifiers of a fact:

    player                                          all values of a relation
    directed by | "Glass Hill"                      the tails of an entity, or of a search in brackets
    player : school = "butler" & year > 1990        the values of the heads for which all conditions hold
    * : directed by = (directed by | "Glass Hill")  the heads themselves
    position held | "Ann" @ time = 1990             what held at a time
    * : position held = "mayor" @ start_time > 1900
    * | "Ann" : position held = "mayor"             the head itself, if the fact holds
    @time | "Ann" : position held = "mayor"         a qualifier of facts
    item ; orders                                   of one source

Everything else is a call with its arguments in the order of `query.functions`: `count(* : school = "butler")`,
`group(club | each, of=goals | each)`; a search of another shape is `get(h=..., r=..., t=..., k=..., v>...)`. Names
stand bare, in backticks where they hold a sign of the notation; texts are in double quotes, numbers and days bare.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from cgstore.errors import BadInput
from cgstore.llm.masking import with_literals
from cgstore.query.ast import Argument, Call, Each, Literal, OutputRef, Program, Value
from cgstore.query.functions import FUNCTIONS, FURTHER, LITERALS, SEARCH, Function

TIME_KEYS = ("time", "start_time", "end_time")
"""The qualifiers of temporal facts."""

NO_ANSWER = "nothing"
"""What the model writes where the data do not say it."""

NAMES_OF = ("relation", "source", "unit", "function", "operator", "order", "which", "separator", "at_most", "reverse",
            "ascending", "n")  # fmt: skip
"""Arguments whose literals are words of the language or names of relations, and stand bare."""

LETTERS = {"h": "head_entity", "r": "relation", "t": "tail_entity", "k": "key", "v": "value", "s": "source"} | {
    f"{letter}{number or ''}": f"{name}{number or ''}"
    for number in ("", 2)
    for letter, name in (("wk", "where_key"), ("wv", "where_value"))
}
"""The arguments of `get`."""

_SIGNS = re.compile(r"[\"`(),:&@=<>|;*]")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?|\d{4}-\d\d(?:-\d\d)?", re.ASCII)
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<name>`(?:[^`\\]|\\.)*`)|(?P<sign><=|>=|[(),:&@=<>|;*])|(?P<words>[^"`(),:&@=<>|;*]+))'
)
_ESCAPED = re.compile(r"\\(.)")
_OPERATORS = ("=", "<", ">", "<=", ">=")


class NotationError(BadInput):
    """The text is not a program in the notation."""


def nested(program: Program) -> Call:
    """The last call of a program with the outputs that it uses in their places."""
    outputs: list[Call] = []

    def inlined(value: Value) -> Value:
        if isinstance(value, OutputRef):
            return outputs[value.number - 1]
        if isinstance(value, Call):
            return replaced(value)
        return value

    def replaced(call: Call) -> Call:
        return Call(call.function, tuple(Argument(a.name, a.op, inlined(a.value)) for a in call.arguments))

    for query in program.queries:
        outputs.append(replaced(query))
    return outputs[-1]


def renamed(call: Call, name: Callable[[str], str], source: Callable[[str], str], value: Callable[[str], str]) -> Call:
    """A call with other names of its relations and keys, of its sources, and of its other literals.

    Words of the language, such as the unit of a difference, stay.
    """

    def other(within: Call, argument: Argument, text: str) -> str:
        if argument.name == "source":
            return source(text)
        if argument.name in ("relation", "key", *_WHERE_KEYS) or _is_body(FUNCTIONS[within.function], argument.name):
            return name(text)
        return text if argument.name in NAMES_OF else value(text)

    return with_literals(call, other)


# Writing --------------------------------------------------------------------------------------------------------------


def written(call: Call, qualifiers: Collection[str] = TIME_KEYS) -> str:
    """Writes a nested call in the notation; `qualifiers` are the keys that facts of the sources have."""
    return _Writer(frozenset(qualifiers) | {*TIME_KEYS, "start time", "end time"}).expression(call)


def name_text(name: str) -> str:
    """The name of a relation, key or source as the notation has it."""
    bare = not _SIGNS.search(name) and name == " ".join(name.split()) and name and not _NUMBER.fullmatch(name)
    return name if bare and name != "each" else f"`{_escaped(name, '`')}`"


def value_text(text: str) -> str:
    """A text or number as the notation has it."""
    return text if _NUMBER.fullmatch(text) else f'"{_escaped(text, chr(34))}"'


def _escaped(text: str, quote: str) -> str:
    return text.replace("\\", "\\\\").replace(quote, f"\\{quote}")


class _Writer:
    def __init__(self, qualifiers: frozenset[str]) -> None:
        self._qualifiers = qualifiers

    def expression(self, value: Value) -> str:
        match value:
            case Literal(text=text):
                return value_text(text)
            case Each():
                return "each"
            case OutputRef():
                raise NotationError("A reference to another query has no place in the notation.")
        conditions = self._conditions(value)
        if conditions:
            return f"* : {' & '.join(conditions)}"
        if value.function == SEARCH:
            return self._search(value) or self._get(value)
        if value.function == "heads":
            return f"*{self._source(value)}"
        return self._call(value)

    def _operand(self, value: Value) -> str:
        text = self.expression(value)
        is_search = isinstance(value, Call) and not _CALLED.match(text)
        return f"({text})" if is_search else text

    def _conditions(self, call: Value) -> list[str] | None:
        """The conditions of a call that gives the heads for which they hold; None if it gives something else."""
        if not isinstance(call, Call):
            return None
        if call.function == "set_intersection":
            each = [self._conditions(a.value) for a in call.arguments]
            return [text for some in each if some for text in some] if all(each) else None
        if call.given("source"):
            return None
        given = {a.name for a in call.arguments}
        if call.function == "heads" and given == {"relation"}:
            return [self._name(call, "relation")]
        if call.function != SEARCH:
            return None
        is_fact = bool(call.given("key")) and self._is_qualifier(call)
        if given == {"key", "value"} and not is_fact and self._has_name(call, "key"):
            return self._bounds(call, "key", "value")
        if not self._has_name(call, "relation") or "head_entity" in given:
            return None
        if given == {"relation", "tail_entity"}:
            return self._bounds(call, "relation", "tail_entity")
        if given == {"relation", "tail_entity", "key", "value"} and not is_fact and self._has_name(call, "key"):
            return [*self._bounds(call, "relation", "tail_entity"), *self._bounds(call, "key", "value")]
        if is_fact and given - _WHERE <= {"relation", "tail_entity", "key", "value"} and call.given("value"):
            tails = self._bounds(call, "relation", "tail_entity") or [self._name(call, "relation")]
            return [f"{tails[0]}{self._at(call)}", *tails[1:]]
        return None

    def _search(self, call: Call) -> str | None:
        """A search by its parts; None if the notation has no such shape."""
        given = {a.name for a in call.arguments} - {"source"} - _WHERE
        source = self._source(call)
        heads = call.given("head_entity")
        if len(heads) > 1 or (given & {"key"} and not self._has_name(call, "key")):
            return None
        if "relation" in given and not self._has_name(call, "relation"):
            return None
        head = f" | {self._operand(heads[0].value)}" if heads else ""
        if given in ({"head_entity", "relation", "tail_entity"}, _WHOLE_FACT) and len(call.given("tail_entity")) == 1:
            (condition,) = self._bounds(call, "relation", "tail_entity")
            if given == _WHOLE_FACT and not self._is_qualifier(call):
                return None
            return f"*{head} : {condition}{self._at(call) if given == _WHOLE_FACT else ''}{source}"
        if "key" in given and self._is_qualifier(call):
            return self._of_facts(call, given, head, source)
        if given & {"value", "tail_entity"} and not (given <= {"relation", "head_entity", "key", "value"}):
            return None
        if given == {"relation", "head_entity"} and (conditions := self._conditions(heads[0].value)) and not source:
            return f"{self._name(call, 'relation')} : {' & '.join(conditions)}"
        if given in ({"relation"}, {"relation", "head_entity"}):
            return f"{self._name(call, 'relation')}{head}{source}"
        if given in ({"key"}, {"key", "head_entity"}):
            return f"{self._name(call, 'key')}{head}{source}"
        if given == {"head_entity"}:
            return f"*{head}{source}"
        if given - {"head_entity"} == {"relation", "key", "value"}:
            return f"{self._name(call, 'relation')}{head} : {' & '.join(self._bounds(call, 'key', 'value'))}{source}"
        if given == {"relation", "tail_entity"}:
            return f"* : {' & '.join(self._bounds(call, 'relation', 'tail_entity'))}{source}"
        if given == {"key", "value"}:
            return f"* : {' & '.join(self._bounds(call, 'key', 'value'))}{source}"
        return None

    def _of_facts(self, call: Call, given: set[str], head: str, source: str) -> str | None:
        """A search by a qualifier of facts."""
        tails = self._bounds(call, "relation", "tail_entity") if "relation" in given else []
        if ("tail_entity" in given and not tails) or len(tails) > 1:
            return None
        condition = tails[0] if tails else self._name(call, "relation") if "relation" in given else ""
        if "value" not in given:
            of = f" : {condition}" if condition else ""
            return f"@{self._name(call, 'key')}{head}{of}{self._where(call)}{source}"
        at = self._at(call)
        if head and "tail_entity" in given:
            return None
        if head or not condition:
            return f"{condition or '*'}{head}{at}{source}"
        return f"* : {condition}{at}{source}"

    def _at(self, call: Call) -> str:
        bounds = "".join(f" @ {text}" for text in self._bounds(call, "key", "value"))
        return f"{bounds}{self._where(call)}"

    def _where(self, call: Call) -> str:
        return "".join(f" @ {text}" for key, value in FURTHER for text in self._bounds(call, key, value))

    def _bounds(self, call: Call, name: str, value: str) -> list[str]:
        return [f"{self._name(call, name)} {a.op} {self._operand(a.value)}" for a in call.given(value)]

    def _is_qualifier(self, call: Call) -> bool:
        (key, *_) = call.given("key")
        return isinstance(key.value, Literal) and key.value.text in self._qualifiers

    @staticmethod
    def _has_name(call: Call, name: str) -> bool:
        given = call.given(name)
        return len(given) == 1 and given[0].op == "=" and isinstance(given[0].value, Literal)

    @staticmethod
    def _name(call: Call, name: str) -> str:
        value = call.given(name)[0].value
        if not isinstance(value, Literal):
            raise NotationError(f"The {name} of a search is not a name.")
        return name_text(value.text)

    def _source(self, call: Call) -> str:
        relation = f" : {self._name(call, 'relation')}" if call.function == "heads" and call.given("relation") else ""
        return f"{relation} ; {self._name(call, 'source')}" if call.given("source") else relation

    def _get(self, call: Call) -> str:
        letters = {name: letter for letter, name in LETTERS.items()}
        parts = []
        for a in call.arguments:
            is_name = isinstance(a.value, Literal) and a.name in ("relation", "key", "source", *_WHERE_KEYS)
            text = name_text(a.value.text) if is_name else self._operand(a.value)  # type: ignore[union-attr]
            parts.append(f"{letters[a.name]}{a.op}{text}")
        return f"get({', '.join(parts)})"

    def _call(self, call: Call) -> str:
        row = FUNCTIONS[call.function]
        names, parts = list(row.arguments), []
        positional = True
        for place, a in enumerate(call.arguments):
            is_next = positional and (_is_several(row, a.name) or (place < len(names) and names[place] == a.name))
            text = self._argument(row, a)
            if a.op != "=":
                parts.append(f"{a.op} {text}")
            elif is_next:
                parts.append(text)
            else:
                positional = False
                parts.append(f"{a.name}={text}")
        return f"{call.function}({', '.join(parts)})"

    def _argument(self, row: Function, argument: Argument) -> str:
        value = argument.value
        if isinstance(value, Literal) and (_is_body(row, argument.name) or argument.name in NAMES_OF):
            return value.text if argument.name == "operator" else name_text(value.text)
        return self.expression(value)


_WHOLE_FACT = {"head_entity", "relation", "tail_entity", "key", "value"}
_WHERE_KEYS = tuple(key for key, _ in FURTHER)
_WHERE = {name for pair in FURTHER for name in pair}
_CALLED = re.compile(rf"(?:{'|'.join(sorted(FUNCTIONS, key=len, reverse=True))}|get)\(")


def _is_several(row: Function, name: str) -> bool:
    """Whether arguments of this name follow each other by place (`set1`, `set2`, `column`, the set of `literals`)."""
    stem = name.rstrip("0123456789")
    return (stem == "set" and (row.several or row.arguments[0] == "set1")) or bool(
        row.repeated and stem == row.repeated
    )


def _is_body(row: Function, name: str) -> bool:
    return name in row.body or bool(row.repeated and name.rstrip("0123456789") == row.repeated)


# Reading --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Sign:
    kind: str
    text: str


def read(text: str) -> Call:
    """The call that a text in the notation stands for.

    Raises:
        NotationError: it is malformed.
    """
    reader = _Reader(list(_tokens(text)))
    value = reader.expression()
    if reader.left or not isinstance(value, Call):
        raise NotationError(f"This is no program: {text}")
    return value


def _tokens(text: str) -> Iterator[_Sign]:
    at, text = 0, text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.end() == at:
            raise NotationError(f"This cannot be read: {text[at:]}")
        at = match.end()
        kind = str(match.lastgroup)
        token = match[kind].strip()
        if kind in ("text", "name"):
            token = _ESCAPED.sub(r"\1", token[1:-1])
        if token or kind in ("text", "name"):
            yield _Sign(kind, token)


class _Reader:
    def __init__(self, signs: Sequence[_Sign]) -> None:
        self._signs, self._at = signs, 0

    @property
    def left(self) -> bool:
        return self._at < len(self._signs)

    def _next(self, *signs: str) -> bool:
        """Whether one of these signs comes next, which is then taken."""
        if self._sees(*signs):
            self._at += 1
            return True
        return False

    def _sees(self, *signs: str, ahead: int = 0) -> bool:
        at = self._at + ahead
        return at < len(self._signs) and self._signs[at].kind == "sign" and self._signs[at].text in signs

    def _expect(self, sign: str) -> None:
        if not self._next(sign):
            raise NotationError(f"`{sign}` is missing.")

    def _take(self) -> _Sign:
        if not self.left:
            raise NotationError("The program ends too early.")
        self._at += 1
        return self._signs[self._at - 1]

    def _name(self) -> str:
        token = self._take()
        if token.kind not in ("name", "words"):
            raise NotationError(f"A name is missing before `{token.text}`.")
        return token.text

    def expression(self) -> Value:
        """A literal, `each`, a call or a search."""
        if not self.left:
            raise NotationError("The program ends too early.")
        token = self._signs[self._at]
        if token.kind == "words" and self._sees("(", ahead=1):
            return self._call()
        if token.kind == "text" or (token.kind == "words" and _NUMBER.fullmatch(token.text)):
            return Literal(self._take().text)
        if token.kind == "words" and token.text == "each":
            self._at += 1
            return Each()
        return self._search()

    def _operand(self) -> Value:
        if self._next("("):
            value = self.expression()
            self._expect(")")
            return value
        token = self._signs[self._at] if self.left else None
        is_value = token is not None and (token.kind == "text" or token.text == "each" or _NUMBER.fullmatch(token.text))
        if token is None or not (is_value or self._sees("(", ahead=1)):
            raise NotationError("A value is missing.")
        return self.expression()

    def _search(self) -> Call:
        is_key = self._next("@")
        target = None if not is_key and self._next("*") else self._name()
        head = self._operand() if self._next("|") else None
        bounds = self._bounds()
        conditions: list[_Condition] = []
        if self._next(":"):
            conditions.append(self._condition())
            while self._next("&"):
                conditions.append(self._condition())
        source = Literal(self._name()) if self._next(";") else None
        if is_key:
            return _key_search(str(target), head, conditions, bounds, source)
        return _search_call(target, head, conditions, bounds, source)

    def _condition(self) -> _Condition:
        name = self._name()
        op, value = "", None
        if self._sees(*_OPERATORS):
            op, value = self._take().text, self._operand()
        return _Condition(name, op, value, self._bounds())

    def _bounds(self) -> list[_Condition]:
        found = []
        while self._next("@"):
            name = self._name()
            if not self._sees(*_OPERATORS):
                raise NotationError(f"What `{name}` is compared with is missing.")
            found.append(_Condition(name, self._take().text, self._operand(), []))
        return found

    def _call(self) -> Call:
        name = self._take().text
        self._expect("(")
        if name != "get" and name not in FUNCTIONS:
            raise NotationError(f"There is no function `{name}`.")
        arguments: list[Argument] = []
        while not self._next(")"):
            if arguments:
                self._expect(",")
            arguments.append(self._letter() if name == "get" else self._argument(FUNCTIONS[name], len(arguments)))
        return Call(SEARCH if name == "get" else name, tuple(arguments))

    def _letter(self) -> Argument:
        name, op = LETTERS.get(self._name(), ""), self._take().text
        if not name or op not in _OPERATORS:
            raise NotationError("An argument of `get` is unknown.")
        if name in ("relation", "key", "source", *_WHERE_KEYS) and not self._sees("("):
            return Argument(name, op, Literal(self._name()))
        return Argument(name, op, self._operand())

    def _argument(self, row: Function, place: int) -> Argument:
        op, name = "=", ""
        if row.name == "keep" and self._sees(*_OPERATORS):
            op, name = self._take().text, "value"
        elif self._sees("=", ahead=1) and self._signs[self._at].text in row.arguments:
            name = self._take().text
            self._at += 1
        name = name or _name_at(row, place)
        if name == "operator":
            return Argument(name, op, Literal(self._take().text))
        if name in NAMES_OF:
            return Argument(name, op, Literal(self._name()))
        value = self.expression()
        if _is_body(row, name) and isinstance(value, Call) and (bare := _bare_name(value)):
            value = Literal(bare)
        return Argument(name, op, value)


@dataclass(frozen=True)
class _Condition:
    """A relation that a head has, with a value it is compared with and bounds on qualifiers of that fact."""

    name: str
    op: str
    value: Value | None
    bounds: Sequence[_Condition]

    @property
    def call(self) -> Call:
        """The heads for which it holds."""
        if not self.op and not self.bounds:
            return Call("heads", (Argument("relation", "=", Literal(self.name)),))
        return _get(relation=Literal(self.name), more=[*self.tail, *_at(self.bounds)])

    @property
    def tail(self) -> list[Argument]:
        return [Argument("tail_entity", self.op, self.value)] if self.value is not None else []


def _at(
    bounds: Sequence[_Condition], names: Sequence[tuple[str, str]] = (("key", "value"), *FURTHER)
) -> list[Argument]:
    """Bounds on qualifiers; the first two of one key are two bounds on one value."""
    arguments: list[Argument] = []
    keys: dict[str, str] = {}
    for bound in bounds:
        if bound.name not in keys:
            if len(keys) == len(names):
                raise NotationError("There are too many qualifiers.")
            key, keys[bound.name] = names[len(keys)]
            arguments.append(Argument(key, "=", Literal(bound.name)))
        assert bound.value is not None
        arguments.append(Argument(keys[bound.name], bound.op, bound.value))
    return arguments


def _get(*, relation: Value | None = None, head: Value | None = None, source: Value | None = None,
         more: Sequence[Argument] = ()) -> Call:  # fmt: skip
    named = (("head_entity", head), ("relation", relation))
    given = [Argument(name, "=", value) for name, value in named if value is not None]
    last = [Argument("source", "=", source)] if source is not None else []
    return Call(SEARCH, (*given, *more, *last))


def _key_search(key: str, head: Value | None, conditions: Sequence[_Condition], bounds: Sequence[_Condition],
                source: Value | None) -> Call:  # fmt: skip
    if len(conditions) > 1:
        raise NotationError("A qualifier is asked of one fact at a time.")
    relation = Literal(conditions[0].name) if conditions else None
    tail = conditions[0].tail if conditions else []
    where = [*bounds, *(conditions[0].bounds if conditions else [])]
    more = [*tail, Argument("key", "=", Literal(key)), *_at(where, FURTHER)]
    return _get(head=head, relation=relation, more=more, source=source)


def _search_call(target: str | None, head: Value | None, conditions: Sequence[_Condition],
                 bounds: Sequence[_Condition], source: Literal | None) -> Call:  # fmt: skip
    relation = Literal(target) if target is not None else None
    if not conditions:
        if relation is None and head is None and not bounds:
            return Call("heads", (Argument("source", "=", source),) if source else ())
        return _get(head=head, relation=relation, more=_at(bounds), source=source)
    if bounds:
        raise NotationError("A qualifier stands behind the condition that it belongs to.")
    simple = all(c.op and not c.bounds for c in conditions)
    if relation is not None and simple and len({c.name for c in conditions}) == 1 and (head or len(conditions) == 1):
        values = [Argument("value", c.op, c.value) for c in conditions if c.value is not None]
        more = [Argument("key", "=", Literal(conditions[0].name)), *values]
        return _get(head=head, relation=relation, more=more, source=source)
    if head is not None:
        if relation is not None or len(conditions) > 1 or not conditions[0].op:
            raise NotationError("An entity and several conditions do not go together.")
        more = [*conditions[0].tail, *_at(conditions[0].bounds)]
        return _get(head=head, relation=Literal(conditions[0].name), more=more, source=source)
    calls = [_with_source(c.call, source) for c in conditions]
    heads = calls[0] if len(calls) == 1 else _intersection(calls)
    return heads if relation is None else _get(head=heads, relation=relation, source=source)


def _intersection(calls: Sequence[Call]) -> Call:
    return Call("set_intersection", tuple(Argument(f"set{n}", "=", call) for n, call in enumerate(calls, 1)))


def _with_source(call: Call, source: Literal | None) -> Call:
    return Call(call.function, (*call.arguments, Argument("source", "=", source))) if source else call


def _name_at(row: Function, place: int) -> str:
    """The name of an argument by its place."""
    if row.name == LITERALS:
        return "set"
    if row.several and place and row.arguments[0] == "set":
        return f"set{place + 1}"
    if row.repeated and place >= row.arguments.index(row.repeated):
        return f"{row.repeated}{place - row.arguments.index(row.repeated) + 1}"
    if place >= len(row.arguments):
        raise NotationError(f"`{row.name}` has too many arguments.")
    return row.arguments[place]


def _bare_name(call: Call) -> str:
    """The relation of a search that has nothing else."""
    (first, *more) = call.arguments or (None,)
    is_bare = call.function == SEARCH and first is not None and first.name == "relation" and not more
    return first.value.text if is_bare and first and isinstance(first.value, Literal) else ""
