"""Which phase settings are refused, and in which words."""

import pandas as pd
import pytest

from core.contamination import phase
from core.contamination.phase_draws import expected_scores
from core.contamination.pool_files import read_pool
from core.contamination.regimes import Design
from core.errors import DataError, UsageError


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: phase.PhaseSettings(grid=1), "2 to 61 lines per axis, found 1"),
        (
            lambda: phase.PhaseSettings(regimes=("random_huge",)),
            "Unknown regime 'random_huge'. Valid: random_low",
        ),
        (lambda: phase.PhaseSettings(regimes=()), "needs a regime"),
        (lambda: phase.PhaseSettings(contest=("naive",)), "two or more of"),
        (
            lambda: phase.PhaseSettings(contest=("ipw", "naive", "ipw")),
            "contestant 'ipw' is named more than once",
        ),
        (lambda: phase.PhaseSettings(regimes=("hard", "hard")), "regime 'hard' is named more than once"),
        (lambda: phase.PhaseSettings(contest=("naive", "best")), "two or more of"),
        (lambda: phase.PhaseSettings(score_draws=0), "Score draws"),
        (lambda: Design(n=5), "10 to 100,000 items, found 5"),
        (lambda: Design(rate=0.0), "must leave clean and contaminated"),
        (lambda: Design(rate=0.9999), "must leave clean and contaminated"),
        (lambda: Design(replicates=1), "2 to 100,000 replicates"),
        (lambda: Design(medium=(4,)), "medium dose is 16 or 4,16, found 4"),
    ],
)
def test_impossible_settings_are_refused(call, words):
    with pytest.raises(UsageError, match=words.replace(".", r"\.")):
        call()


def small_pool(levels, y_clean=None):
    count = len(levels)
    table = pd.DataFrame(
        {
            "item": [f"i{index}" for index in range(count)],
            "y_clean": y_clean or [index % 2 for index in range(count)],
            "y_observed": 1,
            "duplicates": levels,
            "confidence": 0.5,
        }
    )
    return read_pool(table, "mine", chance=0.5)


def test_a_pool_without_the_levels_of_a_regime_is_refused():
    pool = small_pool([0] * 8 + [1] * 8)
    with pytest.raises(
        DataError, match=r"no items for 'Random, high dose': its simulation half lacks .* 64, 256"
    ):
        phase.phase_diagram(pool, phase.PhaseSettings(grid=3, regimes=("random_high",)))


def test_a_pool_at_its_chance_rate_is_refused():
    levels = [0] * 8 + [1] * 8 + [16] * 8 + [64] * 8
    pool = small_pool(levels)
    object.__setattr__(pool, "chance", expected_scores(pool, "random_low", Design())[0])
    with pytest.raises(UsageError, match="equals the chance rate"):
        phase.phase_diagram(pool, phase.PhaseSettings(grid=3, regimes=("random_low",)))
