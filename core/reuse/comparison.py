"""Feedback rules side by side: what an attack does under each, and how much each tells honest submitters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.benchmark.splits import cached_held_out_mask, holdout_targets
from core.errors import UsageError
from core.reuse.engine import genuine_sums, public_answers
from core.reuse.gates import gates
from core.reuse.plan import Plan
from core.reuse.rules import Cap, Rule, parse_rule
from core.reuse.scoring import performance_of
from core.reuse.study import DEFAULT_BUDGETS, DEFAULT_TRIALS, run_studies
from core.reuse.survival import survival
from core.statistics import mean_intervals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Unpack

    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.result import Study
    from core.reuse.study import Running
    from core.reuse.survival import Survival

GENUINE_GAP_PP: Final = 1.0
"""Held-out difference from which a pair of genuine models ought to be told apart."""


@dataclass(frozen=True, eq=False)
class RuleResult:
    """One rule's harm and usefulness.

    Parameters
    ----------
    study
        The attack under the rule.
    survival
        Submissions until the selection loss exceeds the tolerance.
    released_scores
        Shape (budgets,): mean number of coordinate scores that the random candidates got back.
    pairs_kept, pairs_kept_low, pairs_kept_high
        Share of the genuine pairs that differ by at least 1 pp on held-out items which the released scores order
        rightly; NaN if there is no such pair.
    """

    study: Study
    survival: Survival
    released_scores: NDArray[np.float64]
    pairs_kept: float
    pairs_kept_low: float
    pairs_kept_high: float

    @classmethod
    def of(cls, study: Study, kept: NDArray[np.float64], tolerance_pp: float) -> RuleResult:
        """Return the result of a study, given the share of pairs kept in each trial (`pairs_kept`)."""
        averaged = mean_intervals(kept[:, None], ~np.isnan(kept))
        return cls(
            study=study,
            survival=survival(study, tolerance_pp),
            released_scores=study.released_scores(),
            pairs_kept=float(averaged.mean[0]),
            pairs_kept_low=float(averaged.low[0]),
            pairs_kept_high=float(averaged.high[0]),
        )


@dataclass(frozen=True, eq=False)
class Comparison:
    """Rules compared on one benchmark, in the order asked for."""

    results: tuple[RuleResult, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per rule and budget; None where a budget is not reached or a value does not exist."""
        table = []
        for result in self.results:
            survived = result.survival
            kept = None if np.isnan(result.pairs_kept) else result.pairs_kept
            for place, row in enumerate(result.study.rows()[1:]):
                table.append(
                    {
                        "feedback": result.study.feedback,
                        "new_submissions": row["new_submissions"],
                        "model_selection_loss_pp": row["model_selection_loss_pp"],
                        "model_selection_loss_pp_low": row["model_selection_loss_pp_low"],
                        "model_selection_loss_pp_high": row["model_selection_loss_pp_high"],
                        "survives_submissions": survived.submissions,
                        "survives_submissions_low": survived.low,
                        "survives_submissions_high": survived.high,
                        "released_scores": float(result.released_scores[place]),
                        "pairs_kept": kept,
                    }
                )
        return table

    def at_tolerance(self, tolerance_pp: float) -> Comparison:
        """Return the same comparison with the survival under another tolerance, pp.

        Raises
        ------
        UsageError
            If the tolerance is outside its domain.
        """
        return Comparison(
            tuple(replace(one, survival=survival(one.study, tolerance_pp)) for one in self.results)
        )


def compare(
    benchmark: Benchmark,
    rules: Sequence[str | Rule],
    *,
    tolerance_pp: float = 1.0,
    budgets: Iterable[int] = DEFAULT_BUDGETS,
    endpoints: EndpointPolicy = "top5",
    **running: Unpack[Running],
) -> Comparison:
    """Attack a benchmark under several feedback rules.

    Parameters
    ----------
    benchmark
        Item scores and settings.
    rules
        Feedback rules, in the grammar of the command line or parsed, without repeats.
    tolerance_pp
        The selection loss that is still accepted.
    budgets
        Numbers of submissions.
    endpoints
        Applies where a rule leaves a frontier; elsewhere the pool is the best five.
    running
        How much is run and where (`core.reuse.study.Running`).

    Raises
    ------
    UsageError
        If there is no rule, a rule is given twice or does not parse, or a number is outside its domain.
    """
    if not rules:
        raise UsageError("Give at least one feedback rule to compare.")
    parsed = [parse_rule(benchmark, rule) if isinstance(rule, str) else rule for rule in rules]
    if len({rule.text for rule in parsed}) != len(rules):
        raise UsageError("A feedback rule is given twice; name each once.")
    studies = run_studies(benchmark, parsed, budgets=budgets, endpoints=endpoints, **running)
    trials, cache = running.get("trials", DEFAULT_TRIALS), running.get("cache", True)
    kept = pairs_kept(benchmark, parsed, trials=trials, cache=cache)
    return Comparison(
        tuple(RuleResult.of(study, own, tolerance_pp) for study, own in zip(studies, kept, strict=True))
    )


def pairs_kept(
    benchmark: Benchmark, rules: Sequence[str | Rule], *, trials: int = DEFAULT_TRIALS, cache: bool = True
) -> tuple[NDArray[np.float64], ...]:
    """Return the share of genuine pairs that each rule lets its readers order rightly, per trial.

    A pair counts if its held-out performances differ by at least 1 pp. Each model is submitted under the rule, in name
    order, to an empty board; a model of which a score is withheld is not ordered. What is shown is averaged as the
    ranking does (items, tasks and categories weighing as there).

    Returns
    -------
    arrays of shape (trials,), one per rule
        NaN where no pair differs that much.
    """
    parsed = [parse_rule(benchmark, rule) if isinstance(rule, str) else rule for rule in rules]
    first = Plan.of(
        benchmark,
        policy="top5",
        rule=parsed[0],
        budgets=(1,),
        gates=gates((), benchmark.settings.routing_seed, benchmark.settings.tie_seed, 0, cache=False),
        targets=holdout_targets(benchmark),
    )
    held_out = cached_held_out_mask(benchmark, trials, cache=cache)
    sums = genuine_sums(first, held_out)
    truth = performance_of(benchmark, first.held_out, sums[1])
    left, right = np.triu_indices(len(benchmark.models), k=1)
    difference = np.round(100.0 * (truth[:, left] - truth[:, right]), 8)
    counted = np.abs(difference) >= GENUINE_GAP_PP
    sizes = counted.sum(axis=1)
    shares = []
    for rule in parsed:
        plan = first.under(rule.without(Cap), "top5")
        released = public_answers(plan, held_out, sums)
        _, scores = released.doubles()
        seen = np.tensordot(_reading_weights(plan), scores, axes=1).T
        visible = np.asarray(released.visible.all(axis=0)).T
        shown = np.round(seen[:, left] - seen[:, right], 12)
        right_order = (np.sign(shown) == np.sign(difference)) & visible[:, left] & visible[:, right]
        kept = (right_order & counted).sum(axis=1)
        shares.append(np.where(sizes > 0, kept / np.maximum(sizes, 1), np.nan))
    return tuple(shares)


def _reading_weights(plan: Plan) -> NDArray[np.float64]:
    """Return what share of the ranking each returned coordinate stands for."""
    benchmark, coordinates = plan.benchmark, plan.rule.interface.coordinates
    if benchmark.settings.ranking == "item_mean":
        sizes = np.array([plan.reused.sizes[list(one.tasks)].sum() for one in coordinates], dtype=np.float64)
        return np.asarray(sizes / sizes.sum())
    if benchmark.settings.ranking == "coordinate_mean":
        return np.full(len(coordinates), 1.0 / len(coordinates))
    members = np.bincount(benchmark.task_category)
    share = 1.0 / (len(members) * members[benchmark.task_category])
    return np.array([share[list(one.tasks)].sum() for one in coordinates])
