"""A program for every rule and function, and its statement: what the tests of rules and plans run."""

from __future__ import annotations

from cgstore.cypher.compile.statement import Statement, compile_plan
from cgstore.query.ast import Place
from cgstore.query.name_uses import NameRole, is_time_name, name_uses
from cgstore.query.operands import Named, Names
from cgstore.query.parse import parse
from cgstore.query.plan import Plan
from cgstore.query.planner import make_plan
from cgstore.query.sources import SourceScope
from cgstore.text.kinds import ValueKind


def entity(name: str) -> Names:
    """A name that is there exactly so."""
    return Names((Named(name, name),))


def relation(name: str, kind: ValueKind = ValueKind.TEXT, *, column: bool = False, key: bool = False) -> Named:
    """A relation or key of the source `world`."""
    return Named(f"world\x1f{name}", name, kind, "year" if key else None, column, not key, key, key and "time" in name)


ASKED = SourceScope(("world",), Names((relation("employer"), relation("spouse"))))
TABLE = SourceScope(
    ("world",),
    Names((relation("Team", column=True), relation("Points", ValueKind.NUMBER, column=True))),
    only_tables=True,
)

ARGUMENTS = {
    "h": "head_entity='Marie Curie'",
    "r": "relation='spouse'",
    "t": "tail_entity='Pierre Curie'",
    "k": "key='employer'",
    "v": "value='Sorbonne'",
}
QUALIFIERS = ("as", "for")
QUALIFIER_ARGUMENTS = ARGUMENTS | {"k": "key='as'"}
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
    "output_of_numbers": "count(set=get_information(relation='spouse'))\n"
    "get_information(relation='employer', tail_entity='output_of_query1')",
    "most_often": "get_information(relation='spouse', tail_entity>='most')",
    "mode": "mode(set=get_information(relation='spouse'))",
    "first": "first(set=get_information(relation='spouse'))",
    "sort": "sort(set=get_information(relation='spouse'), order='descending')",
    "first_of_a_sort": "first(set=keep(set=sort(set=get_information(relation='spouse')), value>'5'))",
    "keep_texts": "keep(set=get_information(relation='spouse'), contains='Cur', ends_with='e')",
    "heads": "heads(relation='spouse')",
    "all_heads": "heads()",
    "exists": "exists(set=get_information(relation='spouse'))",
    "median": "median(set=get_information(relation='spouse', key='time'))",
    "standard_deviation": "standard_deviation(set=get_information(relation='spouse', key='time'))",
    "first_two": "first(set=get_information(relation='spouse'), n='2')",
    "last_two_of_a_sort": "last(set=sort(set=get_information(relation='spouse'), order='alphabetical'), n='2')",
    "nth": "nth(set=get_information(relation='spouse'), n='3')",
    "extract_month": "extract_month(set=get_information(relation='spouse'))",
    "extract_weekday": "extract_weekday(set=get_information(relation='spouse'))",
    "extract_number": "extract_number(set=get_information(relation='spouse'), which='last')",
    "items": "items(set=get_information(relation='spouse'), separator=';')",
    "fold": "fold(set=get_information(relation='spouse'))",
    "difference_in_days": "difference(value1=get_information(relation='spouse'), value2='2004-07-02', unit='days')",
    "reach": "reach(head_entity='Marie Curie', relation='spouse', at_most='2')",
    "reach_back": "reach(tail_entity='Marie Curie', relation='spouse', at_most='1')",
    "argmax": "argmax(set=get_information(relation='spouse'))",
    "abs": "abs(set=get_information(relation='spouse'))",
    "extract_year_month": "extract_year_month(set=get_information(relation='spouse'))",
    "extract_year": "extract_year(set=get_information(relation='spouse'))",
    "difference": "difference(value1=get_information(relation='spouse'), value2='5')",
    "divide": "divide(value1=count(set='Marie Curie'), value2=sum(set=get_information(relation='spouse')))",
    "compare": "compare(value1=count(set=get_information(relation='spouse', tail_entity='Pierre Curie')),"
    " value2=get_information(relation='employer', head_entity='Marie Curie'))",
    "if": "count(set='Marie Curie')\ncount(set='Sorbonne')\n"
    "if(output_of_query1 > output_of_query2, 'Marie Curie', 'Sorbonne')",
    "where_of_a_fact": "get_information(head_entity='Marie Curie', relation='spouse', key='as', "
    "where_key='for', where_value='Sorbonne')",
    "where_alone": "get_information(key='as', where_key='for', where_value>'5')",
    "where_of_a_relation": "get_information(key='for')\nget_information(relation='spouse', key='as', where_key='for', "
    "where_value='output_of_query1', where_key2='start_time', where_value2<'1900')",
    "where_of_a_value": "get_information(relation='spouse', key='time', value='1900', where_key='as', where_value='5')",
    "target": "{spouse}\nQuery1: \"get_information(relation='employer', tail_entity='Sorbonne')\"",
}


SPOUSES = "get_information(relation='spouse', tail_entity='Pierre Curie', key='time'"
JOB = "get_information(head_entity='Marie Curie', relation='employer', tail_entity='Sorbonne', key='time')"
PERIOD_PROGRAMS = {
    "when": JOB,
    "at_a_time": f"{SPOUSES}, value='1900-04')",
    "at_the_first_time": f"{SPOUSES}, value=min({SPOUSES})))",
    "at_the_last_time_before": f"{SPOUSES}, value=max(keep({SPOUSES}), value<'1900-04-19')))",
    "times_after_another_fact": f"keep({SPOUSES}), value>{JOB})",
    "during_another_fact": f"{SPOUSES}, value={JOB})",
    "times_in_common": f"set_intersection({SPOUSES}), {JOB})",
    "how_many_times_of_either": f"count(set_union({SPOUSES}), {JOB}))",
    "each_time": f"extract_year(set_intersection({SPOUSES}), {JOB}))",
    "each_time_of_what_is_kept": f"mean(keep({SPOUSES}), value>'1900-04-19'))",
    "last_time_for_each": "for_each(set=heads(relation='spouse'), "
    "value=max(get_information(head_entity=each, key='time')))",
}
"""Programs over days."""


def names_of(text: str, asked: SourceScope = ASKED, *, step: str = "year") -> dict[Place, Names]:
    """What the names of a program mean where all are there: times and qualifiers are keys, the rest relations.

    Times are `step` apart.
    """
    names: dict[Place, Names] = {}
    for use in name_uses(parse(text)):
        name = use.literal.text
        if use.role is NameRole.ENTITY:
            names[use.literal.place] = entity(name)
            continue
        known = [node for node in asked.relations.nodes if node.name == name]
        key = [relation(name.replace("_", " "), key=True)] if is_time_name(name) or name in QUALIFIERS else []
        names[use.literal.place] = Names(tuple(known or (node._replace(step=step) for node in key)))
    return names


TABLE_PROGRAMS = {
    "rows_of_a_cell": "get_information(head_entity='Ajax', relation='Points')",
    "order_of_cells": "get_information(relation='Points', tail_entity>='1,000')",
    "cells_by_number": "get_information(relation='Points', tail_entity=max(set=get_information(relation='Points')))",
    "target_of_rows": "{Team}\nQuery1: \"get_information(relation='Points', tail_entity='5')\"",
    "target_of_a_sort": "{Team}\nQuery1: \"sort(set=get_information(relation='Points', tail_entity='5'))\"",
    "rows_before": "previous_row(set=get_information(relation='Team', tail_entity='Ajax'))",
    "last_row": "last(set=get_information(relation='Team', tail_entity='Ajax'))",
    "rows_of_the_greatest": "argmax(set=get_information(relation='Team', tail_entity='Ajax'), relation='Points')",
    "longest_run": "longest_run(set=get_information(relation='Team', tail_entity='Ajax'))",
    "sum_of_rows": "sum(set=get_information(relation='Points'))",
    "union_of_cells": "max(set=set_union(set1=get_information(relation='Points'), set2='5'))",
    "groups": "group(by='Team', of='Points', function='sum')",
    "groups_of_a_text": "group(by=fold('Team'), of='Points', function='sum')",
    "groups_of_a_number": "group(by=to_integer('Points'))",
}
"""Programs over a table with the columns Team and Points."""


def plan_of(text: str, asked: SourceScope = ASKED, *, step: str = "year") -> Plan:
    """The plan of a program whose relations and keys are those of a source `world`, and whose names are all there."""
    return make_plan(parse(text), names_of(text, asked, step=step), asked)


def statement_of(text: str, asked: SourceScope = ASKED, *, step: str = "year") -> Statement:
    """The statement of a program."""
    return compile_plan(plan_of(text, asked, step=step), asked)


def call(letters: str, arguments: dict[str, str]) -> str:
    """A get_information with these arguments."""
    return f"get_information({', '.join(arguments[letter] for letter in letters)})"
