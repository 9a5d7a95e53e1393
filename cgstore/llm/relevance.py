"""How much relations have to do with a question: by the encoder's vectors, else by the words in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cgstore.embedding.cache import MAX_KEPT, encode_cached
from cgstore.embedding.encoder import Encoder, SharedEncoder
from cgstore.embedding.vectors import as_words
from cgstore.errors import NoModel
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors


class Relevance:
    """Scores relations; remembers their vectors.

    Args:
        encoder: makes the vectors; None: the default one, loaded when first needed, if it can be had.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = SharedEncoder(encoder)
        self._vectors: dict[str, Vectors] = {}

    def scores(self, question: str, relations: Sequence[str]) -> dict[str, float]:
        """Each relation's likeness to the question, higher is more alike."""
        names = list(dict.fromkeys(relations))
        try:
            return self._by_vectors(question, names)
        except NoModel:
            return _by_words(question, names)

    def _by_vectors(self, question: str, names: Sequence[str]) -> dict[str, float]:
        vectors = self._with(names)
        asked = self._encoder.encode([question])[0]
        return {name: float(vectors[name] @ asked) for name in names}

    def _with(self, names: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of at least these; never changed in place, since several questions may be asked at a time."""
        known = self._vectors
        missing = [name for name in names if name not in known]
        if missing:
            if len(known) + len(missing) > MAX_KEPT:
                known, missing = {}, list(names)
            new = encode_cached(self._encoder, [as_words(name) for name in missing])
            self._vectors = known = {**known, **dict(zip(missing, new, strict=True))}
        return known


def _by_words(question: str, names: Sequence[str]) -> dict[str, float]:
    """The share of a name's words that the question has."""
    asked = _words(question)
    words = {name: _words(as_words(name)) for name in names}
    return {name: len(asked & words[name]) / max(1, len(words[name])) for name in names}


def _words(text: str) -> set[str]:
    return {word.text.casefold() for word in words_of(text)} - GRAMMAR_WORDS
