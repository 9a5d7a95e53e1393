"""Programs about one fact, or about the facts on one side of a relation, within limits of time.

`Asked` is the search that a question leads to, and `Program` a program in the making: of these are the programs of
questions that are read by their parts. From the search of an easier question come the programs of questions that no
demonstration asks: whether the fact holds, for how long, how many there are, which others there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from cgstore.errors import BadInput
from cgstore.llm.graph_view import Neighbourhood
from cgstore.mapping.mentions import Mention, words_of
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.query.ast import Literal
from cgstore.query.build import quote
from cgstore.query.parse import parse
from cgstore.text.dates import Step
from cgstore.text.thesaurus import PLACE_LEMMAS, lemma, units

RELATION = re.compile(r"\brelation='((?:[^'\\]|\\.)*)'")
"""The relation in the text of a call, quoted as there."""

_OUTPUT = re.compile(r"'output_of_query(\d+)'")
_HOW_MANY = re.compile(r"\bhow many ([^\W\d_]+)", re.IGNORECASE)
_OF_DEED = re.compile(
    r"(?:what|which (?!year|date|day|month|decade|century)[a-z]+) (?:did|does|do|has|have|had)\b", re.IGNORECASE
)
_IN_WHICH = re.compile(r"\b(?:in|at|from|to) (?:which|what) ([^\W\d_]+)", re.IGNORECASE)
_TIME_KEYS = ("time", "start_time", "end_time")
_PARTS = ("head_entity", "relation", "tail_entity")
EVERY = "\0every"
"""The head or the tail of a search for what has a relation with anything."""

DAYS_OF = {"weeks": "7", "months": "30.4375", "years": "365.25"}
_UNITS = {"years": ("years",), "months": ("months",), "days": ("days", "weeks", "months", "years")}

Around = Callable[[str], Neighbourhood]
"""The relations that have a node, by its key, as head and as tail."""


@dataclass(frozen=True)
class Asked:
    """A search: a relation with a head, a tail or both, and the time key that the question asks for, if any.

    `note` says which other words are taken for the relation.
    """

    head: str = ""
    relation: str = ""
    tail: str = ""
    key: str = ""
    note: str = field(default="", compare=False)

    @property
    def is_fact(self) -> bool:
        """Whether all of the fact is given, or an event itself."""
        return bool(self.head and (self.tail or not self.relation))

    @property
    def is_set(self) -> bool:
        """Whether one side of a relation is asked for."""
        return bool(self.relation) and bool(self.head) != bool(self.tail)

    @property
    def free_side(self) -> str:
        """The side that a set is."""
        return "tail" if self.head else "head"

    @property
    def text(self) -> str:
        """The fact as people read it."""
        return " | ".join(part for part in (self.head, self.relation, self.tail) if part not in ("", EVERY))

    def with_name(self, name: str) -> Asked:
        """The fact that has this name on the free side."""
        return replace(self, **{self.free_side: name})

    def search(self, *more: str, key: str = "") -> str:
        """The call that finds it, with a time key if given, and with further arguments."""
        if self.tail == EVERY and not (more or key or self.head):
            return f"heads(relation={quote(self.relation)})"
        given = zip(_PARTS, (self.head, self.relation, self.tail), strict=True)
        parts = [f"{name}={quote(value)}" for name, value in given if value not in ("", EVERY)]
        parts += [f"head_entity=heads(relation={quote(self.relation)})"] if self.head == EVERY else []
        parts += [f"key={quote(key)}"] if key else []
        return f"get_information({', '.join([*parts, *more])})"


def asked_by(program: str) -> Asked | None:
    """The search of a program that is nothing but one search, for facts or for their times."""
    try:
        calls = parse(program).queries
    except BadInput:
        return None
    if len(calls) != 1 or calls[0].function not in ("get_information", "heads"):
        return None
    given: dict[str, str] = {"tail_entity": EVERY} if calls[0].function == "heads" else {}
    for argument in calls[0].arguments:
        known = argument.name in (*_PARTS, "key") and argument.name not in given
        if not known or argument.op != "=" or not isinstance(argument.value, Literal):
            return None
        given[argument.name] = argument.value.text
    key = given.get("key", "")
    if key and key not in _TIME_KEYS:
        return None
    return Asked(given.get("head_entity", ""), given.get("relation", ""), given.get("tail_entity", ""), key)


def facts_with(relation: str, names: Sequence[Mention], said: Sequence[str], around: Around) -> list[Asked]:
    """The facts of a relation that have names on the sides that the graph and the words leave.

    Args:
        relation: one of the graph.
        names: one or two, in the order of the question, which is that of the facts too.
        said: the side of each that the words say, empty if they leave it open.
        around: the relations of a name.
    """

    def fits(place: int, side: str) -> bool:
        return said[place] in ("", side) and relation in getattr(around(names[place].key), side)

    if len(names) == 1:
        return [Asked(relation=relation, **{side: names[0].name}) for side in ("head", "tail") if fits(0, side)]
    orders = [(head, tail) for head, tail in ((0, 1), (1, 0)) if fits(head, "head") and fits(tail, "tail")]
    return [Asked(names[head].name, relation, names[tail].name) for head, tail in orders]


@dataclass(frozen=True)
class Bound:
    """A limit of time that is ready for a program: a time, or the times of another search (`of`).

    `sign` is one of = < > <= >=, `between` and `since` (from then on, without what ended then); `key` is the
    time key that is compared, empty: that of the question.
    """

    sign: str
    times: tuple[str, ...] = ()
    of: Asked | None = None
    key: str = ""


class Program:
    """A program in the making, which may go on from another."""

    def __init__(self, begun: str = "") -> None:
        self._lines = begun.split("\n") if begun else []

    def add(self, call: str) -> str:
        """Adds a call, and gives its output."""
        self._lines.append(f'Query{len(self._lines) + 1}: "{call}"')
        return self.last

    def go_on(self, program: str) -> str:
        """Adds the calls of a program, whose outputs are numbered anew, and gives the last output."""
        before = len(self._lines)
        for line in program.splitlines():
            call = line.split('"', 1)[1].removesuffix('"')
            self.add(_OUTPUT.sub(lambda found: f"'output_of_query{int(found[1]) + before}'", call))
        return self.last

    @property
    def last(self) -> str:
        """The output of the last call."""
        return f"'output_of_query{len(self._lines)}'"

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def search(self, asked: Asked, *more: str, key: str = "") -> str:
        """Adds a search (see `Asked.search`), and gives its output."""
        return self.add(asked.search(*more, key=key))

    def found(self, asked: Asked, bounds: Sequence[Bound]) -> str:
        """What a search finds within all bounds."""
        if not bounds:
            return self.search(asked)
        outputs = [self._within(asked, bound) for bound in bounds]
        return outputs[0] if len(outputs) == 1 else self.add(f"set_intersection({_sets(outputs)})")

    def _within(self, asked: Asked, bound: Bound) -> str:
        key = bound.key or asked.key or "time"
        if bound.of is not None:
            return self.search(asked, f"value{bound.sign}{self._edge(bound)}", key=key)
        if bound.sign == "between":
            first, last = (quote(time) for time in bound.times)
            return self.search(asked, f"value>={first}", f"value<={last}", key=key)
        if bound.sign == "since":
            begun = self.search(asked, f"value>={quote(bound.times[0])}", key="start_time")
            later = self.search(asked, f"value>{quote(bound.times[0])}", key=key)
            return self.add(f"set_union({_sets([begun, later])})")
        return self.search(asked, f"value{bound.sign}{quote(bound.times[0])}", key=key)

    def _edge(self, bound: Bound) -> str:
        """The times of another search; before and after it, the first or the last of them."""
        assert bound.of is not None
        edge = {"<": ("start_time", "min"), ">": ("end_time", "max")}.get(bound.sign)
        times = self.search(bound.of, key=bound.of.key or (edge[0] if edge else "time"))
        return self.add(f"{edge[1]}(set={times})") if edge else times


def whether_either(facts: Sequence[Asked], bounds: Sequence[Bound]) -> str:
    """Whether one of several facts holds."""
    program = Program()
    outputs = [program.found(asked, bounds) for asked in facts]
    program.add(f"exists(set={outputs[0] if len(outputs) == 1 else program.add(f'set_union({_sets(outputs)})')})")
    return program.text


def whether_in(program: str, name: str) -> str:
    """Whether the answer of a program has a name."""
    return _with_name(program, name, "exists(set={})")


def whether_surely_in(program: str, name: str) -> str:
    """`yes` if the answer of a program has a name, else nothing."""
    return _with_name(program, name, "if(count(set={}) > 0, 'yes')")


def _with_name(program: str, name: str, function: str) -> str:
    made = Program(program)
    made.add(function.format(made.add(f"set_intersection(set1={made.last}, set2={quote(name)})")))
    return made.text


def whether_reached(head: str, relation: str, tail: str) -> str:
    """Whether steps along a relation lead from a head to a tail, as from a town to its country."""
    program = Program()
    program.add(f"reach(head_entity={quote(head)}, relation={quote(relation)})")
    return whether_in(program.text, tail)


def found_within(asked: Asked, bounds: Sequence[Bound]) -> str:
    """The names on the free side of a relation within bounds."""
    program = Program()
    program.found(asked, bounds)
    return program.text


def others(asked: Asked, bounds: Sequence[Bound]) -> str:
    """All other names that the relation has on the free side."""
    program = Program()
    every = f"heads(relation={quote(asked.relation)})"
    if asked.free_side == "tail":
        every = Asked(relation=asked.relation).search()
    universe, found = program.add(every), program.found(asked, bounds)
    program.add(f"set_difference(set1={universe}, set2={found})")
    return program.text


def counted(program: str) -> str:
    """The number of what a program finds."""
    made = Program(program)
    made.add(f"count(set={made.last})")
    return made.text


def not_counted(program: str, question: str, numbers: Set[str], times: Set[str] = frozenset()) -> str:
    """The program without its count where `how many inhabitants` asks for a number that the data have.

    Empty where the one number that a name has would be counted, or would be a place: `how many people work there`; and
    where units would be: `how many millilitres are in the bottle`.

    Args:
        program: any.
        question: the question that it is for.
        numbers: the relations whose values are numbers.
        times: those of them whose values are times.
    """
    first, *rest = program.splitlines()
    asked, noun = asked_by(first), _HOW_MANY.search(question)
    if (
        noun
        and rest
        and asked
        and asked.head
        and lemma(noun[1].lower()) in units()
        and not _is_word_of(noun[1], asked.relation)
    ):
        return ""
    if asked is None or asked.tail or asked.relation not in numbers:
        return program
    if asked.relation in times and _OF_DEED.match(question):
        return ""
    if not rest:
        place = _IN_WHICH.search(question)
        return "" if place and lemma(place[1].lower()) in PLACE_LEMMAS else program
    if len(rest) > 1 or not noun or "count(set='output_of_query1')" not in rest[0] or not asked.head:
        return program
    return first if _is_word_of(noun[1], asked.relation) else ""


def _is_word_of(noun: str, relation: str) -> bool:
    return any(same_stem(noun.lower(), word.text.lower()) for word in words_of(relation))


def terms(asked: Asked, bounds: Sequence[Bound]) -> str:
    """How many times a fact began within bounds, which are times."""
    program = Program()
    starts = program.search(asked, key="start_time")
    for bound in bounds:
        signs = (">=", "<=") if bound.sign == "between" else (bound.sign,)
        kept = (f"value{sign}{quote(time)}" for sign, time in zip(signs, bound.times, strict=True))
        starts = program.add(f"keep(set={starts}, {', '.join(kept)})")
    program.add(f"count(set={starts})")
    return program.text


def how_long(asked: Asked, step: Step, unit: str) -> str:
    """How long a fact held: the sum of its terms, each from its start to its end; nothing if that is 0.

    Empty if times of this step have no such unit.
    """
    base = f"{step}s" if f"{step}s" in _UNITS else "days"
    return _summed(asked, base, unit) if unit in _UNITS[base] else ""


def how_many_years(asked: Asked) -> str:
    """How many years of the calendar a fact held, where its days are not known."""
    return _summed(asked, "years", "years", is_whole=True)


def _summed(asked: Asked, base: str, unit: str, is_whole: bool = False) -> str:
    """The sum of the terms of a fact in a unit, counted in another; nothing if the data leave one of them open."""
    program = Program()
    starts = program.search(asked, key="start_time")
    end = asked.search("where_key='start_time'", "where_value=each", key="end_time")
    each = program.add(f"for_each(set={starts}, value={base.removesuffix('s')}_difference(each, {end}))")
    total = program.add(f"keep(set={program.add(f'sum(set={each})')}, value>'0')")
    if unit in ("years", "months") and base == "days":  # an anniversary is a whole year, however many were leap years
        total = program.add(f"add({total}, '1')")
    if unit != base:
        total = program.add(f"to_integer(set={program.add(f'divide({total}, {quote(DAYS_OF[unit])})')})")
    if is_whole or base == "days":  # a term of which only the year is known has no days
        program.add(f"if(count(set={each}) = count(set={starts}), {total})")
    return program.text


BY_TERMS = "By the end minus the start of each term in the data, added up over all terms of each."
"""The note on what `longest` goes by."""


def without(asked: Asked, others: Asked) -> str:
    """What a search finds without what another one finds."""
    program = Program()
    program.add(f"set_difference(set1={program.search(asked)}, set2={program.search(others)})")
    return program.text


def in_both(first: Asked, second: Asked, order: str) -> str:
    """What two searches find; if the order is `later`, what began to be in the second one later, or `earlier`."""
    program = Program()
    both = program.add(f"set_intersection(set1={program.search(first)}, set2={program.search(second)})")
    if order != "also":
        before, after = (first, second) if order == "later" else (second, first)
        began, then = (
            replace(each, **{each.free_side: "each"}).search(key="start_time").replace("'each'", "each")
            for each in (before, after)
        )
        gaps = program.add(f"for_each(set={both}, value=subtract(max({then}), min({began})))")
        later = program.add(f"keep(set={gaps}, value>'0')")
        program.add(f"set_intersection(set1={both}, set2={later})")
    return program.text


def first_of(asked: Asked, names: Sequence[str], word: str) -> str:
    """Which of two names, the first of which a search has, has what it finds first or last; nothing if one has not."""
    each = replace(asked, **{side: "each" for side in ("head", "tail") if getattr(asked, side) == names[0]})
    start = each.search(key="start_time").replace("'each'", "each")
    program = Program()
    both = program.add(f"literals({', '.join(f'set={quote(name)}' for name in names)})")
    starts = program.add(f"for_each(set={both}, value=min({start}))")
    best = program.add(f"{'argmin' if word == 'first' else 'argmax'}(set={starts})")
    program.add(f"if(count(set={starts}) > {len(names) - 1}, {best})")
    return program.text


def gone(asked: Asked, now: str) -> str:
    """What a search finds, but at another time than now."""
    program = Program()
    present = program.search(asked, f"value={quote(now)}", key="time")
    program.add(f"set_difference(set1={program.search(replace(asked, key=''))}, set2={present})")
    return program.text


def longest(asked: Asked, function: str, among: Sequence[str] = ()) -> str:
    """Those on the free side for which the relation held longest (`argmax`) or shortest (`argmin`).

    Args:
        asked: the search.
        function: `argmax` or `argmin`.
        among: the two names of which one is asked for; all of them if empty.
    """
    program = Program()
    every = program.search(asked)
    if among:
        found = [program.add(f"set_intersection(set1={every}, set2={quote(name)})") for name in among]
        every = program.add(f"set_union({_sets(found)})")
    given: Mapping[str, str] = {"head_entity": asked.head, "relation": asked.relation, "tail_entity": asked.tail}
    parts = [f"{name}={quote(value)}" if value else f"{name}=each" for name, value in given.items()]
    start, end = (f"get_information({', '.join(parts)}, key='{key}')" for key in ("start_time", "end_time"))
    lengths = program.add(f"for_each(set={every}, value=subtract(sum({end}), sum({start})))")
    kept = program.add(f"keep(set={lengths}, value>'0')")
    best = program.add(f"{function}(set={kept})")
    if among:  # nothing where one of them never had it
        program.add(f"if(count(set={every}) > {len(among) - 1}, {best})")
    return program.text


def _sets(outputs: Sequence[str]) -> str:
    return ", ".join(f"set{number}={output}" for number, output in enumerate(outputs, 1))
