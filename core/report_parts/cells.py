"""Numbers and names of a report as short texts, the same in the page and in the Markdown."""

from __future__ import annotations

from typing import Any, Final

from core.report_parts.decision import interval_in_words, submissions_in_words
from core.shown import shown

NAME_WIDTH: Final = 120
"""Longest name in a table, in characters; the JSON holds it whole."""

MEASURES: Final = (
    ("Selection loss, pp", "model_selection_loss_pp", 1.0, 2),
    ("Score gap, pp", "score_gap_pp", 1.0, 2),
    ("False winner, %", "false_winner", 100.0, 1),
    ("Rank drop", "rank_drop", 1.0, 2),
)
"""What the tables show over budgets: heading, column, factor, decimals."""


def name(text: str) -> str:
    """Return a model's, rule's or benchmark's name fit for a table: short, and without characters that do not print."""
    return shown(text, NAME_WIDTH)


def number(value: float | None, decimals: int) -> str:
    """Return a number, or a dash where there is none.

    Examples
    --------
    >>> number(-0.001, 2), number(None, 2), number(1234.5, 1)
    ('0.00', '–', '1,234.5')
    """
    if value is None:
        return "–"
    text = f"{abs(value):,.{decimals}f}"
    return f"−{text}" if value < 0 and float(text.replace(",", "")) else text


def with_interval(row: dict[str, Any], column: str, factor: float, decimals: int) -> str:
    """Return a mean with its interval in brackets."""
    mean, low, high = (row[column + end] for end in ("", "_low", "_high"))
    if mean is None:
        return "–"
    return f"{number(factor * mean, decimals)} [{number(factor * low, decimals)}, {number(factor * high, decimals)}]"


def rules_table(content: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the table that compares the rules.

    Parameters
    ----------
    content
        The report's facts.
    """
    largest = content["options"]["budgets"][-1]
    headings = [
        "Feedback rule",
        "Survives",
        "95 % interval",
        f"Loss at {largest:,}, pp",
        f"Scores released by {largest:,}",
        "Pairs in order, %",
    ]
    rows = []
    for rule in content["rules"]:
        last, kept = rule["budgets"][-1], rule["pairs_kept"]
        percent = {
            "k" + end: None if kept[key] is None else 100 * kept[key]
            for end, key in (("", "mean"), ("_low", "low"), ("_high", "high"))
        }
        rows.append(
            [
                name(rule["feedback"]),
                submissions_in_words(rule["survival"]),
                interval_in_words(rule["survival"]),
                with_interval(last, "model_selection_loss_pp", 1.0, 2),
                number(last["released_scores"], 0),
                with_interval(percent, "k", 1.0, 1),
            ]
        )
    return headings, rows


def budgets_table(rule: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of one rule's measures over budgets, budget 0 included."""
    rows = [
        [
            f"{row['new_submissions']:,}",
            *(with_interval(row, column, factor, decimals) for _, column, factor, decimals in MEASURES),
        ]
        for row in rule["budgets"]
    ]
    return ["Submissions", *(heading for heading, *_ in MEASURES)], rows


def pairs_table(rule: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the pairs of models that the attack mixed under one rule."""
    rows = [
        [name(pair["a"]), name(pair["b"]), f"{pair['trials']:,}", number(100 * pair["share"], 1)]
        for pair in rule["endpoint_pairs"]
    ]
    return ["Model A", "Model B", "Trials", "Share of eligible trials, %"], rows


def leaderboard_table(content: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the leaderboard over all items."""
    rows = [
        [f"{place:,}", name(one["model"]), number(one["mean_pp"], 2), number(one["standard_error_pp"], 2)]
        for place, one in enumerate(content["leaderboard"], start=1)
    ]
    return ["Place", "Model", "Mean score, %", "Standard error"], rows


def particulars(content: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was studied and how, as pairs of a label and a text."""
    bank, settings, options = content["benchmark"], content["settings"], content["options"]
    provenance = content["provenance"]
    seeds, versions = provenance["seeds"], provenance["versions"]
    split = (
        f"{settings['holdout_per_category']:,} items per category held out"
        if settings["holdout_per_category"] is not None
        else f"{100 * settings['holdout_fraction']:.4g} % of each task held out"
    )
    return [
        ("Models", f"{bank['models']:,}"),
        ("Items", f"{bank['items']:,}, {bank['prompts']:,} distinct prompts"),
        ("Tasks, categories", f"{bank['tasks']:,}, {bank['categories']:,}"),
        ("Split", f"{bank['reused_items']:,} items reused, {bank['heldout_items']:,} held out; {split}"),
        ("Ranking", settings["ranking"]),
        ("Precision", bank["precision"]),
        ("Endpoints", options["endpoints"]),
        ("Trials", f"{options['trials']:,}"),
        ("Tolerance", f"{options['tolerance_pp']:g} pp"),
        (
            "Seeds",
            f"splits from {seeds['split_seed_base']}, routers {name(seeds['routing_seed'])}, ties {name(seeds['tie_seed'])}",
        ),
        (
            "Item scores",
            f"{provenance['origin']}, SHA-256 of scores and settings {provenance['input_sha256']}",
        ),
        ("Versions", ", ".join(f"{tool} {version}" for tool, version in sorted(versions.items()))),
    ]
