"""What the graph has for the names of a program: looked up in one statement, or guessed from earlier programs.

The statement of the program itself checks a guess (`cgstore.cypher.freshness`), so that a guess may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cgstore.catalog.past import HISTORY, Past, parameters_of_past, past_of
from cgstore.catalog.sources import ASKED, choose_ready, parameters_of
from cgstore.cypher.connection import Database
from cgstore.cypher.freshness import ALIASES_SAID, Seen
from cgstore.query.name_uses import NameRole, NameUse, is_time_name
from cgstore.query.operands import Named, Names
from cgstore.query.sources import SourceScope
from cgstore.source_kinds import kind_named
from cgstore.text.kinds import ValueKind
from cgstore.text.names import normal_form, shared_key
from cgstore.text.past import PastTime

_SOURCES = f"""\
{ASKED}\
WITH collect({{name: name, state: state, kind: kind, format: format, loaded: loaded,
  now: now, ends: ends}}) AS sources
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
  RETURN collect(n {.key, .name, .source, .step, .periods, .kind, .role, .iri,
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

FIND_ALIASES = f"""\
CALL () {{
{ALIASES_SAID}\
  RETURN collect(a {{.key, .alias, .normal, .name, .target}}) AS aliases
}}
"""
"""Binds `aliases`, a list of those in ready sources (see `cypher.freshness`): maps of the `key`, the `alias`, its
`normal` form, a `name` that it stands for, and `target`, the key of the node of that name. A pair that several sources
have comes several times."""

_ALIASED = """\
CALL (aliases) {
  UNWIND aliases AS alias
  MATCH (n:CgNode {key: alias.target})
  USING INDEX SEEK n:CgNode(key)
  WHERE n.source IS NULL
  RETURN collect(DISTINCT n {.key, .name}) AS targets
}
RETURN sources, owned, exact, alike, aliases, targets"""

_FIND = _OWNED + _NAMED + FIND_ALIASES + _ALIASED

LOOK_UP = _SOURCES + _FIND

LOOK_UP_PAST = f"{_SOURCES}{HISTORY}{_FIND}, history, is_future, is_over"

MAX_TEXTS, MAX_SCHEMAS = 10_000, 16
"""Most texts, and most choices of sources, that are remembered."""

Row = dict[str, Any]
"""The properties of a node."""


class NameNodes(NamedTuple):
    """The shared nodes for a text: the node of exactly that name, and all of the same normal form."""

    exact: Row | None
    alike: tuple[Row, ...]


class AliasTargets(NamedTuple):
    """What a text is an alias for: names, the shared nodes of these names, and the keys of all similar aliases."""

    names: tuple[str, ...] = ()
    targets: tuple[Row, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceSchema:
    """Sources that are asked together, when each became ready, and their relations and keys.

    Asked about a time, `notes` say so, and `is_over` that no other source can come to it.
    """

    asked: SourceScope
    loaded: tuple[str, ...]
    owned: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    is_over: bool = False

    def meant_by(self, use: NameUse) -> list[Row]:
        """The relations and keys that a name may mean, of the source that its call names or of all sources.

        The name of a relation never means a key, and that of a built-in key never means a relation; the name of any
        other key may mean a relation too.
        """
        owned = self.asked_of(use)
        if use.role is NameRole.RELATION:
            return [node for node in owned if node["is_relation"]]
        return (self.built_in_keys(use) if is_time_name(use.literal) else []) or owned

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

    `aliases` are those of all its names, of relations too; `every` says that all sources are asked, and `guessed` that
    it comes from a `SnapshotCache`.
    """

    schema: SourceSchema
    texts: dict[str, NameNodes]
    aliases: dict[str, AliasTargets]
    every: bool
    guessed: bool = False

    @property
    def seen(self) -> Seen:
        """What the statement of the program checks again."""
        aliased = {key for each in self.aliases.values() for key in each.keys}
        targets = {row["key"] for each in self.aliases.values() for row in each.targets}
        exact = {spellings.exact["key"] for spellings in self.texts.values() if spellings.exact} | targets
        alike = [row["key"] for spellings in self.texts.values() for row in spellings.alike]
        return Seen(
            sources=self.schema.asked.sources,
            loaded=self.schema.loaded,
            every=self.every,
            keys=tuple({*map(shared_key, self.texts), *targets}),
            present=tuple(exact),
            forms=tuple(dict.fromkeys(map(normal_form, self.texts))),
            alike=tuple(dict.fromkeys(alike)),
            said=tuple(dict.fromkeys(map(normal_form, self.aliases))),
            aliases=tuple(aliased),
        )


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
    named = {text: (shared_key(text), normal_form(text)) for text in texts}
    keys, forms = [key for key, _ in named.values()], sorted({form for _, form in named.values()})
    names = tuple(dict.fromkeys(said))
    parameters = {"keys": keys, "forms": forms, "said": sorted(set(map(normal_form, names)))}
    parameters |= parameters_of(sources) | (parameters_of_past(past) if past else {})
    found = db.read(LOOK_UP_PAST if past else LOOK_UP, parameters)[0]
    ready = choose_ready(db, found["sources"], sources)
    then = past_of(past, ready, sources, found) if past else Past(ready, None, (), is_over=False)
    schema = _schema(then, found)
    exact = {node["key"]: node for node in found["exact"]}
    alike: dict[str, list[Row]] = {}
    for node in found["alike"]:
        alike.setdefault(node["normal"], []).append(node)
    spellings = {text: NameNodes(exact.get(key), tuple(alike.get(form, ()))) for text, (key, form) in named.items()}
    return GraphSnapshot(schema, spellings, _aliased(names, found), every=sources is None and not schema.is_over)


def _aliased(said: Sequence[str], found: Row) -> dict[str, AliasTargets]:
    targets = {row["name"]: row for row in found["targets"]}
    keys: dict[str, list[str]] = {}
    for pair in found["aliases"]:
        keys.setdefault(pair["normal"], []).append(pair["key"])
    return {
        text: AliasTargets(
            names, tuple(targets[name] for name in names if name in targets), tuple(keys.get(normal_form(text), ()))
        )
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
    asked = SourceScope(ready, relations, only_tables, then.changes, nows, unpaired)
    return SourceSchema(asked, tuple(loaded[name] for name in ready), owned, then.notes, then.is_over)


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
        periods=bool(node.get("periods")),
    )


class StaleSnapshot(Exception):
    """A snapshot from memory is not enough: a name must be looked up."""


class SnapshotCache:
    """The snapshots of earlier programs, from which that of the next program is guessed.

    A text that was never looked up is taken for the name of one node without other spellings, as most are.
    """

    def __init__(self) -> None:
        self._schemas: dict[_Asked, SourceSchema] = {}
        self._texts: dict[str, NameNodes] = {}
        self._aliases: dict[str, AliasTargets] = {}

    def guess(
        self, texts: Iterable[str], sources: Sequence[str] | None, said: Iterable[str], past: PastTime | None = None
    ) -> GraphSnapshot | None:
        """A snapshot from memory; None if these sources have not been asked before, about this time."""
        schema = self._schemas.get(_asked(sources, past))
        if schema is None:
            return None
        spellings = {text: self._texts.get(text) or _one_node(text) for text in texts}
        aliases = {text: self._aliases.get(text, AliasTargets()) for text in said}
        every = sources is None and not schema.is_over
        return GraphSnapshot(schema, spellings, aliases, every, guessed=True)

    def keep(self, found: GraphSnapshot, sources: Sequence[str] | None, past: PastTime | None = None) -> None:
        """Remembers a snapshot."""
        for entries, most in ((self._schemas, MAX_SCHEMAS), (self._texts, MAX_TEXTS), (self._aliases, MAX_TEXTS)):
            if len(entries) >= most:
                entries.clear()
        self._schemas[_asked(sources, past)] = found.schema
        self._texts.update(found.texts)
        self._aliases.update(found.aliases)


_Asked = tuple[tuple[str, ...] | None, PastTime | None]
"""The sources that were asked, None for all, and the time that they were asked about."""


def _asked(sources: Sequence[str] | None, past: PastTime | None) -> _Asked:
    return None if sources is None else tuple(sources), past


def _one_node(text: str) -> NameNodes:
    node = {"key": shared_key(text), "name": text, "normal": normal_form(text)}
    return NameNodes(node, (node,))
