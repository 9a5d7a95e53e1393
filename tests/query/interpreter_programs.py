"""Programs over a graph, made by hypothesis: every function, every combination of arguments, outputs in every place.

Arguments are taken from facts that are there, so that most programs find something. Names are written exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from cgstore.text.numbers import read_number
from tests.query import interpreter_dates as dates
from tests.query.interpreter_graph import Fact, Graph
from tests.query.interpreter_order import shown
from tests.query.interpreter_search import Found, Sort
from tests.query.interpreter_search_programs import NUMBERS, ORDER, SearchWriter, Written, quoted

OF_NAMES = (
    *("min", "max", "sum", "mean", "count", "mode", "first", "last", "distinct", "keep", "keep", "set_negation"),
    *("argmin", "argmax", "abs", "extract_year", "previous_row", "next_row", "sort", "sort", "to_number", "to_integer"),
    *("median", "standard_deviation", "exists", "nth", "extract_month", "extract_number"),
    *("extract_quarter", "extract_day", "extract_weekday", "extract_number", "items", "items", "first", "last"),
    *("fold", "extract_year_month"),
)
OF_FACTS = ("count", "first", "last", "set_negation", "exists", "nth")
OF_WORDS = ("count", "first", "last", "exists", "nth", "sort", "items", "fold", "extract_number", "keep", "distinct")
OF_NUMBERS = (
    *("min", "max", "sum", "mean", "count", "mode", "first", "last", "distinct", "keep", "abs", "sort", "median"),
    *("standard_deviation", "exists", "nth", "to_integer"),
)
WITH_NUMBERS = (
    *("min", "max", "argmin", "argmax", "keep", "keep", "sort", "sort", "first", "last", "nth", "sum", "mean"),
    *("median", "standard_deviation", "to_number", "to_integer", "abs", "distinct", "count"),
)
"""What is done with a set with numbers most of the time."""

ARITHMETIC = (
    *("subtract", "difference", "difference", "add", "multiply", "divide", "percentage", "calculate"),
    *("year_difference", "month_difference", "day_difference"),
)
TO_NUMBERS = (
    *("sum", "mean", "count", "abs", "to_number", "to_integer", "extract_year", "previous_row", "next_row"),
    *("median", "standard_deviation", "extract_month", "extract_quarter", "extract_day", "extract_number"),
    *ARITHMETIC,
)
TO_WORDS = ("exists", "items", "fold", "extract_weekday", "extract_year_month")
STATISTICS = ("sum", "mean", "min", "max", "median", "standard_deviation", "count")
WORDS = ("yes", "no", "7.25", "Nobody", "output_of_query1", "[line_99]")
"""What no node is named."""


class Writer(SearchWriter):
    """Draws the calls of one program."""

    def call(self, depth: int = 0) -> Written:
        """Any call; one that uses an output, wherever there are outputs."""
        alone = ["search"] * 8 + ["set"] * 4 + ["literals", "heads", "text", "text", "dates"]
        alone += [] if self.inside and not self.chance(2) else ["for each"] * 2 + ["group"] * 4 + ["reach"]
        kind = self.pick([*alone, *(["of set"] * 9 + ["two"] * 5 + ["of several"] if self.sorts else [])])
        match kind:
            case "search":
                return self.search(depth)
            case "literals":
                return self.literals()
            case "set":
                return self.of_sets(depth)
            case "heads":
                return self.heads()
            case "text":
                return self.of_text()
            case "dates":
                return self.of_dates()
            case "reach":
                return self.reach(depth)
            case "group":
                return self.group(depth)
            case "for each":
                return self.for_each(depth)
            case "two":
                return self.of_two(depth)
            case "of several":
                return self.of_several(depth)
        return self.of_set(depth)

    def given(self, depth: int, sorts: Sequence[Sort] = ()) -> Written:
        """An output, mostly of one of these sorts, or a nested call; inside a call for each element, this as well."""
        if self.inside and self.chance(50):
            return "each", Sort.NAMES
        fitting = [n for n, sort in enumerate(self.sorts, 1) if sort in sorts or not sorts or self.chance(4)]
        if fitting and (depth > 1 or not self.chance(15)):
            number = self.pick(fitting[::-1])
            return quoted(f"output_of_query{number}"), self.sorts[number - 1]
        return self.call(depth + 1) if depth < 2 else self.search(3)

    # Functions

    def of_set(self, depth: int) -> Written:
        given, sort = self.given(depth)
        if any(given == quoted(f"output_of_query{number}") for number in self.numbered) and self.chance(75):
            function = self.pick(WITH_NUMBERS)
        elif sort is Sort.FACTS and self.chance(95):
            function = self.pick(OF_FACTS)
        elif sort is Sort.WORDS and self.chance(95):
            function = self.pick(OF_WORDS)
        else:
            function = self.pick(OF_NAMES if sort is Sort.NAMES or self.chance(4) else OF_NUMBERS)
        parts = [f"set={given}"]
        parts += self.options(function, sort, depth)
        if function.startswith("arg") and self.chance(50):
            parts += [f"relation={quoted(self.pick(sorted(self.graph.relations)).name)}"]
        return f"{function}({', '.join(parts)})", self.sort_of(function, sort)

    def sort_of(self, function: str, sort: Sort) -> Sort:
        """What a function gives of a set that holds this."""
        return Sort.NUMBERS if function in TO_NUMBERS else Sort.WORDS if function in TO_WORDS else sort

    def options(self, function: str, sort: Sort, depth: int) -> list[str]:
        """The arguments beside the set."""
        values = [f.tail.name for f in self.graph.facts] + [about.value.name for about in self.graph.abouts]
        if function == "keep" and (self.chance(35) or sort is Sort.WORDS):
            texts = [self.pick(values) for _ in range(self.pick([1, 1, 1, 2]))]
            return [
                f"{self.pick(('contains', 'starts_with', 'ends_with'))}={quoted(self.part(text))}" for text in texts
            ]
        if function == "keep":
            return self.bounds("value", values, None, depth)
        if function == "sort" and self.chance(60):
            return [self.pick(["order='descending'", "order='asc'", "ascending=False", "order='alphabetical'"])]
        if function in ("first", "last") and self.chance(60):
            return [f"n='{self.pick((1, 2, 3, 5))}'"]
        if function == "nth":
            return [f"n='{self.pick((1, 2, 3, -1, -2))}'"]
        if function == "extract_number" and self.chance(50):
            return [f"which={quoted(self.pick(('first', 'second', 'third', 'last', '1', '2', '-1')))}"]
        if function == "items" and self.chance(40):
            return [f"separator={quoted(self.pick((',', ';', '-', ' ', 'e', 'de')))}"]
        return []

    def part(self, text: str) -> str:
        """Some of a text, at times in another case and without its accent."""
        start = self.pick(range(max(1, len(text))))
        part = text[start : start + self.pick((1, 2, 4))] or "a"
        return part.upper().replace("Ë", self.pick("ËE")) if self.chance(30) else part

    # Texts, dates and rows

    def relation_that(self, fits: Callable[[Found], bool]) -> str:
        """A relation that has a value that fits, if there is one."""
        values = [Found(fact.tail, fact, self.graph.reading(fact.relation)) for fact in self.graph.facts]
        names = {found.origin.relation.name for found in values if isinstance(found.origin, Fact) and fits(found)}
        return quoted(self.pick(sorted(names))) if names else self.relation_name()

    def values_of(self, fits: Callable[[Found], bool]) -> str:
        """Values of a relation that fit: all, or those of a head."""
        relation = self.relation_that(fits)
        if self.inside or self.chance(50):
            return f"get_information({'head_entity=each, ' if self.inside else ''}relation={relation})"
        heads = sorted({f.head.name for f in self.graph.facts if quoted(f.relation.name) == relation})
        return f"get_information(head_entity={quoted(self.pick(heads))}, relation={relation})"

    def of_text(self) -> Written:
        """A function of texts or dates, of values that it fits."""
        functions = ("extract_number", "items", "fold", "keep", "sort", *dates.PARTS)
        function = self.pick((*functions, "longest_run") if self.graph.tables else functions)
        if function == "longest_run":
            fact = self.pick(self.graph.facts)
            bound = f"{self.pick(('=', '<', '>=', '<='))}{quoted(fact.tail.name)}"
            rows = f"get_information(relation={quoted(fact.relation.name)}, tail_entity{bound})"
            return f"longest_run(set={rows})", Sort.NAMES
        if function in dates.PARTS:
            values = self.values_of(lambda found: dates.parts_of(found) is not None)
        elif function == "items":
            values = self.values_of(lambda found: len(dates.items_of(str(shown(found.element)), None)) > 1)
        else:
            values = self.values_of(lambda found: any(map(str.isdigit, str(shown(found.element)))))
        options = self.options(function, Sort.WORDS, 3)
        sort = self.sort_of(function, Sort.NAMES)
        return f"{function}({', '.join([f'set={values}', *options])})", sort

    def of_dates(self) -> Written:
        """The years, months or days between two dates."""
        sides = [self.values_of(lambda found: dates.parts_of(found) is not None) for _ in range(2)]
        literal = quoted(self.pick(("2004-02-29", "2000-03", "1999-12-31", "2004", "July 2, 2004")))
        sides = [side if self.chance(75) else literal for side in sides]
        function = self.pick(("difference", "difference", "month_difference", "day_difference", "year_difference"))
        parts = [f"value{number}={side}" for number, side in enumerate(sides, 1)]
        parts += [f"unit={quoted(self.pick(('years', 'months', 'days')))}"] if function == "difference" else []
        return f"{function}({', '.join(parts)})", Sort.NUMBERS

    # Calls for each element

    def relation_name(self) -> str:
        """A relation, mostly one of the head at hand."""
        of_head = sorted({fact.relation for fact in self.graph.facts if fact.head == self.at})
        return quoted(self.pick(of_head if of_head and self.chance(80) else sorted(self.graph.relations)).name)

    def body(self, depth: int, *, of_numbers: bool = False) -> str:
        """A call with `each`: mostly of its values under a relation."""
        each = self.pick(["each", "each", "each", "'each'"])
        values = f"get_information(head_entity={each}, relation={self.relation_name()})"
        options = [values] * 3 + ["count", "rows", "of two", "statistic", "dates", "any"]
        match self.pick([*options, *(["text"] if of_numbers else ["text"] * 3)]):
            case "count":
                return f"count(set={values})"
            case "rows":
                return f"count(set=get_information(relation={self.relation_name()}, tail_entity={each}))"
            case "of two":
                sides = [self.pick([self.relation_name(), self.relation_name(), values, each, "'2'"]) for _ in range(2)]
                return f"{self.pick(ARITHMETIC[:7])}(value1={sides[0]}, value2={sides[1]})"
            case "statistic":
                return f"{self.pick(STATISTICS)}(set={values})"
            case "text" | "dates" as kind:
                outer, self.inside = self.inside, True
                text, _ = self.of_text() if kind == "text" else self.of_dates()
                self.inside = outer
                return text
            case "any":
                return self.any_inside(depth)
        return values

    def any_inside(self, depth: int) -> str:
        outer, self.inside = self.inside, True
        text, _ = self.call(depth + 1)
        self.inside = outer
        return text

    def relation_or_body(self, depth: int, *, of_numbers: bool = False) -> str:
        return self.relation_name() if self.chance(55) else self.body(depth, of_numbers=of_numbers)

    def set_of_each(self, depth: int) -> Written:
        """What the elements are: mostly heads."""
        return self.heads() if self.chance(60) else self.given(depth, [Sort.NAMES])

    def for_each(self, depth: int) -> Written:
        self.at = self.pick(self.graph.facts).head
        given, sort = self.set_of_each(depth)
        self.numbered |= {len(self.sorts) + 1} if not depth else set()
        return f"for_each(set={given}, value={self.relation_or_body(depth, of_numbers=True)})", sort

    def group(self, depth: int) -> Written:
        self.at = self.pick(self.graph.facts).head
        by = self.pick([self.relation_name()] * 4 + ["each", self.body(depth)])
        function = self.pick([None, *STATISTICS])
        of = (
            self.relation_or_body(depth, of_numbers=True)
            if function not in (None, "count") or self.chance(50)
            else None
        )
        given = self.set_of_each(depth)[0] if self.chance(60 if "(" in by or by == "each" else 25) else None
        self.numbered |= {len(self.sorts) + 1} if not depth else set()
        parts = {"set": given, "by": by, "of": of, "function": function and quoted(function)}
        sort = Sort.WORDS if by.startswith(TO_WORDS) else Sort.NUMBERS if by.startswith(TO_NUMBERS) else Sort.NAMES
        return f"group({', '.join(f'{name}={text}' for name, text in parts.items() if text)})", sort

    def select(self) -> str:
        """The last query of a program."""
        self.at = self.pick(self.graph.facts).head
        given, _ = self.set_of_each(0)
        columns = [self.relation_or_body(0) if self.chance(85) else "each" for _ in range(self.pick([1, 2, 2, 3]))]
        return f"select(set={given}, {', '.join(f'column={column}' for column in columns)})"

    def heads(self) -> Written:
        parts = [f"relation={self.relation_name()}"] if self.chance(70) else []
        parts += [f"source={quoted(self.pick(self.graph.sources))}"] if self.chance(20) else []
        return f"heads({', '.join(parts)})", Sort.NAMES

    def reach(self, depth: int) -> Written:
        """Along one of the relations that lead on, where there is one."""
        heads = {fact.head for fact in self.graph.facts}
        leading = [fact for fact in self.graph.facts if fact.tail in heads]
        if not leading and not self.chance(5):
            return self.search(depth)
        fact = self.pick(leading or self.graph.facts)
        end = self.given(depth, [Sort.NAMES])[0] if self.sorts and self.chance(30) else None
        name, node = self.pick([("head_entity", fact.head), ("tail_entity", fact.tail)])
        parts = [f"{name}={end or quoted(node.name)}", f"relation={quoted(fact.relation.name)}"]
        parts += [f"at_most='{self.pick((1, 2, 3, 10))}'"] if self.chance(50) else []
        return f"reach({', '.join(parts)})", Sort.NAMES

    # Functions of several sets

    def of_sets(self, depth: int) -> Written:
        function = self.pick(["set_union", "set_intersection", "set_difference"])
        first, sort = self.given(depth)
        count = 2 if function == "set_difference" or self.chance(80) else 3
        sets = [first] + [self.another_set(depth, sort) for _ in range(count - 1)]
        parts = [f"set{number}={each}" for number, each in enumerate(sets, 1)]
        return f"{function}({', '.join(parts)})", sort

    def of_several(self, depth: int) -> Written:
        """An aggregate of several sets."""
        function = self.pick(["min", "max", "sum", "mean"])
        first, sort = self.given(depth, [Sort.NAMES, Sort.NUMBERS])
        sets = [first] + [self.another_set(depth, sort) for _ in range(self.pick([1, 1, 2]))]
        parts = [f"set{number}={each}" for number, each in enumerate(sets, 1)]
        return f"{function}({', '.join(parts)})", Sort.NUMBERS if function in TO_NUMBERS else sort

    def literals(self) -> Written:
        """Names, numbers or words, mostly all of one kind."""
        names = [fact.tail.name for fact in self.graph.facts] + [fact.head.name for fact in self.graph.facts]
        options: Sequence[str] = self.pick([names, names, NUMBERS, WORDS, [*names, *NUMBERS, *WORDS]])
        texts = [self.pick(options) for _ in range(self.pick([1, 2, 2, 3]))]
        written = f"literals({', '.join(f'set={quoted(text)}' for text in texts)})"
        if all(self.graph.entity(text) or text.startswith("[line_") for text in texts):
            return written, Sort.NAMES
        return written, Sort.NUMBERS if all(read_number(text) is not None for text in texts) else Sort.WORDS

    def another_set(self, depth: int, sort: Sort) -> str:
        if sort is Sort.NAMES and self.chance(15):
            return quoted(self.pick(self.graph.facts).tail.name)
        return self.given(depth, [sort])[0]

    def of_two(self, depth: int) -> Written:
        function = self.pick([*ARITHMETIC, "compare", "compare", "if", "equals", "greater_than", "less_than"])
        if function == "if":
            sides = [self.given(depth, [Sort.NUMBERS])[0] for _ in range(2)]
            operator = quoted(self.pick(("=", *ORDER)))
            branches, sort = self.branches(depth)
            chosen = zip(("then", "else"), branches, strict=False)
            parts = [f"value1={sides[0]}", f"value2={sides[1]}", f"operator={operator}"]
            return f"if({', '.join([*parts, *(f'{name}={text}' for name, text in chosen)])})", sort
        sides = [self.one_number(depth) for _ in range(2)]
        parts = [f"value{number}={side}" for number, side in enumerate(sides, 1)]
        if function == "compare":
            parts += [f"operator={quoted(self.pick(('<', '>')))}"] if self.chance(50) else []
            return f"compare({', '.join(parts)})", Sort.NAMES
        if function in ("equals", "greater_than", "less_than"):
            return f"{function}({', '.join(parts)})", Sort.WORDS
        if function == "calculate":
            parts += [f"operator={quoted(self.pick('-+*/'))}"]
        if function == "difference" and self.chance(50):
            parts += [f"unit={quoted(self.pick(('years', 'year', 'months', 'days', 'month')))}"]
        return f"{function}({', '.join(parts)})", Sort.NUMBERS

    def branches(self, depth: int) -> tuple[list[str], Sort]:
        """Of an `if`: words, one output, or two, mostly of one kind; a name may stand beside an output."""
        if self.chance(40):
            return ["'yes'", "'no'"], Sort.WORDS
        then, sort = self.given(depth)
        return [then, self.another_set(depth, sort)] if self.chance(50) else [then], sort

    def one_number(self, depth: int) -> str:
        if self.chance(15):
            return quoted(self.pick(NUMBERS))
        if self.chance(40):
            return self.given(depth, [Sort.NUMBERS, Sort.NAMES])[0]
        return f"{self.pick(['count', 'max', 'min', 'sum', 'mean'])}(set={self.given(depth, [Sort.NAMES])[0]})"


@st.composite
def programs(draw: st.DrawFn, graph: Graph) -> str:
    """A program of 1 to 6 calls, at times with a type in braces; some are not legal."""
    writer = Writer(draw, graph)
    lines = []
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 2, 2, 3, 3, 4, 6]))):
        text, sort = writer.call()
        lines.append(text)
        writer.sorts.append(sort)
    if writer.chance(8):
        lines.append(writer.select())
    elif writer.chance(6):
        lines.insert(0, "{" + writer.pick(sorted(graph.relations)).name + "}")
    return "\n".join(lines)
