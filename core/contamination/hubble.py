"""Hubble's published figures at 8 B parameters and 500 B tokens, and the six benchmark presets built on them.

Source: arXiv 2510.19811. The tables are shipped in ``data/hubble``; every number here is *published*.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from typing import Final

from core import data_files
from core.errors import UsageError

LEVELS: Final = (0, 1, 4, 16, 64, 256)
ATTACKS: Final = ("LOSS", "Min-K%", "Min-K%++", "zlib")
AUROC_BENCHMARK: Final = "MMLU"


@dataclass(frozen=True, slots=True)
class Preset:
    """A Hubble benchmark as the product uses it.

    Parameters
    ----------
    key
        Its name on the command line and in links.
    label
        Its name in figures.
    task, metric
        The row of the published accuracy table.
    chance
        Expected accuracy of a guess (options equally likely; 0 for open answers).
    """

    key: str
    label: str
    task: str
    metric: str
    chance: float

    @property
    def borrows_auroc(self) -> bool:
        """Whether the attack AUROCs are MMLU's, because none are published for this benchmark."""
        return self.task != AUROC_BENCHMARK


PAPER_RMSE_PP: Final = {"naive": 13.1, "combined": 1.8}
"""Published errors on MMLU, random leaks of high dose, in pp: Min-K%++ with Qwen3-8B's confidence (arXiv 2605.24818)."""

PRESETS: Final = {
    preset.key: preset
    for preset in (
        Preset("mmlu", "MMLU", "MMLU", "acc", 0.25),
        Preset("hellaswag", "HellaSwag", "HellaSwag", "acc_norm, byte", 0.25),
        Preset("piqa", "PIQA", "PIQA", "acc_norm, byte", 0.5),
        Preset("popqa", "PopQA", "PopQA", "exact match", 0.0),
        Preset("winogrande_mcq", "WinoGrande MCQ", "WinoGrande MCQ", "acc", 0.5),
        Preset("winogrande_infill", "WinoGrande infill", "WinoGrande infill", "acc", 0.5),
    )
}


def preset(key: str) -> Preset:
    """Return the preset of that name.

    Raises
    ------
    UsageError
        If there is none; the message lists them.

    Examples
    --------
    >>> preset("mmlu").chance
    0.25
    """
    if key not in PRESETS:
        raise UsageError(f"Unknown benchmark '{key}'. Valid: {', '.join(PRESETS)}.")
    return PRESETS[key]


@cache
def items_per_level() -> dict[int, int]:
    """Return the number of items per duplication level, 4,000 of them never inserted."""
    return {int(row["duplicates"]): int(row["items"]) for row in _rows("hubble_items_per_level.csv")}


@cache
def accuracies(key: str) -> dict[str, dict[int, float]]:
    """Return ``{"standard" | "perturbed": {level: accuracy}}`` of a preset, as published.

    Examples
    --------
    >>> accuracies("mmlu")["perturbed"][256]
    1.0
    """
    wanted = preset(key)
    table: dict[str, dict[int, float]] = {"standard": {}, "perturbed": {}}
    for row in _rows("hubble_8b_500b_accuracy.csv"):
        if (row["task"], row["metric"]) == (wanted.task, wanted.metric) and row["accuracy"]:
            table[row["model"]][int(row["duplicates"])] = float(row["accuracy"])
    return table


@cache
def attack_aurocs(data: str = AUROC_BENCHMARK) -> dict[str, dict[int, float]]:
    """Return ``{attack: {level: AUROC}}`` for a published data set, without the pooled row."""
    table: dict[str, dict[int, float]] = {attack: {} for attack in ATTACKS}
    for row in _rows("hubble_8b_500b_mia_auroc.csv"):
        if row["data"] == data and row["duplicates"] != "all":
            table[row["attack"]][int(row["duplicates"])] = float(row["auroc"])
    return table


@cache
def pooled_aurocs(data: str = AUROC_BENCHMARK) -> dict[str, float]:
    """Return ``{attack: AUROC over all levels}`` for a published data set."""
    rows = _rows("hubble_8b_500b_mia_auroc.csv")
    return {
        row["attack"]: float(row["auroc"])
        for row in rows
        if row["data"] == data and row["duplicates"] == "all"
    }


def expected_inflation_pp(key: str, level: int, rate: float = 0.3) -> float:
    """Return the naive score's expected inflation, 100 rate (perturbed - standard), in percentage points.

    Examples
    --------
    >>> round(expected_inflation_pp("mmlu", 256), 2)
    14.06
    """
    table = accuracies(key)
    return 100 * rate * (table["perturbed"][level] - table["standard"][level])


@cache
def _rows(name: str) -> tuple[dict[str, str], ...]:
    with data_files.path(f"hubble/{name}").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))
