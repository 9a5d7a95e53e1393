"""Node keys and normalised names: the two forms by which a string finds its node.

A key is unique in the graph. Entities and values are shared: one string is one node in all sources, so that sources
join on them, and the key is the string itself. Relations, columns and lines belong to their source, and the key is the
source and the string. Neo4j's range indexes refuse entries over about 8 kB, and a composite entry has two keys. So the
key of a long string is a prefix and a hash; `Node.name` always has the whole string.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

SEPARATOR = "\x1f"
"""Unit separator: between the source and the name in an owned key; two of them precede the hash of a long name."""

VERSION = "\x1e"
"""Record separator: between the name of a source and the number of its version, if it was ever replaced."""

MAX_BYTES = 1000
"""Longest name, in UTF-8 bytes, that stands whole in a key or a normal form."""

LABELS = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
"""The RDF predicates whose literals name their subject; the first one of a subject counts."""

FACT_PARTS = 3
"""The names in the condition of a whole fact: head, relation, tail."""

STATEMENT_NUMBER = re.compile(r"#(?:[2-9]|[1-9][0-9]+)")
"""The name behind these in the condition of a further statement about the fact."""

PART = 0.97
"""Weight of a part of a relation's name; the whole name has 1."""

FREEBASE_PARTS = 3
"""Number of parts of a relation's name in Freebase: a domain, a type and a property."""

_NOT_WORD = re.compile(r"[^\w]+|_+")
_DOTTED = re.compile(r"\w+(?:\.\w+){2,}")
_WITH_DOMAIN = re.compile(r"\w+(?:\.\w+)+")
_IRI = re.compile(r"^(?:\w+://\S*[#/]|\w+:)(?=\w+$)")
NAMELESS = re.compile(r"/?[mg][./][0-9a-z_]{3,}|_:\S+")
_IDENTIFIER = re.compile(r"\s*\(?\b[PQ]\d+\)?\s*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def shared_key(name: str) -> str:
    """The key of an entity or a value: the same in every source."""
    if SEPARATOR not in name and len(name.encode("utf-8", "surrogatepass")) <= MAX_BYTES:
        return name
    return _shortened(name)


def owned_key(source: str, name: str) -> str:
    """The key of a relation, key, column or line, which belongs to one source."""
    return f"{source}{SEPARATOR}{shared_key(name)}"


def name_of_key(key: str) -> str:
    """The name that a key was made from, or the beginning of a long name."""
    parts = key.split(SEPARATOR)
    return parts[0] if len(parts) % 2 else parts[1]


def source_name(stored: str) -> str:
    """The name of a source that users know, from its stored name (see `VERSION`)."""
    return stored.partition(VERSION)[0]


def _shortened(name: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{name[:100].replace(SEPARATOR, ' ')}{SEPARATOR}{SEPARATOR}{digest}"


def without_accents(text: str) -> str:
    """The text without the marks of its letters: `Malmo` for `Malmö`."""
    if text.isascii():
        return text  # most texts are, and thousands of words are read before a question is
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def normal_form(text: str) -> str:
    """The text without case, accents, punctuation and underscores, for comparing names.

    Names that readers take for the same have the same form: `Gyula Illyés` and `gyula illyes`, `McLaren` and `mclaren`.
    A text of nothing but punctuation keeps its characters. The form has at most `MAX_BYTES` bytes.
    """
    plain = without_accents(text[: 8 * MAX_BYTES]).casefold()  # sorting marks takes quadratic time
    words = _NOT_WORD.sub(" ", plain).strip()
    form = words or " ".join(text.split())
    return form.encode("utf-8", "replace")[:MAX_BYTES].decode("utf-8", "ignore")


@lru_cache(10_000)
def relation_styles(name: str) -> dict[str, float]:
    """The forms by which a relation or key may be named, with their weights: 1 for the whole name.

    Freebase names relations by domain, type and property, and joins two by `..` if a fact has more than two sides:
    `people.person.place_of_birth` is `place of birth` and `person place of birth` too. Wikidata's names have an
    identifier beside the label; RDF's stand at the end of an IRI.
    """
    styles = dict.fromkeys(relation_forms(name), 1.0)
    parts = [part for part in name.split("..") if _DOTTED.fullmatch(part)]
    for part in parts:
        segments = part.split(".")
        for form in (".".join(segments[-2:]), segments[-1]):
            styles.setdefault(normal_form(form), PART)
    for shorter in (_IDENTIFIER.sub("", name), local_name(name)):
        for form in relation_forms(shorter) if shorter else ():
            styles.setdefault(form, PART)
    return styles


def local_name(name: str) -> str:
    """What an IRI ends in, which is the name of its relation: `hasPart`; any other name whole."""
    return _IRI.sub("", name)


def is_nameless(name: str) -> bool:
    """Whether the name of a node is only an identifier: Freebase's `m.04j5sk4`, RDF's `_:b1`.

    Such a node joins the parts of one fact, such as a person, an office and a time; its name means nothing to people.
    """
    return bool(NAMELESS.fullmatch(name))


def distinguishing_parts(asked: str, name: str) -> tuple[str, str]:
    """Two relations without the domain and type that they share: the properties that tell them apart."""
    one, other = asked.split("."), name.split(".")
    if len(one) == len(other) == FREEBASE_PARTS and one[:-1] == other[:-1]:
        return one[-1], other[-1]
    return asked, name


def properties_of(asked: str, name: str) -> tuple[frozenset[str], ...]:
    """The forms of the properties of two relations that both have a domain: their last parts; else nothing."""
    if not (_DOTTED.fullmatch(asked) and _DOTTED.fullmatch(name)) and not have_other_domains(asked, name):
        return ()
    return tuple(relation_forms(each.rpartition(".")[2]) for each in (asked, name))


def have_other_domains(asked: str, name: str) -> bool:
    """Whether two relations both have a domain, and these share no word: `location.location.area`, `broadcast.area`."""
    if not (_WITH_DOMAIN.fullmatch(asked) and _WITH_DOMAIN.fullmatch(name)):
        return False
    one, other = (set(normal_form(each.rpartition(".")[0]).split()) for each in (asked, name))
    return one.isdisjoint(other)


def relation_forms(name: str) -> frozenset[str]:
    """The normal forms of a relation or key, which may be in CamelCase: `PositionHeld` is `position held` too."""
    return frozenset((normal_form(name), normal_form(spaced(name))))


def spaced(name: str) -> str:
    """A relation or key with spaces between the words of its CamelCase: `born In` for `bornIn`."""
    return _CAMEL.sub(" ", name)


def is_unicode(text: str) -> bool:
    """Whether a text is valid Unicode; bytes that are not UTF-8 reach a program as lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def many(count: int, one: str, several: str | None = None) -> str:
    """A count with its words: `1 fact`, `1,200 facts`."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def some_of(names: Sequence[str], most: int = 3) -> str:
    """The first names in quotes, and the number of the others: `'a', 'b', 'c' and 2 more`."""
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return (shown + (f" and {len(names) - most:,} more" if len(names) > most else "")) or "nothing"


def statement_condition(fact: Sequence[str], number: int) -> tuple[str, ...]:
    """The condition of a statement about a fact: the fact, and from the second statement on its number, as `#2`."""
    return (*fact, f"#{number}") if number > 1 else tuple(fact)


def statement_number(condition: Sequence[str]) -> int:
    """The number of the statement that has a condition."""
    return int(condition[FACT_PARTS].removeprefix("#")) if len(condition) > FACT_PARTS else 1


def in_words(relation: str) -> str:
    """A relation's name as words in lower case: `designed by` for `designedBy` and `designed_by`."""
    return spaced(relation).replace("_", " ").lower()
