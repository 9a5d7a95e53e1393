"""An LLM that looks before it writes: it calls tools that read the graph, and ends with a program.

What it saw is no evidence: the program that it ends with is executed as any other, so that the answer is proved by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cgstore.errors import BadInput, QueryFailed
from cgstore.llm.backend import Attempt, Decision, Run
from cgstore.llm.backends.feedback import names_nothing, told
from cgstore.llm.chat import Message, Request, Tool, ToolCall, UsageMeter
from cgstore.llm.graph_view import GraphView, Link
from cgstore.llm.prompts import tokens_of
from cgstore.query.external_functions import Evaluator
from cgstore.text.names import is_unicode

MAX_STEPS = 10
"""Replies of the LLM for one question."""

MAX_CALLS = 4
"""Tools called in one reply."""

MAX_TOKENS = 40_000
"""Tokens of one question, all prompts together, as we estimate them: what an endpoint counts, or a cache saves, must
not change what is asked."""

REPLY_TOKENS = 1_000

SHOWN = 20
"""Values of an answer that the LLM sees."""

LONGEST = 4_000
"""Characters of what one call gives."""


def _tool(name: str, description: str, argument: str, what: str) -> Tool:
    schema = {"type": "object", "properties": {argument: {"type": "string", "description": what}}}
    return Tool(name, description, {**schema, "required": [argument]})


ANSWER = "answer"

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


def explore(
    account: UsageMeter, messages: tuple[Message, ...], graph: GraphView, run: Run, evaluate: Evaluator | None = None
) -> Decision:
    """Lets the LLM look until it answers, or a bound is reached: then its last program that gave a value stands."""
    looking, spent = _Looking(graph, run, evaluate), tokens_of(messages)
    for step in range(1, MAX_STEPS + 1):
        reply = account.complete(Request(messages, max_tokens=REPLY_TOKENS, tools=TOOLS)).choices[0]
        if not reply.tool_calls:
            reply = Message(
                "assistant", "", (ToolCall(f"said-{step}", ANSWER, json.dumps({"program": reply.content})),)
            )
        results = [looking.call(call) for call in reply.tool_calls[:MAX_CALLS]]
        if looking.final:
            because = f"written by {account.model} after {step} step{'s' if step > 1 else ''}"
            return Decision(looking.final, because, tuple(looking.tried), usage=account.usage)
        made = tuple(replace(call, arguments=_as_json(call.arguments)) for call in reply.tool_calls[:MAX_CALLS])
        messages = (*messages, Message("assistant", reply.content, made), *results)
        spent += tokens_of(messages)
        if spent > MAX_TOKENS:
            break
    last = next((one for one in reversed(looking.tried) if one.answered), None)
    warning = f"{account.model} did not end within {MAX_STEPS} steps or {MAX_TOKENS:,} tokens."
    because = f"the last program of {account.model} that gave something" if last else ""
    return Decision(last, because, tuple(looking.tried), (warning,), account.usage)


class _Looking:
    """The tools over one graph; `tried` are the programs that were run, `final` the one that answers."""

    def __init__(self, graph: GraphView, run: Run, evaluate: Evaluator | None) -> None:
        self._graph, self._run, self._evaluate = graph, run, evaluate
        self.tried: list[Attempt] = []
        self.final: Attempt | None = None
        self._tools: dict[str, tuple[str, Callable[[str], str]]] = {
            "find_names": ("text", self._find_names),
            "relations_of": ("entity", self._relations_of),
            "run_program": ("program", self._run_program),
            ANSWER: ("program", self._answer),
        }

    def call(self, call: ToolCall) -> Message:
        """What a tool gives, as a message; what is wrong with the call is told in it."""
        return Message("tool", self._given(call)[:LONGEST], tool_call_id=call.id)

    def _given(self, call: ToolCall) -> str:
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
        return "\n".join(map(_link, links)) or f"No entity has the exact name {_json(entity)}. Try find_names."

    def _run_program(self, program: str) -> str:
        tried = self._tried(program)
        if not tried.answered or tried.answer is None or names_nothing(tried):
            return told([tried])
        values = tried.answer.answer
        more = f" and {len(values) - SHOWN:,} more" if len(values) > SHOWN else ""
        return "\n".join([*tried.answer.steps, *tried.answer.warnings, f"answer: {_json(values[:SHOWN])}{more}"])

    def _answer(self, program: str) -> str:
        tried = self._tried(program)
        if tried.answered and not names_nothing(tried):
            self.final = tried
            return "done"
        return told([tried])

    def _tried(self, program: str) -> Attempt:
        known = next((one for one in self.tried if one.program == program), None)
        if known is None:
            known = self._run(program, self._evaluate)
            self.tried.append(known)
        return known


def _as_json(arguments: str) -> str:
    """The arguments of a call as they are sent back: endpoints refuse what is no JSON object."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _link(link: Link) -> str:
    arrow = "head of" if link.as_head else "tail of"
    return f"{arrow} {_json(link.relation)}: {_json(link.names)}{' and more' if link.more else ''}"


def _json(value: Any) -> str:
    """Names as JSON, so that what stands in one stays a text in quotes."""
    return json.dumps(value, ensure_ascii=False)
