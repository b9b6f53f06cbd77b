"""Tidy frames for curves over submissions: one row per benchmark and budget, published or recomputed.

Columns of every frame here: `benchmark` (key), `name` (as shown), `new_submissions` (1 and up), `measure`, `value`, `low`,
`high` (95 % interval; NaN where none was given), `label` (``published``, ``recomputed`` or ``simulated``),
`static_control` (true at budget 1, which is a control and no random attack) and `source`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from core import published
from core.errors import UsageError
from core.provenance import LABELS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from core.provenance import Label
    from core.published_table import PublishedTable

COLUMNS: Final = (
    "benchmark",
    "name",
    "new_submissions",
    "measure",
    "value",
    "low",
    "high",
    "label",
    "static_control",
    "source",
)


@dataclass(frozen=True, slots=True)
class Measure:
    """One quantity that a curve can show.

    Parameters
    ----------
    key
        Its name, as in a study's columns.
    name
        As shown on a control.
    axis
        Axis title, with the unit.
    unit
        After a number in a sentence: ``"points"``, ``"ranks"`` or ``"%"``.
    factor
        From the table's values to the shown ones: 100 for a rate shown in percent.
    """

    key: str
    name: str
    axis: str
    unit: str
    factor: float = 1.0


MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        measure.key: measure
        for measure in (
            Measure(
                "model_selection_loss_pp",
                "Selection loss",
                "held-out score lost by following the ranking (pp)",
                "points",
            ),
            Measure("rank_drop", "Rank drop", "held-out ranks lost by following the ranking", "ranks"),
            Measure(
                "false_winner",
                "False winners",
                "splits in which the public leader is not the best (%)",
                "%",
                100.0,
            ),
            Measure(
                "score_gap_pp",
                "Score gap",
                "largest gap from best public to best held-out score (pp)",
                "points",
            ),
        )
    }
)


def measure_of(key: str) -> Measure:
    """Return a measure by its key.

    Parameters
    ----------
    key
        A key of `MEASURES`.

    Raises
    ------
    UsageError
        If there is no such measure.
    """
    try:
        return MEASURES[key]
    except KeyError:
        raise UsageError(f"Unknown measure '{key}'. Valid: {', '.join(MEASURES)}.") from None


def published_series(measure: str) -> pd.DataFrame:
    """Return the published curves of the six benchmarks, budgets 1 to 2,048.

    Parameters
    ----------
    measure
        A key of `MEASURES`. For false winners an interval is published for Terminal-Bench-Science alone.

    Returns
    -------
    pandas.DataFrame
        72 rows with the columns of this module, benchmarks in their usual order.

    Raises
    ------
    UsageError
        If there is no such measure.
    """
    wanted = measure_of(measure)
    table, column, ends = _published_column(wanted.key)
    frame = table.frame
    frame = frame[frame["new_submissions"] >= 1]
    rows = frame[["benchmark", "new_submissions"]].copy()
    rows["value"] = frame[column] * wanted.factor
    for end in ("low", "high"):
        name = f"{column}{ends}_{end}"
        rows[end] = frame[name] * wanted.factor if name in frame else float("nan")
    if wanted.key == "false_winner":
        _fill_false_winner_interval(rows, wanted.factor)
    order = {key: place for place, key in enumerate(published.BENCHMARKS)}
    rows = rows.sort_values("new_submissions").sort_values(
        "benchmark", key=lambda keys: keys.map(order), kind="stable"
    )
    rows["name"] = rows["benchmark"].map({key: facts.name for key, facts in published.BENCHMARKS.items()})
    rows["source"] = table.provenance.sentence
    if wanted.key == "false_winner":
        also = replace(table.provenance, also=(published.terminal_science_summary().provenance,))
        rows.loc[rows["benchmark"] == "terminal_science", "source"] = also.sentence
    return _finish(rows, wanted, "published")


def _published_column(measure: str) -> tuple[PublishedTable, str, str]:
    if measure == "score_gap_pp":
        return published.score_gap(), "score_gap_mean_pp", "_ci"
    return published.selection_loss(), {"false_winner": "router_false_winner"}.get(measure, measure), ""


def _fill_false_winner_interval(rows: pd.DataFrame, factor: float) -> None:
    """Add the one published interval, that of Terminal-Bench-Science, from its summary."""
    summary = published.terminal_science_summary().frame.set_index("new_submissions")
    here = rows["benchmark"] == "terminal_science"
    for end in ("low", "high"):
        rows.loc[here, end] = rows.loc[here, "new_submissions"].map(summary[f"false_winner_{end}"]) * factor


def study_series(
    summary: pd.DataFrame,
    measure: str,
    *,
    name: str,
    source: str,
    key: str | None = None,
    label: Label = "recomputed",
) -> pd.DataFrame:
    """Return the curve of a study as a tidy frame.

    Parameters
    ----------
    summary
        A study's summary, one row per budget (budget 0 is left out).
    measure
        A key of `MEASURES`.
    name
        The benchmark as shown.
    source
        How the values came about, one line.
    key
        The benchmark's key, which decides its colour, dash and shape; default: that of the summary.
    label
        ``"recomputed"`` or ``"simulated"``.

    Raises
    ------
    UsageError
        If the measure or the label is unknown.
    """
    wanted = measure_of(measure)
    if label not in LABELS:
        raise UsageError(f"Unknown label '{label}'. Valid: {', '.join(LABELS)}.")
    shown = summary[summary["new_submissions"] >= 1].sort_values("new_submissions")
    rows = shown[["new_submissions"]].copy()
    rows["benchmark"] = key if key is not None else shown["benchmark"]
    rows["name"] = name
    rows["value"] = shown[wanted.key].astype(float) * wanted.factor
    for end in ("low", "high"):
        rows[end] = shown[f"{wanted.key}_{end}"].astype(float) * wanted.factor
    rows["source"] = source
    return _finish(rows, wanted, label)


def _finish(rows: pd.DataFrame, measure: Measure, label: Label) -> pd.DataFrame:
    rows = rows.assign(
        measure=measure.key, label=label, static_control=rows["new_submissions"] == 1
    ).reset_index(drop=True)
    return rows[list(COLUMNS)]
