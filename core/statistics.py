"""Bootstrap intervals over trials, shared by the studies.

The resampling follows the published protocol (Allouah, Duchi, Koyejo 2026, averages and intervals): the same resampled
trial indices serve every budget and metric. The intervals describe overlapping splits of one snapshot of a benchmark,
not fresh data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BOOTSTRAP_SEED: Final = 2026081900
RESAMPLES: Final = 2_000
COVERAGE: Final = 0.95
BLOCK_CELLS: Final = 4_000_000
MAX_SEED: Final = 2**63 - 1


@dataclass(frozen=True, eq=False)
class MeanInterval:
    """Means over eligible trials with bootstrap percentile intervals.

    Parameters
    ----------
    mean, low, high
        Shape (...): one entry per averaged quantity; NaN where no trial is eligible.
    dropped
        Resamples that held no eligible trial and were left out.
    """

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    dropped: int


def check_seed(seed: int) -> None:
    """Raise a `UsageError` unless a seed is a whole number that fits every generator and every file."""
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"A seed is a whole number from 0 to {MAX_SEED:,}, found {seed}.")


@lru_cache(maxsize=8)
def resample_counts(
    trials: int, resamples: int = RESAMPLES, seed: int = BOOTSTRAP_SEED
) -> NDArray[np.float64]:
    """Return how often each trial occurs in each resample, shape (resamples, trials).

    The indices are ``default_rng(seed).integers(0, trials, (resamples, trials))``.
    """
    indices = np.random.default_rng(seed).integers(0, trials, (resamples, trials))
    flat = indices + trials * np.arange(resamples)[:, None]
    counts = (
        np.bincount(flat.ravel(), minlength=resamples * trials).reshape(resamples, trials).astype(np.float64)
    )
    counts.setflags(write=False)
    return counts


def resample_blocks(
    items: int, resamples: int = RESAMPLES, seed: int = BOOTSTRAP_SEED
) -> Iterator[NDArray[np.float64]]:
    """Yield the rows of `resample_counts` in blocks, for more items than fit in memory at once.

    Parameters
    ----------
    items, resamples, seed
        As for `resample_counts`; the same seed gives the same rows.

    Yields
    ------
    ndarray
        Shape (block, items), about 32 MiB.
    """
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK_CELLS // items)
    for begin in range(0, resamples, step):
        rows = min(step, resamples - begin)
        flat = rng.integers(0, items, (rows, items)) + items * np.arange(rows)[:, None]
        yield np.bincount(flat.ravel(), minlength=rows * items).reshape(rows, items).astype(np.float64)


def mean_intervals(
    values: NDArray[np.float64],
    eligible: NDArray[np.bool_],
    *,
    resamples: int = RESAMPLES,
    seed: int = BOOTSTRAP_SEED,
) -> MeanInterval:
    """Average over eligible trials and resample the trials.

    Parameters
    ----------
    values
        Shape (trials, ...); entries of ineligible trials are not looked at.
    eligible
        Shape (trials,).
    resamples, seed
        Number of resamples and their seed.

    Returns
    -------
    MeanInterval
        Arrays of shape (...). Quantiles 2.5 % and 97.5 % by numpy's linear rule.
    """
    shape = values.shape[1:]
    kept = np.where(eligible.reshape(-1, *[1] * len(shape)), values, 0.0).reshape(len(values), -1)
    if not eligible.any():
        empty = np.full(shape, np.nan)
        return MeanInterval(empty, empty, empty, resamples)
    counts = resample_counts(len(values), resamples, seed)
    sizes = counts @ eligible.astype(np.float64)
    usable = sizes > 0
    means = (counts[usable] @ kept) / sizes[usable, None]
    tail = (1 - COVERAGE) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    point = kept[eligible].mean(axis=0)
    return MeanInterval(
        point.reshape(shape), low.reshape(shape), high.reshape(shape), int(resamples - usable.sum())
    )
