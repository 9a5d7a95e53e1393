"""The notes under a question: which names of the data it has, how they are linked, and which names the data lack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cgstore.llm.fact_view import MAX_COUNTED, NameLink, Onward
from cgstore.llm.prompts.schema import quoted
from cgstore.mapping.mentions import Mention, NearMentions, Node
from cgstore.text.names import is_nameless

LONGEST_END = 60
"""Characters of a name at the other end of a fact."""

MAX_ONWARD = 8
"""Relations listed of the nodes without a name behind one relation."""

MAX_ASIDE = 6
"""Relations or columns listed of a name that may be meant."""

MAX_UNKNOWN = 5
"""Names listed that the data lack."""


@dataclass(frozen=True)
class NameNotes:
    """Writes the notes.

    Args:
        links: the links of each name, by its key.
        scores: how similar relations are to the question.
        only_tables: whether all sources are tables.
        private: whether no cell and no fact may be shown.
        timed: whether the data have times.
        brief: whether only the names of relations are shown.
    """

    links: Mapping[str, Sequence[NameLink]]
    scores: Mapping[str, float]
    only_tables: bool
    private: bool
    timed: bool
    brief: bool

    def text(self, mentions: Sequence[Mention], near: NearMentions, most: int) -> str:
        """The notes on the mentions and on what else is near; `most` relations are listed of a name on each side."""
        lines = [line for mention in mentions for line in self._mention(mention, most)]
        if not self.private:
            for text, nodes in near.likely:
                aside = (lambda _: ":") if self._is_sure(nodes) else self._aside
                may = [f"{quoted(node.name, LONGEST_END)}{aside(node.key)}" for node in nodes]
                lines.append(f"the question's {quoted(text)} may be {' or '.join(may)}")
                lines += self._sides(nodes[0].key, min(most, MAX_ASIDE)) if self._is_sure(nodes) else []
        parts = ["Names in it:", *lines] if lines else []
        thing = "cell is just" if self.only_tables else "node is named"
        parts += [f"No {thing} {quoted(text)}." for text in near.unknown[:MAX_UNKNOWN]]
        return "\n".join(parts)

    def _mention(self, mention: Mention, most: int) -> list[str]:
        """A name or time with its links."""
        name = quoted(mention.text if self.private and self.only_tables else mention.name)
        if self.only_tables:
            columns = self._columns(mention.key, most)
            return [f"{name}: {columns}"] if columns else []
        lines = self._sides(mention.key, most)
        if mention.kind == "time" and not lines:
            return [f"{name}: a time"] if self.timed else []
        return [f"{name}{':' * bool(lines)}", *lines]

    def _is_sure(self, nodes: Sequence[Node]) -> bool:
        """Whether one name of a graph alone may be meant, whose links are then shown a line each."""
        return len(nodes) == 1 and not self.only_tables and nodes[0].key in self.links

    def _sides(self, key: str, most: int) -> list[str]:
        """The links of a name as head, and as tail, a line each."""
        links = self.links.get(key, ())
        return [
            f"- {side} of {line}"
            for side, as_head in (("head", True), ("tail", False))
            for line in self._listed([link for link in links if link.as_head is as_head], most)
        ]

    def _columns(self, key: str, most: int) -> str:
        """The columns that have a cell."""
        columns = list(dict.fromkeys(link.relation for link in self.links.get(key, ()) if not link.as_head))
        return f"in the column{'s' * (len(columns) > 1)} {'; '.join(map(quoted, columns[:most]))}" if columns else ""

    def _aside(self, key: str) -> str:
        """The columns or relations of a name that may be meant, in brackets."""
        if self.only_tables:
            parts = [self._columns(key, MAX_ASIDE)]
        else:
            links = sorted(self.links.get(key, ()), key=lambda link: (-self._score(link), link.relation))
            sides = (
                (side, dict.fromkeys(quoted(link.relation) for link in links if link.as_head is as_head))
                for side, as_head in (("head of", True), ("tail of", False))
            )
            parts = [f"{side} {'; '.join(list(relations)[:MAX_ASIDE])}" for side, relations in sides if relations]
        return f" ({', '.join(filter(None, parts))})" if any(parts) else ""

    def _listed(self, links: Sequence[NameLink], most: int) -> list[str]:
        """Links in words; if there are too many, those most like the question, and how many more."""
        order = sorted(links, key=lambda link: (-self._score(link), link.relation)) if len(links) > most else links
        lines = [self._link(link) for link in order[:most]]
        if len(links) > most:
            lines.append(f"{len(links) - most:,} more relations")
        return lines

    def _score(self, link: NameLink) -> float:
        """The similarity of a relation, or of a relation behind a node without a name, to the question."""
        names = [link.relation, *(step.relation for step in link.onward)]
        return max(self.scores.get(name, 0.0) for name in names)

    def _link(self, link: NameLink) -> str:
        """A relation with its number of facts, and with some of the other ends."""
        if self.brief:
            return quoted(link.relation)
        count = f"{link.count:,}" if link.count < MAX_COUNTED else f"{link.count:,} or more"
        line = f"{quoted(link.relation)} ({count})"
        if link.onward:
            line += f": {self._nameless(link)}"
        elif link.ends and not self.private:
            line += f": {'; '.join(quoted(end, LONGEST_END) for end in link.ends)}"
        return line

    def _nameless(self, link: NameLink) -> str:
        """The nodes without a name at the other end, and their relations."""
        end = next(end for end in link.ends if is_nameless(end))
        steps = sorted(link.onward, key=lambda step: (-self.scores.get(step.relation, 0.0), step.relation))
        shown = "; ".join(map(self._step, steps[:MAX_ONWARD]))
        example = "" if self.private else f" such as {quoted(end)}"
        return f"nodes without a name{example}, which are {shown}"

    def _step(self, step: Onward) -> str:
        end = "" if self.private else f" {quoted(step.end, LONGEST_END)}"
        return f"{'head' if step.as_head else 'tail'} of {quoted(step.relation)}{end and f' with{end}'}"
