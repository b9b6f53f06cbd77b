"""Every number in the model answers of docs/teaching.md is computed here, and its sentence compared."""

from __future__ import annotations

import pytest

from core.benchmark.catalogue import load
from core.contamination import estimators as est
from core.contamination.pool_correction import PoolCase, calibration_sizes, repeated_errors
from core.contamination.pools import calibrated_pool
from core.contamination.regimes import Design
from core.fresh.answers import answer_all, baseline
from core.fresh.building import BuildSettings, build_items
from core.fresh.sample import DEFAULT_UNTIL, load_sample
from core.fresh.scoring import score_items
from core.fresh.times import parse_day
from core.reuse.study import reseed, run_study
from tests.docs.checked_numbers import left_over, percent, signed
from tests.docs.documents import ROOT, plain

DOCUMENT = ROOT / "docs" / "teaching.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")


def answers(number):
    """Return the model answers of an exercise as one line."""
    exercise = TEXT.split("\n## Exercise ")[number]
    return plain(exercise.split("### Answers")[1])


def study(seed=0):
    bank = load("terminal_science")
    bank = bank.with_settings(reseed(bank.settings, seed))
    return run_study(bank, budgets=(1, 16, 128, 1024)).summary().set_index("new_submissions")


def test_exercise_1_reuse():
    own, other = study(), study(1)
    loss = "model_selection_loss_pp"
    fragments = [
        f"The mean loss is {own.at[16, loss]:.2f} pp after 16 submissions and {own.at[128, loss]:.2f} pp after 128.",
        (
            f"{own.at[16, 'selected_reused_pp']:.1f} % against {own.at[16, 'no_attack_reused_pp']:.1f} %. On held-out items it is "
            f"worse: {own.at[16, 'selected_heldout_pp']:.1f} % against {own.at[16, 'no_attack_heldout_pp']:.1f} %."
        ),
        (
            f"The loss is {signed(own.at[1024, loss])} pp with an interval from {signed(own.at[1024, f'{loss}_low'])} to "
            f"{signed(own.at[1024, f'{loss}_high'])}"
        ),
        (
            f"its public score is still {own.at[1024, 'selected_reused_pp']:.1f} % where the held-out score is "
            f"{own.at[1024, 'selected_heldout_pp']:.1f} %, and in {percent(own.at[1024, 'false_winner'])} of the splits"
        ),
        (
            f"With seed 1 the loss is {other.at[16, loss]:.2f} pp after 16 submissions, with an interval from "
            f"{signed(other.at[16, f'{loss}_low'])} to {signed(other.at[16, f'{loss}_high'])}, and {other.at[1024, loss]:.2f} pp "
            "after 1,024."
        ),
        f"So neither the {own.at[16, loss]:.2f} pp nor the later fall",
        f"({percent(other.at[16, 'false_winner'])} of the splits after 16 submissions with seed 1)",
    ]
    assert left_over(answers(1), fragments) == []
    assert own.at[1024, "selected_router"] == 1
    assert own.at[1024, f"{loss}_low"] < 0 < own.at[1024, f"{loss}_high"]
    assert other.at[16, "selected_router"] > 0.8


def test_exercise_2_contamination():
    y, d, c = [1, 1, 1, 1, 0, 0], [1, 0.5, 0.5, 0, 0, 0], [0.25, 0.5, 0.75, 0.75, 0.25, 0.5]
    pool, design = calibrated_pool("mmlu"), Design(replicates=300)
    sizes = calibration_sizes(pool, PoolCase(design=design), sizes=(10, 100, 1000)).set_index(
        ["size", "estimator"]
    )["rmse_pp"]
    hard, low = (
        repeated_errors(pool, PoolCase(regime=regime, design=design)).set_index("estimator")
        for regime in ("hard", "random_low")
    )
    fragments = [
        (
            f"Naive {est.naive(y).value:.3f}, IPW {est.ipw(y, d).value:g}, imputation {est.impute(c).value:g}, "
            f"combined {est.combine(y, d, c).value:.3f}."
        ),
        f"IPW already brings the error from {sizes[10, 'naive']:.1f} to {sizes[10, 'ipw']:.1f} pp",
        f"is worse than no correction ({sizes[10, 'imputation']:.1f} pp)",
        f"with 1,000 combined is best with {sizes[1000, 'combined']:.1f} pp",
        f"IPW: it is {hard.at['ipw', 'bias_pp']:.1f} pp too high on average",
        f"is off by {signed(hard.at['imputation', 'bias_pp'], 1)} pp on average",
        (
            f"the naive score is off by {low.at['naive', 'rmse_pp']:.1f} pp (root mean square), imputation by "
            f"{low.at['imputation', 'rmse_pp']:.1f} pp and combined by {low.at['combined', 'rmse_pp']:.1f} pp"
        ),
    ]
    assert left_over(answers(2), fragments) == []
    assert sizes[10, "imputation"] > sizes[10, "naive"]
    assert all(sizes[100, name] < sizes[100, "naive"] for name in ("ipw", "imputation", "combined"))
    assert sizes[1000].idxmin() == "combined"


def items_after(cutoff):
    sample, begin = load_sample(), parse_day(cutoff, "cutoff")
    settings = BuildSettings(cutoff=begin, until=DEFAULT_UNTIL)
    return build_items(sample.changed_facts(begin, DEFAULT_UNTIL)[0], sample, settings).items


def test_exercise_3_fresh_items():
    by_cutoff = {cutoff: items_after(cutoff) for cutoff in ("2022-06-30", "2023-06-30", "2024-03-31")}
    first, later, last = map(len, by_cutoff.values())
    items, day = by_cutoff["2022-06-30"], parse_day("2023-06-30", "cutoff")

    def value(answerer, metric, bucket="all"):
        given = answer_all(items, baseline(answerer))
        return score_items(items, given, cutoff=day).value(metric, bucket=bucket)

    known = value("remembers:2023-06-30", "exact_match", "by cutoff")
    unknown = value("remembers:2023-06-30", "outdated_rate", "after cutoff")
    reads, outdated = value("reads", "exact_match"), value("reads", "outdated_rate")
    everything = value("remembers:2023-06-30", "exact_match")
    fragments = [
        f"{later} of {first} for a cutoff one year later, {last} for 31 March 2024.",
        f"is right on all {known.items} items about changes by that day and outdated on all {unknown.items} later ones",
        f"The reader gets {percent(reads.value)} and is outdated in {percent(outdated.value)}",
        f"also reaches {percent(everything.value)} on the whole set",
    ]
    assert left_over(answers(3), fragments) == []
    assert (known.value, unknown.value) == (1, 1)
    assert value("remembers", "exact_match").value == 0
    assert value("remembers", "outdated_rate").value == 1


def test_a_number_that_nothing_checks_is_found():
    assert left_over("a loss of 3.01 pp and 4.5 pp", ["a loss of 3.01 pp"]) == ["4.5"]
    with pytest.raises(AssertionError, match=r"not in the text: 3\.02"):
        left_over("a loss of 3.01 pp", ["3.02"])
