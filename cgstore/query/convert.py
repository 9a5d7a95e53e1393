"""One logical form in the notations that it has: S-expression, skeleton, program, SPARQL."""

from __future__ import annotations

from cgstore.errors import BadInput
from cgstore.query.ast import Program
from cgstore.query.build import text_of
from cgstore.query.notations import READ, WRITTEN
from cgstore.query.parse import parse
from cgstore.query.sexpr.from_program import from_program
from cgstore.query.sexpr.read import read_sexpr
from cgstore.query.sexpr.to_program import parse_sexpr
from cgstore.query.sexpr.write import sexpr_text, skeleton_text
from cgstore.query.sparql.to_sparql import to_sparql
from cgstore.query.sparql.vocabulary import Vocabulary


def read_program(text: str, notation: str) -> Program:
    """The program that an S-expression or the text of a program stands for.

    Raises:
        BadInput: the text cannot be read, or something in it has no counterpart.
    """
    if notation not in READ:
        raise BadInput(f"'{notation}' is not a notation that is read.", f"Give one of {', '.join(READ)}.")
    return parse(text) if notation == "program" else parse_sexpr(text)


def convert(text: str, source: str, target: str, vocabulary: Vocabulary | None = None) -> str:
    """A text in another notation.

    Args:
        text: an S-expression, a skeleton or a program.
        source: its notation, one of `READ`.
        target: the notation of the result, one of `WRITTEN`.
        vocabulary: how names and values are written in SPARQL; Freebase's by default.

    Raises:
        BadInput: the text cannot be read, or something in it has no counterpart; the message names it.
    """
    if target == "program":
        return text_of(read_program(text, source))
    form = from_program(parse(text)) if source == "program" else read_sexpr(text)
    match target:
        case "sexpr":
            return sexpr_text(form)
        case "skeleton":
            return skeleton_text(form)
        case "sparql":
            return to_sparql(form, vocabulary).strip()
    raise BadInput(f"'{target}' is not a notation that is written.", f"Give one of {', '.join(WRITTEN)}.")
