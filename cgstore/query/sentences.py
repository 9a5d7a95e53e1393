"""A program, and its answer, in plain English: made by rules, without an LLM, so that it cannot differ.

    The Ship of the rows with Route = "South Line": Bela, Dena (all 2 shown).

Each call becomes a noun phrase, made of the phrases of its arguments. A program that is too deep for one sentence gets
several, with numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cgstore.model import Field, field_text
from cgstore.query.ast import Argument, Call, Each, Literal, OutputRef, Place, Program
from cgstore.query.comparisons import SUPERLATIVES
from cgstore.query.functions import FUNCTIONS, FURTHER
from cgstore.query.name_uses import is_time_name
from cgstore.query.operands import Names
from cgstore.query.settings import BY_NAME, ORDERS, place_of, separator_of
from cgstore.text.names import normal_form

SHOWN = 10
"""Values that a sentence lists."""

LONGEST_VALUE = 120
"""Characters of a value in a sentence."""

LONGEST_NAME = 200
"""Characters of a name in a sentence."""

_BARE = re.compile(r"[+-]?\d[\d.,]*%?|\d{4}-\d\d(?:-\d\d)?")

IT = "it"
"""The phrase for the element at hand, in a call that is run for each."""

RELATIONS = ("relation", "key", *(key for key, _ in FURTHER))
"""The arguments that are relations or keys."""

MOST_NAMES = 3
"""Nodes that are shown of a name that means several."""

LONGEST = 130
"""Characters of a phrase within another; a longer one gets a number and a sentence of its own."""

LONGEST_REPEATED = 40
"""Characters of a query's phrase that stands in several others."""

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

_ASKED = {
    **dict.fromkeys(("r", "hr", "rkv", "hrkv"), ("relation",)),
    **dict.fromkeys(("k", "hk", "rk", "rtk", "hrtk"), ("key",)),
    "hrk": ("relation", "key"),
}
"""What a search returns values of, by the letters of its arguments, if it does not return heads or relations."""


def sentence_of(
    program: Program,
    words: Vocabulary,
    answer: Sequence[str | int | float],
    rows: Sequence[tuple[Field, ...]] = (),
    total: int | None = None,
) -> str:
    """What a program asked and what it gave, in plain English.

    Args:
        program: what was parsed.
        words: what its names mean.
        answer: the values of the answer.
        rows: its rows, where it has several columns.
        total: how many values there are, if more than are given.
    """
    wording = Wording(program, words)
    phrase = wording.answer()
    values = [" | ".join(field_text(field) or '""' for field in row) for row in rows] or [
        str(value) for value in answer
    ]
    return " ".join([*wording.steps, sentence(_said(phrase, values, total or len(values)))])


def meaning_of(program: Program, words: Vocabulary) -> str:
    """What a program asks, in plain English, without an answer."""
    wording = Wording(program, words)
    phrase = wording.answer()
    return " ".join([*wording.steps, sentence(f"whether {phrase.holds}" if phrase.holds else phrase.text)])


def _said(phrase: Phrase, values: Sequence[str], total: int) -> str:
    """The last sentence."""
    if phrase.holds and values in (["yes"], ["no"]):
        return f"yes: {phrase.holds}" if values == ["yes"] else f"no: {phrase.fails}"
    if not values:
        return _nothing(phrase)
    shown = [_short(value) for value in values[:SHOWN]]
    if total == 1 and not phrase.plural:
        return f"{phrase.text} is {shown[0]}"
    between = "; " if any(", " in value or " | " in value for value in shown) else ", "
    if total == 1:
        return f"{phrase.text}: {shown[0]} (the only one)"
    all_of_them = f"all {total:,} shown" if len(shown) == total else f"{len(shown)} of {total:,} shown"
    return f"{phrase.text}: {between.join(shown)} ({all_of_them})"


def _nothing(phrase: Phrase) -> str:
    if phrase.nothing:
        return phrase.nothing
    if phrase.text.startswith("the "):
        return f"no {phrase.bare} {phrase.are} known"
    return f"nothing is known of {phrase.text}"


def _short(value: str) -> str:
    """A value on one line."""
    text = " ".join(value.split()) or '""'
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."


@dataclass(frozen=True)
class Vocabulary:
    """What the names of a program mean.

    Attributes:
        names: the nodes of each literal, by its place.
        only_tables: whether all sources are tables, so that all heads are rows.
    """

    names: Mapping[Place, Names]
    only_tables: bool = False

    def name(self, literal: Literal) -> str:
        """A name as it was mapped, and as the program writes it where that is another name."""
        named = self.names.get(literal.place)
        nodes = list(dict.fromkeys(named.names)) if named else []
        if not nodes or literal.text in nodes:
            return quoted(literal.text)
        shown = listed([quoted(node) for node in nodes[:MOST_NAMES]], "or")
        more = f" or {len(nodes) - MOST_NAMES:,} more" if len(nodes) > MOST_NAMES else ""
        is_another = normal_form(literal.text) not in {normal_form(node) for node in nodes}
        return f"{shown}{more}{f' (written {quoted(literal.text)})' if is_another else ''}"

    def relation(self, literal: Literal) -> str:
        """A relation, key or column; without quotes if it is made of plain words."""
        shown = self.name(literal)
        inner = shown[1:-1]
        is_plain = shown == f'"{inner}"' and inner.replace("_", "").replace(" ", "").replace("-", "").isalnum()
        return inner if is_plain else shown

    def noun(self, *arguments: Argument) -> str:
        """`rows` where the relations are columns, else `entities`."""
        found = [self.names.get(a.value.place) for a in arguments if isinstance(a.value, Literal)]
        known = [names for names in found if names]
        are_rows = all(names.is_of_tables for names in known) if known else self.only_tables
        return "rows" if are_rows else "entities"


@dataclass(frozen=True)
class Phrase:
    """A noun phrase.

    Attributes:
        text: the phrase with its article, such as `the Ship of the rows with Route = "South Line"`.
        plural: whether its verb stands in the plural.
        noun: `rows` or `entities` where the phrase is these `conditions` on heads, so that more can be added.
        conditions: what the heads satisfy, such as `Route = "South Line"`.
        are_heads: whether it is of rows or entities rather than of values.
        are_facts: whether it is of whole facts.
        has_numbers: whether each element has a number of its own.
        is_one: whether it is of one thing: a name, or what an aggregate gives.
        holds: of a yes or no, what `yes` says.
        fails: of a yes or no, what `no` says.
        nothing: what is said where there is nothing, if not that none is known.
    """

    text: str
    plural: bool = False
    noun: str = ""
    conditions: tuple[str, ...] = ()
    are_heads: bool = False
    are_facts: bool = False
    has_numbers: bool = False
    is_one: bool = False
    holds: str = ""
    fails: str = ""
    nothing: str = ""

    @property
    def are(self) -> str:
        """The verb."""
        return "are" if self.plural else "is"

    @property
    def some(self) -> str:
        """The phrase where it stands for several things, such as the heads of facts."""
        return self.text if self.is_one or self.text == IT else f"among {self.text}"

    def within(self, text: str, *, plural: bool | None = None) -> Phrase:
        """A phrase of the same things, to which no more conditions can be added."""
        is_plural = self.plural if plural is None else plural
        return replace(self, text=text, plural=is_plural, noun="", conditions=(), is_one=False, nothing="")

    @property
    def bare(self) -> str:
        """The phrase without its article."""
        return self.text.removeprefix("the ")


def heads(noun: str, conditions: Sequence[str]) -> Phrase:
    """Rows or entities that satisfy all conditions."""
    return Phrase(f"the {noun} with {listed(conditions)}", True, noun, tuple(conditions), are_heads=True)


def plural(text: str, *, are_heads: bool = False) -> Phrase:
    """A phrase in the plural."""
    return Phrase(text, True, are_heads=are_heads)


def of(what: str, whose: Phrase) -> Phrase:
    """What something has: `the Ship of ...`, or `its Ship` of the element at hand."""
    return Phrase(f"its {what}" if whose.text == IT else f"the {what} of {whose.text}")


def in_source(call: Call) -> str:
    """The one source that a call is asked of, to stand behind what is sought there."""
    source = call.argument_text("source")
    return f" in {quoted(source)}" if source else ""


def having(what: str, noun: str) -> str:
    """That something is there: `a value under out` of a column of rows, `an employer` of entities."""
    article = "an" if what[:1].lower() in "aeio" else "a"
    return f"a value under {what}" if noun == "rows" else f"{article} {what}"


def listed(texts: Sequence[str], word: str = "and") -> str:
    """Texts with commas and a word between them: `a, b and c`."""
    return f" {word} ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def quoted(text: str) -> str:
    """A name in double quotes; a number or date as it is."""
    if _BARE.fullmatch(text):
        return text
    shown = " ".join(text.split()) if text.strip() else text
    return f'"{shown if len(shown) <= LONGEST_NAME else shown[:LONGEST_NAME] + "..."}"'


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]


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

    def comparison(self, what: str, argument: Argument) -> str:
        """One comparison in words."""
        value = argument.value
        if isinstance(value, Literal):
            superlative = SUPERLATIVES.get(value.text.strip().lower())
            if superlative and not (argument.op == "=" and value.place in self.words.names):
                least = "least" if superlative.least else "greatest" if superlative.of_numbers else "most"
                of_what = f"{least}{'' if superlative.of_numbers else ' frequent'}"
                return f"are the {of_what} value" if what == "are" else f"the {of_what} {what or 'value'}"
            return f"{what} {argument.op} {self.words.name(value)}"
        given = Phrase(IT) if isinstance(value, Each) else self.argument(argument)
        if argument.op == "=":
            return f"{what} {given.some}" if given.some != given.text else f"{what} = {given.text}"
        return f"{what} {argument.op} {given.text if given.is_one else f'any of {given.text}'}"

    # get_information --------------------------------------------------------------------------------------------------

    def search(self, call: Call) -> Phrase:
        """The phrase of a search; of a key that is both a qualifier and a property, the two."""
        key = call.given("key")
        named = self.words.names.get(key[0].value.place) if key and isinstance(key[0].value, Literal) else None
        nodes, further = named.nodes if named else (), self.further(call)
        if is_time_name(call.argument_text("key")) and all(node.built_in for node in nodes):
            found = self.of_facts(call, further, is_time=True)
        else:
            are_heads = not further and (not nodes or any(node.of_heads for node in nodes))
            readings = [self.of_heads(call)] if are_heads else []
            if further or any(node.of_facts for node in nodes):
                readings.append(self.of_facts(call, further, is_time=False))
            found = readings[0] if len(readings) == 1 else plural(" or ".join(each.text for each in readings))
        source = in_source(call)
        if not source or source in found.text:
            return found
        nothing = found.nothing and f"{found.nothing}{source}"
        return replace(found, text=f"{found.text}{source}", noun="", conditions=(), nothing=nothing)

    def of_heads(self, call: Call) -> Phrase:
        """The phrase where all arguments are about heads."""
        letters, conditions = call.letters, self.conditions(call)
        noun = self.words.noun(*call.given("relation"), *call.given("key"))
        if "h" in letters:
            who = self.those(self.given(call, "head_entity"), conditions)
        elif conditions:
            who = heads(noun + in_source(call), conditions)
        elif letters == "rk":
            who = Phrase(f"the {noun}{in_source(call)} with {having(self.relation(call, 'relation'), noun)}")
        else:
            who = Phrase(f"all {noun}{in_source(call)}" if letters else "nothing")
        if letters == "h":
            return plural("its relations" if who.text == IT else f"the relations of {who.text}")
        if letters in ("ht", "hv", "htkv"):
            tail = self.compared(call, "", "value" if letters == "hv" else "tail_entity").strip()
            return plural(f"the relations from {who.text} to a tail {tail}")
        for name in _ASKED.get(letters, ()):
            who = of(self.relation(call, name), who)
        return who

    def conditions(self, call: Call) -> list[str]:
        """What the heads satisfy."""
        letters, found = call.letters, []
        any_relation = "any column" if self.words.only_tables else "any relation"
        if "t" in letters and letters not in ("ht", "htkv"):
            under = "relation" if "r" in letters else "key" if "k" in letters and "v" not in letters else ""
            found.append(self.compared(call, self.relation(call, under) if under else any_relation, "tail_entity"))
        if "v" in letters and letters != "hv":
            under = "key" if "k" in letters else "relation" if "r" in letters else ""
            found.append(self.compared(call, self.relation(call, under) if under else any_relation, "value"))
        return found

    def those(self, head: Phrase, conditions: Sequence[str]) -> Phrase:
        """A head, if it satisfies the conditions."""
        if not conditions:
            return head
        said = listed(conditions)
        if head.text == IT:
            return Phrase(f"it, if it has {said}", are_heads=True)
        if head.is_one:
            lacking = f"{head.text} does not have {said}"
            return Phrase(f"{head.text} with {said}", True, are_heads=True, is_one=True, nothing=lacking)
        lacking = f"none of {head.text} has {said}"
        return Phrase(f"those of {head.text} with {said}", True, are_heads=True, nothing=lacking)

    def of_facts(self, call: Call, further: Sequence[str], *, is_time: bool) -> Phrase:
        """The phrase where the key is one of facts, of which `further` keys say more."""
        letters, key = call.letters, self.relation(call, "key")
        value = [self.compared(call, key, "value")] if "v" in letters else []
        if letters in ("hrkv", "rtkv", "hrtkv"):
            return self.where(call, " and ".join([*value, *further]))
        parts = [
            f"{name.partition('_')[0]} {self.given(call, name).some}"
            for name in ("head_entity", "relation")
            if call.given(name)
        ]
        parts += [self.compared(call, "tail", "tail_entity")] if "t" in letters else []
        parts += [*value, *further]
        facts = plural(f"the facts with {listed(parts)}" if parts else "all facts")
        if "v" not in letters:
            return of(key, facts)
        if letters in ("kv", "hkv") and is_time:
            return replace(facts, are_facts=True)
        asked = "relations" if letters == "htkv" else "heads"
        return plural(f"the {asked} of {facts.text}", are_heads=asked == "heads")

    def further(self, call: Call) -> list[str]:
        """What else the same statement says."""
        return [self.compared(call, self.relation(call, key), value) for key, value in FURTHER if call.given(key)]

    def where(self, call: Call, said: str) -> Phrase:
        """The heads or tails of one relation where a key of the facts has a value."""
        relation = self.relation(call, "relation")
        if call.letters == "hrkv":
            return Phrase(f"{of(relation, self.given(call, 'head_entity')).text} where {said}")
        condition = [f"{self.compared(call, relation, 'tail_entity')} where {said}"]
        if call.given("head_entity"):
            return self.those(self.given(call, "head_entity"), condition)
        return replace(heads(self.words.noun(*call.given("relation")), condition), noun="", conditions=())

    def relation(self, call: Call, name: str) -> str:
        """A relation or key, as a noun without an article; that of an output is one of its elements."""
        value = call.given(name)[0].value
        return (
            self.words.relation(value) if isinstance(value, Literal) else f"value under {self.given(call, name).text}"
        )

    def compared(self, call: Call, what: str, name: str) -> str:
        """What a value satisfies: `Route = "South Line"`, `time >= 1990 and time < 2000`, `the greatest Points`."""
        return " and ".join(self.comparison(what, argument) for argument in call.given(name))

    # Sets -------------------------------------------------------------------------------------------------------------

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
        tests = [self.comparison(verb, argument) for argument in call.given("value")]
        for name, verb in (("contains", "contain"), ("starts_with", "start with"), ("ends_with", "end with")):
            tests += [f"{verb} {self.argument(argument).text}" for argument in call.given(name)]
        return given.within(f"those of {given.text} {that} {listed(tests)}", plural=True)

    def heads(self, call: Call) -> Phrase:
        where = in_source(call)
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
        end, leads = (
            ("tail_entity", "from which {} leads to")
            if call.given("tail_entity")
            else ("head_entity", "to which {} leads from")
        )
        start, relation = self.given(call, end).text, self.given(call, "relation").text
        most = call.argument_text("at_most")
        steps = f"in at most {most} step{'s' * (most != '1')}" if most else "in one or more steps"
        return plural(f"all {leads.format(relation)} {start} {steps}", are_heads=True)

    def rows_beside(self, call: Call) -> Phrase:
        given, before = self.given(call), call.function == "previous_row"
        if given.are_heads:
            return plural(f"the rows {'before' if before else 'after'} {given.text}", are_heads=True)
        return Phrase(f"{given.text} {'minus' if before else 'plus'} 1")

    distinct = given

    def sort(self, call: Call) -> Phrase:
        given = self.given(call)
        said = {name: call.argument_text(name).strip().lower() for name in ORDERS}
        descending = any(ORDERS[name].get(text, False) for name, text in said.items())
        how = f"in order, the {'greatest' if descending else 'least'} first"
        if said["order"] in BY_NAME:
            how = f"by name{', the last first' if descending else ''}"
        return given.within(f"{given.text} ({how})")

    def items(self, call: Call) -> Phrase:
        separator = separator_of(call.argument_text("separator"))
        between = f" between {quoted(separator)}" if separator else ""
        return plural(f"the items{between} in {self.given(call).text}")

    # Numbers ----------------------------------------------------------------------------------------------------------

    def aggregate(self, call: Call) -> Phrase:
        given = [self.argument(argument) for argument in call.given("set")]
        text = listed([each.text for each in given])
        if call.function == "exists":
            return _existence(given[0])
        if call.function in ("first", "last", "nth"):
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
        place = place_of(call.argument_text("n")) or 1
        if call.function == "nth":
            text = f"number {place}" if place > 0 else "the last" if place == -1 else f"number {-place} from the end"
        else:
            text = f"the {call.function}{'' if place == 1 else f' {place}'}"
        is_plural = call.function != "nth" and place != 1
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
            place = place_of(call.argument_text("which")) or 1
            which = {1: "the first number", -1: "the last number"}.get(place, f"number {place}")
            return Phrase(f"{which} in the text of {given}")
        return Phrase(f"the {_OF_EACH[call.function]} of {given}")

    def arithmetic(self, call: Call) -> Phrase:
        one, other = self.given(call, "value1").text, self.given(call, "value2").text
        if call.function.endswith("difference"):
            unit = call.argument_text("unit") or _DIFFERENCES.get(call.function, "")
            return Phrase(f"the difference{f' in {unit}' if unit else ''} between {one} and {other}", is_one=True)
        if call.function == "percentage":
            return Phrase(f"the percentage that {one} is of {other}", is_one=True)
        text = f"{one} {_SIGNS[call.function]} {other}"
        return Phrase(text, is_one=True, nothing=f"{text} has no single value")

    def calculate(self, call: Call) -> Phrase:
        one, other = self.given(call, "value1").text, self.given(call, "value2").text
        return Phrase(f"the result of {one} {call.argument_text('operator')} {other}", is_one=True)

    def compare(self, call: Call) -> Phrase:
        one, other = self.given(call, "value1").text, self.given(call, "value2").text
        if call.function in ("greater_than", "less_than"):
            than = f"{call.function.replace('_', ' ')} {other}"
            return _truth(one, f"is {than}", f"is not {than}")
        operator = call.argument_text("operator").strip() or ">"
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
        function = call.argument_text("function").strip().lower() or "count"
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
