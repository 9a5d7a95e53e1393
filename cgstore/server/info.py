"""What a caller learns about the managed server."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from cgstore.errors import NoDatabase


@dataclass(frozen=True)
class ServerInfo:
    """The managed Neo4j, as `cgstore server status --json` shows it.

    `uri`, `http` and `pid` are None while it does not run; `password_file` is None before its first start.
    The password itself is never part of it: `password()` reads it from the file.
    """

    running: bool
    version: str
    uri: str | None
    http: str | None
    user: str
    password_file: str | None
    home: str
    pid: int | None

    def password(self) -> str:
        """Read the password from its file.

        Raises:
            NoDatabase: the file is not there or cannot be read.
        """
        if self.password_file is None:
            raise NoDatabase("The managed Neo4j has no password yet.", "Start it first: cgstore server start")
        try:
            return Path(self.password_file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise NoDatabase(f"The password file {self.password_file} cannot be read: {error.strerror}.") from error

    def browser_url(self) -> str | None:
        """The address of Neo4j Browser with this server's Bolt address filled in; None while it does not run."""
        if self.uri is None or self.http is None:
            return None
        return f"{self.http}/browser/?connectURL={self.uri.replace('://', f'://{self.user}@')}"

    def as_dict(self) -> dict[str, object]:
        """The fields by name, ready for JSON."""
        return asdict(self)
