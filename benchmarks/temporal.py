"""Twelve kinds of temporal questions by `Store.query`, beside hand-written Cypher over the same graph.

    python -m benchmarks.temporal years --periods 10000 100000
    python -m benchmarks.temporal days --periods 10000 100000 1000000

The facts are those of `benchmarks/periods.py`, with one company for each 100 of them, so that the questions of a larger
graph are as large as those of a smaller one. `years` counts their times by year, `days` by day; each number of facts
has an empty server of its own. The programs are the ones that cgstore teaches (`demonstrations`). The
answers of each kind are compared with one that is worked out in Python before the clock starts. `statement` is what the
program compiles to, without evidence: the same work as that of the statement by hand. `query` is all of `Store.query`:
parsed, names mapped, planned, compiled, run with evidence, the answer built.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.periods import _LEVELS, Period, drawn
from benchmarks.servers import fresh_server
from cgstore.cypher.run import execute
from cgstore.model import TimeKey
from cgstore.store import Store
from cgstore.text.dates import Moment, Step, first, read_moment, time_name
from cgstore.text.names import owned_key

SOURCE = "contracts"
RUNS, WARM, CHECKED = 25, 10, 2
"""Questions of each kind: measured, asked before that, and compared with the right answer."""

TIMEOUT = 300.0
A_COMPANY = 100
"""Facts of a company, on average."""

HELD = 400
"""Facts that hold at the time of which all facts are asked."""


class Facts:
    """The facts in memory, with their times counted in steps."""

    def __init__(self, facts: Iterable[Period], step: Step) -> None:
        self.step = step
        self.all = [each if step is Step.DAY else _by_year(each) for each in facts]
        self._by_tail: dict[tuple[str, str], list[Period]] = defaultdict(list)
        for fact in self.all:
            self._by_tail[fact.relation, fact.tail].append(fact)
        known = defaultdict[tuple[str, ...], int](int)
        for fact in self.all:
            known[fact[:3]] += 1
        self.single = [fact for fact in self.all if known[fact[:3]] == 1 and fact.relation < "contract 5"]

    def of(self, fact: Period) -> list[Period]:
        """The facts of the same relation and tail."""
        return self._by_tail[fact.relation, fact.tail]

    def name(self, number: int) -> str:
        """The name of a time."""
        return time_name(number, self.step)


def _by_year(fact: Period) -> Period:
    low, high = (read_moment(time_name(day, Step.DAY)) for day in (fact.first, fact.last))
    assert low and high
    return fact._replace(first=low.year, last=high.year)


class Question(NamedTuple):
    """A program, what the hand-written statement is given, and the right answer."""

    program: str
    parameters: dict[str, Any]
    gold: set[str]


class Kind(NamedTuple):
    """A kind of question: hand-written Cypher, and how one is drawn."""

    name: str
    cypher: str
    draw: Callable[[Facts, Random], Question]


# Cypher ---------------------------------------------------------------------------------------------------------------

_FACTS = """\
MATCH ()-[f:CG_VALUE {node1: $relation, node2: $tail}]->() USING INDEX SEEK f:CG_VALUE(node1, node2)
"""
_OF_TAIL = "WHERE s.condition[1] = $name AND s.condition[2] = $tail\n"
_SEEK = "MATCH ()-[s:CG_PERIOD {node1: $time, head: f.head}]->() USING INDEX SEEK s:CG_PERIOD(node1, head)\n"
_PERIODS = _FACTS + _SEEK + _OF_TAIL

_HEADS = "RETURN DISTINCT s.condition[0] AS name"
_OF_FACT = "WHERE {0}.condition[1] = $name AND {0}.condition[2] = $tail\n"


def _of_head(variable: str, head: str) -> str:
    given = f"{{node1: $time, head: ${head}}}"
    return f"MATCH ()-[{variable}:CG_PERIOD {given}]->() USING INDEX SEEK {variable}:CG_PERIOD(node1, head)\n"


def _extreme(number: str, order: str) -> str:
    return (
        f"WITH {number} AS number, collect(DISTINCT s.condition[0]) AS names ORDER BY number{order} LIMIT 1\n"
        "UNWIND names AS name RETURN name"
    )


_FACT_PERIOD = _of_head("p", "head") + _OF_FACT.format("p")
_BEFORE = "CASE WHEN s.last < $at THEN s.last ELSE $at - 1 END"
_AFTER = "CASE WHEN s.first > $at THEN s.first ELSE $at + 1 END"
_OTHER = "WHERE {0}.condition[1] = $other_name AND {0}.condition[2] = $other_tail\n"

# Programs -------------------------------------------------------------------------------------------------------------


def _call(fact: Period, *given: str, **more: str) -> str:
    names = {"head": "head_entity", "relation": "relation", "tail": "tail_entity"}
    arguments = [f"{names[part]}='{getattr(fact, part)}'" for part in given]
    return f"get_information({', '.join([*arguments, *(f'{key}={value}' for key, value in more.items())])})"


def _company(fact: Period, value: str = "") -> str:
    """The call for the times of a company's facts, or for its heads at a time."""
    call = _call(fact, "relation", "tail", key="'time'")
    return f"{call[:-1]}, {value})" if value else call


def _parameters(facts: Facts, fact: Period, at: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "head": fact.head,
        "relation": owned_key(SOURCE, fact.relation),
        "name": fact.relation,
        "tail": fact.tail,
        "at": at,
        "at_name": facts.name(at),
        **{key: owned_key(SOURCE, TimeKey[key.upper()].value) for key in ("time", "start", "end")},
        **more,
    }


def _heads(facts: Iterable[Period], low: int, high: int) -> set[str]:
    return {fact.head for fact in facts if fact.first <= high and fact.last >= low}


def _drawn_at(facts: Facts, chance: Random) -> tuple[Period, int]:
    fact = chance.choice(facts.single)
    return fact, chance.randint(fact.first, fact.last)


def _at(facts: Facts, chance: Random) -> Question:
    fact, at = _drawn_at(facts, chance)
    program = _company(fact, f"value='{facts.name(at)}'")
    return Question(program, _parameters(facts, fact, at), _heads(facts.of(fact), at, at))


def _count(facts: Facts, chance: Random) -> Question:
    program, parameters, gold = _at(facts, chance)
    return Question(f"count({program})", parameters, {str(len(gold))})


def _first(facts: Facts, chance: Random) -> Question:
    fact = chance.choice(facts.single)
    at = min(each.first for each in facts.of(fact))
    program = _company(fact, f"value=min({_company(fact)})")
    return Question(program, _parameters(facts, fact), _heads(facts.of(fact), at, at))


def _last(facts: Facts, chance: Random) -> Question:
    fact = chance.choice(facts.single)
    at = max(each.last for each in facts.of(fact))
    program = _company(fact, f"value=max({_company(fact)})")
    return Question(program, _parameters(facts, fact), _heads(facts.of(fact), at, at))


def _before(facts: Facts, chance: Random) -> Question:
    fact, at = _drawn_at(facts, chance)
    found = [min(each.last, at - 1) for each in facts.of(fact) if each.first < at]
    gold = _heads(facts.of(fact), max(found), max(found)) if found else set()
    kept = f"keep({_company(fact)}, value<'{facts.name(at)}')"
    return Question(_company(fact, f"value=max({kept})"), _parameters(facts, fact, at), gold)


def _after(facts: Facts, chance: Random) -> Question:
    fact, at = _drawn_at(facts, chance)
    found = [max(each.first, at + 1) for each in facts.of(fact) if each.last > at]
    gold = _heads(facts.of(fact), min(found), min(found)) if found else set()
    kept = f"keep({_company(fact)}, value>'{facts.name(at)}')"
    return Question(_company(fact, f"value=min({kept})"), _parameters(facts, fact, at), gold)


def _between(facts: Facts, chance: Random) -> Question:
    fact, low = _drawn_at(facts, chance)
    high = low + (2 if facts.step is Step.YEAR else 730)
    program = _company(fact, f"value>='{facts.name(low)}', value<='{facts.name(high)}'")
    return Question(program, _parameters(facts, fact, low, high=high), _heads(facts.of(fact), low, high))


def _during(facts: Facts, chance: Random) -> Question:
    fact, other = chance.choice(facts.single), chance.choice(facts.single)
    program = _company(other, f"value={_call(fact, 'head', 'relation', 'tail', key=repr('time'))}")
    parameters = _parameters(facts, other, head=fact.head, fact_name=fact.relation, fact_tail=fact.tail)
    return Question(program, parameters, _heads(facts.of(other), fact.first, fact.last))


def _how_long(facts: Facts, chance: Random) -> Question:
    fact = chance.choice(facts.single)
    times = [_call(fact, "head", "relation", "tail", key=f"'{key}'") for key in ("end_time", "start_time")]
    function = "year_difference" if facts.step is Step.YEAR else "day_difference"
    gold = {str(fact.last - fact.first)}
    return Question(f"{function}({', '.join(times)})", _parameters(facts, fact), gold)


def _all_facts(facts: Facts, chance: Random) -> Question:
    at = chance.choice(_times_of_few(facts))
    gold = {" | ".join(fact[:3]) for fact in facts.all if fact.first <= at <= fact.last}
    parameters = _parameters(facts, facts.all[0], at, low=at, high=at)
    return Question(f"get_information(key='time', value='{facts.name(at)}')", parameters, gold)


def _times_of_few(facts: Facts) -> list[int]:
    """Times at which some `HELD` facts hold, where there are such: among the first ones of all."""
    begin = first(Moment(1950), facts.step)
    if facts.step is Step.YEAR:
        return [begin, begin + 1]
    days = max(2, HELD * 25_567 // len(facts.all))
    return list(range(begin + days, begin + days + max(3, days // 10)))


def _overlap(facts: Facts, chance: Random) -> Question:
    fact = chance.choice(facts.single)
    others = [each for each in facts.single[:2000] if each.first <= fact.last and each.last >= fact.first]
    other = chance.choice(others)
    calls = [_call(each, "head", "relation", "tail", key="'time'") for each in (fact, other)]
    low, high = max(fact.first, other.first), min(fact.last, other.last)
    parameters = _parameters(facts, fact, other_head=other.head, other_name=other.relation, other_tail=other.tail)
    gold = {facts.name(number) for number in range(low, high + 1)}
    return Question(f"set_intersection({', '.join(calls)})", parameters, gold)


def _when(facts: Facts, chance: Random) -> Question:
    fact = chance.choice(facts.single)
    gold = {facts.name(number) for number in range(fact.first, fact.last + 1)}
    return Question(_call(fact, "head", "relation", "tail", key="'time'"), _parameters(facts, fact), gold)


_OF_OTHER_FACT = "WHERE p.condition[1] = $fact_name AND p.condition[2] = $fact_tail\n"
_STRETCH = "RETURN p.first AS first, p.last AS last"

KINDS = (
    Kind("at a time", f"{_PERIODS}AND s.first <= $at AND s.last >= $at\n{_HEADS}", _at),
    Kind("first", _PERIODS + _extreme("s.first", ""), _first),
    Kind("last", _PERIODS + _extreme("s.last", " DESC"), _last),
    Kind("before", f"{_PERIODS}AND s.first < $at\n{_extreme(_BEFORE, ' DESC')}", _before),
    Kind("after", f"{_PERIODS}AND s.last > $at\n{_extreme(_AFTER, '')}", _after),
    Kind("between", f"{_PERIODS}AND s.first <= $high AND s.last >= $at\n{_HEADS}", _between),
    Kind(
        "during another fact",
        f"{_of_head('p', 'head')}{_OF_OTHER_FACT}WITH p\n"
        f"{_PERIODS}AND s.first <= p.last AND s.last >= p.first\n{_HEADS}",
        _during,
    ),
    Kind("how long", f"{_FACT_PERIOD}RETURN p.last - p.first AS name", _how_long),
    Kind(
        "count at a time",
        f"{_PERIODS}AND s.first <= $at AND s.last >= $at\nRETURN count(DISTINCT s.head) AS name",
        _count,
    ),
    Kind(
        "all facts at a time",
        _LEVELS.format(given="node1: $time", by="node1").replace("count(*) AS n", "p.condition AS name"),
        _all_facts,
    ),
    Kind(
        "overlap of two",
        f"{_FACT_PERIOD}{_of_head('s', 'other_head')}{_OTHER.format('s')}"
        "RETURN CASE WHEN p.first > s.first THEN p.first ELSE s.first END AS first,\n"
        "  CASE WHEN p.last < s.last THEN p.last ELSE s.last END AS last",
        _overlap,
    ),
    Kind("when", _FACT_PERIOD + _STRETCH, _when),
)

# Measuring ------------------------------------------------------------------------------------------------------------


@contextmanager
def loaded(facts: Facts) -> Iterator[Store]:
    """A server of its own that has these facts."""
    with tempfile.TemporaryDirectory() as folder, fresh_server() as (_, db):
        path = Path(folder) / "contracts.tsv"
        with path.open("w", encoding="utf-8") as lines:
            for fact in facts.all:
                lines.write("\t".join((*fact[:3], facts.name(fact.first), facts.name(fact.last))) + "\n")
        store = Store(db, TIMEOUT)
        began = time.monotonic()
        report = store.load_tkg(path, name=SOURCE, header=False, step=facts.step.value)
        size = f"{report.facts:,} facts, {report.triples:,} condition triples"
        print(f"\n{size}, loaded in {time.monotonic() - began:.0f} s", flush=True)
        yield store


def measure(facts: Facts) -> dict[str, list[float]]:
    """Prints a line for each kind: the medians by hand, of the statement and of `query`, and their ratios."""
    chance = Random(1)
    asking = [(kind, [kind.draw(facts, chance) for _ in range(RUNS + WARM)]) for kind in KINDS]
    times: dict[str, list[list[float]]] = {kind.name: [] for kind in KINDS}
    with loaded(facts) as store:
        for number in range(RUNS + WARM):  # the kinds in turn, so that noise of the machine meets all of them
            for kind, questions in asking:
                taken = _times(store, facts, kind, questions[number], number)
                times[kind.name] += [taken] if number >= WARM else []
    print(f"{'milliseconds':<22} {'by hand':>8} {'statement':>10} {'ratio':>6} {'query':>8} {'ratio':>6}")
    medians = {}
    for name, taken_by in times.items():
        hand, plain, whole = medians[name] = [statistics.median(way) for way in zip(*taken_by, strict=True)]
        ratios = f"{plain:>10.1f} {plain / hand:>6.2f} {whole:>8.1f} {whole / hand:>6.2f}"
        print(f"{name:<22} {hand:>8.1f} {ratios}", flush=True)
    return medians


def _times(store: Store, facts: Facts, kind: Kind, question: Question, number: int) -> list[float]:
    """Milliseconds of a question by hand, by `query`, and without evidence; their order changes with its number."""
    used = {name: value for name, value in question.parameters.items() if f"${name}" in kind.cypher}
    ways: list[Callable[[], set[str]]] = [
        lambda: _named(facts, store.db.read(kind.cypher, used, TIMEOUT)),
        lambda: set(map(str, execute(store.db, plain, TIMEOUT).answer)),
        lambda: set(map(str, store.query(question.program, [SOURCE]).answer)),
    ]
    plain = store.compile(question.program, [SOURCE], evidence=False).statement
    times = [0.0, 0.0, 0.0]
    for place in sorted(range(3), key=lambda place: (place + number) % 3):
        began = time.perf_counter()
        found = ways[place]()
        times[place] = 1000 * (time.perf_counter() - began)
        if number < CHECKED:
            assert found == question.gold, (kind.name, place, question.program, sorted(found)[:5])
    return times


def _named(facts: Facts, rows: list[dict[str, Any]]) -> set[str]:
    """The answer that the rows of a hand-written statement give."""
    if rows and "first" in rows[0]:
        return {facts.name(number) for row in rows for number in range(row["first"], row["last"] + 1)}
    return {" | ".join(row["name"]) if isinstance(row["name"], list) else str(row["name"]) for row in rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["years", "days"])
    parser.add_argument("--periods", type=int, nargs="+", default=[10_000, 100_000])
    options = parser.parse_args()
    step = Step.YEAR if options.what == "years" else Step.DAY
    sizes = [measure(Facts(drawn(count, count // A_COMPANY), step)) for count in options.periods]
    if len(sizes) > 1:
        sizes_named = f"from {options.periods[0]:,} to {options.periods[-1]:,} facts"
        print(f"\ngrowth of the medians {sizes_named}: by hand, statement, query")
        for name, medians in sizes[0].items():
            growth = (f"{after / before:>6.2f}" for before, after in zip(medians, sizes[-1][name], strict=True))
            print(f"{name:<22} {' '.join(growth)}", flush=True)


if __name__ == "__main__":
    main()
