"""The kinds of columns, and values read as a kind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.columns import kind_of
from cgstore.text.dates import number_of, read_span
from cgstore.text.kinds import ValueKind, literal_as, read_as, span_as
from cgstore.text.numbers import is_padded

JULY_2_2004 = number_of("2004-07-02")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (ValueKind.NUMBER, "5", 5),
        (ValueKind.NUMBER, " 1,234.5 ", 1234.5),
        (ValueKind.NUMBER, "-1,234", -1234),
        (ValueKind.NUMBER, "−7", -7),
        (ValueKind.NUMBER, "–7", -7),
        (ValueKind.NUMBER, "- 7", -7),
        (ValueKind.NUMBER, "+7", 7),
        (ValueKind.NUMBER, "(45)", -45),
        (ValueKind.NUMBER, "1.2 million", 1.2e6),
        (ValueKind.NUMBER, "1e3", 1000),
        (ValueKind.COMMA_NUMBER, "1 234\u00a0567,5", 1234567.5),
        (ValueKind.NUMBER, "12[1]", 12),
        (ValueKind.NUMBER, "12 †", 12),
        (ValueKind.NUMBER, "1,093 (422)", 1093),
        (ValueKind.NUMBER, "12 (40%)", 12),
        (ValueKind.PERCENT, "50%", 50),
        (ValueKind.PERCENT, "-3.5 %", -3.5),
        (ValueKind.PERCENT, "5 percent", 5),
        (ValueKind.CURRENCY, "$5", 5),
        (ValueKind.CURRENCY, "-$5.50", -5.5),
        (ValueKind.CURRENCY, "$-5.50", -5.5),
        (ValueKind.CURRENCY, "US$1.2 million", 1.2e6),
        (ValueKind.CURRENCY, "£16.8M", 16.8e6),
        (ValueKind.CURRENCY, "5 €", 5),
        (ValueKind.CURRENCY, "USD 1,000", 1000),
        (ValueKind.CURRENCY, "1,000 USD", 1000),
        (ValueKind.CURRENCY, "($45)", -45),
        (ValueKind.CURRENCY, "$(45)", -45),
        (ValueKind.CURRENCY, "45", 45),
        (ValueKind.ORDINAL, "5th", 5),
        (ValueKind.ORDINAL, "T-22nd", 22),
        (ValueKind.ORDINAL, "T3", 3),
        (ValueKind.ORDINAL, "3=", 3),
        (ValueKind.ORDINAL, "#13", 13),
        (ValueKind.ORDINAL, "7", 7),
        (ValueKind.MEASURE, "16 km", 16),
        (ValueKind.MEASURE, "200 mi (320 km)", 200),
        (ValueKind.MEASURE, "105kg", 105),
        (ValueKind.DATE, "2004-07-02", JULY_2_2004),
        (ValueKind.DATE, "2004/07/02", JULY_2_2004),
        (ValueKind.DATE, "July 2, 2004", JULY_2_2004),
        (ValueKind.DATE, "July 2, 2004 (age 27)", JULY_2_2004),
        (ValueKind.DATE, "Friday, July 2nd, 2004", JULY_2_2004),
        (ValueKind.DATE, "2 July 2004", JULY_2_2004),
        (ValueKind.DATE, "2-Jul-04", JULY_2_2004),
        (ValueKind.DATE, "7/2/2004", JULY_2_2004),
        (ValueKind.DATE, "2.7.2004", JULY_2_2004),
        (ValueKind.DAY_FIRST_DATE, "2/7/2004", JULY_2_2004),
        (ValueKind.DATE, "2004-07-02 00:00:00", JULY_2_2004),
        (ValueKind.DATE, "2004-07-01T22:00:00-02:00", JULY_2_2004),
        (ValueKind.DATE, "Jul 2004", number_of("2004-07")),
        (ValueKind.DATE, "2004", 2004),
        (ValueKind.DATE, "2-Jul-70", number_of("1970-07-02")),
        (ValueKind.DAY, "January 2", 2),
        (ValueKind.DAY, "29 February", 60),
        (ValueKind.DAY, "Saturday, Dec 31", 366),
        (ValueKind.TIME, "10:30", 10.5),
        (ValueKind.TIME, "9:30 pm", 21.5),
        (ValueKind.TIME, "12:00 a.m.", 0),
        (ValueKind.TIME, "7 PM", 19),
        (ValueKind.DURATION, "1:02:03.5", 3723.5),
        (ValueKind.DURATION, "3:45", 225),
        (ValueKind.DURATION, "59.8", 59.8),
        (ValueKind.DURATION, "2h 5min", 7500),
        (ValueKind.DURATION, "5h 29' 10\"", 19750),
        (ValueKind.DURATION, "1 hour and 30 minutes", 5400),
        (ValueKind.DURATION, "2 days", 172800),
        (ValueKind.SCORE, "6-4", 2),
        (ValueKind.SCORE, "3–10", -7),
        (ValueKind.SCORE, "3 – 1 (OT)", 2),
        (ValueKind.SCORE, "0–0 (5–3 pk)", 0),
        # Formats and months of many countries.
        (ValueKind.COMMA_NUMBER, "0,125", 0.125),
        (ValueKind.COMMA_NUMBER, "1.250", 1250),
        (ValueKind.COMMA_NUMBER, "-1.234.567,5", -1234567.5),
        (ValueKind.COMMA_NUMBER, "1\u202f234,5", 1234.5),
        (ValueKind.COMMA_NUMBER, "1.234,50-", -1234.5),
        (ValueKind.COMMA_CURRENCY, "1.234,50 €", 1234.5),
        (ValueKind.COMMA_CURRENCY, "(1.234,50 €)", -1234.5),
        (ValueKind.COMMA_PERCENT, "12,5 %", 12.5),
        (ValueKind.COMMA_MEASURE, "1.200,5 km", 1200.5),
        (ValueKind.NUMBER, "1'234.50", 1234.5),
        (ValueKind.NUMBER, "1’234’567", 1234567),
        (ValueKind.NUMBER, "12,34,567.00", 1234567),
        (ValueKind.NUMBER, "1\u00a0234\u00a0567", 1234567),
        (ValueKind.CURRENCY, "CHF 1'234.50", 1234.5),
        (ValueKind.CURRENCY, "CHF 5.–", 5),
        (ValueKind.CURRENCY, "₹ 1,00,000", 100000),
        (ValueKind.PERCENT, "(5.5%)", -5.5),
        (ValueKind.SCALED, "12k", 12000),
        (ValueKind.SCALED, "3.4M", 3.4e6),
        (ValueKind.SCALED, "980", 980),
        (ValueKind.DATE, "2. Juli 2004", JULY_2_2004),
        (ValueKind.DATE, "2 juillet 2004", JULY_2_2004),
        (ValueKind.DATE, "2 de julio de 2004", JULY_2_2004),
        (ValueKind.DATE, "luglio 2004", number_of("2004-07")),
    ],
)
def test_a_text_is_read_as_its_kind(kind: ValueKind, text: str, value: float) -> None:
    assert read_as(kind, text) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "value"),
    [("12.5", 12.5), ("12,75", 12.75), ("0,125", 0.125), ("1.250", 1.25), ("1,250", 1250), ("1.234.567", 1234567)],
)
def test_a_program_writes_numbers_in_its_own_format(text: str, value: float) -> None:
    assert literal_as(ValueKind.COMMA_NUMBER, text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (ValueKind.NUMBER, "5th"),
        (ValueKind.NUMBER, "12 Main Street"),
        (ValueKind.NUMBER, "1990-91"),
        (ValueKind.NUMBER, "555-1234"),
        (ValueKind.NUMBER, "7, 21"),
        (ValueKind.NUMBER, "nan"),
        (ValueKind.NUMBER, "1_000"),
        (ValueKind.PERCENT, "50"),
        (ValueKind.CURRENCY, "5 m"),
        (ValueKind.CURRENCY, "$1 to $5"),
        (ValueKind.DATE, "February 30, 2004"),
        (ValueKind.DATE, "13/6/2004"),
        (ValueKind.DATE, "July 2"),
        (ValueKind.DAY, "February 30"),
        (ValueKind.TIME, "25:00"),
        (ValueKind.TIME, "13:00 pm"),
        (ValueKind.DURATION, "+0:12"),
        (ValueKind.DURATION, "1:75:00"),
        (ValueKind.DURATION, "1990s"),
        (ValueKind.SCORE, "1990-91"),
        (ValueKind.SCORE, "6-4, 6-3"),
        (ValueKind.TEXT, "5"),
        (ValueKind.NUMBER, "9" * 61),
        # An amount of another format.
        (ValueKind.NUMBER, "1,5"),
        (ValueKind.NUMBER, "1.234,5"),
        (ValueKind.NUMBER, "1,23,45"),
        (ValueKind.NUMBER, "1990-"),
        (ValueKind.COMMA_NUMBER, "12.5"),
        (ValueKind.COMMA_NUMBER, "1,234.5"),
        (ValueKind.COMMA_NUMBER, "0.125"),
        (ValueKind.NUMBER, "12k"),
    ],
)
def test_what_does_not_fit_is_none(kind: ValueKind, text: str) -> None:
    assert read_as(kind, text) is None


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "2,000", "3.5"], ValueKind.NUMBER),
        (["1999", "2001", "2004"], ValueKind.NUMBER),
        (["1999", "June 2001", "2004-05-06"], ValueKind.DATE),
        (["50%", "3.5%"], ValueKind.PERCENT),
        (["$5", "7", "8"], ValueKind.CURRENCY),
        (["1st", "2nd", "3"], ValueKind.ORDINAL),
        (["1", "2", "T3"], ValueKind.ORDINAL),
        (["5 km", "7 km", "3"], ValueKind.MEASURE),
        (["6/13/2004", "6/3/2004"], ValueKind.DATE),
        (["6/3/2004", "7/3/2004"], ValueKind.DATE),
        (["13/6/2004", "6/3/2004"], ValueKind.DAY_FIRST_DATE),
        (["May 3", "June 10", "September 1"], ValueKind.DAY),
        (["10:30", "19:05", "8:00"], ValueKind.TIME),
        (["7:00 pm", "9:17 am"], ValueKind.TIME),
        (["3:41", "4:07", "2:56"], ValueKind.DURATION),
        (["59.8", "58.1", "57.2", "1:02.5", "59.9", "59.7"], ValueKind.DURATION),
        (["2:08:33", "2:10:01"], ValueKind.DURATION),
        (["6-4", "3–1", "0-2"], ValueKind.SCORE),
        (["51–55", "52–55", "52–56"], ValueKind.SCORE),
        (["0,125", "1,5", "12,75", "3,333"], ValueKind.COMMA_NUMBER),
        (["1.250", "980", "12.000", "15"], ValueKind.COMMA_NUMBER),
        (["1.250", "1.125", "12.000"], ValueKind.NUMBER),
        (["1,234", "5,678"], ValueKind.NUMBER),
        (["1.234,50 €", "980 €"], ValueKind.COMMA_CURRENCY),
        (["12k", "3.4M", "980"], ValueKind.SCALED),
        (["3.4M", "1.2M"], ValueKind.MEASURE),
        (["(1,234)", "(500.5)", "200"], ValueKind.NUMBER),
        (["12. März 2021", "3. Mai 2020"], ValueKind.DATE),
        (["Ada", "Bob"], ValueKind.TEXT),
        ([], ValueKind.TEXT),
        (["", "–", "n/a"], ValueKind.TEXT),
        # Fillers do not count, and of others four in five must fit.
        (["5", "–", "n/a", "?", "TBD", "DNF", ""], ValueKind.NUMBER),
        (["1", "2", "3", "4", "word"], ValueKind.NUMBER),
        (["1", "2", "3", "4", "word", "other"], ValueKind.TEXT),
        # What looks like a kind and is none.
        (["1990-91", "1991-92"], ValueKind.TEXT),
        (["2000-01", "2001-02", "2004-05"], ValueKind.TEXT),
        (["18-24", "25-34", "35-44"], ValueKind.TEXT),
        (["5 km", "3 mi"], ValueKind.TEXT),
        (["September 7", "December 28", "January 4"], ValueKind.TEXT),
        (["September 7", "October 8", "October 9", "November 5", "January 2, 1995"], ValueKind.TEXT),
        (["1:30:01.2", "+28.394", "+32.077", "+45.1", "+50.2", "+51.3"], ValueKind.TEXT),
        (["12 Main Street", "7 Oak Lane"], ValueKind.TEXT),
        (["555-1234", "555-9876"], ValueKind.TEXT),
        (["(1)", "(2)", "(3)"], ValueKind.TEXT),
        (["W 23–13", "L 10–3"], ValueKind.TEXT),
        (["1990s", "1980s"], ValueKind.TEXT),
        (["S04E14", "S04E15"], ValueKind.TEXT),
    ],
)
def test_a_column_has_the_kind_that_its_values_fit(texts: list[str], kind: ValueKind) -> None:
    assert kind_of(texts) == kind


def test_a_column_of_texts_is_not_read_to_its_end() -> None:
    class Texts(list[str]):
        read = 0

        def __iter__(self) -> Iterator[str]:
            for text in super().__iter__():
                self.read += 1
                yield text

    texts = Texts(["word"] * 1000)
    assert kind_of(texts) == ValueKind.TEXT
    assert texts.read < 250


LIKELY = st.text("0123456789.,:;-–−+/%$€()[]'\" \n\x00TthKMkmJunejuly²٣", max_size=70)


@given(st.lists(LIKELY | st.text(max_size=70), max_size=6))
def test_no_text_raises(texts: list[str]) -> None:
    assert kind_of(texts) in ValueKind
    for kind in ValueKind:
        for text in texts:
            value = read_as(kind, text)
            assert value is None or abs(value) < float("inf")


@given(st.integers(-(10**12), 10**12), st.sampled_from(["{:,}", "{}"]))
def test_an_integer_is_read_however_it_is_written(number: int, form: str) -> None:
    assert read_as(ValueKind.NUMBER, form.format(number)) == number


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_a_date_is_where_its_iso_form_is(day: date) -> None:
    for written in (f"{day:%B} {day.day}, {day.year}", day.isoformat()):
        assert read_as(ValueKind.DATE, written) == number_of(day.isoformat())


@pytest.mark.parametrize(
    ("text", "iso"),
    [("June 2004", "2004-06"), ("Jun. 2004", "2004-06"), ("june, 2004", "2004-06"), ("June 3, 2004", "2004-06-03")],
)
def test_a_month_in_a_column_of_dates_is_all_its_days(text: str, iso: str) -> None:
    assert span_as(ValueKind.DATE, text) == read_span(iso)


def test_an_amount_is_a_point() -> None:
    assert span_as(ValueKind.CURRENCY, "$5") == (5.0, 5.0)
    assert span_as(ValueKind.DATE, "soon") is None


@pytest.mark.parametrize("text", ["5 (of ten)", "(5) (6)", "5(6)", "5 (6) 7", "(age 27)", "born (1980)"])
def test_other_brackets_make_no_number_and_no_date(text: str) -> None:
    assert read_as(ValueKind.NUMBER, text) is None
    assert read_as(ValueKind.DATE, text) is None


def test_a_code_begins_with_a_zero_and_has_nothing_but_digits() -> None:
    assert [text for text in ("007", "01", "0", "7", "0²", "0.5", "") if is_padded(text)] == ["007", "01"]
