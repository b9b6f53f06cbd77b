"""The scoring conventions of the six published benchmarks, as settings.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), public feedback by
benchmark. A configuration file of the artifact may override a value; seeds come from there alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LIVEBENCH_HELD_OUT: Final = 68


@dataclass(frozen=True, slots=True)
class Convention:
    """How one benchmark is scored.

    Parameters
    ----------
    name
        The benchmark's name; LiveBench's decides how its tasks are grouped.
    settings
        Its settings, without seeds.
    task_is_category
        Whether a category is taken as one task: counts are pooled in it.
    small_groups
        Name under which categories with fewer than 10 items are pooled, or None.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    task_is_category: bool = False
    small_groups: str | None = None


CONVENTIONS: Final[dict[str, Convention]] = {
    "livebench": Convention(
        "LiveBench",
        {
            "coordinates": "task",
            "ranking": "category_mean",
            "precision": 0.001,
            "holdout_per_category": LIVEBENCH_HELD_OUT,
        },
    ),
    "helm_capabilities": Convention(
        "HELM Capabilities",
        {"coordinates": "category", "ranking": "coordinate_mean", "precision": "float64"},
    ),
    "helm_lite": Convention(
        "HELM Lite", {"coordinates": "category", "ranking": "mean_win_rate", "precision": "float64"}
    ),
    "openllm_v2": Convention(
        "Open LLM Leaderboard v2",
        {"coordinates": "category", "ranking": "coordinate_mean", "precision": 0.01},
    ),
    "swe_verified": Convention(
        "SWE-bench Verified",
        {"coordinates": "category", "ranking": "item_mean", "precision": "exact"},
        task_is_category=True,
        small_groups="Other small repositories",
    ),
    "terminal_science": Convention(
        "Terminal-Bench-Science",
        {"coordinates": "category", "ranking": "item_mean", "precision": "exact", "repeats": 3},
        task_is_category=True,
    ),
}

_ALIASES: Final = {
    "livebench": "livebench",
    "helmcapabilities": "helm_capabilities",
    "helmlite": "helm_lite",
    "openllmv2": "openllm_v2",
    "openllm": "openllm_v2",
    "openllmleaderboardv2": "openllm_v2",
    "openllmleaderboard": "openllm_v2",
    "sweverified": "swe_verified",
    "swebenchverified": "swe_verified",
    "swebench": "swe_verified",
    "terminalscience": "terminal_science",
    "terminalbenchscience": "terminal_science",
}

OPENLLM_CHANCE: Final = {"gpqa": 0.25, "mmlu_pro": 0.1, "math": 0.0}
"""Chance rates of the Open LLM v2 coordinates that are one pool of items."""


def convention_of(name: str) -> tuple[str, Convention] | None:
    """Return the key and convention of a benchmark by any of its spellings, or None if it is not one of the six.

    Examples
    --------
    >>> convention_of("HELM-Lite")[0], convention_of("swe_bench_verified")[0], convention_of("mine")
    ('helm_lite', 'swe_verified', None)
    """
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    key = _ALIASES.get(plain)
    return None if key is None else (key, CONVENTIONS[key])


def openllm_part(category: str) -> str | None:
    """Return which of the six Open LLM v2 scores a category is: ``ifeval``, ``bbh``, ``math``, ``gpqa``, ``musr``, ``mmlu_pro``.

    Examples
    --------
    >>> openllm_part("MATH Lvl 5"), openllm_part("leaderboard_mmlu_pro"), openllm_part("poems")
    ('math', 'mmlu_pro', None)
    """
    plain = "".join(letter for letter in category.lower() if letter.isalnum())
    for key in ("ifeval", "bbh", "gpqa", "musr", "mmlu_pro", "math"):
        if key.replace("_", "") in plain:
            return key
    return None


def is_rate(value: object) -> bool:
    """Whether a value may be a chance rate: a number from 0 up to 1, 1 excluded."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and 0 <= value < 1
    )
