"""Times of the past that sources are asked about: a date, a date with a time, or the number of a change."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

_TIME = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)"
    r"(?:[T ](?P<time>\d\d:\d\d(?::\d\d)?)(?P<fraction>\.\d{1,9})?(?P<zone>Z| ?UTC|[+-]\d\d:?\d\d)?)?",
    re.ASCII | re.IGNORECASE,
)
_CHANGE = re.compile(r"#(\d{1,18})", re.ASCII)

LAST = "9999-12-31T23:59:59.999999999Z"
"""The last moment that is compared with."""


class PastTime(NamedTuple):
    """A time of the past.

    Attributes:
        name: as an answer names it, in UTC.
        begins: the first moment that it may mean, in ISO form.
        until: the last moment that counts: a date means the end of the day, a time the end of its second.
        change: the number of a change, if that was given in the place of a time.
    """

    name: str
    begins: str = "0001-01-01T00:00:00Z"
    until: str = LAST
    change: int | None = None


def read_past(text: str) -> PastTime | None:
    """The time that a text means, None where it means none; a time without an offset is in UTC."""
    text = text.strip()
    if found := _CHANGE.fullmatch(text):
        return PastTime(f"after change {int(found[1]):,}", change=int(found[1]))
    found = _TIME.fullmatch(text)
    if not found:
        return None
    zone, time, fraction = found["zone"] or "Z", found["time"] or "00:00", found["fraction"] or ""
    zone = "Z" if zone.strip().upper() == "UTC" else zone.upper()
    try:
        moment = datetime.fromisoformat(f"{found['date']}T{time}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    day, second = moment.date().isoformat(), moment.time().isoformat()
    if not found["time"]:
        return PastTime(f"at the end of {day} UTC", f"{day}T00:00:00Z", f"{day}T23:59:59.999999999Z")
    begins = f"{day}T{second}{fraction}Z"
    shown = second if fraction or not second.endswith(":00") else second[:-3]
    return PastTime(f"on {day} {shown}{fraction} UTC", begins, begins if fraction else f"{day}T{second}.999999999Z")


def moment_name(iso: str) -> str:
    """A moment that Neo4j wrote, as people write it: `2026-11-01 10:00:05 UTC`."""
    day, _, rest = iso.partition("T")
    return f"{day} {rest[:8].rstrip('Z')} UTC"
