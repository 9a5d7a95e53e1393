"""Whether lines are in cp1252, the commonest encoding of files from Windows in Western Europe.

Most bytes are a letter in many old encodings. These features tell cp1252 apart; a file that lacks one is in doubt:

- The letters other than ASCII are rare and stand in words of ASCII letters. Cyrillic and Greek fill whole words.
- They have the case of their neighbours. What Macs and DOS write there reads as a sign, or as `JosÈ`.
- Some of them are no letters of Central Europe, the Baltic, Turkey or Vietnam in the encodings of these; or none of
  them is another letter there.
"""

from __future__ import annotations

import re

_MOST = 0.1
"""Largest share of the letters that are other than ASCII."""

_LETTERS = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïðñòóôõöøùúûü"
"""The letters of Western Europe that are told apart. Œ, Š, Ž and Ÿ are the commonest letters of old Macs."""

_SIGNS = "’“”–—…\u00a0«»°"
"""Other characters that may stand beside them. Between letters, all but the apostrophe are letters of old Macs."""

_INITIALS = "äéöü"
"""Small letters that may begin a word. On old Macs, others are capitals: `çlvarez` is Álvarez."""

_RIVALS = (
    # The rare ĺ and ŕ of Slovak, which are å and à, count for texts in Slovak alone.
    ("cp1250", "áâäăąćčďđéëęěíîłńňóôöőřśšşţťúůüűýźżž"),
    ("cp1250", "áäčďéíĺľňóôŕšťúýž"),
    ("cp1257", "āąäčēęėģīįķļņöõšųūüž"),
    ("cp1254", "âçğıîöşüû"),
    ("cp1258", "ăâđêôơư\N{COMBINING GRAVE ACCENT}\N{COMBINING ACUTE ACCENT}\N{COMBINING TILDE}"),
    ("cp850", "ß"),
)
"""Encodings with the small letters of those who write in them."""

_WESTERN = {
    "ñ": re.compile(r"ñ[aeiouáéíóú]"),  # Polish has ń before consonants and at the end
    "ã": re.compile(r"ã[oe]"),  # Romanian ă is not before a vowel
}
"""Letters whose neighbours show that they are the ones of cp1252, if all of them are like this."""

_WORD = re.compile(r"[^\W\d_]+")
_ODD = re.compile(
    r"[a-zß-ü][À-ÖØ-Ü]|[à-ü][A-ZÀ-ÖØ-Ü]|[A-ZÀ-ÖØ-Ü]{2}[à-ü]"  # the case of another place
    r"|[^\x00-\x7f]{3}|^[^\x00-\x7f]+$"  # more of them side by side than in `Pääjärvi` and `Conceição`
)
_BETWEEN = re.compile(rf"(?<=[^\W\d_])[{_SIGNS.replace('’', '')}](?=[a-z])")


def is_western(sample: bytes, least: int = 1) -> bool:
    """Whether the sample is in cp1252; False if it is in doubt.

    Args:
        sample: the lines that are not ASCII, and others.
        least: fewest different words that are not ASCII.
    """
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    letters = {letter for letter in text if not letter.isascii()} - set(_SIGNS)
    if not letters or not letters <= set(_LETTERS) or _BETWEEN.search(text):
        return False
    words, marked = _WORD.findall(text), marked_words(text)
    rare = sum(map(_marks, marked)) <= _MOST * sum(map(len, words))
    if not rare or len(set(marked)) < least or any(map(_is_odd, marked)):
        return False
    smalls = {letter.lower() for letter in letters}
    return not any(_may_be(smalls, *rival) for rival in _RIVALS) or _has_western(text.lower())


def marked_words(text: str) -> list[str]:
    """The words that are not ASCII."""
    return [word for word in _WORD.findall(text) if not word.isascii()]


def _marks(word: str) -> int:
    return sum(not letter.isascii() for letter in word)


def _is_odd(word: str) -> bool:
    """Whether letters that are not ASCII are many, or stand where letters of their case do not."""
    small = not word[0].isascii() and word[0].islower() and word[0] not in _INITIALS
    return len(word) < 2 or small or _ODD.search(word) is not None


def _may_be(smalls: set[str], encoding: str, alphabet: str) -> bool:
    """Whether small letters of cp1252 are others in another encoding, and all of them are of its alphabet."""
    there = {letter: letter.encode("cp1252").decode(encoding, "replace") for letter in smalls}
    return any(letter != read for letter, read in there.items()) and set(there.values()) <= set(alphabet)


def _has_western(text: str) -> bool:
    """Whether a letter shows by its neighbours, wherever it stands, that it is the one of cp1252."""
    return any(0 < text.count(letter) == len(shape.findall(text)) for letter, shape in _WESTERN.items())
