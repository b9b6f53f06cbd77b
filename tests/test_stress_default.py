"""The shipped default of the stress test is what its tool computes today, and what the page asks for."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from core.benchmark.catalogue import load
from core.reuse.portions import run_portion
from core.stress_default import BENCHMARK, WISH, portion_bytes, shipped_portion
from pages.parts.stress_test.controls import CONTROLS, budgets_up_to, rules_of


def test_the_shipped_outcomes_are_those_computed_here():
    bank = load(BENCHMARK)
    here, shipped = run_portion(bank, WISH, 0, WISH.trials), shipped_portion(bank)
    assert (shipped.start, shipped.stop, shipped.policies) == (0, WISH.trials, here.policies)
    for place in range(len(WISH.rules)):
        np.testing.assert_array_equal(shipped.kept[place], here.kept[place])
        for field in fields(here.outcomes[place]):
            left, right = (getattr(one.outcomes[place], field.name) for one in (shipped, here))
            assert left.dtype == right.dtype
            np.testing.assert_array_equal(left, right, err_msg=field.name)


def test_the_file_is_the_same_every_time():
    bank = load(BENCHMARK)
    portion = shipped_portion(bank)
    assert portion_bytes(portion, bank) == portion_bytes(portion, bank)


def test_another_state_of_the_benchmark_is_not_taken_for_it():
    bank = load(BENCHMARK)
    assert shipped_portion(bank.with_settings(bank.settings.with_changes(routing_seed="x"))) is None


def test_it_is_what_the_page_opens_with():
    default = {item.name: item.default for item in CONTROLS.items}
    assert default["source"] == BENCHMARK
    assert rules_of("category", default["compare"]) == WISH.rules
    assert budgets_up_to(default["largest"]) == WISH.budgets
    assert (default["trials"], default["endpoints"], default["seed"]) == (
        WISH.trials,
        WISH.endpoints,
        WISH.seed,
    )
