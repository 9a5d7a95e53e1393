"""Tables of a database, by its SQLAlchemy URL: `sqlite:///shop.db`, `postgresql://user:password@host/shop`.

All tables and views of its default schema are read, or the one table, view or SELECT statement that a query names.
Rows come in the order of the primary key, if there is one. Values are the driver's own: SQLite's truths are 0 and 1,
its dates texts. Transactions are read-only where the database has such, and are never committed. No password is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from cgstore.errors import BadFile, setting
from cgstore.loaders.readers.frame import typed_rows
from cgstore.loaders.readers.records import Table, column_names, library
from cgstore.loaders.staging import out_of_memory

_URL = re.compile(r"[A-Za-z][\w+.-]*://")
_STATEMENT = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/|\()*(?:select|with|values)\b", re.IGNORECASE | re.DOTALL)
_SECRET = re.compile(r"pass|pwd|secret|token|key|odbc_connect|credential", re.IGNORECASE)
_BATCH = 1000

_READ_ONLY = {
    "sqlite": "PRAGMA query_only = ON",  # its driver would commit a DELETE that follows a WITH
    "postgresql": "SET TRANSACTION READ ONLY",
    "mysql": "SET SESSION TRANSACTION READ ONLY",
    "mariadb": "SET SESSION TRANSACTION READ ONLY",
    "oracle": "SET TRANSACTION READ ONLY",
}
"""The statement that makes a connection read-only, by SQLAlchemy's name of the database."""


def is_url(text: str) -> bool:
    """Whether an input is a URL rather than a path."""
    return _URL.match(text) is not None


def read_sql_tables(url: str, query: str | None = None) -> Iterator[Table]:
    """The tables of the database that a URL of SQLAlchemy names, or the one that a query names or selects.

    Raises:
        BadFile: the URL cannot be read, its driver is missing, the database does not answer or refuses, or it has no
            tables, or not the one that the query names.
    """
    source = _Source.of(url)
    with source.connected() as connection:
        sql = library("sqlalchemy", "A database")
        inspector = sql.inspect(connection)
        names = sorted({*inspector.get_table_names(), *inspector.get_view_names()})
        if query is not None and query not in names:
            if not _STATEMENT.match(query):
                raise BadFile(
                    f"{source.shown} has no table '{query[:100]}'; its tables are {', '.join(names)[:300] or 'none'}.",
                    f"{setting('query')} takes the name of a table, or a SELECT statement.",
                )
            chosen = [(query, sql.text(query.replace(":", r"\:")))]
        else:
            chosen = [(name, _select(sql, inspector, name)) for name in ([query] if query is not None else names)]
        if not chosen:
            raise BadFile(f"{source.shown} has no tables.", "Is it the right database?")
        columns = [_columns(connection, statement, f"{source.shown}, {name[:100]}") for name, statement in chosen]
    for (name, statement), its in zip(chosen, columns, strict=True):
        yield Table(name, its, typed_rows(source.rows(statement), its))


def _select(sql: Any, inspector: Any, name: str) -> Any:
    """The statement for all rows of one table, in the order of its primary key. SQLAlchemy quotes the name."""
    table = sql.table(name)
    key = inspector.get_pk_constraint(name)["constrained_columns"] if name in inspector.get_table_names() else []
    return sql.select(sql.text("*")).select_from(table).order_by(*(sql.column(column) for column in key))


def _columns(connection: Any, statement: Any, where: str) -> tuple[str, ...]:
    result = connection.execution_options(stream_results=True).execute(statement)
    try:
        if not result.returns_rows:
            raise BadFile(f"{where} gives no rows.", f"{setting('query')} takes a SELECT statement.")
        return column_names([str(key) for key in list(result.keys())], where)
    finally:
        result.close()


class _Source:
    """A database. `shown` is its URL without a password; `_secrets` are the texts that may not be shown."""

    def __init__(self, url: Any) -> None:
        self._url = url
        hidden = [value for key, value in url.query.items() if _SECRET.search(key)]
        plain = [str(url.password or ""), *(part for value in hidden for part in _each(value))]
        self._secrets = [form for secret in plain if secret for form in {secret, quote(secret, ""), quote_plus(secret)}]
        self.shown = self._without_secrets(url.set(query={}).render_as_string(hide_password=True))

    @classmethod
    def of(cls, url: str) -> _Source:
        sql = library("sqlalchemy", "A database")
        try:
            return cls(sql.engine.make_url(url))
        except (sql.exc.ArgumentError, ValueError):
            pass
        # Not in the except clause: there, the cause of this error would show the URL.
        raise BadFile("The URL of the database cannot be read.", "It is dialect://user:password@host/database.")

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """A connection that commits nothing.

        Raises:
            BadFile: the database does not answer, refuses, or fails while its rows are read.
        """
        sql = library("sqlalchemy", "A database")
        self._check_file()
        problem = hint = ""
        try:
            engine = sql.create_engine(self._url, poolclass=sql.pool.NullPool)
            with engine.connect() as connection:
                if statement := _READ_ONLY.get(engine.dialect.name):
                    connection.exec_driver_sql(statement)
                yield connection
        except BadFile:
            raise
        except MemoryError as error:
            raise out_of_memory(self.shown) from error
        except sql.exc.NoSuchModuleError:
            problem = f"SQLAlchemy knows no database '{self._url.drivername}'"
            hint = "Its dialects are sqlite, postgresql, mysql, mssql, oracle, and those that other packages bring."
        except ImportError as error:
            problem = f"the driver is missing ({self._without_secrets(str(error))})"
            hint = "Install the driver that SQLAlchemy's documentation names for this database."
        except Exception as error:  # drivers raise errors of their own
            problem = self._without_secrets(str(getattr(error, "orig", None) or error)).strip().partition("\n")[0]
            problem = problem[:300].rstrip(".")
            hint = "Check the URL and the query, and that the database is there and sound."
        if problem:
            raise BadFile(f"{self.shown} cannot be read: {problem}.", hint)

    def rows(self, statement: Any) -> Iterator[Any]:
        with self.connected() as connection:
            yield from connection.execution_options(yield_per=_BATCH).execute(statement)

    def _check_file(self) -> None:
        """Refuses an SQLite file that does not exist, for which SQLite would make an empty database."""
        file = self._url.database
        if self._url.get_backend_name() == "sqlite" and file and file != ":memory:" and not file.startswith("file:"):
            try:
                found = Path(file).is_file()
            except (OSError, ValueError):
                found = False
            if not found:
                raise BadFile(f"{self.shown}: there is no file {file}.", "sqlite:///FILE, sqlite:////FULL/PATH.")

    def _without_secrets(self, text: str) -> str:
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, "***")
        return text


def _each(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
