"""The jar cache: what is listed is fetched, compared with its hash, and only then given its name."""

from __future__ import annotations

import hashlib
import http.client
import os
import random
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from cgstore.errors import BadInput, NoDatabase
from cgstore.progress import bar, waiting
from cgstore.server.artifacts import Artifact
from cgstore.server.extras import optional

_THREADS = 8
_TIMEOUT = 60  # seconds without a byte
_TRIES = 5
_FIRST_PAUSE = 0.5  # seconds before the second try; doubled each time
_CHUNK = 256 * 1024
_LOCK_WAIT = 3600  # seconds for another process to finish its download
_TRANSIENT_STATUS = {408, 425, 429, 500, 502, 503, 504}


class _Transient(Exception):
    """A failure that another try may mend; its text says what happened."""


class _Cancelled(Exception):
    """Another jar failed or the user stopped the program: nothing more is wanted."""


def base_address() -> str:
    """Where the jars come from: CGSTORE_MAVEN (a mirror), else Maven Central as the package jgo knows it.

    Raises:
        BadInput: CGSTORE_MAVEN is not an http or https address.
        NoDatabase: jgo is not installed.
    """
    address = os.environ.get("CGSTORE_MAVEN") or str(optional("jgo.constants").MAVEN_CENTRAL_URL)
    if not address.startswith(("http://", "https://")):
        raise BadInput(f"CGSTORE_MAVEN is not an http or https address: {address}")
    return address.rstrip("/")


def is_intact(folder: Path, artifact: Artifact) -> bool:
    """Whether the cached jar is there with the right bytes."""
    try:
        with (folder / artifact.path).open("rb") as jar:
            return hashlib.file_digest(jar, "sha256").hexdigest() == artifact.sha256
    except FileNotFoundError:
        return False


def missing(folder: Path, wanted: Sequence[Artifact]) -> list[Artifact]:
    """The jars that the cache lacks or holds with wrong bytes; about 0.2 s for all of a Neo4j."""
    with ThreadPoolExecutor(_THREADS) as pool:
        intact = pool.map(lambda artifact: is_intact(folder, artifact), wanted)
        return [artifact for artifact, good in zip(wanted, intact, strict=True) if not good]


def ensure(folder: Path, wanted: Sequence[Artifact], *, base: str | None = None, quiet: bool = False) -> list[Path]:
    """Make sure that the cache holds every jar with the right bytes, and return their paths in the order given.

    A complete cache is only read, so it may be read-only. Two processes do not download at the same time.

    Args:
        folder: the cache; a jar lies below it at its Maven path.
        wanted: the jars.
        base: the repository's address; by default `base_address()`.
        quiet: no progress bar on standard error.

    Raises:
        NoDatabase: a jar cannot be fetched, or the repository serves other bytes than the lock file names.
        OSError: the cache cannot be written.
    """
    if missing(folder, wanted):
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            with waiting("another process that downloads Neo4j"):
                held.enter_context(optional("filelock").FileLock(folder / "download.lock", timeout=_LOCK_WAIT))
            _fetch_all(folder, missing(folder, wanted), base or base_address(), quiet)
    return [folder / artifact.path for artifact in wanted]


def _fetch_all(folder: Path, wanted: Sequence[Artifact], base: str, quiet: bool) -> None:
    _drop_leftovers(folder)
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


def _drop_leftovers(folder: Path) -> None:
    """Remove what a killed download left; nobody else writes while the lock is held."""
    for leftover in folder.rglob("*.jar.part"):
        leftover.unlink(missing_ok=True)


def tls_context() -> ssl.SSLContext:
    """Python's own defaults (SSL_CERT_FILE, SSL_CERT_DIR) with the bundles that requests and curl are told of."""
    context = ssl.create_default_context()
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        if (bundle := Path(os.environ.get(name, ""))).is_file():
            context.load_verify_locations(bundle)
    if not context.cert_store_stats()["x509_ca"] and not os.environ.get("SSL_CERT_DIR"):
        # python.org's Python for macOS comes without certificates; certifi is there with requests, which jgo needs.
        context.load_verify_locations(optional("certifi").where())
    return context


def _fetch(folder: Path, artifact: Artifact, base: str, context: ssl.SSLContext, cancelled: threading.Event) -> int:
    """Fetch one jar and return its size in bytes."""
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
            # Spread out, so that the threads do not all come back at the same moment.
            if cancelled.wait(_FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.8, 1.2)):
                raise _Cancelled from error
        finally:
            part.unlink(missing_ok=True)
    raise AssertionError("the last try returns or raises")


def _download(url: str, part: Path, artifact: Artifact, context: ssl.SSLContext, cancelled: threading.Event) -> int:
    """One try: write the bytes to `part` and compare their hash."""
    base = url.removesuffix(f"/{artifact.path}")
    with _open(url, artifact, base, context) as response, part.open("wb") as out:
        size, digest = _copy(_reader(response), out, cancelled)
        expected = response.headers.get("Content-Length")
    if expected is not None and size < int(expected):
        raise _Transient(f"the connection broke after {size} of {expected} bytes")
    if digest != artifact.sha256:
        raise _wrong_hash(artifact, base, digest)
    return size


def _open(url: str, artifact: Artifact, base: str, context: ssl.SSLContext) -> http.client.HTTPResponse:
    """Ask for the file; failures are told apart into those that another try may mend and those that it cannot."""
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


def _reader(response: http.client.HTTPResponse) -> Callable[[], bytes]:
    """Read chunks; what goes wrong on the network becomes _Transient, so that it differs from a full disk."""

    def read() -> bytes:
        try:
            return response.read(_CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise _Transient(str(error) or type(error).__name__) from error

    return read


def _copy(read: Callable[[], bytes], out: BinaryIO, cancelled: threading.Event) -> tuple[int, str]:
    """Copy to the end; return the number of bytes and their SHA-256."""
    digest = hashlib.sha256()
    size = 0
    while chunk := read():
        if cancelled.is_set():
            raise _Cancelled
        digest.update(chunk)
        out.write(chunk)
        size += len(chunk)
    return size, digest.hexdigest()


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
