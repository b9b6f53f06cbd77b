"""The start page's one control and its question. The default is part of every link: it is frozen."""

from __future__ import annotations

from typing import Final

from core import published
from pages.kit.controls import Controls, Decimal
from pages.kit.guess import Question
from pages.parts.start.content import BUDGET

GUESS_BENCHMARK: Final = "helm_lite"

CONTROLS: Final = Controls("hm", (Decimal("guess", "Your guess (pp)", 0.0, 10.0, 2.0, 0.1, format="%.1f"),))

QUESTION: Final = Question(
    "guess",
    f"On {published.BENCHMARKS[GUESS_BENCHMARK].name}, how much held-out score does it cost to follow the public ranking after "
    f"{BUDGET:,} submissions? The other benchmarks are in the figure below.",
    "pp",
    f"The published loss on {published.BENCHMARKS[GUESS_BENCHMARK].name}",
)
