"""One study under many seeds."""

from __future__ import annotations

import pytest

from core.errors import UsageError
from core.figures.seeds import seeds_figure


def _curve(frame, key, name, shift):
    rows = frame[frame["benchmark"] == "terminal_science"].assign(
        benchmark=key, name=name, label="recomputed"
    )
    return rows.assign(value=rows["value"] + shift, low=rows["low"] + shift, high=rows["high"] + shift)


@pytest.fixture
def curves(loss):
    import pandas as pd

    own = _curve(loss, "terminal_science", "its own seeds", 0.0)
    others = [_curve(loss, f"seed {seed}", f"seed {seed}", float(seed)) for seed in (1, 2, 3)]
    return own, pd.concat(others, ignore_index=True)


def test_title_story_and_words_come_from_the_rows(curves, assert_valid_spec):
    own, others = curves
    figure = seeds_figure(own, others, budget=1024, name="Terminal-Bench-Science")
    assert figure.title == (
        "At 1,024 submissions three other seeds give 0.4 to 2.4 points; this one, −0.6, lies outside their range"
    )
    assert "of three other seeds none below it, three at or above" in figure.notices[0]
    assert figure.title in figure.alt
    assert len(figure.data) == len(own) + len(others)
    assert set(figure.data["label"]) == {"recomputed"}
    assert_valid_spec(figure.themed_spec)


def test_the_words_change_with_the_rows(curves):
    own, others = curves
    inside = own.assign(value=own["value"] + 2.5)
    figure = seeds_figure(inside, others, budget=1024, name="Terminal-Bench-Science")
    assert "lies within their range" in figure.title
    assert "of three other seeds two below it, one at or above" in figure.notices[0]


def test_the_widest_budget_is_named(curves):
    own, others = curves
    odd = (others["benchmark"] == "seed 3") & (others["new_submissions"] == 64)
    others.loc[odd, "value"] += 20
    figure = seeds_figure(own, others, budget=1024, name="Terminal-Bench-Science")
    assert "furthest apart at 64 submissions" in figure.notices[1]


def test_the_spread_is_held_against_the_interval(curves):
    own, others = curves
    told = seeds_figure(own, others, budget=1024, name="x").notices[1]
    assert "span 2.0 pp" in told
    assert "The interval in front is 1.5 pp wide" in told
    wide = seeds_figure(own.assign(low=own["low"] - 2), others, budget=1024, name="x").notices[1]
    assert "within the 3.5 pp that the interval in front allows" in wide


def test_other_curves_stand_behind_and_hold_every_value(curves):
    own, others = curves
    figure = seeds_figure(own, others, budget=16, name="Terminal-Bench-Science")
    behind = next(
        layer for layer in figure.spec["layer"] if len(layer.get("data", {}).get("values", ())) == 33
    )
    assert {row["benchmark"] for row in behind["data"]["values"]} == {"seed 1", "seed 2", "seed 3"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda own, others: (own.iloc[:0], others), "at least one other"),
        (lambda own, others: (own, others.iloc[:0]), "at least one other"),
        (lambda own, others: (own.assign(measure="rank_drop"), others), "the same for all curves"),
    ],
)
def test_what_cannot_be_compared_is_refused(curves, change, message):
    own, others = change(*curves)
    with pytest.raises(UsageError, match=message):
        seeds_figure(own, others, budget=16, name="x")


def test_an_untested_budget_is_refused(curves):
    with pytest.raises(UsageError, match="Budget 3 was not tested"):
        seeds_figure(*curves, budget=3, name="x")
