"""The first run of programs whose shape the server has not seen, which it plans, and the runs after it.

    python benchmarks/planning.py --shapes 60

Each shape is three calls over `examples/world.tsv`, put together from lists of first, second and third calls and drawn
at random. Times are those of the statements, in ms, without parsing, mapping and compiling.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

from benchmarks.servers import fresh_server
from cgstore.cypher.compile.statement import Statement
from cgstore.query.parse import ProgramError
from cgstore.store import Store

WORLD = Path(__file__).parents[1] / "examples" / "world.tsv"
WARM_RUNS = 5

FIRST = [
    "get_information(relation='position held', tail_entity='President of the United States')",
    "get_information(head_entity='Harry S. Truman', relation='position held')",
    "get_information(head_entity='Harry S. Truman')",
    "get_information(tail_entity='President of the United States')",
    "get_information(relation='position held', key='time', value='1953')",
    "get_information(relation='position held', tail_entity='President of the United States', key='start time')",
]
SECOND = [
    "get_information(relation='position held', head_entity='output_of_query1')",
    "get_information(relation='position held', tail_entity='output_of_query1')",
    "get_information(relation='position held', head_entity='output_of_query1', key='end time')",
    "get_information(relation='position held', key='start time', value>='output_of_query1')",
    "get_information(head_entity='output_of_query1', key='time')",
    "keep(set='output_of_query1', value>='1950')",
    "min(set='output_of_query1')",
    "get_information(relation='position held', key='time', value='1960')",
]
THIRD = [
    "set_union(set1='output_of_query1', set2='output_of_query2')",
    "set_intersection(set1='output_of_query1', set2='output_of_query2')",
    "set_difference(set1='output_of_query1', set2='output_of_query2')",
    "count(set='output_of_query2')",
    "max(set='output_of_query2')",
    "last(set='output_of_query2')",
    "get_information(relation='position held', head_entity='output_of_query2')",
    "get_information(relation='position held', key='start time', value<'output_of_query2')",
    "keep(set='output_of_query1', value>'output_of_query2')",
]


def statements(store: Store, count: int, evidence: bool, seed: int) -> Iterator[Statement]:
    """Statements of different texts, drawn at random from all three calls that mean something together."""
    programs = ["\n".join(calls) for calls in product(FIRST, SECOND, THIRD)]
    Random(seed).shuffle(programs)
    texts: set[str] = set()
    for program in programs:
        try:
            statement = store.compile(program, evidence=evidence).statement
        except ProgramError:
            continue  # such as the mean of facts
        if statement.text not in texts:
            texts.add(statement.text)
            yield statement
        if len(texts) == count:
            return


def milliseconds(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1000


def measure(store: Store, chosen: list[Statement]) -> None:
    """Prints the median, and the greatest of nine in ten, of each way to run these statements."""
    first, warm = [], []
    for statement in chosen:
        run = partial(store.db.read, statement.text, statement.parameters)
        first.append(milliseconds(run))
        warm.append(statistics.median(milliseconds(run) for _ in range(WARM_RUNS)))
    for name, times in (("the first time", first), ("again", warm)):
        ninth = statistics.quantiles(times, n=10)[-1]
        print(f"  {name:14} median {statistics.median(times):7.1f} ms, nine in ten within {ninth:7.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", type=int, default=60, help="programs of different shapes (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with fresh_server() as (_, db):
        store = Store(db)
        store.load_tkg(WORLD)
        for evidence in (False, True):
            chosen = list(statements(store, options.shapes, evidence, options.seed))
            print(f"{len(chosen)} shapes, {'with' if evidence else 'without'} evidence:")
            measure(store, chosen)


if __name__ == "__main__":
    main()
