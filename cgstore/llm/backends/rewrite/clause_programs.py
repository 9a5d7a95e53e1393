"""The programs of questions that are read by their parts (`clauses`), as the demonstrations of temporal graphs teach.

The graph decides what the words leave open: on which side of a relation a name stands. Where a verb says the side, and
the graph has the name on the other one alone, there is no program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field, replace

from cgstore.llm.backends.compose.words import stem
from cgstore.llm.backends.rewrite.clauses import Asked, At, Clause
from cgstore.llm.backends.rewrite.faults import PREPOSITIONS
from cgstore.llm.backends.rewrite.relation_words import RelationWords, in_words
from cgstore.llm.graph_view import Neighbourhood
from cgstore.mapping.mentions import Mention
from cgstore.query.build import numbered, quote

_DURATIONS = frozenset(["second", "minute", "hour", "day", "week", "month", "year", "decade", "century"])

Around = Callable[[str], Neighbourhood]
"""The relations that have a node, by its key, as head and as tail."""


@dataclass(frozen=True)
class ClauseProgram:
    """A program, with the relation and the words that are taken for it."""

    program: str
    relation: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class FactAsked:
    """A relation with the names that stand on its sides; one of them may be what is asked for."""

    relation: str
    head: Mention | None
    tail: Mention | None

    def beside(self, name: Mention) -> FactAsked:
        """The same with a name on the side that is asked for."""
        return FactAsked(self.relation, self.head or name, self.tail or name)


@dataclass
class Calls:
    """The calls of a program, each with the number of its output."""

    made: list[str] = field(default_factory=list)

    def add(self, call: str) -> str:
        self.made.append(call)
        return f"output_of_query{len(self.made)}"

    def search(self, fact: FactAsked, *more: str) -> str:
        given = [f"head_entity={quote(fact.head.name)}"] if fact.head else []
        given.append(f"relation={quote(fact.relation)}")
        given += [f"tail_entity={quote(fact.tail.name)}"] if fact.tail else []
        return self.add(f"get_information({', '.join([*given, *more])})")


def programs_of(
    asked: Asked, relation_words: RelationWords, around: Around, numeric: Set[str], has_times: bool
) -> list[ClauseProgram]:
    """The programs for a question, one for each relation that its words may say.

    Args:
        asked: the question.
        relation_words: how people speak of the relations.
        around: the relations of a name.
        numeric: relations whose values are numbers or times.
        has_times: whether facts hold at times.
    """
    found = []
    for fact in facts_of(asked.core, asked, relation_words, around):
        if not has_times and not fits_values(asked, fact.relation in numeric):
            continue
        for calls in _calls(asked, fact, relation_words, around) if has_times else timeless_calls(asked, fact):
            found.append(ClauseProgram(numbered(calls.made), fact.relation, asked.core.words or (asked.kind,)))
    return found


def fits_values(asked: Asked, is_numeric: bool) -> bool:
    """Whether a time is asked for of numbers and times alone, and a person or a place of none of them."""
    return is_numeric if asked.unit == "time" else not (is_numeric and (asked.person or asked.where))


def facts_of(clause: Clause, asked: Asked | None, relation_words: RelationWords, around: Around) -> Iterator[FactAsked]:
    """The facts that a clause may speak of."""
    words = clause.words
    if asked and asked.kind and (not words or relation_words.is_own(asked.kind)):
        words = (*words, asked.kind)  # it says the relation too: "which players were with Ajax"
        clause = replace(clause, text=clause.text.replace("qq", f"qq {asked.kind}", 1), words=words)
    for said in relation_words.said_by(words):
        if asked and asked.where and in_words(said.relation).split()[-1] in ("by", "as", "of"):
            continue
        yield from _sides(clause, said.relation, around)


def _sides(clause: Clause, relation: str, around: Around) -> Iterator[FactAsked]:
    """The relation with the clause's names on the sides that the graph and the words leave."""
    if _otherwise(clause, relation):
        return
    near = [around(name.key) for name in clause.names]
    said = [said_side(clause, slot, relation) for slot in clause.places]
    if len(clause.names) == 1:
        sides = [side for side in ("head", "tail") if relation in getattr(near[0], side) and said[0] in ("", side)]
        if len(sides) == 1:
            yield FactAsked(relation, *((clause.names[0], None) if sides == ["head"] else (None, clause.names[0])))
        return
    orders = [
        (head, tail)
        for head, tail in ((0, 1), (1, 0))
        if relation in near[head].head and relation in near[tail].tail and said[head] != "tail" and said[tail] != "head"
    ]
    if len(orders) == 2 and not _is_passive(relation):
        orders = orders[:1]  # the one that is said first does it
    if len(orders) == 1:
        ((head, tail),) = orders
        yield FactAsked(relation, clause.names[head], clause.names[tail])


def _is_passive(relation: str) -> bool:
    return in_words(relation).split()[-1:] == ["by"]


def _otherwise(clause: Clause, relation: str) -> bool:
    """Whether the words say another relation by `by`: what is made by somebody is not made of it."""
    *verb, last = in_words(relation).split()
    if not verb or last not in PREPOSITIONS:
        return False
    said = re.search(rf"\b{re.escape(' '.join(verb))} (\w+)\b", clause.text)
    if not said or said[1] == last:
        return False
    return said[1] in ("with", "against") or (said[1] in PREPOSITIONS and "by" in (said[1], last))


def said_side(clause: Clause, slot: str, relation: str) -> str:
    """The side on which the words have a name; empty if they leave it open.

    Who does something is the head of `coached`, and the tail of `coached by`.
    """
    name, own = rf"(?:the )?{slot}(?:'s)?", {stem(word) for word in clause.words}
    if re.search(rf"\b{re.escape(in_words(relation))} {name}(?= |$)", clause.text):
        return "tail"
    last = in_words(relation).split()[-1]
    if last in PREPOSITIONS - {"by"} and re.search(rf"\bqq {last}\b|\b{last} qq\b", clause.text):
        return "head"
    of = re.search(
        rf"(\w+) of {name}(?= |$)|\b{slot}'s (\w+)|\bqq (\w+) (?:did|does|do|has|have|had) {name}(?: have| had|$)",
        clause.text,
    )
    if of and stem(noun := of[1] or of[2] or of[3]) in own:
        return _side_of_noun(noun, relation)
    does = re.search(rf"\b(?:did|does|do) {name} (?!have\b|has\b)(?:\w+ (\w+))?|\bby {name}(?= |$)", clause.text)
    if does and does[1] in PREPOSITIONS and does[1] not in in_words(relation).split():
        return ""  # who starred in a film is what it starred
    object_ = re.search(rf"\bqq (?:has |have |had |was |were )?(\w+) {name}(?= |$)", clause.text)
    passive = re.search(rf"\b{name} (?:\w+ly )?(\w+) by\b|\bqq by (?:was|were|is|are) {name} (\w+)", clause.text)
    suffers = any(stem(match[match.lastindex or 1]) in own for match in (object_, passive) if match)
    if bool(does) == suffers:
        return ""
    return "head" if bool(does) != _is_passive(relation) else "tail"


def _side_of_noun(noun: str, relation: str) -> str:
    """The side of Ann in "the mayor of Ann", "Ann's mayor".

    She is the tail of `mayor of` and of `coached`, and the head of `coached by` and of what she has, as of `parent`.
    """
    words = in_words(relation).split()
    if words[-1] == "of":
        return "tail"
    has = any(each in (noun, noun.removesuffix("s")) for each in words)
    return "head" if has or _is_passive(relation) else "tail"


def timeless_calls(asked: Asked, fact: FactAsked, before: Calls | None = None) -> Iterator[Calls]:
    """The program over facts without times, after the calls that it goes on from."""
    if asked.at or asked.beside or asked.same or asked.during or asked.order or asked.core.edge != "time":
        return
    if asked.unit not in ("entity", "time") or (fact.head and fact.tail) or _asks_duration(asked):
        return
    if asked.where and fact.tail and not _is_passive(fact.relation):
        return
    calls = before or Calls()
    calls.search(fact)
    yield _counted(calls, asked)


def _calls(asked: Asked, fact: FactAsked, relation_words: RelationWords, around: Around) -> Iterator[Calls]:
    """The program over facts that hold at times."""
    if _asks_duration(asked):
        return
    if asked.unit != "entity" or _counts_times(asked):
        if fact.head and fact.tail and not (asked.beside or asked.same or asked.during):
            yield from _of_times(asked, fact)
        return
    if (fact.head and fact.tail) or (asked.where and fact.tail):
        return
    calls, key = Calls(), f"key={quote(asked.core.edge)}"
    ways = [bool(asked.during), bool(asked.same), bool(asked.beside), bool(asked.at), bool(asked.order)]
    if sum(ways) > 1 and ways != [False, False, False, True, True]:
        return
    if asked.during:
        facts = list(facts_of(asked.during, None, relation_words, around))
        if len(facts) != 1:
            return
        times = calls.search(facts[0], f"key={quote(asked.during.edge)}")
        calls.search(fact, key, f"value={quote(times)}")
    elif asked.same:
        if not _holds(fact, asked.same, around):
            return
        times = calls.search(fact.beside(asked.same), key)
        others = calls.search(fact, key, f"value={quote(times)}")
        calls.add(f"set_difference(set1={quote(others)}, set2={quote(asked.same.name)})")
    elif asked.beside:
        if not _holds(fact, asked.beside[1], around):
            return
        _beside(calls, asked, fact, key)
    elif asked.order:
        if any(at.sign == "=" for at in asked.at):
            return  # "for the first time in 1960": the first of all, or of that year
        times = calls.search(fact, key, *(_bound(at) for at in asked.at))
        edge = calls.add(f"{asked.order}(set={quote(times)})")
        calls.search(fact, key, f"value={quote(edge)}")
    elif asked.at:
        _at(calls, asked, fact, key)
    else:
        calls.search(fact, *([key] if asked.core.edge != "time" else []))
    yield _counted(calls, asked)


def _asks_duration(asked: Asked) -> bool:
    return asked.counted and asked.kind.removesuffix("s") in _DURATIONS


def _counts_times(asked: Asked) -> bool:
    return asked.counted and asked.kind in ("time", "times")


def _holds(fact: FactAsked, name: Mention, around: Around) -> bool:
    """Whether a name stands on the side of the relation that is asked for."""
    near = around(name.key)
    return fact.relation in (near.head if fact.head is None else near.tail)


def _of_times(asked: Asked, fact: FactAsked) -> Iterator[Calls]:
    """When a fact held, began or ended, or how often."""
    calls = Calls()
    bounds = [_bound(at) for at in asked.at if at.sign != "until"]
    if len(bounds) < len(asked.at):
        return
    if _counts_times(asked):
        times = calls.search(fact, "key='start_time'", *bounds)
        calls.add(f"count(set={quote(times)})")
    else:
        times = calls.search(fact, f"key={quote(asked.unit)}", *bounds)
        if asked.order:
            calls.add(f"{asked.order}(set={quote(times)})")
    yield calls


def _beside(calls: Calls, asked: Asked, fact: FactAsked, key: str) -> None:
    """The nearest before or after the fact that has another name on the side asked for; or all of them."""
    assert asked.beside
    side, name = asked.beside
    first, sign, near = ("min", "<", "max") if side == "before" else ("max", ">", "min")
    times = calls.search(fact.beside(name), key)
    bound = calls.add(f"{first}(set={quote(times)})")
    if asked.several:
        calls.search(fact, key, f"value{sign}{quote(bound)}")
        return
    every = calls.search(fact, key)
    kept = calls.add(f"keep(set={quote(every)}, value{sign}{quote(bound)})")
    nearest = calls.add(f"{near}(set={quote(kept)})")
    calls.search(fact, key, f"value={quote(nearest)}")


def _at(calls: Calls, asked: Asked, fact: FactAsked, key: str) -> None:
    """What held at times; the nearest before or after a time, unless several are asked for."""
    (first, *others) = asked.at
    if first.sign == "until" and not (others or asked.several or asked.counted):
        calls.search(fact, "key='end_time'", f"value={quote(first.time.name)}")
    elif first.sign in ("<", ">") and not others and not asked.several and not asked.counted:
        every = calls.search(fact, key)
        kept = calls.add(f"keep(set={quote(every)}, {_bound(first)})")
        nearest = calls.add(f"{'max' if first.sign == '<' else 'min'}(set={quote(kept)})")
        calls.search(fact, key, f"value={quote(nearest)}")
    else:
        calls.search(fact, key, *(_bound(at) for at in asked.at))


def _bound(at: At) -> str:
    return f"value{'<=' if at.sign == 'until' else at.sign}{quote(at.time.name)}"


def _counted(calls: Calls, asked: Asked) -> Calls:
    if asked.counted:
        calls.add(f"count(set='output_of_query{len(calls.made)}')")
    return calls
