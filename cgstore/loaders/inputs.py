"""The files that a load reads: what the user named as files, folders and patterns, each file once."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from cgstore.errors import BadInput


def input_files(paths: Sequence[str | Path], endings: Collection[str]) -> list[Path]:
    """The files that are meant, in the order given; those of a folder or a pattern sorted by their paths.

    A file is taken whatever it is called; so is one that a pattern (`*`, `?`, `[...]`, `**` for folders) finds. Of a
    folder, those below it at any depth are taken that have one of the endings, or one followed by .gz, in any case;
    what is hidden, file or folder, is passed over, and links to folders are not followed.

    Args:
        paths: files, folders, patterns.
        endings: with their dot: `.csv`.

    Raises:
        BadInput: nothing is there or found, or a file is no file (a pipe, a device), or cannot be read.
    """
    if not paths:
        raise BadInput("No file is given.", "Give files, folders, or patterns such as 'facts/*.tsv'.")
    found: dict[str, Path] = {}
    for path in paths:
        for file in _meant(path, endings):
            _check_file(file)
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _meant(path: str | Path, endings: Collection[str]) -> Iterator[Path]:
    place = Path(path)
    if "\x00" in str(path):
        raise BadInput(f"{str(path)!r} is no file name: it holds a NUL character.", "Check the path.")
    if os.path.lexists(place) or not glob.has_magic(str(path)):
        yield from _below(place, endings) if _is_folder(place) else [place]
        return
    matches = sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207  (Path.glob takes no absolute pattern)
    files = [Path(match) for match in matches if not _is_folder(match)]
    folders = [Path(match) for match in matches if _is_folder(match)]
    if files:  # `**` and `*` find folders too: those beside files are not meant
        yield from files
    elif folders:
        for folder in folders:
            yield from _below(folder, endings)
    else:
        raise BadInput(f"No file matches '{path}'.", "Check the pattern; it is read from the current folder.")


def _is_folder(path: str | Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112  (Path.is_dir raises where a folder above may not be read)


def _below(folder: Path, endings: Collection[str]) -> list[Path]:
    wanted = tuple(ending.lower() + more for ending in endings for more in ("", ".gz"))
    files: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(place, name) for name in names if name.lower().endswith(wanted) and not name.startswith(".")]
    if not files:
        raise BadInput(
            f"{folder} has no files that end in {', '.join(sorted(endings))}.",
            "Give another folder, or the files themselves.",
        )
    return sorted(files)


def _check_file(path: Path) -> None:
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            path.open("rb").close()
            return
    except FileNotFoundError as error:
        what = "is a link to a file that is not there" if path.is_symlink() else "does not exist"
        raise BadInput(f"{path} {what}.", "Check the path.") from error
    except OSError as error:
        _refuse(error, path)
    raise BadInput(f"{path} is no ordinary file.", "A file is read more than once: write it to one, and give that.")


def _refuse(error: OSError, path: Path | None = None) -> NoReturn:
    raise BadInput(
        f"{path or error.filename} cannot be read: {error.strerror or error}", "Check the path and its permissions."
    ) from error


def plain_path(path: Path) -> Path:
    """The path without `.gz`."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path
