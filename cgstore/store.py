"""Store: a condition graph in a Neo4j, loaded, asked and looked at. Every command line command is one method of it."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from cgstore import arguments
from cgstore.catalog.selection import ready_sources
from cgstore.catalog.snapshot import Found, Memory, NotAsGuessed, look_up
from cgstore.cypher import primitives
from cgstore.cypher.compile.notes import in_words
from cgstore.cypher.compile.origins import mixed
from cgstore.cypher.compile.statement import ANSWER_LIMIT, EVIDENCE_LIMIT, Statement, compile_plan
from cgstore.cypher.connection import READ_TIMEOUT, Database, LazyConnection, OpenDatabase
from cgstore.cypher.run import MAX_LINKED, NotAsMapped, Result, browser_link, execute
from cgstore.embedding.shared_encoder import GraphEncoder
from cgstore.errors import BadInput, NoModel, QueryFailed
from cgstore.mapping.choose import MAX_COMBINATIONS, choose
from cgstore.mapping.resolve import Resolution, all_texts, entity_texts, resolve
from cgstore.mapping.unknown import UnmappedName, unknown_names
from cgstore.mapping.used import elsewhere
from cgstore.model import Answer, LoadReport, Source
from cgstore.query.ast import Call, Program
from cgstore.query.build import text_of
from cgstore.query.external_functions import Evaluator, answer_with, check_grounded, has_undefined
from cgstore.query.name_uses import NameRole
from cgstore.query.operators import Plan
from cgstore.query.parse import parse
from cgstore.query.planner import make_plan
from cgstore.text.names import SEPARATOR
from cgstore.text.values import is_unicode

if TYPE_CHECKING:
    import pandas

    from cgstore.catalog.sources import DropReport
    from cgstore.embedding.encoder import Encoder
    from cgstore.embedding.vectors import EmbedReport
    from cgstore.export.export import ExportReport
    from cgstore.export.import_files import ImportReport
    from cgstore.llm.backend import Attempt, Backend, Decision
    from cgstore.llm.demonstrations.build import BuildReport
    from cgstore.llm.demonstrations.stored import StoredDemonstration
    from cgstore.loaders.writer.target import Target
    from cgstore.loaders.writer.upgrade import UpgradeReport
    from cgstore.mapping.candidates import Candidate
    from cgstore.mapping.unknown import Unknown
    from cgstore.server import ServerInfo

IN_FLIGHT = 16
"""Programs that `execute_many` has under way at a time."""

MAX_ATTEMPTS = 4
"""Times that a program is run where a guess was wrong, or a source is replaced while it is read."""


@dataclass(frozen=True)
class Compiled:
    """A program on its way to an answer: mapped names, execution query, statement."""

    program: str
    resolution: Resolution
    plan: Plan
    statement: Statement
    seconds: dict[str, float]


Paths = Path | str | Sequence[Path | str]
"""Files, folders or globs."""


class Store:
    """A condition graph in a Neo4j database.

    Args:
        database: an open connection, or what opens one when it is first needed: a program that cannot be understood is
            refused without a database.
        timeout: seconds that one statement may take.
    """

    def __init__(self, database: Database | Callable[[], OpenDatabase], timeout: float = READ_TIMEOUT) -> None:
        self.timeout = arguments.positive("timeout", timeout)
        self._connection = LazyConnection(database)
        self._encoder = GraphEncoder()
        self._memory = Memory()

    @property
    def db(self) -> Database:
        """The connection, opened now if it was not.

        Raises:
            NoDatabase: the Store is closed, nothing answers, or the credentials are refused.
        """
        return self._connection.get()[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection, if one was opened, when the statements under way in other threads are done."""
        self._connection.close()

    def load_table(self, path: Path | str | Sequence[Path | str], **options: Any) -> LoadReport:
        """Loads tables, a source each; see `cgstore.loaders.table.load_table` and `target` for the options."""
        from cgstore.loaders.table import TableOptions, load_table

        return load_table(self.target(options), arguments.paths("path", path), TableOptions(**options))

    def load_frame(self, frame: pandas.DataFrame, name: str, **options: Any) -> LoadReport:
        """Loads a pandas DataFrame as a table; see `cgstore.loaders.table.load_frame` and `target`."""
        from cgstore.loaders.table import TableOptions, load_frame

        return load_frame(self.target(options), frame, arguments.text("name", name), TableOptions(**options))

    def load_kg(self, path: Paths, **options: Any) -> LoadReport:
        """Loads triples; see `cgstore.loaders.kg.load_kg` and `target` for the options."""
        from cgstore.loaders.kg import KgOptions, load_kg

        return load_kg(self.target(options), arguments.paths("path", path), KgOptions(**options))

    def load_tkg(self, path: Paths, **options: Any) -> LoadReport:
        """Loads temporal facts; see `cgstore.loaders.tkg.load_tkg` and `target` for the options."""
        from cgstore.loaders.tkg import TkgOptions, load_tkg

        return load_tkg(self.target(options), arguments.paths("path", path), TkgOptions(**options))

    def load_statements(self, path: Paths, **options: Any) -> LoadReport:
        """Loads facts with qualifiers; see `cgstore.loaders.statements.load_statements` and `target`."""
        from cgstore.loaders.load import TextLoadOptions
        from cgstore.loaders.statements import load_statements

        return load_statements(self.target(options), arguments.paths("path", path), TextLoadOptions(**options))

    def load_aliases(self, path: Paths, **options: Any) -> LoadReport:
        """Loads other names of nodes; see `cgstore.loaders.aliases.load_aliases` and `target` for the options."""
        from cgstore.loaders.aliases import load_aliases
        from cgstore.loaders.load import TextLoadOptions

        return load_aliases(self.target(options), arguments.paths("path", path), TextLoadOptions(**options))

    def load_rdf(self, path: Paths, **options: Any) -> LoadReport:
        """Loads RDF; see `cgstore.loaders.rdf.load_rdf` and `target` for the options."""
        from cgstore.loaders.rdf import load_rdf

        return load_rdf(self.target(options), arguments.paths("path", path), **options)

    def load_graph(self, origin: Database, **options: Any) -> LoadReport:
        """Loads another Neo4j; see `cgstore.loaders.graph.load_graph` and `target` for the options."""
        from cgstore.loaders.graph import load_graph

        arguments.having("origin", origin, "read", "Give the `db` of another Store: connect(uri=...).db.")
        return load_graph(self.target(options), origin, **options)

    def target(self, options: dict[str, Any]) -> Target:
        """Where a load goes, by those of its options that say so, which are taken out: `dry_run`, `replace`.

        `dry_run` counts and shows some triples, and writes nothing: no database is needed. `replace` swaps a source of
        that name for the new one, in one step as readers see it.
        """
        from cgstore.loaders.writer.target import Online, Target

        if options.get("name") is not None:
            arguments.text("name", options["name"])
        dry_run, replace = (options.pop(name, False) for name in ("dry_run", "replace"))
        if dry_run:
            return Target()
        return Online(self.db, replace=replace, progress=bool(options.get("progress")))

    def sources(self) -> list[Source]:
        """What is loaded, by name."""
        from cgstore.catalog.sources import list_sources

        return list_sources(self.db)

    def drop(self, name: str, progress: bool = False) -> DropReport:
        """Removes a source; nodes that another source needs stay."""
        from cgstore.catalog.sources import drop_source

        return drop_source(self.db, arguments.text("name", name), progress=progress)

    def upgrade(self) -> UpgradeReport:
        """Brings a graph that an older version has written up to date; see `cgstore.loaders.writer.upgrade`."""
        from cgstore.loaders.writer.upgrade import upgrade

        return upgrade(self.db)

    def embed(
        self,
        sources: Sequence[str] | None = None,
        *,
        encoder: str | Encoder | None = None,
        again: bool = False,
        progress: bool = False,
    ) -> EmbedReport:
        """Gives a vector to each name that lacks one; see `cgstore.embedding.vectors.embed`.

        Args:
            sources: names of the sources; all that are ready when None.
            encoder: one, or its name; see `cgstore.embedding.encoder.load_encoder`.
            again: whether all vectors of the graph are removed first.
            progress: whether to show bars on standard error.

        Raises:
            BadInput: a source is missing or not ready, or the graph has vectors of another encoder.
            NoModel: there is no such encoder.
        """
        from cgstore.embedding.vectors import embed

        asked = self.ready(sources)
        return embed(self.db, asked, _encoder(encoder), again=again, progress=progress)

    def export(
        self, source: str, to: Path | str | BinaryIO, format: str | None = None, *, progress: bool = False
    ) -> ExportReport:
        """Writes a source to a file or a binary stream; see `cgstore.export.export.export_source`."""
        from cgstore.export.export import export_source

        if not isinstance(to, str | Path):
            arguments.having("to", to, "write", "Give a path, or a file opened in binary mode.")
        return export_source(self.db, arguments.text("source", source), to, format=format, progress=progress)

    def export_import_files(self, source: str, folder: Path | str, *, progress: bool = False) -> ImportReport:
        """Writes a source as files for Neo4j's importer; see `cgstore.export.import_files`."""
        from cgstore.export.import_files import export_import_files

        return export_import_files(
            self.db, arguments.text("source", source), Path(arguments.paths("folder", folder)), progress=progress
        )

    def search_node(
        self,
        node1: str,
        condition: primitives.Condition | Iterable[primitives.Condition] | None = None,
        scope: primitives.Condition | Iterable[primitives.Condition] | None = None,
        sources: Sequence[str] | None = None,
    ) -> list[str]:
        """node2 of the triples (node1, ?, condition); see `cgstore.cypher.primitives.search_node`."""
        asked = self.ready(sources)
        node1 = arguments.text("node1", node1)
        return primitives.search_node(self.db, node1, condition, scope, sources=asked, timeout=self.timeout)

    def search_condition(
        self, node1: str, node2_value: str | float, op: str = "=", sources: Sequence[str] | None = None
    ) -> list[tuple[str, ...]]:
        """Conditions of the triples (node1, node2, ?); see `cgstore.cypher.primitives.search_condition`."""
        asked = self.ready(sources)
        node1 = arguments.text("node1", node1)
        return primitives.search_condition(self.db, node1, node2_value, op, sources=asked, timeout=self.timeout)

    def ready(self, sources: Sequence[str] | None = None) -> tuple[str, ...]:
        """The sources to answer from, as the graph knows them: those asked, or all.

        Raises:
            BadInput: one is missing or not ready.
        """
        return ready_sources(self.db, arguments.source_names(sources))

    def map(
        self,
        names: Sequence[str],
        role: str = "entity",
        sources: Sequence[str] | None = None,
        *,
        top: int = 10,
        encoder: Encoder | None = None,
    ) -> list[tuple[str, list[Candidate]]]:
        """Each name with the nodes that it may mean, the best first; see `cgstore.mapping.candidates`.

        Args:
            names: as programs have them.
            role: `entity` (or value), `relation` or `key`.
            sources: names of the sources asked; all that are ready when None.
            top: most candidates for a name.
            encoder: the one that made the graph's vectors (see `graph_encoder`); None: by spelling only.

        Raises:
            BadInput: a source is missing or not ready, or another encoder made the graph's vectors.
        """
        from cgstore.embedding.vectors import as_words, check_encoder
        from cgstore.mapping.candidates import entity_candidates, relation_candidates, relation_cosines

        names, top = arguments.texts("names", names), arguments.count("top", top, 1)
        if role not in ("entity", "relation", "key"):
            raise BadInput(f"There is no role {role!r}.", "Give entity (or value), relation or key.")
        schema = look_up(self.db, (), arguments.source_names(sources)).schema
        if encoder is not None:
            check_encoder(self.db, encoder)
        vectors = encoder.encode([name if role == "entity" else as_words(name) for name in names]) if encoder else None
        if role == "entity":
            found = entity_candidates(self.db, names, schema.asked.sources, vectors, top)
            return list(zip(names, found, strict=True))
        nodes = [node for node in schema.owned if node["is_relation" if role == "relation" else "is_key"]]
        keys = [node["key"] for node in nodes]
        cosines = [{}] * len(names) if vectors is None else relation_cosines(self.db, keys, vectors)
        return [(name, relation_candidates(name, nodes, c, top)) for name, c in zip(names, cosines, strict=True)]

    def graph_encoder(self) -> Encoder | None:
        """The encoder that made the graph's vectors; None where it has none, or they are not indexed yet.

        It is loaded once, and may be used by several threads.

        Raises:
            NoModel: it cannot be had here.
            BadInput: what is here by its name is another one.
        """
        from cgstore.embedding.vectors import are_indexed, check_same, made_by

        made = made_by(self.db)
        if made is None or not are_indexed(self.db):
            return None
        encoder = self._encoder.named(made.encoder)
        check_same(made, encoder)
        return encoder

    def _near(self, parsed: Program, found: Found, resolution: Resolution, **options: Any) -> list[Unknown]:
        """What unknown names may mean; by spelling only where the encoder cannot be had, which is said."""
        by_spelling: list[str] = []

        def encoder() -> Encoder | None:
            if by_spelling:
                return None
            try:
                return self.graph_encoder()
            except (NoModel, BadInput) as error:
                by_spelling.append(f"Names are mapped by their spelling only. {error.message}")
                return None

        given = (self.db, parsed, found.schema, resolution.unknown, encoder)
        try:
            try:
                near = unknown_names(*given, **options)
            except NoModel as error:
                by_spelling.append(f"Names are mapped by their spelling only. {error.message}")
                near = unknown_names(*given, **options)
        except UnmappedName as error:
            error.hint = " ".join([*([error.hint] if error.hint else []), *by_spelling]) or None
            raise
        resolution.warnings += by_spelling
        return near

    def compile(
        self,
        program: str | Program | Call,
        sources: Sequence[str] | None = None,
        *,
        exact: bool = False,
        threshold: float | None = None,
        linked: bool = False,
        combinations: int = MAX_COMBINATIONS,
        by_column: float | None = None,
        evidence: bool = True,
        limit: int = ANSWER_LIMIT,
        evidence_limit: int = EVIDENCE_LIMIT,
        guess: bool = False,
    ) -> Compiled:
        """Parses a program, maps its names and compiles it into one statement, which is not run.

        Args:
            program: text in the LLM query language, or what `cgstore.q` builds.
            sources: names of the sources asked; all that are ready when None.
            exact: whether a name that no node has is an error; else it is taken for the nearest, with a warning, and
                of several near ones for that with which the program answers.
            threshold: the least score, from 0 to 1, at which it is; None: `cgstore.mapping.unknown.THRESHOLDS`.
            linked: whether unknown names are taken for nothing with which the program does not answer.
            combinations: of what several unknown names may mean together, how many are tried; 1: the nearest of each.
            by_column: where only tables are asked, the least likeness at which each name is taken for the nearest
                cell of the column that it is compared with; None: names are sought in all columns, and exact first.
            evidence: whether the triples that support the answer are asked for.
            limit: most answers.
            evidence_limit: most triples of evidence from each step.
            guess: whether names may be taken for what they were in earlier programs, or for exact ones, which saves a
                round trip: the statement itself says whether it was right.

        Raises:
            ProgramError: it is malformed, or a name has no node.
            BadInput: a source is missing or not ready.
        """
        clock = _Clock()
        sources, written = arguments.source_names(sources), _written(program)
        limit, evidence_limit = arguments.count("limit", limit, 1), arguments.count("evidence_limit", evidence_limit)
        threshold, by_column = arguments.share("threshold", threshold), arguments.share("by_column", by_column)
        combinations = arguments.count("combinations", combinations, 1)
        parsed = parse(written)
        clock.lap("parse")

        def compiled(found: Found) -> Compiled:
            resolution = resolve(self.db, parsed, found, by_column)
            if resolution.unknown:
                if found.guessed:
                    raise NotAsGuessed
                near = self._near(parsed, found, resolution, exact=exact, threshold=threshold)
                choose(self.db, parsed, resolution, near, linked=linked, most=combinations, timeout=self.timeout)
            clock.lap("map")
            plan = make_plan(parsed, resolution.names, resolution.asked)
            wanted: dict[str, Any] = {"evidence": evidence, "limit": limit, "evidence_limit": evidence_limit}
            statement = compile_plan(plan, resolution.asked, found.seen, **wanted)
            clock.lap("compile")
            return Compiled(written, resolution, plan, statement, clock.seconds)

        texts, said = entity_texts(parsed), all_texts(parsed)
        if guess and (guessed := self._memory.guess(texts, sources, said)):
            with suppress(BadInput, NotAsGuessed):  # what is wrong by a guess may be right
                return compiled(guessed)
        found = look_up(self.db, texts, sources, said)
        self._memory.keep(found, sources)
        return compiled(found)

    def query(
        self,
        program: str | Program | Call,
        sources: Sequence[str] | None = None,
        *,
        evaluate: Evaluator | None = None,
        **options: Any,
    ) -> Answer:
        """Runs a program; the options are those of `compile`.

        Args:
            program: text in the LLM query language, or what `cgstore.q` builds.
            sources: names of the sources asked; all that are ready when None.
            evaluate: gives the values of functions that nobody defined; see `query.external_functions`. None: they are
                an error.
            options: exact, threshold, linked, combinations, by_column, evidence, limit, evidence_limit.

        Raises:
            ProgramError: it is malformed, or a name has no node.
            QueryFailed: time or memory ran out.
        """
        if evaluate is not None:
            written = _written(program)
            if has_undefined(parsed := parse(written, undefined=True)):
                answer = answer_with(parsed, lambda part: self.query(part, sources, **options), evaluate)
                return replace(answer, program=written)
        for attempt in range(MAX_ATTEMPTS):
            compiled = self.compile(program, sources, guess=not attempt, **options)
            started = time.perf_counter()
            try:
                result = execute(self.db, compiled.statement, self.timeout)
                break
            except NotAsMapped:
                if attempt == MAX_ATTEMPTS - 1:
                    raise
        seconds = {**compiled.seconds, "run": time.perf_counter() - started}
        return self._answer(compiled, result, seconds)

    def execute_many(
        self,
        programs: Iterable[str | Program | Call],
        sources: Sequence[str] | None = None,
        *,
        in_flight: int = IN_FLIGHT,
        **options: Any,
    ) -> Iterator[Answer | BadInput | QueryFailed]:
        """Runs many programs, several at a time, and gives their answers in order.

        A program that cannot be understood or run gives its error in its place, so that the others are answered.
        Programs are taken as answers are: the input may be endless.

        Raises:
            NoDatabase: nothing answers, so that no program can be run.
        """
        if isinstance(programs, str) or not isinstance(programs, Iterable):
            raise BadInput("`programs` is not several programs.", "Give a list; `query` takes one.")
        in_flight = arguments.count("in_flight", in_flight, 1)
        waiting: deque[Future[Answer | BadInput | QueryFailed]] = deque()
        with ThreadPoolExecutor(in_flight, "cgstore") as pool:
            try:
                for program in programs:
                    waiting.append(pool.submit(self.answer_or_error, program, sources, **options))
                    if len(waiting) >= 2 * in_flight:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)

    def answer_or_error(
        self, program: str | Program | Call, sources: Sequence[str] | None = None, **options: Any
    ) -> Answer | BadInput | QueryFailed:
        """As `query`, but what is wrong with the program is returned and not raised."""
        try:
            return self.query(program, sources, **options)
        except (BadInput, QueryFailed) as error:
            return error

    def ask(self, question: str, backend: Backend, sources: Sequence[str] | None = None, **options: Any) -> Answer:
        """Answers a question: the backend writes programs, has them run, and decides whose answer stands.

        An answer without values says in its warnings why there is none, and what came closest.

        Args:
            question: in plain words.
            backend: see `cgstore.llm.get_backend`.
            sources: names of the sources asked; all that are ready when None.
            options: those of `query`.

        Raises:
            BadInput: a source is missing or not ready.
            NoModel: the backend cannot be reached.
        """
        from cgstore.llm.backend import Attempt
        from cgstore.llm.graph_view import GraphView

        if not is_unicode(arguments.text("question", question)):
            raise BadInput("The question is no valid Unicode text.", "Is the terminal or the file in UTF-8?")
        arguments.having("backend", backend, "decide", "`cgstore.llm.get_backend()` makes one.")
        clock = _Clock()

        def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
            clock.lap("propose")
            try:
                if evaluate is not None:
                    parsed = parse(program, undefined=True)
                    check_grounded(parsed)
                    evaluate = evaluate if has_undefined(parsed) else None
                return Attempt(program, self.query(program, sources, evaluate=evaluate, **options))
            except (BadInput, QueryFailed) as error:
                return Attempt(program, error=str(error))
            finally:
                clock.lap("programs")

        decision = backend.decide(question, GraphView(self.db, self.ready(sources)), run)
        clock.lap("propose")
        return _decided(decision, question, clock)

    def add_demonstrations(
        self, paths: Sequence[Path], *, encoder: str | Encoder | None = None, progress: bool = False
    ) -> int:
        """Puts demonstrations of files into the graph; see `cgstore.llm.demonstrations.stored.add`. Returns how many.

        Args:
            paths: JSON Lines `{"question", "program", "kind", "source"}`.
            encoder: makes their vectors: one, or its name.
            progress: whether to show a bar on standard error.

        Raises:
            BadInput: a file cannot be read, or a line is no demonstration.
            NoModel: there is no such encoder.
        """
        from cgstore.llm.demonstrations import read_demonstrations
        from cgstore.llm.demonstrations.stored import add

        given = read_demonstrations([Path(path) for path in _several(arguments.paths("paths", paths))])
        return len(add(self.db, given, _encoder(encoder), progress=progress))

    def demonstrations(self) -> list[StoredDemonstration]:
        """The demonstrations of the graph, by kind of source, state and question."""
        from cgstore.llm.demonstrations.stored import all_stored

        return all_stored(self.db)

    def remove_demonstrations(self, question: str | None = None) -> int:
        """Removes the demonstrations of a question, or all; returns how many."""
        from cgstore.llm.demonstrations.stored import remove

        return remove(self.db, question)

    def build_demonstrations(
        self,
        train: Path,
        backend: Backend,
        *,
        asked: Path | None = None,
        sources: Sequence[str] | None = None,
        encoder: Encoder | None = None,
        m: int = 15,
        k: int = 8,
        masked: bool = False,
        again: bool = False,
        in_flight: int = 8,
        progress: bool = False,
        **options: Any,
    ) -> BuildReport:
        """Makes demonstrations from training questions; see `cgstore.llm.demonstrations.build.build`.

        Args:
            train: JSON Lines `{"question", "answer", "source"}`.
            backend: writes the programs.
            asked: JSON Lines `{"question", "source"}`: only what these need is tried; None: all are.
            sources: names of the sources of a question that names none; all that are ready when None.
            encoder, m, k, masked, again, in_flight, progress: see `build`.
            options: those of `query`.

        Raises:
            BadInput: a file cannot be read, or a source is missing or not ready.
            NoModel: the backend or the encoder cannot be reached.
        """
        from cgstore.llm.demonstrations.build import build, read_questions

        return build(
            self.db,
            read_questions(train),
            lambda question, names: self.ask(question, backend, names, **options),
            encoder,
            asked=None if asked is None else read_questions(asked),
            sources=sources,
            m=m,
            k=k,
            masked=masked,
            again=again,
            in_flight=in_flight,
            progress=progress,
        )

    def _why_nothing(self, compiled: Compiled, result: Result) -> list[str]:
        """The names of a program that only other sources have, and the first step that gives nothing."""
        resolution, plan = compiled.resolution, compiled.plan
        names = [mapping.node for mapping in resolution.mappings if mapping.role == NameRole.ENTITY]
        unused = elsewhere(self.db, names, resolution.asked.sources)
        empty = plan.why_empty(result.sizes)
        step = [f"Step {empty + 1} gives nothing: {plan.steps[empty]}."]
        if any(note[0] == empty for note in result.notes):
            step = []  # a note of its own says why
        return [*(f"The sources asked have no '{name}'; another source has." for name in unused), *step]

    def _answer(self, compiled: Compiled, result: Result, seconds: dict[str, float]) -> Answer:
        warnings = [*compiled.resolution.warnings, *compiled.plan.notes, *(in_words(*note) for note in result.notes)]
        warnings += mixed(compiled.plan, result.origins, result.sizes)
        if not result.answer:
            warnings += self._why_nothing(compiled, result)
        if result.total > compiled.statement.parameters["limit"]:
            warnings.append(f"{result.total:,} answers; the first {len(result.answer):,} are given.")
        cap = compiled.statement.parameters.get("evidence_limit", 0)
        cut = bool(cap) and len(result.evidence) >= cap
        if cut:
            warnings.append(f"The evidence is cut: at most {cap:,} triples are shown for each step.")
        link, (db, http) = None, self._connection.get()
        if http and result.decisive:
            link = browser_link(http, db.uri, db.user, result.decisive)
            if len(result.decisive) > MAX_LINKED:
                decisive = f"{len(result.decisive):,} triples"
                warnings.append(f"The link to Neo4j Browser shows {MAX_LINKED} of the last step's {decisive}.")
        return Answer(
            answer=result.answer,
            program=compiled.program,
            cypher=(*(tried.text for tried in compiled.resolution.tried), compiled.statement.text),
            parameters=(*(tried.parameters for tried in compiled.resolution.tried), compiled.statement.parameters),
            mappings=tuple(dict.fromkeys(compiled.resolution.mappings)),
            evidence=result.evidence,
            evidence_cut=cut,
            warnings=tuple(warnings),
            seconds=seconds,
            browser=link,
            steps=tuple(_shown_step(n, step, result) for n, step in enumerate(compiled.plan.steps)),
        )


def _written(program: str | Program | Call) -> str:
    """A program as text."""
    if isinstance(program, Program | Call):
        return text_of(program)
    return arguments.text("program", program)


def _several(given: Path | str | Sequence[Path | str]) -> Sequence[Path | str]:
    return [given] if isinstance(given, str | Path) else given


def _encoder(chosen: str | Encoder | None) -> Encoder:
    from cgstore.embedding.encoder import load_encoder

    if chosen is None or isinstance(chosen, str):
        return load_encoder(chosen)
    encoder: Encoder = arguments.having("encoder", chosen, "encode", "Give the name of one, or an `Encoder`.")
    return encoder


def _shown_step(number: int, step: Any, result: Result) -> str:
    first = ", ".join(str(x).split(SEPARATOR)[-1] for x in result.steps[number][:5])
    size = result.sizes[number]
    return f"{number + 1}. {step} -> {size:,}: {first}{', ...' if size > 5 else ''}"


def _decided(decision: Decision, question: str, clock: _Clock) -> Answer:
    """The answer that stands, with the statements of all programs before it; or why there is none."""
    tried = [one for one in decision.attempts if one is not decision.chosen]
    answers = [one.answer for one in tried if one.answer is not None]
    chosen = decision.chosen.answer if decision.chosen else None
    shown = [*answers, *([chosen] if chosen else [])]
    answer = chosen or (answers or [Answer((), program=tried[0].program if tried else "")])[0]
    return replace(
        answer,
        question=question,
        cypher=tuple(text for one in shown for text in one.cypher),
        parameters=tuple(given for one in shown for given in one.parameters),
        warnings=tuple(dict.fromkeys((*answer.warnings, *_said(decision, tried)))),
        seconds={**clock.seconds, **answer.seconds, "total": clock.total},
        because=decision.because or None,
        usage=decision.usage.to_json(),
    )


def _said(decision: Decision, tried: Sequence[Attempt]) -> list[str]:
    """The backend's own warnings, what is wrong with programs, and how many gave nothing."""
    wrong = [f"A program could not be run: {_shortly(one.error)}" for one in tried if one.error]
    programs = f"{len(tried)} program{'s' if len(tried) > 1 else ''}"
    if decision.chosen:
        empty = [one for one in tried if not one.answered]
        notes = [f"{len(empty)} other program{'s' if len(empty) > 1 else ''} gave nothing."] if empty else []
        return [*decision.warnings, *notes]
    if tried:
        return [*wrong, *decision.warnings, f"{programs} tried; none gave an answer."]
    return list(decision.warnings) or ["No program could be written for this question."]


def _shortly(error: str) -> str:
    """What is wrong and what to do next, without the program between them."""
    first, *others = error.splitlines()
    hint = others[-1].strip() if others else ""
    return f"{first} {hint}" if hint.strip("^") else first


class _Clock:
    """Wall time by stage, in seconds."""

    def __init__(self) -> None:
        self.started = self.last = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self.last
        self.last = now

    @property
    def total(self) -> float:
        return time.perf_counter() - self.started


def connect(
    uri: str | None = None,
    user: str | None = None,
    password: str | None = None,
    database: str | None = None,
    *,
    timeout: float = READ_TIMEOUT,
    on_start: Callable[[ServerInfo], None] | None = None,
) -> Store:
    """A Store, which connects when it is first used.

    Each argument that is None is taken from `CGSTORE_NEO4J_URI`, `_USER`, `_PASSWORD`, `_DATABASE`. Where no URI is
    given at all, the managed server is used, and started if need be.

    Args:
        uri: `bolt://`, `neo4j://`, `neo4j+s://`, ...
        user: `neo4j` by default.
        password: needed with a URI.
        database: the server's default one when None.
        timeout: seconds that one statement may take.
        on_start: called with the server's information when one had to be started.

    Raises:
        BadInput: a user or password is given without an address, which the managed server would not use.
        NoDatabase: at the first use: nothing answers, or the credentials are refused.
    """
    for name, given in (("uri", uri), ("user", user), ("password", password), ("database", database)):
        if given is not None:
            arguments.text(name, given)
    uri = uri or os.environ.get("CGSTORE_NEO4J_URI")
    user = user or os.environ.get("CGSTORE_NEO4J_USER")
    password = password or os.environ.get("CGSTORE_NEO4J_PASSWORD")
    database = database or os.environ.get("CGSTORE_NEO4J_DATABASE")
    if uri:
        address = uri
        return Store(lambda: (Database(address, user or "neo4j", password or "", database), _http_of(address)), timeout)
    if user or password:
        raise BadInput(
            "A user or password is given, but no address; the managed server has its own.",
            "Give --uri or CGSTORE_NEO4J_URI (bolt://127.0.0.1:7687, say), or leave them all out.",
        )
    return Store(lambda: _open_managed(database, on_start), timeout)


def _open_managed(database: str | None, on_start: Callable[[ServerInfo], None] | None) -> OpenDatabase:
    from cgstore import server

    info = server.status()
    if not info.running:
        info = server.start()
        if on_start:
            on_start(info)
    assert info.uri, "a running server has an address"
    return Database(info.uri, info.user, info.password(), database), info.http


def _http_of(uri: str) -> str | None:
    """Where Browser would be beside a Bolt address: the same host at the default port, for plain Bolt only."""
    from urllib.parse import urlsplit

    parts = urlsplit(uri)
    if parts.scheme not in ("bolt", "neo4j") or parts.port not in (None, 7687):
        return None
    return f"http://{parts.hostname}:7474"
