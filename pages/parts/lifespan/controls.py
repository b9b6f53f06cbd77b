"""Controls and presets of the lifespan page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core.reuse.lifespan_simulation import MAX_MODELS
from pages.kit.controls import Choice, Controls, Decimal, Switch, Whole, budget_control
from pages.kit.presets import Preset

BUDGETS: Final = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
TOLERANCES: Final = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
GUESS_BENCHMARK: Final = "openllm_v2"
DRAWS: Final = 6
TRIALS: Final = 100
DEPENDENCE: Final = 0.8
"""The value fitted to LiveBench's curves; a test holds it to the fit."""

CONTROLS: Final = Controls(
    "ls",
    (
        Choice(
            "outcome",
            "The benchmark is used up when",
            (("score_gap", "Score gap grows"), ("false_winner", "90 % false winners")),
            "score_gap",
            help="Either the score gap exceeds what the genuine models alone show by a tolerance, or nine of ten final "
            "routers lead publicly and are not the best.",
        ),
        Choice(
            "tolerance",
            "Tolerance for the score gap",
            tuple((tolerance, f"{tolerance:g} pp") for tolerance in TOLERANCES),
            2.0,
            look="slider",
            help="By how much the score gap may exceed its baseline. The law is published at 2 pp only.",
        ),
        Whole(
            "items", "Reused items n", 3, 20000, 500, help="Public items that every submission is scored on."
        ),
        Whole("scores", "Returned scores d", 1, 200, 10, help="Scores that one submission gets back."),
        Switch(
            "simulate",
            "Simulate it too",
            default=False,
            help="Draws benchmarks of this size, attacks them and reads the budget off. Takes seconds to a minute.",
        ),
        Whole("models", "Models", 2, MAX_MODELS, 30, help="Models on the simulated leaderboard."),
        Decimal(
            "gap",
            "Step between models (pp)",
            0.0,
            5.0,
            1.0,
            0.1,
            format="%.1f",
            help="Distance between the expected scores of neighbouring models.",
        ),
        Decimal(
            "dependence",
            "Dependence",
            0.0,
            1.0,
            DEPENDENCE,
            0.05,
            format="%.2f",
            help="How far models fail on the same items: 0 independently, 1 on exactly the same.",
        ),
        Whole("seed", "Seed", 0, 9999, 0, help="Another number draws other benchmarks."),
        budget_control("guess", "Your guess (submissions)", BUDGETS, 512),
    ),
)

PRESETS: Final = (
    Preset(
        "open_llm",
        "Open LLM v2's size",
        "7,189 items and 7 scores: the law promises hundreds of submissions. Compare with where Open LLM v2 stands in the "
        "first figure.",
        {"items": 7189, "scores": 7},
    ),
    Preset(
        "one_score",
        "Return one score only",
        "The law divides by the number of scores. One score instead of ten makes it predict ten times the lifespan.",
        {"scores": 1},
    ),
    Preset(
        "spread_out",
        "Simulate models far apart",
        "The law knows only n and d. On simulated benchmarks of this size, models 1 pp apart use up 2 pp of score gap within a "
        "dozen submissions; models 3 pp apart, as here, do not within 2,048.",
        {"items": 200, "scores": 5, "simulate": True, "gap": 3.0},
    ),
)
