"""Forms of one name, and names that are alike and another's."""

from __future__ import annotations

import pytest

from cgstore.text.name_forms import Fit, fit, is_initials


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("VRFC", "Velm Rovers F.C.", Fit.INITIALS),
        ("GW2", "Great War II", Fit.INITIALS),
        ("GWII", "Great War 2", Fit.INITIALS),
        ("GW II", "Great War 2", Fit.INITIALS),
        ("Velm Rovers Football Club", "Velm Rovers F.C.", Fit.WORDS),
        ("Velm Association Football Club", "Velm A.F.C.", Fit.WORDS),
        ("Australian Warden", "Warden of Australia", Fit.WORDS),
        ("Warden of the State of Velm", "Warden of Velm", Fit.WORDS),
        ("Orlov, Nadia", "Nadia Orlov", Fit.WORDS),
        ("Velm Rovers", "Velm Rovers F.C.", Fit.PARTS),
        ("Nadia Petra Orlov", "Nadia Orlov", Fit.PARTS),
        ("Nadia Orlov", "Nadia Petra Maria Orlov", Fit.PARTS),
        ("N. Orlov", "Nadia Orlov", Fit.PARTS),
        ("Sir Thomas Varn", "Tom Varn", Fit.PARTS),
        ("Otto Hugo Varn", "Otto Varn, Baron Varn", Fit.PARTS),
        ("Otto Varn, 1st Baron Varn of Tonn", "Otto Varn, 1st Baron Varn", Fit.PARTS),
        ("Otto Varn, 2nd Bt.", "Sir Otto Varn, 2nd Baronet", Fit.PARTS),
        ("Orlov", "Nadia Orlov", Fit.SURNAME),
    ],
)
def test_a_form_of_the_name_fits_it(text: str, name: str, expected: Fit) -> None:
    assert fit(text, name) is expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("GW2", "Great War I"),
        ("VRFC", "Velm Rangers A.F.C."),
        ("Royal Society", "Royal Botanical Society"),
        ("Peter Thomas", "Thomas Peter"),
        ("Martina Hill", "Martin Hill"),
        ("Nadia Orlov", "Petra Orlov"),
        ("Nadia Petra Orlov", "Nadia Maria Orlov"),
        ("M. Orlov", "Nadia Maria Orlov"),
        ("Otto Varn III", "Hugo III, Duke of Tonn"),
        ("Otto Varn, 1st Baron Varn", "Otto Varn, 2nd Baron Varn"),
        ("envoy of Velm to Tonn", "envoy of Tonn to Velm"),
        ("Velm F.C.", "A.F.C. Velm"),
        ("Otto Varn, 1st Baron Varn was the mayor", "Otto Varn, 1st Baron Varn"),
    ],
)
def test_another_name_does_not_fit(text: str, name: str) -> None:
    assert fit(text, name) is Fit.NONE


def test_initials_are_capitals_or_have_a_number() -> None:
    assert [text for text in ("CCFC", "ww2", "WW II", "Ann", "cup") if is_initials(text)] == ["CCFC", "ww2", "WW II"]


def test_a_name_may_lack_the_noun_for_its_kind() -> None:
    assert fit("Herons", "Heron class") is Fit.KIND
    assert fit("Orta", "Lake Orta") is Fit.KIND
    assert fit("Heron", "Heron Blue") is Fit.NONE
