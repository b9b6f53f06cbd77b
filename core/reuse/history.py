"""The submission history of one trial: two running minima of loss, and the score gap between them.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), score generalisation
gap: the largest distance, over the history, between the lowest public loss and the lowest held-out loss so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from core.benchmark.splits import held_out_mask, holdout_targets
from core.errors import UsageError
from core.reuse.engine import Plan, run_block
from core.reuse.gates import gates
from core.reuse.metrics import performance
from core.reuse.rules import parse_rule
from core.reuse.scoring import MAX_CANDIDATES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.engine import Attack

Kind = Literal["model", "endpoint", "candidate", "router"]
KINDS: Final[tuple[Kind, ...]] = ("model", "endpoint", "candidate", "router")


@dataclass(frozen=True, eq=False)
class History:
    """Everything on the leaderboard in order of submission: genuine models by name, A, B, candidates, final router.

    Parameters
    ----------
    names
        Shape (positions,): what stands there.
    kinds
        Shape (positions,): ``model``, ``endpoint``, ``candidate`` or ``router``.
    reused_pp, heldout_pp
        Shape (positions,): performance on the public and on the held-out half, percent.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    reused_pp: NDArray[np.float64]
    heldout_pp: NDArray[np.float64]

    @property
    def best_reused_pp(self) -> NDArray[np.float64]:
        """Shape (positions,): the best public score so far, 100 minus the running minimum of loss."""
        return np.maximum.accumulate(self.reused_pp)

    @property
    def best_heldout_pp(self) -> NDArray[np.float64]:
        """Shape (positions,): the best held-out score so far; it may belong to another entry than the public best."""
        return np.maximum.accumulate(self.heldout_pp)

    @property
    def gap_pp(self) -> NDArray[np.float64]:
        """Shape (positions,): distance between the two running minima of loss."""
        return np.abs(self.best_reused_pp - self.best_heldout_pp)

    @property
    def score_gap_pp(self) -> float:
        """The score generalisation gap: the largest distance over the whole history."""
        return float(self.gap_pp.max())

    @property
    def genuine_gap_pp(self) -> float:
        """The same over the genuine models alone, before any submission: the baseline."""
        return float(self.gap_pp[: self.kinds.count("model")].max())

    def holders(self, side: Literal["reused", "heldout"]) -> tuple[str, ...]:
        """Return who holds the best score of a side at each position; whoever came first keeps a tie."""
        scores = self.reused_pp if side == "reused" else self.heldout_pp
        best = np.maximum.accumulate(scores)
        new = np.concatenate([[True], scores[1:] > best[:-1]])
        place = np.maximum.accumulate(np.where(new, np.arange(len(scores)), 0))
        return tuple(self.names[index] for index in place)


def run_trial(
    benchmark: Benchmark, trial: int, budget: int, endpoints: EndpointPolicy = "top5", *, cache: bool = True
) -> tuple[Plan, Attack, NDArray[np.bool_]]:
    """Run one trial at one budget under the benchmark's own feedback.

    Parameters
    ----------
    benchmark
        Item scores and settings.
    trial
        Number of the split, from 0.
    budget
        Submissions, at least 2: ``budget - 1`` random candidates, then the final router.
    endpoints
        How the pair is chosen.
    cache
        Whether the coin flips may be kept on disk; never for a reader's upload.

    Returns
    -------
    tuple
        The plan (budgets 1 and `budget`), the attack, and which prompts are held out, shape (prompts,).

    Raises
    ------
    UsageError
        If a number is out of range.
    DataError
        If the benchmark cannot be split.
    """
    if isinstance(budget, bool) or not isinstance(budget, int) or not 2 <= budget <= MAX_CANDIDATES:
        raise UsageError(f"A budget is a whole number from 2 to {MAX_CANDIDATES} here, found {budget!r}.")
    settings = benchmark.settings
    held_out = held_out_mask(benchmark, [trial])
    routers = gates(benchmark.prompts, settings.routing_seed, settings.tie_seed, budget - 1, cache=cache)
    plan = Plan.of(
        benchmark,
        policy=endpoints,
        rule=parse_rule(benchmark, settings.coordinates),
        budgets=(1, budget),
        gates=routers,
        targets=holdout_targets(benchmark),
    )
    return plan, run_block(plan, held_out), held_out[0]


def trial_history(
    benchmark: Benchmark, trial: int, budget: int, endpoints: EndpointPolicy = "top5", *, cache: bool = True
) -> History:
    """Return the submission history of one trial; parameters and errors as in `run_trial`."""
    plan, attack, _ = run_trial(benchmark, trial, budget, endpoints, cache=cache)
    return history_of(plan, attack)


def history_of(plan: Plan, attack: Attack) -> History:
    """Return the history of the first trial of a block at the plan's largest budget.

    Parameters
    ----------
    plan, attack
        What was run. In a trial without a pair of endpoints there are only the genuine models.
    """
    eligible = bool(attack.endpoints.eligible[0])
    names: list[str] = list(plan.benchmark.models)
    kinds: list[Kind] = ["model"] * len(names)
    sides = []
    for scale, models, candidates, router in zip(
        (plan.reused, plan.held_out),
        attack.model_sums,
        attack.candidate_sums,
        attack.router_sums,
        strict=True,
    ):
        genuine = performance(plan, scale, models)[0]
        if eligible:
            pair = [genuine[attack.endpoints.a[0]], genuine[attack.endpoints.b[0]]]
            added = performance(plan, scale, candidates)[:, 0]
            genuine = np.concatenate([genuine, pair, added, performance(plan, scale, router)[-1:, 0]])
        sides.append(100 * genuine)
    if eligible:
        count = plan.budgets[-1] - 1
        names += [
            "Endpoint A",
            "Endpoint B",
            *(f"Random router {place + 1}" for place in range(count)),
            "Final router",
        ]
        kinds += ["endpoint", "endpoint"]
        kinds += ["candidate"] * count
        kinds.append("router")
    return History(tuple(names), tuple(kinds), sides[0], sides[1])
