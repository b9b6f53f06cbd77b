"""What a pocket pair shows: AUROCs per level and scope, and the lessons as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.contamination.calibration import platt
from core.contamination.detection import Reliability, auroc_by_level, reliability

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from core.contamination.pocket.pair import PocketPair, Scope
    from core.contamination.pools import ItemPool


def auroc_table(pair: PocketPair) -> pd.DataFrame:
    """Return every score's AUROC with DeLong's interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``scope, attack, duplicates`` ("all" for the pooled one), ``auroc, low, high``.
    """
    import pandas as pd

    rows = [
        {
            "scope": scope,
            "attack": attack,
            "duplicates": "all" if level is None else str(level),
            "auroc": area.value,
            "low": area.low,
            "high": area.high,
        }
        for scope, attacks in pair.scores.items()
        for attack, values in attacks.items()
        for level, area in sorted(
            auroc_by_level(values, pair.duplicates).items(),
            key=lambda entry: (entry[0] is None, entry[0] or 0),
        )
    ]
    return pd.DataFrame(rows)


def tie_to_correctness(pair: PocketPair, scope: Scope, attack: str) -> float:
    """Return the correlation of a score with y* on clean items: what biases IPW where nothing was memorized."""
    clean = pair.duplicates == 0
    return float(np.corrcoef(pair.scores[scope][attack][clean], pair.y_standard[clean])[0, 1])


def calibrated_reliability(pool: ItemPool, attack: str, rate: float, *, corrected: bool) -> Reliability:
    """Return the reliability of Platt-scaled scores on a mixture with another share of leaked items.

    Parameters
    ----------
    pool
        Items; the scaling is fitted on the calibration half. The mixture is the simulation half with its leaked items
        thinned alike at every level.
    attack
        The score.
    rate
        Share of leaked items in the mixture, at most that of the simulation half.
    corrected
        Whether the scaling's prior is corrected to `rate`.
    """
    score = pool.scores[attack]
    scaling = platt(score[pool.calibration], pool.contaminated[pool.calibration])
    if corrected:
        scaling = scaling.at_prior(rate)
    held = _thinned(pool, rate)
    return reliability(scaling(score[held]), pool.contaminated[held])


def _thinned(pool: ItemPool, rate: float) -> NDArray[np.intp]:
    """Return items of the simulation half in which the share of leaked ones is about `rate`."""
    half = ~pool.calibration
    clean = np.flatnonzero(half & ~pool.contaminated)
    leaked = int((half & pool.contaminated).sum())
    kept = min(1.0, rate / (1 - rate) * len(clean) / leaked)
    parts = [clean]
    rng = np.random.default_rng(0)
    for level in pool.levels[1:]:
        members = np.flatnonzero(half & (pool.duplicates == level))
        parts.append(rng.permutation(members)[: round(kept * len(members))])
    return np.concatenate(parts)
