"""Messages name options as their reader gives them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import cgstore
from cgstore import connect
from cgstore.change.changing import Changing
from cgstore.cli import main
from cgstore.embedding.encoder import load_encoder
from cgstore.errors import BadInput, in_python, on_command_line, setting, writing_settings
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
from cgstore.web.bodies import FIELDS, in_json
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

OTHERS = {"no-deps", "only-binary", "no-input", "dest", "progress-bar", "upgrade"}
"""Options of pip and docker."""

MODULES = [
    pytest.param(ast.parse(module.read_text(encoding="utf-8")), id=module.relative_to(ROOMS).as_posix())
    for module in sorted(ROOMS.rglob("*.py"))
    if not module.relative_to(ROOMS).as_posix().startswith(OF_COMMANDS)
]


def messages(module: ast.Module) -> Iterator[str]:
    """The texts of a module, except docstrings and the help of options."""
    left_out: set[ast.AST] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.add(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "option":
            left_out |= set(ast.walk(node))
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr) and node not in left_out:
            left_out |= set(node.values)
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in left_out:
            yield node.value


@pytest.mark.parametrize("module", MODULES)
def test_a_message_writes_an_option_by_setting(module: ast.Module) -> None:
    """Else it would name the option of a command to callers from Python and HTTP."""
    for text in messages(module):
        outside_commands = re.sub(r"`(cgstore|\{\}) [^`]*`|cgstore (load|query) .*", "", text)
        assert set(re.findall(r"(?<![\w-])--([a-z][a-z-]+)", outside_commands)) <= OTHERS, text


@pytest.mark.parametrize("module", MODULES)
def test_a_setting_is_written_when_its_reader_is_known(module: ast.Module) -> None:
    """A constant of a module would be written for whoever imports it first."""
    in_functions = {
        call
        for function in ast.walk(module)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for part in (function.body if isinstance(function.body, list) else [function.body])
        for call in ast.walk(part)
    }
    assert not [call.lineno for call in _settings(module) if call not in in_functions]


def _settings(module: ast.Module) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setting"
    ]


def test_each_setting_is_an_option_of_a_command_and_an_argument_of_python() -> None:
    names = {
        literal.value
        for module in MODULES
        for call in _settings(module.values[0])
        for literal in ast.walk(call.args[0])
        if isinstance(literal, ast.Constant)
    }
    arguments = {name for each in KEYWORDS for name in each.__annotations__}
    methods = [method for _, method in inspect.getmembers(Store, inspect.isfunction)]
    methods += [method for _, method in inspect.getmembers(Changing, inspect.isfunction)]
    for function in (*methods, connect, load_encoder, http_app, Settings):
        arguments |= set(inspect.signature(function).parameters)
    assert len(names) > 30
    assert {in_python(name).strip("`=") for name in names} - arguments == set()
    assert {f"--{name}" for name in names} - set(_flags(main)) == set()


def _flags(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), name)
            yield from _flags(inner) if inner else ()


@pytest.mark.parametrize(
    ("option", "value", "on_line", "python", "json"),
    [
        ("limit", 5, "--limit 5", "`limit=5`", '"limit": 5'),
        ("limit", None, "--limit", "`limit=`", '"limit"'),
        ("exact", True, "--exact", "`exact=True`", '"exact": true'),
        ("header", False, "--no-header", "`header=False`", "--no-header"),
        ("source", None, "--source", "`sources=`", '"sources"'),
        ("encoding", "cp1252", "--encoding cp1252", "`encoding='cp1252'`", "--encoding cp1252"),
        ("columns", [1, 2, 3], "--columns 1,2,3", "`columns=[1, 2, 3]`", "--columns 1,2,3"),
        ("llm-timeout", None, "--llm-timeout", "`timeout=`", "--llm-timeout"),
    ],
)
def test_an_option_is_written_for_each_interface(
    option: str, value: object, on_line: str, python: str, json: str
) -> None:
    assert setting(option, value) == python
    for writer, written in ((on_command_line, on_line), (in_json(FIELDS), json)):
        with writing_settings(writer):
            assert setting(option, value) == written
    assert setting(option, value) == python


def test_a_command_prints_options(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("", encoding="utf-8")
    run = CliRunner().invoke(main, ["load", "table", str(table), "--dry-run", "--uri", "bolt://127.0.0.1:1"])
    assert "--no-header" in run.output
    with pytest.raises(BadInput, match="`header=False`"), connect("bolt://127.0.0.1:1", password="x") as store:
        store.load_table(table, dry_run=True)
