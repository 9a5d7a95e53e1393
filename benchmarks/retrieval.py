"""Generate, then retrieve: what is right again after the names of logical forms were damaged.

    python -m benchmarks.retrieval --data .data --set webqsp --limit 200

The gold forms of `webqsp` are the queries of WebQSP dev as S-expressions, with names where they have ids, that give the
published answers. Those of other sets are recorded programs as S-expressions. Forms without an answer are left out. The
gold answer is that of the form before it was damaged, so that retrieval alone is measured. The facts must be in the
graph, as `eval/webqsp` and `eval/metaqa`; `cgstore embed` makes the vectors.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import click

from benchmarks.logical_forms import by_cgstore, named, webqsp
from benchmarks.sparql.from_sparql import from_sparql
from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import as_words
from cgstore.errors import BadInput, QueryFailed
from cgstore.evaluate.benchmarks.freebase import names_of_ids, union_facts
from cgstore.evaluate.known_programs import recordings_of
from cgstore.evaluate.mapping import DAMAGES
from cgstore.evaluate.scoring import f1, hits_at_1
from cgstore.options import QueryKeywords
from cgstore.query.parse import parse
from cgstore.query.sexpr.forms import Combination, Join, Name, OrderComparison, Step, TimeConstraint, TypedLiteral
from cgstore.query.sexpr.from_program import from_program
from cgstore.query.sexpr.write import sexpr_text
from cgstore.store import Store, connect
from cgstore.text.dates import read_span
from cgstore.text.names import is_nameless

Damage = Callable[[str, Random], str]
Part = TypeVar("Part")
Answers = tuple[str | int | float, ...]

LEVELS: dict[str, tuple[Damage, Damage]] = {
    "light": (DAMAGES["one typo"], DAMAGES["one typo"]),
    "medium": (DAMAGES["two typos"], lambda name, chance: DAMAGES["one typo"](as_words(name), chance)),
    "heavy": (
        lambda name, chance: DAMAGES["one typo"](DAMAGES["a word dropped"](name, chance), chance),
        lambda name, chance: DAMAGES["one typo"](DAMAGES["a word dropped"](as_words(name), chance), chance),
    ),
}
"""What is done to the name of an entity and of a relation; `as_words` leaves out the domain, as LLMs do."""

ROLES = ("entities", "relations")
"""The roles of names that are damaged."""


@dataclass(frozen=True)
class Gold:
    """A gold form and its answer."""

    form: Any
    answer: Answers

    @property
    def is_compound(self) -> bool:
        """Whether it is more than one JOIN of an entity: a path, or a constraint.

        Queries of WebQSP take the topic away from the answers, which makes nothing compound.
        """
        form = self.form
        if isinstance(form, Combination) and form.function == "DIFF" and isinstance(form.operands[1], Name):
            form = form.operands[0]
        return not (isinstance(form, Join) and isinstance(form.operand, Name | TypedLiteral))


@dataclass
class Figures:
    """The figures of one setting: each list has a number for each form."""

    f1: list[float]
    hits: list[float]
    statements: list[int]
    tried: list[int]
    seconds: list[float]
    answered: int = 0
    mediators: list[float] = field(default_factory=list)

    def line(self, *labels: object) -> str:
        """A row of a table."""
        return (
            f"| {' | '.join(map(str, labels))} | {100 * statistics.mean(self.f1):.1f} | "
            f"{100 * statistics.mean(self.hits):.1f} | {len(self.f1) - self.answered} | "
            f"{100 * statistics.mean(self.mediators or [0.0]):.1f} | "
            f"{statistics.mean(self.statements):.1f}, {max(self.statements)} | "
            f"{statistics.mean(self.tried):.1f}, {max(self.tried)} | {1000 * statistics.median(self.seconds):.0f} |"
        )


def renamed(part: Part, entity: Callable[[str], str], relation: Callable[[str], str]) -> Part:
    """A form with other names; times, numbers, ids and what is compared by order stay."""
    if isinstance(part, Name):
        return part if read_span(part.text) or is_nameless(part.text) else replace(part, text=entity(part.text))
    if isinstance(part, Step):
        return replace(part, relation=relation(part.relation))
    if isinstance(part, tuple):
        return tuple(renamed(each, entity, relation) for each in part)  # type: ignore[return-value]
    if isinstance(part, OrderComparison):
        return replace(part, path=renamed(part.path, entity, relation))
    if isinstance(part, TimeConstraint):
        return replace(part, operand=renamed(part.operand, entity, relation))
    if is_dataclass(part) and not isinstance(part, type):
        changed = {field.name: renamed(getattr(part, field.name), entity, relation) for field in fields(part)}
        return replace(part, **changed | ({"place": part.place} if hasattr(part, "place") else {}))
    return part


def damaged(form: Any, level: str, roles: Sequence[str] = ROLES) -> str:
    """The S-expression of a form whose names of these roles are damaged, equal names alike."""

    def damage(role: str, name: str, way: Damage) -> str:
        chance = Random(f"1 {level} {name}")
        chance.random()
        return way(name, chance) if role in roles else name

    ways = zip(ROLES, LEVELS[level], strict=True)
    return sexpr_text(renamed(form, *(partial(damage, role, way=way) for role, way in ways)))


@contextmanager
def counted() -> Iterator[list[int]]:
    """Counts the statements that are sent meanwhile, in the one number of the list."""
    count, read = [0], Database.read

    def reading(self: Database, *args: Any, **given: Any) -> Any:
        count[0] += 1
        return read(self, *args, **given)

    Database.read = reading  # type: ignore[method-assign]
    try:
        yield count
    finally:
        Database.read = read  # type: ignore[method-assign]


def gold_forms(store: Store, source: str, data: Path, name: str, limit: int, seed: int) -> list[Gold]:
    """The forms of recorded programs that have an answer, drawn by a seed."""
    (recording,) = recordings_of(data, [name])
    found = []
    questions = list(recording.read(data).questions)
    Random(seed).shuffle(questions)
    for question in questions:
        try:
            form = from_program(parse(question.reply))
            answer = store.query(sexpr_text(form), [source], lang="sexpr", exact=True, evidence=False).answer
        except (BadInput, QueryFailed):
            continue
        if answer and answer != (0,):
            found.append(Gold(form, answer))
        if len(found) == limit:
            break
    return found


def published_forms(store: Store, data: Path, limit: int, seed: int) -> list[Gold]:
    """The gold queries of WebQSP dev that give the published answers over the facts, as forms, drawn by a seed."""
    queries = list(webqsp(data, {}))
    Random(seed).shuffle(queries)
    names, found = names_of_ids(data / "cwq"), list[Gold]()
    known = {name for fact in union_facts(data / "webqsp") for name in fact}
    for query in queries:
        try:
            form = from_sparql(named(query.sparql, names)).form
        except BadInput:
            continue
        if not known >= names_in_form(form):
            continue
        (outcome,) = store.execute_many([sexpr_text(form)], ["eval/webqsp"], lang="sexpr", exact=True, evidence=False)
        answer, _ = by_cgstore(outcome)
        if answer and answer == query.answers:
            found.append(Gold(form, tuple(answer)))
        if len(found) == limit:
            break
    return found


def names_in_form(form: Any) -> set[str]:
    """The names of entities and relations in a form."""
    found = set[str]()

    def seen(name: str) -> str:
        found.add(name)
        return name

    renamed(form, seen, seen)
    return found


def measured(
    store: Store,
    source: str,
    golds: list[Gold],
    level: str,
    roles: Sequence[str] = ROLES,
    **options: Any,
) -> Figures:
    """The figures of one setting over all forms; a form that cannot be run scores 0."""
    figures = Figures([], [], [], [], [])
    for gold in golds:
        text = damaged(gold.form, level, roles)
        values: Answers = ()
        tried = 1
        start = time.perf_counter()
        with counted() as count:
            try:
                answer = store.query(text, [source], lang="sexpr", evidence=False, retrieve=True, **options)
                values = answer.answer
                figures.answered += bool(values)
                tried += sum(len(each.get("readings", ())) for each in answer.parameters)
            except (BadInput, QueryFailed):
                pass
        figures.seconds.append(time.perf_counter() - start)
        figures.statements.append(count[0])
        figures.tried.append(tried)
        figures.f1.append(f1(gold.answer, values) if values else 0.0)
        if gold.is_compound:
            figures.mediators.append(figures.f1[-1])
        figures.hits.append(float(hits_at_1(gold.answer, values)))
    return figures


HEAD = "F1 | Hits@1 | no answer | F1 compound | statements: mean, most | combinations: mean, most | ms (median) |"


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--set", "name", default="webqsp", show_default=True, help="`webqsp`, or a set of recorded programs.")
@click.option("--limit", default=100, show_default=True, help="Forms.")
@click.option("--level", "levels", type=click.Choice(tuple(LEVELS)), multiple=True, default=tuple(LEVELS))
@click.option("--seed", default=0, show_default=True)
def main(data: Path, name: str, limit: int, levels: tuple[str, ...], seed: int) -> None:
    """Measure what retrieval is worth."""
    source = "eval/" + name.partition("_")[0]
    with connect() as store:
        if name == "webqsp":
            golds = published_forms(store, data, limit, seed)
        else:
            golds = gold_forms(store, source, data, name, limit, seed)
        compound = sum(gold.is_compound for gold in golds)
        click.echo(f"{len(golds)} forms of {name}, {compound} with a path or a constraint")
        click.echo(f"\n| damage | names | {HEAD}\n{'|---' * 9}|")
        for level in levels:
            for roles in (ROLES, ROLES[:1], ROLES[1:]):
                click.echo(measured(store, source, golds, level, roles).line(level, " and ".join(roles)))
            for options in VARIED:
                label = ", ".join(f"{key} {value}" for key, value in options.items())
                click.echo(measured(store, source, golds, level, **options).line(level, label))


VARIED: tuple[QueryKeywords, ...] = (
    {"entity_k": 1, "relation_k": 1},
    {"entity_k": 30, "relation_k": 50, "combinations": 1000},
    {"entity_threshold": 0.85, "relation_threshold": 0.7},
    {"entity_threshold": 0.6, "relation_threshold": 0.4},
    {"entity_threshold": 0.0, "relation_threshold": 0.0},
)
"""Numbers and thresholds; what is not given has its default."""


if __name__ == "__main__":
    main()
