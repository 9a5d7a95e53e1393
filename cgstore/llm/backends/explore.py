"""An LLM that looks at the graph before it writes: it calls tools that read the graph, and ends with a program.

What it sees is not evidence: its last program is run like any other, and that run proves the answer. It may also end by
saying that the data do not have the answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cgstore.catalog.kinds import kind_named
from cgstore.errors import BadInput, QueryFailed, setting
from cgstore.llm.backends import Attempt, Decision, Run, abstention
from cgstore.llm.backends.feedback import (
    CUT_OFF,
    LONGEST_PROGRAM,
    details,
    error_in_words,
    names_nothing,
    outcome,
)
from cgstore.llm.backends.languages import declined_in
from cgstore.llm.chat import Message, Request, Tool, ToolCall, UsageMeter
from cgstore.llm.fact_view import NameLink
from cgstore.llm.graph_view import GraphView
from cgstore.llm.look_ups import MAX_CONTAINING, MAX_EXAMPLES, MAX_FACTS, MAX_ROWS, Fact, Values
from cgstore.llm.prompts import tokens_of
from cgstore.llm.prompts.schema import listed, scores_by_words
from cgstore.query.external_functions import Evaluator
from cgstore.text.dates import read_moment
from cgstore.text.likeness import similar
from cgstore.text.names import is_unicode, many, normal_form, source_name

MAX_STEPS = 10
"""Replies of the LLM to one question."""

MAX_CALLS = 4
"""Tool calls in one reply that are run."""

MAX_ANSWERED = 40
"""Tool calls in one reply that get an answer; no endpoint makes so many."""


MAX_TOKENS = 60_000
"""Estimated tokens of all prompts for one question, after which the next step is the last one. They are estimated so
that neither an endpoint's count nor cached replies change what is asked."""

MAX_TEXTS = 3
"""First replies without any call of a tool: an LLM that makes none is not told of them, or does not know how."""

REPLY_TOKENS = 1_000


def explore(
    chat: UsageMeter,
    messages: tuple[Message, ...],
    graph: GraphView,
    run: Run,
    evaluate: Evaluator | None = None,
    question: str = "",
) -> Decision:
    """Lets the LLM look until it answers or gives up; at the last step, its last program that gave a value stands."""
    toolbox, spent, left = Toolbox(graph, run, evaluate, question), 0, MAX_STEPS
    step, has_called = 0, False
    while True:
        step, spent = step + 1, spent + tokens_of(messages)
        tools = toolbox.tools if left > 1 else ENDING
        reply = chat.complete(Request(messages, max_tokens=REPLY_TOKENS, tools=tools)).choices[0]
        calls = reply.tool_calls[:MAX_ANSWERED]
        has_called = has_called or bool(calls)
        results = [toolbox.call(call) if place < MAX_CALLS else _not_run(call) for place, call in enumerate(calls)]
        results = results or [_taken_for_call(reply, toolbox)]
        if toolbox.declined:
            return abstention(chat.model, toolbox.declined, toolbox.attempts, chat.usage)
        if toolbox.final:
            because = f"written by {chat.model} after {many(step, 'step')}"
            return Decision(toolbox.final, because, tuple(toolbox.attempts), usage=chat.usage)
        if left == 1 or (step == MAX_TEXTS and not has_called):
            break
        valid = tuple(ToolCall(call.id, call.name, _as_object(call.arguments)) for call in calls)
        messages = (*messages, Message("assistant", reply.content[:LONGEST_PROGRAM], valid), *results)
        left = min(MAX_STEPS - step, max(1, (MAX_TOKENS - spent) // tokens_of(messages)))
        messages = (*messages[: -len(results)], *(replace(each, content=_with_rest(each, left)) for each in results))
    last = next((attempt for attempt in reversed(toolbox.attempts) if attempt.answered), None)
    warning = f"{chat.model} did not end within {step} steps." if has_called else no_calls(chat.model)
    because = f"the last program of {chat.model} that gave something" if last else ""
    return Decision(last, because, tuple(toolbox.attempts), (warning,), chat.usage)


def no_calls(model: str) -> str:
    """The note on an LLM that used no tool."""
    problem = f"{model} called none of the tools. The endpoint may drop them, if the chat template has none"
    return f"{problem}: ask without {setting('explore', True)}."


def _taken_for_call(reply: Message, toolbox: Toolbox) -> Message:
    """What comes of a text in the place of calls: it is taken for the answer, or for giving up."""
    if reply.cut_off:
        return Message("user", CUT_OFF)
    reason = declined_in(reply.content)
    name, argument, text = (GIVE_UP, "reason", reason) if reason else (ANSWER, "program", reply.content)
    return Message("user", toolbox.call(ToolCall("", name, json.dumps({argument: text}))).content)


def _not_run(call: ToolCall) -> Message:
    return Message("tool", f"Not run: at most {MAX_CALLS} calls a step. Call it again.", tool_call_id=call.id)


def _with_rest(result: Message, left: int) -> str:
    """Adds to a result how many steps the LLM has left."""
    rest = "The next step is the last one: only answer or give_up is possible now."
    if left > 1:
        rest = f"At most {left} steps left, with up to {MAX_CALLS} calls each."
    return f"{result.content}\n({rest})"


def _as_object(arguments: str) -> str:
    """The arguments of a call as they are sent back: endpoints refuse anything but a JSON object."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


# The tools: they read, and change nothing

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
            result: str = getattr(self, f"_{call.name}")(**given)  # one method a tool, by its name
            return result
        except (BadInput, QueryFailed) as error:
            return f"That could not be done: {error_in_words(error.message)}"

    # Looking ----------------------------------------------------------------------------------------------------------

    def _find_names(self, text: str) -> str:
        found = self._graph.look_ups.find(text)
        near = [name for name in found.like if name not in found.containing]
        relations = found.relations or tuple(similar(text, found.relations_like, MAX_LIKE))
        shown = len(found.containing)
        more = f", the shortest {shown} of {found.count:,}" if found.count > shown else ""
        lines = [f"names that contain it{more}: {_json(found.containing)}"] if shown else []
        lines += [f"it is an alias of: {_json(found.aliased)}"] if found.aliased else []
        lines += [f"names like it: {_json(near)}"] if near else []
        lines += [f"relations: {_json(relations)}"] if relations else []
        lines += [f"names of other things, by a number or a word: {_json(found.others)}"] if found.others else []
        nothing = f"Nothing in the data has a name like {_json(text)}. Try another word, or a part of one."
        return "\n".join(lines) or nothing

    def _relations_of(self, entity: str, contains: str = "") -> str:
        every = self._graph.look_ups.links_of(entity)
        if not every:
            return f"No entity has the exact name {_json(entity)}. Look for it with find_names."
        links = [link for link in every if normal_form(contains) in normal_form(link.relation)]
        if not links:
            return f"None of its {many(len(every), 'relation')} has a name that contains {_json(contains)}."
        scores = scores_by_words(self._question, [link.relation for link in links])
        best = sorted(links, key=lambda link: -scores[link.relation])[:MAX_LINKS]
        lines = [_link_line(link) for link in links if link in best]
        more = f"and {many(len(links) - len(best), 'more relation')}: give contains, a part of their names"
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
            unknown = f"No table is named {_json(table)}: give" if table else "Give"
            return f"{unknown} table, one of {_json(list(tables)[:MAX_CONTAINING])}."
        outline, first = tables[table] if table else next(iter(tables.values())), max(1, first)
        columns = [relation.name for relation in outline.relations]
        stored = next(source for source in self._graph.sources if source_name(source) == outline.name)
        rows, count = self._graph.look_ups.rows(stored, columns, outline.rows, first, contains)
        which = f" with a cell that contains {_json(contains)}" if contains else ""
        begin = f" from row {first} on" if first > 1 else ""
        if not rows:
            return f"No row{which}{begin}." if contains else f"The table has {many(outline.rows, 'row')}."
        head = f"{len(rows)} of {many(count, 'row')}{which}{begin}. Columns: {_json(columns)}"
        return "\n".join([head, *(f"[line_{number}] {_json(list(cells))}" for number, cells in rows.items())])

    # Programs ---------------------------------------------------------------------------------------------------------

    def _run_program(self, program: str) -> str:
        attempt = self._attempt(program)
        if not attempt.answered or attempt.answer is None or names_nothing(attempt):
            return outcome(attempt)
        values = listed(attempt.answer.lines, MAX_VALUES, LONGEST_RESULT)
        return "\n".join([*details(attempt.answer), f"answer: {values}"])

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
        return f"{of}: {at_least}{many(values.periods, 'period')}{at}, of {many(values.facts, 'fact')}{bounds}"
    kind = f" (read as {values.kind})" if values.kind else ""
    facts = f"{at_least}{many(values.facts, 'fact')}"
    lines = [f"{of}{kind}: {many(values.different, 'different value')}{which}, in {facts}"]
    shown = ", ".join(f"{_json(value)} ({count:,})" for value, count in values.top)
    rest = values.different - len(values.top)
    lines += [f"  most frequent (facts): {shown}{f' and {rest:,} more' if rest > 0 else ''}"] if shown else []
    if values.least:
        lines.append(f"  least {_json(values.least)}, greatest {_json(values.greatest)}")
    if values.unread:
        rest = values.more_unread - len(values.unread)
        more = f" and {rest:,} more" if rest > 0 else ""
        lines.append(f"  not read as {values.kind}: {', '.join(map(_json, values.unread))}{more}")
    return "\n".join(lines)


def _link_line(link: NameLink) -> str:
    names = tuple(dict.fromkeys(link.ends))
    side, more = "head" if link.as_head else "tail", " and more" if len(names) > MAX_EXAMPLES else ""
    return f"{side} of {_json(link.relation)}: {_json(names[:MAX_EXAMPLES])}{more}"


def _fact_line(fact: Fact) -> str:
    by_key: dict[str, list[str]] = {}
    for key, value in fact.qualifiers:
        by_key.setdefault(key, []).append(value)
    qualifiers = f" {_json(by_key)}" if by_key else ""
    return f"{_json(fact.head)} | {_json(fact.relation)} | {_json(fact.tail)}{qualifiers}"


def _json(value: Any) -> str:
    """Names as JSON, so that the content of a name stays a text in quotes."""
    return json.dumps(value, ensure_ascii=False)
