"""Node keys and normalised names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.names import (
    MAX_BYTES,
    distinguishing_parts,
    have_other_domains,
    is_nameless,
    normal_form,
    owned_key,
    relation_forms,
    relation_styles,
    shared_key,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gyula Illyés", "gyula illyes"),
        ("McLaren", "mclaren"),
        ("position_held", "Position held"),
        ("position held", "Position  Held"),
        ("A.C. Milan", "a c milan"),
        ("Ωmega", "ωMEGA"),
    ],
)
def test_names_that_a_reader_takes_for_the_same_have_one_form(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"), [("PositionHeld", "position held"), ("bornIn", "born_in"), ("McLaren", "mclaren")]
)
def test_a_relation_may_be_written_in_camel_case(one: str, other: str) -> None:
    assert relation_forms(one) & relation_forms(other)


def test_a_name_of_nothing_but_punctuation_keeps_its_form() -> None:
    assert normal_form("?!") == "?!"


@given(st.text(), st.text())
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert (shared_key(one) == shared_key(other)) == (one == other)
    assert (owned_key("s", one) == owned_key("s", other)) == (one == other)
    assert owned_key("s", one) != shared_key(other)


@given(st.text(min_size=1, max_size=30))
def test_a_key_and_a_form_fit_an_index(name: str) -> None:
    name = name * 3_000
    assert len(shared_key(name).encode("utf-8", "surrogatepass")) <= MAX_BYTES
    assert len(normal_form(name).encode()) <= MAX_BYTES


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("people.person.place_of_birth", "place of birth"),
        ("people.person.place_of_birth", "person place of birth"),
        ("film.actor.film..film.performance.film", "actor film"),
        ("position held (P39)", "position held"),
        ("P39 position held", "position held"),
        ("http://schema.org/birthPlace", "birth place"),
        ("wdt:birthPlace", "birthplace"),
    ],
)
def test_a_relation_is_meant_by_a_part_of_its_name_too(name: str, form: str) -> None:
    assert relation_styles(name)[form] < 1.0


def test_a_label_with_a_slash_or_a_point_has_no_parts() -> None:
    assert set(relation_styles("director/manager")) == {"director manager"}
    assert set(relation_styles("U.S. state")) == {"u s state"}


@pytest.mark.parametrize("name", ["m.04j5sk4", "g.11b7n2q", "/m/04j5sk4", "_:b1"])
def test_identifiers_of_freebase_and_rdf_are_no_names(name: str) -> None:
    assert is_nameless(name)


@pytest.mark.parametrize("name", ["M. Night Shyamalan", "m.a", "mm", "Ulm", "G.I. Joe", "_", "m.0x4 k"])
def test_names_are_names(name: str) -> None:
    assert not is_nameless(name)


@pytest.mark.parametrize(
    ("asked", "name", "others"),
    [
        ("location.location.area", "broadcast.content.area_served", True),
        ("location.area", "broadcast.area_served", True),
        ("location.area", "location.location.area_served", False),
        ("people.person.born", "film.person.born", False),
        ("area", "broadcast.area_served", False),
        ("place of birth", "area served", False),
    ],
)
def test_two_domains_are_others_without_a_word_in_common(asked: str, name: str, others: bool) -> None:
    assert have_other_domains(asked, name) == others


def test_properties_of_one_type_are_compared_by_what_they_do_not_share() -> None:
    assert distinguishing_parts("geography.lake.mean_depth", "geography.lake.area") == ("mean_depth", "area")
    assert distinguishing_parts("people.person.born", "film.actor.born") == ("people.person.born", "film.actor.born")
