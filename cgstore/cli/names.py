"""`cgstore map` and `cgstore embed`: which nodes a name may mean, and the vectors that help to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import NO_ANSWER, connected, counted, json_option, print_json, print_report, sources_option
from cgstore.errors import NoModel

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder
    from cgstore.mapping.candidates import Candidate
    from cgstore.store import Store


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
@json_option
@connected
def map(store: Store, names: Sequence[str], role: str, top: int, sources: Sequence[str], as_json: bool) -> None:
    """Show the nodes that a NAME may mean, the best first, with their scores.

    A score is made of `characters` and `words`, which say how alike the spellings are, and of `meaning`, the cosine of
    the vectors, where the graph has vectors.

    \b
    Examples:
      cgstore map "Angela Merkle"
      cgstore map --role relation "born in" --source world --top 3
      cgstore map "Helmut Kol" "Konrad Adenaur" --json
    """
    found = store.map(names, role, sources or None, top=top, encoder=_encoder(store))
    if as_json:
        print_json([{"name": name, "role": role, "candidates": [_as_json(c) for c in some]} for name, some in found])
    else:
        for name, some in found:
            _show(name, some)
    if not any(some for _, some in found):
        click.get_current_context().exit(NO_ANSWER)


def _encoder(store: Store) -> Encoder | None:
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


def _show(name: str, candidates: Sequence[Candidate]) -> None:
    click.echo(name)
    if not candidates:
        click.echo("  nothing is like it")
    for c in candidates:
        meaning = "" if c.parts.meaning is None else f"  meaning {c.parts.meaning:.3f}"
        degree = f"; {counted(c.degree, 'relationship')}" if c.degree else ""
        parts = f"characters {c.parts.characters:.3f}  words {c.parts.words:.3f}{meaning}"
        another = "; another number, never taken" if c.another else ""
        click.echo(f"  {c.score:.3f}  {c.name}  ({c.how}; {parts}{degree}{another})")


@click.command()
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option(
    "--encoder",
    metavar="NAME",
    help="A sentence-transformers model: its name on the hub, or ./FOLDER.  "
    "[env var: CGSTORE_ENCODER; default: all-MiniLM-L6-v2]",
)
@click.option("--again", is_flag=True, help="Remove all vectors of the graph first: for another encoder.")
@json_option
@connected
def embed(store: Store, sources: tuple[str, ...], encoder: str | None, again: bool, as_json: bool) -> None:
    """Give a vector to each name that lacks one, in the named sources or in all.

    Relations, keys, entities, and values that are words get vectors. To finish an interrupted run, give the command
    again.

    \b
    Examples:
      cgstore embed
      cgstore embed films world
      cgstore embed --again --encoder all-mpnet-base-v2
    """
    report = store.embed(sources or None, encoder=encoder, again=again, progress=True)
    done = f"Embedded {report.nodes:,} nodes ({report.names:,} names) by {report.encoder} in {report.seconds:.1f} s"
    print_report(report, as_json, f"{done}; {report.there:,} had a vector before.")
