"""The worked example worked again: weights, coin flips and votes of HELM Lite trial 165, recomputed from what it released.

The published file holds scores, seeds and the outcome. Everything between them is computed here: the distance of the two
endpoints, a candidate's weight on a scenario, and the vote on any prompt, the reader's own included.
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from core.errors import DataError, UsageError
from core.provenance import read_shipped
from core.published_table import ARTIFACT
from core.reuse.vote import Vote, cast_vote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.provenance import Provenance
    from core.trial165 import Scenario, Trial165

SCENARIO_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "narrative_qa": "NarrativeQA",
        "natural_qa_openbook_longans": "NaturalQuestions, open book",
        "natural_qa_closedbook": "NaturalQuestions, closed book",
        "openbookqa": "OpenbookQA",
        "mmlu": "MMLU",
        "math_chain_of_thought": "MATH",
        "gsm": "GSM8K",
        "legalbench": "LegalBench",
        "med_qa": "MedQA",
        "wmt_14": "WMT 2014",
    }
)
"""Display names of the ten scenarios, in the order of the file."""

_NOISE: Final = 1
_FRONTIER_FILE: Final = "published/helm_lite_trial165_frontier.csv"


@dataclass(frozen=True, slots=True)
class FrontierModel:
    """One model of the example's public frontier.

    Parameters
    ----------
    model, name
        The model's identifier, and a short name.
    overall_place
        Its place, 1 to 5, among the frontier's best five by mean win rate; None for the others.
    """

    model: str
    name: str
    overall_place: int | None


@lru_cache(maxsize=1)
def public_frontier() -> tuple[tuple[FrontierModel, ...], Provenance]:
    """Return the seven models of the public frontier by name, and where the list comes from.

    The names and the order of the best five are published; their scores are not, but for the two endpoints.

    Raises
    ------
    DataError
        If the shipped file is missing, altered or unreadable.
    """
    content, provenance = read_shipped(_FRONTIER_FILE, ARTIFACT)
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode())))
        models = tuple(
            FrontierModel(
                row["model"], row["name"], int(row["overall_place"]) if row["overall_place"] else None
            )
            for row in rows
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"The shipped file data/{_FRONTIER_FILE} is not the list that it should be ({error!r}). Restore it from the "
            "repository."
        ) from error
    return models, provenance


def scenario_of(example: Trial165, name: str) -> Scenario:
    """Return a scenario by its name in the tables.

    Raises
    ------
    UsageError
        If there is no such scenario; those that exist are listed.
    """
    for scenario in example.scenarios:
        if scenario.name == name:
            return scenario
    known = ", ".join(scenario.name for scenario in example.scenarios)
    raise UsageError(f"Unknown scenario '{name}'. Valid: {known}.")


def distance_pp(example: Trial165) -> float:
    """Return the mean absolute difference of the endpoints over the scenarios, pp."""
    gaps = [abs(scenario.a_pp - scenario.b_pp) for scenario in example.scenarios]
    return math.fsum(gaps) / len(gaps)


def reference_pp(scenario: Scenario) -> float:
    """Return the score that a candidate is held against: the mean of the endpoints, percent."""
    return (scenario.a_pp + scenario.b_pp) / 2


def released_weights(scenario: Scenario) -> tuple[float, ...]:
    """Return the weights p - (a + b) / 2 as the released scores give them, fractions of 1, shape (candidates,).

    A weight whose exact integer is 0 or one unit is an exact tie in counts that float64 turned into rounding noise; it is
    returned as 0.
    """
    reference = reference_pp(scenario)
    return tuple(
        0.0 if abs(whole) <= _NOISE else (score - reference) / 100
        for score, whole in zip(scenario.candidates_pp, scenario.weights, strict=True)
    )


def exact_weights(scenario: Scenario) -> tuple[Fraction, ...]:
    """Return the weights as the exact numbers that decide a vote, fractions of 1, shape (candidates,).

    The file holds whole numbers proportional to 2p - a - b; their unit is a power of two, found from the largest weight.

    Raises
    ------
    DataError
        If the whole numbers and the released scores do not belong together.
    """
    reference = reference_pp(scenario)
    place = max(range(len(scenario.weights)), key=lambda index: abs(scenario.weights[index]))
    largest = scenario.weights[place]
    measured = (scenario.candidates_pp[place] - reference) / 100
    if largest == 0:
        return tuple(Fraction(0) for _ in scenario.weights)
    ratio = largest / measured if measured else 0.0
    if ratio <= 0:
        raise DataError(
            f"The weights of scenario '{scenario.name}' do not belong to its scores. Restore "
            "data/published/helm_lite_trial165.json from the repository."
        )
    unit = Fraction(2) ** -round(math.log2(ratio))
    return tuple(whole * unit for whole in scenario.weights)


def prompt_vote(example: Trial165, scenario: str, prompt_hash: str) -> Vote:
    """Return the vote on a prompt of a scenario, coin flips recomputed from the example's seeds.

    Parameters
    ----------
    example
        The worked example.
    scenario
        Name of the scenario in the tables.
    prompt_hash
        The prompt's hash as text: a published one, or `core.reuse.vote.text_hash` of a text of one's own.

    Raises
    ------
    UsageError
        If there is no such scenario.
    """
    return cast_vote(
        prompt_hash,
        exact_weights(scenario_of(example, scenario)),
        routing_seed=example.routing_seed,
        tie_seed=example.tie_seed,
    )
