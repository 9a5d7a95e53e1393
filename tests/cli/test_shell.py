"""`cgstore shell`: lines of standard input, follow-ups, judgements, completion, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from cgstore.cli import main
from cgstore.cli.session import _POINTS_BACK, CHOOSE, COMMANDS, Session, _has_pronoun, is_program
from cgstore.cli.shell import _answer, completions, prompt_session
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.llm.backends import Backend, Decision
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.beginnings import names_beginning
from cgstore.model import Answer, Reading
from cgstore.store import Store
from tests.conftest import ROOT, wipe
from tests.known import PRESIDENT, Known, teach

EXAMPLES = ROOT / "examples"
QUESTION = PRESIDENT
FILMS = "get_information(relation='directed by', tail_entity='Fritz Lang')"


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    store.load_kg(EXAMPLES / "films.txt")
    store.load_tkg(EXAMPLES / "world.tsv")
    teach(shared_db)
    return store


@pytest.fixture
def session(store: Store) -> Session:
    return Session(store, Known(), [], {}, say=lambda _: None)


def type_lines(settings: dict[str, str], *lines: str) -> Result:
    return CliRunner(env=settings).invoke(main, ["shell"], input="\n".join(lines))


def test_a_question_and_a_program_are_answered(store: Store, neo4j_settings: dict[str, str]) -> None:
    result = type_lines(neo4j_settings, QUESTION, FILMS, "/quit", "never read")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["John F. Kennedy", "M", "Metropolis"]
    assert result.stderr.splitlines()[:2] == [f"> {QUESTION}", f"> {FILMS}"]


def test_a_program_with_numbers_ends_at_an_empty_line_or_with_the_input(
    store: Store, neo4j_settings: dict[str, str]
) -> None:
    numbered = [f'Query1: "{FILMS}"', "Query2: \"count(set='output_of_query1')\""]
    assert type_lines(neo4j_settings, *numbered, "", "/program").stdout.splitlines() == ["2", *numbered]
    assert type_lines(neo4j_settings, *numbered).stdout.splitlines() == ["2"]


def test_an_error_does_not_end_the_session(store: Store, neo4j_settings: dict[str, str]) -> None:
    result = type_lines(neo4j_settings, "/nope", "/source nowhere", "get_information(", "/why", FILMS)
    assert result.exit_code == 0 and result.stdout.splitlines() == ["M", "Metropolis"]
    for said in ("There is no command '/nope'", "There is no source 'nowhere'", "')' is missing", "no answer yet"):
        assert said in result.stderr


def test_the_commands_say_what_the_last_answer_rests_on(store: Store, neo4j_settings: dict[str, str]) -> None:
    shown = type_lines(
        neo4j_settings, "/source films", FILMS, "/evidence", "/why", "/describe", "/sources", "/help"
    ).stdout
    assert "Asked now: films." in shown
    assert "(directed by, Fritz Lang, [Metropolis])  films" in shown
    assert "Execution query" in shown and "M -[directed by]-> Fritz Lang" in shown
    assert all(command in shown for command in COMMANDS)


def test_a_right_answer_becomes_a_demonstration(store: Store, neo4j_settings: dict[str, str]) -> None:
    assert "Kept as a demonstration" in type_lines(neo4j_settings, QUESTION, "right").stdout
    (kept,) = (each for each in store.demonstrations() if each.question == QUESTION and each.sources)
    assert (kept.state, kept.sources) == ("right", ("world",))
    assert "Kept with its correction" in type_lines(neo4j_settings, QUESTION, "wrong Lyndon B. Johnson").stdout
    store.remove_demonstrations()
    teach(store.db)


def test_what_needs_a_question_or_an_llm_is_refused_with_the_reason(
    store: Store, neo4j_settings: dict[str, str]
) -> None:
    said = type_lines(neo4j_settings, FILMS, "right", QUESTION, "and in 1970?").stderr
    assert "The last answer is that of a program." in said
    assert "This follows an earlier question." in said and "--llm openai" in said


def test_it_in_capitals_is_a_name_and_refers_to_nothing() -> None:
    assert _has_pronoun(_POINTS_BACK, "How old is it?") and _has_pronoun(_POINTS_BACK, "HOW OLD IS IT?")
    assert not _has_pronoun(_POINTS_BACK, "IT versus furniture")


class Following(Backend):
    """A backend that keeps what it was told of earlier answers."""

    name = "following"
    follows_up = True

    def __init__(self) -> None:
        self.earlier: list[list[str | None]] = []

    def decide(self, question: str, view: GraphView, run: Any) -> Any:
        self.earlier.append([])
        return Known().decide(QUESTION, view, run)

    def decide_after(self, earlier: Sequence[Answer], question: str, view: GraphView, run: Any) -> Any:
        self.earlier.append([answer.question for answer in earlier])
        return Known().decide(QUESTION, view, run)


def test_with_an_llm_a_follow_up_brings_the_earlier_answers(store: Store) -> None:
    backend = Following()
    session = Session(store, backend, [], {}, say=lambda _: None)
    for line in (QUESTION, "And in 1970?", "Where was he born?", QUESTION, "/new", "And now?"):
        session.line(line)
    assert backend.earlier == [[], [QUESTION], [QUESTION, "And in 1970?"], [], []]


class Unsure(Backend):
    """A backend that offers two readings of every question."""

    name = "unsure"

    def decide(self, question: str, view: GraphView, run: Any) -> Decision:
        readings = (Reading("The films of Fritz Lang.", FILMS), Reading("How many they are.", f"count(set={FILMS})"))
        return Decision(None, warnings=("Neither is sure enough.",), readings=readings)


def test_the_number_of_a_reading_answers_it(store: Store) -> None:
    said: list[str] = []
    session = Session(store, Unsure(), [], {}, say=lambda text: said.append(click.unstyle(text)))
    for line in ("lang's films?", "2", "right", "2"):
        session.line(line)
    assert said[1] == said[-1] == CHOOSE and said[2] == "2" and said[3].endswith("lang's films?")
    store.remove_demonstrations()


def test_open_gives_the_link_to_the_browser(session: Session) -> None:
    opened: list[str] = []
    session.open_link = lambda link: bool(opened.append(link)) or True
    session.answers = []
    session.show(Answer(("x",), "p", browser="http://127.0.0.1:7474/browser/"))
    session.line("/open")
    assert opened == ["http://127.0.0.1:7474/browser/"]
    session.show(Answer(("x",), "p"))
    with pytest.raises(BadInput, match="no link"):
        session.line("/open")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (FILMS, True),
        ("count(get_information(relation='x'))", True),
        ('(JOIN starring "Tom Hanks")', True),
        ("get_information(", True),
        (QUESTION, False),
        ("Population (2010) of Ulm?", False),
        ("how many (in all)?", False),
    ],
)
def test_programs_are_told_from_questions(line: str, wanted: bool) -> None:
    assert is_program(line) == wanted


def test_names_commands_and_sources_are_completed(session: Session) -> None:
    db = session.store.db
    assert names_beginning(db, "Who directed fritz la") == ("fritz la", ["Fritz Lang"])
    assert names_beginning(db, "get_information(tail_entity='Fritz L") == ("Fritz L", ["Fritz Lang"])
    assert names_beginning(db, "x") == names_beginning(db, "") == ("", [])
    assert ("/so", "/sources") in list(completions(session, "/so"))
    assert list(completions(session, "/source fi")) == [("fi", "films")]


def test_lines_typed_on_a_terminal_are_kept(session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("prompt_toolkit", reason="needs cgstore[shell]")
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    monkeypatch.setenv("CGSTORE_HOME", str(tmp_path))
    with create_pipe_input() as pipe:
        prompt = prompt_session(session, input=pipe, output=DummyOutput())
        pipe.send_text("/sources\n\x04")
        assert prompt.prompt("> ") == "/sources"
        with pytest.raises(EOFError):
            prompt.prompt("> ")
    history = tmp_path / "shell_history"
    assert "/sources" in history.read_text(encoding="utf-8") and history.stat().st_mode & 0o077 == 0


def test_control_c_ends_the_question_and_not_the_session(capsys: pytest.CaptureFixture[str]) -> None:
    go_on, ended = threading.Event(), threading.Event()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background ignores it

    def work() -> None:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        go_on.wait(60)
        ended.set()

    try:
        _answer(work, lambda: None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not ended.is_set()
    go_on.set()
    assert "Interrupted." in capsys.readouterr().err


def test_the_answer_of_an_interrupted_question_is_dropped(store: Store) -> None:
    asked, go_on = threading.Event(), threading.Event()
    said: list[str] = []

    class Slow(Backend):
        name = "slow"

        def decide(self, question: str, view: GraphView, run: Any) -> Any:
            asked.set()
            go_on.wait(10)
            return Known().decide(question, view, run)

    session = Session(store, Slow(), [], {}, say=said.append)
    session.line(FILMS)
    question = threading.Thread(target=session.line, args=[QUESTION])
    question.start()
    assert asked.wait(10)
    session.interrupt()
    go_on.set()
    question.join(10)
    session.line("/program")
    assert len(said) == 2 and "Metropolis" in said[0] and said[1] == FILMS


def test_an_interrupted_command_says_nothing_afterwards(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    session = Session(store, Known(), [], {}, say=said.append)
    listed = store.sources()

    def slowly() -> Any:
        session.interrupt()
        return listed

    monkeypatch.setattr(store, "sources", slowly)
    session.line("/sources")
    assert said == []
    monkeypatch.undo()
    session.line("/sources")
    assert len(said) == 1
