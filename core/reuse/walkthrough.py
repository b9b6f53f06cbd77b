"""One trial at one budget, with everything on the table: what the attacker sees, does, and gets.

`walk` runs the same engine as a study on a single split and keeps what a study averages away: the public table, all pairs
with their distances, the released scores and weights of every candidate, each prompt's vote, ranks, and the two running
minima that the score gap is made of.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), endpoints, weights,
final router and metrics.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from core.errors import UsageError
from core.reuse import exact
from core.reuse.feedback import wins
from core.reuse.history import history_of, run_trial
from core.reuse.metrics import ROUTER, loss, outcomes, performance
from core.reuse.scoring import performance_coordinates, stack
from core.reuse.trial_steps import FINAL_ROUTER, Pair, Standing, Walkthrough

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.engine import Attack
    from core.reuse.exact import Limbs
    from core.reuse.plan import Plan
    from core.reuse.scoring import Scale


def walk(
    benchmark: Benchmark, trial: int, budget: int, endpoints: EndpointPolicy = "top5", *, cache: bool = True
) -> Walkthrough:
    """Run one trial at one budget under the benchmark's own feedback and keep every step.

    Parameters
    ----------
    benchmark
        Item scores and settings; at least two coordinates, each with tasks of its own.
    trial
        Number of the split, from 0.
    budget
        Submissions, at least 2: ``budget - 1`` random candidates, then the final router.
    endpoints
        How the pair is chosen.
    cache
        Whether the coin flips may be kept on disk; never for a reader's upload.

    Raises
    ------
    UsageError
        If a number is out of range or the benchmark returns a single score.
    DataError
        If the benchmark cannot be split.
    """
    settings = benchmark.settings
    if settings.coordinates == "overall":
        raise UsageError(
            "A walkthrough shows how several returned scores are turned into weights; this benchmark returns one."
        )
    plan, attack, held_out = run_trial(benchmark, trial, budget, endpoints, cache=cache)
    found = outcomes(plan, attack)
    eligible = bool(attack.endpoints.eligible[0])
    a, b = (int(index[0]) for index in (attack.endpoints.a, attack.endpoints.b))
    public, own, candidates = _released(attack, a, b)
    weights = _weights(plan, attack, a, b) if eligible else tuple(() for _ in plan.own.coordinates)
    home = _coordinate_of_prompts(plan)
    votes, ties = _votes(plan, weights, home, eligible=eligible)
    return Walkthrough(
        benchmark=benchmark.name,
        trial=trial,
        budget=budget,
        endpoint_policy=endpoints,
        models=benchmark.models,
        coordinates=tuple(coordinate.name for coordinate in plan.own.coordinates),
        public_pp=public,
        public_rank=_places(exact.dense_ranks(attack.feedback.overall)[0]),
        frontier=attack.endpoints.frontier[0],
        pool=attack.endpoints.pool[0],
        pairs=_pairs(plan, attack, public, (a, b) if eligible else None),
        endpoint_a=benchmark.models[a] if eligible else None,
        endpoint_b=benchmark.models[b] if eligible else None,
        a_pp=own[0],
        b_pp=own[1],
        candidates_pp=candidates,
        weights=weights,
        prompts=benchmark.prompts,
        prompt_items=_items_of_prompts(benchmark),
        prompt_coordinate=home,
        held_out=held_out,
        votes=votes,
        ties=ties,
        takes_a=(votes > 0) | (ties & plan.gates.tie),
        standings=_standings(plan, attack, int(found.no_attack[0]), int(found.selected[0, 1]))
        if eligible
        else (),
        loss_pp=float(100 * found.selection_loss[0, 1]) if eligible else float("nan"),
        rank_drop=int(found.rank_drop[0, 1]) if eligible else 0,
        false_winner=bool(found.false_winner[0, 1]) and eligible,
        history=history_of(plan, attack),
        routing_seed=settings.routing_seed,
        tie_seed=settings.tie_seed,
    )


def _released(
    attack: Attack, a: int, b: int
) -> tuple[NDArray[np.float64], tuple[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]:
    """Return the released table, both endpoints' rows and the candidates' scores, all in percent."""
    ones = np.array([float(one) for one in attack.answers.ones])[:, None]
    public = (100 * exact.collapse(attack.answers.table)[:, 0, :] / ones).T
    released = exact.collapse(attack.answers.scores)[:, :, 0]
    return public, (public[a], public[b]), (100 * released / ones).T


def _weights(plan: Plan, attack: Attack, a: int, b: int) -> tuple[tuple[Fraction, ...], ...]:
    """Return the exact weights p - (a + b) / 2 of every coordinate."""
    released, own = attack.answers.scores, attack.answers.table
    return tuple(
        tuple(
            (
                exact.fraction(released, (place, candidate, 0))
                - (exact.fraction(own, (place, 0, a)) + exact.fraction(own, (place, 0, b))) / 2
            )
            / one
            for candidate in range(plan.budgets[-1] - 1)
        )
        for place, one in enumerate(attack.answers.ones)
    )


def _coordinate_of_prompts(plan: Plan) -> NDArray[np.intp]:
    """Return the coordinate that each prompt's task belongs to, shape (prompts,)."""
    benchmark = plan.benchmark
    of_task = np.zeros(len(benchmark.tasks), dtype=np.intp)
    for place, coordinate in enumerate(plan.own.coordinates):
        of_task[list(coordinate.tasks)] = place
    home = np.zeros(len(benchmark.prompts), dtype=np.intp)
    home[benchmark.item_prompt] = of_task[benchmark.item_task]
    return home


def _items_of_prompts(benchmark: Benchmark) -> tuple[str, ...]:
    names: list[list[str]] = [[] for _ in benchmark.prompts]
    for item, prompt in zip(benchmark.items, benchmark.item_prompt, strict=True):
        names[prompt].append(item)
    return tuple(", ".join(sorted(own)) for own in names)


def _votes(
    plan: Plan, weights: tuple[tuple[Fraction, ...], ...], home: NDArray[np.intp], *, eligible: bool
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return all votes in pp and which are exactly zero, shape (prompts,) each.

    Weights become whole numbers over their common denominator, so that sums of Python integers are exact.
    """
    prompts = len(plan.benchmark.prompts)
    votes, ties = np.zeros(prompts), np.zeros(prompts, dtype=bool)
    if not eligible:
        return votes, ties
    signs = plan.gates.signs(slice(None)).astype(np.int64)
    for place, own in enumerate(weights):
        common = int(np.lcm.reduce(np.array([weight.denominator for weight in own], dtype=object)))
        whole = np.array([int(weight * common) for weight in own], dtype=object)
        rows = np.flatnonzero(home == place)
        totals = signs[rows].astype(object) @ whole
        votes[rows] = [float(100 * Fraction(int(total), common)) for total in totals]
        ties[rows] = [total == 0 for total in totals]
    return votes, ties


def _places(ranks: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return places from 1 for the largest rank; equal ranks share a place."""
    return np.asarray(1 + (ranks[None, :] > ranks[:, None]).sum(axis=1), dtype=np.intp)


def _pairs(
    plan: Plan, attack: Attack, public: NDArray[np.float64], chosen: tuple[int, int] | None
) -> tuple[Pair, ...]:
    frontier, pool = attack.endpoints.frontier[0], attack.endpoints.pool[0]
    weights = np.array([float(weight) for weight in attack.feedback.distance_weights])
    names = plan.benchmark.models
    found = [
        Pair(
            names[one],
            names[other],
            float(np.abs(public[one] - public[other]) @ weights / weights.sum()),
            bool(pool[one] and pool[other]),
            bool(frontier[one] and frontier[other]),
            chosen is not None and {one, other} == set(chosen),
        )
        for one, other in combinations(range(len(names)), 2)
    ]
    return tuple(sorted(found, key=lambda pair: -pair.distance_pp))


def _standings(plan: Plan, attack: Attack, no_attack: int, selected: int) -> tuple[Standing, ...]:
    """Return scores and ranks of those that the outcome is about, in the pool of genuine models and router."""
    sides = []
    for scale, models, router in zip(
        (plan.reused, plan.held_out), attack.model_sums, attack.router_sums, strict=True
    ):
        scores = np.append(performance(plan, scale, models)[0], performance(plan, scale, router)[1, 0])
        losses = loss(scores)
        if plan.benchmark.settings.ranking == "mean_win_rate":
            losses = _win_losses(plan, scale, models, router)
        sides.append((100 * scores, 1 + (losses[None, :] < losses[:, None]).sum(axis=1)))
    names = (*plan.benchmark.models, FINAL_ROUTER)
    router_place = len(names) - 1
    roles = (
        ("Endpoint A", int(attack.endpoints.a[0])),
        ("Endpoint B", int(attack.endpoints.b[0])),
        ("No attack", no_attack),
        ("Chosen", router_place if selected == ROUTER else selected),
        ("Final router", router_place),
    )
    return tuple(
        Standing(
            role,
            names[place],
            float(sides[0][0][place]),
            float(sides[1][0][place]),
            int(sides[0][1][place]),
            int(sides[1][1][place]),
        )
        for role, place in roles
    )


def _win_losses(plan: Plan, scale: Scale, models: Limbs, router: Limbs) -> NDArray[np.float64]:
    """Return 1 - mean win rate in the pool of genuine models and the final router, shape (models + 1,)."""
    coordinates = plan.own.coordinates if plan.own.size > 1 else performance_coordinates(plan.benchmark)
    both = tuple(
        np.concatenate([own[:, 0, :], other[:, 1, :]], axis=1)
        for own, other in zip(models, router, strict=True)
    )
    table = stack([scale.score(both, coordinate, rounded=False) for coordinate in coordinates])
    total = wins(table)
    return loss(total / (2.0 * len(coordinates) * (len(total) - 1)))
