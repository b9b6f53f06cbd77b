"""A reader's guess, drawn into a finished figure beside what is true."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from core.errors import UsageError
from core.figures.parts import with_halo
from core.figures.theme import Token
from core.figures.wording import number

if TYPE_CHECKING:
    from core.figures.base import Figure

_JOINT: Final = ("concat", "hconcat", "vconcat")
_EDGE: Final = 0.25
"""Share of the width at either side in which a centred text might leave the plot."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a guess of one number is marked: on the line along which it could lie.

    Parameters
    ----------
    fixed, at
        The field of the other axis, and the value there: the budget, the number of copies, the row.
    moving
        The field that the guess is a value of.
    where
        The place in words, to end a sentence with: "at 1,024 submissions".
    base, sign
        The guess is drawn at ``base + sign * guess``, for a guess of a distance from something that is shown.
    panel
        Title of the panel in a figure of several; one without panels is marked whatever it is called.
    side
        On which side of its mark a guess along y is written; free: where there is more room.
    """

    fixed: str
    at: float | str
    moving: str
    where: str
    base: float = 0.0
    sign: int = 1
    panel: str | None = None
    side: Literal["left", "right", "free"] = "free"

    def mark(self, figure: Figure, guess: float, decimals: int = 1) -> Figure:
        """Return the figure with a guess marked; one beyond the axis is drawn at its end, with its number.

        Parameters
        ----------
        figure
            Any figure of layers, or of panels of layers, that has both fields on its axes.
        guess
            The guess, in its own unit.
        decimals
            In how many it is said.

        Raises
        ------
        UsageError
            If no plot of the figure has these fields on its axes.
        """
        said = number(guess, decimals)
        alt = f"A diamond marks your guess of {said} {self.where}."
        return _in_panel(figure, self.panel, alt, lambda spec: _spot_layers(spec, self, guess, said))


@dataclass(frozen=True, slots=True)
class Patch:
    """Where a guess of a share of a plot's area is drawn: a frame of that area, from a corner inwards.

    Parameters
    ----------
    x, y
        Fields of the two axes; both need a linear scale with a domain.
    panel
        As in `Spot`.
    where
        What the share is of, to end a sentence with: "of the panel of low random doses".
    """

    x: str
    y: str
    where: str
    panel: str | None = None

    def mark(self, figure: Figure, guess: float, decimals: int = 0) -> Figure:
        """Return the figure with a frame that covers the guessed share of the plot, from the lower left corner.

        Parameters
        ----------
        figure, decimals
            As in `Spot.mark`.
        guess
            The share in percent.

        Raises
        ------
        UsageError
            If no plot of the figure has these fields on its axes.
        """
        said = number(guess, decimals)
        alt = f"A dashed frame covers your guess of {said} % {self.where}."
        return _in_panel(figure, self.panel, alt, lambda spec: _patch_layers(spec, self, guess, said))


def _in_panel(figure: Figure, panel: str | None, alt: str, layers_for: Any) -> Figure:
    """Return the figure with layers added to one panel, there and in the joint specification."""

    def added(spec: dict[str, Any]) -> dict[str, Any]:
        return {**spec, "layer": [*spec["layer"], *layers_for(spec)]}

    alt = f"{figure.alt} {alt}"
    if not figure.panels:
        if "layer" not in figure.spec:
            raise UsageError("A guess can be drawn only into a plot with axes.")
        return replace(figure, spec=added(figure.spec), alt=alt)
    titles = [one.title for one in figure.panels]
    if panel not in titles:
        raise UsageError(f"No panel is called {panel!r}; there are {', '.join(titles)}.")
    place = titles.index(panel)
    joint = next(key for key in _JOINT if key in figure.spec)
    plots = [added(spec) if at == place else spec for at, spec in enumerate(figure.spec[joint])]
    panels = [
        replace(one, spec=added(one.spec), alt=f"{one.alt} {alt[len(figure.alt) + 1 :]}")
        if at == place
        else one
        for at, one in enumerate(figure.panels)
    ]
    return replace(figure, spec={**figure.spec, joint: plots}, panels=tuple(panels), alt=alt)


def _spot_layers(spec: dict[str, Any], spot: Spot, guess: float, said: str) -> list[dict[str, Any]]:
    channel, x, y = _axes(spec, spot.fixed, spot.moving)
    value = spot.base + spot.sign * guess
    domain = _domain(x if channel == "x" else y)
    if domain is not None:
        value = min(max(value, domain[0]), domain[1])
    row = {spot.fixed: spot.at, spot.moving: value, "text": f"your guess: {said}"}
    along = _share_of(x, row[x["field"]])
    look: dict[str, Any]
    if channel == "x":
        look = {
            "align": "left" if along < _EDGE else "right" if along > 1 - _EDGE else "center",
            "baseline": "top",
            "dy": 11,
        }
    else:
        high = _share_of(y, value) > 0.5
        left = along > 0.5 if spot.side == "free" else spot.side == "left"
        look = {
            "align": "right" if left else "left",
            "dx": -12 if left else 12,
            "dy": 14 if high else -12,
        }
    place = {"x": x, "y": y}
    ring = {"type": "point", "shape": "diamond", "size": 170, "filled": False, "opacity": 1}
    return [
        {
            "data": {"values": [row]},
            "mark": {**ring, "stroke": Token.INK, "strokeWidth": 2.5},
            "encoding": place,
        },
        *_written(row, place, look),
    ]


def _patch_layers(spec: dict[str, Any], patch: Patch, guess: float, said: str) -> list[dict[str, Any]]:
    _, x, y = _axes(spec, patch.x, patch.y)
    wide, tall = _domain(x), _domain(y)
    if wide is None or tall is None:
        raise UsageError("A guessed share can be drawn only between axes whose ends are given.")
    side = math.sqrt(min(max(guess, 0.0), 100.0) / 100)
    bottom_up = bool(y["scale"].get("reverse"))
    left, right = wide[0], wide[0] + side * (wide[1] - wide[0])
    low, high = (
        (tall[1], tall[1] - side * (tall[1] - tall[0]))
        if bottom_up
        else (tall[0], tall[0] + side * (tall[1] - tall[0]))
    )
    row = {patch.x: left, "guess_x": right, patch.y: low, "guess_y": high, "text": f"your guess: {said} %"}
    frame = {"x": x, "x2": {"field": "guess_x"}, "y": y, "y2": {"field": "guess_y"}}
    rings = [
        {
            "data": {"values": [row]},
            "mark": {"type": "rect", "filled": False, "opacity": 1, **look},
            "encoding": frame,
        }
        for look in (
            {"stroke": Token.PAPER, "strokeWidth": 5},
            {"stroke": Token.INK, "strokeWidth": 2.5, "strokeDash": [7, 4]},
        )
    ]
    look = {"align": "left", "baseline": "bottom", "dx": 8, "dy": -8}
    return [*rings, *_written(row, {"x": x, "y": y}, look)]


def _written(row: dict[str, Any], place: dict[str, Any], look: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the guess in words on a halo, so that it can be read across lines."""
    return with_halo(
        {
            "data": {"values": [row]},
            "mark": {"type": "text", "fontWeight": "bold", "fontSize": 12, "color": Token.INK, **look},
            "encoding": {**place, "text": {"field": "text", "type": "nominal"}},
        }
    )


def _axes(spec: dict[str, Any], fixed: str, moving: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the channel of the moving field, and both encodings as some layer of the plot has them."""
    for layer in spec["layer"]:
        encoding = layer.get("encoding", {})
        x, y = encoding.get("x", {}), encoding.get("y", {})
        if (x.get("field"), y.get("field")) == (fixed, moving):
            return "y", x, y
        if (x.get("field"), y.get("field")) == (moving, fixed):
            return "x", x, y
    raise UsageError(f"No plot here has {fixed} on one axis and {moving} on the other.")


def _domain(encoding: dict[str, Any]) -> tuple[float, float] | None:
    domain = encoding.get("scale", {}).get("domain")
    if encoding.get("type") != "quantitative" or domain is None:
        return None
    return float(min(domain)), float(max(domain))


def _share_of(encoding: dict[str, Any], value: float | str) -> float:
    """Return how far along an axis a value lies, from 0 to 1; 0 where it is not known."""
    if "sort" in encoding and value in encoding["sort"]:
        return float(encoding["sort"].index(value) / max(len(encoding["sort"]) - 1, 1))
    domain = _domain(encoding)
    if domain is None or isinstance(value, str):
        return 0.0
    low, high = domain
    if encoding["scale"].get("type") == "log":
        low, high, value = math.log(low), math.log(high), math.log(max(value, low))
    share = (value - low) / (high - low)
    return 1 - share if encoding["scale"].get("reverse") else share
