"""One trial with everything on the table agrees with the study, with the independent twin and with itself."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from core.benchmark.catalogue import load
from core.errors import DataError, UsageError
from core.reuse.history import trial_history
from core.reuse.study import run_study
from core.reuse.walkthrough import FINAL_ROUTER, walk
from tests.oracles.reuse import TrialOracle
from tests.reuse.random_benchmarks import benchmarks

TRIALS = 12
BUDGET = 32


@pytest.fixture(scope="module", params=["terminal_science", "swe_verified_38"])
def bank(request):
    return load(request.param)


@pytest.fixture(scope="module")
def study(bank):
    return run_study(bank, trials=TRIALS, budgets=(BUDGET,), cache=False)


@pytest.fixture(scope="module")
def walks(bank):
    return [walk(bank, trial, BUDGET, cache=False) for trial in range(TRIALS)]


def test_it_tells_what_the_study_averages(study, walks):
    rows = study.trial_frame()
    assert len(rows) == TRIALS
    for row, found in zip(rows.to_dict("records"), walks, strict=True):
        assert row["eligible"] == found.eligible
        before = next((one for one in found.standings if one.role == "No attack"), None)
        if not found.eligible:
            assert found.standings == ()
            continue
        after = next(one for one in found.standings if one.role == "Chosen")
        router = next(one for one in found.standings if one.role == "Final router")
        assert (row["base_a"], row["base_b"]) == (found.endpoint_a, found.endpoint_b)
        assert (row["no_attack_model"], row["selected_model"]) == (before.model, after.model)
        assert row["model_selection_loss_pp"] == pytest.approx(found.loss_pp, abs=1e-12)
        assert row["model_selection_loss_pp"] == pytest.approx(before.heldout_pp - after.heldout_pp, abs=1e-9)
        assert row["rank_drop"] == found.rank_drop == after.heldout_rank - before.heldout_rank
        assert (
            row["false_winner"] == found.false_winner == (router.reused_rank == 1 and router.heldout_rank > 1)
        )
        assert row["score_gap_pp"] == pytest.approx(found.history.score_gap_pp, abs=1e-9)
        assert row["genuine_gap_pp"] == pytest.approx(found.history.genuine_gap_pp, abs=1e-9)
        assert row["router_reused_pp"] == pytest.approx(router.reused_pp, abs=1e-9)
        assert row["router_heldout_pp"] == pytest.approx(router.heldout_pp, abs=1e-9)


def test_the_votes_make_the_router_that_was_scored(bank, walks):
    for found in (one for one in walks if one.eligible):
        a, b = (bank.models.index(name) for name in (found.endpoint_a, found.endpoint_b))
        taken = found.takes_a[bank.item_prompt]
        scores = np.where(taken, bank.scores[a], bank.scores[b])
        held = found.held_out[bank.item_prompt]
        router = next(one for one in found.standings if one.role == "Final router")
        assert 100 * scores[~held].mean() == pytest.approx(router.reused_pp, abs=1e-9)
        assert 100 * scores[held].mean() == pytest.approx(router.heldout_pp, abs=1e-9)


def test_a_vote_step_by_step_is_the_vote_of_the_whole(walks):
    for found in (one for one in walks[:4] if one.eligible):
        for prompt in range(0, len(found.prompts), 7):
            vote = found.vote_on(prompt)
            assert len(vote.choices) == BUDGET - 1
            assert float(100 * vote.total) == found.votes[prompt]
            assert vote.is_tie == found.ties[prompt]
            assert (vote.choice == "A") == found.takes_a[prompt]


def test_exact_ties_happen_and_are_left_to_the_tie_router(walks):
    ties = [int(found.ties.sum()) for found in walks]
    assert max(ties) > 0
    for found in walks:
        for prompt in np.flatnonzero(found.ties)[:5]:
            vote = found.vote_on(int(prompt))
            assert vote.total == 0
            assert found.takes_a[prompt] == vote.tie_takes_a


def test_weights_are_score_minus_reference(walks):
    for found in (one for one in walks if one.eligible):
        reference = (found.a_pp + found.b_pp) / 2
        weights = np.array([[float(weight) for weight in own] for own in found.weights]).T
        assert np.allclose(found.candidates_pp - reference, 100 * weights, atol=1e-9)
        assert all(isinstance(weight, Fraction) for own in found.weights for weight in own)


def test_the_chosen_pair_is_the_most_distant_of_the_pool(walks):
    for found in walks:
        models = len(found.models)
        assert len(found.pairs) == models * (models - 1) // 2
        distances = [pair.distance_pp for pair in found.pairs]
        assert distances == sorted(distances, reverse=True)
        assert sum(pair.in_pool for pair in found.pairs) == found.pool.sum() * (found.pool.sum() - 1) // 2
        if found.eligible:
            chosen = found.chosen_pair
            assert {chosen.first, chosen.second} == {found.endpoint_a, found.endpoint_b}
            assert chosen.distance_pp == pytest.approx(
                max(p.distance_pp for p in found.pairs if p.in_pool), abs=1e-12
            )
            assert found.pool[found.frontier].sum() == found.pool.sum() == min(5, found.frontier.sum())


def test_the_frontier_is_what_nobody_dominates(walks):
    for found in walks:
        table = found.public_pp
        for model in range(len(found.models)):
            beaten = any(
                (other >= table[model] - 1e-12).all() and (other > table[model] + 1e-12).any()
                for other in table
            )
            assert found.frontier[model] != beaten


def test_the_full_frontier_may_choose_further_apart(bank):
    top, full = (walk(bank, 3, 8, policy, cache=False) for policy in ("top5", "full_frontier"))
    assert full.chosen_pair.distance_pp >= top.chosen_pair.distance_pp
    assert (full.pool == full.frontier).all()


@settings(
    deadline=None, derandomize=True, database=None, max_examples=60, suppress_health_check=list(HealthCheck)
)
@given(benchmarks())
def test_random_benchmarks_agree_with_the_study(benchmark):
    if benchmark.settings.coordinates == "overall" or len(benchmark.categories) * len(benchmark.tasks) == 1:
        return
    budget = 6
    try:
        rows = run_study(benchmark, trials=2, budgets=(budget,), cache=False).trial_frame().to_dict("records")
    except DataError:
        return
    row, found = rows[1], walk(benchmark, 1, budget, cache=False)
    assert row["eligible"] == found.eligible
    assert row["genuine_gap_pp"] == pytest.approx(found.history.genuine_gap_pp, abs=1e-9)
    if not found.eligible:
        return
    roles = {one.role: one for one in found.standings}
    assert (row["base_a"], row["base_b"]) == (found.endpoint_a, found.endpoint_b)
    assert row["no_attack_model"] == roles["No attack"].model
    assert row["selected_model"] == roles["Chosen"].model
    assert row["rank_drop"] == roles["Chosen"].heldout_rank - roles["No attack"].heldout_rank
    assert row["false_winner"] == (
        roles["Final router"].reused_rank == 1 and roles["Final router"].heldout_rank > 1
    )
    assert row["score_gap_pp"] == pytest.approx(found.history.score_gap_pp, abs=1e-9)
    assert row["router_reused_pp"] == pytest.approx(roles["Final router"].reused_pp, abs=1e-9)
    assert row["router_heldout_pp"] == pytest.approx(roles["Final router"].heldout_pp, abs=1e-9)
    a, b = (benchmark.models.index(name) for name in (found.endpoint_a, found.endpoint_b))
    scores = np.where(found.takes_a[benchmark.item_prompt], benchmark.scores[a], benchmark.scores[b])
    oracle = TrialOracle(benchmark, 1)
    assert 100 * float(oracle.performance([Fraction(float(score)) for score in scores], oracle.held_out)) == (
        pytest.approx(roles["Final router"].heldout_pp, abs=1e-6)
    )


def test_a_history_is_the_models_then_what_was_submitted(bank):
    history = trial_history(bank, 3, BUDGET, cache=False)
    models = len(bank.models)
    assert history.names[:models] == bank.models
    assert history.names[models : models + 2] == ("Endpoint A", "Endpoint B")
    assert history.names[-1] == FINAL_ROUTER
    assert len(history.names) == models + 2 + BUDGET
    assert history.kinds.count("candidate") == BUDGET - 1
    assert (np.diff(history.best_reused_pp) >= 0).all()
    assert (np.diff(history.best_heldout_pp) >= 0).all()
    for side, best in (("reused", history.best_reused_pp), ("heldout", history.best_heldout_pp)):
        own = history.reused_pp if side == "reused" else history.heldout_pp
        for place, holder in enumerate(history.holders(side)):
            assert own[history.names.index(holder)] == best[place]


@pytest.mark.parametrize("budget", [1, 0, 2.0, True, 1 << 15])
def test_a_budget_out_of_range_is_refused(bank, budget):
    with pytest.raises(UsageError, match="from 2 to"):
        walk(bank, 0, budget)


def test_a_prompt_that_is_not_there_is_refused(walks):
    found = next(one for one in walks if one.eligible)
    with pytest.raises(UsageError, match="0 to"):
        found.vote_on(len(found.prompts))


def test_a_single_returned_score_makes_no_walkthrough(bank):
    single = bank.with_settings(bank.settings.with_changes(coordinates="overall"))
    with pytest.raises(UsageError, match="returns one"):
        walk(single, 0, 8)
