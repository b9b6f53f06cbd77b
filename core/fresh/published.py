"""AntiLeakBench's published results (arXiv 2412.13670), typed, with the oddities found in them."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from core.errors import DataError
from core.provenance import Provenance, read_shipped

if TYPE_CHECKING:
    import pandas as pd

SOURCE: Final = "AntiLeakBench (arXiv 2412.13670), tables"
SIGNAL_SOURCE: Final = "AntiLeakBench (arXiv 2412.13670), text"
STATED_BEST_OPEN: Final = {"EM": 53.9, "F1": 62.0}
"""What the paper's text calls the best average of an open model, in percent."""
CLOSED_MODELS: Final = ("GPT-4o-mini", "GPT-4o")


@dataclass(frozen=True, eq=False)
class Results:
    """A published table with its source; `frame` is a fresh copy."""

    stored: pd.DataFrame
    provenance: Provenance

    @property
    def frame(self) -> pd.DataFrame:
        """A copy, free to be changed."""
        return self.stored.copy()


@lru_cache(maxsize=2)
def _read(file: str, source: str, columns: tuple[str, ...]) -> Results:
    import pandas as pd

    content, provenance = read_shipped(f"published/{file}", source)
    frame = pd.read_csv(io.BytesIO(content))
    if tuple(frame.columns) != columns:
        raise DataError(f"The shipped file data/published/{file} is damaged. Restore it from the repository.")
    return Results(frame, provenance)


def results() -> Results:
    """Return the scores of 12 models.

    Returns
    -------
    Results
        384 rows: `format` (``generation``, ``multiple_choice``), `model`, `setting` (``single_hop_gold`` … ``multi_hop_n7``),
        `metric` (``EM``, ``F1``; ``accuracy``, ``macro_F1``), `value` (percent), `hops` (``single``, ``multi``), `distractors` (0, 3, 5, 7).
    """
    read = _read("antileak_results.csv", SOURCE, ("format", "model", "setting", "metric", "value"))
    frame = read.frame
    frame["hops"] = [setting.split("_")[0] for setting in frame["setting"]]
    frame["distractors"] = [
        0 if setting.endswith("gold") else int(setting.rsplit("n", 1)[1]) for setting in frame["setting"]
    ]
    return Results(frame, read.provenance)


def cutoff_signal() -> Results:
    """Return how one model's answers change at its cutoff.

    Returns
    -------
    Results
        Four rows: `model`, `period` (``before``, ``after``), `measure` (``correct``, ``outdated``), `value` (percent).
    """
    return _read("antileak_cutoff_signal.csv", SIGNAL_SOURCE, ("model", "period", "measure", "value"))


def oddities() -> list[str]:
    """Return what does not fit together in the published tables, one sentence each, computed from the cells."""
    frame = results().frame
    said = []
    free = frame[frame["format"] == "generation"]
    means = free[~free["model"].isin(CLOSED_MODELS)].groupby(["model", "metric"])["value"].mean().unstack()
    for row in means.reset_index().to_dict("records"):
        if all(round(row[metric], 1) > best for metric, best in STATED_BEST_OPEN.items()):
            stated = "/".join(f"{value:.1f}" for value in STATED_BEST_OPEN.values())
            said.append(
                f"The cells of {row['model']} average {row['EM']:.1f} EM and {row['F1']:.1f} F1, above the {stated} that "
                "the text calls the best average of an open model."
            )
    wide = free.pivot_table(index=["model", "setting"], columns="metric", values="value").reset_index()
    said.extend(
        f"{row['model']} has an F1 of {row['F1']:.1f} below its EM of {row['EM']:.1f} "
        f"({row['setting'].replace('_', ' ')}), which cannot be: an exact match has an F1 of 1."
        for row in wide.to_dict("records")
        if row["F1"] < row["EM"]
    )
    return said
