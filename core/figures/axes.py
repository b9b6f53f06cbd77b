"""Axes and places: round ticks, label positions that do not touch, and widths put into expressions."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

NARROW: Final = 520
"""Plots narrower than this many pixels get short labels."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear axis with round ticks.

    Parameters
    ----------
    low, high
        Ends of the axis.
    ticks
        Tick values within them.
    """

    low: float
    high: float
    ticks: tuple[float, ...]

    @property
    def decimals(self) -> int:
        """Decimals that the ticks need."""
        step = self.ticks[1] - self.ticks[0] if len(self.ticks) > 1 else 1.0
        return max(0, -math.floor(math.log10(step) + 1e-9))


def round_scale(values: Sequence[float], *, count: int = 8, zero: bool = True) -> Scale:
    """Return an axis that holds some values, with ticks at 1, 2 or 5 times a power of ten.

    Parameters
    ----------
    values
        What is drawn; NaN is ignored.
    count
        About how many ticks.
    zero
        Whether zero is on the axis.

    Examples
    --------
    >>> round_scale([-1.3, 5.4]).ticks
    (-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    """
    known = [float(value) for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high == low:
        low, high = low - (0.0 if zero and low >= 0 else 0.5), high + 1.0
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    pad = (high - low) * 0.02
    low, high = (low - pad if low < 0 or not zero else low), (high + pad if high > 0 or not zero else high)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Scale(low, high, tuple(round(index * step, 10) for index in range(first, last + 1)))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move label positions apart as little as needed, keeping their order and the bounds where there is room.

    Parameters
    ----------
    wanted
        Shape (labels,): where each label would stand.
    gap
        Smallest distance between neighbours.
    low, high
        Bounds; if the labels do not fit, they keep the gap and leave the bounds evenly.

    Returns
    -------
    list of float
        Shape (labels,), in the order of `wanted`.

    Examples
    --------
    >>> spread([1.0, 1.1, 5.0], 1.0, 0.0, 6.0)
    [0.55, 1.55, 5.0]
    """
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    blocks: list[list[float]] = []  # each: sum of (wanted - offset), number of labels
    for index in order:
        blocks.append([wanted[index], 1.0])
        while len(blocks) > 1:
            (sum_a, count_a), (sum_b, count_b) = blocks[-2], blocks[-1]
            if sum_b / count_b - sum_a / count_a >= gap * count_a - 1e-12:
                break
            blocks[-2:] = [[sum_a + sum_b - gap * count_a * count_b, count_a + count_b]]
    placed: list[float] = []
    for total, members in blocks:
        placed.extend(total / members + gap * step for step in range(int(members)))
    room = (high - low) - gap * (len(placed) - 1)
    if placed and room < 0:
        placed = [low + room / 2 + gap * step for step in range(len(placed))]
    elif placed:
        for step, _ in enumerate(placed):
            placed[step] = max(placed[step], low + gap * step)
        for step in range(len(placed) - 1, -1, -1):
            placed[step] = min(placed[step], high - gap * (len(placed) - 1 - step))
    result = [0.0] * len(wanted)
    for place, index in zip(placed, order, strict=True):
        result[index] = round(place, 10)
    return result


def value_axis(scale: Scale, title: str | None, *, above: int = 24) -> dict[str, Any]:
    """Return a y encoding of the field `value`, with its title lying above the plot.

    Parameters
    ----------
    scale
        Ends and ticks.
    title
        Axis title with its unit, or None.
    above
        Pixels between the plot and the title.
    """
    return {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [scale.low, scale.high], "nice": False, "zero": False},
        "axis": {
            "values": list(scale.ticks),
            "format": f".{scale.decimals}f",
            "grid": False,
            "title": title,
            "titleAngle": 0,
            "titleAlign": "left",
            "titleAnchor": "start",
            "titleBaseline": "bottom",
            "titleX": -26,
            "titleY": -above,
        },
    }


def with_width(spec: Any, width: int) -> Any:
    """Put a plot's width into the expressions that depend on it.

    Inside a concatenation Vega knows no ``width``, and an exported image has a fixed one anyway.

    Parameters
    ----------
    spec
        A specification or a part of one.
    width
        The plot's width in pixels.

    Examples
    --------
    >>> with_width({"range": [0, {"expr": "width - 9"}], "x": {"value": "width"}}, 300)
    {'range': [0, {'expr': '300 - 9'}], 'x': {'value': 'width'}}
    """
    if isinstance(spec, dict):
        return {
            key: re.sub(r"\bwidth\b", str(width), part)
            if key == "expr" and isinstance(part, str) and len(spec) == 1
            else part
            if key == "values"
            else with_width(part, width)
            for key, part in spec.items()
        }
    if isinstance(spec, list):
        return [with_width(part, width) for part in spec]
    return spec
