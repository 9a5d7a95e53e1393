"""Facts from Python and from JSON: what a change takes in, checked against its source."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from cgstore.catalog.kinds import kind_named
from cgstore.change.operations import naming
from cgstore.change.stated import AnyFact
from cgstore.errors import BadInput
from cgstore.loaders.readers.records import BadLine
from cgstore.loaders.statements import statement_of_json
from cgstore.loaders.tkg import fact_of_json
from cgstore.loaders.tkg_notes import TimeNotes
from cgstore.loaders.tkg_stage import Fact
from cgstore.model import Source

_PARTS = ("head", "relation", "tail", "start", "end")


def facts_of(source: Source, given: Iterable[Any], notes: TimeNotes) -> list[AnyFact]:
    """The facts of a source that Python objects state.

    These are tuples (head, relation, tail) or (head, relation, tail, start, end), or mappings with these keys; of
    statements also with `qualifiers`, a mapping. An end may be left out, empty, or `present`. `notes` counts times that
    are read by a rule.
    """
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise BadInput("`facts` is not several facts.", "Give a list of tuples (head, relation, tail, ...).")
    facts = []
    for number, one in enumerate(given, 1):
        with naming(f"Fact {number}"):
            facts.append(fact_of_text(source, _text(one), notes))
    return facts


def fact_of_text(source: Source, text: str, notes: TimeNotes) -> AnyFact:
    """The fact of a JSON object; `notes` counts times that are read by a rule."""
    if kind_named(source.kind).has_rows:
        raise BadInput(f"'{source.name}' is a table.", "Append rows: `cgstore load table FILE --append`.")
    is_temporal = kind_named(source.kind).has_times
    fact = fact_of_json(1, text, notes) if is_temporal else statement_of_json(1, text)
    if isinstance(fact, BadLine):
        name = "" if fact.name in fact.problem else f"{fact.name}: "
        raise BadInput(f"{name}{fact.problem}, in {text[:200]}", "Nothing was changed by it.")
    if isinstance(fact, Fact):  # one without an end is open where the source has facts with ends, and else an event
        is_open = fact.is_open or (not fact.has_end and bool(source.ends))
        return fact._replace(is_open=is_open, has_end=not is_open)
    return fact


def _text(one: Any) -> str:
    if isinstance(one, Mapping):
        return json.dumps({str(name): value for name, value in one.items() if value is not None}, default=str)
    if isinstance(one, str) or not isinstance(one, Iterable):
        raise BadInput(
            f"this is of the type {type(one).__name__}, which is no fact.",
            "Give a tuple (head, relation, tail, ...) or a dict.",
        )
    parts = ["" if part is None else str(part) for part in one]
    if not 3 <= len(parts) <= len(_PARTS):
        raise BadInput(f"this has {len(parts)} parts.", "Give head, relation, tail; and perhaps start, end.")
    return json.dumps(dict(zip(_PARTS, parts, strict=False)))
