"""Controls of the methods page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from pages.kit.controls import Choice, Controls
from pages.kit.presets import Preset

CONTROLS: Final = Controls(
    "me",
    (
        Choice(
            "section",
            "Section",
            (
                ("takeaways", "Takeaways"),
                ("definitions", "Definitions"),
                ("provenance", "Where numbers come from"),
                ("intervals", "Intervals"),
                ("questions", "Questions"),
                ("cite", "Cite"),
            ),
            "takeaways",
            look="pills",
        ),
        Choice(
            "compare",
            "Comparison",
            (("static", "Static control"), ("pools", "Endpoint pools"), ("rules", "Practical rules")),
            "static",
        ),
    ),
)

PRESETS: Final = (
    Preset(
        "rules",
        "Does releasing less help?",
        "With one released score the attack starts later and arrives at nearly the same loss.",
        {"compare": "rules"},
    ),
    Preset(
        "files",
        "Check a number",
        "Every shipped file with its source and its checksum, compared with the file that this server holds.",
        {"section": "provenance"},
    ),
    Preset("bibtex", "Copy the citations", "One button per entry copies it.", {"section": "cite"}),
)
