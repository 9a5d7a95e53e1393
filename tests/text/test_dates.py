"""Times: read, counted in steps, as periods, and as historians write them."""

from __future__ import annotations

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.dates import (
    LEVELS,
    PER_DAY,
    Moment,
    Step,
    StepFinder,
    as_years_bc,
    first,
    first_from,
    in_periods,
    last,
    last_to,
    level_of,
    number_of,
    place_of,
    problem_of,
    read_as_time,
    read_moment,
    read_span_of_time,
    read_time,
    span_of,
    time_name,
    with_four_digits,
)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1999", Moment(1999)),
        ("0546", Moment(546)),
        ("-44", Moment(-44)),
        ("−44", Moment(-44)),
        ("2004-07", Moment(2004, 7)),
        ("2004-02-29", Moment(2004, 2, 29)),
        ("-0044-03-15", Moment(-44, 3, 15)),
        *((text, None) for text in ("", "19x9", "1999.5", "04-07", "2004-7-2", "٢٠٠٤", "1e3", "####-##-##")),
        *((text, None) for text in ("2003-02-29", "2004-13", "2004-00-01")),
    ],
)
def test_years_months_and_days_are_read_and_nothing_else(text: str, moment: Moment | None) -> None:
    assert read_moment(text) == moment


@given(st.dates())
def test_days_are_counted_as_the_standard_library_counts_them(day: date) -> None:
    number = first(Moment(day.year, day.month, day.day), Step.DAY)
    assert number - first(Moment(1, 1, 1), Step.DAY) == day.toordinal() - 1
    assert time_name(number, Step.DAY) == day.isoformat()


@given(st.integers(-20_000, 20_000), st.sampled_from(Step))
def test_names_of_times_are_read_back(number: int, step: Step) -> None:
    moment = read_moment(time_name(number, step))
    assert moment is not None
    assert first(moment, step) == last(moment, step) == number


@given(st.integers(-3_000_000, 5_000_000))
def test_later_days_have_larger_numbers(number: int) -> None:
    before, after = number_of(time_name(number, Step.DAY)), number_of(time_name(number + 1, Step.DAY))
    assert before is not None and after is not None and before < after


def test_a_year_stands_for_all_its_months_and_days() -> None:
    year = Moment(2004)
    assert last(year, Step.MONTH) - first(year, Step.MONTH) == 11
    assert last(year, Step.DAY) - first(year, Step.DAY) == 365


def test_more_exact_times_are_cut_to_the_step() -> None:
    assert first(Moment(2004, 7, 2), Step.YEAR) == last(Moment(2004, 7, 2), Step.YEAR) == 2004


@pytest.mark.parametrize(
    ("periods", "step"),
    [
        (["1999 2004"], Step.YEAR),
        (["1999 2004", "2004-07 2004-07"], Step.MONTH),
        (["2004-07-02 2004-07-02", "1999 1999"], Step.DAY),
        (["1999-01-01 2004-12-31", "2001-01-01 2001-01-01"], Step.YEAR),
        (["1999-01-01 2004-01-31"], Step.MONTH),
        (["1999-03-01 2004-04-30"], Step.MONTH),
        (["1999-01-31 1999-01-31"], Step.DAY),
        (["2004-01 2004-01"], Step.MONTH),
    ],
)
def test_the_default_step_is_the_coarsest_that_loses_nothing(periods: list[str], step: Step) -> None:
    finder = StepFinder()
    for period in periods:
        start, end = (read_moment(text) for text in period.split())
        assert start is not None and end is not None
        finder.add(start, end)
    assert finder.step is step


@pytest.mark.parametrize(
    ("text", "longer"),
    [("900", "0900"), ("44-03-15", "0044-03-15"), ("-44", "-0044"), ("1999", None), ("900-13", None), ("9a", None)],
)
def test_a_year_with_too_few_digits_is_completed(text: str, longer: str | None) -> None:
    assert with_four_digits(text) == longer


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


PLACES = st.integers(-2_000_000, 3_600_000)


@given(st.sampled_from(Step), PLACES)
def test_the_number_of_a_time_has_its_place(step: Step, place: int) -> None:
    if step.has_clock:  # spread over as many years
        place = place * PER_DAY[step] + 617
    place //= {Step.YEAR: 365, Step.MONTH: 30}.get(step, 1)
    number = number_of(time_name(place, step))
    assert number is not None and place_of(number, step) == place


@given(st.sampled_from(Step), st.floats(-5000, 9000))
def test_bounds_lie_on_either_side_of_a_number(step: Step, number: float) -> None:
    low, high = first_from(number, step), last_to(number, step)
    assert high <= place_of(number, step) <= low and low - high <= 1
    exact = place_of(number, step).is_integer()
    assert first_from(number, step, after=True) == (low + 1 if exact else low)
    assert last_to(number, step, before=True) == (high - 1 if exact else high)


@given(st.integers(-5000, 5000), st.integers(0, 2**42))
def test_a_stretch_at_a_time_begins_less_than_the_reach_of_its_level_before_it(lo: int, length: int) -> None:
    level = level_of(lo, lo + length)
    assert length < 4**level and level < LEVELS
    assert level == 0 or length >= 4 ** (level - 1)


def test_between_two_months_lies_no_month() -> None:
    assert place_of(2004.5, Step.MONTH) == 2004 * 12 + 6.5  # 2 July
    assert math.isclose(place_of(2004.5, Step.DAY) - place_of(2004.0, Step.DAY), 183)


@pytest.mark.parametrize(
    ("names", "step", "periods"),
    [
        (["1982", "1983", "1984", "1986"], Step.YEAR, ("1982 to 1984", "1986")),
        (["2004-12", "2005-01"], Step.MONTH, ("2004-12 to 2005-01",)),
        (
            ["2004-02-28", "2004-02-29", "2004-03-01", "2004-03-03"],
            Step.DAY,
            ("2004-02-28 to 2004-03-01", "2004-03-03"),
        ),
        (["-1", "0", "1"], Step.YEAR, ("-1 to 1",)),
        ([], Step.DAY, ()),
        (["1984", "1983"], Step.YEAR, ()),
        (["1983", "1983-05"], Step.YEAR, ()),
        (["1983", "Ann"], Step.YEAR, ()),
        ([1983, 1984], Step.YEAR, ()),
    ],
)
def test_times_in_order_are_periods(names: list[object], step: Step, periods: tuple[str, ...]) -> None:
    assert in_periods(names, step) == periods


@pytest.mark.parametrize(
    ("times", "note"),
    [
        (["-26"], "'-26' is 27 BC."),
        (["0"], "'0' is 1 BC."),
        (["-0043-03-15"], "'-0043-03-15' is in 44 BC."),
        (["-430 to -403", "12"], "'-430' is 431 BC, '-403' is 404 BC."),
        (["-5 to 3"], "'-5' is 6 BC."),
        (["-9", "-8", "-7", "-6"], "'-9' is 10 BC, '-8' is 9 BC, '-7' is 8 BC."),
        (["1999", "1990s", "440s BC", "Ann"], ""),
    ],
)
def test_the_years_of_times_before_christ_are_named(times: list[str], note: str) -> None:
    assert as_years_bc(times) == note
