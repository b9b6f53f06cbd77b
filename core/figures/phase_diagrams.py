"""Phase diagrams: the estimator with the lowest error, as colour and letter, the margin as strength of the colour."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from core.figures.base import Figure
from core.figures.theme import ESTIMATORS, PURPLE, Mode, Token
from core.figures.titles_above import titled_above
from core.figures.wording import capitalised, join, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from core.figures.theme import Colour

NAMES: Final[Mapping[str, str]] = {
    "naive": "naive",
    "ipw": "IPW",
    "ipw_hard": "IPW, hard",
    "imputation": "imputation",
    "combined": "combined",
    "control_variate": "control variate",
    "epg": "EPG",
}
LETTERS: Final[Mapping[str, str]] = {
    "naive": "N",
    "ipw": "W",
    "imputation": "I",
    "combined": "C",
    "control_variate": "V",
    "epg": "E",
}
COLOURS: Final[Mapping[str, Colour]] = {**ESTIMATORS, "control_variate": PURPLE, "epg": Token.INK}
PANEL_TITLES: Final[Mapping[str, str]] = {
    "random_low": "Random, low dose",
    "random_medium": "Random, medium dose",
    "random_high": "Random, high dose",
    "easy": "Easy items leaked",
    "medium": "Medium items leaked",
    "hard": "Hard items leaked",
}
PROSE: Final[Mapping[str, str]] = {
    "random_low": "low random doses",
    "random_medium": "medium random doses",
    "random_high": "high random doses",
    "easy": "leaked easy items",
    "medium": "leaked medium items",
    "hard": "leaked hard items",
}
SELECTION: Final = "cell"
WEAKEST: Final = 0.14
STRONGEST: Final = 0.6
FULL_MARGIN_PP: Final = 3.0
"""Margin at which a colour is at its strongest; below that it fades in proportion."""

_LETTERS_PER_AXIS: Final = 7
_SIZE: Final = 232


@dataclass(frozen=True, slots=True)
class PhaseLook:
    """How a phase diagram is shown.

    Parameters
    ----------
    pool
        The pool's name for the words.
    origin
        Where it comes from, in words, for the source line.
    design
        Test sets in words.
    label
        "simulated" for calibrated pools, "recomputed" for a reader's own.
    """

    pool: str
    origin: str
    design: str = "1,000 test sets of 500 items, 30 % contaminated"
    label: str = "simulated"


def phase_figure(frame: pd.DataFrame, look: PhaseLook, mode: Mode = "light") -> Figure:
    """Return the panels of a phase diagram.

    Parameters
    ----------
    frame
        Wide frame of `core.contamination.phase.PhaseDiagram.frame`; errors in percentage points.
    look
        How to show it.
    mode
        Colours.
    """
    keys = [key for key in PANEL_TITLES if key in set(frame["regime"])]
    contest = [name for name in LETTERS if name in set(frame["winner"]) | set(frame.get("runner_up", ()))]
    source = f"{look.origin}; {look.design}."
    panels = tuple(_panel(frame[frame["regime"] == key], key, look, contest, source, mode) for key in keys)
    letters = join([f"{LETTERS[name]} {NAMES[name]}" for name in contest])
    subtitle = (
        f"Lowest mean squared error per cell: {letters}. {capitalised(look.label)} on {look.pool}. Paler means a closer race; a "
        "dot marks a tie within two standard errors. Up and to the right, the predictors get better."
    )
    return Figure(
        _joint(panels),
        claim(frame, look.pool),
        subtitle,
        _alt(frame, keys, look),
        frame.assign(label=look.label, source=source),
        source,
        (_interval_notice(look),),
        mode,
        width=3 * (_SIZE + 60),
        height=2 * _SIZE,
        panels=panels,
    )


def with_predictors(figure: Figure, auroc: float, bias_pp: float) -> Figure:
    """Return a phase diagram with the reader's own predictors marked on every panel whose axis holds them.

    Parameters
    ----------
    figure
        Figure of `phase_figure`; it is left as it is, and its data is shared.
    auroc, bias_pp
        The predictors' qualities.
    """
    panels = tuple(
        replace(
            panel, spec={**panel.spec, "layer": [*panel.spec["layer"], *_mark(panel.spec, auroc, bias_pp)]}
        )
        for panel in figure.panels
    )
    alt = f"{figure.alt} A diamond marks predictors with AUROC {number(auroc, 2)} and |bias| {number(bias_pp)} pp."
    return replace(figure, spec=_joint(panels), alt=alt, panels=panels)


def _joint(panels: Sequence[Figure]) -> dict[str, Any]:
    """Return the panels as one specification, for export."""
    return {
        "concat": [
            {
                **_plain(panel.spec),
                "title": {"text": panel.title, "fontSize": 14},
                "width": _SIZE,
                "height": _SIZE,
            }
            for panel in panels
        ],
        "columns": 3,
        "spacing": {"row": 26, "column": 30},
        "resolve": {"scale": {"x": "independent", "y": "independent", "color": "independent"}},
    }


def _mark(spec: dict[str, Any], auroc: float, bias_pp: float) -> list[dict[str, Any]]:
    """Return the layers of the reader's mark, or none where it lies beyond the axis."""
    middle = {channel: spec["layer"][1]["encoding"][channel] for channel in ("x", "y")}
    if bias_pp > middle["y"]["scale"]["domain"][1]:
        return []
    return [
        {
            "data": {"values": [{"auroc": auroc, "bias": bias_pp}]},
            "mark": {
                "type": "point",
                "shape": "diamond",
                "size": 170,
                "strokeWidth": width,
                "stroke": ink,
                "fill": None,
            },
            "encoding": middle,
        }
        for width, ink in ((5, Token.PAPER), (2.2, Token.INK))
    ]


def shares(frame: pd.DataFrame, key: str) -> dict[str, float]:
    """Return each winner's share of a panel's cells, largest first."""
    found = frame.loc[frame["regime"] == key, "winner"].value_counts(normalize=True)
    return {str(name): float(share) for name, share in found.items()}


def claim(frame: pd.DataFrame, pool: str) -> str:
    """Return the figure's title: who wins most of each end of the random row, or of the panels there are."""
    keys = [key for key in ("random_low", "random_high", "hard") if key in set(frame["regime"])]
    if not keys:
        keys = list(dict.fromkeys(frame["regime"]))
    best = {key: next(iter(shares(frame, key).items())) for key in keys}
    winners = {name for name, _ in best.values()}
    if len(winners) == 1:
        places = [f"{number(100 * share, 0)} % for {PROSE[key]}" for key, (_, share) in best.items()]
        return f"On {pool} {NAMES[winners.pop()]} wins the most cells: {join(places)}"
    parts = [
        f"{NAMES[name]} for {PROSE[key]} ({number(100 * share, 0)} % of cells)"
        for key, (name, share) in best.items()
    ]
    return f"On {pool} the best estimator changes with the leak: {join(parts)}"


def _interval_notice(look: PhaseLook) -> str:
    return (
        f"Winners rest on {look.design}, the same test sets in every cell of a panel. What a tie does not cover: another pool of "
        "items, or predictors whose errors are shaped differently from these."
    )


def _panel(
    frame: pd.DataFrame, key: str, look: PhaseLook, contest: Sequence[str], source: str, mode: Mode
) -> Figure:
    title = PANEL_TITLES[key]
    won = shares(frame, key)
    alt = f"{title}: " + "; ".join(
        f"{NAMES[name]} wins {number(100 * share, 0)} % of cells" for name, share in won.items()
    )
    return Figure(
        _panel_spec(frame, look, contest),
        title,
        "",
        f"{alt}. The largest |bias| on the axis is {number(100 * frame['bias'].max())} pp.",
        frame.assign(label=look.label, source=source),
        source,
        (),
        mode,
        width=_SIZE,
        height=270,
    )


def _panel_spec(frame: pd.DataFrame, look: PhaseLook, contest: Sequence[str]) -> dict[str, Any]:
    aurocs, biases = sorted(frame["auroc"].unique()), sorted(frame["bias"].unique())
    half_x = (aurocs[1] - aurocs[0]) / 2 if len(aurocs) > 1 else 0.01
    half_y = 100 * (biases[1] - biases[0]) / 2 if len(biases) > 1 and biases[1] > biases[0] else 0.1
    x_domain = [aurocs[0] - half_x, aurocs[-1] + half_x]
    y_domain = [100 * biases[0] - half_y, 100 * biases[-1] + half_y]
    rows = _rows(frame)
    x = _axis("x0", "AUROC of the memorization predictor", x_domain, reverse=False)
    y = _axis("y0", "|bias| of the correctness predictor, pp", y_domain, reverse=True)
    colour = {
        "field": "winner",
        "type": "nominal",
        "scale": {"domain": list(contest), "range": [COLOURS[name] for name in contest]},
        "legend": None,
    }
    middle = {"x": {**x, "field": "auroc"}, "y": {**y, "field": "bias"}}
    layers: list[dict[str, Any]] = [
        {
            "name": "cells",
            "transform": [
                {"calculate": f"datum.{field} {sign} {float(half)!r}", "as": name}
                for name, field, sign, half in (
                    ("x0", "auroc", "-", half_x),
                    ("x1", "auroc", "+", half_x),
                    ("y0", "bias", "-", half_y),
                    ("y1", "bias", "+", half_y),
                )
            ],
            "params": [
                {"name": SELECTION, "select": {"type": "point", "fields": ["auroc", "bias"], "toggle": False}}
            ],
            "mark": {"type": "rect", "stroke": Token.PAPER, "strokeWidth": 0.4, "cursor": "pointer"},
            "encoding": {
                "x": x,
                "x2": {"field": "x1"},
                "y": y,
                "y2": {"field": "y1"},
                "color": colour,
                "fillOpacity": {"field": "strength", "type": "quantitative", "scale": None},
                "tooltip": _tooltip(frame),
            },
        },
        {
            "transform": [{"filter": "datum.letter != ''"}],
            "mark": {"type": "text", "fontSize": 12, "fontWeight": "bold", "color": Token.INK},
            "encoding": {**middle, "text": {"field": "letter"}},
        },
        {
            "transform": [{"filter": "datum.tie && datum.letter == ''"}],
            "mark": {
                "type": "point",
                "shape": "circle",
                "filled": True,
                "size": 5,
                "color": Token.MUTED,
                "opacity": 0.9,
            },
            "encoding": middle,
        },
    ]
    return {
        "data": {"values": rows},
        "layer": layers,
        "padding": {"left": 4, "right": 8, "top": 6, "bottom": 4},
    }


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    lines = frame["auroc"].nunique()
    step = max(1, math.ceil(lines / _LETTERS_PER_AXIS))
    order_x = {value: index for index, value in enumerate(sorted(frame["auroc"].unique()))}
    order_y = {value: index for index, value in enumerate(sorted(frame["bias"].unique()))}
    result = []
    for row in frame.to_dict("records"):
        lettered = all(
            order[row[name]] % step == step // 2 for order, name in ((order_x, "auroc"), (order_y, "bias"))
        )
        bias = 100 * row["bias"]
        errors = {f"rmse_{name}": round(row[f"rmse_{name}"], 3) for name in NAMES if f"rmse_{name}" in row}
        result.append(
            {
                "auroc": round(row["auroc"], 6),
                "bias": round(bias, 6),
                "winner": row["winner"],
                "name": NAMES[row["winner"]] + (" (tie)" if row["tie"] else ""),
                "letter": LETTERS[row["winner"]] if lettered else "",
                "tie": bool(row["tie"]),
                "strength": round(strength(row["margin"], tie=bool(row["tie"])), 3),
                "margin": round(row["margin"], 3),
                "auroc_realised": round(row["auroc_realised"], 3),
                "bias_realised": round(100 * row["bias_realised"], 2),
                **errors,
            }
        )
    return result


def strength(margin_pp: float, *, tie: bool = False) -> float:
    """Return the opacity of a cell: from .14 for no margin to .6 from 3 pp on, so that ink stays readable on it.

    Examples
    --------
    >>> strength(0.0), strength(3.0), strength(9.0), strength(3.0, tie=True)
    (0.14, 0.6, 0.6, 0.14)
    """
    share = 0.0 if tie else math.sqrt(min(max(margin_pp, 0.0) / FULL_MARGIN_PP, 1.0))
    return WEAKEST + (STRONGEST - WEAKEST) * share


def _axis(field: str, title: str, domain: list[float], *, reverse: bool) -> dict[str, Any]:
    look = {"grid": False, "tickCount": 5, "labelFlush": False, "titleFontSize": 12}
    axis = titled_above(title, **look) if reverse else {"title": title, **look}
    if not reverse:
        axis |= {"values": [0.5, 0.6, 0.7, 0.8, 0.9, 1.0], "format": ".1f", "labelOverlap": False}
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": domain, "nice": False, "zero": False, "reverse": reverse},
        "axis": axis,
    }


def _tooltip(frame: pd.DataFrame) -> list[dict[str, Any]]:
    fields = [
        ("name", "lowest error", None),
        ("margin", "ahead by, pp RMSE", ".2f"),
        *(
            (f"rmse_{name}", f"RMSE {NAMES[name]}, pp", ".2f")
            for name in NAMES
            if f"rmse_{name}" in frame.columns
        ),
        ("auroc", "AUROC, nominal", ".3f"),
        ("auroc_realised", "AUROC, drawn scores", ".3f"),
        ("bias", "|bias|, nominal, pp", ".2f"),
        ("bias_realised", "|bias|, drawn scores, pp", ".2f"),
    ]
    return [
        {"field": field, "title": title, "type": "nominal" if form is None else "quantitative"}
        | ({} if form is None else {"format": form})
        for field, title, form in fields
    ]


def _plain(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a panel for the joint figure: its selection left out, since names must not repeat there."""
    layers = [
        {key: part for key, part in layer.items() if key not in {"name", "params"}} for layer in spec["layer"]
    ]
    return {"data": spec["data"], "layer": layers}


def _alt(frame: pd.DataFrame, keys: Sequence[str], look: PhaseLook) -> str:
    parts = []
    for key in keys:
        won = list(shares(frame, key).items())[:2]
        parts.append(
            f"{PANEL_TITLES[key]}: {join([f'{NAMES[name]} {number(100 * share, 0)} %' for name, share in won])} of cells"
        )
    return (
        f"{claim(frame, look.pool)}. {capitalised(str(len(keys)))} heat maps of AUROC (across) by absolute bias (down), "
        f"{look.label}. {'. '.join(parts)}."
    )
