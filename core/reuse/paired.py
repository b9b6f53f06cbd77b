"""Standard errors of paired differences between submissions, for the parameter-free Ladder.

They are an evaluator's business: item scores of the reused side are needed, and only the verdict is released.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.reuse import exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.reuse.plan import Plan


class PairedErrors:
    """Standard errors of the differences of submissions' scores on one coordinate and trial.

    Items that share a prompt are one cluster; tasks are strata. Called as in `core.reuse.rules.Occasion`. Submissions
    are the random routers on the endpoints' scores or, where `signs` and `endpoints` are None, the genuine models.
    """

    def __init__(
        self,
        plan: Plan,
        signs: NDArray[np.floating] | None,
        reused: NDArray[np.float64],
        endpoints: tuple[NDArray[np.intp], NDArray[np.intp]] | None,
    ) -> None:
        self._plan = plan
        self._signs = signs
        self._reused = reused.astype(bool)
        self._endpoints = endpoints

    @cached_property
    def _scores(self) -> NDArray[np.float64]:
        """Scores per model and prompt."""
        return exact.collapse(self._plan.table.limbs) / self._plan.table.unit

    def __call__(
        self, coordinate: int, trial: int, submissions: NDArray[np.intp], best: tuple[str, int]
    ) -> NDArray[np.float64]:
        """Return the standard errors, fractions of 1, shape (submissions,)."""
        plan = self._plan
        target = plan.rule.interface.coordinates[coordinate]
        weights = [float(weight) for weight in target.task_weights()]
        if target.pooled:
            sizes = plan.reused.sizes[list(target.tasks)]
            weights = list(sizes / sizes.sum())
        variance = np.zeros(len(submissions))
        for task, weight in zip(target.tasks, weights, strict=True):
            block = slice(plan.table.starts[task], plan.table.starts[task + 1])
            places = np.arange(block.start, block.stop)[self._reused[block, trial]]
            clusters = len(places)
            if clusters < 2:
                continue
            kind, index = best
            rival = (
                self._scores[index, places]
                if kind == "model"
                else self._routed(trial, places, np.array([index]))[:, 0]
            )
            difference = self._routed(trial, places, submissions) - rival[:, None]
            sizes = plan.table.sizes[places]
            total = float(sizes.sum())
            centred = difference - sizes[:, None] * (difference.sum(axis=0) / total)
            variance += weight**2 * clusters / (clusters - 1) * (centred**2).sum(axis=0) / total**2
        return np.asarray(np.sqrt(variance))

    def _routed(
        self, trial: int, places: NDArray[np.intp], submissions: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return the submissions' scores per prompt, shape (places, submissions)."""
        if self._signs is None or self._endpoints is None:
            return np.asarray(self._scores[np.ix_(submissions, places)].T)
        a, b = (self._scores[side[trial], places] for side in self._endpoints)
        return np.asarray(np.where(self._signs[np.ix_(places, submissions)] > 0, a[:, None], b[:, None]))
