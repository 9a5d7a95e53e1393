"""`load aliases`: other names of nodes as a source, which is never asked, and serves every question.

Each pair of alias and name is a node beside the condition graph: `(:CgAlias {key, source, alias, normal, name,
target})`. `normal` is the normal form of the alias, by which it is found. `target` is the key of the node that it
stands for, if the graph has one. An alias has no relationships and belongs to one source, so that loads and drops do
not touch each other's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice, starmap
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.catalog import registry
from cgstore.catalog.kinds import ALIASES
from cgstore.catalog.registry import LANES, Claim, LoadRecord
from cgstore.cypher.connection import Database, insist
from cgstore.loaders.fact_stage import SHOWN
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import Load, as_paths, in_files, source_name_for
from cgstore.loaders.readers.columns import Columns, read_columns
from cgstore.loaders.readers.records import BadLine, printable
from cgstore.loaders.readers.text import TextLoadOptions
from cgstore.loaders.staging import CHUNK, SAMPLE, Stage
from cgstore.loaders.writer.target import Target
from cgstore.loaders.writer.write import complete, node_batches
from cgstore.model import FORMAT, Evidence, LoadReport
from cgstore.observe.progress import bar, waiting
from cgstore.text.names import many, normal_form, owned_key, shared_key, some_of, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

ENDINGS = (".tsv", ".tab", ".csv", ".txt")
"""Files that are taken from a folder."""

COLUMNS = Columns(
    names=("alias", "name"),
    titles={
        "alias": "alias, aliases, also known as, alt label, altlabel, alternative name, mention, surface form",
        "name": "name, label, entity, entity name, canonical name, title, preferred label",
    },
    fact="a pair",
    form="A line holds an alias and a name, separated by a tab (.tsv), a comma (.csv), a semicolon or '|'.",
)


_DEFAULTS = TextLoadOptions()


class Alias(NamedTuple):
    """Another name of a node, and the node's own."""

    alias: str
    name: str


def read_aliases(
    path: Path, options: TextLoadOptions = _DEFAULTS, warnings: list[str] | None = None
) -> Iterator[Alias | BadLine]:
    """Streams the pairs of a text file in its order, repeats included; see `read_columns`.

    A line is an alias and a name; one of a third column that no header names is a `BadLine`.

    Raises:
        BadInput: the file cannot be read, is empty or lacks a column.
    """
    for line in read_columns(path, COLUMNS, options, [] if warnings is None else warnings):
        yield line if isinstance(line, BadLine) else Alias(*line.fields)


# The load


def load_aliases(
    to: Database | Target,
    path: Path | str | Sequence[Path | str],
    options: TextLoadOptions = _DEFAULTS,
) -> LoadReport:
    """Loads text files of pairs alias, name as one source; arguments and errors as in `load_files`.

    The report counts distinct pairs as `facts`, and as `nodes`, since each is a node of its own; there are no triples.
    """
    load, paths, warnings = Load(ALIASES, to, options), as_paths(path), list[str]()
    name = source_name_for(options, paths)
    pairs = in_files(input_files(paths, ENDINGS), lambda file: read_aliases(file, options, warnings))
    with AliasStage(load.target.stored_name(name)) as stage:

        def write(record: LoadRecord, staged: AliasStage, db: Database, progress: bool, batch: int) -> bool:
            is_new = write_aliases(record, staged, db, progress, batch)
            warnings.extend(_unknown_names(db, staged))
            return is_new

        load.take(stage, paths[0], pairs, warnings, write=write)
    return load.report()


_UNKNOWN = """
UNWIND $rows AS row
WITH row
WHERE NOT EXISTS { MATCH (n:CgNode {key: row.key}) }
  AND NOT EXISTS { MATCH (n:CgNode {normal: row.normal}) WHERE n.source IS NOT NULL }
RETURN row.name AS name
"""


def _unknown_names(db: Database, staged: AliasStage) -> Iterator[str]:
    """A note on the names that no node has: of no entity or value, and of no relation or key in any source."""
    names, unknown = staged.names(), list[str]()
    with waiting("the names of the aliases to be looked up"):
        while some := list(islice(names, CHUNK)):
            rows = [{"name": name, "key": shared_key(name), "normal": normal_form(name)} for name in some]
            unknown += [row["name"] for row in db.read(_UNKNOWN, {"rows": rows})]
    if unknown:
        shown = some_of([printable(name[:SHOWN]) for name in unknown])
        yield (
            f"{many(len(unknown), 'name is', 'names are')} of no node in the graph: {shown}. "
            f"{'Its' if len(unknown) == 1 else 'Their'} aliases have no effect until such a node is loaded."
        )


# The stage


LAYOUT = f"{FORMAT} aliases"
"""Pairs may be cut into batches in any way, since a pair that is there is not written again."""

_TABLE = "CREATE TABLE alias (alias TEXT, name TEXT, PRIMARY KEY (alias, name)) WITHOUT ROWID"

_MERGE = """
UNWIND $rows AS row
MERGE (a:CgAlias {key: row.key})
ON CREATE SET a.source = $source, a.alias = row.alias, a.normal = row.normal, a.name = row.name, a.target = row.target
"""


class AliasStage(Stage):
    """The distinct pairs of one source. The fingerprint does not depend on the order of the input."""

    noun = "aliases"

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.sql.execute(_TABLE)

    def add(self, pair: Alias) -> None:
        self.insert("alias", *pair)

    def settle(self) -> None:
        self.flush()
        digest = hashlib.sha256()
        for pair in self.pairs():
            digest.update(repr(tuple(pair)).encode("utf-8"))
            self.fact_count += 1
        self.node_count = self.fact_count
        self.fingerprint = digest.hexdigest()

    def sample(self) -> Iterator[Evidence]:
        return (Evidence(*pair, condition=(), source=self.source) for pair in islice(self.pairs(), SAMPLE))

    def names(self) -> Iterator[str]:
        """The distinct names, sorted."""
        return (name for (name,) in self.sql.execute("SELECT DISTINCT name FROM alias ORDER BY name"))

    def pairs(self) -> Iterator[Alias]:
        """The distinct pairs, by alias and name."""
        return starmap(Alias, self.sql.execute("SELECT alias, name FROM alias ORDER BY alias, name"))


# Writing


def write_aliases(record: LoadRecord, staged: AliasStage, db: Database, progress: bool, batch: int) -> bool:
    """Writes a source of aliases, or what an earlier load that was cut short left out; see `write.write`."""
    record = replace(record, layout=LAYOUT)

    def fill(claim: Claim) -> list[int]:
        stop, batches = Event(), node_batches((_row(record.name, pair) for pair in staged.pairs()), batch)
        with (
            bar(source_name(record.name), "aliases", record.facts, show=progress) as shown,
            ThreadPoolExecutor(LANES, "aliases") as pool,
        ):
            try:
                while some := list(islice(batches, LANES)):
                    work = (partial(_merge, record, claim, lane, rows) for lane, rows in enumerate(some))
                    for done in pool.map(partial(insist, db, stop=stop), work):
                        shown.update(done)
            finally:
                stop.set()
        return [0] * LANES  # lanes count relationships

    return complete(db, record, fill)


def _row(source: str, pair: Alias) -> dict[str, Any]:
    # The length tells where the alias ends, so that no two pairs have one key.
    key = owned_key(source, f"{len(pair.alias)} {pair.alias} {pair.name}")
    about = {"alias": pair.alias, "normal": normal_form(pair.alias), "name": pair.name, "target": shared_key(pair.name)}
    return {"key": key, **about}


def _merge(record: LoadRecord, claim: Claim, lane: int, rows: list[dict[str, Any]], tx: ManagedTransaction) -> int:
    registry.beat(tx, record.name, claim.lanes[lane].id, claim.owner)
    tx.run(_MERGE, rows=rows, source=record.name).consume()
    return len(rows)
