"""What holds for every command: an example in its help, `--json`, and plain text where there is no terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import click
import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.cli.common import complete_source
from cgstore.store import Store
from tests.cli.conftest import Run
from tests.conftest import ROOT

WITHOUT_JSON = {
    "mcp": "a server, which speaks JSON-RPC",
    "serve": "a server",
    "server logs": "the lines of another program's log",
    "shell": "a session",
}
"""Commands that have no `--json`, and why."""


def commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


ALL = dict(commands(main))


@pytest.mark.parametrize("name", ALL)
def test_the_help_of_a_command_has_an_example_of_it(name: str) -> None:
    result = CliRunner().invoke(main, [*name.split(), "--help"])
    assert result.exit_code == 0
    assert re.search(rf"Examples?:\s.*cgstore {name}\b", result.output, re.DOTALL)


def test_every_command_has_json_or_a_reason() -> None:
    with_json = {name for name, command in ALL.items() if any("--json" in each.opts for each in command.params)}
    assert set(ALL) - with_json == set(WITHOUT_JSON)


@pytest.mark.parametrize(
    "command",
    ["check wrld", "describe wrld", "drop wrld", "embed wrld", "export wrld", "facts now wrld", "history wrld",
     "map Helmut --source wrld", "query count(set='x') --source wrld", "ask Who? --source wrld", "undo wrld"],
)  # fmt: skip
def test_a_source_that_is_not_there_is_exit_code_2_with_the_nearest_name(world: Store, run: Run, command: str) -> None:
    result = run(*command.split())
    assert (result.exit_code, "Did you mean 'world'?" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ("query --exact --threshold 0.5", "--exact and --threshold exclude each other."),
        ("query --exact --retrieve", "--exact and --retrieve exclude each other."),
        ("load kg --append --upsert", "--append, --upsert and --replace exclude each other."),
        ("load kg --key head", "--key says which facts --upsert replaces."),
        ("load kg --columns 1,x,3", "'1,0,3' does not say which columns are head, relation and tail."),
        ("load table --column Room=room", "'room' is not what a column may be, as 'Room' is to be."),
        ("load graph --upsert --from-uri", "No such option '--upsert'."),
    ],
)
def test_options_that_do_not_fit_are_refused(run: Run, options: str, refused: str) -> None:
    result = run(*options.split(), ROOT / "examples" / "films.txt")
    assert (result.exit_code, refused in result.stderr) == (2, True), result.stderr


def test_names_of_sources_are_completed(world: Store, neo4j_settings: dict[str, str]) -> None:
    given = {name: neo4j_settings.get(f"CGSTORE_NEO4J_{name.upper()}") for name in ("uri", "user", "password")}
    context = cast(click.Context, SimpleNamespace(params={**given, "database": None}))
    option = click.Option(["--source"])
    assert [item.value for item in complete_source(context, option, "wo")] == ["world"]
    assert complete_source(context, option, "x") == []
    unreachable = cast(click.Context, SimpleNamespace(params={"uri": "bolt://127.0.0.1:1", "password": "x"}))
    assert complete_source(unreachable, option, "") == []


def test_a_pipe_gets_no_colour(world: Store, run: Run) -> None:
    shown = run("query", "get_information(head_entity='John F. Kennedy', relation='position held')").output
    assert "\x1b[" not in shown
    assert "\x1b[" not in run("describe", "world").output


def test_no_color_is_obeyed_on_a_terminal(world: Store, neo4j_settings: dict[str, str]) -> None:
    program = "get_information(head_entity='John F. Kennedy', relation='position held')"
    for command in (["query", program], ["shell"]):
        coloured = CliRunner(env=neo4j_settings).invoke(main, command, input=program, color=True)
        plain = CliRunner(env={**neo4j_settings, "NO_COLOR": "1"}).invoke(main, command, input=program, color=True)
        assert "\x1b[1m" in coloured.output and "\x1b[" not in plain.output
