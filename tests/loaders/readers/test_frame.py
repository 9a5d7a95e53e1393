"""DataFrames and Parquet files as tables, and typed values as texts."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.errors import BadInput
from cgstore.loaders.readers.frame import NoText, table_of_frame, text_of, text_of_single
from cgstore.loaders.readers.records import BadLine, Row
from cgstore.loaders.table import read_tables

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
numpy = pytest.importorskip("numpy")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x ", "x "),
        (5, "5"),
        (5.0, "5"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e300, "1e+300"),
        (float("nan"), ""),
        (None, ""),
        (True, "true"),
        (Decimal("5.10"), "5.10"),
        (Decimal("1E+3"), "1000"),
        (Decimal("NaN"), ""),
        (dt.datetime(2004, 7, 2), "2004-07-02"),
        (dt.datetime(2004, 7, 2, 10, 30), "2004-07-02T10:30:00"),
        (dt.date(2004, 7, 2), "2004-07-02"),
        (dt.time(10, 30), "10:30:00"),
        (dt.timedelta(days=1, hours=2, seconds=3.5), "26:00:03.5"),
        (-dt.timedelta(seconds=5), "-0:00:05"),
        ([1, None, "é"], '[1,null,"é"]'),
        ({"a": dt.date(2004, 7, 2)}, '{"a":"2004-07-02"}'),
        (pandas.NA, ""),
        (pandas.NaT, ""),
        (pandas.Timestamp("2004-07-02"), "2004-07-02"),
        (pandas.Timedelta("1h"), "1:00:00"),
        (numpy.int64(5), "5"),
        (numpy.float64(5), "5"),
        (numpy.float32(0.1), "0.1"),
        (numpy.bool_(True), "true"),
        (numpy.datetime64("2004-07-02T00:00:00.000000000"), "2004-07-02"),
        (numpy.datetime64("NaT"), ""),
        (numpy.timedelta64(90, "s"), "0:01:30"),
        (numpy.timedelta64(0, "s"), "0:00:00"),
        (numpy.array([1, 2]), "[1,2]"),
    ],
)
def test_a_typed_value_has_a_text(value: Any, text: str) -> None:
    assert text_of(value) == text


@pytest.mark.parametrize("value", [b"x", object(), [b"x"], 10**5000], ids=["bytes", "object", "list", "long"])
def test_what_has_no_text_says_so(value: Any) -> None:
    with pytest.raises(NoText):
        text_of(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_read_back_as_it_was(value: float) -> None:
    assert float(text_of(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_single_float_is_read_back_as_it_was(value: float) -> None:
    assert numpy.float32(text_of_single(value)) == numpy.float32(value)


def test_a_frame_is_a_table() -> None:
    frame = pandas.DataFrame({"n": [1, 2], "f": [0.5, None], 3: ["x", None]}, index=[7, 9])
    table = table_of_frame(frame, "t")
    assert (table.name, table.columns) == ("t", ("n", "f", "3"))
    assert list(table.rows) == [Row(1, ["1", "0.5", "x"]), Row(2, ["2", "", ""])]


def test_an_index_with_a_name_or_of_texts_is_a_column() -> None:
    frame = pandas.DataFrame({"n": [1]}, index=pandas.Index([5], name="id"))
    assert table_of_frame(frame, "t").columns == ("id", "n")
    frame = pandas.DataFrame({"n": [1]}, index=["x"])
    assert list(table_of_frame(frame, "t").rows) == [Row(1, ["x", "1"])]
    assert table_of_frame(frame, "t").columns == ("column 1", "n")


def test_levels_of_columns_are_joined_and_equal_names_stay() -> None:
    frame = pandas.DataFrame([[1, 2]], columns=pandas.MultiIndex.from_tuples([("Population", 2010), ("Name", "")]))
    assert table_of_frame(frame, "t").columns == ("Population 2010", "Name")
    assert table_of_frame(pandas.DataFrame([[1, 2]], columns=["a", "a"]), "t").columns == ("a", "a")


def test_bytes_in_a_frame_make_a_bad_row() -> None:
    bad, row = table_of_frame(pandas.DataFrame({"a": [b"x", "y"]}), "t").rows
    assert isinstance(bad, BadLine) and bad.column == 1 and "bytes" in bad.problem
    assert row == Row(2, ["y"])


@pytest.mark.parametrize("frame", [pandas.DataFrame(), [1], None])
def test_what_is_no_frame_with_columns_is_refused(frame: Any) -> None:
    with pytest.raises(BadInput):
        table_of_frame(frame, "t")


def test_a_parquet_file_is_a_table(tmp_path: Path) -> None:
    frame = pandas.DataFrame(
        {
            "n": [1, None],
            "s": numpy.array([0.1, 2], dtype="float32"),
            "d": pandas.to_datetime(["2004-07-02", None]),
            "c": pandas.Categorical(["x", "y"]),
        },
        index=["p", "q"],
    )
    frame.to_parquet(tmp_path / "t.parquet")
    (table,) = read_tables([str(tmp_path)])
    assert (table.name, table.columns) == ("t", ("n", "s", "d", "c", "column 5"))
    assert list(table.rows) == [Row(1, ["1", "0.1", "2004-07-02", "x", "p"]), Row(2, ["", "2", "", "y", "q"])]
