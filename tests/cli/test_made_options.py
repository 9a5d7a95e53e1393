"""The options of commands that are made from the fields of classes of options."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from cgstore.cli.llm_options import llm_options
from cgstore.cli.options import taking
from cgstore.llm import BACKENDS, BackendOptions
from cgstore.loaders.graph import GraphOptions
from cgstore.loaders.kg import KgOptions
from cgstore.loaders.rdf import RdfOptions
from cgstore.loaders.table import TableOptions
from cgstore.loaders.tkg import TkgOptions
from cgstore.options import Options, QueryOptions

CLASSES = [BackendOptions, QueryOptions, TableOptions, KgOptions, TkgOptions, RdfOptions, GraphOptions]

VALUES = {"columns": "3,1,2", "column": "Room=category", "as_of": "#3", "now": "2024"}
"""Values of options that are not any text."""

Given = Callable[..., dict[str, Any]]


def given(command: click.Command, *arguments: str | Path) -> dict[str, Any]:
    """What the command gets."""
    with command.make_context("command", [str(each) for each in arguments]) as context:
        got: dict[str, Any] = command.invoke(context)
        return got


def command_of(kind: type[Options]) -> click.Command:
    return click.command(taking("options", kind)(lambda options: options))


def value_of(option: click.Option, file: Path) -> list[str | Path]:
    """Arguments that give an option a value other than its default."""
    if option.is_flag:
        return [(option.secondary_opts or option.opts)[0]]
    if isinstance(option.type, click.Choice):
        return [option.opts[0], option.type.choices[-1]]
    if isinstance(option.type, click.IntRange | click.FloatRange):
        return [option.opts[0], str(option.type.max or (option.type.min or 0) + 1)]
    if isinstance(option.type, click.Path):
        return [option.opts[0], file if option.type.file_okay else file.parent]
    return [option.opts[0], VALUES.get(str(option.name), "x")]


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "CGSTORE_MODEL", "CGSTORE_PROMPTS", "CGSTORE_ENCODER"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("kind", CLASSES)
def test_each_field_has_an_option_whose_value_it_gets(
    kind: type[Options], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cgstore.embedding.encoder.load_encoder", lambda name: f"the encoder {name}")
    file = tmp_path / "lines.jsonl"
    file.write_text("", encoding="utf-8")
    command = command_of(kind)
    assert given(command) == {}
    got: dict[str, Any] = {}
    for option in command.params:
        assert isinstance(option, click.Option)
        (one,) = given(command, *value_of(option, file)).items()
        got |= [one]
    defaults = {each.name: each.default for each in dataclasses.fields(kind)}
    assert got.keys() == defaults.keys()
    for name, value in got.items():
        assert value != defaults[name]
        kind(**{name: value})  # it passes the check of the class


def test_zero_is_passed_on() -> None:
    command = click.command(llm_options(lambda llm: llm))
    assert given(command, "--retries", "0", "--shots", "0") == {"retries": 0, "shots": 0}


def test_every_backend_is_offered() -> None:
    (llm,) = (each for each in click.command(llm_options(lambda llm: llm)).params if each.name == "llm")
    assert llm.metavar == f"[{'|'.join(BACKENDS)}]"
