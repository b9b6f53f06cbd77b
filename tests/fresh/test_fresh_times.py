from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from core.fresh.times import PartialDate, Precision, compare, parse_day, parse_snak_time, parse_time

dates = st.builds(
    lambda year, month, day, depth: PartialDate(
        year, month if depth > 0 else None, day if depth > 1 else None
    ),
    st.integers(-50, 12_000).filter(bool),
    st.integers(1, 12),
    st.integers(1, 28),
    st.integers(0, 2),
)


def plain_compare(left: PartialDate, right: PartialDate) -> int:
    """Cut both to the parts that both have, as lists."""
    one = [part for part in (left.year, left.month, left.day) if part is not None]
    other = [part for part in (right.year, right.month, right.day) if part is not None]
    depth = min(len(one), len(other))
    return (one[:depth] > other[:depth]) - (one[:depth] < other[:depth])


@settings(deadline=None)
@given(dates, dates)
def test_compare_equals_its_plain_twin(left, right):
    assert compare(left, right) == plain_compare(left, right)
    assert compare(left, right) == -compare(right, left)


@settings(deadline=None)
@given(dates)
def test_a_date_survives_writing_and_reading(date):
    assert parse_time(date.isoformat()) == date


@pytest.mark.parametrize(
    ("text", "precision", "expected"),
    [
        ("+2022-10-22T00:00:00Z", 11, "2022-10-22"),
        ("+2022-10-22T00:00:00Z", 10, "2022-10-00"),
        ("+2022-10-22T00:00:00Z", 9, "2022-00-00"),
        ("+2018-00-00T00:00:00Z", 9, "2018-00-00"),
        ("+2018-00-00T00:00:00Z", 11, "2018-00-00"),
        ("2023-09-00T00:00:00Z", None, "2023-09-00"),
        ("2023-09-00", None, "2023-09-00"),
        ("-0044-03-15T00:00:00Z", 11, "-0044-03-15"),
        ("+12024-05-01T00:00:00Z", 11, "12024-05-01"),
        ("+00000002013-01-01T00:00:00Z", 9, "2013-00-00"),
        ("+2024-02-29T00:00:00Z", 14, "2024-02-29"),
    ],
)
def test_wikidata_times(text, precision, expected):
    assert parse_time(text, precision).isoformat() == expected


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("+1850-00-00T00:00:00Z", 8),
        ("+2000-00-00T00:00:00Z", 7),
        ("+2022-10-22T00:00:00Z", 15),
        ("+2022-13-01T00:00:00Z", 11),
        ("+2023-02-30T00:00:00Z", 11),
        ("+0000-00-00T00:00:00Z", 9),
        ("yesterday", 11),
        ("", 11),
        (None, 11),
        (2022, 11),
        ("+2022-10-22T00:00:00Z", "11"),
        ("+2022-10-22T00:00:00Z", True),
    ],
)
def test_what_cannot_be_relied_on_gives_none(text, precision):
    assert parse_time(text, precision) is None


@pytest.mark.parametrize(
    "snak",
    [
        None,
        [],
        {},
        {"snaktype": "somevalue"},
        {"snaktype": "novalue"},
        {"snaktype": "value"},
        {"snaktype": "value", "datavalue": {"value": "2022"}},
        {"snaktype": "value", "datavalue": {"value": {"time": None}}},
    ],
)
def test_malformed_snaks_give_none(snak):
    assert parse_snak_time(snak) is None


def test_years_before_and_far_after_the_common_era_compare():
    assert compare(PartialDate(-44, 3, 15), PartialDate(2023)) == -1
    assert compare(PartialDate(12024), PartialDate(2023, 1, 1)) == 1
    assert PartialDate(-44).first_day() is None
    assert PartialDate(12024).first_day() is None


def test_precision_and_words():
    assert PartialDate(2023).precision is Precision.YEAR
    assert PartialDate(2023, 5).precision is Precision.MONTH
    assert PartialDate(-44, 3, 15).in_words() == "15 March 44 BCE"


@pytest.mark.parametrize(
    ("text", "expected"), [("2023", "2023-12-31"), ("2024-02", "2024-02-29"), (" 2023-06-30 ", "2023-06-30")]
)
def test_a_reader_may_leave_out_day_and_month(text, expected):
    assert parse_day(text, "cutoff").isoformat() == expected


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2023-13", "2023-00-00", "2023-02-30", "23-01-01", "2023-1-1", "0000", "2023-01-01-01"],
)
def test_other_texts_are_refused_with_the_name_and_an_example(text):
    with pytest.raises(UsageError, match="The cutoff must be a date such as 2023-06-30"):
        parse_day(text, "cutoff")


@pytest.mark.parametrize("parts", [(2023, None, 3), (2023, 13), (2023, 2, 30), (2023, 0)])
def test_impossible_dates_do_not_exist(parts):
    with pytest.raises(ValueError, match=r"day|Month|Day"):
        PartialDate(*parts)
