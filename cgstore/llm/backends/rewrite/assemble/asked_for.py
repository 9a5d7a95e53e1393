"""The noun that says what is asked for, elsewhere than behind the first word: `what are the types`, `in which genres`.

Programs that give something else are no answers: `what were the release dates of his films` asks for no films.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.llm.backends.rewrite.assemble.asked import Reading
from cgstore.llm.backends.rewrite.assemble.kinds import slot_of
from cgstore.llm.backends.rewrite.assemble.relations import Chunk
from cgstore.llm.backends.rewrite.assemble.signals import tells_kind
from cgstore.llm.backends.rewrite.assemble.slots import slot_said
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, BE, KIND_NOUNS, Question
from cgstore.text.names import in_words
from cgstore.text.thesaurus import lemma

_ASKING = frozenset(["which", "what"])


def gives_asked(question: Question, reading: Reading, chunks: Sequence[Chunk]) -> bool:
    """Whether a reading gives what the question asks for, as far as a noun says what that is.

    Args:
        question: its words.
        reading: what it may ask.
        chunks: where it speaks of relations.
    """
    slot = slot_of(reading.things)
    if slot is None:
        return True
    relation, side = slot
    if deed := _asks_deed(question, chunks):
        return slot == (deed, "tail")
    place = _asked_noun(question)
    if place < 0 or question.tokens[place].is_name:
        return True
    if question.words[place] in KIND_NOUNS and question.words[place + 1 : place + 2] != ("of",):
        return side == "tail" and tells_kind(relation)
    there = [chunk for chunk in chunks if chunk.first == place]
    if said := {slot_said(question, chunk) for chunk in there} - {None}:
        return slot in said
    if there and relation not in {chunk.relation for chunk in there}:
        return False
    is_last = place > 1 and question.words[place - 1] in _ASKING
    return not is_last or side != "tail" or lemma(question.words[place]) in map(lemma, in_words(relation).split())


def _asked_noun(question: Question) -> int:
    """The place of the noun that says what is asked for; -1 if there is none."""
    words = question.words
    for place in range(2, len(words)):
        if words[place - 1] in _ASKING and place >= len(words) - 2:
            return place  # `were in which genres`
    if words[0] in ("what", "who") and words[1:2] and words[1] in BE:
        place = next((n for n in range(2, len(words)) if words[n] not in ARTICLES), -1)
        return -1 if words[place].endswith("est") else place
    return 1 if words[0] in _ASKING and words[1:2] and words[1] in KIND_NOUNS else -1


def _asks_deed(question: Question, chunks: Sequence[Chunk]) -> str:
    """The relation, of what is done by somebody, whose doers `who` asks for: `who wrote films that`; empty if none."""
    done = [each for each in chunks if each.first == 1 and each.spoken.is_verb]
    is_who = question.words[0] == "who" and len(done) == 1 and in_words(done[0].relation).endswith(" by")
    return done[0].relation if is_who else ""
