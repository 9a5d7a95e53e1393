"""Choosing the demonstrations nearest to a question, for an LLM's prompt (TrustUQA, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.errors import NoModel
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.reading import readings_of
from cgstore.llm.template import template_of
from cgstore.llm.vector_cache import encode_cached
from cgstore.mapping.encoder import Encoder, load_encoder
from cgstore.mapping.mentions import Mention, words_of


def nearest_demonstrations(
    demonstrations: Sequence[Demonstration],
    question: str,
    mentions: Sequence[Mention],
    count: int,
    encoder: Encoder | None = None,
) -> list[Demonstration]:
    """The `count` demonstrations most like the question, the nearest last, where an LLM attends to it most.

    Names and times are masked. Where no encoder can be had, likeness is the share of words in common (Jaccard).
    """
    asked = readings_of(question, mentions, frozenset())[-1].masked
    masked = [template_of(d).masked for d in demonstrations]
    try:
        scores = _by_vectors(asked, masked, encoder or load_encoder())
    except NoModel:
        scores = [_common_words(asked, text) for text in masked]
    order = sorted(range(len(masked)), key=lambda i: -scores[i])[:count]
    return [demonstrations[i] for i in reversed(order)]


def _by_vectors(asked: str, masked: Sequence[str], encoder: Encoder) -> list[float]:
    scores: list[float] = (encode_cached(encoder, masked) @ encoder.encode([asked])[0]).tolist()
    return scores


def _common_words(one: str, other: str) -> float:
    words, others = ({w.text.lower() for w in words_of(text)} for text in (one, other))
    return len(words & others) / max(1, len(words | others))
