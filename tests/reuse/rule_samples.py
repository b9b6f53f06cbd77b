"""Small benchmarks, released scores and occasions for the tests of feedback rules."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from core.benchmark.model import Benchmark
from core.benchmark.settings import Settings
from core.benchmark.splits import cached_held_out_mask, holdout_targets
from core.reuse.engine import Plan, run_block
from core.reuse.gates import gates
from core.reuse.rules import Occasion, Released, parse_rule

ITEMS = 40


def drawn(models=6, tasks=6, items=10, *, categories=3, seed=1, repeats=1, **settings):
    """A benchmark of binary (or counted) scores with equally large tasks."""
    generator = np.random.default_rng(seed)
    ability = generator.uniform(0.3, 0.8, (models, 1)) + generator.normal(0, 0.15, (models, tasks)).repeat(
        items, axis=1
    )
    scores = generator.binomial(repeats, np.clip(ability, 0.02, 0.98), (models, tasks * items)) / repeats
    task = [f"task {index // items}" for index in range(tasks * items)]
    return Benchmark.from_columns(
        Settings("drawn", **{"coordinates": "task", "repeats": repeats, **settings}),
        [f"model {index}" for index in range(models)],
        [f"item {index}" for index in range(tasks * items)],
        scores,
        task=task,
        category=[f"category {int(name.split()[1]) % categories}" for name in task],
    )


def with_held_out_shuffled(benchmark, held_out, seed):
    """The benchmark with the held-out scores of every model shuffled within each task, for one trial's split."""
    generator = np.random.default_rng(seed)
    scores = benchmark.scores.copy()
    for task in range(len(benchmark.tasks)):
        places = np.flatnonzero((benchmark.item_task == task) & held_out[benchmark.item_prompt])
        scores[:, places] = generator.random((len(benchmark.models), len(places))).round()
    return Benchmark(
        settings=benchmark.settings,
        models=benchmark.models,
        items=benchmark.items,
        scores=scores,
        tasks=benchmark.tasks,
        categories=benchmark.categories,
        item_task=benchmark.item_task,
        task_category=benchmark.task_category,
        prompts=benchmark.prompts,
        item_prompt=benchmark.item_prompt,
    )


def plan_of(benchmark, rule, budgets=(1, 2, 4, 8, 16), policy="top5"):
    routers = gates(
        benchmark.prompts,
        benchmark.settings.routing_seed,
        benchmark.settings.tie_seed,
        budgets[-1] - 1,
        cache=False,
    )
    return Plan.of(
        benchmark,
        policy=policy,
        rule=parse_rule(benchmark, rule),
        budgets=budgets,
        gates=routers,
        targets=holdout_targets(benchmark),
    )


def attack(benchmark, rule, trials=3, budgets=(1, 2, 4, 8, 16), held_out=None):
    """Play a rule on some trials; returns plan, held-out masks and the attack."""
    plan = plan_of(benchmark, rule, budgets)
    masks = cached_held_out_mask(benchmark, trials, cache=False) if held_out is None else held_out
    return plan, masks, run_block(plan, masks)


def occasion(coordinates=1, submissions=1, trials=1, models=(), seed="seed", keys=None, pairs=None):
    return Occasion(
        seed=seed,
        models=tuple(models),
        submission_keys=keys or tuple(b"%d" % index for index in range(submissions)),
        endpoint_names=pairs or ("a|b|",) * trials,
        standard_errors=lambda coordinate, trial, ahead, best: np.zeros(len(ahead)),
        items=np.full(coordinates, ITEMS),
    )


def counted(table, scores, one=ITEMS):
    """Released counts out of `one`; `table` is (coordinates, models), `scores` (coordinates, submissions), one trial."""
    return Released(
        (np.array(table, dtype=float).reshape(len(table), 1, -1),),
        (np.array(scores, dtype=float)[:, :, None],),
        (one,) * len(table),
    )


@st.composite
def boards(draw, coordinates=None):
    """Draw (table, scores) of counts: some models, then some submissions."""
    width = coordinates or draw(st.integers(1, 3))
    models, submissions = draw(st.integers(1, 4)), draw(st.integers(1, 12))
    cell = st.integers(0, ITEMS)
    table = draw(st.lists(st.lists(cell, min_size=models, max_size=models), min_size=width, max_size=width))
    scores = draw(
        st.lists(st.lists(cell, min_size=submissions, max_size=submissions), min_size=width, max_size=width)
    )
    return table, scores
