"""The published tables agree with one another wherever two of them state the same thing."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from core import data_files, published
from core.provenance import DATA_FOLDER

TABLES = (
    "selection_loss",
    "score_gap",
    "score_comparison",
    "feedback_selection_loss",
    "feedback_score_gap",
    "feedback_thresholds",
    "policy_summary",
    "secondary_selection",
    "threshold_crossings",
    "predictor_external_validation",
    "predictor_figure_points",
    "predictor_livebench_thresholds",
    "terminal_science_summary",
)
ATOL = 1e-9
LOSS = ["model_selection_loss_pp", "model_selection_loss_pp_low", "model_selection_loss_pp_high"]


def close(left, right, atol=ATOL):
    np.testing.assert_allclose(np.asarray(left, float), np.asarray(right, float), rtol=0, atol=atol)


@pytest.fixture(scope="module")
def loss():
    return published.selection_loss().frame


@pytest.fixture(scope="module")
def gap():
    return published.score_gap().frame


@pytest.fixture(scope="module")
def science():
    return published.terminal_science_summary().frame


# --- the tables themselves


@pytest.mark.parametrize("name", TABLES)
def test_table_names_its_file_and_checksum(name):
    table = getattr(published, name)()
    for source in (table.provenance, *table.provenance.also):
        assert data_files.checksums()[source.file].sha256 == source.sha256
        assert source.label == "published"
        assert (DATA_FOLDER / source.file).is_file()


@pytest.mark.parametrize("name", TABLES)
def test_frame_is_a_copy(name):
    first = getattr(published, name)().frame
    column = first.columns[-1]
    first[column] = None
    assert getattr(published, name)().frame[column].notna().any()


@pytest.mark.parametrize("name", TABLES)
def test_every_column_of_the_file_is_kept_to_the_last_digit(name):
    table = getattr(published, name)()
    raw = pd.read_csv(DATA_FOLDER / table.provenance.file, dtype=str, keep_default_na=False)
    frame = table.frame.head(len(raw))
    for column in raw.columns:
        for text, value in zip(raw[column], frame[column], strict=True):
            if isinstance(value, str | bool | np.bool_):
                assert str(value) == text
            elif text == "":
                assert math.isnan(value)
            else:
                assert float(text) == value


@pytest.mark.parametrize("name", TABLES)
def test_intervals_hold_their_values(name):
    frame = getattr(published, name)().frame
    for low in [column for column in frame.columns if column.endswith("_low")]:
        base = low.removesuffix("_low")
        value = base.removesuffix("_ci")
        value = {"increase": "increase_mean_pp"}.get(value, value)
        rows = frame[frame[low].notna()]
        assert (rows[low] <= rows[value] + ATOL).all(), low
        assert (rows[value] <= rows[f"{base}_high"] + ATOL).all(), low


def test_benchmarks_are_the_six_of_the_table(loss):
    assert set(published.BENCHMARKS) == set(loss["benchmark"])
    assert [facts.key for facts in published.BENCHMARKS.values()] == list(published.BENCHMARKS)


def test_benchmark_facts_agree_with_the_shipped_files():
    facts = published.BENCHMARKS
    validation = (
        published.predictor_external_validation().frame.drop_duplicates("benchmark").set_index("benchmark")
    )
    for key in ("helm_capabilities", "helm_lite", "openllm_v2", "swe_verified"):
        assert facts[key].reused_items == validation.loc[key, "n"]
    for key in ("helm_capabilities", "helm_lite", "swe_verified"):
        assert facts[key].coordinates == validation.loc[key, "d"]
    assert facts["livebench"].models == len(pd.read_csv(DATA_FOLDER / "published/livebench_2024_08_31.csv"))
    assert facts["livebench"].coordinates == len(
        pd.read_csv(DATA_FOLDER / "published/livebench_categories.csv")
    )
    assert facts["helm_capabilities"].models == len(
        pd.read_csv(DATA_FOLDER / "published/helm_capabilities_v1.15.csv")
    )
    inputs = json.loads((DATA_FOLDER / "published/terminal_science_inputs.json").read_text())
    assert facts["terminal_science"].models == len(inputs["models"])
    assert facts["terminal_science"].coordinates == len(inputs["coordinates"])


# --- selection loss


def test_loss_is_the_difference_of_the_shortfalls(loss):
    close(loss["model_selection_loss_pp"], loss["selected_shortfall_pp"] - loss["no_attack_shortfall_pp"])


def test_budget_zero_is_before_the_attack(loss):
    before = loss[loss["new_submissions"] == 0]
    close(before[[*LOSS, "selected_router", "router_false_winner", "rank_drop"]], 0)
    close(before["no_attack_shortfall_pp"], before["selected_shortfall_pp"], 0)
    assert (before["trials"] == 250).all()


def test_best_held_out_score_does_not_depend_on_the_budget(loss):
    best = loss["heldout_score_pp"] + loss["selected_shortfall_pp"]
    for key, rows in loss.assign(best=best).groupby("benchmark"):
        same = rows if key != "terminal_science" else rows[rows["new_submissions"] > 0]
        close(same["best"], same["best"].iloc[0])
        close(same["no_attack_shortfall_pp"], same["no_attack_shortfall_pp"].iloc[0])


def test_ineligible_splits_only_on_terminal_science(loss):
    odd = loss[loss["trials"] != 250]
    assert set(odd["benchmark"]) == {"terminal_science"}
    assert set(odd["trials"]) == {212}
    assert (odd["new_submissions"] > 0).all()


def test_terminal_science_repeats_its_summary(loss, science):
    rows = loss[loss["benchmark"] == "terminal_science"].set_index("new_submissions")
    other = science.set_index("new_submissions").loc[rows.index]
    pairs = {
        "reused_score_pp": "selected_s_pp",
        "heldout_score_pp": "selected_t_pp",
        "router_false_winner": "false_winner",
    }
    for column in [*LOSS, "rank_drop", "rank_drop_low", "rank_drop_high", "selected_router", *pairs]:
        close(rows[column], other[pairs.get(column, column)])
    close(rows["heldout_score_pp_low"], other["selected_t_pp_low"])
    close(rows["heldout_score_pp_high"], other["selected_t_pp_high"])
    assert (rows["trials"] == other["eligible_trials"]).all()


def test_terminal_science_summary_adds_up(science):
    close(science["model_selection_loss_pp"], science["no_attack_t_pp"] - science["selected_t_pp"])
    static = science.loc[science["new_submissions"] == 1, "model_selection_loss_pp"].iloc[0]
    attacked = science[science["new_submissions"] > 0]
    close(attacked["loss_vs_static_pp"], attacked["model_selection_loss_pp"] - static)
    always = attacked[attacked["selected_router"] == 1]
    assert len(always) > 3
    close(always["router_t_pp"], always["selected_t_pp"])
    close(always["router_s_pp"], always["selected_s_pp"])
    assert (science["score_gap_mean_pp"] >= science["genuine_gap_mean_pp"] - ATOL).all()


def test_secondary_selection_repeats_selection_loss(loss):
    table = published.secondary_selection().frame
    original = table[(table["study"] == "original") & (table["policy"] == "top5")]
    merged = original.merge(loss, on=["benchmark", "new_submissions"], suffixes=("", "_main"), validate="1:1")
    assert len(merged) == len(original) == 20
    for column in LOSS:
        close(merged[column], merged[f"{column}_main"])


def test_practical_task_policy_is_another_study_than_the_main_one(loss):
    """The practical rules choose their endpoints differently, so they must not be read as the main curve."""
    table = published.secondary_selection().frame
    task = table[(table["study"] == "practical") & (table["policy"] == "task")]
    merged = task.merge(loss[loss["benchmark"] == "livebench"], on="new_submissions", suffixes=("", "_main"))
    assert (merged["model_selection_loss_pp"] - merged["model_selection_loss_pp_main"]).abs().max() > 0.01


# --- score gap


def test_comparison_is_gap_minus_baseline(gap):
    table = published.score_comparison().frame
    merged = table.merge(gap, on=["benchmark", "policy", "new_submissions"], validate="1:1")
    assert len(merged) == 60
    close(merged["increase_mean_pp"], merged["score_gap_mean_pp"] - merged["preload_mean_pp"])


def test_significance_follows_the_adjusted_bound():
    table = published.score_comparison().frame
    assert (table["adjusted_lower_pp"].isna() == (table["new_submissions"] == 1)).all()
    family = table[table["adjusted_lower_pp"].notna()]
    assert len(family) == 55
    assert (
        family["significant_increase"].astype(str) == (family["adjusted_lower_pp"] > 1e-10).astype(str)
    ).all()
    assert (family["adjusted_lower_pp"] <= family["increase_ci_low"] + ATOL).all()


def test_gap_never_falls_below_its_baseline(gap):
    assert (gap["score_gap_mean_pp"] >= gap["preload_mean_pp"] - ATOL).all()


def test_baseline_does_not_depend_on_the_budget(gap):
    for _, rows in gap.groupby("benchmark"):
        close(rows["preload_mean_pp"], rows["preload_mean_pp"].iloc[0])


def test_science_rows_of_the_gap_are_the_summary(gap, science):
    rows = gap[gap["benchmark"] == "terminal_science"].set_index("new_submissions")
    other = science[science["new_submissions"] > 0].set_index("new_submissions")
    assert len(rows) == 12
    close(rows["score_gap_mean_pp"], other["score_gap_mean_pp"], 0)
    close(rows["score_gap_mean_pp_ci_low"], other["score_gap_mean_pp_low"], 0)
    close(rows["preload_mean_pp_ci_high"], other["genuine_gap_mean_pp_high"], 0)
    assert rows[["first_s", "first_t", "median_rank_s", "mean_heldout_regret_pp"]].isna().all().all()


def test_false_winner_rates_agree(gap, loss):
    merged = gap.merge(loss, on=["benchmark", "new_submissions"], validate="1:1")
    close(merged["first_s_not_t"], merged["router_false_winner"])


def test_router_leads_publicly_wherever_it_is_chosen_or_false(gap):
    rows = gap[gap["first_s"].notna()]
    assert (rows["first_s_not_t"] <= rows["first_s"] + ATOL).all()
    assert (rows["first_s"] - rows["first_t"] <= rows["first_s_not_t"] + ATOL).all()


def test_thresholds_are_rederived(gap):
    table = published.threshold_crossings().frame
    top5 = table[table["policy"] == "top5"]
    assert len(top5) == 10
    for row in top5.itertuples():
        rows = gap[gap["benchmark"] == row.benchmark].sort_values("new_submissions")
        values = (
            rows["first_s_not_t"]
            if row.metric == "first_s_not_t"
            else rows["score_gap_mean_pp"] - rows["preload_mean_pp"]
        )
        random = rows["new_submissions"] >= 2
        reached = rows.loc[random & (values >= row.threshold), "new_submissions"]
        if reached.empty:
            assert math.isnan(row.smallest_tested_random_budget)
        else:
            assert reached.min() == row.smallest_tested_random_budget
        assert bool(values[~random].iloc[0] >= row.threshold) == (str(row.static_crosses) == "True")


# --- feedback richness


def test_released_scores_are_counted():
    for table in (published.feedback_selection_loss().frame, published.feedback_score_gap().frame):
        assert (
            table["released_score_coordinates"] == table["dimension"] * (table["new_submissions"] - 1)
        ).all()
        assert sorted(table["dimension"].unique()) == [1, 2, 3, 6, 9, 18]
        assert len(table) == 72


def test_full_feedback_is_the_main_livebench_curve(loss, gap):
    fed = published.feedback_selection_loss().frame
    full = fed[fed["dimension"] == 18].merge(
        loss[loss["benchmark"] == "livebench"], on="new_submissions", suffixes=("", "_m")
    )
    assert len(full) == 12
    close(full["model_selection_loss_pp"], full["model_selection_loss_pp_m"])
    close(full["model_selection_loss_pp_ci_low"], full["model_selection_loss_pp_low"])
    close(full["model_selection_loss_pp_ci_high"], full["model_selection_loss_pp_high"])
    close(full["selected_t_pp"], full["heldout_score_pp"])
    close(full["selected_router_rate"], full["selected_router"])
    fed = published.feedback_score_gap().frame
    full = fed[fed["dimension"] == 18].merge(
        gap[gap["benchmark"] == "livebench"], on="new_submissions", suffixes=("", "_m")
    )
    for column in (
        "score_gap_mean_pp",
        "score_gap_mean_pp_ci_low",
        "score_gap_mean_pp_ci_high",
        "preload_mean_pp",
        "first_s_not_t",
    ):
        close(full[column], full[f"{column}_m"])


@pytest.mark.parametrize("dimension", [1, 18])
def test_one_grouping_has_no_partition_range(dimension):
    for table, columns in (
        (published.feedback_selection_loss().frame, ["model_selection_loss_pp"]),
        (published.feedback_score_gap().frame, ["score_gap_mean_pp", "first_s_not_t"]),
    ):
        rows = table[table["dimension"] == dimension]
        for column in columns:
            close(rows[f"{column}_partition_min"], rows[column])
            close(rows[f"{column}_partition_max"], rows[column])


def test_partition_range_holds_the_mean():
    for table, columns in (
        (published.feedback_selection_loss().frame, ["model_selection_loss_pp"]),
        (published.feedback_score_gap().frame, ["score_gap_mean_pp", "first_s_not_t"]),
    ):
        for column in columns:
            assert (table[f"{column}_partition_min"] <= table[column] + ATOL).all()
            assert (table[column] <= table[f"{column}_partition_max"] + ATOL).all()


def test_feedback_tables_add_up():
    fed = published.feedback_selection_loss().frame
    close(fed["model_selection_loss_pp"], fed["no_attack_t_pp"] - fed["selected_t_pp"])
    gaps = published.feedback_score_gap().frame
    close(gaps["score_gap_above_preload_pp"], gaps["score_gap_mean_pp"] - gaps["preload_mean_pp"])
    merged = fed.merge(gaps, on=["dimension", "new_submissions"], suffixes=("", "_g"))
    close(merged["first_s_not_t"], merged["first_s_not_t_g"])


FEEDBACK_LEVELS = {
    "false90": ("first_s_not_t", 0.9),
    "score_gap_plus1": ("score_gap_above_preload_pp", 1.0),
    "score_gap_plus2": ("score_gap_above_preload_pp", 2.0),
}


@pytest.mark.parametrize("name", FEEDBACK_LEVELS)
def test_feedback_thresholds_are_rederived_from_the_means(name):
    column, level = FEEDBACK_LEVELS[name]
    means = published.feedback_thresholds().frame.query("summary == 'dimension_mean'").set_index("dimension")
    for dimension, rows in published.feedback_score_gap().frame.groupby("dimension"):
        reached = rows.loc[rows[column] >= level, "new_submissions"]
        assert reached.min() == means.loc[dimension, f"{name}_k"]
        assert reached[reached >= 2].min() == means.loc[dimension, f"{name}_k_random"]


@pytest.mark.parametrize("name", FEEDBACK_LEVELS)
@pytest.mark.parametrize("end", ["", "_random"])
def test_feedback_thresholds_count_released_scores(name, end):
    table = published.feedback_thresholds().frame
    close(table[f"{name}_I{end}"], table["dimension"] * (table[f"{name}_k{end}"] - 1))


@pytest.mark.parametrize("dimension", [1, 18])
def test_feedback_thresholds_do_not_depend_on_the_only_partition(dimension):
    rows = published.feedback_thresholds().frame.query("summary == 'partition'")
    rows = rows[rows["dimension"] == dimension].drop(columns=["summary", "partition"])
    assert len(rows) == 3
    assert len(rows.drop_duplicates()) == 1


# --- practical policies


def test_policy_summary_gains_are_differences_to_the_static_router():
    for _, rows in published.policy_summary().frame.groupby("policy"):
        static = rows[rows["new_submissions"] == 1].iloc[0]
        close(rows["reused_gain_static_pp"], rows["reused_score_pp"] - static["reused_score_pp"])
        close(rows["heldout_gain_static_pp"], rows["heldout_score_pp"] - static["heldout_score_pp"])
        # gains in false winners are in percentage points, rates are fractions
        close(rows["false_winner_gain_static_pp"], 100 * (rows["false_winner"] - static["false_winner"]))


def test_policy_regret_is_measured_from_the_same_best_model(loss):
    table = published.policy_summary().frame
    best = table["heldout_regret_pp"] + table["heldout_score_pp"]
    close(best, best.iloc[0])
    main = loss[loss["benchmark"] == "livebench"]
    close(best.iloc[0], (main["heldout_score_pp"] + main["selected_shortfall_pp"]).iloc[0])


def test_aggregate_static_router_is_the_no_attack_choice(loss):
    """With one score the static router is the better endpoint, which leads the ranking: nothing is lost."""
    summary = published.policy_summary().frame.query("policy == 'aggregate' and new_submissions == 1").iloc[0]
    main = loss[(loss["benchmark"] == "livebench") & (loss["new_submissions"] == 0)].iloc[0]
    close(summary["heldout_regret_pp"], main["no_attack_shortfall_pp"])
    table = published.secondary_selection().frame
    row = table.query("study == 'practical' and policy == 'aggregate' and new_submissions == 1").iloc[0]
    close(row[LOSS].astype(float), 0)


def test_policy_loss_at_most_the_routers_regret_where_it_is_always_chosen(loss):
    """The practical losses and the router's regret differ by the no-attack shortfall once the router always leads."""
    shortfall = loss.query("benchmark == 'livebench' and new_submissions == 0")[
        "no_attack_shortfall_pp"
    ].iloc[0]
    table = published.secondary_selection().frame.query("study == 'practical'")
    merged = table.merge(published.policy_summary().frame, on=["policy", "new_submissions"])
    late = merged[merged["new_submissions"] == 128]
    close(late["model_selection_loss_pp"], late["heldout_regret_pp"] - shortfall, 0.05)


# --- lifespan


def test_lifespan_coefficient_is_the_geometric_mean_of_the_fitted_cells():
    cells = published.predictor_livebench_thresholds().frame
    fitted = cells[cells["score_gap_plus2_status"] == "crossed"]
    ratio = fitted["d"] * (fitted["score_gap_plus2_k"] - 1) / fitted["n"]
    coefficient = published.predictor_external_validation().frame.query("outcome == 'score_gap_plus2'")[
        "coefficient"
    ]
    assert len(fitted) == 23
    close(np.exp(np.log(ratio).mean()), coefficient.iloc[0], 1e-12)


def test_false_winner_coefficient_is_the_geometric_mean_of_the_fitted_cells():
    cells = published.predictor_livebench_thresholds().frame
    fitted = cells[cells["false90_status"] == "crossed"]
    ratio = fitted["d"] * (fitted["false90_k"].astype(float) - 1)
    coefficient = published.predictor_external_validation().frame.query("outcome == 'false90'")["coefficient"]
    assert len(fitted) == 18
    close(np.exp(np.log(ratio).mean()), coefficient.iloc[0], 1e-9)


def test_external_predictions_follow_the_law():
    table = published.predictor_external_validation().frame
    size = np.where(table["outcome"] == "score_gap_plus2", table["n"], 1)
    close(table["predicted_k"], 1 + table["coefficient"] * size / table["d"])
    crossed = table[table["status"] == "crossed"]
    close(crossed["predicted_over_observed"], crossed["predicted_k"] / crossed["observed_k"])
    close(crossed["absolute_log2_error"], np.abs(np.log2(crossed["predicted_over_observed"])))
    close(crossed["fold_discrepancy"], 2 ** crossed["absolute_log2_error"])


def test_external_observations_are_the_threshold_crossings(gap):
    table = published.predictor_external_validation().frame
    crossings = published.threshold_crossings().frame.query("policy == 'top5'")
    metric = {"score_gap_plus2": "score_gap_above_preload_pp", "false90": "first_s_not_t"}
    baselines = gap.drop_duplicates("benchmark").set_index("benchmark")["preload_mean_pp"]
    for row in table.itertuples():
        found = crossings[
            (crossings["benchmark"] == row.benchmark) & (crossings["metric"] == metric[row.outcome])
        ]
        budget = found["smallest_tested_random_budget"].iloc[0]
        assert row.observed_k == (math.inf if math.isnan(budget) else budget)
        close(row.genuine_score_gap_baseline_pp, baselines[row.benchmark])
        close(row.target, row.genuine_score_gap_baseline_pp + 2 if row.outcome == "score_gap_plus2" else 0.9)


def test_figure_points_repeat_the_cells_and_the_validation():
    points = published.predictor_figure_points().frame
    cells = published.predictor_livebench_thresholds().frame
    for outcome in ("score_gap_plus2", "false90"):
        own = points[(points["panel"] == outcome) & (points["source"] == "LiveBench fit cell")]
        merged = own.merge(cells, on=["n", "d"], validate="1:1")
        assert len(merged) == len(own) > 0
        np.testing.assert_array_equal(merged["observed_k"], merged[f"{outcome}_k"].astype(float))


def test_infinity_stays_infinite():
    assert np.isinf(published.predictor_external_validation().frame["observed_k"]).sum() == 1
    assert np.isinf(published.predictor_livebench_thresholds().frame["false90_k"].astype(float)).any()


# --- the worked example


@pytest.fixture(scope="module")
def trial():
    return published.helm_lite_trial165()


def test_trial_outcome(trial):
    named = {row.label: row for row in trial.scored}
    before, after = named["No attack"], named["Final router"]
    close(trial.model_selection_loss_pp, before.heldout_pp - after.heldout_pp)
    assert (after.reused_rank, after.heldout_rank) == (1, 5)
    assert (round(before.heldout_pp, 2), round(after.heldout_pp, 2)) == (74.1, 70.14)
    assert named["Endpoint A"].model == trial.endpoint_a
    assert named["Endpoint B"].model == trial.endpoint_b
    close(trial.model_selection_loss_pp, trial.similar_median_loss_pp, 1e-12)


def test_trial_endpoint_scores_are_the_scenario_means(trial):
    close(np.mean([scenario.a_pp for scenario in trial.scenarios]), trial.scored[0].reused_pp)
    close(np.mean([scenario.b_pp for scenario in trial.scenarios]), trial.scored[1].reused_pp)


def test_trial_vote_adds_up(trial):
    prompt = trial.prompt
    home = next(scenario for scenario in trial.scenarios if scenario.name == prompt.scenario)
    assert home.weights == prompt.integer_weights
    assert (
        sum(w * c for w, c in zip(prompt.integer_weights, prompt.choices, strict=True)) == prompt.integer_vote
    )
    close(sum(w * c for w, c in zip(prompt.weights_pp, prompt.choices, strict=True)), prompt.vote_pp)
    close([2 * p - home.a_pp - home.b_pp for p in home.candidates_pp], prompt.weights_pp)
    close(prompt.vote_pp / 200, 0.02201, 5e-6)
    close(prompt.weights_pp[0] / 200, -0.01426, 5e-6)
    assert prompt.choice == "A"


def test_trial_is_complete(trial):
    assert len(trial.scenarios) == published.BENCHMARKS["helm_lite"].coordinates
    assert {len(scenario.candidates_pp) for scenario in trial.scenarios} == {trial.budget - 1}
    assert trial.models == published.BENCHMARKS["helm_lite"].models
    assert trial.reused_items == published.BENCHMARKS["helm_lite"].reused_items
