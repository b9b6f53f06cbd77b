"""Figures of the score gap: curves against their baseline, the paired test, and one trial's two running minima."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core import published
from core.errors import UsageError
from core.figures import claims
from core.figures.axes import round_scale, with_width
from core.figures.base import Figure
from core.figures.curves import Curves, curves_spec
from core.figures.selection_loss import INTERVAL_NOTICE, sources
from core.figures.series import COLUMNS, Measure, measure_of
from core.figures.theme import Token, benchmark_style
from core.figures.wording import capitalised, count, join, number, on_all, plural, span

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.axes import Scale

INCREASE: Final = Measure(
    "gap_increase_pp",
    "Increase of the score gap",
    "score gap minus that of the genuine models (pp)",
    "points",
)
BASELINE_NAME: Final = "genuine models alone"
FAMILY: Final = 55
"""Comparisons that the adjusted bound covers at once: five benchmarks at eleven random budgets."""


def published_baseline() -> pd.DataFrame:
    """Return the published score gap of the genuine models alone, one row per benchmark.

    Returns
    -------
    pandas.DataFrame
        Columns `benchmark`, `value`, `low`, `high` (pp).
    """
    frame = published.score_gap().frame
    first = frame[frame["new_submissions"] == frame["new_submissions"].max()]
    names = {"preload_mean_pp": "value", "preload_mean_pp_ci_low": "low", "preload_mean_pp_ci_high": "high"}
    baseline: pd.DataFrame = first[["benchmark", *names]].rename(columns=names)
    return baseline.reset_index(drop=True)


def study_baseline(summary: pd.DataFrame, key: str) -> pd.DataFrame:
    """Return the same for a study's summary.

    Parameters
    ----------
    summary
        One row per budget (`core.reuse.study.Study.summary`).
    key
        The benchmark's key, as in the study's tidy frame.
    """
    row = summary[summary["new_submissions"] > 0].tail(1)
    names = {"genuine_gap_pp": "value", "genuine_gap_pp_low": "low", "genuine_gap_pp_high": "high"}
    baseline: pd.DataFrame = row[list(names)].rename(columns=names).assign(benchmark=key)
    return baseline.reset_index(drop=True)


def gap_figure(
    frame: pd.DataFrame, baseline: pd.DataFrame, budget: int, include: tuple[float, ...] = ()
) -> Figure:
    """Return score-gap curves, one plot per benchmark with shared axes, each with its baseline.

    Parameters
    ----------
    frame
        A tidy frame of the measure ``score_gap_pp`` (`core.figures.series`).
    baseline
        One row per benchmark: `value`, `low`, `high`.
    budget
        The budget that the title talks about.
    include
        Further values that the axis must hold.

    Raises
    ------
    UsageError
        If nothing is to be shown, the frame mixes published and recomputed values, or the budget was not tested.
    """
    if frame.empty:
        raise UsageError("No benchmark is chosen. Choose at least one.")
    if frame["label"].nunique() > 1 or set(frame["measure"]) != {"score_gap_pp"}:
        raise UsageError("This figure shows score gaps of one label: published or recomputed.")
    budgets = sorted({int(value) for value in frame["new_submissions"]})
    if budget not in budgets:
        raise UsageError(
            f"Budget {budget} was not tested. Valid: {', '.join(str(value) for value in budgets)}."
        )
    levels = baseline.set_index("benchmark")
    measure = measure_of("score_gap_pp")
    keys = list(dict.fromkeys(frame["benchmark"]))
    ends = [
        *include,
        *frame["value"],
        *frame["low"],
        *frame["high"],
        *levels.loc[keys, ["low", "high"]].to_numpy().ravel(),
    ]
    scale = round_scale([float(end) for end in ends], count=5)
    tall = len(keys) == 1
    panels = tuple(
        _gap_panel(frame[frame["benchmark"] == key], levels.loc[key], measure, scale, budget, tall=tall)
        for key in keys
    )
    title, detail = _gap_words(frame, levels, budget)
    label = str(frame["label"].iloc[0])
    subtitle = (
        f"Mean over splits with 95 % bootstrap intervals. Dashed: {BASELINE_NAME}, before any submission. "
        f"{label.capitalize()}."
    )
    alt = (
        f"{title}. {capitalised(count(len(keys)))} line chart{'s' if len(keys) > 1 else ''} of the score gap over {budgets[0]:,} to "
        f"{plural(budgets[-1], 'submission')}, {label} values, with the baseline as a dashed line. {detail}"
    )
    data = frame.assign(
        baseline_pp=frame["benchmark"].map(levels["value"]),
        baseline_low=frame["benchmark"].map(levels["low"]),
        baseline_high=frame["benchmark"].map(levels["high"]),
    )
    notices = (
        *(
            ["Open marks at 1: the static control, which is no point of the curve."]
            if frame["static_control"].any()
            else []
        ),
        INTERVAL_NOTICE,
    )
    common = (title, subtitle, alt, data, sources(frame), tuple(notices))
    if tall:
        return replace(
            panels[0],
            title=title,
            subtitle=subtitle,
            alt=alt,
            data=data,
            source=common[4],
            notices=common[5],
            width=760,
        )
    spec = {
        "concat": [
            {
                **with_width({"data": panel.spec["data"], "layer": panel.spec["layer"]}, 240),
                "width": 240,
                "height": panel.height,
                "title": {"text": panel.title, "fontSize": 14},
            }
            for panel in panels
        ],
        "columns": 3,
        "spacing": {"row": 24, "column": 28},
        "resolve": {"scale": dict.fromkeys(("color", "shape", "stroke", "strokeDash"), "independent")},
    }
    return Figure(spec, *common, width=870, height=400, panels=panels)


def _gap_panel(
    own: pd.DataFrame, level: pd.Series[float], measure: Measure, scale: Scale, budget: int, *, tall: bool
) -> Figure:
    name = str(own["name"].iloc[0])
    height = 340 if tall else 170
    spec = curves_spec(
        Curves(
            own,
            measure,
            scale,
            height=height,
            budget=budget,
            labels=tall,
            x_title="leaderboard submissions" if tall else None,
        )
    )
    row = {
        "values": [{"value": float(level["value"]), "low": float(level["low"]), "high": float(level["high"])}]
    }
    across = {"x": {"value": 0}, "x2": {"value": {"expr": "width"}}}
    spec["layer"] = [
        {
            "data": row,
            "mark": {"type": "rect", "color": Token.MUTED, "opacity": 0.16},
            "encoding": {**across, "y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}},
        },
        {
            "data": row,
            "mark": {"type": "rule", "color": Token.MUTED, "strokeWidth": 1.5, "strokeDash": [5, 3]},
            "encoding": {**across, "y": {"field": "value", "type": "quantitative"}},
        },
        *spec["layer"],
    ]
    reading = claims.readings(own, budget)[0]
    above = reading.value - float(level["value"])
    alt = (
        f"{name}: the score gap is {claims.value(measure, reading)} at {plural(budget, 'submission')}, {number(abs(above))} pp "
        f"{'above' if above >= 0 else 'below'} the baseline of {number(float(level['value']))} pp. {claims.shape_of(own, measure)}"
    )
    return Figure(spec, name, claims.value(measure, reading), alt, own, "", (), "light", 240, height)


def _gap_words(frame: pd.DataFrame, levels: pd.DataFrame, budget: int) -> tuple[str, str]:
    found = frame[frame["new_submissions"] == budget]
    gaps = found["value"].tolist()
    above = [
        value - float(levels.loc[key, "value"]) for key, value in zip(found["benchmark"], gaps, strict=True)
    ]
    names = found["name"].tolist()
    opening = claims.at_budget(budget)
    title = f"{opening} the score gap is {span(gaps)} pp {on_all(names)}, {_above(above)} than without submissions"
    detail = (
        "At "
        + plural(budget, "submission")
        + ": "
        + join(
            [
                f"{name} {number(gap)} pp, {number(abs(more))} {'above' if more >= 0 else 'below'} its baseline"
                for name, gap, more in zip(names, gaps, above, strict=True)
            ]
        )
        + "."
    )
    return title, detail


def _above(above: list[float]) -> str:
    if min(above) >= 0:
        return f"{span(above)} more"
    if max(above) <= 0:
        return f"{span([-value for value in above])} less"
    return f"{number(min(above))} to {number(max(above))} more"


def increase_figure(budget: int, benchmarks: tuple[str, ...] = ()) -> Figure:
    """Return the paired increase of the score gap over its baseline, with the bound that holds for all comparisons at once.

    Parameters
    ----------
    budget
        The random budget that the title talks about, at least 2.
    benchmarks
        Keys to show; empty for all five of the test.

    Raises
    ------
    UsageError
        If the budget is outside the test or nothing is left to show.
    """
    table = published.score_comparison()
    frame = table.frame
    if benchmarks:
        frame = frame[frame["benchmark"].isin(benchmarks)]
    if frame.empty:
        raise UsageError("None of the chosen benchmarks is part of the test. Choose another.")
    if budget < 2 or budget not in set(frame["new_submissions"]):
        raise UsageError(f"Budget {budget} is outside the test. Choose 2, 4, 8, ..., 2048.")
    order = [key for key in published.BENCHMARKS if key in set(frame["benchmark"])]
    frame = frame.sort_values("new_submissions").sort_values(
        "benchmark", key=lambda keys: keys.map({key: place for place, key in enumerate(order)}), kind="stable"
    )
    tidy = frame.rename(
        columns={"increase_mean_pp": "value", "increase_ci_low": "low", "increase_ci_high": "high"}
    ).assign(
        name=frame["benchmark"].map({key: facts.name for key, facts in published.BENCHMARKS.items()}),
        measure=INCREASE.key,
        label="published",
        static_control=frame["new_submissions"] == 1,
        source=table.provenance.sentence,
    )
    random = tidy[~tidy["static_control"]]
    scale = round_scale([*random["value"], *random["low"], *random["high"], *random["adjusted_lower_pp"]])
    spec = curves_spec(Curves(random[list(COLUMNS)], INCREASE, scale, height=380, budget=budget))
    bounds = [
        {"new_submissions": int(k), "benchmark": key, "bound": bound}
        for k, key, bound in zip(
            random["new_submissions"], random["benchmark"], random["adjusted_lower_pp"], strict=True
        )
    ]
    spec["layer"].append(
        {
            "data": {"values": bounds},
            "mark": {"type": "tick", "orient": "horizontal", "thickness": 2, "width": 13, "opacity": 1},
            "encoding": {
                "x": {"field": "new_submissions", "type": "quantitative"},
                "y": {"field": "bound", "type": "quantitative"},
                "color": {
                    "field": "benchmark",
                    "type": "nominal",
                    "scale": {"domain": order, "range": [benchmark_style(key).colour for key in order]},
                    "legend": None,
                },
            },
        }
    )
    title, detail = _increase_words(random, budget)
    alt = (
        f"{title}. Line chart of the increase over {plural(int(random['new_submissions'].max()), 'submission')}, published values, "
        f"with a tick at each adjusted lower bound. {detail}"
    )
    notices = (
        detail,
        (
            f"Ticks are lower bounds adjusted for {FAMILY} comparisons: with 95 % confidence all of them hold at once, where the "
            "bands hold one by one. Terminal-Bench-Science is not part of the published test."
        ),
        INTERVAL_NOTICE,
    )
    return Figure(
        spec,
        title,
        "Score gap minus that of the genuine models, in the same split; mean with 95 % basic bootstrap intervals, and adjusted lower "
        "bounds as ticks. Published.",
        alt,
        tidy[[*COLUMNS, "adjusted_lower_pp", "significant_increase"]],
        table.provenance.sentence,
        notices,
        width=800,
        height=380,
    )


def _increase_words(random: pd.DataFrame, budget: int) -> tuple[str, str]:
    here = random[random["new_submissions"] == budget]
    sure = here[here["significant_increase"].astype(bool)]
    names = here["name"].tolist()
    opening = claims.at_budget(budget)
    if len(sure) == len(here):
        title = f"{opening} the score gap has grown {on_all(names)}, by {span(here['value'].tolist())} pp"
    elif sure.empty:
        title = f"{opening} no growth of the score gap is established {on_all(names)}"
    else:
        title = (
            f"{opening} the score gap has grown on {count(len(sure))} of {count(len(here))} benchmarks, by "
            f"{span(sure['value'].tolist())} pp"
        )
    first = {
        str(name): rows.loc[rows["significant_increase"].astype(bool), "new_submissions"].min()
        for name, rows in random.groupby("name", sort=False)
    }
    reached = [f"{name} {int(k):,}" for name, k in first.items() if k == k]  # noqa: PLR0124 - NaN is not itself
    never = [name for name, k in first.items() if k != k]  # noqa: PLR0124
    detail = f"First tested random budget with an established increase: {join(reached)}." if reached else ""
    if never:
        detail = f"{detail} Never established on {join(never)}.".strip()
    return title, detail
