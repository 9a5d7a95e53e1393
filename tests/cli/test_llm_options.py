"""The options of an LLM: each argument of `get_backend` has one, and arrives as it was given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from cgstore.cli.llm_options import llm_options
from cgstore.llm import BACKENDS, get_backend

OBJECTS = {"db", "encoder"}
"""What `get_backend` is given as objects: an open database, and the encoder that `--encoder` names."""

ARGUMENTS = {name: one.default for name, one in inspect.signature(get_backend).parameters.items()}

Given = Callable[..., dict[str, Any]]


@click.command()
@llm_options
@click.pass_context
def command(context: click.Context, llm: dict[str, Any]) -> None:
    context.meta["given"](llm)


@pytest.fixture
def given() -> Given:
    """`given("--samples", "1")`: what a command gets as `llm`, with no variable of the environment set."""

    def invoke(*arguments: str) -> dict[str, Any]:
        got: list[dict[str, Any]] = []
        context = command.make_context("ask", list(arguments), obj=None)
        context.meta["given"] = got.append
        with context:
            command.invoke(context)
        return got[0]

    return invoke


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (each for option in options() for each in _variables(option)):
        monkeypatch.delenv(name, raising=False)


def options() -> list[click.Option]:
    return [option for option in command.params if isinstance(option, click.Option)]


def _variables(option: click.Option) -> list[str]:
    names = option.envvar or []
    return [names] if isinstance(names, str) else list(names)


def value_of(option: click.Option, file: Path) -> list[str]:
    """Arguments that give an option a value other than its default."""
    if option.is_flag:
        return [option.opts[0]]
    kind = option.type
    if option.name == "llm":
        return [option.opts[0], f"hf:{file.parent}"]
    if isinstance(kind, click.Choice):
        return [option.opts[0], kind.choices[-1]]
    if isinstance(kind, click.IntRange):
        return [option.opts[0], str(kind.min)]
    if isinstance(kind, click.FloatRange):
        return [option.opts[0], str(kind.max)]
    folder = isinstance(kind, click.Path) and not kind.file_okay
    return [option.opts[0], str(file.parent if folder else file)]


def test_every_argument_of_a_backend_has_an_option_and_every_option_is_one(given: Given, tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text("", encoding="utf-8")
    every = [part for option in options() if option.name not in OBJECTS for part in value_of(option, file)]
    got = given(*every)
    assert got.keys() == ARGUMENTS.keys() - OBJECTS
    assert not [name for name, value in got.items() if value == ARGUMENTS[name]]


def test_each_option_is_one_argument(given: Given, tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text("", encoding="utf-8")
    for option in options():
        if option.name not in OBJECTS:
            got = given(*value_of(option, file))
            assert len({name for name, value in got.items() if value is not None}) == 1, option.name


def test_nothing_given_leaves_every_default(given: Given) -> None:
    assert given() == {"name": None}
    assert ARGUMENTS["name"] is None


@pytest.mark.parametrize(("option", "argument"), [("--retries", "retries"), ("--shots", "shots")])
def test_zero_is_passed_on(given: Given, option: str, argument: str) -> None:
    assert given(option, "0")[argument] == 0


def test_every_backend_is_offered() -> None:
    (llm,) = (option for option in options() if option.name == "llm")
    context = click.Context(command)
    assert llm.type.get_metavar(llm, context) == f"[{'|'.join(BACKENDS)}]"
    assert tuple(llm.type.convert(name, llm, context) for name in BACKENDS) == BACKENDS
    with pytest.raises(click.BadParameter, match="'other' is not one of small"):
        llm.type.convert("other", llm, context)


def test_an_encoder_is_named_and_loaded(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.embedding.encoder.load_encoder", lambda name: f"the encoder {name}")
    assert given("--encoder", "mine")["encoder"] == "the encoder mine"
