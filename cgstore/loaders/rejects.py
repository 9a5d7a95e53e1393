"""What to do with the lines of an input that cannot be used: stop with the first ones shown, or put them in a file."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import IO, Self

from cgstore.errors import BadInput
from cgstore.loaders.delimited import BadLine, plain_path

SHOWN = 10
"""Bad lines that an error lists."""


class Rejects:
    """Collects bad lines; the file, with columns line, column, problem, text, is made when the first one comes.

    Args:
        source: the input.
        skip: whether to go on without the bad lines.
        path: where to put them; by default beside the input, as `NAME.rejected.tsv`.
    """

    def __init__(self, source: Path, skip: bool, path: Path | None = None) -> None:
        self._source, self._skip = source, skip
        self.path = path or plain_path(source).with_suffix(".rejected.tsv")
        self.count = 0
        self._shown: list[BadLine] = []
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, bad: BadLine) -> None:
        """Takes one bad line.

        Raises:
            BadInput: the file for it cannot be written.
        """
        self.count += 1
        if len(self._shown) < SHOWN:
            self._shown.append(bad)
        if not self._skip:
            return
        try:
            if self._file is None:
                # Bytes that are no UTF-8 go back as they came.
                self._file = self.path.open("w", encoding="utf-8", errors="surrogateescape", newline="\n")
                self._file.write("line\tcolumn\tproblem\ttext\n")
            text = bad.text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")
            self._file.write(f"{bad.line}\t{bad.column or ''}\t{bad.problem}\t{text}\n")
        except OSError as error:
            raise BadInput(
                f"{self.path} cannot be written: {error.strerror or error}", "Say where with --rejected FILE."
            ) from error

    def check(self) -> None:
        """Raises BadInput with the first bad lines, if there are any and they are not to be skipped."""
        if self._skip or not self.count:
            return
        listed = "\n".join(f"{self._source}:{bad}" for bad in self._shown)
        more = f"\n... and {self.count - SHOWN:,} more" if self.count > SHOWN else ""
        lines = "1 line is" if self.count == 1 else f"{self.count:,} lines are"
        raise BadInput(
            f"{lines} no fact; nothing was loaded.\n{listed}{more}",
            "Mend them, or load the others with --on-error skip.",
        )
