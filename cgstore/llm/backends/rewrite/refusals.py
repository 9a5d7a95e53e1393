"""What the backend `demos` refuses before any demonstration is looked at, and what would work instead."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from cgstore.llm.backend import CannotPropose, Graph
from cgstore.llm.backends.rewrite.reading import Reading
from cgstore.llm.graph_view import Outline
from cgstore.llm.prompts.quoting import quote
from cgstore.mapping.mentions import Mention, impossible_days
from cgstore.source_kinds import TABLE, TKG, kind_named

WITH_LLM = "With an LLM: set OPENAI_API_KEY, or give --base-url and --model of any other endpoint."

MAX_NAMED = 3
"""Most sources named in a message."""

_STEPS = ("year", "month", "day")


def refuse_sources(mentions: Sequence[Mention], graph: Graph) -> CannotPropose:
    """For sources that no demonstration is about: with a program over the first one, which can be run as it stands."""
    outlines = graph.outlines()
    named = ", ".join(f"'{outline.name}'" for outline in outlines[:MAX_NAMED])
    more = len(outlines) - MAX_NAMED
    tables = set(graph.kinds) == {TABLE.name}
    if len(outlines) == 1:
        what = f"{named} is a table" if tables else f"{named} has none"
    else:
        what = f"{named}{f' and {more:,} more' if more > 0 else ''} {'are tables' if tables else 'have none'}"
    then = [WITH_LLM]
    if outlines and (program := _example(outlines[0], mentions, graph)):
        source = shlex.quote(outlines[0].name)
        then.append(f"Without one, write the program: cgstore query {_shell(program)} --source {source}")
    return CannotPropose(f"this needs an LLM: without one only temporal facts are asked, and {what}", then=then)


def refuse_times(question: str, reading: Reading, graph: Graph) -> CannotPropose | None:
    """For a day that is not in the calendar, and for a time that is finer than those of the sources."""
    if impossible := impossible_days(question):
        return CannotPropose(f"'{impossible[0]}' is not a day of the calendar")
    steps = [outline.step for outline in graph.outlines() if outline.step]
    finest = max(map(_STEPS.index, steps), default=len(_STEPS))
    for time in reading.times:
        if time.name.count("-") > finest and not time.name.startswith("-"):
            asked, known = _STEPS[time.name.count("-")], _STEPS[finest]
            coarser = "-".join(time.name.split("-")[: finest + 1])
            return CannotPropose(
                f"'{time.text}' is a {asked}, and the times of the sources asked are {known}s: ask for '{coarser}'"
            )
    return None


def with_other_sources(refused: CannotPropose, mentions: Sequence[Mention], graph: Graph) -> CannotPropose:
    """A refusal, with what is to be said of those sources that have no temporal facts."""
    if TKG.name not in graph.kinds:
        return CannotPropose(refused.reason, refused.closest, [*refused.then, *refuse_sources(mentions, graph).then])
    others = [outline.name for outline in graph.outlines() if outline.kind != TKG.name]
    if not others:
        return refused
    more = f" and {len(others) - MAX_NAMED:,} more" if len(others) > MAX_NAMED else ""
    named = ", ".join(f"'{name}'" for name in others[:MAX_NAMED]) + more
    hint = f"Questions about {named} need an LLM: without one only temporal facts are asked."
    return CannotPropose(refused.reason, refused.closest, [*refused.then, hint])


def _shell(program: str) -> str:
    """A program as one argument of a shell, in double quotes where that is enough."""
    return shlex.quote(program) if set(program) & set('"$`\\!') else f'"{program}"'


def _example(outline: Outline, mentions: Sequence[Mention], graph: Graph) -> str:
    """A program that can be run on a source: about a name of the question, else with its own columns or relations."""
    relations = [relation.name for relation in outline.relations]
    if not relations:
        return ""
    if kind_named(outline.kind).has_rows:
        rows = graph.samples([outline.name])[outline.name]
        if len(relations) > 1 and rows and rows[0][0]:
            first, second = quote(relations[0]), quote(relations[1])
            return f"get_information(relation={second}, key={first}, value={quote(rows[0][0])})"
        return f"get_information(relation={quote(relations[0])})"
    for mention in mentions:
        around = graph.relations_of(mention.key)
        if mention.kind == "entity" and around.head:
            return f"get_information(head_entity={quote(mention.name)}, relation={quote(around.head[0])})"
        if mention.kind == "entity" and around.tail:
            return f"get_information(relation={quote(around.tail[0])}, tail_entity={quote(mention.name)})"
    return f"get_information(relation={quote(relations[0])})"
