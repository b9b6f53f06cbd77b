"""The simulated leaderboards: sizes, settings, marginals of the public tables, and the free form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import published
from core.benchmark import catalogue, simulated
from core.benchmark.free_form import TASK_SPREAD, FreeForm, expected_scores, free_form
from core.benchmark.reading import write_benchmark
from core.benchmark.splits import holdout_targets
from core.benchmark.summary import summarise
from core.reuse.interfaces import group_prefix


@pytest.fixture(scope="module")
def livebench():
    return catalogue.load("simulated:livebench")


@pytest.fixture(scope="module")
def helm():
    return catalogue.load("simulated:helm_capabilities")


def test_livebench_has_the_published_size(livebench):
    assert livebench.scores.shape == (33, 612)
    assert livebench.provenance == "simulated"
    assert "simulated" in livebench.name
    per_category = np.bincount(livebench.task_category[livebench.item_task])
    assert per_category.tolist() == [102] * 6
    sizes = np.bincount(livebench.item_task)
    for category in range(6):
        own = sizes[livebench.task_category == category]
        assert own.max() - own.min() <= 1
    reused = sizes - holdout_targets(livebench)
    published_sizes = published.predictor_livebench_thresholds().frame["n"]
    assert reused.sum() == published_sizes.max() == 204
    assert all(size % 6 == 0 for size in published_sizes)
    by_category = np.bincount(livebench.task_category, weights=reused)
    assert by_category.tolist() == [34] * 6


def test_livebench_follows_the_published_protocol(livebench):
    own = livebench.settings
    assert (own.coordinates, own.ranking, own.precision, own.holdout_per_category) == (
        "task",
        "category_mean",
        0.001,
        68,
    )
    assert len(livebench.tasks) == 18
    assert group_prefix(livebench) == "livebench-bandwidth-v1-partition-"
    assert set(np.unique(livebench.scores)) == {0.0, 1.0}


def test_helm_capabilities_reuses_the_published_number_of_items(helm):
    assert helm.scores.shape == (68, 3192)
    sizes = np.bincount(helm.item_task)
    reused = int((sizes - holdout_targets(helm)).sum())
    validation = published.predictor_external_validation().frame.set_index("benchmark")
    assert {reused} == set(validation.loc["helm_capabilities", "n"])
    assert helm.tasks == helm.categories
    assert (helm.settings.precision, helm.settings.ranking) == ("float64", "category_mean")


@pytest.mark.parametrize(("scenario", "parts"), [("GPQA", 1), ("MMLU-Pro", 1), ("Omni-MATH", 6)])
def test_public_items_are_the_denominators_of_the_public_scores(scenario, parts):
    # Omni-MATH averages several graders, so its scores are sixths of an item.
    table = simulated.helm_profile()
    scores = table.expected[:, table.tasks.index(scenario)]
    counts = scores * simulated.HELM_PUBLIC_ITEMS[scenario] * parts
    assert np.abs(counts - np.rint(counts)).max() < 1e-6


@pytest.mark.parametrize("draw", [simulated.livebench, simulated.helm_capabilities])
@pytest.mark.parametrize("dependence", [0.0, 0.8])
def test_task_scores_match_the_public_ones_in_expectation(draw, dependence):
    seeds = range(20)
    totals = 0.0
    for seed in seeds:
        benchmark = draw(dependence=dependence, seed=seed)
        sizes = np.bincount(benchmark.item_task)
        one_hot = np.eye(len(benchmark.tasks))[benchmark.item_task]
        totals = totals + benchmark.scores @ one_hot / sizes
    profile = simulated.livebench_profile() if draw is simulated.livebench else simulated.helm_profile()
    order = np.argsort(np.array(profile.models, dtype=object), kind="stable")
    expected = profile.expected[order]
    error = np.sqrt(expected * (1 - expected) / (sizes * len(seeds)))
    deviations = (totals / len(seeds) - expected) / error
    assert np.abs(deviations).max() < 5.0
    assert (
        np.mean(deviations**2) < 1.5
    )  # about 1 on average; models share difficulties, so less sharply known
    assert abs(np.mean(deviations)) < 1.0


def test_other_seeds_draw_other_items_of_the_same_prompts():
    first, other = simulated.livebench(seed=0), simulated.livebench(seed=1)
    assert first.prompts == other.prompts
    assert not np.array_equal(first.scores, other.scores)
    assert first.digest == catalogue.load("simulated:livebench:seed=0").digest
    assert catalogue.load("simulated:livebench:seed=1").digest == other.digest


def test_sizes_of_the_list_are_true():
    for entry in catalogue.entries():
        benchmark = catalogue.load(entry.name)
        sizes = (len(benchmark.models), len(benchmark.items), len(benchmark.tasks))
        assert sizes == (entry.models, entry.items, entry.tasks)
        assert benchmark.provenance == entry.kind


def test_free_parameters_are_read_from_the_name():
    chosen = catalogue.load("simulated:free:models=5,tasks=3,items=31,gap=2.5,dependence=0.2,seed=4")
    assert chosen.digest == free_form(5, 3, 31, 2.5, 0.2, 4).digest
    assert np.bincount(chosen.item_task).tolist() == [11, 10, 10]
    assert catalogue.load("simulated:free").digest == free_form().digest


def test_a_written_benchmark_reads_back(tmp_path):
    drawn = catalogue.load("simulated:livebench")
    write_benchmark(drawn, tmp_path / "folder")
    again = catalogue.load(tmp_path / "folder")
    assert again.digest == drawn.digest
    assert summarise(again).name == "LiveBench (simulated)"


@given(
    st.integers(2, 40),
    st.integers(1, 12),
    st.floats(0, 2.0),
    st.integers(0, 1000),
)
@settings(deadline=None)
def test_expected_scores_keep_the_ladder_and_the_bounds(models, tasks, gap, seed):
    form = FreeForm(models, tasks, 3 * tasks, gap, 0.5, seed)
    expected = expected_scores(form)
    assert expected.shape == (models, tasks)
    assert np.all((expected >= 0) & (expected <= 1))
    overall = expected.mean(axis=1)
    assert np.allclose(-np.diff(overall), gap / 100, atol=1e-12)
    assert overall.mean() == pytest.approx(0.5)


def test_task_spread_is_that_of_the_public_leaderboards():
    for profile in (simulated.livebench_profile(), simulated.helm_profile()):
        table = profile.expected
        rest = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
        degrees = (table.shape[0] - 1) * (table.shape[1] - 1)
        assert np.sqrt((rest**2).sum() / degrees) == pytest.approx(TASK_SPREAD, abs=0.001)
    drawn = expected_scores(FreeForm(500, 40, 1000, 0.0, 0.5, 0))
    assert (drawn - 0.5).std() == pytest.approx(TASK_SPREAD, rel=0.03)
