"""The texts that an LLM is given, as plain files: the shipped ones, and a user's own in their place.

A file `NAME.txt` holds text with fields in braces, such as `{question}`, which are filled in once: what is filled in is
never looked at again, so that a question or a cell may hold braces.

| file | text | fields |
|---|---|---|
| `system` | the task, the form of a reply | `language`, `about`, `schema` |
| `language` | the query language in short | |
| `of_tables`, `of_kgs`, `of_statements`, `of_tkgs` | what each kind of source needs, put in for `about` | |
| `question` | the question's turn | `question`, `names` |
| `retry` | what came of earlier programs | `tried` |
| `function` | a function that nobody defined | `function`, `arguments` |
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
"""The environment variable that names a user's folder of templates."""

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
"""The templates, each a file of that name and `.txt`."""

NEEDED = {"question": ("question",), "retry": ("tried",), "function": ("function", "arguments")}
"""The fields without which a template of a user's own would ask nothing."""


class PromptTexts:
    """The shipped templates, and before them those of a folder, file by file.

    Args:
        folder: a user's own; else the one that CGSTORE_PROMPTS names, if it does.

    Raises:
        BadInput: the folder is not there, a file in it is named like no template, cannot be read, or lacks a field.
    """

    def __init__(self, folder: Path | None = None) -> None:
        named = os.environ.get(VARIABLE)
        self.folder = folder or (Path(named).expanduser() if named else None)
        self._texts = {name: _shipped(name) for name in NAMES} | (_own(self.folder) if self.folder else {})

    def render(self, name: str, **fields: str) -> str:
        """A template with its fields filled in, without white space at the end; braces around anything else stay.

        Raises:
            KeyError: there is no such template.
        """
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
        raise BadInput(f"{path} is named like no prompt.", hint)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The prompt {path} cannot be read: {error}") from error
    missing = [f"{{{field}}}" for field in NEEDED.get(path.stem, ()) if f"{{{field}}}" not in text]
    if missing:
        raise BadInput(f"The prompt {path} lacks {', '.join(missing)}.", "Put it where the text is to stand.")
    return text
