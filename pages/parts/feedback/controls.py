"""Controls and presets of the feedback richness page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from typing import Final

from core.figures.guess_mark import Spot
from pages.kit.controls import Choice, Controls, Decimal, Several, Switch, Whole, budget_control
from pages.kit.guess import Question
from pages.kit.presets import Preset
from pages.kit.text import Text

BUDGETS: Final = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
POLICY_BUDGETS: Final = (2, 4, 8, 16, 32, 64, 128)
DIMENSIONS: Final = (1, 2, 3, 6, 9, 18)
PARTITIONS: Final = (0, 1, 2)
TRIALS: Final = (50, 100, 250)
GUESS_BUDGET: Final = 8

BANKS: Final = (
    ("simulated:livebench", "LiveBench (simulated)"),
    ("terminal_science", "Terminal-Bench-Science"),
    ("swe_verified_38", "SWE-bench Verified (38)"),
    ("simulated:helm_capabilities", "HELM Capabilities (simulated)"),
    ("simulated:free", "Free-form (simulated)"),
)
RULES: Final = (
    ("task", "Task scores"),
    ("category", "Category scores"),
    ("overall", "One score"),
    ("overall+round:1", "One score, rounded to 1 pp"),
    ("overall+noise:1", "One score, noise of 1 pp"),
    ("overall+ladder:1", "One score, Ladder of 1 pp"),
    ("overall+ladder:auto", "One score, Ladder without a step"),
    ("category+frontier:0", "Category scores, frontier only"),
    ("category+cap:16", "Category scores, 16 answers"),
    ("policy:task", "Practical: task"),
    ("policy:category", "Practical: category"),
    ("policy:aggregate", "Practical: aggregate"),
)

CONTROLS: Final = Controls(
    "fb",
    (
        Choice(
            "view",
            "Show",
            (("published", "Published"), ("live", "Recomputed live"), ("rules", "Rules compared")),
            "published",
            help="The authors' printed curves; the same experiment run here, with your own grouping and rule; or feedback "
            "rules side by side, harm against usefulness.",
        ),
        Choice(
            "measure",
            "Measure",
            (
                ("model_selection_loss_pp", "Selection loss"),
                ("false_winner", "False winners"),
                ("score_gap_pp", "Score gap"),
            ),
            "model_selection_loss_pp",
        ),
        Choice(
            "axis",
            "Count",
            (("new_submissions", "Submissions"), ("released_scores", "Released scores")),
            "new_submissions",
            help="What is counted along the axis: submissions, or all the scores that they got back.",
        ),
        Choice(
            "picture",
            "Picture",
            (("curves", "Curves"), ("surface", "Surface"), ("heat map", "Heat map")),
            "curves",
        ),
        Choice(
            "scores",
            "Returned scores per submission",
            tuple((dimension, str(dimension)) for dimension in DIMENSIONS),
            1,
            look="slider",
        ),
        Choice(
            "partition",
            "Partition",
            tuple((partition, str(partition)) for partition in PARTITIONS),
            0,
            help="Three ways to put the tasks into equal groups, each fixed by a hash of the tasks' names.",
        ),
        budget_control("budget", "Submissions to read off", BUDGETS, 8),
        Switch("bands", "Interval", default=True),
        Switch("ranges", "Range over partitions", default=True),
        Switch(
            "static",
            "Static control",
            default=True,
            help="One submission that picks, per returned score, the publicly better of the two models, without any random "
            "search.",
        ),
        Switch(
            "play",
            "Play",
            help="A scrubber in the figure moves through the numbers of returned scores. “Use this” copies its place here.",
        ),
        Decimal("guess", "Your guess (pp)", 0.0, 6.0, 3.0, 0.1, format="%.1f"),
        Choice("bank", "Benchmark", BANKS, "simulated:livebench", look="list"),
        Choice(
            "focus",
            "In focus",
            (("fewest", "Fewest scores"), ("most", "Most scores"), ("rule", "Your rule")),
            "fewest",
        ),
        Choice(
            "precision",
            "Precision",
            (
                ("own", "As the benchmark"),
                ("exact", "Exact"),
                ("0.001", "0.001 pp"),
                ("0.1", "0.1 pp"),
                ("1", "1 pp"),
            ),
            "own",
            look="list",
            help="To what step the benchmark rounds the scores that it publishes.",
        ),
        Text(
            "rule",
            "Your rule",
            "",
            120,
            help="In the grammar of the command line, for example category+round:0.1+cap:64. Empty for none.",
        ),
        Switch(
            "groups", "My own groups", help="Fill in a table that says which tasks share a returned score."
        ),
        Choice("trials", "Trials", tuple((trials, str(trials)) for trials in TRIALS), 100, look="slider"),
        Whole(
            "seed",
            "Seed",
            0,
            9999,
            0,
            help="0 uses the benchmark's own seeds. Any other number draws other splits and other random routers.",
        ),
        Several(
            "rules", "Rules", RULES, ("task", "category", "overall", "overall+round:1", "overall+ladder:1")
        ),
        Text(
            "more",
            "Further rules",
            "",
            240,
            help="Separated by commas, in the grammar of the command line, for example category+round:0.1,task+noise:2.",
        ),
        Decimal(
            "tolerance",
            "Accepted loss (pp)",
            0.0,
            5.0,
            1.0,
            0.25,
            format="%.2f",
            help="A rule survives as many submissions as keep the mean selection loss within this.",
        ),
    ),
)

QUESTION: Final = Question(
    "guess",
    f"With {DIMENSIONS[-1]} returned scores per submission, {GUESS_BUDGET} submissions cost what the curve below shows. "
    f"If each submission gets back a single score, how much do the same {GUESS_BUDGET} submissions cost?",
    "pp",
    f"The published loss at {GUESS_BUDGET} submissions with one returned score",
    place=Spot(
        "x", GUESS_BUDGET, "value", f"at {GUESS_BUDGET} submissions with one returned score", side="left"
    ),
)

PRESETS: Final = (
    Preset(
        "collapse",
        "Count scores instead",
        "The same curves over released scores: where submissions spread them far apart, scores bring them together.",
        {"measure": "false_winner", "axis": "released_scores", "scores": 18},
    ),
    Preset(
        "late",
        "Where it stops helping",
        "At 128 submissions one returned score costs as much as eighteen: fewer scores buy time, not safety.",
        {"budget": 128},
    ),
    Preset(
        "ladder",
        "What a rule costs its readers",
        "The Ladder holds the loss down, and tells honest submitters almost nothing about pairs of models.",
        {
            "view": "rules",
            "rules": ("category", "overall", "overall+ladder:1", "overall+noise:1"),
            "bank": "terminal_science",
            "budget": 128,
        },
    ),
)
