"""Random S-expressions that are anchored at facts, so that most of them have answers.

A form is built around an element that it shall contain: `(JOIN r x)` by a fact of the element, and x around the node at
the other end. So depth does not make answers rare. Now and then the element is another one.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

from hypothesis import strategies as st

from cgstore.query.sexpr.forms import (
    Combination,
    Count,
    Extreme,
    Form,
    Join,
    Name,
    OrderComparison,
    Path,
    Step,
    TimeConstraint,
)
from cgstore.text.names import normal_form
from tests.query.sparql.rdf_facts import VOCABULARY, Fact

MAX_DEPTH = 4

NO_RELATION = "event.event.from"
"""A relation that no fact has. Only a time constraint may have one."""


def sample(facts: Sequence[Fact], draw: random.Random, size: int) -> list[Fact]:
    """Facts around drawn entities, at most so many.

    A fact whose head reads as a number is left out: the film 2012 and the year 2012 are one node in cgstore, and in RDF
    an IRI and a literal. So are facts with names that differ from others in case or punctuation alone: cgstore takes
    the one that stands under the relation, and SPARQL only the one that is written.
    """
    usable = [fact for fact in facts if VOCABULARY.datatype(fact[0]) is None]
    around = defaultdict(list)
    for fact in usable:
        around[fact[0]].append(fact)
        around[fact[2]].append(fact)
    found: dict[Fact, None] = {}
    waiting: list[str] = []
    while len(found) < size:
        if not waiting:
            waiting.append(draw.choice(usable)[0])
        node = waiting.pop(0)
        near = around[node]
        for fact in draw.sample(near, min(len(near), 12)):
            found[fact] = None
            waiting += [end for end in (fact[0], fact[2]) if end != node and draw.random() < 0.3]
    spellings = defaultdict(set)
    for head, _, tail in found:
        for name in (head, tail):
            spellings[normal_form(name)].add(name)
    doubtful = {name for names in spellings.values() if len(names) > 1 for name in names}
    return [fact for fact in list(found)[:size] if doubtful.isdisjoint((fact[0], fact[2]))]


class Drawer:
    """Draws forms over facts.

    Args:
        facts: what the forms are about.
    """

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = facts
        self.by_head: dict[str, list[Fact]] = defaultdict(list)
        self.by_tail: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            self.by_head[fact[0]].append(fact)
            self.by_tail[fact[2]].append(fact)
        self.values: dict[str, list[str]] = defaultdict(list)
        for _, relation, tail in facts:
            self.values[relation].append(tail)
        self.ordered = {
            relation: values for relation, values in self.values.items() if all(map(VOCABULARY.datatype, values))
        }
        self.begins = [relation for relation in self.ordered if relation.endswith(".from")]

    def form(self, draw: random.Random) -> Form:
        """A form of any function."""
        depth = draw.randint(1, MAX_DEPTH)
        anchor = draw.choice(draw.choice(self.facts)[::2])
        made = self.around(anchor, depth, draw)
        return Count(made) if draw.random() < 0.12 else made

    def around(self, element: str, depth: int, draw: random.Random) -> Form:
        """A form that contains an element, as far as its functions let it."""
        if draw.random() < 0.03:
            element = draw.choice(draw.choice(self.facts)[::2])
        if depth <= 0:
            return Name(element)
        made = draw.choices([self.join, self.combination, self.extreme, self.order, self.time], [10, 5, 2, 2, 2])[0]
        return made(element, depth, draw) or self.join(element, depth, draw) or Name(element)

    def join(self, element: str, depth: int, draw: random.Random) -> Form | None:
        facts = [(Step(r), t) for _, r, t in self.by_head[element]]
        facts += [(Step(r, True), h) for h, r, _ in self.by_tail[element]]
        if not facts:
            return None
        step, other = draw.choice(facts)
        if not step.inverse and VOCABULARY.datatype(other) in ("integer", "decimal") and draw.random() < 0.3:
            return Join(step, Name(f"{other}.0" if other.lstrip("-").isdigit() else f"{other}0"))
        return Join(step, self.around(other, depth - 1 if draw.random() < 0.8 else 0, draw))

    def combination(self, element: str, depth: int, draw: random.Random) -> Form:
        function = draw.choice(["AND", "OR", "DIFF"])
        other = element if function == "AND" else draw.choice(draw.choice(self.facts)[::2])
        first, second = self.around(element, depth - 1, draw), self.around(other, depth - 1, draw)
        if function != "DIFF" and draw.random() < 0.2:
            return Combination(function, (first, second, self.around(element, depth - 2, draw)))
        return Combination(function, (first, second))

    def path(self, element: str, draw: random.Random) -> Path | None:
        """A path from an element to a value that has an order, of one or two steps."""
        paths: list[Path] = [(Step(r),) for _, r, _ in self.by_head[element] if r in self.ordered]
        near = [(Step(r), t) for _, r, t in self.by_head[element]]
        near += [(Step(r, True), h) for h, r, _ in self.by_tail[element]]
        for step, other in near:
            paths += [(step, Step(r)) for _, r, _ in self.by_head[other] if r in self.ordered]
        return draw.choice(paths) if paths else None

    def extreme(self, element: str, depth: int, draw: random.Random) -> Form | None:
        path = self.path(element, draw)
        function = draw.choice(["ARGMAX", "ARGMIN"])
        return path and Extreme(function, self.around(element, depth - 1, draw), path)

    def order(self, element: str, depth: int, draw: random.Random) -> Form | None:
        path = self.path(element, draw)
        if path is None:
            return None
        value = self.shortened(draw.choice(self.ordered[path[-1].relation]), draw)
        made = OrderComparison(draw.choice(["LT", "LE", "GT", "GE"]), path, Name(value))
        return Combination("AND", (made, self.around(element, depth - 1, draw))) if draw.random() < 0.6 else made

    def time(self, element: str, depth: int, draw: random.Random) -> Form | None:
        """A time constraint on a relation of the element, or now and then on one that no fact has."""
        own = [r for _, r, _ in self.by_head[element] if r in self.begins]
        if depth < 2 or not (own or draw.random() < 0.2):
            return None
        time = self.shortened(draw.choice(self.ordered[draw.choice(own)]), draw) if own else "2000"
        relation = draw.choice(own) if own and draw.random() < 0.9 else NO_RELATION
        return TimeConstraint(self.around(element, depth - 1, draw), Step(relation), Name(time))

    def shortened(self, value: str, draw: random.Random) -> str:
        """A value, or of a day sometimes its month or year."""
        return value[: draw.choice([4, 7, 10])] if VOCABULARY.datatype(value) == "date" else value


def forms(facts: Sequence[Fact]) -> st.SearchStrategy[Form]:
    """Forms over facts."""
    drawer = Drawer(facts)
    return st.integers(0, 2**48).map(lambda number: drawer.form(random.Random(number)))
