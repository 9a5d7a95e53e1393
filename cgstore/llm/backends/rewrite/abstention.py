"""Why the backend `demos` gives no program or a doubtful answer, for people who know nothing of demonstrations."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from cgstore.errors import as_called, as_typed
from cgstore.llm.backends import CannotPropose, Decision, Run
from cgstore.llm.backends.rewrite.clause_patterns import HAD_BEFORE
from cgstore.llm.backends.rewrite.unsaid import refuse_unsaid
from cgstore.llm.demonstrations.forms import Form
from cgstore.llm.demonstrations.masking import Reading
from cgstore.llm.demonstrations.signals import words_behind
from cgstore.llm.graph_view import GraphView, Neighbourhood, Outline
from cgstore.mapping.mentions import Mention, impossible_days, words_of
from cgstore.mapping.unknown_mentions import phrases_of, unknown_names
from cgstore.query import build as q
from cgstore.source_kinds import TABLE, kind_named
from cgstore.text.dates import Step, read_moment
from cgstore.text.names import some_of

MAX_AROUND = 6
"""Relations of a name that a refusal lists."""

MAX_CLOSEST = 5
"""Names offered for a question that contains no known name."""

NAMELESS = "the graph has no node named"
"""How a refusal begins of a question with a name that the graph lacks."""

OPEN = "it is not understood without an LLM how"
"""How a refusal begins of a question whose words are all known."""

WITH_LLM = "With an LLM: set OPENAI_API_KEY, or give --base-url and --model of any other endpoint."


Example = tuple[Mapping[str, str], Outline]
"""The arguments of a `get_information`, and the source that it asks."""


def why_ambiguous(words: Sequence[str], relations: Sequence[str]) -> str:
    """That words may mean several relations."""
    return f"'{' '.join(words)}' may mean {' or '.join(map(q.quote, relations))}: ask for one"


def why_unknown_form(reading: Reading, templates: Sequence[Form]) -> str:
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


def why_lacking(relation: str, around: Mapping[str, Neighbourhood]) -> Iterator[str]:
    """The names that have no fact of a relation, each with what it has instead, as reasons."""
    for name, found in around.items():
        others = list(dict.fromkeys((*found.head, *found.tail)))
        if others and relation not in others:
            yield f"'{name}' has no '{relation}' in the graph; it has {some_of(others, MAX_AROUND)}"


def why_present(reading: Reading) -> str:
    """The reason for a question about the present."""
    word = words_behind(reading.masked, {"present"})[0]
    return f"'{word}' asks for now, and the data may end before that: ask for a time ('in 2020'), or for the last one"


def is_plainer(one: CannotPropose, other: CannotPropose) -> bool:
    """Whether a refusal says more than that of what is assembled: a name is not known, or lacks what is asked for."""
    is_vague = "without an LLM" in one.reason or one.reason.startswith("the question holds no name")
    return one.reason.startswith(NAMELESS) or (other.reason.startswith(OPEN) and not is_vague)


def refuse_sources(mentions: Sequence[Mention], graph: GraphView) -> CannotPropose:
    """The refusal for sources that no demonstration is about, with a program about a name of the question, if any."""
    outlines = graph.outlines
    names = [outline.name for outline in outlines]
    if set(graph.kinds) == {TABLE.name}:
        are = "is a table" if len(names) == 1 else "are tables"
        what = f"only the facts of graphs are asked, and {some_of(names)} {are}"
    else:
        what = f"a demonstration is needed, and none is about {some_of(names)}"
    then = [as_called(WITH_LLM)]
    if example := next(_examples(outlines, mentions, graph), None):
        then.append(f"Without one, write a program; a start: {_typed(*example, several=len(outlines) > 1)}")
    return CannotPropose(f"this needs an LLM: without one {what}", then=then)


def refuse_times(question: str, reading: Reading, graph: GraphView) -> CannotPropose | None:
    """The refusal for a day that does not exist, for a finer time than the sources have, or for what `had` happened."""
    if graph.has_times and HAD_BEFORE.search(question):
        return CannotPropose("what 'had' asks for is not understood without an LLM: ask whether it was before")
    if impossible := impossible_days(question):
        return CannotPropose(f"'{impossible[0]}' is not a day of the calendar")
    if not reading.times:
        return None
    steps = sorted({Step(outline.step) for outline in graph.outlines if outline.step}, key=list(Step).index)
    for time in reading.times if steps else ():
        moment = read_moment(time.name)
        if moment is not None and moment.step.is_finer_than(steps[-1]):
            return CannotPropose(
                f"'{time.text}' is a {moment.step}, and the times of the sources asked are {steps[-1]}s: "
                f"ask for '{moment.cut(steps[-1]).name}'"
            )
    return None


def refuse_unknown_names(question: str, mentions: Sequence[Mention], graph: GraphView, vocabulary: Set[str]) -> None:
    """Refuses a question with a name that the graph lacks, without a name of the graph, or without a relation.

    Raises:
        CannotPropose: it is such a question.
    """
    if unknown := unknown_names(question, mentions, vocabulary):
        names = ", ".join(f"'{name}'" for name in unknown)
        closest = list(dict.fromkeys(c for name in unknown for c in graph.closest(name)))
        raise CannotPropose(f"{NAMELESS} {names}", closest)
    if not any(m.kind == "entity" for m in mentions):
        known = vocabulary | {word.text.lower() for name in graph.relations for word in words_of(name)}
        phrases = phrases_of(question, known) or phrases_of(question, vocabulary)
        likely = (c for phrase in phrases for c in graph.closest(phrase))
        raise CannotPropose("the question holds no name of the graph", list(dict.fromkeys(likely))[:MAX_CLOSEST])
    refuse_unsaid(question, mentions, graph)


def with_other_sources(refusal: CannotPropose, mentions: Sequence[Mention], graph: GraphView) -> CannotPropose:
    """A refusal with a hint for the sources about which less, or nothing, is answered without an LLM."""
    if not graph.has_times:
        return CannotPropose(refusal.reason, refusal.closest, (*refusal.then, *refuse_sources(mentions, graph).then))
    then = list(refusal.then)
    timeless = [outline for outline in graph.outlines if not kind_named(outline.kind).has_times]
    if tables := [outline.name for outline in timeless if outline.kind == TABLE.name]:
        then.append(f"Without an LLM, tables are not asked together with graphs: ask {some_of(tables)} alone.")
    if graphs := [outline.name for outline in timeless if outline.kind != TABLE.name]:
        then.append(f"Without an LLM, questions about {some_of(graphs)} must use the words of the relations there.")
    return CannotPropose(refusal.reason, refusal.closest, then)


def _examples(outlines: Sequence[Outline], mentions: Sequence[Mention], graph: GraphView) -> Iterator[Example]:
    """Programs about the names and relations that a question has, each with the source that answers it."""
    asked = [mention.name for mention in mentions if mention.kind == "relation"]
    for mention in mentions:
        if mention.kind == "entity":
            around = graph.relations_of(mention.key)
            yield from (
                example for outline in outlines if (example := _about(mention.name, around, asked, outline)) is not None
            )
    for relation in asked:
        yield from (({"relation": relation}, outline) for outline in outlines if _has(outline, relation))


def _about(name: str, around: Neighbourhood, asked: Sequence[str], outline: Outline) -> Example | None:
    """A program about a name of a source: by a relation that the question names, else by any."""
    heads, tails = ([each for each in side if _has(outline, each)] for side in (around.head, around.tail))
    if kind_named(outline.kind).has_rows:
        others = [each.name for each in outline.relations if each.name not in tails]
        wanted = next((each for each in [*asked, *others] if each in others), None)
        return ({"relation": wanted, "key": tails[0], "value": name}, outline) if tails and wanted else None
    for relation in [*asked, *heads, *tails]:
        if relation in heads:
            return {"head_entity": name, "relation": relation}, outline
        if relation in tails:
            return {"relation": relation, "tail_entity": name}, outline
    return None


def _has(outline: Outline, name: str) -> bool:
    return any(relation.name == name for relation in outline.relations)


def _typed(given: Mapping[str, str], outline: Outline, several: bool) -> str:
    """A program as it is typed: on the command line with its source, elsewhere only if several are asked."""
    program = q.text_of(q.get_information(**given))
    argument = shlex.quote(program) if set(program) & set('"$`\\!') else f'"{program}"'
    command = f"cgstore query {argument} --source {shlex.quote(outline.name)}"
    return as_typed(q.text_of(q.get_information(**given, source=outline.name)) if several else program, command)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _counted(count: int, noun: str) -> str:
    return noun if count == 1 else f"{count} {noun}s"


# Doubtful answers
#
# An answer about time is doubtful where whole years, several terms or missing ends leave the order of things open.
# Further programs, which are made from the chosen one, find this out.


SHOWN = 5
"""Names listed in a note."""

END, START, TIME = "key='end_time'", "key='start_time'", "key='time'"

_NEIGHBOUR = re.compile(r"keep\(set='output_of_query3', value([<>])'output_of_query2'\)")
_BOUND = re.compile(r"keep\(set='output_of_query1', value([<>])'(-?\d[\d-]*)'\)")
_AT_OUTPUT = re.compile(r"value='output_of_query\d+'")
_RELATION = re.compile(r"relation='(?:[^'\\]|\\.)*'")
_NAME = re.compile(r"_entity='(.*?)'(?=[,)])")


def with_doubts(decision: Decision, run: Run) -> Decision:
    """The decision with a note for each reason to doubt its answer, or for why there may be none."""
    program = (decision.chosen or decision.attempts[-1]).program if decision.chosen or decision.attempts else ""
    answer = _values(decision.chosen.answer.answer) if decision.chosen and decision.chosen.answer else []
    lines = program.splitlines()
    notes = [*_missing_ends(program, answer, run), *_several_at_once(lines, answer), *_neighbours(lines, answer, run)]
    notes += _nearest(lines, answer, run)
    return replace(decision, warnings=(*decision.warnings, *notes)) if notes else decision


def _missing_ends(program: str, answer: list[str], run: Run) -> Iterator[str]:
    """The end asked for equals the start: it may be unknown."""
    if END in program and "\n" not in program and answer:
        started = _run(run, program.replace(END, START))
        both = [value for value in answer if value in started]
        if both and not _is_of_points(program, run):
            yield (
                f"Doubtful: {_first(both)} is also the answer for the start; a fact whose end is not known ends where "
                "it starts."
            )


def _is_of_points(program: str, run: Run) -> bool:
    """Whether all facts of the program's relation end where they start, so that they are events."""
    relation = _RELATION.search(program)
    if relation is None:
        return False
    starts, ends = (_run(run, f'Query1: "get_information({relation[0]}, {key})"') for key in (START, END))
    return len(starts) > 1 and set(starts) == set(ends)


def _several_at_once(lines: list[str], answer: list[str]) -> Iterator[str]:
    """Several facts hold at the first or last time."""
    if len(answer) > 1 and len(lines) > 1 and ("max(" in lines[-2] or "min(" in lines[-2]) and TIME in lines[-1]:
        yield (
            f"Doubtful: {_first(answer)} all hold at that time; the times of the data do not tell which of them came "
            "first or last."
        )


def _neighbours(lines: list[str], answer: list[str], run: Run) -> Iterator[str]:
    """Before or after something that has several terms, or whose first or last time others share."""
    sign = _NEIGHBOUR.search("\n".join(lines))
    if sign is None or len(lines) < 6:
        return
    after = sign[1] == ">"
    if TIME in lines[0] and len(starts := _run(run, lines[0].replace(TIME, START))) > 1:
        kept = "last" if after else "first"
        yield (
            f"Doubtful: '{(_NAME.findall(lines[0]) or ['it'])[0]}' begins {len(starts)} times there "
            f"({', '.join(starts[:SHOWN])}); '{'after' if after else 'before'}' is taken of the {kept} time alone."
        )
    at_bound = "\n".join([*lines[:2], _AT_OUTPUT.sub("value='output_of_query2'", lines[5])])
    known = {*answer, *_NAME.findall(lines[0])}
    if others := [value for value in _run(run, at_bound) if value not in known]:
        yield (
            f"Doubtful: {_first(others)} also held at that {'last' if after else 'first'} time; the times of the data "
            "do not tell whether before or after."
        )


def _nearest(lines: list[str], answer: list[str], run: Run) -> Iterator[str]:
    """Before or after a time: the answer is the nearest one, where others are further away."""
    bound = _BOUND.search("\n".join(lines))
    if bound is None or not answer or len(lines) != 4:
        return
    every = _run(run, "\n".join([*lines[:2], _AT_OUTPUT.sub("value='output_of_query2'", lines[3])]))
    if others := [value for value in every if value not in answer]:
        sign = "after" if bound[1] == ">" else "before"
        yield f"Taken as the nearest time {sign} {bound[2]}; further from it: {_first(others)}."


def _run(run: Run, program: str) -> list[str]:
    answer = run(program).answer
    return [] if answer is None else _values(answer.answer)


def _values(values: tuple[object, ...]) -> list[str]:
    return [str(value) for value in values]


def _first(names: list[str]) -> str:
    return _listed(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
