"""A statement run block by block: each of its subqueries as a statement of its own, in one transaction.

Neo4j plans each new text, which takes 0.1 to 0.9 s for a whole program and next to nothing for a text that it has
planned before. Programs differ, but the blocks that they are made of are few: with their variables and parameters
numbered in order of use, the blocks of a new program are mostly texts that the server knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cgstore.cypher.compile.statement import Statement
from cgstore.cypher.connection import Database
from cgstore.cypher.freshness import AS_MAPPED

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

MOST_ELEMENTS = 2_000
"""Most elements of a step that are passed from one block to the next; with more, the statement runs as a whole."""

_NUMBERED = re.compile(r"\$?\b(?:[a-z]|covalues|unread|coarse|tied|facts|low|high|lost|size|alike|unmet)\d+(?:_\d+)?\b")
"""The variables and parameters whose numbers depend on where in a program their block stands."""

_ELEMENTS = re.compile(r"[qt]\d+")
"""Outputs that are the elements of a step, or stretches of them."""

_ENTITIES = re.compile(r"[aecm]\d+")
"""Outputs that are lists of relationships, or of nodes: evidence, and the carriers of a step's elements."""

_STEP_OF_NOTE = re.compile(r"\[(\d+), '")
_PARAMETER = re.compile(r"\$(\w+)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class _TooLong(Exception):
    """A step has more elements than are passed from block to block."""


def run_by_block(db: Database, statement: Statement, timeout: float) -> dict[str, Any] | None:
    """The row that the statement gives as a whole, or None where a step has more than `MOST_ELEMENTS`.

    Args:
        db: the database.
        statement: from `compile_plan`.
        timeout: seconds for all blocks together.

    Raises:
        QueryFailed: time or memory ran out.
        NoDatabase: the connection was lost.
    """
    try:
        return db.read_transaction(lambda transaction: _Run(transaction, statement).row(), timeout)
    except _TooLong:
        return None


class _Run:
    """One run of a statement; `bound` has the variables that its blocks have bound so far."""

    def __init__(self, transaction: ManagedTransaction, statement: Statement) -> None:
        self.transaction, self.statement = transaction, statement
        self.bound: dict[str, Any] = {}

    def row(self) -> dict[str, Any]:
        statement, bound = self.statement, self.bound
        for imports, body in _blocks(statement.lines):
            bound |= self.block(imports, body, _outputs(body))
        steps = [self.elements(number) for number in range(statement.steps)]
        sizes = [bound.get(f"size{number + 1}", len(step)) for number, step in enumerate(steps)]
        return {
            "answer": bound["answer"],
            **({"numbers": bound["numbers"]} if "numbers" in bound else {}),
            "total": sizes[statement.counted],
            "sizes": [-1 if number in statement.repeated else size for number, size in enumerate(sizes)],
            "steps": [step[: statement.parameters["shown"]] for step in steps],
            "notes": [self.note(note) for note in statement.notes],
            "origins": [[step, bound[f"s{step + 1}"]] for step in statement.mixing],
            "evidence": bound.get("evidence", []),
            "as_mapped": self.run(f"{AS_MAPPED}\nRETURN as_mapped", statement.parameters)["as_mapped"],
        }

    def elements(self, number: int) -> list[Any]:
        """The elements of a step; of stretches of times the first and the last of each."""
        if number in self.statement.stretched and f"t{number + 1}" in self.bound:
            return [[stretch["first"], stretch["last"]] for stretch in self.bound[f"t{number + 1}"]]
        found: list[Any] = self.bound.get(f"q{number + 1}", [])
        return found

    def note(self, note: str) -> list[Any]:
        """A note, `[step, ...]`; the number of the step stays out of the text, so that notes of two steps share it."""
        step = _STEP_OF_NOTE.search(note)
        assert step, "every note begins with the number of its step"
        text = _STEP_OF_NOTE.sub("['", note)
        imports = [name for name in dict.fromkeys(_NUMBERED.findall(text)) if name in self.bound]
        return [int(step[1]), *self.block(imports, [f"RETURN {text} AS note"], ["note"])["note"]]

    def block(self, imports: Sequence[str], body: Sequence[str], outputs: Sequence[str]) -> dict[str, Any]:
        """What a block binds, given what blocks before it have bound."""
        numbers: dict[str, str] = {}

        def renumber(found: re.Match[str]) -> str:
            stem = found[0].rstrip("_0123456789")
            return numbers.setdefault(found[0], f"{stem}{len(numbers) + 1}")

        inner = _NUMBERED.sub(renumber, "\n".join(body))
        name = {each: _NUMBERED.sub(renumber, each) for each in (*imports, *outputs)}
        opening = [line for each in imports for line in _importing(name[each], each, self.bound[each])]
        call = f"CALL ({', '.join(name[each] for each in imports)}) {{"
        returned = "RETURN " + ", ".join(_exported(name[each], each, self.statement.has_maps) for each in outputs)
        given = {
            _NUMBERED.sub(renumber, f"${each}")[1:]: self.statement.parameters[each]
            for each in dict.fromkeys(_PARAMETER.findall("\n".join(body)))
        }
        given |= {f"in_{name[each]}": self.bound[each] for each in imports}
        row = self.run("\n".join([*opening, call, inner, "}", returned]), given | {"most": MOST_ELEMENTS, "any": None})
        if any(row[name[each]] is None for each in outputs):
            raise _TooLong
        return {each: row[name[each]] for each in outputs}

    def run(self, text: str, parameters: dict[str, Any]) -> dict[str, Any]:
        return self.transaction.run(text, parameters).single(strict=True).data()


def _blocks(lines: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The variables that each subquery imports, and the lines of its body."""
    body: list[str] = []
    for line in lines:
        if line.startswith("CALL ("):
            imports = [name for name in line.removeprefix("CALL (").removesuffix(") {").split(", ") if name]
            body = []
        elif line == "}":
            yield imports, body
        else:
            body.append(line.removeprefix("  "))


def _outputs(body: Sequence[str]) -> list[str]:
    """The names that the last RETURN of a body gives."""
    last = max(place for place, line in enumerate(body) if line.startswith("RETURN "))
    text = " ".join([body[last].removeprefix("RETURN "), *(line.strip() for line in body[last + 1 :])])
    names, open_ = [], []
    expression = ""
    for character in f"{text},":
        if character in _CLOSING:
            open_.append(_CLOSING[character])
        elif open_ and character == open_[-1]:
            open_.pop()
        if character == "," and not open_:
            names.append(expression.rsplit(" AS ", 1)[-1].strip())
            expression = ""
        else:
            expression += character
    return names


def _importing(name: str, kind: str, value: Any) -> list[str]:
    """The lines that bind a variable to its parameter, entities by their ids; `kind` is its name elsewhere."""
    if not _ENTITIES.fullmatch(kind):
        return [f"CALL () {{ RETURN $in_{name} AS {name} }}"]
    kinds = {is_node for _, is_node in value}
    if kinds <= {False} or kinds == {True}:
        pattern = "(e)" if True in kinds else "()-[e]->()"
        found = [f"  MATCH {pattern} WHERE elementId(e) = entity[0]"]
    else:
        found = [
            "  CALL (entity) {",
            "    WITH * WHERE entity[1] MATCH (e) WHERE elementId(e) = entity[0] RETURN e",
            "    UNION ALL",
            "    WITH * WHERE NOT entity[1] MATCH ()-[e]->() WHERE elementId(e) = entity[0] RETURN e",
            *(["    UNION ALL", "    WITH * WHERE entity[1] IS NULL RETURN entity[0] AS e"] if None in kinds else []),
            "  }",
        ]
    return ["CALL () {", f"  UNWIND $in_{name} AS entity", *found, f"  RETURN collect(e) AS {name}", "}"]


def _exported(name: str, kind: str, has_maps: bool = False) -> str:
    """The expression that returns an output, null where it is too long; `kind` is its name elsewhere.

    An entity is a pair, its element id and whether it is a node. `$any`, which is null, keeps Cypher from taking a list
    of both nodes and relationships for one of maps, which have no element id. A time within a period is a map, and the
    pair then has the map itself, and null.
    """
    if _ENTITIES.fullmatch(kind):
        pair = "[elementId(coalesce($any, e)), e IS :: NODE NOT NULL]"
        if has_maps:
            pair = f"CASE WHEN e IS :: MAP NOT NULL THEN [e, null] ELSE {pair} END"
        entities = f"[e IN {name} | {pair}]"
        return f"CASE WHEN size({name}) <= $most THEN {entities} END AS {name}"
    if _ELEMENTS.fullmatch(kind):
        return f"CASE WHEN size({name}) <= $most THEN {name} END AS {name}"
    return name
