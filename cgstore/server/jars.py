"""Neo4j's jars: pinned by hash in the lock files beside this module, and fetched once into a cache.

Every jar is compared with its hash before it gets its name in the cache.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import random
import re
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from cgstore.errors import BadInput, NoDatabase
from cgstore.extras import optional
from cgstore.progress import bar
from cgstore.server.home import has_hash, only_download

DEFAULT_VERSION = "5.26.30"
_THREADS = 8
_TIMEOUT = 60  # seconds without a byte
_TRIES = 5
_CHUNK = 256 * 1024
_TRANSIENT_STATUS = {408, 425, 429, 500, 502, 503, 504}

FIRST_PAUSE = 0.5
"""Seconds before the second try to fetch a jar; each pause is twice as long as the one before."""

_LINE = re.compile(r"(?P<path>[\w.+-]+(?:/[\w.+-]+)+\.jar) sha256:(?P<sha256>[0-9a-f]{64})", re.ASCII)
_LOCK_NAME = re.compile(r"neo4j-(?P<version>\d+(?:\.\d+)+)\.lock", re.ASCII)


@dataclass(frozen=True)
class Artifact:
    """A jar: its path in a Maven repository, and the SHA-256 of its bytes in lower-case hex."""

    path: str
    sha256: str


def parse_lock(text: str, source: str) -> tuple[Artifact, ...]:
    """Reads a lock file's text, one `<maven path> sha256:<hex>` per line; blank lines and `#` lines are skipped.

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
    """The version itself, if it can be started.

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


class _Transient(Exception):
    """A failure after which another try may succeed; its text is the reason."""


class _Cancelled(Exception):
    """Another jar failed, or the user stopped the program."""


def base_address() -> str:
    """The address of the jars: CGSTORE_MAVEN (a mirror), else Maven Central, whose address the package jgo holds.

    Raises:
        BadInput: CGSTORE_MAVEN is not an http or https address.
        NoDatabase: jgo is not installed.
    """
    address = os.environ.get("CGSTORE_MAVEN") or str(optional("jgo.constants", "local").MAVEN_CENTRAL_URL)
    if not address.startswith(("http://", "https://")):
        raise BadInput(f"CGSTORE_MAVEN is not an http or https address: {address}")
    return address.rstrip("/")


def _missing(folder: Path, wanted: Sequence[Artifact]) -> list[Artifact]:
    """The jars that the cache lacks or holds with wrong bytes; about 0.2 s for all jars of a Neo4j."""
    with ThreadPoolExecutor(_THREADS) as pool:
        intact = pool.map(lambda artifact: has_hash(folder / artifact.path, artifact.sha256), wanted)
        return [artifact for artifact, good in zip(wanted, intact, strict=True) if not good]


def fetch_jars(folder: Path, wanted: Sequence[Artifact], *, base: str | None = None, quiet: bool = False) -> list[Path]:
    """Fetches the jars that the cache lacks, and returns the paths of all in the order given.

    A complete cache may be read-only. Two processes do not download at the same time.

    Args:
        folder: the cache, in which a jar lies at its Maven path.
        wanted: the jars.
        base: the repository's address; by default `base_address()`.
        quiet: no progress bar on standard error.

    Raises:
        NoDatabase: a jar cannot be fetched, or the repository serves other bytes than the lock file names.
        OSError: the cache cannot be written.
    """
    if _missing(folder, wanted):
        with only_download(folder, "Neo4j"):
            _fetch_all(folder, _missing(folder, wanted), base or base_address(), quiet)
    return [folder / artifact.path for artifact in wanted]


def _fetch_all(folder: Path, wanted: Sequence[Artifact], base: str, quiet: bool) -> None:
    for leftover in folder.rglob("*.jar.part"):  # of a killed download; nobody else writes while the lock is held
        leftover.unlink(missing_ok=True)
    context = tls_context()
    cancelled = threading.Event()
    with (
        ThreadPoolExecutor(_THREADS) as pool,
        bar("Neo4j, download", "jars", len(wanted), show=not quiet) as shown,
    ):
        jobs = [pool.submit(_fetch, folder, artifact, base, context, cancelled) for artifact in wanted]
        try:
            megabytes = 0.0
            for job in as_completed(jobs):
                megabytes += job.result() / 1e6
                shown.set_postfix_str(f"{megabytes:.0f} MB", refresh=False)
                shown.update()
        finally:
            cancelled.set()
            pool.shutdown(wait=False, cancel_futures=True)


def tls_context() -> ssl.SSLContext:
    """Python's own defaults (SSL_CERT_FILE, SSL_CERT_DIR), and the bundles that are set for requests and curl."""
    context = ssl.create_default_context()
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        if (bundle := Path(os.environ.get(name, ""))).is_file():
            context.load_verify_locations(bundle)
    if not context.cert_store_stats()["x509_ca"] and not os.environ.get("SSL_CERT_DIR"):
        # python.org's Python for macOS comes without certificates; certifi is there with requests, which jgo needs.
        context.load_verify_locations(optional("certifi", "local").where())
    return context


def _fetch(folder: Path, artifact: Artifact, base: str, context: ssl.SSLContext, cancelled: threading.Event) -> int:
    """Fetches one jar, and returns its size in bytes."""
    target = folder / artifact.path
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".jar.part")
    for attempt in range(1, _TRIES + 1):
        try:
            size = _download(f"{base}/{artifact.path}", part, artifact, context, cancelled)
            part.replace(target)
            return size
        except _Transient as error:
            if attempt == _TRIES:
                raise _unreachable(artifact, base, str(error)) from error
            # The pauses differ, so that the threads do not all come back at the same moment.
            if cancelled.wait(FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.8, 1.2)):
                raise _Cancelled from error
        finally:
            part.unlink(missing_ok=True)
    raise AssertionError("the last try returns or raises")


def _download(url: str, part: Path, artifact: Artifact, context: ssl.SSLContext, cancelled: threading.Event) -> int:
    """One try: writes the bytes to `part`, and compares their hash."""
    base = url.removesuffix(f"/{artifact.path}")
    size, digest = 0, hashlib.sha256()
    with _open(url, artifact, base, context) as response, part.open("wb") as out:
        while chunk := _read(response):
            if cancelled.is_set():
                raise _Cancelled
            digest.update(chunk)
            size += out.write(chunk)
        expected = response.headers.get("Content-Length")
    if expected is not None and size < int(expected):
        raise _Transient(f"the connection broke after {size} of {expected} bytes")
    if digest.hexdigest() != artifact.sha256:
        raise _wrong_hash(artifact, base, digest.hexdigest())
    return size


def _read(response: http.client.HTTPResponse) -> bytes:
    """The next chunk. An error of the network becomes _Transient, unlike that of a full disk."""
    try:
        return response.read(_CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise _Transient(str(error) or type(error).__name__) from error


def _open(url: str, artifact: Artifact, base: str, context: ssl.SSLContext) -> http.client.HTTPResponse:
    """Asks for the file. A failure is _Transient if another try may succeed, else an error for the user."""
    request = urllib.request.Request(url, headers={"User-Agent": "cgstore"})
    try:
        response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=_TIMEOUT, context=context)
    except urllib.error.HTTPError as error:
        if error.code in _TRANSIENT_STATUS:
            raise _Transient(f"HTTP status {error.code}") from error
        raise _unreachable(artifact, base, f"HTTP status {error.code}") from error
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)  # urllib wraps some of the socket's errors, not all
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise _untrusted(base, reason) from error
        raise _Transient(str(reason) or type(reason).__name__) from error
    return response


def _unreachable(artifact: Artifact, base: str, reason: str) -> NoDatabase:
    return NoDatabase(
        f"Neo4j's file {Path(artifact.path).name} cannot be fetched from {base}: {reason}.",
        "The first start needs the network once (143 to 173 MB). Behind a proxy set HTTPS_PROXY, for a mirror of "
        "Maven Central set CGSTORE_MAVEN, for jars copied from another machine set CGSTORE_JARS; "
        "or name a running Neo4j with CGSTORE_NEO4J_URI.",
    )


def _untrusted(base: str, reason: ssl.SSLCertVerificationError) -> NoDatabase:
    return NoDatabase(
        f"The certificate of {base} is not trusted: {reason.verify_message}.",
        "If your network has its own certificate authority, name its file with SSL_CERT_FILE.",
    )


def _wrong_hash(artifact: Artifact, base: str, digest: str) -> NoDatabase:
    return NoDatabase(
        f"{base} serves other bytes for {Path(artifact.path).name} than expected "
        f"(SHA-256 {digest[:12]}…, expected {artifact.sha256[:12]}…); nothing was kept.",
        "A proxy's or mirror's error page is the usual cause: check CGSTORE_MAVEN and your proxy, then start again.",
    )
