"""What the graph has for the names of a program: looked up in one statement, or remembered from earlier programs.

What is remembered belongs to a version of the graph (`cgstore.cypher.freshness`), which the statement of the program
reads again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, NamedTuple

from cgstore.catalog.kinds import kind_named
from cgstore.catalog.past import HISTORY, Past, parameters_of_past, past_of
from cgstore.catalog.sources import ASKED, choose_ready, parameters_of
from cgstore.cypher.connection import Database
from cgstore.cypher.freshness import CHANGING, VERSION
from cgstore.query.name_uses import NameRole, NameUse, is_time_name
from cgstore.query.operands import Named, Names
from cgstore.query.sources import SourceScope
from cgstore.text.dates import PastTime
from cgstore.text.kinds import ValueKind
from cgstore.text.names import normal_form, shared_key

_VERSION = f"""\
{VERSION}
WITH graph.version AS version
"""
"""The version comes first: whatever is read after it was there at this version, or raises it."""

_SOURCES = f"""\
{_VERSION}CALL () {{
  {ASKED}\
  RETURN collect({{name: name, state: state, kind: kind, format: format, loaded: loaded,
    now: now, ends: ends, unsure: unsure, coarse: coarse}}) AS sources
}}
CALL (sources) {{
  UNWIND sources AS source
  MATCH (m:CgMeta {{name: '{CHANGING}' + source.name}})
  RETURN count(m) > 0 AS is_changing
}}
"""

_OWNED = """\
CALL (sources) {
  UNWIND sources AS source
  CALL (source) {
    MATCH (n:CgRelation {source: source.name})
    RETURN n
    UNION
    MATCH (n:CgKey {source: source.name})
    RETURN n
  }
  RETURN collect(n {.key, .name, .source, .step, .kind, .role, .iri,
    is_relation: n:CgRelation, is_key: n:CgKey}) AS owned
}
"""

_NAMED = """\
CALL () {
  UNWIND $keys AS key
  MATCH (n:CgNode {key: key})
  USING INDEX SEEK n:CgNode(key)
  RETURN collect(n {.key, .name}) AS exact
}
CALL () {
  UNWIND $forms AS form
  MATCH (n:CgNode {normal: form})
  USING INDEX SEEK n:CgNode(normal)
  WHERE n.source IS NULL
  RETURN collect(n {.key, .name, .normal}) AS alike
}
"""

ALIASES_SAID = """\
  UNWIND $said AS form
  MATCH (a:CgAlias {normal: form})
  USING INDEX SEEK a:CgAlias(normal)
  MATCH (s:CgSource {name: a.source})
  USING INDEX SEEK s:CgSource(name)
  WHERE s.state = 'ready'
"""
"""Binds `a` to each alias that counts, of the normal forms `$said`: of a source only the version that is ready."""

FIND_ALIASES = f"""\
CALL () {{
{ALIASES_SAID}\
  RETURN collect(a {{.alias, .normal, .name, .target}}) AS aliases
}}
"""
"""Binds `aliases`, a list of those of the normal forms `$said` in ready sources: maps of the `alias`, its `normal`
form, a `name` that it stands for, and `target`, the key of the node of that name. A pair that several sources have
comes several times."""

_ALIASED = """\
CALL (aliases) {
  UNWIND aliases AS alias
  MATCH (n:CgNode {key: alias.target})
  USING INDEX SEEK n:CgNode(key)
  WHERE n.source IS NULL
  RETURN collect(DISTINCT n {.key, .name}) AS targets
}
RETURN version, exact, alike, aliases, targets"""

_FIND_NAMES = _NAMED + FIND_ALIASES + _ALIASED

_OF_SOURCES = ", sources, is_changing, owned"

LOOK_UP_NAMES = _VERSION + _FIND_NAMES

LOOK_UP = f"{_SOURCES}{_OWNED}{_FIND_NAMES}{_OF_SOURCES}"

LOOK_UP_PAST = f"{_SOURCES}{HISTORY}{_OWNED}{_FIND_NAMES}{_OF_SOURCES}, history, is_future, is_over"

MAX_TEXTS, MAX_SCHEMAS = 10_000, 16
"""Most texts, and most choices of sources, that are remembered."""

Row = dict[str, Any]
"""The properties of a node."""


class NameNodes(NamedTuple):
    """The shared nodes for a text: the node of exactly that name, and all of the same normal form."""

    exact: Row | None
    alike: tuple[Row, ...]


class AliasTargets(NamedTuple):
    """What a text is an alias for: names, and the shared nodes of these names."""

    names: tuple[str, ...] = ()
    targets: tuple[Row, ...] = ()


@dataclass(frozen=True)
class SourceSchema:
    """Sources that are asked together, the state of each (`freshness.STATE_OF`), and their relations and keys.

    Asked about a time, `notes` say so, and `is_over` that no other source can come to it. `unsure` are the times
    that the data give as uncertain (`registry.LoadRecord`).
    """

    asked: SourceScope
    loaded: tuple[str, ...]
    owned: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    is_over: bool = False
    unsure: tuple[str, ...] = ()

    def meant_by(self, use: NameUse) -> list[Row]:
        """The relations and keys that a name may mean, of the source that its call names or of all sources.

        The name of a relation never means a key, and that of a built-in key never means a relation; the name of any
        other key may mean a relation too.
        """
        owned = self.asked_of(use)
        if use.role is NameRole.RELATION:
            return [node for node in owned if node["is_relation"]]
        return (self.built_in_keys(use) if is_time_name(use.literal.text) else []) or owned

    @property
    def has_iris(self) -> bool:
        """Whether a source asked is RDF, so that nodes have labels and IRIs."""
        return any(node.get("iri") for node in self.owned)

    def built_in_keys(self, use: NameUse) -> list[Row]:
        """The keys of temporal facts: `time`, `start time`, `end time`."""
        return [node for node in self.asked_of(use) if node["built_in"]]

    def asked_of(self, use: NameUse) -> list[Row]:
        """The relations and keys of the source that the call names, or of all sources."""
        source = self.asked.stored(use.source.text) if use.source else None
        return [node for node in self.owned if use.source is None or node["source"] == source]


@dataclass(frozen=True)
class GraphSnapshot:
    """What the graph has for a program: the sources with their relations and keys, and the nodes of each text.

    Attributes:
        version: of the graph, when this was looked up.
        schema: the sources.
        texts: the nodes of each text that may name an entity or value.
        aliases: what each text is an alias for, names of relations too.
        is_changing: whether a change of a source was being committed, so that no answer counts.
        is_remembered: whether it was looked up for earlier programs.
    """

    version: int | None = field(compare=False)
    schema: SourceSchema
    texts: dict[str, NameNodes]
    aliases: dict[str, AliasTargets]
    is_changing: bool = field(default=False, compare=False)
    is_remembered: bool = field(default=False, compare=False)

    def is_as(self, later: GraphSnapshot) -> bool:
        """Whether a later look-up of the same found the same, so that answers in between count."""
        return not later.is_changing and self == later


def read_snapshot(
    db: Database,
    texts: Iterable[str],
    sources: Sequence[str] | None,
    said: Iterable[str] = (),
    past: PastTime | None = None,
) -> GraphSnapshot:
    """What the graph has for some texts, in one round trip.

    Args:
        db: the database.
        texts: the texts that may be names of entities or values.
        sources: names of the sources asked; all that are ready when None.
        said: all texts that may be names, of relations too, and so may be aliases.
        past: the time that the sources are asked about; None: now. Names are looked up among those of now.

    Raises:
        BadInput: a source asked for is not there, not ready or not loaded by that time, or nothing is loaded.
    """
    texts, said = list(texts), list(said)
    parameters = _parameters_of_names(texts, said) | parameters_of(sources)
    parameters |= parameters_of_past(past) if past else {}
    found = db.read(LOOK_UP_PAST if past else LOOK_UP, parameters)[0]
    ready = choose_ready(db, found["sources"], sources)
    then = past_of(past, ready, sources, found) if past else Past(ready, None, (), is_over=False)
    schema = _schema(then, found)
    return GraphSnapshot(
        found["version"], schema, _spellings(texts, found), _aliased(said, found), is_changing=found["is_changing"]
    )


def _parameters_of_names(texts: Sequence[str], said: Sequence[str]) -> dict[str, list[str]]:
    return {
        "keys": list(map(shared_key, texts)),
        "forms": sorted(set(map(normal_form, texts))),
        "said": sorted(set(map(normal_form, said))),
    }


def _spellings(texts: Iterable[str], found: Row) -> dict[str, NameNodes]:
    exact = {node["key"]: node for node in found["exact"]}
    alike: dict[str, list[Row]] = {}
    for node in found["alike"]:
        alike.setdefault(node["normal"], []).append(node)
    return {text: NameNodes(exact.get(shared_key(text)), tuple(alike.get(normal_form(text), ()))) for text in texts}


def _aliased(said: Iterable[str], found: Row) -> dict[str, AliasTargets]:
    targets = {row["name"]: row for row in found["targets"]}
    return {
        text: AliasTargets(names, tuple(targets[name] for name in names if name in targets))
        for text, names in names_meant(said, found["aliases"]).items()
    }


def names_meant(texts: Iterable[str], found: Iterable[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """The names that each text is an alias for, sorted, given the maps of `FIND_ALIASES` for their normal forms.

    An alias that is exactly the text comes before one of the same normal form.
    """
    exact: dict[str, set[str]] = {}
    alike: dict[str, set[str]] = {}
    for pair in found:
        exact.setdefault(pair["alias"], set()).add(pair["name"])
        alike.setdefault(pair["normal"], set()).add(pair["name"])
    return {text: tuple(sorted(exact.get(text) or alike.get(normal_form(text)) or ())) for text in texts}


def _schema(then: Past, found: Row) -> SourceSchema:
    ready = then.sources
    kinds = {source["name"]: source["kind"] for source in found["sources"]}
    loaded = {source["name"]: source["loaded"] for source in found["sources"]}
    chosen = set(ready)
    owned = tuple(node | _place(node, kinds[node["source"]]) for node in found["owned"] if node["source"] in chosen)
    relations = names_of([node for node in owned if node["is_relation"]])
    only_tables = all(kind_named(kinds[name]).has_rows for name in ready)
    temporal = [row for row in found["sources"] if row["name"] in chosen and kind_named(row["kind"]).has_times]
    nows = {row["name"]: row["now"] for row in temporal if row["now"]}
    unpaired = frozenset(row["name"] for row in temporal if row["ends"] is None)
    exact = frozenset(row["name"] for row in temporal if row["coarse"] is False)
    asked = SourceScope(ready, relations, only_tables, then.changes, nows, unpaired, exact)
    marks = tuple(mark for row in temporal for mark in row["unsure"] or ())
    return SourceSchema(asked, tuple(loaded[name] for name in ready), owned, then.notes, then.is_over, marks)


def _place(node: Row, kind: str) -> dict[str, bool]:
    """What a relation or key is by the kind of its source: a table's column, or a built-in key."""
    source_kind = kind_named(kind)
    return {"column": source_kind.has_rows, "built_in": node["is_key"] and node["name"] in source_kind.own_keys}


def names_of(nodes: Sequence[Row], *, exact: bool = True) -> Names:
    """Some nodes, as the meaning of a literal."""
    return Names(tuple(_named(node) for node in sorted(nodes, key=lambda node: str(node["key"]))), exact=exact)


def _named(node: Row) -> Named:
    return Named(
        node["key"],
        node["name"],
        kind=ValueKind(node.get("kind") or ValueKind.TEXT),
        role=node.get("role") or "",
        step=node.get("step"),
        column=node.get("column", False),
        of_heads=node.get("is_relation", True),
        of_facts=node.get("is_key", False),
        built_in=node.get("built_in", False),
    )


class SnapshotCache:
    """What was looked up for earlier programs at one version of the graph, for all threads of a Store."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._forget(None)

    def _forget(self, version: int | None) -> None:
        self._version = version
        self._schemas: dict[_Asked, SourceSchema] = {}
        self._texts: dict[str, NameNodes] = {}
        self._aliases: dict[str, AliasTargets] = {}

    def recall(
        self,
        db: Database,
        texts: Sequence[str],
        sources: Sequence[str] | None,
        said: Sequence[str],
        past: PastTime | None = None,
    ) -> GraphSnapshot | None:
        """The snapshot that `read_snapshot` would give, as it is remembered; names that are not are looked up.

        None if these sources have not been asked about this time, or the graph has another version by now.
        """
        with self._lock:
            version, schema = self._version, self._schemas.get(_asked(sources, past))
            found = {text: self._texts[text] for text in texts if text in self._texts}
            aliases = {text: self._aliases[text] for text in said if text in self._aliases}
        if schema is None:
            return None
        missing = [text for text in texts if text not in found], [text for text in said if text not in aliases]
        if not any(missing):
            return GraphSnapshot(version, schema, found, aliases, is_remembered=True)
        row = db.read(LOOK_UP_NAMES, _parameters_of_names(*missing))[0]
        if row["version"] != version:
            return None
        found |= _spellings(missing[0], row)
        aliases |= _aliased(missing[1], row)
        return GraphSnapshot(version, schema, found, aliases)

    def keep(self, found: GraphSnapshot, sources: Sequence[str] | None, past: PastTime | None = None) -> None:
        """Remembers a snapshot, in the place of all of other versions."""
        if found.is_changing or found.is_remembered:
            return
        with self._lock:
            most = ((self._schemas, MAX_SCHEMAS), (self._texts, MAX_TEXTS), (self._aliases, MAX_TEXTS))
            if found.version != self._version or any(len(entries) >= limit for entries, limit in most):
                self._forget(found.version)
            self._schemas[_asked(sources, past)] = found.schema
            self._texts.update(found.texts)
            self._aliases.update(found.aliases)


_Asked = tuple[tuple[str, ...] | None, PastTime | None]
"""The sources that were asked, None for all, and the time that they were asked about."""


def _asked(sources: Sequence[str] | None, past: PastTime | None) -> _Asked:
    return None if sources is None else tuple(sources), past
