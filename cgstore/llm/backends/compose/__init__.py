"""Questions about tables without an LLM: programs are composed from the table's columns and cells, and ranked.

A floating parser as in Pasupat and Liang, "Compositional Semantic Parsing on Semi-Structured Tables" (ACL 2015):

1. `anchors` finds what the question says about cells, `signals` the words that count, order and compare.
2. `readings` composes all small combinations of conditions, a column and an operation.
3. `denotations` works each out in the rows that were read; readings with equal answers are one.
4. `features` and `ranking` give each a probability, by weights learnt from questions with known answers.
5. `programs` writes the likeliest as a program, which the graph answers; `understanding` says why not, if it is not
   likely enough or leaves a word out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cgstore.llm.backends import CannotPropose, Decision, Run
from cgstore.llm.backends.compose.joint import both_asked, with_others
from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.ranking import Model, shipped_model
from cgstore.llm.backends.compose.spelling import spelt_right
from cgstore.llm.backends.compose.table import Table, table_of
from cgstore.llm.backends.compose.understanding import (
    CERTAIN,
    Understanding,
    assumptions,
    candidates,
    understand,
    unused_words,
    why_unsure,
    yes_or_no,
)
from cgstore.llm.graph_view import GraphView, Outline
from cgstore.llm.table_view import MAX_CELLS
from cgstore.text.names import some_of

MAX_TABLES = 20
"""Tables that are asked at a time."""


class ComposeBackend:
    """Answers questions about tables by composing programs, without an LLM and without an encoder."""

    name = "compose"

    def __init__(self, model: Model | None = None, certain: float = CERTAIN) -> None:
        self._model = model or shipped_model()
        self._certain = certain

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`: at most one program is run, that of the likeliest reading."""
        try:
            found = self.understood(question, graph)
        except CannotPropose as refusal:
            return Decision(None, warnings=refusal.warnings)
        program = self.program(found, several=len(graph.outlines) > 1)
        attempt = run(program)
        because = f"composed from the columns of '{found.best.table.name}' (confidence {found.confidence:.2f})"
        if attempt.answered and attempt.answer is not None and not any(str(v).strip() for v in attempt.answer.answer):
            reason = "what is asked for is an empty cell"
            # without the attempt, whose blank value would be shown
            return Decision(None, because, warnings=(f"{reason}: {_columns_asked(found)}.",))
        chosen = attempt if attempt.answered else None
        sure, unused = round(found.confidence, 4), tuple(unused_words(found))
        return Decision(chosen, because, (attempt,), tuple(assumptions(found)), confidence=sure, unused=unused)

    def program(self, found: Understanding, several: bool) -> str:
        """The program of what was understood; `several`: other tables are asked too."""
        table = found.best.table
        return Writer(table, table.name if several else None).program(found.best.reading)

    def understood(self, question: str, graph: GraphView) -> Understanding:
        """What a question over the tables of a graph asks.

        Raises:
            CannotPropose: it is not understood, or not surely enough.
        """
        outlines = graph.outlines
        if len(outlines) > MAX_TABLES:
            reason = f"{len(outlines)} tables are too many to look into without an LLM: name those that you mean"
            raise _refusal(reason, outlines)
        tables = tables_of(question, graph)
        right = None if graph.exact else spelt_right(question, tables)
        if right is None:
            return self._understood(question, tables, outlines)
        try:
            found = self._understood(right.question, tables_of(right.question, graph), outlines)
        except CannotPropose as refusal:
            raise CannotPropose(refusal.reason, refusal.closest, (*right.notes, *refusal.then)) from None
        return replace(found, notes=(*right.notes, *found.notes))

    def _understood(self, question: str, tables: Sequence[Table], outlines: Sequence[Outline]) -> Understanding:
        """What a question whose words are spelt right asks; raises `CannotPropose` as `understood`."""
        judged = both_asked(question, tables, self._model, self._certain) or yes_or_no(question, tables)
        if isinstance(judged, str):
            raise _refusal(judged, outlines)
        if judged is not None:
            return judged
        every = [each for table in tables for each in candidates(question, table, self._model)]
        found = understand(every, self._model)
        if found is None:
            raise _refusal("the question is not understood", outlines)
        found = with_others(found)
        if reason := why_unsure(found, self._certain):
            raise _refusal(reason, outlines)
        return found


def _columns_asked(found: Understanding) -> str:
    target = found.best.reading.target
    return f"'{found.best.table.columns[target].name}'" if target is not None else found.best.table.name


def _refusal(reason: str, outlines: Sequence[Outline]) -> CannotPropose:
    columns = [relation.name for outline in outlines[:1] for relation in outline.relations]
    closest = [f"the columns {some_of(columns)}"] if len(outlines) == 1 and columns else []
    return CannotPropose(reason, closest)


def tables_of(question: str, graph: GraphView) -> list[Table]:
    """The tables of a graph in memory, in one round trip; in one more for the question's names if they are large."""
    outlines = graph.outlines
    cells = sum(outline.rows * len(outline.relations) for outline in outlines)
    keys = [mention.key for mention in graph.mentions(question)] if cells > MAX_CELLS else []
    read = graph.table_rows([outline.name for outline in outlines], keys)
    columns = {outline.name: [(each.name, each.kind) for each in outline.relations] for outline in outlines}
    return [table_of(name, columns[name], list(read[name].rows.values()), read[name].whole) for name in columns]
