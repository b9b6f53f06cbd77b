"""What the paper says of its phase diagrams, on the calibrated pools at loading .8 and default settings.

Each statement must hold on each of five seeds (pool and draws alike). Nothing is tuned: a statement that fails is
marked so, with its numbers, and the page says so.
"""

from functools import cache

import numpy as np
import pytest

from core.contamination.phase import PhaseSettings, phase_diagram
from core.contamination.pools import calibrated_pool

SEEDS = range(5)
RANDOM = ("random_low", "random_medium", "random_high")
BOTH = ("mmlu", "hellaswag")


@cache
def diagrams(key):
    return [phase_diagram(calibrated_pool(key, seed), PhaseSettings(seed=seed)) for seed in SEEDS]


def shares(diagram, name, keys=RANDOM):
    return [diagram.panel(key).share(name) for key in keys]


def excess(panel):
    rmse = {name: np.sqrt(values) for name, values in panel.mse.items() if name in panel.contest}
    return float(np.mean(rmse["naive"] - np.min(list(rmse.values()), axis=0)))


@pytest.mark.parametrize("key", BOTH)
def test_the_combined_region_grows_and_the_naive_region_shrinks_from_low_to_high(key):
    for diagram in diagrams(key):
        low, _, high = shares(diagram, "combined")
        assert low < high
        low, _, high = shares(diagram, "naive")
        assert low > high


SATURATED = pytest.mark.xfail(
    strict=True,
    reason="HellaSwag acc_norm is .96 right at 16 duplicates, so medium and high doses inflate alike (5.6 and 6.0 pp): "
    "the combined region is .24 .23 .24 .22 .25 (medium) and .26 .25 .29 .22 .21 (high) over five seeds",
)


@pytest.mark.parametrize("key", ["mmlu", pytest.param("hellaswag", marks=SATURATED)])
def test_they_do_so_at_every_step(key):
    for diagram in diagrams(key):
        low, medium, high = shares(diagram, "combined")
        assert low < medium < high
        low, medium, high = shares(diagram, "naive")
        assert low > medium >= high


@pytest.mark.parametrize("key", BOTH)
def test_naive_wins_under_a_tenth_of_cells_beyond_the_low_dose(key):
    for diagram in diagrams(key):
        assert max(shares(diagram, "naive", RANDOM[1:])) < 0.10


@pytest.mark.parametrize("key", BOTH)
def test_ipw_wins_more_cells_than_imputation_over_the_random_panels(key):
    for diagram in diagrams(key):
        assert sum(shares(diagram, "ipw")) > sum(shares(diagram, "imputation"))


@pytest.mark.parametrize("key", BOTH)
def test_naive_loses_less_than_half_as_much_when_easy_items_leaked(key):
    for diagram in diagrams(key):
        assert excess(diagram.panel("easy")) < 0.5 * excess(diagram.panel("hard"))


@pytest.mark.parametrize("key", BOTH)
def test_imputation_wins_most_when_hard_items_leaked(key):
    for diagram in diagrams(key):
        assert diagram.panel("hard").share("imputation") >= 1.5 * max(shares(diagram, "imputation"))


HARD_IS_EASY = pytest.mark.xfail(
    strict=True,
    reason="HellaSwag acc_norm gets .45 to .65 of its hard tercile right (MMLU .2 to .3), so hard leaks inflate less; "
    "IPW wins .24 .21 .00 .22 .42 of the cells over five seeds",
)


@pytest.mark.parametrize("key", ["mmlu", pytest.param("hellaswag", marks=HARD_IS_EASY)])
def test_ipw_wins_next_to_nothing_when_hard_items_leaked(key):
    for diagram in diagrams(key):
        assert diagram.panel("hard").share("ipw") <= 0.03
