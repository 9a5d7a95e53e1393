"""Sets of things in a graph, put together from searches, and the program that finds one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from cgstore.llm.backends.rewrite.fact_asked import Asked, Program
from cgstore.query.build import quote


class Things(ABC):
    """A set of things, or of numbers."""

    @abstractmethod
    def put(self, program: Program) -> str:
        """Adds its calls to a program, and gives what refers to it."""


@dataclass(frozen=True)
class Named(Things):
    """One thing by its name."""

    name: str

    def put(self, program: Program) -> str:
        return quote(self.name)


SIDES = ("head", "tail")
"""The sides of a relation."""


@dataclass(frozen=True)
class Found(Things):
    """What stands on the other side of a relation than some things do; `side` is theirs, or `both`."""

    relation: str
    side: str
    of: Things

    def put(self, program: Program) -> str:
        given = self.of.put(program)
        if self.side != "both":
            return self._search(program, given, self.side)
        one, other = (self._search(program, given, side) for side in ("head", "tail"))
        return program.add(f"set_union(set1={one}, set2={other})")

    def _search(self, program: Program, given: str, own: str) -> str:
        head, tail = (f"{each}_entity={given}" if own == each else "" for each in ("head", "tail"))
        parts = [part for part in (head, f"relation={quote(self.relation)}", tail) if part]
        return program.add(f"get_information({', '.join(parts)})")


@dataclass(frozen=True)
class Stated(Things):
    """The head of a fact, if the graph has the fact."""

    head: str
    relation: str
    tail: str

    def put(self, program: Program) -> str:
        return program.search(Asked(self.head, self.relation, self.tail))


@dataclass(frozen=True)
class Within(Things):
    """The heads whose number under a relation is within bounds, each a sign and a number or the output of a set."""

    relation: str
    bounds: tuple[tuple[str, str | Things], ...]

    def put(self, program: Program) -> str:
        said = [
            f"tail_entity{sign}{value.put(program) if isinstance(value, Things) else quote(value)}"
            for sign, value in self.bounds
        ]
        return program.add(f"get_information(relation={quote(self.relation)}, {', '.join(said)})")


@dataclass(frozen=True)
class Having(Things):
    """All that have a relation on one side: its `head` or its `tail`."""

    relation: str
    side: str

    def put(self, program: Program) -> str:
        if self.side == "head":
            return program.add(f"heads(relation={quote(self.relation)})")
        return program.add(f"get_information(relation={quote(self.relation)})")


@dataclass(frozen=True)
class Combined(Things):
    """The union, intersection or difference of sets."""

    how: str
    sets: tuple[Things, ...]

    def put(self, program: Program) -> str:
        outputs = [each.put(program) for each in self.sets]
        said = ", ".join(f"set{number}={output}" for number, output in enumerate(outputs, 1))
        return program.add(f"set_{self.how}({said})")


@dataclass(frozen=True)
class Extreme(Things):
    """Those of a set with the greatest (`max`) or least (`min`) number under a relation; None: all that have one."""

    of: Things | None
    relation: str
    way: str

    def put(self, program: Program) -> str:
        if self.of is None:
            return program.add(f"get_information(relation={quote(self.relation)}, tail_entity>='{self.way}')")
        return program.add(f"arg{self.way}(set={self.of.put(program)}, relation={quote(self.relation)})")


@dataclass(frozen=True)
class Numbered(Things):
    """A set with how many things, or things of another set, a relation links with each; `side` is that of the set."""

    of: Things
    relation: str
    side: str

    def _numbers(self, program: Program, counted: Things | None) -> str:
        every = self.of.put(program)
        call = f"get_information({self.side}_entity=each, relation={quote(self.relation)})"
        if counted is not None:
            call = f"set_intersection(set1={call}, set2={counted.put(program)})"
        return program.add(f"for_each(set={every}, value=count(set={call}))")


@dataclass(frozen=True)
class MostOf(Numbered):
    """Those of a set that most (`max`) or fewest (`min`) things of another set have a relation with."""

    way: str
    counted: Things | None = None

    def put(self, program: Program) -> str:
        return program.add(f"arg{self.way}(set={self._numbers(program, self.counted)})")


@dataclass(frozen=True)
class Counted(Numbered):
    """Those of a set that a relation links with a number of things within bounds, each a sign and a number."""

    bounds: tuple[tuple[str, str], ...]
    counted: Things | None = None

    def put(self, program: Program) -> str:
        said = ", ".join(f"value{sign}{quote(value)}" for sign, value in self.bounds)
        return program.add(f"keep(set={self._numbers(program, self.counted)}, {said})")


@dataclass(frozen=True)
class Applied(Things):
    """A function of a set: `count`, `exists`, `sum` and the like."""

    function: str
    of: Things

    def put(self, program: Program) -> str:
        return program.add(f"{self.function}(set={self.of.put(program)})")


@dataclass(frozen=True)
class Compared(Things):
    """Which of two has the greater number (`compare`), or whether the first has (`greater_than`, `less_than`)."""

    function: str
    one: Things
    other: Things
    operator: str = ""

    def put(self, program: Program) -> str:
        one, other = self.one.put(program), self.other.put(program)
        operator = f", operator='{self.operator}'" if self.operator else ""
        return program.add(f"{self.function}({one}, {other}{operator})")


@dataclass(frozen=True)
class Subtracted(Things):
    """A number less another one."""

    one: Things
    other: Things

    def put(self, program: Program) -> str:
        one, other = self.one.put(program), self.other.put(program)
        return program.add(f"subtract({one}, {other})")


def together(sets: Sequence[Things]) -> Things:
    """The intersection of sets; the one itself if there is one."""
    return sets[0] if len(sets) == 1 else Combined("intersection", tuple(sets))


def program_of(things: Things) -> str:
    """The program that finds a set."""
    program = Program()
    last = things.put(program)
    if isinstance(things, Named):
        program.add(f"distinct(set={last})")
    return program.text
