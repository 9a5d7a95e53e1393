"""Times as historians write them, as first and last time, with the name that their node gets."""

from __future__ import annotations

import pytest

from cgstore.text.dates import Moment, problem_of, read_as_time, read_span_of_time, read_time, span_of

TIMES = {
    "1985": "1985",
    "-44": "-44",
    "44 BC": "-43",
    "44 B.C.": "-43",
    "500 BCE": "-499",
    "-0043": "-43",
    "AD 79": "79",
    "79 CE": "79",
    "1990s": "1990s",
    "the 1990s": "1990s",
    "199X": "1990s",
    "199x": "1990s",
    "190X": "190X",
    "440s BC": "440s BC",
    "-043X": "-043X",
    "19th century": "19th century",
    "18XX": "18XX",
    "5th century BC": "5th century BC",
    "2nd millennium BC": "2nd millennium BC",
    "1XXX": "1XXX",
    "1985-XX": "1985",
    "1985-04-XX": "1985-04",
    "Y17000": "17000",
    "March 1990": "1990-03",
    "3 March 1990": "1990-03-03",
    "Saturday, 3rd of March 1990": "1990-03-03",
    "March 3, 1990": "1990-03-03",
    "12 May 855": "0855-05-12",
    "15 March 44 BC": "-0043-03-15",
    "14.07.1789": "1789-07-14",
    "1990-3-5": "1990-03-05",
    "1990/3/5": "1990-03-05",
}


@pytest.mark.parametrize(("text", "name"), TIMES.items())
def test_a_time_is_read_and_has_one_name(text: str, name: str) -> None:
    time, again = read_time(text), read_time(name)
    assert time is not None and again is not None
    assert (time.start.name, time.end, time.is_sure, time.is_interval) == (name, time.start, True, False)
    assert again.start == time.start


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1990s", "1990-01-01", "1999-12-31"),
        ("19th century", "1801-01-01", "1900-12-31"),
        ("18XX", "1800-01-01", "1899-12-31"),
        ("440s BC", "-0448-01-01", "-0439-12-31"),
        ("-043X", "-0439-01-01", "-0430-12-31"),
        ("5th century BC", "-0499-01-01", "-0400-12-31"),
        ("1st century", "0001-01-01", "0100-12-31"),
    ],
)
def test_a_decade_and_a_century_have_a_first_and_a_last_day(text: str, first: str, last: str) -> None:
    time = read_time(text)
    assert time is not None
    assert (time.start.first_day.name, time.start.last_day.name) == (first, last)


@pytest.mark.parametrize(
    "text", ["c. 855", "ca 855", "ca. 855", "circa 855", "c855", "855?", "0855~", "0855%", "855 (?)"]
)
def test_an_approximate_time_is_the_time_and_not_sure(text: str) -> None:
    time = read_time(text)
    assert time is not None
    assert (time.start, time.is_sure) == (Moment(855), False)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("1964/2008", "1964", "2008"),
        ("2004-06/2006-08-03", "2004-06", "2006-08-03"),
        ("1964-2008", "1964", "2008"),
        ("1914–1918", "1914", "1918"),
        ("855 to c. 860", "855", "860"),
        ("44–30 BC", "-43", "-29"),
        ("27 BC – 14 AD", "-26", "14"),
        ("1990s/2001", "1990s", "2001"),
    ],
)
def test_an_interval_has_a_start_and_an_end(text: str, start: str, end: str) -> None:
    time = read_time(text)
    assert time is not None
    assert (time.start.name, time.end.name, time.is_interval, time.is_open) == (start, end, True, False)


@pytest.mark.parametrize("text", ["1985/..", "1985 – present", "1985/now", "1985-today"])
def test_an_interval_may_be_open(text: str) -> None:
    time = read_time(text)
    assert time is not None
    assert (time.start, time.is_open) == (Moment(1985), True)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("before 1800", "is a bound"),
        ("after 1800", "is a bound"),
        ("../1985", "is a bound"),
        ("/1985", "is a bound"),
        ("1985/", "has an end that nobody knows"),
        ("1985-04-12T23:60", "has a time of day that is not read"),
        ("12 April 1985 23:20", "has a time of day that is not read"),
        ("23:20", "has a time of day that is not read"),
        ("1900s", "may be a decade or a century"),
        ("2001-21", "is a season"),
        ("1985–", "has an end that nobody knows"),
        ("3/4", "is not a year or an ISO date"),
        ("1990/12", "is not a year or an ISO date"),
        ("1914-18", "is not a year or a month; an interval"),
        ("1914–18", "is not a year or a month; an interval"),
        ("3/4/1990", "may begin with the day or the month"),
        ("0 BC", "is not a year or an ISO date"),
        ("90s", "is not a year or an ISO date"),
        ("1900-02-29", "is not a day: February 1900 has 28 days"),
        ("1956-04-31", "is not a day: April 1956 has 30 days"),
        ("1956-13-01", "is not a day: months go from 01 to 12"),
        ("1900-02-29?", "is not a year or an ISO date"),
        ("29 February 1900", "is not a year or an ISO date"),
        ("0 March 1990", "is not a year or an ISO date"),
        ("00.03.1990", "is not a year or an ISO date"),
        ("30 February 1990", "is not a year or an ISO date"),
        ("1990 or 1991", "is not a year or an ISO date"),
        ("unknown", "is not a year or an ISO date"),
    ],
)
def test_what_leaves_the_time_open_is_not_read_and_says_why(text: str, problem: str) -> None:
    assert read_time(text) is None
    assert problem_of(text).startswith(problem)


def test_a_text_in_a_program_means_all_its_days() -> None:
    decade, march = read_time("1990s"), read_time("1990-03")
    assert decade is not None and march is not None
    assert read_span_of_time("the 1990s", "day") == span_of(decade.start)
    assert read_span_of_time("March 1990", "day") == span_of(march.start)
    assert read_span_of_time("1964/1966", "year") == read_span_of_time("1964-1966", "year")
    in_years = read_span_of_time("March 1990", "year")
    assert in_years is not None and in_years.lo == 1990


@pytest.mark.parametrize(("text", "shown"), [("44 BC", "-43"), ("c. 855", "855"), ("1990s", None), ("1990", None)])
def test_a_note_shows_what_a_rule_made_of_a_text(text: str, shown: str | None) -> None:
    assert read_as_time(text) == shown
