"""`cgstore map`: which nodes a name may mean, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import connected, json_option, print_json, sources_option
from cgstore.errors import NoModel

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder
    from cgstore.mapping.candidates import Candidate
    from cgstore.store import Store

NO_ANSWER = 1


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
    """Show which nodes a NAME may mean, the best first, with the score and what it is made of.

    `characters` and `words` say how alike it is spelt, `meaning` is the cosine of the vectors, where there are any.

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
    """The encoder of the graph's vectors; without it names are ranked by their spelling, which is said."""
    try:
        return store.graph_encoder()
    except NoModel as error:
        click.echo(f"By spelling only: {error.message}", err=True)
        return None


def _as_json(candidate: Candidate) -> dict[str, object]:
    about = asdict(candidate)
    del about["parts"]["score"]
    return {"node": about.pop("name"), **about}


def _show(name: str, candidates: Sequence[Candidate]) -> None:
    click.echo(name)
    if not candidates:
        click.echo("  nothing is like it")
    for c in candidates:
        meaning = "" if c.parts.meaning is None else f"  meaning {c.parts.meaning:.3f}"
        degree = f"; {c.degree:,} relationship{'' if c.degree == 1 else 's'}" if c.degree else ""
        parts = f"characters {c.parts.characters:.3f}  words {c.parts.words:.3f}{meaning}"
        another = "; another number, never taken" if c.another else ""
        click.echo(f"  {c.score:.3f}  {c.name}  ({c.how}; {parts}{degree}{another})")
