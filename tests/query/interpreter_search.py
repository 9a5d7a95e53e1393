"""get_information as the language page defines it, by looking at every fact."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import NamedTuple

from cgstore.text.dates import Span
from cgstore.text.kinds import ValueKind, reads_otherwise
from cgstore.text.numbers import is_padded
from tests.query.interpreter_graph import PLAIN, About, Fact, Graph, Node, Reading


class NoMeaning(Exception):
    """The program is not legal."""


class Sort(Enum):
    """What an output holds."""

    NAMES = "names"
    FACTS = "facts"
    NUMBERS = "numbers"
    WORDS = "words"


Element = Node | Fact | float | str
"""What an answer consists of: an entity, value, relation or row; a fact; a computed number; a word."""

Record = tuple[tuple[Element, ...], ...]
"""What a `select` gives for an element: for each column its values, in their order."""

Origin = Fact | About | None
"""What gave an element that is a value: a fact, or what is said of one."""


class Found(NamedTuple):
    """An element with what gave it, and how it is read.

    `own` is the number that `for_each` or `group` gave it, and `text` the value that this was read from, if any.
    """

    element: Element
    origin: Origin = None
    reading: Reading = PLAIN
    own: float | None = None
    text: str | None = None

    @property
    def number(self) -> float | None:
        if self.own is not None:
            return self.own
        if isinstance(self.element, Node):
            if self.element.owner:  # a relation is no number, whatever its name
                return float(line_of(self.element)) if self.element.is_row else None
            return self.reading.number(self.element.name)
        return self.element if isinstance(self.element, float) else None


@dataclass(frozen=True)
class Output:
    """The output of a call: an element stands once for each fact that gave it.

    `whose` is what `compare` gives for it: what its heads were found by, the heads it was asked of, or what was
    counted; None: the elements themselves. `found_by` is what the elements, being heads, were found by. `rows`: they
    are rows, and `cells`: they are values of rows, whatever is found. `columns`: the names of the relations whose
    values they are, whatever is found; None where they may be something else. `order` is that of a `sort`, and
    `disordered` says that there was one, which is lost. `numbered`: it is a set with numbers. `records`: those of a
    `select`, in their order, each with a list of elements for every column.
    """

    sort: Sort
    found: tuple[Found, ...]
    whose: Output | None = None
    found_by: tuple[Found, ...] | None = None
    rows: bool = False
    cells: bool = False
    columns: frozenset[str] | None = None
    order: tuple[Element, ...] | None = None
    disordered: bool = False
    numbered: bool = False
    records: tuple[Record, ...] | None = None

    @property
    def was_sorted(self) -> bool:
        return self.order is not None or self.disordered

    @property
    def alone(self) -> Output:
        """The elements of a set with numbers alone; any other set as it is."""
        if not self.numbered:
            return self
        return replace(self, found=_once(Found(found.element) for found in self.found), numbered=False)

    @property
    def elements(self) -> set[Element]:
        return {found.element for found in self.found}

    @property
    def nodes(self) -> set[Node]:
        return {element for element in self.elements if isinstance(element, Node)}


class Comparison(NamedTuple):
    """`op bound`: a literal, or an earlier output; `nodes` are those that a literal names.

    `plain`: the relations are an earlier output, so that a literal is a plain number, a year or a date.
    """

    op: str
    bound: str | Output
    nodes: frozenset[Node] = frozenset()
    plain: bool = False

    def span(self, reading: Reading) -> Span | None:
        """The numbers that a literal means among values that are read so."""
        assert isinstance(self.bound, str)
        return (PLAIN if self.plain else reading).span(self.bound)

    @property
    def superlative(self) -> str | None:
        """`most` and the like, where that is what is asked."""
        literal = isinstance(self.bound, str) and self.bound in SUPERLATIVES
        return str(self.bound) if literal and (self.op != "=" or not self.nodes) else None


GREATEST = ("max", "maximum", "highest", "largest", "greatest", "biggest", "latest")
LEAST = ("min", "minimum", "lowest", "smallest", "fewest", "earliest")
SUPERLATIVES = ("most", "least", *GREATEST, *LEAST)


ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def is_text_of_a_cell(text: str, reading: Reading) -> bool:
    """Whether a literal, if a cell has this text, means that cell and not a number: `1.250` among decimal commas."""
    return reads_otherwise(reading.kind, text) or is_padded(text)


def satisfies(value: Found, comparison: Comparison, by_name: bool) -> bool:
    """Whether a value satisfies a comparison that is not by frequency; `by_name`: what equals it has its name."""
    op, bound, nodes, _ = comparison
    if isinstance(bound, Output):
        return any(_satisfies_element(value, op, other, by_name) for other in bound.found)
    span = comparison.span(value.reading)
    if (
        op == "="
        and not comparison.plain
        and any(node.name == bound for node in nodes)
        and is_text_of_a_cell(bound, value.reading)
    ):
        return value.element in nodes
    if op != "=":
        if span is None or value.number is None:
            return False
        return ORDER[op](value.number, span.hi if op in (">", "<=") else span.lo)
    if span is None or value.reading.kind is ValueKind.SCORE:
        return value.element in nodes
    return value.number is not None and span.lo <= value.number <= span.hi


def _satisfies_element(value: Found, op: str, other: Found, by_name: bool) -> bool:
    number = value.number
    if op != "=":
        return number is not None and other.number is not None and ORDER[op](number, other.number)
    if isinstance(other.element, float):
        return number == other.number
    is_row = isinstance(other.element, Node) and other.element.is_row
    by_name = by_name or is_row or value.reading.kind in (ValueKind.TEXT, ValueKind.SCORE)
    return value.element == other.element or (number is not None and number == other.number and not by_name)


class Arguments(NamedTuple):
    """The arguments given: None is not given.

    `heads`: nodes. `relations`: nodes. `keys`: the keys of facts and, apart, the relations that it names. `further`:
    keys of facts and comparisons, which the same statement has to satisfy.
    """

    heads: frozenset[Node] | None = None
    relations: frozenset[Node] | None = None
    tail: tuple[Comparison, ...] = ()
    fact_keys: frozenset[Node] | None = None
    properties: frozenset[Node] | None = None
    value: tuple[Comparison, ...] = ()
    further: tuple[tuple[frozenset[Node], tuple[Comparison, ...]], ...] = ()

    @property
    def letters(self) -> str:
        """Which of h, r, t, k, v are given."""
        key = self.fact_keys is not None or self.properties is not None
        given = (self.heads is not None, self.relations is not None, bool(self.tail), key, bool(self.value))
        return "".join(letter for letter, there in zip("hrtkv", given, strict=True) if there)


def get_information(graph: Graph, a: Arguments) -> Output:
    """The part of the facts that is not given; of a name that is both kinds of key, the union of both readings."""
    if "t" in a.letters and "v" in a.letters and "k" not in a.letters:
        raise NoMeaning("tail_entity and value together need a key")
    superlative = any(comparison.superlative for comparison in a.value)
    if superlative and a.fact_keys and ("t" in a.letters or a.letters.startswith("hr")):
        raise NoMeaning("superlatives are of all facts that have the key")
    return Search(graph).run(a)


OF_HEADS = ("t", "v", "rt", "rv", "tk", "kv", "tkv", "rtkv", "hrt", "hrv", "htk", "hkv", "hrtkv")
"""What gives heads where the key, if any, is a property."""

OF_VALUES = ("r", "k", "hr", "hk", "rk", "hrk", "rtk", "hrtk", "rkv", "hrkv")
"""What gives values where the key, if any, is a property."""

OF_ONE_LITERAL = ("t", "v", "rt", "rv", "tk", "kv")


class Search:
    """All searches over one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def run(self, a: Arguments) -> Output:
        if "k" not in a.letters:
            found = self.plain(a.heads, a.relations, a.tail or a.value)
            return self.output(a, Sort.NAMES, found or self.beside(a))
        of_facts = a.fact_keys and not (a.properties and self.reads_no_qualifier(a))
        sort, found = self.about_facts(a) if of_facts else (Sort.NAMES, [])
        if a.properties:
            if sort is Sort.FACTS:
                raise NoMeaning("facts and nodes together")
            found = found + (self.of_heads(a) or self.beside(a))
        return self.output(a, sort, found)

    def output(self, a: Arguments, sort: Sort, found: list[Found]) -> Output:
        """The output, with what its elements were found by where they are heads."""
        column = a.relations if a.letters[-2:] in ("rt", "rv") else a.properties
        column = None if a.letters in ("t", "v", "tkv") else column
        rows = a.letters in OF_HEADS and not a.fact_keys and self.graph.of_tables(column)
        comparisons = a.tail or a.value
        literal = a.letters in OF_ONE_LITERAL and len(comparisons) == 1 and comparisons[0].op == "="
        by = self.found_by(comparisons[0], a, found) if literal and sort is Sort.NAMES else None
        under = a.relations if a.letters in ("r", "hr", "rkv", "hrkv") else a.properties
        cells = a.letters in OF_VALUES and not a.fact_keys and self.graph.of_tables(under)
        return Output(sort, _once(found), None, by, rows, cells, self.columns(a))

    def columns(self, a: Arguments) -> frozenset[str] | None:
        """The names of the relations and keys whose values are asked for."""
        asked: list[frozenset[Node] | None] = []
        if a.fact_keys:
            asked.append(a.fact_keys if "v" not in a.letters else a.relations if a.letters == "hrkv" else None)
        if a.properties or not a.fact_keys:
            under = a.relations if a.letters in ("r", "hr", "rkv", "hrkv") else a.properties
            asked.append(under if a.letters in OF_VALUES else None)
        return None if None in asked else frozenset(node.name for nodes in asked for node in nodes or ())

    def found_by(self, comparison: Comparison, a: Arguments, heads: list[Found]) -> tuple[Found, ...] | None:
        """The name that heads were found by, or the values that are the number that they were found by."""
        if isinstance(comparison.bound, Output) or comparison.superlative:
            return None
        keys = a.fact_keys or frozenset()
        given = a.relations if a.properties is None else a.properties
        relations = frozenset[Node]() if a.fact_keys and a.properties is None else given or self.graph.relations
        readings = {*map(self.graph.reading, relations), *map(self.graph.reading_of_key, keys)}
        by_number = [r for r in readings if r.kind is not ValueKind.SCORE and r.span(comparison.bound) is not None]
        if comparison.nodes and not by_number:
            return tuple(Found(node) for node in sorted(comparison.nodes))
        nodes = {found.element for found in heads if isinstance(found.element, Node)}
        said = [x for x in self.graph.abouts if x.key in keys and x.fact.head in nodes]
        of_facts = compared([Found(x.value, x) for x in said], [comparison], [PLAIN])
        return *self.tails(self.match(nodes, relations, [comparison])), *of_facts

    def match(
        self,
        heads: Iterable[Node] | None = None,
        relations: Iterable[Node] | None = None,
        tail: Sequence[Comparison] = (),
        said_of: Iterable[Fact] = (),
    ) -> list[Fact]:
        """The facts that agree with all that is given, those among them of which something is said."""
        facts = list({**dict.fromkeys(self.graph.facts), **dict.fromkeys(said_of)})
        asked = self.graph.relations if relations is None else frozenset(relations)
        tails = [self.tail(f) for f in facts if f.relation in asked]
        kept = compared(tails, tail, {self.graph.reading(relation) for relation in asked}, by_name=relations is None)
        among = None if heads is None else frozenset(heads)
        return [f for f in origins(kept) if isinstance(f, Fact) and (among is None or f.head in among)]

    def plain(
        self, heads: Iterable[Node] | None, relations: Iterable[Node] | None, tail: Sequence[Comparison]
    ) -> list[Found]:
        """What is asked of facts: relations of heads, tails, or heads."""
        if heads is not None and relations is None and not tail:
            return [Found(relation) for head, relation in sorted(self.graph.has) if head in heads]
        facts = self.match(heads, relations, tail)
        if not tail:
            return [self.tail(f) for f in facts]
        return [_relation(f) for f in facts] if heads is not None and relations is None else [_head(f) for f in facts]

    def tail(self, fact: Fact) -> Found:
        return Found(fact.tail, fact, self.graph.reading(fact.relation))

    def tails(self, facts: Iterable[Fact]) -> list[Found]:
        return [self.tail(fact) for fact in facts]

    def of_heads(self, a: Arguments) -> list[Found]:
        """The answer where the key is a property of the head."""
        match = self.match
        key = a.properties or frozenset()
        so = heads_of(match(None, key, a.value))
        match a.letters:
            case "k" | "kv" | "hk" | "hkv":
                return self.plain(a.heads, key, a.value)
            case "tk" | "htk":
                return self.plain(a.heads, key, a.tail)
            case "rk" | "rtk" | "hrtk":
                return self.tails(match(heads_of(match(a.heads, a.relations, a.tail)), key))
            case "hrk":
                return self.tails(match({f.tail for f in match(a.heads, a.relations)}, key))
            case "rkv" | "hrkv":
                return self.tails(f for f in match(a.heads, a.relations) if f.head in so)
            case "htkv":
                return [_relation(f) for f in match(a.heads, None, a.tail) if f.head in so]
            case "tkv" | "rtkv" | "hrtkv":
                return [_head(f) for f in match(a.heads, a.relations, a.tail) if f.head in so]
        raise AssertionError(a.letters)

    def about_facts(self, a: Arguments) -> tuple[Sort, list[Found]]:
        """The answer where the key speaks of whole facts."""
        asked = {key: self.graph.reading_of_key(key) for key in a.fact_keys or ()}
        values = [Found(x.value, x, asked[x.key]) for x in self.graph.abouts if x.key in asked]
        values = compared(values, a.value, asked.values())
        facts = set(self.match(a.heads, a.relations, a.tail, [x.fact for x in self.graph.abouts]))
        values = [value for value in values if isinstance(value.origin, About) and value.origin.fact in facts]
        for keys, comparisons in a.further:
            compared([], comparisons, {self.graph.reading_of_key(key) for key in keys})  # legal, whatever there is
        values = [v for v in values if isinstance(v.origin, About) and self.says_further(v.origin, a.further)]
        if "v" not in a.letters:
            return Sort.NAMES, values
        is_time = any(reading.step for reading in asked.values())
        if a.letters in ("kv", "hkv") and is_time:
            return Sort.FACTS, [Found(named(x.fact)) for x in origins(values) if isinstance(x, About)]
        part = self.tail if a.letters == "hrkv" else _relation if a.letters == "htkv" else _head
        return Sort.NAMES, [part(x.fact) for x in origins(values) if isinstance(x, About)]

    def says_further(self, about: About, further: Sequence[tuple[frozenset[Node], tuple[Comparison, ...]]]) -> bool:
        """Whether the same statement of a fact says all this too; of a temporal fact, the same period."""
        same = [x for x in self.graph.abouts if (x.fact, x.number) == (about.fact, about.number)]
        others = []
        for keys, comparisons in further:
            said = [Found(x.value, x, self.graph.reading_of_key(x.key)) for x in same if x.key in keys]
            readings = {self.graph.reading_of_key(key) for key in keys}
            others.append([x for x in origins(compared(said, comparisons, readings)) if isinstance(x, About)])
        return any(self.graph.are_of_one_period([about, *each]) for each in product(*others))

    def reads_no_qualifier(self, a: Arguments) -> bool:
        """Whether a literal is compared that qualifiers cannot be compared with."""
        ordered = [comparison for comparison in a.value if comparison.op != "=" and not comparison.superlative]
        return any(isinstance(each.bound, str) and PLAIN.span(each.bound) is None for each in ordered)

    def beside(self, a: Arguments) -> list[Found]:
        """Where a step gives nothing, heads of nothing stand for the heads that have them under the relation."""
        if a.letters not in ("hr", "hk", "hrk") or a.heads is None:
            return []
        if a.letters != "hrk":
            return self.of_or_beside(a.heads, a.relations if a.properties is None else a.properties)
        tails = self.of_or_beside(a.heads, a.relations)
        return self.of_or_beside({f.element for f in tails if isinstance(f.element, Node)}, a.properties)

    def of_or_beside(self, heads: Iterable[Node], relations: Iterable[Node] | None) -> list[Found]:
        """The tails of heads; if there are none, for heads of nothing those of what has them, in the same source."""
        heads = set(heads)
        if found := self.match(heads, relations):
            return self.tails(found)
        none = heads - self.graph.heads
        under = self.match(None, relations)
        beside = {(fact.head, fact.relation) for fact in under if fact.tail in none}
        return self.tails(fact for fact in under if (fact.head, fact.relation) in beside)


def compared(
    values: Sequence[Found],
    comparisons: Sequence[Comparison],
    readings: Iterable[Reading],
    *,
    by_name: bool = False,
    kept: bool = False,
) -> list[Found]:
    """The values that satisfy all comparisons; a literal that reads as no number has no order, and is no time.

    Args:
        values: all values of the relations asked.
        comparisons: what they are compared with.
        readings: how the values of these relations are read, whether there are any or not.
        by_name: whether they equal those of an earlier output by name alone, as where no relation is given.
        kept: whether they are elements that `keep` chooses from, times also by a name that is none.
    """
    readings, found = set(readings) or {PLAIN}, list(values)
    for comparison in comparisons:
        op, bound = comparison.op, comparison.bound
        if comparison.superlative:
            best = superlative(values, comparison.superlative)
            found = [value for value in found if value in best]
            continue
        must_read = op != "=" or (all(reading.step for reading in readings) and not kept)
        if isinstance(bound, str) and must_read and all(comparison.span(reading) is None for reading in readings):
            raise NoMeaning(f"'{bound}' reads as no number here")
        found = [value for value in found if satisfies(value, comparison, by_name)]
    return found


def origins(values: Iterable[Found]) -> list[Origin]:
    """What gave the values, each once."""
    return list(dict.fromkeys(value.origin for value in values))


def superlative(values: Sequence[Found], which: str) -> set[Found]:
    """The values that stand most, or least, often under their relation, or that are its greatest or least number."""
    if which in ("most", "least"):
        counts = Counter((_asked(value), value.element) for value in values)
        rank = {value: float(counts[_asked(value), value.element]) for value in values}
    else:
        rank = {value: value.number for value in values if value.number is not None}
    extreme = max if which == "most" or which in GREATEST else min
    best = {asked: extreme(rank[v] for v in rank if _asked(v) == asked) for asked in map(_asked, rank)}
    return {value for value in rank if rank[value] == best[_asked(value)]}


def _asked(value: Found) -> Node | None:
    """The relation, or the key, that has a value."""
    if isinstance(value.origin, About):
        return value.origin.key
    return value.origin.relation if isinstance(value.origin, Fact) else None


def named(fact: Fact) -> Fact:
    """A fact by its names alone: facts of one name are one."""
    return Fact("", Node(fact.head.name), Node(fact.relation.name), Node(fact.tail.name))


def line_of(row: Node) -> int:
    """The number of a row."""
    return int(row.name.removeprefix("[line_").removesuffix("]"))


def heads_of(facts: Iterable[Fact]) -> set[Node]:
    return {fact.head for fact in facts}


def _head(fact: Fact) -> Found:
    return Found(fact.head)


def _relation(fact: Fact) -> Found:
    return Found(fact.relation)


def _once(found: Iterable[Found]) -> tuple[Found, ...]:
    return tuple(dict.fromkeys(found))
