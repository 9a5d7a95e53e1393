"""The sources that are ready and the words of their relations, in memory while no source is loaded, changed or dropped.

Thousands of tables have tens of thousands of columns, and to look through their names takes longer than all else that
is looked up to choose among sources.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cgstore.catalog.kinds import SOURCE_KINDS, WITH_ROWS
from cgstore.catalog.sources import ready_sources
from cgstore.cypher.connection import Database
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.text.names import normal_form, source_name, spaced
from cgstore.text.thesaurus import written_out
from cgstore.text.words import MIN_STEM, lemma, same_stem

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
        words: by the first letters of a word, each such word with the names of relations that it is part of, or in
            which it is written short (`No. Rms`).
        called: by the lemmas of its words but for those of grammar, the relations of a name.
        titled: by the lemma of a word, the stored names of the sources that have it in their own names.
    """

    ready: tuple[str, ...]
    graphs: frozenset[str] = frozenset()
    having: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    called: Mapping[frozenset[str], tuple[str, ...]] = field(default_factory=dict)
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
    words: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    called: dict[frozenset[str], list[str]] = defaultdict(list)
    every = frozenset(ready)
    kept = {name: tuple(sorted(every.intersection(sources))) for name, sources in having.items()}
    for name, sources in kept.items():
        parts = [normal_form(part.text) for part in words_of(spaced(name))] if sources else []
        whole = [word for part in parts for word in (written_out(part) or part).split()]
        for word in (*parts, *whole):
            words[word[:MIN_STEM]][word][name] = None
        for lemmas in {_lemmas(parts), _lemmas(whole), _lemmas(_last_part(name, parts))} if sources else ():
            called[lemmas].append(name)
    return SourceIndex(
        tuple(ready),
        frozenset(graphs).intersection(ready),
        {name: sources for name, sources in kept.items() if sources},
        {letters: {word: tuple(names) for word, names in by.items()} for letters, by in words.items()},
        {lemmas: tuple(names) for lemmas, names in called.items() if lemmas},
        _titled(ready),
    )


def _titled(ready: Iterable[str]) -> dict[str, tuple[str, ...]]:
    titled: dict[str, list[str]] = defaultdict(list)
    for source in ready:
        for word in _lemmas(normal_form(part.text) for part in words_of(spaced(source_name(source)))):
            titled[word].append(source)
    return {word: tuple(sources) for word, sources in titled.items()}


def _last_part(name: str, words: Sequence[str]) -> Sequence[str]:
    """The words of the last part of a name: of `people.person.place_of_birth`, of `place_of_birth`."""
    if "." not in name:
        return words
    return [normal_form(part.text) for part in words_of(spaced(name.rpartition(".")[2]))]


def _lemmas(words: Iterable[str]) -> frozenset[str]:
    """The words of a name, in normal form, that say something."""
    return frozenset(lemma(word) for word in words if word not in GRAMMAR_WORDS)
