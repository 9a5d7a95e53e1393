"""Records what the backend `demos` answers about graphs, and whether it is right, for `benchmarks.graph_weights`.

    python -m benchmarks.graph_answers --data .data --out answers.jsonl [--sets NAME ...] [--questions 200]

Each line is a question with what its answer rests on, so that the confidence can be fitted again without asking. What
is in the file already is not asked again. A set is asked of the sources that `cgstore eval` loads, or of the sources of
`benchmarks/fact_questions`, which must be loaded (and `cgstore demos add` for MetaQA's training demonstrations).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cgstore.embedding.encoder import SharedEncoder
from cgstore.evaluate.benchmarks import BENCHMARKS
from cgstore.evaluate.benchmarks.benchmark import Question, Selection, sample
from cgstore.evaluate.benchmarks.mine import JUDGE
from cgstore.evaluate.scoring import Judge
from cgstore.llm.backends import Backend, Decision, Run
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.backends.rewrite.confidence import Basis
from cgstore.llm.demonstrations import load_demonstrations
from cgstore.llm.demonstrations.build import read_questions
from cgstore.llm.demonstrations.stored import GraphDemonstrations
from cgstore.llm.graph_view import GraphView
from cgstore.store import Store, connect

SECONDS = 600.0
"""A statement may take so long, since the machine may be busy."""

SHARES = {"half": 2, "tenth": 10}

OWN = Path(__file__).parent / "fact_questions"


@dataclass(frozen=True)
class AnswerSet:
    """Questions, and the demonstrations that answer them.

    Args:
        origin: the kind of graph and questions; what is learnt is tried on origins that were not learnt from.
        benchmark: its name; empty: the file `questions` of `fact_questions`.
        fields: those of its `Selection`.
        demonstrations: shipped, a `half` or a `tenth` of the shipped, those `stored` in the graph beside the
            shipped, or made from `other` questions of the benchmark, or from those of other templates (`unseen`).
    """

    origin: str
    benchmark: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    questions: str = ""
    demonstrations: str = "shipped"


SETS = {
    "cronquestions": AnswerSet("cronquestions", "cronquestions", demonstrations="other"),
    "cronquestions, canonical": AnswerSet(
        "cronquestions", "cronquestions", {"canonical": True}, demonstrations="unseen"
    ),
    "cronquestions, shipped": AnswerSet("cronquestions", "cronquestions", {"canonical": True}),
    **{
        name: AnswerSet(name.split("_")[0], questions=f"{name}.jsonl")
        for kind in ("careers", "instruments")
        for name in (kind, f"{kind}_second", f"{kind}_third")
    },
    "theatres": AnswerSet("theatres", questions="theatres.jsonl"),
    "unanswerable": AnswerSet("unanswerable", questions="unanswerable.jsonl"),
    **{f"metaqa {n}": AnswerSet("metaqa", "metaqa", {"hop": n}, demonstrations="stored") for n in (1, 2, 3)},
    **{f"metaqa {n}, shipped": AnswerSet("metaqa", "metaqa", {"hop": n}) for n in (1, 2)},
    "cron_like": AnswerSet("cron_like", "cron_like"),
    "cron_like, half": AnswerSet("cron_like", "cron_like", demonstrations="half"),
    "cron_like, tenth": AnswerSet("cron_like", "cron_like", demonstrations="tenth"),
    "timequestions": AnswerSet("timequestions", "timequestions"),
    "multitq": AnswerSet("multitq", "multitq"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(".data"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    known = given.out.read_text("utf-8").splitlines() if given.out.is_file() else []
    done = {(record["set"], record["id"]) for record in map(json.loads, known)}
    encoder = SharedEncoder(None)
    with connect(timeout=SECONDS) as store, given.out.open("a", encoding="utf-8") as out:
        for name in given.sets:
            questions, judge = drawn(SETS[name], given)
            backend_of = backends(SETS[name], store, given, encoder)
            started = time.perf_counter()
            for question in questions:
                if (name, question.id) not in done:
                    record = asked(store, question, backend_of(question), judge)
                    out.write(json.dumps({"set": name, "origin": SETS[name].origin, **record}) + "\n")
                    out.flush()
            print(f"{name}: {len(questions)} questions, {time.perf_counter() - started:.0f} s", flush=True)


def drawn(each: AnswerSet, given: argparse.Namespace) -> tuple[list[Question], Judge]:
    """The questions of a set, with how their answers are judged."""
    if not each.benchmark:
        read = list(enumerate(read_questions(OWN / each.questions), 1))
        own = [Question(str(n), one.text, one.gold, sources=one.sources) for n, one in read]
        return sample(own, given.questions, given.seed), JUDGE
    benchmark = BENCHMARKS[each.benchmark]
    selection = Selection(given.data, **each.fields, limit=given.questions, seed=given.seed)
    questions = benchmark.read(selection).questions
    return [one for one in questions if one.reachable], benchmark.judge


def backends(
    each: AnswerSet, store: Store, given: argparse.Namespace, encoder: SharedEncoder
) -> Callable[[Question], Backend]:
    """The backend of each question."""
    if each.demonstrations in ("other", "unseen"):
        benchmark = BENCHMARKS[each.benchmark]
        assert benchmark.held_out is not None
        return benchmark.held_out(Selection(given.data, **each.fields), each.demonstrations == "unseen", encoder)
    shipped = load_demonstrations()
    if each.demonstrations in SHARES:
        shipped = random.Random(given.seed).sample(shipped, len(shipped) // SHARES[each.demonstrations])
    stored = GraphDemonstrations(store.db) if each.demonstrations == "stored" else None
    backend = RewriteBackend(shipped, encoder, stored)
    return lambda question: backend


class Watched:
    """The backend, without a threshold; it remembers what the last answer rests on."""

    name = "demos"

    def __init__(self, backend: Backend) -> None:
        assert isinstance(backend, RewriteBackend)
        self._backend = backend
        self.decision: Decision | None = None
        self.basis: Basis | None = None

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`."""
        self.decision, self.basis = self._backend.decide_with_basis(question, graph, run)
        return self.decision


def asked(store: Store, question: Question, backend: Backend, judge: Judge) -> dict[str, Any]:
    """A question's record."""
    watched = Watched(backend)
    answer = store.ask(question.text, watched, list(question.sources))
    record = {"id": question.id, "text": question.text, "gold": len(question.gold), "answers": len(answer.answer)}
    decision, basis = watched.decision, watched.basis
    if decision is None or basis is None or decision.chosen is None:
        return {**record, "right": False, "why": list(answer.warnings)[:2]}
    right = bool(question.gold) and judge.is_right(judge.scores(question.gold, answer.answer, question.canonical))
    return {
        **record,
        "right": right,
        "hit": bool(question.gold) and judge.scores(question.gold, answer.answer, question.canonical)["hits_at_1"] > 0,
        "program": decision.chosen.program,
        "no": answer.answer == ("no",),
        "warnings": list(decision.warnings),
        "question": basis.question,
        "has_times": basis.has_times,
        "put_right": basis.put_right,
        "proposals": [[p.program, round(p.score, 4), p.way, sorted(p.guesses)] for p in basis.proposals],
    }


if __name__ == "__main__":
    main()
