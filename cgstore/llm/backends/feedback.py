"""What an LLM is told about its programs: errors, names that were mapped, and what each query gave.

It speaks of queries and functions as the page of the language does, and never of the steps of a plan.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.cypher.connection import OUT_OF_TIME
from cgstore.llm.backends import Attempt
from cgstore.llm.prompts.schema import shortened
from cgstore.model import Answer
from cgstore.query.parse import NO_LLM_ASKED
from cgstore.text.names import is_nameless

MAX_PROGRAMS, MAX_QUERIES, MAX_WARNINGS = 3, 20, 5
"""Programs in one feedback, and queries and warnings of one program: the prompt must stay bounded."""

LONGEST_PROGRAM = 2_000
"""Characters of a program: a reply may be endless prose."""

NO_ENTITY = "no entity is named"
PART_OF_NAME = "Names are spelt as in the data; keep(set=get_information(relation='...'), contains='...') finds a part."

TOOK_TOO_LONG = "It took too long, and was stopped: ask for fewer things at once."
"""What an LLM is told of a statement that ran out of time: it cannot give more."""

CUT_OFF = "The reply was cut off, at its limit of tokens or at the end of the context."
"""What is told of a reply that did not end by itself."""

LONGEST_MARKED = 80
"""Characters of the part of a program that an error is about."""

LONGEST_LINE = 500
"""Characters of one line: an error may contain the whole program."""


def feedback(attempts: Sequence[Attempt]) -> str:
    """The programs, each with its outcome."""
    return "\n\n".join(
        f"{shortened(attempt.program, LONGEST_PROGRAM)}\n{outcome(attempt)}" for attempt in attempts[:MAX_PROGRAMS]
    )


def outcome(attempt: Attempt) -> str:
    """What came of a program without an answer that could stand."""
    answer = attempt.answer
    if answer is None:
        return f"-> could not be run: {_line(error_in_words(attempt.error))}"
    lines = ["-> gave nothing"]
    if attempt.answered:
        nodes = f"nodes without a name ({', '.join(map(str, answer.answer[:3]))}), each of which joins several facts"
        lines = [f"-> gave {nodes}: follow a relation of theirs further, in one more query"]
    return "\n".join([*lines, *(f"   {line}" for line in details(answer))])


def details(answer: Answer) -> list[str]:
    """The names that were taken for others, what each query gave, and the notes."""
    mapped = [m for m in answer.mappings if m.name != m.node]
    lines = [f"'{m.name}' was taken for '{m.node}'" for m in mapped[:MAX_QUERIES]]
    return [_line(line) for line in (*lines, *answer.queries[:MAX_QUERIES], *answer.warnings[:MAX_WARNINGS])]


def names_nothing(attempt: Attempt) -> bool:
    """Whether all values of the answer are nodes without a name."""
    values = () if attempt.answer is None else attempt.answer.answer
    return bool(values) and all(isinstance(value, str) and is_nameless(value) for value in values)


def error_in_words(text: str) -> str:
    """An error with the part of the program that it is about, in place of the line with a caret below it."""
    if text.startswith(OUT_OF_TIME):
        return TOOK_TOO_LONG
    problem, *more = text.replace(NO_LLM_ASKED, "").splitlines() or [""]
    if len(more) > 1 and more[1].strip(" ^") == "":
        marked = [character for character, caret in zip(more[0], more[1], strict=False) if caret == "^"]
        at = f" (at {''.join(marked)[:LONGEST_MARKED]})" if marked else ""
        more = more[2:] or [PART_OF_NAME] * (NO_ENTITY in problem)
        return " ".join([f"{problem}{at}", *more])
    return " ".join([problem, *more])


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_LINE]
