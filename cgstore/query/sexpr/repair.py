"""S-expressions in the reply of an LLM: found among fences and prose, and mended where they are slightly broken.

A model that writes logical forms drops a parenthesis, adds one, or misspells a function (ChatKBQA, section 3.3: its
skeletons are not always well-formed). What the author meant mostly follows from how many arguments each function has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from cgstore.errors import BadInput
from cgstore.query.parse import MAX_LENGTH, ProgramError
from cgstore.query.sexpr.forms import EXTREMES, Form
from cgstore.query.sexpr.read import ARITY, FUNCTIONS, MAX_DEPTH, WORDS, read_sexpr
from cgstore.text.likeness import similar

MAX_CANDIDATES = 50
"""Most S-expressions that are read in one reply."""

MISSPELT = 0.6
"""Least likeness of a word to the function that it is read as."""

_FENCED = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_NAMES = "|".join(sorted(map(re.escape, FUNCTIONS | {"LESS", "GREATER"}), key=len, reverse=True))
_START = re.compile(
    rf"\(\s*\(*\s*(?:{_NAMES})(?=[\s(\[\"])"  # anywhere, in capitals
    rf"|^[^\S\n]*(?:[-*>]|\d+[.):])?[^\S\n]*(?P<line>[`\"']*(?:\(+\s*[A-Za-z]+(?=[\s(\[\"])|(?:{_NAMES})(?=[\s(\[])))",
    re.MULTILINE,
)
_QUOTES = str.maketrans("“”„«»‘’", '"""""\'\'')
_SINGLE = re.compile(r"(?<![^\s(\[])'((?:[^'()\"\n]|'(?=\w))+)'(?![^\s)\]])")
_WITH_PARENTHESES = re.compile(r"\[([^\[\]\"]*[()][^\[\]\"]*)\]")
_TWO_WORDS = re.compile(r"(?<=\()(\s*)(?i:(less|greater)\s+(than|equal))\b|()\b(LESS|GREATER)[\s()]+(THAN|EQUAL)\b")
_TOKEN = re.compile(
    r"""(?P<typed>"(?:[^"\\]|\\.)*"\^\^[^\s()\[\]]+) | (?P<quoted>"(?:[^"\\]|\\.)*")
    | (?P<bracketed>\[(?:"(?:[^"\\]|\\.)*"|[^\[\]()])*\]) | (?P<half_bracket>\[(?:"(?:[^"\\]|\\.)*"|[^\[\]()])*)
    | (?P<half_quote>"[^()\[\]"]*) | (?P<open>\() | (?P<close>\)) | (?P<end>\]) | (?P<symbol>[^\s()\[\]"]+)""",
    re.VERBOSE | re.DOTALL,
)
_RELATION = re.compile(
    r"[a-z0-9_]+(?:\.[a-z0-9_]+){2,}|\[[^\[\],]* , [^\[\],]* , [^\[\]]*\]"
    r'|(?:\[\s*)?"[a-z0-9_]+(?:\.[a-z0-9_]+)+\.[^".]+"(?:\s*\])?'  # quoted for its parentheses or blanks
)
_IN_LOWER_CASE = re.compile(r'(?:\[\s*)?"[^"A-Z.]+"(?:\s*\])?')
_CLASS = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+|\[[^\[\],]* , [^\[\],]*\]")
_ENTITY = re.compile(r'[mg]\.[0-9a-z_]+|".*"|\[[^,]*\]', re.DOTALL)


@dataclass(frozen=True)
class Mended:
    """A form, its S-expression, and a sentence for each thing that was mended in it."""

    text: str
    form: Form
    notes: tuple[str, ...] = ()


def forms_in(reply: str) -> list[Mended]:
    """The forms in a reply, in their order; what stands in fences is read alone.

    Candidates that are beyond mending are left out.

    Raises:
        ProgramError: none can be read; the message is about the first one.
        BadInput: the reply is too long, or there is no S-expression in it.
    """
    if len(reply) > MAX_LENGTH:
        raise BadInput(f"The reply has {len(reply):,} characters; at most {MAX_LENGTH:,} are read.")
    fenced = "\n\n".join(match[1] for match in _FENCED.finditer(reply))
    found, error = list[Mended](), None
    for text in _candidates(fenced if _START.search(fenced) else reply):
        try:
            found.append(mend(text))
        except (BadInput, ProgramError) as refused:
            error = error or refused
        if len(found) == MAX_CANDIDATES:
            break
    if found:
        return found
    raise error or BadInput("There is no S-expression in the reply.", "One begins with a function: (JOIN relation x).")


def mend(text: str) -> Mended:
    """The form of an S-expression that may be slightly broken.

    Brackets are balanced by what each function takes, functions in other spellings are recognised, and so are names in
    other quotes and the arguments of ARGMAX in the other order. Notes say what was done.

    Raises:
        ProgramError: it cannot be mended; the message is about the text as it was given.
        BadInput: it is too long, or not Unicode text.
    """
    text = text.strip()
    try:
        read = read_sexpr(text)
    except ProgramError as error:
        if (mended := _mended(text)) is None:
            raise error from None
        return mended
    tokens = [_Token(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(_TWO_WORDS.sub(_one_word, text))]
    strays = (at for at, token in enumerate(tokens) if token.text in FUNCTIONS and not _is_head(tokens, at))
    if next(strays, None) is not None:
        return _mended(text) or Mended(text, read)  # `(AND JOIN r x)`, in which JOIN lacks its parenthesis
    parser = _Parser(text, tokens)
    swapped = parser.in_order()
    return Mended(swapped, read_sexpr(swapped), tuple(parser.notes)) if parser.notes else Mended(text, read)


def _mended(text: str) -> Mended | None:
    """The first reading with fewest mends: AND and OR take two operands, else as many as follow."""
    found = []
    for operands in (2, ARITY["AND"][1]):
        parser = _Parser(text, operands=operands)
        with suppress(BadInput):
            written = parser.in_order()
            found.append(Mended(written, read_sexpr(written), tuple(parser.notes)))
    return min(found, key=lambda each: len(each.notes), default=None)


# Candidates in a text -------------------------------------------------------------------------------------------------


def _candidates(text: str) -> Iterator[str]:
    """The parts of a text that may be S-expressions: well-formed ones, else what a line or paragraph has."""
    at = 0
    while start := _START.search(text, at):
        first = start.start("line") if start["line"] else start.start()
        whole, at = _balanced(text, first), _end(text, first)
        if whole and _reads(text[first:whole]) and text.count(")", whole, at) <= text.count("(", whole, at):
            at = whole
        yield text[first:at].strip().strip("`")


def _balanced(text: str, first: int) -> int | None:
    """Where the list that begins here ends; None if it does not."""
    depth = 0
    for match in _TOKEN.finditer(text, first):
        depth += (match.lastgroup == "open") - (match.lastgroup == "close")
        if not depth:
            return match.end() if match.lastgroup == "close" else None
    return None


def _reads(text: str) -> bool:
    try:
        read_sexpr(text)
    except BadInput:
        return False
    return True


def _end(text: str, first: int) -> int:
    """The end of the first line with no open parenthesis, or of the paragraph, without prose after the last bracket."""
    depth, at = 0, first
    for line in text[first:].splitlines(keepends=True):
        if at > first and (not line.strip() or _START.match(line)):
            break
        at += len(line)
        depth += line.count("(") - line.count(")")
        if depth <= 0:
            break
    last = max(text.rfind(sign, first, at) for sign in ')]"')
    return last + 1 if last > first and depth <= 0 else at


# Mending --------------------------------------------------------------------------------------------------------------


class _Token(NamedTuple):
    kind: str
    text: str


_Item = str | list["_Item"]
"""A leaf, as it is written, or a list."""


class _Parser:
    """Reads an S-expression by how many arguments each function takes, so that parentheses may be wrong.

    Args:
        text: the S-expression.
        tokens: its tokens, where it is well-formed.
        operands: the operands of AND and OR after which a missing parenthesis is added.
    """

    def __init__(self, text: str, tokens: list[_Token] | None = None, operands: int = 20) -> None:
        self.text, self.operands = text, operands
        self.notes: list[str] = []
        self.tokens = self.lexed(text) if tokens is None else tokens
        self.at = 0
        names = (at for at, token in enumerate(self.tokens) if token.kind not in ("open", "close"))
        self.last = max(names, default=-1)

    def in_order(self) -> str:
        """The S-expression, with the elements before the relation in ARGMAX and ARGMIN.

        Raises:
            ProgramError: arguments are missing, lists are nested too deep, or something follows.
        """
        item = self.item(0)
        if isinstance(item, str) or self.has_more:
            raise ProgramError("this is not one S-expression", self.text, (0, len(self.text)))
        if self.at < len(self.tokens):
            self.note("A surplus parenthesis was dropped.")
        return _text(item)

    def item(self, depth: int) -> _Item:
        """A name, or a function with its arguments."""
        if depth > MAX_DEPTH or not self.has_more:
            problem = f"lists are nested more than {MAX_DEPTH} deep" if depth > MAX_DEPTH else "arguments are missing"
            raise ProgramError(problem, self.text, (0, len(self.text)))
        opened = self.skipped("open")
        while closed := self.skipped("close"):
            self.note("A surplus parenthesis was dropped.")
            opened -= 0 if self.tokens[self.at].text in FUNCTIONS else min(closed, opened)
            opened += self.skipped("open")
        token = self.tokens[self.at]
        self.at += 1
        function = self.function(token, bool(opened))
        item = self.call(function, opened, depth) if function else token.text
        if (surplus := opened - bool(function)) > 0:
            self.note("Surplus parentheses were dropped.")
            self.skipped("close", surplus)
        return item

    def call(self, function: str, opened: int, depth: int) -> list[_Item]:
        """A function with its arguments, and the parenthesis after them."""
        items: list[_Item] = [function]
        low, high = ARITY.get(function.upper(), (2, 2))
        most = self.operands if function.upper() in ("AND", "OR") else high
        while len(items) <= low or (len(items) <= most and self.kind() != "close" and self.has_more):
            items.append(self.item(depth + 1))
        if function.upper() in EXTREMES and len(items) == 3 and _is_swapped(items[1], items[2]):
            items[1], items[2] = items[2], items[1]
            self.note(f"The arguments of {function.upper()} were swapped.")
        if not opened:
            self.note(f"A missing parenthesis was added before {function}.")
        if not self.has_more and self.skipped("open"):
            self.note("A surplus parenthesis was dropped.")
        if not self.skipped("close", 1):
            self.note("A missing parenthesis was added.")
        return items

    @property
    def has_more(self) -> bool:
        """Whether a name or a function is yet to come."""
        return self.at <= self.last

    def kind(self) -> str:
        """The kind of the token at hand; empty at the end."""
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def skipped(self, kind: str, most: int = 1_000_000) -> int:
        """How many tokens of a kind stand here, which are passed over, up to a number."""
        begin = self.at
        while self.kind() == kind and self.at < begin + most:
            self.at += 1
        return self.at - begin

    def function(self, token: _Token, is_head: bool) -> str:
        """The function that a token is, at the head of a list or anywhere in capitals; empty for a name."""
        word = token.text
        if token.kind != "symbol":
            return ""
        if word in FUNCTIONS or (is_head and word.upper() in FUNCTIONS):
            return word
        near = similar(word.upper(), FUNCTIONS, least=MISSPELT) if is_head and word.isalpha() else []
        if not near or self.kind() in ("close", ""):
            return ""
        self.note(f"'{word}' was read as {near[0]}.")
        return near[0]

    def note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def lexed(self, text: str) -> list[_Token]:
        """The tokens; half brackets and quotes are completed, words that can only be one name are joined."""
        straight = _SINGLE.sub(r'"\1"', text.translate(_QUOTES))
        if straight != text:
            self.note("Quotation marks were replaced by double quotes.")
        text = _TWO_WORDS.sub(_one_word, _WITH_PARENTHESES.sub(self.name_with_parentheses, straight))
        tokens: list[_Token] = []
        for match in _TOKEN.finditer(text):
            kind, written = match.lastgroup or "", match[0].strip()
            if kind == "half_bracket":
                self.note(f"A bracket was added: {written} ].")
                kind, written = "bracketed", f"{written} ]"
            elif kind == "half_quote":
                self.note(f'A quotation mark was added: {written}".')
                kind, written = "quoted", f'{written}"'
            elif kind == "end":
                tokens = self.bracketed(tokens)
                continue
            tokens.append(_Token(kind, written))
        return self.joined(tokens)

    def name_with_parentheses(self, match: re.Match[str]) -> str:
        """A name in brackets in which parentheses stand: a part of the name if they are balanced, else surplus."""
        name = match[1].strip()
        if re.fullmatch(r"[^()]*(?:\([^()]*\)[^()]*)+", name):
            self.note(f"The parentheses were taken for a part of the name: {name}.")
            return f'[ "{name}" ]'
        self.note("Parentheses in a name were dropped.")
        return f"[ {' '.join(re.sub('[()]', ' ', name).split())} ]"

    def bracketed(self, tokens: list[_Token]) -> list[_Token]:
        """The tokens, where those before a `]` that nothing opens are one name."""
        at = len(tokens)
        while at and _is_word(tokens[at - 1]) and not _is_head(tokens, at - 1):
            at -= 1
        if at == len(tokens):
            self.note("A surplus bracket was dropped.")
            return tokens
        name = f"[ {' '.join(token.text for token in tokens[at:])} ]"
        self.note(f"A bracket was added: {name}.")
        return [*tokens[:at], _Token("bracketed", name)]

    def joined(self, tokens: list[_Token]) -> list[_Token]:
        """The tokens, where words that can only be one name are one: `(JOIN (R place of birth) Ann Lee)`."""
        result: list[_Token] = []
        at = 0
        while at < len(tokens):
            end = at
            while end < len(tokens) and _is_word(tokens[end]):
                end += 1
            before = [token.text.upper() for token in result[-6:]]
            of_r = before[-2:] == ["(", "R"]
            of_join = before[:4] == ["(", "JOIN", "(", "R"] and before[-1:] == [")"]
            if end - at > 1 and end < len(tokens) and tokens[end].kind == "close" and (of_r or of_join):
                name = " ".join(token.text for token in tokens[at:end])
                self.note(f"These words were read as one name: {name}.")
                result.append(_Token("quoted", f'"{name}"'))
                at = end
            else:
                result.append(tokens[at])
                at += 1
        return result


def _is_swapped(first: _Item, second: _Item) -> bool:
    """Whether a relation stands where the elements should, and elements where the relation should."""
    if isinstance(first, list):
        return isinstance(second, list) and _is_path(first) and not _is_path(second)
    before_class = isinstance(second, str) and bool(_CLASS.fullmatch(second))
    if not _RELATION.fullmatch(first):
        return before_class and bool(_IN_LOWER_CASE.fullmatch(first))
    return before_class or not _is_path(second)


def _is_path(item: _Item) -> bool:
    """Whether an item can be relations alone: no other function than JOIN and R, and no entity."""
    if isinstance(item, str):
        return not _ENTITY.fullmatch(item)
    head = item[0] if item else ""
    return isinstance(head, str) and head.upper() in ("JOIN", "R") and all(map(_is_path, item[1:]))


def _one_word(match: re.Match[str]) -> str:
    blank, *words = (part for part in match.groups() if part is not None)
    return blank + WORDS[" ".join(words).upper()]


def _is_word(token: _Token) -> bool:
    return token.kind == "symbol"


def _is_head(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a token is a function at the head of a list."""
    return tokens[place].text.upper() in FUNCTIONS and (not place or tokens[place - 1].kind == "open")


def _text(item: _Item) -> str:
    return item if isinstance(item, str) else f"({' '.join(map(_text, item))})"
