"""Options of commands, made from the fields of classes of options (see `cgstore.options.option`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from cgstore.options import Options, type_name

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
NEW_FOLDER = click.Path(file_okay=False, path_type=Path)

_PATHS = {
    "file": FILE,
    "folder": FOLDER,
    "any": click.Path(exists=True, path_type=Path),
    "new file": NEW_FILE,
    "new folder": NEW_FOLDER,
}

Decorator = Callable[[Any], Any]


def with_options(command: Any, options: tuple[Decorator, ...]) -> Any:
    """The command with click's options, which `--help` shows in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def taking(argument: str, kind: type[Options], *names: str) -> Decorator:
    """Adds options of a class to a command. One argument gets those that were given, as keywords.

    Args:
        argument: the name of the argument.
        kind: the class.
        names: its fields; none: all.
    """
    chosen = [each for each in fields(kind) if not names or each.name in names]

    def add(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def with_keywords(*args: object, **given: Any) -> Any:
            values = {each.name: (each.metadata["read"], given.pop(parameter_of(each))) for each in chosen}
            keywords = {
                name: read(value) if read else value
                for name, (read, value) in values.items()
                if value is not None and value != ()
            }
            return command(*args, **{argument: keywords}, **given)

        return with_options(with_keywords, tuple(map(_click_option, chosen)))

    return add


def parameter_of(each: Field[Any]) -> str:
    """What click calls the option of a field."""
    flag: str = each.metadata["flag"] or each.name
    return flag.partition("/")[0].replace("-", "_")


def _click_option(each: Field[Any]) -> Decorator:
    """Makes the option of a field. Its default is None: the class has the defaults."""
    rule, parameter, is_flag = each.metadata, parameter_of(each), type_name(each) == "bool"
    names = (rule["flag"] or parameter.replace("_", "-")).split("/")
    if is_flag and each.default is not False and len(names) == 1:
        names.append(f"no-{names[0]}")
    default = _default_of(each)
    return click.option(
        parameter,
        "/".join(f"--{name}" for name in names),
        default=None,
        required=each.default is MISSING,
        help=f"{rule['help']}  [default: {default}]" if default != "" else rule["help"],
        is_flag=is_flag,
        multiple=rule["several"],
        type=None if is_flag else _type_of(each),
        metavar=rule["metavar"],
        envvar=rule["envvar"],
        show_envvar=bool(rule["envvar"]),
    )


def _default_of(each: Field[Any]) -> object:
    """The default of an option in words; empty where it goes without saying."""
    if each.default is True:
        return parameter_of(each)
    return each.metadata["unset"] if each.default is False or each.default in (None, MISSING, ()) else each.default


def _type_of(each: Field[Any]) -> Any:
    if choices := each.metadata["choices"]:
        return click.Choice(choices)
    if path := each.metadata["path"]:
        return _PATHS[path]
    least, most = each.metadata["within"]
    match type_name(each):
        case "int":
            return click.IntRange(least, most)
        case "float":
            return click.FloatRange(least, most, min_open=most is None)
    return str
