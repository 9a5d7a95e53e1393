"""The outcome of one question: its answer, whether it is right and why, and what it cost; and the file of a run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

from cgstore.errors import BadInput, CgstoreError, NoModel
from cgstore.evaluate.benchmarks.benchmark import Question, Reason
from cgstore.evaluate.benchmarks.files import json_object
from cgstore.evaluate.scoring import METRICS, Judge, Value, covers, f1, settled
from cgstore.llm.backends import Attempt
from cgstore.model import Answer
from cgstore.text.names import is_unicode

RIGHT = "right"
MORE = "gold and more"
PART = "in part"
OTHER = "another answer"
NOTHING = "programs gave nothing"
REFUSED = "no program could be run"
ABSTAINED = "the LLM abstained"
NO_PROGRAM = "no program was written"
UNREACHABLE = "gold is not in the data"
NO_SOURCE = "no facts are published for it"
NO_REPLY = "the LLM gave no reply"
FAILED = "the question failed"

CLASSES = (RIGHT, MORE, PART, OTHER, NOTHING, REFUSED, ABSTAINED, NO_PROGRAM, UNREACHABLE, NO_SOURCE, NO_REPLY, FAILED)
"""Why an answer of an LLM is right or not, in the order of reports. `UNREACHABLE` takes precedence over all others."""

_TEXTS = ("id", "question", "type", "program", "reason", "reason_class")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one question; the fields are those of its line.

    Args:
        scores: every metric, from 0 to 1.
        program: the program whose answer stands.
        reason: why the answer is right or not; it begins with `reason_class`.
        reason_class: for an LLM one of `CLASSES`.
        tried: all programs that were run, each with its `answer` or `error`.
        mappings: the nodes that names were mapped to.
        because: why this program was chosen.
        browser: a link to the evidence, if the database has a Browser.
        statements: the number of Cypher statements.
        tokens: what the LLM took: requests, prompt_tokens, completion_tokens, kept.
        confidence: the probability that the answer is right, by the backend, if it gives one.
    """

    id: str
    question: str
    type: str
    gold: list[str]
    answer: list[Value]
    correct: bool
    scores: dict[str, float]
    program: str
    reason: str
    reason_class: str
    tried: list[dict[str, Any]] = field(default_factory=list)
    mappings: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    because: str | None = None
    browser: str | None = None
    seconds: float = 0.0
    statements: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    cost: float | None = None
    confidence: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Returns the fields by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Outcome:
        """Returns the outcome of a line; raises ValueError if it is none."""
        if missing := [name for name in _TEXTS if not isinstance(record.get(name), str)]:
            raise ValueError(f"these fields must be texts: {', '.join(missing)}")
        try:
            outcome = cls(**{each.name: record[each.name] for each in fields(cls) if each.name in record})
        except TypeError as error:
            raise ValueError("a field is missing") from error
        if not isinstance(outcome.scores, dict) or not set(METRICS) <= outcome.scores.keys():
            raise ValueError("`scores` lacks a metric")
        return outcome


def outcome_of(question: Question, answer: Answer, scores: dict[str, float], right: bool, reason: Reason) -> Outcome:
    """Returns the outcome of a question that was answered, with or without values."""
    return Outcome(
        question.id,
        question.text,
        question.type,
        list(question.gold),
        list(answer.answer),
        correct=right,
        scores=scores,
        program=answer.program,
        reason=str(reason),
        reason_class=reason.kind,
        statements=len(answer.cypher),
    )


def without_answer(question: Question, reason: Reason) -> Outcome:
    """Returns the outcome of a question without an answer."""
    return outcome_of(question, Answer((), ""), dict.fromkeys(METRICS, 0.0), False, reason)


def answered(
    question: Question, answer: Answer, tried: Sequence[Attempt], judge: Judge, cost: float | None = None
) -> Outcome:
    """Judges an answer of an LLM. All metrics are 0 if no program ran: that denotes nothing, not the empty set.

    An LLM that says that the data do not have the answer denotes the empty set; so does no answer, whatever ran, where
    the data do not have one.
    """
    if question.rows:
        answer = replace(answer, answer=answer.lines)
    scores = dict.fromkeys(METRICS, 0.0)
    ran = answer.declined or any(one.answer is not None for one in tried)
    if answer.answer or ran or not question.answerable:
        scores = judge.scores(question.gold, settled(question.gold, answer.answer), question.canonical)
    right = judge.is_right(scores)
    reason = Reason(RIGHT) if right else _difference(question.gold, answer, tried)
    if not right and not question.reachable:
        reason = Reason(UNREACHABLE, ", ".join(filter(None, reason[:2])))
    return replace(
        outcome_of(question, answer, scores, right, reason),
        tried=[_program(one) for one in tried],
        mappings=[asdict(mapping) for mapping in answer.mappings],
        warnings=list(answer.warnings),
        because=answer.because,
        browser=answer.browser,
        tokens=dict(answer.usage),
        cost=cost,
    )


def failed(question: Question, error: Exception) -> Outcome:
    """Returns the outcome of a question that an error left without an answer."""
    said = error.message.splitlines()[0] if isinstance(error, CgstoreError) else f"{type(error).__name__}: {error}"
    return without_answer(question, Reason(NO_REPLY if isinstance(error, NoModel) else FAILED, said))


def beside_gold(gold: Sequence[str], answer: Sequence[Value], more: str, part: str, other: str) -> Reason:
    """Returns how an answer with values differs from gold: it has all of it and `more`, `part` of it, or none."""
    if gold and covers(gold, answer):
        return Reason(more, f"{len(answer):,} answers, {len(set(gold)):,} of them gold")
    score = f1(gold, answer)
    return Reason(part, f"f1 {score:.2f}") if score else Reason(other, "none of them gold")


def _program(tried: Attempt) -> dict[str, Any]:
    if tried.answer is None:
        return {"program": tried.program, "error": tried.error}
    return {"program": tried.program, "answer": list(tried.answer.answer)}


def _difference(gold: Sequence[str], answer: Answer, tried: Sequence[Attempt]) -> Reason:
    if answer.answer:
        return beside_gold(gold, answer.answer, MORE, PART, OTHER)
    if answer.declined:
        return Reason(ABSTAINED, answer.declined)
    ran = any(one.answer is not None for one in tried)
    return Reason(NOTHING if ran else REFUSED if tried else NO_PROGRAM, "; ".join(answer.warnings))


# The file of a run
#
# One line a question, written as outcomes come, so that a run that was cut short can resume. Beside `outcomes.jsonl` is
# `outcomes.jsonl.settings.json`, which says what was asked, and how. A run only resumes from a file with the same
# settings.


Settings = dict[str, Any]

SUFFIX = ".settings.json"


class OutcomeList:
    """Receives outcomes and keeps them in memory."""

    path: Path | None = None

    def __init__(self, on_outcome: Callable[[Outcome], object] | None = None) -> None:
        self.outcomes: list[Outcome] = []
        self._on_outcome = on_outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Ends the list."""

    def write(self, outcome: Outcome) -> None:
        """Adds an outcome."""
        self.outcomes.append(outcome)
        if self._on_outcome:
            self._on_outcome(outcome)


class OutcomesFile(OutcomeList):
    """A file that receives outcomes. With `resume`, those in the file are kept, so that they are not asked again.

    Raises:
        BadInput: the file cannot be written or read, is not a file of outcomes, or has other settings.
    """

    def __init__(self, path: Path, settings: Settings, resume: bool = False) -> None:
        super().__init__()
        self.path = path
        resumes = resume and path.is_file() and path.stat().st_size > 0
        self.outcomes = self._earlier(path, settings) if resumes else []
        try:
            text = "".join(_line(one) for one in self.outcomes)
            if not resumes or path.read_text(encoding="utf-8") != text:  # a line that was cut short is dropped
                path.write_text(text, encoding="utf-8")
            settings_file(path).write_text(json.dumps(settings, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            self._stream = path.open("a", encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from error

    def __exit__(self, *error: object) -> None:
        """Closes the file."""
        self._stream.close()

    def write(self, outcome: Outcome) -> None:
        """Adds an outcome and flushes its line."""
        self._stream.write(_line(outcome))
        self._stream.flush()
        super().write(outcome)

    @staticmethod
    def _earlier(path: Path, settings: Settings) -> list[Outcome]:
        known = read_settings(path)
        if known is None:
            raise BadInput(
                f"{path} cannot be resumed: {settings_file(path).name} is missing.", "Leave out --resume to start anew."
            )
        differing = sorted(name for name in known.keys() | settings.keys() if known.get(name) != settings.get(name))
        if differing:
            raise BadInput(
                f"{path} was written with other settings: {', '.join(differing)}.",
                "Give the same options, or another --out.",
            )
        return read_outcomes(path, cut_short=True)


def read_outcomes(path: Path, *, cut_short: bool = False) -> list[Outcome]:
    """Reads the outcomes of a file of `--out`; `cut_short` ignores a last line without an end, of a killed run."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from error
    outcomes = []
    for number, line in enumerate(lines[:-1] if cut_short else lines, 1):
        if line.strip():
            place = f"{path.name}, line {number}"
            try:
                outcomes.append(Outcome.from_json(json_object(line, place)))
            except ValueError as error:
                raise BadInput(f"{place}: not an outcome of cgstore eval: {error}.") from error
    return outcomes


def read_settings(path: Path) -> Settings | None:
    """Reads the settings beside a file of outcomes; None if they are missing."""
    file = settings_file(path)
    if not file.is_file():
        return None
    try:
        return json_object(file.read_text(encoding="utf-8"), str(file))
    except (OSError, ValueError) as error:
        raise BadInput(f"{file} cannot be read: {error}.") from error


def settings_file(path: Path) -> Path:
    """Returns the file with the settings of a file of outcomes."""
    return path.with_name(path.name + SUFFIX)


def settings_of(benchmark: str, set_name: str, questions: Sequence[Question], others: Mapping[str, Any]) -> Settings:
    """Returns what must agree for a run to resume: a hash of the questions with their gold answers, and all others."""
    drawn = json.dumps([[q.id, q.text, q.gold, q.sources, q.topic] for q in questions])
    digest = hashlib.sha256(drawn.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    plain = {name: _plain(name, value) for name, value in others.items()}
    return {"benchmark": benchmark, "set": set_name, "drawn": len(questions), "questions": digest, **plain}


def _plain(name: str, value: Any) -> Any:
    """A setting as JSON, without secrets."""
    if isinstance(value, dict):
        return {key: _plain(key, each) for key, each in sorted(value.items()) if "key" not in key}
    if isinstance(value, list | tuple):
        return [_plain(name, each) for each in value]
    if name == "base_url" and isinstance(value, str):
        parts = urlsplit(value)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value) if isinstance(value, Path) else str(getattr(value, "name", type(value).__name__))


def _line(outcome: Outcome) -> str:
    line = json.dumps(outcome.to_json(), ensure_ascii=False)
    # An LLM may write invalid Unicode; the line then has escapes.
    return (line if is_unicode(line) else json.dumps(outcome.to_json())) + "\n"
