"""An LLM that looks at the graph before it writes: it calls tools that read the graph, and ends with a program.

What it sees is not evidence: its last program is run like any other, and that run proves the answer. It may also end by
saying that the data do not have the answer.
"""

from __future__ import annotations

import json
from dataclasses import replace

from cgstore.llm.backends import Decision, Run, abstention
from cgstore.llm.backends.toolbox import ANSWER, ENDING, GIVE_UP, Toolbox
from cgstore.llm.chat import Message, Request, ToolCall, UsageMeter
from cgstore.llm.graph_view import GraphView
from cgstore.llm.languages import declined_in
from cgstore.llm.prompts import tokens_of
from cgstore.llm.prompts.feedback import CUT_OFF, LONGEST_PROGRAM
from cgstore.query.external_functions import Evaluator

MAX_STEPS = 10
"""Replies of the LLM to one question."""

MAX_CALLS = 4
"""Tool calls in one reply that are run."""

MAX_ANSWERED = 40
"""Tool calls in one reply that get an answer; no endpoint makes so many."""

NO_CALLS = (
    "{} called none of the tools. Its endpoint may leave them out without a word, as where the chat template has none: "
    "ask without --explore."
)

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
            because = f"written by {chat.model} after {step} step{'s' if step > 1 else ''}"
            return Decision(toolbox.final, because, tuple(toolbox.attempts), usage=chat.usage)
        if left == 1 or (step == MAX_TEXTS and not has_called):
            break
        valid = tuple(ToolCall(call.id, call.name, _as_object(call.arguments)) for call in calls)
        messages = (*messages, Message("assistant", reply.content[:LONGEST_PROGRAM], valid), *results)
        left = min(MAX_STEPS - step, max(1, (MAX_TOKENS - spent) // tokens_of(messages)))
        messages = (*messages[: -len(results)], *(replace(each, content=_with_rest(each, left)) for each in results))
    last = next((attempt for attempt in reversed(toolbox.attempts) if attempt.answered), None)
    warning = f"{chat.model} did not end within {step} steps." if has_called else NO_CALLS.format(chat.model)
    because = f"the last program of {chat.model} that gave something" if last else ""
    return Decision(last, because, tuple(toolbox.attempts), (warning,), chat.usage)


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
    """A result with what the LLM may still do."""
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
