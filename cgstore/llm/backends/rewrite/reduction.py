"""Questions that no demonstration asks, reduced to easier ones that the other ways find a program for.

`Was Ann mayor of York in 1960?` is whether the fact that `When was Ann mayor of York?` asks for held in 1960. `How
long` and `how many times` have the same fact, `how many`, `not` and `longest` the set that `which` asks for. Limits of
time are parted from the question first (see `limits_of_time`), and every other word must be understood in the easier
question. What an answer rests on is said in notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite import fact_asked as programs
from cgstore.llm.backends.rewrite.abstention import why_no_program
from cgstore.llm.backends.rewrite.compared import Compared, compared, refuse_other_sides
from cgstore.llm.backends.rewrite.durations import durations
from cgstore.llm.backends.rewrite.fact_asked import EVERY, Asked, Bound, asked_by
from cgstore.llm.backends.rewrite.fact_between import CLOSED, facts_between, is_of_parts, words_unsaid
from cgstore.llm.backends.rewrite.limits_of_time import Limit, apart, marked, outside, part_limits
from cgstore.llm.backends.rewrite.relation_words import is_mutual
from cgstore.llm.backends.rewrite.rewording import UNTIL_NOW, now_of
from cgstore.llm.backends.rewrite.wordings import (
    ANY,
    ANYONE,
    BEING,
    CONTRACTED,
    COUNT,
    HAVE,
    HOW_LONG,
    INDIRECT,
    LASTED,
    LONGEST,
    NEGATED,
    NOW,
    OF_NAME,
    ONE,
    PEOPLE,
    PERFECT,
    RELATIVE,
    SET,
    SPENT,
    SUBJECT,
    TIMES,
    TWO,
    TWO_STATED,
    lower_first,
    married,
    opened,
    without_not,
)
from cgstore.llm.demonstrations.masking import masked_by_mentions
from cgstore.llm.demonstrations.signals import answer_type
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention, words_of
from cgstore.text.dates import Step
from cgstore.text.word_forms import in_the_past, word_forms

Find = Callable[[str], list[Proposal]]
"""The proposals for an easier question.

Raises `CannotPropose` if there are none.
"""

NamesIn = Callable[[str], list[Mention]]

NAMES = 2
"""Names of a fact."""


def decides_first(question: str, mentions: Sequence[Mention], has_times: bool) -> bool:
    """Whether a question is of a kind that only its reduction understands, so that no similar one is taken for it."""
    text = opened(question)
    if INDIRECT.search(question) or answer_type(masked_by_mentions(question, mentions)) == "truth":
        return True
    if NEGATED.search(text) or (has_times and any(each.search(text) for each in (HOW_LONG, TIMES, LONGEST))):
        return True
    limits = part_limits(marked(question, mentions)) if has_times and SET.search(text) else []
    return any(limit.sign == "since" for limit in limits)


class Reduction:
    """A question on its way to the programs of an easier one.

    Args:
        question: in plain words.
        graph: what is asked.
        find: the proposals for an easier question.
        names_in: the names in a question.
    """

    def __init__(self, question: str, graph: GraphView, find: Find, names_in: NamesIn) -> None:
        self._question = CONTRACTED.sub(r"\1", said := opened(question))
        self._is_contracted = self._question != said
        self._is_stated = bool(INDIRECT.search(question))
        self._graph, self._find = graph, find
        self._has_times = graph.has_times
        self._found = marked(self._question, names_in(self._question))
        self._found.text = TWO_STATED.sub(married, TWO.sub(married, self._found.text))
        self._found.text = SPENT.sub(lambda match: f"was {match['word'] or match['lasted']}-serving", self._found.text)
        self._limits = part_limits(self._found) if self._has_times else []
        self._notes: tuple[str, ...] = ()

    def proposals(self) -> list[Proposal]:
        """The programs; none if the question is of no kind that is reduced.

        Raises:
            CannotPropose: it is of such a kind, and not understood.
        """
        text, rest = self._found.text, self._rest
        if HOW_LONG.search(text) or TIMES.search(text):
            if not self._has_times:
                return []
            return self._how_long() if HOW_LONG.search(text) else [self._times()]
        if (match := LONGEST.search(rest)) and self._has_times and SET.search(rest):
            return [self._longest(match)]
        if SET.search(text) or COUNT.search(text):
            return self._of_set()
        if self._is_stated or answer_type(masked_by_mentions(self._question, self._found.names)) == "truth":
            return [self._whether()]
        return []

    def _best(self, question: str) -> str:
        """The best program for an easier question; what it takes words for is remembered."""
        found = self._find(question)[0]
        self._notes += found.notes
        return found.program

    @property
    def _rest(self) -> str:
        """The question without its limits of time, in its own words."""
        return self._found.restored(self._found.text)

    # Yes or no

    def _whether(self) -> Proposal:
        if NEGATED.search(self._found.text):
            raise CannotPropose("a yes or a no to a question with 'not' may mean either: ask it without 'not'")
        if self._has_times and not self._limits and NOW.search(self._found.text):
            verb = self._found.text.split()[0].lower()
            raise CannotPropose(
                f"'{verb}' asks for now, and the data may end before that: ask for a time ('in 2020'), or with 'was'"
            )
        if reason := outside(self._limits, self._graph.times.values()):
            raise CannotPropose(reason)
        if match := ANYONE.search(self._rest):
            return self._whether_any(f"Who {match['verb'].lower()} {match['rest']}")
        if match := ANY.search(self._rest):
            return self._whether_any(f"Which {match['noun']} {match['start'].lower()} {match['rest']}")
        try:
            return self._whether_fact(self._facts())
        except CannotPropose as refusal:
            with suppress(CannotPropose):
                if proposal := self._whether_in_set():
                    return proposal
            raise refusal from None

    def _whether_any(self, asking: str) -> Proposal:
        """Whether a set has anything: `was anyone mayor of York`, `did Ann play for any club`."""
        asked = self._set(asking)
        bounds, notes = self._bounds(asked)
        return self._proposal(
            programs.whether_either([asked], bounds), notes, self._closed_world(f"any '{asked.text}'")
        )

    def _facts(self) -> list[Asked]:
        """The facts of which one must hold for a yes."""
        rest = self._rest
        if self._has_times:
            try:
                return self._fact("When " + lower_first(rest))
            except CannotPropose as refusal:
                if found := self._in_words(rest):
                    return found
                raise refusal from None
        if found := self._in_words(rest):
            return found
        unknown = words_unsaid(rest, self._found.names, self._graph.relations)
        raise CannotPropose(why_no_program([unknown]) if unknown else "it is not understood of which fact this asks")

    def _fact(self, question: str) -> list[Asked]:
        """The fact whose time a question asks for; both directions of a relation that has both."""
        asked = asked_by(self._best(question))
        if asked is None or not (asked.is_fact or (asked.is_set and asked.key)):
            raise CannotPropose("it is not understood of which fact this asks")
        turned = replace(asked, head=asked.tail, tail=asked.head)
        return [asked, turned] if asked.relation and is_mutual(asked.relation) else [asked]

    def _in_words(self, rest: str) -> list[Asked]:
        """The facts that the words of a relation, or none beside a form of `to be`, state of two names."""
        names = apart(m for m in self._graph.mentions(rest) if m.kind != "relation" and not m.weak)
        if len(names) < NAMES:
            names = apart(m for m in self._graph.possible_mentions(rest) if m.text.lower() not in CLOSED)
        if len(names) != NAMES:
            return []
        return facts_between(rest, names, self._graph.relations, self._graph.relations_of)

    def _whether_fact(self, facts: Sequence[Asked]) -> Proposal:
        asked = facts[0]
        self._refuse_other_kinds(asked)
        bounds, notes = self._bounds(asked)
        if not bounds and len(facts) == 1 and is_of_parts(asked.relation):
            program = programs.whether_reached(asked.head, asked.relation, asked.tail)
        else:
            program = programs.whether_either(facts, bounds)
        said = [f"'{fact.text}'" for fact in facts if fact.head != asked.tail]
        return self._proposal(program, notes, self._closed_world(" or ".join(said)))

    def _refuse_other_kinds(self, asked: Asked) -> None:
        """A name that never stands on its side of the relation may be of another kind, or lack its facts."""
        keys = {mention.name: mention.key for mention in self._found.names}
        for side, name in (("head", asked.head), ("tail", asked.tail)):
            around = self._graph.relations_of(keys[name]) if name in keys else None
            if asked.relation and around and asked.relation not in getattr(around, side):
                raise CannotPropose(
                    f"'{name}' is never the {side} of a fact '{asked.relation}' in the data: 'no' would be a guess"
                )

    def _whether_in_set(self) -> Proposal | None:
        """Whether the first name is in the answer to the question with `who` in its place; None if there is none.

        `Before` and `after` mean the nearest time there, which is not what is asked.
        """
        match = SUBJECT.search(self._found.text)
        if match is None or RELATIVE.search(self._question) or not self._says_more(match["rest"]):
            return None
        name, verb = self._found.names[int(match["name"])], match["verb"].lower()
        said = "".join(f" {limit.text}" for limit in self._limits)
        rest = self._found.restored(match["rest"]).rstrip("?. ")
        asked = f"{in_the_past(rest)}{said}" if verb == "did" else f"{verb} {rest}{said}"
        try:
            best = self._best(f"Who {asked}?")
        except CannotPropose:
            return None
        if not self._may_be_in(best, name):
            raise CannotPropose(
                f"'{name.name}' is of another kind than what 'who {asked}' asks for: 'no' would be a guess"
            )
        note = self._closed_world(f"'{name.name}' among the answers to 'who {asked}'")
        if "keep(" in best:  # next to another fact, which may be so several times: only the last one is looked at
            nothing = f"It is not sure: '{name.name}' is not the nearest one, and may be next to another term."
            return self._proposal(programs.whether_surely_in(best, name.name), [], if_nothing=nothing)
        return self._proposal(programs.whether_in(best, name.name), [], note)

    def _says_more(self, text: str) -> bool:
        """Whether a part of the question has a word beside names that says what is asked."""
        words = {word.text.lower() for word in words_of(re.sub(r"<[et]\d+>", " ", text))}
        return bool(words - CLOSED or words & {"first", "last"})

    def _may_be_in(self, program: str, name: Mention) -> bool:
        """Whether a name stands on the side of the relation that the last search of a program gives."""
        last = program.splitlines()[-1]
        relation = programs.RELATION.search(last)
        sides = [side for side in ("head", "tail") if f"{side}_entity=" not in last]
        if relation is None or len(sides) != 1:
            return False
        around = self._graph.relations_of(name.key)
        return relation[1].replace("\\'", "'") in (around.head if sides[0] == "head" else around.tail)

    def _closed_world(self, said: str) -> str:
        limits = "".join(f", {limit.text}" for limit in self._limits)
        return f"'no' means that nothing in the data says so; what was looked for: {said}{limits}."

    # How long, how many times, longest

    def _how_long(self) -> list[Proposal]:
        match = HOW_LONG.search(self._found.text)
        assert match is not None
        self._refuse_limits("how long something was within a time")
        rest = self._found.restored(self._found.text[match.end() :]).strip()
        if lasted := LASTED.search(rest):
            rest = f"did {lasted[1]} take place?"
        (asked, *_) = self._fact("When " + re.sub(r" for(?=\W*$)", "", rest))
        steps = {Step(outline.step) for outline in self._graph.outlines if outline.step}
        found = durations(asked, steps, (match["unit"] or "").lower())
        unsaid = not match["unit"]
        made = [(each, self._proposal(each.program, [each.note], if_nothing=each.nothing)) for each in found]
        return [replace(proposal, unit=each.unit if unsaid else "") for each, proposal in made]

    def _times(self) -> Proposal:
        rest = TIMES.sub("", self._found.text).strip()
        (asked, *_) = self._fact("When " + self._found.restored(rest))
        bounds, notes = self._bounds(asked)
        if any(bound.of or bound.key for bound in bounds):
            raise CannotPropose("how many times something was within a time of another fact is not understood")
        program = programs.terms(asked, bounds)
        return self._proposal(program, [*notes, "Counted are the different times at which it began."])

    def _longest(self, match: re.Match[str]) -> Proposal:
        self._refuse_limits(f"what '{match['word']}' means within a time")
        rest = self._rest
        asked = self._set(" ".join(f"{rest[: match.start()]} {rest[match.end() :]}".split()))
        function = "argmax" if match["word"].lower() == "longest" else "argmin"
        nothing = "The data have no durations for these: each start is its end."
        return self._proposal(programs.longest(asked, function), [programs.BY_TERMS], if_nothing=nothing)

    def _refuse_limits(self, what: str) -> None:
        if self._limits:
            raise CannotPropose(f"{what} ('{self._limits[0].text}') is not understood without an LLM")

    # Sets

    def _of_set(self) -> list[Proposal]:
        """The set that `which` asks for, the rest of its relation's values, or the number of either."""
        rest = self._rest
        is_count, is_negated = bool(COUNT.search(rest)), bool(NEGATED.search(rest))
        if is_negated and re.match(r"whom?\b", rest, re.IGNORECASE):
            raise CannotPropose("nothing says who all the people are that 'not' leaves: ask 'which ...', or who it was")
        if parts := compared(self._found):
            return [self._compared(parts)]
        if is_negated and OF_NAME.search(self._found.text):
            raise CannotPropose("which of these 'not' or 'never' leaves is not understood without an LLM")
        question = self._as_which(without_not(rest))
        if is_count and not is_negated and not self._limits:
            return [self._counted(question)]
        if not is_count and not is_negated and (question == rest and not self._may_be_limited()):
            return []
        try:
            asked = self._set(question)
        except CannotPropose:
            if not is_count or is_negated or any(limit.sign not in ("=", "between") for limit in self._limits):
                raise
            said = " ".join(limit.text for limit in self._limits)
            return [self._counted(f"{question.rstrip('?. ')} {said}?")]
        bounds, notes = self._bounds(asked)
        if is_negated:
            side = "values" if asked.free_side == "tail" else "heads"
            notes.append(f"Of all {side} that '{asked.relation}' has in the data.")
        program = (programs.others if is_negated else programs.found_within)(asked, bounds)
        return [self._proposal(programs.counted(program) if is_count else program, notes)]

    def _compared(self, asked: Compared) -> Proposal:
        """The program of a question for some of a set: those without something else, or the longer of two."""
        self._refuse_limits(f"what '{asked.word}' means within a time")
        if asked.word in ("first", "last"):
            return self._proposal(programs.first_of(self._fact(asked.first)[0], asked.among, asked.word), [])
        if asked.word in ("also", "later", "earlier"):
            first, second = (self._set(each, may_be_all=True) for each in (asked.first, asked.second))
            return self._proposal(programs.in_both(first, second, asked.word), [])
        first = self._set(asked.first)
        if asked.word == "longer":
            refuse_other_sides(first, asked.among, self._found.names, self._graph.relations_of)
            return self._proposal(programs.longest(first, "argmax", asked.among), [programs.BY_TERMS])
        if asked.word == "no longer":
            if not (now := now_of(self._graph)[0]):
                raise CannotPropose("'no longer' asks for now, and the data may end before that: ask until when it was")
            return self._proposal(programs.gone(first, now), [f"Left out are those of {now}, {UNTIL_NOW}."])
        note = f"Left out are those that the data have for '{asked.second}'."
        return self._proposal(programs.without(first, self._set(asked.second)), [note])

    def _may_be_limited(self) -> bool:
        """Whether all limits leave a set; `before` and `after` mean the nearest one in a question for names."""
        plain = ("=", "between", "from", "since")
        return bool(self._limits) and all(limit.times and limit.sign in plain for limit in self._limits)

    def _counted(self, question: str) -> Proposal:
        """The number of what a question asks for."""
        if RELATIVE.search(question):
            raise CannotPropose("how many there were before or after something is not understood without an LLM")
        program = programs.counted(self._best(question))
        if not (found := programs.not_counted(program, self._question, self._graph.relations_of_numbers)):
            raise CannotPropose("how many there are is not understood of a relation of numbers")
        return self._proposal(found, [])

    def _set(self, question: str, may_be_all: bool = False) -> Asked:
        """The side of a relation that a question asks for; all that have it only where that may be."""
        asked = asked_by(self._best(question))
        if asked is None or not asked.is_set or (asked.tail == EVERY and not may_be_all):
            raise CannotPropose("it is not understood of which facts this asks")
        return asked

    def _as_which(self, question: str) -> str:
        """The question that asks for the set: `which clubs` for `how many clubs`.

        For the mayors that York had it is `who was mayor of York`, if the graph has a name like this.
        """
        if match := HAVE.search(question):
            for noun in word_forms(match["noun"].lower()):
                of = re.sub(r"^the ", "", match["of"])
                asked, name = f"Who was {noun} of {of}?", f"{noun} of {of}"
                if any(m.kind == "entity" and m.text.lower() == name.lower() for m in self._graph.mentions(asked)):
                    return asked
        match = COUNT.search(question)
        if match is None:
            return question
        return ("Who" if PEOPLE.fullmatch(match["noun"]) else f"Which {match['noun']}") + question[match.end() :]

    # Limits of time

    def _bounds(self, asked: Asked) -> tuple[list[Bound], list[str]]:
        """The limits as bounds of the search, and notes on how they are taken."""
        bounds: list[Bound] = []
        notes: list[str] = []
        for limit in self._limits:
            made, note = self._bound(limit, asked)
            bounds += made
            notes += [note] if note else []
        return bounds, notes

    def _bound(self, limit: Limit, asked: Asked) -> tuple[list[Bound], str]:
        if limit.name is not None:
            return [Bound(limit.sign, of=self._other(limit.name, asked, limit))], ""
        if limit.clauses:
            return [Bound(limit.sign, of=self._of_clause(limit))], ""
        times, said = limit.times, BEING if asked.is_fact else ONE
        is_state = asked.key in ("", "time") and bool(said.search(self._question) or PERFECT.search(self._question))
        if limit.sign == "since" and is_state:
            return [Bound("=", times, key="start_time")], f"'{limit.text}' is taken to say that it began then."
        if limit.sign == "until" and is_state:
            return [Bound("=", times, key="end_time")], f"'{limit.text}' is taken to say that it ended then."
        if limit.sign in ("since", "until"):
            side = "from then on" if limit.sign == "since" else "up to then"
            later = "since" if asked.is_set and asked.key != "start_time" else ">="
            return [
                Bound(later if limit.sign == "since" else "<=", times)
            ], f"'{limit.text}' is taken as any time {side}."
        if limit.sign == "from" and asked.is_fact:
            both = [Bound("=", (time,)) for time in times]
            return both, f"'{limit.text}' is taken as both at the start and at the end of it."
        if limit.sign in ("between", "from"):
            return [Bound("between", times)], f"'{limit.text}' is taken as any time in it."
        return [Bound(limit.sign, times)], ""

    def _of_clause(self, limit: Limit) -> Asked:
        """The fact that the clause of a limit says; a pronoun in it may stand for each name."""
        refusals = []
        for clause in limit.clauses:
            try:
                return self._fact("When " + clause)[0]
            except CannotPropose as refusal:
                refusals.append(refusal)
        raise refusals[0]

    def _other(self, name: Mention, asked: Asked, limit: Limit) -> Asked:
        """The fact of a name before or after which, or during which, something is asked."""
        around = self._graph.relations_of(name.key)
        if asked.relation in around.head and (asked.tail or asked.head):
            return replace(asked, head=name.name, key="")
        if asked.relation in around.tail and asked.head:
            return replace(asked, tail=name.name, key="")
        if around.head:
            return Asked(name.name)
        raise CannotPropose(f"the graph has no time for '{limit.text}'")

    def _proposal(self, program: str, notes: Sequence[str], if_no: str = "", if_nothing: str = "") -> Proposal:
        notes = list(dict.fromkeys((*self._notes, *notes)))
        if self._is_contracted:
            notes = [*notes, "'yes' means that it holds, and 'no' that it does not."]
        return Proposal(program, 1.0, "reduced to an easier question", tuple(notes), if_no, if_nothing, "reduced")
