"""A comparison in portions is the comparison, to the bit, and leaves nothing on disk."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from core.benchmark.catalogue import load
from core.errors import UsageError
from core.reuse.comparison import compare
from core.reuse.portions import StressWish, joined, portion_ends, run_portion

RULES = ("category", "category+noise:1+cap:6", "policy:aggregate", "category+ladder:auto")
WISH = StressWish(RULES, (1, 2, 4, 12), trials=30, endpoints="full_frontier", seed=2)


def play(bank, wish):
    starts = (0, *portion_ends(wish.trials))
    return [run_portion(bank, wish, start, stop) for start, stop in pairwise(starts)]


def test_portions_are_the_whole(tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path))
    bank = load("terminal_science")
    portions = play(bank, WISH)
    assert len(portions) > 2
    assert list(tmp_path.iterdir()) == []
    from core.reuse.study import reseed

    seeded = bank.with_settings(reseed(bank.settings, 2))
    whole = compare(
        seeded,
        RULES,
        tolerance_pp=0.5,
        trials=30,
        budgets=(1, 2, 4, 12),
        endpoints="full_frontier",
        cache=False,
    )
    assert joined(bank, WISH, portions, 3.0).at_tolerance(0.5).rows() == whole.rows()
    mine = joined(bank, WISH, portions, 0.5)
    assert mine.rows() == whole.rows()
    for one, other in zip(mine.results, whole.results, strict=True):
        assert one.study.endpoints == other.study.endpoints
        assert one.survival == other.survival
        for field in fields(one.study.outcomes):
            left, right = getattr(one.study.outcomes, field.name), getattr(other.study.outcomes, field.name)
            np.testing.assert_array_equal(left, right, err_msg=field.name)


def test_progress_counts_up(tmp_path):
    seen = []
    wish = StressWish(("category", "overall"), (2, 4), trials=5)
    run_portion(load("terminal_science"), wish, 0, 5, progress=lambda *counts: seen.append(counts))
    assert seen[-1] == (10, 10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), (2,)), "at least one feedback rule"),
        ((("task", "task"), (2,)), "given twice"),
        ((("groups:/etc/passwd",), (2,)), "for the command line only"),
        (((" groups:x+cap:2",), (2,)), "for the command line only"),
        ((("task",), (1,)), "at least 2"),
        ((("task",), ()), "At least one budget"),
        ((("task",), (2,), 0), "Trials are at least 1"),
        ((("task",), (2,), 5, "top5", -1), "seed is at least 0"),
    ],
)
def test_wishes_that_make_no_sense_are_named(arguments, message):
    with pytest.raises(UsageError, match=message):
        StressWish(*arguments)
