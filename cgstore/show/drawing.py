"""The evidence of an answer as one SVG text: facts as labelled arrows, the rows of a table as a card.

Nodes and facts are boxes in columns, left to right by their distance from the heads that no fact leads to. A fact
stands between its head and its tail, so that no line crosses a box. The text has no script and no link, and the same
evidence gives the same text. Inline it takes the colour of the text around it; as a file of its own it is light or dark
as the reader prefers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cgstore import arguments
from cgstore.show.evidence import Evidence, Fact, facts_of
from cgstore.text.names import many, some_of
from cgstore.text.svg import LONGEST_TITLE, cut, safe

MOST_FACTS = 30
"""Facts drawn; more are not read by eye."""

MOST_COLUMNS = 8
"""Columns of a table that are drawn side by side."""

MOST_QUALIFIERS = 4
"""Lines of qualifiers beside a fact; its title has more."""

WIDEST = {"node": 210, "fact": 210, "cell": 130}
"""Widths in pixels at which a text is cut; its title has more of it."""

_BOLD = 1.1
"""How much wider bold text is."""

_LINE, _PAD, _GAP, _BETWEEN, _EDGE = 17, 8, 12, 54, 8

_STYLE = """
.cg-evidence{font:13px system-ui,sans-serif}
.cg-evidence:root{color-scheme:light dark;color:CanvasText;background:Canvas}
.cg-evidence text{fill:currentColor}
.cg-evidence .m{text-anchor:middle}
.cg-evidence .s{font-size:11.5px;fill-opacity:.8}
.cg-evidence .h{font-size:11.5px;font-weight:600}
.cg-evidence .node{fill:currentColor;fill-opacity:.07;stroke:currentColor;stroke-opacity:.5}
.cg-evidence .fact{fill:none;stroke:currentColor;stroke-opacity:.25;stroke-dasharray:2 3}
.cg-evidence .line{fill:none;stroke:currentColor;stroke-opacity:.55}
.cg-evidence .same{stroke-dasharray:4 4}
.cg-evidence .tip{fill:currentColor;fill-opacity:.7}
.cg-evidence .answer{fill:#3d8bd9;fill-opacity:.25;stroke:#3d8bd9;stroke-opacity:1;stroke-width:2}
.cg-evidence .a{font-weight:700}
""".strip().replace("\n", "")


def evidence_svg(evidence: Iterable[Evidence], answer: Iterable[object] = (), most: int = MOST_FACTS) -> str:
    """The evidence of an answer as an SVG element; an empty text where there is no evidence.

    Args:
        evidence: the condition triples, those of the program's last step first, as an `Answer` has them.
        answer: the names that are marked as the answer. Numbers were computed, and are not marked.
        most: most facts that are drawn; a line below says how many are not.

    Raises:
        BadInput: `most` is not a whole number from 1 on.
    """
    facts, most = facts_of(evidence), arguments.count("most", most, 1)
    if not facts:
        return ""
    answers = tuple(dict.fromkeys(each for each in answer if isinstance(each, str)))
    shown = _chosen(facts, most)
    drawing = _Drawing(shown, frozenset(answers))
    width, height = drawing.place()
    omitted = len(facts) - len(shown) + drawing.omitted
    below = f"{omitted:,} more fact{'s are' if omitted > 1 else ' is'} not drawn." if omitted else ""
    title = f"Evidence: {many(len(facts), 'fact')}"
    title += f", with the answer {some_of(answers)}" if answers else ""
    width, height = max(width, 200), height + (22 if below else 0)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="cg-evidence" role="img" width="{width:.0f}" ',
            f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" aria-label="{safe(title)}">',
            f"<title>{safe(title)}</title><desc>{safe(_description(shown, below))}</desc>",
            f"<style>{_STYLE}</style>",
            *drawing.parts(),
            f'<text class="s" x="{_EDGE}" y="{height - 10:.0f}">{below}</text>' if below else "",
            "</svg>",
        ]
    )


def _chosen(facts: Sequence[Fact], most: int) -> list[Fact]:
    """The first facts, and of each table whole rows: a row without some of its cells would look as if it had none."""
    units: dict[object, list[Fact]] = {}
    for at, fact in enumerate(facts):
        units.setdefault(at if fact.row is None else (fact.source, fact.head), []).append(fact)
    chosen: list[Fact] = []
    for unit in units.values():
        if chosen and len(chosen) + len(unit) > most:
            break
        chosen += unit[:most]
    return chosen


def _description(facts: Sequence[Fact], below: str) -> str:
    """The facts in words, for those who do not see the drawing."""
    return " ".join([*(f"{fact.words[:LONGEST_TITLE]}." for fact in facts), below]).strip()


# Boxes


@dataclass
class _Text:
    """A line of text in a box: its place from the box's left upper corner, and what it shows."""

    x: float
    y: float
    text: str
    style: str
    title: str = ""
    marked: tuple[float, float, float] | None = None
    """Left edge, width and height of the mark of an answer behind the line."""


@dataclass
class _Box:
    """A node, a fact or the rows of a table, with its place: `x` and `y` of its left upper corner."""

    shape: str
    title: str
    width: float = 0
    height: float = 0
    texts: list[_Text] = field(default_factory=list)
    column: int = -1
    x: float = 0
    y: float = 0

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


@dataclass(frozen=True)
class _Link:
    """A line between two boxes: `at` is its place in the first one, from the top; `tip` says where an arrow ends."""

    first: _Box
    second: _Box
    tip: bool = False
    at: float | None = None


def _node_box(name: str, is_answer: bool) -> _Box:
    text, width = cut(name, WIDEST["node"])
    width *= _BOLD if is_answer else 1
    box = _Box("node answer" if is_answer else "node", f"{name}{' (answer)' if is_answer else ''}")
    box.width, box.height = width + 2 * _PAD, _LINE + 2 * _PAD - 2
    box.texts = [_Text(box.width / 2, _PAD + 12, text, "m a" if is_answer else "m")]
    return box


def _fact_box(fact: Fact, answers: frozenset[str]) -> _Box:
    """A fact's relation, with a line for each key of its qualifiers below."""
    values: dict[str, list[str]] = {}
    for key, value in fact.qualifiers:
        values.setdefault(key, []).append(value)
    about = sorted(values.items(), key=lambda each: answers.isdisjoint(each[1]))
    lines = [(fact.relation, "m", fact.relation in answers)]
    for key, some in about[:MOST_QUALIFIERS]:
        some.sort(key=lambda value: value not in answers)
        lines.append((f"{key}: {', '.join(some)}", "m s", not answers.isdisjoint(some)))
    if len(about) > MOST_QUALIFIERS:
        lines.append((f"and {len(about) - MOST_QUALIFIERS} more", "m s", False))
    box, fitting = _Box("fact", fact.words), [cut(text, WIDEST["fact"]) for text, _, _ in lines]
    shown = [
        (text, width * (_BOLD if is_answer else 1))
        for (text, width), (_, _, is_answer) in zip(fitting, lines, strict=True)
    ]
    box.width, box.height = max(width for _, width in shown) + 2 * _PAD, len(lines) * _LINE + _PAD
    for at, ((_, style, is_answer), (text, width)) in enumerate(zip(lines, shown, strict=True)):
        mark = ((box.width - width) / 2 - 4, width + 8, _LINE) if is_answer else None
        style = f"{style} a" if is_answer else style
        box.texts.append(_Text(box.width / 2, _PAD / 2 + 12.5 + at * _LINE, text, style, marked=mark))
    return box


class _Card:
    """The rows of one table: the cells that the evidence has, in a grid; a single row has a line for each cell."""

    def __init__(self, source: str, facts: Sequence[Fact], answers: frozenset[str]) -> None:
        cells: dict[int, dict[str, list[str]]] = {}
        for fact in facts:
            cells.setdefault(fact.row or 0, {}).setdefault(fact.relation, []).append(fact.tail or "")
        self.box = _Box("node", f"Rows of {source}")
        self.places: dict[str, float] = {}
        """The first place of each value, from the top of the card."""
        self.omitted = 0
        columns = list(dict.fromkeys(fact.relation for fact in facts))
        if len(cells) == 1:
            ((number, row),) = cells.items()
            head = f"[line_{number}]"
            grid = [[(head, head in answers)], *([(name, False), self._cell(row[name], answers)] for name in columns)]
        else:
            shown = columns[:MOST_COLUMNS]
            self.omitted = sum(fact.relation not in shown for fact in facts)
            grid = [[("", False), *((name, name in answers) for name in shown)]]
            for number, row in sorted(cells.items()):
                head = f"[line_{number}]"
                grid.append([(head, head in answers), *(self._cell(row.get(name, []), answers) for name in shown)])
        self._lay_out(source, grid, is_list=len(cells) == 1)

    @staticmethod
    def _cell(values: Sequence[str], answers: frozenset[str]) -> tuple[str, bool]:
        return "; ".join(values), not answers.isdisjoint(values)

    @staticmethod
    def _shown(text: str, is_answer: bool) -> tuple[str, float]:
        shown, width = cut(text, WIDEST["cell"]) if text else ("", 0.0)
        return shown, width * (_BOLD if is_answer else 1)

    def _lay_out(self, source: str, grid: Sequence[Sequence[tuple[str, bool]]], *, is_list: bool) -> None:
        texts = [[self._shown(*cell) for cell in row] for row in grid]
        widths = [max(row[at][1] for row in texts if at < len(row)) + 16 for at in range(max(map(len, grid)))]
        name, width = cut(source, WIDEST["node"])
        self.box.texts.append(_Text(_PAD, _PAD + 10, name, "h", source if name != source else ""))
        top = _PAD + _LINE
        for number, row in enumerate(grid):
            left, middle = float(_PAD), top + number * _LINE + _LINE / 2
            for at, (text, is_answer) in enumerate(row):
                style = "s" if at == 0 or (number == 0 and not is_list) else ""
                mark = (left - 4, texts[number][at][1] + 8, _LINE) if is_answer else None
                style = f"{style} a" if is_answer else style
                if text:
                    short = texts[number][at][0]
                    title = text if text != short else ""
                    self.box.texts.append(_Text(left, middle + 4.5, short, style, title, mark))
                for value in {text, *text.split("; ")}:
                    self.places.setdefault(value, middle)
                left += widths[at]
        self.box.width = max(sum(widths), width) + 2 * _PAD - 8
        self.box.height = top + len(grid) * _LINE + _PAD


# The drawing


class _Drawing:
    """The boxes and lines of some facts; `omitted` counts cells that have no room."""

    def __init__(self, facts: Sequence[Fact], answers: frozenset[str]) -> None:
        self.links: list[_Link] = []
        self.nodes: dict[str, _Box] = {}
        self.answers = answers
        self.heads: set[str] = set()
        self.tails: set[str] = set()
        rows: dict[str, list[Fact]] = {}
        self.others: list[_Box] = []
        for fact in facts:
            if fact.row is not None:
                rows.setdefault(fact.source, []).append(fact)
            else:
                self._add_fact(fact)
        self.cards = [_Card(source, some, answers) for source, some in rows.items()]
        self.omitted = sum(card.omitted for card in self.cards)
        self._join_cards()
        self.boxes = [*(card.box for card in self.cards), *self.nodes.values(), *self.others]

    def _node(self, name: str) -> _Box:
        if name not in self.nodes:
            self.nodes[name] = _node_box(name, name in self.answers)
        return self.nodes[name]

    def _add_fact(self, fact: Fact) -> None:
        box = _fact_box(fact, self.answers)
        self.others.append(box)
        self.heads.add(fact.head)
        self.links.append(_Link(self._node(fact.head), box))
        if fact.tail is not None:
            self.tails.add(fact.tail)
            self.links.append(_Link(box, self._node(fact.tail), tip=True))

    def _join_cards(self) -> None:
        """Lines from cells to the nodes that are the same, and between the tables that share a value."""
        seen: dict[str, int] = {}
        for card in self.cards:
            for value in card.places:
                seen[value] = seen.get(value, 0) + 1
        for card in self.cards:
            for value, place in card.places.items():
                is_row = value.startswith("[line_")
                if value and not is_row and (value in self.nodes or seen[value] > 1):
                    self.links.append(_Link(card.box, self._node(value), at=place))

    def place(self) -> tuple[float, float]:
        """Gives every box its place; the width and height of the drawing."""
        beside: dict[int, list[_Box]] = {id(box): [] for box in self.boxes}
        for link in self.links:
            beside[id(link.first)].append(link.second)
            beside[id(link.second)].append(link.first)
        below: float = _EDGE
        for group in _groups(self.boxes, beside):
            columns = _columns(group, self._roots(group), beside)
            below = _spread_out(columns, beside, below) + 2 * _GAP
        left: float = _EDGE
        for at in range(max(box.column for box in self.boxes) + 1):
            column = [box for box in self.boxes if box.column == at]
            widest = max((box.width for box in column if beside[id(box)]), default=0)
            for box in column:
                box.x = left + ((widest - box.width) / 2 if beside[id(box)] else 0)
            left += widest + _BETWEEN
        return max(box.x + box.width for box in self.boxes) + _EDGE, below - 2 * _GAP + _EDGE

    def _roots(self, group: Sequence[_Box]) -> list[_Box]:
        """Where a group begins: at its tables, else at heads that no fact leads to, else at its first head."""
        members = {id(box) for box in group}
        cards = [card.box for card in self.cards if id(card.box) in members]
        heads = [box for name, box in self.nodes.items() if name in self.heads and id(box) in members]
        first = [self.nodes[name] for name in self.nodes if name in self.heads and name not in self.tails]
        return cards or [box for box in first if id(box) in members] or heads[:1] or [group[0]]

    def parts(self) -> Iterable[str]:
        """The elements of the drawing: lines first, so that boxes lie above them."""
        yield from (_path(link) for link in self.links)
        for box in self.boxes:
            yield from _box_parts(box)


def _groups(boxes: Sequence[_Box], beside: dict[int, list[_Box]]) -> list[list[_Box]]:
    """The boxes that lines connect, together."""
    groups, seen = [], set[int]()
    for start in boxes:
        if id(start) not in seen:
            seen.add(id(start))
            group = [start]
            for box in group:  # grows as it is read
                new = [other for other in beside[id(box)] if id(other) not in seen]
                new = list({id(other): other for other in new}.values())
                seen.update(map(id, new))
                group += new
            groups.append(group)
    return groups


def _columns(group: Sequence[_Box], roots: Sequence[_Box], beside: dict[int, list[_Box]]) -> list[list[_Box]]:
    """The boxes of a group in columns, by their distance from the roots; lines connect neighbouring columns only."""
    columns = [list(roots)]
    for box in roots:
        box.column = 0
    while columns[-1]:
        reached: list[_Box] = []
        for box in columns[-1]:
            for other in beside[id(box)]:
                if other.column < 0:
                    other.column = len(columns)
                    reached.append(other)
        columns.append(reached)
    return columns[:-1]


def _spread_out(columns: Sequence[list[_Box]], beside: dict[int, list[_Box]], top: float) -> float:
    """Places the boxes of a group one below the other, each near its neighbours; gives the lower end of the group."""
    for at, column in enumerate(columns):
        _spread(column, [_mean_middle(box, at - 1, beside) for box in column])
    for at in range(len(columns) - 2, -1, -1):
        _spread(columns[at], [_mean_middle(box, at + 1, beside) for box in columns[at]])
    boxes = [box for column in columns for box in column]
    shift = top - min(box.y for box in boxes)
    for box in boxes:
        box.y += shift
    return max(box.y + box.height for box in boxes)


def _mean_middle(box: _Box, column: int, beside: dict[int, list[_Box]]) -> float:
    """The mean height of a box's neighbours in a column; its own where it has none."""
    found = [other.middle for other in beside[id(box)] if other.column == column]
    return sum(found) / len(found) if found else box.middle


def _spread(column: list[_Box], wanted: Sequence[float]) -> None:
    """Places boxes in the order of the heights wanted, without overlap, on the whole neither too high nor too low."""
    pairs = sorted(zip(wanted, range(len(column)), column, strict=True), key=lambda each: each[:2])
    column[:] = [box for _, _, box in pairs]
    end = float("-inf")
    for middle, _, box in pairs:
        box.y = max(middle - box.height / 2, end)
        end = box.y + box.height + _GAP
    shift = sum(middle - box.middle for middle, _, box in pairs) / len(pairs)
    for box in column:
        box.y += shift


# SVG


def _path(link: _Link) -> str:
    first, second = link.first, link.second
    to_right = first.column < second.column
    x1, x2 = (first.x + first.width, second.x) if to_right else (first.x, second.x + second.width)
    y1, y2 = first.middle if link.at is None else first.y + link.at, second.middle
    if not to_right:  # both ends of the fact are on its left
        y1, y2 = (y1 + 5, y2 + 5) if link.tip else (y1, y2)
    turn = (x1 + x2) / 2
    end = x2 - (7 if to_right else -7) if link.tip else x2
    style = "line same" if link.at is not None else "line"
    path = f'<path class="{style}" d="M{x1:.1f} {y1:.1f}C{turn:.1f} {y1:.1f} {turn:.1f} {y2:.1f} {end:.1f} {y2:.1f}"/>'
    if link.tip:
        path += f'<path class="tip" d="M{x2:.1f} {y2:.1f}L{end:.1f} {y2 - 4.5:.1f}V{y2 + 4.5:.1f}Z"/>'
    return path


def _box_parts(box: _Box) -> Iterable[str]:
    yield f'<g transform="translate({box.x:.1f} {box.y:.1f})"><title>{safe(box.title[:LONGEST_TITLE])}</title>'
    yield f'<rect class="{box.shape}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"/>'
    for line in box.texts:
        if line.marked:
            left, width, height = line.marked
            place = f'x="{left:.1f}" y="{line.y - 12.5:.1f}" width="{width:.1f}" height="{height}"'
            yield f'<rect class="answer" {place} rx="4"/>'
        title = f"<title>{safe(line.title[:LONGEST_TITLE])}</title>" if line.title else ""
        style = f' class="{line.style.strip()}"' if line.style.strip() else ""
        yield f'<text{style} x="{line.x:.1f}" y="{line.y:.1f}">{title}{safe(line.text)}</text>'
    yield "</g>"
