"""The jars that make a Neo4j of one version: names and hashes, pinned in the lock files beside this module."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from cgstore.errors import BadInput

DEFAULT_VERSION = "5.26.30"

_LINE = re.compile(r"(?P<path>[\w.+-]+(?:/[\w.+-]+)+\.jar) sha256:(?P<sha256>[0-9a-f]{64})", re.ASCII)
_LOCK_NAME = re.compile(r"neo4j-(?P<version>\d+(?:\.\d+)+)\.lock", re.ASCII)


@dataclass(frozen=True)
class Artifact:
    """One jar: its path in a Maven repository and the SHA-256 of its bytes in lower-case hex."""

    path: str
    sha256: str


def parse_lock(text: str, source: str) -> tuple[Artifact, ...]:
    """Read a lock file's text, one `<maven path> sha256:<hex>` per line; blank lines and `#` lines are skipped.

    Raises:
        BadInput: a line of another form, a path that leaves the repository, or a path named twice.
    """
    found: dict[str, Artifact] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or ".." in match["path"].split("/"):
            raise BadInput(f"{source}, line {number}: expected `<maven path>.jar sha256:<64 hex digits>`.")
        if match["path"] in found:
            raise BadInput(f"{source}, line {number}: {match['path']} is listed twice.")
        found[match["path"]] = Artifact(match["path"], match["sha256"])
    return tuple(found.values())


def versions() -> tuple[str, ...]:
    """The Neo4j versions that can be started, oldest first."""
    names = (_LOCK_NAME.fullmatch(entry.name) for entry in files("cgstore.server").joinpath("locks").iterdir())
    found = [match["version"] for match in names if match]
    return tuple(sorted(found, key=lambda version: [int(part) for part in version.split(".")]))


def check_version(version: str) -> str:
    """Return the version if it can be started.

    Raises:
        BadInput: there is no lock file for it.
    """
    if version not in versions():
        raise BadInput(f"Neo4j {version} cannot be started by cgstore.", f"Known versions: {', '.join(versions())}")
    return version


def artifacts(version: str) -> tuple[Artifact, ...]:
    """The jars of one version.

    Raises:
        BadInput: the version is unknown.
    """
    name = f"neo4j-{check_version(version)}.lock"
    text = files("cgstore.server").joinpath("locks", name).read_text(encoding="utf-8")
    return parse_lock(text, name)
