"""The attack's side of a live benchmark: what a maintainer implements, and calls that name what went wrong.

A maintainer writes a class with the four methods of `LiveEvaluator`. Item scores stay inside it: what crosses the boundary are
the public table, the scores that a submitted routing rule gets back, and, for the report alone, overall scores.
`core.reuse.live_study` runs the attack against it; ``docs/adapter.md`` holds a worked example.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

DEFAULT_TIMEOUT_S: Final = 60.0
LARGEST_SCORE: Final = 10.0  # noise may carry a score beyond 1, and no rule carries it further


class AdapterError(DataError):
    """A maintainer's evaluator answered wrongly, failed, or did not answer; the message begins with the call."""


@dataclass(frozen=True)
class PublicBenchmark:
    """What everybody knows of a live benchmark.

    Parameters
    ----------
    name
        Its name.
    models
        The genuine models of the leaderboard.
    prompts
        For each prompt hash, the coordinate (returned score) that it counts in.
    units
        For each coordinate, the whole number that stands for a score of 1, where scores are counts or ticks and equal
        scores must be equal exactly; None where they are fractions of 1.
    """

    name: str
    models: Sequence[str]
    prompts: Mapping[str, str]
    units: Mapping[str, int] | None = None

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The coordinates by name; profiles and answers have this order."""
        return tuple(sorted(set(self.prompts.values())))


@dataclass(frozen=True)
class PublicProfiles:
    """The public table of one trial.

    Parameters
    ----------
    scores
        Shape (models, coordinates): released scores, models as in `PublicBenchmark.models`.
    overall
        Shape (models,): what the leaderboard is ordered by.
    """

    scores: Sequence[Sequence[float]]
    overall: Sequence[float]


@dataclass(frozen=True, eq=False)
class RoutingRule:
    """A submission: it answers each prompt with one of two genuine models.

    Parameters
    ----------
    model_a, model_b
        The two models.
    to_a
        The prompt hashes that go to model A; all others go to model B.

    Examples
    --------
    >>> rule = RoutingRule("one", "two", frozenset({"hash 1"}))
    >>> rule("hash 1"), rule("hash 2")
    ('one', 'two')
    """

    model_a: str
    model_b: str
    to_a: frozenset[str]

    def __call__(self, prompt_hash: str) -> str:
        """Return the name of the model that answers a prompt."""
        return self.model_a if prompt_hash in self.to_a else self.model_b


@dataclass(frozen=True)
class Standing:
    """What a submission is worth, for the report; the attack never sees it.

    Parameters
    ----------
    reused, held_out
        Unrounded performance on the public and on the held-out items, fractions of 1.
    reused_ranking, held_out_ranking
        What models are ranked by, where it is not the performance (a win rate within the pool that was asked for).
    """

    reused: float
    held_out: float
    reused_ranking: float | None = None
    held_out_ranking: float | None = None


class LiveEvaluator(Protocol):
    """What a maintainer implements. Every answer must be the same when the same question is asked again."""

    def describe(self) -> PublicBenchmark:
        """Return what everybody knows."""

    def public_profiles(self, trial: int) -> PublicProfiles:
        """Return the public table of a trial; each trial has a split of its own into public and held-out items."""

    def feedback(self, trial: int, rule: RoutingRule) -> Sequence[float | None]:
        """Return what a submitted rule gets back: one score per coordinate, None where a score is withheld."""

    def audit(self, trial: int, pool: Sequence[str | RoutingRule]) -> Sequence[Standing]:
        """Return what each model or rule of a pool is worth, in the order asked for."""


class CheckedEvaluator:
    """A maintainer's evaluator with every answer checked.

    Parameters
    ----------
    evaluator
        The maintainer's.
    timeout_s
        Seconds that one call may take.

    Raises
    ------
    AdapterError
        From every method, if the maintainer's code raises, is too slow, or answers with a wrong shape or with numbers that
        are not finite; the message begins with the call.
    UsageError
        If the time-out is not a positive number.
    """

    def __init__(self, evaluator: LiveEvaluator, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        if not timeout_s > 0:
            raise UsageError(f"A time-out is a positive number of seconds, found {timeout_s}.")
        self._evaluator = evaluator
        self._timeout_s = timeout_s
        self.public = self._described()

    def profiles(self, trial: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the public scores, shape (models, coordinates), and the overall, shape (models,); asked for twice."""
        call = f"public_profiles(trial={trial})"
        first, second = (
            self._checked_profiles(call, self._call(call, self._evaluator.public_profiles, trial))
            for _ in range(2)
        )
        if not all(np.array_equal(one, other) for one, other in zip(first, second, strict=True)):
            raise AdapterError(
                f"{call} changed its answer when it was asked again; a trial's table is fixed."
            )
        return first

    def feedback(self, trial: int, rule: RoutingRule, label: str) -> NDArray[np.float64]:
        """Return what a rule gets back, shape (coordinates,); NaN where a score is withheld."""
        call = f"feedback(trial={trial}, rule={label})"
        answer = self._call(call, self._evaluator.feedback, trial, rule)
        wanted = len(self.public.coordinates)
        try:
            scores = list(answer)
        except TypeError:
            raise AdapterError(f"{call}: expected {wanted} scores, found {_kind(answer)}.") from None
        if len(scores) != wanted:
            raise AdapterError(f"{call}: expected {wanted} scores, one per coordinate, found {len(scores)}.")
        values = np.array([math.nan if one is None else self._number(call, one) for one in scores])
        self._check_scale(call, values[~np.isnan(values)], np.flatnonzero(~np.isnan(values)))
        return values

    def same_again(self, trial: int, rule: RoutingRule, label: str, before: NDArray[np.float64]) -> None:
        """Ask a question again and refuse another answer."""
        if not np.array_equal(self.feedback(trial, rule, label), before, equal_nan=True):
            raise AdapterError(
                f"feedback(trial={trial}, rule={label}) changed its answer when the same rule was submitted again; noise must be "
                "one stable draw per submission."
            )

    def audit(self, trial: int, pool: Sequence[str | RoutingRule], label: str) -> NDArray[np.float64]:
        """Return the standings of a pool, shape (4, pool): reused and held-out performance, then both rankings."""
        call = f"audit(trial={trial}, pool={label})"
        answer = self._call(call, self._evaluator.audit, trial, pool)
        try:
            standings = list(answer)
        except TypeError:
            raise AdapterError(f"{call}: expected {len(pool)} standings, found {_kind(answer)}.") from None
        if len(standings) != len(pool):
            raise AdapterError(f"{call}: expected {len(pool)} standings, found {len(standings)}.")
        table = np.empty((4, len(pool)))
        for place, one in enumerate(standings):
            if not isinstance(one, Standing):
                raise AdapterError(f"{call}: expected a Standing at place {place}, found {_kind(one)}.")
            rankings = [
                own if own is not None else plain
                for own, plain in (
                    (one.reused_ranking, one.reused),
                    (one.held_out_ranking, one.held_out),
                )
            ]
            table[:, place] = [self._number(call, value) for value in (one.reused, one.held_out, *rankings)]
        return table

    def _call(self, call: str, method: Callable[..., Any], *arguments: Any) -> Any:
        """Run a call of the maintainer's code in a thread of its own, which is left behind when it takes too long."""
        result: list[Any] = []
        fault: list[BaseException] = []

        def run() -> None:
            try:
                result.append(method(*arguments))
            except BaseException as error:  # noqa: BLE001 - whatever the maintainer's code raises is reported with its call
                fault.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(self._timeout_s)
        if fault:
            what = str(fault[0]).strip() or "no message"
            raise AdapterError(f"{call} raised {type(fault[0]).__name__}: {what}") from fault[0]
        if not result:
            raise AdapterError(f"{call} did not answer within {self._timeout_s:g} seconds.")
        return result[0]

    def _described(self) -> PublicBenchmark:
        call = "describe()"
        public = self._call(call, self._evaluator.describe)
        if not isinstance(public, PublicBenchmark):
            raise AdapterError(f"{call}: expected a PublicBenchmark, found {_kind(public)}.")
        if len(public.models) < 2 or len(set(public.models)) != len(public.models):
            raise AdapterError(
                f"{call}: expected at least two models with distinct names, found {len(public.models)}."
            )
        if not public.prompts:
            raise AdapterError(f"{call}: expected prompts with their coordinates, found none.")
        if public.units is not None:
            wrong = [name for name in public.coordinates if not _is_unit(public.units.get(name))]
            if wrong:
                raise AdapterError(f"{call}: units must be a whole number of at least 1 for '{wrong[0]}'.")
        return public

    def _checked_profiles(self, call: str, answer: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if not isinstance(answer, PublicProfiles):
            raise AdapterError(f"{call}: expected PublicProfiles, found {_kind(answer)}.")
        wanted = (len(self.public.models), len(self.public.coordinates))
        try:
            scores = np.array(answer.scores, dtype=np.float64)
            overall = np.array(answer.overall, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise AdapterError(f"{call}: scores and overall must be numbers ({error}).") from None
        if scores.shape != wanted or overall.shape != wanted[:1]:
            raise AdapterError(
                f"{call}: expected scores of shape {wanted} (models, coordinates) and an overall of shape {wanted[:1]}, found "
                f"{scores.shape} and {overall.shape}."
            )
        if not np.isfinite(scores).all() or not np.isfinite(overall).all():
            raise AdapterError(f"{call}: every score must be finite.")
        columns = np.broadcast_to(np.arange(wanted[1]), wanted)
        self._check_scale(call, scores.reshape(-1), columns.reshape(-1))
        return scores, overall

    def _check_scale(self, call: str, values: NDArray[np.float64], columns: NDArray[np.intp]) -> None:
        """Refuse scores outside their scale; `columns` are their coordinates."""
        if self.public.units is None:
            if np.any(np.abs(values) > LARGEST_SCORE):
                raise AdapterError(
                    f"{call}: scores are fractions of 1, found {values[np.abs(values).argmax()]:g}."
                )
            return
        units = np.array([self.public.units[name] for name in self.public.coordinates])[columns]
        wrong = (values != np.rint(values)) | (values < 0) | (values > units)
        if wrong.any():
            place = int(np.flatnonzero(wrong)[0])
            raise AdapterError(
                f"{call}: '{self.public.coordinates[columns[place]]}' is a whole number from 0 to {units[place]}, found "
                f"{values[place]:g}."
            )

    @staticmethod
    def _number(call: str, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise AdapterError(f"{call}: expected a number, found {_kind(value)}.") from None
        if not math.isfinite(number):
            raise AdapterError(f"{call}: every score must be finite, found {number}.")
        return number


def _is_unit(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _kind(value: object) -> str:
    return type(value).__name__
