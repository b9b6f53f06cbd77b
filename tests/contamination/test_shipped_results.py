"""Shipped results are those that the program computes."""

import numpy as np
import pytest

from core.contamination import hubble, shipped
from core.contamination.detection import auroc_by_level
from core.contamination.phase import cell_errors, phase_diagram
from core.contamination.pool_correction import PoolCase, calibration_sizes
from core.contamination.pools import calibrated_pool
from core.contamination.regimes import Design


def test_every_preset_is_shipped():
    frame = shipped.default_phase_frame()
    assert set(frame["pool"]) == set(hubble.PRESETS)
    assert len(frame) == 6 * 6 * 21 * 21


def test_a_preset_recomputes_to_what_is_shipped():
    diagram = phase_diagram(calibrated_pool("mmlu", shipped.POOL_SEED), shipped.default_phase_settings())
    fresh, stored = diagram.frame(wide=True), shipped.default_phase_frame()
    stored = stored[stored["pool"] == "mmlu"].drop(columns="pool").reset_index(drop=True)
    assert list(fresh.columns) == list(stored.columns)
    for column in fresh.select_dtypes("float"):
        assert np.allclose(fresh[column], stored[column], atol=1e-9), column
    assert (
        fresh["winner"] == stored["winner"]
    ).mean() > 0.999  # rounding of another processor may swap exact ties


@pytest.mark.parametrize("key", ["popqa", "winogrande_infill"])
def test_single_cells_of_other_presets_recompute(key):
    settings = shipped.default_phase_settings()
    errors = cell_errors(calibrated_pool(key, shipped.POOL_SEED), settings, "random_high", 15, 10)
    stored = shipped.default_phase_frame()
    row = stored[(stored["pool"] == key) & (stored["regime"] == "random_high")].iloc[15 * 21 + 10]
    for name in settings.estimators:
        assert 100 * np.sqrt(np.mean(errors[name] ** 2)) == pytest.approx(row[f"rmse_{name}"], abs=1e-9)


def test_calibration_sizes_recompute():
    case = PoolCase(design=Design(replicates=1000))
    fresh = calibration_sizes(calibrated_pool("mmlu", shipped.POOL_SEED), case, (10,))
    stored = shipped.default_sizes()
    stored = stored[stored["size"] == 10].reset_index(drop=True)
    assert fresh["rmse_pp"].to_numpy() == pytest.approx(stored["rmse_pp"].to_numpy(), abs=1e-5)


def test_the_shipped_pair_survives_its_tables():
    """Training depends on the processor in the last bits, so the shipped pair is held to the recipe's bands."""
    pair = shipped.default_pocket_pair()
    areas = auroc_by_level(pair.scores["whole"]["LOSS"], pair.duplicates)
    assert 0.50 <= areas[1].value <= 0.62
    assert 0.93 <= areas[16].value <= 0.99
    assert np.allclose(pair.perturbed.mean(axis=1), pair.scores["whole"]["LOSS"])
    items, losses = pair.tables()
    again = type(pair).from_tables(pair.settings, items, losses)
    assert np.array_equal(again.perturbed, pair.perturbed)
    assert again.pool().items == pair.pool().items
