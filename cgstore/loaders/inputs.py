"""The files that a load reads: the files, folders and patterns that the user named, each file once."""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from cgstore.errors import BadFile

REJECTED_HEADER = "line\tcolumn\tproblem\ttext\n"
"""The first line of a file of rejected lines. A file that begins with it was written by a load."""


class InputFile(NamedTuple):
    """A file, and its name without endings: by its path below the folder, or below a pattern's first wildcard."""

    path: Path
    name: str


def input_files(paths: Sequence[str | Path], endings: Collection[str]) -> list[Path]:
    """The files that the user named; see `named_files`."""
    return [file.path for file in named_files(paths, endings)]


def named_files(
    paths: Sequence[str | Path], endings: Collection[str], zipped: Collection[str] | None = None
) -> list[InputFile]:
    """The files that the user named, in the order given. The files of a folder or a pattern are sorted by their paths.

    A named file is taken whatever its ending, and so is one that a pattern (`*`, `?`, `[...]`, `**` for folders) finds.
    A folder stands for the files below it that have one of the endings (`.csv`), or `.gz` behind one of `zipped` (None:
    of all). Hidden files and folders, lock files of Excel and files of rejected lines are left out. Links to folders
    are not followed.

    Raises:
        BadFile: no file is found, or one cannot be read, or is not an ordinary file (a pipe, a device).
    """
    if not paths:
        raise BadFile("No file is given.", "Give files, folders, or patterns such as 'facts/*.tsv'.")
    wanted = (*endings, *(f"{ending}.gz" for ending in (endings if zipped is None else zipped)))
    found: dict[str, InputFile] = {}
    for path in paths:
        for file in _meant(path, tuple(ending.lower() for ending in wanted)):
            _check_file(file.path)
            found.setdefault(os.path.realpath(file.path), file)
    return list(found.values())


def check_named(paths: Sequence[str | Path]) -> None:
    """Checks the files and patterns that the user named, but not what is in folders.

    Raises:
        BadFile: as `named_files`.
    """
    if others := [path for path in paths if not _is_folder(Path(path))]:
        named_files(others, ())


def plain_path(path: Path) -> Path:
    """The path without `.gz`."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def _meant(path: str | Path, endings: tuple[str, ...]) -> Iterator[InputFile]:
    place, given = Path(path), str(path)
    if "\x00" in given:
        raise BadFile(f"{given!r} cannot be the name of a file: it holds a NUL character.", "Check the path.")
    if os.path.lexists(place) or not glob.has_magic(given):
        yield from _below(place, place, endings) if _is_folder(place) else [_named(place, place.parent)]
        return
    try:
        matches = [Path(match) for match in sorted(glob.glob(given, recursive=True))]  # noqa: PTH207  (absolute ones)
    except (OSError, ValueError, re.error) as error:
        raise BadFile(f"The pattern '{given[:300]}' cannot be read: {error}", "Check the pattern.") from error
    base = Path(*place.parts[: next(n for n, part in enumerate(place.parts) if glob.has_magic(part))])
    files = [match for match in matches if not _is_folder(match) and not _is_left_over(match)]
    folders = [match for match in matches if _is_folder(match)]
    if files:  # `**` and `*` find folders too, which count only if there are no files
        yield from (_named(file, base) for file in files)
    elif folders:
        for folder in folders:
            yield from _below(folder, base, endings)
    else:
        raise BadFile(
            f"No file matches '{given[:300]}'.",
            "Check the pattern, which is read from the current folder, and quote it.",
        )


def _named(path: Path, base: Path) -> InputFile:
    plain = plain_path(path).relative_to(base)
    return InputFile(path, (plain.with_suffix("") if plain.suffix else plain).as_posix())


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112  (Path.is_dir raises where a folder above may not be read)


def _below(folder: Path, base: Path, endings: tuple[str, ...]) -> list[InputFile]:
    files: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(place, name) for name in names if name.lower().endswith(endings) and not name.startswith(".")]
    files = [file for file in files if not _is_left_over(file)]
    if not files:
        shown = ", ".join(sorted(ending for ending in endings if not ending.endswith(".gz")))
        raise BadFile(f"{folder} has no files that end in {shown}.", "Give another folder, or the files themselves.")
    return [_named(file, base) for file in sorted(files)]


def _is_left_over(path: Path) -> bool:
    """Whether a file is a lock of Excel, or was written for rejected lines."""
    if path.name.startswith("~$"):
        return True
    if not re.search(r"\.rejected(-\d+)?\.tsv$", path.name) or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.readline(len(REJECTED_HEADER)) == REJECTED_HEADER.encode()


def _check_file(path: Path) -> None:
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            path.open("rb").close()
            return
    except FileNotFoundError as error:
        what = "is a link to a file that is not there" if path.is_symlink() else "does not exist"
        raise BadFile(f"{str(path)[:300]} {what}.", "There is no file or folder of this name.") from error
    except OSError as error:
        _refuse(error, path)
    raise BadFile(f"{path} is not an ordinary file.", "A file is read more than once: write it to one, and give that.")


def _refuse(error: OSError, path: Path | None = None) -> NoReturn:
    shown = str(path or error.filename)[:300]
    raise BadFile(
        f"{shown} cannot be read: {error.strerror or error}", "Check the path and its permissions."
    ) from error
