"""The FILTERs of a SPARQL query, by the variable that each is about."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from cgstore.query.parse import ProgramError
from cgstore.query.sexpr.forms import (
    SIGNS,
    Combination,
    Form,
    Name,
    OrderComparison,
    Step,
    TimeConstraint,
    TypedLiteral,
)
from cgstore.query.sexpr.to_program import constraint_relations
from cgstore.query.sparql.algebra import Group, NotConverted, cast_of, exists_group, is_variable
from cgstore.query.sparql.vocabulary import Vocabulary
from cgstore.text.dates import Moment, days_in_month, read_moment

_FUNCTIONS = {sign: function for function, sign in SIGNS.items()}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_BEGINS, _ENDS = ("<", "<="), (">", ">=")


@dataclass(frozen=True)
class TimeCondition:
    """Without a time under the relation, or with one that compares so with the day."""

    relation: str
    op: str
    day: str


@dataclass
class Conditions:
    """What the filters of a group say of each variable.

    Raises:
        NotConverted: a filter has no counterpart among logical forms.
    """

    filters: list[Any]
    vocabulary: Vocabulary
    comparisons: dict[Any, list[tuple[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    unlike: dict[Any, list[Name | TypedLiteral]] = field(default_factory=lambda: defaultdict(list))
    unlike_variables: dict[Any, list[Any]] = field(default_factory=lambda: defaultdict(list))
    times: dict[Any, list[TimeCondition]] = field(default_factory=lambda: defaultdict(list))
    without: list[Group] = field(default_factory=list)

    def __post_init__(self) -> None:
        for expr in self.filters:
            if not _is_of_language(expr):
                self.read(expr)

    @property
    def variables(self) -> set[Any]:
        """The variables that some condition is about, also within NOT EXISTS."""
        return self.mentioned.union(*(group.variables() for group in self.without))

    @property
    def mentioned(self) -> set[Any]:
        """The variables that some condition is about, which other patterns must bind."""
        found = {*self.comparisons, *self.unlike, *self.times, *self.unlike_variables}
        return found.union(*self.unlike_variables.values())

    def read(self, expr: Any) -> None:
        """Adds one condition."""
        match getattr(expr, "name", None):
            case "RelationalExpression" if expr.op in _MIRRORED:
                self.relational(cast_of(expr.expr), expr.op, cast_of(expr.other))
            case "ConditionalOrExpression" if _names(expr) == ["Builtin_NOTEXISTS", "Builtin_EXISTS"]:
                self.time(exists_group(expr.expr), exists_group(expr.other[0]))
            case "Builtin_NOTEXISTS":
                self.without.append(exists_group(expr))
            case "ConditionalOrExpression":
                raise NotConverted("alternative conditions", "|| between conditions has no counterpart.")
            case _:
                raise NotConverted("other condition", f"The condition {_shown(expr)} has no counterpart.")

    def relational(self, left: Any, op: str, right: Any) -> None:
        if is_variable(right) and not is_variable(left):
            left, op, right = right, _MIRRORED[op], left
        if hasattr(left, "name") or hasattr(right, "name") or not is_variable(left):
            raise NotConverted("arithmetic", "A condition on a computed value has no counterpart among logical forms.")
        if is_variable(right):
            if op != "!=":
                raise NotConverted("two variables", f"?{left} {op} ?{right} compares two variables; forms cannot.")
            self.unlike_variables[left].append(right)
        elif op == "!=":
            self.unlike[left].append(self.leaf(right))
        else:
            self.comparisons[left].append((op, self.leaf(right)))

    def time(self, missing: Group, present: Group) -> None:
        """`NOT EXISTS {?y r ?a} || EXISTS {?y r ?b FILTER(?b <= day)}`."""
        conditions = Conditions(present.filters, self.vocabulary)
        compared = [(var, op, value) for var, each in conditions.comparisons.items() for op, value in each]
        counts = (missing.triples, present.triples, compared, present.filters)
        fits = all(len(each) == 1 for each in counts) and not missing.filters
        if fits:
            (subject, relation, _), (same, again, value) = missing.triples[0], present.triples[0]
            var, op, day = compared[0]
            if (subject, relation, value) == (same, again, var) and is_variable(subject) and op != "=":
                condition = TimeCondition(self.vocabulary.name(str(relation)), op, day.text.partition("T")[0])
                if condition not in self.times[subject]:
                    self.times[subject].append(condition)
                return
        raise NotConverted("other condition", "NOT EXISTS || EXISTS has a counterpart only for a time of one relation.")

    def leaf(self, term: Any) -> Name | TypedLiteral:
        """A constant: an IRI by its name, a literal with its type."""
        from rdflib.term import Literal

        if not isinstance(term, Literal):
            return Name(self.vocabulary.name(str(term)))
        datatype = str(term.datatype or "string").rpartition("#")[2]
        plain = datatype != "string" and self.vocabulary.datatype(str(term)) == datatype
        return Name(str(term)) if plain else TypedLiteral(str(term), datatype)

    def constrained(self, form: Form, var: Any) -> Form:
        """A form with the conditions on the times of its variable: TC where two of them mean one time."""
        left = list(self.times[var])
        for begin in [each for each in left if each.op in _BEGINS]:
            for end in [each for each in left if each.op in _ENDS]:
                time = _one_time(begin, end)
                if time is not None and begin in left and end in left:
                    form = TimeConstraint(form, Step(begin.relation), Name(time))
                    left = [each for each in left if each not in (begin, end)]
        for each in left:
            outside = OrderComparison(_FUNCTIONS[_OPPOSITE[each.op]], (Step(each.relation),), Name(each.day))
            inside = OrderComparison(_FUNCTIONS[each.op], (Step(each.relation),), Name(each.day))
            form = Combination("DIFF", (form, Combination("DIFF", (outside, inside))))
        return form


def comparison(step: Step, op: str, value: Name | TypedLiteral) -> OrderComparison:
    """The nodes with a value that compares so."""
    return OrderComparison(_FUNCTIONS[op], (step,), value)


def _one_time(begin: TimeCondition, end: TimeCondition) -> str | None:
    """The year, month or day that two conditions ask for: begun by its last day, not ended before its first one."""
    probe = TimeConstraint(Name(""), Step(begin.relation), Name(""))
    try:
        related = constraint_relations(probe) == (begin.relation, end.relation)
    except ProgramError:
        return None
    first, last = read_moment(end.day), read_moment(begin.day)
    if not related or first is None or last is None or (begin.op, end.op) != ("<=", ">="):
        return None
    if begin.day == end.day:
        return begin.day
    if (first, last) == (Moment(first.year, 1, 1), Moment(first.year, 12, 31)):
        return end.day[:-6]
    of_month = first.month and last == Moment(first.year, first.month, days_in_month(first.year, first.month))
    return end.day[:-3] if of_month and first.day == 1 else None


def _is_of_language(expr: Any) -> bool:
    """Whether a condition only speaks of the language of a literal, or says that a value is a number."""
    match getattr(expr, "name", None):
        case "ConditionalOrExpression":
            return all(_is_of_language(each) for each in (expr.expr, *expr.other))
        case "UnaryNot":
            return getattr(expr.expr, "name", None) == "Builtin_isLITERAL"
        case "RelationalExpression":
            return getattr(expr.expr, "name", None) == "Builtin_LANG"
    return getattr(expr, "name", None) in ("Builtin_LANGMATCHES", "Builtin_isNUMERIC")


def _names(expr: Any) -> list[str | None]:
    return [getattr(each, "name", None) for each in (expr.expr, *expr.other)]


def _shown(expr: Any) -> str:
    return str(getattr(expr, "name", expr)).removeprefix("Builtin_")
