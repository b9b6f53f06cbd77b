"""Calibrated pools meet the published figures; uploaded pools work the same way."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.contamination import hubble
from core.contamination.detection import auroc
from core.contamination.pool_files import read_pool
from core.contamination.pools import calibrated_pool

SEEDS = (0, 1, 2)


@pytest.mark.parametrize("key", hubble.PRESETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_accuracy_per_level_is_within_one_point_of_the_published_one(key, seed):
    pool = calibrated_pool(key, seed)
    for model, outcomes in (("standard", pool.y_clean), ("perturbed", pool.y_observed)):
        for level, published in hubble.accuracies(key)[model].items():
            assert abs(outcomes[pool.duplicates == level].mean() - published) < 0.01, (model, level)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("attack", hubble.ATTACKS)
def test_mmlu_attack_aurocs_are_within_a_hundredth_of_the_published_ones(seed, attack):
    pool = calibrated_pool("mmlu", seed)
    for level, published in hubble.attack_aurocs()[attack].items():
        kept = (pool.duplicates == 0) | (pool.duplicates == level)
        measured = roc_auc_score(pool.contaminated[kept], pool.scores[attack][kept])
        assert abs(measured - published) < 0.01, level


def test_pooled_aurocs_follow_from_the_levels():
    pool = calibrated_pool("mmlu")
    for attack, published in hubble.pooled_aurocs().items():
        assert abs(auroc(pool.scores[attack], pool.contaminated).value - published) < 0.02


def test_halves_have_hubbles_proportions_and_the_odd_item_is_simulated():
    pool = calibrated_pool("mmlu")
    for level, count in hubble.items_per_level().items():
        members = pool.duplicates == level
        assert members.sum() == count
        assert (members & pool.calibration).sum() == count // 2


@pytest.mark.parametrize("key", ["mmlu", "hellaswag"])
def test_terciles_of_confidence_order_the_standard_accuracy(key):
    pool = calibrated_pool(key)
    low, high = np.quantile(pool.confidence, [1 / 3, 2 / 3])
    hard, middle, easy = (
        pool.y_clean[mask].mean()
        for mask in (
            pool.confidence < low,
            (pool.confidence >= low) & (pool.confidence < high),
            pool.confidence >= high,
        )
    )
    assert hard + 0.15 < middle < easy - 0.12


def test_default_loading_gives_mmlus_stated_terciles():
    """Stated for loading .8 and MMLU: about .83, .50 and .22; checked on 4,000 items, tolerance 3 standard errors."""
    pool = calibrated_pool("mmlu")
    order = np.argsort(-pool.confidence)
    for part, stated in zip(np.array_split(order, 3), (0.83, 0.50, 0.22), strict=True):
        assert abs(pool.y_clean[part].mean() - stated) < 3 * np.sqrt(0.25 / len(part)) + 0.005


def test_loading_sets_the_spread_between_terciles():
    def spread(loading):
        pool = calibrated_pool("mmlu", loading=loading)
        order = np.argsort(-pool.confidence)
        return pool.y_clean[order[:2000]].mean() - pool.y_clean[order[-2000:]].mean()

    assert abs(spread(0)) < 0.06
    assert spread(0.5) < spread(0.8) < spread(1)


def test_perturbed_outcomes_change_in_one_direction_per_level():
    pool = calibrated_pool("mmlu")
    for level in pool.levels:
        members = pool.duplicates == level
        change = pool.y_observed[members] - pool.y_clean[members]
        assert (change >= 0).all() or (change <= 0).all()


def test_a_pool_is_a_function_of_its_seed():
    assert np.array_equal(calibrated_pool("piqa", 3).y_observed, calibrated_pool("piqa", 3).y_observed)
    assert not np.array_equal(calibrated_pool("piqa", 3).y_observed, calibrated_pool("piqa", 4).y_observed)


def test_test_outcomes_are_clean_where_nothing_leaked():
    pool = calibrated_pool("mmlu")
    clean = pool.duplicates == 0
    assert np.array_equal(pool.test_outcomes[clean], pool.y_clean[clean])
    assert np.array_equal(pool.test_outcomes[~clean], pool.y_observed[~clean])


def test_a_pool_survives_being_written_and_uploaded(tmp_path):
    pool = calibrated_pool("popqa", 5)
    for filename in ("pool.csv", "pool.parquet"):
        path = tmp_path / filename
        pool.frame().to_csv(path, index=False) if path.suffix == ".csv" else pool.frame().to_parquet(path)
        loaded = read_pool(path, "mine", chance=0.0)
        assert loaded.items == pool.items
        assert np.array_equal(loaded.calibration, pool.calibration)
        assert np.allclose(loaded.scores["zlib"], pool.scores["zlib"])
        assert loaded.provenance == "loaded"


def test_an_uploaded_pool_without_halves_is_split_by_its_seed():
    table = calibrated_pool("popqa", 5).frame().drop(columns="half")
    first, again, other = (read_pool(table, "mine", seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.calibration, again.calibration)
    assert not np.array_equal(first.calibration, other.calibration)


def test_published_tables_are_read_as_they_stand():
    assert hubble.items_per_level() == {0: 4000, 1: 1429, 4: 1429, 16: 714, 64: 286, 256: 143}
    assert hubble.accuracies("hellaswag")["standard"][0] == 0.8008
    assert hubble.accuracies("winogrande_infill")["perturbed"][64] == 0.993
    assert hubble.attack_aurocs()["Min-K%++"][16] == 0.943
    assert hubble.pooled_aurocs()["LOSS"] == 0.673
