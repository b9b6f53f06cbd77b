"""Tidy frames of the feedback study: one row per number of returned scores and budget, published or recomputed.

Columns of every frame here: `position` (1, 2, ... in the order of the curves), `curve` (as shown: the number of returned
scores, or a rule), `dimension` (returned scores per submission; NaN where a rule decides), `new_submissions`,
`released_scores` (of the random candidates; 0 at the static control), `measure`, `value`, `low`, `high` (95 % interval),
`least`, `most` (range over partitions; NaN where there is one), `baseline`, `label`, `static_control`, `source`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from core import published
from core.errors import UsageError
from core.figures.series import measure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.provenance import Label
    from core.reuse.study import Study

Axis = Literal["new_submissions", "released_scores"]
MEASURE_KEYS: Final = ("model_selection_loss_pp", "false_winner", "score_gap_pp")
COLUMNS: Final = (
    "position", "curve", "dimension", "new_submissions", "released_scores", "measure", "value", "low", "high", "least",
    "most", "baseline", "label", "static_control", "source",
)  # fmt: skip
LEVELS: Final = {"model_selection_loss_pp": 2.0, "false_winner": 90.0, "score_gap_pp": 2.0}
"""What counts as reached, per measure: pp of loss, percent of splits, pp of score gap above the genuine models' own."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where one curve first reaches a level after the static control.

    Parameters
    ----------
    curve
        The curve's name.
    dimension
        Returned scores per submission.
    submissions, scores
        First tested budget that reaches it and the scores released by then; None where none does.
    """

    curve: str
    dimension: float
    submissions: int | None
    scores: float | None


def published_richness(measure: str) -> pd.DataFrame:
    """Return the published LiveBench curves of a measure, means over the three partitions.

    Parameters
    ----------
    measure
        One of `MEASURE_KEYS`.

    Returns
    -------
    pandas.DataFrame
        72 rows with the columns of this module, 1 to 18 returned scores.

    Raises
    ------
    UsageError
        If the measure is unknown.
    """
    wanted = measure_of(measure)
    if measure not in MEASURE_KEYS:
        raise UsageError(f"Unknown measure '{measure}'. Valid: {', '.join(MEASURE_KEYS)}.")
    loss = measure == "model_selection_loss_pp"
    table = published.feedback_selection_loss() if loss else published.feedback_score_gap()
    column = {"false_winner": "first_s_not_t", "score_gap_pp": "score_gap_mean_pp"}.get(measure, measure)
    frame = table.frame.sort_values(["dimension", "new_submissions"], ignore_index=True)
    order = {dimension: place for place, dimension in enumerate(sorted(frame["dimension"].unique()), start=1)}
    one_way = frame["dimension"].isin([min(order), max(order)])
    rows = frame[["dimension", "new_submissions"]].copy()
    rows["position"] = frame["dimension"].map(order)
    rows["curve"] = frame["dimension"].astype(str)
    rows["released_scores"] = frame["released_score_coordinates"]
    rows["value"] = frame[column] * wanted.factor
    for name, suffix in (("low", "ci_low"), ("high", "ci_high")):
        rows[name] = frame[f"{column}_{suffix}"] * wanted.factor
    for name, suffix in (("least", "partition_min"), ("most", "partition_max")):
        rows[name] = (frame[f"{column}_{suffix}"] * wanted.factor).where(~one_way)
    rows["baseline"] = frame["preload_mean_pp"] if measure == "score_gap_pp" else 0.0
    rows["source"] = table.provenance.sentence
    return _finish(rows, measure, "published")


POLICY_SCORES: Final = {"aggregate": 1, "category": 6, "task": 18}
"""Scores that one submission gets back under the three practical rules of the published study."""


def published_policies(measure: str) -> pd.DataFrame:
    """Return the published LiveBench curves under three practical rules, 1 to 128 submissions.

    Parameters
    ----------
    measure
        ``model_selection_loss_pp`` (of the choice) or ``false_winner`` (of the final router).

    Raises
    ------
    UsageError
        If the measure is not published for these rules.
    """
    wanted = measure_of(measure)
    if measure == "model_selection_loss_pp":
        table = published.secondary_selection()
        frame = table.frame.query("study == 'practical'")
    elif measure == "false_winner":
        table = published.policy_summary()
        frame = table.frame
    else:
        raise UsageError(f"The measure '{measure}' is not published for the practical rules.")
    frame = frame.assign(scores=frame["policy"].map(POLICY_SCORES)).sort_values(["scores", "new_submissions"])
    rows = frame[["new_submissions"]].copy()
    rows["position"] = frame["policy"].map({name: place for place, name in enumerate(POLICY_SCORES, start=1)})
    rows["curve"] = frame["policy"]
    rows["dimension"] = frame["scores"].astype(float)
    rows["released_scores"] = frame["scores"] * (frame["new_submissions"] - 1)
    rows["value"] = frame[measure] * wanted.factor
    for end in ("low", "high"):
        rows[end] = frame[f"{measure}_{end}"] * wanted.factor
    rows = rows.assign(least=math.nan, most=math.nan, baseline=0.0, source=table.provenance.sentence)
    return _finish(rows, measure, "published")


def recomputed_richness(
    studies: Sequence[Study], curves: Sequence[str], measure: str, *, source: str, label: Label = "recomputed"
) -> pd.DataFrame:
    """Return the curves of some studies of one benchmark under several feedback rules.

    Parameters
    ----------
    studies
        One per curve.
    curves
        How each is called.
    measure
        One of `MEASURE_KEYS`.
    source
        How the values came about, one line.
    label
        ``"recomputed"`` or ``"simulated"``.
    """
    import pandas as pd

    wanted = measure_of(measure)
    found: list[dict[str, object]] = []
    for position, (study, curve) in enumerate(zip(studies, curves, strict=True), start=1):
        released = study.released_scores()
        for place, row in enumerate(study.rows()[1:]):
            value, low, high = (row[f"{measure}{end}"] for end in ("", "_low", "_high"))
            found.append(
                {
                    "position": position,
                    "curve": curve,
                    "dimension": float(curve) if curve.isdigit() else math.nan,
                    "new_submissions": row["new_submissions"],
                    "released_scores": float(released[place]),
                    "value": _scaled(value, wanted.factor),
                    "low": _scaled(low, wanted.factor),
                    "high": _scaled(high, wanted.factor),
                    "least": math.nan,
                    "most": math.nan,
                    "baseline": row["genuine_gap_pp"] if measure == "score_gap_pp" else 0.0,
                    "source": source,
                }
            )
    return _finish(pd.DataFrame(found), measure, label)


def crossings(frame: pd.DataFrame, level: float | None = None) -> tuple[Crossing, ...]:
    """Return where each curve first reaches a level above its baseline, the static control left out.

    Parameters
    ----------
    frame
        A frame of this module.
    level
        In the measure's unit; default: `LEVELS`.
    """
    level = LEVELS[str(frame["measure"].iloc[0])] if level is None else level
    names = (
        "position",
        "curve",
        "dimension",
        "new_submissions",
        "released_scores",
        "value",
        "baseline",
        "static_control",
    )
    curves: dict[int, tuple[str, float]] = {}
    first: dict[int, tuple[int, float]] = {}
    # Plain lists: pandas would take longer to group these rows than the page has for all of its work.
    for position, curve, dimension, budget, scores, value, baseline, static in sorted(
        zip(*(frame[name].tolist() for name in names), strict=True), key=lambda row: (row[0], row[3])
    ):
        if static:
            continue
        curves[position] = (str(curve), float(dimension))
        if position not in first and value - baseline >= level - 1e-9:
            first[position] = (int(budget), float(scores))
    return tuple(
        Crossing(*described, *first.get(position, (None, None))) for position, described in curves.items()
    )


def fold(values: Sequence[float]) -> float:
    """Return the largest over the smallest: 1 where all are equal.

    Examples
    --------
    >>> fold([63, 42, 54])
    1.5
    """
    return max(values) / min(values)


def partition_folds(outcome: Literal["false90", "score_gap_plus2"]) -> tuple[float, float]:
    """Return the spread over dimensions and partitions of the published thresholds, by submissions and by scores.

    Parameters
    ----------
    outcome
        Which threshold of the published table.

    Returns
    -------
    tuple of float
        Largest over smallest first tested budget, and the same of the released scores; NaN if none is reached.
    """
    frame = published.feedback_thresholds().frame
    single = frame[frame["summary"] == "partition"]
    budgets, scores = (single[f"{outcome}_{kind}_random"].dropna() for kind in ("k", "I"))
    return fold(budgets.tolist()), fold(scores.tolist())


def _scaled(value: float | None, factor: float) -> float:
    return math.nan if value is None else value * factor


def _finish(rows: pd.DataFrame, measure: str, label: Label) -> pd.DataFrame:
    rows = rows.assign(measure=measure, label=label, static_control=rows["new_submissions"] == 1).reset_index(
        drop=True
    )
    return rows[list(COLUMNS)]
