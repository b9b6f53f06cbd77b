"""The fast engine: every trial and budget of the attack as a few matrix products.

Candidate scores for all trials are gates times masked half differences; votes are weights times gates, accumulated over
the budgets' prefix blocks. Sums are exact (see `core.reuse.exact`), so the outcome does not depend on how trials are
grouped or on the number of workers. `tests/oracles` holds the slow twin.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product, repeat
from typing import TYPE_CHECKING, Final

import numpy as np

from core.reuse import exact
from core.reuse.attack import final_choices, static_choice, task_weights
from core.reuse.endpoints import Endpoints, select_endpoints
from core.reuse.feedback import public_feedback
from core.reuse.paired import PairedErrors
from core.reuse.rules import Occasion, Released, model_key
from core.reuse.scoring import performance_of
from core.threads import one_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.reuse.exact import Limbs
    from core.reuse.feedback import PublicFeedback
    from core.reuse.plan import Plan
    from core.reuse.rules import StandardErrors
    from core.reuse.scoring import ItemTable

FLOAT32_BITS: Final = 24
SMALL_TASK: Final = 128  # prompts per task below which a second thread does not pay
KEPT_DUELS: Final = (
    2  # a rule and a coarser one often take turns; each costs as much memory as a block's sums
)


@dataclass(frozen=True, eq=False)
class Attack:
    """What the attack did in a block of trials.

    Parameters
    ----------
    endpoints
        The chosen pairs.
    feedback
        The public table that they were chosen from.
    answers
        What the rule released of the genuine models and of the random candidates.
    model_sums
        (reused, held out): task sums of the genuine models, limbs of shape (tasks, trials, models).
    router_sums
        (reused, held out): task sums of the final router of each budget, limbs of shape (tasks, budgets, trials).
    duel
        What the random candidates made of the pairs.
    """

    endpoints: Endpoints
    feedback: PublicFeedback
    answers: Released
    model_sums: tuple[Limbs, Limbs]
    router_sums: tuple[Limbs, Limbs]
    duel: Duel

    @property
    def candidate_sums(self) -> tuple[Limbs, Limbs]:
        """(reused, held out): task sums of the random candidates, limbs of shape (tasks, candidates, trials)."""
        return self.duel.candidate_sums


@dataclass(frozen=True, eq=False)
class Duel:
    """The chosen pairs of a block of trials and all that mixing them makes, whatever the rule releases of it.

    Parameters
    ----------
    a, b
        Shape (trials,): the mixed models.
    differences
        Shape (prompts, trials) each: score of A minus score of B, limbs.
    sums_a, sums_b
        (reused, held out): the two models' task sums, limbs of shape (tasks, trials).
    candidate_sums
        (reused, held out): task sums of the random candidates, limbs of shape (tasks, candidates, trials).
    performances
        (reused, held out): unrounded performances of the random candidates, shape (candidates, trials).
    """

    a: NDArray[np.intp]
    b: NDArray[np.intp]
    differences: Limbs
    sums_a: list[Limbs]
    sums_b: list[Limbs]
    candidate_sums: tuple[Limbs, Limbs]
    performances: tuple[NDArray[np.float64], NDArray[np.float64]]


class Block:
    """Some trials of a benchmark and what every rule that is played on them shares.

    Parameters
    ----------
    plan
        Any plan of the study; its rule does not matter.
    held_out
        Shape (trials, prompts): held-out prompts, in the benchmark's prompt order.
    signs
        `router_signs(plan)`, where the caller keeps it for several blocks.
    """

    def __init__(
        self, plan: Plan, held_out: NDArray[np.bool_], signs: NDArray[np.floating] | None = None
    ) -> None:
        self.signs = router_signs(plan) if signs is None else signs
        self.masks = _side_masks(plan.table, held_out)
        self.model_sums = _model_sums(plan, self.masks[1])
        self._duels: list[Duel] = []

    @cached_property
    def keys(self) -> tuple[bytes, ...]:
        """What identifies the choices of each random candidate."""
        return tuple(hashlib.sha256(row).digest() for row in np.ascontiguousarray((self.signs > 0).T))

    def duel(self, plan: Plan, a: NDArray[np.intp], b: NDArray[np.intp]) -> Duel:
        """Return what the random candidates make of these pairs; the last answers are kept for rules that choose alike."""
        for known in self._duels:
            if np.array_equal(known.a, a) and np.array_equal(known.b, b):
                return known
        del self._duels[: 1 - KEPT_DUELS]  # the old sums go before the new ones come
        self._duels.append(self._new_duel(plan, a, b))
        return self._duels[-1]

    def _new_duel(self, plan: Plan, a: NDArray[np.intp], b: NDArray[np.intp]) -> Duel:
        differences = tuple(np.ascontiguousarray((limb[a] - limb[b]).T) for limb in plan.table.limbs)
        rows = np.arange(len(a))
        sums_a = [exact.take(side, (slice(None), rows, a)) for side in self.model_sums]
        sums_b = [exact.take(side, (slice(None), rows, b)) for side in self.model_sums]
        candidates = _candidate_sums(plan, self, (a, b), differences, sums_a, sums_b)
        performances = (
            performance_of(plan.benchmark, plan.reused, candidates[0]),
            performance_of(plan.benchmark, plan.held_out, candidates[1]),
        )
        return Duel(a, b, differences, sums_a, sums_b, candidates, performances)


def run_block(plan: Plan, held_out: NDArray[np.bool_], signs: NDArray[np.floating] | None = None) -> Attack:
    """Run the attack under the plan's rule on some trials; parameters as in `Block`."""
    return play(plan, Block(plan, held_out, signs))


def play(plan: Plan, block: Block) -> Attack:
    """Run the attack under the plan's rule on a block of trials that several rules may share."""
    per_task = len(plan.benchmark.prompts) / len(plan.benchmark.tasks)
    with one_thread(when=per_task < SMALL_TASK):
        return _play(plan, block)


def _play(plan: Plan, block: Block) -> Attack:
    reused = block.model_sums[0]
    table = _public_table(plan, reused)
    feedback = public_feedback(plan.benchmark, plan.own, plan.reused, reused)
    if plan.own is plan.rule.interface and plan.rule.modifiers:
        feedback = feedback.under(table.table, table.ones)
    endpoints = select_endpoints(feedback, plan.policy)
    a, b = np.maximum(endpoints.a, 0), np.maximum(endpoints.b, 0)
    duel = block.duel(plan, a, b)
    answers = _answers(plan, block, duel)
    rows = np.arange(len(a))
    released_a, released_b = (exact.take(answers.table, (slice(None), rows, index)) for index in (a, b))
    weights = task_weights(answers.scores, released_a, released_b, answers.shown)
    routers = _router_sums(plan, block, duel, weights, released_a, released_b)
    return Attack(endpoints, feedback, answers, block.model_sums, routers, duel)


def _public_table(plan: Plan, model_sums: Limbs) -> Released:
    """Return what the rule shows of the genuine models, before any submission."""
    table = plan.rule.interface.release(plan.reused, model_sums)
    nothing = tuple(np.zeros((len(limb), 0, limb.shape[1])) for limb in table)
    released = Released(table, nothing, plan.rule.interface.ones(plan.reused))
    return plan.rule.apply(released, _occasion(plan, (), ("",) * table[0].shape[1], _no_error))


def _answers(plan: Plan, block: Block, duel: Duel) -> Released:
    """Return what the rule releases of the genuine models and the random candidates."""
    interface = plan.rule.interface
    released = Released(
        interface.release(plan.reused, block.model_sums[0]),
        interface.release(plan.reused, duel.candidate_sums[0]),
        interface.ones(plan.reused),
    )
    if not plan.rule.modifiers:
        return released
    models = plan.benchmark.models
    pairs = tuple(f"{models[one]}|{models[other]}|" for one, other in zip(duel.a, duel.b, strict=True))
    errors = PairedErrors(plan, block.signs, block.masks[0], (duel.a, duel.b))
    return plan.rule.apply(released, _occasion(plan, block.keys, pairs, errors))


def public_answers(plan: Plan, held_out: NDArray[np.bool_], sums: tuple[Limbs, Limbs]) -> Released:
    """Submit every genuine model under the rule, in name order, to an empty board.

    Parameters
    ----------
    plan
        The benchmark and the rule.
    held_out
        Shape (trials, prompts): held-out prompts, in the benchmark's prompt order.
    sums
        `genuine_sums(plan, held_out)`, which several rules may share.

    Returns
    -------
    Released
        With the models as submissions.
    """
    interface, models = plan.rule.interface, plan.benchmark.models
    scores = tuple(np.moveaxis(limb, 2, 1) for limb in interface.release(plan.reused, sums[0]))
    empty = tuple(np.zeros((*limb.shape[::2], 0)) for limb in scores)
    released = Released(empty, scores, interface.ones(plan.reused))
    keys = tuple(model_key(model) for model in models)
    errors = PairedErrors(plan, None, _side_masks(plan.table, held_out)[0], None)
    return plan.rule.apply(released, _occasion(plan, keys, ("",) * len(held_out), errors))


def genuine_sums(plan: Plan, held_out: NDArray[np.bool_]) -> tuple[Limbs, Limbs]:
    """Return (reused, held out): task sums of the genuine models, limbs of shape (tasks, trials, models)."""
    return _model_sums(plan, _side_masks(plan.table, held_out)[1])


def _occasion(
    plan: Plan, keys: tuple[bytes, ...], pairs: tuple[str, ...], errors: StandardErrors
) -> Occasion:
    sizes = [int(plan.reused.sizes[list(one.tasks)].sum()) for one in plan.rule.interface.coordinates]
    return Occasion(
        seed=plan.benchmark.settings.routing_seed,
        models=plan.benchmark.models,
        submission_keys=keys,
        endpoint_names=pairs,
        standard_errors=errors,
        items=np.array(sizes, dtype=np.int64),
    )


def _no_error(
    _coordinate: int, _trial: int, submissions: NDArray[np.intp], _best: tuple[str, int]
) -> NDArray[np.float64]:
    return np.zeros(len(submissions))


def router_signs(plan: Plan) -> NDArray[np.floating]:
    """Return the random routers' choices as +1 and -1 in the table's order, shape (prompts, candidates)."""
    return plan.gates.signs(plan.table.order, _sum_type(plan))


def _sum_type(plan: Plan) -> type[np.floating]:
    """Return float32 where a task's sums are exact in it (it halves time and memory), else float64."""
    largest = 4 * len(plan.benchmark.items) * plan.reused.unit
    return np.float32 if plan.reused.counts and largest.bit_length() <= FLOAT32_BITS else np.float64


def _side_masks(
    table: ItemTable, held_out: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return 1.0 where a prompt is on the reused and on the held-out side, shape (prompts, trials) each."""
    held = np.ascontiguousarray(held_out[:, table.order].T, dtype=np.float64)
    return 1.0 - held, held


def _model_sums(plan: Plan, held: NDArray[np.float64]) -> tuple[Limbs, Limbs]:
    """Return the genuine models' task sums on both sides; the reused side is what the held-out one leaves."""
    starts, kind = plan.table.starts, _sum_type(plan)
    sides: tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]] = ([], [])
    for limb in plan.table.limbs:
        both = [np.empty((len(starts) - 1, held.shape[1], len(limb))) for _ in sides]
        for task in range(len(starts) - 1):
            here = slice(starts[task], starts[task + 1])
            part = limb[:, here].astype(kind, copy=False)
            both[1][task] = (part @ held[here].astype(kind, copy=False)).T
            both[0][task] = part.sum(axis=1) - both[1][task]
        for side, sums in zip(sides, both, strict=True):
            side.append(sums)
    return tuple(sides[0]), tuple(sides[1])


def _candidate_sums(
    plan: Plan,
    block: Block,
    endpoints: tuple[NDArray[np.intp], NDArray[np.intp]],
    differences: Limbs,
    sums_a: Sequence[Limbs],
    sums_b: Sequence[Limbs],
) -> tuple[Limbs, Limbs]:
    """Return the candidates' task sums on both sides, limbs of shape (tasks, candidates, trials).

    Both sides together depend on the pair alone, so they are added up once per pair; the reused side is what the held-out
    one leaves.
    """
    starts, signs, held = plan.table.starts, block.signs, block.masks[1]
    tasks, trials = len(starts) - 1, held.shape[1]
    a, b = endpoints
    _, firsts, pair = np.unique(a * len(plan.benchmark.models) + b, return_index=True, return_inverse=True)
    sides: tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]] = ([], [])
    for depth, limb in enumerate(differences):
        both = [np.empty((tasks, signs.shape[1], trials)) for _ in sides]
        for task in range(tasks):
            here = slice(starts[task], starts[task + 1])
            columns = np.concatenate([limb[here] * held[here], limb[here][:, firsts]], axis=1)
            totals = signs[here].T @ columns.astype(signs.dtype, copy=False)
            both[1][task] = totals[:, :trials]
            both[0][task] = totals[:, trials:][:, pair] - totals[:, :trials]
        for side in range(2):
            # sum over the chosen endpoints' scores = (A + B + sum of +-(A - B)) / 2, exact
            both[side] += (sums_a[side][depth] + sums_b[side][depth])[:, None, :]
            both[side] *= 0.5
            sides[side].append(both[side])
    return tuple(sides[0]), tuple(sides[1])


def _router_sums(
    plan: Plan, block: Block, duel: Duel, weights: Limbs, released_a: Limbs, released_b: Limbs
) -> tuple[Limbs, Limbs]:
    """Return the final routers' task sums on both sides, limbs of shape (tasks, budgets, trials)."""
    starts, budgets, masks, differences = plan.table.starts, plan.budgets, block.masks, duel.differences
    tasks, trials = len(starts) - 1, masks[0].shape[1]
    tie = plan.gates.tie[plan.table.order]
    alone = sum(plan.answered(budget) == 1 for budget in budgets)  # budgets without an answered candidate
    sides = tuple(tuple(np.empty((tasks, len(budgets), trials)) for _ in differences) for _ in masks)
    for column, coordinate in enumerate(plan.rule.interface.coordinates):
        on_column = [exact.take(limbs, column) for limbs in (released_a, released_b, weights)]
        for task in plan.table.rows_of(coordinate):
            here = slice(starts[task], starts[task + 1])
            masked = [[limb[here] * mask[here] for limb in differences] for mask in masks]
            static = static_choice(on_column[0], on_column[1], tie[here])
            choices = chain(
                repeat(static, alone),
                final_choices(block.signs[here], on_column[2], tie[here], budgets[alone:]),
            )
            for place, choice in enumerate(choices):
                taken = choice.astype(np.float64)
                for side, depth in product(range(2), range(len(differences))):
                    gained = np.einsum("pt,pt->t", masked[side][depth], taken)
                    sides[side][depth][task, place] = duel.sums_b[side][depth][task] + gained
    return sides[0], sides[1]
