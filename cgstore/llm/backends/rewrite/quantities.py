"""Questions that compare or order by a number or a year, read for one relation of numbers at a time.

`Which company was founded first`, `the cheapest instrument made of maple`, `cost more than 500`, `between 1920 and
1980`, `Which is older, A or B`. The text has `e0` for names and `t0` for numbers; `dimensions` gives the codes for its
other words. What orders or bounds is cut out. What is left must be the noun that is asked for, with words about a name
that another reader understands, or a question around it (`Who founded the oldest company`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cgstore.llm.backends.rewrite.dimensions import Measure
from cgstore.llm.backends.rewrite.faults import PREPOSITIONS
from cgstore.mapping.mentions import GRAMMAR_WORDS
from cgstore.text.names import in_words

_AUX = r"(?:is|are|was|were|has been|have been|had been|did|does|do)"
_WHO = r"(?:(?:that|which|who|and|and that|and who) )?"
_HAVING = rf"{_WHO}(?:with|having|has|have|had|{_AUX} at|at|for|sold for|of)"
_R = r"(?P<said>[RS])"
_THE = r"(?:the |its |an? )?"
_NOUN = r"(?P<noun>[a-z]{3,})"
_SUP = "DX|DN|GX|GN|F|L"

_YEAR = r"(?:the )?(?:years? )?(t\d+)"
_BOUNDS = (
    (r"(?:between|from) (t\d+) (?:and|to|until|till) (t\d+)", (">=", "<=")),
    (r"(?:no (?:GM|DM) than|not (?:GM|DM) than|at_most|up to|a maximum of) (t\d+)", ("<=",)),
    (r"(?:no (?:GL|DL) than|not (?:GL|DL) than|at_least|a minimum of) (t\d+)", (">=",)),
    (r"(t\d+) or (?:GM|DM|above|over|beyond)", (">=",)),
    (r"(t\d+) or (?:GL|DL|below|under)", ("<=",)),
    (r"(?:GM|DM) than (t\d+)", (">",)),
    (r"(?:over|above|exceeding|beyond|upwards of|in excess of) (t\d+)", (">",)),
    (r"(?:GL|DL) than (t\d+)", ("<",)),
    (r"(?:under|below|beneath) (t\d+)", ("<",)),
    (r"(?:exactly |precisely )?(t\d+)", ("=",)),
)
_TIME_BOUNDS = (
    (rf"(?:between|from) {_YEAR} (?:and|to|until|till) {_YEAR}", (">=", "<=")),
    (rf"(?:since|from) {_YEAR}(?: on| onwards)?", (">=",)),
    (rf"(?:in|during) {_YEAR} or (?:DM|later|after)", (">=",)),
    (rf"no (?:DL|earlier) than {_YEAR}", (">=",)),
    (rf"(?:by|until|till|up to) {_YEAR}", ("<=",)),
    (rf"(?:in|during) {_YEAR} or (?:DL|earlier|before)", ("<=",)),
    (rf"no (?:DM|later) than {_YEAR}", ("<=",)),
    (rf"(?:before|prior to|(?:earlier|DL) than) {_YEAR}", ("<",)),
    (rf"(?:after|(?:later|DM) than) {_YEAR}", (">",)),
    (rf"(?:in|during) {_YEAR}", ("=",)),
)
"""Bounds by one number or two, and what they mean."""

_ORDERING = tuple(
    re.compile(pattern)
    for pattern in (
        rf" {_WHO}(?:{_AUX} )?{_R} (?:the )?(?P<way>{_SUP})(?=$| (?:in|of|by|from|at)\b)",
        rf"(?: {_WHO}{_AUX}) (?:the )?(?P<way>DX|DN)(?: one)?$",
        rf"(?: {_HAVING}) (?:the )?(?P<way>{_SUP}) {_R}(?= |$)",
        rf"\b(?:the )?(?:very )?(?P<way>{_SUP}) {_R} (?=[a-z]{{3,}})",
        rf"\b(?:the )?(?:very )?(?P<way>F|L|D[XN]) (?P<kept>[a-z]{{3,}})(?: to be| {_WHO}{_AUX})? {_R}(?= |$)",
        r"\b(?:the )?(?:very )?(?P<way>DX|DN) (?:of (?:all )?the )?(?=[a-z]{3,})",
    )
)
"""What orders, with the noun before it or behind it; the superlative is `way`."""

_WAY = rf"(?:the )?(?P<way>GM|GL|DM|DL|{_SUP})"
_TWO = r"(?:the )?(?P<one>e\d+) (?:or|and) (?:the )?(?P<other>e\d+)"
_OF = rf"(?:which|what|who)(?: one)?(?: (?:of the )?{_NOUN})?"
_EITHER = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_OF} {_AUX} {_WAY}(?: [a-z]{{3,}})? {_TWO}",
        rf"{_OF} (?:{_AUX} )?{_R} {_WAY} {_TWO}",
        rf"{_OF} (?:has|have|had) (?:an? )?{_WAY} {_R} {_TWO}",
        rf"(?:which|what|who)(?: one)? of {_TWO} {_AUX} {_WAY}(?: one)?",
        rf"(?:which|what|who)(?: one)? of {_TWO} (?:{_AUX} )?{_R} {_WAY}",
        rf"(?:which|what|who)(?: one)? of {_TWO} (?:has|have|had) (?:an? )?{_WAY} {_R}",
        rf"(?:is|was) {_TWO} {_WAY}(?: one)?",
        rf"(?:is|was|does|did) {_TWO} {_R} {_WAY}",
    )
)
_ONE, _OTHER = r"(?:the )?(?P<one>e\d+)", r"(?:the )?(?P<other>e\d+)"
_WHETHER = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:is|was) {_ONE} (?P<way>DM|DL)(?P<side>) than {_OTHER}",
        rf"(?:was|did|does|is) {_ONE} {_R} (?:(?P<way>GM|GL|DM|DL) than|(?P<side>before|after)) {_OTHER}",
        rf"(?:does|did|has) {_ONE} (?:have )?an? (?P<way>GM|GL)(?P<side>) {_R} than {_OTHER}",
    )
)
_VALUE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"how much (?:does|did|do) (?:the )?(?P<name>e\d+) {_R}",
        r"what (?:does|did|do) (?:the )?(?P<name>e\d+) (?P<said>S)",
        r"(?:what|how (?:much|high|large|great)) (?:is|was) the (?P<said>S) (?:of|for) (?:the )?(?P<name>e\d+)",
        r"how (?P<how>[a-z]+) (?:is|was) (?:the )?(?P<name>e\d+)",
        rf"(?:when|(?:in )?(?:which|what) (?P<year>year)) (?:was|did|were) (?:the )?(?P<name>e\d+) {_R}",
        r"at what (?P<said>[RS]) (?:is|was) (?:the )?(?P<name>e\d+) sold",
    )
)
_BEGINS = re.compile(r"(?P<aux>is|are|was|were|does|do|did|has|have|had) (?:the )?(?P<name>e\d+)(?= )")
_EXTREME = re.compile(
    rf"(?:(?:what|which) (?:is|was) )?the (?P<way>GX|GN|F|L|DX|DN) {_R}(?: (?:of|for) (?:an?|any|all|the) {_NOUN})?"
)
_ASKED = (
    re.compile(rf"(?:which|what|how many) (?:of the |of all |of )?{_NOUN}(?P<scope> .*)?"),
    re.compile(rf"(?:which|what|who) (?:is|are|was|were) (?:the )?{_NOUN}(?P<scope> .*)?"),
    re.compile(r"(?:which|what|who)(?: one)?(?: (?:is|are|was|were|all))?"),
)
_LISTED = re.compile(rf"(?:the |all )*{_NOUN}(?P<scope> .*)?")
_PHRASE = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bthe (?:DX|DN) [a-z]{3,}(?: [a-z]+ (?:of|by|in|for|from|at) (?:the )?e\d+)?(?= |$)",
        r"\bthe (?:F|L|DX|DN) (?:R|S) [a-z]{3,}(?= |$)",
        rf"\bthe [a-z]{{3,}} (?:(?:that|which|who) )?(?:{_AUX} )?(?:R|S) (?:the )?(?:{_SUP})(?= |$)",
        rf"\bthe [a-z]{{3,}} (?:with|having|(?:that|which|who) (?:has|had|have)) the (?:{_SUP}) [RS](?= |$)",
        rf"\bthe [a-z]{{3,}} (?:that|which|who) {_AUX} (?:the )?(?:DX|DN)(?= |$)",
        rf"\bthe [a-z]{{3,}} (?:(?:that|which|who) )?(?:{_AUX} )?R(?: R)* (?:\w+ ){{0,3}}t\d+(?: and t\d+)?(?= |$)",
    )
)
"""Phrases that say what something is by what orders it."""

_UNASKED = frozenset(["year", "years", "date", "dates", "time", "times", "month", "months", "day", "days", "number"])


@dataclass(frozen=True)
class Quantity:
    """What a question asks by a number or a time.

    `noun` is the kind of thing that is asked for (empty for `who` or none), and `scope` what else is said of it.

    Exactly one of these: `order` (`max`, `min`); `bounds`, signs with slots of numbers; `than`, a sign with the slot of
    a name; `either`, two slots of names, of which `order` says the one asked for; `value`, the slot of the name whose
    number is asked for. `whether`: a yes or no is asked for, of `either` or of `bounds` for the name in `value`.
    `extreme`: the number itself is asked for. `is_own`: the relation's own words name it; `word` is what orders.
    """

    measure: Measure
    noun: str = ""
    who: bool = False
    scope: str = ""
    counted: bool = False
    order: str = ""
    bounds: tuple[tuple[str, str], ...] = ()
    than: tuple[str, str] = ("", "")
    either: tuple[str, str] = ("", "")
    whether: bool = False
    value: str = ""
    extreme: bool = False
    is_own: bool = False
    word: str = ""


@dataclass(frozen=True)
class Within:
    """A question around a phrase that orders: the phrase as one of its own, and the text with `e99` in its place."""

    inner: Quantity
    outer: str


def coded(text: str, measure: Measure) -> str:
    """The text with a code for each word that speaks of a relation; words stand where they stood."""
    words = text.split()
    codes = [
        "" if _is_of_another(words[place + 1 :], measure) else measure.code_of(word) for place, word in enumerate(words)
    ]
    for place, word in enumerate(words):
        if codes[place] == "R" and word in ("first", "last") and codes[place + 1 : place + 2] != ["R"]:
            codes[place] = "F" if word == "first" else "L"  # "shown first", and not "first shown"
    return " ".join(code or word for code, word in zip(codes, words, strict=True))


def _is_of_another(behind: Sequence[str], measure: Measure) -> bool:
    """Whether a preposition with a name, behind a word, makes it a word of another relation: `founded by Ann`."""
    preposition, *others = behind or [""]
    if preposition not in PREPOSITIONS:
        return False
    name = [word for word in others[:2] if word != "the"][:1]
    own = in_words(measure.relation).split()
    return preposition not in own and bool(name) and bool(re.fullmatch(r"e\d+", name[0]))


def read_quantity(text: str, measure: Measure, is_listing: bool) -> Quantity | None:
    """What a question asks of a relation; None if it is not understood."""
    code = _merged(coded(text, measure), measure.is_time)
    for reader in (_whether, _either, _value, _extreme, _ordered, _bounded):
        if (found := reader(code, measure, is_listing)) is not None:
            return None if found.noun in _UNASKED else replace(found, word=_word(text, measure, found))
    return None


def phrases(text: str, measure: Measure) -> Iterator[Within]:
    """The readings of a text with a phrase that orders, each with the text around it."""
    words, codes = text.split(), coded(text, measure).split()
    code = " ".join(codes)
    for pattern in _PHRASE:
        for match in pattern.finditer(code):
            first = code[: match.start()].count(" ")
            last = first + match[0].count(" ") + 1
            inner = read_quantity(" ".join(words[first:last]), measure, is_listing=True)
            if inner is not None and (inner.order or inner.bounds) and not (inner.extreme or inner.whether):
                yield Within(inner, " ".join([*words[:first], "e99", *words[last:]]))


def _merged(code: str, is_time: bool) -> str:
    """Several words of one relation are one: `opening year`."""
    code = re.sub(r"\bR (?:year|date|time)\b", "R", code) if is_time else code
    return re.sub(r"\b([RS])(?: (?:of )?[RS])+\b", "R", code)


def _word(text: str, measure: Measure, found: Quantity) -> str:
    """The adjective that orders or compares."""
    wanted = {"max": ("DX", "DM"), "min": ("DN", "DL")}.get(found.order, ("DM", "DL"))
    return next((word.replace("_", " ") for word in text.split() if measure.adjectives.get(word) in wanted), "")


def _way(code: str) -> str:
    return "max" if code in ("DX", "GX", "L", "DM", "GM", "after") else "min"


def _whether(code: str, measure: Measure, _: bool) -> Quantity | None:
    for pattern in _WHETHER:
        if match := pattern.fullmatch(code):
            way, names = match["way"] or match["side"], (match["one"], match["other"])
            if match["way"] or measure.is_time:
                return Quantity(measure, either=names, order=_way(way), whether=True, is_own=_own(match))
    if not (begins := _BEGINS.match(code)):
        return None
    rest = code[begins.end() :]
    for pattern, signs, is_time in _PATTERNS:
        match = pattern.fullmatch(rest) or pattern.fullmatch(f" {begins['aux']}{rest}")
        if match and is_time is measure.is_time:
            bounds = _signed(match, signs)
            return Quantity(measure, value=begins["name"], bounds=bounds, whether=True, is_own="R" in match[0].split())
    return None


def _either(code: str, measure: Measure, _: bool) -> Quantity | None:
    for pattern in _EITHER:
        if (match := pattern.fullmatch(code)) and _is_choice(match):
            names, who = (match["one"], match["other"]), code.startswith("who")
            return Quantity(
                measure,
                match.groupdict().get("noun") or "",
                who,
                either=names,
                order=_way(match["way"]),
                is_own=_own(match),
            )
    return None


def _is_choice(match: re.Match[str]) -> bool:
    """Whether one of two is asked for: `is A or B older`, and not `is A and B older`."""
    return not (match[0].startswith(("is", "was", "does", "did")) and " or " not in match[0])


def _value(code: str, measure: Measure, _: bool) -> Quantity | None:
    """The number of a name: `how much does it cost`."""
    for pattern in _VALUE:
        if match := pattern.fullmatch(code):
            is_own = _own(match)
            said = match.groupdict()
            asks_time = match[0].startswith("when") or bool(said.get("year"))
            if (said.get("how") and said["how"] not in measure.bases) or (asks_time and not measure.is_time):
                continue
            return Quantity(measure, value=match["name"], is_own=is_own)
    return None


def _extreme(code: str, measure: Measure, _: bool) -> Quantity | None:
    match = _EXTREME.fullmatch(code)
    if match is None:
        return None
    return Quantity(measure, match["noun"] or "", order=_way(match["way"]), extreme=True, is_own=_own(match))


def _own(match: re.Match[str]) -> bool:
    return match.groupdict().get("said") == "R"


def _ordered(code: str, measure: Measure, is_listing: bool) -> Quantity | None:
    for pattern in _ORDERING:
        if match := pattern.search(code):
            kept = f" {match.groupdict().get('kept') or ''} "
            rest = " ".join(f"{code[: match.start()]}{kept}{code[match.end() :]}".split())
            asked = _asked(rest, measure, is_listing or pattern.pattern.startswith(r"\b"))
            if asked is not None and not asked.counted:
                return replace(asked, order=_way(match["way"]), is_own=_own(match))
    return None


def _bounded(code: str, measure: Measure, is_listing: bool) -> Quantity | None:
    for pattern, signs, is_time in _PATTERNS:
        if is_time is not measure.is_time:
            continue
        for match in pattern.finditer(code):
            if found := _around(code, match, measure, is_listing):
                return replace(found, bounds=_signed(match, signs))
    for pattern, sign, needs_time in _THAN_PATTERNS:
        for match in pattern.finditer(code) if measure.is_time or not needs_time else ():
            if found := _around(code, match, measure, is_listing):
                said = sign or (">" if _way(match["way"]) == "max" else "<")
                return replace(found, than=(said, match["name"]))
    return None


def _signed(match: re.Match[str], signs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The slots of the numbers that bound, each with its sign."""
    slots = [slot for slot in match.groups() if slot and re.fullmatch(r"t\d+", slot)]
    return tuple(zip(signs, slots, strict=True))


def _around(code: str, match: re.Match[str], measure: Measure, is_listing: bool) -> Quantity | None:
    """What is asked around words that bound it."""
    asked = _asked(" ".join(f"{code[: match.start()]} {code[match.end() :]}".split()), measure, is_listing)
    return replace(asked, is_own="R" in match[0].split()) if asked else None


def _asked(text: str, measure: Measure, is_listing: bool) -> Quantity | None:
    """What a text asks for once all that orders or bounds is cut out: a noun, and what is said of it about a name."""
    match = next((found for pattern in _ASKED if (found := pattern.fullmatch(text))), None)
    if match is None and is_listing:
        match = _LISTED.fullmatch(text)
    if match is None:
        return None
    said = match.groupdict()
    noun, scope = said.get("noun") or "", _trimmed(said.get("scope") or "")
    is_bare = not scope or (re.search(r"\be\d+\b", scope) and not re.search(r"[A-Z]|\bt\d+\b", scope))
    if noun in GRAMMAR_WORDS or not is_bare:
        return None
    return Quantity(measure, noun, text.startswith("who"), scope, text.startswith("how many"))


def _trimmed(scope: str) -> str:
    """What is said of a noun, without the words that join it to others."""
    scope = re.sub(rf"^(?: ?(?:that|which|who|and|{_AUX})\b)+", "", f" {scope}".rstrip())
    return re.sub(r"(?: (?:and|that|which|who|is|are|was|were))+$", "", scope).strip()


def _about(way: str, is_time: bool) -> Iterator[str]:
    """A bound with the words that say of which relation it is; or with an adjective that says it alone."""
    yield rf" {_WHO}(?:{_AUX} )?[RS](?: at| of)? (?:{way})(?= |$)"
    yield rf" {_HAVING} {_THE}[RS](?: of| that {_AUX}| which {_AUX})? (?:{way})(?= |$)"
    if not is_time:
        yield rf" {_HAVING} (?:an? )?(?:{way}) [RS](?= |$)"


def _alone(way: str) -> str:
    """A bound by an adjective of the dimension: `cheaper than`."""
    adjective = way.replace("GM|", "").replace("GL|", "").replace("GM", "DM").replace("GL", "DL")
    return rf" {_WHO}{_AUX} (?:{adjective})(?= |$)"


def _patterns() -> Iterator[tuple[re.Pattern[str], tuple[str, ...], bool]]:
    """Each bound by numbers, its signs, and whether it is one of times."""
    for way, signs in _TIME_BOUNDS:
        yield from ((re.compile(form), signs, True) for form in _about(way, is_time=True))
    for way, signs in _BOUNDS:
        yield from ((re.compile(form), signs, False) for form in _about(way, is_time=False))
        if "G" in way:
            yield re.compile(_alone(re.sub(r"\|\(\?:over.*|\|\(\?:under.*", "", way))), signs, False


def _than_patterns() -> Iterator[tuple[re.Pattern[str], str, bool]]:
    """Each bound by what a name has, its sign if one word says it, and whether it is one of times."""
    name = r"(?:the )?(?P<name>e\d+)"
    yield re.compile(rf" {_WHO}{_AUX} (?P<way>DM|DL) than {name}(?= |$)"), "", False
    yield re.compile(rf" {_WHO}(?:{_AUX} )?[RS] (?P<way>GM|DM|GL|DL) than {name}(?= |$)"), "", False
    yield re.compile(rf" {_HAVING} an? (?P<way>GM|DM|GL|DL) [RS] than {name}(?= |$)"), "", False
    yield re.compile(rf" {_WHO}(?:{_AUX} )?[RS] before {name}(?= |$)"), "<", True
    yield re.compile(rf" {_WHO}(?:{_AUX} )?[RS] after {name}(?= |$)"), ">", True


_PATTERNS = tuple(_patterns())
_THAN_PATTERNS = tuple(_than_patterns())
