"""The report as one HTML file: fonts, chart and style inside, no script, nothing from elsewhere."""

from __future__ import annotations

import base64
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.figures.export import FONT_FOLDER
from core.figures.theme import DARK, LIGHT
from core.report_parts import cells
from core.report_parts.chart import inline_svg

if TYPE_CHECKING:
    from jinja2 import Template

    from core.figures.base import Figure
    from core.report_parts.facts import Facts

FACES: Final = (
    ("Mirage Sans", 400, "MirageSans-Regular.woff2"),
    ("Mirage Sans", 700, "MirageSans-Bold.woff2"),
    ("Mirage Serif", 700, "MirageSerif-Bold.woff2"),
)
"""Fonts that the page carries: family, weight, file."""


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("report.html.j2")


def report_html(facts: Facts, figure: Figure) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    facts
        The report's facts.
    figure
        The losses under each rule.

    Raises
    ------
    DataError
        If the shipped fonts are missing.
    """
    from markupsafe import Markup

    content = facts.content
    # The SVG is vl-convert's own output, which escapes every text of the chart.
    svg = Markup(inline_svg(figure, "rules"))  # noqa: S704
    return _template().render(
        title=f"Stress test of {cells.name(content['benchmark']['name'])}",
        label=content["provenance"]["label"],
        decision=content["decision"],
        figure=figure,
        svg=svg,
        rules=_table(*cells.rules_table(content), text_columns=3),
        sections=[
            {
                "name": cells.name(rule["feedback"]),
                "budgets": _table(*cells.budgets_table(rule)),
                "pairs": _table(*cells.pairs_table(rule), text_columns=2),
            }
            for rule in content["rules"]
        ],
        leaderboard=_table(*cells.leaderboard_table(content), text_columns=2),
        particulars=cells.particulars(content),
        fonts=_fonts(),
        light=LIGHT,
        dark=DARK,
    )


def _table(headings: list[str], rows: list[list[str]], text_columns: int = 1) -> dict[str, Any]:
    return {"headings": headings, "rows": rows, "text_columns": text_columns}


@lru_cache(maxsize=1)
def _fonts() -> list[dict[str, Any]]:
    return [
        {
            "family": family,
            "weight": weight,
            "data": base64.b64encode((FONT_FOLDER / file).read_bytes()).decode(),
        }
        for family, weight, file in FACES
        if (FONT_FOLDER / file).is_file()
    ]
