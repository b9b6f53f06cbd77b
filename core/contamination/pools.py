"""Item pools: what a clean and a contaminated model do on each item, and how the attacks score it.

`calibrated_pool` draws a *simulated* pool whose means match Hubble's published figures; `core.contamination.pool_files`
reads a reader's own pool into the same type.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from core.contamination import hubble
from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from numpy.typing import NDArray

DEFAULT_LOADING: Final = 0.8
AUROC_CAP: Final = 0.9995
ATTACK_LOADING: Final = 0.8

Provenance = Literal["simulated", "loaded", "measured"]


@dataclass(frozen=True, eq=False)
class ItemPool:
    """Items with the outcomes of both models, their duplication levels and attack scores.

    Parameters
    ----------
    name
        The pool's name for titles.
    items
        Item ids, unique.
    y_clean, y_observed
        Shape (items,), 0 or 1: is the standard model right, is the perturbed one.
    duplicates
        Shape (items,): how often the item stood in the perturbed model's training data.
    confidence
        Shape (items,), in [0, 1]: the confidence signal that a correctness predictor may use.
    scores
        Attack name -> shape (items,), higher = more likely memorized.
    calibration
        Shape (items,): True for the calibration ("spiked") half, False for the simulation half.
    chance
        Expected accuracy of a guess.
    provenance
        "simulated", "loaded" (a reader's file) or "measured" (the pocket pair).
    clean_outcomes_measured
        Whether a test set shows the perturbed model's own outcome on clean items too; by default it shows y*, so that
        contamination is the only thing to correct.

    Raises
    ------
    DataError
        If shapes disagree, a value is outside its domain, or a half lacks clean or contaminated items.
    """

    name: str
    items: tuple[str, ...]
    y_clean: NDArray[np.float64]
    y_observed: NDArray[np.float64]
    duplicates: NDArray[np.int64]
    confidence: NDArray[np.float64]
    scores: Mapping[str, NDArray[np.float64]]
    calibration: NDArray[np.bool_]
    chance: float
    provenance: Provenance = "loaded"
    clean_outcomes_measured: bool = False

    def __post_init__(self) -> None:
        count = len(self.items)
        columns = {
            "y_clean": self.y_clean,
            "y_observed": self.y_observed,
            "duplicates": self.duplicates,
            "confidence": self.confidence,
            "calibration": self.calibration,
            **self.scores,
        }
        for name, column in columns.items():
            if column.shape != (count,):
                raise DataError(
                    f"Pool column '{name}' must have one value per item ({count}), found {column.shape}."
                )
        if len(set(self.items)) != count:
            raise DataError("A pool's item ids must not repeat.")
        for name in ("y_clean", "y_observed"):
            if not np.isin(columns[name], (0, 1)).all():
                raise DataError(f"Pool column '{name}' must hold 0 or 1 only.")
        if (self.duplicates < 0).any():
            raise DataError("Pool column 'duplicates' must not be negative.")
        for half, label in ((self.calibration, "calibration"), (~self.calibration, "simulation")):
            clean = int((half & (self.duplicates == 0)).sum())
            contaminated = int(half.sum()) - clean
            if clean == 0 or contaminated == 0:
                raise DataError(
                    f"The {label} half needs clean and contaminated items, found {clean} clean and {contaminated} "
                    "contaminated; give at least two of each duplication level."
                )
        for column in columns.values():
            column.setflags(write=False)

    @property
    def contaminated(self) -> NDArray[np.bool_]:
        """Shape (items,): whether the perturbed model saw the item at all."""
        return self.duplicates > 0

    @property
    def levels(self) -> tuple[int, ...]:
        """The duplication levels that occur, ascending."""
        return tuple(int(level) for level in np.unique(self.duplicates))

    @property
    def test_outcomes(self) -> NDArray[np.float64]:
        """Shape (items,): the outcome that a test set shows: the perturbed model's where the item leaked, else y*."""
        if self.clean_outcomes_measured:
            return self.y_observed
        return np.where(self.contaminated, self.y_observed, self.y_clean)

    def frame(self) -> pd.DataFrame:
        """Return the pool as a table in the columns of the file format, ``half`` added."""
        import pandas as pd

        columns = {
            "item": self.items,
            "y_clean": self.y_clean.astype(np.int64),
            "y_observed": self.y_observed.astype(np.int64),
            "duplicates": self.duplicates,
            "confidence": self.confidence,
            **self.scores,
            "half": np.where(self.calibration, "calibration", "simulation"),
        }
        return pd.DataFrame(columns)


def calibrated_pool(key: str, seed: int = 0, loading: float = DEFAULT_LOADING) -> ItemPool:
    """Draw a simulated pool whose means match Hubble's published figures.

    Per duplication level, a latent difficulty drives the standard model's confidence and correctness, both with the
    given loading; the number of right answers is the published accuracy times the items, rounded. The perturbed
    outcomes flip wrong answers to right ones (or right to wrong, where the published perturbed accuracy is lower)
    until its published accuracy is met. Attack scores are normal quantiles in random order, N(0, 1) for clean items
    and N(delta, 1) at a level, delta = sqrt(2) Phi^-1(AUROC). The attacks of one item share part of their order.

    Parameters
    ----------
    key
        A preset's name (`core.contamination.hubble.PRESETS`).
    seed
        Seed of every draw, the split in halves included.
    loading
        Loading of confidence and correctness on the latent difficulty, in [0, 1].

    Raises
    ------
    UsageError
        If the preset is unknown or the loading is outside [0, 1].
    """
    wanted = hubble.preset(key)
    if not 0 <= loading <= 1:
        raise UsageError(f"The loading must lie within [0, 1], found {loading}.")
    rng = np.random.default_rng(seed)
    accuracy = hubble.accuracies(key)
    parts = [
        _level(level, count, accuracy["standard"][level], accuracy["perturbed"][level], loading, rng)
        for level, count in hubble.items_per_level().items()
    ]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    duplicates = joined["duplicates"].astype(np.int64)
    return ItemPool(
        name=wanted.label,
        items=tuple(f"{key}-{index:05d}" for index in range(len(duplicates))),
        y_clean=joined["y_clean"],
        y_observed=joined["y_observed"],
        duplicates=duplicates,
        confidence=joined["confidence"],
        scores={attack: joined[attack] for attack in hubble.ATTACKS},
        calibration=halves(duplicates, rng),
        chance=wanted.chance,
        provenance="simulated",
    )


def halves(duplicates: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Split a pool in half within each duplication level; the odd item goes to the simulation half.

    Returns
    -------
    NDArray[np.bool_]
        Shape (items,): True for the calibration half.
    """
    calibration = np.zeros(len(duplicates), dtype=np.bool_)
    for level in np.unique(duplicates):
        members = np.flatnonzero(duplicates == level)
        calibration[rng.permutation(members)[: len(members) // 2]] = True
    return calibration


def _level(
    level: int, count: int, standard: float, perturbed: float, loading: float, rng: np.random.Generator
) -> dict[str, NDArray[np.float64]]:
    from scipy.stats import norm

    latent = rng.standard_normal(count)
    rest = math.sqrt(1 - loading**2)
    ability = loading * latent + rest * rng.standard_normal(count)
    confidence = norm.cdf(loading * latent + rest * rng.standard_normal(count) + norm.ppf(_inside(standard)))
    y_clean = np.zeros(count)
    y_clean[np.argsort(-ability, kind="stable")[: round(standard * count)]] = 1
    y_observed = y_clean.copy()
    change = round(perturbed * count) - round(standard * count)
    if change >= 0:
        y_observed[rng.permutation(np.flatnonzero(y_clean == 0))[:change]] = 1
    else:
        y_observed[rng.permutation(np.flatnonzero(y_clean == 1))[:-change]] = 0
    quantiles = norm.ppf((np.arange(count) + 0.5) / count)
    shared = rng.standard_normal(count)
    scores = {}
    for attack, aurocs in hubble.attack_aurocs().items():
        mixed = ATTACK_LOADING * shared + math.sqrt(1 - ATTACK_LOADING**2) * rng.standard_normal(count)
        shift = math.sqrt(2) * norm.ppf(min(aurocs[level], AUROC_CAP)) if level else 0.0
        scores[attack] = quantiles[np.argsort(np.argsort(mixed))] + shift
    return {
        "y_clean": y_clean,
        "y_observed": y_observed,
        "duplicates": np.full(count, level, dtype=np.float64),
        "confidence": confidence,
        **scores,
    }


def _inside(probability: float) -> float:
    return min(max(probability, 1e-6), 1 - 1e-6)
