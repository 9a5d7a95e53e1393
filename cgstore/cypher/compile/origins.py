"""Which sources the elements of a call come from, where they may come from several: counted in the same statement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cgstore.cypher.compile.context import CompileContext
from cgstore.cypher.compile.pattern import Pattern
from cgstore.query.operators import CallOutput, Plan
from cgstore.query.sources import MOST_LISTED
from cgstore.text.names import SEPARATOR, source_name

SHOWN = 3
"""How many elements of a source are named."""

SUMMED_TWICE = ("sum", "mean")
"""What counts an element once for each fact that gives it."""


HINT = "To ask one source alone, write source='{}' into the call."
HINT_OF_TYPE = "To ask one source alone, write a query with source='...' for the type, or give --source."


class Origin(NamedTuple):
    """A source of a call's elements: how many of them it has, and some of these."""

    source: str
    size: int
    some: tuple[str, ...]


def returned_by_source(
    pattern: Pattern, names: tuple[str, str, str | None], carries: str | None, facts: str | None = None
) -> list[str]:
    """The end of a search's subquery: its distinct elements, their sources, and what carries them.

    Args:
        pattern: what is bound.
        names: of the elements, the sources and the carriers; no carriers are wanted where that is None.
        carries: the variable of the carriers; None: the nodes themselves.
        facts: what the number of facts found is to be called, if that is wanted.
    """
    output, sources, carriers = names
    own = ["collect(DISTINCT " + pattern.find + ") AS own"]
    own += [f"collect(DISTINCT {carries}) AS carried"] if carriers and carries else []
    own += ["count(f) AS found"] if facts else []
    every = [_some("own") + f" AS {sources}", "collect(own) AS owns"]
    every += [f"sum(found) AS {facts}"] if facts else []
    every += ["collect(carried) AS carrieds"] if carriers and carries else []
    lines = [f"WITH {pattern.holder}.source AS source, {', '.join(own)}", f"WITH {', '.join(every)}"]
    lines += _flat("owns", "collect(DISTINCT x)", output)
    if carriers and carries:
        lines += _flat("carrieds", "collect(x)", carriers)
    elif carriers:
        lines += [
            f"CALL ({output}) {{",
            f"  UNWIND {output} AS x",
            "  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)",
            f"  RETURN collect(n) AS {carriers}",
            "}",
        ]
    return [*lines, f"RETURN {', '.join([output, sources, *(name for name in (carriers, facts) if name)])}"]


def sources_of_rows(number: int, scope: CompileContext) -> list[str]:
    """The subquery that finds the sources of a step's elements by their keys: those of rows, relations and keys."""
    output = f"q{number + 1}"
    scope.values["separator"] = SEPARATOR
    return [
        f"CALL ({output}) {{",
        f"  UNWIND {output} AS element",
        "  WITH toStringOrNull(element) AS x",
        f"  WITH x, split(x, $separator)[0] AS source WHERE x CONTAINS $separator AND source IN {scope.sources()}",
        "  WITH source, collect(x) AS own",
        f"  RETURN {_some('own')} AS s{number + 1}",
        "}",
    ]


def sources_of_values(found: str, name: str) -> list[str]:
    """The subquery that finds the sources of values by the relationships that have them."""
    return [
        f"CALL ({found}) {{",
        f"  UNWIND {found} AS f",
        "  WITH f.source AS source, collect(DISTINCT f.node2) AS own",
        f"  RETURN {_some('own')} AS {name}",
        "}",
    ]


def _some(own: str) -> str:
    return f"collect([source, size({own}), {own}[..{SHOWN}]])"


def _flat(lists: str, collected: str, name: str) -> list[str]:
    return [
        f"CALL ({lists}) {{",
        f"  UNWIND {lists} AS each",
        "  UNWIND each AS x",
        f"  RETURN {collected} AS {name}",
        "}",
    ]


def read_origins(rows: Iterable[Sequence[Any]]) -> dict[int, tuple[Origin, ...]]:
    """The sources of the elements of each search, as the statement returned them."""
    return {
        step: tuple(Origin(source, count, tuple(sorted(map(_shown, some)))) for source, count, some in found)
        for step, found in rows
    }


def _shown(element: Any) -> str:
    if isinstance(element, list):
        return " | ".join(map(str, element))
    prefix, hashed, _ = str(element).partition(SEPARATOR * 2)
    return f"{prefix}..." if hashed else str(element).split(SEPARATOR)[-1]


def mixed(plan: Plan, origins: Mapping[int, tuple[Origin, ...]], sizes: Sequence[int]) -> list[str]:
    """A sentence for each call whose elements come from several sources, and are not the same in each."""
    calls: dict[int, list[CallOutput]] = {}
    for each in plan.mixing:
        calls.setdefault(each.call, []).append(each)
    sentences = []
    for searches in calls.values():
        query, summed = searches[0].query, searches[0].summed
        found = _together(origin for each in searches for origin in origins.get(each.step, ()))
        same = len(searches) == 1 and all(origin.size == sizes[searches[0].step] for origin in found)
        if len(found) < 2 or (same and summed not in SUMMED_TWICE):
            continue
        told = f"{f'Query {query}' if query else 'The type in braces'} found {_listed(found)}"
        told += f", and its {summed} is of all of these" if summed else ""
        sentences.append(f"{told}. {HINT.format(found[0].source) if query else HINT_OF_TYPE}")
    return sentences


def _together(origins: Iterable[Origin]) -> list[Origin]:
    found: dict[str, Origin] = {}
    for source, count, some in origins:
        name = source_name(source)
        before = found.get(name, Origin(name, 0, ()))
        found[name] = Origin(name, before.size + count, tuple(dict.fromkeys((*before.some, *some))))
    return [found[name] for name in sorted(found)]


def _listed(origins: Sequence[Origin]) -> str:
    parts = []
    for source, count, some in origins[:MOST_LISTED]:
        more = ", ..." if count > len(some[:SHOWN]) else ""
        parts.append(f"{count:,} in '{source}' ({', '.join(some[:SHOWN])}{more})")
    if len(origins) > MOST_LISTED:
        parts.append(f"others in {len(origins) - MOST_LISTED:,} more sources")
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
