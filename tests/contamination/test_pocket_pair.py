"""The trained pair over five seeds: the bands that a working recipe keeps, and the lessons that it teaches."""

from functools import cache

import numpy as np
import pytest

from core.contamination import scores as sc
from core.contamination.detection import auroc_by_level
from core.contamination.pocket.pair import PocketSettings, train_pair
from core.contamination.pool_correction import PoolCase, repeated_errors
from core.contamination.regimes import Design

SEEDS = range(5)


@cache
def pair(seed):
    return train_pair(PocketSettings(seed=seed))


@pytest.fixture(params=SEEDS)
def trained(request):
    return pair(request.param)


def test_loss_separates_levels_within_its_bands(trained):
    found = {
        level: area.value
        for level, area in auroc_by_level(trained.scores["whole"][sc.LOSS], trained.duplicates).items()
    }
    assert 0.50 <= found[1] <= 0.62
    assert 0.62 <= found[4] <= 0.75
    assert 0.93 <= found[16] <= 0.99
    assert min(found[64], found[256]) > 0.98


def test_accuracies_stay_within_their_bands(trained):
    assert 0.48 <= trained.y_standard.mean() <= 0.62
    table = trained.accuracy_frame().set_index("duplicates")["perturbed"]
    assert 0.78 <= table[16] <= 0.94
    assert min(table[64], table[256]) >= 0.97


def test_the_reference_score_separates_best_at_medium_doses(trained):
    for level in (4, 16):
        areas = {
            name: auroc_by_level(values, trained.duplicates)[level].value
            for name, values in trained.scores["whole"].items()
        }
        assert max(areas, key=areas.get) == sc.REFERENCE


def test_the_models_agree_on_most_clean_items(trained):
    assert 0.85 < trained.clean_agreement < 0.95


def test_the_answers_token_ties_loss_to_correctness_and_reference_not(trained):
    """Lesson 1, as correlations with y* on 1,000 clean items; tolerance 3 standard errors of a correlation (.095)."""
    clean = trained.duplicates == 0

    def tie(scope, attack):
        return np.corrcoef(trained.scores[scope][attack][clean], trained.y_standard[clean])[0, 1]

    assert tie("whole", sc.LOSS) > 0.2
    assert abs(tie("question", sc.LOSS)) < 0.095
    assert abs(tie("whole", sc.REFERENCE)) < 0.095


def test_whole_text_loss_biases_ipw_downward_against_the_question_alone():
    """Lesson 1 over five seeds, high dose, 300 test sets each: IPW by whole-text LOSS lies lower in every seed."""
    for seed in SEEDS:
        bias = {}
        for scope in ("whole", "question"):
            case = PoolCase(regime="random_high", attack=sc.LOSS, design=Design(replicates=300))
            table = repeated_errors(pair(seed).pool(scope), case).set_index("estimator")
            bias[scope] = table.loc["ipw", "bias_pp"]
        assert bias["whole"] < bias["question"] - 2


def test_correction_beats_the_naive_score_on_real_pairs():
    """Averaged over five seeds: one pair has only 54 leaked items at levels 64 and 256, and they can be easier by chance."""
    case = PoolCase(regime="random_high", attack=sc.REFERENCE, design=Design(replicates=200))
    tables = [repeated_errors(pair(seed).pool(), case).set_index("estimator")["rmse_pp"] for seed in SEEDS]
    mean = {name: np.mean([table[name] for table in tables]) for name in ("naive", "ipw", "combined")}
    assert mean["ipw"] < 0.5 * mean["naive"]
    assert mean["combined"] < 0.5 * mean["naive"]


def test_the_right_options_probability_is_nearly_an_oracle(trained):
    """Lesson 5: it separates right from wrong items far better than the largest probability does."""
    from sklearn.metrics import roc_auc_score

    areas = {name: roc_auc_score(trained.y_standard, values) for name, values in trained.confidence.items()}
    assert areas["right"] > 0.85 > 0.75 > areas["largest"]


def test_measured_clean_outcomes_differ_from_the_idealisation(trained):
    ideal, measured = trained.pool(), trained.pool(clean_outcomes_measured=True)
    clean = trained.duplicates == 0
    assert np.array_equal(ideal.test_outcomes[clean], trained.y_standard[clean])
    assert np.array_equal(measured.test_outcomes[clean], trained.y_perturbed[clean])
    assert ideal.provenance == "measured"


def test_a_pair_is_a_function_of_its_settings_and_counts_its_progress():
    seen = []
    again = train_pair(PocketSettings(seed=0), lambda done, total: seen.append((done, total)))
    assert np.array_equal(again.perturbed, pair(0).perturbed)
    assert np.array_equal(again.y_perturbed, pair(0).y_perturbed)
    assert seen == [(step, 36) for step in range(1, 37)]


def test_a_slower_rate_memorizes_less():
    slow = train_pair(PocketSettings(seed=0, learning_rate=0.004))
    areas = [
        auroc_by_level(trained.scores["whole"][sc.LOSS], trained.duplicates)[16].value
        for trained in (slow, pair(0))
    ]
    assert areas[0] < areas[1]


def test_frames_have_one_row_per_level_and_item(trained):
    assert trained.accuracy_frame()["duplicates"].tolist() == [0, 1, 4, 16, 64, 256]
    frame = trained.item_frame()
    assert len(frame) == 2000
    assert "Min-K%++ (question)" in frame.columns
