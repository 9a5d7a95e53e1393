"""Which of many sources a question is about, by the names and the relations that it has in common with each.

Every content word of the question is weighed by how few sources have it, as with the inverse document frequency of
information retrieval (Spärck Jones, 1972), where a source is a document, and by what it is there (`Sign`). The sum of
these weights is the logit of a source; that of none of them, on which nothing loaded has the answer, grows with each
word. So a probability says how likely it is that this source is meant, and not only that it is likelier than others.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cgstore.cypher.connection import Database
from cgstore.mapping.mentions import Word
from cgstore.mapping.source_evidence import Evidence, Found, Sign, read_links, read_names
from cgstore.mapping.source_index import ReadySources, SourceIndex
from cgstore.text.names import normal_form, owned_key, source_name

MOST = 20
"""Sources that are chosen for one question."""

LIKELY = 200
"""Sources in which more is looked up, the likeliest by what was looked up at first."""

# The weights below maximise the likelihood of the right source, or of none, by coordinate ascent, and are rounded. The
# 760 questions are those that `benchmarks.unknown_source` draws by seed 1: 100 of each set, 40 of each not loaded.

MANY = 3_800
"""Sources among which these were drawn. A word in some of few sources is no more usual than in as many of these."""

IN_TABLE = {
    Sign.WORDS: (0.95, -0.05),
    Sign.NAME: (0.95, -0.05),
    Sign.NUMBER: (1.7, 0.0),
    Sign.WORD: (1.15, -0.6),
    Sign.PART: (0.95, 0.0),
    Sign.COLUMN: (1.0, 0.1),
}
"""For what a word is in a table: by how much its weight grows with its rarity, from 0 to 1, and what is added."""

IN_GRAPH = {
    Sign.WORDS: (0.9, 0.05),
    Sign.NAME: (1.6, -0.65),
    Sign.NUMBER: (0.95, -0.8),
    Sign.WORD: (0.6, -0.1),
    Sign.PART: (0.45, 0.0),
    Sign.LINKED: (1.15, 0.25),
    Sign.RELATION: (0.0, 0.25),
}
"""The same in a graph."""

OFTEN = 0.055
"""What is added to the growth for each doubling of how often a graph has a name: who is asked about is well known."""

SHARE_OF_COLUMN = 0.7
"""How much less a word counts that is a small part of a column's name: the share of this that the name has beside."""

NONE = {"name": 0.6, "number": 0.6, "word": 0.4}
"""What none of the sources has for each word of the question: one with a capital, one with a digit, another one."""

NONE_AT_ALL = -0.2
"""What none has for any question."""

SHARPNESS = 10.0
"""How much weights count, divided by the square root of the number of words: words do not speak independently."""


@dataclass(frozen=True)
class SourceCandidate:
    """A source that a question may be about.

    `stored` is its name in the graph. `score` is the weight of the question's words in it, and `probability` how sure
    it is that this is the one, among all and none. `names` and `relations` are what it has in common with the question.
    """

    source: str
    stored: str
    score: float
    probability: float
    names: tuple[str, ...]
    relations: tuple[str, ...]


def choose_sources(
    db: Database,
    question: str,
    sources: Sequence[str] | None = None,
    most: int = MOST,
    index: SourceIndex | None = None,
) -> list[SourceCandidate]:
    """The sources that a question may be about, the likeliest first, at most `most`.

    Args:
        db: the graph.
        question: in plain words.
        sources: stored names of those to choose from; None: all that are ready.
        most: the number of sources.
        index: the graph's sources and their relations; None: they are read.

    Raises:
        BadInput: the question is too long, or nothing is loaded.
    """
    index = index or ReadySources(db).index
    evidence = Evidence(question, frozenset(index.ready if sources is None else sources), index)
    if not evidence.words:
        return []
    evidence = read_names(db, evidence)
    evidence = read_links(db, evidence, [source for source, _ in ranked(evidence)[:LIKELY]])
    return _candidates(evidence, most)


def ranked(evidence: Evidence) -> list[tuple[str, float]]:
    """All sources that have something in common with a question, with their scores, the best first."""
    scores: dict[str, list[float]] = defaultdict(lambda: [0.0] * len(evidence.words))
    for place, word in enumerate(evidence.words):
        best: dict[str, float] = {}
        for source, weight in _weights(word, evidence):
            best[source] = max(best.get(source, weight), weight)
        for source, weight in best.items():
            scores[source][place] = weight
    return sorted(((source, sum(each)) for source, each in scores.items()), key=lambda pair: (-pair[1], pair[0]))


def probabilities(evidence: Evidence, scores: Iterable[float]) -> list[float]:
    """The probability of each source, given the scores of all that have something in common with the question."""
    sharpness = SHARPNESS / math.sqrt(max(1, len(evidence.words)))
    none = NONE_AT_ALL + sum(NONE[_kind(word.text)] for word in evidence.words)
    logits = [sharpness * score for score in (*scores, none)]
    most = max(logits)
    likelihoods = [math.exp(logit - most) for logit in logits]
    whole = sum(likelihoods)
    return [likelihood / whole for likelihood in likelihoods[:-1]]


def _kind(word: str) -> str:
    if any(character.isdigit() for character in word):
        return "number"
    return "name" if word[0].isupper() else "word"


def _weights(word: Word, evidence: Evidence) -> Iterator[tuple[str, float]]:
    """The sources that have a word, each with a weight for what it is there: the fewer they are, the larger."""
    graphs = evidence.index.graphs
    form = normal_form(word.text)
    for found in evidence.names.values():
        if _covers(found, word):
            rare = _rarity(len(found.sources), evidence)
            for source, times in found.sources.items():
                growth, more = (IN_GRAPH if source in graphs else IN_TABLE)[found.sign]
                often = OFTEN * math.log2(1 + times) if source in graphs else 0.0
                yield source, (growth + often) * rare + more
    having = evidence.parts.get(form, frozenset())
    for source in having:
        growth, more = (IN_GRAPH if source in graphs else IN_TABLE)[Sign.PART]
        yield source, growth * _rarity(len(having), evidence) + more
    by = evidence.relations.get(form, {})
    rare = _rarity(len(by), evidence)
    for source, shares in by.items():
        if source not in graphs:
            growth, more = IN_TABLE[Sign.COLUMN]
            yield source, growth * rare * (1 - SHARE_OF_COLUMN * (1 - max(shares.values()))) + more
        else:
            apart = evidence.linked.isdisjoint(owned_key(source, name) for name in shares)
            growth, more = IN_GRAPH[Sign.RELATION if apart else Sign.LINKED]
            yield source, growth * rare + more


def _covers(found: Found, word: Word) -> bool:
    return any(start <= word.start and word.end <= end for start, end in found.places)


def _rarity(sources: int, evidence: Evidence) -> float:
    """How rare it is to have a word: 1 if one source does, 0 if all of many do."""
    whole = math.log(1 + max(len(evidence.ready), MANY))
    return 1.0 - math.log(max(1, sources)) / whole


def _candidates(evidence: Evidence, most: int) -> list[SourceCandidate]:
    every = ranked(evidence)
    sure = probabilities(evidence, (score for _, score in every))
    return [
        SourceCandidate(
            source_name(source),
            source,
            score,
            probability,
            tuple(_longest(evidence, source)),
            tuple(dict.fromkeys(name for by in evidence.relations.values() for name in by.get(source, ()))),
        )
        for (source, score), probability in zip(every[:most], sure, strict=False)
    ]


def _longest(evidence: Evidence, source: str) -> Iterator[str]:
    """The names of the question in a source but for those within a longer one, in the order of the question."""
    spans = {place for found in evidence.names.values() if source in found.sources for place in found.places}
    end = -1
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if stop > end:
            yield evidence.question[start:stop]
            end = stop
