"""Why the backend `demos` gives no program, in words for people who know nothing of demonstrations, and what works."""

from __future__ import annotations

import shlex
from collections.abc import Sequence, Set

from cgstore.llm.backend import CannotPropose
from cgstore.llm.demonstrations.masking import Reading, Template
from cgstore.llm.demonstrations.signals import words_behind
from cgstore.llm.graph_view import GraphView, Outline
from cgstore.llm.prompts.quoting import quote
from cgstore.mapping.mentions import Mention, impossible_days
from cgstore.source_kinds import TABLE, kind_named

WITH_LLM = "With an LLM: set OPENAI_API_KEY, or give --base-url and --model of any other endpoint."

MAX_NAMED = 3
"""Sources named in a message."""

_STEPS = ("year", "month", "day")


def why_unknown_form(reading: Reading, templates: Sequence[Template]) -> str:
    """The part of a question's form that no template shares."""
    if reading.answer == "truth":
        return "this asks yes or no, which is not understood without an LLM: ask who, what or when it was"
    if "duration" in reading.signals:
        return (
            "this asks how long something took, which is not understood without an LLM: ask when it started and ended"
        )
    alike = [t for t in templates if t.answer == reading.answer]
    unknown_signals = reading.signals.difference(*(t.signals for t in alike))
    if words := words_behind(reading.masked, unknown_signals):
        return f"what {_listed(words)} asks for is not understood without an LLM"
    same_size = any(t.size == reading.size for t in alike)
    if same_size and (words := words_behind(reading.masked, reading.signals)):
        return f"what {_listed(words)} asks for is not understood in this question without an LLM"
    entities, times = reading.size
    parts = " and the ".join([_counted(entities, "name"), *([_counted(times, "time")] if times else [])])
    if same_size or entities + times == 1:
        return f"it is not understood what is asked about the {parts} in it"
    return f"it is not understood how the {parts} in it belong together"


def why_no_program(unknown_words: Sequence[Set[str]]) -> str:
    """The smallest set of words that ruled out a program, or that nothing in the graph fits."""
    if not unknown_words:
        return "the graph has no relation of these names that fits the question"
    words = sorted(sorted(unknown_words, key=len)[0])
    subject = f"the words {_listed(words)} are" if len(words) > 1 else f"the word {_listed(words)} is"
    return f"{subject} not understood without an LLM"


def why_present(reading: Reading) -> str:
    """The reason for a question about the present."""
    word = words_behind(reading.masked, {"present"})[0]
    return f"'{word}' asks for now, and the data may end before that: ask for a time ('in 2020'), or for the last one"


def refuse_sources(mentions: Sequence[Mention], graph: GraphView) -> CannotPropose:
    """The refusal for sources that no demonstration is about, with a program that works on the first of them."""
    outlines = graph.outlines
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


def refuse_times(question: str, reading: Reading, graph: GraphView) -> CannotPropose | None:
    """The refusal for a day that does not exist, or for a time that is finer than those of the sources."""
    if impossible := impossible_days(question):
        return CannotPropose(f"'{impossible[0]}' is not a day of the calendar")
    steps = [outline.step for outline in graph.outlines if outline.step]
    finest = max(map(_STEPS.index, steps), default=len(_STEPS))
    for time in reading.times:
        if time.name.count("-") > finest and not time.name.startswith("-"):
            asked, known = _STEPS[time.name.count("-")], _STEPS[finest]
            coarser = "-".join(time.name.split("-")[: finest + 1])
            return CannotPropose(
                f"'{time.text}' is a {asked}, and the times of the sources asked are {known}s: ask for '{coarser}'"
            )
    return None


def with_other_sources(refusal: CannotPropose, mentions: Sequence[Mention], graph: GraphView) -> CannotPropose:
    """A refusal with a hint for the sources that have no temporal facts."""
    if not any(kind_named(kind).has_times for kind in graph.kinds):
        then = refuse_sources(mentions, graph).then
    elif others := [outline.name for outline in graph.outlines if not kind_named(outline.kind).has_times]:
        more = f" and {len(others) - MAX_NAMED:,} more" if len(others) > MAX_NAMED else ""
        named = ", ".join(f"'{name}'" for name in others[:MAX_NAMED]) + more
        then = (f"Questions about {named} need an LLM: without one only temporal facts are asked.",)
    else:
        return refusal
    return CannotPropose(refusal.reason, refusal.closest, (*refusal.then, *then))


def _example(outline: Outline, mentions: Sequence[Mention], graph: GraphView) -> str:
    """A program that works on a source: about a name in the question, else with its first columns or relations."""
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


def _shell(program: str) -> str:
    """A program as one argument of a shell, in double quotes if that is enough."""
    return shlex.quote(program) if set(program) & set('"$`\\!') else f'"{program}"'


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _counted(count: int, noun: str) -> str:
    return noun if count == 1 else f"{count} {noun}s"
