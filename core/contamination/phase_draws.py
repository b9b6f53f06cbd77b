"""The random part of a phase diagram: item samples and predictor scores, seeded line by line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from core.contamination import predictors as pred
from core.contamination import regimes as reg

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.contamination.pools import ItemPool

_CLEAN_SAMPLES: Final = 0
_LEAKING_SAMPLES: Final = 1
_MEMORIZATION: Final = 2
_CORRECTNESS: Final = 3


@dataclass(frozen=True, eq=False)
class Memorization:
    """Memorization scores of a pool's simulation half, shared by all panels.

    Parameters
    ----------
    auroc
        Shape (A,): nominal targets.
    scores
        Shape (draws, A, items of the pool); zero in the calibration half.
    rank
        The same shape: for a leaking item, the share of clean items that score below it (ties half).
    """

    auroc: NDArray[np.float64]
    scores: NDArray[np.float64]
    rank: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PanelDraws:
    """Everything random in a panel; the panel itself is arithmetic on it.

    Parameters
    ----------
    regime
        The panel's key.
    auroc, bias
        Shapes (A,), (B,): nominal targets.
    auroc_realised
        Shape (A,): AUROC of the drawn scores, averaged over draws.
    y, y_clean
        Shape (items,): observed and clean outcome of the panel's items, clean items first.
    samples
        Shape (replicates, n): items of each test set, as indices into the panel's items.
    memorization
        Shape (draws, A, items).
    correctness
        Shape (draws, B, items).
    blocks
        Per draw, the replicates that use it.
    p_test, inflation
        Expected clean score of a test set; expected observed score minus it.
    """

    regime: str
    auroc: NDArray[np.float64]
    bias: NDArray[np.float64]
    auroc_realised: NDArray[np.float64]
    y: NDArray[np.float64]
    y_clean: NDArray[np.float64]
    samples: NDArray[np.intp]
    memorization: NDArray[np.float64]
    correctness: NDArray[np.float64]
    blocks: tuple[slice, ...]
    p_test: float
    inflation: float


def draw_memorization(
    pool: ItemPool, lines: int, concentration: float, draws: int, seed: int, *, only: int | None = None
) -> Memorization:
    """Draw the memorization scores of every grid line.

    Parameters
    ----------
    pool
        Items; scores are drawn for its simulation half.
    lines, concentration, draws, seed
        Grid lines, concentration of the Beta law, score draws per line, seed.
    only
        Draw this line alone, as it would be drawn among all.
    """
    targets = pred.auroc_axis(lines)
    means = pred.beta_means(targets, concentration)
    chosen = range(lines) if only is None else (only,)
    half = np.flatnonzero(~pool.calibration)
    contaminated = pool.contaminated[half]
    scores = np.zeros((draws, len(chosen), len(pool.items)))
    rank = np.zeros_like(scores)
    clean, leaking = half[~contaminated], half[contaminated]
    for draw in range(draws):
        for row, line in enumerate(chosen):
            rng = _generator(seed, _MEMORIZATION, line, draw)
            values = pred.memorization_scores(contaminated, float(means[line]), concentration, rng)
            scores[draw, row, half] = values
            ordered = np.sort(values[~contaminated])
            found = [np.searchsorted(ordered, values[contaminated], side=side) for side in ("left", "right")]
            rank[draw, row, leaking] = (found[0] + found[1]) / (2 * len(clean))
    return Memorization(targets[list(chosen)], scores, rank)


def expected_scores(pool: ItemPool, key: str, design: reg.Design) -> tuple[float, float]:
    """Return the expected clean and observed score of a regime's test sets."""
    clean, leaking = reg.clean_items(pool), reg.leaking_items(pool, key, design)
    share = design.contaminated / design.n
    base = (1 - share) * pool.y_clean[clean].mean()
    return float(base + share * pool.y_clean[leaking].mean()), float(
        base + share * pool.y_observed[leaking].mean()
    )


def row_bias_limit(pool: ItemPool, key: str, design: reg.Design) -> float:
    """Return the largest |bias| of a row's axis: the smallest |chance - p_test| over the row's panels.

    Panels for which the pool has no items are left out.

    Raises
    ------
    DataError
        If the pool has no items for the regime itself.
    """
    reg.leaking_items(pool, key, design)
    row = reg.regime(key).row
    panels = [
        other.key
        for other in reg.REGIMES.values()
        if other.row == row and reg.offers(pool, other.key, design)
    ]
    return min(abs(pool.chance - expected_scores(pool, other, design)[0]) for other in panels)


def draw_panel(
    pool: ItemPool,
    key: str,
    design: reg.Design,
    memorization: Memorization,
    *,
    bias_limit: float,
    lines: int,
    seed: int,
    only: int | None = None,
) -> PanelDraws:
    """Draw a panel's item samples and correctness scores, and join them with the shared memorization scores.

    Parameters
    ----------
    pool, key, design
        Items, regime, sizes.
    memorization
        Scores of `draw_memorization`.
    bias_limit
        Upper end of the bias axis.
    lines
        Grid lines along the bias axis.
    seed
        Seed; a line's stream of correctness draws is the same in every panel.
    only
        Draw this bias line alone, as it would be drawn among all.

    Raises
    ------
    DataError, UsageError
        As `core.contamination.phase.phase_diagram`.
    """
    clean, leaking = reg.clean_items(pool), reg.leaking_items(pool, key, design)
    items = np.concatenate([clean, leaking])
    p_test, p_observed = expected_scores(pool, key, design)
    axis = np.linspace(0.0, bias_limit, lines)
    quality = pred.informativeness(axis, pool.chance, p_test)
    position = list(reg.REGIMES).index(key)
    samples = reg.draw_test_sets(
        len(clean),
        len(leaking),
        design,
        _generator(seed, _CLEAN_SAMPLES),
        _generator(seed, _LEAKING_SAMPLES, position),
    )
    chosen = range(lines) if only is None else (only,)
    draws = len(memorization.scores)
    y_clean = pool.y_clean[items]
    correctness = np.empty((draws, len(chosen), len(items)))
    for draw in range(draws):
        for row, level in enumerate(chosen):
            rng = _generator(seed, _CORRECTNESS, level, draw)
            correctness[draw, row] = pred.correctness_scores(y_clean, float(quality[level]), pool.chance, rng)
    edges = np.linspace(0, design.replicates, draws + 1).round().astype(int)
    return PanelDraws(
        regime=key,
        auroc=memorization.auroc,
        bias=axis[list(chosen)],
        auroc_realised=memorization.rank[:, :, leaking].mean(axis=(0, 2)),
        y=pool.test_outcomes[items],
        y_clean=y_clean,
        samples=samples,
        memorization=memorization.scores[:, :, items],
        correctness=correctness,
        blocks=tuple(slice(int(low), int(high)) for low, high in pairwise(edges)),
        p_test=p_test,
        inflation=p_observed - p_test,
    )


def _generator(seed: int, *key: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
