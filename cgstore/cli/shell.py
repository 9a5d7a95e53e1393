"""`cgstore shell`: a session with questions, programs and commands, on a terminal or from standard input."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import connected, mapping_options, print_error, sources_option, timeout_option
from cgstore.cli.llm_options import backend_from, llm_options
from cgstore.cli.session import COMMANDS, WELCOME, Ended, Session
from cgstore.errors import CgstoreError, NoDatabase

if TYPE_CHECKING:
    from pathlib import Path

    from prompt_toolkit import PromptSession

    from cgstore.llm import BackendKeywords
    from cgstore.options import QueryKeywords
    from cgstore.store import Store

_NEED_NAMES = ("/source ", "/describe ")


@click.command()
@llm_options
@mapping_options("as_of")
@sources_option
@timeout_option
@connected
def shell(store: Store, llm: BackendKeywords, mapping: QueryKeywords, sources: Sequence[str]) -> None:
    """Ask one question after another: a session with history, completion and follow-up questions.

    A line is a question in plain words, a program, or a command such as /sources, /why, `right` or `wrong ANSWER`;
    /help lists them. Tab completes names of the graph. Ctrl-C ends a question, Ctrl-D the session. Without a terminal,
    lines are read from standard input.

    \b
    Examples:
      cgstore shell
      cgstore shell --source films
      echo "Who was Chancellor of Germany in 1990?" | cgstore shell
    """
    # A question has few texts to encode: one thread is as fast as several, and much faster on a busy machine.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    backend = backend_from(llm, store.db)
    if sources:
        store.ready(sources)
    # Answers are printed by other threads, which have no context of click.
    say = partial(click.echo, color=click.get_current_context().color)
    session = Session(store, backend, list(sources), mapping, say)
    on_terminal = sys.stdin.isatty()
    lines = _typed(session) if on_terminal else iter(sys.stdin)
    with suppress(Ended):
        for line in lines:
            if not on_terminal and line.strip():
                click.echo(f"> {line.strip()}", err=True)  # a terminal shows what is typed; standard output has answers
            _answer(lambda line=line: session.line(line), session.interrupt)  # type: ignore[misc]
        _answer(session.run_numbered, session.interrupt)


def _answer(work: Callable[[], None], interrupt: Callable[[], None]) -> None:
    """Runs a line in a thread; prints its error; Ctrl-C ends it.

    It is done in a thread: a connection that Ctrl-C stops in the middle of a reply could not be used again. The thread
    goes on after Ctrl-C, and `interrupt` has its result dropped.

    Raises:
        Ended: the user has ended the session.
        NoDatabase: the database is gone.
    """
    done: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()

    def run() -> None:
        try:
            work()
        except BaseException as error:
            done.put(error)
        else:
            done.put(None)

    threading.Thread(target=run, name="question", daemon=True).start()
    try:
        error = _taken(done)
    except KeyboardInterrupt:
        interrupt()
        click.echo("\nInterrupted.", err=True)
        return
    if isinstance(error, NoDatabase):
        raise error
    if isinstance(error, CgstoreError):
        print_error(error)
    elif error is not None:
        raise error


def _taken(done: queue.SimpleQueue[BaseException | None]) -> BaseException | None:
    """The next item. Python sees a Ctrl-C that comes just before a wait only after it, so that waits are short."""
    while True:
        with suppress(queue.Empty):
            return done.get(timeout=0.2)


def _typed(session: Session) -> Iterator[str]:
    """The lines that the user types, until Ctrl-D."""
    click.echo(WELCOME)
    read = _reader(session)
    while True:
        names = ", ".join(session.sources)
        try:
            yield read("... " if session.waits else f"{names}> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _reader(session: Session) -> Callable[[str], str]:
    """Reads a line with history and completion; without prompt_toolkit, a plain one."""
    try:
        made = prompt_session(session)
    except ImportError:
        click.echo("History and completion need prompt_toolkit: pip install 'cgstore[shell]'", err=True)
        return input
    return made.prompt


def prompt_session(session: Session, **options: Any) -> PromptSession[str]:
    """The prompt of prompt_toolkit, with the history of this machine and completion from the graph.

    Args:
        session: what is asked.
        options: others of prompt_toolkit's `PromptSession`.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory

    class Names(Completer):
        def get_completions(self, document: Document, event: object) -> Iterator[Completion]:
            for typed, whole in completions(session, document.text_before_cursor):
                yield Completion(whole, start_position=-len(typed))

    return PromptSession(
        history=FileHistory(str(_history_file())),
        completer=Names(),
        complete_in_thread=True,
        complete_while_typing=True,
        enable_history_search=False,
        **options,
    )


def completions(session: Session, typed: str) -> Iterator[tuple[str, str]]:
    """Completes the end of a line: commands, sources, names of the graph.

    Yields:
        The end of the line, and what it may become.
    """
    from cgstore.mapping.beginnings import names_beginning

    if typed.startswith(_NEED_NAMES):
        begun = typed.split(" ", 1)[1].lstrip()
        yield from ((begun, name) for name in session.source_names() if name.startswith(begun))
        return
    if " " not in typed and typed:
        yield from ((typed, name) for name in COMMANDS if name.startswith(typed))
    if not typed.startswith("/"):
        with suppress(CgstoreError):  # a completion is never worth an error
            begun, names = names_beginning(session.store.db, typed)
            yield from ((begun, name) for name in names)


def _history_file() -> Path:
    """The lines typed before, in the home; only this user may read them."""
    from cgstore.server.home import home_folder

    file = home_folder() / "shell_history"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    return file
