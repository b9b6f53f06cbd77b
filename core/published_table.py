"""A published table with its provenance, and how the shipped files are read."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from core.errors import DataError
from core.provenance import Provenance, read_shipped

if TYPE_CHECKING:
    import pandas as pd

ARTIFACT: Final = "Allouah, Duchi and Koyejo, Fast but False Progress on Benchmarks with Richer Feedback (2026), artifact 0.1.0"


@dataclass(frozen=True, eq=False, slots=True)
class PublishedTable:
    """A table and where it comes from.

    Parameters
    ----------
    provenance
        File, source, checksum and label.
    stored
        The table as read; use `frame`, which hands out copies.
    """

    provenance: Provenance
    stored: pd.DataFrame

    @property
    def frame(self) -> pd.DataFrame:
        """A copy of the table, free to be changed by the caller."""
        return self.stored.copy()


@lru_cache(maxsize=32)
def read_published(file: str, columns: tuple[str, ...]) -> PublishedTable:
    """Return a shipped table of ``data/published``.

    Raises
    ------
    DataError
        If the file is missing, altered or lacks one of the columns.
    """
    import pandas as pd

    content, provenance = read_shipped(f"published/{file}", ARTIFACT)
    try:
        frame = pd.read_csv(io.BytesIO(content))
    except (ValueError, UnicodeDecodeError) as error:
        raise DataError(
            f"The shipped file data/published/{file} is not a readable table ({error}). Restore it from the repository."
        ) from error
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise DataError(
            f"The shipped file data/published/{file} lacks the column '{missing[0]}'. Restore it from the repository."
        )
    return PublishedTable(provenance, frame)


def with_interval(*names: str, middle: str = "") -> tuple[str, ...]:
    """Return column names, each followed by those of its interval's ends.

    Examples
    --------
    >>> with_interval("loss", middle="_ci")
    ('loss', 'loss_ci_low', 'loss_ci_high')
    """
    return tuple(f"{name}{suffix}" for name in names for suffix in ("", f"{middle}_low", f"{middle}_high"))
