"""The comparison of a study with a published table, and wishes for a study."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.bundled_study import StudyWish, other_seeds, run_seeds, run_wish
from core.errors import DataError, UsageError
from core.replication import COMPARED, agreement


def _table(rng):
    columns = {f"{measure}{end}": rng.normal(size=4) for measure in COMPARED for end in ("", "_low", "_high")}
    return pd.DataFrame({"new_submissions": [0, 1, 2, 4], **columns})


@given(some.integers(0, 2**32 - 1), some.sampled_from(COMPARED), some.floats(1e-6, 10))
def test_the_largest_difference_is_found(seed, measure, change):
    table = _table(np.random.default_rng(seed))
    other = table.copy()
    other.loc[2, f"{measure}_low"] += change
    found = agreement(other, table)
    assert found.difference == pytest.approx(change, rel=1e-6)
    assert (found.column, found.budget, found.values) == (f"{measure}_low", 2, 27)
    assert not found.is_exact
    assert agreement(table, table).is_exact


def test_the_state_before_any_submission_is_not_compared():
    table = _table(np.random.default_rng(1))
    other = table.copy()
    other.loc[0, "rank_drop"] += 1
    assert agreement(other, table).is_exact


def test_tables_that_cannot_be_compared_are_refused():
    table = _table(np.random.default_rng(1))
    with pytest.raises(DataError, match="recomputed table lacks the column 'rank_drop'"):
        agreement(table.drop(columns="rank_drop"), table)
    with pytest.raises(DataError, match="share no budget"):
        agreement(table, table.assign(new_submissions=[0, 3, 5, 7]))


@pytest.mark.parametrize("values", [{"trials": 0}, {"seed": -1}])
def test_wishes_out_of_range_are_refused(values):
    with pytest.raises(UsageError, match="at least"):
        StudyWish("terminal_science", **values)


def test_other_seeds_leave_out_the_study_s_own():
    wish = StudyWish("terminal_science", trials=20, seed=1)
    wishes = other_seeds(wish, 3)
    assert [one.seed for one in wishes] == [2, 3, 4]
    assert {one.trials for one in wishes} == {20}


def test_many_seeds_give_the_same_as_one_by_one_and_count_their_progress():
    wishes = other_seeds(StudyWish("terminal_science", trials=20), 2)
    seen = []
    summaries = run_seeds(wishes, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 2), (1, 2), (2, 2)]
    for wish, summary in zip(wishes, summaries, strict=True):
        assert summary.equals(run_wish(wish).summary())
    assert not summaries[0].equals(summaries[1])
