"""A y axis whose title lies above the plot, where it is read without turning one's head."""

from __future__ import annotations

from typing import Any


def titled_above(title: str, **axis: Any) -> dict[str, Any]:
    """Return an axis definition for y.

    Parameters
    ----------
    title
        Its title with the unit.
    axis
        Further properties of the axis.

    Examples
    --------
    >>> titled_above("RMSE, pp", tickCount=5)["titleAngle"]
    0
    """
    return {
        "title": title,
        "titleAngle": 0,
        "titleAlign": "left",
        "titleAnchor": "start",
        "titleBaseline": "bottom",
        "titleX": -26,
        "titleY": -12,
        **axis,
    }
