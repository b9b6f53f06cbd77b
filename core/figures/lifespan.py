"""The lifespan law against observations, where it was fitted and where it was not.

A budget that was not reached within 2,048 submissions is drawn in a slot of its own, beyond a line and labelled ">2,048".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from core.figures.axes import NARROW
from core.figures.base import Figure
from core.figures.lifespan_words import (
    PUBLISHED,
    SLOT,
    budget_words,
    doublings,
    factor_words,
    fold,
    is_published,
    outcome_words,
)
from core.figures.name_places import Mark, Place, Plot, name_places
from core.figures.theme import Token, benchmark_style, style_scales
from core.figures.wording import join, number, plural
from core.published import BENCHMARKS
from core.reuse.lifespan import LIVEBENCH_ITEMS, MAX_TESTED, PUBLISHED_TOLERANCE_PP

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.figures.theme import Colour, Mode
    from core.reuse.lifespan import Case, Law

_HEIGHT: Final = 420
_LABEL: Final = 12.5
_WIDTHS: Final = {"name": (620, 950), "short": (250, 420)}
"""Plot widths in pixels that readers see, where names are whole and where they are short."""


def validation_claim(training: Sequence[Case], external: Sequence[Case]) -> str:
    """Return what the law does where it was fitted and, if given, where it was not, in one clause each."""
    fitted = max(fold(case) for case in training if case.cell.status == "crossed")
    opening = (
        f"The law stays within a factor of {factor_words(fitted)} of the LiveBench cells it was fitted to"
    )
    outside = [case for case in external if case.cell.status != "static"]
    return f"{opening}, and {worst_words(outside)}" if outside else opening


def worst_words(external: Sequence[Case]) -> str:
    """Return the law's largest failure as a clause that begins with a verb."""
    worst = max(external, key=fold)
    more = "more than " if math.isinf(worst.cell.observed) else ""
    return f"misses {BENCHMARKS[worst.cell.benchmark].name} by a factor of {more}{factor_words(fold(worst))}"


def validation_figure(
    law: Law, training: Sequence[Case], external: Sequence[Case], *, mode: Mode = "light"
) -> Figure:
    """Return predictions against observations.

    Parameters
    ----------
    law
        The law.
    training
        The LiveBench cells; those that do not cross after the static control are named and not drawn.
    external
        The benchmarks that took no part in the fit.
    mode
        Colours.
    """
    frame = validation_rows(law, training, external)
    used = [case for case in training if case.cell.status == "crossed"]
    outside = [case for case in external if case.cell.status != "static"]
    title = validation_claim(used, outside)
    label = "Published" if is_published(law) else "Read off the published curves here"
    return Figure(
        _validation_spec(frame),
        title,
        f"Submissions until {outcome_words(law)}: predicted and observed. {label}. On the diagonal the two agree. Thin lines "
        "reach down to the tested budget before, since tested budgets double.",
        _validation_alt(law, used, outside, title),
        frame,
        f"{PUBLISHED}: lifespan tables{'' if is_published(law) else ', read off its score-gap curves'}.",
        tuple(_validation_notices(law, training, external)),
        mode,
        width=720,
        height=_HEIGHT,
    )


def validation_rows(law: Law, training: Sequence[Case], external: Sequence[Case]) -> pd.DataFrame:
    """Return every observation with its prediction; an infinite `observed_k` was not reached within 2,048."""
    import pandas as pd

    label = "published" if is_published(law) else "recomputed"
    rows = [
        {
            "benchmark": case.cell.benchmark,
            "name": BENCHMARKS[case.cell.benchmark].name,
            "part": part,
            "n": case.cell.items,
            "d": case.cell.scores,
            "predicted_k": case.predicted,
            "observed_k": case.cell.observed,
            "status": case.cell.status,
            "observed_over_predicted": case.factor,
            "label": label,
            "source": PUBLISHED,
        }
        for part, cases in (("fitted", training), ("not fitted", external))
        for case in cases
    ]
    return pd.DataFrame(rows)


def _validation_alt(law: Law, training: Sequence[Case], external: Sequence[Case], title: str) -> str:
    parts = [
        f"{BENCHMARKS[case.cell.benchmark].name} predicted {budget_words(case.predicted)}, observed "
        f"{budget_words(case.cell.observed)}"
        for case in external
    ]
    return (
        f"{title}. Scatter of observed over predicted submissions until {outcome_words(law)}, both axes logarithmic. "
        f"{plural(len(training), 'LiveBench cell')} of the fit lie along the diagonal."
        + (f" Not fitted: {'; '.join(parts)}." if parts else "")
    )


def _validation_notices(law: Law, training: Sequence[Case], external: Sequence[Case]) -> list[str]:
    notices = []
    censored = [case for case in training if case.cell.status == "right_censored"]
    static = [case for case in training if case.cell.status == "static"]
    if censored:
        sizes = sorted({case.cell.items for case in censored})
        notices.append(
            f"{plural(len(censored), 'LiveBench cell')} ({join([f'n = {size}' for size in sizes])}) never got there within "
            f"{MAX_TESTED:,} submissions. The fit leaves them out, which makes it predict too early."
        )
    if static:
        notices.append(
            f"{plural(len(static), 'LiveBench cell')} crossed already with the static control and took no part in the fit."
        )
    already = [BENCHMARKS[case.cell.benchmark].name for case in external if case.cell.status == "static"]
    if already:
        notices.append(
            f"On {join(already)} the static control crosses already; there is nothing to compare the law with."
        )
    if not is_published(law):
        notices.append(
            f"Only at {number(PUBLISHED_TOLERANCE_PP, 0)} pp is a fit published. This one uses LiveBench's published curves at "
            f"{LIVEBENCH_ITEMS} reused items; that the lifespan grows with n is taken over and not tested here."
        )
    return notices


def _validation_spec(frame: pd.DataFrame) -> dict[str, Any]:
    shown = frame[
        (frame["status"] == "crossed")
        | ((frame["part"] == "not fitted") & (frame["status"] == "right_censored"))
    ]
    rows = [_point({str(key): row[key] for key in row}) for row in shown.to_dict("records")]
    fitted = [row for row in rows if row["part"] == "fitted"]
    outside = [row for row in rows if row["part"] == "not fitted"]
    right = 2.0 ** math.ceil(math.log2(max(MAX_TESTED, *(row["predicted"] for row in rows))))
    x = {
        "field": "predicted",
        "type": "quantitative",
        "scale": {"type": "log", "base": 2, "domain": [1, right], "nice": False},
        "axis": {
            "values": doublings(right),
            "format": ",d",
            "grid": False,
            "labelOverlap": "parity",
            "title": "submissions predicted by the law",
            "titleAnchor": "start",
        },
    }
    y = _observed_axis()
    styles = style_scales(list(dict.fromkeys(row["benchmark"] for row in outside)))
    colour = {"field": "benchmark", "type": "nominal", "scale": styles["color"], "legend": None}
    tooltip = [
        {"field": "name", "type": "nominal", "title": "benchmark"},
        {"field": "n", "type": "quantitative", "title": "reused items n", "format": ",d"},
        {"field": "d", "type": "quantitative", "title": "returned scores d"},
        {"field": "predicted", "type": "quantitative", "title": "predicted", "format": ",.1f"},
        {"field": "words", "type": "nominal", "title": "first tested budget that crosses"},
    ]
    place = {"x": x, "y": y}
    lowest = {"x": x, "y": {"field": "below", "type": "quantitative"}, "y2": {"field": "observed"}}
    blue = benchmark_style("livebench").colour
    layers: list[dict[str, Any]] = [
        {
            "data": {"values": [{"observed": SLOT / math.sqrt(2)}]},
            "mark": {"type": "rule", "color": Token.AXIS, "strokeDash": [4, 3]},
            "encoding": {"y": y},
        },
        {
            "data": {
                "values": [{"predicted": 1, "observed": 1}, {"predicted": MAX_TESTED, "observed": MAX_TESTED}]
            },
            "mark": {"type": "line", "color": Token.MUTED, "strokeWidth": 1.25},
            "encoding": place,
        },
        {
            "data": {"values": fitted},
            "mark": {"type": "rule", "color": blue, "opacity": 0.3, "strokeWidth": 1.5},
            "encoding": lowest,
        },
        {
            "data": {"values": fitted},
            "mark": {
                "type": "point",
                "shape": "circle",
                "filled": True,
                "size": 42,
                "color": blue,
                "opacity": 0.75,
            },
            "encoding": {**place, "tooltip": tooltip},
        },
        {
            "data": {"values": [row for row in outside if not row["censored"]]},
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
            "encoding": {**lowest, "color": colour},
        },
        {
            "data": {"values": outside},
            "mark": {"type": "point", "filled": True, "size": 170, "opacity": 1},
            "encoding": {
                **place,
                "color": colour,
                "shape": {"field": "benchmark", "type": "nominal", "scale": styles["shape"], "legend": None},
                "tooltip": tooltip,
            },
        },
        *_name_layers(outside, fitted, right),
    ]
    layers += _key_layers(blue)
    return {"layer": layers, "padding": {"left": 4, "right": 10, "top": 24, "bottom": 4}}


def _key_layers(colour: Colour) -> list[dict[str, Any]]:
    """Return the key of the small points, in the corner that no observation reaches."""
    row = {"values": [{"text": "LiveBench, fitted"}]}
    corner = {"x": {"value": {"expr": "width - 4"}}, "y": {"value": {"expr": "height - 14"}}}
    mark = {"x": {"value": {"expr": "width - 122"}}, "y": corner["y"]}
    return [
        {
            "data": row,
            "mark": {
                "type": "point",
                "shape": "circle",
                "filled": True,
                "size": 42,
                "color": colour,
                "opacity": 1,
                "aria": False,
            },
            "encoding": mark,
        },
        {
            "data": row,
            "mark": {
                "type": "text",
                "align": "right",
                "baseline": "middle",
                "fontSize": _LABEL,
                "color": Token.INK,
            },
            "encoding": {**corner, "text": {"field": "text", "type": "nominal"}},
        },
    ]


def _observed_axis() -> dict[str, Any]:
    return {
        "field": "observed",
        "type": "quantitative",
        "scale": {"type": "log", "base": 2, "domain": [1, SLOT * 1.25], "nice": False},
        "axis": {
            "values": [*doublings(MAX_TESTED), SLOT],
            "labelExpr": f"datum.value > {MAX_TESTED} ? '>{MAX_TESTED:,}' : format(datum.value, ',d')",
            "grid": False,
            "labelOverlap": False,
            "title": "submissions observed: first tested budget that crosses",
            "titleAngle": 0,
            "titleAlign": "left",
            "titleAnchor": "start",
            "titleBaseline": "bottom",
            "titleX": -40,
            "titleY": -10,
        },
    }


def _point(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for Vega: numbers that can be drawn, and the budget in words."""
    censored = math.isinf(row["observed_k"])
    observed = float(SLOT) if censored else row["observed_k"]
    facts = BENCHMARKS[row["benchmark"]]
    return {
        "benchmark": row["benchmark"],
        "name": facts.name,
        "short": facts.short,
        "part": row["part"],
        "n": row["n"],
        "d": row["d"],
        "predicted": row["predicted_k"],
        "observed": observed,
        "below": observed if censored else max(1.0, observed / 2),
        "censored": censored,
        "words": f"none up to {MAX_TESTED:,}" if censored else budget_words(observed),
    }


def _places(
    field: str, rows: list[dict[str, Any]], fitted: list[dict[str, Any]], right: float
) -> list[Place]:
    """Return where the names of `rows` stand."""
    plots = [Plot(right, SLOT * 1.25, width, _HEIGHT) for width in _WIDTHS[field]]
    marks = [Mark(row["predicted"], row["observed"], row["below"], row[field]) for row in rows]
    marks += [Mark(row["predicted"], row["observed"], row["below"]) for row in fitted]
    return name_places(marks, plots, MAX_TESTED)


def _name_layers(
    rows: list[dict[str, Any]], fitted: list[dict[str, Any]], right: float
) -> list[dict[str, Any]]:
    layers = []
    for field, size in (
        ("name", f"width < {NARROW} ? 0 : {_LABEL}"),
        ("short", f"width < {NARROW} ? 11.5 : 0"),
    ):
        for row, place in zip(rows, _places(field, rows, fitted, right), strict=True):
            left = place.side == "left"
            layers.append(
                {
                    "data": {"values": [row]},
                    "mark": {
                        "type": "text",
                        "align": "right" if left else "left",
                        "baseline": "middle",
                        "dx": -11 if left else 11,
                        "dy": place.shift,
                        "fontSize": {"expr": size},
                        "fontWeight": "bold",
                        "color": Token.INK,
                    },
                    "encoding": {
                        "x": {"field": "predicted", "type": "quantitative"},
                        "y": {"field": "observed", "type": "quantitative"},
                        "text": {"field": field, "type": "nominal"},
                    },
                }
            )
    return layers
