"""Controls and presets of the selection loss page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core import published
from core.figures.guess_mark import Spot
from pages.kit.controls import Choice, Controls, Decimal, Several, Switch, budget_control
from pages.kit.guess import Question
from pages.kit.presets import Preset
from pages.parts.studies import BANKS, BUDGETS, SEED_CONTROL, TRIALS_CONTROL

OTHER_SEEDS: Final = 12
HIDDEN_ABOVE: Final = 16
"""Largest budget that is shown before the reader has guessed."""

GUESS_BENCHMARK: Final = "terminal_science"
GUESS_BUDGET: Final = 1024

THRESHOLDS: Final = {
    "model_selection_loss_pp": "threshold",
    "rank_drop": "rank_threshold",
    "false_winner": "share_threshold",
}
"""The control that holds each measure's threshold."""

CONTROLS: Final = Controls(
    "sl",
    (
        Choice(
            "view",
            "Numbers",
            (("published", "Published"), ("recomputed", "Recomputed here")),
            "published",
            help="The authors' printed results, or the same study run here on data that is bundled.",
        ),
        Choice(
            "measure",
            "Measure",
            (
                ("model_selection_loss_pp", "Selection loss"),
                ("rank_drop", "Rank drop"),
                ("false_winner", "False winners"),
            ),
            "model_selection_loss_pp",
        ),
        Choice(
            "layout", "Layout", (("overlay", "Overlay"), ("small multiples", "Small multiples")), "overlay"
        ),
        Several(
            "benchmarks",
            "Benchmarks",
            tuple((key, facts.name) for key, facts in published.BENCHMARKS.items()),
            tuple(published.BENCHMARKS),
        ),
        budget_control("budget", "Submissions to read off", BUDGETS, 16),
        Choice(
            "threshold",
            "Threshold",
            ((0, "none"), (1, "1 pp"), (2, "2 pp"), (3, "3 pp"), (4, "4 pp")),
            0,
            look="list",
            help="Marks a loss, and says at how many submissions each benchmark first reaches it.",
        ),
        Choice(
            "rank_threshold",
            "Threshold",
            ((0, "none"), (1, "1 rank"), (2, "2 ranks"), (3, "3 ranks")),
            0,
            look="list",
            help="Marks a rank drop, and says at how many submissions each benchmark first reaches it.",
        ),
        Choice(
            "share_threshold",
            "Threshold",
            ((0, "none"), (50, "50 %"), (90, "90 %")),
            0,
            look="list",
            help="Marks a share of splits, and says at how many submissions each benchmark first reaches it.",
        ),
        Switch("bands", "Intervals", default=True),
        Switch(
            "static",
            "Static control",
            default=True,
            help="One submission that picks, per returned score, the publicly better of the two models. "
            "A control: it takes no random search.",
        ),
        Switch(
            "why",
            "Show the scores behind the curve",
            help="Public and held-out score of the chosen model at every budget, where both are known: why the loss can fall again.",
        ),
        Switch(
            "others",
            "Compare with other seeds",
            help=f"Runs the same study under {OTHER_SEEDS} other seeds, a few seconds of work.",
        ),
        Decimal("guess", "Your guess (pp)", -5.0, 10.0, 3.0, 0.1, format="%.1f"),
        Choice("bank", "Benchmark", BANKS, "terminal_science"),
        Choice(
            "endpoints",
            "Pair chosen from",
            (("top5", "Top five"), ("full_frontier", "Full frontier")),
            "top5",
            help="The attack mixes two models: the most different pair of the five best, or of the whole frontier.",
        ),
        TRIALS_CONTROL,
        SEED_CONTROL,
    ),
)

QUESTION: Final = Question(
    "guess",
    f"The curves below stop at {HIDDEN_ABOVE} submissions. On "
    f"{published.BENCHMARKS[GUESS_BENCHMARK].name}, how much held-out score does following the public ranking cost "
    f"after {GUESS_BUDGET:,} submissions?",
    "pp",
    f"The published loss on {published.BENCHMARKS[GUESS_BENCHMARK].name} at {GUESS_BUDGET:,} submissions",
    place=Spot(
        "new_submissions",
        GUESS_BUDGET,
        "value",
        f"at {GUESS_BUDGET:,} submissions",
        panel=published.BENCHMARKS[GUESS_BENCHMARK].name,
    ),
)

PRESETS: Final = (
    Preset(
        "ranks",
        "Count ranks instead of points",
        "The same choices, in held-out ranks. A benchmark whose leaders lie close together loses many ranks for few "
        "points; compare SWE-bench Verified in both measures.",
        {"measure": "rank_drop", "budget": 128},
    ),
    Preset(
        "dip",
        "A curve that falls",
        "On Terminal-Bench-Science the loss rises, then falls. More submissions are not always worse for those who "
        "follow the ranking.",
        {"benchmarks": ("terminal_science",), "budget": 1024, "why": True},
    ),
    Preset(
        "luck",
        "How much of it was luck",
        "The same study on Terminal-Bench-Science, at its own seeds and at others. What stays is a result; what moves was the "
        "luck of one draw of random routers.",
        {"view": "recomputed", "bank": "terminal_science", "budget": 1024, "others": True},
    ),
)
