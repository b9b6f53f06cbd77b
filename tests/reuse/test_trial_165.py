"""The published worked example, HELM Lite trial 165 at 32 submissions, recomputed from its scores and seeds."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from core.reuse import exact
from core.reuse.attack import final_choices, static_choice, task_weights
from core.reuse.gates import gates
from core.reuse.scoring import WEIGHT_HEADROOM

FILE = Path(__file__).parents[2] / "data" / "published" / "helm_lite_trial165.json"
CANDIDATES = 31
UNIT = 2.0**52 / 100  # published integers per percentage point of 2p - a - b


@pytest.fixture(scope="module")
def example():
    return json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def table(example):
    """Released scores in percent: candidates (coordinates, candidates, 1), A and B (coordinates, 1)."""
    tasks = example["tasks"]
    candidates = np.array([task["candidates"] for task in tasks])[:, :, None]
    a, b = (np.array([[task[name]] for task in tasks]) for name in "ab")
    return candidates, a, b


@pytest.fixture(scope="module")
def weights(table):
    """2p - a - b in pp as exact limbs, shape (coordinates, candidates, 1)."""
    return task_weights(*(exact.split_limbs(scores, WEIGHT_HEADROOM, top_exponent=7) for scores in table))


@pytest.fixture(scope="module")
def routers(example):
    return gates(
        [example["prompt"]["hash"]], example["routing_seed"], example["tie_seed"], CANDIDATES, cache=False
    )


def legalbench(example):
    return [task["task"] for task in example["tasks"]].index("legalbench")


def test_the_endpoints_distance_is_the_published_mean(table):
    _, a, b = table
    assert float(np.mean(np.abs(a - b))) == pytest.approx(7.458250889267208, rel=0, abs=1e-12)


def test_the_candidates_choices_follow_from_the_seed(example, routers):
    assert routers.signs(slice(None))[0].tolist() == example["prompt"]["gates"]


def test_the_weights_are_the_published_integers_but_for_18(example, weights):
    ours = exact.collapse(weights)[:, :, 0] / 100
    published = np.array([task["weights"] for task in example["tasks"]], dtype=np.float64)
    assert ours.shape == published.shape == (10, CANDIDATES)
    noise = np.abs(published) <= 1
    assert noise.sum() == 18
    assert np.all(np.abs(ours[noise]) < 1e-14)
    for own, integers, small in zip(ours, published, noise, strict=True):
        ratios = integers[~small] / own[~small]
        power = 2.0 ** round(np.log2(ratios[0]))  # integers hold up to one power of two per scenario
        assert np.all(np.abs(ratios / power - 1) < 1e-9)


def test_the_first_candidate_weighs_on_legalbench_what_the_page_says(example, weights):
    weight = exact.collapse(weights)[legalbench(example), 0, 0]
    assert round(weight / 200, 5) == -0.01426
    assert weight == pytest.approx(example["prompt"]["weights_pp"][0], rel=1e-9)


def test_the_vote_on_the_published_prompt_takes_model_a(example, weights, routers):
    own = exact.take(weights, legalbench(example))
    signs = routers.signs(slice(None))
    vote = sum(
        Fraction(float(sign)) * exact.fraction(own, (candidate, 0)) for candidate, sign in enumerate(signs[0])
    )
    assert round(float(vote) / 200, 5) == 0.02201
    assert float(vote) == pytest.approx(example["prompt"]["vote_pp"], rel=1e-9)
    assert float(vote) * UNIT == pytest.approx(example["prompt"]["integer_vote"], rel=1e-9)

    (choice,) = final_choices(signs, own, routers.tie, (32,))
    assert ("A" if choice[0, 0] else "B") == example["prompt"]["choice"] == "A"


def test_an_opposite_vote_takes_model_b(example, weights, routers):
    own = tuple(-limb for limb in exact.take(weights, legalbench(example)))
    (choice,) = final_choices(routers.signs(slice(None)), own, routers.tie, (32,))
    assert not choice[0, 0]


def test_the_static_router_takes_the_better_endpoint(example, table, routers):
    _, a, b = table
    place = legalbench(example)
    assert a[place, 0] > b[place, 0]
    assert static_choice((a[place],), (b[place],), routers.tie).all()
    assert not static_choice((b[place],), (a[place],), routers.tie).any()


def test_what_the_router_costs(example):
    scored = {entry["label"]: entry for entry in example["scores"]}
    before, after = scored["No attack"], scored["Final router"]
    assert (round(before["heldout"], 2), round(after["heldout"], 2)) == (74.10, 70.14)
    assert (after["rank_s"], after["rank_t"]) == (1, 5)
    assert before["heldout"] - after["heldout"] == pytest.approx(example["model_selection_loss_pp"], abs=1e-9)
    assert scored["Endpoint B"]["reused"] > before["reused"]  # although the leader wins by win rate


def test_the_endpoints_public_scores_are_the_means_of_the_scenarios(example, table):
    scored = {entry["label"]: entry for entry in example["scores"]}
    for name, scores in zip("AB", table[1:], strict=True):
        assert scores.mean() == pytest.approx(scored[f"Endpoint {name}"]["reused"], rel=0, abs=1e-9)
    assert scored["Endpoint A"]["reused"] < scored["Endpoint B"]["reused"]
