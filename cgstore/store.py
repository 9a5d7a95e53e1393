"""Store: a condition graph in Neo4j. Every command of the command line is one method of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self, Unpack

from cgstore import arguments
from cgstore.catalog.sources import ready_sources
from cgstore.change_methods import ChangeMethods
from cgstore.cypher import primitives
from cgstore.cypher.connection import READ_TIMEOUT, Database, OpenDatabase
from cgstore.demonstration_methods import DemonstrationMethods, Paths, chosen_encoder
from cgstore.errors import BadInput, QueryFailed
from cgstore.model import Answer, LoadReport, Source, SourceState
from cgstore.opening import connection_opener
from cgstore.options import QueryKeywords, QueryOptions
from cgstore.query_run import AnyProgram, Compiled, QueryEngine
from cgstore.source_kinds import ALIASES, GRAPH, KG, RDF, STATEMENTS, TABLE, TKG, SourceKind

if TYPE_CHECKING:
    import pandas

    from cgstore.archive import DumpReport, RestoreReport
    from cgstore.catalog.sources import DropReport
    from cgstore.description import SourceDescription
    from cgstore.embedding.encoder import Encoder
    from cgstore.embedding.vectors import EmbedReport
    from cgstore.export.export import ExportReport
    from cgstore.llm.backends import Backend
    from cgstore.loaders.writer.target import Target
    from cgstore.loaders.writer.upgrade import UpgradeReport
    from cgstore.mapping.candidates import Candidate
    from cgstore.options import (
        DelimitedKeywords,
        FrameKeywords,
        GraphKeywords,
        LoadKeywords,
        LoadOptions,
        RdfKeywords,
        TableKeywords,
        TemporalKeywords,
        TripleKeywords,
    )
    from cgstore.query.external_functions import Evaluator
    from cgstore.server import ServerInfo

IN_FLIGHT = 16
"""Programs that `execute_many` runs at a time."""


class Store(ChangeMethods, DemonstrationMethods):
    """A condition graph in a Neo4j database. Any number of threads may use one Store.

    Args:
        database: an open connection, or a function that opens one at the first use. A program that cannot be
            understood is refused without a database.
        timeout: seconds that one statement may take.
    """

    def __init__(self, database: Database | Callable[[], OpenDatabase], timeout: float = READ_TIMEOUT) -> None:
        self._engine = QueryEngine(database, timeout)
        self._backends: dict[str, Backend] = {}

    @property
    def db(self) -> Database:
        """The connection, which is opened at the first use.

        Raises:
            NoDatabase: the Store is closed, nothing answers, or the credentials are refused.
        """
        return self._engine.db

    @property
    def timeout(self) -> float:
        """Seconds that one statement may take."""
        return self._engine.timeout

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection, when the statements that other threads are running have ended."""
        self._engine.connection.close()

    # Loading. All loads take the keywords of `cgstore.options.LoadOptions`.

    def load_table(self, path: Paths, **options: Unpack[TableKeywords]) -> LoadReport:
        """Loads tables, a source each; see `cgstore.loaders.table.load_table`."""
        return self._load(TABLE, arguments.paths("path", path), options)

    def load_frame(self, frame: pandas.DataFrame, name: str, **options: Unpack[FrameKeywords]) -> LoadReport:
        """Loads a pandas DataFrame as a table; see `cgstore.loaders.table.load_frame`."""
        from cgstore.loaders.table import TableOptions, load_frame

        chosen = arguments.options(TableOptions, "load_frame", options, "frame", "name")
        return load_frame(self._target(chosen), frame, arguments.text("name", name), chosen)

    def load_kg(self, path: Paths, **options: Unpack[TripleKeywords]) -> LoadReport:
        """Loads triples; see `cgstore.loaders.kg.load_kg`."""
        return self._load(KG, arguments.paths("path", path), options)

    def load_tkg(self, path: Paths, **options: Unpack[TemporalKeywords]) -> LoadReport:
        """Loads temporal facts; see `cgstore.loaders.tkg.load_tkg`."""
        return self._load(TKG, arguments.paths("path", path), options)

    def load_statements(self, path: Paths, **options: Unpack[DelimitedKeywords]) -> LoadReport:
        """Loads facts with qualifiers; see `cgstore.loaders.statements.load_statements`."""
        return self._load(STATEMENTS, arguments.paths("path", path), options)

    def load_aliases(self, path: Paths, **options: Unpack[DelimitedKeywords]) -> LoadReport:
        """Loads other names of nodes; see `cgstore.loaders.aliases.load_aliases`."""
        return self._load(ALIASES, arguments.paths("path", path), options)

    def load_rdf(self, path: Paths, **options: Unpack[RdfKeywords]) -> LoadReport:
        """Loads RDF; see `cgstore.loaders.rdf.load_rdf`."""
        return self._load(RDF, arguments.paths("path", path), options)

    def load_graph(self, origin: Database, **options: Unpack[GraphKeywords]) -> LoadReport:
        """Loads another Neo4j; see `cgstore.loaders.graph.load_graph`."""
        arguments.having("origin", origin, "read", "Give the `db` of another Store: connect(uri=...).db.")
        return self._load(GRAPH, origin, options)

    def _load(self, kind: SourceKind, origin: object, options: LoadKeywords) -> LoadReport:
        chosen = kind.load_options(options)
        report: LoadReport = kind.load()(self._target(chosen), origin, chosen)
        return report

    def _target(self, options: LoadOptions) -> Target:
        """Where a load goes: into the database, or nowhere in a dry run, which needs no connection."""
        from cgstore.loaders.writer.target import Target, target_of

        return Target() if options.dry_run else target_of(self.db, options)

    # Sources.

    def sources(self) -> list[Source]:
        """The sources of the graph, by name."""
        from cgstore.catalog.sources import list_sources

        return list_sources(self.db)

    def ready(self, sources: Sequence[str] | None = None) -> tuple[str, ...]:
        """The sources to answer from, under the names that the graph has for them: those asked, or all.

        A source that is missing or not ready is a BadInput.
        """
        return ready_sources(self.db, arguments.source_names(sources))

    def describe(self, source: str, beside: Sequence[str] | None = None) -> SourceDescription:
        """What is in a source: relations or columns with examples, times, joins, and questions to begin with.

        Args:
            source: its name.
            beside: the other sources with which joins are looked for; None: all that are ready, if these are few.

        Raises:
            BadInput: the source is missing or not ready.
        """
        from cgstore.description import describe_sources

        stored = ready_sources(self.db, [arguments.text("source", source)], aliases=True)
        listed = self.sources()
        shown = {each.name for each in listed if each.state == SourceState.READY}
        others = sorted(shown if beside is None else shown.intersection((source, *beside)))
        return describe_sources(self.db, stored, listed, beside=ready_sources(self.db, others, aliases=True))[0]

    def drop(self, name: str, progress: bool = False) -> DropReport:
        """Removes a source. Nodes that another source needs stay."""
        from cgstore.catalog.sources import drop_source

        return drop_source(self.db, arguments.text("name", name), progress=progress)

    def upgrade(self) -> UpgradeReport:
        """Brings a graph of an older version of cgstore up to date; see `cgstore.loaders.writer.upgrade`."""
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

        `sources` are all that are ready when None; `encoder` is an encoder or its name, for `load_encoder`.
        """
        from cgstore.embedding.vectors import embed

        return embed(self.db, self.ready(sources), chosen_encoder(encoder), again=again, progress=progress)

    def export(
        self, source: str, to: Path | str | BinaryIO, format: str | None = None, *, progress: bool = False
    ) -> ExportReport:
        """Writes a source to a file or a binary stream; see `cgstore.export.export.export_source`."""
        from cgstore.export.export import export_source

        if not isinstance(to, str | Path):
            arguments.having("to", to, "write", "Give a path, or a file opened in binary mode.")
        return export_source(self.db, arguments.text("source", source), to, format=format, progress=progress)

    def dump(self, file: Path | str, sources: Sequence[str] | None = None, *, progress: bool = False) -> DumpReport:
        """Writes the sources of the graph, with demonstrations and feedback, to one file.

        Vectors are not dumped: `embed` makes them again.

        Args:
            file: the file, which is replaced when the new one is whole.
            sources: names of the sources, and the demonstrations about them; all when None.
            progress: whether to show bars on standard error.

        Raises:
            BadInput: a source is missing or not ready, or the file cannot be written.
        """
        from cgstore.archive import dump

        path = Path(arguments.paths("file", file))
        return dump(self.db, path, arguments.source_names(sources), progress=progress)

    def restore(
        self,
        file: Path | str,
        sources: Sequence[str] | None = None,
        *,
        replace: bool = False,
        progress: bool = False,
    ) -> RestoreReport:
        """Brings the sources of a dump back, with its demonstrations. A restore that was cut short goes on.

        Args:
            file: a file of `dump`.
            sources: names of the sources to restore; all when None.
            replace: whether a source of the same name with other content, and a demonstration for the same question,
                is replaced.
            progress: whether to show bars on standard error.

        Raises:
            BadInput: the file is not a whole dump, or there is another source of a name.
        """
        from cgstore.archive import restore

        path, names = Path(arguments.paths("file", file)), arguments.source_names(sources)
        return restore(self.db, path, names, replace=replace, progress=progress)

    # Names.

    def map(
        self,
        names: Sequence[str],
        role: str = "entity",
        sources: Sequence[str] | None = None,
        *,
        top: int = 10,
        encoder: Encoder | None = None,
    ) -> list[tuple[str, list[Candidate]]]:
        """The nodes that each name may mean, the best first; see `cgstore.mapping.candidates`.

        Args:
            names: names as in programs.
            role: `entity` (or value), `relation` or `key`.
            sources: names of the sources asked; all that are ready when None.
            top: most candidates for a name.
            encoder: the encoder of the graph's vectors (see `graph_encoder`); None: by spelling only.

        Raises:
            BadInput: a source is missing or not ready, or another encoder made the graph's vectors.
        """
        from cgstore.mapping.candidates import name_candidates

        names, top = arguments.texts("names", names), arguments.count("top", top, 1)
        return name_candidates(self.db, names, role, arguments.source_names(sources), top, encoder)

    def graph_encoder(self) -> Encoder | None:
        """The encoder that made the graph's vectors; None where the graph has no vectors, or no index of them yet.

        It is loaded once, and may be used by several threads.

        Raises:
            NoModel: it is not available here.
            BadInput: the encoder of that name here is not the one that made the vectors.
        """
        return self._engine.graph_encoder()

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

    # Programs and questions. All take the keywords of `cgstore.options.QueryOptions`.

    def compile(
        self, program: AnyProgram, sources: Sequence[str] | None = None, **options: Unpack[QueryKeywords]
    ) -> Compiled:
        """Parses a program, maps its names and compiles it into one statement, which is not run; see `query`."""
        return self._engine.compile(program, sources, _query_options("compile", options))

    def query(
        self,
        program: AnyProgram,
        sources: Sequence[str] | None = None,
        *,
        evaluate: Evaluator | None = None,
        **options: Unpack[QueryKeywords],
    ) -> Answer:
        """Runs a program.

        Args:
            program: text in the LLM query language, or what `cgstore.q` builds.
            sources: names of the sources asked; all that are ready when None.
            evaluate: gives the values of functions that the language does not define; see
                `cgstore.query.external_functions`. None: such a function is an error.
            options: see `cgstore.options.QueryOptions`.

        Raises:
            ProgramError: the program is malformed, or a name has no node.
            BadInput: a source is missing or not ready, or an option has no meaning.
            QueryFailed: time or memory ran out.
        """
        return self._engine.run(program, sources, evaluate, _query_options("query", options))

    def execute_many(
        self,
        programs: Iterable[AnyProgram],
        sources: Sequence[str] | None = None,
        *,
        in_flight: int = IN_FLIGHT,
        **options: Unpack[QueryKeywords],
    ) -> Iterator[Answer | BadInput | QueryFailed]:
        """Runs many programs, several at a time, and gives their answers in order.

        A program that cannot be understood or run gives its error in its place, so that the others are answered.
        Programs are read as answers are taken: the input may be endless.

        Raises:
            NoDatabase: nothing answers, so that no program can be run.
        """
        if isinstance(programs, str) or not isinstance(programs, Iterable):
            raise BadInput("`programs` is not several programs.", "Give a list; `query` takes one.")
        in_flight, chosen = arguments.count("in_flight", in_flight, 1), _query_options("execute_many", options)
        yield from self._engine.run_many(programs, sources, in_flight, chosen)

    def ask(
        self,
        question: str,
        backend: Backend | str | None = None,
        sources: Sequence[str] | None = None,
        *,
        after: Answer | Sequence[Answer] = (),
        **options: Unpack[QueryKeywords],
    ) -> Answer:
        """Answers a question: the backend writes programs, has them run, and chooses an answer.

        The warnings of an answer without values say why it is empty, and which names are nearest.

        Args:
            question: the question, in plain words.
            backend: from `cgstore.llm.get_backend`, or the name of one. None: `openai` where the environment has
                OPENAI_API_KEY or OPENAI_BASE_URL, else `small`, as the command `cgstore ask` chooses. A backend that
                is made here is kept for the next question.
            sources: names of the sources asked; all that are ready when None.
            after: the answer that the question follows, or those of a conversation: the question may leave out what
                they say. The backend must have an LLM.
            options: see `cgstore.options.QueryOptions`.

        Raises:
            BadInput: the question is empty, a source is missing or not ready, or the backend cannot follow up.
            NoModel: the backend cannot be reached.
        """
        from cgstore.asking import answer_question

        run = _query_options("ask", options, "backend", "after")
        earlier = (after,) if isinstance(after, Answer) else tuple(after)
        chosen = self._backend(backend) if backend is None or isinstance(backend, str) else backend
        return answer_question(self._engine, question, chosen, sources, run, earlier)

    def _backend(self, name: str | None) -> Backend:
        """The backend of that name, or the one that the environment calls for, which is made once."""
        from cgstore.llm import default_backend_name, get_backend

        name = name or default_backend_name()
        if name not in self._backends:
            self._backends[name] = get_backend(name, db=self.db)
        return self._backends[name]


def _query_options(method: str, keywords: QueryKeywords, *own: str) -> QueryOptions:
    return arguments.options(QueryOptions, method, keywords, "sources", *own)


def connect(
    uri: str | None = None,
    user: str | None = None,
    password: str | None = None,
    database: str | None = None,
    *,
    timeout: float = READ_TIMEOUT,
    on_start: Callable[[ServerInfo], None] | None = None,
) -> Store:
    """A Store, which connects at its first use.

    An argument that is None is taken from `CGSTORE_NEO4J_URI`, `_USER`, `_PASSWORD` or `_DATABASE`. Where no URI is
    given at all, the managed server is used, and started if it does not run.

    Args:
        uri: `bolt://`, `neo4j://`, `neo4j+s://`, ...
        user: `neo4j` by default.
        password: needed with a URI.
        database: the server's default one when None.
        timeout: seconds that one statement may take.
        on_start: called with the managed server's information when it had to be started.

    Raises:
        BadInput: a user or password is given without an address.
        NoDatabase: at the first use: nothing answers, or the credentials are refused.
    """
    return Store(connection_opener(uri, user, password, database, on_start), timeout)
