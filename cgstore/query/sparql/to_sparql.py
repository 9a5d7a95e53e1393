"""Form -> SPARQL 1.1: each form becomes a group of patterns that binds one variable to its elements."""

from __future__ import annotations

import re

from cgstore.errors import BadInput
from cgstore.query.name_uses import is_time_name
from cgstore.query.sexpr import forms
from cgstore.query.sexpr.to_program import TYPE_RELATION, constraint_relations, constraint_time
from cgstore.query.sparql.vocabulary import NUMBERS, TIMES, Vocabulary, string_term, time_bounds
from cgstore.text.dates import read_moment, with_four_digits
from cgstore.text.numbers import read_number

ANSWER = "?x"
"""The variable of the answer."""

_TIME_TYPES = ", ".join(f"xsd:{datatype}" for datatype in TIMES)
_PLAIN = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


class NoSparql(BadInput):
    """A form that has no counterpart in SPARQL."""


def to_sparql(form: forms.Form, vocabulary: Vocabulary | None = None) -> str:
    """The SPARQL query that gives the elements of a form.

    All elements that tie for ARGMAX or ARGMIN answer. A year or a month means all its days. The values of one relation
    are taken to be numbers or times, not both.

    Args:
        form: the logical form.
        vocabulary: how names and values are written; Freebase's by default.

    Raises:
        NoSparql: something in it has no counterpart; the message names it.
    """
    writer = _Writer(vocabulary or Vocabulary())
    if isinstance(form, forms.Count):
        head, lines = f"SELECT (COUNT(DISTINCT {ANSWER}) AS ?count)", writer.group(form.operand, ANSWER)
    else:
        head, lines = f"SELECT DISTINCT {ANSWER}", writer.group(form, ANSWER)
    return f"{writer.vocabulary.prologue}{head}\nWHERE {{\n{_block(lines)}\n}}\n"


def _block(lines: list[str]) -> str:
    return "\n".join(f"  {line}" for line in _queries_first(lines))


def _queries_first(lines: list[str]) -> list[str]:
    """The lines of a group with the queries within it first: some engines run these again for each earlier solution.

    A query within binds one variable of its own, so that its place in the group makes no difference.
    """
    queries: list[str] = []
    others: list[str] = []
    inside = False
    for number, line in enumerate(lines):
        inside = inside or (line == "{" and lines[number + 1].startswith("  SELECT "))
        (queries if inside else others).append(line)
        inside = inside and line != "}"
    return queries + others


class _Writer:
    """Writes the groups of one query. Every group has variables of its own, but for the one that it binds."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.variables = 0

    def variable(self) -> str:
        self.variables += 1
        return f"?v{self.variables}"

    def group(self, form: forms.Form, var: str) -> list[str]:
        """The lines that bind the variable to the elements of a form."""
        match form:
            case forms.Name(text=text):
                return [f"VALUES {var} {{ {self.vocabulary.value_term(text)} }}"]
            case forms.TypedLiteral(text=text, datatype=datatype):
                return [f"VALUES {var} {{ {self.vocabulary.typed_term(text, datatype)} }}"]
            case forms.ClassName(text=text):
                return [self.triple(forms.Step(TYPE_RELATION), var, self.vocabulary.iri_term(text))]
            case forms.Join(step=step, operand=operand):
                return self.join(step, operand, var)
            case forms.Combination(function=function, operands=operands):
                return self.combination(function, operands, var)
            case forms.Count(operand=operand):
                inner = self.variable()
                return self.select(f"(COUNT(DISTINCT {inner}) AS {var})", self.group(operand, inner))
            case forms.Extreme():
                return self.extreme(form, var)
            case forms.OrderComparison(path=path, value=value):
                value_var = self.variable()
                return [*self.path(path, var, value_var), f"FILTER({self.compared(value_var, form.sign, value)})"]
            case forms.TimeConstraint():
                return self.time_constraint(form, var)

    def select(self, head: str, lines: list[str]) -> list[str]:
        return ["{", f"  SELECT {head} WHERE {{", *(f"    {line}" for line in _queries_first(lines)), "  }", "}"]

    def triple(self, step: forms.Step, start: str, end: str) -> str:
        head, tail = (end, start) if step.inverse else (start, end)
        return f"{head} {self.vocabulary.iri_term(step.relation)} {tail} ."

    def path(self, path: forms.Path, start: str, end: str) -> list[str]:
        nodes = [start, *(self.variable() for _ in path[1:]), end]
        return [self.triple(step, nodes[n], nodes[n + 1]) for n, step in enumerate(path)]

    def join(self, step: forms.Step, operand: forms.Form, var: str) -> list[str]:
        """The triple with a constant, or with the variable of the operand's own group."""
        if isinstance(operand, forms.Name) and step.inverse:
            return [self.triple(step, var, self.vocabulary.iri_term(operand.text))]
        if isinstance(operand, forms.Value) and not step.inverse:
            return self.equal(step, operand, var)
        inner = self.variable()
        return [*self.group(operand, inner), self.triple(step, var, inner)]

    def equal(self, step: forms.Step, value: forms.Value, var: str) -> list[str]:
        """The heads of a constant: a number by its value, a time with all its days, a string in any language."""
        datatype = value.datatype if isinstance(value, forms.TypedLiteral) else self.vocabulary.datatype(value.text)
        is_number = datatype in NUMBERS and read_number(value.text) is not None
        compares = is_number or (datatype in TIMES and time_bounds(_day(value)) is not None)
        if compares or (isinstance(value, forms.TypedLiteral) and datatype == "string"):
            inner = self.variable()
            condition = self.compared(inner, "=", value) if compares else f"STR({inner}) = {string_term(value.text)}"
            return [self.triple(step, var, inner), f"FILTER({condition})"]
        constant = self.vocabulary.iri_term(value.text)
        if datatype is not None:
            constant = self.vocabulary.typed_term(value.text, datatype)
        return [self.triple(step, var, constant)]

    def combination(self, function: str, operands: tuple[forms.Form, ...], var: str) -> list[str]:
        first, *others = (self.group(operand, var) for operand in operands)
        if function == "AND":
            return [line for lines in (first, *others) for line in lines]
        if function == "OR":
            union = ["{", *(f"  {line}" for line in _queries_first(first)), "}"]
            for lines in others:
                union += ["UNION", "{", *(f"  {line}" for line in _queries_first(lines)), "}"]
            return union
        taken = operands[1]
        is_constant = isinstance(operands[0], forms.Value)  # rdflib loses VALUES beside FILTER if ?x is bound before
        if isinstance(taken, forms.Name) and self.vocabulary.datatype(taken.text) is None and not is_constant:
            return [*first, f"FILTER({var} != {self.vocabulary.iri_term(taken.text)})"]
        return [*first, "MINUS {", *(f"  {line}" for line in _queries_first(others[0])), "}"]

    # Values -----------------------------------------------------------------------------------------------------------

    def compared(self, var: str, op: str, value: forms.Value) -> str:
        """The condition that a variable, as a number or as a time, compares so with a value.

        Times compare as texts, so that days, years and times with a clock compare with one another on any endpoint.
        """
        text = _day(value)
        conditions = []
        if (number := read_number(text)) is not None:
            written = text if _PLAIN.fullmatch(text) else f"{number:.15g}"
            conditions.append(f"isNumeric({var}) && {var} {op} {written}")
        if (bounds := time_bounds(text)) is not None:
            low, high = map(string_term, bounds)
            within = {
                "<": f"STR({var}) < {low}",
                "<=": f"STR({var}) <= {high}",
                ">": f"STR({var}) > {high}",
                ">=": f"STR({var}) >= {low}",
                "=": f"STR({var}) >= {low} && STR({var}) <= {high}",
            }[op]
            conditions.append(f"DATATYPE({var}) IN ({_TIME_TYPES}) && {within}")
        if not conditions and read_moment(text) is not None:
            raise NoSparql(
                f"'{value.text}' has no counterpart in SPARQL: times compare as texts there, from year 0001 to 9999."
            )
        if not conditions:
            longer = with_four_digits(value.text)
            raise NoSparql(
                f"'{value.text}' is not a number, a year, a month or a day, and nothing compares with it.",
                longer and f"A year has four digits: write {longer}.",
            )
        return " || ".join(conditions)

    def extreme(self, form: forms.Extreme, var: str) -> list[str]:
        """Writes the elements with the best value of all; a subquery finds that value."""
        direction = {"ARGMAX": "MAX", "ARGMIN": "MIN"}[form.function]
        best = self.variable()
        of_best, key = self.keyed(form)
        lines, own = self.keyed(form, var)
        return [
            *self.select(f"({direction}({key}) AS {best})", of_best),
            *lines,
            f"FILTER({own} = {best})",
        ]

    def keyed(self, form: forms.Extreme, var: str | None = None) -> tuple[list[str], str]:
        """The elements of an operand with a key for each value: the number, or the text of the time."""
        var = var or self.variable()
        value, key = self.variable(), self.variable()
        return [
            *self.group(form.operand, var),
            *self.path(form.path, var, value),
            f"FILTER(isNumeric({value}) || DATATYPE({value}) IN ({_TIME_TYPES}))",
            f"BIND(IF(isNumeric({value}), {value}, STR({value})) AS {key})",
        ], key

    def time_constraint(self, form: forms.TimeConstraint, var: str) -> list[str]:
        """Two conditions as in the published queries: without such a time, or with one that fits."""
        if is_time_name(form.relation.relation):
            raise NoSparql(
                f"A constraint on the key '{form.relation.relation}' has no counterpart in SPARQL: it speaks of facts.",
                "A triple of RDF has no times. Write a relation such as film.performance.from.",
            )
        begin, end = constraint_relations(form)
        time = forms.Name(constraint_time(form))
        lines = self.group(form.operand, var)
        for relation, op in ((begin, "<="), (end, ">=")):
            step, any_value, value = forms.Step(relation), self.variable(), self.variable()
            lines += [
                f"FILTER(NOT EXISTS {{ {self.triple(step, var, any_value)} }} ||",
                f"  EXISTS {{ {self.triple(step, var, value)} FILTER({self.compared(value, op, time)}) }})",
            ]
        return lines


def _day(value: forms.Value) -> str:
    """The text of a value; of a time with a clock, its day."""
    return value.text.partition("T")[0] if isinstance(value, forms.TypedLiteral) else value.text
