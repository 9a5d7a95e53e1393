"""The page in headless Chromium: ask, see, choose another name, say that it is right, follow the link."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs cgstore[serve]")
pytest.importorskip("playwright", reason="needs playwright")

from cgstore.cypher.connection import Database
from cgstore.llm.remembered import AnswerMemory
from cgstore.store import Store
from cgstore.web.app import create_app
from cgstore.web.service import Service
from tests.conftest import ROOT, wipe
from tests.known import CHANCELLOR, PRESIDENT, Known
from tests.web.browser import browser, chromium, served

pytestmark = pytest.mark.skipif(chromium() is None, reason="needs Chromium")

PLACES = (
    "Paris (France)\tcapital of\tFrance\nParis (Texas)\tlocated in\tUnited States\n"
    "Ulm (town)\tlocated in\tBavaria\nUlm-Town\tlocated in\tOhio\n"
)
HOSTILE = "<img src=x onerror=document.title='broken'>\tlocated in\tUlm\n"


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    places: Path = tmp_path_factory.mktemp("page") / "places.tsv"
    places.write_text(PLACES + HOSTILE, encoding="utf-8")
    # Browser's address is known for the managed server alone; here it is any.
    store = Store(lambda: (shared_db, "http://127.0.0.1:7474"))
    store.load_tkg(ROOT / "examples" / "world.tsv")
    store.load_kg(places)
    return store


@pytest.fixture(scope="module")
def address(store: Store) -> Iterator[str]:
    with served(create_app(Service(store, lambda explore: Known()))) as address:
        yield address


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with browser() as chrome:
        yield chrome


@pytest.fixture
def page(chrome: Any, address: str) -> Iterator[Any]:
    page = chrome.new_page()
    page.set_default_timeout(60_000)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: problems.append(request.url) if not request.url.startswith(address) else None)
    page.goto(address)
    page.wait_for_selector(".state.ready")
    yield page
    page.close()
    assert not problems


def ask(page: Any, question: str) -> None:
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer .card")


def test_a_question_shows_its_answer_with_the_evidence_drawn_and_the_program(page: Any) -> None:
    ask(page, CHANCELLOR)
    assert page.inner_text(".values") == "Helmut Kohl"
    assert "Chancellor of Germany" in page.inner_text(".sentence")
    page.wait_for_selector(".drawing")
    assert page.evaluate("document.querySelector('.drawing').shadowRoot.querySelector('svg').textContent.length") > 0
    page.get_by_text("Evidence", exact=True).click()
    assert "position held" in page.inner_text("table")
    page.get_by_text("How it was found", exact=True).click()
    shown = page.inner_text(".beside")
    assert "get_information" in shown and "MATCH" in shown
    link = page.get_by_role("link", name="See it in Neo4j Browser")
    assert link.get_attribute("href").startswith("http://127.0.0.1:7474/browser/?")
    assert "noopener" in link.get_attribute("rel")


def test_a_name_of_two_nodes_is_asked_back_and_answered_by_a_click(page: Any) -> None:
    ask(page, "Where is Ulm Town?")
    assert page.inner_text(".none") == "No answer"
    assert "Which “Ulm Town”?" in page.inner_text(".back")
    page.get_by_role("button", name="Ulm (town)").click()
    page.wait_for_function("() => document.querySelector('#question').value.includes('Ulm (town)')")
    page.wait_for_selector("#answer .card")


def test_another_candidate_runs_the_program_again(page: Any) -> None:
    ask(page, CHANCELLOR)
    page.wait_for_selector(".names")
    page.get_by_text("Names", exact=True).click()
    other = page.locator(".names .name", has_text="Chancellor of Germany").locator(".chips button").first
    name = other.evaluate("button => button.firstChild.data")
    other.click()
    page.wait_for_function("() => !document.querySelector('.values')?.innerText.includes('Kohl')")
    page.wait_for_selector("#answer .card")
    page.get_by_text("How it was found", exact=True).click()
    assert f"tail_entity='{name}'" in page.inner_text(".beside")


def test_right_keeps_a_demonstration(page: Any, store: Store) -> None:
    ask(page, CHANCELLOR)
    page.get_by_role("button", name="✓ Right").click()
    page.get_by_text("It is kept as a demonstration").wait_for()
    assert CHANCELLOR in [one.question for one in store.demonstrations()]
    store.remove_demonstrations()


def test_the_history_has_a_question_asked_again_first_and_asks_it_again(page: Any, store: Store) -> None:
    ask(page, CHANCELLOR)
    answer = store.query("get_information(head_entity='Paris (France)')")
    memory = AnswerMemory(store.db.uri, store.db.name)
    for number in range(31):
        other = replace(answer, question=f"Where is Paris, the {number}th time?")
        memory.add(other, sources=[], lang="llm", options={}, earlier=[])
    ask(page, CHANCELLOR)
    page.locator("#history li", has_text="the 30th time").wait_for()
    first = page.locator("#history li:first-child", has_text=CHANCELLOR)
    first.wait_for()  # the history of the first answer may come late
    page.fill("#question", "")
    first.get_by_role("button", name=CHANCELLOR).click()
    page.wait_for_selector("#answer .card")
    assert page.input_value("#question") == CHANCELLOR


def test_a_source_says_what_is_in_it_and_its_names_stay_texts(page: Any) -> None:
    page.locator("#sources summary", has_text="places").click()
    page.locator("#sources .relations").first.wait_for()
    assert "located in" in page.inner_text("#sources")
    assert page.title() == "cgstore" and page.locator("#sources img").count() == 0


def test_a_file_is_loaded_and_can_be_asked(page: Any, store: Store, tmp_path: Path) -> None:
    (tmp_path / "ships.csv").write_text("Ship,Route\nAlma,North\n", encoding="utf-8")
    page.set_input_files("#file", tmp_path / "ships.csv")
    page.get_by_role("button", name="Load").click()
    page.locator("#sources summary", has_text="ships").wait_for()
    store.drop("ships")


def test_the_theme_is_switched_and_kept(page: Any) -> None:
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Switch between light and dark").click()
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    assert before != after == page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_keyboard_reaches_the_question_first_and_nothing_is_wider_than_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    ask(page, CHANCELLOR)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.reload()
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "go"


def test_a_server_that_is_gone_is_said_in_the_header(chrome: Any, store: Store) -> None:
    page = chrome.new_page()
    with served(create_app(Service(store, lambda explore: Known()))) as address:
        page.goto(address)
        page.wait_for_selector(".state.ready")
    page.fill("#question", CHANCELLOR)
    page.keyboard.press("Enter")
    page.get_by_text("Not answering").wait_for()
    assert page.locator(".state.ready").count() == 0
    page.close()


def test_the_seconds_stand_inside_the_running_step(page: Any) -> None:
    def slowly(route: Any) -> None:
        lines = ['{"event": "looking", "what": "names"}', '{"event": "waiting", "seconds": 2}']
        route.fulfill(body="\n".join(lines) + "\n")

    page.route("**/api/v1/ask", slowly)
    page.fill("#question", CHANCELLOR)
    page.keyboard.press("Enter")
    page.wait_for_selector(".taken")
    assert page.locator(".progress li").all_inner_texts() == ["Looking at names … 2 s"]


def test_without_an_llm_the_page_says_so_and_tables_offer_no_questions(page: Any, store: Store, tmp_path: Path) -> None:
    assert "No LLM is connected" in page.inner_text("#without")
    (tmp_path / "ports.csv").write_text("Port,Ships\nKiel,4\nEmden,7\n", encoding="utf-8")
    store.load_table(tmp_path / "ports.csv")
    assert store.describe("ports").examples
    page.reload()
    page.locator("#sources summary", has_text="ports").click()
    page.locator("#sources .relations").first.wait_for()
    assert "To begin with" not in page.inner_text("#sources")
    store.drop("ports")


def _asked(page: Any) -> list[str]:
    """The paths of the requests that run something, from now on."""
    paths: list[str] = []

    def note(request: Any) -> None:
        if request.method == "POST":
            paths.append(request.url.rpartition("/")[2])

    page.on("request", note)
    return paths


def test_reload_shows_the_answer_again_and_back_goes_to_the_question_before(page: Any) -> None:
    ask(page, CHANCELLOR)
    page.wait_for_selector(".drawing")
    ask(page, PRESIDENT)
    page.wait_for_function("() => document.querySelector('.values')?.innerText.includes('Kennedy')")
    page.wait_for_selector(".drawing")
    asked = _asked(page)
    page.reload()
    page.wait_for_selector("#answer .drawing")
    assert page.inner_text(".values") == "John F. Kennedy" and page.input_value("#question").endswith("in 1962?")
    page.go_back()
    page.wait_for_function("() => document.querySelector('.values')?.innerText.includes('Kohl')")
    assert page.input_value("#question") == CHANCELLOR and page.title().startswith(CHANCELLOR)
    page.go_back()
    page.wait_for_function("() => !document.querySelector('#answer .card')")
    assert page.input_value("#question") == "" and asked == []


def test_an_address_with_a_question_runs_its_remembered_program_and_asks_nothing_else(page: Any, address: str) -> None:
    ask(page, CHANCELLOR)
    number = page.evaluate("fetch('/api/v1/history').then(reply => reply.json()).then(all => all[0].number)")
    asked = _asked(page)
    page.goto("about:blank")
    page.goto(f"{address}/?q={CHANCELLOR}")
    page.wait_for_selector("#answer .card")
    assert page.inner_text(".values") == "Helmut Kohl" and asked == ["query"]
    assert page.evaluate("history.state.reply.number") == number
    page.goto("about:blank")
    page.goto(f"{address}/?q=Who+was+never+asked+for%3F")
    page.wait_for_selector(".state.ready")
    page.wait_for_function("() => document.querySelector('#question').value.startsWith('Who was never')")
    assert asked == ["query"] and page.locator("#answer .card").count() == 0


def test_an_answer_is_marked_as_wrong_without_the_right_one(page: Any, store: Store) -> None:
    ask(page, CHANCELLOR)
    page.get_by_role("button", name="✗ Wrong").click()
    page.get_by_role("button", name="Send").click()
    page.get_by_role("status").get_by_text("Marked as wrong.").wait_for()
    page.locator("#history li", has_text=CHANCELLOR).first.get_by_text("✗ marked wrong").wait_for()
    assert store.demonstrations() == []


def test_a_drawing_that_is_wider_than_a_phone_says_that_it_can_be_moved(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    ask(page, CHANCELLOR)
    page.get_by_text("Slide the drawing sideways").wait_for()
    page.set_viewport_size({"width": 1200, "height": 740})
    page.wait_for_selector(".slide", state="hidden")
