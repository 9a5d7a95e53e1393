"""An answer as HTML, which notebooks show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cgstore.text.svg import LONGEST_TITLE, safe


def answer_html(
    columns: Sequence[str], rows: Sequence[Sequence[str]], more: int, sentence: str, notes: Iterable[str], drawing: str
) -> str:
    """An answer as HTML for a notebook: its values, the sentence, the notes, and the drawing of its evidence.

    Args:
        columns: names of the columns; empty where each row is one value.
        rows: the fields of the first rows as texts.
        more: how many rows are not among them.
        sentence: what was asked and what was found.
        notes: what to know about the answer.
        drawing: from `evidence_svg`.
    """
    head = "".join(f"<th>{safe(name)}</th>" for name in columns)
    lines = ["".join(f"<td><bdi>{safe(text[:LONGEST_TITLE])}</bdi></td>" for text in row) for row in rows]
    table = "".join(f"<tr>{line}</tr>" for line in ([head] if head else []) + lines)
    bold = "" if columns else ";font-weight:600"
    return "".join(
        [
            f'<table style="text-align:left{bold}">{table}</table>' if rows else "<p><b>No answer.</b></p>",
            f"<p>... and {more:,} more</p>" if more else "",
            f"<p>{safe(sentence)}</p>" if sentence else "",
            *(f"<p><b>Note:</b> {safe(note)}</p>" for note in notes),
            f'<div style="overflow-x:auto">{drawing}</div>' if drawing else "",
        ]
    )
