"""The page of a run: it holds what failed and why, needs nothing else, and shows hostile text as text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.outcome import Outcome
from cgstore.evaluate.report_page import render, write_report
from cgstore.evaluate.summary import Run
from tests.evaluate.outcome_sample import outcome

HOSTILE = "</pre></style><script>alert(1)</script><img src=x onerror=alert(2)> \"'&"


VOID = {"meta", "br", "rect", "line", "img"}
"""Tags that need not be closed."""


class _Tags(HTMLParser):
    """The tags of a page with their attributes, and its text; complains of tags that do not close."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page_of(*outcomes: Outcome, set_name: str = "all", llm: str = "") -> _Tags:
    run = Run("films", set_name, outcomes, drawn=len(outcomes), llm=llm)
    tags = _Tags(render(run.headline(), outcomes))
    assert tags.open == []
    return tags


def test_hostile_text_anywhere_is_only_text() -> None:
    texts = dict.fromkeys(("question", "type", "program", "reason", "reason_class", "because"), HOSTILE)
    one = outcome(
        HOSTILE,
        False,
        **texts,
        gold=[HOSTILE],
        answer=[HOSTILE],
        tried=[{"program": HOSTILE, "error": HOSTILE}, {"program": HOSTILE, "answer": [HOSTILE]}],
        mappings=[{"name": HOSTILE, "role": "entity", "node": HOSTILE, "score": 1.0, "how": "exact"}],
        warnings=[HOSTILE],
        browser=f"javascript:alert(3)//{HOSTILE}",
    )
    page = page_of(one, set_name=HOSTILE, llm=HOSTILE)
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "img", "a", "iframe", "object", "link"}
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert page.text.count("alert(1)") >= 12


def test_the_page_needs_nothing_from_elsewhere_and_is_readable_in_dark_and_print() -> None:
    page = render(Run("films", "all", [outcome("1", False)], drawn=1).headline(), [outcome("1", False)])
    assert "<script" not in page and not re.search(r"(src|href)=|url\(|@import", page)
    assert "prefers-color-scheme: dark" in page and "@media print" in page
    assert "No question has an outcome" in render(Run("films", "all", [], drawn=0).headline(), [])


def test_a_failed_question_has_its_program_reason_and_evidence() -> None:
    page = page_of(outcome("1"), outcome("7", False, browser="http://127.0.0.1:7474/browser?cmd=edit"))
    assert "7: question 7?" in page.text and "1: question 1?" not in page.text
    assert "program 7" in page.text and "none of them gold" in page.text
    assert [a["href"] for tag, a in page.tags if tag == "a"] == ["http://127.0.0.1:7474/browser?cmd=edit"]


def test_every_type_has_a_bar_whose_width_is_its_mean() -> None:
    page = page_of(outcome("1", type="first"), outcome("2", False, type="second"))
    widths = [attributes["width"] for tag, attributes in page.tags if tag == "rect"]
    assert widths[:2] == ["380.0", "0.0"] and len(widths) == 6


def test_a_run_with_confidences_has_a_reliability_plot_that_says_the_same_in_words() -> None:
    sure = [outcome(str(n), n > 0, confidence=0.95) for n in range(4)]
    page = page_of(*sure, outcome("9", False, confidence=0.5))
    dots = [attributes for tag, attributes in page.tags if tag == "circle"]
    assert [(dot["cx"], dot["cy"]) for dot in dots] == [("210.0", "330.0"), ("354.0", "90.0")]
    assert float(str(dots[1]["r"])) > float(str(dots[0]["r"]))
    plot = next(attributes for tag, attributes in page.tags if tag == "svg" and "aria-labelledby" in attributes)
    ids = {attributes.get("id") for tag, attributes in page.tags if tag in ("title", "desc")}
    assert plot["role"] == "img" and set(str(plot["aria-labelledby"]).split()) <= ids
    assert "4 answers with a mean confidence of 0.95: 0.75 right" in page.text


def test_a_run_without_confidences_has_no_reliability_plot() -> None:
    page = page_of(outcome("1"))
    assert "circle" not in {tag for tag, _ in page.tags} and "How sure" not in page.text


def test_the_folder_gets_the_page_and_the_figures(tmp_path: Path) -> None:
    headline = Run("films", "all", [outcome("1")], drawn=1).headline()
    path = write_report(tmp_path / "a" / "report", headline, [outcome("1", program="\ud800")])
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads((path.parent / "report.json").read_text(encoding="utf-8")) == headline


def test_a_folder_that_cannot_be_made_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be written"):
        write_report(tmp_path / "file", Run("films", "all", [], drawn=0).headline(), [])
