"""Errors along the memorization predictor's axis alone, for benchmarks whose bias axis says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.figures.base import Figure
from core.figures.estimator_lines import error_axis, line_layers, spread_labels
from core.figures.phase_diagrams import NAMES, PROSE, PhaseLook
from core.figures.wording import capitalised, number

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.theme import Mode

WITHOUT_CORRECTNESS = ("naive", "ipw", "epg")


def auroc_lines_figure(frame: pd.DataFrame, regime: str, look: PhaseLook, mode: Mode = "light") -> Figure:
    """Return the errors of the estimators that need no correctness predictor, by AUROC.

    Parameters
    ----------
    frame
        Wide frame of `core.contamination.phase.PhaseDiagram.frame`.
    regime
        The panel.
    look
        Pool, design and label.
    mode
        Colours.
    """
    import pandas as pd

    panel = frame[
        (frame["regime"] == regime) & (frame["bias"] == frame.loc[frame["regime"] == regime, "bias"].min())
    ]
    names = [name for name in WITHOUT_CORRECTNESS if f"rmse_{name}" in panel.columns]
    table = pd.concat(
        [
            pd.DataFrame({"estimator": NAMES[name], "auroc": panel["auroc"], "rmse": panel[f"rmse_{name}"]})
            for name in names
        ],
        ignore_index=True,
    )
    naive, ipw = panel["rmse_naive"].to_numpy(), panel["rmse_ipw"].to_numpy()
    better = panel["auroc"].to_numpy()[ipw < naive]
    start = (
        f"IPW errs less than the naive score from an AUROC of {number(better.min(), 2)} on"
        if len(better)
        else "IPW never errs less than the naive score"
    )
    title = f"{look.pool}, {PROSE[regime]}: {start}"
    ends = spread_labels(
        [
            {"estimator": NAMES[name], "auroc": 1.0, "rmse": float(panel[f"rmse_{name}"].iloc[-1])}
            for name in names
        ],
        gap=0.07 * float(table["rmse"].max()),
    )
    x = {
        "field": "auroc",
        "type": "quantitative",
        "scale": {"domain": [0.5, 1.0], "nice": False, "range": [6, {"expr": "width - 70"}]},
        "axis": {
            "title": "AUROC of the memorization predictor",
            "values": [0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
            "format": ".1f",
        },
    }
    spec = {
        "data": {"values": table.round(4).to_dict("records")},
        "layer": line_layers(
            names,
            ends,
            x,
            error_axis(5),
            {"type": "point", "filled": True, "size": 40, "opacity": 1},
            ("auroc", "AUROC", ".3f"),
        ),
        "padding": {"left": 4, "right": 8, "top": 6, "bottom": 4},
    }
    low, high = float(np.min(ipw)), float(np.max(ipw))
    source = f"{look.origin}; {look.design}."
    return Figure(
        spec,
        title,
        f"Root mean squared error, pp, of the estimators that need no correctness predictor. {capitalised(look.label)}.",
        f"{title}. Line chart, {look.label}. The naive score errs by {number(float(naive[0]))} pp, IPW by {number(low)} to "
        f"{number(high)} pp.",
        table.assign(regime=regime, label=look.label, source=source),
        source,
        (),
        mode,
        height=260,
    )
