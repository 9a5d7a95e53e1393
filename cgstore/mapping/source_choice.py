"""Which of many sources a question is about, by the names and the relations that it has in common with each.

Every content word of the question is weighed by how few sources have it, as with the inverse document frequency of
information retrieval (Spärck Jones, 1972), where a source is a document, and by what it is there (`Sign`). The sum of
these weights is the logit of a source; that of none of them, on which nothing loaded has the answer, grows with each
word. So a probability says how likely it is that this source is meant, and not only that it is likelier than others.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cgstore.cypher.connection import Database
from cgstore.mapping.mentions import Word
from cgstore.mapping.source_evidence import Evidence, Sign, read_links, read_names
from cgstore.mapping.source_index import ReadySources, SourceIndex
from cgstore.text.names import normal_form, owned_key, source_name
from cgstore.text.words import lemma

MOST = 20
"""Sources that are chosen for one question."""

LIKELY = 200
"""Sources in which more is looked up, the likeliest by what was looked up at first."""

# The weights below maximise the likelihood of the right source, or of none, by coordinate ascent, and are rounded. The
# 760 questions are those that `benchmarks.unknown_source` draws by seed 1: 100 of each set, 40 of each not loaded.

MANY = 3_800
"""Sources among which these were drawn. A word in some of few sources is no more usual than in as many of these."""

IN_TABLE = {
    Sign.WORDS: (0.85, 0.0),
    Sign.NAME: (0.75, -0.15),
    Sign.NUMBER: (1.15, 0.0),
    Sign.WORD: (1.3, -0.65),
    Sign.PART: (0.9, 0.0),
    Sign.CELL: (1.0, -0.1),
    Sign.COLUMN: (0.9, 0.1),
    Sign.OTHER_COLUMN: (0.05, 0.15),
    Sign.SOURCE: (1.4, 0.2),
}
"""For what a word is in a table: by how much its weight grows with its rarity, from 0 to 1, and what is added."""

IN_GRAPH = {
    Sign.WORDS: (0.65, 0.1),
    Sign.NAME: (2.05, -1.0),
    Sign.NUMBER: (1.4, -0.9),
    Sign.WORD: (0.4, 0.05),
    Sign.PART: (0.4, 0.0),
    Sign.LINKED: (0.65, 0.4),
    Sign.RELATION: (0.1, 0.3),
    Sign.OTHER_LINKED: (0.55, 0.45),
    Sign.OTHER_RELATION: (0.0, 0.2),
    Sign.SOURCE: (1.4, 0.2),
}
"""The same in a graph.

The weight of a source's own name is not learnt, since the tables of those questions have numbers for names.
"""

OFTEN = 0.055
"""What is added to the growth for each doubling of how often a graph has a name: who is asked about is well known."""

SHARE_OF_COLUMN = 0.7
"""How much less a word counts that is a small part of a column's name: the share of this that the name has beside."""

NONE = {"name": 0.55, "number": 0.6, "word": 0.4}
"""What none of the sources has for each word of the question: one with a capital, one with a digit, another one."""

NONE_AT_ALL = -0.15
"""What none has for any question."""

SHARPNESS = 9.0
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
        for signal in signals(word, evidence):
            weight = _weight(signal, evidence)
            best[signal.source] = max(best.get(signal.source, weight), weight)
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


class Signal(NamedTuple):
    """What a word of the question is in a source.

    `rarity`: 1 if this source alone has it, 0 if all have. `share`: of a column's name that the question has. `times`:
    how often the source has a name.
    """

    source: str
    sign: Sign
    rarity: float
    share: float = 1.0
    times: int = 0


def signals(word: Word, evidence: Evidence) -> Iterator[Signal]:
    """All that a word of the question is in the sources."""
    form = normal_form(word.text)
    for name, found in evidence.names.items():
        if any(start <= word.start and word.end <= end for start, end in found.places):
            rarity = _rarity(found.sources, evidence)
            yield from (Signal(source, found.sign, rarity, times=times) for source, times in found.sources.items())
            yield from _equal(Sign.CELL, evidence.cells.get(name, ()), evidence)
    yield from _equal(Sign.PART, evidence.parts.get(form, ()), evidence)
    yield from _of_relations(evidence.relations.get(form, {}), evidence, Sign.COLUMN, Sign.LINKED, Sign.RELATION)
    others = evidence.other_words.get(form, {})
    yield from _of_relations(others, evidence, Sign.OTHER_COLUMN, Sign.OTHER_LINKED, Sign.OTHER_RELATION)
    yield from _equal(Sign.SOURCE, evidence.ready.intersection(evidence.index.titled.get(lemma(form), ())), evidence)


def _equal(sign: Sign, sources: Collection[str], evidence: Evidence) -> Iterator[Signal]:
    rarity = _rarity(sources, evidence)
    return (Signal(source, sign, rarity) for source in sources)


def _of_relations(
    by: Mapping[str, Mapping[str, float]], evidence: Evidence, column: Sign, linked: Sign, other: Sign
) -> Iterator[Signal]:
    """What a word is, given by source the relations that it names, with their shares of the question."""
    rarity = _rarity(by, evidence)
    for source, shares in by.items():
        if source not in evidence.index.graphs:
            yield Signal(source, column, rarity, share=max(shares.values()))
        else:
            yield Signal(source, linked if _is_linked(source, shares, evidence) else other, rarity)


def _is_linked(source: str, relations: Iterable[str], evidence: Evidence) -> bool:
    """Whether a name of the question has one of the relations in a graph."""
    return not evidence.linked.isdisjoint(owned_key(source, name) for name in relations)


def _weight(signal: Signal, evidence: Evidence) -> float:
    is_graph = signal.source in evidence.index.graphs
    growth, more = (IN_GRAPH if is_graph else IN_TABLE)[signal.sign]
    growth *= 1 - SHARE_OF_COLUMN * (1 - signal.share)
    if is_graph and signal.times:
        growth += OFTEN * math.log2(1 + signal.times)
    return growth * signal.rarity + more


def _rarity(sources: Collection[str], evidence: Evidence) -> float:
    """How rare it is to have a word: 1 if one source does, 0 if all of many do."""
    whole = math.log(1 + max(len(evidence.ready), MANY))
    return 1.0 - math.log(max(1, len(sources))) / whole


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
