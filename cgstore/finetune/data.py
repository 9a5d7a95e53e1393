"""Pairs of a question and its program, and the files from which models are trained.

The instruction and the form of the input are ChatKBQA's (Luo et al. 2024, section 3.2). `openai` is the format of chat
messages for OpenAI's fine-tuning; `instruction` is that of most trainers for open models.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.llm.masking import (
    PLACEHOLDER,
    mask,
    mask_form,
    mask_program,
    names_in,
    names_in_form,
    spans_of,
)
from cgstore.llm.trained.generation import Example, as_input
from cgstore.options import LANGUAGES
from cgstore.query.ast import Program
from cgstore.query.build import text_of
from cgstore.query.parse import ProgramError, parse
from cgstore.query.sexpr.forms import Form
from cgstore.query.sexpr.from_program import from_program
from cgstore.query.sexpr.read import read_sexpr
from cgstore.query.sexpr.to_program import to_program
from cgstore.query.sexpr.write import skeleton_text
from cgstore.text.json_text import read_json_lines

INSTRUCTIONS = {
    "sexpr": "Generate a Logical Form query that retrieves the information corresponding to the given question.",
    "llm": "Generate a program that retrieves the information corresponding to the given question.",
}
"""The instruction for each language; that of `sexpr` is ChatKBQA's."""

_FORM = '{"question": "...", "program": "..."}, or with "reply" or "sexpr" in the place of "program"'


@dataclass(frozen=True)
class Line:
    """A question with its program as it was given: a program, an LLM's reply, or an S-expression."""

    question: str
    program: str
    is_sexpr: bool = False


@dataclass(frozen=True)
class Pair:
    """A training question and what a model should write for it."""

    question: str
    output: str


@dataclass(frozen=True)
class DataReport:
    """What became of the questions of a file.

    Attributes:
        questions: lines read.
        pairs: lines written.
        held_out: questions left out because another file has them.
        folded: questions that are the same as others once masked; most of them have the program that is written.
        outvoted: those of them with another program.
        left_out: questions whose program cannot be used, by reason.
    """

    questions: int
    pairs: int
    held_out: int = 0
    folded: int = 0
    outvoted: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)


def read_lines(path: Path) -> list[Line]:
    """Reads JSON Lines of {question, program}, {question, reply} or {question, sexpr}.

    Raises:
        BadInput: the file cannot be read, or a line is malformed.
    """
    return read_json_lines(path, "training question", _FORM, _line)


def make_pairs(
    lines: Sequence[Line], lang: str = "llm", *, masked: bool = False, without: Sequence[Path] = ()
) -> tuple[list[Pair], DataReport]:
    """The training pairs of some questions, with outputs in a language of `LANGUAGES`.

    Args:
        masked: whether names and times are replaced by placeholders. Questions that are then the same become one pair,
            with the program that most of them have.
        without: files of questions to leave out, such as those of a test: JSON Lines with `question`, or a question
            before the first tab of each line. Case, punctuation and spaces do not count.

    Raises:
        BadInput: a file cannot be read, a line is malformed, or there is no such language.
    """
    if lang not in LANGUAGES:
        raise BadInput(f"'{lang}' is not a language of programs.", f"Give one of {', '.join(LANGUAGES)}.")
    held = {question_key(question) for path in without for question in questions_in(path)}
    kept = [line for line in lines if question_key(line.question) not in held]
    problems: Counter[str] = Counter()
    pairs: list[Pair] = []
    for line in kept:
        try:
            pairs.append(_pair(line, lang, masked))
        except ProgramError as error:
            problems[_problem(error)] += 1
        except BadInput as error:
            problems[error.message] += 1
    folded, outvoted = _folded(pairs) if masked else (pairs, 0)
    held_out, left_out = len(lines) - len(kept), dict(problems.most_common())
    report = DataReport(len(lines), len(folded), held_out, len(pairs) - len(folded), outvoted, left_out)
    return folded, report


def _line(record: Any, _: int) -> Line:
    given = [name for name in ("program", "reply", "sexpr") if record.get(name)]
    if len(given) != 1 or not all(isinstance(record[name], str) for name in ("question", *given)):
        raise ValueError("a question and one of program, reply and sexpr are needed, as texts")
    return Line(record["question"], record[given[0]], is_sexpr=given == ["sexpr"])


def _pair(line: Line, lang: str, masked: bool) -> Pair:
    """The question with its program, or with the skeleton of its logical form.

    Raises:
        BadInput: it cannot be read, or has no counterpart in the language.
    """
    if PLACEHOLDER.search(line.question):
        raise BadInput("the question has a placeholder such as <e0>")
    question = " ".join(line.question.split())
    given: Program | Form = read_sexpr(line.program) if line.is_sexpr else parse(line.program, undefined=True)
    if masked:
        names = names_in(given) if isinstance(given, Program) else names_in_form(given)
        replaced = mask(question, spans_of(question, names))
        masked_by = mask_program if isinstance(given, Program) else mask_form
        question, given = replaced.question, masked_by(given, replaced.names)  # type: ignore[arg-type]
    if lang == "sexpr":
        return Pair(question, skeleton_text(from_program(given) if isinstance(given, Program) else given))
    return Pair(question, text_of(given if isinstance(given, Program) else to_program(given)))


def _problem(error: ProgramError) -> str:
    """The first line of an error without the place, which differs from program to program."""
    return error.message.splitlines()[0].partition(": ")[2]


def _folded(pairs: Sequence[Pair]) -> tuple[list[Pair], int]:
    """One pair for each question, with its most frequent output (the first of several), and how many had another."""
    outputs: dict[str, Counter[str]] = {}
    for pair in pairs:
        outputs.setdefault(pair.question, Counter())[pair.output] += 1
    best = {question: counts.most_common(1)[0] for question, counts in outputs.items()}
    outvoted = len(pairs) - sum(count for _, count in best.values())
    return [Pair(question, output) for question, (output, _) in best.items()], outvoted


def questions_in(path: Path) -> Iterator[str]:
    """The questions of a file: of JSON Lines with `question`, or before the first tab of each line.

    Raises:
        BadInput: the file cannot be read, or a line of JSON has no question.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The file {path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.startswith("{"):
            yield line.partition("\t")[0]
            continue
        try:
            yield str(json.loads(line)["question"])
        except (ValueError, KeyError) as error:
            raise BadInput(f"{path}, line {number}: there is no `question` in this JSON object.") from error


def question_key(question: str) -> str:
    """The question without case, punctuation and extra spaces, by which it is found again."""
    return " ".join("".join(c if c.isalnum() else " " for c in question.casefold()).split())


# Files ----------------------------------------------------------------------------------------------------------------


def write_pairs(pairs: Iterable[Pair], path: Path, lang: str, format: str = "instruction") -> None:
    """Writes the pairs, a JSON object a line: `instruction` (instruction, input, output) or `openai` (chat messages).

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        with path.open("w", encoding="utf-8", newline="\n") as lines:
            for pair in pairs:
                lines.write(json.dumps(_record(pair, lang, format), ensure_ascii=False) + "\n")
    except OSError as error:
        raise BadInput(f"The file {path} cannot be written: {error}") from error


def _record(pair: Pair, lang: str, format: str) -> dict[str, Any]:
    if format == "instruction":
        return {"instruction": INSTRUCTIONS[lang], "input": as_input(pair.question), "output": pair.output}
    contents = {"system": INSTRUCTIONS[lang], "user": as_input(pair.question), "assistant": pair.output}
    return {"messages": [{"role": role, "content": content} for role, content in contents.items()]}


def read_examples(path: Path) -> list[Example]:
    """Reads a training file of either format.

    Raises:
        BadInput: it cannot be read, a line is malformed, or there is none.
    """
    form = '{"instruction": "...", "input": "...", "output": "..."} or {"messages": [...]}'
    examples = read_json_lines(path, "training pair", form, _example)
    if not examples:
        raise BadInput(f"The file {path} has no training pairs.", "`cgstore finetune data` writes them.")
    return examples


def _example(record: Any, _: int) -> Example:
    if "messages" in record:
        by_role = {message["role"]: message["content"] for message in record["messages"]}
        record = {
            "instruction": by_role.get("system", ""),
            "input": by_role["user"],
            "output": by_role["assistant"],
        }
    parts = record.get("instruction", ""), record["input"], record["output"]
    if not all(isinstance(part, str) for part in parts):
        raise ValueError("instruction, input and output are texts")
    return Example(*parts)
