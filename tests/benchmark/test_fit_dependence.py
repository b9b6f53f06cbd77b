"""The fit of the simulated LiveBench: a part of it computed again, and the rest held together."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from core.benchmark.simulated import fitted_dependence, livebench, livebench_fit

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tool():
    specification = importlib.util.spec_from_file_location(
        "fit_dependence", ROOT / "tools" / "fit_dependence.py"
    )
    module = importlib.util.module_from_spec(specification)
    sys.modules["fit_dependence"] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def fit():
    return livebench_fit()


@pytest.mark.parametrize("dimension", [1, 18, 6])
def test_the_listed_draw_is_computed_again(tool, fit, dimension):
    entry = fit["dimensions"][str(dimension)]
    curves = tool.simulated_curves(dimension, fit["dependence"], 0)
    for measure, values in entry["simulated_seed_0"].items():
        assert np.allclose(curves[measure], values, atol=2e-6), measure
    assert tool.misfit(curves, tool.published_curves(dimension), tool.USED) == pytest.approx(
        entry["seed_0_misfit_pp"], abs=2e-6
    )


def test_misfits_follow_from_the_curves(tool, fit):
    assert set(fit["dimensions"]) == {"1", "2", "3", "6", "9", "18"}
    for dimension, entry in fit["dimensions"].items():
        target = tool.published_curves(int(dimension))
        found = tool.misfit(entry["simulated_mean"], target, tool.USED)
        assert found == pytest.approx(entry["misfit_pp"], abs=2e-6)
        assert entry["used_for_the_fit"] == (int(dimension) in (1, 18))
        assert len(entry["draws_misfit_pp"]) == len(fit["seeds"]) == len(tool.SEEDS)


def test_the_other_leaderboard_was_not_fitted(tool, fit):
    entry = fit["helm_capabilities"]
    target = tool.published_helm_curves()
    assert tool.misfit(entry["simulated_mean"], target, tool.USED) == pytest.approx(
        entry["misfit_pp"], abs=2e-6
    )
    assert len(entry["draws_misfit_pp"]) == len(entry["seeds"]) == len(tool.HELM_SEEDS)


def test_the_dependence_is_the_grid_s_best_by_the_fitted_curves_alone(tool, fit):
    assert fit["fitted_dimensions"] == [1, 18]
    assert fit["held_back_dimensions"] == [2, 3, 6, 9]
    assert [cell["dependence"] for cell in fit["grid"]] == list(tool.GRID)
    best = min(fit["grid"], key=lambda cell: cell["misfit_pp"])
    assert best["dependence"] == fit["dependence"] == fitted_dependence()
    squares = [fit["dimensions"][str(dimension)]["misfit_pp"] ** 2 for dimension in (1, 18)]
    assert best["misfit_pp"] == pytest.approx(math.sqrt(sum(squares) / 2), abs=2e-6)
    assert min(tool.GRID) < best["dependence"] < max(tool.GRID), (
        "the best value must not lie at the grid's end"
    )


def test_the_listed_benchmark_uses_it():
    assert livebench().digest == livebench(dependence=fitted_dependence(), seed=0).digest


def test_misfit_is_a_root_mean_square(tool):
    target = {"model_selection_loss_pp": [0.0, 0.0], "score_gap_pp": [1.0, 1.0]}
    shifted = {"model_selection_loss_pp": [3.0, 3.0], "score_gap_pp": [5.0, 5.0]}
    assert tool.misfit(shifted, target, tool.USED) == pytest.approx(math.sqrt((9 + 16) / 2))
    assert tool.misfit(target, target, tool.USED) == 0.0
