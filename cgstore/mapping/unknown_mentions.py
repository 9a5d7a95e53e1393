"""What a question names and the graph lacks: capitalised or quoted names, and numbers; and forms of one word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, Word, begins_sentence, words_of
from cgstore.text.likeness import is_numeral

_JOINT = re.compile(r"[\s.,'’&/-]*")
"""Characters between two words of one name."""

_NOBILIARY = "of the de del della der den di da do dos du la le van von zu and for in on al el ibn bin y"
_PARTICLES = frozenset(_NOBILIARY.split())
"""Lower-case words that may be part of a name."""

_QUOTED = re.compile(r"[\"“«]([^\"“”«»]+)[\"”»]")


def unknown_names(question: str, mentions: Sequence[Mention]) -> list[str]:
    """The capitalised or quoted names, and the numbers, that are not part of a mention, in order.

    Numbers are words with digits, and number words or Roman numerals right after a mention: `Elizabeth II` is not
    Elizabeth. A single capitalised word at the beginning of a sentence is not a name, nor is any word of a question in
    capitals.
    """
    covered = [(m.start, m.end) for m in mentions]
    words = [w for w in words_of(question) if not _overlaps((w.start, w.end), covered)]
    quoted = [m.span(1) for m in _QUOTED.finditer(question) if not _overlaps(m.span(1), covered)]
    runs = [] if question.upper() == question else list(_runs(question, words, covered))
    names = [span for run in runs if (span := _name(question, run))]
    numbers = [
        (w.start, w.end)
        for w in words
        if any(c.isdigit() for c in w.text) or (_follows(question, w, covered) and is_numeral(w.text))
    ]
    spans = sorted(quoted)
    for span in [*sorted(names), *numbers]:
        if not _overlaps(span, spans):
            spans.append(span)
    return [question[start:end] for start, end in sorted(spans)]


def _follows(question: str, word: Word, covered: Sequence[tuple[int, int]]) -> bool:
    """Whether a word comes right after a mention, so that it may belong to its name: `world war two`."""
    return any(end < word.start and not question[end : word.start].strip(" -") for _, end in covered)


def _runs(question: str, words: Sequence[Word], covered: Sequence[tuple[int, int]]) -> Iterator[list[Word]]:
    """The longest runs of capitalised words, with the particles between them."""
    run: list[Word] = []
    for word in words:
        joined = run and _JOINT.fullmatch(question[run[-1].end : word.start])
        if not joined or _overlaps((run[-1].end, word.start), covered):
            yield from _trimmed(run)
            run = []
        if word.text[0].isupper() or (run and (word.text in _PARTICLES or word.text.isdigit())):
            run.append(word)
        else:
            yield from _trimmed(run)
            run = []
    yield from _trimmed(run)


def _trimmed(run: list[Word]) -> Iterable[list[Word]]:
    while run and not run[-1].text[0].isupper() and not run[-1].text.isdigit():
        run = run[:-1]
    return [run] if run else []


def _name(question: str, run: list[Word]) -> tuple[int, int] | None:
    """The span of the run without words that only begin the sentence, or None if no name is left."""
    opening = begins_sentence(question, run[0].start)
    if opening:
        while run and run[0].text.lower() in GRAMMAR_WORDS:
            run, opening = run[1:], False
    if not run or (opening and len(run) == 1):
        return None
    if all(w.text.lower() in GRAMMAR_WORDS for w in run):
        return None
    last = run[-1]
    abbreviated = len(last.text) == 1 and question[last.end : last.end + 1] == "."
    return run[0].start, last.end + abbreviated


def _overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


# Forms of one word

MIN_STEM = 4
"""Letters at the beginning that two forms of one word share at least."""

_ENDINGS = """
    al ance ances ant d e ed ee ees ence ent ents er ers es iage iages ied ier iers ies ing ion ions ment ments or ors s
    ship ships y ying
"""
ENDINGS = frozenset(_ENDINGS.split()) | {""}
"""Endings of forms of one word, as in `employ`, `employment`; `recently` is not a form of `received`."""


def same_stem(one: str, other: str) -> bool:
    """Whether two words look like forms of one word: `marry`, `married`; `director`, `directed`."""
    if one == other:
        return True
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= MIN_STEM and any(
        one[cut:] in ENDINGS and other[cut:] in ENDINGS for cut in range(MIN_STEM, shared + 1)
    )
