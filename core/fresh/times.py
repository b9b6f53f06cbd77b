"""Dates that may be known only to the month or the year, as Wikidata states them."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final

from core.errors import UsageError

_TIME: Final = re.compile(r"^([+-]?)(\d{1,16})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?)?$")
_DAY: Final = re.compile(r"^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?$")
_FINEST_DAY: Final = 14


class Precision(IntEnum):
    """How much of a date is known; the values are Wikidata's."""

    YEAR = 9
    MONTH = 10
    DAY = 11


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date of which the day, or the month and the day, may be unknown.

    Parameters
    ----------
    year
        Astronomical sign: negative before the common era, of any number of digits.
    month, day
        None where unknown; a day needs a month.
    """

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        if self.month is None:
            if self.day is not None:
                raise ValueError("A day needs a month.")
            return
        if not 1 <= self.month <= 12:
            raise ValueError(f"Month must be 1 to 12, found {self.month}.")
        if self.day is not None and not 1 <= self.day <= _days_in(self.year, self.month):
            raise ValueError(f"Day must be 1 to {_days_in(self.year, self.month)}, found {self.day}.")

    @property
    def precision(self) -> Precision:
        """The finest part that is known."""
        if self.month is None:
            return Precision.YEAR
        return Precision.MONTH if self.day is None else Precision.DAY

    @property
    def sort_key(self) -> tuple[int, int, int]:
        """A total order for stable output: unknown parts come first."""
        return self.year, self.month or 0, self.day or 0

    def first_day(self) -> date | None:
        """Return the first day that the date can mean, or None outside the years 1 to 9999."""
        if not 1 <= self.year <= 9999:
            return None
        return date(self.year, self.month or 1, self.day or 1)

    def isoformat(self) -> str:
        """Write the date with digits, with 00 for unknown parts (``2023-09-00``).

        Examples
        --------
        >>> PartialDate(2023, 9).isoformat(), PartialDate(-44, 3, 15).isoformat()
        ('2023-09-00', '-0044-03-15')
        """
        sign = "-" if self.year < 0 else ""
        return f"{sign}{abs(self.year):04d}-{self.month or 0:02d}-{self.day or 0:02d}"

    def as_digits(self) -> str:
        """Write the date for a reader, with digits and no more than is known.

        Examples
        --------
        >>> PartialDate(2023, 9, 1).as_digits(), PartialDate(2023, 9).as_digits(), PartialDate(2023).as_digits()
        ('2023-09-01', '2023-09', '2023')
        """
        return self.isoformat().removesuffix("-00").removesuffix("-00")

    def in_words(self) -> str:
        """Write the date as a reader expects it, with no more than is known.

        Examples
        --------
        >>> PartialDate(2023, 9, 1).in_words(), PartialDate(2023, 9).in_words(), PartialDate(2023).in_words()
        ('1 September 2023', 'September 2023', '2023')
        >>> PartialDate(-44).in_words()
        '44 BCE'
        """
        year = f"{-self.year} BCE" if self.year < 0 else str(self.year)
        if self.month is None:
            return year
        month = f"{calendar.month_name[self.month]} {year}"
        return month if self.day is None else f"{self.day} {month}"


def compare(left: PartialDate, right: PartialDate) -> int:
    """Compare at the coarser of the two precisions.

    Returns
    -------
    int
        -1, 0 or 1. 0 means that the dates agree as far as both are known, so the relation is not transitive.

    Examples
    --------
    >>> compare(PartialDate(2023), PartialDate(2023, 7, 1))
    0
    >>> compare(PartialDate(2023, 6), PartialDate(2023, 7, 1))
    -1
    """
    if left.year != right.year:
        return 1 if left.year > right.year else -1
    if left.month is None or right.month is None:
        return 0
    if left.month != right.month:
        return 1 if left.month > right.month else -1
    if left.day is None or right.day is None:
        return 0
    return (left.day > right.day) - (left.day < right.day)


def parse_time(text: object, precision: object = None) -> PartialDate | None:
    """Read a Wikidata time value.

    Parameters
    ----------
    text
        Such as ``+2022-10-22T00:00:00Z``; the sign and the time of day may be missing, unknown parts are 00.
    precision
        9 (year), 10 (month), 11 (day) or finer; None means: as many parts as are not 00.

    Returns
    -------
    PartialDate or None
        None where no year can be relied on: an unreadable text, a precision coarser than a year, year 0, or a day
        that no calendar has. Parts finer than the precision are dropped, whatever digits stand there.

    Examples
    --------
    >>> parse_time("+2018-01-01T00:00:00Z", 9)
    PartialDate(year=2018, month=None, day=None)
    >>> parse_time("2023-09-00T00:00:00Z")
    PartialDate(year=2023, month=9, day=None)
    >>> parse_time("+1850-00-00T00:00:00Z", 8) is None
    True
    """
    if precision is None:
        precision = int(Precision.DAY)
    if type(precision) is not int or type(text) is not str:
        return None
    return _parse(text, precision)


@lru_cache(maxsize=65536)
def _parse(text: str, precision: int) -> PartialDate | None:
    match = _TIME.match(text)
    if match is None or not Precision.YEAR <= precision <= _FINEST_DAY:
        return None
    sign, year_digits, month_digits, day_digits = match.groups()
    year = -int(year_digits) if sign == "-" else int(year_digits)
    month = int(month_digits) if precision >= Precision.MONTH else 0
    day = int(day_digits) if precision >= Precision.DAY and month else 0
    if year == 0:
        return None
    try:
        return PartialDate(year, month or None, day or None)
    except ValueError:
        return None


def parse_snak_time(snak: Any) -> PartialDate | None:
    """Read the time of a qualifier; ``somevalue``, ``novalue`` and anything malformed give None."""
    try:
        if snak["snaktype"] != "value":
            return None
        value = snak["datavalue"]["value"]
        return parse_time(value["time"], value["precision"])
    except (KeyError, TypeError):
        return None


def parse_day(text: str, name: str) -> PartialDate:
    """Read a date that a reader gives: ``2023-06-30``, or ``2023-06`` or ``2023``, which mean their last day.

    Parameters
    ----------
    text
        The date.
    name
        What the date is for ("cutoff"), for the message.

    Raises
    ------
    UsageError
        If it is no date.

    Examples
    --------
    >>> parse_day("2023-06", "cutoff").isoformat()
    '2023-06-30'
    """
    match = _DAY.match(text.strip())
    if match is not None:
        year, month = int(match.group(1)), int(match.group(2) or 12)
        if year and 1 <= month <= 12:
            day = int(match.group(3) or _days_in(year, month))
            if 1 <= day <= _days_in(year, month):
                return PartialDate(year, month, day)
    raise UsageError(f"The {name} must be a date such as 2023-06-30 (or 2023-06, or 2023), found '{text}'.")


def from_date(day: date) -> PartialDate:
    """Turn a known day into a `PartialDate`."""
    return PartialDate(day.year, day.month, day.day)


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if calendar.isleap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31
