"""S-expressions in the reply of an LLM: found among fences and prose, and mended where they are slightly broken.

A model that writes logical forms drops a parenthesis, adds one, or misspells a function (ChatKBQA, section 3.3: its
skeletons are not always well-formed). What the author meant mostly follows from how many arguments each function has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
        mended = _mended(text)
        if mended is None:
            raise error from None
        return mended
    plain = _Parser(text, lenient=False)
    if plain.has_stray_function():
        return _mended(text) or Mended(text, read)  # `(AND JOIN r x)`, in which JOIN lacks its parenthesis
    swapped = _text(plain.only()) if plain.in_order() else ""
    return Mended(swapped, read_sexpr(swapped), tuple(plain.notes)) if plain.notes else Mended(text, read)


def _mended(text: str) -> Mended | None:
    """The first reading with fewest mends: AND and OR take two operands, else as many as follow."""
    found = []
    for operands in (2, ARITY["AND"][1]):
        parser = _Parser(text, lenient=True, operands=operands)
        try:
            parser.in_order()
            written = _text(parser.only())
            found.append(Mended(written, read_sexpr(written), tuple(parser.notes)))
        except BadInput:
            continue
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
    """The list that a text has, as nested Python lists, and what was mended in it.

    Args:
        text: the S-expression.
        lenient: whether anything is mended while it is read.
        operands: the operands of AND and OR after which a missing parenthesis is added.

    Raises:
        ProgramError: lists are nested too deep.
    """

    def __init__(self, text: str, *, lenient: bool, operands: int = 2) -> None:
        self.text, self.lenient, self.operands = text, lenient, operands
        self.notes: list[str] = []
        self.tokens = self.lexed(text)
        self.root: list[_Item] = []
        self.read()

    def only(self) -> _Item:
        """The one list of the text.

        Raises:
            ProgramError: there is none, or something follows it.
        """
        if len(self.root) != 1 or isinstance(self.root[0], str):
            raise ProgramError("this is not one S-expression", self.text, (0, len(self.text)))
        return self.root[0]

    def note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def lexed(self, text: str) -> list[_Token]:
        """The tokens; half brackets and quotes are completed, words that can only be one name are joined."""
        if self.lenient:
            straight = _SINGLE.sub(r'"\1"', text.translate(_QUOTES))
            if straight != text:
                self.note("Quotation marks were replaced by double quotes.")
            straight = _WITH_PARENTHESES.sub(self.name_with_parentheses, straight)
            text = _TWO_WORDS.sub(_one_word, straight)
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
        return self.joined(tokens) if self.lenient else tokens

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

    def read(self) -> None:
        """Reads the lists of the tokens into `root`."""
        stack = [self.root]

        def opened(*items: str) -> None:
            if len(stack) > MAX_DEPTH:
                raise ProgramError(f"lists are nested more than {MAX_DEPTH} deep", self.text, (0, len(self.text)))
            stack.append(list(items))
            stack[-2].append(stack[-1])

        for place, (kind, text) in enumerate(self.tokens):
            if self.lenient and kind != "close":
                while len(stack) > 1 and self.lacks(stack[-1]) == (False, True):
                    stack.pop()
                    self.note("A missing parenthesis was added.")
            if kind == "open":
                opened()
            elif kind == "close":
                self.close(stack, self.tokens[place + 1 :])
            elif self.lenient and kind == "symbol" and len(stack) > 1 and not stack[-1]:
                following = self.tokens[place + 1].kind if place + 1 < len(self.tokens) else "close"
                stack[-1].append(text if following == "close" else self.function(text))
            elif self.lenient and kind == "symbol" and text in FUNCTIONS:
                self.note(f"A missing parenthesis was added before {text}.")
                opened(text)
            else:
                stack[-1].append(text)
        if len(stack) > 1:
            self.note("A missing parenthesis was added.")
        self.root[:] = self.spliced(self.root) if self.lenient else self.root

    def close(self, stack: list[list[_Item]], after: Sequence[_Token]) -> None:
        """Ends the innermost list, unless it still lacks arguments and more follows."""
        more = any(token.kind != "close" for token in after)
        if self.lenient and len(stack) > 1 and not stack[-1] and not (after and after[0].text in FUNCTIONS):
            self.note("A surplus parenthesis was dropped.")  # the one that opens: `x () y`
            stack.pop()
            stack[-1].pop()
        if len(stack) > 1 and not (self.lenient and more and (not stack[-1] or self.lacks(stack[-1])[0])):
            stack.pop()
        else:
            self.note("A surplus parenthesis was dropped.")

    def lacks(self, items: list[_Item]) -> tuple[bool, bool]:
        """Whether a list has fewer arguments than its function takes, and whether it takes no more."""
        head = items[0] if items else None
        if not isinstance(head, str) or head.upper() not in FUNCTIONS:
            return False, False
        low, high = ARITY.get(head.upper(), (2, 2))
        most = self.operands if head.upper() in ("AND", "OR") else high
        return len(items) - 1 < low, len(items) - 1 >= most

    def function(self, word: str) -> str:
        """The function that a word at the head of a list is."""
        if word.upper() in FUNCTIONS:
            return word
        near = similar(word.upper(), FUNCTIONS, least=MISSPELT) if word.isalpha() else []
        if near:
            self.note(f"'{word}' was read as {near[0]}.")
        return near[0] if near else word

    def spliced(self, items: list[_Item]) -> list[_Item]:
        """The items, where those of a list without a function stand in its place."""
        result: list[_Item] = []
        for item in items:
            if isinstance(item, str):
                result.append(item)
                continue
            inner = self.spliced(item)
            head = inner[0] if inner else None
            if isinstance(head, str) and head.upper() in FUNCTIONS and len(inner) > 1:
                result.append(inner)
            else:
                self.note("Surplus parentheses were dropped.")
                result += inner
        return result

    def has_stray_function(self) -> bool:
        """Whether a function in capitals stands where a name should."""
        words = (place for place, token in enumerate(self.tokens) if _is_word(token) and token.text in FUNCTIONS)
        return not all(_is_head(self.tokens, place) for place in words)

    def in_order(self) -> bool:
        """Puts the arguments of ARGMAX and ARGMIN in order, the elements first; whether any were not."""
        before = len(self.notes)
        waiting = list(self.root)
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                continue
            waiting += item
            function = item[0].upper() if item and isinstance(item[0], str) else ""
            if function in EXTREMES and len(item) == 3 and _is_swapped(item[1], item[2]):
                item[1], item[2] = item[2], item[1]
                self.note(f"The arguments of {function} were swapped.")
        return len(self.notes) > before


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
