"""Store: a condition graph in Neo4j. Every command of the command line is one method of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self, Unpack
from urllib.parse import urlsplit

from cgstore import arguments
from cgstore.ask.run import AnyProgram, Compiled, QueryEngine
from cgstore.catalog.kinds import ALIASES, GRAPH, KG, RDF, STATEMENTS, TABLE, TKG, SourceKind
from cgstore.catalog.sources import ready_sources
from cgstore.cypher import primitives
from cgstore.cypher.connection import READ_TIMEOUT, Database, OpenDatabase
from cgstore.errors import BadInput, QueryFailed, setting
from cgstore.model import Answer, LoadReport, Source, SourceState
from cgstore.options import QueryKeywords, QueryOptions

if TYPE_CHECKING:
    import pandas

    from cgstore.catalog.sources import DropReport
    from cgstore.change.changing import Changing
    from cgstore.change.history import ChangeRecord
    from cgstore.change.lines import Line
    from cgstore.change.report import ChangeReport
    from cgstore.checks.report import CheckReport
    from cgstore.embedding.encoder import Encoder
    from cgstore.embedding.vectors import EmbedReport
    from cgstore.export.archive import DumpReport, RestoreReport
    from cgstore.export.export import ExportReport
    from cgstore.llm.backends import Backend
    from cgstore.llm.demonstrations.build import BuildReport, TrainingQuestion
    from cgstore.llm.demonstrations.stored import StoredDemonstration
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
    from cgstore.show.description import SourceDescription

Paths = Path | str | Sequence[Path | str]
"""Files, folders or globs."""

FROM_PYTHON = "Python"
"""What the history calls a change that no command made."""

IN_FLIGHT = 16
"""Programs that `execute_many` runs at a time."""


class Store:
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
        from cgstore.show.description import describe_sources

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
        from cgstore.export.archive import dump

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
        from cgstore.export.archive import restore

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
        from cgstore.ask.question import answer_question

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

    # Checks and changes.

    def check(
        self,
        source: str,
        *,
        relations: Sequence[str] | None = None,
        one_tail: Sequence[str] = (),
        one_head: Sequence[str] = (),
        limit: int = 20,
        progress: bool = False,
    ) -> CheckReport:
        """Lists what contradicts itself in a source, or looks as if it did; see `cgstore.checks.check.check_source`."""
        from cgstore.checks.check import check_source

        return check_source(
            self.db,
            arguments.text("source", source),
            relations=None if relations is None else arguments.texts("relations", relations),
            one_tail=arguments.texts("one_tail", one_tail),
            one_head=arguments.texts("one_head", one_head),
            limit=arguments.count("limit", limit, 1),
            progress=progress,
        )

    def append(self, /, source: str, facts: Any, *, command: str = FROM_PYTHON, **options: Any) -> ChangeReport:
        """Adds facts or rows to a source; facts that are there already change nothing, rows are added each time.

        Args:
            source: its name.
            facts: files, as `load` takes them; or a list of facts (see `cgstore.change.facts.facts_of`); for a table, a
                DataFrame or a list of mappings from columns to values.
            command: what the history calls the change.
            options: those of the source's load, such as `delimiter`; `dry_run` changes nothing.

        Raises:
            BadInput: there is no such source, or the input does not fit it; nothing was changed.
            NoDatabase: the database went away for good; the same call goes on.
        """
        return self._change(source, facts, None, command, options)

    def upsert(
        self, /, source: str, facts: Any, key: Sequence[str] = (), *, command: str = FROM_PYTHON, **options: Any
    ) -> ChangeReport:
        """Like `append`, but the facts replace those that have the same key.

        Args:
            source: its name.
            facts: see `append`.
            key: what such facts share: `head`, `relation`, `tail`, in this order; by default head and relation. For a
                table, which must have one, columns.
            command: what the history calls the change.
            options: see `append`.
        """
        return self._change(source, facts, arguments.texts("key", key), command, options)

    def _change(
        self, name: str, facts: Any, key: Sequence[str] | None, command: str, options: dict[str, Any]
    ) -> ChangeReport:
        from cgstore.catalog.kinds import kind_named
        from cgstore.change.load import change_by_files, change_by_table, find_source

        db = self.db
        source = find_source(db, arguments.text("source", name))[1]
        kind = kind_named(source.kind)
        if _are_files(facts):
            chosen = kind.load_options({**options, "name": name})
            return change_by_files(db, kind, facts, chosen, command, key)
        dry_run = bool(options.pop("dry_run", False))
        if options:
            raise BadInput(f"`{next(iter(options))}` says how files are read.", "Leave it out, or give files.")
        if kind.has_rows:
            from cgstore.loaders.readers.frame import table_of_frame
            from cgstore.loaders.table import TableOptions

            table = table_of_frame(_frame(facts), name)
            return change_by_table(db, table, TableOptions(name=name, dry_run=dry_run), command, key)
        change = self.changing(name, command=command)
        if key is None:
            change.append(facts)
        else:
            change.upsert(facts, key or ("head", "relation"))
        return change.commit(dry_run=dry_run)

    def changing(self, source: str, *, command: str = FROM_PYTHON) -> Changing:
        """Several operations as one change of a source; see `cgstore.change.changing.Changing`.

        Raises:
            BadInput: there is no such source.
        """
        from cgstore.change.changing import Changing
        from cgstore.change.load import find_source

        stored, found = find_source(self.db, arguments.text("source", source))
        return Changing(self.db, stored, found, command)

    def apply(
        self,
        source: str,
        lines: Iterable[Line],
        *,
        together: bool = False,
        dry_run: bool = False,
        command: str = FROM_PYTHON,
    ) -> Iterator[ChangeReport]:
        """Changes a source by lines of JSON, an operation each (see `cgstore.change.lines`), as they are asked for.

        Args:
            source: its name.
            lines: the lines, or dicts; None where no line waits, so that what came is committed.
            together: whether all lines are one change.
            dry_run: whether nothing is changed.
            command: what the history calls the changes.

        Yields:
            A report for each change. Each is made when its report is asked for: `for report in store.apply(...)`.

        Raises:
            BadInput: a line does not fit; the changes before it stay.
        """
        from cgstore.change.lines import change_by_lines
        from cgstore.change.load import find_source

        found = find_source(self.db, arguments.text("source", source))
        yield from change_by_lines(self.db, *found, lines, together=together, dry_run=dry_run, command=command)

    def history(self, source: str, number: int | None = None, *, facts: bool = True) -> list[ChangeRecord]:
        """The changes of a source since it was loaded, in order; with `number`, that one; without `facts`, counts only.

        Raises:
            BadInput: there is no such source, or no such change.
        """
        from cgstore.change.history import history
        from cgstore.change.load import find_source

        found = find_source(self.db, arguments.text("source", source))
        records = history(self.db, *found, number, facts=facts)
        if number is not None and not records:
            raise BadInput(f"Source '{source}' has no change {number}.", f"`cgstore history {source}` lists them.")
        return records

    def undo(self, source: str, number: int | None = None, *, command: str = FROM_PYTHON) -> ChangeReport:
        """Undoes a change of a source, by default the last one; this is a change too.

        Raises:
            BadInput: there is no such change, it is undone already, or a later change touched the same facts.
        """
        from cgstore.change.changing import undo
        from cgstore.change.load import find_source

        db = self.db
        return undo(db, *find_source(db, arguments.text("source", source)), number, command)

    # What users say of answers.

    def right(
        self, answer: Answer, sources: Sequence[str] | None = None, **options: Unpack[QueryKeywords]
    ) -> StoredDemonstration:
        """Keeps the program of a right answer as a demonstration, if it gives the same answer when it is run again.

        Args:
            answer: an answer of `ask`.
            sources: names of the sources that were asked; all that are ready when None.
            options: as they were given to `ask`.

        Raises:
            BadInput: the answer has no program, or the program now gives another answer.
        """
        from cgstore.ask.feedback import Feedback

        chosen = arguments.options(QueryOptions, "right", options, "sources")
        return Feedback(self._engine, arguments.source_names(sources), chosen).right(answer)

    def wrong(
        self,
        answer: Answer,
        answers: Sequence[str] = (),
        program: str | None = None,
        sources: Sequence[str] | None = None,
        **options: Unpack[QueryKeywords],
    ) -> StoredDemonstration:
        """Keeps a wrong answer with its correction, which an LLM sees with near questions.

        Args:
            answer: an answer of `ask`.
            answers: the right values.
            program: the right program, which becomes a demonstration; it must give the right values.
            sources: names of the sources that were asked; all that are ready when None.
            options: as they were given to `ask`.

        Raises:
            BadInput: neither is given, or the program does not give the values.
        """
        from cgstore.ask.feedback import Feedback

        chosen = arguments.options(QueryOptions, "wrong", options, "answers", "program", "sources")
        return Feedback(self._engine, arguments.source_names(sources), chosen).wrong(answer, answers, program)

    # Demonstrations in the graph.

    def add_demonstrations(
        self,
        paths: Paths,
        *,
        encoder: str | Encoder | None = None,
        vectors: bool = True,
        progress: bool = False,
    ) -> int:
        """Adds the demonstrations of files to the graph, and returns their number.

        A file is JSON Lines `{"question", "program", "kind", "source"}`, or `{"question", "reply"}` for recorded
        replies of an LLM. The encoder, or the one of that name, makes their vectors; without `vectors` these are made
        when an LLM is first asked a question.
        """
        from cgstore.llm.demonstrations import read_demonstrations
        from cgstore.llm.demonstrations.stored import add

        given = arguments.paths("paths", paths)
        files = [Path(given)] if isinstance(given, str | Path) else [Path(path) for path in given]
        chosen = chosen_encoder(encoder) if vectors else None
        return len(add(self.db, read_demonstrations(files), chosen, progress=progress))

    def demonstrations(self) -> list[StoredDemonstration]:
        """The demonstrations of the graph, by kind of source, state and question."""
        from cgstore.llm.demonstrations.stored import all_stored

        return all_stored(self.db)

    def remove_demonstrations(self, question: str | None = None) -> int:
        """Removes the demonstrations of a question, or all, and returns their number."""
        from cgstore.llm.demonstrations.stored import remove

        return remove(self.db, question)

    def build_demonstrations(
        self,
        train: Path | Sequence[TrainingQuestion],
        backend: Backend,
        *,
        sources: Sequence[str] | None = None,
        encoder: Encoder | None = None,
        again: bool = False,
        in_flight: int = 8,
        progress: bool = False,
        **options: Unpack[QueryKeywords],
    ) -> BuildReport:
        """Makes demonstrations from training questions; see `cgstore.llm.demonstrations.build.build`.

        `encoder` and `progress` are those of `build`; `again` and `in_flight` of `BuildOptions`.

        Args:
            train: JSON Lines `{"question", "answer", "source", "program"}`, or questions that were read.
            backend: writes the programs of the questions that have none.
            sources: names of the sources of a question that names none; all that are ready when None.
            options: see `cgstore.options.QueryOptions`.
        """
        from cgstore.ask.question import answer_question
        from cgstore.llm.demonstrations.build import BuildOptions, build, read_questions

        chosen = arguments.options(QueryOptions, "build_demonstrations", options, "sources")
        return build(
            self.db,
            read_questions(train) if isinstance(train, Path) else train,
            lambda question, names: answer_question(self._engine, question, backend, names, chosen),
            encoder,
            run=lambda program, names: self._engine.run(program, names, None, chosen),
            sources=sources,
            options=BuildOptions(again, in_flight),
            progress=progress,
        )


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


def connection_opener(
    uri: str | None,
    user: str | None,
    password: str | None,
    database: str | None,
    on_start: Callable[[ServerInfo], None] | None,
) -> Callable[[], OpenDatabase]:
    """A function that opens the connection; the arguments are those of `cgstore.connect`.

    Raises:
        BadInput: a user or password is given without an address.
    """
    given = {"uri": uri, "user": user, "password": password, "database": database}
    for name, value in given.items():
        if value is not None:
            arguments.text(name, value)
    address, user, password, database = (
        value or os.environ.get(f"CGSTORE_NEO4J_{name.upper()}") for name, value in given.items()
    )
    if address:
        http = _http_of(address)
        return lambda: (Database(address, user or "neo4j", password or "", database), http)
    if user or password:
        raise BadInput(
            "A user or password is given, but no address. The managed server has its own user and password.",
            f"Give {setting('uri')} or CGSTORE_NEO4J_URI (such as bolt://127.0.0.1:7687), or leave them all out.",
        )
    return lambda: _open_managed(database, on_start)


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
    """The address of Neo4j Browser beside a Bolt address: the same host at the default port, for plain Bolt only."""
    parts = urlsplit(uri)
    if parts.scheme not in ("bolt", "neo4j") or parts.port not in (None, 7687):
        return None
    return f"http://{parts.hostname}:7474"


def _are_files(facts: Any) -> bool:
    if isinstance(facts, str | Path):
        return True
    return isinstance(facts, Sequence) and bool(facts) and all(isinstance(each, str | Path) for each in facts)


def _frame(rows: Any) -> pandas.DataFrame:
    import pandas

    if isinstance(rows, pandas.DataFrame):
        return rows
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        raise BadInput("`facts` is not several rows.", "Give a DataFrame, or a list of dicts.")
    return pandas.DataFrame(list(rows), dtype=object)


def chosen_encoder(chosen: str | Encoder | None) -> Encoder:
    """The encoder, or the one of that name; the default one if None."""
    from cgstore.embedding.encoder import load_encoder

    if chosen is None or isinstance(chosen, str):
        return load_encoder(chosen)
    encoder: Encoder = arguments.having("encoder", chosen, "encode", "Give the name of one, or an `Encoder`.")
    return encoder
