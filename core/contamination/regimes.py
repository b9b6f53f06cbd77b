"""Contamination regimes: which items of a pool leak into a simulated test set, and how test sets are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.contamination.pools import ItemPool

LOW_DOSE: Final = (1,)
MEDIUM_DOSES: Final = ((16,), (4, 16))
HIGH_DOSE: Final = (64, 256)


@dataclass(frozen=True, slots=True)
class Regime:
    """One way for test items to leak.

    Parameters
    ----------
    key
        Its name in files, on the command line and in links.
    label
        Its title in figures.
    row
        "random" or "correlated": the figure's row.
    """

    key: str
    label: str
    row: str


REGIMES: Final = {
    regime.key: regime
    for regime in (
        Regime("random_low", "Random, low dose", "random"),
        Regime("random_medium", "Random, medium dose", "random"),
        Regime("random_high", "Random, high dose", "random"),
        Regime("easy", "Easy items leaked", "correlated"),
        Regime("medium", "Medium items leaked", "correlated"),
        Regime("hard", "Hard items leaked", "correlated"),
    )
}
_TERCILES: Final = {"easy": 0, "medium": 1, "hard": 2}


@dataclass(frozen=True, slots=True)
class Design:
    """How test sets are drawn.

    Parameters
    ----------
    n
        Items per test set.
    rate
        Share of them that is contaminated.
    replicates
        Test sets.
    medium
        Duplication levels of the medium dose: (16,), or (4, 16) as the paper's text has it.

    Raises
    ------
    UsageError
        If a value is outside its domain.
    """

    n: int = 500
    rate: float = 0.3
    replicates: int = 1000
    medium: tuple[int, ...] = (16,)

    def __post_init__(self) -> None:
        if not 10 <= self.n <= 100_000:
            raise UsageError(f"A test set has 10 to 100,000 items, found {self.n}.")
        if not 0 < self.rate < 1 or not 0 < self.contaminated < self.n:
            raise UsageError(
                f"The contamination rate must leave clean and contaminated items in a test set of {self.n}, "
                f"found {self.rate}."
            )
        if not 2 <= self.replicates <= 100_000:
            raise UsageError(f"A study has 2 to 100,000 replicates, found {self.replicates}.")
        if self.medium not in MEDIUM_DOSES:
            raise UsageError(f"The medium dose is 16 or 4,16, found {','.join(map(str, self.medium))}.")

    @property
    def contaminated(self) -> int:
        """Contaminated items per test set."""
        return round(self.rate * self.n)


def regime(key: str) -> Regime:
    """Return the regime of that name.

    Raises
    ------
    UsageError
        If there is none; the message lists them.
    """
    if key not in REGIMES:
        raise UsageError(f"Unknown regime '{key}'. Valid: {', '.join(REGIMES)}.")
    return REGIMES[key]


def clean_items(pool: ItemPool) -> NDArray[np.intp]:
    """Return the positions of the simulation half's clean items."""
    return np.flatnonzero(~pool.calibration & (pool.duplicates == 0))


def leaking_items(pool: ItemPool, key: str, design: Design) -> NDArray[np.intp]:
    """Return the positions of the items that leak under a regime, all in the simulation half.

    Random regimes take the levels of their dose. Correlated ones take one tercile, by the standard model's
    confidence, of the items at levels 64 and 256.

    Raises
    ------
    DataError
        If the pool has no such items.
    """
    items = _candidates(pool, key, design)
    if len(items) == 0:
        raise DataError(
            f"The pool has no items for '{regime(key).label}': its simulation half lacks the duplication levels "
            f"{', '.join(map(str, _doses(key, design)))}. "
            "Add such items, or leave the regime out (on the command line: --regimes)."
        )
    return items


def offers(pool: ItemPool, key: str, design: Design) -> bool:
    """Return whether a pool has items that can leak under a regime."""
    return len(_candidates(pool, key, design)) > 0


def _doses(key: str, design: Design) -> tuple[int, ...]:
    return {"random_low": LOW_DOSE, "random_medium": design.medium}.get(regime(key).key, HIGH_DOSE)


def _candidates(pool: ItemPool, key: str, design: Design) -> NDArray[np.intp]:
    items = np.flatnonzero(~pool.calibration & np.isin(pool.duplicates, _doses(key, design)))
    if key in _TERCILES:
        items = items[np.argsort(-pool.confidence[items], kind="stable")]
        items = np.sort(np.array_split(items, 3)[_TERCILES[key]])
    return items


def draw_test_sets(
    clean: int, leaking: int, design: Design, rng_clean: np.random.Generator, rng_leaking: np.random.Generator
) -> NDArray[np.intp]:
    """Draw test sets with replacement, clean items first.

    Parameters
    ----------
    clean, leaking
        Numbers of items to draw from.
    design
        Sizes.
    rng_clean, rng_leaking
        Sources of the two kinds of draws, apart so that regimes can share their clean items.

    Returns
    -------
    NDArray[np.intp]
        Shape (replicates, n): indices into the clean items followed by the leaking ones.
    """
    first = rng_clean.integers(0, clean, (design.replicates, design.n - design.contaminated))
    second = clean + rng_leaking.integers(0, leaking, (design.replicates, design.contaminated))
    return np.concatenate([first, second], axis=1)


def item_counts(samples: NDArray[np.intp], items: int) -> NDArray[np.float64]:
    """Return how often each item stands in each test set.

    Returns
    -------
    NDArray[np.float64]
        Shape (replicates, items).
    """
    replicates = len(samples)
    slots = (samples + items * np.arange(replicates)[:, None]).ravel()
    return np.bincount(slots, minlength=replicates * items).reshape(replicates, items).astype(np.float64)
