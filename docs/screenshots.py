"""Makes the pictures of the page in docs/images, in headless Chromium.

    PYTHONPATH=. python docs/screenshots.py

It loads examples/world.tsv, examples/cities.csv and a few places into the database of CGSTORE_NEO4J_URI, or the managed
one, which should hold nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cgstore import connect
from cgstore.llm import get_backend
from cgstore.store import Store
from cgstore.web.app import create_app
from cgstore.web.service import Service
from tests.web.browser import browser, served

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PLACES = "Paris (France)\tcountry\tFrance\nParis (Texas)\tcountry\tUnited States\nParis (Ontario)\tcountry\tCanada\n"
DESKTOP, PHONE = {"width": 1180, "height": 820}, {"width": 390, "height": 800}


def load(store: Store) -> None:
    """Loads the examples."""
    store.load_tkg(ROOT / "examples" / "world.tsv")
    store.load_table(ROOT / "examples" / "cities.csv")
    with TemporaryDirectory() as folder:
        places = Path(folder) / "places.tsv"
        places.write_text(PLACES, encoding="utf-8")
        store.load_kg(places)


def ask(page: Any, question: str) -> None:
    """Asks, and waits for the answer with its drawing."""
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer .card, #answer .error")
    page.wait_for_timeout(1_500)


def answer(page: Any) -> None:
    ask(page, "Who was Chancellor of Germany in 1990?")


def proof(page: Any) -> None:
    ask(page, "Who was President of the United States after Jimmy Carter?")
    page.locator(".part > summary", has_text="Evidence").click()
    page.locator(".part > summary", has_text="How it was found").click()
    page.locator(".drawing-place").evaluate("element => element.scrollIntoView()")


def error(page: Any) -> None:
    page.route("**/api/v1/ask", lambda route: route.abort())
    ask(page, "Who was Chancellor of Germany in 1990?")


PICTURES: dict[str, tuple[Callable[[Any], None], dict[str, int]]] = {
    "answer": (answer, DESKTOP),
    "evidence": (proof, DESKTOP),
    "error": (error, DESKTOP),
    "phone": (answer, PHONE),
}


def main() -> None:
    """Writes each picture in light and dark."""
    with connect() as store, browser() as chromium:
        load(store)
        with served(create_app(Service(store, lambda explore: get_backend("small")))) as address:
            first = chromium.new_page()  # pictures show the time of an answer when the server is warm
            first.goto(address)
            first.wait_for_selector(".state.ready", timeout=120_000)
            answer(first)
            first.close()
            for name, (act, size) in PICTURES.items():
                for scheme in ("light", "dark"):
                    page = chromium.new_page(viewport=size, color_scheme=scheme)
                    page.set_default_timeout(120_000)
                    page.goto(address)
                    page.wait_for_selector(".state.ready")
                    act(page)
                    page.screenshot(path=IMAGES / f"page-{name}-{scheme}.png")
                    page.close()


if __name__ == "__main__":
    main()
