"""A small engine for the programs of `cronquestions_programs`: a dictionary of facts, no database.

It knows only what those programs use, straight from the definition of a temporal condition graph (language page,
sections 1, 6 and 7), so that a program can be checked against gold answers without the engine under test.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

Fact = tuple[str, str, str]

_QUERY = re.compile(r'Query\d+: "(?P<function>\w+)\((?P<arguments>.*)\)"')
_ARGUMENT = re.compile(r"(?P<name>\w+)(?P<comparator>[<>=])'(?P<value>(?:[^'\\]|\\.)*)'(?:, |$)")


class Oracle:
    """Facts (head, relation, tail) with the years in which each holds."""

    def __init__(self, rows: Iterable[tuple[str, str, str, int, int]]) -> None:
        self.years: dict[Fact, set[int]] = defaultdict(set)
        self._by: dict[str, dict[str, list[Fact]]] = {"head": defaultdict(list), "tail": defaultdict(list)}
        for head, relation, tail, start, end in rows:
            fact = (head, relation, tail)
            if fact not in self.years:
                self._by["head"][head].append(fact)
                self._by["tail"][tail].append(fact)
            self.years[fact].update(range(start, end + 1))

    def run(self, program: str) -> set[str]:
        """The answers, years as texts; the empty set where nothing is found."""
        outputs: list[set[str]] = []
        for line in program.splitlines():
            query = _QUERY.fullmatch(line)
            assert query, line
            outputs.append(self._call(query["function"], query["arguments"], outputs))
        return outputs[-1]

    def _call(self, function: str, text: str, outputs: list[set[str]]) -> set[str]:
        arguments: dict[str, set[str]] = {}
        comparators: dict[str, str] = {}
        end = 0
        for match in _ARGUMENT.finditer(text):
            assert match.start() == end, text
            end, name = match.end(), match["name"]
            arguments[name], comparators[name] = _value(match["value"], outputs), match["comparator"]
        assert end == len(text), text
        if function == "get_information":
            return self._search(arguments)
        numbers = {int(value) for value in arguments["set"]}
        if function in ("min", "max"):
            return {str((min if function == "min" else max)(numbers))} if numbers else set()
        assert function == "keep", function
        bounds = [int(value) for value in arguments["value"]]
        later = comparators["value"] == ">"
        return {str(n) for n in numbers if any(n > b if later else n < b for b in bounds)}

    def _search(self, arguments: dict[str, set[str]]) -> set[str]:
        assert arguments["key"] == {"time"}
        head, relation, tail, value = (arguments.get(n) for n in ("head_entity", "relation", "tail_entity", "value"))
        side, names = ("head", head) if head is not None else ("tail", tail)
        facts = [
            fact
            for name in names or ()
            for fact in self._by[side].get(name, ())
            if (relation is None or fact[1] in relation) and (tail is None or fact[2] in tail)
        ]
        if value is None:
            return {str(year) for fact in facts for year in self.years[fact]}
        years = {int(year) for year in value}
        return {fact[2] if side == "head" else fact[0] for fact in facts if self.years[fact] & years}


def _value(text: str, outputs: list[set[str]]) -> set[str]:
    if match := re.fullmatch(r"output_of_query(\d+)", text):
        return outputs[int(match[1]) - 1]
    return {re.sub(r"\\(.)", r"\1", text)}
