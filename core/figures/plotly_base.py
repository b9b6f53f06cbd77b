"""`PlotlyFigure`: a figure that is drawn by Plotly, with the same words, data and colours as every other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from core.figures.base import Figure
from core.figures.theme import SANS, SERIF, SURFACES, resolve

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Drawing


@dataclass(frozen=True, eq=False)
class PlotlyFigure(Figure):
    """A figure whose drawing is Plotly's; `spec` is empty.

    Parameters
    ----------
    traces, layout
        As Plotly's JSON has them, with colour tokens.
    """

    traces: tuple[dict[str, Any], ...] = field(default=())
    layout: dict[str, Any] = field(default_factory=dict)

    def drawing(self) -> Drawing:
        """Return the drawing in the figure's colours, without title: a page writes that beside it."""
        from plotly.graph_objects import Figure as Drawing

        surface = SURFACES[self.mode]
        paper = surface.paper if self.mode == "print" else "rgba(0,0,0,0)"
        common = {
            "font": {"family": SANS, "size": 13, "color": surface.ink},
            "paper_bgcolor": paper,
            "plot_bgcolor": paper,
            "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
            "height": self.height,
        }
        drawn = {
            "data": resolve(list(self.traces), self.mode),
            "layout": {**common, **resolve(self.layout, self.mode)},
        }
        return Drawing(drawn, skip_invalid=False)

    def printed(self, link: str | None = None) -> Drawing:
        """Return the drawing for print: white, with title, subtitle, source and link."""
        from core.figures.wording import wrap

        drawing = replace(self, mode="print").drawing()
        room = self.width - 40
        title = "<br>".join(wrap(self.title, room, 20, bold=True))
        lines = wrap(self.subtitle, room, 13)
        foot = [*wrap(f"Source: {self.source}", room, 11), *([link] if link else [])]
        head = 40 + 26 * (title.count("<br>") + 1) + 17 * len(lines)
        drawing.update_layout(
            title={
                "text": f"<b>{title}</b><br><span style='font-size:13px;font-family:{SANS}'>{'<br>'.join(lines)}</span>",
                "font": {"family": SERIF, "size": 20},
                "x": 0.02,
                "xanchor": "left",
                "y": 1 - 26 / (self.height + head + 60),
                "yanchor": "top",
            },
            margin={"l": 20, "r": 20, "t": head, "b": 60 + 15 * len(foot)},
            width=self.width,
            height=self.height + head + 60,
        )
        drawing.add_annotation(
            text="<br>".join(foot),
            showarrow=False,
            xref="paper",
            yref="paper",
            x=0,
            y=0,
            yshift=-50,
            xanchor="left",
            yanchor="top",
            align="left",
            font={"size": 11, "color": SURFACES["print"].muted},
        )
        return drawing
