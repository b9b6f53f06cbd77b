"""Controls and presets of the correct a score page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core.contamination.pool_correction import SIZES
from core.figures.guess_mark import Spot
from pages.kit.controls import Choice, Controls, Decimal, Switch, Whole
from pages.kit.guess import Question
from pages.kit.presets import Preset

ALL: Final = 0
"""The value of "spiked" that takes the pool's whole calibration half."""

MARK: Final = 10
"""The calibration size that the title talks about."""

CONTROLS: Final = Controls(
    "cs",
    (
        Choice(
            "way",
            "Items",
            (("pool", "A drawn test set"), ("own", "My own items"), ("sliders", "Sliders only")),
            "pool",
        ),
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
            ),
            "mmlu",
            look="list",
        ),
        Choice(
            "regime",
            "What leaked",
            (
                ("random_low", "Random, low dose"),
                ("random_medium", "Random, medium dose"),
                ("random_high", "Random, high dose"),
                ("easy", "Easy items"),
                ("medium", "Medium items"),
                ("hard", "Hard items"),
            ),
            "random_high",
            look="list",
        ),
        Choice(
            "attack",
            "Memorization score",
            (("LOSS", "LOSS"), ("Min-K%", "Min-K%"), ("Min-K%++", "Min-K%++"), ("zlib", "zlib")),
            "Min-K%++",
            look="list",
        ),
        Choice(
            "spiked",
            "Calibration items, half of them spiked",
            (*((size, f"{size:,}") for size in SIZES), (ALL, "all")),
            100,
            look="slider",
        ),
        Switch(
            "prior",
            "Correct the prior",
            help="Half of the calibration items leaked, but only some of the test items did. This multiplies the odds accordingly.",
        ),
        Whole("rate", "Contaminated test items, %", 2, 80, 30),
        Whole("n", "Items per test set", 50, 2000, 500, 50),
        Whole(
            "seed",
            "Draw",
            0,
            9999,
            0,
            help="Another number draws another test set and other calibration items.",
        ),
        Switch("repeat", "Repeat the draw 1,000 times"),
        Decimal("clean", "Clean accuracy, items that did not leak (%)", 0.0, 100.0, 50.0, 1.0, format="%.0f"),
        Decimal("leaked_clean", "Clean accuracy, leaked items (%)", 0.0, 100.0, 50.0, 1.0, format="%.0f"),
        Decimal(
            "leaked_observed", "Observed accuracy, leaked items (%)", 0.0, 100.0, 95.0, 1.0, format="%.0f"
        ),
        Decimal("chance", "Accuracy of a guess (%)", 0.0, 99.0, 25.0, 1.0, format="%.0f"),
        Decimal("auroc", "Memorization predictor: AUROC", 0.5, 1.0, 0.9, 0.01, format="%.2f"),
        Decimal(
            "q",
            "Correctness predictor: informativeness",
            0.0,
            1.0,
            0.5,
            0.01,
            format="%.2f",
            help="0 always says the accuracy of a guess, 1 knows whether the clean model is right.",
        ),
        Decimal("guess", "Your guess (pp)", 0.0, 40.0, 5.0, 0.5, format="%.1f"),
    ),
)

QUESTION: Final = Question(
    "guess",
    f"Three in ten MMLU items leaked at high doses. You know the status of {MARK} items: {MARK // 2} were spiked into the training "
    f"data, {MARK // 2} were kept out. Imputation trusts a correctness predictor alone, fitted on the {MARK // 2} clean ones. How far "
    "off is it, on average?",
    "pp",
    f"The error of imputation with {MARK} calibration items (root mean square)",
    place=Spot("size", MARK, "rmse", f"for imputation with {MARK} calibration items"),
)

PRESETS: Final = (
    Preset(
        "ten",
        "Ten items of known status",
        "The memorization predictor is usable at once; the correctness predictor, fitted on five clean items, is not. The intervals "
        "say so.",
        {"spiked": 10},
    ),
    Preset(
        "hard",
        "The hard items leaked",
        "IPW averages what did not leak, and that part is easier than the whole: it lands too high even with a sharp "
        "predictor. Imputation knows the difficulty.",
        {"regime": "hard", "spiked": ALL, "repeat": True},
    ),
    Preset(
        "low",
        "A single copy",
        "One copy hardly changes the score, so there is little to correct and corrections mostly add noise.",
        {"regime": "random_low", "spiked": ALL, "repeat": True},
    ),
    Preset(
        "prior",
        "Prior corrected, high dose",
        "Platt scaling is fitted on all doses together. At high doses the corrected prior makes leaked items look cleaner than they "
        "are; compare the errors with the switch off.",
        {"prior": True, "spiked": ALL, "repeat": True},
    ),
)
