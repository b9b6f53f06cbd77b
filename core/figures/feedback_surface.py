"""The feedback study as a surface over returned scores and submissions, to turn around or as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from core.errors import UsageError
from core.figures.plotly_base import PlotlyFigure
from core.figures.series import measure_of
from core.figures.theme import Token
from core.figures.wording import number, plural

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.theme import Mode

Picture = Literal["surface", "heat map"]
# Dark to light in even steps of lightness, readable with any colour vision (cividis, thinned).
SCALE: Final = (
    (0.0, "#00224E"), (0.2, "#35456C"), (0.4, "#666970"), (0.6, "#948E77"), (0.8, "#C8B866"), (1.0, "#FEE838"),
)  # fmt: skip


def surface_figure(
    frame: pd.DataFrame, name: str, picture: Picture = "surface", *, mode: Mode = "light"
) -> PlotlyFigure:
    """Return a measure over returned scores and submissions.

    Parameters
    ----------
    frame
        A frame of `core.figures.feedback_series` of at least two curves; the static control and curves of a rule are left
        out.
    name
        The benchmark as shown.
    picture
        A surface to turn around, or the same as a heat map.
    mode
        Colours.

    Raises
    ------
    UsageError
        If fewer than two curves or budgets are left.
    """
    shown = frame[~frame["static_control"] & frame["dimension"].notna()]
    grid = shown.pivot_table(index="new_submissions", columns="dimension", values="value", dropna=False)
    if grid.shape[0] < 2 or grid.shape[1] < 2:
        raise UsageError("A surface needs at least two budgets and two numbers of returned scores.")
    measure = measure_of(str(shown["measure"].iloc[0]))
    label = str(shown["label"].iloc[0])
    unit = "%" if measure.unit == "%" else "pp"
    digits = 0 if unit == "%" else 2
    budgets, dimensions = [int(one) for one in grid.index], [int(one) for one in grid.columns]
    lowest, highest = (_cell(grid, largest=largest) for largest in (False, True))
    title = (
        f"{measure.name} runs from {number(lowest[2], digits)} {unit} with {plural(lowest[1], 'returned score')} and "
        f"{plural(lowest[0], 'submission')} to {number(highest[2], digits)} {unit} with {highest[1]} and {highest[0]:,}"
    )
    drawn = "A surface to turn around" if picture == "surface" else "A heat map"
    traces, layout = (_surface if picture == "surface" else _heat_map)(
        grid, budgets, dimensions, measure.name, unit
    )
    return PlotlyFigure(
        spec={},
        title=title,
        subtitle=f"{name}: {measure.name.lower()} ({unit}) over returned scores and submissions, mean over splits. "
        f"Both axes count in doublings. {label.capitalize()}.",
        alt=f"{title}. {drawn} of {measure.name.lower()} on {name}, {label} values: {len(dimensions)} numbers of returned scores "
        f"from {dimensions[0]} to {dimensions[-1]}, budgets from {budgets[0]} to {plural(budgets[-1], 'submission')}.",
        data=shown,
        source=" ".join(dict.fromkeys(shown["source"])),
        mode=mode,
        width=800,
        height=520 if picture == "surface" else 430,
        traces=traces,
        layout=layout,
    )


def _cell(grid: pd.DataFrame, *, largest: bool) -> tuple[int, int, float]:
    """Return budget, returned scores and value of the largest or the smallest cell."""
    values = grid.to_numpy(dtype=float)
    place = int(np.nanargmax(values) if largest else np.nanargmin(values))
    row, column = divmod(place, values.shape[1])
    return int(grid.index[row]), int(grid.columns[column]), float(values[row, column])


def _axis(title: str, ticks: list[int]) -> dict[str, Any]:
    return {
        "title": {"text": title},
        "type": "log",
        "tickvals": ticks,
        "ticktext": [f"{tick:,}" for tick in ticks],
        "gridcolor": Token.AXIS,
        "linecolor": Token.AXIS,
        "zeroline": False,
        "color": Token.INK,
    }


def _hover(measure: str, unit: str) -> str:
    return f"%{{y}} returned scores, %{{x:,}} submissions<br>{measure}: %{{z:.2f}} {unit}<extra></extra>"


def _bar(unit: str) -> dict[str, Any]:
    return {
        "title": {"text": unit},
        "thickness": 12,
        "outlinewidth": 0,
        "tickcolor": Token.AXIS,
        "tickfont": {"color": Token.INK},
    }


def _surface(
    grid: pd.DataFrame, budgets: list[int], dimensions: list[int], measure: str, unit: str
) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    trace = {
        "type": "surface",
        "x": budgets,
        "y": dimensions,
        "z": grid.to_numpy().T.tolist(),
        "colorscale": [list(stop) for stop in SCALE],
        "colorbar": {**_bar(unit), "len": 0.6},
        "hovertemplate": _hover(measure, unit),
        "contours": {"z": {"show": True, "color": Token.PAPER, "width": 1}},
    }
    sparse = [budget for place, budget in enumerate(budgets) if place % 2 == 0]
    none = {"showbackground": False}
    scene = {
        "xaxis": {**_axis("submissions", sparse), **none},
        "yaxis": {**_axis("returned scores", dimensions), **none},
        "zaxis": {"title": {"text": f"{unit}"}, "gridcolor": Token.AXIS, "color": Token.INK, **none},
        "camera": {"eye": {"x": -1.5, "y": -1.5, "z": 0.8}},
        "aspectratio": {"x": 1.3, "y": 1.0, "z": 0.7},
        "dragmode": "turntable",
    }
    return (trace,), {"scene": scene}


def _heat_map(
    grid: pd.DataFrame, budgets: list[int], dimensions: list[int], measure: str, unit: str
) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    trace = {
        "type": "heatmap",
        "x": [f"{budget:,}" for budget in budgets],
        "y": [str(dimension) for dimension in dimensions],
        "z": grid.to_numpy().T.tolist(),
        "colorscale": [list(stop) for stop in SCALE],
        "colorbar": _bar(unit),
        "hovertemplate": _hover(measure, unit).replace("%{x:,}", "%{x}"),
        "texttemplate": "%{z:.0f}" if unit == "%" else "%{z:.1f}",
        "xgap": 2,
        "ygap": 2,
    }
    axis = {"type": "category", "color": Token.INK, "showgrid": False, "zeroline": False, "automargin": True}
    return (trace,), {
        "xaxis": {**axis, "title": {"text": "leaderboard submissions"}},
        "yaxis": {**axis, "title": {"text": "returned scores"}},
    }
