"""What an answer tells of a literal that was read in a way that may surprise."""

from __future__ import annotations

import pytest

from cgstore.query.comparisons import ValueReading
from cgstore.query.operands import Named, Names, NodeEquality, NumberEquality
from cgstore.query.operators import Part, Search
from cgstore.query.sources import SourceScope
from cgstore.text.kinds import ValueKind
from tests.rule_cases import plan_of, relation

MEANT_1200 = "'1.200' was read as 1.2: a point stands before decimals. Write 1200 if that is meant."


@pytest.mark.parametrize(
    ("kind", "text", "notes"),
    [
        (ValueKind.NUMBER, "1.200", [MEANT_1200]),
        (ValueKind.NUMBER, "0.125", []),
        (ValueKind.NUMBER, "12.5", []),
        (ValueKind.NUMBER, "1.200", [MEANT_1200]),
        (ValueKind.PERCENT, "0.1", ["'0.1' was read as 0.1%: write '10%' if that is meant."]),
        (ValueKind.PERCENT, "10%", []),
    ],
)
def test_a_literal_that_may_mean_another_number_has_a_note(kind: ValueKind, text: str, notes: list[str]) -> None:
    assert list(ValueReading((kind,)).notes(text)) == notes


def test_an_output_equals_the_texts_of_one_relation_and_the_numbers_of_another_of_its_name() -> None:
    sizes = relation("size"), Named("other\x1fsize", "size", ValueKind.NUMBER)
    scope = SourceScope(("other", "world"), Names((relation("spouse"), *sizes)))
    plan = plan_of("get_information(relation='size', tail_entity=get_information(relation='spouse'))", scope)
    searches = [step for step in plan.steps if isinstance(step, Search) and step.asked is Part.HEAD and step.tail]
    compared = {
        search.node1.nodes[0].kind: type(search.tail[0]) for search in searches if isinstance(search.node1, Names)
    }
    assert compared == {ValueKind.TEXT: NodeEquality, ValueKind.NUMBER: NumberEquality}
