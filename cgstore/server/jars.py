"""Jars, pinned by hash and fetched once into a cache: those of Neo4j, named in the lock files beside this module.

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

from cgstore.errors import BadInput, CgstoreError, NoDatabase, optional
from cgstore.observe.progress import Bar, bar
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


@dataclass(frozen=True)
class Product:
    """What jars are fetched for, as bars and errors tell it.

    Attributes:
        name: its name.
        size: the size of its jars, in words.
        extra: the extra that needs it.
        error: the kind of error if it cannot be fetched.
        otherwise: what to set if it cannot be fetched.
    """

    name: str
    size: str
    extra: str
    error: type[CgstoreError]
    otherwise: str


NEO4J = Product("Neo4j", "143 to 173 MB", "local", NoDatabase, "or name a running Neo4j with CGSTORE_NEO4J_URI")


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


def base_address(extra: str = "local") -> str:
    """The address of the jars: CGSTORE_MAVEN (a mirror), else Maven Central, whose address the package jgo holds.

    Raises:
        BadInput: CGSTORE_MAVEN is not an http or https address.
        CgstoreError: jgo, which the extra has, is not installed.
    """
    address = os.environ.get("CGSTORE_MAVEN") or str(optional("jgo.constants", extra).MAVEN_CENTRAL_URL)
    if not address.startswith(("http://", "https://")):
        raise BadInput(f"CGSTORE_MAVEN is not an http or https address: {address}")
    return address.rstrip("/")


def _missing(folder: Path, wanted: Sequence[Artifact]) -> list[Artifact]:
    """The jars that the cache lacks or holds with wrong bytes; about 0.2 s for all jars of a Neo4j."""
    with ThreadPoolExecutor(_THREADS) as pool:
        intact = pool.map(lambda artifact: has_hash(folder / artifact.path, artifact.sha256), wanted)
        return [artifact for artifact, good in zip(wanted, intact, strict=True) if not good]


def fetch_jars(
    folder: Path, wanted: Sequence[Artifact], *, product: Product = NEO4J, base: str | None = None, quiet: bool = False
) -> list[Path]:
    """Fetches the jars that the cache lacks, and returns the paths of all in the order given.

    A complete cache may be read-only. Two processes do not download at the same time.

    Args:
        folder: the cache, in which a jar lies at its Maven path.
        wanted: the jars.
        product: what they are fetched for.
        base: the repository's address; by default `base_address()`.
        quiet: no progress bar on standard error.

    Raises:
        CgstoreError: of the product's kind: a jar cannot be fetched, or the repository serves other bytes than the
            artifact's hash says.
        OSError: the cache cannot be written.
    """
    if _missing(folder, wanted):
        with only_download(folder, product.name, product.extra):
            missing = _missing(folder, wanted)
            for leftover in folder.rglob("*.jar.part"):  # of a killed download; nobody else writes under the lock
                leftover.unlink(missing_ok=True)
            with bar(f"{product.name}, download of {product.size}", "", 100, show=not quiet, percent=True) as shown:
                _Download(folder, product, base or base_address(product.extra), len(missing), shown).run(missing)
    return [folder / artifact.path for artifact in wanted]


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


class _Download:
    """Fetches jars by several threads; each jar is an equal share of the bar."""

    def __init__(self, folder: Path, product: Product, base: str, count: int, shown: Bar) -> None:
        self._folder, self._product, self._base = folder, product, base
        self._context, self._cancelled = tls_context(), threading.Event()
        self._shown, self._share, self._lock = shown, 100 / count, threading.Lock()

    def run(self, wanted: Sequence[Artifact]) -> None:
        """Fetches them all, or stops all at the first error."""
        with ThreadPoolExecutor(_THREADS) as pool:
            jobs = [pool.submit(self._fetch, artifact) for artifact in wanted]
            try:
                for job in as_completed(jobs):
                    job.result()
            finally:
                self._cancelled.set()
                pool.shutdown(wait=False, cancel_futures=True)

    def _fetch(self, artifact: Artifact) -> None:
        target = self._folder / artifact.path
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(".jar.part")
        for attempt in range(1, _TRIES + 1):
            try:
                self._try(artifact, part)
                part.replace(target)
                return
            except _Transient as error:
                if attempt == _TRIES:
                    raise self._unreachable(artifact, str(error)) from error
                # The pauses differ, so that the threads do not all come back at the same moment.
                if self._cancelled.wait(FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.8, 1.2)):
                    raise _Cancelled from error
            finally:
                part.unlink(missing_ok=True)

    def _try(self, artifact: Artifact, part: Path) -> None:
        """Writes the bytes to `part`, and compares their hash."""
        size, digest = 0, hashlib.sha256()
        with self._open(artifact) as response, part.open("wb") as out:
            expected = int(response.headers.get("Content-Length") or 0)
            try:
                while chunk := _read(response):
                    if self._cancelled.is_set():
                        raise _Cancelled
                    digest.update(chunk)
                    size += out.write(chunk)
                    self._advance(len(chunk), expected)
                if size < expected:
                    raise _Transient(f"the connection broke after {size} of {expected} bytes")
            except _Transient:
                self._advance(-size, expected)
                raise
        if digest.hexdigest() != artifact.sha256:
            raise self._wrong_hash(artifact, digest.hexdigest())

    def _advance(self, size: int, expected: int) -> None:
        with self._lock:
            self._shown.update(self._share * size / expected if expected else 0)

    def _open(self, artifact: Artifact) -> http.client.HTTPResponse:
        """Asks for the file. A failure is _Transient if another try may succeed, else an error for the user."""
        request = urllib.request.Request(f"{self._base}/{artifact.path}", headers={"User-Agent": "cgstore"})
        try:
            response: http.client.HTTPResponse = urllib.request.urlopen(
                request, timeout=_TIMEOUT, context=self._context
            )
        except urllib.error.HTTPError as error:
            if error.code in _TRANSIENT_STATUS:
                raise _Transient(f"HTTP status {error.code}") from error
            raise self._unreachable(artifact, f"HTTP status {error.code}") from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)  # urllib wraps some of the socket's errors, not all
            if isinstance(reason, ssl.SSLCertVerificationError):
                raise self._untrusted(reason) from error
            raise _Transient(str(reason) or type(reason).__name__) from error
        return response

    def _unreachable(self, artifact: Artifact, reason: str) -> CgstoreError:
        product = self._product
        return product.error(
            f"{product.name}: {Path(artifact.path).name} cannot be fetched from {self._base}: {reason}.",
            f"{product.name} needs the network once ({product.size}). Behind a proxy set HTTPS_PROXY, for a mirror of "
            "Maven Central set CGSTORE_MAVEN, for jars copied from another machine set CGSTORE_JARS; "
            f"{product.otherwise}.",
        )

    def _untrusted(self, reason: ssl.SSLCertVerificationError) -> CgstoreError:
        return self._product.error(
            f"The certificate of {self._base} is not trusted: {reason.verify_message}.",
            "If your network has its own certificate authority, name its file with SSL_CERT_FILE.",
        )

    def _wrong_hash(self, artifact: Artifact, digest: str) -> CgstoreError:
        return self._product.error(
            f"{self._base} serves other bytes for {Path(artifact.path).name} than expected "
            f"(SHA-256 {digest[:12]}…, expected {artifact.sha256[:12]}…); nothing was kept.",
            "A proxy's or mirror's error page is the usual cause: check CGSTORE_MAVEN and your proxy, then try again.",
        )


def _read(response: http.client.HTTPResponse) -> bytes:
    """The next chunk. An error of the network becomes _Transient, unlike that of a full disk."""
    try:
        return response.read(_CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise _Transient(str(error) or type(error).__name__) from error
