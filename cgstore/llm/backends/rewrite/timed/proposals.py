"""The proposals for a question whose parts stand in any order; of two sets, what both or only the first has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite import limits_of_time
from cgstore.llm.backends.rewrite.asked_kinds import may_be_people
from cgstore.llm.backends.rewrite.assemble.relations import own_lemmas
from cgstore.llm.backends.rewrite.assemble.sets import SIDES
from cgstore.llm.backends.rewrite.assemble.tokens import question_of
from cgstore.llm.backends.rewrite.clause_proposals import Reader
from cgstore.llm.backends.rewrite.clauses import Text
from cgstore.llm.backends.rewrite.durations import durations
from cgstore.llm.backends.rewrite.fact_asked import BY_TERMS, EVERY, Asked, Program, longest
from cgstore.llm.backends.rewrite.nameless import of_the_same
from cgstore.llm.backends.rewrite.relation_words import is_mutual
from cgstore.llm.backends.rewrite.rewording import Reworded
from cgstore.llm.backends.rewrite.timed.facts import Fact, Facts
from cgstore.llm.backends.rewrite.timed.limits import Limit
from cgstore.llm.backends.rewrite.timed.programs import Bounded, most, program_of
from cgstore.llm.backends.rewrite.timed.reading import Reading, read
from cgstore.llm.backends.rewrite.unchecked import unchecked_kind
from cgstore.mapping.mentions import Mention
from cgstore.text.dates import Step
from cgstore.text.thesaurus import lemma

_BOTH = re.compile(r"\bboth (?:the )?(?P<one>e\d+) and (?:the )?(?P<other>e\d+)\b")
_BOTH_OF = re.compile(
    r"^(?P<ask>which|what|who)(?P<what>(?: [a-z]+)?) (?P<verb>was|were|has|have|had) (?:been )?both"
    r" (?:the |an? )?(?P<one>.+?) and (?:the |an? )?(?P<other>.+)$"
)
_NEVER = re.compile(
    r"^(?P<ask>which|what|who)(?: of)?(?: the)? (?P<what>.*?)"
    r"(?: (?P<verb>was|were|has|have|had|did)(?: not| never)| never)(?: ever)? (?P<rest>.+)$"
)
_ALSO = re.compile(
    r"^(?P<ask>which|what|who)(?: of)?(?: the)? (?P<what>.*?) (?:was|were|has|have|had|did)?"
    r" ?also (?:been |was |were )?(?P<rest>.+)$"
)
_WHICH = re.compile(
    r"^(?:which|what)(?: of)?(?: the)? (?P<what>[a-z]+) (?P<rest>(?!of\b|in\b|at\b|for\b|who\b|that\b)[a-z]+ .+)$"
)
_OR = re.compile(
    r"^(?P<main>(?:who|which|what)\b.*?)\b(?:for )?(?P<word>longer|more)(?: (?:often|times)\b)?(?P<rest>.*?)"
    r" (?:the )?(?P<one>e\d+) or (?:the )?(?P<other>e\d+)$"
)
_COUNTED_STARTS = "Counted are the different times at which it began."


@dataclass(frozen=True)
class Found:
    """A program, with the relation of what it finds and notes."""

    program: str
    asked: Asked
    notes: tuple[str, ...] = ()
    unit: str = ""


def in_any_order(
    reader: Reader,
    question: str,
    names: Sequence[Mention],
    meanings: Iterable[Reworded],
    names_in: Callable[[str], list[Mention]],
) -> list[Proposal]:
    """The proposals for a question as written, or else in plainer words; none if neither is understood."""
    timed = Timed(reader)
    with suppress(CannotPropose):
        if found := timed.proposals(question, names):
            return found
    for meant in meanings:
        with suppress(CannotPropose):
            if found := timed.proposals(meant.question, names_in(meant.question)):
                return [replace(each, notes=(*meant.notes, *each.notes)) for each in found]
    return []


class Timed:
    """What reads questions about a graph with times.

    Args:
        reader: what reads the clauses of its questions.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader, self._graph = reader, reader.graph
        self._facts = Facts(reader.words, reader.graph.relations_of, reader.links, tuple(reader.graph.relations))

    def proposals(self, question: str, names: Sequence[Mention]) -> list[Proposal]:
        """The proposals; none if the question is not understood.

        Raises:
            CannotPropose: words in it may mean several relations.
        """
        self._graph.read_around([name.key for name in names if name.kind == "entity"])
        asked = question_of(question, names)
        text = " ".join(token.text + ("'s" if token.is_owner else "") for token in asked.tokens)
        slots = dict(asked.slots)
        left = Text(
            text,
            {slot: each for slot, each in slots.items() if slot[0] == "e"},
            {slot: each for slot, each in slots.items() if slot[0] == "t"},
        )
        return [_proposal(each) for each in self._found(left)]

    def _found(self, left: Text) -> Iterator[Found]:
        if match := _BOTH.search(left.text):
            texts = [
                f"{left.text[: match.start()]}{match[side]}{left.text[match.end() :]}" for side in ("one", "other")
            ]
            yield from self._of_two(left, texts, "set_intersection")
        elif match := _BOTH_OF.search(left.text):
            verb = "was" if "been" in match[0] or match["verb"] in ("was", "were") else match["verb"]
            texts = [f"{match['ask']}{match['what']} {verb} {match[side]}" for side in ("one", "other")]
            yield from self._of_two(left, texts, "set_intersection")
        elif match := _ALSO.search(left.text):
            yield from self._of_two(left, [f"who was {match['what']}", f"who was {match['rest']}"], "set_intersection")
        elif match := _NEVER.search(left.text):
            rest = f"{match['verb']} {match['rest']}" if match["verb"] in ("was", "were") else match["rest"]
            yield from self._of_two(left, [f"who was {match['what']}", f"who {rest}"], "set_difference")
        elif match := _OR.search(left.text):
            yield from self._of_either(left, match)
        elif (match := _WHICH.search(left.text)) and (found := [*self._of_those(left, match)]):
            yield from found
        else:
            yield from self._of_one(replace(left))

    def _of_those(self, left: Text, match: re.Match[str]) -> Iterator[Found]:
        """What is asked of those who have an office that another relation says: `which mayors owned the mint`."""
        noun = lemma(match["what"])
        if may_be_people(noun) and noun in own_lemmas(self._reader.words.relations):
            yield from self._of_two(left, [f"who was {noun}", f"who {match['rest']}"], "set_intersection")

    def _of_two(self, left: Text, texts: Sequence[str], function: str) -> Iterator[Found]:
        """What both of two sets have, or only the first one, by questions for each."""
        sets = [next(self._of_one(replace(left, text=text)), None) for text in texts]
        if None in sets:
            return
        one, other = (each for each in sets if each)
        if function == "set_intersection" and _BOTH.search(left.text) and one.asked.relation != other.asked.relation:
            return
        if function == "set_intersection" and not self._may_share(one.asked, other.asked):
            return
        program = Program(one.program)
        first = program.last
        program.add(f"{function}(set1={first}, set2={program.go_on(other.program)})")
        notes = [*one.notes, *other.notes]
        if function == "set_difference":
            notes.append(f"Left out are those that the data have for '{other.asked.text}'.")
        yield Found(program.text, one.asked, tuple(dict.fromkeys(notes)))

    def _may_share(self, one: Asked, other: Asked) -> bool:
        """Whether any name stands on both sides that are asked for: no master of a ship collides."""
        sides = [
            {link[SIDES.index(each.free_side)] for link in self._reader.links(each.relation)} for each in (one, other)
        ]
        return not all(sides) or not sides[0].isdisjoint(sides[1])

    def _of_either(self, left: Text, match: re.Match[str]) -> Iterator[Found]:
        """Which of two had something for longer, or more often."""
        names = [left.names[match[side]] for side in ("one", "other")]
        text = " ".join(f"{match['main']} {match['rest']}".split())
        reading = read(replace(left, text=f"{text} longest" if match["word"] == "longer" else f"{text} most"))
        if reading is None or reading.limits:
            return
        for kind, way in reading.ways:
            facts = self._facts.of(way, left.names, reading.parts(kind)) or self._facts.between(
                way, left.names, names[0]
            )
            for fact in facts:
                if _is_of_all(fact.asked) and match["word"] == "longer":
                    continue
                if not fact.asked.is_set or not all(
                    fact.asked.relation in getattr(self._graph.relations_of(name.key), fact.asked.free_side)
                    for name in names
                ):
                    continue
                among = [name.name for name in names]
                if match["word"] == "longer":
                    yield Found(longest(fact.asked, "argmax", among), fact.asked, (BY_TERMS,))
                else:
                    yield Found(most(fact.asked, "argmax", among), fact.asked, (_COUNTED_STARTS,))

    def _of_one(self, left: Text) -> Iterator[Found]:
        reading = read(left)
        if reading is None or (reading.unit == "truth" and self._is_outside(reading)):
            return
        for kind, text in reading.ways:
            facts = self._facts.of(text, left.names, reading.parts(kind))
            if reading.owner:
                facts = self._facts.of_agent(reading.owner, left.names[reading.of])
            if not facts and (beside := [left.names[each.name] for each in reading.limits if each.name]):
                facts = self._facts.between(text, left.names, beside[0])
            for fact in facts:
                limits = self._limits(reading, fact, left)
                if limits is None:
                    continue
                others = [other.asked for _, other in limits if other]
                fact = replace(fact, asked=of_the_same(fact.asked, others, self._reader.links))
                note = unchecked_kind(kind, fact.asked, self._reader.words) if reading.unit == "entity" else ""
                if not _is_of_all(fact.asked) or _may_be_of_all(reading):
                    yield from (
                        replace(each, notes=(*each.notes, *([note] if note else [])))
                        for each in self._programs(reading, fact, limits)
                    )

    def _is_outside(self, reading: Reading) -> bool:
        """Whether the data say nothing of a time: `no` would be a guess."""
        limits = [limits_of_time.Limit(each.sign, "", (each.time.name,)) for each in reading.limits if each.time]
        return bool(limits_of_time.outside(limits, self._graph.times.values()))

    def _programs(self, reading: Reading, fact: Fact, limits: list[Bounded]) -> Iterator[Found]:
        notes = tuple(each.asked.note for each in (fact, *(o for _, o in limits if o)) if each.asked.note)
        notes = tuple(dict.fromkeys((*reading.notes, *notes)))
        if reading.unit == "duration":
            if limits or not fact.asked.is_fact:
                return
            steps = {Step(outline.step) for outline in self._graph.outlines if outline.step}
            for each in durations(fact.asked, steps, reading.length):
                yield Found(each.program, fact.asked, (*notes, each.note), "" if reading.length else each.unit)
        elif reading.by == "longest":
            if not limits and fact.asked.is_set:
                yield Found(longest(fact.asked, reading.extreme), fact.asked, (*notes, BY_TERMS))
        elif program := program_of(reading, fact, limits):
            notes = (*notes, _COUNTED_STARTS) if reading.unit == "terms" else notes
            yield Found(program, fact.asked, notes)

    def _limits(self, reading: Reading, fact: Fact, left: Text) -> list[Bounded] | None:
        """The limits with the facts that they are; None if one is not understood."""
        found: list[Bounded] = []
        for limit in reading.limits:
            if limit.time is not None:
                found.append((limit, None))
                continue
            facts = self._facts.of(limit.clause, left.names) if limit.clause else self._of_name(limit, fact, left)
            if len(facts) != 1 or (limit.sign == "=" and _is_itself(fact.asked, facts[0])):
                return None
            found.append((limit, _of_what_is_asked(facts[0], fact.asked)))
        return found

    def _of_name(self, limit: Limit, fact: Fact, left: Text) -> list[Fact]:
        """The fact of a name before, after or during which something was."""
        name, asked = left.names[limit.name], fact.asked
        near = self._graph.relations_of(name.key)
        if limit.role:
            said = [slot for slot, each in left.names.items() if each.name in (asked.head, asked.tail)]
            texts = [f"{limit.name} was {limit.role}", *(f"{limit.name} was {limit.role} of {each}" for each in said)]
            return next(filter(None, (self._facts.of(text, left.names) for text in reversed(texts))), [])
        if asked.is_set and asked.relation in getattr(near, asked.free_side):
            return [Fact(asked.with_name(name.name), fact.edge)]
        others = [each for each in left.names.values() if each.name in (asked.head, asked.tail)]
        linked = [
            Asked(head, relation, tail)
            for other in others
            for head, tail, has, had in (
                (other.name, name.name, self._graph.relations_of(other.key).head, near.tail),
                (name.name, other.name, near.head, self._graph.relations_of(other.key).tail),
            )
            for relation in has
            if relation in had and not is_mutual(relation)
        ]
        if len(linked) == 1:
            return [Fact(linked[0], "time")]
        every = [Asked(name.name, each) for each in near.head] + [Asked("", each, name.name) for each in near.tail]
        return [Fact(every[0], "time")] if len(every) == 1 else []


def _of_what_is_asked(other: Fact, asked: Asked) -> Fact:
    """A fact of the relation that is asked for, of what is asked about: Ann left that board, and no other one."""
    is_same = other.asked.is_set and asked.is_set and other.asked.relation == asked.relation
    if not is_same or EVERY in (asked.head, asked.tail) or other.asked.free_side == asked.free_side:
        return other
    return replace(other, asked=asked.with_name(other.asked.head or other.asked.tail))


def _is_itself(asked: Asked, other: Fact) -> bool:
    """Whether a clause says the end of what is asked for: whoever was mayor when Ann stopped being it was not she."""
    free = getattr(other.asked, asked.free_side) if asked.is_set else ""
    return other.edge != "time" and bool(free) and asked.with_name(free) == other.asked


def _is_of_all(asked: Asked) -> bool:
    return EVERY in (asked.head, asked.tail)


def _may_be_of_all(reading: Reading) -> bool:
    """Whether all names may be asked at once: nobody is the first, the next or the longest of all offices."""
    is_near = any(limit.name or limit.sign in ("<", ">") for limit in reading.limits) and not reading.several
    return reading.unit == "entity" and not (reading.order or reading.by == "longest" or is_near)


def _proposal(found: Found) -> Proposal:
    because = f"the relation '{found.asked.relation}' is what its words say"
    return Proposal(found.program, 1.0, because, found.notes, way="clause", unit=found.unit)
