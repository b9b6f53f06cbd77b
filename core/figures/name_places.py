"""Where the names of marks go in a plot of two logarithmic axes with a diagonal, so that they touch as little as may be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_LETTER: Final = 7.2  # pixels of a bold letter at the names' size
_TALL: Final = 16
_AWAY: Final = 11
_LARGE, _SMALL = 9, 5  # half the size of a named mark and of the others, with a little room
_NEAR = 20  # a name so close above or below another named mark would be read as that mark's
_TOUCHES: Final = {"name": 5, "mark": 4, "outside": 4, "line": 2, "rule": 1}


class Place(NamedTuple):
    """Side of the mark ("left" or "right") and shift downwards in pixels."""

    side: str
    shift: int


class Mark(NamedTuple):
    """A mark at `x`, `y` with a rule down to `below`, in the axes' units; named unless the name is empty."""

    x: float
    y: float
    below: float
    name: str = ""


_PLACES: Final = tuple(Place(side, shift) for shift in (0, -15, 15, -19, 19) for side in ("right", "left"))


class _Box(NamedTuple):
    left: float
    right: float
    top: float
    bottom: float

    def touches(self, other: _Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class Plot(NamedTuple):
    """A plot's axes, both from 1 up, and its size in pixels."""

    right: float
    top: float
    width: float
    height: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a point's pixels from the upper left corner."""
        return (
            self.width * math.log(x) / math.log(self.right),
            self.height * (1 - math.log(y) / math.log(self.top)),
        )


def name_places(marks: Sequence[Mark], plots: Sequence[Plot], line_end: float) -> list[Place]:
    """Return a place for each named mark, in their order.

    Parameters
    ----------
    marks
        All marks of the plot.
    plots
        The plot in the sizes that readers see; a place should suit all of them.
    line_end
        The diagonal runs from 1 to here.

    Examples
    --------
    A name beside a mark on the diagonal would touch the line; above it to the left it is free.

    >>> name_places([Mark(16, 16, 8, "Name")], [Plot(2048, 2048, 900, 400)], 2048)
    [Place(side='left', shift=-15)]
    """
    found: list[Place] = []
    placed: list[list[_Box]] = [[] for _ in plots]
    for mark in marks:
        if not mark.name:
            continue
        best = min(
            _PLACES,
            key=lambda place: sum(
                _cost(_box(mark, place, plot), mark, marks, plot, names, line_end)
                for plot, names in zip(plots, placed, strict=True)
            ),
        )
        for plot, names in zip(plots, placed, strict=True):
            names.append(_box(mark, best, plot))
        found.append(best)
    return found


def _box(mark: Mark, place: Place, plot: Plot) -> _Box:
    x, y = plot.at(mark.x, mark.y)
    wide = _LETTER * len(mark.name)
    left = x + _AWAY if place.side == "right" else x - _AWAY - wide
    middle = y + place.shift
    return _Box(left, left + wide, middle - _TALL / 2, middle + _TALL / 2)


def _cost(
    box: _Box, own: Mark, marks: Sequence[Mark], plot: Plot, names: Sequence[_Box], line_end: float
) -> int:
    cost = _TOUCHES["name"] * sum(box.touches(name) for name in names)
    cost += _TOUCHES["outside"] * (box.left < 0 or box.right > plot.width or box.top < 0)
    for mark in marks:
        if mark is own:
            continue
        x, y = plot.at(mark.x, mark.y)
        size = _LARGE if mark.name else _SMALL
        near = _NEAR if mark.name else size
        cost += _TOUCHES["mark"] * box.touches(_Box(x - size, x + size, y - near, y + near))
        _, foot = plot.at(mark.x, mark.below)
        cost += _TOUCHES["rule"] * box.touches(_Box(x - 1, x + 1, y, foot))
    (start_x, start_y), (end_x, end_y) = plot.at(1, 1), plot.at(line_end, line_end)
    steps = [max(box.left, start_x), min(box.right, end_x)]
    if steps[0] < steps[1]:
        heights = [start_y + (end_y - start_y) * (step - start_x) / (end_x - start_x) for step in steps]
        cost += _TOUCHES["line"] * (min(heights) < box.bottom and max(heights) > box.top)
    return cost
