"""Draws docs/images/rooms.svg, the rooms of the package with their imports: `make docs` runs it, and a test checks it.

The rooms are those of import-linter's contract in pyproject.toml. An import that others imply is left out.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import quoteattr

import grimp

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "rooms.svg"

WIDE, HIGH, BESIDE, BELOW = 132, 30, 24, 34
"""The size of a room's box, and the space between two boxes and between two rows."""

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">
  <title>The rooms of cgstore: each imports only from rooms below it</title>
  <style>
  text {{ font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2933; text-anchor: middle; }}
  rect {{ fill: #d9eef0; stroke: #14746f; }} path {{ stroke: #7b8794; fill: none; }}
  .paper {{ fill: #fff; stroke: none; }}
  </style>
  <rect class="paper" width="{0}" height="{1}" rx="10"/>"""


def imports() -> dict[str, set[str]]:
    """The rooms, each with the rooms that it imports from, also by way of others."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    rooms = [room.strip() for layer in settings["contracts"][0]["layers"] for room in layer.split("|")]
    graph = grimp.build_graph("cgstore", cache_dir=None)
    inside = {room: {room} | graph.find_descendants(room) for room in rooms}
    home = {module: room for room in rooms for module in inside[room]}
    found: dict[str, set[str]] = {}
    for room in reversed(rooms):
        used = {below for module in inside[room] for below in graph.find_modules_directly_imported_by(module)}
        direct = {home[module] for module in used if module in home} - {room}
        found[room] = direct | {below for near in direct for below in found[near]}
    return found


def made() -> str:
    """The picture: a row for each depth of imports, and a line for each import that no other implies."""
    used = imports()
    needed = {room: below - {far for near in below for far in used[near]} for room, below in used.items()}
    depth: dict[str, int] = {}
    for room, below in used.items():
        depth[room] = max((depth[each] + 1 for each in below), default=0)
    rows: dict[int, list[str]] = defaultdict(list)
    for room in sorted(used):
        rows[depth[room]].append(room)
    width = max(map(len, rows.values())) * (WIDE + BESIDE) + BESIDE
    height = len(rows) * (HIGH + BELOW) + BELOW
    place = {}
    for row, names in rows.items():
        left = (width - len(names) * (WIDE + BESIDE) + BESIDE) / 2
        for column, room in enumerate(names):
            place[room] = (left + column * (WIDE + BESIDE), height - (row + 1) * (HIGH + BELOW))
    lines = [HEAD.format(width, height)]
    for room in sorted(needed):
        lines += [_line(place[room], place[each]) for each in sorted(needed[room])]
    lines += [_box(room.removeprefix("cgstore."), *place[room]) for room in sorted(place)]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _line(above: tuple[float, float], below: tuple[float, float]) -> str:
    x1, y1, x2, y2 = above[0] + WIDE / 2, above[1] + HIGH, below[0] + WIDE / 2, below[1]
    return f'  <path d="M{x1:g} {y1:g}C{x1:g} {y1 + BELOW:g} {x2:g} {y2 - BELOW:g} {x2:g} {y2:g}"/>'


def _box(name: str, x: float, y: float) -> str:
    text = f'<text x="{x + WIDE / 2:g}" y="{y + HIGH / 2 + 5:g}">{name}</text>'
    return f'  <g id={quoteattr(name)}><rect x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="6"/>{text}</g>'


if __name__ == "__main__":
    PICTURE.write_text(made(), encoding="utf-8")
