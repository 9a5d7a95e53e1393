"""One logical form in the notations that it has: S-expression, skeleton, program, SPARQL."""

from __future__ import annotations

from dataclasses import dataclass

from cgstore.errors import BadInput
from cgstore.query.ast import Program
from cgstore.query.build import text_of
from cgstore.query.notations import READ, WRITTEN
from cgstore.query.parse import parse
from cgstore.query.sexpr.from_program import from_program
from cgstore.query.sexpr.read import read_sexpr
from cgstore.query.sexpr.to_program import parse_sexpr, to_program
from cgstore.query.sexpr.write import sexpr_text, skeleton_text
from cgstore.query.sparql.from_sparql import Converted, from_sparql
from cgstore.query.sparql.to_sparql import to_sparql
from cgstore.query.sparql.vocabulary import Vocabulary


@dataclass(frozen=True)
class Conversion:
    """A text in another notation, and notes on where its answer may differ."""

    text: str
    notes: tuple[str, ...] = ()


def read_form(text: str, notation: str, vocabulary: Vocabulary | None = None) -> Converted:
    """The form that a text stands for.

    Raises:
        BadInput: the text cannot be read, or something in it has no counterpart among logical forms.
    """
    match notation:
        case "sexpr":
            return Converted(read_sexpr(text))
        case "program":
            return Converted(from_program(parse(text)))
        case "sparql":
            return from_sparql(text, vocabulary)
    raise BadInput(f"'{notation}' is not a notation that is read.", f"Give one of {', '.join(READ)}.")


def read_program(text: str, notation: str, vocabulary: Vocabulary | None = None) -> tuple[Program, tuple[str, ...]]:
    """The program that a text stands for, and notes on where its answer may differ.

    Raises:
        BadInput: the text cannot be read, or something in it has no counterpart.
    """
    if notation == "program":
        return parse(text), ()
    if notation == "sexpr":
        return parse_sexpr(text), ()
    converted = read_form(text, notation, vocabulary)
    return to_program(converted.form, sexpr_text(converted.form)), converted.notes


def convert(text: str, source: str, target: str, vocabulary: Vocabulary | None = None) -> Conversion:
    """A text in another notation.

    Args:
        text: an S-expression, a skeleton, a program or a SPARQL query.
        source: its notation, one of `READ`.
        target: the notation of the result, one of `WRITTEN`.
        vocabulary: how names and values are written in SPARQL; Freebase's by default.

    Raises:
        BadInput: the text cannot be read, or something in it has no counterpart; the message names it.
    """
    if target == "program":
        program, notes = read_program(text, source, vocabulary)
        return Conversion(text_of(program), notes)
    converted = read_form(text, source, vocabulary)
    match target:
        case "sexpr":
            written = sexpr_text(converted.form)
        case "skeleton":
            written = skeleton_text(converted.form)
        case "sparql":
            written = to_sparql(converted.form, vocabulary).strip()
        case _:
            raise BadInput(f"'{target}' is not a notation that is written.", f"Give one of {', '.join(WRITTEN)}.")
    return Conversion(written, converted.notes)
