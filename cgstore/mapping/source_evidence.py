"""What the sources of a graph have in common with a question: names, parts of names, and relations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from cgstore.catalog.snapshot import ALIASES_SAID
from cgstore.cypher.connection import Database
from cgstore.mapping.mentions import GRAMMAR_WORDS, Word, word_spans, words_of
from cgstore.mapping.source_index import SourceIndex
from cgstore.text.names import normal_form, owned_key, spaced
from cgstore.text.thesaurus import names_said
from cgstore.text.words import lemma, word_forms

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
    OTHER_COLUMN = "other words for a column"
    LINKED = "part of the name of a relation that a name of the question has"
    RELATION = "part of the name of another relation"
    OTHER_LINKED = "other words for a relation that a name of the question has"
    OTHER_RELATION = "other words for another relation"


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

    @cached_property
    def other_words(self) -> dict[str, dict[str, dict[str, float]]]:
        """As `relations`, of those that the words say as the thesaurus has it, each wholly."""
        forms = {lemma(form): form for form in (normal_form(word.text) for word in self.words)}
        lemmas = {lemma(normal_form(word.text)) for word in words_of(self.question)}
        found: dict[str, dict[str, dict[str, float]]] = {form: defaultdict(dict) for form in forms.values()}
        for name, said in names_said(lemmas).items():
            for relation in self.index.called.get(name, ()):
                for source in self.ready.intersection(self.index.having[relation]):
                    for word in said.intersection(forms):
                        found[forms[word]][source][relation] = 1.0
        return found


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
    """The same with what takes longer to look up, for the likeliest sources only.

    These are the names that have too many relationships to be looked at, and in graphs the relations that a name of
    the question has.
    """
    evidence = replace(evidence, names=_probed(db, evidence.names, likely[:PROBED]))
    evidence = replace(evidence, cells=_cells(db, evidence, likely))
    asked = []
    for source in [source for source in likely if source in evidence.index.graphs][:GRAPHS]:
        relations = {name for by in evidence.relations.values() for name in by.get(source, ())}
        relations.update(name for by in evidence.other_words.values() for name in by.get(source, ()))
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
