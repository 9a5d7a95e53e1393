"""RE-Net's folder layout of a temporal knowledge graph: names and facts in files of their own, joined by numbers.

`entity2id.txt` and `relation2id.txt` hold a name and its id a line, separated by a tab (more columns are passed over),
perhaps after a line with their count. `train.txt`, `valid.txt` and `test.txt` hold `head relation tail time`, four
whole numbers, perhaps with a fifth that is 0 or -1. The time is taken as a year, whatever it counts: so ICEWS's hours
and days keep their order and distances.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.loaders.clean_names import CleanName, clean_name
from cgstore.loaders.readers.encoding import MAX_LINE, CutLine, find_decoding
from cgstore.loaders.readers.rows import BadLine, field_problem
from cgstore.loaders.statement import Fact
from cgstore.text.dates import Moment

TABLES = ("entity2id.txt", "relation2id.txt")
PARTS = ("train.txt", "valid.txt", "test.txt")

_COLUMNS = ("head", "relation", "tail", "time")
_ID = re.compile(r"[0-9]{1,12}")
_TIME = re.compile(r"-?[0-9]{1,12}")
_UNUSED = ("0", "-1")


def is_ids_folder(path: Path) -> bool:
    """Whether a path is a folder with both tables, plain or .gz, and at least one part."""
    return all(_found(path, name) for name in TABLES) and any(_found(path, name) for name in PARTS)


def read_ids(path: Path, *, warnings: list[str] | None = None) -> Iterator[Fact | BadLine]:
    """Streams the facts of train, valid and test, in this order, by the names of their tables.

    Names are cleaned (see `cgstore.loaders.clean_names`): `<Getafe_CF>` is Getafe CF. Of ids whose names are equal
    then, the smallest keeps it, and another gets its uncleaned name behind it, or its id. `line` is where a fact stands
    in its part, and the problem of a `BadLine` begins with the part's name. The tables are held in memory.

    Args:
        path: the folder.
        warnings: gets sentences about what was read but looks odd.

    Raises:
        BadInput: a file is missing or cannot be read, or a line of a table is not a name and its id.
    """
    for name in TABLES:
        if not _found(path, name):
            raise BadInput(
                f"{path} has no {name}.",
                f"The folder holds {', '.join(TABLES)}, and one or more of {', '.join(PARTS)}.",
            )
    said = [] if warnings is None else warnings
    entities, relations = (_names(_found(path, name) or path / name, said) for name in TABLES)
    parts = [part for name in PARTS if (part := _found(path, name))]
    if not parts:
        raise BadInput(f"{path} has no facts.", f"The folder holds one or more of {', '.join(PARTS)}.")
    for part in parts:
        for line, text in _lines(part):
            yield _fact(part.name, line, text, entities, relations)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for number, line in enumerate(find_decoding(path, strict=False).lines(), 1):
        if isinstance(line, CutLine):
            raise BadInput(f"{path}:{number}: a line longer than {MAX_LINE:,} characters.", "Is this text?")
        if not line.isspace():
            yield number, line.rstrip("\r\n")


def _found(folder: Path, name: str) -> Path | None:
    places = (folder / name, folder / f"{name}.gz")
    return next((path for path in places if os.path.isfile(path)), None)  # noqa: PTH113  (Path.is_file may raise)


def _names(path: Path, warnings: list[str]) -> dict[int, str]:
    """The names of a table by their ids."""
    raw: dict[int, str] = {}
    first = True
    for line, text in _lines(path):
        fields = [field.strip() for field in (text.split("\t") if "\t" in text else text.rsplit(None, 1))]
        if first and len(fields) == 1 and _ID.fullmatch(fields[0]):
            first = False  # a count
            continue
        first = False
        problem = field_problem(text) or _table_problem(fields)
        if problem is None and raw.setdefault(int(fields[1]), fields[0]) != fields[0]:
            problem = f"id {fields[1]} is that of '{raw[int(fields[1])][:60]}' already"
        if problem:
            raise BadInput(f"{path}:{line}: {problem}.", "A line holds a name, a tab and the name's id.")
    return _distinct_names(path, raw, warnings)


def _table_problem(fields: list[str]) -> str | None:
    if len(fields) < 2:
        return "no name and id"
    if not fields[0] or not clean_name(fields[0]).name:
        return "the name is empty"
    if not _ID.fullmatch(fields[1]):
        return f"'{fields[1][:60]}' is not an id"
    return field_problem(clean_name(fields[0]).name)


def _distinct_names(path: Path, raw: dict[int, str], warnings: list[str]) -> dict[int, str]:
    """A clean name for each id, none twice."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    example = ""
    for number in sorted(raw):
        found: CleanName = clean_name(raw[number])
        name = found.name
        if name in taken:
            name = f"{name} ({raw[number] if raw[number] != name else number})"
            while name in taken:
                name = f"{name} ({number})"
            example = example or name
        taken.add(name)
        names[number] = name
    if example:
        warnings.append(f"{path}: different ids have names that are equal once cleaned; one is now called '{example}'.")
    return names


def _fact(part: str, line: int, text: str, entities: dict[int, str], relations: dict[int, str]) -> Fact | BadLine:
    """The fact of a line, or what is wrong with it, with the column where it is wrong."""
    fields = text.split()
    if found := field_problem(text):
        return BadLine(line, 0, "", f"in {part}: {found}", text)
    names: list[str] = []
    for place, (column, table) in enumerate(zip(_COLUMNS, (entities, relations, entities, None), strict=True)):
        problem = ""
        if place >= len(fields):
            problem = "missing"
        elif not (_ID if table is not None else _TIME).fullmatch(fields[place]):
            problem = f"'{fields[place][:60]}' is not a whole number"
        elif table is not None and int(fields[place]) not in table:
            problem = f"no {'relation' if table is relations else 'entity'} has the id {fields[place]}"
        if problem:
            return BadLine(line, place + 1, column, f"in {part}: {problem}", text)
        names += [] if table is None else [table[int(fields[place])]]
    if len(fields) > 5 or (len(fields) == 5 and fields[4] not in _UNUSED):
        problem = f"'{fields[4][:60]}' where 0 or nothing is expected" if len(fields) == 5 else "more than 5 columns"
        return BadLine(line, 5, "", f"in {part}: {problem}", text)
    moment = Moment(int(fields[3]))
    return Fact(names[0], names[1], names[2], moment, moment, line)
