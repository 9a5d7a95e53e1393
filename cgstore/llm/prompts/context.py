"""The context before a question: corrections of users for near questions, and earlier questions of its conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cgstore.llm.demonstrations.stored import State, StoredDemonstration
from cgstore.llm.prompts.schema import shortened
from cgstore.mapping.mentions import MAX_QUESTION
from cgstore.model import Answer
from cgstore.text.names import many, normal_form

MOST_EARLIER = 3
"""Earlier questions of a conversation that an LLM sees."""

MOST_VALUES, LONGEST_VALUE = 10, 100
"""Values of an answer, and characters of one."""

LONGEST_QUESTION, LONGEST_PROGRAM = 500, 1_500
"""Characters of a question and of a program."""

_FOLLOWS = (
    "The question below follows others in one conversation, and may leave out what they say. Write a program that "
    "stands alone: it cannot use their outputs."
)


def with_question_before(question: str, earlier: Sequence[Answer]) -> str:
    """A question behind the one that it follows, by which demonstrations are chosen."""
    before = [(answer.question or "")[:LONGEST_QUESTION] for answer in earlier[-1:]]
    return " ".join([*before, question])[-MAX_QUESTION:] if before else question


def conversation_text(earlier: Sequence[Answer], *, private: bool = False) -> str:
    """The last questions before one, each with its program and its answer; empty if there are none.

    `private`: values are counted and not shown.
    """
    parts = []
    for answer in earlier[-MOST_EARLIER:]:
        program = (
            f"Its program:\n{shortened(answer.program, LONGEST_PROGRAM)}"
            if answer.program
            else "No program was written for it."
        )
        count = many(len(answer.lines), "value")
        shown = count if private else _values(answer.lines)
        gave = f"It gave {shown}." if answer.lines else "It gave no answer."
        parts.append(f"Earlier question: {_json((answer.question or '')[:LONGEST_QUESTION])}\n{program}\n{gave}")
    return "\n\n".join([_FOLLOWS, *parts]) if parts else ""


def corrections_text(question: str, corrections: Sequence[StoredDemonstration]) -> str:
    """Programs that users called wrong, each with the right answer; empty if there are none.

    A right program is shown for the question itself; that of another question is a demonstration.
    """
    parts = []
    for one in corrections:
        is_itself = normal_form(one.question) == normal_form(question)
        about = "here" if is_itself else f"for {_json(one.question[:LONGEST_QUESTION])}"
        gave = f"It gave {_values(one.gave)}" if one.gave else "It gave no answer"
        lines = [f"A program that was wrong {about}:", shortened(one.wrong_program, LONGEST_PROGRAM)]
        lines.append(f"{gave}; right is {_values(one.gold)}." if one.gold else f"{gave}, which is not right.")
        if is_itself and one.state == State.RIGHT:
            lines += ["A right program:", shortened(one.program, LONGEST_PROGRAM)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _values(values: Sequence[str | int | float]) -> str:
    """Values as JSON, so that the content of one stays a text in quotes."""
    shown = [_json(value[:LONGEST_VALUE] if isinstance(value, str) else value) for value in values[:MOST_VALUES]]
    more = f" and {len(values) - MOST_VALUES:,} more" if len(values) > MOST_VALUES else ""
    return f"{', '.join(shown)}{more}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
