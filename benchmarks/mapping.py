"""Names to nodes: what the vector indexes find compared with brute force, and how fast names are encoded and found.

    python benchmarks/mapping.py recall                    # two data sets, each on both versions of Neo4j
    python benchmarks/mapping.py speed                     # cgstore embed; one name and a hundred; small and large

Each graph has an empty server of its own. The names looked up are real ones with one character left out.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import click
import numpy

from benchmarks.query import shuffled
from benchmarks.questions import Fact
from benchmarks.servers import fresh_server
from cgstore.embedding import vectors as embedding
from cgstore.embedding.encoder import Encoder, load_encoder
from cgstore.mapping.candidates import Candidate, entity_candidates
from cgstore.server import versions
from cgstore.store import Store

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

ALL = 1_000
"""More candidates than are ever fetched for a name."""

BATCH = 20
"""The number of names looked up in one round trip for recall."""

EQUAL = 1e-6
"""Cosines no further apart are the same one: 32 bits have seven digits."""

MANY = 100
"""Names in one call, beside one."""

NAMES = "MATCH (n:CgEntity|CgValue) WHERE n.source IS NULL AND n.num IS NULL RETURN n.key AS key, n.name AS name"

Load = Callable[[Store], Any]


@click.group(help=__doc__, context_settings={"max_content_width": 120})
def main() -> None:
    pass


def options(command: Callable[..., None]) -> Callable[..., None]:
    """What all commands take."""
    for option in (
        click.option("--data", type=click.Path(path_type=Path), default=Path(".data"), show_default=True),
        click.option("--seed", type=int, default=1, show_default=True),
        click.option("--cache", type=click.Path(path_type=Path), help="A folder that keeps vectors for later runs."),
        click.option("--json", "as_json", is_flag=True, help="One line of JSON instead of the table."),
    ):
        command = option(command)
    return command


def versions_option(default: Sequence[str]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The versions of Neo4j to measure."""
    return click.option("--neo4j-version", "chosen", multiple=True, default=default, show_default=True)


def say(text: str, as_json: bool = False) -> None:
    """A line of progress or of a table: on standard error where standard output has JSON."""
    click.echo(text, err=as_json)


# Graphs ---------------------------------------------------------------------------------------------------------------


class CachedEncoder:
    """An encoder with a cache: it encodes each name once for all graphs; a file keeps the vectors for later runs."""

    def __init__(self, encoder: Encoder, folder: Path) -> None:
        self.name, self.fingerprint, self.dimensions = encoder.name, encoder.fingerprint, encoder.dimensions
        self.vectors: dict[str, Any] = {}
        self._encoder, self._file = encoder, folder / f"{encoder.fingerprint[:12]}.npy"
        if self._file.exists():
            texts = json.loads(self._file.with_suffix(".json").read_text(encoding="utf-8"))
            self.vectors = dict(zip(texts, numpy.load(self._file), strict=True))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """As the encoder's own; shape (len(texts), dimensions)."""
        if new := [text for text in dict.fromkeys(texts) if text not in self.vectors]:
            self.vectors.update(zip(new, self._encoder.encode(new), strict=True))
        return numpy.stack([self.vectors[text] for text in texts])

    def save(self) -> None:
        """Writes the file."""
        numpy.save(self._file, numpy.stack([*self.vectors.values()]))
        self._file.with_suffix(".json").write_text(json.dumps([*self.vectors]), encoding="utf-8")


@contextmanager
def cached_encoder(cache: Path | None) -> Iterator[CachedEncoder]:
    """The default encoder, with a cache in a folder, or in memory for this run."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = cache or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        encoder = CachedEncoder(load_encoder(), folder)
        yield encoder
        encoder.save()


@contextmanager
def embedded_store(load: Load, encoder: Encoder, version: str | None = None) -> Iterator[Store]:
    """A server of its own with loaded and embedded data."""
    with fresh_server(version) as (_, db):
        store = Store(db)
        load(store)
        store.embed(encoder=encoder)
        yield store


def data_sets(data: Path) -> dict[str, Load]:
    """The data sets, by name, each with its load; of cron_like only the facts with a new name, without their times."""
    return {
        "cron_like": lambda store: load_untimed(store, with_new_names(shuffled(data / "cron_like" / "kg.tsv.gz", 0))),
        "MetaQA": lambda store: store.load_kg(data / "metaqa" / "kb.txt", name="metaqa"),
    }


def with_new_names(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yields the facts with a name that no earlier fact has."""
    names: set[str] = set()
    for fact in facts:
        if not names >= {fact.head, fact.tail}:
            names |= {fact.head, fact.tail}
            yield fact


def load_untimed(store: Store, facts: Iterable[Fact]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.tsv"
        path.write_text("".join("\t".join(fact[:3]) + "\n" for fact in facts), encoding="utf-8")
        store.load_kg(path, name="facts")


def load_facts(store: Store, facts: Iterable[Fact]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.tsv"
        path.write_text("".join("\t".join(map(str, fact)) + "\n" for fact in facts), encoding="utf-8")
        store.load_tkg(path, name="facts")


def less_one(names: Sequence[str], count: int, seed: int) -> list[str]:
    """Draws `count` names, each with one character left out."""
    chance = Random(seed)
    drawn = chance.sample([name for name in names if len(name) > 1], count)
    places = [chance.randrange(len(name)) for name in drawn]
    return [name[:at] + name[at + 1 :] for name, at in zip(drawn, places, strict=True)]


# Recall ---------------------------------------------------------------------------------------------------------------


class Recall(NamedTuple):
    """Shares of the nearest name and of the ten nearest that were found; by how much the cosines fell short at most."""

    version: str
    data: str
    names: int
    asked: int
    at_1: float
    at_10: float
    short: float


@main.command()
@options
@versions_option(versions())
@click.option("--asked", type=int, default=1_000, show_default=True, help="Names looked up in each graph.")
@click.option("--only", type=click.Choice(["cron_like", "MetaQA"]), help="One of the two data sets.")
def recall(
    data: Path, seed: int, cache: Path | None, as_json: bool, chosen: Sequence[str], asked: int, only: str | None
) -> None:
    """What the vector indexes find, ranked by exact cosine, against brute force over all names."""
    rows = []
    say(f"{asked:,} names with one character left out, seed {seed}", as_json)
    say(f"{'Neo4j':<10} {'data':<10} {'names':>8} {'recall@1':>9} {'recall@10':>9} {'short by':>9}", as_json)
    with cached_encoder(cache) as encoder:
        for name, load in data_sets(data).items():
            for version in chosen if only in (None, name) else ():
                with embedded_store(load, encoder, version) as store:
                    row = measure_recall(store, encoder, asked, seed)
                rows.append(Recall(version, name, *row))
                say(f"{version:<10} {name:<10} {row[0]:>8,} {row[2]:>9.4f} {row[3]:>9.4f} {row[4]:>9.4f}", as_json)
    if as_json:
        click.echo(json.dumps({"benchmark": "recall", "seed": seed, "rows": [row._asdict() for row in rows]}))


def measure_recall(store: Store, encoder: CachedEncoder, asked: int, seed: int) -> tuple[int, int, float, float, float]:
    """The fields of `Recall` but the first two. A found name counts by its cosine: equal ones are as good."""
    nodes = sorted((row["key"], row["name"]) for row in store.db.read(NAMES, timeout=600))
    places = {key: place for place, (key, _) in enumerate(nodes)}
    corpus = numpy.stack([encoder.vectors[name[: embedding.LONGEST]] for _, name in nodes])
    wanted = encoder.encode(less_one([name for _, name in nodes], asked, seed))
    at_1 = at_10 = short = 0.0
    for start in range(0, asked, BATCH):
        some = wanted[start : start + BATCH]
        for cosines, found in zip(some @ corpus.T, by_vector(store, some), strict=True):
            nearest = numpy.partition(cosines, -10)[-10:]
            ours = cosines[[places[candidate.key] for candidate in found[:10]]]
            at_1 += ours[0] >= nearest.max() - EQUAL
            at_10 += (ours >= nearest.min() - EQUAL).sum() / 10
            short = max(short, float(nearest.max() - ours[0]))
    return len(nodes), asked, float(at_1) / asked, float(at_10) / asked, short


def by_vector(store: Store, vectors: Vectors) -> list[list[Candidate]]:
    """What mapping fetches for names by their vectors alone, by exact cosine: an empty name is spelt like no other."""
    found = entity_candidates(store.db, [""] * len(vectors), store.ready(), vectors, ALL)
    assert all(candidate.how == "vector" for candidates in found for candidate in candidates)
    return [sorted(candidates, key=lambda c: c.parts.meaning or 0.0, reverse=True) for candidates in found]


# Speed ----------------------------------------------------------------------------------------------------------------


@main.command()
@options
@versions_option(versions()[:1])
@click.option("--names", type=int, default=12_288, show_default=True, help="Names encoded in a run.")
@click.option("--runs", type=int, default=3, show_default=True, help="Runs of encoding.")
@click.option("--asked", type=click.IntRange(MANY), default=200, show_default=True, help="Names looked up singly.")
@click.option("--small", type=int, default=10_000, show_default=True, help="Names of the small graph.")
def speed(
    data: Path,
    seed: int,
    cache: Path | None,
    as_json: bool,
    chosen: Sequence[str],
    names: int,
    runs: int,
    asked: int,
    small: int,
) -> None:
    """`cgstore embed` beside the encoder alone; candidates of one name and of a hundred, in two graphs."""
    facts = shuffled(data / "cron_like" / "kg.tsv.gz", seed)
    rows = []
    for version in chosen:
        say(f"Neo4j {version}, seed {seed}", as_json)
        figures = encoding(facts, version, Random(seed).sample(names_of(facts), names), runs, as_json)
        figures |= look_up(facts, version, cache, asked, small, seed, as_json)
        rows.append({"version": version, **figures})
        anew = len(names_of(facts)) / figures["alone names/s"]
        ratio = 1000 * anew / figures["map 1"]
        say(f"all names encoded anew, extrapolated: {anew:,.0f} s, {ratio:,.0f} times one name by Store.map", as_json)
    if as_json:
        click.echo(json.dumps({"benchmark": "speed", "seed": seed, "rows": rows}))


def names_of(facts: Sequence[Fact]) -> list[str]:
    """All heads and tails, in order."""
    return sorted({name for fact in facts for name in (fact.head, fact.tail)})


# Encoding -------------------------------------------------------------------------------------------------------------


class Duration(NamedTuple):
    """Seconds of the clock and of this process's processor time."""

    wall: float
    cpu: float


def encoding(facts: Sequence[Fact], version: str, names: Sequence[str], runs: int, as_json: bool) -> dict[str, float]:
    """Names a second, and ratios to the encoder alone in the same run, at the median."""
    encoder = load_encoder()
    durations: dict[str, list[Duration]] = defaultdict(list)
    with fresh_server(version) as (_, db):
        store = Store(db)
        load_facts(store, [Fact(name, "is", "thing", 2000, 2000) for name in names])
        for run in range(-1, runs):
            if run == 0:
                durations.clear()  # the first one warms up
            for way in ("alone", "embed")[:: 1 if run % 2 else -1]:
                if way == "alone":
                    durations[way].append(timed(lambda: encoder.encode(names)))
                else:
                    writing, indexing = timed_embed(store, encoder)
                    durations["embed"].append(writing)
                    durations["with indexes"].append(Duration(writing.wall + indexing.wall, writing.cpu + indexing.cpu))
    return encoding_table(len(names), durations, as_json)


def timed(work: Callable[[], Any]) -> Duration:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Duration(time.perf_counter() - wall, time.process_time() - cpu)


def timed_embed(store: Store, encoder: Encoder) -> tuple[Duration, Duration]:
    """A first embed: until all vectors are written, and then until the indexes are built."""
    indexing: list[Duration] = []

    def make_indexes(*arguments: Any) -> None:
        indexing.append(timed(partial(made, *arguments)))

    made = embedding.make_indexes
    with patch.object(embedding, "make_indexes", make_indexes):
        whole = timed(lambda: store.embed(encoder=encoder))
    embedding.drop_indexes(store.db)
    store.db.write("MATCH (n:CgNode) REMOVE n.vector")
    store.db.write("MATCH (m:CgMeta {name: 'encoder'}) DETACH DELETE m")
    return Duration(whole.wall - indexing[0].wall, whole.cpu - indexing[0].cpu), indexing[0]


def encoding_table(count: int, durations: dict[str, list[Duration]], as_json: bool) -> dict[str, float]:
    """Prints names a second and ratios, and returns them."""
    say(f"{count:,} names, {len(durations['alone'])} runs, medians", as_json)
    say(f"{'':<26} {'names/s':>8} {'ratio':>6} {'CPU s':>6} {'ratio':>6}", as_json)
    figures: dict[str, float] = {}
    shown = {
        "alone": "the encoder",
        "embed": "embed, vectors written",
        "with indexes": "embed, indexes built",
    }
    for way, title in shown.items():
        ratios = [
            statistics.median(a[part] / b[part] for a, b in zip(durations["alone"], durations[way], strict=True))
            for part in (0, 1)
        ]
        rate = count / statistics.median(s.wall for s in durations[way])
        cpu = statistics.median(s.cpu for s in durations[way])
        say(f"{title:<26} {rate:>8,.0f} {ratios[0]:>6.2f} {cpu:>6.1f} {ratios[1]:>6.2f}", as_json)
        figures |= {
            f"{way} names/s": rate,
            f"{way} ratio": ratios[0],
            f"{way} CPU s": cpu,
            f"{way} CPU ratio": ratios[1],
        }
    return figures


# Look-up --------------------------------------------------------------------------------------------------------------

Times = dict[str, list[float]]
"""Milliseconds of each work."""


def look_up(
    facts: Sequence[Fact], version: str, cache: Path | None, asked: int, small: int, seed: int, as_json: bool
) -> dict[str, float]:
    """Medians in milliseconds of the same names in a small graph and in the whole one, and their ratios."""
    few = first_facts(facts, small)
    texts = less_one(names_of(few), asked, seed)
    medians: list[dict[str, float]] = []
    with cached_encoder(cache) as encoder:
        for some in (few, facts):
            with embedded_store(partial(load_facts, facts=some), encoder, version) as store:
                times = timed_look_ups(store, load_encoder(), texts)
            medians.append({what: statistics.median(values) for what, values in times.items()})
    return look_up_table(len(names_of(few)), len(names_of(facts)), medians[0], medians[1], as_json)


def first_facts(facts: Sequence[Fact], count: int) -> list[Fact]:
    """Returns the first facts that together have `count` names."""
    names: set[str] = set()
    for place, fact in enumerate(facts):
        names |= {fact.head, fact.tail}
        if len(names) >= count:
            return list(facts[: place + 1])
    return list(facts)


def timed_look_ups(store: Store, encoder: Encoder, texts: Sequence[str]) -> Times:
    """Each name alone, then all of them a hundred in a call, three times; the ways take turns."""
    hundreds = [texts[start : start + MANY] for start in range(0, len(texts) - MANY + 1, MANY)]
    calls, sources = [*([text] for text in texts), *hundreds * 3], store.ready()
    times: Times = {}
    for some in (calls[:MANY], calls):  # the first ones warm up
        times = defaultdict(list)
        for call in some:
            timed_ways(store, encoder, call, sources, times)
    return times


def timed_ways(store: Store, encoder: Encoder, texts: Sequence[str], sources: Sequence[str], times: Times) -> None:
    """One call of each way to map names, of the encoder alone, and of a statement that reads nothing."""
    count = len(texts)
    record_times(times, "RETURN 1", lambda: store.db.read("RETURN 1 AS one"))
    vectors = record_times(times, f"encode {count}", lambda: encoder.encode(texts))
    record_times(times, f"vectors {count}", lambda: entity_candidates(store.db, texts, sources, vectors))
    record_times(times, f"spelling {count}", lambda: entity_candidates(store.db, texts, sources))
    record_times(times, f"map {count}", lambda: store.map(texts, encoder=encoder))


def record_times(times: Times, what: str, work: Callable[[], Any]) -> Any:
    began = time.perf_counter()
    found = work()
    times[what].append(1000 * (time.perf_counter() - began))
    return found


def look_up_table(
    few: int, many: int, small: dict[str, float], large: dict[str, float], as_json: bool
) -> dict[str, float]:
    """Prints medians and ratios; returns those of the large graph."""
    say(f"{'milliseconds at the median':<34} {few:>9,} {many:>9,} names  times", as_json)
    titles = {"vectors": "candidates, vectors given", "spelling": "candidates, spelling only"}
    for what, value in large.items():
        way, _, count = what.partition(" ")
        title = f"{titles.get(way, way)}, {count}" if way != "RETURN" else what
        say(f"{title:<34} {small[what]:>9.1f} {value:>9.1f} {value / small[what]:>12.2f}", as_json)
    one = large["encode 1"] + large["vectors 1"]
    bound = 3 * large["RETURN 1"] + large["encode 1"]
    ratios = {
        "one name / 3 round trips and the encoder": one / bound,
        "100 names / one name": (large["encode 100"] + large["vectors 100"]) / one,
        "100 names / one name, without the encoder": large["vectors 100"] / large["vectors 1"],
        "100 names / one name, spelling only": large["spelling 100"] / large["spelling 1"],
    }
    for title, ratio in ratios.items():
        say(f"{title:<44} {ratio:>6.2f}", as_json)
    return large | ratios | {f"growth, {what}": value / small[what] for what, value in large.items()}


if __name__ == "__main__":
    main()
