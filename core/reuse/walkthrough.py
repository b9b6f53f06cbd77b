"""One trial at one budget, with everything on the table: what the attacker sees, does, and gets.

`walk` runs the same engine as a study on a single split and keeps what a study averages away: the public table, all pairs
with their distances, the released scores and weights of every candidate, each prompt's vote, ranks, and the two running
minima that the score gap is made of.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), endpoints, weights,
final router and metrics.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import UsageError
from core.reuse import exact
from core.reuse.feedback import wins
from core.reuse.history import History, history_of, run_trial
from core.reuse.metrics import ROUTER, loss, outcomes, performance
from core.reuse.scoring import performance_coordinates, stack
from core.reuse.vote import Vote, cast_vote

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.engine import Attack, Plan
    from core.reuse.exact import Limbs
    from core.reuse.scoring import Scale

FINAL_ROUTER: Final = "Final router"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models and how far apart their public profiles are.

    Parameters
    ----------
    first, second
        Names, the one that sorts first in front.
    distance_pp
        Mean absolute difference over the coordinates, pp.
    in_pool
        Whether both are among the models that the pair is sought in.
    on_frontier
        Whether neither is dominated.
    chosen
        Whether this is the pair that is mixed.
    """

    first: str
    second: str
    distance_pp: float
    in_pool: bool
    on_frontier: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the leaderboard that the outcome is about.

    Parameters
    ----------
    role
        ``Endpoint A``, ``Endpoint B``, ``No attack``, ``Chosen`` or ``Final router``.
    model
        Its name; the final router's is `FINAL_ROUTER`.
    reused_pp, heldout_pp
        Unrounded performance on both halves, percent.
    reused_rank, heldout_rank
        Rank among the genuine models and the final router, by the ranking's own statistic.
    """

    role: str
    model: str
    reused_pp: float
    heldout_pp: float
    reused_rank: int
    heldout_rank: int


@dataclass(frozen=True, eq=False)
class Walkthrough:
    """One trial at one budget.

    Parameters
    ----------
    benchmark, trial, budget, endpoint_policy
        What was run.
    models, coordinates
        Names.
    public_pp
        Shape (models, coordinates): the released table of the genuine models, percent.
    public_rank
        Shape (models,): place on the public leaderboard among the genuine models (1 is best; ties share a place).
    frontier, pool
        Shape (models,): not dominated; among the models that the pair is sought in.
    pairs
        All pairs, most distant first.
    endpoint_a, endpoint_b
        Names; None where fewer than two models are on the frontier and the trial is not eligible.
    a_pp, b_pp
        Shape (coordinates,): the endpoints' released scores, percent.
    candidates_pp
        Shape (candidates, coordinates): the random routers' released scores, percent.
    weights
        One tuple per coordinate, shape (coordinates)(candidates): exact weights p - (a + b) / 2, fractions of 1.
    prompts
        Prompt hashes; `prompt_items` are the names of their items, `prompt_coordinate` indexes `coordinates`.
    held_out
        Shape (prompts,): whether the prompt is held out.
    votes
        Shape (prompts,): the votes as floats, pp. A tie is exactly 0 here; whether a float 0 is one says `ties`.
    ties
        Shape (prompts,): whether the vote is exactly zero, so that the tie router decides.
    takes_a
        Shape (prompts,): the final router's choices.
    standings
        Endpoint A, endpoint B, the no-attack choice, the choice after the attack, the final router.
    loss_pp, rank_drop, false_winner
        The outcome; NaN, 0 and False where the trial is not eligible.
    history
        The two running minima and the score gap.
    routing_seed, tie_seed
        Seeds of the coin flips.
    """

    benchmark: str
    trial: int
    budget: int
    endpoint_policy: str
    models: tuple[str, ...]
    coordinates: tuple[str, ...]
    public_pp: NDArray[np.float64]
    public_rank: NDArray[np.intp]
    frontier: NDArray[np.bool_]
    pool: NDArray[np.bool_]
    pairs: tuple[Pair, ...]
    endpoint_a: str | None
    endpoint_b: str | None
    a_pp: NDArray[np.float64]
    b_pp: NDArray[np.float64]
    candidates_pp: NDArray[np.float64]
    weights: tuple[tuple[Fraction, ...], ...]
    prompts: tuple[str, ...]
    prompt_items: tuple[str, ...]
    prompt_coordinate: NDArray[np.intp]
    held_out: NDArray[np.bool_]
    votes: NDArray[np.float64]
    ties: NDArray[np.bool_]
    takes_a: NDArray[np.bool_]
    standings: tuple[Standing, ...]
    loss_pp: float
    rank_drop: int
    false_winner: bool
    history: History
    routing_seed: str
    tie_seed: str

    @property
    def eligible(self) -> bool:
        """Whether there is a pair to mix."""
        return self.endpoint_a is not None

    @property
    def chosen_pair(self) -> Pair | None:
        """The pair that is mixed."""
        return next((pair for pair in self.pairs if pair.chosen), None)

    def vote_on(self, prompt: int) -> Vote:
        """Return the vote on a prompt, candidate by candidate, with its coin flips recomputed from the seeds.

        Parameters
        ----------
        prompt
            Index into `prompts`.

        Raises
        ------
        UsageError
            If the trial is not eligible or there is no such prompt.
        """
        if not self.eligible:
            raise UsageError(
                f"Trial {self.trial} has no pair of models to mix, so there is no vote. Choose another trial."
            )
        if not 0 <= prompt < len(self.prompts):
            raise UsageError(f"A prompt's number is 0 to {len(self.prompts) - 1}, found {prompt}.")
        return cast_vote(
            self.prompts[prompt],
            self.weights[int(self.prompt_coordinate[prompt])],
            routing_seed=self.routing_seed,
            tie_seed=self.tie_seed,
        )


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
