"""The coordinates that one submission gets back, by the names of the command line.

`interface_of` turns the interface part of a feedback rule into coordinates; modifiers are in `core.reuse.rules`.
"""

from __future__ import annotations

import csv
import hashlib
import io
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from core.benchmark.simulated import LIVEBENCH_NAME
from core.errors import DataError, UsageError
from core.reuse.scoring import Coordinate, Scale, coordinates_of, stack
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.benchmark.model import Benchmark
    from core.reuse.exact import Limbs

LIVEBENCH_PREFIX: Final = "livebench-bandwidth-v1-partition-"
"""What the published groupings of LiveBench's tasks are hashed with, before the partition's number."""

MAX_GROUPS_BYTES: Final = 1_000_000
"""Most bytes of a groups file."""

GRAMMAR: Final = (
    "A rule is one of task, category, overall, grouped:D:P, groups:FILE, policy:task, policy:category, "
    "policy:aggregate, then any of +round:STEP, +ladder:ETA, +ladder:auto, +frontier:ETA, +noise:SD, +cap:N; "
    "for example category+round:0.1+cap:64."
)


@dataclass(frozen=True)
class Interface:
    """The coordinates that one submission gets back, and what the choice of endpoints may use.

    Parameters
    ----------
    name
        As in a feedback rule: ``task``, ``category``, ``overall``, ``grouped:D:P``, ``policy:task`` and so on.
    coordinates
        The returned scores, in name order.
    endpoints_from
        ``returned``: endpoints are chosen from these coordinates; ``own``: from the benchmark's own interface (paper,
        feedback granularity); ``restricted``: from these coordinates without a frontier, and submissions are ranked
        by the released overall (paper, practical policies).
    """

    name: str
    coordinates: tuple[Coordinate, ...]
    endpoints_from: Literal["returned", "own", "restricted"] = "returned"

    @property
    def size(self) -> int:
        """Number of returned scores."""
        return len(self.coordinates)

    @property
    def practical(self) -> bool:
        """Whether all that the attacker sees is restricted to these coordinates."""
        return self.endpoints_from == "restricted"

    def release(self, scale: Scale, sums: Limbs) -> Limbs:
        """Return the released scores, shape (coordinates, ...), from reused task sums of shape (tasks, ...)."""
        return stack([scale.score(sums, coordinate, rounded=True) for coordinate in self.coordinates])

    def ones(self, scale: Scale) -> tuple[int, ...]:
        """Return the number that stands for a score of 1, per coordinate."""
        return tuple(scale.one(coordinate, rounded=True) for coordinate in self.coordinates)


def interface_of(
    benchmark: Benchmark, name: str | None = None, groups: Sequence[tuple[str, str]] | None = None
) -> Interface:
    """Return the interface called `name`, by default the benchmark's own coordinates.

    Parameters
    ----------
    benchmark
        Its tasks, categories and ranking decide what a name means.
    name
        The interface part of a feedback rule.
    groups
        (task, group) pairs; given, the part ``groups:...`` means them, and no file is read.

    Raises
    ------
    UsageError
        If the name is unknown or does not fit the benchmark; the message shows the grammar.
    DataError
        If a file of groups is unreadable or does not hold every task once.
    """
    chosen = benchmark.settings.coordinates if name is None else name
    if chosen in ("task", "category", "overall"):
        if chosen == "overall" and benchmark.settings.ranking == "mean_win_rate":
            raise UsageError(
                "The feedback rule overall does not go with the ranking mean_win_rate, which compares several "
                "coordinates; use policy:aggregate to return one score."
            )
        return Interface(chosen, coordinates_of(benchmark, chosen))
    head, _, rest = chosen.partition(":")
    if head == "grouped":
        return Interface(chosen, _hash_groups(benchmark, rest), "own")
    if head == "groups" and groups is not None:
        return Interface(chosen, group_tasks(benchmark, groups, "The grouping"), "own")
    if head == "groups" and rest:
        return Interface(chosen, _groups_of_file(benchmark, Path(rest)), "own")
    if head == "policy" and rest in ("task", "category", "aggregate"):
        return Interface(chosen, _practical(benchmark, rest), "restricted")
    raise UsageError(f"Unknown feedback rule '{shown(chosen)}'. {GRAMMAR}")


def category_weights(benchmark: Benchmark, interface: Interface) -> tuple[Fraction, ...]:
    """Return weights of the coordinates, summing to 1: categories count equally, and tasks within them."""
    if interface.name not in ("task", "policy:task"):
        return (Fraction(1, interface.size),) * interface.size
    members = np.bincount(benchmark.task_category)
    return tuple(
        Fraction(1, len(members) * int(members[benchmark.task_category[coordinate.tasks[0]]]))
        for coordinate in interface.coordinates
    )


def _practical(benchmark: Benchmark, level: str) -> tuple[Coordinate, ...]:
    """Return the coordinates of a practical policy: task scores, category scores made of them, or their aggregate."""
    by_category = [
        tuple(int(task) for task in np.flatnonzero(benchmark.task_category == index))
        for index in range(len(benchmark.categories))
    ]
    if level == "task":
        return tuple(Coordinate(name, ((index,),)) for index, name in enumerate(benchmark.tasks))
    if level == "category":
        return tuple(
            Coordinate(name, (tasks,), from_ticks=True)
            for name, tasks in zip(benchmark.categories, by_category, strict=True)
        )
    return (Coordinate("aggregate", tuple(by_category), from_ticks=True),)


def task_labels(benchmark: Benchmark) -> tuple[str, ...]:
    """Return ``category/task`` per task, the names that groupings are hashed by."""
    return tuple(
        f"{benchmark.categories[category]}/{task}"
        for task, category in zip(benchmark.tasks, benchmark.task_category, strict=True)
    )


def group_prefix(benchmark: Benchmark) -> str:
    """Return the text that a benchmark's groupings are hashed with; LiveBench's, simulated or not, is the published one."""
    if benchmark.name in ("LiveBench", LIVEBENCH_NAME):
        return LIVEBENCH_PREFIX
    return f"{benchmark.name}-partition-"


def hash_order(prefix: str, partition: int, labels: Sequence[str]) -> list[int]:
    """Return positions of task labels in the order of a partition's hashes; equal runs of it are the groups.

    Parameters
    ----------
    prefix
        See `group_prefix`.
    partition
        From 0.
    labels
        As `task_labels` gives them.
    """
    return sorted(
        range(len(labels)),
        key=lambda task: (
            hashlib.sha256(f"{prefix}{partition}|{labels[task]}".encode()).hexdigest(),
            labels[task],
        ),
    )


def _hash_groups(benchmark: Benchmark, text: str) -> tuple[Coordinate, ...]:
    dimension_text, _, partition_text = text.partition(":")
    for number in (dimension_text, partition_text.removeprefix("-")):
        if not (number.isascii() and number.isdigit() and len(number) <= 9):
            raise UsageError(
                f"Expected grouped:D:P with two whole numbers (groups and partition), found 'grouped:{shown(text)}'. "
                f"{GRAMMAR}"
            )
    dimension, partition = int(dimension_text), int(partition_text)
    tasks = len(benchmark.tasks)
    if dimension < 1 or tasks % dimension:
        fitting = ", ".join(str(d) for d in range(1, tasks + 1) if tasks % d == 0)
        raise UsageError(
            f"{dimension} groups do not divide the {tasks} tasks of {shown(benchmark.name)} evenly; choose from {fitting}. "
            f"{GRAMMAR}"
        )
    if partition < 0:
        raise UsageError(f"A partition number starts at 0, found {partition}. {GRAMMAR}")
    labels = task_labels(benchmark)
    order = hash_order(group_prefix(benchmark), partition, labels)
    size = tasks // dimension
    return tuple(
        Coordinate(
            f"group {index + 1}", (tuple(sorted(order[index * size : (index + 1) * size])),), from_ticks=True
        )
        for index in range(dimension)
    )


def _groups_of_file(benchmark: Benchmark, path: Path) -> tuple[Coordinate, ...]:
    """Read the reader's own groups: a CSV with the columns task and group, every task once."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_GROUPS_BYTES + 1)
        if len(raw) > MAX_GROUPS_BYTES:
            raise DataError(f"The groups file '{path}' is too large: a groups file has at most 1 MB.")
        with io.StringIO(raw.decode("utf-8-sig"), newline="") as stream:
            reader = csv.DictReader(stream)
            if not {"task", "group"} <= set(reader.fieldnames or ()):
                raise DataError(
                    f"The groups file '{path}' needs the columns task and group; found "
                    f"{', '.join(reader.fieldnames or ()) or 'none'}."
                )
            rows = [(row["task"] or "", row["group"] or "") for row in reader]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"Cannot read the groups file '{path}': {reason}.") from None
    return group_tasks(benchmark, rows, f"The groups file '{path}'")


def group_tasks(benchmark: Benchmark, pairs: Sequence[tuple[str, str]], what: str) -> tuple[Coordinate, ...]:
    """Return groups as coordinates, in name order.

    Parameters
    ----------
    benchmark
        For its tasks; a task may be called by its name or by ``category/task``.
    pairs
        (task, group) pairs.
    what
        How messages call the grouping.

    Raises
    ------
    DataError
        If a task is missing, repeated or unknown, or a group has no name; all faults in one message.
    """
    position = {name: index for index, name in enumerate(benchmark.tasks)}
    position |= {label: index for index, label in enumerate(task_labels(benchmark))}
    groups: dict[str, list[int]] = {}
    unknown, times = [], [0] * len(benchmark.tasks)
    for task, group in pairs:
        if task not in position:
            unknown.append(task)
            continue
        times[position[task]] += 1
        groups.setdefault(group.strip(), []).append(position[task])
    faults = []
    if unknown:
        faults.append(f"unknown tasks: {_some(unknown)}")
    if missing := [name for name, count in zip(benchmark.tasks, times, strict=True) if count == 0]:
        faults.append(f"missing tasks: {_some(missing)}")
    if repeated := [name for name, count in zip(benchmark.tasks, times, strict=True) if count > 1]:
        faults.append(f"tasks given more than once: {_some(repeated)}")
    if "" in groups:
        faults.append(f"{len(groups[''])} tasks without a group name")
    if faults:
        raise DataError(f"{what} must name every task of {benchmark.name} once; {'; '.join(faults)}.")
    return tuple(
        Coordinate(name, (tuple(sorted(tasks)),), from_ticks=True) for name, tasks in sorted(groups.items())
    )


def _some(names: list[str]) -> str:
    listed = ", ".join(f"'{shown(name)}'" for name in names[:5])
    return listed + (f" and {len(names) - 5} more" if len(names) > 5 else "")
