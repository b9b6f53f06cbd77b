"""Controls and presets of the stress test page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core.figures.guess_mark import Spot
from core.figures.series import MEASURES
from pages.kit.controls import Choice, Controls, Decimal, Several, Whole, budget_control
from pages.kit.guess import Question
from pages.kit.presets import Preset
from pages.kit.text import Text

OWN: Final = "own"
AS_GIVEN: Final = "as given"
TRIALS: Final = (25, 100, 250, 1000)
LARGEST: Final = (32, 128, 512, 2048)
TOLERANCE_PP: Final = 1.0

SOURCES: Final = (
    (OWN, "Your own file"),
    ("terminal_science", "Terminal-Bench-Science"),
    ("swe_verified_38", "SWE-bench Verified (38)"),
    ("simulated:livebench", "Simulated LiveBench"),
    ("simulated:helm_capabilities", "Simulated HELM Capabilities"),
)

COMPARED: Final = (
    ("+round:1", "Rounded to 1 pp"),
    ("+ladder:1", "Ladder, 1 pp"),
    ("+ladder:auto", "Ladder without a step"),
    ("+frontier:0", "Frontier only"),
    ("+noise:1", "Noise of 1 pp"),
    ("+cap:16", "Cap of 16"),
    ("policy:category", "Category scores alone"),
    ("policy:aggregate", "One score alone"),
)
"""Rules to compare with the reader's own: what begins with a plus is added to it, the others stand alone."""

CONTROLS: Final = Controls(
    "st",
    (
        Choice("source", "Benchmark", SOURCES, "terminal_science", look="list"),
        Text(
            "rule",
            "Your feedback rule",
            "",
            most=120,
            help="What one submission gets back, such as category+round:0.1. Empty: the benchmark's own scores.",
        ),
        Several("compare", "Compare with", COMPARED, ("+ladder:1", "policy:aggregate")),
        Decimal(
            "tolerance",
            "Loss you accept (pp)",
            0.1,
            10.0,
            TOLERANCE_PP,
            0.1,
            format="%.1f",
            help="Held-out score that readers of the ranking may lose on average.",
        ),
        Choice(
            "largest",
            "Submissions up to",
            tuple((budget, f"{budget:,}") for budget in LARGEST),
            128,
            look="slider",
        ),
        Choice(
            "measure",
            "Measure",
            tuple((key, MEASURES[key].name) for key in MEASURES),
            "model_selection_loss_pp",
        ),
        Choice("trials", "Trials", tuple((trials, f"{trials:,}") for trials in TRIALS), 100, look="slider"),
        Choice(
            "endpoints",
            "Pair chosen from",
            (("top5", "Top five"), ("full_frontier", "Full frontier")),
            "top5",
            help="The attack mixes two models: the most different pair of the five best, or of the whole frontier.",
        ),
        Whole("seed", "Seed", 0, 9999, 0, help="0 uses the benchmark's own seeds."),
        Choice(
            "incomplete",
            "Models that lack items",
            (("stop", "Stop"), ("drop_models", "Drop the models"), ("drop_items", "Drop the items")),
            "stop",
        ),
        Choice(
            "coordinates",
            "One submission gets back",
            (
                (AS_GIVEN, "As given"),
                ("task", "Task scores"),
                ("category", "Category scores"),
                ("overall", "The overall score"),
            ),
            AS_GIVEN,
            look="list",
        ),
        Choice(
            "ranking",
            "Models are ranked by",
            (
                (AS_GIVEN, "As given"),
                ("item_mean", "Mean over items"),
                ("coordinate_mean", "Mean over returned scores"),
                ("category_mean", "Mean over categories"),
                ("mean_win_rate", "Mean win rate"),
            ),
            AS_GIVEN,
            look="list",
        ),
        Choice(
            "precision",
            "Released precision",
            (
                (AS_GIVEN, "As given"),
                ("exact", "Exact"),
                ("float64", "Doubles"),
                (0.001, "0.001 pp"),
                (0.01, "0.01 pp"),
                (0.1, "0.1 pp"),
                (1.0, "1 pp"),
            ),
            AS_GIVEN,
            look="list",
        ),
        Choice(
            "holdout",
            "Held out of each task",
            ((AS_GIVEN, "As given"), (1 / 3, "1/3"), (0.5, "1/2"), (2 / 3, "2/3"), (0.8, "4/5")),
            AS_GIVEN,
            look="list",
        ),
        Whole("repeats", "Runs per item", 0, 1000, 0, help="0: as given in the settings file, else 1."),
        budget_control("guess", "Your guess (submissions)", (2, 4, 8, 16, 32, 64, 128), 8),
    ),
)

ASKED_RULE: Final = "policy:aggregate"
"""The rule that the question is about; the default comparison holds it."""

QUESTION: Final = Question(
    "guess",
    f"Terminal-Bench-Science returns a score for each category. If a submission got back one score alone, how many submissions would "
    f"pass before the mean loss exceeds {TOLERANCE_PP:g} pp?",
    "submissions",
    "With one score alone, the largest tested budget within it",
    decimals=0,
    place=Spot("value", TOLERANCE_PP, "new_submissions", "submissions, on the line of the accepted loss"),
)

PRESETS: Final = (
    Preset(
        "fewer",
        "Release less",
        "Every rule here tells the attacker less than the task scores do. Compare how long each survives with how many pairs of "
        "models it still puts in the right order.",
        {"compare": ("+round:1", "+ladder:1", "+frontier:0", "policy:aggregate")},
    ),
    Preset(
        "strict",
        "A stricter maintainer",
        "Half a point of loss is accepted. A tolerance is a choice: with a smaller one the same curves say another number.",
        {"tolerance": 0.5},
    ),
    Preset(
        "capped",
        "Answer sixteen submissions",
        "A cap stops the curve where it stands: what sixteen answers cost has been paid by then.",
        {"compare": ("+cap:16",)},
    ),
)


def budgets_up_to(largest: int) -> tuple[int, ...]:
    """Return the tested budgets: doublings, the static control first.

    Examples
    --------
    >>> budgets_up_to(8)
    (1, 2, 4, 8)
    """
    return tuple(1 << exponent for exponent in range(largest.bit_length()))


def rules_of(own: str, compared: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rules to attack, the reader's own first.

    Examples
    --------
    >>> rules_of("task+round:1", ("+cap:16", "policy:aggregate", "task+round:1"))
    ('task+round:1', 'task+round:1+cap:16', 'policy:aggregate')
    """
    return tuple(dict.fromkeys((own, *(own + rule if rule.startswith("+") else rule for rule in compared))))
