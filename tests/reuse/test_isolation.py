"""The attack sees released scores and nothing else: held-out scores may be anything without a choice changing."""

from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from core.benchmark.model import Benchmark
from core.benchmark.settings import Settings
from core.benchmark.splits import held_out_mask, holdout_targets
from core.errors import DataError
from core.reuse import attack, endpoints, engine, exact
from core.reuse.engine import run_block
from core.reuse.feedback import PublicFeedback, public_feedback
from core.reuse.gates import gates
from core.reuse.interfaces import interface_of
from core.reuse.plan import Plan
from core.reuse.rules import parse_rule
from core.reuse.scoring import ItemTable
from tests.reuse.random_benchmarks import benchmarks, rules

BUDGETS = (1, 2, 5, 17)
MODIFIERS = ("", "", "", "+round:1", "+ladder:0.5", "+ladder:auto", "+frontier:0", "+noise:1", "+cap:4")


def played(benchmark, feedback, monkeypatch):
    """Run trial 0; return the attack and every choice array that it made."""
    choices = []

    def noting(function):
        def wrapper(*arguments, **names):
            result = function(*arguments, **names)
            if inspect.isgenerator(result):
                return (choices.append(part) or part for part in result)
            choices.append(result)
            return result

        return wrapper

    settings = benchmark.settings
    routers = gates(benchmark.prompts, settings.routing_seed, settings.tie_seed, BUDGETS[-1] - 1, cache=False)
    plan = Plan.of(
        benchmark,
        policy="top5",
        rule=parse_rule(benchmark, feedback),
        budgets=BUDGETS,
        gates=routers,
        targets=holdout_targets(benchmark),
    )
    with monkeypatch.context() as patch:
        for name in ("static_choice", "final_choices"):
            patch.setattr(engine, name, noting(getattr(attack, name)))
        result = run_block(plan, held_out_mask(benchmark, [0]))
    return result, choices


def with_other_held_out_scores(benchmark, seed):
    """Permute the held-out half of trial 0 across models and items, each task by itself."""
    rng = np.random.default_rng(seed)
    scores = benchmark.scores.copy()
    hidden = held_out_mask(benchmark, [0])[0][benchmark.item_prompt]
    for task in range(len(benchmark.tasks)):
        places = np.flatnonzero(hidden & (benchmark.item_task == task))
        block = scores[:, places]
        scores[:, places] = rng.permutation(block.ravel()).reshape(block.shape)
    return dataclasses.replace(benchmark, scores=scores), hidden


@profile(deadline=None, derandomize=True, database=None, max_examples=60)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_no_submission_depends_on_a_held_out_score(data, seed):
    benchmark = data.draw(benchmarks())
    _, feedback = data.draw(rules(benchmark))
    feedback = (feedback or benchmark.settings.coordinates) + data.draw(st.sampled_from(MODIFIERS))
    try:
        other, hidden = with_other_held_out_scores(benchmark, seed)
    except DataError:
        return
    assert np.array_equal(benchmark.scores[:, ~hidden], other.scores[:, ~hidden])
    with pytest.MonkeyPatch.context() as monkeypatch:
        one, choices = played(benchmark, feedback, monkeypatch)
        two, other_choices = played(other, feedback, monkeypatch)
    for field in ("eligible", "a", "b", "pool", "frontier"):
        assert np.array_equal(getattr(one.endpoints, field), getattr(two.endpoints, field)), field
    assert len(choices) == len(other_choices) == len(BUDGETS) * len(benchmark.tasks)
    assert all(np.array_equal(left, right) for left, right in zip(choices, other_choices, strict=True))
    for name in ("router_sums", "candidate_sums", "model_sums"):
        left, right = (exact.collapse(getattr(result, name)[0]) for result in (one, two))
        assert np.array_equal(left, right), name


def test_a_reused_score_does_change_choices():
    """The test above can fail: the same permutation on the reused half is noticed."""
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 2, (5, 60)).astype(float)
    task = [f"t{index % 3}" for index in range(60)]
    base = Benchmark.from_columns(
        Settings(name="isolation"), list("abcde"), [str(index) for index in range(60)], scores, task=task
    )
    hidden = held_out_mask(base, [0])[0][base.item_prompt]
    changed = scores.copy()
    changed[:, ~hidden] = 1 - changed[:, ~hidden]
    other = dataclasses.replace(base, scores=changed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        one, two = (played(benchmark, None, monkeypatch)[0] for benchmark in (base, other))
    assert not np.array_equal(exact.collapse(one.router_sums[1]), exact.collapse(two.router_sums[1]))


@pytest.mark.parametrize("module", [attack, endpoints])
def test_the_attacking_modules_take_no_type_with_item_scores(module):
    own = [
        value
        for value in vars(module).values()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    assert own
    for function in own:
        kinds = " ".join(str(kind) for kind in inspect.get_annotations(function).values())
        for name in ("Benchmark", "ItemTable", "Plan", "Attack"):
            assert name not in kinds.replace("EndpointPolicy", ""), (function.__name__, name)
    assert not any(
        value in (Benchmark, ItemTable, Plan) for value in vars(module).values() if inspect.isclass(value)
    )


def test_the_public_table_has_no_axis_of_items():
    rng = np.random.default_rng(1)

    benchmark = Benchmark.from_columns(
        Settings(name="shapes"),
        list("abcd"),
        [str(index) for index in range(37)],
        rng.integers(0, 2, (4, 37)).astype(float),
        task=[f"t{index % 2}" for index in range(37)],
    )
    targets = holdout_targets(benchmark)
    table = ItemTable.of(benchmark)
    sums = (np.ones((2, 3, 4)),)
    sizes = np.bincount(benchmark.item_task) - targets
    feedback = public_feedback(benchmark, interface_of(benchmark), table.scale(benchmark, sizes), sums)
    assert isinstance(feedback, PublicFeedback)
    for field in dataclasses.fields(feedback):
        value = getattr(feedback, field.name)
        arrays = value if isinstance(value, tuple) else (value,)
        for array in arrays:
            assert not isinstance(array, Benchmark | ItemTable), field.name
            if isinstance(array, np.ndarray):
                assert 37 not in array.shape, field.name
