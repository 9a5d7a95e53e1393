"""The description of a graph in a prompt: its relations with numbers of facts and examples, qualifiers, and times."""

from __future__ import annotations

from cgstore.llm.graph_view import Relation
from cgstore.llm.prompts.content import Content, Shown
from cgstore.llm.prompts.quoting import quoted

MAX_KEYS = 50
"""Qualifiers shown of a source."""

LONGEST_EXAMPLE = 60
"""Characters of a name in an example."""

TIMES = {
    "year": "1994",
    "month": "1994-05",
    "day": "1994-05-17",
    "minute": "1994-05-17T10:30",
    "second": "1994-05-17T10:30:15",
}
"""An example of a time of each step."""

DATES = ("date", "day-first date", "day")
"""The kinds of values that are days of a calendar."""


def graph_text(one: Shown, content: Content, examples: int) -> str:
    """A graph in words.

    Args:
        one: the source with the relations that are shown, the most relevant first.
        content: what was read of it.
        examples: how many of the relations have an example; with 0 none has its number of facts.
    """
    outline = one.outline
    lines = [f"{one.title}{_step(one, content)}. {_relations_title(one, bool(examples))}"]
    lines += [_with_example(one, relation, content) for relation in one.relations[:examples]]
    counted = content if examples else Content()
    rest = [_counted(one, relation, counted) for relation in one.relations[examples:]]
    if rest and examples:
        lines.append(f"Further relations: {'; '.join(rest)}")
    elif rest:
        lines[0] += f" {'; '.join(rest)}"
    if outline.step:
        lines.append("Keys of times: time, start_time, end_time")
    if outline.keys:
        more = f"; and {len(outline.keys) - MAX_KEYS:,} more" if len(outline.keys) > MAX_KEYS else ""
        lines.append(f"Qualifiers: {'; '.join(map(quoted, outline.keys[:MAX_KEYS]))}{more}")
    if lacking := _lacking(one):
        lines.append(lacking)
    return "\n".join(lines)


def _step(one: Shown, content: Content) -> str:
    """The step of the times, and the first and the last one."""
    step = one.outline.step
    if step not in TIMES:
        return ""
    first, last = content.times.get(one.outline.name, ("", "")) if not content.private else ("", "")
    span = f" from '{first}' to '{last}'" if first else f", such as '{TIMES[step]}'"
    return f", times by {step}{span}"


def _relations_title(one: Shown, examples: bool) -> str:
    shown, every = len(one.relations), len(one.outline.relations)
    cut = f", the {shown:,} of {every:,} that are most relevant to the question" if shown < every else ""
    form = ", with the number of facts and one of them as head | tail" if examples else ""
    return f"Relations{cut}{form}:"


def _with_example(one: Shown, relation: Relation, content: Content) -> str:
    facts = content.facts.get((one.outline.name, relation.name))
    if facts is None or content.private:
        return f"- {_counted(one, relation, content)}"
    ends = " | ".join(quoted(end, LONGEST_EXAMPLE) for end in (facts.head, facts.tail))
    return f"- {_counted(one, relation, content)}: {ends}"


def _counted(one: Shown, relation: Relation, content: Content) -> str:
    """The name of a relation with the kind of its values and its number of facts."""
    facts = content.facts.get((one.outline.name, relation.name))
    about = [*([relation.kind] if relation.kind else []), *([f"{facts.count:,}"] if facts else [])]
    return f"{quoted(relation.name)} ({', '.join(about)})" if about else quoted(relation.name)


def _lacking(one: Shown) -> str:
    """Says plainly that a graph has no dates or numbers, by the kinds of all its relations."""
    if one.outline.step or one.outline.keys:
        return ""
    kinds = {relation.kind for relation in one.outline.relations}
    if not any(kinds):
        return "It has no dates and no numbers."
    return "" if kinds.intersection(DATES) else "It has no dates, except years where a number is one."
