"""The kinds of sources, a row each: everything that is known of tables, knowledge graphs and the others by their kind.

The rest of the program asks these rows. A new kind needs its row here, its module and its reader in
`cgstore.loaders`, a command in `cgstore.cli.load`, and a method of `Store`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cgstore import arguments
from cgstore.model import ROW_NUMBER, TimeKey
from cgstore.options import Options


@dataclass(frozen=True, eq=False)
class SourceKind:
    """What one kind of source has and does.

    Args:
        name: the word after `cgstore load`, which the graph stores as the source's kind.
        phrase: what messages call one such source.
        loader: the function that loads one, as `module:name`.
        options: the class of the options that it takes, as `module:name`.
        writers: the formats of `export`, the usual one first, each with the function that writes it, as `module:name`.
        reader: the function that reads the facts of files, for its load and for changes, as `module:name`.
        menu: what the page calls a file of this kind, where it takes one.
        has_formats: whether numbers and dates may be written in several ways in its files.
        title: what a prompt calls one such source.
        prompt_page: the page of a prompt that explains such sources.
        demonstrations: the shipped demonstrations that fit, by the kind of source that they are about; its own first.
        has_rows: whether its heads are the rows of a table and its relations the columns.
        has_times: whether its facts hold at times, which cgstore gives keys of its own.
        has_facts: whether it can be asked; a source without facts serves the questions about all others.
    """

    name: str
    phrase: str
    loader: str
    options: str
    writers: Mapping[str, str]
    reader: str = ""
    menu: str = ""
    has_formats: bool = False
    title: str = "Knowledge graph"
    prompt_page: str = ""
    demonstrations: tuple[str, ...] = ()
    has_rows: bool = False
    has_times: bool = False
    has_facts: bool = True

    @property
    def own_relations(self) -> frozenset[str]:
        """The relations that cgstore adds to the input's."""
        return frozenset({ROW_NUMBER} if self.has_rows else ())

    @property
    def own_keys(self) -> frozenset[str]:
        """The keys that cgstore adds to the input's."""
        return frozenset(key.value for key in TimeKey) if self.has_times else frozenset()

    @property
    def relations_noun(self) -> str:
        """What the user calls its relations."""
        return "columns" if self.has_rows else "relations"

    def load(self) -> Callable[..., Any]:
        """The function that loads a source of this kind; imported only now."""
        return _function(self.loader)

    def options_class(self) -> type[Options]:
        """The class of the options of such a load; imported only now."""
        kind: type[Options] = pkgutil.resolve_name(self.options)
        return kind

    def load_options(self, keywords: Mapping[str, object]) -> Any:
        """The options of such a load, of these keywords."""
        return arguments.options(self.options_class(), f"load_{self.name}", keywords, "path")

    def facts(self) -> Callable[..., Any]:
        """The function that reads the facts of files; imported only now."""
        return _function(self.reader)

    @property
    def can_change(self) -> bool:
        """Whether its sources can be changed, and not only replaced as a whole."""
        return self.has_rows or self.has_times or bool(self.reader)

    def writer(self, format: str) -> Callable[..., Any]:
        """The function that writes such a source in one of its formats; imported only now."""
        return _function(self.writers[format])


def _function(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = pkgutil.resolve_name(name)
    return function


_TEXT = {"tsv": "cgstore.export.text:text_lines", "csv": "cgstore.export.text:csv_lines"}
_RDF = {"nt": "cgstore.export.rdf:triple_lines", "nq": "cgstore.export.rdf:quad_lines"}
_TEMPORAL = {**_TEXT, "jsonl": "cgstore.export.text:json_lines"}
_FACTS = {**_TEMPORAL, **_RDF}
_ROWS = {
    "tsv": "cgstore.export.text:table_lines",
    "csv": "cgstore.export.text:table_csv_lines",
    "jsonl": "cgstore.export.text:table_json_lines",
}

TABLE = SourceKind(
    "table",
    "a table",
    loader="cgstore.loaders.table:load_table",
    options="cgstore.loaders.table:TableOptions",
    writers=_ROWS,
    menu="a table",
    has_formats=True,
    title="Table",
    prompt_page="of_tables",
    demonstrations=("table",),
    has_rows=True,
)
KG = SourceKind(
    "kg",
    "a knowledge graph",
    loader="cgstore.loaders.kg:load_kg",
    options="cgstore.loaders.kg:KgOptions",
    writers=_FACTS,
    reader="cgstore.loaders.kg:read_files",
    menu="triples: head, relation, tail",
    has_formats=True,
    prompt_page="of_kgs",
    demonstrations=("kg",),
)
TKG = SourceKind(
    "tkg",
    "a temporal knowledge graph",
    loader="cgstore.loaders.tkg:load_tkg",
    options="cgstore.loaders.tkg:TkgOptions",
    writers=_TEMPORAL,
    menu="facts with times",
    title="Facts with times",
    prompt_page="of_tkgs",
    demonstrations=("tkg",),
    has_times=True,
)
STATEMENTS = SourceKind(
    "statements",
    "a set of statements",
    loader="cgstore.loaders.statements:load_statements",
    options="cgstore.loaders.readers.text:TextLoadOptions",
    writers=_FACTS,
    reader="cgstore.loaders.statements:read_files",
    menu="statements with qualifiers",
    has_formats=True,
    prompt_page="of_kgs",
    demonstrations=("statements", "kg"),
)
RDF = SourceKind(
    "rdf",
    "RDF",
    loader="cgstore.loaders.rdf:load_rdf",
    options="cgstore.loaders.rdf:RdfOptions",
    writers={**_RDF, **_TEMPORAL},
    menu="RDF",
    prompt_page="of_kgs",
    demonstrations=("kg",),
)
GRAPH = SourceKind(
    "graph",
    "a property graph",
    loader="cgstore.loaders.graph:load_graph",
    options="cgstore.loaders.graph:GraphOptions",
    writers=_FACTS,
    prompt_page="of_kgs",
    demonstrations=("kg",),
)
ALIASES = SourceKind(
    "aliases",
    "a list of aliases",
    loader="cgstore.loaders.aliases:load_aliases",
    options="cgstore.loaders.readers.text:TextLoadOptions",
    writers=_TEXT,
    menu="other names of things",
    has_facts=False,
)

SOURCE_KINDS: dict[str, SourceKind] = {kind.name: kind for kind in (TABLE, KG, TKG, STATEMENTS, RDF, GRAPH, ALIASES)}
"""All kinds by name."""


WITH_ROWS = tuple(kind.name for kind in SOURCE_KINDS.values() if kind.has_rows)
"""The kinds whose sources have rows."""

EXPORT_FORMATS = tuple(dict.fromkeys(format for kind in SOURCE_KINDS.values() for format in kind.writers))
"""The formats that a source of some kind is exported in."""


def kind_named(name: str) -> SourceKind:
    """The kind of that name; one that this version does not know counts as a knowledge graph."""
    return SOURCE_KINDS.get(name, KG)


DEMONSTRATED = tuple(kind.name for kind in SOURCE_KINDS.values() if kind.name in kind.demonstrations)
"""The kinds that have shipped demonstrations of their own, each in the file of its name."""
