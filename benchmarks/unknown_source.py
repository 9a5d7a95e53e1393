"""Questions asked of everything that is loaded: is the right source among those chosen?

    python -m benchmarks.unknown_source load --data .data
    python -m benchmarks.unknown_source choose --data .data --questions 100 --seed 1

`load` loads MetaQA, WebQSP's graph of all questions, cron_like and all tables of WikiSQL's dev set and of WTQ, some
3,800 sources, into the graph of the environment. `choose` draws questions of each benchmark, and looks where the
source of each stands among the sources that are chosen for its text.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from cgstore.evaluate.benchmarks import BENCHMARKS
from cgstore.evaluate.benchmarks.benchmark import Question, Selection, sample
from cgstore.mapping.source_choice import SourceCandidate, choose_sources
from cgstore.store import Store, connect

SETS = {
    "metaqa 1-hop": ("metaqa", {"hop": 1}),
    "metaqa 2-hop": ("metaqa", {"hop": 2}),
    "webqsp": ("webqsp", {"graph": "union"}),
    "cron-like": ("cron_like", {}),
    "wikisql": ("wikisql", {}),
    "wtq": ("wtq", {}),
}
"""The name of each set of questions, its benchmark, and the fields of its selection."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("load", "choose"))
    parser.add_argument("--data", type=Path, default=Path(".data"))
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", nargs="*", choices=SETS, default=list(SETS))
    parser.add_argument("--show", type=int, default=0, help="wrong choices shown of each set")
    given = parser.parse_args()
    with connect() as store:
        for name in given.sets:
            if given.part == "load":
                load(store, name, given.data)
            else:
                measure(store, name, given)


def load(store: Store, name: str, data: Path) -> None:
    """Loads the sources of all questions of a set."""
    benchmark, fields = SETS[name]
    selection = Selection(data, **fields)
    started = time.perf_counter()
    questions = BENCHMARKS[benchmark].read(selection).questions
    BENCHMARKS[benchmark].load(store, selection, questions)
    print(f"{name}: {len({s for q in questions for s in q.sources}):,} sources, {time.perf_counter() - started:.0f} s")


def measure(store: Store, name: str, given: argparse.Namespace) -> None:
    """Prints how often the right source comes first, and among the first few, with the milliseconds of a choice."""
    benchmark, fields = SETS[name]
    questions = BENCHMARKS[benchmark].read(Selection(given.data, **fields)).questions
    places: list[int] = []
    seconds: list[float] = []
    shown = 0
    for question in sample([q for q in questions if q.sources], given.questions, given.seed):
        started = time.perf_counter()
        choice = choose_sources(store.db, question.text)
        seconds.append(time.perf_counter() - started)
        ranked = [candidate.source for candidate in choice]
        places.append(next((place for place, each in enumerate(ranked, 1) if each in question.sources), 0))
        if places[-1] != 1 and shown < given.show:
            shown += 1
            print("\n".join(_lines(question, list(choice))))
    n = len(places)
    first, five, twenty = (sum(0 < place <= most for place in places) / n for most in (1, 5, 20))
    took = 1000 * statistics.median(seconds)
    print(f"{name}: n {n}, first {first:.2f}, among 5 {five:.2f}, among 20 {twenty:.2f}, {took:.0f} ms")


def _lines(question: Question, choice: list[SourceCandidate]) -> Iterator[str]:
    yield f"  {question.text}   -> {', '.join(question.sources)}"
    for candidate in choice[:3]:
        yield f"      {candidate}"
    yield from (f"    * {candidate}" for candidate in choice if candidate.source in question.sources)


if __name__ == "__main__":
    main()
