"""Results that are shipped so that default views compute nothing: phase diagrams, calibration sizes, a pocket pair.

``tools/make_contamination.py`` writes them; `default_phase_settings` and its neighbours say with what.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from core import data_files
from core.contamination.phase import PhaseSettings
from core.contamination.pocket.pair import PocketPair, PocketSettings
from core.contamination.pool_correction import PoolCase
from core.contamination.regimes import Design

if TYPE_CHECKING:
    import pandas as pd

PHASE_FILE: Final = "simulated/phase_defaults.parquet"
SIZES_FILE: Final = "simulated/calibration_sizes.csv"
POCKET_ITEMS_FILE: Final = "recomputed/pocket_items.parquet"
POCKET_LOSS_FILE: Final = "recomputed/pocket_training_loss.csv"
POOL_SEED: Final = 0


def default_phase_settings() -> PhaseSettings:
    """Return the settings of the shipped phase diagrams, all estimators computed."""
    return PhaseSettings(extras=True)


def default_sizes_case() -> PoolCase:
    """Return the case of the shipped calibration sizes."""
    return PoolCase(design=Design(replicates=1000))


def default_pocket_settings() -> PocketSettings:
    """Return the settings of the shipped pocket pair."""
    return PocketSettings()


@cache
def default_phase_frame() -> pd.DataFrame:
    """Return the shipped phase diagrams of all presets, wide, with a column ``pool``; not to be changed.

    Raises
    ------
    core.errors.DataError
        If the shipped file is missing or altered.
    """
    import pandas as pd

    return pd.read_parquet(data_files.path(PHASE_FILE))


@cache
def default_sizes() -> pd.DataFrame:
    """Return the shipped errors by calibration size for MMLU, random high dose; not to be changed."""
    import pandas as pd

    return pd.read_csv(data_files.path(SIZES_FILE))


@cache
def default_pocket_pair() -> PocketPair:
    """Return the shipped pocket pair, trained with the default settings."""
    import pandas as pd

    return PocketPair.from_tables(
        default_pocket_settings(),
        pd.read_parquet(data_files.path(POCKET_ITEMS_FILE)),
        pd.read_csv(data_files.path(POCKET_LOSS_FILE)),
    )
