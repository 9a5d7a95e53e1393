"""A program in words: each call becomes a noun phrase, made of the phrases of its arguments."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from cgstore.query.ast import Argument, Call, Each, Literal, OutputRef, Program
from cgstore.query.functions import FUNCTIONS
from cgstore.query.sentences.phrases import IT, Phrase, capital, having, heads, listed, of, plural, quoted
from cgstore.query.sentences.searches import RELATIONS, Search, Vocabulary, comparison
from cgstore.query.settings import BY_NAME, ORDERS, place_of, separator_of

LONGEST = 130
"""Characters of a phrase within another; a longer one gets a number and a sentence of its own."""

LONGEST_REPEATED = 40
"""Characters of a query's phrase that stands in several others."""


class Wording:
    """The phrases of a program's queries: a method for each form of functions (`Function.form`).

    Attributes:
        steps: the sentences before the last one, for phrases that are too long to stand within others.
    """

    def __init__(self, program: Program, words: Vocabulary) -> None:
        self.program, self.words = program, words
        self.steps: list[str] = []
        self._numbered: dict[int, Phrase] = {}
        uses = (a.value.number for query in program.queries for call in query.all_calls() for a in call.arguments
                if isinstance(a.value, OutputRef))  # fmt: skip
        self._uses = Counter(uses)

    def answer(self) -> Phrase:
        """The phrase of what the program gives."""
        phrase = self.call(self.program.queries[-1])
        target = self.program.target
        if target is None or self.program.queries[-1].function == "select":
            return phrase
        relation = self.words.relation(target)
        values = of(relation, self.short(phrase))
        return (
            values
            if phrase.noun == "rows" or self.words.only_tables
            else replace(values, text=f"{values.text} (or itself, without one)")
        )

    def call(self, call: Call) -> Phrase:
        """The phrase of a call."""
        row = FUNCTIONS.get(call.function)
        if row is None:
            return Phrase(
                f"the result of {call.function} for {listed([self.argument(a).text for a in call.arguments])}"
            )
        phrase: Phrase = getattr(self, row.form)(call)
        return phrase

    def argument(self, argument: Argument) -> Phrase:
        """The phrase of an argument."""
        match argument.value:
            case Literal() as literal:
                is_relation = argument.name in RELATIONS
                text = self.words.relation(literal) if is_relation else self.words.name(literal)
                return Phrase(text, are_heads=not is_relation, is_one=True)
            case Each():
                return Phrase(IT, are_heads=True, is_one=True)
            case Call() as call:
                return self.short(self.call(call))
            case OutputRef(number=number):
                return self.output(number)

    def output(self, number: int) -> Phrase:
        """The phrase of an earlier query, or its number."""
        if number not in self._numbered:
            phrase = self.call(self.program.queries[number - 1])
            most = LONGEST_REPEATED if self._uses[number] > 1 else LONGEST
            self._numbered[number] = self.short(phrase, most)
        return self._numbered[number]

    def short(self, phrase: Phrase, most: int = LONGEST) -> Phrase:
        """A phrase that may stand within another: itself, or the number of its own sentence."""
        if len(phrase.text) <= most or phrase.text.startswith(("it ", "its ")) or " its " in phrase.text:
            return phrase
        self.steps.append(f"({len(self.steps) + 1}) Take {phrase.text}.")
        return replace(phrase, text=f"({len(self.steps)})", noun="", conditions=())

    def given(self, call: Call, name: str = "set") -> Phrase:
        """The phrase of an argument that is given once."""
        return self.argument(call.given(name)[0])

    # Sets -------------------------------------------------------------------------------------------------------------

    def search(self, call: Call) -> Phrase:
        return Search(call, self.words, self.argument).read()

    def sets(self, call: Call) -> Phrase:
        given = [self.argument(argument) for argument in call.arguments]
        same = given[0]
        are_heads = all(each.are_heads for each in given)
        if call.function == "set_intersection":
            if same.noun and all(each.noun == same.noun for each in given):
                return heads(same.noun, list(dict.fromkeys(text for each in given for text in each.conditions)))
            sides = listed([each.text for each in given])
            return Phrase(
                f"what {sides} have in common", are_heads=are_heads, nothing=f"{sides} have nothing in common",
                are_facts=same.are_facts,
            )  # fmt: skip
        word = " together with " if call.function == "set_union" else " other than "
        return replace(same.within(word.join(each.text for each in given), plural=True), are_heads=are_heads)

    def negation(self, call: Call) -> Phrase:
        given = self.given(call)
        other = "facts" if given.are_facts else "heads"
        return plural(f"all {other} that are not among {given.text}", are_heads=not given.are_facts)

    def keep(self, call: Call) -> Phrase:
        given = self.given(call)
        verb, that = ("number", "with a") if given.has_numbers else ("are", "that")
        tests = [comparison(verb, argument, self.words, self.argument) for argument in call.given("value")]
        for name, verb in (("contains", "contain"), ("starts_with", "start with"), ("ends_with", "end with")):
            tests += [f"{verb} {self.argument(argument).text}" for argument in call.given(name)]
        return given.within(f"those of {given.text} {that} {listed(tests)}", plural=True)

    def heads(self, call: Call) -> Phrase:
        source = call.text("source")
        where = f" in {quoted(source)}" if source else ""
        noun = self.words.noun(*call.given("relation"))
        if not call.given("relation"):
            return plural(f"all {noun}{where}", are_heads=True)
        relation = call.given("relation")[0]
        is_named = isinstance(relation.value, Literal)
        with_what = having(self.argument(relation).text, noun if is_named else "rows")
        return plural(f"the {noun} with {with_what}{where}", are_heads=True)

    def literals(self, call: Call) -> Phrase:
        given = [self.argument(argument).text for argument in call.given("set")]
        return Phrase(listed(given) if given else "nothing", len(given) > 1, are_heads=True)

    def reach(self, call: Call) -> Phrase:
        back = not call.given("head_entity")
        start = self.given(call, "tail_entity" if back else "head_entity").text
        relation = self.given(call, "relation").text
        most = call.text("at_most")
        steps = f"in at most {most} step{'s' * (most != '1')}" if most else "in one or more steps"
        if back:
            return plural(f"all from which {relation} leads to {start} {steps}", are_heads=True)
        return plural(f"all to which {relation} leads from {start} {steps}", are_heads=True)

    def rows_beside(self, call: Call) -> Phrase:
        given, before = self.given(call), call.function == "previous_row"
        if given.are_heads:
            return plural(f"the rows {'before' if before else 'after'} {given.text}", are_heads=True)
        return Phrase(f"{given.text} {'minus' if before else 'plus'} 1")

    def distinct(self, call: Call) -> Phrase:
        return self.given(call)

    def sort(self, call: Call) -> Phrase:
        given = self.given(call)
        order = call.text("order").strip().lower()
        chosen = [ORDERS[name].get(call.text(name).strip().lower(), False) for name in ORDERS if call.given(name)]
        descending = any(chosen)
        if order in BY_NAME:
            how = "by name, the last first" if descending else "by name"
        else:
            how = f"in order, the {'greatest' if descending else 'least'} first"
        return given.within(f"{given.text} ({how})")

    def items(self, call: Call) -> Phrase:
        separator = separator_of(call.text("separator"))
        between = f" between {quoted(separator)}" if separator else ""
        return plural(f"the items{between} in {self.given(call).text}")

    # Numbers ----------------------------------------------------------------------------------------------------------

    def aggregate(self, call: Call) -> Phrase:
        given = [self.argument(argument) for argument in call.given("set")]
        text = listed([each.text for each in given])
        if call.function == "exists":
            return _existence(given[0])
        if call.function in _PLACE_WORDS:
            return self.at_place(call, given[0])
        if call.function == "longest_run":
            return plural(f"the longest run of consecutive rows among {text}", are_heads=True)
        text = f"the {_AGGREGATES[call.function]} of {text}"
        if call.function == "mode":
            return given[0].within(text, plural=True)
        if call.function in ("min", "max"):
            return replace(given[0].within(text, plural=False), is_one=True)
        return Phrase(text, is_one=True)

    def at_place(self, call: Call, given: Phrase) -> Phrase:
        """first, last and nth."""
        place = place_of(call.text("n")) if call.given("n") else None
        if call.function == "nth":
            number = place or 1
            text = (
                f"number {number}" if number > 0 else "the last" if number == -1 else f"number {-number} from the end"
            )
        else:
            text = f"the {call.function}{'' if place in (None, 1) else f' {place}'}"
        is_plural = call.function != "nth" and place not in (None, 1)
        return replace(given.within(f"{text} of {given.text}", plural=is_plural), is_one=not is_plural)

    def heads_of_extreme(self, call: Call) -> Phrase:
        given, extreme = self.given(call), "least" if call.function == "argmin" else "greatest"
        if call.given("relation"):
            relation = self.given(call, "relation").text
            return plural(f"those of {given.text} with the {extreme} {relation}", are_heads=True)
        if given.has_numbers:
            return given.within(f"those of {given.text} with the {extreme} number")
        return plural(f"the ones with the {extreme} of {given.text}", are_heads=True)

    def each(self, call: Call) -> Phrase:
        given = self.given(call).text
        if call.function == "extract_number":
            place = place_of(call.text("which")) if call.given("which") else 1
            which = {None: "first", 1: "first", -1: "last"}.get(place, f"number {place}")
            which = f"the {which} number" if place in (None, 1, -1) else which
            return Phrase(f"{which} in the text of {given}")
        return Phrase(f"the {_OF_EACH[call.function]} of {given}")

    def arithmetic(self, call: Call) -> Phrase:
        one, other = self.given(call, "value1").text, self.given(call, "value2").text
        if call.function.endswith("difference"):
            unit = call.text("unit") or _DIFFERENCES.get(call.function, "")
            return Phrase(f"the difference{f' in {unit}' if unit else ''} between {one} and {other}", is_one=True)
        if call.function == "percentage":
            return Phrase(f"the percentage that {one} is of {other}", is_one=True)
        text = f"{one} {_SIGNS[call.function]} {other}"
        return Phrase(text, is_one=True, nothing=f"{text} has no single value")

    def calculate(self, call: Call) -> Phrase:
        one, other = self.given(call, "value1").text, self.given(call, "value2").text
        return Phrase(f"the result of {one} {call.text('operator')} {other}", is_one=True)

    def compare(self, call: Call) -> Phrase:
        one, other = self.given(call, "value1").text, self.given(call, "value2").text
        if call.function in ("greater_than", "less_than"):
            than = f"{call.function.replace('_', ' ')} {other}"
            return _truth(one, f"is {than}", f"is not {than}")
        operator = call.text("operator").strip() or ">"
        compares = _COMPARES.get(operator, operator)
        if call.function == "if" and call.given("then"):
            then = self.given(call, "then").text
            otherwise = self.given(call, "else").text if call.given("else") else "nothing"
            return Phrase(f"the choice between {then} (if {one} {compares} {other}) and {otherwise} (if not)")
        return Phrase(f"the one with the {_SIDES.get(operator, operator)} number ({one} or {other})")

    def equals(self, call: Call) -> Phrase:
        one, other = self.given(call, "value1").text, self.given(call, "value2").text
        return _truth(one, f"is the same as {other}", f"is not the same as {other}")

    # For each element -------------------------------------------------------------------------------------------------

    def for_each(self, call: Call) -> Phrase:
        given, number = self.given(call), self.given(call, "value").text
        return replace(given.within(f"{given.text} (each with {number})", plural=True), has_numbers=True)

    def group(self, call: Call) -> Phrase:
        function = call.text("function").strip().lower() or "count"
        by = self.given(call, "by").text
        relations = [a for name in ("by", "of") for a in call.given(name)]
        inner = [b for a in relations if isinstance(a.value, Call) for b in a.value.given("relation")]
        what = self.given(call, "of").text if call.given("of") else ""
        noun = self.words.noun(*inner)
        of_what = what.removeprefix("its ") if what else noun if function == "count" else "the numbers"
        among = f" among {self.given(call).text}" if call.given("set") else ""
        for_each = "head" if by == IT else f"value of {by}" if by.startswith("the ") else by.removeprefix("its ")
        word = FUNCTIONS.get(function, FUNCTIONS["count"]).name.replace("_", " ")
        return Phrase(f"the {word} of {of_what} for each {for_each}{among}", True, are_heads=True, has_numbers=True)

    def select(self, call: Call) -> Phrase:
        columns = [self.argument(argument).bare.removeprefix("its ") for argument in call.given("column")]
        given = self.given(call)
        names = listed([column for column in columns if column != IT]) or "number"
        return plural(f"the {names} of {given.text}")


def _truth(subject: str, holds: str, fails: str) -> Phrase:
    return Phrase(f"whether {subject} {holds}", holds=f"{subject} {holds}", fails=f"{subject} {fails}")


def _existence(given: Phrase) -> Phrase:
    """Whether a set has an element."""
    if given.text.startswith("the "):
        holds = f"there {given.are} {given.bare if given.plural else f'a {given.bare}'}"
        return Phrase(f"whether {holds}", holds=holds, fails=f"there {given.are} no {given.bare}")
    holds = f"there is something in {given.text}"
    return Phrase(f"whether {holds}", holds=holds, fails=f"there is nothing in {given.text}")


def sentence(text: str) -> str:
    """A text as a sentence."""
    return capital(text if text.endswith((".", "...")) else f"{text}.")


_PLACE_WORDS = ("first", "last", "nth")
_AGGREGATES = {
    "min": "least", "max": "greatest", "mean": "mean", "sum": "sum", "median": "median", "count": "count",
    "standard_deviation": "standard deviation", "mode": "most frequent",
}  # fmt: skip
_OF_EACH = {
    "abs": "absolute value", "extract_year": "year", "to_number": "number", "to_integer": "whole number",
    "extract_month": "month", "extract_year_month": "month and year", "extract_quarter": "quarter",
    "extract_day": "day of the month", "extract_weekday": "weekday", "fold": "folded text",
}  # fmt: skip
_DIFFERENCES = {"year_difference": "years", "month_difference": "months", "day_difference": "days"}
_SIGNS = {"subtract": "minus", "add": "plus", "multiply": "times", "divide": "divided by"}
_SIDES = {">": "greater", "<": "smaller"}
_COMPARES = {">": "is greater than", "<": "is less than", ">=": "is at least", "<=": "is at most", "=": "is"}
