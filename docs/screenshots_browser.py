"""Makes docs/images/browser.png: Neo4j Browser of the managed server with the evidence of an answer.

    python docs/screenshots_browser.py

It loads examples/world.tsv into the managed server, and needs playwright and a Chromium.
"""

from __future__ import annotations

from pathlib import Path
from shutil import which

from playwright.sync_api import sync_playwright

from cgstore import connect, server

FOLDER = Path(__file__).parent
PROGRAM = "get_information(relation='position held', tail_entity='pope', key='time', value='1970')"


def browser_picture(link: str, password: str, to: Path) -> list[str]:
    """Opens a link of an answer, runs its statement, and writes a picture; gives the hosts that were reached."""
    browser = which("chromium") or which("chromium-browser") or which("google-chrome")
    reached: list[str] = []
    with sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport={"width": 1200, "height": 700})
        page.on("response", lambda response: reached.append(response.url.split("/")[2]))
        page.goto(link)
        page.wait_for_timeout(4_000)
        page.fill("input[data-testid=password]", password)
        page.click("button[data-testid=connect]")
        page.wait_for_timeout(5_000)  # the style and the statement are there
        page.click("[data-testid=editor-Run]")
        page.wait_for_timeout(8_000)  # the nodes come to rest
        page.screenshot(path=to)
        chromium.close()
    return sorted(set(reached))


def main() -> None:
    """Makes the picture."""
    with connect() as store:
        store.load_tkg(FOLDER.parent / "examples/world.tsv", name="world")
        link = store.query(PROGRAM, ["world"]).browser
    assert link is not None
    to = FOLDER / "images/browser.png"
    print(*browser_picture(link, server.status().password(), to))


if __name__ == "__main__":
    main()
