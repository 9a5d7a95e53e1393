"""Queries: latency beside hand-written Cypher, distinct statement texts, programs a second.

    python benchmarks/query.py latency --facts 3000 30000 328635
    python benchmarks/query.py texts                       # recorded programs of MetaQA; needs no database
    python benchmarks/query.py rate --in-flight 1 16

The facts are the first ones of cron_like, shuffled; each number of them has an empty server of its own. The kinds of
questions, with what one would write by hand for them, are in `benchmarks/questions.py`. Each is drawn at random from
the facts loaded, and both answers are compared with the one by definition before the clock starts. That growth with the
graph is seen and not growth of answers, the questions for it are as large as those asked of the smallest graph.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.questions import KINDS, MANY, SOURCE, Fact, Facts, Kind, Question
from benchmarks.servers import fresh_server
from cgstore.cypher.compile.statement import Statement, compile_plan
from cgstore.cypher.run import execute
from cgstore.errors import QueryFailed
from cgstore.loaders import tkg
from cgstore.model import Answer
from cgstore.query.ast import Program
from cgstore.query.name_uses import NameRole, name_uses
from cgstore.query.operands import Named, Names
from cgstore.query.parse import ProgramError, parse
from cgstore.query.planner import make_plan
from cgstore.query.sources import SourceScope
from cgstore.store import Store
from cgstore.text.columns import kind_of
from cgstore.text.kinds import ValueKind
from cgstore.text.names import owned_key

SECONDS = 20
"""How long programs are sent for their rate, and how long the questions of one kind are checked."""

MOST_WRONG = 3
"""Wrong answers after which a kind is given up."""

DEFAULTS: dict[str, dict[str, Any]] = {
    "latency": {"data": Path(".data/cron_like/kg.tsv.gz"), "facts": [3_000, 30_000, 328_635]},
    "rate": {"data": Path(".data/cron_like/kg.tsv.gz"), "facts": [30_000]},
    "texts": {"data": Path(".data/recorded"), "facts": []},
}

Asking = dict[Kind, list[Question]]
Times = dict[str, dict[str, list[float]]]
"""Milliseconds, by kind of question and by work."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=list(DEFAULTS))
    parser.add_argument("--data", type=Path, help="the facts; texts: the folder of recorded replies")
    parser.add_argument("--facts", type=int, nargs="+")
    parser.add_argument("--asked", type=int, default=100, help="questions of each kind")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[1, 16], help="rate: programs at a time")
    parser.add_argument("--without", nargs="+", default=[], metavar="KIND", help="kinds of questions to leave out")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name, value in DEFAULTS[options.what].items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    {"latency": latency, "rate": rate, "texts": texts}[options.what](options)


def shuffled(path: Path, seed: int) -> list[Fact]:
    """All facts of a file, in an order by chance."""
    facts = [
        Fact(fact.head, fact.relation, fact.tail, fact.start.year, fact.end.year)
        for fact in tkg.read_tkg(path)
        if isinstance(fact, tkg.Fact)
    ]
    Random(seed).shuffle(facts)
    return facts


@contextmanager
def loaded(facts: Sequence[Fact]) -> Iterator[Store]:
    """A server of its own that has these facts."""
    with tempfile.TemporaryDirectory() as folder, fresh_server() as (_, db):
        path = Path(folder) / "facts.tsv"
        path.write_text("".join("\t".join(map(str, fact)) + "\n" for fact in facts), encoding="utf-8")
        store = Store(db)
        report = store.load_tkg(path, name=SOURCE)
        print(f"\n{report.facts:,} facts, {report.triples:,} condition triples", flush=True)
        yield store


# Latency --------------------------------------------------------------------------------------------------------------


def latency(options: argparse.Namespace) -> None:
    """Prints the latency of every kind of question at every size, and its growth from the smallest to the largest."""
    everything, wrong = shuffled(options.data, options.seed), 0
    kinds = [kind for kind in KINDS if kind.name not in options.without]
    first: Asking = {}
    same: list[Times] = []
    for count in options.facts:
        facts, chance = Facts(everything[:count]), Random(options.seed)
        asking = {kind: kind.drawn(facts, chance, options.asked) for kind in kinds}
        with loaded(facts.all) as store:
            wrong += check(store, asking)
            times = measure(store, asking)
            print_latency(asking, times)
            print(f"a statement that reads nothing: {_round_trip(store):.1f} ms")
            if first:
                asking = {
                    kind: kind.drawn(facts, chance, options.asked, like=[question.size for question in questions])
                    for kind, questions in first.items()
                }
                wrong += check(store, asking)
                times = measure(store, asking)
        same.append(times)
        first = first or asking
    if len(same) > 1:
        print_growth(options.facts, first, same)
    sys.exit(bool(wrong))


def statements(store: Store, question: Question) -> tuple[Statement, Statement]:
    """The question's statement with evidence, and without."""
    compiled = store.compile(question.program, [SOURCE])
    plain = store.compile(question.program, [SOURCE], evidence=False).statement
    return compiled.statement, plain


def by_hand(store: Store, kind: Kind, question: Question) -> list[str]:
    """The answer of the hand-written statement."""
    rows = store.db.read(kind.cypher, question.parameters, store.timeout)
    names = rows[0]["names"] if kind.sizes == MANY else [row["name"] for row in rows]
    return [" | ".join(name) if isinstance(name, list) else str(name) for name in names]


def check(store: Store, asking: Asking) -> int:
    """Takes out the questions that are answered otherwise than by definition, and says how many; warms up the others.

    A kind that takes long is asked fewer questions.
    """
    wrong = 0
    for kind, questions in asking.items():
        right: list[Question] = []
        began, failures = time.monotonic(), 0
        for question in questions:
            problem = _problem(store, kind, question)
            failures += problem is not None
            if problem is None:
                right.append(question)
            else:
                print(f"WRONG: {kind.name}: {question.program}, {question.size} elements: {problem[:300]}", flush=True)
            if failures == MOST_WRONG or time.monotonic() - began > SECONDS:
                break
        asking[kind] = right
        wrong += failures
    return wrong


def _problem(store: Store, kind: Kind, question: Question) -> str | None:
    """What is not as it should be: both ways give the answer by definition; names that read as numbers come first."""
    try:
        evidence, plain = statements(store, question)
        hand = by_hand(store, kind, question)
        ours = [[str(x) for x in execute(store.db, s, store.timeout).answer] for s in (plain, evidence)]
    except QueryFailed as error:
        return error.message
    if sorted(hand) == sorted(ours[0]) and ours[0] == ours[1] and set(hand) == question.gold:
        return None
    return f"by hand {hand}, ours {ours}, right {sorted(question.gold)}"


def measure(store: Store, asking: Asking) -> Times:
    """Each question by hand, without evidence and as a whole, one after the other, and the kinds in turn.

    The order of the three changes, so that none always finds the pages that another one has read.
    """
    times: Times = defaultdict(lambda: defaultdict(list))
    for number in range(max(map(len, asking.values()))):
        for kind, questions in asking.items():
            if number >= len(questions):
                continue
            question, taken = questions[number], times[kind.name]
            _, plain = statements(store, question)
            ways = (
                partial(_timed_by_hand, store, kind, question, taken),
                partial(_timed, store, plain, taken["plain"]),
                partial(_timed_whole, store, question, taken),
            )
            for way in range(len(ways)):
                ways[(number + way) % len(ways)]()
    return times


def _timed_by_hand(store: Store, kind: Kind, question: Question, taken: dict[str, list[float]]) -> None:
    began = time.perf_counter()
    by_hand(store, kind, question)
    taken["hand"].append(1000 * (time.perf_counter() - began))


def _timed(store: Store, statement: Statement, taken: list[float]) -> None:
    began = time.perf_counter()
    execute(store.db, statement, store.timeout)
    taken.append(1000 * (time.perf_counter() - began))


def _timed_whole(store: Store, question: Question, taken: dict[str, list[float]]) -> None:
    """Runs a program as `query` does: maps names, compiles, runs with evidence, builds the answer."""
    began = time.perf_counter()
    seconds = store.query(question.program, [SOURCE]).seconds
    taken["whole"].append(1000 * (time.perf_counter() - began))
    taken["evidence"].append(1000 * seconds["run"])
    taken["map"].append(1000 * seconds["map"])
    taken["compile"].append(1000 * (seconds["parse"] + seconds["compile"]))


def _round_trip(store: Store) -> float:
    """The least that any statement takes, in milliseconds at the median."""
    taken: list[float] = []
    for _ in range(200):
        began = time.perf_counter()
        store.db.read("RETURN 1 AS one")
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def print_latency(asking: Asking, times: Times) -> None:
    """One line a kind: milliseconds at the median and at 95%, and how many times those of the hand-written."""
    print("milliseconds at the median and at 95%, and the median's ratio to that by hand; map: names; compile: parse,")
    print("plan, compile; whole: map, compile, run with evidence")
    print(f"{'':<33}{'n':>3} {'sizes':^11} {'by hand':^13} {'without evidence':^18} {'with evidence':^18}", end=" ")
    print(f"{'map':>5} {'compile':>7} {'whole':^19}")
    for kind, questions in asking.items():
        taken, sizes = times[kind.name], sorted(question.size for question in questions)
        if not questions:
            print(f"{kind.name:<32}  none found")
            continue
        hand = statistics.median(taken["hand"])
        shown = f"{statistics.median_low(sizes):>4} ..{sizes[-1]:>4}"
        line = [f"{kind.name:<32}", f"{len(questions):>3}", f"{shown:^11}", _shown(taken["hand"])]
        line += [f"{_shown(taken[way])} {statistics.median(taken[way]) / hand:>4.2f}" for way in ("plain", "evidence")]
        line += [f"{statistics.median(taken['map']):>5.1f}", f"{statistics.median(taken['compile']):>7.1f}"]
        whole = statistics.median(taken["whole"])
        print(" ".join([*line, _shown(taken["whole"]), f"{whole / hand:>5.2f}"]), flush=True)


def _shown(values: list[float]) -> str:
    return f"{statistics.median(values):>6.1f} {sorted(values)[int(0.95 * len(values))]:>6.1f}"


def print_growth(counts: Sequence[int], first: Asking, times: list[Times]) -> None:
    """Medians at the smallest and the largest number of facts, for questions of the same size."""
    print(f"\ngrowth of the medians from {counts[0]:,} to {counts[-1]:,} facts, questions of the same size")
    print(f"{'':<33}{'found':^10} {'by hand':^19} {'without':^19} {'evidence':^19} {'whole':^19}")
    for kind, questions in first.items():
        smallest, largest = times[0][kind.name], times[-1][kind.name]
        if not smallest["hand"] or not largest["hand"]:
            continue
        cells = [f"{kind.name:<32} {len(largest['hand']):>3} of {len(questions):>3}"]
        for way in ("hand", "plain", "evidence", "whole"):
            medians = statistics.median(smallest[way]), statistics.median(largest[way])
            cells.append(f"{medians[0]:>6.1f} {medians[1]:>6.1f} {medians[1] / medians[0]:>5.2f}")
        print(" ".join(cells))


# Programs a second ----------------------------------------------------------------------------------------------------


def rate(options: argparse.Namespace) -> None:
    """Programs answered in a second, a mix of all kinds with small answers, several at a time."""
    everything = shuffled(options.data, options.seed)
    for count in options.facts:
        facts, chance = Facts(everything[:count]), Random(options.seed)
        kinds = [kind for kind in KINDS if kind.sizes != MANY and kind.name not in options.without]
        programs = [q.program for kind in kinds for q in kind.drawn(facts, chance, options.asked)]
        chance.shuffle(programs)
        with loaded(facts.all) as store:
            print(f"{len(programs):,} different programs of {len(kinds)} kinds")
            for evidence, in_flight in itertools.product((False, True), options.in_flight):
                _sent(store, programs, in_flight, evidence, SECONDS / 2)  # warms up
                answered, failed, seconds = _sent(store, programs, in_flight, evidence, SECONDS)
                shown = "with evidence" if evidence else "without evidence"
                errors = f", {failed} ERRORS" if failed else ""
                print(
                    f"{in_flight:>3} in flight, {shown:<17} {answered / seconds:>7.1f} programs/s{errors}", flush=True
                )


def _sent(
    store: Store, programs: Sequence[str], in_flight: int, evidence: bool, seconds: float
) -> tuple[int, int, float]:
    """Sends programs for so many seconds; the answers, the errors, and the seconds until the last one."""
    began = time.monotonic()
    sent = itertools.takewhile(lambda _: time.monotonic() - began < seconds, itertools.cycle(programs))
    answers = store.execute_many(sent, [SOURCE], in_flight=in_flight, evidence=evidence)
    counts = Counter(isinstance(answer, Answer) for answer in answers)
    return counts[True], counts[False], time.monotonic() - began


# Statement texts ------------------------------------------------------------------------------------------------------


def texts(options: argparse.Namespace) -> None:
    """Distinct statement texts of the recorded programs of MetaQA, each name mapped to itself."""
    from cgstore.llm.backends.replay import read_recorded

    asked = _relations(options.data.parent / "metaqa" / "kb.txt")
    of_all: Counter[str] = Counter()
    example: dict[str, str] = {}
    for path in sorted(options.data.glob("metaqa_*.jsonl")):
        counts: Counter[str] = Counter()
        recorded, failed = read_recorded(path), 0
        for reply in recorded:
            try:
                program = parse(reply.reply)
                plan = make_plan(program, _themselves(program, asked), asked)
            except ProgramError:
                failed += 1
                continue
            text = compile_plan(plan, asked).text
            counts[text] += 1
            example.setdefault(text, "; ".join(map(str, plan.steps)))
        print(f"{path.name}: {len(recorded):,} programs, {failed} not understood, {len(counts)} distinct statements")
        of_all += counts
    for text, count in of_all.most_common():
        print(f"{count:>7,}  {example[text]}")
    print(f"{of_all.total():,} programs, {len(of_all)} distinct statements")


def _relations(path: Path) -> SourceScope:
    """Returns the relations of the facts, with the kind of their values."""
    values: dict[str, set[str]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        _, relation, tail = line.split("|")
        values[relation].add(tail)
    return SourceScope(("metaqa",), Names(tuple(_relation(name, kind_of(values[name])) for name in sorted(values))))


def _relation(name: str, kind: ValueKind = ValueKind.TEXT) -> Named:
    return Named(owned_key("metaqa", name), name, kind)


def _themselves(program: Program, asked: SourceScope) -> dict[Any, Names]:
    """Each name of a program is that of one node; a relation that the facts lack is one of texts."""
    known = {node.name: node for node in asked.relations.nodes}
    names: dict[Any, Names] = {}
    for use in name_uses(program):
        text = use.literal.text
        if use.role is NameRole.ENTITY:
            names[use.literal.place] = Names((Named(text, text),))
        elif text in known or not use.optional:
            names[use.literal.place] = Names((known.get(text) or _relation(text),))
    return names


if __name__ == "__main__":
    main()
