"""The published tables, typed, each with its provenance.

Every function returns a `PublishedTable`: its `frame` is a fresh copy with the documented columns, its `provenance` names
file, source and checksum. Values are those of the files: nothing is rounded, filled in or recomputed, ``inf`` stays
infinite, and a blank is NaN. "pp" means percentage points; rates are fractions; a pair ``_low``, ``_high`` (or ``_ci_low``,
``_ci_high``) is a 95 % bootstrap interval over the 250 splits of one snapshot.

Source of all but the trial: Allouah, Duchi and Koyejo, "Fast but False Progress on Benchmarks with Richer Feedback" (2026),
public artifact 0.1.0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from core.errors import DataError
from core.provenance import read_shipped
from core.published_table import ARTIFACT, PublishedTable, read_published, with_interval
from core.trial165 import Trial165

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class BenchmarkFacts:
    """What is published about one of the six benchmarks.

    Parameters
    ----------
    key
        The name used in the tables.
    name, short
        The display name, and a shorter one for narrow screens.
    coordinates
        Scores returned to one submission.
    models, reused_items
        Size of the pool and of the reused half; None where the tables do not say.
    """

    key: str
    name: str
    short: str
    coordinates: int
    models: int | None
    reused_items: int | None


BENCHMARKS: Final[Mapping[str, BenchmarkFacts]] = MappingProxyType(
    {
        facts.key: facts
        for facts in (
            BenchmarkFacts("livebench", "LiveBench", "LiveBench", 18, 33, None),
            BenchmarkFacts("helm_lite", "HELM Lite", "HELM Lite", 10, 14, 2721),
            BenchmarkFacts("openllm_v2", "Open LLM v2", "Open LLM v2", 6, None, 7189),
            BenchmarkFacts("helm_capabilities", "HELM Capabilities", "HELM Cap.", 5, 68, 1064),
            BenchmarkFacts("swe_verified", "SWE-bench Verified", "SWE-bench", 10, 169, 166),
            BenchmarkFacts("terminal_science", "Terminal-Bench-Science", "TB-Science", 5, 17, None),
        )
    }
)
"""The six benchmarks in the order in which they are always listed."""


def selection_loss() -> PublishedTable:
    """Model-selection loss of six benchmarks at 13 budgets.

    Returns
    -------
    PublishedTable
        78 rows, one per `benchmark` and `new_submissions` (0 = before any submission, 1 = static control, 2 to 2,048 =
        random attack): `trials`, `no_attack_shortfall_pp` and `selected_shortfall_pp` (held-out score below the best
        genuine model, of the choice without and with the attack), `model_selection_loss_pp` with interval,
        `reused_score_pp` and `heldout_score_pp` (with interval) of the chosen model, `selected_router` and
        `router_false_winner` (rates), `rank_drop` with interval. On Terminal-Bench-Science budget 0 averages all 250
        trials, the other budgets the 212 eligible ones.
    """
    return read_published(
        "selection_loss.csv",
        ("benchmark", "new_submissions", "trials", "no_attack_shortfall_pp", "selected_shortfall_pp")
        + with_interval("model_selection_loss_pp", "heldout_score_pp", "rank_drop")
        + ("reused_score_pp", "selected_router", "router_false_winner"),
    )


SCORE_GAP_COLUMNS: Final = (
    ("benchmark", "policy", "new_submissions", "trials")
    + with_interval("score_gap_mean_pp", "preload_mean_pp", middle="_ci")
    + ("first_s", "first_t", "first_s_not_t", "median_rank_s", "median_rank_t", "mean_heldout_regret_pp")
)


@lru_cache(maxsize=1)
def score_gap() -> PublishedTable:
    """Score generalisation gap of six benchmarks at 12 budgets, top-five endpoints.

    Returns
    -------
    PublishedTable
        72 rows, one per `benchmark` and `new_submissions` (1 to 2,048): `policy`, `trials`, `score_gap_mean_pp` and
        `preload_mean_pp` (the same gap of the genuine models alone) with intervals, the router's `first_s`, `first_t`,
        `first_s_not_t` (rates), `median_rank_s`, `median_rank_t`, and `mean_heldout_regret_pp` (of the router, chosen or
        not). The rows of Terminal-Bench-Science come from its summary: policy, gap, baseline and false-winner rate are
        given there, the other columns are not published and NaN.
    """
    import pandas as pd

    main = read_published("score_gap.csv", SCORE_GAP_COLUMNS)
    summary = terminal_science_summary().frame
    science = summary[summary["new_submissions"] > 0].rename(
        columns={
            "eligible_trials": "trials",
            "false_winner": "first_s_not_t",
            **{
                f"{old}{end}": f"{new}{'_ci' if end else ''}{end}"
                for old, new in (
                    ("score_gap_mean_pp", "score_gap_mean_pp"),
                    ("genuine_gap_mean_pp", "preload_mean_pp"),
                )
                for end in ("", "_low", "_high")
            },
        }
    )
    both = pd.concat([main.frame, science.reindex(columns=list(SCORE_GAP_COLUMNS))], ignore_index=True)
    return PublishedTable(replace(main.provenance, also=(terminal_science_summary().provenance,)), both)


def score_comparison() -> PublishedTable:
    """Paired increase of the score gap over its baseline, five benchmarks at 12 budgets.

    Returns
    -------
    PublishedTable
        60 rows: `benchmark`, `policy`, `new_submissions`, `increase_mean_pp` with the basic interval `increase_ci_low`,
        `increase_ci_high`, `adjusted_lower_pp` (NaN at budget 1, which is outside the family of 55) and
        `significant_increase`.
    """
    return read_published(
        "score_comparison.csv",
        ("benchmark", "policy", "new_submissions", "increase_mean_pp", "increase_ci_low", "increase_ci_high")
        + ("adjusted_lower_pp", "significant_increase"),
    )


def feedback_selection_loss() -> PublishedTable:
    """LiveBench with fewer returned scores: model-selection loss, 6 dimensions at 12 budgets.

    Returns
    -------
    PublishedTable
        72 rows: `dimension` (returned scores), `new_submissions`, `released_score_coordinates` (dimension times
        submissions before the last), `model_selection_loss_pp` with interval (`_ci_low`, `_ci_high`) and the range over
        the three partitions (`_partition_min`, `_partition_max`), `no_attack_t_pp`, `selected_t_pp`,
        `selected_router_rate`, `first_s_not_t`.
    """
    return read_published(
        "feedback_selection_loss.csv",
        ("dimension", "new_submissions", "released_score_coordinates")
        + with_interval("model_selection_loss_pp", middle="_ci")
        + ("no_attack_t_pp", "selected_t_pp", "selected_router_rate", "first_s_not_t"),
    )


def feedback_score_gap() -> PublishedTable:
    """LiveBench with fewer returned scores: score gap and false-winner rate.

    Returns
    -------
    PublishedTable
        72 rows, as `feedback_selection_loss`, with `score_gap_mean_pp`, `preload_mean_pp`, `first_s_not_t` and
        `score_gap_above_preload_pp`.
    """
    return read_published(
        "feedback_score_gap.csv",
        ("dimension", "new_submissions", "released_score_coordinates", "score_gap_above_preload_pp")
        + with_interval("score_gap_mean_pp", "preload_mean_pp", "first_s_not_t", middle="_ci"),
    )


def feedback_thresholds() -> PublishedTable:
    """First tested budget at which a threshold is reached, per dimension and partition.

    Returns
    -------
    PublishedTable
        24 rows: `summary` (``partition`` or ``dimension_mean``), `dimension`, `partition` (-1 for the mean), then for each
        of false-winner rate 90 %, score gap + 1 pp and + 2 pp the budget `_k`, the released scores `_I`, and both again
        without the static control (`_k_random`, `_I_random`).
    """
    return read_published(
        "feedback_thresholds.csv",
        ("summary", "dimension", "partition")
        + tuple(
            f"{name}_{kind}{end}"
            for name in ("false90", "score_gap_plus1", "score_gap_plus2")
            for end in ("", "_random")
            for kind in ("k", "I")
        ),
    )


def policy_summary() -> PublishedTable:
    """LiveBench under three practical policies: the final router, 8 budgets each.

    Returns
    -------
    PublishedTable
        24 rows: `policy` (aggregate, category, task), `new_submissions`, `trials`, then with intervals `false_winner`,
        `heldout_regret_pp`, gains over the static router, `distinguishability`, `reused_score_pp`, `heldout_score_pp`.
    """
    return read_published(
        "policy_summary.csv",
        ("policy", "new_submissions", "trials")
        + with_interval(
            "false_winner", "heldout_regret_pp", "reused_gain_static_pp", "heldout_gain_static_pp"
        )
        + with_interval(
            "distinguishability", "reused_score_pp", "heldout_score_pp", "false_winner_gain_static_pp"
        ),
    )


def secondary_selection() -> PublishedTable:
    """Model-selection loss of the secondary comparisons.

    Returns
    -------
    PublishedTable
        47 rows: `study` (``original``: five benchmarks and the full frontier of HELM Capabilities at a few budgets;
        ``practical``: LiveBench under three policies), `benchmark`, `policy`, `new_submissions`, `trials`,
        `model_selection_loss_pp` with interval.
    """
    return read_published(
        "secondary_selection.csv",
        ("study", "benchmark", "policy", "new_submissions", "trials")
        + with_interval("model_selection_loss_pp"),
    )


def threshold_crossings() -> PublishedTable:
    """First tested random budget at which the gap or the false-winner rate reaches its threshold.

    Returns
    -------
    PublishedTable
        20 rows: `benchmark`, `policy`, `metric`, `threshold`, `smallest_tested_random_budget` (NaN: not reached within
        2,048) and `static_crosses`.
    """
    return read_published(
        "threshold_crossings.csv",
        ("benchmark", "policy", "metric", "threshold", "smallest_tested_random_budget", "static_crosses"),
    )


def predictor_external_validation() -> PublishedTable:
    """Return the lifespan law on benchmarks it was not fitted on.

    Returns
    -------
    PublishedTable
        8 rows: `benchmark`, `benchmark_name`, `n` (reused items), `d` (returned scores as counted by the fit: 7 for Open
        LLM v2), `outcome`, `genuine_score_gap_baseline_pp`, `target`, `coefficient`, `predicted_k`, `observed_k`
        (``inf``: not reached), `status`, `max_tested_k`, `predicted_over_observed`, `absolute_log2_error`,
        `fold_discrepancy`.
    """
    return read_published(
        "predictor_external_validation.csv",
        ("benchmark", "n", "d", "outcome", "coefficient", "predicted_k", "observed_k", "status"),
    )


def predictor_figure_points() -> PublishedTable:
    """Predicted against observed budgets, as plotted.

    Returns
    -------
    PublishedTable
        49 rows: `panel`, `source`, `n`, `d`, `observed_k` (``inf``: not reached), `predicted_k`, `status`.
    """
    return read_published(
        "predictor_figure_points.csv", ("panel", "source", "n", "d", "observed_k", "predicted_k", "status")
    )


def predictor_livebench_thresholds() -> PublishedTable:
    """Return the 24 LiveBench cells that the lifespan law was fitted on.

    Returns
    -------
    PublishedTable
        24 rows: `n`, `d`, `baseline_pp`, and per outcome the budget (`score_gap_plus2_k`, `false90_k`; ``inf``: not
        reached) with its status (``crossed``, ``static``, ``right_censored``).
    """
    return read_published(
        "predictor_livebench_thresholds.csv",
        (
            "n",
            "d",
            "baseline_pp",
            "score_gap_plus2_k",
            "score_gap_plus2_status",
            "false90_k",
            "false90_status",
        ),
    )


def livebench_categories() -> PublishedTable:
    """Return LiveBench's 18 tasks with their six categories.

    Returns
    -------
    PublishedTable
        18 rows: `task`, `category`.
    """
    return read_published("livebench_categories.csv", ("task", "category"))


def terminal_science_summary() -> PublishedTable:
    """Return the published result of replaying Terminal-Bench-Science, 13 budgets.

    Returns
    -------
    PublishedTable
        13 rows: `new_submissions`, `eligible_trials`, `attempted_trials`, then with intervals the loss, rank drop, scores
        on the reused (`_s_pp`) and held-out (`_t_pp`) items of the no-attack choice, the selected model and the router,
        `false_winner`, `selected_router`, `loss_vs_static_pp`, `score_gap_mean_pp`, `genuine_gap_mean_pp`. The router's
        scores are NaN at budget 0.
    """
    return read_published(
        "terminal_science_summary.csv",
        ("benchmark", "policy", "new_submissions", "eligible_trials", "attempted_trials")
        + with_interval(
            "model_selection_loss_pp", "rank_drop", "no_attack_s_pp", "no_attack_t_pp", "selected_s_pp"
        )
        + with_interval("selected_t_pp", "router_s_pp", "router_t_pp", "false_winner", "selected_router")
        + with_interval("loss_vs_static_pp", "score_gap_mean_pp", "genuine_gap_mean_pp"),
    )


@lru_cache(maxsize=1)
def helm_lite_trial165() -> Trial165:
    """Return the worked example: HELM Lite, trial 165, 32 submissions.

    Returns
    -------
    Trial165
        The released scores, seeds, ranks and the outcome, as published.
    """
    file = "published/helm_lite_trial165.json"
    content, provenance = read_shipped(file, ARTIFACT)
    try:
        return Trial165.from_mapping(json.loads(content), provenance)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise DataError(
            f"The shipped file data/{file} is not the worked example it should be ({error!r}). Restore it from the "
            "repository."
        ) from error
