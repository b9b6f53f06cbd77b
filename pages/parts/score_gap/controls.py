"""Controls and presets of the score gap page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core import published
from core.figures.guess_mark import Spot
from pages.kit.controls import Choice, Controls, Decimal, Several, Switch, Whole, budget_control
from pages.kit.guess import Question
from pages.kit.presets import Preset
from pages.parts.studies import BANKS, BUDGETS, SEED_CONTROL, TRIALS_CONTROL

HIDDEN_ABOVE: Final = 16
"""Largest budget that is shown before the reader has guessed."""
GUESS_BENCHMARK: Final = "openllm_v2"
GUESS_BUDGET: Final = 2048
MOST_ENTRIES: Final = 200
"""Bound of the position control: 38 genuine models, two endpoints and 128 submissions fit."""

TESTED: Final = tuple(published.score_comparison().frame["benchmark"].unique())
"""Benchmarks of the published paired test."""

CONTROLS: Final = Controls(
    "sg",
    (
        Choice(
            "view",
            "Show",
            (
                ("curves", "Curves"),
                ("increase", "Against the baseline"),
                ("trial", "One trial"),
                ("recomputed", "Recomputed here"),
                ("loss", "Gap and loss"),
            ),
            "curves",
            look="pills",
        ),
        Several(
            "benchmarks",
            "Benchmarks",
            tuple((key, facts.name) for key, facts in published.BENCHMARKS.items()),
            tuple(published.BENCHMARKS),
        ),
        budget_control("budget", "Submissions to read off", BUDGETS, 128),
        Decimal("guess", "Your guess (pp)", 0.0, 20.0, 4.0, 0.1, format="%.1f"),
        Choice("bank", "Benchmark", BANKS, "terminal_science", look="pills"),
        TRIALS_CONTROL,
        SEED_CONTROL,
        Choice(
            "endpoints",
            "Pair chosen from",
            (("top5", "Top five"), ("full_frontier", "Full frontier")),
            "top5",
        ),
        Choice("one_bank", "Benchmark", BANKS, "swe_verified_38", look="pills"),
        Whole(
            "trial", "Trial", 0, 249, 1, help="Each trial is another split into public and held-out items."
        ),
        budget_control("one_budget", "Submissions", (16, 32, 64, 128), 64),
        Whole(
            "position",
            "Entries submitted",
            1,
            MOST_ENTRIES,
            MOST_ENTRIES,
            look="slider",
            help="All of them if there are fewer. Genuine models come first, by name.",
        ),
        Switch(
            "play",
            "Play",
            help="Shows the same figure with a scrubber that moves without waiting for the server.",
        ),
    ),
)

QUESTION: Final = Question(
    "guess",
    f"The curves below stop at {HIDDEN_ABOVE} submissions. On {published.BENCHMARKS[GUESS_BENCHMARK].name}, how far apart are "
    f"the best public score and the best held-out score after {GUESS_BUDGET:,} submissions?",
    "pp",
    f"The published score gap on {published.BENCHMARKS[GUESS_BENCHMARK].name} at {GUESS_BUDGET:,} submissions",
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
        "watch",
        "Watch a gap open",
        "Press Play under the chart. The two lines need not belong to the same entry: each takes the best it has seen.",
        {"view": "trial", "play": True, "position": 1},
    ),
    Preset(
        "falls",
        "A curve that falls",
        "On LiveBench and SWE-bench Verified the gap shrinks again from the middle of the curve on, although nothing is ever taken "
        "off the leaderboard.",
        {"benchmarks": ("livebench", "swe_verified"), "budget": 2048},
    ),
    Preset(
        "not",
        "What the gap is not",
        "The pair with the wider gap does the smaller harm.",
        {"view": "loss"},
    ),
)
