"""What the requests of the API may hold."""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from cgstore.errors import Writer, on_command_line
from cgstore.options import QueryOptions

MOST_SOURCES = 1_000
MOST_VALUES = 1_000
MOST_EARLIER = 3
LONGEST_QUESTION = 4_000
LONGEST_PROGRAM = 200_000

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
Name = Annotated[str, Field(min_length=1, max_length=2_000)]
Program = Annotated[str, Field(min_length=1, max_length=LONGEST_PROGRAM)]
Sources = Annotated[
    list[Name] | None, Field(max_length=MOST_SOURCES, description="Names of the sources to ask; null: all.")
]
Number = Annotated[
    int, Field(ge=1, le=2**53, description="The number of an answer, as its reply or the history has it.")
]
Roles = Literal["entity", "relation", "key"]
Options = Annotated[
    dict[str, Any],
    Field(max_length=20, description="How programs are run: fields of cgstore.options.QueryOptions, such as `exact`."),
]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AskBody(_Body):
    """A question in plain words."""

    question: Text
    sources: Sources = None
    after: Annotated[list[Number], Field(max_length=MOST_EARLIER, description="The answers that it follows.")] = []
    explore: Annotated[bool, Field(description="Whether the LLM may look at the graph before it writes.")] = False
    options: Options = {}
    extras: Annotated[bool, Field(description="Whether other candidates of its names and the drawing come too.")] = True


class Replacement(_Body):
    """A name in a program, and the name that stands in its place from now on."""

    name: Name
    role: Roles
    node: Name


class QueryBody(_Body):
    """A program in the query language, perhaps with names to be replaced in it first."""

    program: Program
    sources: Sources = None
    replace: Annotated[list[Replacement], Field(max_length=50)] = []
    question: Annotated[
        str, Field(max_length=LONGEST_QUESTION, description="The question that it answers; then it is remembered.")
    ] = ""
    number: Annotated[Number | None, Field(description="The answer that is shown again: it keeps its number.")] = None
    options: Options = {}


class NamesBody(_Body):
    """Names whose candidates are wanted."""

    names: Annotated[list[Name], Field(min_length=1, max_length=50)]
    role: Roles = "entity"
    sources: Sources = None
    most: Annotated[int, Field(ge=1, le=50)] = 10


class RightBody(_Body):
    """An answer that is right."""

    number: Number


class WrongBody(_Body):
    """An answer that is wrong, and what is right: values, a program that gives them, both, or nothing that is known."""

    number: Number
    answers: Annotated[list[Name], Field(max_length=MOST_VALUES)] = []
    program: Program | None = None


FIELDS = {*AskBody.model_fields, *QueryBody.model_fields, *(each.name for each in fields(QueryOptions))}
"""The options of the API."""


def in_json(names: Container[str]) -> Writer:
    """Writes options as JSON has them; one of another name is of the command that started the server."""

    def write(option: str, value: object = None) -> str:
        name = "sources" if option == "source" else option.replace("-", "_")
        if name not in names:
            return on_command_line(option, value)
        return f'"{name}"' if value is None else f'"{name}": {json.dumps(value)}'

    return write
