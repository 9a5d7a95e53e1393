"""Messages name options on the command line, and arguments from Python."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import cgstore
from cgstore import connect
from cgstore.cli import main
from cgstore.embedding.encoder import load_encoder
from cgstore.errors import ARGUMENTS, BadInput, as_called, naming_options
from cgstore.finetune.training import Settings
from cgstore.llm import BackendKeywords
from cgstore.options import (
    DelimitedKeywords,
    FrameKeywords,
    LoadKeywords,
    QueryKeywords,
    RdfKeywords,
    TableKeywords,
    TemporalKeywords,
    TripleKeywords,
)
from cgstore.store import Store
from cgstore.web.mcp import http_app

ROOMS = Path(cgstore.__file__).parent
OF_COMMANDS = ("cli", "server", "evaluate", "query/sparql")
"""Rooms that Python callers reach by no method of Store: their messages name options."""

KEYWORDS = (
    BackendKeywords,
    DelimitedKeywords,
    FrameKeywords,
    LoadKeywords,
    QueryKeywords,
    RdfKeywords,
    TableKeywords,
    TemporalKeywords,
    TripleKeywords,
)

WRITTEN = ("overwrite-destination", "nodes", "relationships", "id-type", "array-delimiter", "multiline-fields",
           "read-buffer-size", "force-reinstall", "no-deps", "upgrade", "as-needed", "only-binary", "no-input", "dest",
           "progress-bar")  # fmt: skip
"""Options of other programs."""


def texts_of(module: Path) -> Iterator[str]:
    """The texts of a module, without docstrings."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


def messages() -> Iterator[tuple[str, str]]:
    """The texts that name an option, of rooms that Python callers reach, each with its module."""
    for module in sorted(ROOMS.rglob("*.py")):
        place = module.relative_to(ROOMS).as_posix()
        if not place.startswith(OF_COMMANDS) and place != "errors.py":
            yield from ((place, text) for text in texts_of(module) if re.search(r"--[a-z]", text))


def test_a_message_that_python_reaches_names_no_option() -> None:
    for module, text in messages():
        left = re.findall(r"(?<![\w-])--([a-z][a-z-]+)", re.sub(r"`cgstore [^`]*`?", "", as_called(text)))
        if "cgstore query " not in text:
            assert [option for option in left if option not in WRITTEN] == [], module


def test_each_option_of_the_table_is_an_argument_of_a_method() -> None:
    known = {name for each in KEYWORDS for name in each.__annotations__}
    methods = [method for _, method in inspect.getmembers(Store, inspect.isfunction)]
    for function in (*methods, connect, load_encoder, http_app, Settings):
        known |= set(inspect.signature(function).parameters)
    assert {name.partition("=")[0] for name in ARGUMENTS.values()} - known == set()


def test_the_same_message_names_an_option_on_the_command_line() -> None:
    def hint() -> str | None:
        hint = "Give --on-error skip, --no-header or --source; `cgstore drop --yes x` drops it."
        return BadInput("Wrong.", hint).hint

    assert hint() == "Give `on_error` skip, `header=False` or `sources`; `cgstore drop --yes x` drops it."
    with naming_options():
        assert hint() == "Give --on-error skip, --no-header or --source; `cgstore drop --yes x` drops it."
    assert hint() == "Give `on_error` skip, `header=False` or `sources`; `cgstore drop --yes x` drops it."


def test_a_name_that_looks_like_an_option_stays_as_it_is() -> None:
    assert as_called("No entity '--name' and no --names.") == "No entity '--name' and no --names."


def test_a_command_prints_options(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("", encoding="utf-8")
    run = CliRunner().invoke(main, ["load", "table", str(table), "--dry-run", "--uri", "bolt://127.0.0.1:1"])
    assert "--no-header" in run.output
    with pytest.raises(BadInput, match="`header=False`"), connect("bolt://127.0.0.1:1", password="x") as store:
        store.load_table(table, dry_run=True)
