"""The attack against a live evaluator: the outcome of a study on the same data, and faults reported with their call."""

from __future__ import annotations

import math
import re
import time
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from core.benchmark.model import Benchmark
from core.benchmark.settings import Settings
from core.benchmark.splits import held_out_mask
from core.errors import UsageError
from core.reuse.adapter import AdapterError, PublicBenchmark, PublicProfiles, RoutingRule, Standing
from core.reuse.live_study import run_live_study
from core.reuse.study import run_study
from core.reuse.survival import survival

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "adapter.md"
BUDGETS = (1, 2, 3, 8, 24)


def bank(seed=3, coordinates="category", ranking="item_mean", precision="exact", items=54, models=5):
    generator = np.random.default_rng(seed)
    names = [f"model {place}" for place in generator.permutation(models)]
    category = [f"category {place % 3}" for place in range(items)]
    skill = generator.uniform(0.3, 0.8, (models, 3))
    scores = generator.random((models, items)) < skill[:, [place % 3 for place in range(items)]]
    values = scores.astype(float) if precision == "exact" else np.round(generator.random((models, items)), 2)
    settings = Settings(
        name="My board",
        coordinates=coordinates,
        ranking=ranking,
        precision=precision,
        routing_seed="r",
        tie_seed="t",
    )
    return Benchmark.from_columns(
        settings, names, [f"q{place:02d}" for place in range(items)], values, task=category,
        prompt_hash=[f"hash {place}" for place in range(items)],
    )  # fmt: skip


def documented_board():
    """The class of the documentation, as it is printed there."""
    code = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), flags=re.DOTALL)[0]
    names = {}
    exec(compile(code, str(DOCUMENT), "exec"), names)
    return names["MyBoard"]


def board_of(benchmark, kind):
    masks = {}

    def held_out(trial):
        if trial not in masks:
            masks[trial] = held_out_mask(benchmark, [trial])[0][benchmark.item_prompt]
        return masks[trial]

    prompts = [benchmark.prompts[place] for place in benchmark.item_prompt]
    categories = [benchmark.tasks[place] for place in benchmark.item_task]
    return kind(list(benchmark.models), prompts, categories, benchmark.scores, held_out)


def assert_same(live, study):
    for field in fields(live.outcomes):
        left, right = getattr(live.outcomes, field.name), getattr(study.outcomes, field.name)
        eligible = study.outcomes.eligible
        if field.name not in {
            "eligible",
            "base_a",
            "base_b",
            "no_attack",
            "genuine_gap",
            "no_attack_reused",
            "no_attack_heldout",
        }:
            left, right = left[eligible], right[eligible]
        if left.dtype.kind == "f":
            np.testing.assert_allclose(left, right, rtol=0, atol=1e-14, err_msg=field.name)
        else:
            np.testing.assert_array_equal(left, right, err_msg=field.name)


@pytest.mark.parametrize("seed", [3, 4, 5, 8])
def test_the_documented_example_is_the_study_on_the_same_data(seed):
    benchmark = bank(seed)
    live = run_live_study(
        board_of(benchmark, documented_board()), trials=6, budgets=BUDGETS, routing_seed="r", tie_seed="t"
    )
    study = run_study(benchmark, trials=6, budgets=BUDGETS, cache=False)
    assert_same(live, study)
    assert live.benchmark == "My board"
    assert live.feedback == "live"
    rows = [{name: value for name, value in row.items() if name != "feedback"} for row in study.rows()]
    for mine, theirs in zip(live.rows(), rows, strict=True):
        for name, value in theirs.items():
            assert mine[name] == (pytest.approx(value, abs=1e-10) if isinstance(value, float) else value)
    assert survival(live, 1.0).largest == 24


class Doubles:
    """A board that hands back float64 means per category, ranked by their mean."""

    def __init__(self, models, prompts, categories, outcomes, held_out):
        self.models, self.prompts, self.outcomes = models, prompts, outcomes
        self.categories, self.held_out = np.array(categories), held_out
        self.names = sorted(set(categories))

    def describe(self):
        return PublicBenchmark("My board", self.models, dict(zip(self.prompts, self.categories, strict=True)))

    def means(self, submission, items):
        row = [
            self.outcomes[
                self.models.index(
                    submission if isinstance(submission, str) else submission(self.prompts[item])
                ),
                item,
            ]
            for item in items
        ]
        return [
            math.fsum(score for score, item in zip(row, items, strict=True) if self.categories[item] == name)
            / sum(self.categories[item] == name for item in items)
            for name in self.names
        ]  # fmt: skip

    def public_profiles(self, trial):
        table = [self.means(model, np.flatnonzero(~self.held_out(trial))) for model in self.models]
        return PublicProfiles(table, [sum(row) for row in table])

    def feedback(self, trial, rule):
        return self.means(rule, np.flatnonzero(~self.held_out(trial)))

    def audit(self, trial, pool):
        standings = []
        for one in pool:
            sides = [
                sum(self.means(one, np.flatnonzero(mask))) / 3
                for mask in (~self.held_out(trial), self.held_out(trial))
            ]
            standings.append(Standing(*sides))
        return standings


@pytest.mark.parametrize("seed", [3, 4])
def test_doubles_give_the_same_too(seed):
    benchmark = bank(seed, ranking="coordinate_mean", precision="float64", items=36)
    live = run_live_study(
        board_of(benchmark, Doubles), trials=3, budgets=(1, 2, 9), routing_seed="r", tie_seed="t"
    )
    assert_same(live, run_study(benchmark, trials=3, budgets=(1, 2, 9), cache=False))


def test_withheld_scores_weigh_nothing():
    benchmark = bank(3)

    class Capped(documented_board()):
        asked = 0

        def feedback(self, trial, rule):
            answered = super().feedback(trial, rule)
            own = self.seen.setdefault((trial, rule.to_a), len([one for one in self.seen if one[0] == trial]))
            return answered if own < 3 else [None] * len(answered)

    board = board_of(benchmark, Capped)
    board.seen = {}
    live = run_live_study(board, trials=4, budgets=(1, 2, 4, 16), routing_seed="r", tie_seed="t")
    study = run_study(benchmark, trials=4, budgets=(1, 2, 4, 16), feedback="category+cap:4", cache=False)
    assert (
        live.outcomes.released_scores[0].tolist()
        == study.outcomes.released_scores[0].tolist()
        == [0, 3, 9, 9]
    )
    np.testing.assert_array_equal(live.outcomes.selected[:, :3], study.outcomes.selected[:, :3])


def test_progress_counts_trials():
    seen = []
    run_live_study(
        board_of(bank(3), documented_board()),
        trials=2,
        budgets=(2,),
        progress=lambda *counts: seen.append(counts),
    )
    assert seen == [(1, 2), (2, 2)]


def test_the_attack_is_never_told_what_is_held_out():
    """Held-out outcomes may be anything: the submitted rules stay the same."""
    benchmark = bank(3)
    submitted = []
    for flipped in (False, True):
        board = board_of(benchmark, documented_board())
        if flipped:
            board.outcomes = np.where(board.held_out(0), 1 - board.outcomes, board.outcomes)
        asked = []
        plain = board.audit
        board.audit = lambda trial, pool, asked=asked, plain=plain: asked.append(pool) or plain(trial, pool)
        run_live_study(board, trials=1, budgets=(1, 8), routing_seed="r", tie_seed="t")
        submitted.append([one.to_a for pool in asked for one in pool if isinstance(one, RoutingRule)])
    assert submitted[0]
    assert submitted[0] == submitted[1]


def broken(method, answer):
    kind = documented_board()

    class Broken(kind):
        pass

    def wrong(self, *arguments):
        return answer(getattr(kind, method)(self, *arguments), *arguments)

    setattr(Broken, method, wrong)
    return board_of(bank(3), Broken)


def flicker(answer, *_, state=[0]):  # noqa: B006
    state[0] += 1
    return [min(answer[0], state[0] % 2), *answer[1:]]


@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("describe", lambda _: "x", r"describe\(\): expected a PublicBenchmark, found str"),
        ("describe", lambda one: replace(one, models=["a"]), r"describe\(\): expected at least two models"),
        ("describe", lambda one: replace(one, prompts={}), r"describe\(\): expected prompts"),
        ("describe", lambda one: replace(one, units={}), r"describe\(\): units must be a whole number"),
        ("public_profiles", lambda *_: None, r"public_profiles\(trial=0\): expected PublicProfiles, found NoneType"),
        (
            "public_profiles", lambda one, _: replace(one, scores=one.scores[:-1]),
            r"public_profiles\(trial=0\): expected scores of shape \(5, 3\).* found \(4, 3\)",
        ),
        ("public_profiles", lambda one, _: replace(one, overall=["x"] * 5), "must be numbers"),
        ("public_profiles", lambda one, _: replace(one, overall=[math.nan] * 5), "every score must be finite"),
        ("public_profiles", lambda one, _: replace(one, scores=[[99] * 3] * 5), "whole number from 0 to 6, found 99"),
        ("feedback", lambda one, *_: one[:-1], r"feedback\(trial=0, rule=random router 0\): expected 3 scores.* found 2"),
        ("feedback", lambda *_: 1.0, "expected 3 scores, found float"),
        ("feedback", lambda one, *_: [math.inf, *one[1:]], "must be finite, found inf"),
        ("feedback", lambda one, *_: ["x", *one[1:]], "expected a number, found str"),
        ("feedback", lambda one, *_: [0.5, *one[1:]], "'category 0' is a whole number from 0 to 6, found 0.5"),
        ("feedback", flicker, "changed its answer when the same rule was submitted again"),
        ("audit", lambda one, *_: one[:-1], r"audit\(trial=0, pool=the genuine models\): expected 5 standings, found 4"),
        ("audit", lambda *_: 3, "expected 5 standings, found int"),
        ("audit", lambda one, *_: [None, *one[1:]], "expected a Standing at place 0, found NoneType"),
        ("audit", lambda one, *_: [Standing(math.nan, 0), *one[1:]], "must be finite, found nan"),
    ],
)  # fmt: skip
def test_wrong_answers_are_reported_with_their_call(method, answer, message):
    with pytest.raises(AdapterError, match=message):
        run_live_study(broken(method, answer), trials=1, budgets=(1, 4))


def test_exceptions_are_reported_with_their_call():
    def fail(*_):
        raise RuntimeError("the database is away")

    with pytest.raises(
        AdapterError,
        match=r"feedback\(trial=0, rule=random router 0\) raised RuntimeError: the database is away",
    ):
        run_live_study(broken("feedback", fail), trials=1, budgets=(4,))


def test_a_slow_call_is_reported():
    def sleep(answer, *_):
        time.sleep(0.6)
        return answer

    with pytest.raises(AdapterError, match=r"public_profiles\(trial=0\) did not answer within 0.1 seconds"):
        run_live_study(broken("public_profiles", sleep), trials=1, budgets=(4,), timeout_s=0.1)


def test_a_table_that_changes_is_reported():
    state = [0]

    def other(answer, *_):
        state[0] += 1
        return replace(answer, overall=[value + state[0] for value in answer.overall])

    with pytest.raises(AdapterError, match="changed its answer when it was asked again"):
        run_live_study(broken("public_profiles", other), trials=1, budgets=(4,))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trials": 0}, "number of trials"),
        ({"budgets": ()}, "At least one budget"),
        ({"timeout_s": 0}, "positive number of seconds"),
        ({"endpoints": "best"}, "Unknown endpoint policy"),
    ],
)
def test_wrong_parameters_are_named(options, message):
    with pytest.raises(UsageError, match=message):
        run_live_study(board_of(bank(3), documented_board()), **{"trials": 1, "budgets": (2,)} | options)


def test_the_readme_shows_the_documented_example():
    readme = (DOCUMENT.parents[1] / "README.md").read_text()
    for block in re.findall(r"```python\n.*?```", DOCUMENT.read_text(), flags=re.DOTALL)[:2]:
        assert block in readme
