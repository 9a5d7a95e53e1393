"""What came of programs, told to the LLM that wrote them: the error, the names that were mapped, and what was near."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.llm.backend import Attempt
from cgstore.model import Answer
from cgstore.text.names import is_nameless

MAX_TOLD = 3
"""Most programs of which is told: the prompt must not grow without bound."""

MAX_WARNINGS = 5

MAX_STEPS = 20
"""Steps of one program of which is told."""

LONGEST_PROGRAM = 2_000
"""Characters of a program: a reply may be prose without end."""

LONGEST = 300
"""Characters of one line: an error may hold the whole program."""


def told(tried: Sequence[Attempt]) -> str:
    """The programs with what came of each."""
    return "\n\n".join(_told(one) for one in tried[:MAX_TOLD])


def _told(tried: Attempt) -> str:
    program = tried.program.strip()
    lines = [program if len(program) <= LONGEST_PROGRAM else f"{program[:LONGEST_PROGRAM]} ..."]
    if tried.answer is None:
        return "\n".join([*lines, f"-> could not be run: {_line(tried.error)}"])
    lines.append(f"-> gave {_nameless(tried.answer)}" if tried.answered else "-> gave nothing")
    other = [m for m in tried.answer.mappings if m.name != m.node]
    lines += [_line(f"   '{m.name}' was taken for '{m.node}'") for m in other[:MAX_STEPS]]
    lines += [_line(f"   step {step}") for step in tried.answer.steps[:MAX_STEPS]]
    lines += [_line(f"   {warning}") for warning in tried.answer.warnings[:MAX_WARNINGS]]
    return "\n".join(lines)


def names_nothing(tried: Attempt) -> bool:
    """Whether all values of its answer are nodes without a name."""
    values = tried.answer.answer if tried.answer else ()
    return bool(values) and all(isinstance(value, str) and is_nameless(value) for value in values)


def _nameless(answer: Answer) -> str:
    shown = ", ".join(map(str, answer.answer[:3]))
    return f"nodes without a name ({shown}), each of which joins several facts: follow a relation of theirs further"


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST]
