"""The fact of a clause over times, recognised as in questions over graphs without times (`assemble`).

The words that carry meaning must be those of one relation that the names have: of its name, another form of it, or of
the thesaurus, wherever they stand. Where neither words nor graph say the side of a name, there is no fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite.abstention import why_ambiguous
from cgstore.llm.backends.rewrite.assemble.asked import CLOSE
from cgstore.llm.backends.rewrite.assemble.covers import Cover, covers
from cgstore.llm.backends.rewrite.assemble.nearness import near_alone, near_relations, words_at
from cgstore.llm.backends.rewrite.assemble.relations import OWN, Chunk, chunks_in, is_of_place, own_lemmas, own_nouns
from cgstore.llm.backends.rewrite.assemble.sides import has_other_join, side_of_place
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, DO, Question, tokens_of
from cgstore.llm.backends.rewrite.clauses import Clause, QuestionParts
from cgstore.llm.backends.rewrite.fact_asked import Around, Asked, facts_with
from cgstore.llm.backends.rewrite.floating_facts import has_noun_behind
from cgstore.llm.backends.rewrite.relation_words import OFFICE, RelationWords, is_mutual, without_narrower
from cgstore.text.meaning import LEAST_ASKED, likeness_to
from cgstore.text.names import in_words
from cgstore.text.thesaurus import PREPOSITIONS, lemma
from cgstore.text.word_vectors import vector_of

_ASKED = re.compile(r"\bqq(?: (by|to|with|for|from|at|of|in|on|against))?\b")
_LIGHT = frozenset(map(lemma, OFFICE)) | frozenset(
    map(lemma, ["late", "stay", "remain", "doing", "going", "get", "come"])
)
"""Words that say nothing beside those of a relation, by their lemmas."""


def assembled_facts(clause: Clause, parts: QuestionParts | None, words: RelationWords, around: Around) -> list[Asked]:
    """The fact of which a clause speaks; empty if none is recognised.

    Args:
        clause: with its names.
        parts: those of the question, if the clause is its main one.
        words: how people speak of the relations of the graph.
        around: the relations of a name.

    Raises:
        CannotPropose: it may be one of several.
    """
    if clause.verb.startswith("bec"):
        return []  # what somebody became is read before
    question = Question(tokens_of(_asking(clause, parts)), dict(zip(clause.places, clause.names, strict=True)))
    near = around(clause.names[0].key)
    relations = list(dict.fromkeys((*near.head, *near.tail)))
    kind = parts.kind if parts and not has_noun_behind(clause, words) else ""
    found: dict[Asked, float] = {}
    chunks = chunks_in(question, relations)
    for chunk, cost in _chunks(question, kind, relations, words, chunks) or _chunks(
        question, kind, relations, words, [*chunks, *near_alone(question, _near(question, relations, chunks))]
    ):
        for fact in _facts(question, chunk, clause, around):
            found[fact] = min(cost, found.get(fact, cost))
    if not found:
        return []
    least = min(found.values())
    best = [fact for fact, cost in found.items() if cost <= least + CLOSE]
    said_words = (*clause.words, parts.kind if parts else "")
    meant = without_narrower(list(dict.fromkeys(each.relation for each in best)), said_words)
    best = [each for each in best if each.relation in meant]
    if len(meant) > 1:
        raise CannotPropose(why_ambiguous(clause.words, meant))
    return best if len(best) == 1 or is_mutual(best[0].relation) else []


def assembled_relations(clause: Clause, parts: QuestionParts, words: RelationWords) -> list[str]:
    """The relations that a clause without a name speaks of equally well, of all that the graph has."""
    question = Question(tokens_of(_asking(clause, parts)), {})
    kind = "" if has_noun_behind(clause, words) else parts.kind
    chunks = chunks_in(question, words.relations)
    near = [each for each in _near(question, words.relations, chunks) if _is_near_enough(question, each)]
    every = [*chunks, *near]
    found: dict[str, float] = {}
    for chunk, cost in _chunks(question, kind, words.relations, words, every):
        found[chunk.relation] = min(cost, found.get(chunk.relation, cost))
    best = [each for each, cost in found.items() if cost <= min(found.values()) + CLOSE]
    return without_narrower(best, (*clause.words, parts.kind))


def _is_near_enough(question: Question, chunk: Chunk) -> bool:
    """Whether words are as near to a relation as they must be where no name tells that it is one.

    What is done to something says no relation that has no place for it: `running the museum` is not `mayor of`.
    """
    places = [place for place in range(len(question.words)) if chunk.mask >> place & 1]
    if "the" in question.words[places[0] : places[-1]]:
        return False
    asked = vector_of(words_at(question, chunk))
    return asked is not None and likeness_to(asked, chunk.relation) >= LEAST_ASKED


def _asking(clause: Clause, parts: QuestionParts | None) -> str:
    """The clause as a question: with the word that asks in the place of `qq`."""
    if parts is None or "qq" not in clause.text:
        return f"when {clause.text}"
    word = "who" if parts.person else "where" if parts.where else f"which {parts.kind}" if parts.kind else "what"
    word = "how much" if parts.amount else word
    match = _ASKED.search(clause.text)
    assert match is not None
    preposition = "" if parts.where else match[1] or ""
    return f"{clause.text[: match.start()]}{preposition} {word}{clause.text[match.end() :]}"


def _near(question: Question, relations: Sequence[str], chunks: Sequence[Chunk]) -> list[Chunk]:
    """Where words near in meaning to a relation say it; those that say little beside any relation do not count."""
    light = sum(1 << place for place, token in enumerate(question.tokens) if token.lemma in _LIGHT)
    return near_relations(question, relations, chunks, (), light)


def _chunks(
    question: Question, kind: str, relations: Sequence[str], words: RelationWords, every: Sequence[Chunk]
) -> list[tuple[Chunk, float]]:
    """The ways in which all words say one relation, with what they cost."""
    found, own = [], own_nouns(relations)
    modifiers = own_lemmas(relations) - own  # `race` of `race engineer`
    for relation in relations:
        chunks = [chunk for chunk in every if chunk.relation == relation]
        light = _LIGHT | own_lemmas([relation])
        read = sum(
            1 << place
            for place, token in enumerate(question.tokens)
            if token.lemma in light and not any(chunk.mask >> place & 1 for chunk in chunks)
        )
        for cover in covers(question, chunks, (), read, own) if chunks else ():
            is_whole = cover.unchecked in ("", kind) and not _leaves_something(question, cover, words, modifiers)
            if cover.relations and is_whole and not any(_does(question, each, read) for each in cover.relations):
                chunk = max(cover.relations, key=lambda each: (each.spoken.inverse is not None, each.quality))
                found.append((chunk, cover.penalty))
    return found


def _does(question: Question, chunk: Chunk, read: int) -> bool:
    """Whether something is asked that the one whom a relation says did: `what wages did the keeper of X get`."""
    first = (chunk.mask & -chunk.mask).bit_length() - 1
    is_subject = first > 1 and question.words[first - 1] in ARTICLES and question.words[first - 2] in DO
    return is_subject and bool(read >> chunk.mask.bit_length())


def _leaves_something(question: Question, cover: Cover, words: RelationWords, modifiers: Set[str]) -> bool:
    """Whether a noun or `own` says something else, or a preposition that is not the relation's stands there."""
    is_owned = "own" in question.words and not any(
        chunk.mask >> question.words.index("own") & 1 for chunk in cover.relations
    )
    is_own = words.is_own(cover.unchecked) and lemma(cover.unchecked) not in modifiers
    if cover.inner or is_owned or (cover.unchecked and is_own):
        return True
    if any(has_other_join(question, chunk) for chunk in cover.relations):
        return True
    last = question.words[-1]
    said = {word for each in cover.relations for word in (*each.spoken.joins, *in_words(each.relation).split())}
    return last in PREPOSITIONS - {"by"} and last not in said


def _facts(question: Question, chunk: Chunk, clause: Clause, around: Around) -> list[Asked]:
    """The facts with the names on the sides that the words and the graph leave."""
    if question.words[0] == "where" and not is_of_place(question, chunk.relation, [chunk]):
        return []
    if chunk.spoken.inverse is None and chunk.quality < OWN and len(clause.names) == 1:
        near = around(clause.names[0].key)
        if chunk.spoken.lemmas or chunk.relation in {*near.head} & {*near.tail}:
            return []  # another form of its word, of which the direction is not known
    sides = [""] * len(clause.names)
    for number, slot in enumerate(clause.places) if not is_mutual(chunk.relation) else ():
        sides[number] = side_of_place(question, chunk, question.words.index(slot))
    facts = facts_with(chunk.relation, clause.names, sides, around)
    said = " ".join(word for place, word in enumerate(question.words) if chunk.mask >> place & 1)
    note = "" if chunk.quality == OWN else f"'{said}' is taken for the relation '{chunk.relation}'."
    return [Asked(each.head, each.relation, each.tail, note=note) for each in facts]
