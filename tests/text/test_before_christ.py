"""Years before Christ in answers."""

from __future__ import annotations

import pytest

from cgstore.text.dates import as_years_bc


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
