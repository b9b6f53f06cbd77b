"""Studies under several feedback rules from a small frozen description, as pages and their workers ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import UsageError
from core.reuse.interfaces import GRAMMAR

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.benchmark.model import Benchmark
    from core.reuse.comparison import Comparison
    from core.reuse.rules import Rule
    from core.reuse.study import Study

OWN_GROUPS: Final = "groups:yours"
"""The interface part that stands for the reader's own grouping; a page opens no file for a reader."""


@dataclass(frozen=True, slots=True)
class RulesWish:
    """Everything that studies under several feedback rules depend on.

    Parameters
    ----------
    benchmark
        A name of `core.benchmark.catalogue`.
    rules
        Feedback rules; ``groups:yours`` stands for `groups`.
    trials
        Random splits, at least 1.
    seed
        0 for the benchmark's own seeds, any other number for other splits and routers.
    precision
        ``own`` for the benchmark's own, ``exact``, or a step in pp.
    groups
        (task, group) pairs of the reader; empty for none.

    Raises
    ------
    UsageError
        If there is no rule, a number is out of range, or a rule asks for a file of groups.
    """

    benchmark: str
    rules: tuple[str, ...]
    trials: int = 250
    seed: int = 0
    precision: str = "own"
    groups: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.rules:
            raise UsageError("Give at least one feedback rule.")
        if self.trials < 1:
            raise UsageError(f"A study needs at least one trial, got {self.trials}.")
        if self.seed < 0:
            raise UsageError(f"A seed is a whole number of at least 0, got {self.seed}.")
        for rule in self.rules:
            part = rule.split("+")[0].strip()
            if part.startswith("groups:") and (part != OWN_GROUPS or not self.groups):
                raise UsageError(
                    f"Here a rule reads no file: fill in the table of groups and write {OWN_GROUPS}. {GRAMMAR}"
                )

    @property
    def own_seeds(self) -> bool:
        """Whether the benchmark's own seeds are used."""
        return self.seed == 0


def prepared(wish: RulesWish) -> tuple[Benchmark, list[Rule]]:
    """Return a wish's benchmark under its precision and seeds, and its rules, parsed.

    Raises
    ------
    MirageError
        If the benchmark cannot be read, or a rule or a grouping does not fit it.
    """
    from core.benchmark.catalogue import load
    from core.reuse.rules import parse_rule
    from core.reuse.study import reseed

    benchmark = load(wish.benchmark)
    settings = reseed(benchmark.settings, wish.seed)
    if wish.precision != "own":
        precision = "exact" if wish.precision == "exact" else float(wish.precision)
        settings = settings.with_changes(precision=precision)
    benchmark = benchmark.with_settings(settings)
    groups = wish.groups or None
    return benchmark, [parse_rule(benchmark, rule, groups) for rule in wish.rules]


def run_sweep(wish: RulesWish, *, progress: Callable[[int, int], None] | None = None) -> tuple[Study, ...]:
    """Run the study under each rule; `progress` is called with trials done and trials in all.

    Raises
    ------
    MirageError
        As from `prepared` and `core.reuse.study.run_studies`.
    """
    from core.reuse.study import run_studies

    benchmark, rules = prepared(wish)
    return run_studies(benchmark, rules, trials=wish.trials, progress=progress)


def run_comparison(wish: RulesWish, *, progress: Callable[[int, int], None] | None = None) -> Comparison:
    """Compare the rules by harm and usefulness; `progress` as in `run_sweep`.

    Raises
    ------
    MirageError
        As from `prepared` and `core.reuse.comparison.compare`.
    """
    from core.reuse.comparison import compare

    benchmark, rules = prepared(wish)
    return compare(benchmark, rules, trials=wish.trials, progress=progress)


def groupings(tasks: int) -> tuple[int, ...]:
    """Return the numbers of equal groups that so many tasks can be cut into.

    Examples
    --------
    >>> groupings(18)
    (1, 2, 3, 6, 9, 18)
    """
    return tuple(number for number in range(1, tasks + 1) if tasks % number == 0)
