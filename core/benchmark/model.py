"""`Benchmark`: a complete matrix of item scores with its tasks, categories and prompts.

The class only holds and checks what was read; files are the business of `core.benchmark.reading`, splits of
`core.benchmark.splits`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.benchmark.normalisation import Normalisation
    from core.benchmark.settings import Settings

Provenance = Literal["bundled", "simulated", "loaded"]


@dataclass(frozen=True, eq=False)
class Benchmark:
    """A benchmark's item scores, ready for the study.

    Parameters
    ----------
    settings
        Scoring, ranking, splitting and seeds.
    models
        Model names, sorted by Unicode code point; every tie in the study is broken by this order.
    items
        Item ids, unique.
    scores
        Shape (models, items), in [0, 1], higher is better.
    tasks, categories
        Names, sorted by code point.
    item_task
        Shape (items,): index into `tasks`.
    task_category
        Shape (tasks,): index into `categories`.
    prompts
        Distinct prompt hashes, sorted by code point. Items that share one are one prompt.
    item_prompt
        Shape (items,): index into `prompts`.
    provenance
        Where the scores come from: shipped with the product, drawn by a generator, or loaded by a reader.
    normalisation
        What turns task means into task scores, where they are more than means; None for plain means.

    Raises
    ------
    DataError
        If shapes disagree, names are unsorted or repeated, or scores leave [0, 1].
    """

    settings: Settings
    models: tuple[str, ...]
    items: tuple[str, ...]
    scores: NDArray[np.float64]
    tasks: tuple[str, ...]
    categories: tuple[str, ...]
    item_task: NDArray[np.intp]
    task_category: NDArray[np.intp]
    prompts: tuple[str, ...]
    item_prompt: NDArray[np.intp]
    provenance: Provenance = "loaded"
    normalisation: Normalisation | None = None

    def __post_init__(self) -> None:
        shape = (len(self.models), len(self.items))
        if self.scores.shape != shape:
            raise DataError(f"Expected scores of shape {shape} (models, items), found {self.scores.shape}.")
        if len(self.models) < 2:
            raise DataError(f"A study needs at least two models, found {len(self.models)}.")
        for label, names in (("model", self.models), ("task", self.tasks), ("category", self.categories)):
            if list(names) != sorted(set(names)):
                raise DataError(f"Expected {label} names sorted and without repeats.")
        if len(set(self.items)) != len(self.items):
            raise DataError("Expected item ids without repeats.")
        if not np.all((self.scores >= 0) & (self.scores <= 1)):
            raise DataError("Expected every score within [0, 1].")
        for array in (self.scores, self.item_task, self.task_category, self.item_prompt):
            array.setflags(write=False)
        if self.normalisation is not None:
            self.normalisation.check(self)

    @classmethod
    def from_columns(
        cls,
        settings: Settings,
        models: Sequence[str],
        items: Sequence[str],
        scores: NDArray[np.float64],
        *,
        task: Sequence[str] | None = None,
        category: Sequence[str] | None = None,
        prompt_hash: Sequence[str] | None = None,
        provenance: Provenance = "loaded",
    ) -> Benchmark:
        """Build a benchmark from per-item labels, filling the defaults of the file format.

        Parameters
        ----------
        settings
            The benchmark's settings.
        models, items
            Names in the order of the matrix; models may come unsorted.
        scores
            Shape (models, items), in [0, 1].
        task, category, prompt_hash
            Shape (items,). Defaults: one task named after the benchmark, the task, SHA-256 of the item id.
        provenance
            See `Benchmark`.
        """
        order = sorted(range(len(models)), key=lambda index: models[index])
        task_of = list(task) if task is not None else [settings.name] * len(items)
        category_of = list(category) if category is not None else task_of
        hashes = (
            list(prompt_hash)
            if prompt_hash is not None
            else [hashlib.sha256(item.encode()).hexdigest() for item in items]
        )
        tasks, item_task = _index(task_of)
        categories, _ = _index(category_of)
        home = dict(zip(task_of, category_of, strict=True))
        prompts, item_prompt = _index(hashes)
        position = {name: index for index, name in enumerate(categories)}
        return cls(
            settings=settings,
            models=tuple(models[index] for index in order),
            items=tuple(items),
            scores=np.ascontiguousarray(scores[order], dtype=np.float64),
            tasks=tasks,
            categories=categories,
            item_task=item_task,
            task_category=np.array([position[home[name]] for name in tasks], dtype=np.intp),
            prompts=prompts,
            item_prompt=item_prompt,
            provenance=provenance,
        )

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return self.settings.name

    @cached_property
    def counts(self) -> NDArray[np.int64] | None:
        """Successes per model and item out of `settings.repeats`, or None where scores are not such counts."""
        scaled = self.scores * self.settings.repeats
        whole = np.rint(scaled)
        tolerance = 1e-9 if self.settings.repeats == 1 else 0.01
        if np.max(np.abs(scaled - whole), initial=0.0) > tolerance:
            return None
        return whole.astype(np.int64)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over everything that the study depends on, as hexadecimal text."""
        state = hashlib.sha256(repr(self.settings).encode())
        for names in (self.models, self.items, self.tasks, self.categories, self.prompts):
            state.update(repr(names).encode())
        for array in (self.scores, self.item_task, self.task_category, self.item_prompt):
            state.update(np.ascontiguousarray(array).tobytes())
        if self.normalisation is not None:
            for part in (
                self.normalisation.chance,
                self.normalisation.instructions,
                self.normalisation.followed,
            ):
                state.update(np.ascontiguousarray(part).tobytes())
        return state.hexdigest()

    def with_settings(self, settings: Settings) -> Benchmark:
        """Return the same scores under other settings."""
        return replace(self, settings=settings)


def _index(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the sorted distinct names and each entry's index into them."""
    distinct = tuple(sorted(set(names)))
    position = {name: index for index, name in enumerate(distinct)}
    return distinct, np.fromiter((position[name] for name in names), dtype=np.intp, count=len(names))
