"""What an LLM is told about its programs: errors, names that were mapped, and what each step gave."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.llm.backend import Attempt
from cgstore.text.names import is_nameless

MAX_PROGRAMS, MAX_STEPS, MAX_WARNINGS = 3, 20, 5
"""Programs in one feedback, and steps and warnings of one program: the prompt must stay bounded."""

LONGEST_PROGRAM = 2_000
"""Characters of a program: a reply may be endless prose."""

LONGEST_LINE = 300
"""Characters of one line: an error may contain the whole program."""


def feedback(attempts: Sequence[Attempt]) -> str:
    """The programs, each with its outcome."""
    return "\n\n".join(map(_outcome, attempts[:MAX_PROGRAMS]))


def names_nothing(attempt: Attempt) -> bool:
    """Whether all values of the answer are nodes without a name."""
    values = attempt.answer.answer if attempt.answer else ()
    return bool(values) and all(isinstance(value, str) and is_nameless(value) for value in values)


def _outcome(attempt: Attempt) -> str:
    program, answer = attempt.program.strip(), attempt.answer
    lines = [program if len(program) <= LONGEST_PROGRAM else f"{program[:LONGEST_PROGRAM]} ..."]
    if answer is None:
        return "\n".join([*lines, f"-> could not be run: {_line(attempt.error)}"])
    if attempt.answered:
        nodes = f"nodes without a name ({', '.join(map(str, answer.answer[:3]))}), each of which joins several facts"
        lines.append(f"-> gave {nodes}: follow a relation of theirs further")
    else:
        lines.append("-> gave nothing")
    mapped = [m for m in answer.mappings if m.name != m.node]
    lines += [_line(f"   '{m.name}' was taken for '{m.node}'") for m in mapped[:MAX_STEPS]]
    lines += [_line(f"   step {step}") for step in answer.steps[:MAX_STEPS]]
    lines += [_line(f"   {warning}") for warning in answer.warnings[:MAX_WARNINGS]]
    return "\n".join(lines)


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_LINE]
