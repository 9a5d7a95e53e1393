"""What a compiled statement refers to: its parameters, the outputs of earlier steps, and the bounds of comparisons.

Values reach the statement as parameters only, numbered in the order of use, so that programs of one shape share one
text and Neo4j's plan cache holds it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from cgstore.query.operands import Against, AnyRelation, Constant, Names, Operand, Output, OutputKind, Word
from cgstore.query.sources import SourceScope
from cgstore.text.names import shared_key


class CompileContext:
    """The names in force while one statement is compiled.

    Args:
        kinds: what each step's output holds.
        asked: the sources and their relations.
        carried: the steps whose outputs have carriers.
        ordered: the steps whose outputs are in the order of a `Sorted`.
        counted: the searches that also give how many facts they found.
        mixing: the steps whose sources are counted: `s3` has those of step 3.
    """

    def __init__(
        self,
        kinds: Sequence[OutputKind],
        asked: SourceScope,
        carried: Collection[int],
        *,
        ordered: Collection[int] = (),
        counted: Collection[int] = (),
        mixing: Collection[int] = (),
    ) -> None:
        self.kinds, self.asked, self.carried = kinds, asked, carried
        self.ordered, self.counted, self.mixing = ordered, counted, mixing
        self.values: dict[str, Any] = {}
        self.used_outputs: dict[str, None] = {}
        self._known: dict[tuple[int, str], str] = {}
        self._bounded: set[int] = set()

    def subquery(self, body: Sequence[str], *extra: str) -> list[str]:
        """The body as a subquery that imports the outputs that it uses, in order, and forgets what it bound."""
        imported = ", ".join(dict.fromkeys([*self.used_outputs, *extra]))
        self.used_outputs.clear()
        self._bounded.clear()
        return [f"CALL ({imported}) {{", *(f"  {line}" for line in body), "}"]

    def parameter(self, owner: object, part: str, value: Any) -> str:
        """The parameter that holds a part of a comparison or operand; the same one wherever its owner is used again.

        Known by the owner's identity and not by its value: equal values in two places must not change the text.
        """
        name = self._known.setdefault((id(owner), part), f"p{len(self._known) + 1}")
        self.values[name] = value
        return f"${name}"

    def sources(self, only: tuple[str, ...] = ()) -> str:
        """The parameter with the sources asked, or with those that a call says."""
        if only:
            return self.parameter(only, "sources", list(only))
        self.values["sources"] = list(self.asked.sources)
        return "$sources"

    def list_of(self, operand: Operand) -> str:
        """An expression for the operand's elements: a parameter with keys, or an earlier step's output."""
        match operand:
            case Names():
                return self.parameter(operand, "keys", list(operand.keys))
            case AnyRelation(columns=columns, sources=sources) if sources:
                among = self.asked.columns if columns else self.asked.relations
                return self.parameter(operand, "keys", list(among.of(sources).keys))
            case AnyRelation(columns=columns):
                name = "columns" if columns else "relations"  # the row numbers are none of the columns
                self.values[name] = list((self.asked.columns if columns else self.asked.relations).keys)
                return f"${name}"
            case Constant(number=number):
                return f"[{self.parameter(operand, 'number', number)}]"
            case Word(text=text):
                return f"[{self.parameter(operand, 'word', text)}]"
            case Output():
                return self.output(operand)

    def output(self, operand: Output) -> str:
        """The variable that holds an earlier step's output; noted, so that the subquery imports it."""
        name = f"q{operand.step + 1}"
        self.used_outputs[name] = None
        return name

    def holds_numbers(self, operand: Operand) -> bool:
        """Whether an operand is of computed or written numbers rather than nodes."""
        return isinstance(operand, Constant) or (
            isinstance(operand, Output) and self.kinds[operand.step] is OutputKind.NUMBERS
        )

    def carriers(self, operand: Output) -> str:
        """The variable that holds what carries an output's elements; noted likewise."""
        assert operand.step in self.carried, "whoever needs carriers asks for them before compiling"
        name = f"m{operand.step + 1}"
        self.used_outputs[name] = None
        return name

    def numbers(self, operand: Operand) -> str:
        """An expression for the numbers that the operand's elements read as, where they were found."""
        if isinstance(operand, Output) and not self.holds_numbers(operand):
            return f"[e IN {self.carriers(operand)} WHERE e.num IS NOT NULL | e.num]"
        return self.list_of(operand)

    def unwind(self, operand: Operand | None, name: str) -> str:
        """A row for each element of the operand."""
        assert operand is not None
        return f"UNWIND {self.list_of(operand)} AS {name}"

    def relation_names(self, operand: Operand | None) -> str | None:
        """The names of a fact's relation by which its times are found; None where the program does not say them."""
        if not isinstance(operand, Names):
            return None
        return self.parameter(operand, "names", list(dict.fromkeys(map(shared_key, operand.names))))

    def first_use_of_bounds(self, comparison: Against) -> bool:
        """Whether this subquery has yet to bind the bounds of the output compared with."""
        step = comparison.operand.step
        fresh = step not in self._bounded
        self._bounded.add(step)
        return fresh

    @staticmethod
    def bounds(comparison: Against) -> tuple[str, str]:
        """The variables with the least and the greatest number of the output compared with."""
        step = comparison.operand.step
        return f"low{step + 1}", f"high{step + 1}"
