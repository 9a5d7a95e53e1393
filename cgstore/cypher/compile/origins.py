"""Where the elements of a search come from: their sources, and what an answer tells of those that mix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cgstore.cypher.compile.context import NAMED, Block, CompileContext
from cgstore.errors import setting
from cgstore.query.functions import OF_ALL_FACTS
from cgstore.query.plan import CallOutput, Plan
from cgstore.query.sources import MOST_LISTED
from cgstore.text.names import SEPARATOR, source_name

HINT = "To ask one source alone, write source='{}' into the call."
_FOR_TYPE = "write a query with source='...' for the type, or "


class Origin(NamedTuple):
    """A source of a call's elements: how many of them it has, and some of these."""

    source: str
    size: int
    some: tuple[str, ...]


def pairs_of_rows(number: int, context: CompileContext) -> str:
    """An expression for the rows, relations and keys among the elements of a step, each after its source."""
    context.values["separator"] = SEPARATOR
    of_source = f"split(x, $separator)[0] IN {context.sources()}"
    texts = f"[x IN q{number + 1} | toStringOrNull(x)]"
    return f"[x IN {texts} WHERE x CONTAINS $separator AND {of_source} | [split(x, $separator)[0], x]]"


def sources_of(number: int, pairs: str, imported: str) -> Block:
    """Finds the sources of a step's elements; `pairs` is an expression for pairs of a source and an element."""
    own = "WITH pair[0] AS source, collect(DISTINCT pair[1]) AS own"
    every = f"RETURN collect([source, size(own), own[..{NAMED}]]) AS s{number + 1}"
    return Block([imported], [f"UNWIND {pairs} AS pair", own, every])


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
        hint = f"To ask one source alone, {'' if query else _FOR_TYPE}give {setting('source')}."
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
