"""Controls, steps and presets of the one trial page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core.figures.guess_mark import Spot
from core.worked_example import SCENARIO_NAMES
from pages.kit.controls import Choice, Controls, Decimal, Several, Switch, Whole, budget_control
from pages.kit.guess import Question
from pages.kit.presets import Preset
from pages.kit.text import Text
from pages.parts.studies import BANKS

CANDIDATES: Final = 31
LARGEST: Final = 128
STEPS: Final = (
    ("A", "A. Endpoints"),
    ("B", "B. Weights"),
    ("C", "C. Vote"),
    ("D", "D. Outcome"),
)

CONTROLS: Final = Controls(
    "ot",
    (
        Choice(
            "view",
            "Trial",
            (("published", "HELM Lite, trial 165"), ("any", "Any trial, recomputed")),
            "published",
            help="The published example, whose released scores are known; or any split of a bundled benchmark, where every "
            "model's profile is known.",
        ),
        Choice("step", "Step", STEPS, "A", look="pills"),
        Whole("candidate", "Random router", 1, CANDIDATES, 1, look="slider"),
        Several(
            "scenarios",
            "Scenarios",
            tuple(SCENARIO_NAMES.items()),
            ("math_chain_of_thought", "legalbench"),
        ),
        Choice(
            "prompt",
            "Prompt",
            (("published", "The published prompt"), ("own", "A text of yours")),
            "published",
        ),
        Choice("scenario", "Scenario", tuple(SCENARIO_NAMES.items()), "legalbench", look="list"),
        Text(
            "text",
            "Your text",
            "Is an oral contract binding?",
            help="It is hashed here and kept nowhere, but it becomes part of the link to this state.",
        ),
        Whole("counted", "Random routers counted", 1, CANDIDATES, CANDIDATES, look="slider"),
        Switch(
            "play",
            "Play",
            help="Shows the same figure with a scrubber that moves without waiting for the server.",
        ),
        Choice("bank", "Benchmark", BANKS, "terminal_science", look="pills"),
        Whole(
            "trial", "Trial", 0, 249, 0, help="Each trial is another split into public and held-out items."
        ),
        budget_control("budget", "Submissions", (4, 8, 16, 32, 64, LARGEST), 32),
        Choice(
            "endpoints",
            "Pair chosen from",
            (("top5", "Top five"), ("full_frontier", "Full frontier")),
            "top5",
        ),
        Whole("router", "Random router", 1, LARGEST - 1, 1),
        Choice(
            "item",
            "Item",
            (
                ("close", "Closest vote"),
                ("tie", "Exact tie"),
                ("clear", "Clearest vote"),
                ("number", "By number"),
            ),
            "close",
            look="pills",
        ),
        Whole("number", "Item number", 1, 500, 1),
        Whole(
            "tally",
            "Random routers counted",
            1,
            LARGEST - 1,
            LARGEST - 1,
            help="All of them if there are fewer.",
        ),
        Decimal("guess", "Your guess (pp)", -10.0, 10.0, 0.0, 0.1, format="%.1f"),
    ),
)

VOTE: Final = Controls(
    "ot", tuple(CONTROLS[name] for name in ("prompt", "scenario", "text", "counted", "guess"))
)
"""The controls of the published vote alone: where it ends stays hidden until one of these is moved."""

SEEN_FIRST: Final = 10
"""Random routers that are counted before the reader has guessed."""

QUESTION: Final = Question(
    "guess",
    f"The first {SEEN_FIRST} of {CANDIDATES} random routers are counted below. Where does the sum stand after all {CANDIDATES}, "
    "and so for which model? Above zero it is model A, below zero model B.",
    "pp",
    f"The sum after {CANDIDATES} random routers",
    place=Spot("candidate", CANDIDATES, "end", f"after {CANDIDATES} random routers"),
)

PRESETS: Final = (
    Preset(
        "vote",
        "Watch the vote build up",
        "Press Play under the chart. The running sum crosses zero three times; the released scores turn a majority of flips "
        "for one model into a decision for the other.",
        {"step": "C", "play": True, "counted": 1},
    ),
    Preset(
        "own",
        "Your own prompt",
        "Change one letter: the hash changes, all 31 flips are made again, and the decision with them. No model has read the "
        "text.",
        {"step": "C", "prompt": "own"},
    ),
    Preset(
        "tie",
        "An exact tie",
        "Scores are counts here, so a vote can be exactly zero. Then another coin, the tie router, decides.",
        {"view": "any", "step": "C", "bank": "swe_verified_38", "item": "tie"},
    ),
)
