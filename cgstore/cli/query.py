"""`cgstore ask`, `query`, `cypher` and `map`: questions, programs and names, and how their answers are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import click

from cgstore.cli.answer_text import render
from cgstore.cli.common import (
    NO_ANSWER,
    Output,
    connected,
    input_lines,
    mapping_options,
    parameter_lines,
    print_json,
    printing,
    sources_option,
    timeout_option,
)
from cgstore.cli.feedback import conversation_of, memory_of
from cgstore.cli.llm_options import backend_from, llm_options, settings_of
from cgstore.cli.options import taking
from cgstore.errors import BadInput, CgstoreError, NoDatabase, NoModel
from cgstore.model import Answer
from cgstore.options import Options, QueryOptions, option
from cgstore.text.json_text import read_json
from cgstore.text.names import many

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder
    from cgstore.llm import BackendKeywords
    from cgstore.mapping.candidates import Candidate
    from cgstore.options import QueryKeywords
    from cgstore.store import Store


@dataclass(frozen=True)
class Shown(Options):
    """How an answer is shown."""

    explain: bool = option(False, "Show a sentence, names, steps, Cypher, all evidence and timing.")
    html: Path | None = option(
        None, "Write the answer with its proof to this file too, as one HTML page.", metavar="FILE", path="new file"
    )
    is_opened: bool = option(False, "Open the evidence in Neo4j Browser; with --html, open the page.", flag="open")
    has_link: bool = option(False, "Print the address of the evidence in Neo4j Browser.", flag="link")
    times: Literal["periods", "each"] = option(
        "periods", "Print an answer that is times as periods, or one by one.", choices=("periods", "each")
    )
    as_json: bool = option(False, "Print JSON.", flag="json")


shown_options = taking("shown", Shown)


def _served_first(command: Callable[..., Any]) -> Callable[..., Any]:
    """Has a running `cgstore serve` of the same graph and settings answer, before anything heavy is imported."""

    @wraps(command)
    def served(**options: Any) -> Any:
        if not options.pop("no_serve") and not options["follow_up"]:
            answer = _answer_served(options["question"], options["llm"], options["sources"], options["mapping"])
            if answer is not None:
                finish(answer, Shown(**options["shown"]))
        return command(**options)

    return served


def _answer_served(
    question: str, llm: BackendKeywords, sources: Sequence[str], mapping: QueryKeywords
) -> Answer | None:
    """The answer of a running `cgstore serve` with this command's graph and settings; None if there is none."""
    from cgstore.web.running import asked_of, running

    server = running(settings_of(click.get_current_context().params, llm))
    body = {"question": question, "sources": list(sources), "options": mapping, "extras": False}
    return asked_of(server, body) if server else None


@click.command()
@click.argument("question")
@click.option(
    "--follow-up", is_flag=True, help="The question follows the last one, which the LLM sees with its answer."
)
@click.option("--no-serve", is_flag=True, help="Do not use a running `cgstore serve` of the same graph and settings.")
@llm_options
@mapping_options("as_of")
@sources_option
@timeout_option
@shown_options
@_served_first
@connected
def ask(
    store: Store,
    question: str,
    follow_up: bool,
    llm: BackendKeywords,
    mapping: QueryKeywords,
    sources: Sequence[str],
    shown: dict[str, Any],
) -> None:
    """Answer a QUESTION in plain words, with the program, and the condition triples that prove the answer.

    An LLM, or without one a small model in this process, writes programs, and the database runs them. If no program
    can be trusted, a note says why, with the readings to choose from (exit code 1).

    \b
    Examples:
      cgstore ask "Who was Chancellor of Germany in 1990?"
      cgstore ask --base-url http://localhost:8000/v1 --model llama --samples 1 "..."
      cgstore ask --explore "Who directed the films that Ada Brandt wrote?"
      cgstore ask --follow-up "And in 2001?"
      cgstore ask --as-of 2026-11-01 "Who leads the sales team?"
      cgstore ask --html answer.html --open "Who was Chancellor of Germany in 1990?"

    The answer is remembered on this machine: `cgstore right` and `cgstore wrong` say what to make of it.
    """
    backend = backend_from(llm, store.db)
    memory = memory_of(store)
    earlier = conversation_of(memory) if follow_up else []
    answer = store.ask(question, backend, list(sources) or None, after=[one.answer for one in earlier], **mapping)
    memory.add(answer, sources=sources, lang=backend.lang, options=mapping, earlier=earlier)
    finish(answer, Shown(**shown))


@click.command()
@click.argument("program")
@mapping_options("lang", "as_of")
@sources_option
@timeout_option
@shown_options
@connected
def query(
    store: Store,
    program: str,
    mapping: QueryKeywords,
    sources: Sequence[str],
    shown: dict[str, Any],
) -> None:
    """Run a PROGRAM in the LLM query language or an S-expression, and show the answer with its evidence.

    One call a line; later calls use earlier outputs. With `-`, programs are read from standard input, one JSON string
    or object {"program", "source", "id"} a line, and one JSON object is written for each.

    \b
    Examples:
      cgstore query "get_information(head_entity='Marie Curie', relation='award received')"
      cgstore query --explain "
        get_information(relation='position held', tail_entity='pope', key='time')
        max(set='output_of_query1')"
      cgstore query --lang sexpr '(AND (JOIN starring "Tom Hanks") (GE release_year 1999))'
      cgstore query --as-of '#12' --source staff "get_information(relation='leads', tail_entity='Sales')"
      cgstore query - < programs.jsonl
    """
    if program != "-":
        finish(store.query(program, list(sources) or None, **mapping), Shown(**shown))
    if "html" in shown or "is_opened" in shown:
        raise BadInput("--html and --open are for one program.", "Leave them out, or give the program itself.")
    for number, line in input_lines():
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
@taking("options", QueryOptions, "lang")
@sources_option
@printing
@connected
def cypher(store: Store, program: str, options: dict[str, Any], sources: Sequence[str]) -> Output:
    """Print the Cypher statement and parameters that a PROGRAM compiles to, without running it.

    \b
    Example:
      cgstore cypher "count(set=get_information(relation='spouse', key='time', value='1990'))"
    """
    statement = store.compile(program, list(sources) or None, evidence=False, **options).statement
    value = {"cypher": statement.text, "parameters": statement.parameters}
    return Output(value, [f"{statement.text}\n", *parameter_lines(statement.parameters)])


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--role",
    type=click.Choice(["entity", "relation", "key"]),
    default="entity",
    show_default=True,
    help="What the name stands for in a program; a value is an entity.",
)
@click.option("--top", type=click.IntRange(1, 50), default=10, show_default=True, help="Most candidates for a name.")
@sources_option
@printing
@connected
def map(store: Store, names: Sequence[str], role: str, top: int, sources: Sequence[str]) -> Output:
    """Show the nodes that a NAME may mean, the best first, with their scores.

    A score is made of `characters` and `words`, which say how alike the spellings are, and of `meaning`, the cosine of
    the vectors, where the graph has vectors.

    \b
    Examples:
      cgstore map "Angela Merkle"
      cgstore map --role relation "born in" --source world --top 3
      cgstore map "Helmut Kol" "Konrad Adenaur" --json
    """
    found = store.map(names, role, sources or None, top=top, encoder=_graph_encoder(store))
    value = [{"name": name, "role": role, "candidates": [_as_json(c) for c in some]} for name, some in found]
    lines = [line for name, some in found for line in _candidate_lines(name, some)]
    return Output(value, lines, 0 if any(some for _, some in found) else NO_ANSWER)


def _graph_encoder(store: Store) -> Encoder | None:
    """The encoder of the graph's vectors; None, with a line on standard error, where it is not available."""
    try:
        return store.graph_encoder()
    except NoModel as error:
        click.echo(f"By spelling only: {error.message}", err=True)
        return None


def _as_json(candidate: Candidate) -> dict[str, object]:
    fields = asdict(candidate)
    del fields["parts"]["score"]
    return {"node": fields.pop("name"), **fields}


def _candidate_lines(name: str, candidates: Sequence[Candidate]) -> Iterator[str]:
    yield name
    if not candidates:
        yield "  nothing is like it"
    for c in candidates:
        meaning = "" if c.parts.meaning is None else f"  meaning {c.parts.meaning:.3f}"
        degree = f"; {many(c.degree, 'relationship')}" if c.degree else ""
        parts = f"characters {c.parts.characters:.3f}  words {c.parts.words:.3f}{meaning}"
        another = "; another thing, never taken" if c.another else ""
        yield f"  {c.score:.3f}  {c.name}  ({c.how}; {parts}{degree}{another})"


# The printed answer


def finish(answer: Answer, shown: Shown) -> NoReturn:
    """Shows an answer and ends the command with exit code 0, or 1 if there is none."""
    if shown.html:
        from cgstore.show.page import write_answer_page

        write_answer_page(answer, shown.html)
    if shown.as_json:
        print_json(answer.to_json())
    else:
        click.echo(render(answer, shown.explain, shown.times) + _link(answer, shown))
    if shown.is_opened:
        _open(shown.html.resolve().as_uri() if shown.html else answer.browser)
    click.get_current_context().exit(NO_ANSWER if answer.abstained else 0)


def _open(address: str | None) -> None:
    """Opens the page, or the link to Neo4j Browser; a line on standard error says why it could not."""
    if address is None:
        click.echo("There is no link to open: the answer has no evidence, or the server no Browser.", err=True)
    elif click.launch(address):
        click.echo(f"No browser could be started here. The address:\n  {address}", err=True)


def _link(answer: Answer, shown: Shown) -> str:
    """The address of the evidence in Neo4j Browser, which is long, if it is asked for."""
    if not answer.browser or not shown.has_link:
        return ""
    from cgstore.cypher.run import MAX_LINKED

    count = len(answer.evidence_shown)
    some = f" (the first {MAX_LINKED} of {count:,} triples)" if count > MAX_LINKED else ""
    return f"\n\nSee it in Neo4j Browser{some}:\n  {answer.browser}"
