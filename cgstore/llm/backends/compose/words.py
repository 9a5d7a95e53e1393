"""The words of a question: their stems, the numbers that they are, and which of them only serve grammar.

A stem joins the forms of a word, and the verb with who does it: `directed`, `director` and `directs` are `direct`. It
serves to compare two words, and need not be a word itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.text.likeness import CARDINALS
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import IRREGULAR, lemma, written_out


def word_list(text: str) -> list[str]:
    """The words of a list that is written as a text."""
    return text.split()


def word_set(text: str) -> frozenset[str]:
    """The words of a set that is written as a text."""
    return frozenset(text.split())


_IRREGULAR = {
    form: base[:-1] if len(base) > 3 and base[-1] in "ey" else base  # as `stem` has the base itself
    for base, forms in {
        "win": "won winner winning wins",
        "lose": "lost loses losing loss losses loser",
        "write": "wrote written writer writers writing writes",
        "sing": "sang sung singer singers singing",
        "hold": "held holder holders holds holding",
        "lead": "led leader leaders leading",
        "begin": "began begun begins beginning",
        "take": "took taken takes taking",
        "build": "built builder builders builds building",
        "run": "ran runs runner running",
        "leave": "left leaves leaving",
        "go": "went gone goes going",
        "come": "came comes coming",
        "get": "got gotten gets getting",
        "give": "gave given gives giving",
        "make": "made makes maker making",
        "become": "became becomes becoming",
        "sell": "sold sells seller selling sale sales",
        "buy": "bought buys buyer buying",
        "pay": "paid pays paying",
        "spend": "spent spends spending",
        "drink": "drank drunk drinks drinking",
        "drive": "drove driven driver drivers drives driving",
        "ride": "rode ridden rider riders rides riding",
        "speak": "spoke spoken speaks speaker speakers",
        "choose": "chose chosen chooses choice",
        "beat": "beaten beats beating",
        "score": "scores scored scorer scorers scoring",
        "own": "owner owners owns owned owning",
        "use": "user users uses used using",
        "lend": "lent lender lenders lends lending",
        "grow": "grew grown grower growers grows growing",
        "breed": "bred breeder breeders breeds breeding",
        "keep": "kept keeper keepers keeps keeping",
        "teach": "taught teacher teachers teaches",
        "bear": "born birth births birthday",
        "die": "died death dies dead deceased",
        "person": "people persons peoples",
        "child": "children",
        "man": "men",
        "woman": "women",
        "year": "years yr yrs",
        "number": "numbers no nos num",
        "high": "higher highest height",
        "register": "registered registers registering registration",
        "long": "longer longest length",
        "wide": "wider widest width",
        "deep": "deeper deepest depth",
    }.items()
    for form in forms.split()
}
ABBREVIATIONS = {
    short: word
    for word, forms in {
        "department": "dept depts dep",
        "amount": "amt amts",
        "quantity": "qty qnty",
        "employee": "emp emps",
        "average": "avg",
        "address": "addr",
        "account": "acct acc",
        "manager": "mgr mgrs",
        "organisation": "org orgs",
        "description": "descr desc",
        "percent": "pct",
        "quarter": "qtr",
        "weight": "wt wgt",
        "height": "hgt",
        "distance": "dist",
        "telephone": "tel",
        "university": "univ",
        "building": "bldg",
        "customer": "cust",
        "manufacturer": "mfr mfg",
        "population": "pop",
        "category": "categ ctgry",
        "balance": "bal",
        "invoice": "inv",
        "warehouse": "whse",
        "received": "recd rcvd",
        "temperature": "temp",
        "location": "loc",
        "position": "pos posn",
        "supervisor": "supv",
        "salary": "sal",
        "date": "dt",
    }.items()
    for short in forms.split()
}
"""Words of headers that are written short, with the whole word."""
_ENDINGS = word_list(
    """
    alities ality ations ation ators ator ances ance ences ence ments ment ingly ings ing edly ed ers er ors or
    ions ion als al ees ee ists ist
    """
)
_LEAST = 4
"""Letters that are left of a word without its ending."""

FILLER = word_set(
    """
    please tell show list listed name named names give find know want wondering like many much number amount
    kind type there any also table data record information value values entry entries item items thing things
    shown according have has had having be been being is are was were do does did done what which who whom whose
    when where why how the a an of in on at to for from by with and or that this these those it its his her
    their he she they them i me my we our you your some all every each s t re ve ll d m as into would could can
    will shall should may might must one ones called said exactly whats whos terms everybody everyone together
    happen lot guys folks anyone anybody anything someone somebody something everything
    """
)
"""Words that add nothing to what is asked, beside those of grammar."""


LIGHT_VERBS = word_set(
    """
    take took taken takes give gave given gives earn earned receive received award awarded
    bring brings brought get got gets go goes went come comes came put puts made makes make allow allows accept accepts
    offer offers placed include includes provide provides
    """
)
"""Verbs that say little of how a value belongs to a row: `the films that took the Jury Prize`."""


@lru_cache(50_000)
def stem(word: str) -> str:
    """The stem of a word in its normal form."""
    word = ABBREVIATIONS.get(word, word)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in IRREGULAR:
        word = lemma(word)
    if len(word) > _LEAST and word.endswith("ies"):
        word = f"{word[:-3]}y"
    elif word.endswith(("ches", "shes", "xes", "sses", "zes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST - (ending in ("ed", "ing")):
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if len(word) > _LEAST - 1 and word[-1] in "ey":
        word = word[:-1]
    return word


@dataclass(frozen=True)
class Token:
    """A word of the question: as written, its normal form, its stem, and its offsets."""

    text: str
    form: str
    stem: str
    start: int
    end: int

    @property
    def number(self) -> int | None:
        """The number that the word names: `three`."""
        return CARDINALS.get(self.form)


class QuestionText:
    """A question as its words; sets of words are bits, the first word the lowest."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = [(word, normal_form(word.text)) for word in words_of(text)]
        self.tokens = tuple(Token(w.text, form, stem(form), w.start, w.end) for w, form in found)
        self.forms = tuple(token.form for token in self.tokens)

    @cached_property
    def lemmas(self) -> tuple[str, ...]:
        """The lemma of each word."""
        return tuple(map(lemma, self.forms))

    @cached_property
    def lemmas_present(self) -> frozenset[str]:
        """All lemmas."""
        return frozenset(self.lemmas)

    def __len__(self) -> int:
        return len(self.tokens)

    def between(self, first: int, last: int) -> str:
        """The text of the words from `first` to before `last`, as written."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]

    def places(self, start: int, end: int) -> tuple[int, int]:
        """The words that a stretch of the text covers, from `first` to before `last`."""
        covered = [n for n, token in enumerate(self.tokens) if token.start < end and start < token.end]
        return (covered[0], covered[-1] + 1) if covered else (0, 0)

    @cached_property
    def content(self) -> int:
        """The words that carry meaning."""
        return sum(
            1 << n for n, token in enumerate(self.tokens) if is_content(token.form) or (n and token.text == "May")
        )

    def words(self, mask: int) -> list[str]:
        """The words of a set, as written."""
        return [token.text for n, token in enumerate(self.tokens) if mask >> n & 1]


def is_content(form: str) -> bool:
    """Whether a word in its normal form says more than grammar does."""
    return form not in GRAMMAR_WORDS and form not in FILLER


def mask_of(first: int, last: int) -> int:
    """The words from `first` to before `last`, as bits."""
    return (1 << last) - (1 << first)


_SMALL = word_set("a an the of in by for to and or on at as is s with from until till since its id each")
"""Words that add nothing to the name of a column that has others."""


UNITS = word_set(
    "eur euro euros usd gbp chf dollars keur km kg g cm mm m l ml min mins minutes h hrs hours pct percent"
)
"""Units that stand at the end of names."""


def full_words(name: str) -> list[str]:
    """The words of a column's name without a unit at its end, those that are written short in full."""
    words = name_words(name)
    words = words[:-1] if len(words) > 1 and words[-1] in UNITS else words
    return [each for form in words for each in ABBREVIATIONS.get(form, written_out(form) or form).split()]


def name_words(name: str) -> list[str]:
    """The words of a column's name, without punctuation; the name itself if it has none."""
    return re.findall(r"[^\W_]+", normal_form(name)) or [normal_form(name)]


def name_stems(name: str) -> tuple[str, ...]:
    """The stems of a column's name, without those of small words unless there are no others."""
    return stems_of(" ".join(written_out(form) or form for form in name_words(name)))


def stems_of(name: str) -> tuple[str, ...]:
    """The same of a name whose short words are not written out."""
    forms = name_words(name)
    content = [form for form in forms if form not in _SMALL]
    return tuple(dict.fromkeys(map(stem, content or forms)))
