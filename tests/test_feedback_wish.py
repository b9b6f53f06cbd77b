"""Studies as pages ask for them: the wish decides the result, and no file is opened for a reader."""

from __future__ import annotations

import numpy as np
import pytest

from core.benchmark.catalogue import load
from core.errors import DataError, UsageError
from core.feedback_wish import OWN_GROUPS, RulesWish, groupings, prepared, run_comparison, run_sweep
from core.reuse.study import run_study

BANK = "terminal_science"


def test_a_sweep_is_the_study_of_each_rule():
    done = []
    wish = RulesWish(BANK, ("grouped:1:0", "category"), trials=10)
    studies = run_sweep(wish, progress=lambda one, total: done.append((one, total)))
    assert done[-1] == (20, 20)
    for study, rule in zip(studies, wish.rules, strict=True):
        assert study.rows() == run_study(load(BANK), trials=10, feedback=rule).rows()


def test_seed_and_precision_change_the_result():
    losses = {
        wish: run_sweep(wish)[0].per_trial["router_reused_pp"].tobytes()
        for wish in (
            RulesWish(BANK, ("category",), trials=10),
            RulesWish(BANK, ("category",), trials=10, seed=3),
            RulesWish(BANK, ("category",), trials=10, precision="10"),
        )
    }
    assert len(set(losses.values())) == 3
    assert prepared(RulesWish(BANK, ("category",), precision="exact"))[0].settings.precision == "exact"
    assert prepared(RulesWish(BANK, ("category",), precision="0.1"))[0].settings.precision == 0.1


def test_the_readers_groups_are_played():
    tasks = load(BANK).tasks
    pairs = tuple((task, "ab"[place % 2]) for place, task in enumerate(tasks))
    comparison = run_comparison(
        RulesWish(BANK, (f"{OWN_GROUPS}+round:1", "overall"), trials=10, groups=pairs)
    )
    grouped = comparison.results[0]
    assert grouped.study.feedback == "groups:yours+round:1"
    assert np.array_equal(grouped.released_scores, 2.0 * (np.array(grouped.study.budgets) - 1))


@pytest.mark.parametrize("rule", ["groups:/etc/hostname", "groups:yours", " groups:x+cap:3", "groups:yours2"])
def test_no_file_is_opened_for_a_reader(rule, monkeypatch):
    monkeypatch.setattr("pathlib.Path.open", lambda *_, **__: pytest.fail("opened a file"))
    with pytest.raises(UsageError, match="Here a rule reads no file"):
        RulesWish(BANK, (rule,))


def test_with_groups_another_name_is_still_no_file():
    with pytest.raises(UsageError, match="Here a rule reads no file"):
        RulesWish(BANK, ("groups:/etc/hostname",), groups=(("a", "b"),))


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"rules": ()}, "at least one feedback rule"),
        ({"trials": 0}, "at least one trial"),
        ({"seed": -1}, "A seed is a whole number"),
    ],
)
def test_refusals(wish, words):
    with pytest.raises(UsageError, match=words):
        RulesWish(**{"benchmark": BANK, "rules": ("category",), **wish})


def test_a_grouping_that_does_not_fit_is_the_datas_fault():
    with pytest.raises(DataError, match="must name every task"):
        prepared(RulesWish(BANK, (OWN_GROUPS,), groups=(("nothing", "a"),)))


@pytest.mark.parametrize("tasks", [1, 5, 10, 18])
def test_equal_groups_divide_the_tasks(tasks):
    assert all(tasks % number == 0 for number in groupings(tasks))
    assert groupings(tasks)[0] == 1
    assert groupings(tasks)[-1] == tasks
