"""Finds a `cgstore serve` on this machine, which then answers for other commands.

    <home>/serving/<process>.json     mode 600: its address, a secret, and a fingerprint of its graph and settings

A server is used only if its fingerprint is that of the command's own graph and settings. The secret is of this user
alone, and is also what the fingerprint is keyed with.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cgstore.errors import CgstoreError
from cgstore.model import Answer
from cgstore.server.home import home_folder

CONNECTING = 0.5
"""Seconds until a server must take the connection."""

_FROM_ENVIRONMENT = ("OPENAI_", "CGSTORE_")
_NOT_SETTINGS = ("CGSTORE_TOKEN",)


@dataclass(frozen=True)
class Running:
    """A server that runs: its address, and the secret that its requests carry."""

    address: str
    secret: str


def fingerprint(settings: Mapping[str, Any], secret: str) -> str:
    """A keyed hash of the options of a command, of the environment that cgstore reads, and of this version."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(_FROM_ENVIRONMENT) and name not in _NOT_SETTINGS
    }
    text = json.dumps([dict(settings), environment], default=_plain, sort_keys=True)
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def _plain(value: Any) -> Any:
    return str(value.absolute()) if isinstance(value, Path) else list(value)


@contextmanager
def announced(address: str, settings: Mapping[str, Any]) -> Iterator[str]:
    """Announces a server in the home until the context ends; yields the secret for its requests."""
    secret = secrets.token_urlsafe(24)
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"{os.getpid()}.json"
    entry = {"address": address, "secret": secret, "fingerprint": fingerprint(settings, secret)}
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        json.dump(entry, opened)
    try:
        yield secret
    finally:
        file.unlink(missing_ok=True)


def running(settings: Mapping[str, Any]) -> Running | None:
    """Returns the server with these settings, if one runs. Removes what a killed server left."""
    for file in sorted(_folder().glob("*.json")):
        with suppress(OSError, ValueError, KeyError, TypeError):
            entry = json.loads(file.read_text(encoding="utf-8"))
            if hmac.compare_digest(entry["fingerprint"], fingerprint(settings, entry["secret"])):
                if _is_listened_on(entry["address"]):
                    return Running(entry["address"], entry["secret"])
                file.unlink(missing_ok=True)
    return None


def _is_listened_on(address: str) -> bool:
    host = urlsplit(address)
    try:
        socket.create_connection((host.hostname or "", host.port or 0), CONNECTING).close()
    except OSError:
        return False
    return True


def asked_of(server: Running, body: Mapping[str, Any]) -> Answer | None:
    """Asks a running server; None if it cannot be reached or is full.

    Raises:
        CgstoreError: the question has no answer for an expected reason, as `Store.ask` has it.
    """
    host = urlsplit(server.address)
    connection = HTTPConnection(host.hostname or "", host.port, timeout=CONNECTING)
    try:
        connection.connect()
        connection.sock.settimeout(None)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.secret}"}
        connection.request("POST", "/api/v1/ask", json.dumps(body).encode(), headers)
        response = connection.getresponse()
        if response.status != 200:
            return None
        for line in response:
            event = json.loads(line)
            if event["event"] == "answer":
                return Answer.from_json(event["answer"])
            if event["event"] == "error":
                raise _error(event)
    except (OSError, HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return None


def _error(event: Mapping[str, Any]) -> CgstoreError:
    error = CgstoreError(event["error"], event.get("hint"))
    error.exit_code = event.get("exit_code", 2)
    return error


def _folder() -> Path:
    return home_folder() / "serving"
