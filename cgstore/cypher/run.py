"""Runs a compiled statement in one READ transaction with a timeout, and reads its one row as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any
from urllib.parse import quote, urlsplit

from cgstore.cypher.compile.context import SHOWN
from cgstore.cypher.compile.origins import Origin, read_origins
from cgstore.cypher.compile.statement import Statement
from cgstore.cypher.connection import READ_TIMEOUT, Database
from cgstore.model import Evidence, Field, Value, row_text
from cgstore.text.dates import Step, merged, period_name, time_name
from cgstore.text.names import source_name

DIGITS = 12
"""Digits of a computed number that are given: 0.1 + 0.2 is 0.3."""

MAX_LINKED = 60
"""Most relationships in a link: a graph of more is not read by eye, as Browser adds all that links the nodes shown."""


_KINDS = "CG_VALUE|CG_PERIOD|CG_WAS_VALUE|CG_WAS_PERIOD"
"""The types of the relationships in a link: a link stays right when a change removes some of them."""


@dataclass(frozen=True)
class Result:
    """What a statement gave: the answer's names (or numbers), what each step held, and the evidence.

    `version` is that of the graph once all was read. `total` is the number of answers before the limit, `sizes` the
    number of elements of each step, `steps` their first elements. `notes` has sentences about
    steps, each with the place of its step. `origins` has the sources of the elements of a step, where
    these may be several. The evidence of the last step comes first, each fact before its times; `ids` has the element
    ids of its relationships, in the same order. `rows` has the fields of each answer, where it has several columns.
    `stretches`: of an answer that the statement gives as stretches of times, the places of the first and the last time
    of each. `evidence_periods`: the evidence with one triple for the times of a stretch, where there are stretches.
    """

    version: int | None
    answer: tuple[str | int | float, ...]
    total: int
    sizes: tuple[int, ...]
    steps: tuple[tuple[Any, ...], ...]
    evidence: tuple[Evidence, ...]
    ids: tuple[str, ...]
    notes: tuple[tuple[int, str], ...] = ()
    rows: tuple[tuple[Field, ...], ...] = ()
    origins: Mapping[int, tuple[Origin, ...]] = field(default_factory=dict)
    stretches: tuple[tuple[int, int], ...] = ()
    evidence_periods: tuple[Evidence, ...] = ()


def execute(db: Database, statement: Statement, timeout: float = READ_TIMEOUT) -> Result:
    """Runs a statement in a READ transaction; what its notes tell is looked up by another one, if they need it.

    Args:
        db: the database.
        statement: from `compile_plan`.
        timeout: seconds before the server stops it.

    Raises:
        QueryFailed: its time or memory ran out.
        NoDatabase: the connection was lost.
    """
    (row,) = db.read(statement.text, statement.parameters, timeout)
    notes = list(_sentences(statement, row))
    if (look_up := statement.look_up) is not None:
        notes += _sentences(look_up, db.read(look_up.text, look_up.parameters, timeout)[0])
    return _result(row, statement, sorted(notes, key=lambda note: note[0]))


def _sentences(statement: Statement, row: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The notes of a statement that tell something, each with its step."""
    for note, found in zip(statement.notes, row.get("notes", ()), strict=True):
        if found and found[0] and (sentence := note.sentence(*found)):
            yield note.step, sentence


def _result(row: dict[str, Any], statement: Statement, notes: Sequence[tuple[int, str]]) -> Result:
    found = _once_each(row.get("evidence", ()))
    each_time = _each_time(found, statement.parameters.get("evidence_limit", 0))
    triples = sorted(each_time, key=lambda triple: triple[:4])
    rows = tuple(_rows(row)) if statement.columns else ()
    times, steps = statement.stretched.get(statement.answer), list(row["steps"])
    for step, of in statement.stretched.items():
        steps[step] = _times(_merged(steps[step]), of, SHOWN)
    stretches = _merged(row["answer"]) if times else ()
    answer = _times(stretches, times, statement.limit) if times else _answer(row, rows)
    return Result(
        version=row["version"],
        answer=tuple(answer),
        stretches=stretches,
        rows=rows,
        total=row["sizes"][statement.counted],
        sizes=tuple(row["sizes"]),
        steps=tuple(tuple(map(_plain, step)) for step in steps),
        evidence=_evidence(triples),
        evidence_periods=_evidence(_in_periods(found)),
        ids=tuple(triple[-1] for triple in triples),
        notes=tuple(notes),
        origins=read_origins(row.get("origins", ())),
    )


def _merged(stretches: Iterable[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Stretches in order, those that touch as one."""
    return tuple(merged(sorted((first, last) for first, last in stretches)))


def _times(stretches: Iterable[tuple[int, int]], step: Step, limit: int) -> list[str]:
    """The first of the times in stretches."""
    places = chain.from_iterable(range(first, last + 1) for first, last in stretches)
    return [time_name(place, step) for place in islice(places, limit)]


def _once_each(lists: Iterable[Sequence[Sequence[Any]]]) -> list[tuple[Any, ...]]:
    """The relationships of the evidence, each with the place of the first list that has it, in the order of these."""
    once: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for rank, found in enumerate(lists):
        for parts in found:
            node2 = parts[2]
            once.setdefault((parts[-1], *(node2 if isinstance(node2, list) else [node2])), (rank, *parts))
    return list(once.values())


def _each_time(rows: Iterable[Sequence[Any]], limit: int) -> Iterator[tuple[Any, ...]]:
    """The triples of the evidence: each time of a stretch has one, up to the limit for each step."""
    made, seen = Counter[int](), set[tuple[str, str]]()
    for rank, condition, node1, node2, source, element_id in rows:
        names = [node2]
        if isinstance(node2, list):
            first, last, step = node2
            names = _times([(first, last)], Step(step), limit - made[rank])
        for name in names:
            if (element_id, name) not in seen:
                seen.add((element_id, name))
                made[rank] += isinstance(node2, list)
                yield rank, condition, node1, name, source, element_id


def _in_periods(rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    """The same triples with one for the times of a stretch; nothing where no stretch has several times."""
    stretches: dict[tuple[int, str], list[Sequence[Any]]] = {}
    for row in rows:
        if isinstance(row[3], list):
            stretches.setdefault((row[0], row[-1]), []).append(row)
    shown, found = set[tuple[int, int, str]](), [row for row in rows if not isinstance(row[3], list)]
    for (rank, element_id), of_period in stretches.items():
        _, condition, node1, (*_, step), source, _ = of_period[0]
        for first, last in _merged(row[3][:2] for row in of_period):
            if (first, last, element_id) not in shown:  # else a step before had it
                shown.add((first, last, element_id))
                name = period_name(first, last, Step(step))
                found.append((rank, condition, node1, name, source, element_id))
    is_long = any(last > first for first, last, _ in shown)
    return sorted(found, key=lambda row: list(row[:4])) if is_long else []


def _evidence(triples: Iterable[Sequence[Any]]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(str(node1), str(node2), tuple(condition), source_name(source))
        for _, condition, node1, node2, source, _ in triples
    )


def _answer(row: dict[str, Any], rows: Sequence[Sequence[Field]]) -> Iterable[Value]:
    """The answer's values: of a set with numbers its elements, of records the text of each."""
    if rows and not row.get("numbers"):
        return map(row_text, rows)
    return dict.fromkeys(_plain(value) for value in row["answer"])  # relations of one name are one


def _rows(row: dict[str, Any]) -> Iterator[tuple[Field, ...]]:
    """The fields of each answer: those of a fact or record, or an element and its number."""
    if numbers := row.get("numbers"):
        pairs = zip(row["answer"], numbers, strict=True)
        yield from ((_plain(name), _plain(number if text is None else text)) for name, (number, text) in pairs)
        return
    for fields in row["answer"]:
        yield tuple(_field(field) for field in fields)


def _field(values: Any) -> Field:
    """One field: null where it has no value, a tuple where it has several."""
    plain = tuple(map(_plain, values)) if isinstance(values, list) else (_plain(values),)
    return None if not plain else plain[0] if len(plain) == 1 else plain


def _plain(value: Any) -> str | int | float:
    """A name as it is, a number as people write it, a fact as `head | relation | tail`."""
    if isinstance(value, list):
        return " | ".join(map(str, value))
    if isinstance(value, float):
        rounded = float(f"{value:.{DIGITS}g}")
        return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded
    assert isinstance(value, str | int | float)
    return value


def browser_link(http: str, uri: str, user: str, ids: Sequence[str]) -> str:
    """The address of Neo4j Browser with the evidence of an answer as a graph.

    Browser fills its editor with the statement and waits for the user to run it. The link holds element ids of the
    server, never a name from the data. A comment in the statement says where only some of the evidence is shown.

    Args:
        http: where the server's HTTP port answers, such as `http://127.0.0.1:7474`.
        uri: the Bolt address that Browser should connect to.
        user: the user name to fill in.
        ids: element ids of the relationships to show.
    """
    ids = list(dict.fromkeys(ids))  # the times of a period have one relationship
    shown = ", ".join(f"'{i}'" for i in ids[:MAX_LINKED] if i.replace(":", "").replace("-", "").isalnum())
    cut = (
        f"// The first {MAX_LINKED} of {len(ids):,} triples, those of the last step first\n"
        if len(ids) > MAX_LINKED
        else ""
    )
    statement = (
        f"{cut}MATCH p = (node1)-[r:{_KINDS}]->(node2) WHERE elementId(r) IN [{shown}] "
        "OPTIONAL MATCH q = (:CgNode {key: r.head})-[:CG_HAS|CG_WAS_HAS]->(node1) RETURN p, q"
    )
    address = f"{urlsplit(uri).scheme}://{user}@{urlsplit(uri).netloc}"
    return f"{http}/browser/?connectURL={quote(address, safe='')}&cmd=edit&arg={quote(statement, safe='')}"
