"""The kinds of columns, and values read as a kind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.kinds import Kind, is_padded, kind_of, literal_as, read_as, span_as
from cgstore.text.values import number_of, read_span

JULY_2_2004 = number_of("2004-07-02")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Kind.NUMBER, "5", 5),
        (Kind.NUMBER, " 1,234.5 ", 1234.5),
        (Kind.NUMBER, "-1,234", -1234),
        (Kind.NUMBER, "−7", -7),
        (Kind.NUMBER, "–7", -7),
        (Kind.NUMBER, "- 7", -7),
        (Kind.NUMBER, "+7", 7),
        (Kind.NUMBER, "(45)", -45),
        (Kind.NUMBER, "1.2 million", 1.2e6),
        (Kind.NUMBER, "1e3", 1000),
        (Kind.COMMA_NUMBER, "1 234\u00a0567,5", 1234567.5),
        (Kind.NUMBER, "12[1]", 12),
        (Kind.NUMBER, "12 †", 12),
        (Kind.NUMBER, "1,093 (422)", 1093),
        (Kind.NUMBER, "12 (40%)", 12),
        (Kind.PERCENT, "50%", 50),
        (Kind.PERCENT, "-3.5 %", -3.5),
        (Kind.PERCENT, "5 percent", 5),
        (Kind.CURRENCY, "$5", 5),
        (Kind.CURRENCY, "-$5.50", -5.5),
        (Kind.CURRENCY, "$-5.50", -5.5),
        (Kind.CURRENCY, "US$1.2 million", 1.2e6),
        (Kind.CURRENCY, "£16.8M", 16.8e6),
        (Kind.CURRENCY, "5 €", 5),
        (Kind.CURRENCY, "USD 1,000", 1000),
        (Kind.CURRENCY, "1,000 USD", 1000),
        (Kind.CURRENCY, "($45)", -45),
        (Kind.CURRENCY, "$(45)", -45),
        (Kind.CURRENCY, "45", 45),
        (Kind.ORDINAL, "5th", 5),
        (Kind.ORDINAL, "T-22nd", 22),
        (Kind.ORDINAL, "T3", 3),
        (Kind.ORDINAL, "3=", 3),
        (Kind.ORDINAL, "#13", 13),
        (Kind.ORDINAL, "7", 7),
        (Kind.MEASURE, "16 km", 16),
        (Kind.MEASURE, "200 mi (320 km)", 200),
        (Kind.MEASURE, "105kg", 105),
        (Kind.DATE, "2004-07-02", JULY_2_2004),
        (Kind.DATE, "2004/07/02", JULY_2_2004),
        (Kind.DATE, "July 2, 2004", JULY_2_2004),
        (Kind.DATE, "July 2, 2004 (age 27)", JULY_2_2004),
        (Kind.DATE, "Friday, July 2nd, 2004", JULY_2_2004),
        (Kind.DATE, "2 July 2004", JULY_2_2004),
        (Kind.DATE, "2-Jul-04", JULY_2_2004),
        (Kind.DATE, "7/2/2004", JULY_2_2004),
        (Kind.DATE, "2.7.2004", JULY_2_2004),
        (Kind.DAY_FIRST_DATE, "2/7/2004", JULY_2_2004),
        (Kind.DATE, "2004-07-02 00:00:00", JULY_2_2004),
        (Kind.DATE, "2004-07-01T22:00:00-02:00", JULY_2_2004),
        (Kind.DATE, "Jul 2004", number_of("2004-07")),
        (Kind.DATE, "2004", 2004),
        (Kind.DATE, "2-Jul-70", number_of("1970-07-02")),
        (Kind.DAY, "January 2", 2),
        (Kind.DAY, "29 February", 60),
        (Kind.DAY, "Saturday, Dec 31", 366),
        (Kind.TIME, "10:30", 10.5),
        (Kind.TIME, "9:30 pm", 21.5),
        (Kind.TIME, "12:00 a.m.", 0),
        (Kind.TIME, "7 PM", 19),
        (Kind.DURATION, "1:02:03.5", 3723.5),
        (Kind.DURATION, "3:45", 225),
        (Kind.DURATION, "59.8", 59.8),
        (Kind.DURATION, "2h 5min", 7500),
        (Kind.DURATION, "5h 29' 10\"", 19750),
        (Kind.DURATION, "1 hour and 30 minutes", 5400),
        (Kind.DURATION, "2 days", 172800),
        (Kind.SCORE, "6-4", 2),
        (Kind.SCORE, "3–10", -7),
        (Kind.SCORE, "3 – 1 (OT)", 2),
        (Kind.SCORE, "0–0 (5–3 pk)", 0),
    ],
)
def test_a_text_is_read_as_its_kind(kind: Kind, text: str, value: float) -> None:
    assert read_as(kind, text) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Kind.COMMA_NUMBER, "0,125", 0.125),
        (Kind.COMMA_NUMBER, "1.250", 1250),
        (Kind.COMMA_NUMBER, "-1.234.567,5", -1234567.5),
        (Kind.COMMA_NUMBER, "1\u202f234,5", 1234.5),
        (Kind.COMMA_NUMBER, "1.234,50-", -1234.5),
        (Kind.COMMA_CURRENCY, "1.234,50 €", 1234.5),
        (Kind.COMMA_CURRENCY, "(1.234,50 €)", -1234.5),
        (Kind.COMMA_PERCENT, "12,5 %", 12.5),
        (Kind.COMMA_MEASURE, "1.200,5 km", 1200.5),
        (Kind.NUMBER, "1'234.50", 1234.5),
        (Kind.NUMBER, "1’234’567", 1234567),
        (Kind.NUMBER, "12,34,567.00", 1234567),
        (Kind.NUMBER, "1\u00a0234\u00a0567", 1234567),
        (Kind.CURRENCY, "CHF 1'234.50", 1234.5),
        (Kind.CURRENCY, "CHF 5.–", 5),
        (Kind.CURRENCY, "₹ 1,00,000", 100000),
        (Kind.PERCENT, "(5.5%)", -5.5),
        (Kind.SCALED, "12k", 12000),
        (Kind.SCALED, "3.4M", 3.4e6),
        (Kind.SCALED, "980", 980),
        (Kind.DATE, "2. Juli 2004", JULY_2_2004),
        (Kind.DATE, "2 juillet 2004", JULY_2_2004),
        (Kind.DATE, "2 de julio de 2004", JULY_2_2004),
        (Kind.DATE, "luglio 2004", number_of("2004-07")),
    ],
)
def test_formats_and_months_of_many_countries(kind: Kind, text: str, value: float) -> None:
    assert read_as(kind, text) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.NUMBER, "1,5"),
        (Kind.NUMBER, "1.234,5"),
        (Kind.NUMBER, "1,23,45"),
        (Kind.NUMBER, "1990-"),
        (Kind.COMMA_NUMBER, "12.5"),
        (Kind.COMMA_NUMBER, "1,234.5"),
        (Kind.COMMA_NUMBER, "0.125"),
        (Kind.NUMBER, "12k"),
    ],
)
def test_an_amount_of_another_format_does_not_fit(kind: Kind, text: str) -> None:
    assert read_as(kind, text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("12.5", 12.5), ("12,75", 12.75), ("0,125", 0.125), ("1.250", 1.25), ("1,250", 1250), ("1.234.567", 1234567)],
)
def test_a_program_writes_numbers_in_its_own_format(text: str, value: float) -> None:
    assert literal_as(Kind.COMMA_NUMBER, text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.NUMBER, "5th"),
        (Kind.NUMBER, "12 Main Street"),
        (Kind.NUMBER, "1990-91"),
        (Kind.NUMBER, "555-1234"),
        (Kind.NUMBER, "7, 21"),
        (Kind.NUMBER, "nan"),
        (Kind.NUMBER, "1_000"),
        (Kind.PERCENT, "50"),
        (Kind.CURRENCY, "5 m"),
        (Kind.CURRENCY, "$1 to $5"),
        (Kind.DATE, "February 30, 2004"),
        (Kind.DATE, "13/6/2004"),
        (Kind.DATE, "July 2"),
        (Kind.DAY, "February 30"),
        (Kind.TIME, "25:00"),
        (Kind.TIME, "13:00 pm"),
        (Kind.DURATION, "+0:12"),
        (Kind.DURATION, "1:75:00"),
        (Kind.DURATION, "1990s"),
        (Kind.SCORE, "1990-91"),
        (Kind.SCORE, "6-4, 6-3"),
        (Kind.TEXT, "5"),
        (Kind.NUMBER, "9" * 61),
    ],
)
def test_what_does_not_fit_is_none(kind: Kind, text: str) -> None:
    assert read_as(kind, text) is None


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "2,000", "3.5"], Kind.NUMBER),
        (["1999", "2001", "2004"], Kind.NUMBER),
        (["1999", "June 2001", "2004-05-06"], Kind.DATE),
        (["50%", "3.5%"], Kind.PERCENT),
        (["$5", "7", "8"], Kind.CURRENCY),
        (["1st", "2nd", "3"], Kind.ORDINAL),
        (["1", "2", "T3"], Kind.ORDINAL),
        (["5 km", "7 km", "3"], Kind.MEASURE),
        (["6/13/2004", "6/3/2004"], Kind.DATE),
        (["6/3/2004", "7/3/2004"], Kind.DATE),
        (["13/6/2004", "6/3/2004"], Kind.DAY_FIRST_DATE),
        (["May 3", "June 10", "September 1"], Kind.DAY),
        (["10:30", "19:05", "8:00"], Kind.TIME),
        (["7:00 pm", "9:17 am"], Kind.TIME),
        (["3:41", "4:07", "2:56"], Kind.DURATION),
        (["59.8", "58.1", "57.2", "1:02.5", "59.9", "59.7"], Kind.DURATION),
        (["2:08:33", "2:10:01"], Kind.DURATION),
        (["6-4", "3–1", "0-2"], Kind.SCORE),
        (["51–55", "52–55", "52–56"], Kind.SCORE),
        (["0,125", "1,5", "12,75", "3,333"], Kind.COMMA_NUMBER),
        (["1.250", "980", "12.000", "15"], Kind.COMMA_NUMBER),
        (["1.250", "1.125", "12.000"], Kind.NUMBER),
        (["1,234", "5,678"], Kind.NUMBER),
        (["1.234,50 €", "980 €"], Kind.COMMA_CURRENCY),
        (["12k", "3.4M", "980"], Kind.SCALED),
        (["3.4M", "1.2M"], Kind.MEASURE),
        (["(1,234)", "(500.5)", "200"], Kind.NUMBER),
        (["12. März 2021", "3. Mai 2020"], Kind.DATE),
        (["Ada", "Bob"], Kind.TEXT),
        ([], Kind.TEXT),
        (["", "–", "n/a"], Kind.TEXT),
    ],
)
def test_a_column_has_the_kind_that_its_values_fit(texts: list[str], kind: Kind) -> None:
    assert kind_of(texts) == kind


@pytest.mark.parametrize(
    "texts",
    [
        ["1990-91", "1991-92"],
        ["2000-01", "2001-02", "2004-05"],
        ["18-24", "25-34", "35-44"],
        ["5 km", "3 mi"],
        ["September 7", "December 28", "January 4"],
        ["September 7", "October 8", "October 9", "November 5", "January 2, 1995"],
        ["1:30:01.2", "+28.394", "+32.077", "+45.1", "+50.2", "+51.3"],
        ["12 Main Street", "7 Oak Lane"],
        ["555-1234", "555-9876"],
        ["(1)", "(2)", "(3)"],
        ["W 23–13", "L 10–3"],
        ["1990s", "1980s"],
        ["S04E14", "S04E15"],
    ],
)
def test_what_looks_like_a_kind_and_is_none_is_text(texts: list[str]) -> None:
    assert kind_of(texts) == Kind.TEXT


def test_fillers_do_not_count() -> None:
    assert kind_of(["5", "–", "n/a", "?", "TBD", "DNF", ""]) == Kind.NUMBER


@pytest.mark.parametrize(("others", "kind"), [(1, Kind.NUMBER), (2, Kind.TEXT)])
def test_four_in_five_must_fit(others: int, kind: Kind) -> None:
    assert kind_of(["1", "2", "3", "4", *["word", "other"][:others]]) == kind


def test_a_column_of_texts_is_not_read_to_its_end() -> None:
    class Texts(list[str]):
        read = 0

        def __iter__(self) -> Iterator[str]:
            for text in super().__iter__():
                self.read += 1
                yield text

    texts = Texts(["word"] * 1000)
    assert kind_of(texts) == Kind.TEXT
    assert texts.read < 250


LIKELY = st.text("0123456789.,:;-–−+/%$€()[]'\" \n\x00TthKMkmJunejuly²٣", max_size=70)


@given(st.lists(LIKELY | st.text(max_size=70), max_size=20))
def test_no_text_raises(texts: list[str]) -> None:
    assert kind_of(texts) in Kind
    for kind in Kind:
        for text in texts:
            value = read_as(kind, text)
            assert value is None or abs(value) < float("inf")


@given(st.integers(-(10**12), 10**12), st.sampled_from(["{:,}", "{}"]))
def test_an_integer_is_read_however_it_is_written(number: int, form: str) -> None:
    assert read_as(Kind.NUMBER, form.format(number)) == number


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_a_written_date_is_where_its_iso_form_is(day: date) -> None:
    written = f"{day:%B} {day.day}, {day.year}"
    assert read_as(Kind.DATE, written) == number_of(day.isoformat())


@given(st.dates(date(1000, 1, 1)))
def test_an_iso_date_is_where_values_has_it(day: date) -> None:
    assert read_as(Kind.DATE, day.isoformat()) == number_of(day.isoformat())


@pytest.mark.parametrize("text", ["June 2004", "Jun. 2004", "june, 2004"])
def test_a_month_in_a_column_of_dates_is_all_its_days(text: str) -> None:
    assert span_as(Kind.DATE, text) == read_span("2004-06")


def test_a_day_and_an_amount_are_points() -> None:
    assert span_as(Kind.DATE, "June 3, 2004") == read_span("2004-06-03")
    assert span_as(Kind.CURRENCY, "$5") == (5.0, 5.0)
    assert span_as(Kind.DATE, "soon") is None


@pytest.mark.parametrize("text", ["5 (of ten)", "(5) (6)", "5(6)", "5 (6) 7", "(age 27)", "born (1980)"])
def test_other_brackets_make_no_number_and_no_date(text: str) -> None:
    assert read_as(Kind.NUMBER, text) is None
    assert read_as(Kind.DATE, text) is None


def test_a_code_begins_with_a_zero_and_has_nothing_but_digits() -> None:
    assert [text for text in ("007", "01", "0", "7", "0²", "0.5", "") if is_padded(text)] == ["007", "01"]
