"""What an attack did to the leaderboard: selection loss, rank drop, false winners, score gap.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), metrics. All values
are per trial and budget; averages and intervals are the business of `core.reuse.study`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.reuse import exact
from core.reuse.feedback import LOSS_DECIMALS, wins
from core.reuse.interfaces import category_weights
from core.reuse.scoring import coordinates_of, performance_of, stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.reuse.engine import Attack, Plan
    from core.reuse.exact import Limbs
    from core.reuse.scoring import Scale

ROUTER: Final = -1  # stands for the final router where a model index is expected


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Outcomes per trial (and budget); trials come first, scores are fractions.

    Parameters
    ----------
    eligible, base_a, base_b
        Shape (trials,): whether a pair of endpoints exists, and its model indices (-1: none).
    no_attack
        Shape (trials,): the genuine model that leads publicly.
    selected
        Shape (trials, budgets): the model that leads after the attack, `ROUTER` for the final router.
    rank_drop, false_winner
        Shape (trials, budgets).
    score_gap
        Shape (trials, budgets), and `genuine_gap`, shape (trials,): fractions.
    no_attack_reused, no_attack_heldout
        Shape (trials,).
    selected_reused, selected_heldout, router_reused, router_heldout
        Shape (trials, budgets).
    released_scores
        Shape (trials, budgets): coordinate scores of random candidates that were released.
    """

    eligible: NDArray[np.bool_]
    base_a: NDArray[np.intp]
    base_b: NDArray[np.intp]
    no_attack: NDArray[np.intp]
    selected: NDArray[np.intp]
    rank_drop: NDArray[np.intp]
    false_winner: NDArray[np.bool_]
    score_gap: NDArray[np.float64]
    genuine_gap: NDArray[np.float64]
    no_attack_reused: NDArray[np.float64]
    no_attack_heldout: NDArray[np.float64]
    selected_reused: NDArray[np.float64]
    selected_heldout: NDArray[np.float64]
    router_reused: NDArray[np.float64]
    router_heldout: NDArray[np.float64]
    released_scores: NDArray[np.int64]

    @classmethod
    def join(cls, parts: list[Outcomes]) -> Outcomes:
        """Return the outcomes of several blocks of trials as one."""
        joined: dict[str, Any] = {
            field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)
        }
        return cls(**joined)

    @property
    def selection_loss(self) -> NDArray[np.float64]:
        """Held-out performance lost by following the ranking, shape (trials, budgets), a fraction; signed."""
        return self.no_attack_heldout[:, None] - self.selected_heldout

    @property
    def selected_router(self) -> NDArray[np.bool_]:
        """Whether the final router is chosen, shape (trials, budgets)."""
        return np.asarray(self.selected == ROUTER)


def performance(plan: Plan, scale: Scale, sums: Limbs) -> NDArray[np.float64]:
    """Return the unrounded performance from task sums, shape (...) for sums of shape (tasks, ...)."""
    return performance_of(plan.benchmark, scale, sums)


def loss(statistic: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 - statistic, rounded so that equal models compare equal whatever the order of additions."""
    return np.round(1.0 - statistic, LOSS_DECIMALS)


def outcomes(plan: Plan, attack: Attack) -> Outcomes:
    """Measure an attack."""
    genuine = [
        performance(plan, scale, sums)
        for scale, sums in zip((plan.reused, plan.held_out), attack.model_sums, strict=True)
    ]
    router = [
        performance(plan, scale, sums).T
        for scale, sums in zip((plan.reused, plan.held_out), attack.router_sums, strict=True)
    ]
    public, private = _rankings(plan, attack, genuine, router)
    rows = np.arange(len(genuine[0]))
    no_attack = public.alone.argmin(axis=1)
    best = public.models.argmin(axis=2)
    best_loss = np.take_along_axis(public.models, best[:, :, None], axis=2)[:, :, 0]
    leads = public.router < best_loss
    selected = np.where(leads, ROUTER, best)
    chosen_loss = np.where(leads, private.router, _at(private.models, best))
    rank = _rank(private, chosen_loss)
    rank_before = _rank(private, _at(private.models, np.broadcast_to(no_attack[:, None], best.shape)))
    gap, genuine_gap = _score_gaps(plan, attack, genuine, router)
    return Outcomes(
        eligible=attack.endpoints.eligible,
        base_a=attack.endpoints.a,
        base_b=attack.endpoints.b,
        no_attack=no_attack,
        selected=selected,
        rank_drop=rank - rank_before,
        false_winner=(public.router <= best_loss) & (_rank(private, private.router) > 1),
        score_gap=gap,
        genuine_gap=genuine_gap,
        no_attack_reused=genuine[0][rows, no_attack],
        no_attack_heldout=genuine[1][rows, no_attack],
        selected_reused=np.where(leads, router[0], genuine[0][rows[:, None], best]),
        selected_heldout=np.where(leads, router[1], genuine[1][rows[:, None], best]),
        router_reused=router[0],
        router_heldout=router[1],
        released_scores=_released_scores(plan, attack),
    )


@dataclass(frozen=True, eq=False)
class _Ranking:
    """Rounded losses by the ranking's statistic on one side.

    `alone` has shape (trials, models); `models` (trials, budgets, models) and `router` (trials, budgets) hold the
    losses in the pool of genuine models and the final router.
    """

    alone: NDArray[np.float64]
    models: NDArray[np.float64]
    router: NDArray[np.float64]


def _rankings(
    plan: Plan, attack: Attack, genuine: list[NDArray[np.float64]], router: list[NDArray[np.float64]]
) -> tuple[_Ranking, _Ranking]:
    """Return the public and the held-out ranking."""
    scales = (plan.reused, plan.held_out)
    by_wins = plan.benchmark.settings.ranking == "mean_win_rate"
    sides = []
    for side in range(2):
        if plan.rule.interface.practical and side == 0:
            models, routers = _released_overall(plan, attack)
            sides.append(_plain_ranking(models, routers))
        elif by_wins:
            sides.append(_win_ranking(plan, scales[side], attack.model_sums[side], attack.router_sums[side]))
        else:
            sides.append(_plain_ranking(genuine[side], router[side]))
    return sides[0], sides[1]


def _plain_ranking(models: NDArray[np.float64], router: NDArray[np.float64]) -> _Ranking:
    alone = loss(models)
    return _Ranking(alone, np.broadcast_to(alone[:, None, :], (*router.shape, alone.shape[1])), loss(router))


def _win_ranking(plan: Plan, scale: Scale, model_sums: Limbs, router_sums: Limbs) -> _Ranking:
    """Rank by mean win rate, recomputed over the pool of genuine models and the final router."""
    coordinates = coordinates_of(plan.benchmark, plan.benchmark.settings.coordinates)
    models = model_sums[0].shape[2]
    own = stack([scale.score(model_sums, coordinate, rounded=False) for coordinate in coordinates])
    other = stack([scale.score(router_sums, coordinate, rounded=False) for coordinate in coordinates])
    genuine_wins = wins(own)
    # Duels against the router: 2 for a win, 1 for a tie; shape (trials, budgets, models).
    duels = np.zeros((own[0].shape[1], other[0].shape[1], models))
    for place in range(len(coordinates)):
        left = tuple(limb[place][:, None, :] for limb in own)
        right = tuple(limb[place].T[:, :, None] for limb in other)
        duels += 1.0 + exact.sign(exact.add(left, right, factor=-1.0))
    router_wins = (2.0 * len(coordinates) - duels).sum(axis=2)
    scale_alone = 2.0 * len(coordinates) * (models - 1)
    scale_pool = 2.0 * len(coordinates) * models
    return _Ranking(
        alone=loss(genuine_wins / scale_alone),
        models=loss((genuine_wins[:, None, :] + duels) / scale_pool),
        router=loss(router_wins / scale_pool),
    )


def _released_overall(plan: Plan, attack: Attack) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the released overall of the genuine models (trials, models) and of the routers (trials, budgets)."""
    ones = plan.rule.interface.ones(plan.reused)
    weights = np.array(
        [
            float(weight / one)
            for weight, one in zip(category_weights(plan.benchmark, plan.rule.interface), ones, strict=True)
        ]
    )
    models, routers = (
        np.tensordot(weights, exact.collapse(plan.rule.interface.release(plan.reused, sums)), axes=1)
        for sums in (attack.model_sums[0], attack.router_sums[0])
    )
    return models, routers.T


def _at(values: NDArray[np.float64], index: NDArray[np.intp]) -> NDArray[np.float64]:
    return np.take_along_axis(values, index[:, :, None], axis=2)[:, :, 0]


def _rank(side: _Ranking, own_loss: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return 1 + the number in the pool that is strictly better."""
    better = (side.models < own_loss[:, :, None]).sum(axis=2) + (side.router < own_loss)
    return np.asarray(1 + better, dtype=np.intp)


def _released_scores(plan: Plan, attack: Attack) -> NDArray[np.int64]:
    """Return how many scores the random candidates of each budget got back."""
    answers = attack.answers
    coordinates, _, trials = answers.scores[0].shape
    if answers.shown is None:
        counts = [coordinates * (budget - 1) for budget in plan.budgets]
        return np.broadcast_to(np.array(counts, dtype=np.int64), (trials, len(counts)))
    per_submission = np.concatenate([np.zeros((1, trials), dtype=np.int64), answers.shown.sum(axis=0)])
    return np.cumsum(per_submission, axis=0)[[budget - 1 for budget in plan.budgets]].T


def _score_gaps(
    plan: Plan, attack: Attack, genuine: list[NDArray[np.float64]], router: list[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the score gap of each budget and of the genuine models alone, from two running minima of loss.

    The endpoints come after the genuine models in the history and are among them, so they never move a minimum.
    """
    minima = []
    for side in range(2):
        losses = 1.0 - genuine[side].T
        candidates = 1.0 - attack.duel.performances[side]
        minima.append(np.minimum.accumulate(np.concatenate([losses, candidates]), axis=0))
    gaps = np.maximum.accumulate(np.abs(minima[0] - minima[1]), axis=0)
    models = genuine[0].shape[1]
    # The last entry before the final router; what a cap leaves unanswered never was on the board.
    last = np.array([models - 1 + plan.answered(budget) - 1 for budget in plan.budgets])
    with_router = np.abs(
        np.minimum(minima[0][last].T, 1.0 - router[0]) - np.minimum(minima[1][last].T, 1.0 - router[1])
    )
    return np.maximum(gaps[last].T, with_router), gaps[models - 1]
