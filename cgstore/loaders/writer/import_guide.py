"""How files for Neo4j's importer are to be imported: its arguments, what to run in the database afterwards, a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cgstore.cypher import indexes as schema

ARGUMENTS, AFTER, README = "import.args", "after.cypher", "README.txt"

REPAIR = """
MATCH ()-[r:CG_VALUE]->() WHERE r.condition IS NULL
CALL (r) { SET r.condition = [''] } IN TRANSACTIONS OF 10000 ROWS
"""
"""Gives the relationships whose condition is one empty text what the importer cannot read; for a session of its own."""

_READ_BUFFER = 4 * 1024 * 1024  # bytes; the importer's own default

_KINDS = {
    "nodes.csv": "--nodes=",
    "sources.csv": "--nodes=",
    "has.csv": "--relationships=CG_HAS=",
    "value.csv": "--relationships=CG_VALUE=",
    "value_about.csv": "--relationships=CG_VALUE=",
}

_PAGE = """A condition graph as files for Neo4j's importer: for an empty database of Neo4j 5.26 or later, in UTF-8.

With the database stopped, in this folder, as the user that Neo4j runs as:

  neo4j-admin database import full DATABASE @{arguments} --overwrite-destination

DATABASE is neo4j by default. The option says that a database of that name may be replaced: whatever it holds is lost.
Then start it, and create its constraints and indexes:

  cypher-shell -d DATABASE -f {after}

Answers may be asked for when `SHOW INDEXES` calls all of them ONLINE:

  cgstore --uri bolt://HOST:7687 sources
"""


class Guide(NamedTuple):
    """What the importer must know of the files.

    Args:
        delimiter: the character between the elements of a list, which no text holds.
        multiline: whether a field holds a line's end.
        longest: bytes of the longest field.
        repair: whether a condition is one empty text.
        sources: the properties of the sources.
    """

    delimiter: str
    multiline: bool
    longest: int
    repair: bool
    sources: Sequence[Mapping[str, Any]]

    def write(self, folder: Path, files: Sequence[str]) -> None:
        """Writes the three files beside the named ones."""
        (folder / ARGUMENTS).write_text("".join(f"{line}\n" for line in self.arguments(files)), encoding="ascii")
        (folder / AFTER).write_text("".join(f"{line.strip()};\n" for line in self._after()), encoding="utf-8")
        (folder / README).write_text(_PAGE.format(arguments=ARGUMENTS, after=AFTER), encoding="utf-8")

    def arguments(self, files: Sequence[str]) -> list[str]:
        """The importer's, to be run in the folder of the files."""
        options = ["--id-type=integer", f"--array-delimiter=U+{ord(self.delimiter):04X}"]
        if self.multiline:
            options.append("--multiline-fields=true")
        if 2 * self.longest > _READ_BUFFER:
            options.append(f"--read-buffer-size={2 * self.longest}")
        return [*options, *(f"{_KINDS[name]}./{name}" for name in files)]

    def _after(self) -> list[str]:
        statements = [*schema.CONSTRAINTS.values()]
        if self.repair:
            statements.append(f":auto {REPAIR.strip()}")
        for source in self.sources:
            if source.get("columns") == ("",):
                statements.append(f"MATCH (s:CgSource {{name: {json.dumps(source['name'])}}}) SET s.columns = ['']")
        return [*statements, *schema.VALUE_INDEXES.values(), *schema.NODE_INDEXES.values()]
