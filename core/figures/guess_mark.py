"""A reader's guess, drawn into a finished figure of curves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.errors import UsageError
from core.figures.theme import Token
from core.figures.wording import number

if TYPE_CHECKING:
    from core.figures.base import Figure


def with_guess(figure: Figure, budget: int, guess: float) -> Figure:
    """Return the figure with a guess marked at a budget.

    Parameters
    ----------
    figure
        An overlay of curves over submissions.
    budget
        Where the guess stands on the x axis.
    guess
        The guess, in the figure's unit. One outside the y axis is drawn at its end, with its number.

    Raises
    ------
    UsageError
        If the figure is no single plot of curves.
    """
    low, high = _domain(figure.spec)
    at = min(max(guess, low), high)
    row = {"new_submissions": budget, "value": at, "text": f"your guess: {number(guess)}"}
    x = {"field": "new_submissions", "type": "quantitative"}
    y = {"field": "value", "type": "quantitative"}
    layers = [
        {
            "data": {"values": [row]},
            "mark": {
                "type": "point",
                "shape": "diamond",
                "size": 170,
                "filled": False,
                "stroke": Token.INK,
                "strokeWidth": 2.5,
                "opacity": 1,
            },
            "encoding": {"x": x, "y": y},
        },
        {
            "data": {"values": [row]},
            "mark": {
                "type": "text",
                "align": "right",
                "dx": -12,
                "dy": 14 if at > (low + high) / 2 else -12,
                "fontWeight": "bold",
                "fontSize": 12,
                "color": Token.INK,
            },
            "encoding": {"x": x, "y": y, "text": {"field": "text", "type": "nominal"}},
        },
    ]
    return replace(
        figure,
        spec={**figure.spec, "layer": [*figure.spec["layer"], *layers]},
        alt=f"{figure.alt} A diamond marks your guess of {number(guess)} at {budget:,} submissions.",
    )


def _domain(spec: dict[str, Any]) -> tuple[float, float]:
    for layer in spec.get("layer", ()):
        domain = layer.get("encoding", {}).get("y", {}).get("scale", {}).get("domain")
        if domain is not None:
            return float(domain[0]), float(domain[1])
    raise UsageError("A guess can be drawn only into a single plot of curves.")
