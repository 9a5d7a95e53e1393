"""`cgstore query` and `cgstore cypher`: programs in the LLM query language."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.answer import finish
from cgstore.cli.common import connected, json_option, mapping_options, print_json, sources_option, timeout_option
from cgstore.errors import BadInput, CgstoreError, NoDatabase
from cgstore.model import Answer
from cgstore.text.json_text import read_json

if TYPE_CHECKING:
    from cgstore.options import QueryKeywords
    from cgstore.store import Store


@click.command()
@click.argument("program")
@click.option("--explain", is_flag=True, help="Show names, execution query, Cypher, all evidence and timing.")
@click.option("--lang", type=click.Choice(["llm"]), default="llm", show_default=True, help="The program's language.")
@mapping_options
@sources_option
@timeout_option
@json_option
@connected
def query(
    store: Store,
    program: str,
    explain: bool,
    lang: str,
    mapping: QueryKeywords,
    sources: Sequence[str],
    timeout: float,
    as_json: bool,
) -> None:
    """Run a PROGRAM in the LLM query language, and show the answer with its evidence.

    One call a line; later calls use earlier outputs. With `-`, programs are read from standard input, one JSON string
    or object {"program", "source", "id"} a line, and one JSON object is written for each.

    \b
    Examples:
      cgstore query "get_information(head_entity='Marie Curie', relation='award received')"
      cgstore query --explain "
        get_information(relation='position held', tail_entity='pope', key='time')
        max(set='output_of_query1')"
      cgstore query --threshold 0.6 "get_information(relation='award', head_entity='Mary Curie')"
      cgstore query - < programs.jsonl
    """
    if program != "-":
        finish(store.query(program, list(sources) or None, **mapping), as_json, explain)
        return
    # Every line is answered by a line, also a bad one. Only a lost database ends the stream.
    for number, line in enumerate(sys.stdin, start=1):
        if line.strip():
            print_json(_answer_line(store, line, number, sources, mapping))


def _answer_line(
    store: Store, line: str, number: int, sources: Sequence[str], mapping: QueryKeywords
) -> dict[str, Any]:
    identity: Any = number
    program = ""
    try:
        program, asked, identity = _read_line(line, number, sources)
        return {"id": identity, **store.query(program, asked or None, **mapping).to_json()}
    except NoDatabase:
        raise
    except CgstoreError as error:
        failed = Answer((), program, warnings=(error.message,)).to_json()
        return {"id": identity, **failed, "error": error.message, "hint": error.hint}


def _read_line(line: str, number: int, sources: Sequence[str]) -> tuple[str, list[str], Any]:
    """The program, the sources asked, and the id of a line."""
    try:
        entry = read_json(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"Line {number} is not JSON: {error}") from error
    if isinstance(entry, str):
        return entry, list(sources), number
    if not isinstance(entry, dict) or not isinstance(entry.get("program"), str):
        raise BadInput(f'Line {number} is neither a JSON string nor an object with a "program".')
    source = entry.get("source") or list(sources)
    asked = [source] if isinstance(source, str) else source
    if not isinstance(asked, list) or not all(isinstance(name, str) for name in asked):
        raise BadInput(f'Line {number}: "source" is neither a name nor a list of names.')
    return entry["program"], asked, entry.get("id", number)


@click.command()
@click.argument("program")
@sources_option
@json_option
@connected
def cypher(store: Store, program: str, sources: Sequence[str], as_json: bool) -> None:
    """Print the Cypher statement and parameters that a PROGRAM compiles to, without running it.

    \b
    Example:
      cgstore cypher "count(set=get_information(relation='spouse', key='time', value='1990'))"
    """
    statement = store.compile(program, list(sources) or None).statement
    if as_json:
        print_json({"cypher": statement.text, "parameters": statement.parameters})
        return
    click.echo(f"{statement.text}\n")
    for name, value in statement.parameters.items():
        click.echo(f"// ${name} = {json.dumps(value, ensure_ascii=False)}")
