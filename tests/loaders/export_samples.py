"""Names that a file format may stumble over, and sources loaded, exported and read again."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from cgstore.catalog.kinds import GRAPH, SOURCE_KINDS
from cgstore.cypher.connection import Database
from cgstore.export.export import ExportReport, export_source
from cgstore.loaders.writer.target import Target
from cgstore.model import LoadReport
from tests.loaders.samples import Plain, Stages, stored

HOSTILE = [
    '"', '""', 'a"b', '"a"', "\\", "a\\nb", "\\p", "a\\", "a,b", ";", "a;b", "|", "a|b", "'", "`", "$x", "{", "[", "#",
    "=1+1", "%", "%41", "%zz", "a/b", "a#b", "_:b1", "<x>", "<http://x/y>", "null", "true", "1999", "-0", "2004-07-02",
    "head", "relation", "tail", "subject", "object", "start", "end", "key", "value", "row_number", "Row Number",
    "label", "graph", "time", "start time", "[line_1]", "a  b", "a\u00a0b", "a\u2028b", "a\x85b", "a\x1fb", "a\x1eb",
    "\ufeffx", "x\ufffe\uffff",
    "Ünïcödé", "e\u0301", "日本語", "العربية", "हिन्दी", "ไทย", "한국어", "👨‍👩‍👧", "\U0010ffff",
    "x" * 3000, "é" * 5_000,
]  # fmt: skip

BREAKING = ["a\tb", "a\nb", "a\r\nb", "a\rb", "\\n\nb"]
"""What a field between tabs cannot hold."""


Load = Callable[..., LoadReport]


def names(*, breaking: bool = False) -> st.SearchStrategy[str]:
    """Names that readers keep as they are; with tabs and lines' ends among them, or without."""
    made = st.text(st.characters(codec="utf-8", exclude_characters="\x00\t\n\r"), min_size=1, max_size=4)
    kept = st.one_of(st.sampled_from(HOSTILE), st.sampled_from("abc"), made.filter(lambda text: text == text.strip()))
    return st.one_of(kept, st.sampled_from(BREAKING)) if breaking else kept


def triples(db: Database, source: str) -> list[Plain]:
    """The condition triples of a source, without its name, so that they can be compared with another one's."""
    return sorted((a.removeprefix(source), b.removeprefix(source), condition) for a, b, condition in stored(db, source))


class Again:
    """Loads a file, exports the source, and reads what came out."""

    def __init__(self, db: Database, folder: Path) -> None:
        self.db, self.folder = db, folder

    def __call__(
        self,
        load: Load,
        path: Path,
        ending: str,
        *,
        again: Load | None = None,
        options: dict[str, Any] | None = None,
        reading: dict[str, Any] | None = None,
    ) -> Path:
        """The file that the export wrote; the loader finds the same triples in it.

        `again` reads it, if not the same load; `options` are those of both loads, `reading` of the first one.
        """
        self.name = self.load(load, path, (options or {}) | (reading or {}))
        file = self.folder / f"{self.name}.{ending}"
        self.report: ExportReport = export_source(self.db, self.name, file)
        stages = Stages()
        self.load(again or load, file, options, to=stages)
        assert stages.triples() == triples(self.db, self.name)
        return file

    def load(
        self, load: Load, path: Path, options: dict[str, Any] | None = None, to: Database | Target | None = None
    ) -> str:
        """Loads a file under a name of its own."""
        name = uuid.uuid4().hex[:8]
        kind = next((kind for kind in SOURCE_KINDS.values() if kind.loader.endswith(f":{load.__name__}")), GRAPH)
        load(to or self.db, path, kind.load_options({"name": name, **(options or {})}))
        return name
