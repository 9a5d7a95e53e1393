"""What a Store does to check and change the sources that are loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgstore import arguments
from cgstore.errors import BadInput
from cgstore.query_run import QueryEngine

if TYPE_CHECKING:
    import pandas

    from cgstore.change.changing import Changing
    from cgstore.change.history import ChangeRecord
    from cgstore.change.report import ChangeReport
    from cgstore.checks.report import CheckReport

FROM_PYTHON = "Python"
"""What the history calls a change that no command made."""


class ChangeMethods:
    """The methods of a Store about checks and changes."""

    _engine: QueryEngine

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
            self._engine.db,
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
        """As `append`, but the facts replace those that have the same key.

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
        from cgstore.change.load import change_by_files, change_by_table, find_source
        from cgstore.source_kinds import kind_named

        db = self._engine.db
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

        stored, found = find_source(self._engine.db, arguments.text("source", source))
        return Changing(self._engine.db, stored, found, command)

    def apply(
        self,
        source: str,
        lines: Iterable[str | None],
        *,
        together: bool = False,
        dry_run: bool = False,
        command: str = FROM_PYTHON,
    ) -> Iterator[ChangeReport]:
        """Changes a source by lines of JSON, an operation each (see `cgstore.change.lines`), as they come.

        Args:
            source: its name.
            lines: the lines; None where no line waits, so that what came is committed.
            together: whether all lines are one change.
            dry_run: whether nothing is changed.
            command: what the history calls the changes.

        Yields:
            A report for each change.

        Raises:
            BadInput: a line does not fit; the changes before it stay.
        """
        from cgstore.change.lines import change_by_lines
        from cgstore.change.load import find_source

        found = find_source(self._engine.db, arguments.text("source", source))
        yield from change_by_lines(self._engine.db, *found, lines, together=together, dry_run=dry_run, command=command)

    def history(self, source: str, number: int | None = None) -> list[ChangeRecord]:
        """The changes of a source since it was loaded, in order; with `number`, that one.

        Raises:
            BadInput: there is no such source.
        """
        from cgstore.change.history import history
        from cgstore.change.load import find_source

        return history(self._engine.db, *find_source(self._engine.db, arguments.text("source", source)), number)

    def undo(self, source: str, number: int | None = None, *, command: str = FROM_PYTHON) -> ChangeReport:
        """Undoes a change of a source, by default the last one; this is a change too.

        Raises:
            BadInput: there is no such change, it is undone already, or a later change touched the same facts.
        """
        from cgstore.change.history import undo
        from cgstore.change.load import find_source

        db = self._engine.db
        return undo(db, *find_source(db, arguments.text("source", source)), number, command)


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
