"""Which of many sources a question is about, by the names and the relations that it has in common with each.

Every content word of the question is weighed by how few sources have it: as part of a name (of an entity or a cell), or
as a word of a relation's or column's name. A source's score is the share of this weight that it accounts for, as with
the inverse document frequency of information retrieval (Spärck Jones, 1972), where a source is a document.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cgstore.catalog.sources import ready_sources
from cgstore.cypher.connection import Database
from cgstore.cypher.freshness import ALIASES_SAID
from cgstore.mapping.mentions import GRAMMAR_WORDS, Word, word_spans, words_of
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.source_kinds import SOURCE_KINDS, WITH_ROWS
from cgstore.text.names import normal_form, owned_key, source_name, spaced

MOST = 20
"""Sources that are chosen for one question."""

LOOKED_AT = 2_000
"""Relationships of a name from which its sources are read: a year may have a hundred thousand."""

PROBED = 200
"""Sources in which every name of the question is looked for, where not all of its relationships were looked at."""

STEM = 4
"""Letters of a word by which relations are looked up, before their words are compared."""

AS_RELATION = 0.8
"""Weight of a word as one of a relation's name, beside 1 as part of a name."""

UNLINKED = 0.25
"""The same in a graph, where no name of the question has that relation."""

AS_WORD = 0.4
"""Weight of a single word in lower case as a name of a graph, where entities are called `film` and `university`."""

GRAPHS = 20
"""Graphs, the likeliest ones, whose names and relations are looked at together."""

SHARPNESS = 25.0
"""How fast the probability of a source falls with its score."""

_NAMED = f"""
CALL () {{
  UNWIND $forms AS form
  MATCH (n:CgNode {{normal: form}}) USING INDEX SEEK n:CgNode(normal)
  WHERE n.source IS NULL
  RETURN form, n
  UNION
{ALIASES_SAID}\
  MATCH (n:CgNode {{key: a.target}}) USING INDEX SEEK n:CgNode(key)
  WHERE n.source IS NULL
  RETURN a.normal AS form, n
}}
CALL (n) {{
  MATCH (n)-[h:CG_HAS]->() WITH h.source AS source LIMIT $looked
  RETURN DISTINCT source
  UNION
  MATCH (n)<-[v:CG_VALUE]-() WITH v.source AS source LIMIT $looked
  RETURN DISTINCT source
}}
RETURN form, collect(DISTINCT n.key) AS keys, collect(DISTINCT source) AS sources,
  max(COUNT {{ (n)<-[:CG_VALUE]-() }}) > $looked AS more
"""

_RELATIONS = """
MATCH (r:CgRelation) WHERE any(stem IN $stems WHERE r.normal CONTAINS stem) AND NOT r.name IN $own
RETURN r.name AS name, collect(DISTINCT r.source) AS sources
"""

_GRAPHS = "MATCH (s:CgSource) WHERE s.name IN $sources AND NOT s.kind IN $of_rows RETURN s.name AS name"

_LINKED = """
UNWIND $asked AS each
MATCH (n:CgNode {key: each.name}) USING INDEX SEEK n:CgNode(key)
UNWIND each.relations AS relation
MATCH (r:CgNode {key: relation}) USING INDEX SEEK r:CgNode(key)
WHERE EXISTS { (n)-[:CG_HAS]->(r) }
   OR EXISTS { MATCH ()-[v:CG_VALUE {node1: relation, node2: each.name}]->() }
RETURN DISTINCT relation
"""

_PROBE = """
UNWIND $sources AS source
MATCH (r:CgRelation {source: source})
UNWIND $keys AS key
MATCH ()-[v:CG_VALUE {node1: r.key, node2: key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
RETURN DISTINCT key, source
"""


@dataclass(frozen=True)
class SourceCandidate:
    """A source that a question may be about.

    `stored` is its name in the graph. `score` is the share of the weight of the question's words that it accounts
    for, from 0 to 1, and `probability` how sure it is that this is the one, among all. `names` and `relations` are
    what it has in common with the question.
    """

    source: str
    stored: str
    score: float
    probability: float
    names: tuple[str, ...]
    relations: tuple[str, ...]


class _Found(NamedTuple):
    """A form of the question that names nodes: its places, their keys, its sources, and whether there may be more.

    `is_word`: it is one word in lower case, but for words of grammar.
    """

    places: tuple[tuple[int, int], ...]
    keys: tuple[str, ...]
    sources: frozenset[str]
    more: bool
    is_word: bool


@dataclass(frozen=True)
class _Seen:
    """What the sources have of a question: names by form; for each word, relations by source; and which are graphs.

    `linked` has the keys of relations that a name of the question has in a graph.
    """

    names: Mapping[str, _Found]
    relations: Mapping[str, Mapping[str, tuple[str, ...]]]
    graphs: frozenset[str] = frozenset()
    linked: frozenset[str] = frozenset()


def choose_sources(
    db: Database, question: str, sources: Sequence[str] | None = None, most: int = MOST
) -> list[SourceCandidate]:
    """The sources that a question may be about, the likeliest first, at most `most`.

    Args:
        db: the graph.
        question: in plain words.
        sources: stored names of those to choose from; None: all that are ready.
        most: the number of sources.

    Raises:
        BadInput: the question is too long, or nothing is loaded.
    """
    ready = frozenset(sources if sources is not None else ready_sources(db))
    words = _content(question)
    if not words:
        return []
    seen = _Seen(_names(db, question, ready), _relations(db, words, ready))
    likely = [source for source, _ in _ranked(words, seen, ready)[:PROBED]]
    seen = replace(seen, names=_probed(db, seen.names, likely))
    seen = _with_links(db, seen, likely)
    return _candidates(question, _ranked(words, seen, ready), seen, most)


def _content(text: str) -> list[Word]:
    return [word for word in words_of(text) if word.text.lower() not in GRAMMAR_WORDS]


def _names(db: Database, question: str, ready: frozenset[str]) -> dict[str, _Found]:
    """The forms of the question that name nodes of the sources."""
    spans = word_spans(question)
    spans = {form: places for form, places in spans.items() if form not in GRAMMAR_WORDS}
    given = {"forms": sorted(spans), "said": sorted(spans), "looked": LOOKED_AT}
    found: dict[str, _Found] = {}
    for row in db.read(_NAMED, given):
        kept = ready.intersection(row["sources"])
        if kept or row["more"]:
            places = tuple(spans[row["form"]])
            texts = [question[start:end] for start, end in places]
            is_word = len(_content(texts[0])) == 1 and all(text.islower() for text in texts)
            found[row["form"]] = _Found(places, tuple(row["keys"]), kept, row["more"], is_word)
    return found


def _relations(db: Database, words: Sequence[Word], ready: frozenset[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    """For each word of the question the sources with a relation of which it is a word, with these relations."""
    asked = {normal_form(word.text) for word in words if not word.text.isdigit()}
    stems = sorted({word[: max(STEM, len(word) - 3)] for word in asked if len(word) > 1})
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    own = sorted({name for kind in SOURCE_KINDS.values() for name in kind.own_relations})
    for row in db.read(_RELATIONS, {"stems": stems, "own": own}) if stems else ():
        parts = {normal_form(part.text) for part in words_of(spaced(row["name"]))}
        for word in asked:
            if any(same_stem(word, part) for part in parts):
                for source in ready.intersection(row["sources"]):
                    found[word][source].append(row["name"])
    return {word: {source: tuple(names) for source, names in by.items()} for word, by in found.items()}


def _probed(db: Database, named: Mapping[str, _Found], sources: Sequence[str]) -> dict[str, _Found]:
    """The same names with the sources, among these, of those that have too many relationships to be looked at."""
    keys = {key: form for form, found in named.items() if found.more for key in found.keys}
    there: dict[str, set[str]] = defaultdict(set)
    for row in db.read(_PROBE, {"keys": list(keys), "sources": list(sources)}) if keys else ():
        there[keys[row["key"]]].add(row["source"])
    return {
        form: found._replace(sources=found.sources | there[form], more=False) if found.more else found
        for form, found in named.items()
    }


def _with_links(db: Database, seen: _Seen, sources: Sequence[str]) -> _Seen:
    """The same, with what links the names and the relations of the question in the graphs among some sources."""
    given = {"sources": list(sources), "of_rows": list(WITH_ROWS)}
    graphs = frozenset(row["name"] for row in db.read(_GRAPHS, given))
    asked = []
    for source in [source for source in sources if source in graphs][:GRAPHS]:
        relations = {name for by in seen.relations.values() for name in by.get(source, ())}
        keys = {key for found in seen.names.values() if source in found.sources for key in found.keys}
        own = [owned_key(source, name) for name in relations]
        asked += [{"name": key, "relations": own} for key in keys] if own else []
    linked = frozenset(row["relation"] for row in db.read(_LINKED, {"asked": asked})) if asked else frozenset()
    return replace(seen, graphs=graphs, linked=linked)


def _ranked(words: Sequence[Word], seen: _Seen, ready: frozenset[str]) -> list[tuple[str, float]]:
    """All sources that account for a word, with their scores, the best first."""
    rarest = math.log(1 + len(ready))
    weights: dict[str, list[float]] = defaultdict(lambda: [0.0] * len(words))
    for place, word in enumerate(words):
        for source, weight in _weights(word, seen, rarest):
            weights[source][place] = max(weights[source][place], weight)
    whole = rarest * len(words)
    scored = ((source, sum(each) / whole) for source, each in weights.items())
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def _weights(word: Word, seen: _Seen, rarest: float) -> Iterator[tuple[str, float]]:
    """The sources that have a word, each with a weight: the fewer they are, the larger."""
    for found in seen.names.values():
        places = [(start, end) for start, end in found.places if start <= word.start and word.end <= end]
        if places:
            weight = rarest - math.log(max(1, len(found.sources)))
            for source in found.sources:
                yield source, weight * (AS_WORD if found.is_word and source in seen.graphs else 1.0)
    by = seen.relations.get(normal_form(word.text), {})
    weight = rarest - math.log(max(1, len(by)))
    for source, names in by.items():
        apart = source in seen.graphs and seen.linked.isdisjoint(owned_key(source, name) for name in names)
        yield source, weight * (UNLINKED if apart else AS_RELATION)


def _candidates(question: str, ranked: Sequence[tuple[str, float]], seen: _Seen, most: int) -> list[SourceCandidate]:
    likelihoods = [math.exp(SHARPNESS * (score - ranked[0][1])) for _, score in ranked]
    whole = sum(likelihoods)
    return [
        SourceCandidate(
            source_name(source),
            source,
            score,
            likelihood / whole,
            tuple(_longest(question, (found.places for found in seen.names.values() if source in found.sources))),
            tuple(dict.fromkeys(name for by in seen.relations.values() for name in by.get(source, ()))),
        )
        for (source, score), likelihood in zip(ranked[:most], likelihoods, strict=False)
    ]


def _longest(question: str, places: Iterable[Sequence[tuple[int, int]]]) -> Iterator[str]:
    """The texts at these places but for those within a longer one, in the order of the question."""
    spans = sorted({span for each in places for span in each}, key=lambda span: (span[0], -span[1]))
    end = -1
    for start, stop in spans:
        if stop > end:
            yield question[start:stop]
            end = stop
