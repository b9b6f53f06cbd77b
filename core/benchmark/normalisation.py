"""Task scores that are more than a mean of item scores: a correction for chance, and a second way of counting.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), public feedback of the
Open LLM Leaderboard v2. A task with chance rate c scores ``max(raw - c, 0) / (1 - c)``. A task of instructions (IFEval)
scores the mean of two accuracies: of whole prompts, and of single instructions, prompts weighing as many as they hold.

The items table does not carry this; a folder holds it as ``normalisation.json`` beside the items.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.benchmark.faults import listing, quoted
from core.benchmark.json_files import read_json
from core.errors import DataError
from core.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark

NORMALISATION_FILE: Final = "normalisation.json"
MAX_BYTES: Final = 128 << 20


@dataclass(frozen=True, eq=False)
class Normalisation:
    """How task means become task scores.

    Parameters
    ----------
    chance
        Shape (tasks,): the score of guessing, from 0 up to 1 (excluded); 0 for none.
    instructions
        Shape (items,): instructions that an item holds, 0 outside tasks of instructions.
    followed
        Shape (models, items): how many of them a model followed; a mean over runs need not be whole.

    Raises
    ------
    DataError
        If a value is outside its domain.
    """

    chance: NDArray[np.float64]
    instructions: NDArray[np.int64]
    followed: NDArray[np.float64]

    def __post_init__(self) -> None:
        if not np.all((self.chance >= 0) & (self.chance < 1)):
            raise DataError("A chance rate is a number from 0 up to 1, 1 excluded.")
        if self.instructions.min(initial=0) < 0:
            raise DataError("An item holds a whole number of instructions of at least 0.")
        if not np.all((self.followed >= 0) & (self.followed <= self.instructions)):
            raise DataError("A model follows at least none and at most all instructions of an item.")
        for array in (self.chance, self.instructions, self.followed):
            array.setflags(write=False)

    def check(self, benchmark: Benchmark) -> None:
        """Refuse a benchmark that this does not fit.

        Raises
        ------
        DataError
            If shapes or settings do not go with it; the message says which.
        """
        shapes = (self.chance.shape, self.instructions.shape, self.followed.shape)
        tasks, items = len(benchmark.tasks), len(benchmark.items)
        if shapes != ((tasks,), (items,), (len(benchmark.models), items)):
            raise DataError(f"The normalisation has shapes {shapes}, which are not those of the benchmark.")
        settings = benchmark.settings
        if settings.precision == "exact":
            raise DataError(
                'Scores that are corrected for chance need precision = "float64" or a step such as 0.01; '
                '"exact" is for plain means.'
            )
        if settings.ranking == "item_mean":
            raise DataError(
                'Scores that are corrected for chance are averaged by task; ranking = "item_mean" pools items. '
                'Use ranking = "coordinate_mean" or "category_mean".'
            )
        with_instructions = self.instructions > 0
        for task in self.instruction_tasks(benchmark):
            members = benchmark.item_task == task
            if not with_instructions[members].all():
                raise DataError(
                    f"Task {quoted(benchmark.tasks[task])} has items with and without a number of instructions; give all of "
                    "them one."
                )

    def instruction_tasks(self, benchmark: Benchmark) -> list[int]:
        """Return the tasks that are counted by instruction too."""
        return sorted({int(task) for task in benchmark.item_task[self.instructions > 0]})

    def to_json(self, benchmark: Benchmark) -> str:
        """Return the normalisation as JSON text by name, the same text for the same values."""
        places = np.flatnonzero(self.instructions)
        content = {
            "chance": {
                name: float(rate) for name, rate in zip(benchmark.tasks, self.chance, strict=True) if rate
            },
            "instructions": {benchmark.items[place]: int(self.instructions[place]) for place in places},
            "followed": {
                model: {benchmark.items[place]: float(self.followed[row, place]) for place in places}
                for row, model in enumerate(benchmark.models)
                if len(places)
            },
        }
        return json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n"


def normalised(
    benchmark: Benchmark,
    chance: dict[str, float],
    instructions: dict[str, int] | None = None,
    followed: dict[str, dict[str, float]] | None = None,
    *,
    label: str = NORMALISATION_FILE,
) -> Benchmark:
    """Return a benchmark with a normalisation given by name.

    Parameters
    ----------
    benchmark
        The item scores.
    chance
        Chance rate by task; tasks that are not named have none.
    instructions
        Instructions by item.
    followed
        Instructions followed, by model and item; needed for every item in `instructions`.
    label
        What messages call the source of these numbers.

    Raises
    ------
    DataError
        If a name is unknown, a number is missing or outside its domain, or the settings do not go with it.
    """
    from dataclasses import replace

    instructions, followed = instructions or {}, followed or {}
    task_place = {name: place for place, name in enumerate(benchmark.tasks)}
    item_place = {name: place for place, name in enumerate(benchmark.items)}
    unknown = [name for name in chance if name not in task_place]
    unknown += [name for name in instructions if name not in item_place]
    if unknown:
        raise DataError(
            f"{shown(label)} names tasks or items that the items table lacks: {listing([quoted(name) for name in unknown])}."
        )
    rates = np.zeros(len(benchmark.tasks))
    for name, rate in chance.items():
        rates[task_place[name]] = rate
    numbers = np.zeros(len(benchmark.items), dtype=np.int64)
    done = np.zeros(benchmark.scores.shape)
    for name, number in instructions.items():
        numbers[item_place[name]] = number
    for row, model in enumerate(benchmark.models):
        own = followed.get(model, {})
        lacking = [name for name in instructions if name not in own]
        if lacking:
            raise DataError(
                f"{shown(label)}: {quoted(model)} lacks the instructions followed of {len(lacking):,} items: "
                f"{listing([quoted(name) for name in lacking])}."
            )
        for name in instructions:
            done[row, item_place[name]] = own[name]
    return replace(benchmark, normalisation=Normalisation(rates, numbers, done))


def read_normalisation(path: Path, benchmark: Benchmark) -> Benchmark:
    """Return a benchmark with the normalisation of a file.

    Raises
    ------
    DataError
        If the file cannot be read or does not fit the benchmark.
    """
    content = read_json(path, limit=MAX_BYTES)
    names = ("chance", "instructions", "followed")
    if not isinstance(content, dict) or set(content) - set(names):
        raise DataError(f"{shown(path.name)} must hold {', '.join(names)} and nothing else.")
    parts = [_numbers(content.get(name, {}), path.name, name, nested=name == "followed") for name in names]
    whole = {name: int(number) for name, number in parts[1].items() if number == int(number)}
    if len(whole) != len(parts[1]):
        raise DataError(f"{shown(path.name)}: the number of instructions of an item is a whole number.")
    return normalised(benchmark, parts[0], whole, parts[2], label=path.name)


def _numbers(value: Any, file: str, key: str, *, nested: bool = False) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"{shown(file)}: '{key}' must map names to numbers.")
    for name, number in value.items():
        if nested:
            _numbers(number, file, key)
        elif isinstance(number, bool) or not isinstance(number, int | float) or not np.isfinite(number):
            raise DataError(
                f"{shown(file)}: '{key}' of {quoted(name)} must be a number, found {shown(number)}."
            )
    return value
