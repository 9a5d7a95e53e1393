"""What to do with the lines of an input that cannot be used: stop with the first ones shown, or put them in a file.

That file is tab-separated with the columns line, column, problem, text, texts in quotes with `"` doubled, so that
`csv.reader(file, delimiter="\\t")` reads back the tabs and line ends of a rejected line as they were.
"""

from __future__ import annotations

import csv
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from cgstore.errors import BadInput
from cgstore.loaders.inputs import REJECTED_HEADER, plain_path
from cgstore.loaders.readers.rows import BadLine
from cgstore.options import LoadOptions

SHOWN = 10
"""Bad lines that an error lists."""


class Rejects:
    """Collects bad lines; the file for them is begun under another name, and put in its place by `finish`.

    Args:
        source: the input.
        options: `on_error` says whether to go on without the bad lines, `rejected` where to put them: by default beside
            the input, as `NAME.rejected.tsv`, or `NAME.rejected-2.tsv` and so on where that is a file of another kind.

    `note` may be set to what else is odd about the input: it becomes a part of the hint.

    Raises:
        BadInput: that path is the input, or another file that no load wrote.
    """

    def __init__(self, source: Path, options: LoadOptions) -> None:
        self._source, self._skip, self._given = source, options.on_error == "skip", options.rejected
        self.path = self._target() if self._skip else None
        self.count = 0
        self.note = ""
        self._shown: list[BadLine] = []
        self._file: IO[str] | None = None
        self._writer: Any = None
        self._begun: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
        if self._begun is not None:
            self._begun.unlink(missing_ok=True)

    def add(self, bad: BadLine) -> None:
        """Takes one bad line.

        Raises:
            BadInput: the file for it cannot be written.
        """
        self.count += 1
        if len(self._shown) < SHOWN:
            self._shown.append(bad)
        if self.path is None:
            return
        with _writing(self.path):
            if self._file is None:
                # The temporary name does not contain the file's own name, which may be at the limit of the file system.
                self._begun = Path(os.path.realpath(self.path)).with_name(f".cgstore-{uuid.uuid4().hex}.tmp")
                # Bytes that are not UTF-8 are written back unchanged.
                self._file = self._begun.open("x", encoding="utf-8", errors="surrogateescape", newline="")
                self._file.write(REJECTED_HEADER)
                self._writer = csv.writer(self._file, delimiter="\t", quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
            self._writer.writerow([bad.line, bad.column or "", bad.problem, bad.text])

    def finish(self) -> None:
        """Ends the input: puts the file in its place, or refuses bad lines that are not to be skipped.

        Raises:
            BadInput: with the first bad lines; or the file cannot be put there.
        """
        if not self.count:
            return
        if not self._skip:
            raise self._refusal()
        assert self._file is not None and self._begun is not None
        self.path = self._target()  # a file may have come there meanwhile
        with _writing(self.path):
            self._file.close()
            self._begun.replace(os.path.realpath(self.path))
        self._begun = None

    def _refusal(self) -> BadInput:
        listed = "\n".join(f"{self._source}:{bad}" for bad in self._shown)
        more = f"\n... and {self.count - SHOWN:,} more" if self.count > SHOWN else ""
        lines = "1 line" if self.count == 1 else f"{self.count:,} lines"
        return BadInput(
            f"{lines} cannot be used; nothing was loaded.\n{listed}{more}",
            f"{self.note} Mend them, or load the others with --on-error skip.".lstrip(),
        )

    def _target(self) -> Path:
        if (path := self._given) is not None:
            if _is_same(path, self._source):
                raise BadInput(f"{path} is the input itself.", "Give --rejected another file.")
            if not _may_write(path):
                raise BadInput(f"{path} is there already, and no load wrote it.", "Give --rejected a new file.")
            return path
        path, number = plain_path(self._source).with_suffix(".rejected.tsv"), 1
        while _is_same(path, self._source) or not _may_write(path):
            number += 1
            path = plain_path(self._source).with_suffix(f".rejected-{number}.tsv")
        return path


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written: {error.strerror or error}", "Say where with --rejected FILE."
        ) from error


def _is_same(path: Path, other: Path) -> bool:
    """Whether both are one file, under whatever names."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def _may_write(path: Path) -> bool:
    """Whether nothing is there, or what a load wrote."""
    if not os.path.lexists(os.path.realpath(path)):
        return True
    try:
        if not path.is_file():  # a pipe would be waited for
            return False
        with path.open("rb") as file:
            return file.readline(len(REJECTED_HEADER)) == REJECTED_HEADER.encode()
    except OSError:
        return False
