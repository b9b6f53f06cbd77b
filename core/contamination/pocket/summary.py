"""What a pocket pair shows: AUROCs per level and scope, and the lessons as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.contamination.calibration import platt
from core.contamination.detection import Reliability, auroc_by_level, reliability
from core.contamination.pool_correction import PoolCase, repeated_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from core.contamination.pocket.pair import PocketPair, Scope
    from core.contamination.pools import ItemPool
    from core.contamination.regimes import Design


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


def calibrated_reliability(pool: ItemPool, attack: str, prior: float | None = None) -> Reliability:
    """Return the reliability of Platt-scaled scores on the simulation half.

    Parameters
    ----------
    pool
        Items; the scaling is fitted on the calibration half.
    attack
        The score.
    prior
        Share of contaminated items to correct the scaling to, or None.
    """
    score, held = pool.scores[attack], ~pool.calibration
    scaling = platt(score[pool.calibration], pool.contaminated[pool.calibration])
    if prior is not None:
        scaling = scaling.at_prior(prior)
    return reliability(scaling(score[held]), pool.contaminated[held])


def estimator_table(
    pair: PocketPair,
    regime: str,
    attack: str,
    design: Design,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Return every estimator's error on test sets of one regime, for both scopes, both priors and both signals.

    Returns
    -------
    pandas.DataFrame
        The columns of `core.contamination.pool_correction.repeated_errors`, with ``scope``, ``prior`` ("calibration" or
        the corrected share) and ``signal``.
    """
    import pandas as pd

    case = PoolCase(regime=regime, attack=attack, design=design)
    parts = []
    wanted = [
        (scope, signal, prior)
        for scope in ("whole", "question")
        for signal in ("largest", "right")
        for prior in (None, design.rate)
    ]
    for number, (scope, signal, prior) in enumerate(wanted, start=1):
        table = repeated_errors(pair.pool(scope, signal), case, prior)  # type: ignore[arg-type]
        parts.append(
            table.assign(scope=scope, signal=signal, prior="calibration" if prior is None else f"{prior:g}")
        )
        if progress is not None:
            progress(number, len(wanted))
    return pd.concat(parts, ignore_index=True)
