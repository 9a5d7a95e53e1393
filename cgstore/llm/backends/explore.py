"""An LLM that looks at the graph before it writes: it calls tools that read the graph, and ends with a program.

What it sees is not evidence: its last program is run like any other, and that run proves the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from cgstore.errors import BadInput, QueryFailed
from cgstore.llm.backends import Attempt, Decision, Run
from cgstore.llm.chat import Message, Request, Tool, ToolCall, UsageMeter
from cgstore.llm.graph_view import GraphView
from cgstore.llm.prompts import feedback, names_nothing, tokens_of
from cgstore.query.external_functions import Evaluator
from cgstore.text.names import is_unicode

MAX_STEPS = 10
"""Replies of the LLM to one question."""

MAX_CALLS = 4
"""Tool calls in one reply."""

MAX_TOKENS = 40_000
"""Estimated tokens of all prompts for one question. They are estimated so that neither an endpoint's count nor cached
replies change what is asked."""

REPLY_TOKENS = 1_000

MAX_VALUES = 20
"""Values of an answer that the LLM sees."""

LONGEST_RESULT = 4_000
"""Characters of the result of one call."""

ANSWER = "answer"


def _tool(name: str, description: str, argument: str, meaning: str) -> Tool:
    properties = {argument: {"type": "string", "description": meaning}}
    return Tool(name, description, {"type": "object", "properties": properties, "required": [argument]})


TOOLS = (
    _tool(
        "find_names", "Names in the graph that are spelt like a text, of entities and of relations.", "text", "a name"
    ),
    _tool(
        "relations_of",
        "The relations of an entity, as head and as tail, with examples of the other ends.",
        "entity",
        "the exact name of an entity",
    ),
    _tool("run_program", "Runs a program and shows what each query gives.", "program", "Query1: ..., one a line"),
    _tool(ANSWER, "Ends with the program that answers the question.", "program", "Query1: ..., one a line"),
)
"""Their texts are part of a request, and so of the key of its recorded or cached reply."""


def explore(
    chat: UsageMeter, messages: tuple[Message, ...], graph: GraphView, run: Run, evaluate: Evaluator | None = None
) -> Decision:
    """Lets the LLM look until it answers or a bound is reached; then its last program that gave a value stands."""
    toolbox, spent = _Toolbox(graph, run, evaluate), tokens_of(messages)
    for step in range(1, MAX_STEPS + 1):
        reply = chat.complete(Request(messages, max_tokens=REPLY_TOKENS, tools=TOOLS)).choices[0]
        calls = reply.tool_calls[:MAX_CALLS]
        if not calls:  # a text in place of a call is taken for the answer
            calls = (ToolCall(f"said-{step}", ANSWER, json.dumps({"program": reply.content})),)
            reply = Message("assistant", "")
        results = [toolbox.call(call) for call in calls]
        if toolbox.final:
            because = f"written by {chat.model} after {step} step{'s' if step > 1 else ''}"
            return Decision(toolbox.final, because, tuple(toolbox.attempts), usage=chat.usage)
        valid = tuple(ToolCall(call.id, call.name, _as_object(call.arguments)) for call in calls)
        messages = (*messages, Message("assistant", reply.content, valid), *results)
        spent += tokens_of(messages)
        if spent > MAX_TOKENS:
            break
    last = next((attempt for attempt in reversed(toolbox.attempts) if attempt.answered), None)
    warning = f"{chat.model} did not end within {MAX_STEPS} steps or {MAX_TOKENS:,} tokens."
    because = f"the last program of {chat.model} that gave something" if last else ""
    return Decision(last, because, tuple(toolbox.attempts), (warning,), chat.usage)


class _Toolbox:
    """The tools over one graph; `attempts` are the programs that were run, `final` is the one that answers."""

    def __init__(self, graph: GraphView, run: Run, evaluate: Evaluator | None) -> None:
        self._graph, self._run, self._evaluate = graph, run, evaluate
        self.attempts: list[Attempt] = []
        self.final: Attempt | None = None
        self._tools: dict[str, tuple[str, Callable[[str], str]]] = {
            "find_names": ("text", self._find_names),
            "relations_of": ("entity", self._relations_of),
            "run_program": ("program", self._run_program),
            ANSWER: ("program", self._answer),
        }

    def call(self, call: ToolCall) -> Message:
        """The result of a call as a message, which also reports what is wrong with the call."""
        return Message("tool", self._result(call)[:LONGEST_RESULT], tool_call_id=call.id)

    def _result(self, call: ToolCall) -> str:
        if call.name not in self._tools:
            return f"There is no tool '{call.name}'. The tools are: {', '.join(self._tools)}."
        argument, tool = self._tools[call.name]
        try:
            given: Any = json.loads(call.arguments)[argument]
        except (ValueError, KeyError, TypeError, RecursionError):
            return f"The arguments must be a JSON object with the text '{argument}'."
        if not isinstance(given, str) or not is_unicode(given):
            return f"'{argument}' must be a text."
        try:
            return tool(given)
        except (BadInput, QueryFailed) as error:
            return f"That could not be done: {error.message}"

    def _find_names(self, text: str) -> str:
        alike = self._graph.names_like(text)
        others = f"\nother entities, whose names differ in a number: {_json(alike.others)}" if alike.others else ""
        return f"entities: {_json(alike.entities)}\nrelations: {_json(alike.relations)}{others}"

    def _relations_of(self, entity: str) -> str:
        links = self._graph.links_of(entity)
        lines = (
            f"{'head' if link.as_head else 'tail'} of {_json(link.relation)}: {_json(link.names)}"
            f"{' and more' if link.more else ''}"
            for link in links
        )
        return "\n".join(lines) or f"No entity has the exact name {_json(entity)}. Try find_names."

    def _run_program(self, program: str) -> str:
        attempt = self._attempt(program)
        if not attempt.answered or attempt.answer is None or names_nothing(attempt):
            return feedback([attempt])
        values = attempt.answer.lines
        more = f" and {len(values) - MAX_VALUES:,} more" if len(values) > MAX_VALUES else ""
        return "\n".join(
            [*attempt.answer.steps, *attempt.answer.warnings, f"answer: {_json(values[:MAX_VALUES])}{more}"]
        )

    def _answer(self, program: str) -> str:
        attempt = self._attempt(program)
        if attempt.answered and not names_nothing(attempt):
            self.final = attempt
            return "done"
        return feedback([attempt])

    def _attempt(self, program: str) -> Attempt:
        """The attempt of a program, which is run only once."""
        known = next((attempt for attempt in self.attempts if attempt.program == program), None)
        if known is None:
            known = self._run(program, self._evaluate)
            self.attempts.append(known)
        return known


def _as_object(arguments: str) -> str:
    """The arguments of a call as they are sent back: endpoints refuse anything but a JSON object."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _json(value: Any) -> str:
    """Names as JSON, so that the content of a name stays a text in quotes."""
    return json.dumps(value, ensure_ascii=False)
