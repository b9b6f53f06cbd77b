"""The worked example: every number that its page shows follows from the released scores and the seeds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core import published, worked_example
from core.errors import DataError, UsageError
from core.provenance import DATA_FOLDER
from core.worked_example import (
    SCENARIO_NAMES,
    distance_pp,
    exact_weights,
    prompt_vote,
    public_frontier,
    reference_pp,
    released_weights,
    scenario_of,
)


@pytest.fixture(scope="module")
def example():
    return published.helm_lite_trial165()


def test_the_first_router_weighs_what_is_published_on_legalbench(example):
    assert f"{released_weights(scenario_of(example, 'legalbench'))[0]:.5f}" == "-0.01426"


def test_the_vote_on_the_published_prompt_comes_out_as_published(example):
    prompt = example.prompt
    vote = prompt_vote(example, prompt.scenario, prompt.prompt_hash)
    assert vote.choices == prompt.choices
    assert f"{float(vote.total):+.5f}" == "+0.02201"
    assert float(200 * vote.total) == pytest.approx(prompt.vote_pp, abs=1e-12)
    assert vote.choice == prompt.choice == "A"


def test_nothing_of_the_votes_is_stored_but_the_published_prompt():
    """All 31 x 10 weights and every flip follow from scores and seeds; the file keeps flips for one prompt alone."""
    stored = json.loads((DATA_FOLDER / "published" / "helm_lite_trial165.json").read_text(encoding="utf-8"))
    assert [key for key, value in stored.items() if "gates" in str(value)] == ["prompt"]
    assert {key for scenario in stored["tasks"] for key in scenario} == {
        "task",
        "a",
        "b",
        "candidates",
        "weights",
    }


@pytest.mark.parametrize("name", SCENARIO_NAMES)
def test_shown_and_exact_weights_agree(example, name):
    scenario = scenario_of(example, name)
    shown, exact = released_weights(scenario), exact_weights(scenario)
    assert len(shown) == len(exact) == example.budget - 1
    for one, other, score in zip(shown, exact, scenario.candidates_pp, strict=True):
        assert one == pytest.approx(float(other), abs=1e-15)
        if one:
            assert one == pytest.approx((score - reference_pp(scenario)) / 100, abs=1e-15)


def test_rounding_noise_is_shown_as_zero_and_still_decides(example):
    noise = [weight for scenario in example.scenarios for weight in scenario.weights if abs(weight) <= 1]
    assert len(noise) == 18
    zeros = [weight for scenario in example.scenarios for weight in released_weights(scenario) if weight == 0]
    assert len(zeros) == 18
    exact = [weight for scenario in example.scenarios for weight in exact_weights(scenario) if weight == 0]
    assert len(exact) < 18


def test_the_distance_is_the_published_one(example):
    assert distance_pp(example) == pytest.approx(7.458250889267208, abs=1e-12)


def test_the_frontier_holds_the_endpoints_and_the_leader_among_its_best_five(example):
    models, provenance = public_frontier()
    assert len(models) == 7
    assert [model.model for model in models] == sorted(model.model for model in models)
    places = {model.model: model.overall_place for model in models}
    assert sorted(place for place in places.values() if place) == [1, 2, 3, 4, 5]
    leader = next(one for one in example.scored if one.label == "No attack")
    assert places[leader.model] == 1
    assert places[example.endpoint_a] == 5
    assert places[example.endpoint_b] == 2
    assert provenance.label == "published"


def test_every_scenario_has_a_name(example):
    assert [scenario.name for scenario in example.scenarios] == list(SCENARIO_NAMES)
    with pytest.raises(UsageError, match="narrative_qa"):
        scenario_of(example, "poetry")


def test_weights_that_do_not_belong_to_their_scores_are_refused(example):
    scenario = scenario_of(example, "legalbench")
    with pytest.raises(DataError, match="do not belong"):
        exact_weights(replace(scenario, weights=tuple(-weight for weight in scenario.weights)))
    nothing = replace(scenario, weights=(0,) * len(scenario.weights))
    assert set(exact_weights(nothing)) == {0}


def test_a_damaged_list_is_a_sentence(monkeypatch):
    monkeypatch.setattr(worked_example, "read_shipped", lambda *_: (b"model,name\nx,y\n", None))
    public_frontier.cache_clear()
    with pytest.raises(DataError, match="not the list that it should be"):
        public_frontier()
    public_frontier.cache_clear()
