"""The evidence of an answer as facts, and drawn as SVG."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import which
from xml.etree import ElementTree

import pytest

from cgstore.errors import BadInput
from cgstore.show.drawing import MOST_FACTS, evidence_svg
from cgstore.show.evidence import Evidence, Fact, facts_of

SVG = "{http://www.w3.org/2000/svg}"
POPE = [
    Evidence("position held", "pope", ("Paul VI",), "world"),
    Evidence("time", "1970", ("Paul VI", "position held", "pope"), "world"),
]


def fact(head: str, relation: str, tail: str, source: str = "kg") -> Evidence:
    return Evidence(relation, tail, (head,), source)


def texts(svg: str, within: str = "text") -> list[str]:
    """The texts of a drawing's elements of one kind; fails where it is not well-formed."""
    root = ElementTree.fromstring(svg)
    return ["".join(part.tail or "" for part in each) or each.text or "" for each in root.iter(SVG + within)]


def boxes(svg: str) -> dict[str, tuple[float, float, float, float]]:
    """The left, top, right and bottom of each box, by its title."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(SVG + "g"):
        title, rect = group.find(SVG + "title"), group.find(SVG + "rect")
        place = re.findall(r"[\d.]+", group.get("transform", ""))
        assert title is not None and rect is not None
        x, y = map(float, place)
        found[title.text or ""] = (x, y, x + float(rect.get("width", 0)), y + float(rect.get("height", 0)))
    return found


def test_triples_about_one_fact_are_one_fact_with_qualifiers() -> None:
    assert facts_of(POPE) == [Fact("Paul VI", "position held", "pope", "world", [("time", "1970")])]
    assert facts_of(reversed(POPE)) == facts_of(POPE)


def test_a_fact_without_its_tail_is_left_out_where_another_triple_has_the_tail() -> None:
    open_ended = Evidence("Ada", "born in", (), "kg")
    assert facts_of([open_ended]) == [Fact("Ada", "born in", None, "kg")]
    assert facts_of([open_ended, fact("Ada", "born in", "Ulm")]) == [Fact("Ada", "born in", "Ulm", "kg")]


def test_a_row_of_a_table_is_known_by_its_head() -> None:
    assert facts_of([fact("[line_12]", "City", "Ulm")])[0].row == 12
    assert facts_of([fact("line_12", "City", "Ulm")])[0].row is None


def test_no_evidence_gives_no_drawing() -> None:
    assert evidence_svg([]) == ""


def test_a_chain_reads_from_left_to_right() -> None:
    svg = evidence_svg([fact("B", "next", "C"), fact("A", "first", "B")], ["C"])
    places = boxes(svg)
    chain = ["A", "A, first: B, in kg", "B", "B, next: C, in kg", "C (answer)"]
    assert sorted(places, key=lambda title: places[title][0]) == chain


def test_qualifiers_stand_beside_their_fact_and_the_answer_is_marked_there() -> None:
    svg = evidence_svg(POPE, ["1970"])
    assert texts(svg) == ["Paul VI", "pope", "position held", "time: 1970"]
    assert svg.count('class="answer"') == 1


def test_one_row_is_a_list_of_its_cells_and_several_are_a_grid() -> None:
    row = [fact("[line_2]", "City", "Ulm"), fact("[line_2]", "Founded", "850")]
    assert texts(evidence_svg(row)) == ["kg", "[line_2]", "City", "Ulm", "Founded", "850"]
    rows = [*row, fact("[line_1]", "City", "Bern")]
    assert texts(evidence_svg(rows)) == ["kg", "City", "Founded", "[line_1]", "Bern", "[line_2]", "Ulm", "850"]


def test_a_cell_is_linked_to_the_node_of_the_same_name() -> None:
    svg = evidence_svg([fact("[line_1]", "City", "Ulm", "cities"), fact("Ulm", "country", "Germany")])
    assert svg.count('class="line same"') == 1


def test_no_two_boxes_overlap() -> None:
    evidence = [fact(f"h{i}", f"relation {i % 5}", f"t{i % 7}") for i in range(20)]
    evidence += [fact("t1", "again", "h2"), fact("t1", "itself", "t1"), *POPE, fact("[line_1]", "City", "t3")]
    places = list(boxes(evidence_svg(evidence)).values())
    for at, (left, top, right, bottom) in enumerate(places):
        for other in places[at + 1 :]:
            assert other[0] >= right or other[2] <= left or other[1] >= bottom or other[3] <= top


def test_the_same_evidence_gives_the_same_text() -> None:
    evidence = [fact(f"h{i % 9}", "r", f"t{i % 4}") for i in range(30)]
    assert evidence_svg(evidence, ["t1"]) == evidence_svg(list(evidence), ["t1"])


def test_a_drawing_is_bounded_and_says_how_much_is_left_out() -> None:
    svg = evidence_svg([fact(f"Person {i}", "works for", "Acme") for i in range(1000)])
    assert texts(svg)[-1] == f"{1000 - MOST_FACTS} more facts are not drawn." and len(svg) < 40_000
    assert texts(svg, "desc")[0].endswith(texts(svg)[-1])
    assert len(evidence_svg([fact("x" * 1_000_000, "r" * 1_000_000, "y")])) < 20_000


def test_a_table_is_cut_between_rows_so_that_no_cell_seems_empty() -> None:
    cells = [fact(f"[line_{i}]", name, "x") for name in ("A", "B", "C") for i in range(1, 9)]
    svg = evidence_svg(cells, most=10)
    assert "[line_3]" in texts(svg) and "[line_4]" not in texts(svg)
    assert texts(svg).count("x") == 9 and texts(svg)[-1] == "15 more facts are not drawn."


def test_long_names_are_cut_and_stand_whole_in_titles() -> None:
    name = "a very long name of a thing " * 10
    svg = evidence_svg([fact(name, "r", "t")])
    assert texts(svg)[0].endswith("…") and len(texts(svg)[0]) < 40
    assert " ".join(name.split()) in boxes(svg)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\"'><b onload=x>", "]]></style>", "\x00\x1b[31m", "\ud800", "\u202eevil", ""]
)
def test_hostile_names_are_text(name: str) -> None:
    evidence = [Evidence(name, name, (name,), name), Evidence(name, name, (name, name, name), name)]
    svg = evidence_svg([*evidence, Evidence(name, name, ("[line_1]",), name)], [name])
    elements = {each.tag.removeprefix(SVG) for each in ElementTree.fromstring(svg).iter()}
    assert elements == {"svg", "title", "desc", "style", "g", "rect", "text", "path"}
    assert "\u202e" not in svg


def test_the_drawing_has_a_role_a_title_and_a_description() -> None:
    svg = evidence_svg(POPE, ["Paul VI"])
    assert ElementTree.fromstring(svg).get("role") == "img"
    assert texts(svg, "title")[0] == "Evidence: 1 fact, with the answer 'Paul VI'"
    assert texts(svg, "desc") == ["Paul VI, position held: pope (time 1970), in world."]


def test_a_wrong_bound_is_refused() -> None:
    with pytest.raises(BadInput, match="most"):
        evidence_svg(POPE, most=0)


def test_the_text_fits_its_boxes_in_a_browser(tmp_path: Path) -> None:
    browser = which("chromium") or which("chromium-browser") or which("google-chrome")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not browser:
        pytest.skip("no Chromium on this machine")
    page_file = tmp_path / "drawing.html"
    evidence = [
        *POPE,
        fact("Wolfgang Amadeus Mozart", "place of birth", "Salzburg"),
        fact("[line_1]", "WWW", "1,234,567"),
    ]
    page_file.write_text(f"<meta charset=utf-8>{evidence_svg(evidence, ['Salzburg', '1970'])}", encoding="utf-8")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page()
        page.goto(page_file.as_uri())
        spill = page.evaluate("""[...document.querySelectorAll('g')].flatMap(group => {
            const box = group.querySelector('rect').getBoundingClientRect();
            return [...group.querySelectorAll('text')].map(text => text.getBoundingClientRect())
                .filter(text => text.left < box.left - 1 || text.right > box.right + 1)})""")
        chromium.close()
    assert spill == []
