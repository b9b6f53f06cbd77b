"""A study of a bundled or simulated benchmark from a small frozen description, as pages and their workers ask for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from core.reuse.study import Study

Endpoints = Literal["top5", "full_frontier"]


@dataclass(frozen=True, slots=True)
class StudyWish:
    """Everything that the result of a study depends on.

    Parameters
    ----------
    benchmark
        A name of `core.benchmark.catalogue`.
    trials
        Random splits, at least 1.
    seed
        0 for the benchmark's own seeds, any other number for other splits and routers.
    endpoints
        How the pair of models is chosen.
    feedback
        What a submission gets back; None is the benchmark's own interface.

    Raises
    ------
    UsageError
        If a number is out of range.
    """

    benchmark: str
    trials: int = 250
    seed: int = 0
    endpoints: Endpoints = "top5"
    feedback: str | None = None

    def __post_init__(self) -> None:
        if self.trials < 1:
            raise UsageError(f"A study needs at least one trial, got {self.trials}.")
        if self.seed < 0:
            raise UsageError(f"A seed is a whole number of at least 0, got {self.seed}.")

    @property
    def own_seeds(self) -> bool:
        """Whether the benchmark's own seeds are used."""
        return self.seed == 0


def run_wish(wish: StudyWish, *, progress: Callable[[int, int], None] | None = None) -> Study:
    """Run a study.

    Parameters
    ----------
    wish
        What to run.
    progress
        Called with completed and all blocks.

    Returns
    -------
    Study
        See `core.reuse.study.run_study`.

    Raises
    ------
    MirageError
        As from reading the benchmark and from the study.
    """
    from core.benchmark.catalogue import load
    from core.reuse.study import reseed, run_study

    benchmark = load(wish.benchmark)
    if not wish.own_seeds:
        benchmark = benchmark.with_settings(reseed(benchmark.settings, wish.seed))
    return run_study(
        benchmark,
        trials=wish.trials,
        endpoints=wish.endpoints,
        feedback=wish.feedback,
        progress=progress,
    )


def other_seeds(wish: StudyWish, number: int) -> tuple[StudyWish, ...]:
    """Return the same study under that many other seeds, counted up from 1 and leaving out its own.

    Examples
    --------
    >>> [wish.seed for wish in other_seeds(StudyWish("terminal_science", seed=2), 3)]
    [1, 3, 4]
    """
    seeds = [seed for seed in range(1, number + 2) if seed != wish.seed][:number]
    return tuple(replace(wish, seed=seed) for seed in seeds)


def run_seeds(
    wishes: tuple[StudyWish, ...], *, progress: Callable[[int, int], None] | None = None
) -> tuple[pd.DataFrame, ...]:
    """Run several studies one after another.

    Parameters
    ----------
    wishes
        What to run.
    progress
        Called with completed and all studies.

    Returns
    -------
    tuple of pandas.DataFrame
        The summaries, in the order of `wishes`.
    """
    summaries = []
    for done, wish in enumerate(wishes):
        if progress is not None:
            progress(done, len(wishes))
        summaries.append(run_wish(wish).summary())
    if progress is not None:
        progress(len(wishes), len(wishes))
    return tuple(summaries)
