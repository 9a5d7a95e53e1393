"""The run of a program: parse it, map its names, plan and compile it, run the statement, and make the answer."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cgstore import arguments
from cgstore.catalog.changes import in_turn, settle
from cgstore.catalog.snapshot import GraphSnapshot, SnapshotCache, read_snapshot
from cgstore.cypher.compile.origins import mixing_sentences
from cgstore.cypher.compile.statement import Statement, compile_plan
from cgstore.cypher.connection import Database, LazyConnection, OpenDatabase
from cgstore.cypher.run import Result, browser_link, execute
from cgstore.embedding.encoder import GraphEncoder
from cgstore.errors import BadInput, NoModel, QueryFailed
from cgstore.mapping.answer_notes import dead_ends, names_only_elsewhere, unnamed_notes, unsure_notes
from cgstore.mapping.fuzzy import UnmappedName, disambiguate, nearest_names
from cgstore.mapping.resolve import Resolution, all_texts, entity_texts, resolve
from cgstore.mapping.source_choice import RememberedSources
from cgstore.model import Answer
from cgstore.notes import Detail, placed, ranked
from cgstore.observe.tracing import span
from cgstore.options import ANSWER_LIMIT, TIMES_LIMIT, QueryOptions
from cgstore.query.ast import Call, Program
from cgstore.query.build import text_of
from cgstore.query.date_names import with_dates_named
from cgstore.query.external_functions import Evaluator, answer_with, has_undefined
from cgstore.query.name_uses import NameRole
from cgstore.query.parse import parse
from cgstore.query.plan import Plan
from cgstore.query.planner import make_plan
from cgstore.query.sentences import Vocabulary, sentence_of
from cgstore.query.sexpr.to_program import parse_sexpr
from cgstore.show.evidence import in_row_order
from cgstore.text.dates import Step, as_years_bc, in_periods, period_name, read_past
from cgstore.text.names import SEPARATOR, name_of_key

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder
    from cgstore.mapping.fuzzy import UnknownName

MAX_ATTEMPTS = 4
"""Most runs of a program whose sources are changed or replaced meanwhile."""

SHOWN, LONGEST_SHOWN = 5, 100
"""Elements of a query's output that an answer shows, and characters of each."""

AnyProgram = str | Program | Call
"""A program: text in the LLM query language, or what `cgstore.q` builds."""


PARSERS: dict[str, Callable[[str], Program]] = {"llm": parse, "sexpr": parse_sexpr}
"""The languages of programs: the LLM query language of TrustUQA, and the S-expressions of ChatKBQA."""


class Clock:
    """Wall time by stage, in seconds."""

    def __init__(self) -> None:
        self.started = self.last = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """Adds the time since the last lap to a stage."""
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self.last
        self.last = now

    @property
    def total(self) -> float:
        return time.perf_counter() - self.started


@dataclass(frozen=True)
class Compiled:
    """A compiled program: what was parsed, what the graph had for its names, execution query, statement."""

    program: str
    parsed: Program
    found: GraphSnapshot
    resolution: Resolution
    plan: Plan
    statement: Statement
    options: QueryOptions
    seconds: dict[str, float]


class QueryEngine:
    """Runs programs over one graph, from any number of threads.

    It holds all that a Store shares between threads: the connection, the graph's encoder, the memory of names that
    earlier programs had, and that of the `sources` to choose from. Each of them has its own lock, or needs none. The
    database may be a function that opens it at the first use; `timeout`: seconds that one statement may take.
    """

    def __init__(self, database: Database | Callable[[], OpenDatabase], timeout: float) -> None:
        self.timeout = arguments.positive("timeout", timeout)
        self.connection = LazyConnection(database)
        self._encoder = GraphEncoder()
        self._memory = SnapshotCache()
        self.sources = RememberedSources()

    @property
    def db(self) -> Database:
        """The open connection; see `Store.db`."""
        return self.connection.get()[0]

    def graph_encoder(self) -> Encoder | None:
        """The encoder that made the graph's vectors; see `Store.graph_encoder`."""
        from cgstore.embedding.vectors import are_indexed, check_encoder, follow_changes, vector_origin

        made = vector_origin(self.db)
        if made is None or not are_indexed(self.db):
            return None
        encoder = self._encoder.named(made.encoder)
        check_encoder(made, encoder)
        follow_changes(self.db, encoder)
        return encoder

    def run(
        self, program: AnyProgram, sources: Sequence[str] | None, evaluate: Evaluator | None, options: QueryOptions
    ) -> Answer:
        """The answer of a program; see `Store.query`."""
        with span("program") as note:
            answer = self._run(program, sources, evaluate, options)
            note({"cgstore.answers": len(answer.answer), "cgstore.statements": len(answer.cypher)})
        return answer

    def _run(
        self, program: AnyProgram, sources: Sequence[str] | None, evaluate: Evaluator | None, options: QueryOptions
    ) -> Answer:
        if evaluate is not None:
            written = _text(program)
            if has_undefined(parsed := parse(written, undefined=True)):
                answer = answer_with(parsed, lambda part: self.run(part, sources, None, options), evaluate)
                said = sentence_of(parsed, Vocabulary({}), answer.answer, answer.rows)
                return replace(answer, program=written, sentence=said)
        compiled, result, started = self._compiled_and_run(program, sources, options)
        if not result.answer and options.retrieve:
            with suppress(UnmappedName):
                other = self.compile(program, sources, options, replaced=True)
                found = execute(self.db, other.statement, self.timeout)
                if self._counts(other, found, sources):
                    compiled, result = other, found
        return self._answer(compiled, result, {**compiled.seconds, "run": time.perf_counter() - started})

    def _compiled_and_run(
        self, program: AnyProgram, sources: Sequence[str] | None, options: QueryOptions
    ) -> tuple[Compiled, Result, float]:
        """The program, its result, and when it began to run; again where its sources were changed meanwhile.

        The last attempt keeps changes waiting, if the user may write.

        Raises:
            QueryFailed: they were changed each time.
        """
        asked: tuple[str, ...] = ()
        for attempt in range(MAX_ATTEMPTS):
            with ExitStack() as held:
                if attempt == MAX_ATTEMPTS - 1:
                    with suppress(QueryFailed):
                        held.enter_context(in_turn(self.db, asked))
                compiled = self._compiled(program, sources, options, remembered=not attempt)
                asked, started = compiled.resolution.asked.sources, time.perf_counter()
                if not compiled.found.is_changing:
                    result = execute(self.db, compiled.statement, self.timeout)
                    if self._counts(compiled, result, sources):
                        return compiled, result, started
            with suppress(QueryFailed):
                settle(self.db, asked)
        raise QueryFailed("Sources were loaded, dropped or changed while they were asked.", "Ask again.")

    def _counts(self, compiled: Compiled, result: Result, sources: Sequence[str] | None) -> bool:
        """Whether the graph is, after a program was run, as its names were mapped by."""
        if result.version == compiled.found.version:
            return True
        with suppress(BadInput):  # a source asked is not there any more
            later = self._looked_up(compiled.parsed, sources, compiled.options)
            return compiled.found.is_as(later)
        return False

    def _looked_up(
        self, parsed: Program, sources: Sequence[str] | None, options: QueryOptions, *, remembered: bool = False
    ) -> GraphSnapshot:
        """What the graph has for the names of a program, or had for earlier programs if `remembered`."""
        texts, said = entity_texts(parsed), all_texts(parsed)
        past = read_past(options.as_of) if options.as_of else None
        found = self._memory.recall(self.db, texts, sources, said, past) if remembered else None
        found = found or read_snapshot(self.db, texts, sources, said, past)
        self._memory.keep(found, sources, past)
        return found

    def _compiled(
        self, program: AnyProgram, sources: Sequence[str] | None, options: QueryOptions, *, remembered: bool
    ) -> Compiled:
        """Like `compile`; with retrieval, relations that exist are replaced too where no unknown name can be mapped."""
        try:
            return self.compile(program, sources, options, remembered=remembered)
        except UnmappedName:
            if not options.retrieve:
                raise
            return self.compile(program, sources, options, replaced=True)

    def run_many(
        self, programs: Iterable[AnyProgram], sources: Sequence[str] | None, in_flight: int, options: QueryOptions
    ) -> Iterator[Answer | BadInput | QueryFailed]:
        """The answers of many programs, in order; see `Store.execute_many`."""

        def answer_or_error(program: AnyProgram) -> Answer | BadInput | QueryFailed:
            try:
                return self.run(program, sources, None, options)
            except (BadInput, QueryFailed) as error:
                return error

        waiting: deque[Future[Answer | BadInput | QueryFailed]] = deque()
        with ThreadPoolExecutor(in_flight, "cgstore") as pool:
            try:
                for program in programs:
                    waiting.append(pool.submit(answer_or_error, program))
                    if len(waiting) >= 2 * in_flight:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)

    def compile(
        self,
        program: AnyProgram,
        sources: Sequence[str] | None,
        options: QueryOptions,
        *,
        remembered: bool = False,
        replaced: bool = False,
    ) -> Compiled:
        """Parses a program, maps its names and compiles it; see `Store.compile`.

        `remembered`: names may be mapped by what earlier programs found, which saves a round trip; the statement itself
        then says whether the graph is still as it was. `replaced`: relations that exist may be replaced by others
        around the entities.
        """
        clock = Clock()
        sources, written = arguments.source_names(sources), _text(program)
        parsed = with_dates_named(PARSERS[options.lang](written))
        clock.lap("parse")

        found = self._looked_up(parsed, sources, options, remembered=remembered)
        try:
            return self._compiled_by(found, written, parsed, options, clock, replaced=replaced)
        except BadInput:
            if not found.is_remembered:
                raise
        found = self._looked_up(parsed, sources, options)  # the error may be one of what was remembered
        return self._compiled_by(found, written, parsed, options, clock, replaced=replaced)

    def _compiled_by(
        self,
        found: GraphSnapshot,
        written: str,
        parsed: Program,
        options: QueryOptions,
        clock: Clock,
        *,
        replaced: bool,
    ) -> Compiled:
        """A program compiled by what the graph has for its names."""
        resolution = resolve(self.db, parsed, found, options.by_column)
        resolution.warnings[:0] = found.schema.notes
        if resolution.unknown or replaced:
            self._map_unknown(parsed, found, resolution, options, replaced)
        clock.lap("map")
        plan = make_plan(parsed, resolution.names, resolution.asked)
        is_times = plan.types[plan.answer].is_times and options.limit == ANSWER_LIMIT
        limit = TIMES_LIMIT if is_times else options.limit
        limits = {"limit": limit, "evidence_limit": options.evidence_limit}
        statement = compile_plan(plan, resolution.asked, evidence=options.evidence, **limits)
        clock.lap("compile")
        return Compiled(written, parsed, found, resolution, plan, statement, options, clock.seconds)

    def _map_unknown(
        self, parsed: Program, found: GraphSnapshot, resolution: Resolution, options: QueryOptions, replaced: bool
    ) -> None:
        """Maps the unknown names of a program to the nearest, and adds them to the resolution."""
        near = self._nearest(parsed, found, resolution, options, replaced)
        if not near:
            return
        linked, most = options.linked, options.combinations
        disambiguate(self.db, parsed, resolution, near, linked=linked, most=most, timeout=self.timeout)

    def _nearest(
        self, parsed: Program, found: GraphSnapshot, resolution: Resolution, options: QueryOptions, replaced: bool
    ) -> list[UnknownName]:
        """The nodes near the unknown names; by spelling only where the encoder is not available, with a warning."""
        by_spelling: list[str] = []

        def encoder() -> Encoder | None:
            if by_spelling:
                return None
            try:
                return self.graph_encoder()
            except (NoModel, BadInput) as error:
                by_spelling.append(f"Names are mapped by their spelling only. {error.message}")
                return None

        def nearest() -> list[UnknownName]:
            return nearest_names(self.db, parsed, found.schema, resolution, encoder, options, replaced=replaced)

        try:
            try:
                near = nearest()
            except NoModel as error:
                by_spelling.append(f"Names are mapped by their spelling only. {error.message}")
                near = nearest()
        except UnmappedName as error:
            error.hint = " ".join([*([error.hint] if error.hint else []), *by_spelling]) or None
            raise
        resolution.warnings += by_spelling
        return near

    def _answer(self, compiled: Compiled, result: Result, seconds: dict[str, float]) -> Answer:
        statement, tried = compiled.statement, compiled.resolution.trials
        warnings = [
            *compiled.resolution.warnings,
            *compiled.plan.notes,
            *(placed(_place(compiled, step), sentence) for step, sentence in result.notes),
        ]
        warnings += mixing_sentences(compiled.plan, result.origins, result.sizes)
        warnings += unnamed_notes(self.db, compiled.resolution.asked, result.answer)
        warnings += unsure_notes(compiled.found.schema.unsure, result.evidence)
        if not result.answer:
            warnings += self._why_nothing(compiled, result)
        if result.total > statement.limit:
            warnings.append(f"{result.total:,} answers; the first {len(result.answer):,} are given.")
        cap = statement.parameters.get("evidence_limit", 0)
        cut = bool(cap) and len(result.evidence) >= cap
        if cut and len(result.evidence_periods or result.evidence) >= cap:
            warnings.append(Detail("cut evidence", f"The evidence is cut: at most {cap:,} triples of each step."))
        words = Vocabulary(compiled.resolution.names, compiled.resolution.asked.only_tables)
        periods = _periods(compiled, result)
        said = (periods, (), len(periods)) if periods else (result.answer, result.rows, result.total)
        if compiled.plan.types[compiled.plan.answer].is_times and (note := as_years_bc(map(str, said[0]))):
            warnings.append(note)
        return Answer(
            answer=result.answer,
            periods=periods,
            sentence=sentence_of(compiled.parsed, words, *said),
            program=compiled.program,
            cypher=(*(each.text for each in tried), statement.text),
            parameters=(*(each.parameters for each in tried), statement.parameters),
            mappings=tuple(dict.fromkeys(compiled.resolution.mappings)),
            evidence=in_row_order(result.evidence),
            evidence_cut=cut,
            evidence_periods=in_row_order(result.evidence_periods),
            **ranked(warnings)._asdict(),
            seconds=seconds,
            browser=self._browser_link(result),
            columns=compiled.plan.columns if result.rows else (),
            rows=result.rows,
            steps=tuple(_step_line(number, step, result) for number, step in enumerate(compiled.plan.steps)),
            queries=tuple(_query_line(number, step, result) for number, step in enumerate(compiled.plan.queries, 1)),
        )

    def _why_nothing(self, compiled: Compiled, result: Result) -> list[str]:
        """The names of a program that only other sources have, and the first step without a result, with what the nodes
        from which it went have instead."""
        resolution, plan = compiled.resolution, compiled.plan
        names = [mapping.node for mapping in resolution.mappings if mapping.role == NameRole.ENTITY]
        unused = names_only_elsewhere(self.db, names, resolution.asked)
        reasons = [f"The sources asked have no '{name}'; another source has." for name in unused]
        empty = plan.first_empty_step(result.sizes)
        if not any(note[0] == empty for note in result.notes):  # such a note says why
            reasons.append(f"{_place(compiled, empty)} gives nothing: {_call_text(compiled, empty)}.")
            if compiled.options.lang == "llm":
                reasons += dead_ends(self.db, resolution.asked, plan.steps[empty], result.steps)
        return reasons

    def _browser_link(self, result: Result) -> str | None:
        """The address that shows the evidence in Neo4j Browser."""
        db, http = self.connection.get()
        return browser_link(http, db.uri, db.user, result.ids) if http and result.ids else None


def _periods(compiled: Compiled, result: Result) -> tuple[str, ...]:
    """An answer that is times as periods; nothing for any other, for one that is cut, and where its steps differ."""
    of = compiled.plan.types[compiled.plan.answer]
    steps = sorted({Step(key.step) for key in of.time_keys if key.step})
    if not of.is_times or result.total > len(result.answer):
        return ()
    if result.stretches and len(steps) == 1:
        return tuple(period_name(first, last, *steps) for first, last in result.stretches)
    # Sources of years are asked beside those of days, and all times may be of one of them.
    return next(filter(None, (in_periods(result.answer, step) for step in steps)), ())


def _text(program: AnyProgram) -> str:
    if isinstance(program, Program | Call):
        return text_of(program)
    return arguments.text("program", program)


def _place(compiled: Compiled, step: int) -> str:
    """Where a step is in the program, in words: its query, or of a form its place in the plan."""
    query = compiled.plan.origins[step].query
    if compiled.options.lang != "llm":
        return f"Step {step + 1}"
    return f"Query {query}" if query else "The type in braces"


def _call_text(compiled: Compiled, step: int) -> str:
    """The call that a step comes from, as the program has it; of a form, the step."""
    start, end = compiled.plan.origins[step].call
    text = " ".join(compiled.program[start:end].split())
    return text if text and compiled.options.lang == "llm" else str(compiled.plan.steps[step])


def _query_line(number: int, step: int, result: Result) -> str:
    """How many elements a query gave, and the first ones as JSON, so that a name stays a text in quotes."""
    size = result.sizes[step]
    if size <= 0:
        return f"Query{number} gave nothing"
    shown = ", ".join(json.dumps(_shown(x), ensure_ascii=False) for x in result.steps[step][:SHOWN])
    return f"Query{number} gave {size:,}: {shown}{', ...' if size > SHOWN else ''}"


def _shown(element: Any) -> str | int | float:
    if isinstance(element, list | tuple):
        return " | ".join(str(_shown(each)) for each in element)
    return element if isinstance(element, int | float) else _cut(name_of_key(str(element)))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _step_line(number: int, step: Any, result: Result) -> str:
    first = ", ".join(str(x).split(SEPARATOR)[-1] for x in result.steps[number][:5])
    size = result.sizes[number]
    if size < 0:
        return f"{number + 1}. {step}, for each element"
    return f"{number + 1}. {step} -> {size:,}: {first}{', ...' if size > 5 else ''}"
