"""Form -> text: an S-expression, or the skeleton that a fine-tuned model learns to write (ChatKBQA, section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cgstore.query.sexpr import forms
from cgstore.query.sexpr.read import WORDS, is_class_name

_SYMBOL = re.compile(r'[^\s()\[\]"]+')
_TWO_WORDS = {function: words for words, function in WORDS.items()}


def sexpr_text(form: forms.Form) -> str:
    """The S-expression of a form, which reads to the same form."""
    return _text(form, _PLAIN)


def skeleton_text(form: forms.Form, labels: Mapping[str, str] | None = None) -> str:
    """The normalised form: names as people say them, in brackets, and blanks around every parenthesis.

    Args:
        form: the logical form.
        labels: the names of entities by their identifiers (`m.02mjmr`: `Barack Obama`).
    """
    known = labels or {}
    spelt = _Spelling(
        entity=lambda text: _surface(known.get(text, text)),
        relation=_relation_surface,
        function=lambda function: _TWO_WORDS.get(function, function),
        typed=lambda value: value.text if _SYMBOL.fullmatch(value.text) else _surface(value.text),
    )
    text = _text(form, spelt)
    return " ".join(re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^()"\s]+', text))  # blanks in quotes belong to names


@dataclass(frozen=True)
class _Spelling:
    """How the leaves of a form are written."""

    entity: Callable[[str], str]
    relation: Callable[[str], str]
    function: Callable[[str], str]
    typed: Callable[[forms.TypedLiteral], str]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _symbol(text: str) -> str:
    """A name as a symbol, or in quotes where it has blanks and the like, or would be read as something else."""
    return text if _SYMBOL.fullmatch(text) and "^^" not in text and "\\" not in text else _quoted(text)


def _surface(text: str) -> str:
    """A name in brackets; in quotes within them where it would not be read again."""
    plain = not re.search(r'[\[\]()"\\]| , |^\s|\s$|\s\s|[\t\n\r\v\f]|^line_\d+$', text) and text
    return f"[ {text} ]" if plain else f"[ {_quoted(text)} ]"


def _relation_surface(text: str) -> str:
    """A relation in brackets, as words; its dots are ` , `."""
    if re.search(r'[\[\]()"\\]', text):
        return f"[ {_quoted(text)} ]"
    return f"[ {text.replace('_', ' ').replace('.', ' , ')} ]"


_PLAIN = _Spelling(
    entity=_symbol,
    relation=_symbol,
    function=lambda function: function,
    typed=lambda value: f"{_quoted(value.text)}^^xsd:{value.datatype}",
)


def _step(step: forms.Step, spelt: _Spelling) -> str:
    written = spelt.relation(step.relation)
    return f"(R {written})" if step.inverse else written


def _path(path: forms.Path, spelt: _Spelling) -> str:
    first, *rest = path
    return f"(JOIN {_step(first, spelt)} {_path(tuple(rest), spelt)})" if rest else _step(first, spelt)


def _text(form: forms.Form, spelt: _Spelling) -> str:
    match form:
        case forms.Name(text=text):
            return spelt.entity(text)
        case forms.TypedLiteral():
            return spelt.typed(form)
        case forms.ClassName(text=text):
            return spelt.relation(text)
        case forms.Join(step=step, operand=operand):
            return f"(JOIN {_step(step, spelt)} {_text(operand, spelt)})"
        case forms.Combination(function=function, operands=operands):
            return f"({function} {' '.join(_set_text(each, spelt) for each in operands)})"
        case forms.Count(operand=operand):
            return f"(COUNT {_set_text(operand, spelt)})"
        case forms.Extreme(function=function, operand=operand, path=path):
            return f"({function} {_set_text(operand, spelt)} {_path(path, spelt)})"
        case forms.OrderComparison(function=function, path=path, value=value):
            return f"({spelt.function(function)} {_path(path, spelt)} {_text(value, spelt)})"
        case forms.TimeConstraint(operand=operand, relation=relation, time=time):
            return f"(TC {_set_text(operand, spelt)} {_step(relation, spelt)} {_text(time, spelt)})"


def _set_text(form: forms.Form, spelt: _Spelling) -> str:
    """An operand that is a set: a name that would be read as a class there is in quotes."""
    if isinstance(form, forms.Name) and spelt is _PLAIN and is_class_name(form.text):
        return _quoted(form.text)
    return _text(form, spelt)
