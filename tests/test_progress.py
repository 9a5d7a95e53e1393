"""What a command says of its work on standard error: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from cgstore.observe import progress
from cgstore.observe.progress import bar, counted, note, speaking, waiting
from tests.moments import wait_until


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes two seconds otherwise takes none."""
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    monkeypatch.setattr(progress, "EVERY", 0.01)


def _said(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None = None) -> io.StringIO:
    stream = stream or io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_terminal_has_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    said = _said(monkeypatch, _Terminal())
    assert list(counted("abc", "read", "facts", 3)) == ["a", "b", "c"]
    assert "\r" in said.getvalue()
    assert "3.00/3.00" in said.getvalue()


def test_short_work_says_nothing_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    said = _said(monkeypatch)
    assert list(counted("abc", "read", "facts", 3)) == ["a", "b", "c"]
    with speaking(), waiting("nothing"):
        pass
    assert said.getvalue() == ""


def test_long_work_is_told_in_lines_and_at_its_end(monkeypatch: pytest.MonkeyPatch, impatient: None) -> None:
    said = _said(monkeypatch)
    with bar("world", "triples", 328_635) as shown:
        shown.update(120_000)
        wait_until(lambda: "world: 120,000 of 328,635 triples, 0 s\n" in said.getvalue())
        shown.update(208_635)
    assert said.getvalue().splitlines()[-1].startswith("world: 328,635 of 328,635 triples, ")
    assert "\r" not in said.getvalue()


def test_a_share_and_what_stands_behind_it_are_told(monkeypatch: pytest.MonkeyPatch, impatient: None) -> None:
    said = _said(monkeypatch)
    with bar("vector indexes", "", 400, percent=True) as shown:
        shown.set_postfix_str("12 MB", refresh=False)
        shown.update(100)
        wait_until(lambda: "vector indexes: 25%, 12 MB, " in said.getvalue())


def test_a_long_wait_says_what_for_and_the_wait_within_it_does_not(
    monkeypatch: pytest.MonkeyPatch, impatient: None
) -> None:
    said = _said(monkeypatch)
    with speaking(), waiting("the indexes"), waiting("Neo4j"):
        wait_until(lambda: said.getvalue().count("Waiting for the indexes (0 s) ...") > 1)
    assert "Neo4j" not in said.getvalue()


def test_a_wait_that_is_told_once_is_not_told_again(monkeypatch: pytest.MonkeyPatch, impatient: None) -> None:
    said = _said(monkeypatch)
    with speaking(), waiting("a statement", once_after=0.1):
        threading.Event().wait(0.05)
        assert not said.getvalue()
        wait_until(lambda: bool(said.getvalue()))
        threading.Event().wait(0.2)
    assert said.getvalue() == "Waiting for a statement (0 s) ...\n"


def test_a_wait_is_silent_beside_a_bar_unless_it_is_to_be_told_always(
    monkeypatch: pytest.MonkeyPatch, impatient: None
) -> None:
    said = _said(monkeypatch)
    with speaking(), bar("world", "triples"), waiting("Neo4j"):
        wait_until(lambda: "world: 0 triples" in said.getvalue())
        assert "Waiting" not in said.getvalue()
        with waiting("Neo4j to come back", always=True):
            wait_until(lambda: "Waiting for Neo4j to come back" in said.getvalue())


def test_a_library_says_nothing(monkeypatch: pytest.MonkeyPatch, impatient: None) -> None:
    said = _said(monkeypatch)
    with waiting("the indexes"), bar("world", "triples", show=False) as shown:
        shown.update(7)
        threading.Event().wait(0.05)
    assert (said.getvalue(), shown.n) == ("", 7)


def test_a_standard_error_that_is_closed_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _said(monkeypatch)
    stream.close()
    note("anything")
    with bar("world", "triples") as shown:
        shown.update()
