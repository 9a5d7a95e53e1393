"""What an Answer is to a Python developer: what it prints, what a notebook shows, its values and its truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.model import MOST_LINES, Answer, Evidence
from cgstore.show.evidence import in_row_order

PAUL = Answer(
    ("Paul VI",),
    "get_information(...)",
    evidence=(Evidence("position held", "pope", ("Paul VI",), "world"),),
    warnings=("A note.",),
    sentence="The pope of 1970: Paul VI.",
)
NOTHING = Answer((), "p", warnings=("Nothing fits.",))
GROUPS = Answer(("Ulm", "Bern"), "p", columns=("city", "count"), rows=(("Ulm", 2), ("Bern", None)))


def test_an_answer_prints_as_a_few_lines() -> None:
    assert str(PAUL).splitlines() == [
        "Paul VI",
        "The pope of 1970: Paul VI.",
        "Evidence: 1 condition triple of 'world'",
        "Note: A note.",
    ]
    assert str(NOTHING) == "No answer.\nNote: Nothing fits."
    assert str(GROUPS) == "Ulm | 2\nBern | "
    assert str(Answer(tuple(range(100)), "p")).splitlines()[MOST_LINES:] == [f"... and {100 - MOST_LINES} more"]


def test_the_repr_of_an_answer_is_short() -> None:
    assert repr(PAUL) == "<Answer: 'Paul VI'>"
    assert repr(NOTHING) == "<Answer: nothing>"
    assert len(repr(Answer(tuple("x" * 1000 for _ in range(1000)), "p"))) < 300


def test_an_answer_is_its_values_and_false_when_empty() -> None:
    assert list(PAUL) == ["Paul VI"] and "Paul VI" in PAUL and len(GROUPS) == 2
    assert PAUL and not NOTHING
    assert Answer((0,), "p"), "a count of 0 is an answer"


def test_a_notebook_shows_values_sentence_notes_and_evidence() -> None:
    html = PAUL._repr_html_()
    assert "<bdi>Paul VI</bdi>" in html and "The pope of 1970" in html and "A note." in html
    assert html.count("<svg") == 1 and "Paul VI (answer)" in html
    assert "<th>city</th>" in GROUPS._repr_html_()
    assert "No answer." in NOTHING._repr_html_() and "<svg" not in NOTHING._repr_html_()


def test_a_notebook_gets_names_as_text_and_no_more_than_it_can_show() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    html = Answer((hostile,), "p", sentence=hostile, warnings=(hostile,), columns=(hostile,), rows=((hostile,),))
    assert "<img" not in html._repr_html_()
    assert len(Answer(("x" * 10**6,) * 100, "p")._repr_html_()) < 20_000


def test_the_fields_of_groups_are_marked_in_the_evidence() -> None:
    svg = Answer(("Ulm | a",), "p", columns=("c", "d"), rows=(("Ulm", ("a", "b")),), evidence=PAUL.evidence)
    assert "(answer)" not in svg.evidence_svg()
    row = Answer(("x",), "p", columns=("c",), rows=((("pope", "y"),),), evidence=PAUL.evidence)
    assert "pope (answer)" in row.evidence_svg()


def test_a_real_notebook_displays_an_answer(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    code = (
        "from cgstore import Answer, Evidence\n"
        "Answer(('Paul VI',), 'p', evidence=(Evidence('position held', 'pope', ('Paul VI',), 'world'),))"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code), nbformat.v4.new_code_cell("print(_)")])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown, printed = (cell.outputs[0] for cell in notebook.cells)
    assert shown.data["text/plain"] == "<Answer: 'Paul VI'>" and "<svg" in shown.data["text/html"]
    assert printed.text == "Paul VI\nEvidence: 1 condition triple of 'world'\n"


def test_evidence_has_the_rows_of_each_step_in_their_order() -> None:
    first = [Evidence(f"[line_{n}]", "Age", (), "t") for n in (1, 10, 2)]
    second = [Evidence("Age", "5", (f"[line_{n}]",), "t") for n in (10, 2)]
    assert in_row_order([*first, *second]) == (first[0], first[2], first[1], second[1], second[0])


def test_an_answer_can_be_in_a_set() -> None:
    answer = Answer(("a",), "p", parameters=({"name": "a"},), seconds={"total": 1.0}, usage={"requests": 1})
    assert len({answer, answer, GROUPS}) == 2
