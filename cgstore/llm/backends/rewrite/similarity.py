"""How similar questions are to demonstrations and to relations: by vectors, or by words where there is no encoder."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.embedding.encoder import SharedEncoder, cosines, encode_cached
from cgstore.errors import NoModel
from cgstore.llm.backends.rewrite.repertoire import Knowledge, share_in
from cgstore.llm.demonstrations.shot_selection import alike_in_words
from cgstore.text.names import spaced


def similarities(asked: Sequence[str], knowledge: Knowledge, encoder: SharedEncoder) -> list[list[float]]:
    """The similarity of each text to each form."""
    try:
        return [cosines(knowledge.vectors, each) for each in encoder.encode(asked)]
    except NoModel:
        return [[alike_in_words(text, form.masked) for form in knowledge.forms] for text in asked]


def relations_like(text: str, relations: Sequence[str], encoder: SharedEncoder) -> dict[str, float]:
    """The similarity of each relation to a text."""
    names = [spaced(relation) for relation in relations]
    try:
        similarity = cosines(encode_cached(encoder, names), encoder.encode([text])[0])
    except NoModel:
        similarity = [share_in(text, name) for name in names]
    return dict(zip(relations, similarity, strict=True))
