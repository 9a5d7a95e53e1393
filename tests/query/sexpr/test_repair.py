"""S-expressions in the replies of an LLM: which are found, and what is mended in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.errors import BadInput
from cgstore.query.sexpr.forms import Form
from cgstore.query.sexpr.read import read_sexpr
from cgstore.query.sexpr.repair import forms_in, mend
from cgstore.query.sexpr.write import sexpr_text, skeleton_text
from tests.query.sexpr.test_sexpr import FORMS

SKELETONS = (
    "( JOIN ( R [ people , person , spouse s ] ) [ Marie Curie ] )",
    "( AND ( JOIN [ film , film , directed by ] [ Fritz Lang ] ) ( JOIN [ film , film , genre ] [ drama ] ) )",
    "( COUNT ( AND ( JOIN [ starring ] [ Tom Hanks ] ) ( GREATER EQUAL [ release year ] [ 1999 ] ) ) )",
    "( ARGMAX ( JOIN ( R [ location , location , contains ] ) [ Peru ] ) [ location , location , area ] )",
    "( JOIN ( R [ tv , regular tv appearance , actor ] ) ( JOIN ( R [ tv , tv character , appearance ] ) [ Ann ] ) )",
    "( TC ( JOIN [ position held ] [ pope ] ) [ time ] [ 1990 ] )",
)


@pytest.mark.parametrize(
    ("broken", "meant"),
    [
        ("(JOIN (R spouse) x", "(JOIN (R spouse) x)"),
        ("(JOIN (R spouse)) x)", "(JOIN (R spouse) x)"),
        ("(JOIN R spouse) x)", "(JOIN (R spouse) x)"),
        ("JOIN (R spouse) x)", "(JOIN (R spouse) x)"),
        ("((JOIN (R spouse) x)", "(JOIN (R spouse) x)"),
        ("(AND (JOIN r x (JOIN s y))", "(AND (JOIN r x) (JOIN s y))"),
        ("(AND JOIN r x) (JOIN s y))", "(AND (JOIN r x) (JOIN s y))"),
        ("(AND x y z", "(AND x y z)"),
        ("(COUNT (JOIN r x)))", "(COUNT (JOIN r x))"),
        ("(JION (R spouse) x)", "(JOIN (R spouse) x)"),
        ("(less THAN year 1999", "(LT year 1999)"),
        ("(ARGMAX a.b.height (JOIN a.b.gender m.0x))", "(ARGMAX (JOIN a.b.gender m.0x) a.b.height)"),
        ("(ARGMIN a.b.height a.b)", "(ARGMIN a.b a.b.height)"),
        ('(ARGMAX "height (m)" beacon.lighthouse)', '(ARGMAX beacon.lighthouse "height (m)")'),
        ('(ARGMAX "a.b.height (m)" a.b)', '(ARGMAX a.b "a.b.height (m)")'),
        ('(ARGMAX "a.b.height (m)" (JOIN a.b.gender m.0x))', '(ARGMAX (JOIN a.b.gender m.0x) "a.b.height (m)")'),
        ('( ARGMAX [ "height (m)" ] [ a , b ] )', '(ARGMAX a.b "height (m)")'),
        ("(JOIN (R [ a , b ) [ Tom Hanks ])", "(JOIN (R [ a , b ]) [ Tom Hanks ])"),
        ("(JOIN (R [ spouse ]) Tom Hanks ])", "(JOIN (R [ spouse ]) [ Tom Hanks ])"),
        ("(JOIN (R spouse) 'Marie Curie')", '(JOIN (R spouse) "Marie Curie")'),
        ("(JOIN (R spouse) “Marie Curie”)", '(JOIN (R spouse) "Marie Curie")'),
        ('(JOIN (R spouse) "Marie Curie)', '(JOIN (R spouse) "Marie Curie")'),
        ("(JOIN (R place of birth) Marie Curie)", '(JOIN (R "place of birth") "Marie Curie")'),
    ],
)
def test_what_is_slightly_broken_is_mended_with_a_note(broken: str, meant: str) -> None:
    (mended,) = forms_in(broken)
    assert mended.form == read_sexpr(meant)
    assert mended.notes


def test_what_is_well_formed_stays_as_it_is() -> None:
    for text in (*SKELETONS, "(AND x y z)", "(ARGMAX x (JOIN r s))", '(ARGMAX "Tom Hanks" a.b)', "(join r it's)"):
        assert mend(text) == forms_in(text)[0]
        assert (mend(text).text, mend(text).notes) == (text, ())


@pytest.mark.parametrize(
    "reply",
    [
        "Here it is:\n```sexpr\n(JOIN (R a) b)\n```\nAs you (and others) see, (COUNT x) is not needed.",
        "The form is (JOIN (R a) b) (which gives the spouse).",
        "1. `(JOIN (R a) b)`",
        "(JOIN\n  (R a)\n  b)\n\nThis is it.",
        "Logical form: (JOIN (R a) b",
    ],
)
def test_the_form_is_found_among_fences_and_prose(reply: str) -> None:
    assert [sexpr_text(mended.form) for mended in forms_in(reply)] == ["(JOIN (R a) b)"]


def test_several_candidates_keep_their_order_and_bad_ones_are_left_out() -> None:
    found = forms_in("1. (JOIN (R a) b)\n2. (ARGMAX)\n3. (JOIN (R c) d\n\n- (COUNT (JOIN e f))")
    assert [sexpr_text(mended.form) for mended in found] == [
        "(JOIN (R a) b)",
        "(JOIN (R c) d)",
        "(COUNT (JOIN e f))",
    ]


@pytest.mark.parametrize("reply", ["", "I do not know.", "(((", '"', "(COUNT)", "(JOIN (R " * 1000, "(x y)"])
def test_a_reply_without_a_form_says_so(reply: str) -> None:
    with pytest.raises(BadInput):
        forms_in(reply)


def damaged(text: str, brackets: str) -> Iterator[str]:
    """The text with each bracket dropped, and with one added before each word or bracket."""
    for at, sign in enumerate(text):
        if sign in brackets:
            yield text[:at] + text[at + 1 :]
        if not at or text[at - 1].isspace():
            yield from (text[:at] + each + text[at:] for each in brackets)


@given(FORMS, st.sampled_from([sexpr_text, skeleton_text]), st.sampled_from("()[]"), st.data())
def test_a_damaged_bracket_gives_a_form_or_an_error(
    form: Form, write: object, bracket: str, data: st.DataObject
) -> None:
    assert callable(write)
    text = write(form)
    at = data.draw(st.integers(0, len(text)))
    broken = text[:at] + text[at + 1 :] if text[at : at + 1] == bracket else text[:at] + bracket + text[at:]
    try:
        mended = mend(broken)
    except BadInput as error:
        assert error.message
    else:
        assert read_sexpr(mended.text) == mended.form


def test_nearly_all_damaged_parentheses_are_put_right() -> None:
    broken = [(text, each) for text in SKELETONS for each in damaged(text, "()")]
    right = 0
    for text, each in broken:
        with suppress(BadInput):
            right += mend(each).form == read_sexpr(text)
    assert right >= 0.97 * len(broken)
