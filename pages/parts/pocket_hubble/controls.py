"""Controls and presets of the pocket Hubble page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core.figures.guess_mark import Spot
from pages.kit.controls import Choice, Controls, Decimal, Switch, Whole
from pages.kit.guess import Question
from pages.kit.presets import Preset

CONTROLS: Final = Controls(
    "ph",
    (
        Choice(
            "rate",
            "How fast the models memorize (learning rate)",
            ((0.002, ".002"), (0.004, ".004"), (0.008, ".008"), (0.012, ".012"), (0.016, ".016")),
            0.008,
            look="slider",
            help="At .004 the AUROCs come closest to those of the real Hubble models.",
        ),
        Choice(
            "levels",
            "Copies of leaked items",
            (
                ("1,4,16,64,256", "1 4 16 64 256"),
                ("1,2,4,8,16", "1 2 4 8 16"),
                ("2,8,32,128", "2 8 32 128"),
                ("16,64", "16 64"),
            ),
            "1,4,16,64,256",
            look="list",
        ),
        Whole(
            "seed",
            "Seed",
            0,
            9999,
            0,
            help="Another number draws another language, other items and other models.",
        ),
        Choice(
            "attack",
            "Memorization score",
            (
                ("LOSS", "LOSS"),
                ("Min-K%", "Min-K%"),
                ("Min-K%++", "Min-K%++"),
                ("zlib", "zlib"),
                ("Reference", "Reference"),
            ),
            "LOSS",
            look="list",
        ),
        Choice(
            "scope",
            "Score",
            (("whole", "the whole text"), ("question", "the question only")),
            "whole",
            help="The whole text holds the answer, the question stops before it.",
        ),
        Choice(
            "signal",
            "Correctness signal",
            (("largest", "largest option probability"), ("right", "probability of the right option")),
            "largest",
            look="list",
            help="Both from an independent model of the same language. The second knows the answer: nearly an oracle.",
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
        Switch("prior", "Correct the prior"),
        Switch(
            "measured",
            "Clean items as measured",
            help="A test set shows the perturbed model's own outcome on clean items. Off, it shows the standard model's, so that the "
            "leak is the only thing to correct.",
        ),
        Whole("item", "Item to look at", 1, 2000, 1996),
        Decimal("guess", "Your guess (AUROC)", 0.5, 1.0, 0.75, 0.01, format="%.2f"),
    ),
)

GUESS_LEVEL: Final = 1
"""Copies that the question is about."""

QUESTION: Final = Question(
    "guess",
    "Some items stood once among 60,000 training sentences. Given a leaked and a clean item, how often does the text's likelihood "
    "(LOSS) point at the leaked one? A coin gets 0.50.",
    "",
    "The measured AUROC of LOSS at one copy",
    2,
    Spot("level", str(GUESS_LEVEL), "auroc", "for LOSS at one copy"),
)

PRESETS: Final = (
    Preset(
        "question",
        "Score the question only",
        "Without the answer's token the score no longer prefers items that the model gets right anyway, and IPW is no longer biased "
        "downward. It sees less of a medium dose.",
        {"scope": "question"},
    ),
    Preset(
        "reference",
        "Compare with a clean model",
        "Subtracting the standard model's likelihood removes what is merely easy. It needs a model that never saw the test.",
        {"attack": "Reference"},
    ),
    Preset(
        "slow",
        "As slow as the real thing",
        "At half the learning rate a single copy leaves hardly a trace, as in the eight-billion-parameter models. This trains anew.",
        {"rate": 0.004},
    ),
    Preset(
        "oracle",
        "A correctness signal that knows the answer",
        "The independent model's probability of the right option makes imputation almost exact. Nobody has it in practice.",
        {"signal": "right"},
    ),
)
