"""The nodes that the names of a program mean: by alias, by exact key, then by normalised name, label or IRI.

A relation or key is one of the sources asked, and means all of that name if several sources have it. Any other name is
one of the shared nodes. Names that no node has remain unknown: see `cgstore.mapping.fuzzy`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cgstore.catalog.snapshot import AliasTargets, GraphSnapshot, names_of
from cgstore.cypher.compile.statement import Statement
from cgstore.cypher.connection import Database
from cgstore.mapping.candidates import nodes_of_iri, nodes_with_label
from cgstore.model import ROW_NUMBER, Mapping
from cgstore.notes import Detail
from cgstore.query.ast import Place, Program
from cgstore.query.comparisons import is_superlative
from cgstore.query.name_uses import NameRole, NameUse, name_uses
from cgstore.query.operands import Names
from cgstore.query.sources import SourceScope, find_source
from cgstore.text.contrasts import contrary, signs
from cgstore.text.dates import read_span
from cgstore.text.kinds import ValueKind, literal_as
from cgstore.text.likeness import nearest, other_number
from cgstore.text.names import normal_form, owned_key, relation_forms, shared_key
from cgstore.text.numbers import read_number

NORMALISED = 0.9
"""Score of a name that is the same but for case, accents and punctuation."""

Match = tuple[list[dict[str, Any]], str, float]
"""Nodes, how they were found, and how similar they are to the name."""


@dataclass
class Resolution:
    """The sources asked with their relations, and the nodes that each literal means, by its place.

    `unknown` has the uses of names that no node has, `cells` those of the tables asked if they were read, and `trials`
    the statements that decided between the nodes that an unknown name may mean.
    """

    asked: SourceScope
    names: dict[Place, Names] = field(default_factory=dict)
    mappings: list[Mapping] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unknown: list[NameUse] = field(default_factory=list)
    cells: Cells | None = None
    trials: list[Statement] = field(default_factory=list)

    def note(self, use: NameUse, names: Names, how: str, score: float, reported: Names | None = None) -> None:
        """Records the nodes of a name, with a warning if it is ambiguous; `reported` are those to show, if not all."""
        text, distinct = use.literal.text, tuple(dict.fromkeys((reported or names).names))
        self.names[use.literal.place] = names
        self.mappings += [Mapping(text, str(use.role), name, round(score, 3), how) for name in distinct]
        if len(distinct) > 1:
            self.warnings.append(ambiguity_warning(text, sorted(distinct)))


def resolve(db: Database, program: Program, found: GraphSnapshot, by_column: float | None = None) -> Resolution:
    """Maps every name of a program that is a node's name but for case, accents and punctuation, or an alias.

    `found` is what the graph has for its `entity_texts`. `by_column`: if only tables are asked, the least likeness at
    which a name is mapped to the nearest cell of the column that it is compared with (as in TrustUQA).

    Raises:
        ProgramError: a call names a source that is not asked.
    """
    uses = name_uses(program)
    for said in (use.source for use in uses if use.source):
        find_source(said, found.schema.asked, program.text)
    resolution = Resolution(found.schema.asked)
    resolver = _Resolver(db, resolution, found, by_column)
    if by_column is not None and resolution.asked.only_tables and found.texts:
        resolution.cells = resolver.cells = read_cells(db, resolution.asked.relations)
    else:
        resolver.find_used(uses)
        resolver.find_labelled(uses)
    for use in uses:
        resolver.add(use)
    return resolution


def entity_texts(program: Program) -> list[str]:
    """The literals of a program that may be names of entities or values, in order."""
    return sorted({use.literal.text for use in name_uses(program) if use.role is NameRole.ENTITY})


def all_texts(program: Program) -> list[str]:
    """The literals of a program that may be names of anything, in order."""
    return sorted({use.literal.text for use in name_uses(program)})


class _Resolver:
    def __init__(self, db: Database, resolution: Resolution, found: GraphSnapshot, least: float | None) -> None:
        self.least = least
        self.cells: Cells | None = None
        self.used: set[Placement] = set()
        self.labelled: dict[str, list[dict[str, Any]]] = {}
        self.db, self.resolution = db, resolution
        self.schema, self.texts, self.aliases = found.schema, found.texts, found.aliases

    def add(self, use: NameUse) -> None:
        if use.of_time_key and self.schema.built_in_keys(use):
            return  # a time, which is compared as one
        nodes, how, score = self.aliased(use) or (
            self.entity(use) if use.role is NameRole.ENTITY else self.owned_nodes(use)
        )
        if not nodes:
            text = use.literal.text
            if (
                how == BY_NUMBER
                or not use.is_sought
                or (use.compared and (read_span(text) is not None or is_superlative(text) or self.is_read(use)))
            ):
                return  # compared as a number or time, which needs no node
            self.resolution.unknown.append(use)
            return
        reported = names_of([node for node in nodes if not node.get("silent")], exact=False)
        self.resolution.note(use, names_of(nodes, exact=how in ("exact", "normalised")), how, score, reported)
        if how == "nearest":
            self.resolution.warnings.append(nearest_warning(use, nodes[0]["name"]))
        elif how == "prefix":
            listed = ", ".join(f"'{node['name']}'" for node in nodes[:5])
            text = f"'{use.literal.text}' was taken for the IRI that ends so: {listed}."
            self.resolution.warnings.append(Detail("prefix", text))

    def is_read(self, use: NameUse) -> bool:
        """Whether a column that the text is compared with reads it as a number or time: `12. November 2016`."""
        columns = self.column_nodes(use)
        kinds = {ValueKind(node["kind"] or ValueKind.TEXT) for node in columns} - {ValueKind.TEXT, ValueKind.SCORE}
        return any(literal_as(kind, use.literal.text) is not None for kind in kinds)

    def aliased(self, use: NameUse) -> Match | None:
        """The nodes that the name is an alias for; None if there are none of that role in the sources asked."""
        alias = self.aliases.get(use.literal.text, AliasTargets())
        nodes = list(alias.targets)
        if len(nodes) > 1:  # those of other sources, or of other columns, are not asked
            nodes = [node for node in nodes if self.candidate(use, node) in self.used] or nodes
        if use.role is not NameRole.ENTITY:
            nodes = [node for node in self.schema.meant_by(use) if node["name"] in alias.names]
        return (nodes, "alias", 1.0) if nodes else None

    def owned_nodes(self, use: NameUse) -> Match:
        text, forms = use.literal.text, relation_forms(use.literal.text)
        candidates = self.schema.meant_by(use)
        if exact := [node for node in candidates if node["name"] == text]:
            return exact, "exact", 1.0
        if same := [node for node in candidates if relation_forms(node["name"]) & forms]:
            return same, "normalised", NORMALISED
        if of_iri := [node for node in candidates if node.get("iri") in (text, text.strip("<>")) and node["iri"]]:
            return of_iri, "iri", 1.0
        names = {node["name"] for node in self.labelled.get(shared_key(text), ())}
        return [node for node in candidates if node["name"] in names], "label", 1.0

    def entity(self, use: NameUse) -> Match:
        """The nodes of the exact name, else of the normalised one; in tables, the cells of the column first."""
        if self.cells is not None:
            return self.cells.find(
                use.literal.text,
                [node["name"] for node in self.column_nodes(use)],
                None if use.optional else self.least,
            )
        nodes, how = self.shared_nodes(use)
        if meant := self.with_labelled(nodes):
            return meant, "label", 1.0 if how == "exact" else NORMALISED
        if not nodes and self.schema.has_iris:
            return *nodes_of_iri(self.db, use.literal.text, self.resolution.asked.sources), 1.0
        return nodes, how, 1.0 if how == "exact" else NORMALISED

    def with_labelled(self, nodes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Some nodes, with the nodes that have their names for labels; none if only these nodes have them."""
        found = {node["key"]: node for label in nodes for node in self.labelled.get(label["key"], ())}
        if found.keys() <= {node["key"] for node in nodes}:
            return []
        # A node that is only a label is not reported: it names the others, and is found where labels are asked for.
        own = [node | {"silent": not any(n["entity"] for n in self.labelled.get(node["key"], ()))} for node in nodes]
        return list({node["key"]: node for node in [*found.values(), *own]}.values())

    def find_labelled(self, uses: Sequence[NameUse]) -> None:
        """Finds the nodes that have a name of the program for a label, if a source asked is RDF."""
        if self.schema.has_iris:
            texts = {use.literal.text for use in uses}
            keys = [node["key"] for text in texts if text in self.texts for node in self.twins(text)]
            keys += [shared_key(text) for text in texts if text not in self.texts]  # relations
            self.labelled = nodes_with_label(self.db, keys, self.resolution.asked.sources)

    def column_nodes(self, use: NameUse) -> list[dict[str, Any]]:
        """The columns that a name is compared with."""
        return self.owned_nodes(NameUse(use.column, NameRole.KEY, source=use.source))[0] if use.column else []

    def find_used(self, uses: Sequence[NameUse]) -> None:
        """Finds out which nodes the sources asked use of a name with several spellings, or an alias of several."""
        candidates = [
            self.candidate(use, node)
            for use in uses
            if use.role is NameRole.ENTITY
            for nodes in (self.twins(use.literal.text), self.aliases.get(use.literal.text, AliasTargets()).targets)
            if len(nodes) > 1
            for node in nodes
        ]
        self.used = nodes_in_use(self.db, candidates, self.resolution.asked) if candidates else set()

    def twins(self, text: str) -> list[dict[str, Any]]:
        """The nodes of that name or of the same normal form; those of a number are the same number."""
        exact, alike = self.texts[text]
        number = read_number(text)
        nodes = {
            node["key"]: node
            for node in alike
            if (number is None or read_number(node["name"]) == number) and signs(node["name"]) == signs(text)
        }
        if exact:
            nodes[exact["key"]] = exact
        return list(nodes.values())

    def candidate(self, use: NameUse, node: dict[str, Any]) -> Placement:
        """Where the program would look up a node: in the column named, else anywhere in the sources asked."""
        column = self.column_nodes(use) if use.compared else []
        every = [node for node in self.schema.asked_of(use) if node["is_relation"]]
        relations = tuple(node["key"] for node in column or every)
        return Placement(node["key"], relations, as_head=not column)

    def shared_nodes(self, use: NameUse) -> tuple[list[dict[str, Any]], str]:
        """The nodes of the exact name, else of a spelling in use: other case comes before other accents or signs."""
        text = use.literal.text
        if line := re.fullmatch(r"\[line_\d+\]", text):
            sources = sorted({node["source"] for node in self.schema.asked_of(use) if node["column"]})
            return [{"key": owned_key(s, line[0]), "name": text, "column": True} for s in sources], "exact"
        twins = self.twins(text)
        here = [node for node in twins if self.candidate(use, node) in self.used] if len(twins) > 1 else twins
        for nodes in (here, twins):
            if exact := [node for node in nodes if node["name"] == text]:
                return exact, "exact"
            if same := [node for node in nodes if node["name"].casefold() == text.casefold()]:
                return same, "normalised"
            if nodes:
                return nodes, "normalised"
        return [], "normalised"


def ambiguity_warning(text: str, names: Sequence[str]) -> str:
    """The warning that a name means several nodes."""
    listed = [f"'{name}'" for name in names]
    if len(names) > 5:
        listed = [*listed[:4], f"{len(names) - 4:,} more"]
    every = "both" if len(names) == 2 else f"all {len(names):,}"
    meanings = f"{', '.join(listed[:-1])} or {listed[-1]}"
    return f"'{text}' may be {meanings}; {every} are asked. To choose one, write its name."


def nearest_warning(use: NameUse, name: str, others: Sequence[str] = ()) -> str:
    """The warning that an unknown name was mapped to another one, with others that are as near."""
    near = f" It may as well mean {' or '.join(map(repr, others))}." if others else ""
    return f"No {use.role} is named '{use.literal.text}'; the nearest was taken: '{name}'.{near}"


# Whether the sources asked have a node in a place, now or at the time that they are asked about

MAX_RELATIONS = 500
"""Most relations under which a node is looked up. With more, it counts as used."""

HELD = "coalesce({0}.added, 0) <= $at[{0}.source] AND coalesce({0}.removed > $at[{0}.source], true)"
"""In a statement: whether a source asked had a relationship at the time that it is asked about (`changes_by_name`)."""

# The index of (node1, node2) finds them, not the node's relationships: a country may have a hundred thousand.
_IN_USE = f"""\
UNWIND range(0, size($pairs) - 1) AS number
WITH number, $pairs[number] AS pair
WHERE EXISTS {{
    MATCH (n:CgNode {{key: pair[0]}})-[h:CG_HAS|CG_WAS_HAS]->() USING INDEX SEEK n:CgNode(key)
    WHERE pair[2] AND {HELD.format("h")}
  }}
  OR EXISTS {{
    UNWIND pair[1] AS relation
    MATCH ()-[v:CG_VALUE {{node1: relation, node2: pair[0]}}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
    WHERE {HELD.format("v")}
  }}
  OR EXISTS {{
    UNWIND pair[1] AS relation
    MATCH ()-[v:CG_WAS_VALUE {{node1: relation, node2: pair[0]}}]->() USING INDEX SEEK v:CG_WAS_VALUE(node1, node2)
    WHERE {HELD.format("v")}
  }}
RETURN number"""


class Placement(NamedTuple):
    """A node, the relations under which a program would look it up, and whether it would do so as a head too."""

    key: str
    relations: tuple[str, ...]
    as_head: bool


def nodes_in_use(db: Database, candidates: Iterable[Placement], scope: SourceScope) -> set[Placement]:
    """The placements that exist: of heads in these sources, or of values under a relation; in one round trip."""
    known = list(dict.fromkeys(candidates))
    sought = [c for c in known if len(c.relations) <= MAX_RELATIONS]
    if not sought:
        return set(known)
    pairs = [[c.key, list(c.relations), c.as_head] for c in sought]
    rows = db.read(_IN_USE, {"pairs": pairs, "at": scope.changes_by_name})
    return {sought[row["number"]] for row in rows} | (set(known) - set(sought))


# Cells of tables: the one that a text in a program means, best in the column that it is compared with


MAX_CELLS = 50_000
"""Most distinct cells that are compared. With more, names are looked up as in any other source."""

BY_NUMBER = "number"
"""How a text was found that reads as the number of a cell: the number is compared, and needs no node."""

_CELLS = """\
UNWIND $columns AS column
MATCH (r)-[f:CG_VALUE {node1: column}]->(n)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
RETURN DISTINCT r.name AS column, r.kind AS kind, n.key AS key, n.name AS name, f.num AS num
LIMIT $limit"""


CLOSE = 0.8
"""Least likeness of a cell as a share of that of the nearest cell with another number."""


class Cell(NamedTuple):
    """A cell: its node's key, its text, and the number that it is read as in its column."""

    key: str
    name: str
    num: float | None


@dataclass
class Cells:
    """The distinct cells of each column, and the kinds of the columns."""

    of: dict[str, list[Cell]]
    kinds: dict[str, ValueKind]

    def find(self, text: str, columns: Sequence[str], least: float | None) -> tuple[list[dict[str, Any]], str, float]:
        """The cell that a text means, how it was found and how similar the two are; ([], "", 0.0) if there is none.

        The columns given come first: the same text, the same number (as ([], BY_NUMBER, 1.0)), the same normal form.
        Then come the same text or normal form in any column, then the nearest cell in the columns given, or in any
        column if none is given.
        """
        here = [cell for column in dict.fromkeys(columns) for cell in self.of.get(column, ())]
        anywhere = [cell for column, cells in self.of.items() if column != ROW_NUMBER for cell in cells]
        if found := [c for c in here if c.name == text]:
            return _nodes(found), "exact", 1.0
        if columns and self._as_number(text, columns):
            return [], BY_NUMBER, 1.0
        for cells in (here, anywhere):
            if found := [c for c in cells if c.name == text]:
                return _nodes(found), "exact", 1.0
            if found := [c for c in cells if _is_spelt_alike(c.name, text)]:
                return _nodes(found), "normalised", 0.9
        names = dict.fromkeys(c.name for c in here or anywhere if c.name)
        others = {name for name in names if other_number(text, name) or contrary(text, name)}
        near = nearest(text, (name for name in names if name not in others))
        if near is None or least is None or near[1] < least:
            return [], "", 0.0
        other = nearest(text, sorted(others))
        if other is not None and near[1] < CLOSE * other[1]:
            return [], "", 0.0  # a cell with another number is more similar: the nearest is not meant either
        return _nodes([c for c in here or anywhere if c.name == near[0]]), "nearest", round(near[1], 3)

    def _as_number(self, text: str, columns: Sequence[str]) -> bool:
        """Whether the text is compared by its number: a column of numbers has no nearest cell."""
        for column in columns:
            kind = self.kinds.get(column, ValueKind.TEXT)
            if kind not in (ValueKind.TEXT, ValueKind.SCORE) and literal_as(kind, text) is not None:
                return True
            number = read_number(text)
            if number is not None and any(cell.num == number for cell in self.of.get(column, ())):
                return True
        return False


def _is_spelt_alike(name: str, text: str) -> bool:
    return normal_form(name) == normal_form(text) and signs(name) == signs(text)


def _nodes(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    return [{"key": key, "name": name} for key, name in dict.fromkeys((c.key, c.name) for c in cells)]


def read_cells(db: Database, columns: Names) -> Cells | None:
    """The cells of these columns, or None if there are too many."""
    rows = db.read(_CELLS, {"columns": list(columns.keys), "limit": MAX_CELLS + 1})
    if len(rows) > MAX_CELLS:
        return None
    cells = Cells({}, {})
    for row in rows:
        cells.of.setdefault(row["column"], []).append(Cell(row["key"], row["name"], row["num"]))
        cells.kinds[row["column"]] = ValueKind(row["kind"] or ValueKind.TEXT)
    return cells
