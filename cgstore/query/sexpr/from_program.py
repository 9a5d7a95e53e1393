"""Program -> form, where a program has a counterpart among S-expressions."""

from __future__ import annotations

from collections.abc import Callable

from cgstore.errors import setting
from cgstore.query.ast import PARTS, Argument, Call, Each, Literal, OutputRef, Program, Value
from cgstore.query.functions import FURTHER, SEARCH
from cgstore.query.name_uses import is_time_name
from cgstore.query.parse import ProgramError
from cgstore.query.sexpr import forms
from cgstore.query.sexpr.to_program import SET_FUNCTIONS

_COMBINATIONS = {function: name for name, function in SET_FUNCTIONS.items()}
_COMPARISONS = {sign: name for name, sign in forms.SIGNS.items()}


def from_program(program: Program) -> forms.Form:
    """The form with the same meaning as a program.

    Two things differ where they matter: a form never takes a tail in the place of a head (language page,
    get_information), and a key that is not a time is taken for a property of the head.

    Raises:
        ProgramError: something in the program has no counterpart; the message names it.
    """
    if program.target is not None:
        raise ProgramError("a type in braces has no counterpart in S-expressions", program.text, program.target.place)
    return _Raising(program).call(program.queries[-1])


class _Raising:
    """Builds the form of one program: each output stands where it is used."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def none(self, what: str, call: Call, hint: str | None = None) -> ProgramError:
        return ProgramError(f"{what} has no counterpart in S-expressions", self.program.text, call.place, hint)

    def value(self, value: Value) -> forms.Form:
        match value:
            case Literal(text=text):
                return forms.Name(text)
            case OutputRef(number=number):
                return self.call(self.program.queries[number - 1])
            case Call():
                return self.call(value)
            case Each():
                raise AssertionError("its call has no counterpart")

    def call(self, call: Call) -> forms.Form:
        match call.function:
            case "get_information":
                return self.search(call)
            case "set_union" | "set_intersection" | "set_difference":
                operands = tuple(self.value(argument.value) for argument in call.arguments)
                return forms.Combination(_COMBINATIONS[call.function], operands)
            case "count":
                return forms.Count(self.value(call.given("set")[0].value))
            case "argmax" | "argmin":
                return self.extreme(call)
            case "distinct":
                return self.value(call.given("set")[0].value)
            case "literals" if len(call.arguments) == 1:
                return self.value(call.arguments[0].value)
        raise self.none(f"the function {call.function}", call)

    def extreme(self, call: Call) -> forms.Form:
        """`argmax(set, relation)`, or the heads of the values that a search found under one relation."""
        given = call.given("set")[0].value
        if call.given("relation"):
            return forms.Extreme(call.function.upper(), self.value(given), (self.step(call, "relation"),))
        search = self.program.queries[given.number - 1] if isinstance(given, OutputRef) else given
        if isinstance(search, Call) and search.function == SEARCH and search.letters == "hr":
            heads = self.value(search.given("head_entity")[0].value)
            return forms.Extreme(call.function.upper(), heads, (self.step(search, "relation"),))
        raise self.none(
            f"{call.function} of values whose heads are not asked for", call, "Write argmax(set=heads, relation='...')."
        )

    def search(self, call: Call) -> forms.Form:
        if call.given("source"):
            raise self.none("a call of one source", call, f"Choose the source with {setting('source')}.")
        if any(call.given(key) for key, _ in FURTHER):
            raise self.none("a call with several keys", call)
        letters = call.letters
        if is_time_name(call.argument_text("key")):
            return self.at_a_time(call, letters)
        rule = _RULES.get(letters)
        if rule is None:
            raise self.none(f"get_information with {_spelt(letters)} alone", call)
        return rule(self, call)

    def at_a_time(self, call: Call, letters: str) -> forms.Form:
        """The heads or the tails of the facts that hold at a time (T2)."""
        value = call.given("value")
        plain = len(value) == 1 and value[0].op == "=" and isinstance(value[0].value, Literal)
        if letters not in ("hrkv", "rtkv") or not plain:
            raise self.none(f"a time with {_spelt(letters)}", call, "A TC takes (JOIN relation x) and one time.")
        assert isinstance(value[0].value, Literal)
        operand = self.tails(call) if letters == "hrkv" else self.heads(call)
        return forms.TimeConstraint(operand, self.step(call, "key"), forms.Name(value[0].value.text))

    def step(self, call: Call, name: str, *, inverse: bool = False) -> forms.Step:
        value = call.given(name)[0].value
        if not isinstance(value, Literal):
            raise self.none("a relation that an earlier query found", call)
        return forms.Step(value.text, inverse)

    def tails(self, call: Call, of: forms.Form | None = None, under: str = "relation") -> forms.Form:
        """The tails, under the relation or the key, of the head or of a form."""
        return forms.Join(self.step(call, under, inverse=True), of or self.value(call.given("head_entity")[0].value))

    def heads(self, call: Call, under: str = "relation", compared: str = "tail_entity") -> forms.Form:
        """The heads whose tail or value satisfies every comparison."""
        step = self.step(call, under)
        each = tuple(self.comparison(step, argument, call) for argument in call.given(compared))
        return each[0] if len(each) == 1 else forms.Combination("AND", each)

    def comparison(self, step: forms.Step, argument: Argument, call: Call) -> forms.Form:
        operand = self.value(argument.value)
        if argument.op == "=":
            return forms.Join(step, operand)
        if not isinstance(operand, forms.Name):
            raise self.none("an order comparison with an output", call)
        return forms.OrderComparison(_COMPARISONS[argument.op], (step,), operand)


def _spelt(letters: str) -> str:
    return " and ".join(name for name in PARTS if name[0] in letters)


_RULES: dict[str, Callable[[_Raising, Call], forms.Form]] = {
    "hr": lambda r, c: r.tails(c),
    "hk": lambda r, c: r.tails(c, under="key"),
    "rt": lambda r, c: r.heads(c),
    "rv": lambda r, c: r.heads(c, compared="value"),
    "tk": lambda r, c: r.heads(c, "key"),
    "kv": lambda r, c: r.heads(c, "key", "value"),
    "rtk": lambda r, c: r.tails(c, r.heads(c), "key"),
    "rkv": lambda r, c: r.tails(c, r.heads(c, "key", "value")),
    "hrk": lambda r, c: r.tails(c, r.tails(c), "key"),
    "rtkv": lambda r, c: forms.Combination("AND", (r.heads(c), r.heads(c, "key", "value"))),
}
"""The combinations of arguments without a time, by their letters; the others ask for relations, keys or facts."""
