"""`ask --html` and `--open`: the page of an answer, with every value escaped and nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cgstore.model import Answer, Evidence, Mapping
from cgstore.show.page import MAX_EVIDENCE, MAX_VALUES, answer_page
from cgstore.store import Store
from tests.cli.conftest import Run
from tests.known import PRESIDENT

QUESTION = PRESIDENT
HOSTILE = "<script>alert(1)</script>\"'&{{ 7 * 7 }}"


def test_the_page_has_the_answer_and_its_proof(world: Store, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "answer.html"
    result = run("ask", QUESTION, "--html", file)
    assert result.exit_code == 0 and "John F. Kennedy" in result.stdout
    page = file.read_text(encoding="utf-8")
    for part in (QUESTION, "John F. Kennedy", "<svg", "position held", "get_information", "CALL", "condition triples"):
        assert part in page


def test_the_page_loads_nothing_and_has_no_script(world: Store, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "answer.html"
    run("query", "get_information(relation='position held', key='time', value='1962')", "--html", file)
    page = file.read_text(encoding="utf-8")
    assert "default-src 'none'" in page and "<script" not in page
    addresses = set(re.findall(r"https?://[^/\"<\s]+", page)) - {"http://www.w3.org"}
    assert all(address.startswith(("http://127.0.0.1", "http://localhost")) for address in addresses)
    assert not re.search(r"\ssrc(set)?=|@import|url\(", page)


def test_every_value_is_escaped() -> None:
    answer = Answer(
        (HOSTILE,),
        program=HOSTILE,
        cypher=(HOSTILE,),
        parameters=({"p0": HOSTILE},),
        mappings=(Mapping(HOSTILE, "entity", HOSTILE, 1.0, "exact"),),
        evidence=(Evidence(HOSTILE, HOSTILE, (HOSTILE,), HOSTILE),),
        warnings=(HOSTILE,),
        browser="javascript:alert(1)",
        queries=(HOSTILE,),
        question=HOSTILE,
        because=HOSTILE,
        sentence=HOSTILE,
    )
    page = answer_page(answer)
    assert "<script" not in page and "javascript:" not in page and "49" not in re.findall(r"<h1>(.*?)</h1>", page)[0]
    table = answer_page(Answer(("x",), "p", columns=(HOSTILE,), rows=((HOSTILE,),)))
    assert "<script" not in table and "&lt;script&gt;" in table


def test_a_page_of_no_answer_says_so() -> None:
    assert "No answer." in answer_page(Answer((), program="", warnings=("nothing is known",)))


def test_a_long_answer_says_what_is_left_out() -> None:
    evidence = tuple(Evidence("r", f"v{number}", ("h",), "s") for number in range(MAX_EVIDENCE + 5))
    page = answer_page(Answer(tuple(range(MAX_VALUES + 7)), "p", evidence=evidence))
    assert "7 more are not on this page" in page and "5 more are not on this page" in page


def test_open_opens_the_page_or_the_link(
    world: Store, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", lambda address: bool(opened.append(address)))
    file = tmp_path / "answer.html"
    program = "get_information(head_entity='John F. Kennedy', relation='position held')"
    run("query", program, "--open", "--html", file)
    assert opened == [file.as_uri()]
    result = run("query", program, "--open")
    assert len(opened) == 2 or "There is no link to open" in result.stderr


def test_a_page_that_cannot_be_written_is_refused(world: Store, run: Run, tmp_path: Path) -> None:
    result = run("ask", QUESTION, "--html", tmp_path / "nowhere" / "answer.html")
    assert result.exit_code == 2 and "cannot be written" in result.stderr


def test_many_programs_make_no_page(world: Store, run: Run, tmp_path: Path) -> None:
    result = run("query", "-", "--html", tmp_path / "answer.html", stdin='"count(set=1)"')
    assert result.exit_code == 2 and "for one program" in result.stderr
