"""Functions that nobody defined: a program is taken apart where it calls one, and put together with its values.

TrustUQA leaves such a function to an LLM (language page, section 9), with its name and the values of its arguments.
Here the caller hands over what evaluates it; everything before and after it runs as any other program does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from cgstore.errors import BadInput
from cgstore.model import Answer, Evidence
from cgstore.query.ast import Argument, Call, Literal, OutputRef, Program
from cgstore.query.functions import FUNCTIONS, LITERALS
from cgstore.query.parse import MAX_LITERALS

Values = tuple[str | int | float, ...]

Evaluator = Callable[[str, Sequence[tuple[str, Values]]], Sequence[str | int | float]]
"""Gives a function's values, from its name and its arguments: each one's name ('' where it has none) and values."""

MAX_UNDEFINED = 10
"""Most calls of functions that nobody defined, in one program."""


def has_undefined(program: Program) -> bool:
    """Whether a program, as `parse` gave it with `undefined`, calls a function that nobody defined."""
    return next(_undefined(program), None) is not None


def check_grounded(program: Program) -> None:
    """Raises BadInput where a function that nobody defined gets nothing from the data: memory would answer it.

    Args:
        program: what `parse` gave with `undefined`.
    """
    for _, call in _undefined(program):
        if not any(isinstance(argument.value, OutputRef | Call) for argument in call.arguments):
            raise BadInput(
                f"'{call.function}' is not a function of the language, and none of its arguments comes from the data.",
                "A function of another name may only work on the output of a query.",
            )


def answer_with(program: Program, run: Callable[[Program], Answer], evaluate: Evaluator) -> Answer:
    """The answer of a program in which functions that nobody defined are evaluated by somebody else.

    Args:
        program: what `parse` gave with `undefined`.
        run: answers a program that has none.
        evaluate: gives the values of one such function.

    Returns:
        The answer of the last part of the program, with the evidence of all parts, and a warning for each function.

    Raises:
        BadInput: there are too many of them, or one gave too many values.
    """
    parts: list[Answer] = []
    warnings: list[str] = []
    for _ in range(MAX_UNDEFINED + 1):
        found = next(_undefined(program), None)
        if found is None:
            return _joined([*parts, run(program)], warnings)
        number, call = found
        arguments: list[tuple[str, Values]] = []
        for argument in call.arguments:
            if (before := _giving(argument, program, number)) is not None:
                parts.append(run(before))
                arguments.append((argument.name, parts[-1].answer))
            elif isinstance(argument.value, Literal):
                arguments.append((argument.name, (argument.value.text,)))
        values = evaluate(call.function, arguments)
        if len(values) > MAX_LITERALS:
            raise BadInput(f"'{call.function}' gave {len(values):,} values; at most {MAX_LITERALS:,} are taken.")
        shown = ", ".join(map(str, values[:5])) + (", ..." if len(values) > 5 else "") if values else "nothing"
        warnings.append(f"'{call.function}' is not a function of the language: its values ({shown}) have no evidence.")
        program = _with_values(program, number, call, values)
    raise BadInput(f"The program calls more than {MAX_UNDEFINED} functions that nobody defined.")


def _undefined(program: Program) -> Iterator[tuple[int, Call]]:
    """The calls of such functions with the place of their query, those within others first."""
    for number, query in enumerate(program.queries):
        yield from ((number, call) for call in query.all_calls() if call.function not in FUNCTIONS)


def _giving(argument: Argument, program: Program, number: int) -> Program | None:
    """The program that gives the value of an argument: the queries before it, or these and the call within it."""
    match argument.value:
        case OutputRef(number=output):
            return Program(program.queries[:output], program.text)
        case Call() as call:
            return Program((*program.queries[:number], call), program.text)
    return None


def _with_values(program: Program, number: int, call: Call, values: Sequence[str | int | float]) -> Program:
    """The program with the values in the place of the call."""
    literals = Call(LITERALS, tuple(Argument("set", "=", Literal(str(value))) for value in values), call.place)
    query = _replaced(program.queries[number], call, literals)
    return replace(program, queries=(*program.queries[:number], query, *program.queries[number + 1 :]))


def _replaced(within: Call, old: Call, new: Call) -> Call:
    if within is old:
        return new
    return within.with_values(lambda a: _replaced(a.value, old, new) if isinstance(a.value, Call) else a.value)


def _joined(parts: Sequence[Answer], warnings: Sequence[str]) -> Answer:
    """The last answer, with what all of them rest on."""
    last = parts[-1]
    stages = dict.fromkeys(stage for part in parts for stage in part.seconds)
    return replace(
        last,
        cypher=tuple(statement for part in parts for statement in part.cypher),
        parameters=tuple(parameters for part in parts for parameters in part.parameters),
        mappings=tuple(dict.fromkeys(mapping for part in parts for mapping in part.mappings)),
        evidence=tuple(dict.fromkeys(triple for part in reversed(parts) for triple in part.evidence)),
        evidence_periods=_joined_periods(parts),
        evidence_cut=any(part.evidence_cut for part in parts),
        warnings=tuple(dict.fromkeys((*warnings, *(warning for part in parts for warning in part.warnings)))),
        details=tuple(dict.fromkeys(detail for part in parts for detail in part.details)),
        seconds={stage: sum(part.seconds.get(stage, 0.0) for part in parts) for stage in stages},
    )


def _joined_periods(parts: Sequence[Answer]) -> tuple[Evidence, ...]:
    """The evidence of all parts with one triple for the times of a period, where a part has periods."""
    if not any(part.evidence_periods for part in parts):
        return ()
    return tuple(dict.fromkeys(triple for part in reversed(parts) for triple in part.evidence_shown))
