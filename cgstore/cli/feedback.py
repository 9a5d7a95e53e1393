"""`cgstore right`, `wrong` and `asked`: judgements of the last answers of `ask`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import Output, connected, printing
from cgstore.errors import BadInput
from cgstore.text.names import many, some_of

if TYPE_CHECKING:
    from cgstore.llm.remembered import AnswerMemory, Remembered
    from cgstore.store import Store

_NTH = click.argument("nth", metavar="[N]", type=click.IntRange(1), default=1)


def memory_of(store: Store) -> AnswerMemory:
    """The answers that this machine remembers of a database."""
    from cgstore.llm.remembered import AnswerMemory

    return AnswerMemory.of(store.db)


def conversation_of(memory: AnswerMemory) -> list[Remembered]:
    """Returns the questions that a new one follows, in order.

    Raises:
        BadInput: none is remembered.
    """
    earlier = memory.conversation()
    if not earlier:
        raise BadInput("There is no question to follow up.", "Ask one first, without --follow-up.")
    return earlier


@click.command()
@_NTH
@printing
@connected
def right(store: Store, nth: int) -> Output:
    """Say that the last answer of `ask` is right; N: the Nth last.

    Its program is run again. If it gives the same answer, it is kept in the graph as a demonstration, which an LLM sees
    with near questions.

    \b
    Examples:
      cgstore right
      cgstore right 2
    """
    one = _nth(store, nth)
    kept = store.right(one.whole_answer, list(one.sources) or None, **one.keywords)
    memory_of(store).judge(one.number, "right")
    return Output(kept, [f"Kept as a demonstration: {kept.question}"])


@click.command()
@_NTH
@click.option("--answer", "answers", multiple=True, metavar="VALUE", help="A right value; may be repeated.")
@click.option("--program", help="The right program, which must give the right values.")
@printing
@connected
def wrong(store: Store, nth: int, answers: Sequence[str], program: str | None) -> Output:
    """Say that the last answer of `ask` is wrong, and what is right; N: the Nth last.

    An LLM sees the wrong program with the right answer when a near question is asked. A right program becomes a
    demonstration.

    \b
    Examples:
      cgstore wrong --answer "Helmut Schmidt"
      cgstore wrong 2 --answer Bela --answer Dena
      cgstore wrong --program "get_information(relation='Ship', key='Route', value='South Line')"
    """
    one = _nth(store, nth)
    if not answers and program is None:
        raise BadInput("The right answer is missing.", "Give --answer VALUE, or --program PROGRAM.")
    kept = store.wrong(one.whole_answer, answers, program, list(one.sources) or None, **one.keywords)
    memory_of(store).judge(one.number, "wrong")
    what = "The right program is a demonstration now" if program else "Kept with its correction"
    return Output(kept, [f"{what}: {kept.question}"])


@click.command()
@click.option("--clear", is_flag=True, help="Forget them.")
@printing
@connected
def asked(store: Store, clear: bool) -> Output:
    """List the last questions of `ask` with their answers, as this machine remembers them for this database.

    \b
    Examples:
      cgstore asked
      cgstore asked --clear
    """
    memory = memory_of(store)
    if clear:
        count = memory.clear()
        return Output({"forgotten": count}, [f"Forgot {many(count, 'answer')}."])
    found = memory.last()
    return Output(found, [_line(nth, one) for nth, one in enumerate(found, start=1)] or ["There are none."])


def _line(nth: int, one: Remembered) -> str:
    gave = some_of([str(value) for value in one.values]) if one.is_whole else many(one.total, "value")
    judged = f"  (marked {one.judged})" if one.judged else ""
    return f"{nth:>3}  {one.question}  ->  {gave}{judged}"


def _nth(store: Store, nth: int) -> Remembered:
    found = memory_of(store).last(nth)
    if len(found) < nth:
        hint = "`cgstore asked` lists what is remembered."
        raise BadInput(f"{many(len(found), 'answer')} of this database can be judged, and not {nth:,}.", hint)
    return found[nth - 1]
