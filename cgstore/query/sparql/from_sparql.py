"""SPARQL -> form: trees of patterns around the variable that is selected, as the published gold queries have them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from cgstore.query.sexpr.forms import Combination, Count, Extreme, Form, Join, Step
from cgstore.query.sparql.algebra import Group, NotConverted, is_variable, read_select
from cgstore.query.sparql.conditions import Conditions, comparison
from cgstore.query.sparql.vocabulary import Vocabulary


@dataclass(frozen=True)
class Converted:
    """A form, and notes on where its answer may differ from that of the query."""

    form: Form
    notes: tuple[str, ...] = ()


def from_sparql(text: str, vocabulary: Vocabulary | None = None) -> Converted:
    """The form of a SPARQL query.

    What is covered: triples that form a tree around the selected variable, unions of such trees, differences,
    comparisons, equal strings, pairs of time conditions, `ORDER BY ... LIMIT 1`, `COUNT(DISTINCT ?x)`. Conditions on
    the language of literals are left out: names have no language here. Where several solutions tie for the first
    place, all of them answer.

    Args:
        text: the query.
        vocabulary: how IRIs become names; Freebase's by default.

    Raises:
        BadInput: it is not SPARQL, or rdflib is not installed.
        NotConverted: it has something that no logical form has; the error names its class.
    """
    select = read_select(text)
    tree = _Tree(select.group, vocabulary or Vocabulary(), select.variable)
    form = tree.ordered(*select.order) if select.order else tree.form(tree.root)
    return Converted(Count(form) if select.count else form, tuple(dict.fromkeys(tree.notes)))


@dataclass(frozen=True)
class _Edge:
    """A triple seen from a variable: the step to its other end."""

    number: int
    step: Step
    other: Any


@dataclass(frozen=True)
class _View:
    """How the tree is walked: the triples left out, and a variable whose form is given.

    Attributes:
        omitted: the numbers of triples.
        given: the variable, and its form.
    """

    omitted: frozenset[int] = frozenset()
    given: tuple[Any, Form] | None = None

    def omitting(self, *numbers: int) -> _View:
        return replace(self, omitted=self.omitted.union(numbers))


_WHOLE = _View()


@dataclass
class _Tree:
    """The patterns of one group, which are a tree around a variable.

    Raises:
        NotConverted: they are no tree, or a pattern has no counterpart.
    """

    group: Group
    vocabulary: Vocabulary
    root: Any
    notes: list[str] = field(default_factory=list)
    edges: dict[Any, list[_Edge]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.conditions = Conditions(self.group.filters, self.vocabulary)
        self.taken = [*self.group.minus, *self.conditions.without]
        triples = list(dict.fromkeys(self.group.triples))
        for number, (subject, predicate, tail) in enumerate(triples):
            step = self.step(predicate)
            if not is_variable(subject) and not is_variable(tail):
                raise NotConverted("fact", "A triple without a variable has no counterpart among logical forms.")
            if is_variable(subject):
                self.edges[subject].append(_Edge(number, step, tail))
            if is_variable(tail):
                self.edges[tail].append(_Edge(number, step.inverted, subject))
        self.check_tree(len(triples))

    def step(self, predicate: Any) -> Step:
        from rdflib.term import URIRef

        if not isinstance(predicate, URIRef):
            kind = "variable relation" if is_variable(predicate) else "property path"
            raise NotConverted(kind, f"A {kind} has no counterpart among logical forms.")
        return Step(self.vocabulary.name(str(predicate)))

    def check_tree(self, triples: int) -> None:
        """Every triple is reached from the root, and by one way only."""
        reached: dict[Any, None] = {self.root: None}
        numbers: set[int] = set()
        waiting = [self.root]
        while waiting:
            for edge in self.edges[waiting.pop()]:
                if edge.number in numbers:
                    continue
                numbers.add(edge.number)
                if is_variable(edge.other):
                    if edge.other in reached:
                        raise NotConverted("cycle", f"Two ways lead to ?{edge.other}, and a logical form is a tree.")
                    reached[edge.other] = None
                    waiting.append(edge.other)
        about = {*dict(self.group.values), *self.conditions.mentioned}
        if len(numbers) < triples or not reached.keys() >= about:
            raise NotConverted("not connected", f"Some patterns are not connected with ?{self.root}.")
        for inner in (*(branch for union in self.group.unions for branch in union), *self.taken):
            if len(inner.variables() & reached.keys()) != 1:
                raise NotConverted(
                    "several shared", "A union or a difference shares several variables with the rest, or none."
                )
        self.reached = reached

    # Forms ------------------------------------------------------------------------------------------------------------

    def form(self, var: Any, view: _View = _WHOLE) -> Form:
        """The values of a variable, by all that is said of it in a view of the tree.

        Raises:
            NotConverted: nothing says what it is.
        """
        if view.given and view.given[0] == var:
            return view.given[1]
        if self.conditions.comparisons[var]:
            raise NotConverted("compared node", f"?{var} is compared and has relations; forms compare the values.")
        parts = [self.part(var, edge, view) for edge in self.edges[var] if edge.number not in view.omitted]
        parts += self.sets_of(var)
        if not parts:
            raise NotConverted("any value", f"Nothing says what ?{var} is, and logical forms do not know any value.")
        form = parts[0] if len(parts) == 1 else Combination("AND", tuple(parts))
        return self.constrained(form, var, view)

    def part(self, var: Any, edge: _Edge, view: _View) -> Form:
        """What one triple says of its variable."""
        if not is_variable(edge.other):
            return Join(edge.step, self.conditions.leaf(edge.other))
        compared = self.conditions.comparisons[edge.other]
        if not compared or len(self.edges[edge.other]) > 1 or edge.step.inverse:
            return Join(edge.step, self.form(edge.other, view.omitting(edge.number)))
        if len(compared) > 1:
            self.notes.append(f"?{edge.other} is compared twice: in the form, two values may satisfy one each.")
        parts = [Join(edge.step, value) if op == "=" else comparison(edge.step, op, value) for op, value in compared]
        return parts[0] if len(parts) == 1 else Combination("AND", tuple(parts))

    def sets_of(self, var: Any) -> Iterator[Form]:
        """The unions and the listed values of a variable."""
        for variable, terms in self.group.values:
            if variable == var:
                leaves = tuple(map(self.conditions.leaf, terms))
                yield leaves[0] if len(leaves) == 1 else Combination("OR", leaves)
        for union in self.group.unions:
            if var in union[0].variables():
                yield Combination("OR", tuple(self.inner(branch, var) for branch in union))

    def inner(self, group: Group, var: Any) -> Form:
        """The values of a variable by a group within this one."""
        tree = _Tree(group, self.vocabulary, var, self.notes)
        return tree.form(var)

    def constrained(self, form: Form, var: Any, view: _View) -> Form:
        """A form with the conditions on its variable: times, and what it is not."""
        form = self.conditions.constrained(form, var)
        for leaf in self.conditions.unlike[var]:
            form = Combination("DIFF", (form, leaf))
        for other in self.conditions.unlike_variables[var]:
            form = self.unlike(form, var, other, view)
        for group in self.taken:
            if var in group.variables():
                form = Combination("DIFF", (form, self.inner(group, var)))
        return form

    def unlike(self, form: Form, var: Any, other: Any, view: _View) -> Form:
        """`FILTER(?x != ?c)`, as nearly as a form can say it.

        It has an effect only where a path leads from a node back to itself. For two neighbours, that is a fact from a
        node to itself, and the condition is left out. Otherwise the nodes of the other variable are taken away, which
        is the same where there is one of them.
        """
        way = self.way(other, var)
        if not way:
            raise NotConverted("not connected", f"?{var} != ?{other} is about a variable that no pattern binds.")
        if len(way) == 1:
            self.notes.append(f"?{var} != ?{other} is left out: it matters only where a node is its own tail.")
            return form
        self.notes.append(f"?{var} != ?{other} takes away every ?{other}: exact where there is one.")
        return Combination("DIFF", (form, self.form(other, view.omitting(way[0].number))))

    # ORDER BY ... LIMIT 1 ---------------------------------------------------------------------------------------------

    def ordered(self, by: Any, descending: bool) -> Form:
        """The values of the root in the solutions with the greatest or the least value of another variable.

        The extreme is taken of the variable that the last other condition is about; from there a path leads to the
        value.
        """
        way = self.way(self.root, by)
        if not way:
            raise NotConverted("order of answers", "A logical form orders by a value of the answer, not by the answer.")
        if len(self.edges[by]) > 1 or by in self.conditions.variables:
            raise NotConverted("compared node", f"?{by} gives the order and has other conditions.")
        start = len(way) - 1
        while start > 0 and self.only_leads_on(way[start - 1].other):
            start -= 1
        path = tuple(edge.step for edge in way[start:])
        if path[-1].inverse:
            raise NotConverted("order of answers", "A logical form orders by the tails of a relation, not by heads.")
        view = _WHOLE.omitting(*(edge.number for edge in way[start:]))
        function = "ARGMAX" if descending else "ARGMIN"
        if not start:
            return Extreme(function, self.form(self.root, view), path)
        holder = way[start - 1].other
        best = Extreme(function, self.with_answers(holder, way[start - 1].number, view), path)
        return self.form(self.root, replace(view, given=(holder, best)))

    def with_answers(self, holder: Any, towards_answer: int, view: _View) -> Form:
        """The values of a variable that lead to an answer; without this condition where nothing else is said of it."""
        try:
            return self.form(holder, view)
        except NotConverted as error:
            if error.kind != "any value":
                raise
        self.notes.append(f"The first ?{holder} is taken even if it leads to no answer.")
        return self.form(holder, view.omitting(towards_answer))

    def only_leads_on(self, var: Any) -> bool:
        """Whether a variable has two triples, and nothing else is said of it."""
        others = {term for union in self.group.unions for branch in union for term in branch.variables()}
        others |= {term for group in self.taken for term in group.variables()} | {term for term, _ in self.group.values}
        return len(self.edges[var]) == 2 and var not in self.conditions.variables | others

    def way(self, start: Any, goal: Any, seen: frozenset[int] = frozenset()) -> list[_Edge]:
        """The triples from one variable to another; empty where there are none."""
        for edge in self.edges[start]:
            if edge.number in seen or not is_variable(edge.other):
                continue
            if edge.other == goal:
                return [edge]
            if rest := self.way(edge.other, goal, seen | {edge.number}):
                return [edge, *rest]
        return []
