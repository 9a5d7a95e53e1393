"""Questions about what held, read by their parts: who was what of what, and when.

What is asked, the order (first, last), the times (`in 1960`, `before 1930`, `since 1956`), a neighbour (`before Ann`,
`Ann's successor`), another fact (`while Ann was mayor of York`) and the core (`mayor of York`) are found by rules of
English. Every word must be one of these, of the relation, or the noun that says what kind of thing is asked for
(`which clubs`). If a word is left over, there is no reading. `clause_programs` makes programs of a reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.faults import PREPOSITIONS
from cgstore.llm.backends.rewrite.unknown import LIGHT_WORDS
from cgstore.llm.demonstrations.signals import HARMLESS, SIGNAL_OF
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.text.likeness import CARDINALS
from cgstore.text.names import in_words, normal_form
from cgstore.text.thesaurus import lemma

_ASKING = frozenset(["which", "what", "who", "whom", "whose", "where", "when", "while", "how", "and"])
_CHANGES_MEANING = (GRAMMAR_WORDS | SIGNAL_OF.keys()) - HARMLESS | _ASKING
"""Words that change what is asked: with one of them left over, the question is not understood."""

_JOINT = "\u02d1"
"""A letter between the words of a relation's name that are read as one."""

_UNITS = frozenset(["game", "games", "match", "matches", "goals", "points", "seasons", "sets", "seats", "votes"])
_RESTRICTING = frozenset(["woman", "women", "man", "men", "girl", "girls", "boy", "boys"])
"""Nouns that count, or ask for, something else than the names that a relation has."""

_PLURALS = frozenset(["people", "children", "men", "women"])


@dataclass(frozen=True)
class At:
    """A bound on the times asked about: `value OP time`."""

    sign: str
    time: Mention


@dataclass(frozen=True)
class Clause:
    """One fact with up to two of its names: the words that say its relation, and its names in order.

    `edge`: `start_time` or `end_time` where the fact's beginning or end is meant, as `verb` says, else `time`. `text`
    has `e0` and `qq` for the names and what is asked for. `at` bounds the times of a clause beside the main one.
    """

    text: str
    names: tuple[Mention, ...]
    places: tuple[str, ...]
    words: tuple[str, ...]
    edge: str = "time"
    verb: str = ""
    at: tuple[At, ...] = ()


@dataclass(frozen=True)
class QuestionParts:
    """The parts of a question.

    `unit` is `entity`, `time`, `start_time`, `end_time`, `span` (a start and an end), `period` (that, or all years) or
    `years`; `kind` the noun of what is
    asked for, if there is one; `order` is `min`, `max`, or a place from 2 on;
    `several`: all of them, and not the nearest, are asked for; `where`: a place is asked for; `amount`: how much.
    """

    unit: str
    core: Clause
    kind: str = ""
    counted: bool = False
    several: bool = False
    where: bool = False
    person: bool = False
    amount: bool = False
    order: str = ""
    at: tuple[At, ...] = ()
    beside: tuple[str, Mention] | None = None
    same: Mention | None = None
    during: Clause | None = None
    relative: tuple[str, Clause] | None = None


@dataclass
class Text:
    """The text as far as it has not been read, with the names and times in it."""

    text: str
    names: dict[str, Mention]
    times: dict[str, Mention]
    own: frozenset[str] = frozenset()
    """Words that change what is asked elsewhere, and are nouns of the graph's relations: `prior`."""

    def cut(self, match: re.Match[str], instead: str = " ") -> None:
        self.text = " ".join(
            (self.text[: match.start()] + f" {match.expand(instead)} " + self.text[match.end() :]).split()
        )

    def find(self, pattern: re.Pattern[str], instead: str = " ") -> re.Match[str] | None:
        match = pattern.search(self.text)
        if match:
            self.cut(match, instead)
        return match

    def asked(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What is asked for, which `qq` stands for, with its preposition behind it: `qq by` for `by whom`."""
        match = pattern.search(self.text)
        if match:
            preposition, *others = match[0].split()
            self.cut(match, f"qq {preposition}" if others and preposition in P.ASKED_WITH else "qq")
        return match


def sure_names(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions that are names or times by themselves; of several at one place the first."""
    names: list[Mention] = []
    for mention in mentions:
        if mention.kind != "relation" and not mention.weak and (not names or mention.start >= names[-1].end):
            names.append(mention)
    return names


def not_of_relations(mentions: Sequence[Mention], graph: GraphView) -> list[Mention]:
    """The mentions without nodes in lower case that are called as a relation: in RDF, properties have labels too."""
    said = {normal_form(in_words(relation)) for relation in graph.relations}
    return [
        each
        for each in mentions
        if each.kind != "entity" or not each.text.islower() or normal_form(each.text) not in said
    ]


def clause_names(
    question: str, mentions: Sequence[Mention], possible: Sequence[Mention], is_word: Callable[[str], bool]
) -> list[Mention]:
    """The names and times of a question, in order: its mentions, and what may be a name and is nothing else.

    Args:
        question: in plain words.
        mentions: those that are names by themselves; of several at one place the first counts.
        possible: all that may be one.
        is_word: whether a word says a relation of the graph.
    """
    names = sure_names(mentions)
    for mention in possible:
        words = [word.text.lower() for word in words_of(mention.text)]
        if all(word in GRAMMAR_WORDS or word in SIGNAL_OF or word in LIGHT_WORDS or is_word(word) for word in words):
            continue
        if not any(each.start < mention.end and mention.start < each.end for each in names):
            names.append(mention)
    return sorted(names, key=lambda name: name.start)


def read_question(question: str, names: Sequence[Mention], relations: Sequence[str] = ()) -> QuestionParts | None:
    """The parts of a question; None if it is not understood.

    Args:
        question: in plain words.
        names: its names and times, which do not overlap, in order.
        relations: those of the graph; a word of their names says no order: `first horn`.
    """
    left = replace(marked(question, names), own=own_nouns(relations))
    for words in {in_words(relation) for relation in relations}:
        if " " in words and not _CHANGES_MEANING.isdisjoint(words.split()) and words.split()[-1] not in PREPOSITIONS:
            left.text = re.sub(rf"\b{re.escape(words)}(?=s?\b)", words.replace(" ", _JOINT), left.text)
    return read_opened(left, opened(left))


def asked_text(question: str, name: Mention) -> str:
    """The question in lower case with `e0` for a name and `qq` for what is asked for."""
    left = marked(question, [name])
    opened(left)
    left.find(P.WHERE, "qq in")
    if left.asked(P.WHO) is None and (match := left.asked(P.WHICH)) and match["kind"]:
        left.text = left.text.replace("qq", f"qq {match['kind']}", 1)
    return left.text


def read_opened(left: Text, listing: str) -> QuestionParts | None:
    """The parts of a question that `opened` has opened; None if it is not understood."""
    try:
        if P.REFUSED.search(left.text):
            raise NotUnderstood
        is_ever = bool(P.EVER.search(left.text)) or any(map(_is_plural, P.PLURAL.findall(left.text)))
        during = _during(left)
        relative = _relative(left)
        same = left.names[_slot(match, "e")] if (match := left.find(P.SAME)) else None
        beside, all_beside = _beside(left) if relative is None else (None, False)
        at = tuple(_at(left))
        if sum(each.sign == "=" for each in at) > 1:
            raise NotUnderstood  # "in 1960 and 1970"
        unit, kind, counted = _unit(left)
        order, of_kind = _order(left)
        where = bool(left.find(P.WHERE, "qq in"))
        person = left.find(P.WHOSE, "qq's") is not None or left.asked(P.WHO) is not None
        amount = not person and left.find(P.HOW_MUCH, "qq") is not None
        if unit != "entity" and (where or person or P.WHICH.search(left.text)):
            raise NotUnderstood  # "when at York, who did Ann work with" asks for somebody
        is_ever = is_ever or bool(P.SEVERAL.search(left.text))
        if unit == "entity" and not (kind or where or person or amount):
            kind = _kind(left, is_listing=bool(listing))
        kind = kind or of_kind
        if (counted and kind in _UNITS) or kind in _RESTRICTING:
            raise NotUnderstood
        if kind in _CHANGES_MEANING - {"time", "times"} - left.own or kind in CARDINALS or kind in GRAMMAR_WORDS:
            raise NotUnderstood  # "which other clubs", "the first two mayors"
        edge, verb = read_edge(left)
        if unit == "time" and edge != "time":
            unit, edge = edge, "time"
        core = clause_of(left, edge, verb, least=0)
    except NotUnderstood:
        return None
    several = all_beside or is_ever or listing == "all" or (unit == "entity" and _is_plural(kind))
    says = {"counted": counted, "several": several, "where": where, "person": person, "amount": amount}
    return QuestionParts(
        unit, core, kind, order=order, at=at, beside=beside, same=same, during=during, relative=relative, **says
    )


def own_nouns(relations: Iterable[str]) -> frozenset[str]:
    """The words of relations that say an order or an edge elsewhere: the prior of an abbey, who closed a bank."""
    said = {in_words(relation).removesuffix(" of") for relation in relations}
    verbs = {lemma(word) for name in said for word in name.split()} & P.OPENING_LEMMAS
    return frozenset((said & _CHANGES_MEANING - GRAMMAR_WORDS - {"successor", "predecessor"}) | verbs)


class NotUnderstood(Exception):
    """A part of the question is not understood."""


def marked(question: str, mentions: Sequence[Mention]) -> Text:
    """The question in lower case with `e0`, `t0` for its names and times."""
    names: dict[str, Mention] = {}
    times: dict[str, Mention] = {}
    text, at = "", 0
    for mention in mentions:
        kept, letter = (times, "t") if mention.kind == "time" else (names, "e")
        slot = f"{letter}{len(kept)}"
        kept[slot] = mention
        text += f"{question[at : mention.start]} {slot} "
        at = mention.end
    text = (text + question[at:]).lower().replace("’", "'")
    text = re.sub(r"([et]\d+) +'s\b", r"\1's", text)
    return Text(" ".join(re.sub(r"[^\w' ]", " ", text).split()), names, times)


def opened(left: Text) -> str:
    """Takes away what only asks for an answer.

    It is `all` or `some` where names are to be listed without a question word, and empty otherwise.
    """
    left.text = P.OPENING.sub("", left.text)
    left.text = " ".join(P.FILLING.sub(" ", left.text).split())
    left.find(P.COUNTING, "how many")
    left.find(P.PAIR, r"of \g<one> with \g<other>")
    left.find(P.NEXT)
    listed = left.find(P.LISTING) or left.find(P.NAME_OF)
    anybody = left.find(P.ANYBODY)
    if re.search(P.QUESTION_WORD, left.text) if not listed else re.match(P.QUESTION_WORD, left.text):
        return "all" if listed and anybody else ""
    is_all = listed is not None and (listed.groupdict().get("all") or _is_plural(left.text.split(" ", 1)[0]))
    return "all" if is_all else "some"


def _during(left: Text) -> Clause | None:
    """The fact during which something else held."""
    match = P.WHILE_PRONOUN.search(left.text) or P.WHILE_IT.search(left.text)
    if match and len(re.findall(r"\be\d+\b", match["main"])) == 1:
        left.cut(match, r"\g<main> \g<name>")
    if match := P.FRONTED.search(left.text):
        clause, left.text = match["clause"], match["main"]
    elif P.ASKS_BEFORE_CLAUSE.match(left.text) and (match := P.WHILE.search(left.text)):
        clause, left.text = match["clause"], left.text[: match.start()].strip()
    else:
        return None
    clause = P.TERM_AS.sub(lambda found: f"{found['of'] or found['name']} was {found['at'] or ''}".strip(), clause)
    others = re.findall(r"\be\d+\b", left.text)
    if len(re.findall(r"\be\d+\b", clause)) == 1 and len(others) == 1:  # "while Ann was coaching them"
        clause = P.PRONOUN.sub(lambda found: _meant(found, others[0]), clause, count=1)
    inner = replace(left, text=clause)
    at = tuple(_at(inner))
    found = replace(clause_of(inner, *read_edge(inner)), at=at)
    if not found.names:
        raise NotUnderstood
    return found


def _meant(pronoun: re.Match[str], name: str) -> str:
    """A name for a pronoun."""
    return f"at {name}" if pronoun["there"] else f"{name}'s" if pronoun["whose"] else name


def _relative(left: Text) -> tuple[str, Clause] | None:
    """Another fact, in words of its own, before or after which something held."""
    match = P.RELATIVE.search(left.text)
    others = re.findall(r"\be\d+\b", left.text[: match.start()]) if match else []
    beside = P.NEIGHBOUR.search(left.text)
    if match is None or len(others) != 1 or (beside and beside.end() == len(left.text)):
        return None
    inner = replace(left, text=P.SUBJECT_PRONOUN.sub(others[0], match["clause"]))
    edge, verb = read_edge(inner)
    try:
        clause = clause_of(inner, edge, verb)
    except NotUnderstood:
        return None
    if not clause.words or len(clause.names) == 1:
        return None
    left.text = left.text[: match.start()].strip()
    return ("before" if match["side"] == "before" else "after", clause)


def _beside(left: Text) -> tuple[tuple[str, Mention] | None, bool]:
    """What came before or after somebody or something, and whether all of it is asked for."""
    for pattern, instead in (
        (P.WAS_SUCCEEDED, "who"),
        (P.SUCCEED, "who"),
        (P.TAKEN_FROM, "who"),
        (P.SUCCEEDED, ""),
        (P.TOOK_OVER, r"\g<core>"),
        (P.TAKEN_OVER, r"\g<core>"),
        (P.SUCCESSOR, ""),
        (P.CAME, ""),
        (P.NEIGHBOUR, ""),
    ):
        if match := left.find(pattern, instead):
            said = match.groupdict()
            is_before = (said["side"] or said.get("by") or said.get("of")) in P.BEFORE
            if pattern is P.SUCCEED:
                is_before = said["side"] != "precede"  # whom did she succeed: who was there before her
            is_before = is_before or pattern is P.TAKEN_FROM
            slots = [group for group in match.groups() if group and re.fullmatch(r"e\d+", group)]
            return ("before" if is_before else "after", left.names[slots[-1]]), bool(said.get("all"))
    return None, False


def _slot(match: re.Match[str], letter: str) -> str:
    """The name (`e`) or time (`t`) in a match."""
    return next(group for group in match.groups() if group and re.fullmatch(rf"{letter}\d+", group))


def _at(left: Text) -> Iterator[At]:
    """The bounds on the times asked about."""
    if match := left.find(P.BETWEEN):
        one, other = (left.times[slot] for slot in match.groups())
        yield At(">=", one)
        yield At("<=", other)
    while match := left.find(P.AT):
        yield At(P.SIGNS.get(match["side"], "="), left.times[_slot(match, "t")])
    if match := left.find(P.BARE_TIME):
        yield At("=", left.times[match[1]])


def _unit(left: Text) -> tuple[str, str, bool]:
    """What is asked for, the noun of what is counted, and whether it is counted."""
    if match := left.find(P.HOW_MANY, "qq"):
        return "entity", match["kind"], True
    spans = ((P.ENDS_OF_SPAN, "span"), (P.SPAN, "period"), (P.YEARS, "years"))
    asked = (*spans, (P.START, "start_time"), (P.END, "end_time"), (P.WHEN, "time"))
    for pattern, unit in asked:
        if left.find(pattern):
            return unit, "", False
    return "entity", "", False


def _order(left: Text) -> tuple[str, str]:
    """Whether the first (`min`) or the last (`max`) is asked for, and the noun of what it is."""
    which = P.WHICH.search(left.text)
    has_kind = which is not None and which["kind"] is not None  # "which club was the first winner"
    if match := left.find(P.ORDER_OF_KIND, r"\g<kind>" if has_kind else ""):
        said, kind = match["order"], match["kind"]
    elif match := left.find(P.ORDER):
        said, kind = match["once"] or match["order"], ""
    elif match := left.find(P.NTH):
        return P.PLACES[match["nth"]], ""
    else:
        return "", ""
    return "min" if said in P.FIRST else "max", kind


def _kind(left: Text, is_listing: bool) -> str:
    """The noun that says what kind of thing is asked for, if there is one."""
    if match := left.asked(P.WHICH):
        return match["kind"] or ""
    if not is_listing:
        raise NotUnderstood
    first = left.text.split(" ", 1)[0]
    is_noun = not P.SLOT.fullmatch(first) and first not in GRAMMAR_WORDS
    if is_noun and not re.match(rf"\w+{P.AFTER_KIND}", left.text):
        raise NotUnderstood
    left.text = f"qq {left.text.removeprefix(first).strip() if is_noun else left.text}"
    return first if is_noun else ""


def read_edge(left: Text) -> tuple[str, str]:
    """Whether a fact's beginning or end is meant, or that it held; and the verb that says so."""
    if left.find(P.TAKES_UP, "hold"):
        return "start_time", "take"
    for pattern, edge in ((P.STARTS, "start_time"), (P.MADE, "start_time"), (P.ENDS, "end_time")):
        if match := left.find(pattern):
            return edge, match[0].split()[0]
    if (match := P.OPENS.search(left.text)) and lemma(match["verb"]) not in left.own:
        left.cut(match)
        return "start_time" if match["verb"] == "open" else "end_time", match["verb"]
    edge = "start_time" if P.HAPPENED.search(left.text) else "time"
    left.find(P.GOT, "was ")
    return edge, ""


def clause_of(left: Text, edge: str, verb: str = "", least: int = 1) -> Clause:
    """The rest of a text as a fact with its names, of which there are this many at least."""
    tokens = P.TOKEN.findall(left.text)
    slots = [token.removesuffix("'s") for token in tokens if re.fullmatch(r"e\d+(?:'s)?", token)]
    words = [word.text for token in tokens if not P.SLOT.fullmatch(token) for word in words_of(token)]
    if not least <= len(slots) <= 2 or len(set(slots)) != len(slots):
        raise NotUnderstood
    if P.THERE.search(left.text):
        raise NotUnderstood
    joint = {word for token in left.text.split() if _JOINT in token for word in token.split(_JOINT)}
    left.text = left.text.replace(_JOINT, " ")
    changing = _CHANGES_MEANING.intersection(words) - _particles(left.text) - joint - left.own
    if changing or any(re.fullmatch(r"t\d+", word) for word in tokens):
        raise NotUnderstood
    content = tuple(word for word in words if word not in GRAMMAR_WORDS or word == "own" or word in joint)
    return Clause(left.text, tuple(left.names[slot] for slot in slots), tuple(slots), content, edge, verb)


def _particles(text: str) -> set[str]:
    """The words that belong to the verb before them: `swallowed up`, `looked after`, `came off`."""
    return {match["particle"] for match in P.PARTICLE.finditer(text) if match["verb"] not in GRAMMAR_WORDS}


def _is_plural(noun: str) -> bool:
    return noun in _PLURALS or (len(noun) > 3 and noun.endswith("s") and not noun.endswith(("ss", "us", "is")))
