"""`Study`: what a study found, as per-trial outcomes, rows of means with intervals, and data frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.reuse.metrics import ROUTER, Outcomes
from core.statistics import mean_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

ROUTER_NAME: Final = "Final router"
AVERAGED: Final = (
    "model_selection_loss_pp", "rank_drop", "score_gap_pp", "genuine_gap_pp", "no_attack_reused_pp",
    "no_attack_heldout_pp", "selected_reused_pp", "selected_heldout_pp", "router_reused_pp", "router_heldout_pp",
    "false_winner", "selected_router", "loss_vs_static_pp",
)  # fmt: skip
_ROUTER_ONLY: Final = ("router_reused_pp", "router_heldout_pp")


@dataclass(frozen=True, eq=False)
class Study:
    """Outcomes of the attack on one benchmark under one feedback rule.

    Parameters
    ----------
    benchmark
        The benchmark's name.
    provenance
        Where its item scores come from: ``bundled``, ``simulated`` or ``loaded``.
    models
        Model names, in the order that `outcomes` indexes.
    endpoints, feedback
        The endpoint policy and the feedback rule.
    budgets
        Ascending submission budgets; budget 1 is the static control.
    outcomes
        Per trial and budget; its budget axis is `all_budgets` (`budgets`, with 1 in front where it is missing).
    """

    benchmark: str
    provenance: str
    models: tuple[str, ...]
    endpoints: str
    feedback: str
    budgets: tuple[int, ...]
    outcomes: Outcomes

    @property
    def trials(self) -> int:
        """Number of trials attempted."""
        return len(self.outcomes.eligible)

    @property
    def eligible_trials(self) -> int:
        """Number of trials in which a pair of endpoints exists."""
        return int(self.outcomes.eligible.sum())

    @property
    def all_budgets(self) -> tuple[int, ...]:
        """The budgets of the outcomes' budget axis."""
        return self.budgets if self.budgets[0] == 1 else (1, *self.budgets)

    @cached_property
    def per_trial(self) -> dict[str, NDArray[np.float64]]:
        """Every averaged quantity, shape (trials, budgets), in the units of its name."""
        found = self.outcomes
        shape = found.selected.shape
        loss = 100.0 * found.selection_loss

        def spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.broadcast_to(100.0 * values[:, None], shape)

        columns = {
            "model_selection_loss_pp": loss,
            "rank_drop": found.rank_drop.astype(np.float64),
            "score_gap_pp": 100.0 * found.score_gap,
            "genuine_gap_pp": spread(found.genuine_gap),
            "no_attack_reused_pp": spread(found.no_attack_reused),
            "no_attack_heldout_pp": spread(found.no_attack_heldout),
            "selected_reused_pp": 100.0 * found.selected_reused,
            "selected_heldout_pp": 100.0 * found.selected_heldout,
            "router_reused_pp": 100.0 * found.router_reused,
            "router_heldout_pp": 100.0 * found.router_heldout,
            "false_winner": found.false_winner.astype(np.float64),
            "selected_router": found.selected_router.astype(np.float64),
            "loss_vs_static_pp": loss - loss[:, :1],
        }
        offset = len(self.all_budgets) - len(self.budgets)
        return {name: columns[name][:, offset:] for name in AVERAGED}

    @cached_property
    def dropped_resamples(self) -> int:
        """Bootstrap resamples without an eligible trial, left out of the intervals."""
        return mean_intervals(np.zeros((self.trials, 1)), self.outcomes.eligible).dropped

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per budget, budget 0 first: identification, then means with ``_low`` and ``_high``.

        A value that does not exist (the router before any submission, averages without an eligible trial) is None.
        """
        return [dict(row) for row in self._table]

    @cached_property
    def _table(self) -> list[dict[str, Any]]:
        values = np.stack([self.per_trial[name] for name in AVERAGED], axis=-1)
        averaged = mean_intervals(values, self.outcomes.eligible)
        before = mean_intervals(self._before(), np.ones(self.trials, dtype=bool))
        table = [self._row(0, self.trials, before.mean, before.low, before.high, missing=_ROUTER_ONLY)]
        for place, budget in enumerate(self.budgets):
            missing = () if self.eligible_trials else AVERAGED
            table.append(
                self._row(
                    budget, self.eligible_trials, averaged.mean[place], averaged.low[place], averaged.high[place],
                    missing=missing,
                )
            )  # fmt: skip
        return table

    def released_scores(self) -> NDArray[np.float64]:
        """Return the mean number of scores that the random candidates got back, over eligible trials.

        Returns
        -------
        array of shape (budgets,)
            NaN where no trial is eligible.
        """
        eligible = self.outcomes.eligible
        if not eligible.any():
            return np.full(len(self.budgets), np.nan)
        offset = len(self.all_budgets) - len(self.budgets)
        return np.asarray(self.outcomes.released_scores[eligible][:, offset:].mean(axis=0))

    def _before(self) -> NDArray[np.float64]:
        """Return the state before any submission, shape (trials, averaged quantities)."""
        found = self.outcomes
        known = {
            "score_gap_pp": found.genuine_gap,
            "genuine_gap_pp": found.genuine_gap,
            "no_attack_reused_pp": found.no_attack_reused,
            "no_attack_heldout_pp": found.no_attack_heldout,
            "selected_reused_pp": found.no_attack_reused,
            "selected_heldout_pp": found.no_attack_heldout,
        }
        zero = np.zeros(self.trials)
        return np.stack([100.0 * known.get(name, zero) for name in AVERAGED], axis=-1)

    def _row(
        self,
        budget: int,
        eligible: int,
        mean: NDArray[np.float64],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        missing: Sequence[str],
    ) -> dict[str, Any]:
        row: dict[str, Any] = {
            "benchmark": self.benchmark,
            "endpoints": self.endpoints,
            "policy": self.endpoints,
            "feedback": self.feedback,
            "new_submissions": budget,
            "eligible_trials": eligible,
            "attempted_trials": self.trials,
        }
        for place, name in enumerate(AVERAGED):
            for suffix, values in (("", mean), ("_low", low), ("_high", high)):
                row[name + suffix] = None if name in missing else float(values[place])
        return row

    def summary(self) -> pd.DataFrame:
        """Return `rows` as a data frame; values that do not exist are NaN."""
        import pandas as pd

        frame = pd.DataFrame(self.rows())
        numbers = [name for name in frame.columns if name.startswith(AVERAGED)]
        return frame.astype(dict.fromkeys(numbers, "float64"))

    def trial_rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row per trial and budget; None where an ineligible trial has no value."""
        found, percent = self.outcomes, self.per_trial
        offset = len(self.all_budgets) - len(self.budgets)
        for trial in range(self.trials):
            eligible = bool(found.eligible[trial])
            for place, budget in enumerate(self.budgets):
                selected = int(found.selected[trial, place + offset])
                row: dict[str, Any] = {
                    "trial": trial,
                    "new_submissions": budget,
                    "eligible": eligible,
                    "base_a": self.models[found.base_a[trial]] if eligible else None,
                    "base_b": self.models[found.base_b[trial]] if eligible else None,
                    "no_attack_model": self.models[found.no_attack[trial]],
                    "selected_model": ROUTER_NAME if selected == ROUTER else self.models[selected],
                    "model_selection_loss_pp": float(percent["model_selection_loss_pp"][trial, place]),
                    "rank_drop": int(percent["rank_drop"][trial, place]),
                    "false_winner": bool(percent["false_winner"][trial, place]),
                    "selected_router": bool(percent["selected_router"][trial, place]),
                    "score_gap_pp": float(percent["score_gap_pp"][trial, place]),
                    "genuine_gap_pp": float(percent["genuine_gap_pp"][trial, place]),
                    "router_reused_pp": float(percent["router_reused_pp"][trial, place]),
                    "router_heldout_pp": float(percent["router_heldout_pp"][trial, place]),
                }
                if not eligible:
                    for name in row:
                        if name not in (
                            "trial",
                            "new_submissions",
                            "eligible",
                            "no_attack_model",
                            "genuine_gap_pp",
                        ):
                            row[name] = None
                yield row

    def trial_frame(self) -> pd.DataFrame:
        """Return `trial_rows` as a data frame."""
        import pandas as pd

        return pd.DataFrame(list(self.trial_rows()))
