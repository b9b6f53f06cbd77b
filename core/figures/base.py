"""`Figure`: a drawing with everything said about it, all computed from the same data."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from core.figures.theme import Mode, themed

if TYPE_CHECKING:
    import pandas as pd
    from altair import Chart


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart with its title, its words and its data.

    Parameters
    ----------
    spec
        Vega-Lite specification without configuration, with colour tokens; drawn as it is by nobody, see `themed_spec`.
    title
        The claim that the data supports, with its numbers.
    subtitle
        What is drawn: measure, unit, interval, label of the values.
    alt
        The takeaway in words, for those who do not see the chart.
    data
        The rows shown, for the table behind the chart and for CSV; a column `label` says ``published``, ``recomputed`` or
        ``simulated``, a column `source` where the row comes from.
    source
        Where the values come from, one line.
    notices
        What the reader should know beside the figure, one sentence or two each.
    mode
        Colours of `chart`: the light page, the dark page, or print.
    width, height
        Size in pixels of the plot when exported; on a page the width is the container's.
    panels
        For small multiples: one responsive figure per panel, for a page that lays them out itself.
    """

    spec: dict[str, Any]
    title: str
    subtitle: str
    alt: str
    data: pd.DataFrame
    source: str
    notices: tuple[str, ...] = ()
    mode: Mode = "light"
    width: int = 760
    height: int = 400
    panels: tuple[Figure, ...] = field(default=())

    @property
    def themed_spec(self) -> dict[str, Any]:
        """The Vega-Lite specification for a page: mode's colours, transparent, as wide as its container."""
        spec = themed(self.spec, self.mode)
        if "layer" in spec:  # a layer without a row would be an image without words to a screen reader
            spec["layer"] = [layer for layer in spec["layer"] if layer.get("data", {}).get("values") != []]
        if "layer" in spec or "mark" in spec:
            spec.setdefault("width", "container")
            spec.setdefault("height", self.height)
            spec.setdefault("autosize", {"type": "fit-x", "contains": "padding"})
            spec.setdefault("padding", {"left": 4, "right": 6, "top": 6, "bottom": 4})
        return spec

    @property
    def chart(self) -> Chart:
        """The chart for ``st.altair_chart``; `themed_spec` as an Altair object."""
        return chart_of(self.themed_spec)

    def in_mode(self, mode: Mode) -> Figure:
        """Return the same figure in other colours.

        Parameters
        ----------
        mode
            ``"light"``, ``"dark"`` or ``"print"``.
        """
        return replace(self, mode=mode, panels=tuple(panel.in_mode(mode) for panel in self.panels))


def chart_of(spec: dict[str, Any]) -> Chart:
    """Wrap a finished specification as an Altair chart.

    Altair would build an object per key and check each against the schema at every use, tens of milliseconds for a layered
    chart; the tests check the specifications instead.

    Parameters
    ----------
    spec
        A complete Vega-Lite specification with inline data.
    """
    from altair import Chart

    class Ready(Chart):
        """A chart whose specification is already complete."""

        def to_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
            return copy.deepcopy(spec)

    return Ready()
