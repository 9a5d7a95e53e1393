"""SPARQL -> form: trees of patterns around the variable that is selected, as the published gold queries have them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.sparql.algebra import Aggregate, Group, NotConverted, cast_of, is_variable, read_select
from benchmarks.sparql.conditions import Conditions, TimeCondition, comparison, constrained, two_variables
from cgstore.query.sexpr import forms
from cgstore.query.sexpr.write import sexpr_text
from cgstore.query.sparql.vocabulary import Vocabulary


@dataclass(frozen=True)
class Converted:
    """A form, and notes on where its answer may differ from that of the query."""

    form: forms.Form
    notes: tuple[str, ...] = ()


def from_sparql(text: str, vocabulary: Vocabulary | None = None) -> Converted:
    """The form of a SPARQL query.

    What is covered: triples that form a tree around the selected variable, unions of such trees, differences,
    comparisons, equal strings, pairs of time conditions, `ORDER BY ... LIMIT 1`, `COUNT(DISTINCT ?x)`, and queries
    within for MAX, MIN and COUNT, as `to_sparql` writes them. Conditions on the language of literals are left out:
    names have no language here. Where several solutions tie for the first place, all of them answer.

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
    return Converted(forms.Count(form) if select.count else form, tuple(dict.fromkeys(tree.notes)))


@dataclass(frozen=True)
class _Edge:
    """A triple seen from a variable: the step to its other end."""

    number: int
    step: forms.Step
    other: Any


@dataclass(frozen=True)
class _View:
    """How the tree is walked: the triples left out, and a variable whose form is given.

    Attributes:
        omitted: the numbers of triples.
        given: the variable, and its form.
    """

    omitted: frozenset[int] = frozenset()
    given: tuple[Any, forms.Form] | None = None

    def omitting(self, *numbers: int) -> _View:
        return replace(self, omitted=self.omitted.union(numbers))


_WHOLE = _View()


@dataclass(frozen=True)
class _Parts:
    """What the patterns say of a variable: the sets that it is in, those that it is not in, and its times."""

    sets: tuple[forms.Form, ...]
    taken: tuple[forms.Form, ...]
    times: tuple[TimeCondition, ...]

    def form(self) -> forms.Form:
        form = self.sets[0] if len(self.sets) == 1 else forms.Combination("AND", self.sets)
        form = constrained(form, self.times)
        for taken in self.taken:
            form = forms.Combination("DIFF", (form, taken))
        return form

    def includes(self, other: _Parts) -> bool:
        """Whether all that the other one says is said here too."""
        return not any((left := other.without(self)).sets) and not left.taken and not left.times

    def without(self, other: _Parts) -> _Parts:
        sets, taken = set(map(in_order, other.sets)), set(map(in_order, other.taken))
        return _Parts(
            tuple(each for each in self.sets if in_order(each) not in sets),
            tuple(each for each in self.taken if in_order(each) not in taken),
            tuple(each for each in self.times if each not in other.times),
        )


@dataclass
class _Tree:
    """The patterns of one group, which are a tree around a variable.

    Args:
        group: the patterns.
        vocabulary: how IRIs become names.
        root: the variable.
        notes: where notes are added.
        key: the variable of which the group's query takes the greatest or the least value.

    Raises:
        NotConverted: they are no tree, or a pattern has no counterpart.
    """

    group: Group
    vocabulary: Vocabulary
    root: Any
    notes: list[str] = field(default_factory=list)
    key: Any = None
    edges: dict[Any, list[_Edge]] = field(default_factory=lambda: defaultdict(list))
    extremes: dict[Any, list[tuple[forms.Extreme, _Parts]]] = field(default_factory=lambda: defaultdict(list))
    compared: set[int] = field(default_factory=set)

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
        self.find_extremes()

    def step(self, predicate: Any) -> forms.Step:
        from rdflib.term import URIRef

        if not isinstance(predicate, URIRef):
            kind = "variable relation" if is_variable(predicate) else "property path"
            raise NotConverted(kind, f"A {kind} has no counterpart among logical forms.")
        return forms.Step(self.vocabulary.name(str(predicate)))

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
        counts = {query.alias for query in self.group.queries if query.function == "COUNT"}
        about = {*dict(self.group.values), *self.conditions.mentioned, *counts}
        if len(numbers) < triples or not reached.keys() >= about:
            raise NotConverted("not connected", f"Some patterns are not connected with ?{self.root}.")
        for inner in (*(branch for union in self.group.unions for branch in union), *self.taken):
            if len(inner.variables() & reached.keys()) != 1:
                raise NotConverted(
                    "several shared", "A union or a difference shares several variables with the rest, or none."
                )
        self.reached = reached

    # Forms ------------------------------------------------------------------------------------------------------------

    def form(self, var: Any, view: _View = _WHOLE) -> forms.Form:
        """The values of a variable, by all that is said of it in a view of the tree.

        Raises:
            NotConverted: nothing says what it is.
        """
        if view.given and view.given[0] == var:
            return view.given[1]
        return self.parts(var, view).form()

    def parts(self, var: Any, view: _View = _WHOLE) -> _Parts:
        """What is said of a variable in a view of the tree.

        Raises:
            NotConverted: nothing says what it is.
        """
        if var in self.conditions.kinds:
            raise NotConverted("compared node", f"FILTER says that ?{var} is a number or a time; no form does.")
        if self.conditions.comparisons[var]:
            raise NotConverted("compared node", f"?{var} is compared and has relations; forms compare the values.")
        hidden = view.omitted | self.compared
        sets = [self.part(var, edge, view) for edge in self.edges[var] if edge.number not in hidden]
        sets += self.sets_of(var)
        sets += (extreme for extreme, _ in self.extremes[var])
        if not sets:
            raise NotConverted("any value", f"Nothing says what ?{var} is, and logical forms do not know any value.")
        whole = parts = _Parts(tuple(sets), tuple(self.taken_from(var, view)), tuple(self.conditions.times[var]))
        for extreme, operand in self.extremes[var]:
            if not whole.includes(operand):
                raise NotConverted(
                    "sub-query",
                    f"{extreme.function[3:]} is taken of another set than ?{var}, which no logical form says.",
                    "Repeat all patterns of the inner query in the outer one.",
                )
            parts = parts.without(operand)
        return parts

    def part(self, var: Any, edge: _Edge, view: _View) -> forms.Form:
        """What one triple says of its variable."""
        if not is_variable(edge.other):
            return forms.Join(edge.step, self.conditions.leaf(edge.other))
        compared = self.conditions.comparisons[edge.other]
        if not compared or len(self.edges[edge.other]) > 1 or edge.step.inverse:
            return forms.Join(edge.step, self.form(edge.other, view.omitting(edge.number)))
        if len(compared) > 1:
            self.notes.append(f"?{edge.other} is compared twice: in the form, two values may satisfy one each.")
        parts = [comparison(edge.step, op, value) for op, value in compared]
        return parts[0] if len(parts) == 1 else forms.Combination("AND", tuple(parts))

    def sets_of(self, var: Any) -> Iterator[forms.Form]:
        """The unions and the listed values of a variable."""
        for variable, terms in self.group.values:
            if variable == var:
                leaves = tuple(map(self.conditions.leaf, terms))
                yield leaves[0] if len(leaves) == 1 else forms.Combination("OR", leaves)
        for union in self.group.unions:
            if var in union[0].variables():
                yield forms.Combination("OR", tuple(self.inner(branch, var) for branch in union))
        for query in self.group.queries:
            if query.alias == var:
                yield forms.Count(self.inner(query.group, query.variable))

    def inner(self, group: Group, var: Any) -> forms.Form:
        """The values of a variable by a group within this one."""
        tree = _Tree(group, self.vocabulary, var, self.notes)
        return tree.form(var)

    def taken_from(self, var: Any, view: _View) -> Iterator[forms.Form]:
        """The sets that a variable is not in."""
        yield from self.conditions.unlike[var]
        for other in self.conditions.unlike_variables[var]:
            yield from self.unlike(var, other, view)
        for group in self.taken:
            if var in group.variables():
                yield self.inner(group, var)

    def unlike(self, var: Any, other: Any, view: _View) -> Iterator[forms.Form]:
        """The nodes that `FILTER(?x != ?c)` takes away, as nearly as a form can say it.

        It has an effect only where a path leads from a node back to itself. For two neighbours, that is a fact from a
        node to itself, and the condition is left out. Otherwise the nodes of the other variable are taken away, which
        is the same where there is one of them.
        """
        way = self.way(other, var)
        if not way:
            raise NotConverted("not connected", f"?{var} != ?{other} is about a variable that no pattern binds.")
        if len(way) == 1:
            self.notes.append(f"?{var} != ?{other} is left out: it matters only where a node is its own tail.")
            return
        self.notes.append(f"?{var} != ?{other} takes away every ?{other}: exact where there is one.")
        yield self.form(other, view.omitting(way[0].number))

    # MAX and MIN ------------------------------------------------------------------------------------------------------

    def find_extremes(self) -> None:
        """The elements whose value is the one that a query within selects by MAX or MIN, as ARGMAX and ARGMIN.

        Raises:
            NotConverted: a BIND or a query within serves another purpose, or two variables are compared.
        """
        best = {query.alias: query for query in self.group.queries if query.function != "COUNT"}
        keys = {self.key}
        for pair in self.conditions.equal_variables:
            found = [term for term in pair if term in best]
            if not found:
                raise two_variables(pair[0], "=", pair[1])
            own = pair[0] if found[-1] == pair[1] else pair[1]
            keys.add(own)
            if self.edges[found[-1]]:
                raise NotConverted("sub-query", f"?{found[-1]} is a greatest or least value, and has relations.")
            self.find_extreme(best.pop(found[-1]), _value_of(self.group, own))
        if best:
            raise NotConverted("sub-query", f"No FILTER(?v = ?{next(iter(best))}) compares with the greatest value.")
        for var in self.group.binds:
            if var not in keys or self.edges[var]:
                raise NotConverted("BIND", f"BIND(... AS ?{var}) has no counterpart.", "Leave it out.")

    def find_extreme(self, query: Aggregate, value: Any) -> None:
        """Adds an extreme to the variable from which a path leads to the value."""
        way, start = self.ordered_by(value)
        path = tuple(edge.step for edge in way[start:])
        end = _value_of(query.group, query.variable)
        inner = _Tree(query.group, self.vocabulary, end, self.notes, key=query.variable)
        if end in inner.conditions.variables:
            raise NotConverted("compared node", f"?{end} gives the order and has other conditions.")
        first, numbers = inner.start_of(path, end)
        operand = inner.parts(first, _WHOLE.omitting(*numbers))
        extreme = forms.Extreme(f"ARG{query.function}", operand.form(), path)
        self.compared |= {edge.number for edge in way[start:]}
        self.extremes[way[start - 1].other if start else self.root].append((extreme, operand))

    def start_of(self, path: forms.Path, end: Any) -> tuple[Any, list[int]]:
        """The variable from which a path leads to a value, and the numbers of the path's triples."""
        numbers: list[int] = []
        for step in reversed(path):
            found = [edge for edge in self.edges[end] if edge.step == step.inverted and edge.number not in numbers]
            leads_on = not numbers or self.only_leads_on(end)
            if len(found) != 1 or not is_variable(found[0].other) or not leads_on:
                raise NotConverted("sub-query", "The inner query compares by another path than the outer one.")
            numbers.append(found[0].number)
            end = found[0].other
        return end, numbers

    # ORDER BY ... LIMIT 1 ---------------------------------------------------------------------------------------------

    def ordered(self, by: Any, descending: bool) -> forms.Form:
        """The values of the root in the solutions with the greatest or the least value of another variable.

        The extreme is taken of the variable that the last other condition is about; from there a path leads to the
        value.
        """
        way, start = self.ordered_by(by)
        path = tuple(edge.step for edge in way[start:])
        view = _WHOLE.omitting(*(edge.number for edge in way[start:]))
        function = "ARGMAX" if descending else "ARGMIN"
        if not start:
            return forms.Extreme(function, self.form(self.root, view), path)
        holder = way[start - 1].other
        best = forms.Extreme(function, self.with_answers(holder, way[start - 1].number, view), path)
        return self.form(self.root, replace(view, given=(holder, best)))

    def ordered_by(self, value: Any) -> tuple[list[_Edge], int]:
        """The way from the root to the value that gives an order, and where on it its own path begins."""
        way = self.way(self.root, value)
        if not way:
            raise NotConverted("order of answers", "A logical form orders by a value of the answer, not by the answer.")
        if len(self.edges[value]) > 1 or value in self.conditions.variables:
            raise NotConverted("compared node", f"?{value} gives the order and has other conditions.")
        start = len(way) - 1
        while start > 0 and self.only_leads_on(way[start - 1].other):
            start -= 1
        if way[-1].step.inverse:
            raise NotConverted("order of answers", "A logical form orders by the tails of a relation, not by heads.")
        return way, start

    def with_answers(self, holder: Any, towards_answer: int, view: _View) -> forms.Form:
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
        others |= {query.alias for query in self.group.queries}
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


def _value_of(group: Group, key: Any) -> Any:
    """The variable whose value a key is: `BIND(IF(isNumeric(?v), ?v, STR(?v)) AS ?key)`, or the value itself."""
    if key not in group.binds:
        return key
    expr = group.binds[key]
    if getattr(expr, "name", None) == "Builtin_IF" and getattr(expr.arg1, "name", None) == "Builtin_isNUMERIC":
        values = {expr.arg1.arg, expr.arg2, cast_of(expr.arg3)}
        value = values.pop()
        if not values and is_variable(value):
            return value
    if is_variable(value := cast_of(expr)) and getattr(expr, "name", None) != "Builtin_STR":
        return value
    raise NotConverted("BIND", f"BIND(... AS ?{key}) computes a value, which no logical form does.", "Leave it out.")


def in_order(form: forms.Form) -> forms.Form:
    """The form with the operands of AND and OR in the order of their texts, to compare forms."""
    match form:
        case forms.Combination(function=function, operands=operands):
            found = tuple(map(in_order, operands))
            return replace(form, operands=found if function == "DIFF" else tuple(sorted(found, key=sexpr_text)))
        case forms.Join() | forms.Count() | forms.Extreme() | forms.TimeConstraint():
            return replace(form, operand=in_order(form.operand))
    return form
