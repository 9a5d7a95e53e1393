"""What a compiled statement refers to: its parameters, the outputs of earlier steps, and the bounds of comparisons.

Values reach the statement as parameters only, numbered in the order of use, so that programs of one shape share one
text and Neo4j's plan cache holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from cgstore.cypher.compile.stretches import stretched_steps
from cgstore.query.operands import (
    AnyRelation,
    Constant,
    Named,
    Names,
    NumberEquality,
    Operand,
    OrderComparison,
    Output,
    OutputKind,
    Word,
    parts_of,
)
from cgstore.query.operators import Aggregate, Part, Search
from cgstore.query.plan import Plan
from cgstore.query.sources import SourceScope
from cgstore.text.names import shared_key

K = TypeVar("K")
T = TypeVar("T")

NUMBER_OF_DATE = "{0}.year + ({0}.ordinalDay - 1) / toFloat(date({{year: {0}.year, month: 12, day: 31}}).ordinalDay)"
"""An expression for the number of a date, as `text.dates.number_of` gives it, to the last bit."""

NUMBER_OF_CLOCK = (
    f"{NUMBER_OF_DATE} + ({{0}}.hour * 3600 + {{0}}.minute * 60 + {{0}}.second) / 86400.0 / "
    "date({{year: {0}.year, month: 12, day: 31}}).ordinalDay"
)
"""Like `NUMBER_OF_DATE`, for a date with a time of day."""

SEEK_NODE = "MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)"
"""Binds n to the node of an element x. The hint leaves nothing to statistics, which are wrong for a while after a load:
a scan of all nodes looks cheap then."""

_SEEK_NODE_OR_TIME = [
    "OPTIONAL MATCH (stored:CgNode {key: x})",
    "USING INDEX SEEK stored:CgNode(key)",
    "WITH *, CASE WHEN stored IS NULL THEN toStringOrNull(x) END AS time",  # Cypher may take x for something else
    # What is no time looks like anything, so nothing here may fail.
    "WITH *, CASE WHEN time STARTS WITH '-' THEN time ELSE '+' + time END AS signed",
    "WITH *, split(signed, 'T')[0] AS on_day",
    "WITH *, CASE WHEN time =~ '-?[0-9]{4,8}-(0[1-9]|1[0-2])' THEN localdatetime(signed + '-01') "
    "WHEN time =~ '-?[0-9]{4,8}-(0[1-9]|1[0-2])-[0-9]{2}(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?' "
    "THEN localdatetime(left(on_day, size(on_day) - 2) + '01' + substring(signed, size(on_day))) "
    "+ duration({days: toInteger(right(on_day, 2)) - 1}) END AS begins",
    "WITH *, CASE WHEN stored IS NOT NULL THEN properties(stored) "
    "WHEN begins IS NULL THEN {key: x, name: x, num: toFloat(time)} "
    f"ELSE {{key: x, name: x, num: {NUMBER_OF_CLOCK.format('begins')}}} END AS n",
]

ELEMENT = "coalesce(e.node2, e.key)"
"""The element that a carrier e carries: the node2 of a CG_VALUE relationship, or a node itself."""


EXAMPLES = 20
"""How many elements that are left out are returned."""

NAMED = 3
"""How many elements of a source, columns or examples a sentence names."""

LOOKED_AT = 1_000
"""How many elements or values are looked at for a note."""

SHOWN = 20
"""How many of a step's elements a statement returns."""


class Block(NamedTuple):
    """A part of a statement: the variables that it takes from the parts before it, and its lines, the last a RETURN."""

    imports: list[str]
    body: list[str]

    @property
    def lines(self) -> list[str]:
        """The part as a subquery."""
        return call_lines(self.imports, self.body)


class CompileContext:
    """The names in force while one statement is compiled.

    Args:
        plan: the steps.
        asked: the sources and their relations.
        noted: whether the statement also counts what notes tell: facts of counted searches, and sources of elements.

    Attributes:
        stretched: the steps whose outputs are stretches of times, with how far apart the times are.
        carried: the steps whose outputs have carriers.
        counted: the searches that also give how many facts they found.
        mixing: the steps whose sources are counted: `s3` has those of step 3.
        is_past: whether the sources are asked for what they had after an earlier change.
        has_periods: whether times of a key are kept as periods: they are maps where others are relationships.
    """

    def __init__(self, plan: Plan, asked: SourceScope, *, noted: bool = True) -> None:
        self.plan, self.scope = plan, asked
        self.is_past = asked.changes is not None
        self.stretched = stretched_steps(plan)
        self.carried = _carried_steps(plan, asked) - self.stretched.keys()
        self.counted = _counted_steps(plan) if noted else frozenset()
        self.mixing = frozenset(each.step for each in plan.mixing) if noted else frozenset()
        self.has_periods = any(key.periods for key in _time_keys(plan))
        if plan.repeated:
            self.counted -= plan.repeated
        self.values: dict[str, Any] = {}
        self.used_outputs: dict[str, None] = {}
        self._known: dict[tuple[int, str], str] = {}
        self._bounded: set[int] = set()
        self._kept: dict[int, Any] = {}

    def kept(self, owner: K, make: Callable[[K], T]) -> T:
        """What is made of a part of the plan, once: `parameter` knows things by their identity."""
        if id(owner) not in self._kept:
            self._kept[id(owner)] = make(owner)
        found: T = self._kept[id(owner)]
        return found

    def block(self, body: list[str], *extra: str) -> Block:
        """The body with the outputs that it uses, in order, and `extra` ones."""
        imported = list(dict.fromkeys([*self.take_used(), *extra]))
        self._bounded.clear()
        return Block(imported, body)

    def take_used(self) -> list[str]:
        """The outputs used since this was last asked, which are then forgotten."""
        used = list(self.used_outputs)
        self.used_outputs.clear()
        return used

    def parameter(self, owner: object, part: str, value: Any) -> str:
        """The parameter that holds a part of a comparison or operand; the same one wherever its owner is used again.

        It is known by the owner's identity and not by its value: equal values in two places must not change the text.
        """
        name = self._known.setdefault((id(owner), part), f"p{len(self._known) + 1}")
        self.values[name] = value
        return f"${name}"

    def takes_covalues(self, step: Search) -> bool:
        """Whether a search takes co-values: not of rows, which are always heads."""
        is_rows = isinstance(step.head, Output) and self.kind_of(step.head) is OutputKind.ROWS
        return step.covalues and not is_rows

    def sources(self, only: tuple[str, ...] = ()) -> str:
        """The parameter with the sources asked, or with those that a call says."""
        if only:
            return self.parameter(only, "sources", list(only))
        self.values["sources"] = list(self.scope.sources)
        return "$sources"

    def changes(self) -> str:
        """The parameter with the change up to which each source is known, by its stored name."""
        self.values["at"] = self.scope.changes_by_name
        return "$at"

    def list_of(self, operand: Operand) -> str:
        """An expression for the operand's elements: a parameter with keys, or an earlier step's output."""
        match operand:
            case Names():
                return self.parameter(operand, "keys", list(operand.keys))
            case AnyRelation(columns=columns, sources=sources):
                among = self.scope.columns if columns else self.scope.relations  # row numbers are not columns
                if sources:
                    return self.parameter(operand, "keys", list(among.of(sources).keys))
                name = "columns" if columns else "relations"
                self.values[name] = list(among.keys)
                return f"${name}"
            case Constant(number=number):
                return f"[{self.parameter(operand, 'number', number)}]"
            case Word(text=text):
                return f"[{self.parameter(operand, 'word', text)}]"
            case Output():
                return self.output(operand)

    def kind_of(self, operand: Operand) -> OutputKind:
        """What an operand holds, where it is an output; else nodes."""
        return self.plan.types[operand.step].kind if isinstance(operand, Output) else OutputKind.NODES

    def is_ordered(self, operand: Operand) -> bool:
        """Whether an operand is an output in the order of a `sort`."""
        return isinstance(operand, Output) and self.plan.types[operand.step].is_ordered

    def output(self, operand: Output) -> str:
        """The variable that holds an earlier step's output; noted, so that the subquery imports it."""
        assert operand.step not in self.stretched, "what needs each time of an output is known before compiling"
        return self.using(f"q{operand.step + 1}")

    def holds_numbers(self, operand: Operand) -> bool:
        """Whether the elements of an operand are numbers, computed or written, by which they are compared."""
        is_numbers = isinstance(operand, Constant) or self.kind_of(operand) is OutputKind.NUMBERS
        return is_numbers and not self.has_numbers(operand)

    def has_numbers(self, operand: Operand) -> bool:
        """Whether each element of an operand has a number of its own."""
        return isinstance(operand, Output) and self.plan.types[operand.step].has_numbers

    def holds_nodes(self, operand: Operand) -> bool:
        """Whether an operand's elements are nodes, and not numbers, words or facts."""
        return self.kind_of(operand) in (OutputKind.NODES, OutputKind.ROWS)

    def seek_node(self, operand: Operand) -> list[str]:
        """The lines that bind n to the node of an element x of an operand; to a map for a time without one."""
        of = self.plan.types[operand.step] if isinstance(operand, Output) else None
        may_be_time = of is None or of.time_keys or of.has_numbers  # a time may be a group
        return _SEEK_NODE_OR_TIME if self.has_periods and may_be_time else [SEEK_NODE]

    def stretches(self, operand: Output) -> str:
        """The variable that holds an earlier step's stretches, `t3`; noted likewise."""
        return self.using(f"t{operand.step + 1}")

    def elements_of_step(self, step: int) -> str:
        """The variable that holds a step's elements, or the stretches of times that they are."""
        return f"{'t' if step in self.stretched else 'q'}{step + 1}"

    def size(self, operand: Operand) -> str:
        """An expression for how many elements an operand has."""
        if isinstance(operand, Output) and operand.step in self.stretched:
            return self.using(f"size{operand.step + 1}")
        return f"size({self.list_of(operand)})"

    def using(self, name: str) -> str:
        """A variable of an earlier step, noted likewise."""
        self.used_outputs[name] = None
        return name

    def carriers(self, operand: Output) -> str:
        """The variable that holds what carries an output's elements; noted likewise."""
        assert operand.step in self.carried, "whatever needs carriers asks for them before compiling"
        return self.using(self.carriers_of_step(operand.step))

    def carriers_of_step(self, step: int) -> str:
        """The name of that variable: `m3` holds nodes and relationships, `g3` maps of an element and its number."""
        return f"{'g' if self.plan.types[step].has_numbers else 'm'}{step + 1}"

    def numbers(self, operand: Operand) -> str:
        """An expression for the numbers that the operand's elements read as, where they were found."""
        if isinstance(operand, Output) and not self.holds_numbers(operand):
            return f"[e IN {self.carriers(operand)} WHERE e.num IS NOT NULL | e.num]"
        return self.list_of(operand)

    def equal_numbers(self, operand: Output) -> str:
        """Like `numbers`, for what a value equals: the number of a row is its place, and no value equals that."""
        of = self.plan.types[operand.step]
        if of.kind is not OutputKind.NODES or None not in of.columns or not self.scope.columns.nodes:
            return self.numbers(operand)
        # Of nodes with a number, only rows have a source.
        is_value = "e.num IS NOT NULL AND (e.node2 IS NOT NULL OR e.source IS NULL)"
        return f"[e IN {self.carriers(operand)} WHERE {is_value} | e.num]"

    def with_numbers(self, operand: Operand) -> str:
        """The variable that `numbers` reads; empty where it is a parameter."""
        if not isinstance(operand, Output):
            return ""
        return self.output(operand) if self.holds_numbers(operand) else self.carriers(operand)

    def unwind(self, operand: Operand | None, name: str) -> str:
        """A row for each element of the operand."""
        assert operand is not None
        return f"UNWIND {self.list_of(operand)} AS {name}"

    def relation_names(self, operand: Operand | None) -> str | None:
        """The names of a fact's relation by which its times are found; None where the program does not say them."""
        if not isinstance(operand, Names):
            return None
        return self.parameter(operand, "names", list(dict.fromkeys(map(shared_key, operand.names))))

    def first_use_of_bounds(self, comparison: OrderComparison) -> bool:
        """Whether this subquery has yet to bind the bounds of the output compared with."""
        step = comparison.operand.step
        fresh = step not in self._bounded
        self._bounded.add(step)
        return fresh


def _time_keys(plan: Plan) -> Iterator[Named]:
    """The built-in keys that a plan asks for."""
    for names in parts_of(tuple(plan.steps), Names):
        if names.time_key:
            yield from names.nodes


def call_lines(imported: Sequence[str], body: Sequence[str]) -> list[str]:
    """The body as a subquery that imports variables."""
    return [f"CALL ({', '.join(imported)}) {{", *(f"  {line}" for line in body), "}"]


def _carried_steps(plan: Plan, asked: SourceScope) -> frozenset[int]:
    """The steps whose outputs need carriers: for numbers, for frequencies, or for the order of a table's rows."""
    found: set[int] = set()

    def need(*operands: Operand) -> None:
        types = {operand.step: plan.types[operand.step] for operand in operands if isinstance(operand, Output)}
        nodes = (OutputKind.NODES, OutputKind.ROWS)
        found.update(step for step, of in types.items() if of.has_numbers or of.kind in nodes)

    if asked.only_tables and plan.types[plan.answer].kind is OutputKind.NODES:
        need(Output(plan.answer))
    for number, step in reversed(list(enumerate(plan.steps))):
        if plan.types[number].has_numbers:  # its numbers are in its carriers
            need(Output(number))
        need(*step.measured)
        need(*(comparison.operand for comparison in parts_of(step, OrderComparison)))
        need(*(comparison.operand for comparison in parts_of(step, NumberEquality)))
        if number in found:
            need(*step.passed_on)
    return frozenset(found)


def _counted_steps(plan: Plan) -> frozenset[int]:
    """The searches with elements that are counted, and that stand in a fact each time they are found: not times."""
    counted = (step.operand for step in plan.steps if isinstance(step, Aggregate) and step.function == "count")
    return frozenset(o.step for o in counted if isinstance(o, Output) and _has_fact_each(o.step, plan))


def _has_fact_each(number: int, plan: Plan) -> bool:
    """Whether a step searches for tails, each of which one fact or more has.

    A search that puts covalues in the place of tails does not, unless its heads are rows, which have no covalues.
    """
    match plan.steps[number]:
        case Search(asked=Part.TAIL, relation=Names(of_facts=False), key=None, head=head, covalues=covalues):
            rows = isinstance(head, Output) and plan.types[head.step].kind is OutputKind.ROWS
            return head is None or rows or not covalues
    return False
