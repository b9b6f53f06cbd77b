"""The report's chart, and its SVG as a part of a page: ids of its own, colours that follow the reader's light or dark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from core.figures.export import to_plot_svg
from core.figures.rule_curves import rule_curves, rule_series
from core.figures.theme import LIGHT

if TYPE_CHECKING:
    from core.figures.base import Figure
    from core.report_parts.facts import Facts
    from core.reuse.comparison import Comparison

_INKS: Final = ("paper", "ink", "muted", "axis", "grid")


def rules_figure(facts: Facts, comparison: Comparison) -> Figure:
    """Return the losses under each rule.

    Parameters
    ----------
    facts
        The report's facts.
    comparison
        The study under each rule.
    """
    import pandas as pd

    content = facts.content
    label = content["provenance"]["label"]
    verb = "Simulated" if label == "simulated" else "Computed"
    source = f"{verb} from the item scores of {content['benchmark']['name']}: {content['options']['trials']} trials"
    frame = rule_series(pd.DataFrame(comparison.rows()), label=label, source=source)
    return rule_curves(frame, content["options"]["tolerance_pp"])


def inline_svg(figure: Figure, prefix: str) -> str:
    """Return a figure's plot as SVG for a page.

    Ids are renamed by their order of appearance, so that they are the same every time and several charts can share a page.
    Colours of paper and ink become classes that the page's style sheet colours.

    Parameters
    ----------
    figure
        The figure.
    prefix
        Begins every id; unique on the page.
    """
    svg = to_plot_svg(figure)
    names = dict.fromkeys(re.findall(r'\bid="([^"]+)"', svg))
    for place, name in enumerate(names):
        svg = re.sub(rf'(\bid="|url\(#|href="#){re.escape(name)}(?=["\)])', rf"\g<1>{prefix}-{place}", svg)
    for ink in _INKS:
        svg = _painted(svg, getattr(LIGHT, ink), ink)
    return svg[svg.index("<svg") :].strip()


def _painted(svg: str, colour: str, name: str) -> str:
    for attribute in ("fill", "stroke"):
        svg = re.sub(
            rf'\b{attribute}="{colour}"',
            f'{attribute}="{colour}" data-{attribute}="{name}"',
            svg,
            flags=re.IGNORECASE,
        )
    return svg
