"""The searches of an execution query, and what every operator has (TrustUQA, section 3.2).

`search_node` and `search_condition` are the paper's two searching functions. Beside the paper, they have a `scope`,
which says what facts count, since the times of a temporal fact belong to the whole fact and not to its head alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from cgstore.query.operands import AnyRelation, Comparison, FactPattern, Names, Operand, Output, OutputKind, Shown
from cgstore.query.types import OutputType, Types


class Operator(Shown):
    """A step of a plan.

    Attributes:
        kind: what its output holds, unless `output_type` says more.
        measures: the fields with operands whose numbers, facts or order it needs, and not their elements alone.
        passes_on: the fields with operands whose elements are its own, with their facts.
    """

    kind: ClassVar[OutputKind] = OutputKind.NODES
    measures: ClassVar[tuple[str, ...]] = ()
    passes_on: ClassVar[tuple[str, ...]] = ()

    @property
    def measured(self) -> tuple[Operand, ...]:
        """The operands of `measures`."""
        return tuple(getattr(self, name) for name in self.measures)

    @property
    def passed_on(self) -> tuple[Operand, ...]:
        """The operands of `passes_on`."""
        return tuple(getattr(self, name) for name in self.passes_on)

    def output_type(self, types: Types) -> OutputType:
        """The type of its output."""
        return OutputType(self.kind, types.every_source)


# Searches -------------------------------------------------------------------------------------------------------------


def _is_sorted_before(head: Operand | FactPattern | None, types: Types) -> bool:
    operand = head.head if isinstance(head, FactPattern) else head
    return operand is not None and types.of(operand).is_sorted_before


@dataclass(frozen=True)
class SearchCondition(Operator):
    """The conditions of the triples (node1, node2, ?) whose node2 satisfies every comparison.

    For a relation they are the heads, for a key of facts the facts, or with `heads` their heads. `condition` narrows
    the facts to those of a pattern, `scope` narrows the heads to those of facts that a search for a key finds, and
    `further` narrows the statements about facts to those that these searches for other keys find too.
    """

    node1: Operand
    value: tuple[Comparison, ...] = ()
    condition: FactPattern | None = None
    scope: SearchCondition | None = None
    heads: bool = False
    further: tuple[SearchCondition, ...] = ()

    def output_type(self, types: Types) -> OutputType:
        match self.node1:
            case Names(time_key=True) if not self.heads:
                kind = OutputKind.FACTS
            case Names(is_of_tables=True):
                kind = OutputKind.ROWS
            case AnyRelation(columns=columns) if columns or types.scope.only_tables:
                kind = OutputKind.ROWS
            case _:
                kind = OutputKind.NODES
        return OutputType(kind, types.owners(self.node1), is_unordered=_is_sorted_before(self.condition, types))

    def __str__(self) -> str:
        parts = [f"node1={self.node1}", *(f"node2 {c}" for c in self.value)]
        parts += [f"condition={self.condition}"] if self.condition else []
        parts += [f"scope={self.scope}"] if self.scope else []
        parts += [f"further={each}" for each in self.further]
        return f"search_condition({', '.join(parts)}){'.head' if self.heads else ''}"


@dataclass(frozen=True)
class SearchNode(Operator):
    """node2 of the triples (node1, ?, condition); without a condition, of all triples of node1.

    A condition that is a FactPattern stands for the whole fact [head, relation, tail]. `scope` keeps the triples whose
    fact is among those of a search for a key. `covalues`: where no element of the condition is a head of node1 at all,
    those that are heads of nothing stand for the heads that have them under node1 (language page, 3.1). `sources`:
    heads of nothing in these alone, if any. `further`: as in `SearchCondition`.
    """

    node1: Operand
    condition: Operand | FactPattern | None = None
    scope: SearchCondition | None = None
    covalues: bool = False
    sources: tuple[str, ...] = ()
    further: tuple[SearchCondition, ...] = ()

    def output_type(self, types: Types) -> OutputType:
        sources, relation = types.owners(self.node1), self.node1
        is_unordered = _is_sorted_before(self.condition, types)
        if isinstance(self.condition, Output) and types.of(self.condition).kind is OutputKind.ROWS:
            sources &= types.of(self.condition).sources
        if not isinstance(relation, Names):
            return OutputType(OutputKind.NODES, sources, is_unordered=is_unordered)
        return OutputType(
            OutputKind.NODES,
            sources,
            value_kinds=tuple(dict.fromkeys(node.kind for node in relation.nodes)),
            time_keys=relation.nodes if relation.time_key else (),
            is_times=relation.time_key,
            is_cells=relation.is_of_tables,
            is_unordered=is_unordered,
            columns=tuple(dict.fromkeys(relation.names)),
        )

    def __str__(self) -> str:
        parts = [f"node1={self.node1}"]
        parts += [f"condition={self.condition}"] if self.condition else []
        parts += [f"scope={self.scope}"] if self.scope else []
        parts += [f"further={each}" for each in self.further]
        return f"search_node({', '.join(parts)})"


@dataclass(frozen=True)
class SearchHead(Operator):
    """node2 of (node1, ?, []) where node1 is a head: the relations that it has; `sources`: in these alone, if any."""

    shown = "search_node(node1={head})"
    head: Operand
    sources: tuple[str, ...] = ()

    def output_type(self, types: Types) -> OutputType:
        sources = frozenset(self.sources) or types.every_source
        return OutputType(OutputKind.NODES, sources, is_unordered=_is_sorted_before(self.head, types))


@dataclass(frozen=True)
class SearchRelation(Operator):
    """node1 of the triples (?, node2, [head]): how head and tail are linked. The paper's Table 1 leaves this out."""

    head: Operand
    value: tuple[Comparison, ...]
    scope: SearchCondition | None = None
    relations: Operand = field(default_factory=AnyRelation)

    def output_type(self, types: Types) -> OutputType:
        is_unordered = _is_sorted_before(self.head, types)
        return OutputType(OutputKind.NODES, types.owners(self.relations), is_unordered=is_unordered)

    def __str__(self) -> str:
        value = " and ".join(f"node2 {c}" for c in self.value)
        parts = [f"condition={self.head}, {value}", *([f"scope={self.scope}"] if self.scope else [])]
        parts += [f"node1={self.relations}"] if self.relations != AnyRelation() else []
        return f"search_relation({', '.join(parts)})"


Search = SearchNode | SearchCondition | SearchHead | SearchRelation
