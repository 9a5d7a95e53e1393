"""The programs of questions that are read by their parts (`clauses`), as the demonstrations of temporal graphs teach.

The graph decides what the words leave open: on which side of a relation a name stands. Where a verb says the side, and
the graph has the name on the other one alone, there is no program.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.abstention import why_ambiguous
from cgstore.llm.backends.rewrite.assembled_facts import assembled_facts
from cgstore.llm.backends.rewrite.clauses import At, Clause, QuestionParts
from cgstore.llm.backends.rewrite.fact_asked import EVERY, Around, Asked, Program, counted, facts_with
from cgstore.llm.backends.rewrite.faults import PREPOSITIONS
from cgstore.llm.backends.rewrite.floating_facts import floating_facts, of_the_names, taken_for, what_it_was
from cgstore.llm.backends.rewrite.nameless import Links, facts_without_name, of_the_same
from cgstore.llm.backends.rewrite.other_words import side_of_slot
from cgstore.llm.backends.rewrite.relation_words import RelationWords, is_mutual, without_narrower
from cgstore.llm.backends.rewrite.sides import is_directed, is_passive, said_side, says_otherwise
from cgstore.llm.backends.rewrite.unchecked import refuse_light, unchecked_kind
from cgstore.llm.graph_view import Neighbourhood
from cgstore.mapping.mentions import Mention
from cgstore.query.build import quote
from cgstore.text.names import in_words, some_of
from cgstore.text.thesaurus import lemma

_DURATIONS = frozenset(["second", "minute", "hour", "day", "week", "month", "year", "decade", "century"])

BY_NAMES = "Counted are the different names: what was so several times counts once."
"""The note on what `how many` goes by within times."""

BY_STARTS = "Counted are the different times at which terms began."
"""The note on what `second` goes by."""


@dataclass(frozen=True)
class ClauseProgram:
    """A program, with the relation and the words that are taken for it."""

    program: str
    relation: str
    words: tuple[str, ...]
    notes: tuple[str, ...] = ()


def programs_of(
    parts: QuestionParts,
    relation_words: RelationWords,
    around: Around,
    numeric: Set[str],
    has_times: bool,
    links: Links = lambda _: [],
) -> list[ClauseProgram]:
    """The programs for a question, one for each relation that its words may say.

    Args:
        parts: those of the question.
        relation_words: how people speak of the relations.
        around: the relations of a name.
        numeric: relations whose values are numbers or times.
        has_times: whether facts hold at times.
        links: what a relation links.
    """
    found = []
    around = _beside_the_other(parts, around)
    facts = list(what_it_was(parts, around) if has_times else ())
    facts = facts or list(facts_of(parts.core, parts, relation_words, around, has_times))
    for fact in facts if parts.core.names else facts_without_name(parts, relation_words, around, links):
        if has_times:
            fact = of_the_same(fact, _meanwhile(parts, relation_words, around), links)
        if not has_times and not fits_values(parts, fact.relation in numeric):
            continue
        unchecked = unchecked_kind(parts.kind, fact, relation_words) if has_times and parts.unit == "entity" else ""
        program = _program(parts, fact, relation_words, around) if has_times else timeless_program(parts, fact)
        if program:
            words = parts.core.words or (parts.kind,)
            notes = [each.note for each in (fact, *_meanwhile(parts, relation_words, around)) if each.note]
            is_of_names = parts.counted and parts.at and not (_counts_times(parts) or _counts_deeds(parts, fact))
            notes += [BY_NAMES] if is_of_names else []
            notes += [BY_STARTS] if parts.order.isdigit() else []
            notes += [unchecked] if unchecked else []
            found.append(ClauseProgram(program, fact.relation, words, tuple(dict.fromkeys(notes))))
    return [*found, *(each for one in found for each in _less_exact(parts, one))]


def _less_exact(parts: QuestionParts, found: ClauseProgram) -> Iterator[ClauseProgram]:
    """The program for when something began or ended, if that is known only as a year: no day is equal to it."""
    if parts.during and parts.during.edge != "time":
        when = "value='output_of_query1'"
        yield replace(
            found, program=found.program.replace(when, f"{when.replace('=', '>=')}, {when.replace('=', '<=')}")
        )


def _beside_the_other(parts: QuestionParts, around: Around) -> Around:
    """The relations of a name, those of the core only as far as whoever was before, after or beside them has them."""
    other = parts.beside[1] if parts.beside else parts.same
    if other is None:
        return around
    near, own = around(other.key), {name.key for name in parts.core.names}

    def shared(key: str) -> Neighbourhood:
        found = around(key)
        heads = tuple(each for each in found.head if each in near.tail)
        tails = tuple(each for each in found.tail if each in near.head)
        return Neighbourhood(heads, tails) if key in own and (heads or tails) else found

    return shared


def _meanwhile(parts: QuestionParts, relation_words: RelationWords, around: Around) -> list[Asked]:
    """The facts that the clause of a time may speak of."""
    return list(facts_of(parts.during, None, relation_words, around)) if parts.during else []


def fits_values(parts: QuestionParts, is_numeric: bool) -> bool:
    """Whether a time is asked for of numbers and times alone, and a person or a place of none of them."""
    return is_numeric if parts.unit == "time" else not (is_numeric and (parts.person or parts.where))


def facts_of(
    clause: Clause, parts: QuestionParts | None, relation_words: RelationWords, around: Around, has_times: bool = True
) -> Iterator[Asked]:
    """The facts that a clause may speak of: in the words of the relations, or else in other words for one of them.

    Without times, questions are assembled before.

    Raises:
        CannotPropose: other words mean several relations equally well.
    """
    if not clause.names:
        return
    found = list(_in_own_words(clause, parts, relation_words, around))
    found = found or _in_other_words(clause, parts, relation_words, around)
    if not found and (plain := _as_being(clause)):
        found = list(_in_own_words(plain, parts, relation_words, around))
        found = found or _in_other_words(plain, parts, relation_words, around)
    if not found and not (parts and parts.amount):
        found = floating_facts(clause, parts, relation_words, around)
    found = found or (assembled_facts(clause, parts, relation_words, around) if has_times else [])
    found = [each for each in found if not (has_times and _is_of_another(clause, each.relation, relation_words))]
    for each in found if has_times else ():
        refuse_light(clause, parts, each, around)
    yield from found


def _is_of_another(clause: Clause, relation: str, relation_words: RelationWords) -> bool:
    """Whether the words are the whole name of another relation: who `owned` a firm is not who `invested in` it."""
    said = set(map(lemma, clause.words))
    own = {each: {lemma(word) for word in in_words(each).split()} - PREPOSITIONS for each in relation_words.relations}
    return said.isdisjoint(own[relation]) and said in own.values()


def _as_being(clause: Clause) -> Clause | None:
    """The clause with `was` for a verb like `stayed`, if it has one."""
    match = P.STAYED.search(clause.text)
    if match is None:
        return None
    text = f"{clause.text[: match.start()]}was {match['subject'] or ''}".strip() + clause.text[match.end() :]
    said = [word for word in P.TOKEN.findall(match[0]) if word in clause.words]
    return replace(clause, text=text, words=tuple(word for word in clause.words if word not in said))


def refuse_lacking(clause: Clause, kind: str, relation_words: RelationWords, around: Around) -> None:
    """Refuses a clause whose only name has no relation of its words, or stands on the other side of it.

    Where it has one with the noun of what is asked for, its words may mean that one: `which team was he part of`.

    Raises:
        CannotPropose: it is such a clause.
    """
    for said in relation_words.said_by(clause.words) if clause.names else ():
        sides = _sides_of_phrase(clause, said.relation, relation_words)
        if not sides and is_directed(said.relation):
            sides = [said_side(clause, slot, said.relation) for slot in clause.places]
        sides = sides or [""] * len(clause.places)
        anyhow = facts_with(said.relation, clause.names, [""] * len(sides), around)
        if len(sides) != 1 or said.others or (anyhow and (sides == [""] or is_mutual(said.relation))):
            continue
        if not anyhow:
            others = list(dict.fromkeys(each for side in around(clause.names[0].key) for each in side))
            if kind and any(kind in in_words(each).split() for each in others):
                continue
            has = some_of(others)
            raise CannotPropose(f"'{clause.names[0].name}' has no '{said.relation}' in the graph; it has {has}")
        if not facts_with(said.relation, clause.names, sides, around):
            raise CannotPropose(f"the graph has no fact '{said.relation}' in the direction that the question asks")


def _in_other_words(
    clause: Clause, parts: QuestionParts | None, relation_words: RelationWords, around: Around
) -> list[Asked]:
    """The fact that a clause says in other words than its relation's."""
    if not clause.words and not (parts and parts.kind and clause.edge == "time"):
        kind = parts.kind if parts else ""
        says_another = bool(kind) and relation_words.is_own(kind)  # which shafts a lodge has had, are no secretaries
        return [
            each
            for each in of_the_names(clause, parts, around)
            if not says_another or relation_words.speaks_of(kind, each.relation)
        ]
    is_free = parts is not None and (parts.where or (parts.unit != "entity" and len(clause.names) == 1))
    for words in dict.fromkeys([(*clause.words, *((parts.kind,) if parts and parts.kind else ())), clause.words]):
        meant: dict[bool, dict[Asked, None]] = {True: {}, False: {}}
        for relation, others in relation_words.meant_by(words, clause.text, is_free):
            said = [side_of_slot(others, clause.text, slot, clause.verb.startswith("bec")) for slot in clause.places]
            if None in said or (others.named and not clause.names) or says_otherwise(clause, relation):
                continue
            sides = [side or "" for side in said] if not is_mutual(relation) else [""] * len(said)
            found = facts_with(relation, clause.names, sides, around)
            if len(found) == 1 or (found and is_mutual(relation)):
                note = taken_for(" ".join(words), relation)
                meant[others.named][replace(found[0], note=note)] = None
        for facts in filter(None, (meant[False], meant[True])):
            said_words = (*words, parts.kind if parts else "")
            relations = without_narrower(list(dict.fromkeys(fact.relation for fact in facts)), said_words)
            if len(relations) > 1:
                raise CannotPropose(why_ambiguous(words, relations))
            left = [fact for fact in facts if fact.relation in relations]
            return left if len(left) == 1 else []
    return []


def _in_own_words(
    clause: Clause, parts: QuestionParts | None, relation_words: RelationWords, around: Around
) -> Iterator[Asked]:
    """The facts that a clause speaks of in the words of relations, and of demonstrations of them."""
    words = clause.words
    if parts and parts.kind and (not words or relation_words.is_own(parts.kind)):
        words = (*words, parts.kind)  # it says the relation too: "which players were with Ajax"
        clause = replace(clause, text=clause.text.replace("qq", f"qq {parts.kind}", 1), words=words)
    for said in relation_words.said_by(words):
        if parts and parts.where and in_words(said.relation).split()[-1] in ("by", "as", "of"):
            continue
        yield from _facts(clause, said.relation, around, _sides_of_phrase(clause, said.relation, relation_words))


def _sides_of_phrase(clause: Clause, relation: str, relation_words: RelationWords) -> list[str]:
    """The sides that a phrase of the thesaurus gives the names, where a word has another ending than the relation.

    Whom somebody `employs` is not his `employer`. Empty if no phrase says it.
    """
    own = {lemma(word) for word in in_words(relation).replace("-", " ").split() if word not in PREPOSITIONS}
    if not own.isdisjoint(map(lemma, clause.words)) or is_mutual(relation):
        return []
    for meant, others in relation_words.meant_by(clause.words, clause.text, free=False):
        sides = [side_of_slot(others, clause.text, slot, clause.verb.startswith("bec")) for slot in clause.places]
        if meant == relation and not others.named and all(sides):
            return [side or "" for side in sides]
    return []


def _facts(clause: Clause, relation: str, around: Around, sides: list[str]) -> list[Asked]:
    """The fact with the clause's names, if it is one that the graph and the words leave, or the sides of a phrase."""
    if says_otherwise(clause, relation):
        return []
    said = sides or [said_side(clause, slot, relation) for slot in clause.places]
    found = facts_with(relation, clause.names, said, around)
    if len(clause.names) == 2 and not is_passive(relation):
        found = found[:1]  # the one that is said first does it
    return found if len(found) == 1 else []


def timeless_program(parts: QuestionParts, fact: Asked, begun: str = "") -> str:
    """The program over facts without times, which may go on from another; empty if there is none."""
    if parts.at or parts.beside or parts.same or parts.during or parts.relative or parts.order:
        return ""
    if parts.core.edge != "time":
        return ""
    if parts.unit not in ("entity", "time") or not fact.is_set or _asks_duration(parts):
        return ""
    if parts.where and fact.tail and not is_passive(fact.relation):
        return ""
    program = Program(begun)
    program.search(fact)
    return counted(program.text) if parts.counted else program.text


def _program(parts: QuestionParts, fact: Asked, relation_words: RelationWords, around: Around) -> str:
    """The program over facts that hold at times; empty if there is none."""
    if _asks_duration(parts):
        return ""
    if parts.order.isdigit() and (parts.at or parts.unit != "entity" or parts.counted):
        return ""
    if parts.unit != "entity" or _counts_times(parts):
        is_understood = not (parts.beside or parts.same or parts.during or parts.relative)
        return _of_times(parts, fact) if is_understood else ""
    ways = [bool(parts.during or parts.relative), bool(parts.same), bool(parts.beside), bool(parts.at)]
    ways.append(bool(parts.order))
    if not fact.is_set or (parts.where and fact.tail) or (sum(ways) > 1 and ways != [False, False, False, True, True]):
        return ""
    program, key = Program(), parts.core.edge
    if parts.during:
        facts = _meanwhile(parts, relation_words, around)
        if len(facts) != 1:
            return ""
        times = program.search(facts[0], key=parts.during.edge)
        if parts.during.at:
            times = program.add(f"keep(set={times}, {', '.join(map(_bound, parts.during.at))})")
        program.search(fact, f"value={times}", key=key)
    elif parts.relative:
        if len(facts := list(facts_of(parts.relative[1], None, relation_words, around))) != 1:
            return ""
        _relative(program, parts, fact, facts[0])
    elif parts.same:
        if not _holds(fact, parts.same, around):
            return ""
        times = program.search(fact.with_name(parts.same.name), key=key)
        others = program.search(fact, f"value={times}", key=key)
        program.add(f"set_difference(set1={others}, set2={quote(parts.same.name)})")
    elif parts.beside:
        if not _holds(fact, parts.beside[1], around):
            return ""
        _beside(program, parts, fact)
    elif parts.order:
        if any(at.sign == "=" for at in parts.at):
            return ""  # "for the first time in 1960": the first of all, or of that year
        if parts.order == "min" and [at.sign for at in parts.at] == [">"] and key == "time":
            key = "start_time"  # the first governor after 1870 is not the one who then was it already
        if parts.order.isdigit():
            key = "start_time"
        times = program.search(fact, key=key)
        if parts.at:
            times = program.add(f"keep(set={times}, {', '.join(map(_bound, parts.at))})")
        program.search(fact, f"value={_edge_of(program, parts, times)}", key=key)
    elif parts.at:
        _at(program, parts, fact)
    else:
        program.search(fact)  # with a key it would find times
    if parts.counted and _counts_deeds(parts, fact):
        return _deeds(program, parts, fact)
    return counted(program.text) if parts.counted else program.text


def _counts_deeds(parts: QuestionParts, fact: Asked) -> bool:
    """Whether each time counts, and not each name: a cup that was won twice is two cups won."""
    is_plain = not (parts.order or parts.during or parts.relative or parts.same or parts.beside)
    return is_plain and fact.free_side == "tail" and fact.head != EVERY and lemma(fact.relation) == "win"


def _deeds(program: Program, parts: QuestionParts, fact: Asked) -> str:
    """How often all that a search finds began within the bounds."""
    each = fact.with_name("each").search(key="start_time").replace("'each'", "each")
    each = f"keep(set={each}, {', '.join(map(_bound, parts.at))})" if parts.at else each
    counts = program.add(f"for_each(set={program.last}, value=count({each}))")
    program.add(f"sum(set={counts})")
    return program.text


def _asks_duration(parts: QuestionParts) -> bool:
    return parts.counted and parts.kind.removesuffix("s") in _DURATIONS


def _counts_times(parts: QuestionParts) -> bool:
    return parts.counted and parts.kind in ("time", "times")


def _holds(fact: Asked, name: Mention, around: Around) -> bool:
    """Whether a name stands on the side of the relation that is asked for."""
    return fact.relation in getattr(around(name.key), fact.free_side)


def _of_times(parts: QuestionParts, fact: Asked) -> str:
    """When a fact held, began or ended, or how often; empty if it is asked up to a time."""
    if any(at.sign == "until" for at in parts.at):
        return ""
    program, is_counted = Program(), _counts_times(parts)
    if parts.unit == "span":
        start, end = (program.search(fact, *map(_bound, parts.at), key=key) for key in ("start_time", "end_time"))
        program.add(f"set_union(set1={start}, set2={end})")
        return program.text
    key = "start_time" if is_counted else "time" if parts.unit == "years" else parts.unit
    times = program.search(fact, *map(_bound, parts.at), key=key)
    if parts.unit == "years":
        program.add(f"distinct(set={program.add(f'extract_year(set={times})')})")
    elif is_counted:
        program.add(f"count(set={times})")
    elif parts.order:
        _edge_of(program, parts, times)
    return program.text


def _edge_of(program: Program, parts: QuestionParts, times: str) -> str:
    """The first or last of times, or the one at a place."""
    if parts.order.isdigit():
        return program.add(f"nth(set=sort(set={times}), n={quote(parts.order)})")
    return program.add(f"{parts.order}(set={times})")


def _relative(program: Program, parts: QuestionParts, fact: Asked, other: Asked) -> None:
    """The nearest before another fact began, or after it ended; or all of them."""
    assert parts.relative
    side, clause = parts.relative
    ends = ("start_time", "min", "<") if side == "before" else ("end_time", "max", ">")
    times = program.search(other, key=clause.edge if clause.edge != "time" else ends[0])
    bound = f"value{ends[2]}{program.add(f'{ends[1]}(set={times})')}"
    if parts.several:
        program.search(fact, bound, key=parts.core.edge)
    else:
        _nearest(program, fact, bound, parts.core.edge)


def _beside(program: Program, parts: QuestionParts, fact: Asked) -> None:
    """The nearest before or after the fact that has another name on the side asked for; or all of them."""
    assert parts.beside
    side, name = parts.beside
    first, sign = ("min", "<") if side == "before" else ("max", ">")
    times = program.search(fact.with_name(name.name), key=parts.core.edge)
    bound = f"value{sign}{program.add(f'{first}(set={times})')}"
    if parts.several:
        program.search(fact, bound, key=parts.core.edge)
    else:
        _nearest(program, fact, bound, parts.core.edge)


def _at(program: Program, parts: QuestionParts, fact: Asked) -> None:
    """What held at times; the nearest before or after a time, unless several are asked for."""
    (first, *others) = parts.at
    is_one = not (others or parts.several or parts.counted)
    if is_one and first.sign == "until":
        program.search(fact, f"value={quote(first.time.name)}", key="end_time")
    elif is_one and first.sign in ("<", ">"):
        _nearest(program, fact, _bound(first), parts.core.edge)
    else:
        program.search(fact, *map(_bound, parts.at), key=parts.core.edge)


def _nearest(program: Program, fact: Asked, bound: str, key: str) -> None:
    """The last before a bound, or the first after it."""
    kept = program.add(f"keep(set={program.search(fact, key=key)}, {bound})")
    nearest = program.add(f"{'max' if bound.startswith('value<') else 'min'}(set={kept})")
    program.search(fact, f"value={nearest}", key=key)


def _bound(at: At) -> str:
    return f"value{'<=' if at.sign == 'until' else at.sign}{quote(at.time.name)}"
