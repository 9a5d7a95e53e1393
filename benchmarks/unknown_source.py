"""Questions asked of everything that is loaded: is the right source chosen, and what does it cost in accuracy?

    python -m benchmarks.unknown_source load --data .data
    python -m benchmarks.unknown_source choose --data .data --questions 100 --seed 1
    python -m benchmarks.unknown_source ask --data .data --questions 50 --seed 1
    python -m benchmarks.unknown_source unanswerable --data .data --questions 40 --seed 1

`load` loads MetaQA, WebQSP's graph of all questions, cron_like, all tables of WikiSQL's dev set and all of WTQ, some
3,800 sources, into the graph of the environment. `choose` draws questions of each benchmark, and looks where the
source of each stands among the sources that are chosen for its text. `ask` asks questions twice, with the backend
`small`: of their own source, and of everything. `unanswerable` asks questions of benchmarks that are not loaded.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

from cgstore.ask.choosing import DOUBTFUL
from cgstore.evaluate.benchmarks import BENCHMARKS
from cgstore.evaluate.benchmarks.benchmark import Question, Selection, sample
from cgstore.mapping.source_choice import RememberedSources, SourceCandidate, choose_sources
from cgstore.model import Answer
from cgstore.store import Store, connect

SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "metaqa 1-hop": ("metaqa", {"hop": 1}),
    "metaqa 2-hop": ("metaqa", {"hop": 2}),
    "webqsp": ("webqsp", {"graph": "union"}),
    "cron-like": ("cron_like", {}),
    "wikisql": ("wikisql", {}),
    "wtq": ("wtq", {}),
}
"""The name of each set of questions, its benchmark, and the fields of its selection."""

ASKED = ("metaqa 1-hop", "metaqa 2-hop", "cron-like", "wikisql", "wtq")
"""The sets that `small` answers."""

ELSEWHERE: dict[str, tuple[str, dict[str, Any]]] = {
    "multitq": ("multitq", {}),
    "timequestions": ("timequestions", {}),
    "cwq": ("cwq", {}),
    "wikisql train": ("wikisql", {"questions": "wikisql/train.jsonl", "tables": "wikisql/train.tables.jsonl"}),
}
"""The same of questions whose sources are not loaded; files are in the data folder."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("load", "choose", "ask", "unanswerable"))
    parser.add_argument("--data", type=Path, default=Path(".data"))
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", nargs="*", choices=[*SETS, *ELSEWHERE])
    parser.add_argument("--show", type=int, default=0, help="wrong choices shown of each set")
    parser.add_argument("--out", type=Path, help="file for a JSON object for each question asked")
    given = parser.parse_args()
    parts = {"load": (SETS, load), "choose": (SETS, choose), "ask": (ASKED, ask), "unanswerable": (ELSEWHERE, refuse)}
    sets, part = parts[given.part]
    with connect() as store, given.out.open("a", encoding="utf-8") if given.out else nullcontext() as given.file:
        for name in given.sets or sets:
            part(store, name, given)


def load(store: Store, name: str, given: argparse.Namespace) -> None:
    """Loads the sources of all questions of a set; of WTQ all tables."""
    benchmark, fields = SETS[name]
    selection = Selection(given.data, **fields)
    started = time.perf_counter()
    questions = BENCHMARKS[benchmark].read(selection).questions
    if benchmark == "wtq":
        files = sorted((selection.folder("wtq") / "csv").glob("*/*.tsv"))
        sources = [f"eval/wtq/{path.parent.name}/{path.stem}" for path in files]
        questions = [Question(source, "", (), sources=(source,)) for source in sources]
    BENCHMARKS[benchmark].load(store, selection, questions)
    print(f"{name}: {len({s for q in questions for s in q.sources}):,} sources, {time.perf_counter() - started:.0f} s")


def choose(store: Store, name: str, given: argparse.Namespace) -> None:
    """Prints how often the right source comes first, and among the first few, with the milliseconds of a choice."""
    places: list[int] = []
    seconds: list[float] = []
    shown = 0
    remembered = RememberedSources()
    assert remembered.read(store.db).index.ready  # read once for all questions
    for question in drawn(name, given):
        started = time.perf_counter()
        choice = choose_sources(store.db, question.text, index=remembered.read(store.db).index)
        seconds.append(time.perf_counter() - started)
        ranked = [candidate.source for candidate in choice]
        places.append(next((place for place, each in enumerate(ranked, 1) if each in question.sources), 0))
        if places[-1] != 1 and shown < given.show:
            shown += 1
            print("\n".join(_lines(question, list(choice))))
    n = len(places)
    first, five, twenty = (sum(0 < place <= most for place in places) / n for most in (1, 5, 20))
    took = 1000 * statistics.median(seconds)
    print(f"{name}: n {n}, first {first:.2f}, among 5 {five:.2f}, among 20 {twenty:.2f}, {took:.0f} ms", flush=True)


def ask(store: Store, name: str, given: argparse.Namespace) -> None:
    """Prints the accuracy and the seconds of questions with the source known and unknown, one after the other."""
    known: list[dict[str, Any]] = []
    unknown: list[dict[str, Any]] = []
    ways = [(known, True), (unknown, False)]
    for question in drawn(name, given):
        ways.reverse()  # what is asked second finds plans and pages in memory, so that each way is second in turn
        for asked, is_known in ways:
            asked.append(_asked(store, name, question, list(question.sources) if is_known else None, given))
    n = len(known)
    answered = [each for each in unknown if each["answered"]]
    of_right = sum(each["source_right"] for each in answered)
    wrong = [each for each in answered if not each["right"]]
    sure = sum(each["sure"] for each in wrong)
    times = [statistics.median(each["seconds"] for each in asked) for asked in (known, unknown)]
    both = [one["seconds"] / other["seconds"] for one, other in zip(unknown, known, strict=True)]
    print(
        f"{name}: n {n}, right with the source known {_share(known, 'right')}, unknown {_share(unknown, 'right')}; "
        f"answered {_share(known, 'answered')}, {_share(unknown, 'answered')}; source used is right for {of_right} of "
        f"{len(answered)} answers; wrong answers {_share_of_wrong(known)}, {len(wrong)}, of these confident {sure}; "
        f"{times[0]:.2f} s, {times[1]:.2f} s, {statistics.median(both):.2f} times",
        flush=True,
    )


def refuse(store: Store, name: str, given: argparse.Namespace) -> None:
    """Prints how many questions that nothing loaded was made for are refused, and answered wrongly or rightly."""
    asked = [_asked(store, name, question, None, given) for question in drawn(name, given)]
    answered = [each for each in asked if each["answered"]]
    right = sum(each["right"] for each in answered)
    wrong = [each for each in answered if not each["right"]]
    sure = sum(each["sure"] for each in wrong)
    print(
        f"{name}: n {len(asked)}, refused {len(asked) - len(answered)}, right {right}, "
        f"wrong and said to be doubtful {len(wrong) - sure}, wrong and confident {sure}",
        flush=True,
    )


def drawn(name: str, given: argparse.Namespace) -> list[Question]:
    """The questions of a set, drawn by the seed."""
    benchmark, fields = (SETS | ELSEWHERE)[name]
    files = {key: given.data / value for key, value in fields.items() if key in ("questions", "tables")}
    questions = BENCHMARKS[benchmark].read(Selection(given.data, **(fields | files))).questions
    return sample([question for question in questions if question.sources], given.questions, given.seed)


def _asked(
    store: Store, name: str, question: Question, sources: Sequence[str] | None, given: argparse.Namespace
) -> dict[str, Any]:
    """What became of a question that is asked of some sources, or of everything."""
    started = time.perf_counter()
    answer = store.ask(question.text, "small", sources)
    seconds = time.perf_counter() - started
    judge = BENCHMARKS[(SETS | ELSEWHERE)[name][0]].judge
    scores = judge.scores(question.gold, answer.answer, question.canonical)
    used = [each.name for each in answer.chosen_sources] if sources is None else sources
    found = {
        "set": name,
        "question": question.text,
        "known": sources is not None,
        "answered": not answer.abstained,
        "right": not answer.abstained and judge.is_right(scores),
        "source_right": bool(set(used) & set(question.sources)),
        "sure": is_sure(answer),
        "seconds": seconds,
    }
    _write(given.file, found | {"answer": answer.answer[:5], "gold": question.gold[:5], "of": question.sources}, answer)
    return found


def is_sure(answer: Answer) -> bool:
    """Whether no note calls the source of an answer doubtful."""
    return sum(each.probability for each in answer.chosen_sources) >= DOUBTFUL


def _write(file: TextIO | None, found: dict[str, Any], answer: Answer) -> None:
    if file is not None:
        about = {
            "used": [(each.name, each.probability) for each in answer.chosen_sources],
            "program": answer.program,
            "warnings": answer.warnings,
            "parts": answer.seconds,
        }
        file.write(json.dumps(found | about, ensure_ascii=False) + "\n")


def _share(asked: Sequence[dict[str, Any]], field: str) -> str:
    return f"{sum(each[field] for each in asked) / len(asked):.2f}"


def _share_of_wrong(asked: Sequence[dict[str, Any]]) -> int:
    return sum(each["answered"] and not each["right"] for each in asked)


def _lines(question: Question, choice: list[SourceCandidate]) -> Iterator[str]:
    yield f"  {question.text}   -> {', '.join(question.sources)}"
    for candidate in choice[:3]:
        yield f"      {candidate}"
    yield from (f"    * {candidate}" for candidate in choice if candidate.source in question.sources)


if __name__ == "__main__":
    main()
