"""Programs over a graph, made by hypothesis: every function, every combination of arguments, outputs in every place.

Arguments are taken from facts that are there, so that most programs find something. Names are written exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

from cgstore.text.numbers import read_number
from tests.query.interpreter_graph import About, Fact, Graph, Node
from tests.query.interpreter_search import Sort

T = TypeVar("T")

LETTERS = ["".join(letter for place, letter in enumerate("hrtkv") if bits >> place & 1) for bits in range(1, 32)]
"""Every combination of the arguments of get_information."""

ORDER = ("<", ">", "<=", ">=")
NUMBERS = ("5", "5.0", "1,000", "-31", "1984", "1985", "0.5", "2004", "12", "50")
OF_NAMES = (
    *("min", "max", "sum", "mean", "count", "mode", "first", "last", "distinct", "keep", "keep", "set_negation"),
    *("argmin", "argmax", "abs", "extract_year", "previous_row", "next_row", "sort", "sort", "to_number", "to_integer"),
)
OF_FACTS = ("count", "first", "last", "set_negation")
OF_NUMBERS = ("min", "max", "sum", "mean", "count", "mode", "first", "last", "distinct", "keep", "abs", "sort")
ARITHMETIC = ("subtract", "difference", "add", "multiply", "divide", "year_difference", "calculate")
TO_NUMBERS = (
    *("sum", "mean", "count", "abs", "to_number", "to_integer", "extract_year", "previous_row", "next_row"),
    *ARITHMETIC,
)
WORDS = ("yes", "no", "7.25", "Nobody", "output_of_query1", "[line_99]")
"""What no node is named."""


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
        alone = ["search"] * 8 + ["set"] * 4 + ["literals"]
        kind = self.pick([*alone, *(["of set"] * 9 + ["two"] * 5 + ["of several"] if self.sorts else [])])
        match kind:
            case "search":
                return self.search(depth)
            case "literals":
                return self.literals()
            case "set":
                return self.of_sets(depth)
            case "two":
                return self.of_two(depth)
            case "of several":
                return self.of_several(depth)
        return self.of_set(depth)

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
        if len(self.graph.sources) > 1 and self.chance(15):
            parts.append(f"source={quoted(fact.source if self.chance(80) else self.pick(self.graph.sources))}")
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
        if function == "sort" and self.chance(60):
            parts += [self.pick(["order='descending'", "order='asc'", "ascending=False"])]
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

    def of_several(self, depth: int) -> Written:
        """An aggregate of several sets."""
        function = self.pick(["min", "max", "sum", "mean"])
        first, sort = self.given(depth, [Sort.NAMES, Sort.NUMBERS])
        sets = [first] + [self.another_set(depth, sort) for _ in range(self.pick([1, 1, 2]))]
        parts = [f"set{number}={each}" for number, each in enumerate(sets, 1)]
        return f"{function}({', '.join(parts)})", Sort.NUMBERS if function in TO_NUMBERS else sort

    def literals(self) -> Written:
        """Names, numbers or words, mostly all of one kind."""
        names = [fact.tail.name for fact in self.graph.facts] + [fact.head.name for fact in self.graph.facts]
        options: Sequence[str] = self.pick([names, names, NUMBERS, WORDS, [*names, *NUMBERS, *WORDS]])
        texts = [self.pick(options) for _ in range(self.pick([1, 2, 2, 3]))]
        written = f"literals({', '.join(f'set={quoted(text)}' for text in texts)})"
        if all(self.graph.entity(text) or text.startswith("[line_") for text in texts):
            return written, Sort.NAMES
        return written, Sort.NUMBERS if all(read_number(text) is not None for text in texts) else Sort.WORDS

    def another_set(self, depth: int, sort: Sort) -> str:
        if sort is Sort.NAMES and self.chance(15):
            return quoted(self.pick(self.graph.facts).tail.name)
        return self.given(depth, [sort])[0]

    def of_two(self, depth: int) -> Written:
        function = self.pick([*ARITHMETIC, "compare", "compare", "if", "equals", "greater_than", "less_than"])
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
        if function in ("equals", "greater_than", "less_than"):
            return f"{function}({', '.join(parts)})", Sort.WORDS
        if function == "calculate":
            parts += [f"operator={quoted(self.pick('-+*/'))}"]
        if function == "difference" and self.chance(30):
            parts += [f"unit={quoted(self.pick(('years', 'year')))}"]
        return f"{function}({', '.join(parts)})", Sort.NUMBERS

    def branches(self, depth: int) -> tuple[list[str], Sort]:
        """Of an `if`: words, one output, or two, mostly of one kind; a name may stand beside an output."""
        if self.chance(40):
            return ["'yes'", "'no'"], Sort.WORDS
        then, sort = self.given(depth)
        return [then, self.another_set(depth, sort)] if self.chance(50) else [then], sort

    def one_number(self, depth: int) -> str:
        if self.chance(15):
            return quoted(self.pick(NUMBERS))
        if self.chance(40):
            return self.given(depth, [Sort.NUMBERS, Sort.NAMES])[0]
        return f"{self.pick(['count', 'max', 'min', 'sum', 'mean'])}(set={self.given(depth, [Sort.NAMES])[0]})"


@st.composite
def programs(draw: st.DrawFn, graph: Graph) -> str:
    """A program of 1 to 6 calls, at times with a type in braces; some are not legal."""
    writer = Writer(draw, graph)
    lines = []
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 2, 2, 3, 3, 4, 6]))):
        text, sort = writer.call()
        lines.append(text)
        writer.sorts.append(sort)
    if writer.chance(6):
        lines.insert(0, "{" + writer.pick(sorted(graph.relations)).name + "}")
    return "\n".join(lines)
