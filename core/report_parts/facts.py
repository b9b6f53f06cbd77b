"""What a report says, as plain data. The page, the Markdown and the JSON are renderings of it.

The schema of the JSON is described in ``docs/report-schema.md``; `SCHEMA_VERSION` is raised when a key changes its meaning.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core import __version__
from core.benchmark.summary import summarise
from core.report_parts.decision import decide

if TYPE_CHECKING:
    from core.benchmark.model import Benchmark
    from core.reuse.comparison import Comparison, RuleResult
    from core.reuse.result import Study

SCHEMA_VERSION: Final = 1
_SEEDS: Final = ("split_seed_base", "routing_seed", "tie_seed")


@dataclass(frozen=True, slots=True)
class Options:
    """What a report was asked for, beside its rules, budgets and trials.

    Parameters
    ----------
    tolerance_pp
        The selection loss that is still accepted.
    endpoints
        How the pair of models was chosen where a rule leaves a frontier.
    seed
        0 for the benchmark's own seeds.
    """

    tolerance_pp: float
    endpoints: str = "top5"
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Facts:
    """The content of ``report.json``.

    Parameters
    ----------
    content
        Nested mappings and lists of text, numbers, booleans and None; no item of the benchmark is in it.
    """

    content: dict[str, Any]

    def as_json(self) -> str:
        """Return the facts as JSON text: keys sorted, every digit kept, the same text for the same facts."""
        return json.dumps(self.content, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n"


def gather(benchmark: Benchmark, comparison: Comparison, options: Options) -> Facts:
    """Return a report's facts.

    Parameters
    ----------
    benchmark
        The benchmark as it was attacked.
    comparison
        The study under each rule.
    options
        What was asked for.
    """
    summary = summarise(benchmark)
    first = comparison.results[0].study
    settings = {field.name: getattr(benchmark.settings, field.name) for field in fields(benchmark.settings)}
    rules = [_rule(result, options.tolerance_pp) for result in comparison.results]
    content: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "provenance": {
            "label": "simulated" if benchmark.provenance == "simulated" else "recomputed",
            "origin": benchmark.provenance,
            "input_sha256": benchmark.digest,
            "seeds": {name: settings.pop(name) for name in _SEEDS} | {"seed": options.seed},
            "versions": {"mirage": __version__, "numpy": np.__version__, "python": platform.python_version()},
        },
        "settings": settings,
        "options": {
            "rules": [rule["feedback"] for rule in rules],
            "budgets": list(first.budgets),
            "trials": first.trials,
            "tolerance_pp": float(options.tolerance_pp),
            "endpoints": options.endpoints,
        },
        "benchmark": {
            "name": summary.name,
            "models": summary.models,
            "items": summary.items,
            "prompts": summary.prompts,
            "shared_prompts": summary.shared_prompts,
            "tasks": summary.tasks,
            "categories": summary.categories,
            "reused_items": summary.reused_items,
            "heldout_items": summary.heldout_items,
            "precision": summary.precision,
        },
        "leaderboard": [
            {
                "model": one.model,
                "mean_pp": 100.0 * one.mean,
                "standard_error_pp": _known(100.0 * one.standard_error),
            }
            for one in summary.leaderboard
        ],
        "rules": rules,
        "decision": decide(rules, float(options.tolerance_pp)),
    }
    return Facts(content)


def _rule(result: RuleResult, tolerance_pp: float) -> dict[str, Any]:
    study, survived = result.study, result.survival
    rows = study.rows()
    hidden = ("benchmark", "policy", "endpoints", "feedback", "eligible_trials", "attempted_trials")
    budgets = []
    for place, row in enumerate(rows):
        values = {name: value for name, value in row.items() if name not in hidden}
        values["released_scores"] = 0.0 if place == 0 else _known(float(result.released_scores[place - 1]))
        budgets.append(values)
    return {
        "feedback": study.feedback,
        "endpoints": study.endpoints,
        "attempted_trials": study.trials,
        "eligible_trials": study.eligible_trials,
        "survival": {
            "tolerance_pp": float(tolerance_pp),
            "submissions": survived.submissions,
            "low": survived.low,
            "high": survived.high,
            "largest_budget": survived.largest,
            "status": _status(study, survived.submissions),
        },
        "pairs_kept": {
            "mean": _known(result.pairs_kept),
            "low": _known(result.pairs_kept_low),
            "high": _known(result.pairs_kept_high),
        },
        "budgets": budgets,
        "endpoint_pairs": endpoint_pairs(study),
    }


def _status(study: Study, submissions: int | None) -> str:
    if not study.eligible_trials:
        return "no_pair"
    if submissions is None:
        return "not_reached"
    return "exceeded_at_once" if submissions == 0 else "reached"


def endpoint_pairs(study: Study) -> list[dict[str, Any]]:
    """Return the pairs of models that were mixed and how often, most frequent first, ties by name.

    Parameters
    ----------
    study
        The study; trials without a pair are left out.
    """
    found = study.outcomes
    counts = Counter(
        (study.models[a], study.models[b])
        for a, b, eligible in zip(found.base_a, found.base_b, found.eligible, strict=True)
        if eligible
    )
    total = study.eligible_trials
    return [
        {"a": a, "b": b, "trials": count, "share": count / total}
        for (a, b), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    ]


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
