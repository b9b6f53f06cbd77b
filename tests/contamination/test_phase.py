"""The phase diagram equals its loop over cells and replicates, and its parts mean what they say."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.contamination import phase
from core.contamination import regimes as reg
from core.contamination.epg import epg
from core.contamination.phase_draws import draw_memorization, draw_panel, expected_scores, row_bias_limit
from core.contamination.pools import calibrated_pool
from tests.oracles import contamination_phase as oracle

SMALL = reg.Design(n=40, replicates=30)


@pytest.fixture(scope="module")
def pool():
    return calibrated_pool("mmlu", seed=2)


def small_panel(pool, key, draws=3):
    memorization = draw_memorization(pool, 4, 10.0, draws, 7)
    limit = row_bias_limit(pool, key, SMALL)
    return draw_panel(pool, key, SMALL, memorization, bias_limit=limit, lines=4, seed=7)


@pytest.mark.parametrize("key", ["random_low", "random_high", "easy"])
def test_every_cell_equals_the_loop(pool, key):
    draws = small_panel(pool, key)
    contest = ("naive", "ipw", "imputation", "combined")
    panel = phase.evaluate_panel(draws, contest)
    for a in range(4):
        for b in range(4):
            mse, mean, best, margin, tie = oracle.cell(draws, a, b, contest)
            for name in mse:
                assert panel.mse[name][a, b if panel.mse[name].shape[1] > 1 else 0] == pytest.approx(
                    mse[name], abs=1e-12
                )
                assert panel.error_mean[name][a, b] == pytest.approx(mean[name], abs=1e-12)
            assert panel.contest[panel.winner[a, b]] == best
            assert panel.margin[a, b] == pytest.approx(margin, abs=1e-12)
            assert bool(panel.tie[a, b]) == tie


def test_epg_in_a_panel_equals_epg_on_its_test_sets(pool):
    draws = small_panel(pool, "random_high")
    errors = phase.panel_errors(draws, phase.CONTESTANTS)
    for draw, block in enumerate(draws.blocks):
        items = draws.samples[block]
        estimate = epg(draws.y[items], draws.memorization[draw, 2][items]).estimates.values
        truth = draws.y_clean[items].mean(axis=1)
        assert np.allclose(errors["epg"][2, 0, block], estimate - truth, atol=1e-12)


def test_a_clicked_cell_has_the_errors_of_the_diagram(pool):
    settings = phase.PhaseSettings(grid=4, design=SMALL, extras=True, regimes=("random_high", "hard"))
    diagram = phase.phase_diagram(pool, settings)
    for key in settings.regimes:
        errors = phase.cell_errors(pool, settings, key, 2, 1)
        for name in settings.estimators:
            assert np.mean(errors[name] ** 2) == pytest.approx(diagram.panel(key).mse[name][2, 1], abs=1e-12)


def test_realised_auroc_is_that_of_the_drawn_scores(pool):
    draws = small_panel(pool, "random_high", draws=2)
    leaking = np.arange(len(draws.y)) >= len(reg.clean_items(pool))
    for line in range(4):
        areas = [roc_auc_score(leaking, draws.memorization[draw, line]) for draw in range(2)]
        assert draws.auroc_realised[line] == pytest.approx(np.mean(areas), abs=1e-12)


def test_panels_share_clean_items_and_memorization_scores(pool):
    low, high = small_panel(pool, "random_low"), small_panel(pool, "random_high")
    clean = SMALL.n - SMALL.contaminated
    assert np.array_equal(low.samples[:, :clean], high.samples[:, :clean])
    count = len(reg.clean_items(pool))
    assert np.array_equal(low.memorization[:, :, :count], high.memorization[:, :, :count])


def test_a_row_shares_its_bias_axis(pool):
    settings = phase.PhaseSettings(grid=3, design=SMALL)
    diagram = phase.phase_diagram(pool, settings)
    for row in ("random", "correlated"):
        limits = {diagram.panel(key).bias_limit for key, regime in reg.REGIMES.items() if regime.row == row}
        distances = [
            abs(pool.chance - expected_scores(pool, key, SMALL)[0])
            for key, regime in reg.REGIMES.items()
            if regime.row == row
        ]
        assert limits == {min(distances)}


def test_realised_bias_follows_the_axis(pool):
    """Tolerance: 4 standard errors of the imputed score's mean error, from 5 score draws over 2,000 items."""
    diagram = phase.phase_diagram(pool, phase.PhaseSettings(grid=5, regimes=("random_high",)))
    panel = diagram.panel("random_high")
    assert np.allclose(panel.bias_realised, panel.bias, atol=4 * 0.5 / np.sqrt(5 * 2000) + 0.01)


def test_perfect_predictors_leave_combined_and_imputation_without_error(pool):
    panel = phase.phase_diagram(pool, phase.PhaseSettings(grid=3, design=SMALL, regimes=("hard",))).panel(
        "hard"
    )
    assert panel.mse["imputation"][:, 0] == pytest.approx(0, abs=1e-25)


def test_the_result_depends_on_the_seed_alone(pool):
    settings = phase.PhaseSettings(grid=3, design=SMALL)
    first, again = (phase.phase_diagram(pool, settings).frame(wide=True) for _ in range(2))
    other = phase.phase_diagram(pool, phase.PhaseSettings(grid=3, design=SMALL, seed=1)).frame(wide=True)
    assert first.equals(again)
    assert not first.equals(other)


def test_progress_counts_to_the_end(pool):
    seen = []
    settings = phase.PhaseSettings(grid=3, design=SMALL, regimes=("easy", "hard"))
    phase.phase_diagram(pool, settings, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (10, 10)
    assert [done for done, _ in seen] == list(range(1, 11))


def test_the_frame_has_the_agreed_columns(pool):
    diagram = phase.phase_diagram(pool, phase.PhaseSettings(grid=3, design=SMALL))
    frame = diagram.frame()
    assert list(frame.columns) == [
        "regime",
        "auroc",
        "bias",
        "auroc_realised",
        "bias_realised",
        "rmse_naive",
        "rmse_ipw",
        "rmse_imputation",
        "rmse_combined",
        "winner",
        "margin",
        "tie",
    ]
    assert len(frame) == 6 * 9
    row = frame[(frame.regime == "hard") & (frame.auroc == 0.75)].iloc[1]
    panel = diagram.panel("hard")
    assert row.rmse_ipw == pytest.approx(100 * np.sqrt(panel.mse["ipw"][1, 1]))
    assert row.winner == panel.contest[panel.winner[1, 1]]


def test_other_estimators_can_enter_the_contest(pool):
    contest = ("naive", "control_variate", "epg")
    diagram = phase.phase_diagram(pool, phase.PhaseSettings(grid=3, design=SMALL, contest=contest))
    panel = diagram.panel("random_high")
    best = np.argmin([panel.mse[name] for name in contest], axis=0)
    assert np.array_equal(panel.winner, best)


def test_winogrande_mcq_is_degenerate_in_its_random_row():
    diagram = phase.phase_diagram(
        calibrated_pool("winogrande_mcq"), phase.PhaseSettings(grid=3, design=SMALL)
    )
    assert diagram.panel("random_high").degenerate
    assert (
        not phase.phase_diagram(calibrated_pool("piqa"), phase.PhaseSettings(grid=3, design=SMALL))
        .panel("random_high")
        .degenerate
    )
