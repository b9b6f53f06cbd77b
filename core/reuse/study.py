"""The study: the attack over many trials and budgets, averaged with intervals.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026). `run_study` is the
one way from a benchmark to its curves; the command line, the pages and the tests all go through it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypedDict

import numpy as np

from core.benchmark.splits import cached_held_out_mask, holdout_targets
from core.errors import UsageError
from core.reuse.endpoints import ENDPOINT_POLICIES
from core.reuse.gates import gates
from core.reuse.metrics import Outcomes
from core.reuse.plan import Plan
from core.reuse.result import Study
from core.reuse.rules import parse_rule
from core.reuse.scoring import MAX_CANDIDATES
from core.reuse.spread import Spread, run_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Unpack

    from core.benchmark.model import Benchmark
    from core.benchmark.settings import Settings
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.rules import Rule

DEFAULT_TRIALS: Final = 250
DEFAULT_BUDGETS: Final = tuple(1 << exponent for exponent in range(12))
MAX_TRIALS: Final = 1_000_000


def reseed(settings: Settings, seed: int) -> Settings:
    """Return settings with other splits and other routers; seed 0 keeps the benchmark's own.

    Parameters
    ----------
    settings
        The benchmark's settings.
    seed
        A whole number of at least 0; each gives splits and routers that no other shares.
    """
    if seed < 0:
        raise UsageError(f"A seed is a whole number of at least 0, found {seed}.")
    if seed == 0:
        return settings
    return settings.with_changes(
        split_seed_base=settings.split_seed_base + MAX_TRIALS * seed,
        routing_seed=f"{settings.routing_seed}|{seed}",
        tie_seed=f"{settings.tie_seed}|{seed}",
    )


def check_budgets(budgets: Iterable[int]) -> tuple[int, ...]:
    """Return budgets sorted and without repeats; 0 (before any submission) is always reported and may be named.

    Raises
    ------
    UsageError
        If a budget is not a whole number from 0 to 16384, or none is left.
    """
    chosen = set()
    for budget in budgets:
        if (
            isinstance(budget, bool)
            or not isinstance(budget, int | np.integer)
            or not 0 <= budget <= MAX_CANDIDATES
        ):
            raise UsageError(f"A budget is a whole number from 1 to {MAX_CANDIDATES}, found {budget!r}.")
        chosen.add(int(budget))
    chosen.discard(0)
    if not chosen:
        raise UsageError(f"At least one budget from 1 to {MAX_CANDIDATES} is needed.")
    return tuple(sorted(chosen))


class Running(TypedDict, total=False):
    """How much of an attack is run and where: keywords of `run_study`, for the functions that pass them on.

    Where several rules are compared, `progress` counts trials over all of them.
    """

    trials: int
    progress: Callable[[int, int], None] | None
    cache: bool
    workers: int
    backend: str
    scheduler: str | None


def run_study(
    benchmark: Benchmark,
    *,
    trials: int = DEFAULT_TRIALS,
    budgets: Iterable[int] = DEFAULT_BUDGETS,
    endpoints: EndpointPolicy = "top5",
    feedback: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    cache: bool = True,
    workers: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
) -> Study:
    """Attack a benchmark over many trials and budgets.

    Parameters
    ----------
    benchmark
        Item scores and settings.
    trials
        Number of splits; trial ``t`` has seed ``split_seed_base + t``.
    budgets
        Numbers of submissions.
    endpoints
        How the pair of models is chosen.
    feedback
        The feedback rule; by default the settings' own.
    progress
        Called with (trials done, trials in all).
    cache
        Whether gates and splits may be kept on disk. Never for a reader's upload.
    workers
        Processes; the result is the same to the bit whatever their number.
    backend, scheduler
        Where blocks of trials run: ``loky``, processes of this machine, or ``dask``, a Dask cluster with its
        scheduler at this address.

    Raises
    ------
    UsageError
        If a parameter is outside its domain, or Dask is asked for and not installed.
    DataError
        If the benchmark cannot be split as its settings ask.
    """
    return _play(
        benchmark,
        [(parse_rule(benchmark, feedback), endpoints)],
        trials=trials,
        budgets=budgets,
        progress=progress,
        cache=cache,
        workers=workers,
        backend=backend,
        scheduler=scheduler,
    )[0]


def run_studies(
    benchmark: Benchmark,
    rules: Sequence[str | Rule],
    *,
    budgets: Iterable[int] = DEFAULT_BUDGETS,
    endpoints: EndpointPolicy = "top5",
    **running: Unpack[Running],
) -> tuple[Study, ...]:
    """Attack a benchmark under several feedback rules; the result is that of `run_study` for each.

    Splits, routers and, where two rules lead to the same endpoints, the candidates' scores are computed once for all.

    Parameters
    ----------
    benchmark
        Item scores and settings.
    rules
        Feedback rules, in the grammar of the command line or parsed.
    budgets
        Numbers of submissions.
    endpoints
        Applies where a rule leaves a frontier; elsewhere the pool is the best five.
    running
        As in `run_study`; see `Running`.

    Raises
    ------
    UsageError
        If there is no rule, or a parameter is outside its domain.
    DataError
        If the benchmark cannot be split as its settings ask.
    """
    if not rules:
        raise UsageError("Give at least one feedback rule.")
    parsed = [parse_rule(benchmark, rule) if isinstance(rule, str) else rule for rule in rules]
    wanted: list[tuple[Rule, EndpointPolicy]] = [
        (rule, endpoints if rule.leaves_frontier(benchmark) else "top5") for rule in parsed
    ]
    return _play(benchmark, wanted, budgets=budgets, **running)


def _play(
    benchmark: Benchmark,
    wanted: Sequence[tuple[Rule, EndpointPolicy]],
    *,
    budgets: Iterable[int],
    trials: int = DEFAULT_TRIALS,
    progress: Callable[[int, int], None] | None = None,
    cache: bool = True,
    workers: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
) -> tuple[Study, ...]:
    spread = Spread(workers, backend, scheduler)
    chosen = check_budgets(budgets)
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= MAX_TRIALS:
        raise UsageError(f"The number of trials is a whole number from 1 to {MAX_TRIALS}, found {trials!r}.")
    for _, policy in wanted:
        if policy not in ENDPOINT_POLICIES:
            raise UsageError(f"Unknown endpoint policy '{policy}'; choose {' or '.join(ENDPOINT_POLICIES)}.")
    targets = holdout_targets(benchmark)
    all_budgets = chosen if chosen[0] == 1 else (1, *chosen)
    settings = benchmark.settings
    with ThreadPoolExecutor(1) as pool:  # hashing of gates and of splits side by side
        pending = pool.submit(
            gates,
            benchmark.prompts,
            settings.routing_seed,
            settings.tie_seed,
            all_budgets[-1] - 1,
            cache=cache,
        )
        held_out = cached_held_out_mask(benchmark, trials, cache=cache)
        routers = pending.result()
    first = Plan.of(
        benchmark,
        policy=wanted[0][1],
        rule=wanted[0][0],
        budgets=all_budgets,
        gates=routers,
        targets=targets,
    )
    plans = [first, *(first.under(rule, policy) for rule, policy in wanted[1:])]
    parts: list[list[Outcomes]] = []
    done = 0
    for count, part in run_blocks(plans, held_out, spread):
        parts.append(part)
        done += count * len(plans)
        if progress is not None:
            progress(done, trials * len(plans))
    return tuple(
        Study(
            benchmark=benchmark.name,
            provenance=benchmark.provenance,
            models=benchmark.models,
            endpoints=plan.policy,
            feedback=plan.rule.text,
            budgets=chosen,
            outcomes=Outcomes.join(list(own)),
        )
        for plan, own in zip(plans, zip(*parts, strict=True), strict=True)
    )
