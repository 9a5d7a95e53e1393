"""The three tables as pandas reads them: clean columns beside the cells as they stand in the files."""

import re
from datetime import datetime
from functools import cache

import pandas as pd

from benchmarks.analyst import FOLDER

EMPTY = {"", "n/a", "–"}
DATES = ("%Y-%m-%d", "%d %B %Y", "%b %d, %Y", "%d.%m.%Y")


def text(cell: object) -> str | None:
    """The text of a cell without a trailing footnote mark; None for an empty cell."""
    if not isinstance(cell, str):
        return None
    stripped = re.sub(r"(\*|\[\d+\])$", "", cell.strip())
    return None if stripped in EMPTY else stripped


def number(cell: object) -> float:
    """The first number of a cell, with its sign and without thousands marks; NaN where there is none."""
    found = re.search(r"(-?)€?(\d[\d,]*\.?\d*)", text(cell) or "")
    return float(found[1] + found[2].replace(",", "")) if found else float("nan")


def date(cell: object) -> pd.Timestamp:
    """The date of a cell; NaT where the cell is empty."""
    stripped = text(cell)
    if stripped is None:
        return pd.NaT
    for style in DATES:
        try:
            return pd.Timestamp(datetime.strptime(stripped, style))
        except ValueError:
            continue
    raise ValueError(f"{cell!r} is not a date in any of the styles {DATES}.")


@cache
def read(name: str) -> pd.DataFrame:
    """One table (`shops`, `staff` or `orders`): every cell as text, without footnote marks, None where empty."""
    frame = pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)
    return frame.map(text).astype(object)


@cache
def shops() -> pd.DataFrame:
    """The shops, with `opened` (date), `area` (m²), `rent` (euros a month), `inside` and `outside` (seats)."""
    frame = read("shops").copy()
    seats = frame["Seats"].fillna("").str.extract(r"^(\d+)(?: \(\+(\d+) outside\))?").astype(float)
    return frame.assign(
        opened=_dates(frame["Opened"]),
        area=_numbers(frame["Floor area"]),
        rent=_numbers(frame["Monthly rent"]),
        inside=seats[0],
        outside=seats[1],
        services=_items(frame["Services"], "; "),
    )


@cache
def staff() -> pd.DataFrame:
    """The staff, with `hired` and `left` (dates), `salary` (euros a year), `hours` (a week) and `languages` (lists)."""
    frame = read("staff").copy()
    return frame.assign(
        hired=_dates(frame["Hired"]),
        left=_dates(frame["Left"]),
        salary=_numbers(frame["Salary"]),
        hours=_numbers(frame["Hours a week"]),
        languages=_items(frame["Languages"], ", "),
    )


@cache
def orders() -> pd.DataFrame:
    """The orders, with `date`, `paid`, `amount` (euros), `channel` in lower case, `stars` and `days` to payment."""
    frame = read("orders").copy()
    frame = frame.assign(
        date=_dates(frame["Date"]),
        paid=_dates(frame["Paid on"]),
        amount=_numbers(frame["Amount"]),
        channel=frame["Channel"].str.lower(),
        stars=_numbers(frame["Rating"]),
        note=frame["Note"].fillna(""),
    )
    return frame.assign(days=(frame["paid"] - frame["date"]).dt.days)


@cache
def sales() -> pd.DataFrame:
    """The orders joined with the shop that took them: only orders of a shop that the list of shops has."""
    return orders().merge(shops()[["Shop", "City", "Country", "Services"]], on="Shop")


@cache
def sold() -> pd.DataFrame:
    """The orders joined with the person who sold them: only orders with a seller."""
    people = staff()[["Staff no.", "Name", "Role", "languages"]]
    return orders().merge(people, left_on="Sold by", right_on="Staff no.")


def _dates(column: pd.Series) -> pd.Series:
    return pd.to_datetime(pd.Series([date(cell) for cell in column], index=column.index))


def _numbers(column: pd.Series) -> pd.Series:
    return pd.Series([number(cell) for cell in column], index=column.index)


def _items(column: pd.Series, mark: str) -> pd.Series:
    return pd.Series([cell.split(mark) if isinstance(cell, str) else [] for cell in column], index=column.index)
