"""Which of many sources a question is about, by the names and the relations that it has in common with each.

The sources that are ready and the words of their relations are kept in memory while no source is loaded, changed or
dropped: to look through tens of thousands of columns takes longer than all else that is looked up (`SourceIndex`).
What each source has of a question is looked up (`Evidence`), and weighed (`choose_sources`).

Every content word of the question is weighed by how few sources have it, as with the inverse document frequency of
information retrieval (Spärck Jones, 1972), where a source is a document, and by what it is there (`Sign`). The sum of
these weights is the logit of a source; that of none of them, on which nothing loaded has the answer, grows with each
word. So a probability says how likely it is that this source is meant, and not only that it is likelier than others.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from cgstore.catalog.kinds import SOURCE_KINDS, WITH_ROWS
from cgstore.catalog.snapshot import ALIASES_SAID
from cgstore.catalog.sources import ready_sources
from cgstore.cypher.connection import Database
from cgstore.mapping.mentions import GRAMMAR_WORDS, Word, word_spans, words_of
from cgstore.text.names import normal_form, owned_key, source_name, spaced
from cgstore.text.words import MIN_STEM, same_stem, word_forms

# What is another with each load, change and drop of any source.
_STATE = """
MATCH (s:CgSource {state: 'ready'}) USING INDEX s:CgSource(state)
RETURN count(s) AS sources, toString(max(s.loaded)) AS last, sum(s.change) AS changes
"""

_RELATIONS = """
MATCH (r:CgRelation) WHERE NOT r.name IN $own
RETURN r.name AS name, collect(DISTINCT r.source) AS sources
"""

_GRAPHS = "MATCH (s:CgSource) WHERE NOT s.kind IN $of_rows RETURN s.name AS name"


@dataclass(frozen=True)
class SourceIndex:
    """What was ready at some time.

    Args:
        ready: the stored names of the sources.
        graphs: those of them that have entities and no rows.
        having: by the name of a relation, the stored names of the sources that have it.
        words: by the first letters of a word, each such word with the names of relations that it is part of.
        titled: by a word, without a plural's s, the stored names of the sources that have it in their own names.
    """

    ready: tuple[str, ...]
    graphs: frozenset[str] = frozenset()
    having: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    titled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def relations(self, word: str) -> list[str]:
        """The names of relations of which a word, in normal form, or another form of it is a part."""
        of_letters = self.words.get(word[:MIN_STEM], {})
        return [name for part, names in of_letters.items() if same_stem(word, part) for name in names]


class ReadySources:
    """The stored `names` of the sources that were ready at some time; their index is read when it is needed."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.names = ready_sources(db)

    @cached_property
    def index(self) -> SourceIndex:
        """The words of their relations."""
        return read_index(self._db, self.names)


class RememberedSources:
    """The sources of a graph, which are read again when something is loaded, changed or dropped."""

    def __init__(self) -> None:
        self._found: tuple[object, ReadySources] | None = None

    def read(self, db: Database) -> ReadySources:
        """The sources as of now.

        Raises:
            BadInput: nothing is loaded.
        """
        state = db.read(_STATE)  # before the sources: what becomes ready meanwhile is read again with the next question
        found = self._found
        if found is None or found[0] != state:
            found = self._found = (state, ReadySources(db))
        return found[1]


def read_index(db: Database, ready: Sequence[str]) -> SourceIndex:
    """The index of sources, given by their stored names."""
    graphs = {row["name"] for row in db.read(_GRAPHS, {"of_rows": list(WITH_ROWS)})}
    own = sorted({name for kind in SOURCE_KINDS.values() for name in kind.own_relations})
    rows = db.read(_RELATIONS, {"own": own})
    return make_index(ready, graphs, {row["name"]: row["sources"] for row in rows})


def make_index(ready: Sequence[str], graphs: Iterable[str], having: Mapping[str, Iterable[str]]) -> SourceIndex:
    """The index of some sources, of which some are graphs, and of relations with the sources that have them."""
    words: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    titled: dict[str, list[str]] = defaultdict(list)
    every = frozenset(ready)
    there = {name: tuple(sorted(every.intersection(sources))) for name, sources in having.items()}
    kept = {name: sources for name, sources in there.items() if sources}
    for name in kept:
        for word in _words(name):
            words[word[:MIN_STEM]][word].append(name)
    for source in ready:
        for word in _words(source_name(source)):
            titled[word.removesuffix("s")].append(source)
    return SourceIndex(
        tuple(ready),
        frozenset(graphs).intersection(ready),
        kept,
        {letters: {word: tuple(names) for word, names in by.items()} for letters, by in words.items()},
        {word: tuple(sources) for word, sources in titled.items()},
    )


def _words(name: str) -> dict[str, None]:
    """The words of a name, in normal form, each once."""
    return dict.fromkeys(normal_form(part.text) for part in words_of(spaced(name)))


# What the sources have in common with a question: names, parts of names, and relations

LOOKED_AT = 2_000
"""Relationships of a name from which its sources are read: a year may have a hundred thousand."""

PROBED = 40
"""Sources in which every name of the question is looked for, where not all of its relationships were looked at."""

COLUMNS = 100
"""Relations of each, at most: in a source with more it takes long."""

GRAPHS = 20
"""Graphs, the likeliest ones, whose names and relations are looked at together."""

PARTLY = 30
"""Names with a word of the question that are looked at; a word of more names says little."""

OF_A_PART = 50
"""Relationships looked at of each of them."""

_QUANTITIES = frozenset(["many", "much", "few", "several", "number", "amount", "total", "least", "fewer", "less"])
"""Words that ask for a number or bound one: of a source they say nothing."""

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
  RETURN source, count(*) AS times
  UNION ALL
  MATCH (n)<-[v:CG_VALUE]-() WITH v.source AS source LIMIT $looked
  RETURN source, count(*) AS times
}}
RETURN form, collect(DISTINCT n.key) AS keys, collect([source, times]) AS sources,
  max(COUNT {{ (n)<-[:CG_VALUE]-() }}) AS degree
"""

_PARTS = """
UNWIND $words AS word
CALL (word) {
  CALL db.index.fulltext.queryNodes('cg_node_text', word.forms, {limit: $most}) YIELD node
  RETURN collect(node) AS nodes
}
WITH word, nodes WHERE size(nodes) < $most
UNWIND nodes AS n
CALL (n) {
  MATCH (n)-[h:CG_HAS]->() WITH h.source AS source LIMIT $looked
  RETURN source
  UNION
  MATCH (n)<-[v:CG_VALUE]-() WITH v.source AS source LIMIT $looked
  RETURN source
}
RETURN word.word AS word, collect(DISTINCT source) AS sources
"""

_LINKED = """
UNWIND $asked AS each
MATCH (n:CgNode {key: each.name}) USING INDEX SEEK n:CgNode(key)
UNWIND each.relations AS relation
MATCH (r:CgNode {key: relation}) USING INDEX SEEK r:CgNode(key)
WHERE EXISTS { (n)-[:CG_HAS]->(r) }
   OR EXISTS { MATCH ()-[v:CG_VALUE {node1: relation, node2: each.name}]->() }
RETURN DISTINCT relation
"""

_CELLS = """
UNWIND $asked AS each
UNWIND each.columns AS column
UNWIND each.names AS name
WITH each.source AS source, column, name
WHERE EXISTS { MATCH ()-[v:CG_VALUE {node1: column, node2: name}]->() }
RETURN DISTINCT source, name
"""

_PROBE = """
UNWIND $sources AS source
MATCH (r:CgRelation {source: source})
WITH source, collect(r.key) AS relations
WHERE size(relations) <= $most
UNWIND $keys AS key
WITH source, relations, key
WHERE any(relation IN relations WHERE EXISTS { MATCH ()-[v:CG_VALUE {node1: relation, node2: key}]->() })
RETURN key, source
"""


class Sign(StrEnum):
    """What a word of the question is in a source."""

    WORDS = "part of a name of several words"
    NAME = "a name, with a capital letter"
    NUMBER = "a number"
    WORD = "a name, in lower case"
    PART = "part of a longer name"
    CELL = "a cell of a column that the question names"
    SOURCE = "part of the source's own name"
    COLUMN = "part of a column's name"
    LINKED = "part of the name of a relation that a name of the question has"
    RELATION = "part of the name of another relation"


@dataclass(frozen=True)
class Found:
    """A form of the question that names nodes: its places, their keys, and how often each source has it.

    `more`: there may be other sources.
    """

    places: tuple[tuple[int, int], ...]
    keys: tuple[str, ...]
    sources: Mapping[str, int]
    more: bool
    sign: Sign


@dataclass(frozen=True)
class Evidence:
    """What the sources have of a question.

    Args:
        question: in plain words.
        ready: the stored names of the sources.
        index: their relations.
        names: what names nodes, by form.
        parts: for a word that is part of few names, the sources that have one.
        linked: the keys of relations that a name of the question has in a graph.
        cells: by form, the tables with that name in a column of which the question has every word.
    """

    question: str
    ready: frozenset[str]
    index: SourceIndex
    names: Mapping[str, Found] = field(default_factory=dict)
    parts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    linked: frozenset[str] = frozenset()
    cells: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def words(self) -> list[Word]:
        """The words that say what the question is about."""
        return [word for word in content_of(self.question) if word.text.lower() not in _QUANTITIES]

    @cached_property
    def relations(self) -> dict[str, dict[str, dict[str, float]]]:
        """For each word the sources with a relation of which it is a part: these, with their share of the question.

        The share of a relation is that of the words of its name which the question has.
        """
        forms = {normal_form(word.text) for word in self.words}
        of_word = {form: self.index.relations(form) for form in forms}
        said = Counter(name for names in of_word.values() for name in names)
        found: dict[str, dict[str, dict[str, float]]] = {form: defaultdict(dict) for form in forms}
        for form, names in of_word.items():
            for name in names:
                share = min(1.0, said[name] / max(1, len(content_of(spaced(name)))))
                for source in self.ready.intersection(self.index.having[name]):
                    found[form][source][name] = share
        return found

    def keys_in(self, source: str) -> set[str]:
        """The keys of the question's names in a source."""
        return {key for found in self.names.values() if source in found.sources for key in found.keys}


def content_of(text: str) -> list[Word]:
    """The words of a text but for those of grammar."""
    return [word for word in words_of(text) if word.text.lower() not in GRAMMAR_WORDS]


def read_names(db: Database, evidence: Evidence) -> Evidence:
    """The same with the names of the question, and the parts of names."""
    question, ready = evidence.question, evidence.ready
    spans = {form: places for form, places in word_spans(question).items() if form not in GRAMMAR_WORDS}
    given = {"forms": sorted(spans), "said": sorted(spans), "looked": LOOKED_AT}
    found: dict[str, Found] = {}
    for row in db.read(_NAMED, given):
        times = Counter[str]()
        for source, count in row["sources"]:
            if source in ready:
                times[source] += count
        more = row["degree"] > LOOKED_AT
        if times or more:
            places = tuple(spans[row["form"]])
            texts = [question[start:end] for start, end in places]
            found[row["form"]] = Found(places, tuple(row["keys"]), times, more, _sign(texts))
    return replace(evidence, names=found, parts=_parts(db, replace(evidence, names=found)))


def _sign(texts: Sequence[str]) -> Sign:
    if len(content_of(texts[0])) > 1:
        return Sign.WORDS
    if any(character.isdigit() for character in texts[0]):
        return Sign.NUMBER
    return Sign.WORD if all(text.islower() for text in texts) else Sign.NAME


def _parts(db: Database, evidence: Evidence) -> dict[str, frozenset[str]]:
    """The sources with a name that has a word of the question, where that word is in few names.

    Words within a known name of several words are left out.
    """
    taken = [place for found in evidence.names.values() if found.sign is Sign.WORDS for place in found.places]
    words = {
        form
        for word in evidence.words
        if (form := normal_form(word.text)).isalnum()
        and not form.isdigit()
        and not any(start <= word.start and word.end <= end for start, end in taken)
    }
    asked = [{"word": form, "forms": " ".join(_in_names(form))} for form in sorted(words)]
    if not asked:
        return {}
    rows = db.read(_PARTS, {"words": asked, "most": PARTLY, "looked": OF_A_PART})
    kept = {row["word"]: evidence.ready.intersection(row["sources"]) for row in rows}
    return {word: sources for word, sources in kept.items() if sources}


def _in_names(form: str) -> list[str]:
    """The forms of a word in which names may have it."""
    return [other for other in word_forms(form) if len(other) != len(form) + 1 or other == form]


def read_links(db: Database, evidence: Evidence, likely: Sequence[str]) -> Evidence:
    """The same with what takes longer to look up, for the most likely sources only.

    These are the names that have too many relationships to be looked at, and in graphs the relations that a name of
    the question has.
    """
    evidence = replace(evidence, names=_probed(db, evidence.names, likely[:PROBED]))
    evidence = replace(evidence, cells=_cells(db, evidence, likely))
    asked = []
    for source in [source for source in likely if source in evidence.index.graphs][:GRAPHS]:
        relations = {name for by in evidence.relations.values() for name in by.get(source, ())}
        keys = evidence.keys_in(source)
        own = [owned_key(source, name) for name in sorted(relations)]
        asked += [{"name": key, "relations": own} for key in sorted(keys)] if own else []
    linked = frozenset(row["relation"] for row in db.read(_LINKED, {"asked": asked})) if asked else frozenset()
    return replace(evidence, linked=linked)


def _cells(db: Database, evidence: Evidence, likely: Sequence[str]) -> dict[str, frozenset[str]]:
    """The tables, among these, in which a name of the question is in a column of which it has every word."""
    forms = {key: form for form, found in evidence.names.items() for key in found.keys}
    asked = []
    for source in likely:
        if source in evidence.index.graphs:
            continue
        columns = {
            name for by in evidence.relations.values() for name, share in by.get(source, {}).items() if share == 1
        }
        names = evidence.keys_in(source)
        if columns and names:
            own = [owned_key(source, name) for name in sorted(columns)]
            asked.append({"source": source, "columns": own, "names": sorted(names)})
    there: dict[str, set[str]] = defaultdict(set)
    for row in db.read(_CELLS, {"asked": asked}) if asked else ():
        there[forms[row["name"]]].add(row["source"])
    return {form: frozenset(sources) for form, sources in there.items()}


def _probed(db: Database, named: Mapping[str, Found], sources: Sequence[str]) -> dict[str, Found]:
    """The same names with the sources, among these, of those that have too many relationships to be looked at."""
    keys = {key: form for form, found in named.items() if found.more for key in found.keys}
    there: dict[str, Counter[str]] = defaultdict(Counter)
    for row in db.read(_PROBE, {"keys": list(keys), "sources": list(sources), "most": COLUMNS}) if keys else ():
        there[keys[row["key"]]][row["source"]] = 1
    return {
        form: replace(found, sources=there[form] | Counter(found.sources), more=False) if found.more else found
        for form, found in named.items()
    }


# How likely each source is meant

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
    Sign.SOURCE: (1.4, 0.2),
}
"""For what a word is in a table: by how much its weight grows with its rarity, from 0 to 1, and what is added."""

IN_GRAPH = {
    Sign.WORDS: (0.65, 0.1),
    Sign.NAME: (2.05, -1.0),
    Sign.NUMBER: (1.4, -0.9),
    Sign.WORD: (0.4, 0.05),
    Sign.PART: (0.4, 0.0),
    Sign.LINKED: (1.0, 0.4),
    Sign.RELATION: (0.1, 0.3),
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
    it is that this is the one, among all and none.
    """

    source: str
    stored: str
    score: float
    probability: float


def choose_sources(
    db: Database,
    question: str,
    sources: Sequence[str] | None = None,
    most: int = MOST,
    index: SourceIndex | None = None,
) -> list[SourceCandidate]:
    """The sources that a question may be about, most likely first, at most `most`.

    They are chosen from `sources` (stored names; None: all that are ready), by the graph's `index`, which is read if it
    is not given.

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
    titled = evidence.index.titled.get(form.removesuffix("s"), ())
    yield from _equal(Sign.SOURCE, evidence.ready.intersection(titled), evidence)
    by = evidence.relations.get(form, {})
    rarity = _rarity(by, evidence)
    for source, shares in by.items():
        if source not in evidence.index.graphs:
            yield Signal(source, Sign.COLUMN, rarity, share=max(shares.values()))
        else:
            is_linked = not evidence.linked.isdisjoint(owned_key(source, name) for name in shares)
            yield Signal(source, Sign.LINKED if is_linked else Sign.RELATION, rarity)


def _equal(sign: Sign, sources: Collection[str], evidence: Evidence) -> Iterator[Signal]:
    rarity = _rarity(sources, evidence)
    return (Signal(source, sign, rarity) for source in sources)


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
        SourceCandidate(source_name(source), source, score, probability)
        for (source, score), probability in zip(every[:most], sure, strict=False)
    ]
