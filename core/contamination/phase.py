"""The phase diagram: which estimator has the lowest error, by the quality of the two predictors.

arXiv 2605.24818, section 4. A panel's cells share the item samples of their replicates (common random numbers) and
draw predictor scores once per grid line. The combined estimator is bilinear in the two predictors, so that a panel is a
few matrix products.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from core.contamination import regimes as reg
from core.contamination.estimators import (
    COMBINED,
    CONTROL_VARIATE,
    EPG,
    IMPUTATION,
    IPW,
    NAIVE,
    PAPER_ESTIMATORS,
)
from core.contamination.phase_draws import PanelDraws, draw_memorization, draw_panel, row_bias_limit
from core.contamination.predictors import DEFAULT_CONCENTRATION, check_lines
from core.errors import UsageError
from core.statistics import check_seed

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

    from core.contamination.pools import ItemPool

DEGENERATE_BIAS: Final = 0.02
CONTESTANTS: Final = (*PAPER_ESTIMATORS, CONTROL_VARIATE, EPG)


DEFAULT_SCORE_DRAWS: Final = 5


@dataclass(frozen=True, slots=True)
class PhaseSettings:
    """What a phase diagram depends on, the pool apart.

    Parameters
    ----------
    grid
        Lines per axis, 2 to 61.
    design
        Size, rate and number of test sets.
    concentration
        Concentration of the memorization scores.
    regimes
        Panels, by key.
    contest
        Estimators that can win a cell.
    extras
        Whether EPG, the slowest estimator, is computed as well; implied when it takes part in the contest.
    score_draws
        Draws of the predictor scores per grid line; the replicates are spread over them. One draw leaves
        streaks in the figure, several average them out.
    seed
        Seed of all draws.

    Raises
    ------
    UsageError
        If a value is outside its domain.
    """

    grid: int = 21
    design: reg.Design = field(default_factory=reg.Design)
    concentration: float = DEFAULT_CONCENTRATION
    regimes: tuple[str, ...] = tuple(reg.REGIMES)
    contest: tuple[str, ...] = PAPER_ESTIMATORS
    extras: bool = False
    score_draws: int = DEFAULT_SCORE_DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        check_lines(self.grid)
        check_seed(self.seed)
        if not self.regimes:
            raise UsageError(f"A phase diagram needs a regime. Valid: {', '.join(reg.REGIMES)}.")
        for key in self.regimes:
            reg.regime(key)
        for what, names in (("regime", self.regimes), ("contestant", self.contest)):
            repeated = next((name for name in names if names.count(name) > 1), None)
            if repeated is not None:
                raise UsageError(f"The {what} '{repeated}' is named more than once; name each one once.")
        unknown = [name for name in self.contest if name not in CONTESTANTS]
        if unknown or len(self.contest) < 2:
            raise UsageError(
                f"The contest needs two or more of {', '.join(CONTESTANTS)}, found {', '.join(self.contest) or 'none'}."
            )
        if not 1 <= self.score_draws <= self.design.replicates:
            raise UsageError(f"Score draws must be between 1 and the replicates, found {self.score_draws}.")

    @property
    def estimators(self) -> tuple[str, ...]:
        """The estimators whose errors are computed, in a fixed order."""
        with_epg = self.extras or EPG in self.contest
        return CONTESTANTS if with_epg else tuple(name for name in CONTESTANTS if name != EPG)


@dataclass(frozen=True, eq=False)
class Panel:
    """One regime's part of a phase diagram. Errors are on the scale of scores in [0, 1].

    Parameters
    ----------
    regime
        Its key.
    auroc, bias
        Shapes (A,) and (B,): nominal targets of the axes.
    auroc_realised, bias_realised
        The same shapes: what the drawn scores have.
    error_mean, mse
        Estimator -> shape (A, B): mean error (bias) and mean squared error over replicates.
    winner, runner_up
        Shape (A, B): index into `contest`.
    contest
        Names of the contestants.
    margin
        Shape (A, B): RMSE of the runner-up minus RMSE of the winner.
    tie
        Shape (A, B): whether the mean paired difference of their squared errors is within 2 standard errors of 0.
    p_test
        Expected clean score of its test sets.
    inflation
        Expected naive score minus `p_test`.
    bias_limit
        The largest |bias| of the row's axis.
    """

    regime: str
    auroc: NDArray[np.float64]
    bias: NDArray[np.float64]
    auroc_realised: NDArray[np.float64]
    bias_realised: NDArray[np.float64]
    error_mean: dict[str, NDArray[np.float64]]
    mse: dict[str, NDArray[np.float64]]
    winner: NDArray[np.intp]
    runner_up: NDArray[np.intp]
    contest: tuple[str, ...]
    margin: NDArray[np.float64]
    tie: NDArray[np.bool_]
    p_test: float
    inflation: float
    bias_limit: float

    @property
    def degenerate(self) -> bool:
        """Whether the chance rate is so close to the clean score that the bias axis says nothing."""
        return self.bias_limit < DEGENERATE_BIAS

    def share(self, name: str) -> float:
        """Return the share of cells that an estimator wins."""
        return float(np.mean(self.winner == self.contest.index(name)))


@dataclass(frozen=True, eq=False)
class PhaseDiagram:
    """The panels of one pool under one set of settings."""

    pool: str
    provenance: str
    settings: PhaseSettings
    panels: tuple[Panel, ...]

    def panel(self, key: str) -> Panel:
        """Return a regime's panel."""
        return next(panel for panel in self.panels if panel.regime == key)

    def frame(self, *, wide: bool = False) -> pd.DataFrame:
        """Return one row per cell; errors and margin in percentage points (x100).

        Parameters
        ----------
        wide
            Add the errors of the estimators beyond the paper and every estimator's mean error.
        """
        import pandas as pd

        return pd.concat([_panel_frame(panel, wide=wide) for panel in self.panels], ignore_index=True)


def phase_diagram(
    pool: ItemPool, settings: PhaseSettings | None = None, progress: Callable[[int, int], None] | None = None
) -> PhaseDiagram:
    """Compute a phase diagram.

    Parameters
    ----------
    pool
        The items; test sets are drawn from its simulation half.
    settings
        Grid, design and contest; the defaults are the paper's design on a 21 x 21 grid.
    progress
        Called with (steps done, all steps) as blocks of replicates are finished.

    Raises
    ------
    DataError
        If the pool lacks items for a regime.
    UsageError
        If a regime's expected score equals the chance rate, so that no bias axis exists.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    chosen = settings or PhaseSettings()
    memorization = draw_memorization(pool, chosen.grid, chosen.concentration, chosen.score_draws, chosen.seed)
    steps, done = chosen.score_draws * len(chosen.regimes), 0

    def advance() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, steps)

    def compute(key: str) -> Panel:
        draws = draw_panel(
            pool,
            key,
            chosen.design,
            memorization,
            bias_limit=row_bias_limit(pool, key, chosen.design),
            lines=chosen.grid,
            seed=chosen.seed,
        )
        return evaluate_panel(draws, chosen.contest, chosen.estimators, advance)

    # One BLAS thread per panel: two pools that share the cores fight for them.
    with threadpool_limits(1), ThreadPoolExecutor(2) as threads:
        panels = tuple(threads.map(compute, chosen.regimes))
    return PhaseDiagram(pool.name, pool.provenance, chosen, panels)


def evaluate_panel(
    draws: PanelDraws,
    contest: tuple[str, ...] = PAPER_ESTIMATORS,
    estimators: tuple[str, ...] = CONTESTANTS[:-1],
    advance: Callable[[], None] = lambda: None,
) -> Panel:
    """Compute a panel from its draws.

    Parameters
    ----------
    draws
        Item samples and predictor scores.
    contest
        Estimators that can win.
    estimators
        Estimators whose errors are reported; a superset of `contest`.
    advance
        Called after each block of replicates.
    """
    errors = panel_errors(draws, estimators, advance)
    shape = (len(draws.auroc), len(draws.bias))
    mean = {name: np.empty(shape) for name in estimators}
    mse = {name: np.empty(shape) for name in estimators}
    winner, runner_up = np.empty(shape, dtype=np.intp), np.empty(shape, dtype=np.intp)
    margin, tie = np.empty(shape), np.empty(shape, dtype=np.bool_)
    for a in range(len(draws.auroc)):
        squared = {}
        for name in estimators:
            of_line = errors[name][a if len(errors[name]) > 1 else 0]
            squared[name] = of_line**2
            mean[name][a], mse[name][a] = of_line.mean(axis=1), squared[name].mean(axis=1)
        ranked = np.argsort([mse[name][a] for name in contest], axis=0, kind="stable")
        winner[a], runner_up[a] = ranked[0], ranked[1]
        for first, second in set(zip(winner[a].tolist(), runner_up[a].tolist(), strict=True)):
            cells = (winner[a] == first) & (runner_up[a] == second)
            best, next_best = contest[first], contest[second]
            difference = _rows(squared[next_best], cells) - _rows(squared[best], cells)
            spread = difference.std(axis=1, ddof=1) / np.sqrt(difference.shape[1])
            tie[a, cells] = difference.mean(axis=1) <= 2 * spread
            margin[a, cells] = np.sqrt(mse[next_best][a, cells]) - np.sqrt(mse[best][a, cells])
    return Panel(
        regime=draws.regime,
        auroc=draws.auroc,
        bias=draws.bias,
        auroc_realised=draws.auroc_realised,
        bias_realised=np.abs(mean[IMPUTATION][0]),
        error_mean=mean,
        mse=mse,
        winner=winner,
        runner_up=runner_up,
        contest=contest,
        margin=margin,
        tie=tie,
        p_test=draws.p_test,
        inflation=draws.inflation,
        bias_limit=float(draws.bias[-1]),
    )


def panel_errors(
    draws: PanelDraws, estimators: tuple[str, ...], advance: Callable[[], None] = lambda: None
) -> dict[str, NDArray[np.float64]]:
    """Return every replicate's error, estimate minus truth.

    Returns
    -------
    dict[str, NDArray[np.float64]]
        Estimator -> shape (A, B, replicates); axes on which an estimator does not depend have length 1.
    """
    from core.contamination.epg import epg

    replicates, n = draws.samples.shape
    lines, levels = len(draws.auroc), len(draws.bias)
    shapes = {NAIVE: (1, 1), IPW: (lines, 1), IMPUTATION: (1, levels), EPG: (lines, 1)}
    result = {name: np.empty((*shapes.get(name, (lines, levels)), replicates)) for name in estimators}
    for block, d, c in zip(draws.blocks, draws.memorization, draws.correctness, strict=True):
        counts = np.ascontiguousarray(reg.item_counts(draws.samples[block], len(draws.y)).T)
        truth = draws.y_clean @ counts / n
        clean_sum = ((1 - d) * draws.y) @ counts
        weight = (1 - d) @ counts
        imputed = c @ counts / n
        result[NAIVE][0, 0, block] = draws.y @ counts / n - truth
        result[IMPUTATION][0, :, block] = imputed - truth
        result[IPW][:, 0, block] = clean_sum / weight - truth
        for a in range(lines):
            predicted = (d[a] * c) @ counts
            result[COMBINED][a, :, block] = (predicted + clean_sum[a]) / n - truth
            if CONTROL_VARIATE in estimators:
                residual = clean_sum[a] - (n * imputed - predicted)
                result[CONTROL_VARIATE][a, :, block] = imputed + residual / weight[a] - truth
            if EPG in estimators:
                of_items = draws.samples[block]
                result[EPG][a, 0, block] = epg(draws.y[of_items], d[a][of_items]).estimates.values - truth
        advance()
    return result


def cell_errors(
    pool: ItemPool, settings: PhaseSettings, key: str, line: int, level: int
) -> dict[str, NDArray[np.float64]]:
    """Return the errors of all replicates in one cell, as `phase_diagram` has them.

    Parameters
    ----------
    pool, settings
        As for `phase_diagram`.
    key
        The regime.
    line, level
        The cell's index along AUROC and along bias.

    Returns
    -------
    dict[str, NDArray[np.float64]]
        Estimator -> shape (replicates,).
    """
    memorization = draw_memorization(
        pool, settings.grid, settings.concentration, settings.score_draws, settings.seed, only=line
    )
    limit = row_bias_limit(pool, key, settings.design)
    draws = draw_panel(
        pool,
        key,
        settings.design,
        memorization,
        bias_limit=limit,
        lines=settings.grid,
        seed=settings.seed,
        only=level,
    )
    return {name: errors[0, 0] for name, errors in panel_errors(draws, CONTESTANTS).items()}


def _rows(values: NDArray[np.float64], cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    return values if len(values) == 1 else values[cells]


def _panel_frame(panel: Panel, *, wide: bool) -> pd.DataFrame:
    import pandas as pd

    lines, levels = len(panel.auroc), len(panel.bias)
    rmse = {f"rmse_{name}": 100 * np.sqrt(panel.mse[name]).ravel() for name in PAPER_ESTIMATORS}
    columns = {
        "regime": panel.regime,
        "auroc": np.repeat(panel.auroc, levels),
        "bias": np.tile(panel.bias, lines),
        "auroc_realised": np.repeat(panel.auroc_realised, levels),
        "bias_realised": np.tile(panel.bias_realised, lines),
        **rmse,
        "winner": np.array(panel.contest)[panel.winner.ravel()],
        "margin": 100 * panel.margin.ravel(),
        "tie": panel.tie.ravel(),
    }
    if wide:
        columns["runner_up"] = np.array(panel.contest)[panel.runner_up.ravel()]
        for name, values in panel.mse.items():
            columns[f"rmse_{name}"] = 100 * np.sqrt(values).ravel()
        for name, values in panel.error_mean.items():
            columns[f"error_{name}"] = 100 * values.ravel()
    return pd.DataFrame(columns)
