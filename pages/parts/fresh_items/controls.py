"""Controls and presets of the changed facts page. Defaults and labels are part of every link: they are frozen."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from core.fresh.items import DISTRACTOR_COUNTS
from core.fresh.relations import RELATIONS
from core.fresh.sample import load_sample
from core.fresh.times import from_date
from pages.kit.controls import Choice, Controls, Decimal, Switch, Whole
from pages.kit.guess import Question
from pages.kit.presets import Preset

FIRST_MONTH: Final = (2021, 12)
LAST_MONTH: Final = (2024, 6)

MODELS: Final = (
    "Llama-2-7B", "Llama-2-13B", "Mistral-7B", "Vicuna-v1.5-7B", "Longchat-v1.5-7B", "Llama-3.1-8B", "Phi-3.5-mini",
    "Qwen-2-7B", "Mistral-Nemo-12B", "Gemma-2-9B", "GPT-4o-mini", "GPT-4o",
)  # fmt: skip
METRICS: Final = {
    ("generation", "EM"): "Exact match",
    ("generation", "F1"): "Token F1",
    ("multiple_choice", "accuracy"): "Accuracy (choice)",
    ("multiple_choice", "macro_F1"): "Macro-F1 (choice)",
}


def month_ends() -> tuple[tuple[str, str], ...]:
    """Return the days that the cutoff can be, as ISO dates with their words."""
    days = []
    year, month = FIRST_MONTH
    while (year, month) <= LAST_MONTH:
        following = date(year + month // 12, month % 12 + 1, 1)
        day = following - timedelta(days=1)
        days.append((day.isoformat(), from_date(day).in_words()))
        year, month = following.year, following.month
    return tuple(days)


def pair_options() -> tuple[tuple[str, str], ...]:
    """Return the facts that can be stepped through, as ``subject-relation`` ids with their words."""
    sample = load_sample()
    return tuple(
        (
            f"{subject}-{relation}",
            f"{sample.entities[subject].label}: {RELATIONS[relation].name}"
            + (" (made up)" if sample.entities[subject].made_up else ""),
        )
        for subject, relation in sample.statements
    )


DAYS: Final = month_ends()

CONTROLS: Final = Controls(
    "ff",
    (
        Choice(
            "view",
            "Step",
            (
                ("facts", "Which facts"),
                ("one", "One change"),
                ("set", "Build a set"),
                ("score", "Score answers"),
                ("published", "Published"),
            ),
            "facts",
        ),
        Choice(
            "cutoff",
            "Cutoff of the set",
            DAYS,
            "2022-06-30",
            look="slider",
            help="Facts that changed by this day count as known. A set for a model takes the last day of its training data.",
        ),
        Switch(
            "made_up",
            "Made-up cases",
            help="Adds invented entities, marked as such, so that every reason for dropping a case is seen once.",
        ),
        Choice("fact", "Fact", pair_options(), "Q38-P6", look="list"),
        Choice("format", "Answer", (("generation", "Free"), ("choice", "Four options")), "generation"),
        Choice("hops", "Hops", ((1, "One"), (2, "Two"), (3, "Three")), 1, help="Relations from the subject to the answer."),
        Choice(
            "distractors",
            "Distracting documents",
            tuple((number, str(number)) for number in DISTRACTOR_COUNTS),
            0,
            help="Documents of other items that contain none of this item's names.",
        ),
        Whole("seed", "Seed", 0, 9999, 0, help="Of the order of options and documents, and of what is drawn."),
        Choice(
            "answers",
            "Who answers",
            (
                ("memory", "Memory up to a day"),
                ("old", "Memory of the old values"),
                ("reads", "A plain reader"),
                ("file", "A file"),
            ),
            "memory",
            help="Three simple answerers that need no model, or your own model's answers.",
        ),
        Choice(
            "learnt", "The model's last day", DAYS, "2023-06-30", look="slider",
            help="The last day of the training data of whoever answers; scores are told apart there.",
        ),
        Choice("bucket", "Dates by", (("year", "Year"), ("quarter", "Quarter")), "year"),
        Choice("result", "Measure", tuple(METRICS.items()), ("generation", "EM"), look="list"),
        Choice("model", "Model", tuple((model, model) for model in MODELS), "Mistral-Nemo-12B", look="list"),
        Decimal("guess", "Your guess (points)", 0.0, 60.0, 10.0, 0.5, format="%.1f"),
    ),
)  # fmt: skip

PUBLISHED: Final = Controls("ff", tuple(CONTROLS[name] for name in ("result", "model", "guess")))
"""The controls of the published step alone: the guess stays hidden until one of these is moved."""

QUESTION: Final = Question(
    "guess",
    "Twelve models answer with the right document before them. How many points of exact match do they lose on average when "
    "seven documents about other things are put beside it?",
    "points",
    "The published mean loss",
)

PRESETS: Final = (
    Preset(
        "later",
        "A later cutoff",
        "The later the cutoff, the fewer facts have changed since: a set has to be rebuilt for every new model.",
        {"cutoff": "2024-03-31"},
    ),
    Preset(
        "reasons",
        "Every way to drop out",
        "Invented cases, marked as made up, show each reason once: no start, no old value, reverted, overlap, no page and "
        "the rest.",
        {"made_up": True},
    ),
    Preset(
        "chain",
        "A chain of three",
        "The question names only the first link. Each link has a document of its own.",
        {"view": "one", "fact": "Q16979983-P54", "hops": 3},
    ),
    Preset(
        "memory",
        "A model that remembers",
        "It answers from memory alone: right for changes by the day its memory ends, outdated for every later one.",
        {"view": "score", "bucket": "quarter"},
    ),
)
