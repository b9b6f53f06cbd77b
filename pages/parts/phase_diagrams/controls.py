"""Controls and presets of the phase diagrams page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core.figures.guess_mark import Patch
from core.figures.phase_diagrams import PANEL_TITLES
from pages.kit.controls import Choice, Controls, Decimal, Several, Whole
from pages.kit.guess import Question
from pages.kit.presets import Preset

OWN: Final = "own"
GUESS_PANEL: Final = "random_low"
"""The panel that the question is about."""

CONTROLS: Final = Controls(
    "pd",
    (
        Choice(
            "pool",
            "Benchmark",
            (
                ("mmlu", "MMLU"),
                ("hellaswag", "HellaSwag"),
                ("piqa", "PIQA"),
                ("popqa", "PopQA"),
                ("winogrande_mcq", "WinoGrande MCQ"),
                ("winogrande_infill", "WinoGrande infill"),
                (OWN, "My own pool"),
            ),
            "mmlu",
            look="list",
            help="A pool of items drawn so that its means match Hubble's published figures, or a file of your own.",
        ),
        Decimal("auroc", "Your memorization predictor: AUROC", 0.5, 1.0, 0.8, 0.01, format="%.2f"),
        Decimal("bias", "Your correctness predictor: |bias|, pp", 0.0, 60.0, 6.0, 0.1, format="%.1f"),
        Choice(
            "panel",
            "Errors of panel",
            (
                ("random_low", "Random, low"),
                ("random_medium", "Random, medium"),
                ("random_high", "Random, high"),
                ("easy", "Easy leaked"),
                ("medium", "Medium leaked"),
                ("hard", "Hard leaked"),
            ),
            "random_high",
            look="list",
        ),
        Choice("grid", "Cells", ((21, "21 x 21"), (41, "41 x 41"), (61, "61 x 61")), 21),
        Whole("n", "Items per test set", 50, 2000, 500, 50),
        Whole("rate", "Contaminated, %", 2, 80, 30),
        Choice("replicates", "Test sets", ((200, "200"), (1000, "1,000"), (2000, "2,000")), 1000),
        Choice(
            "medium",
            "Medium dose",
            (("16", "16"), ("4,16", "4 and 16")),
            "16",
            help="The paper's text has 4 and 16 duplicates, its released code 16 alone.",
        ),
        Decimal(
            "concentration",
            "Concentration of the memorization scores",
            2.0,
            50.0,
            10.0,
            1.0,
            format="%.0f",
            help="At one AUROC: how sharply scores gather around their class mean.",
        ),
        Decimal(
            "loading",
            "Loading of difficulty",
            0.0,
            1.0,
            0.8,
            0.05,
            format="%.2f",
            help="How strongly an item's difficulty decides confidence and correctness. At .8 MMLU's easy, medium and hard thirds "
            "are right about .83, .50 and .22 of the time.",
        ),
        Several(
            "extra",
            "Also let compete",
            (("control_variate", "Control variate"), ("epg", "EPG")),
            (),
        ),
        Whole("seed", "Seed", 0, 9999, 0),
        Whole("chance", "A guess is right, %", 0, 99, 25, help="For your own pool."),
        Decimal("guess", "Your guess (% of cells)", 0.0, 100.0, 40.0, 1.0, format="%.0f"),
    ),
)

QUESTION: Final = Question(
    "guess",
    "One copy of each leaked MMLU item stood in the training data, and three test items in ten leaked. You may have predictors of any "
    "quality. In what share of all those cases is it best to correct nothing?",
    "%",
    "The share of cells that the naive score wins (random, low dose)",
    0,
    Patch(
        "auroc",
        "bias",
        f"of the cells of “{PANEL_TITLES[GUESS_PANEL]}”",
        PANEL_TITLES[GUESS_PANEL],
    ),
)

PRESETS: Final = (
    Preset(
        "hellaswag",
        "A benchmark that is nearly solved",
        "HellaSwag is four fifths right without any leak. A leak can inflate it little, medium and high doses look alike, and two of "
        "the statements below fail.",
        {"pool": "hellaswag"},
    ),
    Preset(
        "degenerate",
        "No better than a guess",
        "The clean model gets half of WinoGrande's two-option items right, as a guess would. A correctness predictor has almost "
        "nothing to be biased about, so there is no axis to draw; what is left is the memorization predictor.",
        {"pool": "winogrande_mcq"},
    ),
    Preset(
        "contest",
        "Six estimators compete",
        "EPG needs no spiked items and the control variate uses both predictors; see what they take from the others.",
        {"extra": ("control_variate", "epg")},
    ),
    Preset(
        "small",
        "A small test set",
        "With 100 items, chance errors hide what a leak does, and doing nothing wins more often.",
        {"n": 100},
    ),
)
