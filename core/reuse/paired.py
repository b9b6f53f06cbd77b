"""Standard errors of paired differences between submissions, for the parameter-free Ladder.

They are an evaluator's business: item scores of the reused side are needed, and only the verdict is released.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.reuse import exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.reuse.engine import Plan


class PairedErrors:
    """Standard error of the difference of two submissions' scores on one coordinate and trial.

    Items that share a prompt are one cluster; tasks are strata. Called as in `core.reuse.rules.Occasion`.
    """

    def __init__(
        self,
        plan: Plan,
        signs: NDArray[np.floating],
        reused: NDArray[np.float64],
        a: NDArray[np.intp],
        b: NDArray[np.intp],
    ) -> None:
        self._plan = plan
        self._signs = signs
        self._reused = reused.astype(bool)
        self._endpoints = a, b
        self._scores = exact.collapse(plan.table.limbs) / plan.table.unit

    def __call__(self, coordinate: int, trial: int, submission: int, best: tuple[str, int]) -> float:
        """Return the standard error, a fraction of 1."""
        plan = self._plan
        target = plan.rule.interface.coordinates[coordinate]
        weights = [float(weight) for weight in target.task_weights()]
        if target.pooled:
            sizes = plan.reused.sizes[list(target.tasks)]
            weights = list(sizes / sizes.sum())
        variance = 0.0
        for task, weight in zip(target.tasks, weights, strict=True):
            block = slice(plan.table.starts[task], plan.table.starts[task + 1])
            kept = self._reused[block, trial]
            difference = (
                self._item_scores(("submission", submission), trial, block)
                - self._item_scores(best, trial, block)
            )[kept]
            sizes = plan.table.sizes[block][kept]
            clusters = len(difference)
            if clusters < 2:
                continue
            centred = difference - sizes * (difference.sum() / sizes.sum())
            variance += (
                weight**2 * clusters / (clusters - 1) * float(centred @ centred) / float(sizes.sum()) ** 2
            )
        return float(np.sqrt(variance))

    def _item_scores(self, who: tuple[str, int], trial: int, block: slice) -> NDArray[np.float64]:
        kind, index = who
        if kind == "model":
            return self._scores[index, block]
        a, b = (self._scores[side[trial], block] for side in self._endpoints)
        return np.where(self._signs[block, index] > 0, a, b)
