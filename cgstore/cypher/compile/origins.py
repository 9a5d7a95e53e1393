"""Where the elements of a search come from: their sources, and what an answer tells of those that mix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cgstore.cypher.compile.context import SEEK_NODE, Block, CompileContext, call_lines
from cgstore.cypher.compile.pattern import Pattern
from cgstore.errors import as_called
from cgstore.query.functions import OF_ALL_FACTS
from cgstore.query.plan import CallOutput, Plan
from cgstore.query.sources import MOST_LISTED
from cgstore.text.names import SEPARATOR, source_name

NAMED = 3
"""How many elements of a source, columns or examples a sentence names."""

HINT = "To ask one source alone, write source='{}' into the call."
HINT_OF_OPTION = "To ask one source alone, give --source."
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
        names: the variables for the elements, the sources and the carriers; None where no carriers are wanted.
        carries: the variable of the carriers; None where the nodes themselves carry the elements.
        facts: the variable for the number of facts found, if that is wanted.
    """
    output, sources, carriers = names
    own = ["collect(DISTINCT " + pattern.find + ") AS own"]
    own += [f"collect(DISTINCT {carries}) AS carried"] if carriers and carries else []
    own += ["count(f) AS found"] if facts else []
    every = [f"{_OF_SOURCE} AS {sources}", "collect(own) AS owns"]
    every += [f"sum(found) AS {facts}"] if facts else []
    every += ["collect(carried) AS carrieds"] if carriers and carries else []
    lines = [f"WITH {pattern.holder}.source AS source, {', '.join(own)}", f"WITH {', '.join(every)}"]
    lines += _flat("owns", f"collect(DISTINCT x) AS {output}")
    if carriers and carries:
        lines += _flat("carrieds", f"collect(x) AS {carriers}")
    elif carriers:
        lines += call_lines([output], [f"UNWIND {output} AS x", SEEK_NODE, f"RETURN collect(n) AS {carriers}"])
    return [*lines, f"RETURN {', '.join([output, sources, *(name for name in (carriers, facts) if name)])}"]


_OF_SOURCE = f"collect([source, size(own), own[..{NAMED}]])"


def _flat(lists: str, collected: str) -> list[str]:
    return call_lines([lists], [f"UNWIND {lists} AS each", "UNWIND each AS x", f"RETURN {collected}"])


def sources_of_rows(number: int, context: CompileContext) -> Block:
    """The block that finds the sources of a step's elements by their keys: those of rows, relations and keys."""
    output = f"q{number + 1}"
    context.values["separator"] = SEPARATOR
    is_owned = f"x CONTAINS $separator AND source IN {context.sources()}"
    body = [
        f"UNWIND {output} AS element",
        "WITH toStringOrNull(element) AS x",
        f"WITH x, split(x, $separator)[0] AS source WHERE {is_owned}",
        "WITH source, collect(x) AS own",
        f"RETURN {_OF_SOURCE} AS s{number + 1}",
    ]
    return Block([output], body)


def sources_of_values(found: str, name: str) -> list[str]:
    """The subquery that finds the sources of values by the relationships that have them."""
    own = "WITH f.source AS source, collect(DISTINCT f.node2) AS own"
    return call_lines([found], [f"UNWIND {found} AS f", own, f"RETURN {_OF_SOURCE} AS {name}"])


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


def mixing_sentences(plan: Plan, origins: Mapping[int, tuple[Origin, ...]], sizes: Sequence[int]) -> list[str]:
    """A sentence for each call whose elements come from several sources, and are not the same in each."""
    calls: dict[int, list[CallOutput]] = {}
    for each in plan.mixing:
        calls.setdefault(each.call, []).append(each)
    sentences = []
    for searches in calls.values():
        query, summed = searches[0].query, searches[0].summed
        found = _by_source(origin for each in searches for origin in origins.get(each.step, ()))
        is_same = len(searches) == 1 and all(origin.size == sizes[searches[0].step] for origin in found)
        if len(found) < 2 or (is_same and summed not in OF_ALL_FACTS):
            continue
        sentence = f"{f'Query {query}' if query else 'The type in braces'} found {_listed(found)}"
        sentence += f", and its {summed} is of all of these" if summed else ""
        hint = as_called(HINT_OF_OPTION if query else HINT_OF_TYPE)
        if query and searches[0].takes_source:
            hint = HINT.format(found[0].source)
        sentences.append(f"{sentence}. {hint}")
    return sentences


def _by_source(origins: Iterable[Origin]) -> list[Origin]:
    found: dict[str, Origin] = {}
    for source, count, some in origins:
        name = source_name(source)
        before = found.get(name, Origin(name, 0, ()))
        found[name] = Origin(name, before.size + count, tuple(dict.fromkeys((*before.some, *some))))
    return [found[name] for name in sorted(found)]


def _listed(origins: Sequence[Origin]) -> str:
    parts = []
    for source, count, some in origins[:MOST_LISTED]:
        more = ", ..." if count > len(some[:NAMED]) else ""
        parts.append(f"{count:,} in '{source}' ({', '.join(some[:NAMED])}{more})")
    if len(origins) > MOST_LISTED:
        parts.append(f"others in {len(origins) - MOST_LISTED:,} more sources")
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
