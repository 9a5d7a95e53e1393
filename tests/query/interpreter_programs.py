"""Programs over a graph, made by hypothesis: every function, every combination of arguments, outputs in every place.

Arguments are taken from facts that are there, so that most programs find something. Names are written exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

from cgstore.kinds import Kind, read_as
from cgstore.query.ast import Call, Literal, OutputRef, Program, Value
from cgstore.query.parse import ProgramError, parse
from cgstore.values import read_span
from tests.query.interpreter_graph import TIMES, About, Fact, Graph, Node
from tests.query.interpreter_search import Sort

T = TypeVar("T")

LETTERS = ["".join(letter for place, letter in enumerate("hrtkv") if bits >> place & 1) for bits in range(1, 32)]
"""Every combination of the arguments of get_information."""

ORDER = ("<", ">", "<=", ">=")
NUMBERS = ("5", "5.0", "1,000", "-3", "1984", "1985", "0.5", "2004", "12", "50")
OF_NAMES = (
    *("min", "max", "sum", "mean", "count", "mode", "first", "last", "distinct", "keep", "keep", "set_negation"),
    *("argmin", "argmax", "abs", "extract_year", "previous_row", "next_row"),
)
OF_FACTS = ("count", "first", "last", "set_negation")
OF_NUMBERS = ("min", "max", "sum", "mean", "count", "mode", "first", "last", "distinct", "keep", "abs", "extract_year")
ARITHMETIC = ("subtract", "difference", "add", "multiply", "divide")
TO_NUMBERS = ("sum", "mean", "count", "abs", "extract_year", "previous_row", "next_row", *ARITHMETIC)


def quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


Written = tuple[str, Sort]
"""The text of a call, or of a reference to an output, and what it holds as far as can be told."""


@dataclass
class Writer:
    """Draws the calls of one program."""

    draw: st.DrawFn
    graph: Graph
    sorts: list[Sort] = field(default_factory=list)

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(1, 100)) > 100 - percent

    def pick(self, options: Sequence[T]) -> T:
        return self.draw(st.sampled_from(options))

    def call(self, depth: int = 0) -> Written:
        """Any call; one that uses an output, wherever there are outputs."""
        kind = self.pick(["search"] * 4 + ["set", "set"] + (["of set"] * 5 + ["two"] * 2 if self.sorts else []))
        if kind == "search":
            return self.search(depth)
        if kind == "two":
            return self.of_two(depth)
        return self.of_sets(depth) if kind == "set" else self.of_set(depth)

    def given(self, depth: int, sorts: Sequence[Sort] = ()) -> Written:
        """An output, mostly of one of these sorts, or a nested call."""
        fitting = [n for n, sort in enumerate(self.sorts, 1) if sort in sorts or not sorts or self.chance(4)]
        if fitting and (depth > 1 or not self.chance(15)):
            number = self.pick(fitting[::-1])
            return quoted(f"output_of_query{number}"), self.sorts[number - 1]
        return self.call(depth + 1) if depth < 2 else self.search(3)

    # get_information

    def search(self, depth: int) -> Written:
        fact, said = self.anchor()
        letters = self.pick(LETTERS)
        if "t" in letters and "v" in letters and "k" not in letters and not self.chance(3):
            letters = letters.replace("v", "")
        key, values, is_said = self.key(fact, said, letters)
        relation = self.relation(fact, depth)
        head = self.head(fact, depth) if "h" in letters else ""
        parts = [f"head_entity={head}"] if head else []
        parts += [f"relation={relation}"] if "r" in letters else []
        parts += self.bounds("tail_entity", [fact.tail.name], fact.relation, depth) if "t" in letters else []
        parts += [f"key={key}"] if "k" in letters else []
        parts += self.bounds("value", values, None if is_said else fact.relation, depth) if "v" in letters else []
        facts = is_said and "v" in letters and "r" not in letters and "t" not in letters and self.is_time(key)
        return f"get_information({', '.join(parts)})", Sort.FACTS if facts else Sort.NAMES

    def is_time(self, key: str) -> bool:
        return bool(self.graph.steps) and key.strip("'").replace("_", " ") in ("time", "start time", "end time")

    def anchor(self) -> tuple[Fact, list[About]]:
        """A fact, and what is said of it."""
        fact = self.pick(self.graph.facts)
        return fact, [about for about in self.graph.abouts if about.fact == fact]

    def key(self, fact: Fact, said: list[About], letters: str) -> tuple[str, list[str], bool]:
        """A key, the values to compare with, and whether it speaks of facts."""
        if said and self.chance(70):
            about = self.pick(said)
            name = about.key.name.replace(" ", "_") if about.key.owner in self.graph.steps else about.key.name
            return quoted(name), [about.value.name], True
        head = fact.tail if letters == "hrk" else fact.head
        others = [f for f in self.graph.facts if f.head == head] or list(self.graph.facts)
        other = self.pick(others)
        return quoted(other.relation.name), [other.tail.name], False

    def relation(self, fact: Fact, depth: int) -> str:
        if Sort.NAMES in self.sorts and self.chance(4):
            return self.given(depth, [Sort.NAMES])[0]
        return quoted(fact.relation.name if self.chance(85) else self.pick(sorted(self.graph.relations)).name)

    def head(self, fact: Fact, depth: int) -> str:
        if self.sorts and self.chance(50):
            return self.given(depth, [Sort.NAMES])[0]
        if self.chance(15):
            return quoted(fact.tail.name)
        if fact.head.is_row and self.chance(80):
            return quoted(self.pick([f.tail.name for f in self.graph.facts if f.head == fact.head]))
        return quoted(fact.head.name)

    def bounds(self, argument: str, values: Sequence[str], relation: Node | None, depth: int) -> list[str]:
        """One comparison, or two."""
        count = 2 if self.chance(15) else 1
        return [argument + self.bound(values, relation, depth) for _ in range(count)]

    def bound(self, values: Sequence[str], relation: Node | None, depth: int) -> str:
        if self.sorts and self.chance(40):
            return self.pick(("=", "=", *ORDER)) + self.given(depth, [Sort.NAMES, Sort.NUMBERS])[0]
        if self.chance(55):
            return f"={quoted(self.pick(values))}"
        if self.chance(12):
            return f"{self.pick(('=', '>=', '<'))}{quoted(self.pick(('most', 'least', 'max', 'lowest')))}"
        reading = self.graph.reading(relation) if relation is not None else None
        tails = [f.tail.name for f in self.graph.facts if f.relation == relation]
        numbers = [t for t in tails if reading and reading.span(t) is not None] if not self.chance(3) else tails
        return f"{self.pick(('=', *ORDER))}{quoted(self.pick([*NUMBERS, *numbers, *numbers]))}"

    # Functions

    def of_set(self, depth: int) -> Written:
        given, sort = self.given(depth)
        if sort is Sort.FACTS and self.chance(95):
            function = self.pick(OF_FACTS)
        else:
            function = self.pick(OF_NAMES if sort is Sort.NAMES or self.chance(4) else OF_NUMBERS)
        parts = [f"set={given}"]
        if function == "keep":
            values = [f.tail.name for f in self.graph.facts] + [about.value.name for about in self.graph.abouts]
            parts += self.bounds("value", values, None, depth)
        if function.startswith("arg") and self.chance(50):
            parts += [f"relation={quoted(self.pick(sorted(self.graph.relations)).name)}"]
        return f"{function}({', '.join(parts)})", Sort.NUMBERS if function in TO_NUMBERS else sort

    def of_sets(self, depth: int) -> Written:
        function = self.pick(["set_union", "set_intersection", "set_difference"])
        first, sort = self.given(depth)
        count = 2 if function == "set_difference" or self.chance(80) else 3
        sets = [first] + [self.another_set(depth, sort) for _ in range(count - 1)]
        parts = [f"set{number}={each}" for number, each in enumerate(sets, 1)]
        return f"{function}({', '.join(parts)})", sort

    def another_set(self, depth: int, sort: Sort) -> str:
        if sort is Sort.NAMES and self.chance(15):
            return quoted(self.pick(self.graph.facts).tail.name)
        return self.given(depth, [sort])[0]

    def of_two(self, depth: int) -> Written:
        function = self.pick([*ARITHMETIC, "compare", "compare", "if", "equals"])
        if function == "if":
            sides = [self.given(depth, [Sort.NUMBERS])[0] for _ in range(2)]
            operator = quoted(self.pick(("=", *ORDER)))
            branches, sort = self.branches(depth)
            chosen = zip(("then", "else"), branches, strict=False)
            parts = [f"value1={sides[0]}", f"value2={sides[1]}", f"operator={operator}"]
            return f"if({', '.join([*parts, *(f'{name}={text}' for name, text in chosen)])})", sort
        sides = [self.one_number(depth) for _ in range(2)]
        parts = [f"value{number}={side}" for number, side in enumerate(sides, 1)]
        if function == "compare":
            parts += [f"operator={quoted(self.pick(('<', '>')))}"] if self.chance(50) else []
            return f"compare({', '.join(parts)})", Sort.NAMES
        if function == "equals":
            return f"equals({', '.join(parts)})", Sort.WORDS
        return f"{function}({', '.join(parts)})", Sort.NUMBERS

    def branches(self, depth: int) -> tuple[list[str], Sort]:
        """Of an `if`: one output, or words. Left out: outputs that hold different kinds of things (see LEFT_OUT)."""
        if self.chance(40):
            return ["'yes'", "'no'"], Sort.WORDS
        then, sort = self.given(depth)
        return [then], sort

    def one_number(self, depth: int) -> str:
        if self.chance(15):
            return quoted(self.pick(NUMBERS))
        if self.chance(40):
            return self.given(depth, [Sort.NUMBERS, Sort.NAMES])[0]
        return f"{self.pick(['count', 'max', 'min', 'sum', 'mean'])}(set={self.given(depth, [Sort.NAMES])[0]})"


LEFT_OUT = """\
What the engine answers otherwise than the language page, and the programs therefore do not have:

- a literal tail_entity beside a property as key, without a relation: read as the values of any relation, not the key's
- an `if` whose two sides hold different kinds of things, such as numbers and names: it cannot be compiled
- compare of times and qualifiers of a head's facts, and of how many relations a head has: not the heads
- compare of heads of a KG that were found by a number: not the values
- compare of what was asked of a literal head where tables and others are asked: rows too, and not the name
- keep of texts or qualifiers with a year: it stands for all its days there, in get_information it is the number alone
- what equals an output, where no relation is given: the same number written otherwise does not count
- a built-in time that equals an output: the same number written otherwise does not count
- rows beside those of an argmin or argmax of values that went through a function: numbers, not rows
"""


def is_left_out(graph: Graph, text: str) -> bool:
    """Whether a program has any of LEFT_OUT."""
    try:
        program = parse(text)
    except ProgramError:
        return False
    return any(_is_left_out(graph, program, call) for call in calls_of(program.queries))


def calls_of(calls: Iterable[Call]) -> Iterator[Call]:
    """The calls and all nested in them."""
    for call in calls:
        yield call
        yield from calls_of(a.value for a in call.arguments if isinstance(a.value, Call))


def reached(program: Program, value: Value) -> Iterator[Call]:
    """The calls that an argument depends on."""
    call = program.queries[value.number - 1] if isinstance(value, OutputRef) else value
    if isinstance(call, Call):
        yield call
        for argument in call.arguments:
            yield from reached(program, argument.value)


def _is_left_out(graph: Graph, program: Program, call: Call) -> bool:
    match call.function:
        case "get_information":
            return _reads_otherwise(graph, call)
        case "compare":
            return any(
                _is_of_other_subject(graph, each)
                for argument in call.arguments
                for each in reached(program, argument.value)
                if each.function == "get_information"
            )
        case "keep":
            return any(isinstance(a.value, Literal) and is_year(a.value.text) for a in call.given("value"))
        case "next_row" | "previous_row":
            every = reached(program, call.given("set")[0].value)
            return any(each.function in ("argmin", "argmax") and not each.given("relation") for each in every)
    return False


def _reads_otherwise(graph: Graph, call: Call) -> bool:
    key, relation = call.given("key"), call.given("relation")
    if not relation and any(
        a.op == "=" and not isinstance(a.value, Literal)
        for a in (*call.given("tail_entity"), *(() if key else call.given("value")))
    ):
        return True
    if not key:
        return False
    literals = [a for a in call.given("tail_entity") if isinstance(a.value, Literal)]
    if not relation and any(a.op != "=" or is_quantity(getattr(a.value, "text", "")) for a in literals):
        return True
    name = key[0].value.text.replace("_", " ") if isinstance(key[0].value, Literal) else ""
    outputs = [a for a in call.given("value") if a.op == "=" and not isinstance(a.value, Literal)]
    return bool(graph.steps) and name in TIMES.values() and bool(outputs)


def _is_of_other_subject(graph: Graph, call: Call) -> bool:
    head, key = call.given("head_entity"), call.given("key")
    of_facts = bool(key) and isinstance(key[0].value, Literal) and _is_key(graph, key[0].value.text)
    if head and (of_facts or (not call.given("relation") and (not key or call.given("tail_entity")))):
        return True
    if head and graph.tables and not graph.only_tables:
        return isinstance(head[0].value, Literal)
    literals = [a.value.text for a in call.arguments if isinstance(a.value, Literal) and a.op == "="]
    return not graph.only_tables and any(is_quantity(text) for text in literals)


def _is_key(graph: Graph, name: str) -> bool:
    return any(key.name == name.replace("_", " ") for key in graph.keys)


def is_quantity(text: str) -> bool:
    """Whether a text is a number in any reading."""
    return read_span(text) is not None or any(read_as(kind, text) is not None for kind in Kind)


def is_year(text: str) -> bool:
    """Whether a number may be meant as a year."""
    return len(text) == 4 and text.isdecimal()


def programs(graph: Graph) -> st.SearchStrategy[str]:
    """Programs of 1 to 6 calls, at times with a type in braces; some of them are not legal. None is of LEFT_OUT."""
    return written(graph).filter(lambda program: not is_left_out(graph, program))


@st.composite
def written(draw: st.DrawFn, graph: Graph) -> str:
    """A program, whatever it has."""
    writer = Writer(draw, graph)
    lines = []
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 2, 2, 3, 3, 4, 6]))):
        text, sort = writer.call()
        lines.append(text)
        writer.sorts.append(sort)
    if writer.chance(6):
        lines.insert(0, "{" + writer.pick(sorted(graph.relations)).name + "}")
    return "\n".join(lines)
