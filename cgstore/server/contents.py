"""What the database of the managed server holds, told to who would replace all of it."""

from __future__ import annotations

from typing import NamedTuple

from cgstore.errors import BadInput
from cgstore.server.info import ServerInfo

_CONTENTS = """
RETURN COUNT { (s:CgSource) } AS sources, COUNT { (d:CgDemonstration) } AS demonstrations,
  EXISTS { MATCH (n) WHERE NOT n:CgMeta AND NOT n:CgSource AND NOT n:CgDemonstration } AS other
"""


class Contents(NamedTuple):
    """How many sources and demonstrations there are, and whether there are other nodes, but for `Meta` ones."""

    sources: int = 0
    demonstrations: int = 0
    other: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing would be lost."""
        return not any(self)

    def __str__(self) -> str:
        parts = [
            f"{count:,} {noun}{'s' if count > 1 else ''}"
            for count, noun in ((self.sources, "source"), (self.demonstrations, "demonstration"))
            if count
        ]
        if self.other and not self.sources:
            parts.append("nodes of no source")
        return " and ".join(parts)


def contents(info: ServerInfo) -> Contents:
    """What the database of a running server holds."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(str(info.uri), auth=(info.user, info.password()), telemetry_disabled=True) as driver:
        (record,) = driver.execute_query(_CONTENTS).records
    return Contents(*record.values())


def not_empty(there: Contents, version: str) -> BadInput:
    """The error of an import over a database that holds something."""
    hint = "Load without --bulk, or set CGSTORE_HOME to a new folder."
    if there.demonstrations and not there.sources and not there.other:
        hint = f"{hint} `cgstore demos remove --all` would remove the demonstrations."
    return BadInput(
        f"The database of the managed Neo4j {version} is not empty: it holds {there}. "
        "A bulk load makes a whole database, and would replace all of it.",
        hint,
    )
