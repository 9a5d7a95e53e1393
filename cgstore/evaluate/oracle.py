"""The backend `oracle`: gold annotations as programs. It measures what comes after the LLM, given a perfect reader.

The annotation of each question (SQL, a path of relations, CronQuestions' annotation) becomes a program, which runs
through the ordinary path. A reason explains each answer that is not right.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.errors import BadInput, CgstoreError, QueryFailed
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Question, Reason
from cgstore.evaluate.outcome import RIGHT, Outcome, outcome_of
from cgstore.evaluate.run import Ask
from cgstore.evaluate.scoring import Judge, settled
from cgstore.model import Answer
from cgstore.store import Store


def oracle_backend(store: Store, benchmark: Benchmark) -> Ask:
    """Returns a function that runs the program of a question's annotation and judges its answer by denotation."""
    judge = Judge(benchmark.judge.accepted)

    def ask(question: Question) -> Outcome:
        assert benchmark.program is not None, "the benchmark has a set of `eval oracle`"
        program = benchmark.program(question)
        error: CgstoreError | None = None
        try:
            answer = store.query(program, list(question.sources), exact=True, evidence=False)
        except (BadInput, QueryFailed) as failure:
            answer, error = Answer((), program), failure
        scores = judge.scores(question.gold, settled(question.gold, answer.answer))
        if judge.is_right(scores):
            refused = error.message.splitlines()[0] if error else ""
            return outcome_of(question, answer, scores, True, Reason(RIGHT, refused))
        return outcome_of(question, answer, scores, False, benchmark.explain(question, answer, error))

    return ask


def summary_text(name: str, outcomes: Sequence[Outcome]) -> str:
    """Returns how many are right, and each class of the others with its first question."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.reason_class, []).append(outcome)
    right, n = len(groups.pop(RIGHT, ())), len(outcomes)
    lines = [f"{name}: {right:,} of {n:,} right ({right / n:.2%})"]
    for kind, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        lines += [f"  {len(group):>5}  {kind}", f"         such as question {group[0].id}: {group[0].reason}"]
    return "\n".join(lines)
