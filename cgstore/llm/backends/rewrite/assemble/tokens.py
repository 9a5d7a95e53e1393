"""A question over a graph as its words, with slots for names (`e0`) and numbers (`t0`), and the small words in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.clauses import marked
from cgstore.mapping.mentions import Mention
from cgstore.text.thesaurus import IRREGULAR, PREPOSITIONS, lemma

ARTICLES = frozenset(["the", "a", "an", "its", "their", "his", "her", "our", "your", "my"])
BE = frozenset(["is", "are", "was", "were", "be", "been", "being", "get", "got", "gets"])
DO = frozenset(["do", "does", "did"])
HAVE = frozenset(["has", "have", "had", "having"])
TRUTH = BE | DO | HAVE | {"can", "could", "will", "would"}
"""Words that open a question for yes or no."""

KIND_NOUNS = frozenset(["kind", "kinds", "type", "types", "sort", "sorts"])
"""Nouns for a kind of anything."""

NEGATIONS = frozenset(["not", "no", "never", "without", "neither", "nor", "none"])
_DROPPED = """
    that which who whom whose what where when how it they we you i me us he she them these those this there here any
    some all each every one ones thing things
    anything something everything many much person people persons someone somebody anyone anybody called named
    please tell show list give name names exactly actually also as ever both then and or so would could can may might
    will shall should must such own kind kinds type types sort sorts of ago go goes did made make makes come comes came
    find found out know known different various individual individuals human humans us say let do you happen if
    whether whats whos at
    entry entries item items just like directly currently now presently today still yet overall altogether really
"""
DROPPED = frozenset(_DROPPED.split()) | ARTICLES | BE | DO | HAVE | PREPOSITIONS
"""Words that need no explanation of their own: those of grammar, and nouns for anything at all."""

_CONTRACTED = (
    (re.compile(r"\b(who|what|where|when|how|that|which|there|it|he|she)'s\b"), r"\1 is"),
    (re.compile(r"\b(what|who)(s) (?=the\b|e\d)"), r"\1 is "),
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(is|are|was|were|do|does|did|has|have|had)nt\b"), r"\1 not"),
    (re.compile(r"'(?:ve|re|ll|d|m)\b"), ""),
    (re.compile(r"\b(?:in charge of|responsible for) (?:the )?([a-z]+)ing (?=(?:at|of|for|in)\b)"), r"the \1er "),
    (re.compile(r"\b(?:km|kilomet(?:re|er)s?) ?(?:/|per|an|p|) ?h(?:our)?\b|\bkph\b"), "kmh"),
    (re.compile(r"\bmiles (?:per|an) hour\b"), "mph"),
    (re.compile(r"\b(how many .+) (?:across|throughout) (?:all )?(?:of )?(?:the |our )?[a-z]+s$"), r"\1"),
    (re.compile(r"\b(how (?:much|long) .+) (?:in total|altogether|in all|all told)(?= ?$)"), r"\1 together"),
    (
        re.compile(r"\b(?:has|have) (?:existed|been (?:around|going)) (?:for )?(?:the )?longest(?: time)?\b"),
        "is the oldest",
    ),
    (re.compile(r"\b(?:members? of (?:the )?(?:staff|team|crew)|staff members?|team members?)\b"), "people"),
)
_POLITE = """
    i am was we you would could can will may might like love want need wish to know find out tell me us please do does
    happen be interested in about check help figure see hear learn say let give show list get remind have got a question
    here hi hello hey ok okay so well just any idea chance curious wondering wonder trying try of looking look for the
    and now then quick one is it true right correct case that up answer
"""
_POLITE_WORDS = frozenset(_POLITE.split())
_ASKING = frozenset(["who", "whom", "whose", "which", "what", "where", "when", "how", "whether", "if"])
_REQUESTS = frozenset(["i", "we", "please", "tell", "give", "show", "find", "list", "let", "hi", "hello", "hey", "get"])
_RELATED = frozenset(["year", "date", "day", "month", "time", "place", "person", "people"])
"""Nouns that only stand for the question word behind them: `the year when`."""
_FRONTED = frozenset(["by", "in", "on", "at", "to", "for", "from", "of", "with", "under"])
_NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve"
_SPELT = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split(), 1)}
_COUNTED = re.compile(
    rf"\b(?:(?:more|fewer|less) than|at least|at most|exactly|only|just) (?P<one>{'|'.join(_SPELT)})\b"
    rf"|\b(?P<other>{'|'.join(_SPELT)}) or (?:more|fewer|less)\b",
    re.IGNORECASE,
)
_TRUE = re.compile(r"^is it (?:true|right|correct|the case) that ")
_NAMES_OF = re.compile(r"^(?:the )?names? of (?:all )?(?:the )?")


@dataclass(frozen=True)
class Token:
    """A word in lower case, or a slot; `is_owner`: it stands with 's."""

    text: str
    lemma: str
    is_owner: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it is the slot of a name."""
        return bool(re.fullmatch(r"e\d+", self.text))

    @property
    def is_number(self) -> bool:
        """Whether it is the slot of a number or a time."""
        return bool(re.fullmatch(r"t\d+", self.text))

    @property
    def is_participle(self) -> bool:
        """Whether it may be the past participle of a verb: `built`, `owned`."""
        return is_participle(self.text)


@dataclass(frozen=True)
class Question:
    """The words of a question, with what its slots stand for; `is_whether`: `whether` opens it."""

    tokens: tuple[Token, ...]
    slots: Mapping[str, Mention]
    is_whether: bool = False

    @property
    def is_truth(self) -> bool:
        """Whether it asks for yes or no."""
        return self.is_whether or any(word in TRUTH for word in self.words[:1])

    @property
    def is_listing(self) -> bool:
        """Whether things are to be listed, without a question word: `all ships of ...`."""
        is_fronted = self.words[:1] and self.words[0] in _FRONTED
        return not self.is_truth and _ASKING.isdisjoint(self.words[: 1 + bool(is_fronted)])

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens)

    @property
    def name_places(self) -> list[int]:
        """The places of names."""
        return [place for place, token in enumerate(self.tokens) if token.is_name]

    def before(self, place: int) -> int:
        """The place of the last word before one that is no article; -1 if there is none."""
        place -= 1
        while place >= 0 and self.tokens[place].text in ARTICLES:
            place -= 1
        return place


def question_of(text: str, names: Sequence[Mention]) -> Question:
    """The words of a question.

    Args:
        text: the question.
        names: its names and numbers, in order.
    """
    left = marked(text, names)
    for pattern, instead in _CONTRACTED:
        left.text = " ".join(pattern.sub(instead, left.text).split())
    left.text = " ".join(P.FILLING.sub(" ", P.OPENING.sub("", left.text)).split())
    words, is_whether = _without_opening(left.text.split())
    text = _NAMES_OF.sub("all ", " ".join(words))
    return Question(tokens_of(text), {**left.names, **left.times}, is_whether)


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words and slots of a text in lower case."""
    return tuple(_token(word) for word in re.findall(r"[^\W_]+(?:'[a-z]+)?", text))


def spelt_numbers(text: str, names: Sequence[Mention]) -> Iterator[Mention]:
    """The numbers in words by which a question bounds: `more than one`."""
    for match in _COUNTED.finditer(text):
        start, end = match.span("one" if match["one"] else "other")
        if not any(each.start < end and start < each.end for each in names):
            value = _SPELT[match[0][start - match.start() : end - match.start()].lower()]
            yield Mention(start, end, text[start:end], value, value, "time", "exact")


def _without_opening(words: list[str]) -> tuple[list[str], bool]:
    """The words without those that only ask for an answer, and whether it is one of yes or no."""
    text = " ".join(words)
    if match := _TRUE.match(text):
        return text[match.end() :].split(), True
    place = next((n for n, word in enumerate(words) if word in _ASKING), len(words))
    before = words[: place - 1] if words[place - 1 : place] and words[place - 1] in _RELATED else words[:place]
    if 0 < place < len(words) and all(word in _POLITE_WORDS or word in _FRONTED for word in before):
        is_whether = words[place] in ("whether", "if")
        is_fronted = words[place - 1] in _FRONTED and not is_whether and words[place - 1] != "of"
        return words[place + is_whether - is_fronted :], is_whether
    is_request = words[:1] and (words[0] in _REQUESTS or (words[0] in TRUTH and words[1:2] == ["you"]))
    if is_request or (place == len(words) and words and words[0] not in TRUTH):
        polite = next((n for n, word in enumerate(words) if word not in _POLITE_WORDS), len(words))
        return words[polite:], False
    return words, words[:1] in (["whether"], ["if"])


def is_participle(word: str) -> bool:
    """Whether a word may be the past participle of a verb: `built`, `owned`."""
    is_irregular = word in IRREGULAR and not word.endswith(("s", "ing"))
    return word.endswith(("ed", "en")) or is_irregular


def _token(word: str) -> Token:
    bare = re.sub(r"'s?$", "", word)
    return Token(bare, lemma(bare), bare != word and word.endswith("'s"))
