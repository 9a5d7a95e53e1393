"""Form -> program: each form is a call of the LLM query language, so that both front ends share planner and compiler.

| form | call |
|---|---|
| `(JOIN r x)` | `get_information(relation=r, tail_entity=x)` |
| `(JOIN (R r) x)` | `get_information(head_entity=x, relation=r)` |
| `(AND x y)`, `OR`, `DIFF` | `set_intersection`, `set_union`, `set_difference` |
| `(COUNT x)` | `count(set=x)` |
| `(ARGMAX x r)` | `argmax(set=x, relation=r)` |
| `(LT r v)` | `get_information(relation=r, tail_entity<v)` |
| `(TC x time t)` | `get_information(..., key='time', value=t)` of the facts that x asks for |
| `(TC x from t)` | x without what begins after t and without what ended before it |

The calls have the places of the forms, so that an error in a name points into the S-expression.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Place, Program, Value
from cgstore.query.functions import LITERALS, SEARCH
from cgstore.query.name_uses import is_time_name
from cgstore.query.parse import MAX_QUERIES, ProgramError
from cgstore.query.sexpr import forms
from cgstore.query.sexpr.read import read_sexpr
from cgstore.text.dates import read_moment, with_four_digits
from cgstore.text.numbers import read_number

TYPE_RELATION = "type.object.type"
"""The relation from a node to its class, in Freebase and so in the published forms."""

SET_FUNCTIONS = {"AND": "set_intersection", "OR": "set_union", "DIFF": "set_difference"}

END_OF = {
    "from": "to",
    "start_date": "end_date",
    "from_date": "to_date",
    "start": "end",
    "start_time": "end_time",
    "start time": "end time",
    "begin": "end",
    "since": "until",
}
"""The last part of a relation that says when something begins, and of the one that says when it ends."""

_BEGIN_OF = {end: begin for begin, end in reversed(END_OF.items())}
_DAY = re.compile(r"(-?\d{4}(?:-\d\d(?:-\d\d)?)?)(?:T.*|Z|[+-]\d\d:\d\d)?", re.DOTALL)
_TIMES = ("date", "dateTime", "datetime", "gYear", "gYearMonth")


def parse_sexpr(text: str) -> Program:
    """The program of an S-expression.

    In it, a tail never stands in the place of a head (`Program.covalues`): a step that finds nothing gives nothing.

    Raises:
        ProgramError: it is malformed, or something in it has no counterpart in the condition graph.
    """
    return to_program(read_sexpr(text), text)


def to_program(form: forms.Form, text: str = "", *, now: date | None = None) -> Program:
    """The program of a form.

    Args:
        form: the logical form.
        text: the S-expression that it was read from, for messages.
        now: the day that `NOW` means; today when None.

    Raises:
        ProgramError: something in it has no counterpart in the condition graph.
    """
    lowering = _Lowering(text, now or date.today())
    last = lowering.value(form)
    if isinstance(last, Literal):  # a name alone must be that of a node; a number or a time is itself
        is_value = read_number(last.text) is not None or read_moment(last.text) is not None
        is_name = isinstance(form, forms.Name) and not is_value
        lowering.call("distinct" if is_name else LITERALS, last.place, Argument("set", "=", last, last.place))
    return Program(tuple(lowering.calls), text, covalues=False, notes=tuple(lowering.notes))


class _Lowering:
    """Collects the calls of one form; each call uses the outputs of those before it."""

    def __init__(self, text: str, now: date) -> None:
        self.text, self.now = text, now
        self.calls: list[Call] = []
        self.notes: dict[str, None] = {}

    def call(self, function: str, place: Place, *arguments: Argument) -> OutputRef:
        if len(self.calls) == MAX_QUERIES:
            raise ProgramError(f"the S-expression needs more than {MAX_QUERIES} calls", self.text, place)
        self.calls.append(Call(function, arguments, place))
        return OutputRef(len(self.calls), place)

    def value(self, form: forms.Form) -> Value:
        """The literal or the output that a form is."""
        match form:
            case forms.Name(text=text, place=place):
                return Literal(text, place)
            case forms.TypedLiteral(place=place):
                return Literal(_plain_value(form), place)
            case forms.ClassName(text=text, place=place):
                return self.heads(Literal(TYPE_RELATION, _beside(place)), "=", Literal(text, place), place)
            case forms.Join(step=step, operand=operand, place=place):
                return self.join(step, self.value(operand), place)
            case forms.Combination(function=function, operands=operands, place=place):
                return self.sets(SET_FUNCTIONS[function], place, *map(self.value, operands))
            case forms.Count(operand=operand, place=place):
                return self.call("count", place, _argument("set", self.value(operand)))
            case forms.Extreme():
                return self.extreme(form)
            case forms.OrderComparison(path=path, value=value, place=place):
                return self.along(path, form.sign, self.value(value), place)
            case forms.TimeConstraint():
                return self.time_constraint(form)

    def heads(self, relation: Literal, op: str, tail: Value, place: Place) -> OutputRef:
        return self.call(SEARCH, place, _argument("relation", relation), _argument("tail_entity", tail, op))

    def join(self, step: forms.Step, operand: Value, place: Place) -> OutputRef:
        relation = Literal(step.relation, step.place)
        if not step.inverse:
            return self.heads(relation, "=", operand, place)
        return self.call(SEARCH, place, _argument("head_entity", operand), _argument("relation", relation))

    def sets(self, function: str, place: Place, *operands: Value) -> OutputRef:
        return self.call(function, place, *(_argument(f"set{n}", each) for n, each in enumerate(operands, 1)))

    def along(self, path: forms.Path, op: str, value: Value, place: Place) -> OutputRef:
        """The nodes from which a path leads to such a value."""
        *steps, last = path
        if last.inverse:
            hint = "The last relation of the path is not (R ...)."
            raise ProgramError("heads are not compared as numbers", self.text, last.place, hint)
        found = self.heads(Literal(last.relation, last.place), op, value, place)
        for step in reversed(steps):
            found = self.join(step, found, place)
        return found

    def extreme(self, form: forms.Extreme) -> OutputRef:
        """ARGMAX by one relation; of a path, by its last relation, and from there back to the operand."""
        *steps, last = form.path
        if last.inverse:
            hint = "The last relation of the path is not (R ...)."
            raise ProgramError("heads have no order here", self.text, last.place, hint)
        operand = self.value(form.operand)
        reached = operand
        for step in steps:
            reached = self.join(step.inverted, reached, form.place)
        relation = Literal(last.relation, last.place)
        best = self.call(form.function.lower(), form.place, _argument("set", reached), _argument("relation", relation))
        if not steps:
            return best
        for step in reversed(steps):
            best = self.join(step, best, form.place)
        return self.sets("set_intersection", form.place, operand, best)

    # Time -------------------------------------------------------------------------------------------------------------

    def time_constraint(self, form: forms.TimeConstraint) -> OutputRef:
        time = constraint_time(form, self.text, self.now)
        literal = Literal(time, form.time.place)
        relation = Literal(form.relation.relation, form.relation.place)
        if is_time_name(relation.text):
            return self.facts_at(form, relation, literal)
        begins, ends = self.begin_and_end(form, relation)
        if "-" in time[1:]:
            note = f"An end that is only a year or a month counts as its first day when compared with {time}."
            self.notes[note] = None
        operand = self.value(form.operand)
        operand = self.without(operand, begins, (">", "<="), literal, form.place)
        return self.without(operand, ends, ("<", ">="), literal, form.place)

    def facts_at(self, form: forms.TimeConstraint, key: Literal, time: Literal) -> OutputRef:
        """The answers of a JOIN among the temporal facts that hold then (TrustUQA's rule T2)."""
        match form.operand:
            case forms.Join(step=step, operand=operand, place=place):
                relation = Literal(step.relation, step.place)
                given = _argument("head_entity" if step.inverse else "tail_entity", self.value(operand))
                at = _argument("key", key), _argument("value", time)
                return self.call(SEARCH, place, _argument("relation", relation), given, *at)
        problem = f"a constraint on '{key.text}' speaks of facts"
        raise ProgramError(problem, self.text, form.place, "Write (TC (JOIN relation x) time 1990).")

    def begin_and_end(self, form: forms.TimeConstraint, named: Literal) -> tuple[Literal, Literal]:
        """The relations for the begin and the end that a constraint means, of which it names one."""
        begin, end = (
            replace(named, optional=True)
            if relation == named.text
            else Literal(relation, _beside(named.place), optional=True, implied=True)
            for relation in constraint_relations(form, self.text)
        )
        return begin, end

    def without(
        self, operand: Value, relation: Literal, ops: tuple[str, str], time: Literal, place: Place
    ) -> OutputRef:
        """The elements but for those that have times under a relation of which none fits.

        Args:
            operand: the elements.
            relation: says when they begin, or when they end.
            ops: how a time that does not fit compares with the time asked, and how one that fits does.
            time: the time asked.
            place: of the constraint.
        """
        outside = self.heads(relation, ops[0], time, place)
        inside = self.heads(relation, ops[1], time, place)
        return self.sets("set_difference", place, operand, self.sets("set_difference", place, outside, inside))


def constraint_time(form: forms.TimeConstraint, text: str = "", now: date | None = None) -> str:
    """The year, month or day of a time constraint.

    Raises:
        ProgramError: it is none of these; `text` is what the message shows.
    """
    time = form.time.text
    if time.upper() == forms.NOW:
        return (now or date.today()).isoformat()
    if (day := _DAY.fullmatch(time)) is None:
        longer = with_four_digits(time)
        hint = longer and f"A year has four digits: write {longer}."
        raise ProgramError(f"'{time}' is not a year, a month, a day or NOW", text, form.time.place, hint)
    return day[1]


def constraint_relations(form: forms.TimeConstraint, text: str = "") -> tuple[str, str]:
    """The relations for the begin and the end that a time constraint means, of which it names one.

    Raises:
        ProgramError: its relation does not say when something begins or ends; `text` is what the message shows.
    """
    relation = form.relation
    before, dot, last = relation.relation.rpartition(".")
    begin = last if last in END_OF else _BEGIN_OF.get(last)
    if begin is None:
        hint = f"The relation ends with one of {', '.join(END_OF)}, or it is the key time of temporal facts."
        raise ProgramError(f"'{relation.relation}' does not say when something begins", text, relation.place, hint)
    return before + dot + begin, before + dot + (last if begin != last else END_OF[begin])


def _beside(place: Place) -> Place:
    """A place of its own for a name that is not written: names are told apart by their places."""
    return place[0], place[0]


def _argument(name: str, value: Value, op: str = "=") -> Argument:
    return Argument(name, op, value, value.place)


def _plain_value(value: forms.TypedLiteral) -> str:
    """The text of a typed value; of a time without its hours and zone, since facts have days."""
    day = _DAY.fullmatch(value.text) if value.datatype in _TIMES else None
    return day[1] if day else value.text
