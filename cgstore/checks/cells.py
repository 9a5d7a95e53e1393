"""What contradicts itself in values: rows that are there twice, keys that are not unique, values of another kind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter

from cgstore.checks.report import SHOWN, Finding, FindingKind, Findings
from cgstore.checks.stage import CheckStage
from cgstore.errors import setting
from cgstore.model import ROW_NUMBER, Source
from cgstore.text.columns import is_missing
from cgstore.text.kinds import ValueKind, read_as
from cgstore.text.names import normal_form
from cgstore.text.roles import NUMBERING

UNIQUE, ROWS = 0.9, 10
"""Share of the rows, at least, that have a value of their own in a column that is a key; and the rows that show it."""

SURELY_UNIQUE, MANY_ROWS = 0.99, 100
"""The same for a column that neither is the first one nor is called an identifier."""

FITTING = 0.9
"""Share of a relation's values, at least, that are of its kind, where others are worth a look."""

_TABLES = """
CREATE TABLE row (hash BLOB, head TEXT, number INTEGER);
CREATE TABLE twin (head TEXT PRIMARY KEY) WITHOUT ROWID;
"""

_TWINS = """
SELECT hash, head FROM row WHERE hash IN (SELECT hash FROM row GROUP BY hash HAVING count(*) > 1)
ORDER BY hash, number
"""

_COUNTS = """
SELECT relation, count(*), count(DISTINCT tail) FROM fact
WHERE relation IN (SELECT name FROM checked) AND head NOT IN twin AND trim(tail) <> '' GROUP BY relation
"""

_REPEATED = """
SELECT tail, head FROM fact WHERE relation = ?1 AND head NOT IN twin AND trim(tail) <> '' AND tail IN (
  SELECT tail FROM fact WHERE relation = ?1 AND head NOT IN twin GROUP BY tail HAVING count(*) > 1
) ORDER BY tail, length(head), head
"""

_VALUES = "SELECT head, tail FROM fact WHERE relation = ? ORDER BY length(head), head, tail"


def _from_file() -> str:
    return f"Mend it in the input, and load that again with {setting('replace', True)}."


def equal_rows(stage: CheckStage, limit: int) -> Findings:
    """Rows of a table that are equal in every column. The later ones are left out by `repeated_keys`."""
    stage.sql.executescript(_TABLES)
    stage.sql.executemany("INSERT INTO row VALUES (?, ?, ?)", _hashed(stage))
    found = Findings(limit)
    for _, twins in groupby(stage.sql.execute(_TWINS), itemgetter(0)):
        heads = [head for _, head in twins]
        stage.sql.executemany("INSERT INTO twin VALUES (?)", [(head,) for head in heads[1:]])
        found.add(len(heads), partial(_equal, stage, heads))
    return found


def _hashed(stage: CheckStage) -> Iterator[tuple[bytes, str, int]]:
    for number, (head, facts) in enumerate(groupby(stage.facts(lines=True), lambda fact: fact.head)):
        cells = [(fact.relation, fact.tail) for fact in facts if fact.relation != ROW_NUMBER]
        yield blake2b(json.dumps(cells).encode(), digest_size=16).digest(), head, number


def _equal(stage: CheckStage, heads: Sequence[str]) -> Finding:
    cells = stage.sql.execute("SELECT relation, tail FROM fact WHERE head = ? ORDER BY rowid", (heads[0],))
    shown = ", ".join(f"{relation} = {tail}" for relation, tail in cells if relation != ROW_NUMBER)
    return Finding(FindingKind.ROWS, "", f"{_rows(heads)} are equal in every column.", (shown,), next=(_from_file(),))


def repeated_keys(stage: CheckStage, source: Source, kinds: dict[str, str], limit: int) -> Findings:
    """Values that two rows have in a column whose values are otherwise unique."""
    found = Findings(limit)
    columns = [column for column in source.columns if column != ROW_NUMBER]
    for column, cells, different in list(stage.sql.execute(_COUNTS)):
        if column != ROW_NUMBER and different < cells and _is_key(column, columns, kinds, cells, different):
            why = f"of {cells:,} rows, {different:,} have different values"
            for value, rows in groupby(stage.sql.execute(_REPEATED, (column,)), itemgetter(0)):
                heads = [head for _, head in rows]
                if not is_missing(value):
                    found.add(len(heads), partial(_repeated, column, value, heads, why))
    return found


def _is_key(column: str, columns: Sequence[str], kinds: dict[str, str], cells: int, different: int) -> bool:
    is_identifier = not NUMBERING.isdisjoint(normal_form(column).split())
    if is_identifier or columns[:1] == [column]:
        return cells >= ROWS and different >= UNIQUE * cells
    return column not in kinds and cells >= MANY_ROWS and different >= SURELY_UNIQUE * cells


def _repeated(column: str, value: str, heads: Sequence[str], why: str) -> Finding:
    text = f"{_rows(heads)} have the same value of '{column}'."
    return Finding(FindingKind.KEY, column, text, (f"{column} = {value}",), because=why, next=(_from_file(),))


def _rows(heads: Sequence[str]) -> str:
    """`Rows 3 and 17`; the name of a line is `[line_3]`."""
    numbers = [head.strip("[]").rpartition("_")[2] for head in heads[:SHOWN]]
    more = f" and {len(heads) - SHOWN:,} more" if len(heads) > SHOWN else f" and {numbers.pop()}"
    return f"Rows {', '.join(numbers)}{more}"


def other_values(stage: CheckStage, kinds: dict[str, str], limit: int, *, has_rows: bool) -> Findings:
    """Values that are not of the kind of nearly all other values of their relation."""
    found = Findings(limit)
    for relation, kind in kinds.items():
        examples: list[tuple[str, str]] = []
        misfits = values = 0
        for head, tail in stage.sql.execute(_VALUES, (relation,)):
            if is_missing(tail):
                continue
            values += 1
            if read_as(ValueKind(kind), tail) is None:
                misfits += 1
                if len(examples) < SHOWN:
                    examples.append((head, tail))
        if 0 < misfits <= (1 - FITTING) * values:
            facts = tuple(_cell(head, relation, tail, has_rows) for head, tail in examples)
            numbers = f"{misfits:,} of {values:,} values of '{relation}' cannot be read as {kind}"
            text = f"{numbers}, and are left out where it is compared or computed with."
            mend = _from_file() if has_rows else "`cgstore facts correct ... --new-tail` mends a fact."
            more = misfits - len(facts)
            found.add(misfits, partial(Finding, FindingKind.VALUES, relation, text, facts, more, next=(mend,)))
    return found


def _cell(head: str, relation: str, tail: str, has_rows: bool) -> str:
    return f"row {head.strip('[]').rpartition('_')[2]}: {tail}" if has_rows else f"{head} | {relation} | {tail}"
