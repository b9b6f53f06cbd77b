"""A comparison of rules in portions of trials, so that a page can draw what is there so far and stop at any moment.

Trials are independent: portions joined are the whole, to the bit. Random routers are hashed once per process and kept in memory
alone, since a portion may belong to a reader's own benchmark.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core import cache
from core.benchmark.splits import held_out_mask, holdout_targets
from core.errors import UsageError
from core.reuse.comparison import Comparison, RuleResult, pairs_kept
from core.reuse.gates import gates
from core.reuse.metrics import Outcomes
from core.reuse.plan import Plan
from core.reuse.result import Study
from core.reuse.rules import parse_rule
from core.reuse.spread import Spread, run_blocks
from core.reuse.study import check_budgets, reseed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.gates import Gates

FIRST_TRIALS: Final = 10
"""Trials of the first portion: enough for curves, few enough to be quick."""
GROWTH: Final = 2.5
"""Each portion ends at this many times the trials of the one before."""

_KEPT: Final = 2
_GATES: OrderedDict[str, Gates] = OrderedDict()


@dataclass(frozen=True, slots=True)
class StressWish:
    """What a stress test asks for, without the benchmark.

    Parameters
    ----------
    rules
        Feedback rules, without repeats; files of groups are not read.
    budgets
        Submission budgets, at least one of them above 1.
    trials
        Random splits.
    endpoints
        How the pair of models is chosen where a rule leaves a frontier.
    seed
        0 for the benchmark's own seeds.

    Raises
    ------
    UsageError
        If there is no rule, a rule is given twice or names a file, or a number is outside its domain.
    """

    rules: tuple[str, ...]
    budgets: tuple[int, ...]
    trials: int = 250
    endpoints: EndpointPolicy = "top5"
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.rules:
            raise UsageError("Give at least one feedback rule.")
        if len(set(self.rules)) != len(self.rules):
            raise UsageError("A feedback rule is given twice; name each once.")
        for rule in self.rules:
            if rule.strip().startswith("groups:"):
                raise UsageError(
                    "A rule with groups of your own reads a file of this machine, so it is for the command line only."
                )
        if check_budgets(self.budgets)[-1] < 2:
            raise UsageError("A stress test needs a budget of at least 2; budget 1 is the static control.")
        if self.trials < 1 or self.seed < 0:
            raise UsageError("Trials are at least 1, and a seed is at least 0.")


@dataclass(frozen=True, eq=False)
class Portion:
    """Some trials under every rule.

    Parameters
    ----------
    start, stop
        Trial numbers, `stop` excluded.
    outcomes
        One per rule.
    kept
        One per rule, shape (trials,): share of genuine pairs that the released scores order rightly.
    policies
        One per rule: the endpoint policy in use.
    """

    start: int
    stop: int
    outcomes: tuple[Outcomes, ...]
    kept: tuple[NDArray[np.float64], ...]
    policies: tuple[EndpointPolicy, ...]


def portion_ends(trials: int) -> tuple[int, ...]:
    """Return where the portions of a number of trials end.

    Examples
    --------
    >>> portion_ends(250), portion_ends(4)
    ((10, 25, 62, 155, 250), (4,))
    """
    ends = []
    end = FIRST_TRIALS
    while end < trials:
        ends.append(end)
        end = int(end * GROWTH)
    return (*ends, trials)


def run_portion(
    benchmark: Benchmark,
    wish: StressWish,
    start: int,
    stop: int,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Portion:
    """Run some trials under every rule; nothing is kept on disk.

    Parameters
    ----------
    benchmark
        Item scores and settings, with the benchmark's own seeds.
    wish
        What to run.
    start, stop
        Trial numbers, `stop` excluded.
    progress
        Called with (trials done, trials in all), counted over all rules.

    Raises
    ------
    UsageError
        If a rule does not parse or does not fit the benchmark.
    DataError
        If the benchmark cannot be split as its settings ask.
    """
    seeded = benchmark.with_settings(reseed(benchmark.settings, wish.seed))
    rules = [parse_rule(seeded, rule) for rule in wish.rules]
    chosen = check_budgets(wish.budgets)
    budgets = chosen if chosen[0] == 1 else (1, *chosen)
    policies: tuple[EndpointPolicy, ...] = tuple(
        wish.endpoints if rule.leaves_frontier(seeded) else "top5" for rule in rules
    )
    first = Plan.of(
        seeded,
        policy=policies[0],
        rule=rules[0],
        budgets=budgets,
        gates=_gates(seeded, budgets[-1] - 1),
        targets=holdout_targets(seeded),
    )
    plans = [
        first,
        *(first.under(rule, policy) for rule, policy in zip(rules[1:], policies[1:], strict=True)),
    ]
    held_out = held_out_mask(seeded, range(start, stop))
    total = (stop - start) * len(rules)
    parts: list[list[Outcomes]] = []
    done = 0
    for count, part in run_blocks(plans, held_out, Spread(1, "loky", None)):
        parts.append(part)
        done += count * len(rules)
        if progress is not None:
            progress(done, total)
    settings = seeded.settings
    later = seeded.with_settings(settings.with_changes(split_seed_base=settings.split_seed_base + start))
    return Portion(
        start,
        stop,
        tuple(Outcomes.join(list(own)) for own in zip(*parts, strict=True)),
        pairs_kept(later, rules, trials=stop - start, cache=False),
        policies,
    )


def joined(
    benchmark: Benchmark, wish: StressWish, portions: Sequence[Portion], tolerance_pp: float
) -> Comparison:
    """Return the comparison over the trials of some portions.

    Parameters
    ----------
    benchmark
        For names and provenance.
    wish
        What was run.
    portions
        Consecutive, the first one starting at trial 0.
    tolerance_pp
        The selection loss that is still accepted.

    Raises
    ------
    UsageError
        If the tolerance is outside its domain.
    """
    results = []
    for place, rule in enumerate(wish.rules):
        study = Study(
            benchmark=benchmark.name,
            provenance=benchmark.provenance,
            models=benchmark.models,
            endpoints=portions[0].policies[place],
            feedback=rule,
            budgets=check_budgets(wish.budgets),
            outcomes=Outcomes.join([portion.outcomes[place] for portion in portions]),
        )
        kept = np.concatenate([portion.kept[place] for portion in portions])
        results.append(RuleResult.of(study, kept, tolerance_pp))
    return Comparison(tuple(results))


def _gates(benchmark: Benchmark, candidates: int) -> Gates:
    """Return the routers' choices, hashed once per process."""
    settings = benchmark.settings
    key = cache.key(candidates, settings.routing_seed, settings.tie_seed, *benchmark.prompts)
    if key not in _GATES:
        _GATES[key] = gates(
            benchmark.prompts, settings.routing_seed, settings.tie_seed, candidates, cache=False
        )
        while len(_GATES) > _KEPT:
            _GATES.popitem(last=False)
    _GATES.move_to_end(key)
    return _GATES[key]
