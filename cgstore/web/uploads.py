"""Loads uploaded files."""

from __future__ import annotations

import codecs
import mimetypes
import re
import tempfile
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cgstore.catalog.kinds import RDF, SOURCE_KINDS, TABLE
from cgstore.errors import BadInput, CgstoreError

if TYPE_CHECKING:
    from cgstore.model import LoadReport
    from cgstore.store import Store
    from cgstore.web.watching import Tell

KINDS = {kind.name: kind.menu for kind in SOURCE_KINDS.values() if kind.menu}
"""The kinds of sources that a file can be, each in the words of the page's menu."""

_CHOOSE = f"Choose what it is: {'; '.join(f'{words} (kind={kind})' for kind, words in KINDS.items())}."

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_KIND_OF = {
    **dict.fromkeys((".csv", ".tsv", ".xlsx", ".parquet", ".jsonl"), TABLE.name),
    **dict.fromkeys((".nt", ".ttl", ".nq", ".trig", ".rdf", ".owl", ".jsonld"), RDF.name),
}
_MEDIA = {"image": "an image", "audio": "a sound file", "video": "a video", "application/pdf": "a PDF"}
_USABLE = "Give a table (CSV, Excel .xlsx, Parquet, JSON Lines), a text file of triples or facts, or RDF."
_BINARY_KINDS = (".xlsx", ".parquet", *_COMPRESSED)
_OPENING = 4096
"""Bytes at the beginning of a file that tell whether it is text."""

_LONGEST_NAME = 200
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\:*?\"<>|]+")


def checked_name(name: str) -> str:
    """Checks that a file name is not a path.

    Raises:
        BadInput: it is a path, hidden, too long, or has characters that some systems refuse.
    """
    if not _NAME.fullmatch(name) or name.startswith(".") or len(name.encode()) > _LONGEST_NAME or name != name.strip():
        raise BadInput(f"{name!r} cannot be the name of a file here.", "Give a plain name, such as films.csv.")
    return name


def kind_of(name: str, kind: str | None) -> str:
    """Returns the kind of source in a file, by its extension if none is given.

    Raises:
        BadInput: the kind is unknown, or the extension says nothing.
    """
    media = mimetypes.guess_type(name)[0] or ""
    if words := _MEDIA.get(media) or _MEDIA.get(media.split("/")[0]):
        raise BadInput(f"'{name}' is {words}, which cannot be loaded.", _USABLE)
    if kind is not None:
        if kind not in KINDS:
            raise BadInput(f"'{kind}' is not a kind of source.", _CHOOSE)
        return kind
    path = Path(name)
    extension = (Path(path.stem) if path.suffix.lower() in _COMPRESSED else path).suffix.lower()
    if extension not in _KIND_OF:
        raise BadInput(f"'{name}' does not say what kind of source it is.", _CHOOSE)
    return _KIND_OF[extension]


class Upload:
    """An uploaded file in a temporary folder.

    Raises:
        BadInput: its name or kind cannot be used.
    """

    def __init__(self, name: str, kind: str | None) -> None:
        self.kind = kind_of(name, kind)
        self._folder = tempfile.TemporaryDirectory(prefix="cgstore-upload-")
        self._path = Path(self._folder.name) / checked_name(name)
        self.bytes = 0

    async def receive(self, chunks: AsyncIterator[bytes]) -> None:
        """Writes what comes to the file."""
        try:
            with self._path.open("wb") as file:
                async for chunk in chunks:
                    file.write(chunk)
                    self.bytes += len(chunk)
            self._refuse_binary()
        except BaseException:
            self._folder.cleanup()
            raise

    def load(self, store: Store, tell: Tell) -> None:
        """Loads the file, and tells how it went.

        Raises:
            CgstoreError: as the load of such a source.
        """
        with self._folder:
            tell({"event": "received", "bytes": self.bytes, "kind": self.kind})
            load = getattr(store, f"load_{self.kind}")
            try:
                report: LoadReport = load(self._path)
            except CgstoreError as error:
                error.message, error.hint = self._by_name(error.message), error.hint and self._by_name(error.hint)
                raise
            warnings = tuple(map(self._by_name, report.warnings))
            tell({"event": "loaded", "report": asdict(replace(report, warnings=warnings))})

    def _refuse_binary(self) -> None:
        """Refuses a file that is neither text nor a table of a known form."""
        if self._path.suffix.lower() in _BINARY_KINDS:
            return  # its reader says what is wrong with it
        with self._path.open("rb") as file:
            opening = file.read(_OPENING)
        is_marked = opening.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
        if b"\0" in opening and not is_marked:
            raise BadInput(f"'{self._path.name}' is not a file of text, which cannot be loaded.", _USABLE)

    def _by_name(self, text: str) -> str:
        """Replaces the path of the file here by its name, which clients know."""
        return text.replace(f"{self._path.parent}/", "")
