"""From exact task sums to scores: released coordinates, leaderboard overall, performance.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), the public score of
each benchmark. Three conventions decide what a released score is, down to ties: exact counts or rational numbers,
the double that a published file would hold, and ticks of a rounding step. `Interface.release` applies them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from core.reuse import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.exact import Limbs

MAX_CANDIDATES: Final = 1 << 14
WEIGHT_HEADROOM: Final = 16  # sums of up to 2**14 weights 2p - a - b of scores p, a, b stay exact


@dataclass(frozen=True)
class Coordinate:
    """One returned score: a mean over parts (categories) of a mean over tasks.

    Parameters
    ----------
    name
        The coordinate's name.
    parts
        Task indices per part, each in task-name order. A plain coordinate has one part.
    pooled
        Whether items count equally (a plain item mean) instead of tasks and parts.
    from_ticks
        Whether a rounded score is made of its tasks' already rounded scores (groups, practical
        category and aggregate scores); it is rounded once.
    """

    name: str
    parts: tuple[tuple[int, ...], ...]
    pooled: bool = False
    from_ticks: bool = False

    @property
    def tasks(self) -> tuple[int, ...]:
        """All task indices."""
        return tuple(task for part in self.parts for task in part)

    def task_weights(self) -> tuple[Fraction, ...]:
        """Return the weight of each of `tasks` in the (unpooled) mean."""
        return tuple(Fraction(1, len(self.parts) * len(part)) for part in self.parts for _ in part)


@dataclass(frozen=True, eq=False)
class Scale:
    """What turns task sums of one side (reused or held out) into scores.

    Parameters
    ----------
    sizes
        Items per task on this side, shape (tasks,).
    unit
        Units in a score of 1: `repeats` for counts, else 1.
    counts
        Whether sums are whole numbers of successes.
    precision, ticks
        The benchmark's precision and, with a step, its ticks per score of 1.
    exponent
        ``sum * 2**exponent`` is whole for every sum (0 for counts).
    chance
        Chance rate per task, or None where task scores are plain means.
    instruction_rows
        For tasks that are counted by instruction too: the rows of sums that hold the instructions followed, and those
        that there are.
    """

    sizes: NDArray[np.int64]
    unit: int
    counts: bool
    precision: Literal["exact", "float64", "step"]
    ticks: int | None
    step_pp: float | None
    exponent: int
    chance: tuple[float, ...] | None = None
    instruction_rows: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    def means(self, sums: Limbs, coordinate: Coordinate) -> NDArray[np.float64]:
        """Return a coordinate's unrounded score as float64.

        A task mean is the exactly rounded sum over its items, divided once; means are added in name order and
        divided once, as the published files do.

        Parameters
        ----------
        sums
            Task sums, shape (tasks, ...).
        coordinate
            Which tasks, and how they are averaged.

        Returns
        -------
        array of shape (...)
        """
        if coordinate.pooled:
            tasks = list(coordinate.tasks)
            total = exact.collapse(tuple(_add(limb, tasks) for limb in sums))
            return total / float(self.sizes[tasks].sum() * self.unit)
        parts = [_mean([self._task_mean(sums, task) for task in part]) for part in coordinate.parts]
        return _mean(parts)

    def _task_mean(self, sums: Limbs, task: int) -> NDArray[np.float64]:
        mean = exact.collapse(exact.take(sums, task)) / float(self.sizes[task] * self.unit)
        if self.chance is not None and self.chance[task] > 0:
            mean = np.maximum(mean - self.chance[task], 0.0) / (1.0 - self.chance[task])
        if task in self.instruction_rows:
            followed, given = (exact.collapse(exact.take(sums, row)) for row in self.instruction_rows[task])
            mean = (mean + followed / given) / 2.0
        return mean

    def exact_score(self, sums: Limbs, coordinate: Coordinate, headroom: int) -> tuple[Limbs, int]:
        """Return a coordinate's unrounded score as an exact number and the number that stands for a score of 1.

        The score is ``limbs / one``. Used where precision is exact, and where rounded scores are counts.
        """
        tasks = list(coordinate.tasks)
        if coordinate.pooled or len(tasks) == 1:
            one = int(self.sizes[tasks].sum()) * self.unit
            return tuple(_add(limb, tasks) for limb in sums), one
        shares = [
            weight / (int(self.sizes[task]) * self.unit)
            for weight, task in zip(coordinate.task_weights(), tasks, strict=True)
        ]
        one = math.lcm(*(share.denominator for share in shares))
        factors = [int(share * one) for share in shares]
        if self.counts and one.bit_length() <= exact.MANTISSA_BITS - headroom:
            return (_add(sums[0], tasks, factors),), one
        whole = [exact.to_integers(exact.take(sums, task), self.exponent) for task in tasks]
        total = sum(factor * number for factor, number in zip(factors, whole, strict=True))
        largest = one << self.exponent  # a score of 1
        return exact.from_integers(np.asarray(total), headroom, largest), largest

    def ticks_of(self, sums: Limbs, coordinate: Coordinate) -> NDArray[np.float64]:
        """Return a coordinate's score in whole ticks, halves to even, shape (...) for sums of shape (tasks, ...)."""
        if self.ticks is None or self.step_pp is None:
            raise ValueError("Expected a precision that is a step.")
        if coordinate.from_ticks and len(coordinate.tasks) > 1:
            ticks = [self.ticks_of(sums, Coordinate("", ((task,),))) for task in coordinate.tasks]
            weights = coordinate.task_weights()
            common = math.lcm(*(weight.denominator for weight in weights))
            factors = [int(weight * common) for weight in weights]
            total = np.tensordot(np.array(factors), np.array(ticks, dtype=np.int64), axes=1)
            return exact.divide_half_even(total, common).astype(np.float64)
        if not self.counts:
            return np.rint(self.means(sums, coordinate) * 100 / self.step_pp)
        limbs, one = self.exact_score(sums, coordinate, headroom=12)
        if len(limbs) == 1 and (one * self.ticks).bit_length() < 62:
            return exact.divide_half_even(limbs[0].astype(np.int64) * self.ticks, one).astype(np.float64)
        whole = exact.to_integers(limbs, 0) * self.ticks
        return np.asarray(exact.divide_half_even(whole, one), dtype=np.float64)

    def score(self, sums: Limbs, coordinate: Coordinate, *, rounded: bool) -> Limbs:
        """Return a coordinate's score in the benchmark's convention, in units of `one` per score of 1, shape (...).

        Parameters
        ----------
        sums
            Task sums, shape (tasks, ...).
        coordinate
            Which tasks, and how they are averaged.
        rounded
            Whether a step applies (released scores) or not (unrounded performance).
        """
        if self.precision == "step" and rounded:
            return (self.ticks_of(sums, coordinate),)
        if self.precision == "float64" or (self.precision == "step" and not self.counts):
            return exact.split_limbs(self.means(sums, coordinate), WEIGHT_HEADROOM)
        return self.exact_score(sums, coordinate, WEIGHT_HEADROOM)[0]

    def one(self, coordinate: Coordinate, *, rounded: bool) -> int:
        """Return the number that stands for a score of 1 in `score`."""
        if self.precision == "step" and rounded:
            return self.ticks or 1
        if self.precision == "float64" or (self.precision == "step" and not self.counts):
            return 1
        nothing = (np.zeros((len(self.sizes), 0)),)
        return self.exact_score(nothing, coordinate, WEIGHT_HEADROOM)[1]


@dataclass(frozen=True, eq=False)
class ItemTable:
    """A benchmark's item scores, summed per prompt and laid out task by task.

    Parameters
    ----------
    order
        Shape (prompts,): the benchmark's prompt index at each place; tasks are contiguous, in name order.
    starts
        Shape (tasks + 1,): where each task begins in that layout.
    limbs
        Shape (models, prompts) each: exact sums over a prompt's items, in units (see `Scale`).
    sizes
        Shape (prompts,): items of the prompt at each place.
    instruction_rows
        See `Scale`. Their places follow those of all tasks and repeat the prompts of their own task.
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    limbs: Limbs
    sizes: NDArray[np.int64]
    unit: int
    counts: bool
    exponent: int
    instruction_rows: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    def rows_of(self, coordinate: Coordinate) -> tuple[int, ...]:
        """Return the rows of sums that a coordinate is made of: its tasks, and what else is counted in them."""
        more = (row for task in coordinate.tasks for row in self.instruction_rows.get(task, ()))
        return (*coordinate.tasks, *more)

    @classmethod
    def of(cls, benchmark: Benchmark) -> ItemTable:
        """Lay out a benchmark."""
        prompts = len(benchmark.prompts)
        task = np.zeros(prompts, dtype=np.intp)
        task[benchmark.item_prompt] = benchmark.item_task
        order = np.argsort(task, kind="stable")
        place = np.empty(prompts, dtype=np.intp)
        place[order] = np.arange(prompts)
        starts = np.searchsorted(task[order], np.arange(len(benchmark.tasks) + 1))
        counts = benchmark.counts
        settings = benchmark.settings
        if settings.precision == "float64" and settings.repeats > 1:
            counts = None  # the published doubles are what is added up
        if benchmark.normalisation is not None:
            counts = None  # task scores are no counts
        if counts is not None:
            item_limbs: Limbs = (counts.astype(np.float64),)
            exponent = 0
        else:
            headroom = (2 * len(benchmark.items)).bit_length()
            headroom += WEIGHT_HEADROOM if settings.precision == "exact" else 1
            item_limbs = exact.split_limbs(benchmark.scores, headroom)
            exponent = exact.lowest_bit_exponent(benchmark.scores)
        by_place = np.argsort(place[benchmark.item_prompt], kind="stable")
        firsts = np.searchsorted(place[benchmark.item_prompt][by_place], np.arange(prompts))
        limbs = tuple(np.add.reduceat(limb[:, by_place], firsts, axis=1) for limb in item_limbs)
        sizes = np.bincount(place[benchmark.item_prompt], minlength=prompts)
        plain = cls(
            order,
            starts,
            limbs,
            sizes,
            settings.repeats if counts is not None else 1,
            counts is not None,
            exponent,
        )
        return plain._with_instructions(benchmark)

    def _with_instructions(self, benchmark: Benchmark) -> ItemTable:
        """Append two rows per task of instructions: how many were followed, and how many there are."""
        extra = benchmark.normalisation
        tasks = [] if extra is None else extra.instruction_tasks(benchmark)
        if extra is None or not tasks:
            return self
        most = int(extra.instructions.max()).bit_length()
        headroom = (2 * len(benchmark.items)).bit_length() + 1
        models, prompts = len(benchmark.models), len(benchmark.prompts)
        given = np.bincount(benchmark.item_prompt, weights=extra.instructions, minlength=prompts)
        followed = [
            np.array([np.bincount(benchmark.item_prompt, weights=row, minlength=prompts) for row in limb])
            for limb in exact.split_limbs(extra.followed, headroom, most)
        ]
        depth = max(len(self.limbs), len(followed))
        limbs = [*self.limbs, *[np.zeros(self.limbs[0].shape)] * (depth - len(self.limbs))]
        order, starts, sizes, rows = self.order, list(self.starts), self.sizes, {}
        for task in tasks:
            here = slice(self.starts[task], self.starts[task + 1])
            rows[task] = (len(starts) - 1, len(starts))
            for values in (followed, [np.broadcast_to(given, (models, prompts))]):
                order = np.concatenate([order, self.order[here]])
                sizes = np.concatenate([sizes, self.sizes[here]])
                starts.append(len(order))
                parts = [*values, *[np.zeros((models, prompts))] * (depth - len(values))]
                limbs = [
                    np.concatenate([limb, part[:, self.order[here]]], axis=1)
                    for limb, part in zip(limbs, parts, strict=True)
                ]
        return replace(
            self, order=order, starts=np.array(starts), limbs=tuple(limbs), sizes=sizes, instruction_rows=rows
        )

    def scale(self, benchmark: Benchmark, task_sizes: NDArray[np.int64]) -> Scale:
        """Return the `Scale` of a side with `task_sizes` items per task."""
        settings = benchmark.settings
        precision: Any = settings.precision if isinstance(settings.precision, str) else "step"
        return Scale(
            task_sizes,
            self.unit,
            self.counts,
            precision,
            settings.ticks_per_unit,
            settings.step_pp,
            self.exponent,
            None if benchmark.normalisation is None else tuple(benchmark.normalisation.chance.tolist()),
            self.instruction_rows,
        )


def coordinates_of(benchmark: Benchmark, level: str) -> tuple[Coordinate, ...]:
    """Return the coordinates ``task``, ``category`` or ``overall`` of a benchmark, in name order.

    Under ``item_mean`` a category pools its items; otherwise it is the mean of its tasks' means. ``overall`` follows
    the ranking: items pooled, or tasks within categories and then categories.
    """
    pooled = benchmark.settings.ranking == "item_mean"
    by_category = [
        tuple(int(task) for task in np.flatnonzero(benchmark.task_category == index))
        for index in range(len(benchmark.categories))
    ]
    if level == "task":
        return tuple(Coordinate(name, ((index,),)) for index, name in enumerate(benchmark.tasks))
    if level == "category":
        return tuple(
            Coordinate(name, (tasks,), pooled=pooled)
            for name, tasks in zip(benchmark.categories, by_category, strict=True)
        )
    if level == "overall":
        return (Coordinate("overall", tuple(by_category), pooled=pooled),)
    raise ValueError(f"Expected task, category or overall, found {level!r}.")


def performance_coordinates(benchmark: Benchmark) -> tuple[Coordinate, ...]:
    """Return the coordinates whose equal mean is a model's unrounded performance under the benchmark's ranking."""
    settings = benchmark.settings
    if settings.ranking == "coordinate_mean" and settings.coordinates != "overall":
        return coordinates_of(benchmark, settings.coordinates)
    return coordinates_of(benchmark, "overall")


def performance_of(benchmark: Benchmark, scale: Scale, sums: Limbs) -> NDArray[np.float64]:
    """Return the unrounded performance from task sums, shape (...) for sums of shape (tasks, ...)."""
    means = [scale.means(sums, coordinate) for coordinate in performance_coordinates(benchmark)]
    total = means[0]
    for mean in means[1:]:
        total = total + mean
    return total / len(means)


def stack(columns: Sequence[Limbs]) -> Limbs:
    """Return numbers of equal shape as one, along a new first axis."""
    longest = max(len(column) for column in columns)
    zero = np.zeros(columns[0][0].shape)
    return tuple(
        np.stack([column[depth] if depth < len(column) else zero for column in columns])
        for depth in range(longest)
    )


def _add(
    limb: NDArray[np.float64], tasks: Sequence[int], factors: Sequence[int] | None = None
) -> NDArray[np.float64]:
    """Add up task sums, each times its factor; exact, since the caller's numbers have room."""
    total = np.zeros(limb.shape[1:])
    for place, task in enumerate(tasks):
        total += limb[task] if factors is None else limb[task] * float(factors[place])
    return total


def _mean(values: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Add in the given order and divide once, as the published files do."""
    if len(values) == 1:
        return values[0]
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total / len(values)
