"""`cgstore convert`: a logical form in another notation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import Output, connected, input_lines, parameter_lines, print_json, printing
from cgstore.errors import CgstoreError, NoDatabase
from cgstore.query.notations import READ, WRITTEN
from cgstore.query.sparql.vocabulary import FREEBASE, Vocabulary
from cgstore.text.json_text import read_json

if TYPE_CHECKING:
    from cgstore.store import Store


@click.command(name="convert")
@click.argument("text")
@click.option("--from", "source", type=click.Choice(READ), default="sexpr", show_default=True, help="Its notation.")
@click.option(
    "--to", "target", type=click.Choice((*WRITTEN, "cypher")), required=True, help="The notation of the result."
)
@click.option(
    "--base",
    metavar="IRI",
    default=FREEBASE,
    show_default=True,
    help="What the IRIs of names begin with in SPARQL.",
)
@printing
@connected
def convert_command(store: Store, text: str, source: str, target: str, base: str) -> Output | None:
    """Write a logical form (TEXT) in another notation: S-expression, skeleton, program, SPARQL or Cypher.

    Only Cypher needs the database, where the names are looked up. What has no counterpart is an error that names it.
    With `-`, texts are read from standard input, one a line, as they are or as a JSON string, and one JSON object is
    written for each.

    \b
    Examples:
      cgstore convert --to sparql '(AND (JOIN starring "Tom Hanks") (GE release_year 1999))'
      cgstore convert --to program '(COUNT (JOIN (R spouse) "Marie Curie"))'
      cgstore convert --from program --to sexpr "get_information(head_entity='Ulm', relation='mayor')"
      cgstore convert --to skeleton - < forms.txt
    """
    vocabulary = Vocabulary(base)
    if text != "-":
        result = _convert(store, text, source, target, vocabulary)
        return Output(result, _lines(result))
    for number, line in input_lines():
        try:
            print_json({"id": number, **_convert(store, _decoded(line), source, target, vocabulary)})
        except NoDatabase:
            raise
        except CgstoreError as error:
            print_json({"id": number, "text": None, "error": error.message, "hint": error.hint})
    return None


def _lines(result: dict[str, Any]) -> Iterator[str]:
    yield result["text"]
    yield from parameter_lines(result.get("parameters", {}))


def _decoded(line: str) -> str:
    """The text of a line, which may be a JSON string: a program has several lines."""
    try:
        decoded = read_json(line)
    except (ValueError, RecursionError):
        return line
    return decoded if isinstance(decoded, str) else line


def _convert(store: Store, text: str, source: str, target: str, vocabulary: Vocabulary) -> dict[str, Any]:
    """The result as JSON has it: `text`, and for Cypher `parameters`."""
    from cgstore.query.convert import convert, read_program

    if target != "cypher":
        return {"text": convert(text, source, target, vocabulary)}
    statement = store.compile(read_program(text, source)).statement
    return {"text": statement.text, "parameters": statement.parameters}
