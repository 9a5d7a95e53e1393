"""The FILTERs of a SPARQL query, by the variable that each is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.sparql.algebra import XSD, Group, NotConverted, conjuncts, exists_group, is_variable, operand_of
from cgstore.query.parse import ProgramError
from cgstore.query.sexpr import forms
from cgstore.query.sexpr.to_program import constraint_relations
from cgstore.query.sparql.vocabulary import NUMBERS, TIMES, Vocabulary, iso_day, time_bounds
from cgstore.text.dates import read_moment

_FUNCTIONS = {sign: function for function, sign in forms.SIGNS.items()}
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
    comparisons: dict[Any, list[tuple[str, forms.Value]]] = field(default_factory=lambda: defaultdict(list))
    unlike: dict[Any, list[forms.Value]] = field(default_factory=lambda: defaultdict(list))
    unlike_variables: dict[Any, list[Any]] = field(default_factory=lambda: defaultdict(list))
    equal_variables: list[tuple[Any, Any]] = field(default_factory=list)
    times: dict[Any, list[TimeCondition]] = field(default_factory=lambda: defaultdict(list))
    without: list[Group] = field(default_factory=list)
    kinds: set[Any] = field(default_factory=set)

    def __post_init__(self) -> None:
        bounds: dict[Any, list[TextBound]] = defaultdict(list)
        for expr in self.filters:
            if bound := text_bound(expr):
                bounds[bound.variable].append(bound)
            elif (var := _of_kind(expr)) is not None:
                self.kinds.add(var)
            elif not _is_of_language(expr):
                self.read(expr)
        for var, each in bounds.items():
            self.comparisons[var] += [(op, forms.Name(time)) for op, time in times_within(each)]

    @property
    def variables(self) -> set[Any]:
        """The variables that some condition is about, also within NOT EXISTS."""
        return self.mentioned.union(*(group.variables() for group in self.without))

    @property
    def mentioned(self) -> set[Any]:
        """The variables that some condition is about, which other patterns must bind."""
        found = {*self.comparisons, *self.unlike, *self.times, *self.unlike_variables}
        return found.union(*self.unlike_variables.values())

    @property
    def only(self) -> tuple[Any, str, forms.Value] | None:
        """The one comparison, if there is nothing else."""
        compared = [(var, *each) for var, some in self.comparisons.items() for each in some]
        others = (self.unlike, self.unlike_variables, self.times, self.equal_variables, self.without)
        return compared[0] if len(compared) == 1 and not any(others) else None

    def read(self, expr: Any) -> None:
        """Adds one condition."""
        match getattr(expr, "name", None):
            case "RelationalExpression" if expr.op in _MIRRORED:
                self.relational(operand_of(expr.expr), expr.op, operand_of(expr.other))
            case "ConditionalOrExpression" if _names(expr) == ["Builtin_NOTEXISTS", "Builtin_EXISTS"]:
                self.time(exists_group(expr.expr), exists_group(expr.other[0]))
            case "ConditionalOrExpression":
                self.number_or_time([expr.expr, *expr.other])
            case "Builtin_NOTEXISTS":
                self.without.append(exists_group(expr))
            case _:
                raise unknown_condition(expr)

    def relational(self, left: Any, op: str, right: Any) -> None:
        if is_variable(right) and not is_variable(left):
            left, op, right = right, _MIRRORED[op], left
        if hasattr(left, "name") or hasattr(right, "name") or not is_variable(left):
            raise NotConverted(
                "arithmetic", "FILTER with a computed value has no counterpart.", "Compare a variable with a constant."
            )
        if is_variable(right) and op not in ("=", "!="):
            raise two_variables(left, op, right)
        if is_variable(right) and op == "=":
            self.equal_variables.append((left, right))
        elif is_variable(right):
            self.unlike_variables[left].append(right)
        elif op == "!=":
            self.unlike[left].append(self.leaf(right))
        else:
            self.comparisons[left].append((op, self.leaf(right)))

    def number_or_time(self, alternatives: list[Any]) -> None:
        """`isNumeric(?v) && ?v < 1999 || DATATYPE(?v) IN (...) && STR(?v) < "1999"`, as it is written for a year."""
        found = [Conditions(conjuncts(each), self.vocabulary).only for each in alternatives]
        first, second = found if len(found) == 2 else (None, None)
        if first and second:
            (var, op, number), (other, other_op, time) = first, second
            if (var, op) == (other, other_op) and time.text == bound_of(number.text, op):
                self.comparisons[var].append((op, number))
                return
        raise NotConverted("alternative conditions", "FILTER with || has no counterpart.", "Write UNION instead.")

    def time(self, missing: Group, present: Group) -> None:
        """`NOT EXISTS {?y r ?a} || EXISTS {?y r ?b FILTER(?b <= day)}`."""
        compared = Conditions(present.filters, self.vocabulary).only
        if compared and len(missing.triples) == len(present.triples) == 1 and not missing.filters:
            (subject, relation, _), (same, again, value) = missing.triples[0], present.triples[0]
            var, op, day = compared
            if (subject, relation, value) == (same, again, var) and is_variable(subject) and op != "=":
                condition = TimeCondition(self.vocabulary.name(str(relation)), op, day.text.partition("T")[0])
                if condition not in self.times[subject]:
                    self.times[subject].append(condition)
                return
        raise NotConverted(
            "other condition",
            "FILTER(NOT EXISTS {...} || EXISTS {...}) has a counterpart only for a time of one relation.",
        )

    def leaf(self, term: Any) -> forms.Value:
        """A constant: an IRI by its name, a literal with its type."""
        from rdflib.term import Literal

        if not isinstance(term, Literal):
            return forms.Name(self.vocabulary.name(str(term)))
        datatype = str(term.datatype or "string").rpartition("#")[2]
        plain = datatype != "string" and self.vocabulary.datatype(str(term)) == datatype
        return forms.Name(str(term)) if plain else forms.TypedLiteral(str(term), datatype)


def constrained(form: forms.Form, times: Iterable[TimeCondition]) -> forms.Form:
    """A form with conditions on the times of its elements: TC where two of them mean one time."""
    left = list(times)
    for begin in [each for each in left if each.op in _BEGINS]:
        for end in [each for each in left if each.op in _ENDS]:
            time = _one_time(begin, end)
            if time is not None and begin in left and end in left:
                form = forms.TimeConstraint(form, forms.Step(begin.relation), forms.Name(time))
                left = [each for each in left if each not in (begin, end)]
    for each in left:
        step, day = forms.Step(each.relation), forms.Name(each.day)
        outside, inside = comparison(step, _OPPOSITE[each.op], day), comparison(step, each.op, day)
        form = forms.Combination("DIFF", (form, forms.Combination("DIFF", (outside, inside))))
    return form


def comparison(step: forms.Step, op: str, value: forms.Value) -> forms.Form:
    """The nodes with a value that is equal, or compares so."""
    if op == "=":
        return forms.Join(step, value)
    return forms.OrderComparison(_FUNCTIONS[op], (step,), value)


def _one_time(begin: TimeCondition, end: TimeCondition) -> str | None:
    """The year, month or day that two conditions ask for: begun by its last day, not ended before its first one."""
    probe = forms.TimeConstraint(forms.Name(""), forms.Step(begin.relation), forms.Name(""))
    try:
        related = constraint_relations(probe) == (begin.relation, end.relation)
    except ProgramError:
        return None
    if not related or (begin.op, end.op) != ("<=", ">="):
        return None
    return time_of_days(end.day, begin.day)


def time_of_days(first: str, last: str) -> str | None:
    """The year, the month or the day that begins on the first day and ends on the last one; None if there is none."""
    if first == last:
        return first
    begin, end = read_moment(first), read_moment(last)
    for time in (first[:-6], first[:-3]):
        moment = read_moment(time)
        if moment and (moment.first_day, moment.last_day) == (begin, end):
            return time
    return None


def _of_kind(expr: Any) -> Any:
    """The variable of which a condition only says that it is a number or a time; None for another condition."""
    match getattr(expr, "name", None):
        case "ConditionalOrExpression":
            found = {_of_kind(each) for each in (expr.expr, *expr.other)}
            return found.pop() if len(found) == 1 else None
        case "RelationalExpression" if expr.op == "IN" and getattr(expr.expr, "name", None) == "Builtin_DATATYPE":
            types = {str(each).removeprefix(XSD) for each in expr.other}
            return expr.expr.arg if types <= {*TIMES, *NUMBERS} and is_variable(expr.expr.arg) else None
        case "Builtin_isNUMERIC" if is_variable(expr.arg):
            return expr.arg
    return None


def _is_of_language(expr: Any) -> bool:
    """Whether a condition only speaks of the language of a literal."""
    match getattr(expr, "name", None):
        case "ConditionalOrExpression":
            return all(_is_of_language(each) for each in (expr.expr, *expr.other))
        case "UnaryNot":
            return getattr(expr.expr, "name", None) == "Builtin_isLITERAL"
        case "RelationalExpression":
            return getattr(expr.expr, "name", None) == "Builtin_LANG"
    return getattr(expr, "name", None) == "Builtin_LANGMATCHES"


def _names(expr: Any) -> list[str | None]:
    return [getattr(each, "name", None) for each in (expr.expr, *expr.other)]


# Times that are compared as texts, as they are written here


@dataclass(frozen=True)
class TextBound:
    """`STR(?v) < "1999"`; of a bound that a whole day belongs to, `STR(?v) <= "1999-12-31~"`."""

    variable: Any
    op: str
    day: str


def text_bound(expr: Any) -> TextBound | None:
    """The bound that a condition sets to the text of a time, if it is one."""
    from rdflib.term import Literal

    if getattr(expr, "name", None) != "RelationalExpression" or getattr(expr.expr, "name", None) != "Builtin_STR":
        return None
    if expr.op not in _OPPOSITE or not isinstance(expr.other, Literal) or not is_variable(expr.expr.arg):
        return None
    text = str(expr.other)
    if text.endswith("~") != (expr.op in ("<=", ">")) or time_bounds(text.rstrip("~")) is None:
        return None
    moment = read_moment(text.rstrip("~"))
    return moment and TextBound(expr.expr.arg, expr.op, iso_day(moment.first_day))


def bound_of(time: str, op: str) -> str | None:
    """The day with which a comparison with a year, a month or a day compares; for equality, the time itself."""
    moment = read_moment(time)
    if moment is None or op == "=":
        return moment and time
    return iso_day(moment.first_day if op in ("<", ">=") else moment.last_day)


def times_within(bounds: list[TextBound]) -> list[tuple[str, str]]:
    """The comparisons with times that bounds on one variable mean: `=` for a first and a last day of one time."""
    low, high = [[each for each in bounds if each.op == op] for op in (">=", "<=")]
    if len(bounds) == 2 and low and high and (time := time_of_days(low[0].day, high[0].day)):
        return [("=", time)]
    return [(each.op, each.day) for each in bounds]


# Errors


def two_variables(left: Any, op: str, right: Any) -> NotConverted:
    return NotConverted(
        "two variables",
        f"FILTER(?{left} {op} ?{right}) has no counterpart: a logical form compares with a constant.",
        "Write ORDER BY ?v LIMIT 1 if the greatest or the least is meant.",
    )


def unknown_condition(expr: Any) -> NotConverted:
    """The error for a condition, in the words of SPARQL."""
    name = str(getattr(expr, "name", ""))
    word = _WORDS.get(name) or (str(expr.op) if name == "RelationalExpression" else name.removeprefix("Builtin_"))
    word = word or f"{expr}"
    return NotConverted(
        "other condition", f"FILTER with {word} has no counterpart among logical forms.", _HINTS.get(word)
    )


_WORDS = {
    "UnaryNot": "!",
    "Builtin_EXISTS": "EXISTS",
    "Builtin_REGEX": "REGEX",
    "Function": "a function",
    "ConditionalAndExpression": "&&",
}
_HINTS = {
    "IN": "Write VALUES ?x { ... } instead.",
    "NOT IN": "Write FILTER(?x != ...) for each instead.",
    "!": "Write FILTER NOT EXISTS { ... }, or the opposite comparison.",
    "EXISTS": "Write its patterns without EXISTS: SELECT DISTINCT gives each answer once.",
    "REGEX": 'Write the name itself, or FILTER(STR(?x) = "...").',
}
