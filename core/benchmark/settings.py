"""A benchmark's settings: what a submission gets back, how models are ranked, how items are split.

Only the values and their checks live here; `core.benchmark.reading` reads them from TOML or JSON.
"""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, get_args

from core.errors import DataError

Coordinates = Literal["task", "category", "overall"]
Ranking = Literal["coordinate_mean", "category_mean", "item_mean", "mean_win_rate"]

COORDINATES: Final[tuple[str, ...]] = get_args(Coordinates)
RANKINGS: Final[tuple[str, ...]] = get_args(Ranking)
DEFAULT_HOLDOUT_FRACTION: Final = 2 / 3
MAX_REPEATS: Final = 1_000_000
ORIGIN: Final = "origin"
"""Key of a settings file that says where the item scores come from; it is no setting of the study."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a benchmark is scored, ranked, split and attacked.

    Parameters
    ----------
    name
        The benchmark's name.
    coordinates
        The scores that one submission gets back: one per task, one per category, or the overall score alone.
    ranking
        How models are ordered. ``mean_win_rate`` ranks by win rate and performs by ``category_mean``.
    precision
        ``"exact"`` (counts where possible, else rational arithmetic), ``"float64"`` (the double that a published
        file would hold), or a step in percentage points to which released scores are rounded.
    repeats
        Runs per item; a score is the mean of that many 0/1 runs.
    holdout_fraction
        Share of each task's items that is held out; None when `holdout_per_category` is given.
    holdout_per_category
        Held-out items per category, spread over its tasks by largest remainder (LiveBench's split).
    split_seed_base
        Trial ``t`` is split with seed ``split_seed_base + t``.
    routing_seed, tie_seed
        Seeds of the random routers and of the tie router.
    feedback
        The feedback rule, in the grammar of the command line; None is the benchmark's own `coordinates`.

    Raises
    ------
    DataError
        If a value is outside its domain; the message names the key and the nearest valid value.
    """

    name: str
    coordinates: Coordinates = "category"
    ranking: Ranking = "category_mean"
    precision: Literal["exact", "float64"] | float = "exact"
    repeats: int = 1
    holdout_fraction: float | None = DEFAULT_HOLDOUT_FRACTION
    holdout_per_category: int | None = None
    split_seed_base: int = 0
    routing_seed: str = ""
    tie_seed: str = ""
    feedback: str | None = None

    def __post_init__(self) -> None:
        _require_text("name", self.name)
        for key in ("routing_seed", "tie_seed"):
            if not isinstance(getattr(self, key), str):
                raise DataError(f"Setting '{key}' must be text in quotes, found {getattr(self, key)!r}.")
        if not self.routing_seed:
            object.__setattr__(self, "routing_seed", f"{self.name}-bank0")
        if not self.tie_seed:
            object.__setattr__(self, "tie_seed", f"{self.name}-ties0")
        _require_choice("coordinates", self.coordinates, COORDINATES)
        _require_choice("ranking", self.ranking, RANKINGS)
        object.__setattr__(self, "precision", _checked_precision(self.precision))
        _require_integer("repeats", self.repeats, low=1)
        if self.repeats > MAX_REPEATS:
            raise DataError(
                f"Setting 'repeats' is at most {MAX_REPEATS:,} runs per item, found {self.repeats}."
            )
        _require_integer("split_seed_base", self.split_seed_base)
        self._check_holdout()
        if self.coordinates == "overall" and self.ranking == "mean_win_rate":
            raise DataError(
                'Settings coordinates = "overall" and ranking = "mean_win_rate" do not go together: a win rate '
                'compares several coordinates. Use coordinates = "category" or another ranking.'
            )
        if self.feedback is not None:
            _require_text("feedback", self.feedback)

    def _check_holdout(self) -> None:
        if self.holdout_per_category is not None:
            if self.holdout_fraction is not None:
                raise DataError(
                    "Settings holdout_fraction and holdout_per_category are both given; keep the one that is meant."
                )
            _require_integer("holdout_per_category", self.holdout_per_category, low=1)
            return
        fraction = self.holdout_fraction
        if isinstance(fraction, bool) or not isinstance(fraction, int | float) or not 0 < fraction < 1:
            raise DataError(
                f"Setting holdout_fraction must be a number between 0 and 1 (both excluded), found {fraction!r}."
            )
        object.__setattr__(self, "holdout_fraction", float(fraction))

    @property
    def step_pp(self) -> float | None:
        """The rounding step in percentage points, or None where scores are not rounded."""
        return None if isinstance(self.precision, str) else self.precision

    @property
    def ticks_per_unit(self) -> int | None:
        """Ticks in a score of 1 (100 pp), or None where scores are not rounded."""
        return None if self.step_pp is None else round(100 / self.step_pp)

    @classmethod
    def from_mapping(cls, values: dict[str, Any], **defaults: Any) -> Settings:
        """Build settings from a parsed file.

        Parameters
        ----------
        values
            The file's keys and values.
        defaults
            Values for keys that the file leaves out (for example ``name`` from the file's stem).

        Raises
        ------
        DataError
            If a key is unknown (the nearest known one is named) or a value is outside its domain.
        """
        names = [field.name for field in fields(cls)]
        known = [*names, ORIGIN]
        for key in values:
            if key not in names:
                raise DataError(f"Unknown setting '{key}'.{_nearest(key, known)} Known: {', '.join(known)}.")
        merged = {**defaults, **values}
        if "holdout_per_category" in values and "holdout_fraction" not in values:
            merged["holdout_fraction"] = None
        return cls(**merged)

    def with_changes(self, **changes: Any) -> Settings:
        """Return a copy with some values replaced, checked again."""
        return replace(self, **changes)


def _nearest(word: str, known: tuple[str, ...] | list[str]) -> str:
    close = difflib.get_close_matches(str(word), known, n=1, cutoff=0.4)
    return f" Did you mean '{close[0]}'?" if close else ""


def _require_text(key: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"Setting '{key}' must be text that is not empty, found {value!r}.")


def _require_choice(key: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise DataError(
            f"Unknown value {value!r} of setting '{key}'.{_nearest(str(value), choices)} "
            f"Valid: {', '.join(choices)}."
        )


def _require_integer(key: str, value: object, low: int | None = None) -> None:
    wanted = "a whole number" if low is None else f"a whole number of at least {low}"
    if isinstance(value, bool) or not isinstance(value, int) or (low is not None and value < low):
        raise DataError(f"Setting '{key}' must be {wanted}, found {value!r}.")


def _checked_precision(value: object) -> Literal["exact", "float64"] | float:
    if value == "exact":
        return "exact"
    if value == "float64":
        return "float64"
    if isinstance(value, str):
        raise DataError(
            f"Unknown value {value!r} of setting 'precision'.{_nearest(value, ('exact', 'float64'))} "
            "Valid: exact, float64, or a step in percentage points such as 0.01."
        )
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or value <= 0
    ):
        raise DataError(
            f"Setting 'precision' must be exact, float64 or a positive step in percentage points, found {value!r}."
        )
    ticks = 100 / value
    if round(ticks) < 1 or abs(ticks - round(ticks)) > 1e-9 * ticks:
        raise DataError(
            f"Setting 'precision' = {value!r} pp does not divide 100 pp into whole ticks; "
            "use a step such as 1, 0.1, 0.01 or 0.001."
        )
    return float(value)
