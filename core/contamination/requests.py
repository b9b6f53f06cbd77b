"""Computations as a page asks for them: functions that a worker process can import, of small arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.contamination.correction import CorrectionSettings, correct
from core.contamination.correction_files import read_items
from core.contamination.phase import PhaseSettings, phase_diagram
from core.contamination.pocket.pair import PocketPair, PocketSettings, train_pair
from core.contamination.pool_correction import PoolCase, calibration_sizes, repeated_errors
from core.contamination.pools import ItemPool, calibrated_pool
from core.contamination.regimes import offers

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    Progress = Callable[[int, int], None]


def phase_of_preset(
    key: str, seed: int, loading: float, settings: PhaseSettings, *, progress: Progress | None = None
) -> pd.DataFrame:
    """Return the wide frame of a calibrated pool's phase diagram."""
    return phase_of_pool(calibrated_pool(key, seed, loading), settings, progress=progress)


def phase_of_pool(
    pool: ItemPool, settings: PhaseSettings, *, progress: Progress | None = None
) -> pd.DataFrame:
    """Return the wide frame of a pool's phase diagram, of those panels that the pool has items for.

    Raises
    ------
    core.errors.DataError
        If it has items for none.
    """
    offered = tuple(key for key in settings.regimes if offers(pool, key, settings.design))
    wanted = replace(settings, regimes=offered) if offered else settings
    return phase_diagram(pool, wanted, progress).frame(wide=True)


def repeated_of_preset(
    key: str, seed: int, case: PoolCase, prior: float | None, *, progress: Progress | None = None
) -> pd.DataFrame:
    """Return `core.contamination.pool_correction.repeated_errors` of a calibrated pool."""
    return repeated_errors(calibrated_pool(key, seed), case, prior, progress)


def sizes_of_preset(
    key: str, seed: int, case: PoolCase, prior: float | None, *, progress: Progress | None = None
) -> pd.DataFrame:
    """Return `core.contamination.pool_correction.calibration_sizes` of a calibrated pool."""
    return calibration_sizes(calibrated_pool(key, seed), case, prior=prior, progress=progress)


def pocket_pair(settings: PocketSettings, *, progress: Progress | None = None) -> PocketPair:
    """Return a trained pocket pair."""
    return train_pair(settings, progress)


@dataclass(frozen=True, eq=False)
class CorrectedItems:
    """A reader's corrected items.

    Parameters
    ----------
    frame
        `core.contamination.correction.Correction.frame`.
    items, known
        Numbers of corrected items and of calibration items used.
    score_column
        The memorization score that was used.
    notes
        How the data was understood, in sentences.
    """

    frame: pd.DataFrame
    items: int
    known: int
    score_column: str
    notes: tuple[str, ...]


def corrected_items(
    table: pd.DataFrame,
    score: str | None,
    correctness: str | None,
    settings: CorrectionSettings,
    *,
    progress: Progress | None = None,
) -> CorrectedItems:
    """Read a table as `core.contamination.correction_files.read_items` does, and correct its score.

    Raises
    ------
    core.errors.DataError
        If a column or a cell is wrong.
    core.errors.UsageError
        If a named column does not exist.
    """
    data = read_items(table, score=score, correctness=correctness)
    found = correct(data.test, data.calibration, settings, progress)
    known = 0 if data.calibration is None else len(data.calibration.score)
    return CorrectedItems(found.frame(), len(data.items), known, data.score_column, data.notes)
