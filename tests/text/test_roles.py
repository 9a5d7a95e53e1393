"""What columns are for, by what they hold: mostly columns of the tables in `benchmarks`."""

from __future__ import annotations

from collections import Counter

import pytest

from cgstore.text.columns import kind_of
from cgstore.text.roles import Role, role_of

COLUMNS: list[tuple[str, str, Role]] = [
    # Identifiers
    ("Order", "O-1001 | O-1002 | O-1003 | O-1004", Role.IDENTIFIER),
    ("tech", "T-01 | T-02 | T-01 | T-04", Role.IDENTIFIER),
    ("Order No", "1011 | 1012 | 1013 | 1015 | 1019a | 1016", Role.IDENTIFIER),
    ("order_id", "1001 | 1002 | 1003", Role.IDENTIFIER),
    ("customer_id", "17 | 4 | 17 | 230 | 4 | 17", Role.IDENTIFIER),
    ("CustomerID", "17 | 4 | 17 | 230 | 4 | 17", Role.IDENTIFIER),
    ("room_no", "204 | 310 | 101 | 204 | 402", Role.IDENTIFIER),
    ("loan", "1101 | 1102 | 1103 | 1104 | 1105 | 1106", Role.IDENTIFIER),
    ("", "7. | 1. | 2. | 3. | 5. | 4. | 6.", Role.IDENTIFIER),
    ("FIPS", "05575 | 10425 | 11575 | 30275", Role.IDENTIFIER),
    ("Reg. No.", "KX21 ABC | LM19 TRE | OP22 ZZY", Role.IDENTIFIER),
    ("Train", "IC 101 | IC 205 | RE 12 | EC 77", Role.IDENTIFIER),
    ("phone", "555-0112 | 555-0127 |  | 555-0139", Role.IDENTIFIER),
    ("Contact", "lucy@abbott.example |  | rosa.c@mail.example | egan@mail.example", Role.IDENTIFIER),
    ("IATA", "ULM | BRN | GRZ | SZG | LYS", Role.IDENTIFIER),
    ("Prod. code", "1AJE01 | 1AJE02 | 1AJE03", Role.IDENTIFIER),
    ("Barcode", "40123455 | 96385074 | 73513537 | 12345670 | 55123457", Role.IDENTIFIER),
    ("Album#", "1st | 2nd | 3rd | 4th | 5th", Role.IDENTIFIER),
    # Labels
    ("Name", "Maria Lopez | Tom Becker | Ingrid Olsen | Raj Patel", Role.LABEL),
    ("Mountain", "Mont Blanc | Matterhorn | Denali", Role.LABEL),
    ("Title", "The Trial | The Castle | Robots That Say Sorry", Role.LABEL),
    ("addr", "14 Alma Grove | Flat 3 Coronation Mews | 22b Whiteladies Ct", Role.LABEL),
    ("Model", "Transit | Caddy | Kangoo | Model 3", Role.LABEL),
    ("Hangul", "꽃미남 아롱사태 | 출발 드림팀2 | 뮤직뱅크", Role.LABEL),
    # Quantities
    ("Pages", "255 | 352 | 418 | 280", Role.QUANTITY),
    ("Salary", "48000 | 83000 | 140000 | 61000", Role.QUANTITY),
    ("Population", "126,329 | 134,794 | 291,072", Role.QUANTITY),
    ("Height (m)", "1808 | 1978 | 2034 | 1998", Role.QUANTITY),
    ("Price", "1200 | 1450 | 1100 | 1350 | 1990", Role.QUANTITY),
    ("Budget", "€12,480.00 | €3,215.50 | €860.00", Role.QUANTITY),
    ("Area", "118.68 km² | 51.62 km²", Role.QUANTITY),
    ("Quantity", "20 kg | 3 bags | 800 g | 5 kg | 20 kg", Role.QUANTITY),
    ("Seats", "24 | 40 (+12 outside) | 32 | 52 (+20 outside)", Role.QUANTITY),
    ("Running time", "118 min | 96 min | 104 min", Role.QUANTITY),
    ("Share", "14.2% | 14.8%", Role.QUANTITY),
    ("No. of Pupils", "312 | 204 | 1146", Role.QUANTITY),
    ("No", "5 | 0 | 12 | 5 | 5", Role.QUANTITY),
    ("Poles", "0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 1 | 0 | 0", Role.QUANTITY),
    ("Hot 100", "#2 | #53 | #5 | #2 | -", Role.QUANTITY),
    ("Elevation", "1250.5 | 88 | −3", Role.QUANTITY),
    # Categories
    ("Team", "Workshop | Office | Office | Workshop | Field | Office", Role.CATEGORY),
    ("Shelf", "K2 | K2 | S1 | S1 | A3", Role.CATEGORY),
    ("Class", "8a | 8a | 8b | 8c", Role.CATEGORY),
    ("Insurance", "private | public | public", Role.CATEGORY),
    ("Nat.", "GER | NED | NOR | GER | GER", Role.CATEGORY),
    # Dates
    ("Hired on", "15 March 2018 | 2 May 2020", Role.DATE),
    ("Ordered", "03/01/2024 | 18/01/2024", Role.DATE),
    ("Born", "1984 | 1990 | 1975 | 1999", Role.DATE),
    ("Castle built", "1187 | 1402 | 1263 | 1391", Role.DATE),
    ("starts_at", "18:00 | 19:30 | 07:30", Role.DATE),
    ("Season", "1996–97 | 1997–98 | 1999/00", Role.DATE),
    ("In office", "1801–1809 | 1809–1817 | 2009–present", Role.DATE),
    # Yes or no
    ("paid", "yes | no | yes |  | yes", Role.YES_NO),
    ("Pool (Y/N)", "Y | N | N", Role.YES_NO),
    ("aktiv", "ja | nein | ja", Role.YES_NO),
    ("in stock", "TRUE | FALSE | TRUE", Role.YES_NO),
    ("Vegan", "x |  |  | x |  ", Role.YES_NO),
    ("Vegan", "✓ | ✗ | ✓", Role.YES_NO),
    ("Director", "Yes |  | Yes | Yes", Role.YES_NO),
    ("is_member", "1 | 0 | 1", Role.YES_NO),
    ("member", "1 | 0 | 1 | 1 | 0 | 1 | 1 | 1 | 0 | 1", Role.YES_NO),
    # Free text
    (
        "Notes",
        "Larger version of the first engine, kept in the shed | Scrapped in 1950 after a fire at the works",
        Role.TEXT,
    ),
    ("special_request", "late arrival |  | ground floor |  | baby cot", Role.TEXT),
    ("Record", "0–1–0 | 0–2–0 | 1–2–0", Role.TEXT),
    ("", " |  | n/a", Role.TEXT),
]


@pytest.mark.parametrize(("name", "cells", "role"), COLUMNS)
def test_the_values_of_a_column_say_what_it_is_for(name: str, cells: str, role: Role) -> None:
    values = [cell.strip() for cell in cells.split("|")]
    kind = kind_of(set(values))
    assert role_of(values, kind, name) is role
    assert role_of(Counter(values), str(kind), name) is role


def test_no_values_have_the_role_of_text() -> None:
    assert role_of([], "") is Role.TEXT
