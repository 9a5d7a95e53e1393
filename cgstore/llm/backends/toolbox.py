"""The tools of an LLM that explores: their descriptions, and what each gives. They read, and change nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from cgstore.catalog.kinds import kind_named
from cgstore.errors import BadInput, QueryFailed
from cgstore.llm.backends import Attempt, Run
from cgstore.llm.chat import Message, Tool, ToolCall
from cgstore.llm.graph_view import GraphView, Link, Outline
from cgstore.llm.look_ups import MAX_CONTAINING, MAX_FACTS, MAX_ROWS, Fact, Values
from cgstore.llm.prompts.feedback import details, error_in_words, names_nothing, outcome
from cgstore.llm.prompts.schema import scores_by_words
from cgstore.query.external_functions import Evaluator
from cgstore.text.dates import read_moment
from cgstore.text.likeness import similar
from cgstore.text.names import is_unicode, normal_form, source_name

MAX_VALUES = 20
"""Values of an answer that the LLM sees."""

LONGEST_RESULT = 4_000
"""Characters of the result of one call."""

MAX_LINKS = 20
"""Relations of a name that are shown, those that fit the question best."""

MAX_LIKE = 3
"""Relations shown that only are spelt like a text."""

LONGEST_TEXT = 200
"""Characters of a text that is looked for."""

ANSWER, GIVE_UP = "answer", "give_up"
"""The tools that end the exploring."""

PROGRAM = ("program", "string", 'The program: Query1: "...", one query a line.', True)

_Argument = tuple[str, str, str, bool]
"""The name of an argument, its JSON type, what it is, and whether it must be given."""


def _tool(name: str, description: str, *arguments: _Argument) -> Tool:
    properties = {argument: {"type": kind, "description": meaning} for argument, kind, meaning, _ in arguments}
    required = [argument for argument, _, _, is_required in arguments if is_required]
    return Tool(name, description, {"type": "object", "properties": properties, "required": required})


_FIND_NAMES = _tool(
    "find_names",
    "Names in the data (entities, cells, relations, columns) that are spelt like a text, and those that contain it.",
    ("text", "string", "A name, a word or a part of a word, in any case.", True),
)
_RELATIONS_OF = _tool(
    "relations_of",
    "The relations that have a name as head, and as tail, with up to three examples of the other ends.",
    ("entity", "string", "The name of an entity or a cell, exactly as it is shown.", True),
    ("contains", "string", "Only relations whose names contain this text, in any case.", False),
)
_FACTS_OF = _tool(
    "facts_of",
    f"The facts of a name under one relation, as head and as tail, with their times or qualifiers: up to {MAX_FACTS}.",
    ("entity", "string", "The name of an entity, exactly as it is shown.", True),
    ("relation", "string", "The name of the relation.", True),
)
_VALUES_OF = _tool(
    "values_of",
    "The values of a column, a relation or a qualifier: how many differ, the most frequent ones with their counts, how "
    "they are read, the least and the greatest, and some that are written in another way.",
    ("relation", "string", "The name of the column, relation or qualifier.", True),
    ("contains", "string", "Only values that contain this text, in any case.", False),
)
_ROWS = _tool(
    "rows",
    f"Rows of a table with all their cells: up to {MAX_ROWS}, by their numbers, or those with a cell that contains a "
    "text.",
    ("contains", "string", "Only rows with a cell that contains this text, in any case.", False),
    ("first", "integer", "The number of the row to begin with; 1 if it is left out.", False),
    ("table", "string", "The name of the table; needed only if there are several.", False),
)
_RUN_PROGRAM = _tool("run_program", "Runs a program, and shows what each of its queries gives.", PROGRAM)
_ANSWER = _tool(
    ANSWER, "Hands in the program that answers the question. This ends your work if it gives an answer.", PROGRAM
)
_GIVE_UP = _tool(
    GIVE_UP,
    "Says that the data do not have the answer. This ends your work without an answer.",
    ("reason", "string", "What the data lack, in one sentence.", True),
)


def tools_for(kinds: Sequence[str]) -> tuple[Tool, ...]:
    """The tools that make sense for some kinds of sources. Their texts are a part of each request."""
    tables = [kind for kind in kinds if kind_named(kind).has_rows]
    rows = (_ROWS,) if tables else ()
    facts = (_FACTS_OF,) if len(tables) < len(kinds) else ()
    return (_FIND_NAMES, _RELATIONS_OF, *facts, _VALUES_OF, *rows, _RUN_PROGRAM, *ENDING)


ENDING = (_ANSWER, _GIVE_UP)
"""The tools of the last step."""


class Toolbox:
    """The tools over one graph, for a question.

    `attempts` are the programs that were run, `final` is the one that answers, `declined` the reason for which the LLM
    gave up.
    """

    def __init__(self, graph: GraphView, run: Run, evaluate: Evaluator | None, question: str = "") -> None:
        self._graph, self._run, self._evaluate, self._question = graph, run, evaluate, question
        self.attempts: list[Attempt] = []
        self.final: Attempt | None = None
        self.declined = ""
        self.tools = tools_for(graph.kinds)
        self._named = {tool.name: tool for tool in self.tools}
        self._does: dict[str, Callable[..., str]] = {
            "find_names": self._find_names,
            "relations_of": self._relations_of,
            "facts_of": self._facts_of,
            "values_of": self._values_of,
            "rows": self._rows,
            "run_program": self._run_program,
            ANSWER: self._answer,
            GIVE_UP: self._give_up,
        }

    def call(self, call: ToolCall) -> Message:
        """The result of a call as a message, which also reports what is wrong with the call."""
        return Message("tool", self._result(call)[:LONGEST_RESULT], tool_call_id=call.id)

    def _result(self, call: ToolCall) -> str:
        if call.name not in self._named:
            return f"There is no tool '{call.name}'. The tools are: {', '.join(self._named)}."
        given = _arguments(call, self._named[call.name])
        if isinstance(given, str):
            return given
        try:
            return self._does[call.name](**given)
        except (BadInput, QueryFailed) as error:
            return f"That could not be done: {error_in_words(error.message)}"

    # Looking ----------------------------------------------------------------------------------------------------------

    def _find_names(self, text: str) -> str:
        alike, found = self._graph.names_like(text), self._graph.look_ups.names_with(text)
        near = [name for name in alike.entities if name not in found.entities]
        relations = found.relations or tuple(similar(text, alike.relations, MAX_LIKE))
        more = f", the shortest {len(found.entities)} of {found.count:,}" if found.count > len(found.entities) else ""
        lines = [f"names that contain it{more}: {_json(found.entities)}"] if found.entities else []
        lines += [f"it is an alias of: {_json(alike.aliased)}"] if alike.aliased else []
        lines += [f"names like it: {_json(near)}"] if near else []
        lines += [f"relations: {_json(relations)}"] if relations else []
        lines += [f"names of other things, by a number or a word: {_json(alike.others)}"] if alike.others else []
        nothing = f"Nothing in the data has a name like {_json(text)}. Try another word, or a part of one."
        return "\n".join(lines) or nothing

    def _relations_of(self, entity: str, contains: str = "") -> str:
        every = self._graph.links_of(entity)
        if not every:
            return f"No entity has the exact name {_json(entity)}. Look for it with find_names."
        links = [link for link in every if normal_form(contains) in normal_form(link.relation)]
        if not links:
            return f"None of its {_counted(len(every), 'relation')} has a name that contains {_json(contains)}."
        scores = scores_by_words(self._question, [link.relation for link in links])
        best = sorted(links, key=lambda link: -scores[link.relation])[:MAX_LINKS]
        lines = [_link_line(link) for link in links if link in best]
        more = f"and {_counted(len(links) - len(best), 'more relation')}: give contains, a part of their names"
        return "\n".join([*lines, *([more] if len(links) > len(best) else [])])

    def _facts_of(self, entity: str, relation: str) -> str:
        facts = self._graph.look_ups.facts_of(entity, relation)
        if not facts:
            return f"{_json(entity)} has no fact under {_json(relation)}. See relations_of for those that it has."
        more = ["and more; a program gives all of them"] if len(facts) > MAX_FACTS else []
        return "\n".join([*map(_fact_line, facts[:MAX_FACTS]), *more])

    def _values_of(self, relation: str, contains: str = "") -> str:
        found = self._graph.look_ups.values_of(relation, contains)
        if not found:
            near = _json(self._graph.look_ups.relations_like(relation))
            return f"No column, relation or qualifier is named {_json(relation)}. The nearest: {near}."
        several = len(self._graph.sources) > 1
        return "\n".join(_values_text(values, contains, several) for values in found)

    def _rows(self, contains: str = "", first: int = 1, table: str = "") -> str:
        tables = {outline.name: outline for outline in self._graph.outlines if kind_named(outline.kind).has_rows}
        if table not in tables and (table or len(tables) != 1):
            names = _json(list(tables)[:MAX_CONTAINING])
            return (
                f"No table is named {_json(table)}: give table, one of {names}."
                if table
                else f"Give table, one of {names}."
            )
        outline = tables[table] if table else next(iter(tables.values()))
        return self._rows_of(outline, contains, max(1, first))

    def _rows_of(self, outline: Outline, contains: str, first: int) -> str:
        columns = [relation.name for relation in outline.relations]
        stored = next(source for source in self._graph.sources if source_name(source) == outline.name)
        found = self._graph.look_ups.rows(stored, columns, outline.rows, first, contains)
        which = f" with a cell that contains {_json(contains)}" if contains else ""
        begin = f" from row {first} on" if first > 1 else ""
        if not found.rows:
            return f"No row{which}{begin}." if contains else f"The table has {_counted(outline.rows, 'row')}."
        head = (
            f"{len(found.rows)} of {_counted(found.count, 'row')}{which}{begin}. Columns: {_json(list(found.columns))}"
        )
        return "\n".join([head, *(f"[line_{number}] {_json(list(cells))}" for number, cells in found.rows.items())])

    # Programs ---------------------------------------------------------------------------------------------------------

    def _run_program(self, program: str) -> str:
        attempt = self._attempt(program)
        if not attempt.answered or attempt.answer is None or names_nothing(attempt):
            return outcome(attempt)
        values = attempt.answer.lines
        more = f" and {len(values) - MAX_VALUES:,} more" if len(values) > MAX_VALUES else ""
        return "\n".join([*details(attempt.answer), f"answer: {_json(values[:MAX_VALUES])}{more}"])

    def _answer(self, program: str) -> str:
        attempt = self._attempt(program)
        if attempt.answered and not names_nothing(attempt):
            self.final = attempt
            return "done"
        return outcome(attempt)

    def _give_up(self, reason: str) -> str:
        self.declined = reason.strip() or "no reason given"
        return "done"

    def _attempt(self, program: str) -> Attempt:
        """The attempt of a program, which is run only once."""
        known = next((attempt for attempt in self.attempts if attempt.program == program), None)
        if known is None:
            known = self._run(program, self._evaluate)
            self.attempts.append(known)
        return known


def _arguments(call: ToolCall, tool: Tool) -> dict[str, Any] | str:
    """The arguments of a call, checked; or what is wrong with them."""
    properties, required = tool.parameters["properties"], tool.parameters["required"]
    form = ", ".join(f"{name} ({each['type']})" for name, each in properties.items())
    try:
        given: Any = json.loads(call.arguments)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        return f"The arguments of {tool.name} must be a JSON object with: {form}."
    if missing := [name for name in required if given.get(name) in (None, "")]:
        return f"{tool.name} needs {' and '.join(missing)}. Its arguments: {form}."
    values: dict[str, Any] = {}
    for name, each in properties.items():
        value = given.get(name)
        if value in (None, ""):
            continue
        read = _read(value, each["type"])
        if read is None:
            return f"'{name}' must be {'a whole number' if each['type'] == 'integer' else 'a text'}."
        values[name] = read if name in ("program", "reason") or not isinstance(read, str) else read[:LONGEST_TEXT]
    return values


def _read(value: Any, kind: str) -> str | int | None:
    """An argument of that JSON type; None if it is not one."""
    if kind == "integer":
        digits = str(value).strip().removeprefix("[line_").removesuffix("]")
        return int(digits) if digits.isdecimal() and len(digits) < 10 else None
    return value if isinstance(value, str) and is_unicode(value) else None


def _values_text(values: Values, contains: str, with_source: bool) -> str:
    of = f"{_json(values.relation)}{f' of {_json(values.source)}' if with_source else ''}"
    which = f" that contain {_json(contains)}" if contains else ""
    at_least = "the first " if values.is_cut else ""
    if values.periods is not None:
        at = f" at {_json(contains)}" if read_moment(contains.strip()) else ""
        bounds = f", from {_json(values.least)} to {_json(values.greatest)}" if values.periods else ""
        return f"{of}: {at_least}{_counted(values.periods, 'period')}{at}, of {_counted(values.facts, 'fact')}{bounds}"
    kind = f" (read as {values.kind})" if values.kind else ""
    facts = f"{at_least}{_counted(values.facts, 'fact')}"
    lines = [f"{of}{kind}: {_counted(values.different, 'different value')}{which}, in {facts}"]
    shown = ", ".join(f"{_json(value)} ({count:,})" for value, count in values.top)
    rest = values.different - len(values.top)
    lines += [f"  most frequent (facts): {shown}{f' and {rest:,} more' if rest > 0 else ''}"] if shown else []
    if values.least:
        lines.append(f"  least {_json(values.least)}, greatest {_json(values.greatest)}")
    if values.unread:
        more = (
            f" and {values.more_unread - len(values.unread):,} more" if values.more_unread > len(values.unread) else ""
        )
        lines.append(f"  not read as {values.kind}: {', '.join(map(_json, values.unread))}{more}")
    return "\n".join(lines)


def _link_line(link: Link) -> str:
    side, more = "head" if link.as_head else "tail", " and more" if link.more else ""
    return f"{side} of {_json(link.relation)}: {_json(link.names)}{more}"


def _fact_line(fact: Fact) -> str:
    by_key: dict[str, list[str]] = {}
    for key, value in fact.qualifiers:
        by_key.setdefault(key, []).append(value)
    qualifiers = f" {_json(by_key)}" if by_key else ""
    return f"{_json(fact.head)} | {_json(fact.relation)} | {_json(fact.tail)}{qualifiers}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _json(value: Any) -> str:
    """Names as JSON, so that the content of a name stays a text in quotes."""
    return json.dumps(value, ensure_ascii=False)
