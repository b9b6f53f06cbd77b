"""The fast engine: every trial and budget of the attack as a few matrix products.

Candidate scores for all trials are gates times masked half differences; votes are weights times gates, accumulated over
the budgets' prefix blocks. Sums are exact (see `core.reuse.exact`), so the outcome does not depend on how trials are
grouped or on the number of workers. `tests/oracles` holds the slow twin.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, product
from typing import TYPE_CHECKING, Final

import numpy as np

from core.reuse import exact
from core.reuse.attack import final_choices, static_choice, task_weights
from core.reuse.endpoints import Endpoints, select_endpoints
from core.reuse.feedback import interface_of, public_feedback
from core.reuse.scoring import ItemTable, Scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.exact import Limbs
    from core.reuse.feedback import Interface, PublicFeedback
    from core.reuse.gates import Gates

FLOAT32_BITS: Final = 24


@dataclass(frozen=True, eq=False)
class Attack:
    """What the attack did in a block of trials.

    Parameters
    ----------
    endpoints
        The chosen pairs.
    model_sums
        (reused, held out): task sums of the genuine models, limbs of shape (tasks, trials, models).
    router_sums
        (reused, held out): task sums of the final router of each budget, limbs of shape (tasks, budgets, trials).
    candidate_sums
        (reused, held out): task sums of the random candidates, limbs of shape (tasks, candidates, trials).
    """

    endpoints: Endpoints
    feedback: PublicFeedback
    model_sums: tuple[Limbs, Limbs]
    router_sums: tuple[Limbs, Limbs]
    candidate_sums: tuple[Limbs, Limbs]


@dataclass(frozen=True, eq=False)
class Plan:
    """What all blocks of a study share.

    Parameters
    ----------
    benchmark, table
        The data, and its layout by task.
    interface
        What a submission gets back.
    own
        The interface that endpoints are chosen from.
    policy
        Which models may become endpoints.
    budgets
        Ascending, starting with 1.
    gates
        Choices of the random routers, rows in the benchmark's prompt order.
    reused, held_out
        How task sums become scores on either side.
    """

    benchmark: Benchmark
    table: ItemTable
    interface: Interface
    own: Interface
    policy: EndpointPolicy
    budgets: tuple[int, ...]
    gates: Gates
    reused: Scale
    held_out: Scale

    @classmethod
    def of(
        cls,
        benchmark: Benchmark,
        *,
        policy: EndpointPolicy,
        feedback: str | None,
        budgets: tuple[int, ...],
        gates: Gates,
        targets: NDArray[np.int64],
    ) -> Plan:
        """Plan a study; `targets` are the held-out items per task."""
        table = ItemTable.of(benchmark)
        interface = interface_of(benchmark, feedback)
        own = interface if interface.practical or interface.size == 1 else interface_of(benchmark)
        if feedback is not None and feedback.startswith("grouped:"):
            own = interface_of(benchmark)
        sizes = np.bincount(benchmark.item_task, minlength=len(benchmark.tasks))
        return cls(
            benchmark=benchmark,
            table=table,
            interface=interface,
            own=own,
            policy=policy,
            budgets=budgets,
            gates=gates,
            reused=table.scale(benchmark, sizes - targets),
            held_out=table.scale(benchmark, targets),
        )


def run_block(plan: Plan, held_out: NDArray[np.bool_], signs: NDArray[np.floating] | None = None) -> Attack:
    """Run the attack on some trials.

    Parameters
    ----------
    plan
        The study's plan.
    held_out
        Shape (trials, prompts): held-out prompts, in the benchmark's prompt order.
    signs
        `router_signs(plan)`, where the caller keeps it for several blocks.
    """
    table = plan.table
    signs = router_signs(plan) if signs is None else signs
    masks = _side_masks(table, held_out)
    model_sums = (_model_sums(table, masks[0]), _model_sums(table, masks[1]))
    feedback = public_feedback(plan.benchmark, plan.own, plan.reused, model_sums[0])
    endpoints = select_endpoints(feedback, plan.policy)
    a, b = np.maximum(endpoints.a, 0), np.maximum(endpoints.b, 0)
    differences = tuple(np.ascontiguousarray((limb[a] - limb[b]).T) for limb in table.limbs)
    rows = np.arange(len(a))
    sums_a = [exact.take(side, (slice(None), rows, a)) for side in model_sums]
    sums_b = [exact.take(side, (slice(None), rows, b)) for side in model_sums]
    candidates = _candidate_sums(plan, signs, differences, masks, sums_a, sums_b)
    released = plan.interface.release(plan.reused, candidates[0])
    released_a = plan.interface.release(plan.reused, sums_a[0])
    released_b = plan.interface.release(plan.reused, sums_b[0])
    weights = task_weights(released, released_a, released_b)
    routers = _router_sums(plan, signs, differences, masks, sums_b, weights, released_a, released_b)
    return Attack(endpoints, feedback, model_sums, routers, candidates)


def router_signs(plan: Plan) -> NDArray[np.floating]:
    """Return the random routers' choices as +1 and -1 in the table's order, shape (prompts, candidates).

    float32 where a task's sums are exact in it (it halves time and memory), else float64.
    """
    largest = 4 * len(plan.benchmark.items) * plan.reused.unit
    narrow = plan.reused.counts and largest.bit_length() <= FLOAT32_BITS
    return plan.gates.signs(plan.table.order, np.float32 if narrow else np.float64)


def _vote_type(plan: Plan) -> type[np.floating]:
    """Return float32 where sums over all candidates are exact in it, else float64."""
    counted = plan.reused.counts and plan.reused.precision == "exact"
    plain = all(coordinate.pooled or len(coordinate.tasks) == 1 for coordinate in plan.interface.coordinates)
    largest = 4 * plan.budgets[-1] * len(plan.benchmark.items) * plan.reused.unit
    return np.float32 if counted and plain and largest.bit_length() <= FLOAT32_BITS else np.float64


def _side_masks(
    table: ItemTable, held_out: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return 1.0 where a prompt is on the reused and on the held-out side, shape (prompts, trials) each."""
    held = np.ascontiguousarray(held_out[:, table.order].T, dtype=np.float64)
    return 1.0 - held, held


def _model_sums(table: ItemTable, mask: NDArray[np.float64]) -> Limbs:
    tasks = len(table.starts) - 1
    result = []
    for limb in table.limbs:
        sums = np.empty((tasks, mask.shape[1], limb.shape[0]))
        for task in range(tasks):
            block = slice(table.starts[task], table.starts[task + 1])
            sums[task] = (limb[:, block] @ mask[block]).T
        result.append(sums)
    return tuple(result)


def _candidate_sums(
    plan: Plan,
    signs: NDArray[np.floating],
    differences: Limbs,
    masks: tuple[NDArray[np.float64], NDArray[np.float64]],
    sums_a: Sequence[Limbs],
    sums_b: Sequence[Limbs],
) -> tuple[Limbs, Limbs]:
    """Return the candidates' task sums on both sides, limbs of shape (tasks, candidates, trials)."""
    starts = plan.table.starts
    tasks, trials = len(starts) - 1, masks[0].shape[1]
    sides: tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]] = ([], [])
    for depth, limb in enumerate(differences):
        both = [np.empty((tasks, signs.shape[1], trials)) for _ in masks]
        for task in range(tasks):
            block = slice(starts[task], starts[task + 1])
            masked = np.concatenate([limb[block] * mask[block] for mask in masks], axis=1)
            totals = signs[block].T @ masked.astype(signs.dtype, copy=False)
            both[0][task] = totals[:, :trials]
            both[1][task] = totals[:, trials:]
        for side in range(2):
            # sum over the chosen endpoints' scores = (A + B + sum of +-(A - B)) / 2, exact
            both[side] += (sums_a[side][depth] + sums_b[side][depth])[:, None, :]
            both[side] *= 0.5
            sides[side].append(both[side])
    return tuple(sides[0]), tuple(sides[1])


def _router_sums(
    plan: Plan,
    signs: NDArray[np.floating],
    differences: Limbs,
    masks: tuple[NDArray[np.float64], NDArray[np.float64]],
    sums_b: Sequence[Limbs],
    weights: Limbs,
    released_a: Limbs,
    released_b: Limbs,
) -> tuple[Limbs, Limbs]:
    """Return the final routers' task sums on both sides, limbs of shape (tasks, budgets, trials)."""
    starts, budgets = plan.table.starts, plan.budgets
    tasks, trials = len(starts) - 1, masks[0].shape[1]
    tie = plan.gates.tie[plan.table.order]
    vote_type = _vote_type(plan)
    sides = tuple(tuple(np.empty((tasks, len(budgets), trials)) for _ in differences) for _ in masks)
    for column, coordinate in enumerate(plan.interface.coordinates):
        on_column = [exact.take(limbs, column) for limbs in (released_a, released_b, weights)]
        for task in coordinate.tasks:
            block = slice(starts[task], starts[task + 1])
            masked = [[limb[block] * mask[block] for limb in differences] for mask in masks]
            task_gates = signs[block].astype(vote_type, copy=False)
            choices = chain(
                [static_choice(on_column[0], on_column[1], tie[block])],
                final_choices(task_gates, on_column[2], tie[block], budgets[1:]),
            )
            for place, choice in enumerate(choices):
                taken = choice.astype(np.float64)
                for side, depth in product(range(2), range(len(differences))):
                    gained = np.einsum("pt,pt->t", masked[side][depth], taken)
                    sides[side][depth][task, place] = sums_b[side][depth][task] + gained
    return sides[0], sides[1]
