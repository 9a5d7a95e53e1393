"""The functions of the language over outputs, as the language page defines them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from cgstore.text.kinds import ValueKind
from tests.query.interpreter_graph import PLAIN, ROW_NUMBER, About, Fact, Graph, Node
from tests.query.interpreter_search import (
    ORDER,
    Arguments,
    Comparison,
    Element,
    Found,
    NoMeaning,
    Output,
    Search,
    Sort,
    compared,
    get_information,
    line_of,
    named,
    satisfies,
)


def names(found: Iterable[Found]) -> Output:
    return Output(Sort.NAMES, tuple(dict.fromkeys(found)))


def nodes(given: Iterable[Node], *, rows: bool) -> Output:
    """What is named in the program; `rows`: by names of rows."""
    return replace(names(map(Found, given)), rows=rows)


def numbers(values: Iterable[float], whose: Output | None = None) -> Output:
    return Output(Sort.NUMBERS, tuple(Found(float(value)) for value in dict.fromkeys(values)), whose)


def values_only(output: Output) -> Output:
    """Facts only go into set functions, count, first and last; words, unless they have numbers, likewise."""
    if output.sort in (Sort.FACTS, Sort.WORDS) and not output.numbered:
        raise NoMeaning(f"{output.sort} have no meaning here")
    return output


def names_only(output: Output) -> Output:
    if output.sort is not Sort.NAMES:
        raise NoMeaning(f"{output.sort} have no meaning here")
    return output


def same_sort(outputs: Sequence[Output]) -> Sort:
    sorts = {output.sort for output in outputs}
    if len(sorts) > 1:
        raise NoMeaning("all sets hold the same kind of thing")
    return sorts.pop()


def set_union(*sets: Output) -> Output:
    return _kept(sets, set.union, all(given.rows for given in sets))


def set_intersection(*sets: Output) -> Output:
    return _kept(sets, set.intersection, any(given.rows for given in sets))


def _kept(sets: Sequence[Output], combine: Callable[..., set[Element]], rows: bool) -> Output:
    """The facts of all the sets."""
    sort, elements = same_sort(sets), combine(*(output.elements for output in sets))
    found = dict.fromkeys(found for output in sets for found in output.found if found.element in elements)
    cells, disordered = all(given.cells for given in sets), any(given.was_sorted for given in sets)
    return Output(sort, tuple(found), rows=rows, cells=cells, columns=columns_of(sets), disordered=disordered)


def columns_of(sets: Sequence[Output]) -> frozenset[str] | None:
    """The relations whose values the elements are; None where those of a set may be something else."""
    columns = [given.columns for given in sets]
    return None if None in columns else frozenset(name for names in columns for name in names or ())


def set_difference(set1: Output, set2: Output) -> Output:
    sort = same_sort([set1, set2])
    found = tuple(found for found in set1.found if found.element not in set2.elements)
    rows, cells = set1.rows and set2.rows, set1.cells and set2.cells
    disordered = set1.was_sorted or set2.was_sorted
    return Output(sort, found, rows=rows, cells=cells, columns=columns_of([set1, set2]), disordered=disordered)


def set_negation(graph: Graph, output: Output) -> Output:
    """All heads, or all facts, that are not in the set."""
    if output.sort is Sort.FACTS:
        facts = dict.fromkeys(named(fact) for fact in [*graph.facts, *(about.fact for about in graph.abouts)])
        return Output(Sort.FACTS, tuple(Found(fact) for fact in facts if fact not in output.elements))
    names_only(output)
    heads = names(Found(head) for head in sorted(graph.heads) if head not in output.elements)
    return replace(heads, rows=output.rows, disordered=output.was_sorted)


def keep(output: Output, comparisons: Sequence[Comparison]) -> Output:
    values_only(output)
    if any(comparison.superlative for comparison in comparisons):
        raise NoMeaning("keep compares with what is written")
    if output.numbered:
        return replace(output, found=tuple(_with_numbers(output.found, comparisons)))
    found = compared(output.found, comparisons, {found.reading for found in output.found}, kept=True)
    return replace(output, found=tuple(found), whose=subject(output), found_by=None)


def _with_numbers(found: Sequence[Found], comparisons: Sequence[Comparison]) -> list[Found]:
    """The elements whose own numbers satisfy all comparisons; a name, or an output that is not of numbers, keeps it."""
    for comparison in comparisons:
        _, bound, nodes, _ = comparison
        by_element = isinstance(bound, Output) and bound.sort is not Sort.NUMBERS
        if isinstance(bound, str) and PLAIN.span(bound) is None:
            elements: set[Element] | None = {*nodes}
            if comparison.op != "=":
                raise NoMeaning(f"'{bound}' reads as no number here")
        else:
            elements = bound.elements if isinstance(bound, Output) and by_element and comparison.op == "=" else None
        if elements is not None:
            found = [each for each in found if each.element in elements]
        else:
            found = [each for each in found if satisfies(Found(each.own or 0.0), comparison, by_name=False)]
    return list(found)


def extreme(output: Output, which: Callable[..., float]) -> Output:
    """The element as written, the first by name among equals."""
    values_only(output)
    read = [found for found in output.found if found.number is not None]
    best = which((found.number for found in read), default=0.0)
    first = min((found.element for found in read if found.number == best), key=_by_name, default=None)
    kept = tuple(found for found in read if found.number == best and found.element == first)
    return as_set(chosen(output, kept))


def chosen(output: Output, found: Iterable[Found]) -> Output:
    """Some of the elements: their numbers belong to what those of all did; numbers of their own belong to them."""
    whose = None if output.numbered else subject(output)
    return replace(output, found=tuple(found), whose=whose, found_by=None)


def as_set(output: Output) -> Output:
    return replace(output, order=None, disordered=False)


def sort(output: Output, descending: bool, alphabetical: bool = False) -> Output:
    """By number, where each element has one or is a value of a relation that is read as numbers; else by name."""
    if output.sort is Sort.FACTS or (alphabetical and (output.rows or output.sort is Sort.NUMBERS)):
        raise NoMeaning("this has no such order")
    order = sorted(output.elements, key=lambda element: str(getattr(element, "owner", "")))
    numbers_of: dict[Element, list[float]] = {element: [] for element in order}
    for found in output.found:
        numbers_of[found.element] += [] if found.number is None else [found.number]
    cells = [found for found in output.found if isinstance(found.origin, Fact)]
    read = {found.element for found in cells if found.reading.kind is not ValueKind.TEXT}
    by_number = all(numbers or element in read for element, numbers in numbers_of.items()) and not alphabetical
    if by_number:
        order = [element for element in order if numbers_of[element]]
    own: Callable[[list[float]], float] = max if descending else min

    def rank(element: Element) -> tuple[float, float, str, str]:
        name = element.name if isinstance(element, Node) else element if isinstance(element, str) else ""
        at = element if isinstance(element, float) else 0.0
        return own(numbers_of[element]) if by_number else 0.0, at, name.lower(), name

    order.sort(key=rank, reverse=descending)
    kept = [found for found in output.found if found.element in order]
    return chosen(replace(output, order=tuple(order), disordered=False), kept)


def _by_name(element: Element) -> tuple[str | float, ...]:
    """By source, then by name: rows of two tables have the same names; numbers by themselves."""
    if isinstance(element, Node):
        return element.owner, element.name
    return (element if isinstance(element, float) else str(element),)


def values(output: Output) -> list[float]:
    """A number for each fact that gave an element; times count once, and so does a number of an element's own."""
    values_only(output)
    if output.numbered:
        return [number for _, number in dict.fromkeys((found.element, found.own or 0.0) for found in output.found)]
    times = {found.element: found for found in output.found if found.reading.step}
    others = [found for found in output.found if not found.reading.step]
    each = [found.number for found in [*times.values(), *others]]
    return [number for number in each if number is not None]


def total(output: Output) -> Output:
    return numbers([math.fsum(values(output))], subject(output))


def total_of_several(sets: Sequence[Output]) -> Output:
    """The sum of the sums."""
    sums = [total(given).found[0].number or 0.0 for given in sets]
    return numbers([math.fsum(sums)])


def mean_of_several(sets: Sequence[Output]) -> Output:
    """Of all facts; each number counts, also where another set has the same."""
    if same_sort(sets) is not Sort.NUMBERS:
        return mean(set_union(*sets))
    every = [number for given in sets for number in values(given)]
    return numbers([math.fsum(every) / len(every)] if every else [])


def mean(output: Output) -> Output:
    every = values(output)
    return numbers([math.fsum(every) / len(every)] if every else [], subject(output))


def middle(every: Sequence[float]) -> float:
    """The median."""
    ordered, half = sorted(every), len(every) // 2
    return ordered[half] if len(every) % 2 else (ordered[half - 1] + ordered[half]) / 2


def deviation(every: Sequence[float]) -> float:
    """That of a sample, of two numbers or more."""
    average = math.fsum(every) / len(every)
    return math.sqrt(math.fsum((number - average) ** 2 for number in every) / (len(every) - 1))


STATISTICS: dict[str, tuple[int, Callable[[Sequence[float]], float]]] = {
    "sum": (0, math.fsum),
    "mean": (1, lambda every: math.fsum(every) / len(every)),
    "min": (1, min),
    "max": (1, max),
    "median": (1, middle),
    "standard_deviation": (2, deviation),
}
"""What is computed of the numbers of a set, or of a group, with how many it needs."""


def statistic(function: str, every: Sequence[float]) -> float | None:
    least, compute = STATISTICS[function]
    return compute(every) if len(every) >= least else None


def spread(function: str, output: Output) -> Output:
    """The median or the standard deviation."""
    result = statistic(function, values(output))
    return numbers([] if result is None else [result], subject(output))


def exists(output: Output) -> Output:
    return Output(Sort.WORDS, (Found("yes" if output.found else "no"),))


def count(output: Output) -> Output:
    return numbers([len(output.elements)], subject(output))


def subject(output: Output) -> Output:
    """Whose number it is: what heads were found by, what was asked of or counted, else the elements."""
    if output.whose is not None:
        return output.whose
    return names(output.found_by) if output.found_by else Output(output.sort, output.alone.found, rows=output.rows)


def asked_through(graph: Graph, a: Arguments) -> Output | None:
    """What `subject` is of values that were asked of all heads for which something else is so."""
    if a.fact_keys:
        return None
    match a.letters:
        case "rk":
            heads = dict.fromkeys(fact.head for fact in Search(graph).match(None, a.relations))
            return Output(Sort.NAMES, tuple(map(Found, heads)), rows=graph.of_tables(a.relations))
        case "rtk":
            return subject(get_information(graph, Arguments(relations=a.relations, tail=a.tail)))
        case "rkv":
            return subject(get_information(graph, Arguments(properties=a.properties, value=a.value)))
    return None


def mode(output: Output) -> Output:
    """The values that most of the facts have; heads and relations count once."""
    names_only(output)
    times = Counter(found.element for found in output.found)
    most = max(times.values(), default=0)
    kept = tuple(found for found in output.found if times[found.element] == most)
    return as_set(replace(output, found=kept, whose=subject(output), found_by=None))


def arg_extreme(graph: Graph, output: Output, relations: frozenset[Node] | None, which: Callable[..., float]) -> Output:
    """The heads of the facts with the extreme value: those that gave the elements, or those of the heads given."""
    if output.numbered and relations is None:
        best = which((found.number or 0.0 for found in output.found), default=0.0)
        kept = chosen(output, (found for found in output.found if found.number == best))
        return replace(kept, order=None, disordered=output.was_sorted)
    output = names_only(output.alone)
    search = Search(graph)
    found = output.found if relations is None else search.tails(search.match(output.nodes, relations))
    read = [f for f in found if f.number is not None]
    best = which((f.number for f in read), default=0.0)
    heads = names(Found(_head(f)) for f in read if f.number == best)
    are_rows = output.rows or output.cells if relations is None else graph.of_tables(relations)
    return replace(heads, rows=are_rows)


def _head(found: Found) -> Element:
    """The head of the fact that gave an element; one that no fact gave stands for itself."""
    fact = found.origin.fact if isinstance(found.origin, About) else found.origin
    return found.element if fact is None else fact.head


def next_row(graph: Graph, output: Output, step: int) -> Output:
    """The rows beside, each in its own table; of anything else each number plus the step."""
    values_only(output)
    if not output.rows:
        return each_number(output, lambda number: number + step)
    beside = set()
    for node in output.nodes:
        numbered = numbered_rows(graph, node.owner) if node.is_row else {}
        further = [number for number in numbered if (number - line_of(node)) * step > 0]
        beside |= {numbered[min(further, key=lambda number: number * step)]} if further else set()
    return replace(names(map(Found, sorted(beside))), rows=True)


def numbered_rows(graph: Graph, table: str) -> dict[int, Node]:
    """The rows of a table by their numbers, between which others may have been removed."""
    of_table = (f for f in graph.facts if f.relation == Node(ROW_NUMBER, table))
    return {int(fact.tail.name): fact.head for fact in of_table}


def longest_run(graph: Graph, output: Output) -> Output:
    """The longest series of rows that follow each other in their table; of equal ones the first."""
    if not output.rows:
        raise NoMeaning("only rows follow each other")
    runs: list[list[Node]] = []
    for row in sorted(output.nodes, key=lambda row: (row.owner, line_of(row))):
        last = runs[-1][-1] if runs else None
        if last is None or last.owner != row.owner or _are_apart(graph, last, row):
            runs.append([])
        runs[-1].append(row)
    best = max(runs, key=len, default=[])
    kept = [f for f in output.found if f.element in best]
    return replace(chosen(output, kept), order=None, disordered=output.was_sorted)


def _are_apart(graph: Graph, row: Node, later: Node) -> bool:
    return any(line_of(row) < number < line_of(later) for number in numbered_rows(graph, row.owner))


def each_number(output: Output, function: Callable[[float], float]) -> Output:
    values_only(output)
    each = numbers((function(f.number) for f in output.found if f.number is not None), subject(output))
    return replace(each, disordered=output.was_sorted)


ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "difference": lambda a, b: abs(a - b),
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b if b else math.nan,
    "percentage": lambda a, b: 100 * a / b if b else math.nan,
}


def all_numbers(output: Output) -> set[float]:
    return {found.number for found in values_only(output).found if found.number is not None}


def arithmetic(function: str, left: Output, right: Output, *, of_years: bool = False) -> Output:
    """Of the one number of each side, or of the one whole year; nothing where a side has none or several."""
    a, b = all_numbers(left), all_numbers(right)
    if of_years:
        a, b = {float(math.floor(number)) for number in a}, {float(math.floor(number)) for number in b}
    result = ARITHMETIC[function](a.pop(), b.pop()) if len(a) == len(b) == 1 else math.nan
    return numbers([] if math.isnan(result) else [result])


def between(a: set[float], b: set[float]) -> Output:
    """The months or days between the one date of each side."""
    return numbers([abs(a.pop() - b.pop())] if len(a) == len(b) == 1 else [])


def equals(left: Output, right: Output) -> Output:
    """The same numbers, or where there are none the same elements."""
    a, b = all_numbers(left), all_numbers(right)
    same = a == b if a or b else left.elements == right.elements
    return Output(Sort.WORDS, (Found("yes" if same else "no"),))


def extreme_numbers(left: Output, right: Output, op: str) -> tuple[float, float] | None:
    """Several numbers of a side: the greatest counts, for the less the least; None where a side has none."""
    a, b = all_numbers(left), all_numbers(right)
    best = min if op.startswith("<") else max
    return (best(a), best(b)) if a and b else None


def compare(left: Output, right: Output, op: str) -> Output:
    """Whose number is the greater, or the less; both where they tie."""
    sides = subject(left), subject(right)
    sorts = {side.sort for side in sides}
    if len(sorts) > 1:
        raise NoMeaning("one of the two numbers is nobody's, or they are those of facts and of names")
    sort = sorts.pop()
    rows = all(side.rows for side in sides)
    two = extreme_numbers(left, right, op)
    if two is None:
        return Output(sort, (), rows=rows)
    best = min(two) if op.startswith("<") else max(two)
    found = [f for number, side in zip(two, sides, strict=True) for f in side.found if number == best]
    return Output(sort, tuple(dict.fromkeys(found)), rows=rows)


def choose(left: Output, right: Output, op: str, then: Output, otherwise: Output) -> Output:
    """One of the two, which hold the same kind of thing; its numbers are nobody's."""
    rows, cells = then.rows and otherwise.rows, then.cells and otherwise.cells
    disordered = any(side.was_sorted for side in (then, otherwise))
    none = Output(same_sort([then, otherwise]), (), rows=rows, cells=cells)
    if then.order is not None and otherwise.order is not None:
        none = replace(none, order=())
    elif disordered:
        none = replace(none, disordered=True)
    two = extreme_numbers(left, right, op)
    if two is None:
        return none
    a, b = two
    chosen = then if (a == b if op == "=" else ORDER[op](a, b)) else otherwise
    return replace(none, found=chosen.found, order=chosen.order if none.order is not None else None)
