"""The report as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.report_parts import cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.report_parts.facts import Facts


def escaped(text: str) -> str:
    r"""Return text that Markdown shows as it is, HTML included.

    Examples
    --------
    >>> print(escaped("a|b <i>*c*</i>"))
    a\|b &lt;i&gt;\*c\*&lt;/i&gt;
    """
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|#~$])", r"\\\1", " ".join(plain.split()))


def report_markdown(facts: Facts) -> str:
    """Return the report as Markdown text.

    Parameters
    ----------
    facts
        The report's facts.
    """
    content = facts.content
    decision = content["decision"]
    lines = [
        f"# Stress test of {escaped(cells.name(content['benchmark']['name']))}",
        "",
        f"Values are {content['provenance']['label']}: means over trials with 95 % bootstrap intervals.",
        "",
        "## Decision",
        "",
        *(f"- {escaped(sentence)}" for sentence in decision["sentences"]),
        "",
        "What this does not cover:",
        "",
        *(f"- {escaped(sentence)}" for sentence in decision["not_covered"]),
        "",
        "## Feedback rules",
        "",
        *_table(*cells.rules_table(content)),
    ]
    for rule in content["rules"]:
        lines += [
            "",
            f"## Under {escaped(cells.name(rule['feedback']))}",
            "",
            *_table(*cells.budgets_table(rule)),
        ]
        if rule["endpoint_pairs"]:
            lines += ["", "Pairs of models that were mixed:", "", *_table(*cells.pairs_table(rule))]
    lines += [
        "",
        "## Leaderboard over all items",
        "",
        *_table(*cells.leaderboard_table(content)),
        "",
        "## What was studied",
        "",
        *(f"- {label}: {escaped(text)}" for label, text in cells.particulars(content)),
    ]
    return "\n".join(lines) + "\n"


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    cells_of = [headings, ["---"] * len(headings), *rows]
    return [
        "| " + " | ".join(cell if place == 1 else escaped(cell) for cell in row) + " |"
        for place, row in enumerate(cells_of)
    ]
