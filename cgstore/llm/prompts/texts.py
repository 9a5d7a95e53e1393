"""The texts of prompts as plain files: the shipped ones, which a user's own may replace.

A file `NAME.txt` has fields in braces, such as `{question}`. They are filled in once: a question or a cell may contain
braces, since text that was filled in is not searched again.

| file | text | fields |
|---|---|---|
| `system` | the task, the form of a reply | `language`, `about`, `schema` |
| `language` | the query language in short | |
| `of_tables`, `of_kgs`, `of_statements`, `of_tkgs` | a page about each kind of source, filled in for `about` | |
| `question` | the turn with the question | `question`, `names` |
| `retry` | feedback on earlier programs | `tried` |
| `function` | a function that the language lacks | `function`, `arguments` |
| `explore` | as `system`, for an LLM that may look before it writes | `language`, `about`, `schema` |
"""

from __future__ import annotations

import os
import re
from importlib import resources
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.text.likeness import similar

VARIABLE = "CGSTORE_PROMPTS"
"""The environment variable that names a user's folder of texts."""

NAMES = (
    "system",
    "language",
    "of_tables",
    "of_kgs",
    "of_statements",
    "of_tkgs",
    "question",
    "retry",
    "function",
    "explore",
)
"""The texts, each a file of that name and `.txt`."""

NEEDED = {"question": ("question",), "retry": ("tried",), "function": ("function", "arguments")}
"""The fields without which a user's text would ask nothing."""


class PromptTexts:
    """The texts of a user's folder, and the shipped ones for those that it lacks.

    Args:
        folder: the user's; default: the one in CGSTORE_PROMPTS, if any.

    Raises:
        BadInput: the folder does not exist, or a file in it has an unknown name, cannot be read, or lacks a field.
    """

    def __init__(self, folder: Path | None = None) -> None:
        named = os.environ.get(VARIABLE)
        self.folder = folder or (Path(named).expanduser() if named else None)
        self._texts = {name: _shipped(name) for name in NAMES} | (_own(self.folder) if self.folder else {})

    def render(self, name: str, **fields: str) -> str:
        """A text with its fields filled in, without white space at the end; other braces stay."""
        if not fields:
            return self._texts[name].rstrip()
        places = re.compile("{(" + "|".join(map(re.escape, fields)) + ")}")
        return places.sub(lambda match: fields[match[1]], self._texts[name]).rstrip()


def _shipped(name: str) -> str:
    return resources.files("cgstore.llm").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8")


def _own(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise BadInput(f"There is no folder {folder} of prompts.", f"Is --prompts or {VARIABLE} right?")
    return {path.stem: _read(path) for path in sorted(folder.glob("*.txt"))}


def _read(path: Path) -> str:
    if path.stem not in NAMES:
        near = similar(path.stem, NAMES)
        hint = f"Did you mean {near[0]}.txt?" if near else f"There are: {', '.join(NAMES)}."
        raise BadInput(f"{path} does not have the name of a prompt.", hint)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The prompt {path} cannot be read: {error}") from error
    missing = [f"{{{field}}}" for field in NEEDED.get(path.stem, ()) if f"{{{field}}}" not in text]
    if missing:
        raise BadInput(f"The prompt {path} lacks {', '.join(missing)}.", "Put it where the text belongs.")
    return text
