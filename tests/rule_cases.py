"""A program for every rule and function, and its statement: what snapshots and plans are tested on."""

from __future__ import annotations

from cgstore.cypher.compile import Statement, compile_plan
from cgstore.query.execution import Names, Plan
from cgstore.query.literals import NameRole, name_uses
from cgstore.query.parse import parse
from cgstore.query.plan import make_plan

RELATIONS = Names(("world\x1femployer", "world\x1fspouse"), ("employer", "spouse"))

ARGUMENTS = {
    "h": "head_entity='Marie Curie'",
    "r": "relation='spouse'",
    "t": "tail_entity='Pierre Curie'",
    "k": "key='employer'",
    "v": "value='Sorbonne'",
}
TIME_ARGUMENTS = ARGUMENTS | {"k": "key='time'", "v": "value='1900'"}

PROGRAMS = {
    "two_bounds": "get_information(relation='spouse', key='time', value>='1890', value<'1900-06')",
    "order_of_a_tail": "get_information(relation='spouse', tail_entity>='5')",
    "output_as_head": "get_information(relation='spouse')\nget_information(head_entity='output_of_query1', key='time')",
    "output_as_value": "get_information(key='time')\n"
    "get_information(relation='spouse', key='time', value='output_of_query1')",
    "order_against_an_output": "get_information(key='time')\n"
    "get_information(relation='spouse', key='start_time', value>'output_of_query1')",
    "set_union": "set_union(set1=get_information(relation='spouse'), set2='Marie Curie')",
    "set_intersection": "set_intersection(set1=get_information(relation='spouse'), set2='Marie Curie')",
    "set_difference": "set_difference(set1=get_information(relation='spouse'), set2='Marie Curie')",
    "set_negation": "set_negation(set=get_information(relation='spouse'))",
    "set_negation_of_facts": "set_negation(set=get_information(key='time', value='1900'))",
    "keep": "get_information(key='time')\nmin(set='output_of_query1')\n"
    "keep(set='output_of_query1', value>'output_of_query2', value<1950)",
    "min": "min(set=get_information(relation='spouse', key='time'))",
    "max": "max(set=get_information(relation='spouse', key='time'))",
    "mean": "mean(set=get_information(relation='spouse', key='time'))",
    "sum": "sum(set=get_information(relation='spouse', key='time'))",
    "count": "count(set=get_information(relation='spouse', key='time'))",
    "target": "{spouse}\nQuery1: \"get_information(relation='employer', tail_entity='Sorbonne')\"",
}


def plan_of(text: str) -> Plan:
    """The plan of a program whose relations and keys are those of a source `world`, and whose names are all there."""
    program = parse(text)
    names = {
        use.literal.place: Names((use.literal.text,), (use.literal.text,))
        if use.role is NameRole.ENTITY
        else Names((f"world\x1f{_key(use.literal.text)}",), (_key(use.literal.text),))
        for use in name_uses(program)
    }
    return make_plan(program, names)


def statement_of(text: str) -> Statement:
    """The statement of a program."""
    return compile_plan(plan_of(text), ["world"], RELATIONS)


def call(letters: str, arguments: dict[str, str]) -> str:
    """A get_information with these arguments."""
    return f"get_information({', '.join(arguments[letter] for letter in letters)})"


def _key(text: str) -> str:
    return text.replace("_", " ")
