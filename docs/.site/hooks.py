"""What the site needs beside mkdocs.yml: pages and examples from outside docs/, under links that also work on GitHub.

A file of the repository stands in the site where it stands in the repository, less `docs/`; README.md is index.md.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md")
"""Pages outside docs/ that are shown as they are."""

LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
"""The file of a relative link."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages outside docs/, the licence, and the examples."""
    for name in PAGES:
        files.append(File.generated(config, name, content=_mended((ROOT / name).read_text("utf-8"), name)))
    beside = [path for path in (ROOT / "examples").rglob("*") if path.is_file() and path.suffix not in (".pyc", ".md")]
    for path in (ROOT / "LICENSE", *beside):
        files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Mends the links of a page in docs/."""
    name = page.file.src_uri
    return markdown if name in PAGES else _mended(markdown, f"docs/{name}")


def _mended(markdown: str, name: str) -> str:
    """The text of a file of the repository, with its links to other files as the site has these."""
    folder = posixpath.dirname(name)

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, match[1]))
        return posixpath.relpath(_in_site(target), posixpath.dirname(_in_site(name)) or ".")

    return LINK.sub(link, markdown)


def _in_site(path: str) -> str:
    """Where the site has a file of the repository."""
    return "index.md" if path == "README.md" else path.removeprefix("docs/")
