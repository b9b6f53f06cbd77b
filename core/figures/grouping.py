"""How tasks are put into groups, as tiles: colour and number say which tasks share one returned score."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.base import Figure
from core.figures.theme import BLUE, GREEN, PURPLE, VERMILION, Token
from core.figures.wording import count, join, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.figures.theme import Mode

COLUMNS: Final = 3
ROW_HEIGHT: Final = 46
_COLOURS: Final = (BLUE, VERMILION, GREEN, PURPLE)


def grouping_figure(
    groups: Sequence[tuple[str, Sequence[str]]], name: str, how: str, *, source: str, mode: Mode = "light"
) -> Figure:
    """Return the tiles of a grouping.

    Parameters
    ----------
    groups
        Group names with their tasks, each ``category/task``, in the order in which they are drawn.
    name
        The benchmark as shown.
    how
        How the groups came about, a clause ("by hash, partition 0").
    source
        Where the tasks come from, one line.
    mode
        Colours.

    Raises
    ------
    UsageError
        If there is no task.
    """
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for number, (group, tasks) in enumerate(groups, start=1):
        for label in tasks:
            category, _, task = label.partition("/")
            place = len(rows)
            rows.append(
                {
                    "task": task or category,
                    "category": category.replace("_", " "),
                    "group": group,
                    "number": number,
                    "shade": str((number - 1) % len(_COLOURS)),
                    "column": place % COLUMNS,
                    "row": place // COLUMNS,
                }
            )
    if not rows:
        raise UsageError("There is no task to group.")
    sizes = sorted({len(tasks) for _, tasks in groups})
    each = plural(sizes[0], "task") if len(sizes) == 1 else f"{sizes[0]} to {plural(sizes[-1], 'task')}"
    title = (
        f"One returned score: the mean of all {plural(len(rows), 'task')}"
        if len(groups) == 1
        else f"{count(len(groups)).capitalize()} returned scores of {each} each"
    )
    listed = "; ".join(
        f"{group}: {join([label.partition('/')[2] or label for label in tasks])}" for group, tasks in groups
    )
    lines = math.ceil(len(rows) / COLUMNS)
    data = pd.DataFrame(rows)[["group", "number", "category", "task"]].assign(
        label="recomputed", source=source
    )
    return Figure(
        spec=_spec(rows),
        title=title,
        subtitle=f"{name}: each tile is a task; tiles of one colour and number share one returned score. Grouped {how}.",
        alt=f"{title}. Tiles of {plural(len(rows), 'task')} of {name}, grouped {how}. {listed}.",
        data=data,
        source=source,
        mode=mode,
        width=720,
        height=lines * ROW_HEIGHT,
    )


def _spec(rows: list[dict[str, Any]]) -> dict[str, Any]:
    x: dict[str, Any] = {
        "field": "column",
        "type": "ordinal",
        "axis": None,
        "scale": {"paddingInner": 0.03, "paddingOuter": 0},
    }
    y: dict[str, Any] = {
        "field": "row",
        "type": "ordinal",
        "axis": None,
        "scale": {"paddingInner": 0.12, "paddingOuter": 0},
    }
    colour = {
        "field": "shade",
        "type": "nominal",
        "scale": {"domain": [str(place) for place in range(len(_COLOURS))], "range": list(_COLOURS)},
        "legend": None,
    }
    centre = {"x": {**x, "bandPosition": 0.5}, "y": {**y, "bandPosition": 0.5}}
    narrow = "width < 520"
    tooltip = [{"field": field, "type": "nominal", "title": field} for field in ("task", "category", "group")]
    return {
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "rect", "fillOpacity": 0.16, "strokeWidth": 1.5, "cornerRadius": 3},
                "encoding": {"x": x, "y": y, "fill": colour, "stroke": colour, "tooltip": tooltip},
            },
            {
                "mark": {
                    "type": "text",
                    "dy": -8,
                    "color": Token.INK,
                    "fontSize": {"expr": f"{narrow} ? 11 : 13"},
                    "limit": {"expr": f"width / {COLUMNS} - 6"},
                },
                "encoding": {**centre, "text": {"field": "task", "type": "nominal"}},
            },
            {
                "mark": {
                    "type": "text",
                    "dy": 9,
                    "color": Token.INK,
                    "fontWeight": "bold",
                    "fontSize": 12,
                    "limit": {"expr": f"width / {COLUMNS} - 6"},
                },
                "encoding": {**centre, "text": {"field": "number", "type": "nominal"}},
            },
        ],
        "padding": {"left": 2, "right": 2, "top": 2, "bottom": 2},
    }
