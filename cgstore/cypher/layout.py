"""The layout of the graph: its version, and the refusal of graphs that another version of cgstore has written.

The layout is the set of labels, relationship types, constraints and indexes that cgstore calls its own. All of them
begin with `Cg`, `CG_` or `cg_`, so that nothing else in the same database is taken for ours. The first layout had no
prefix (`Node`, `Source`, `VALUE`); `cgstore.loaders.writer.upgrade` brings it up to date. The version of a graph is
in its node `(:CgMeta {name: 'cgstore', layout})`.
"""

from __future__ import annotations

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput

LAYOUT_VERSION = 2

FIRST_SOURCE = "s:Source AND s.state IS NOT NULL AND s.fingerprint IS NOT NULL AND s.triples IS NOT NULL"
"""Tells a source of the first layout from other nodes with the label `Source`."""

FIRST_DEMONSTRATION = "d:Demonstration AND d.key IS NOT NULL AND d.normal IS NOT NULL AND d.source_kind IS NOT NULL"
"""Tells a demonstration of the first layout from other nodes with the label `Demonstration`."""

_READ = f"""
OPTIONAL MATCH (m:CgMeta {{name: 'cgstore'}})
WITH m.layout AS version
CALL (version) {{
  MATCH (s:Source) WHERE version IS NULL AND {FIRST_SOURCE}
  RETURN collect(coalesce(s.name, '')) AS sources
}}
CALL (version) {{
  MATCH (d:Demonstration) WHERE version IS NULL AND {FIRST_DEMONSTRATION}
  RETURN count(d) AS demonstrations
}}
RETURN version, sources, demonstrations
"""

_RECORD = "MERGE (m:CgMeta {name: 'cgstore'}) SET m.layout = $version"


def check_layout(db: Database) -> None:
    """Raises BadInput where an older or a newer version of cgstore has written this graph."""
    row = db.read(_READ)[0]
    if row["version"] is not None and row["version"] > LAYOUT_VERSION:
        raise BadInput(
            f"A newer version of cgstore has written this graph (layout {row['version']}; this version reads layout "
            f"{LAYOUT_VERSION}).",
            "Install the newest version: pip install --upgrade cgstore",
        )
    if row["sources"] or row["demonstrations"]:
        raise BadInput(
            f"An older version of cgstore has written this graph ({_counted(row['sources'], row['demonstrations'])}), "
            "with labels that this version no longer uses.",
            "Bring it up to date, which keeps everything that is in it: cgstore upgrade",
        )


def record_layout(db: Database) -> None:
    """Writes the version of the layout into the graph."""
    db.write(_RECORD, {"version": LAYOUT_VERSION})


def _counted(sources: list[str], demonstrations: int) -> str:
    parts = [(len(sources), "source"), (demonstrations, "demonstration")]
    return " and ".join(f"{count:,} {noun}{'s' if count > 1 else ''}" for count, noun in parts if count)
