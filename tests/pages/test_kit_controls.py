"""Controls: what a URL may hold, what a link says, and faults in a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pages.kit.controls import (
    Choice,
    Controls,
    Decimal,
    Several,
    Switch,
    Whole,
    budget_control,
    query_string,
    switch_fault,
    version_fault,
)

TABLE = Controls(
    "xy",
    (
        Choice("view", "View", (("a", "All"), ("b", "Best one")), "a"),
        Several("banks", "Banks", (("p", "P"), ("q", "Q two")), ("p", "q")),
        Whole("seed", "Seed", 0, 99, 0),
        Decimal("rate", "Rate", 0.0, 1.0, 0.5),
        Switch("bands", "Bands", default=True),
        budget_control("budget", "Submissions", (2, 4, 8), 4),
    ),
)


def test_defaults_stay_out_of_links():
    assert TABLE.query({}) == {"v": ["1"]}
    assert TABLE.query({item.name: item.default for item in TABLE.items}) == {"v": ["1"]}


def test_links_hold_what_the_reader_sees():
    query = TABLE.query({"view": "b", "banks": ("q",), "bands": False, "budget": 8, "rate": 0.25}, reveal="1")
    assert query_string(query) == (
        "v=1&xy_view=Best+one&xy_banks=Q+two&xy_rate=0.25&xy_bands=false&xy_budget=8&reveal=1"
    )


def test_an_empty_selection_is_a_value():
    assert TABLE.query({"banks": ()})["xy_banks"] == [""]
    assert TABLE["banks"].accepts([""])


@given(
    some.fixed_dictionaries(
        {
            "view": some.sampled_from(["a", "b"]),
            "banks": some.sampled_from([(), ("p",), ("q",), ("p", "q")]),
            "seed": some.integers(0, 99),
            "rate": some.floats(0, 1),
            "bands": some.booleans(),
            "budget": some.sampled_from([2, 4, 8]),
        }
    )
)
def test_every_link_is_accepted_again(values):
    query = TABLE.query(values)
    assert TABLE.faults(query) == []
    assert version_fault(query) is None


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("xy_view", "Worst"),
        ("xy_banks", "R"),
        ("xy_seed", "100"),
        ("xy_seed", "-1"),
        ("xy_seed", "1.5"),
        ("xy_rate", "2"),
        ("xy_rate", "nan"),
        ("xy_bands", "perhaps"),
        ("xy_budget", "3"),
        ("xy_budget", ""),
    ],
)
def test_values_that_cannot_be_used_are_named(key, raw):
    (phrase,) = TABLE.faults({key: [raw]})
    assert key in phrase


def test_unknown_controls_are_named_and_other_pages_are_left_alone():
    (phrase,) = TABLE.faults({"xy_gone": ["1"], "ab_view": ["?"], "v": ["1"]})
    assert phrase == "xy_gone is not a control of this page"


def test_a_link_cannot_put_a_link_into_the_notice():
    address = "[x](//y.example)"
    phrases = TABLE.faults({f"xy_{address}": ["1"], "xy_view": [address]})
    phrases += [version_fault({"v": [address]}), *switch_fault({"reveal": [address]}, ("reveal",))]
    assert len(phrases) == 4
    assert not any(address in phrase for phrase in phrases)


@pytest.mark.parametrize("raw", ["2", "17"])
def test_newer_links_are_named(raw):
    assert "newer version" in version_fault({"v": [raw]})


@pytest.mark.parametrize("raw", ["", "0", "x", "-1", "1.0", "9" * 5000])
def test_versions_that_are_none_are_named(raw):
    assert "not a version" in version_fault({"v": [raw]})


def test_a_table_checks_itself():
    with pytest.raises(ValueError, match="repeat"):
        Controls("xy", (Switch("on", "On"), Switch("on", "Off")))
    with pytest.raises(ValueError, match="not one of its values"):
        Controls("xy", (budget_control("k", "Budget", (2, 4), 3),))
    with pytest.raises(KeyError):
        TABLE["nothing"]
