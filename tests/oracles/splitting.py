"""Splits by their definition, one trial at a time, with dictionaries, sets of sums and fractions."""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction

from core.errors import DataError


def split(benchmark, trial):
    """Return the reused and the held-out item indices of one trial, both ascending."""
    settings = benchmark.settings
    seed = settings.split_seed_base + trial
    targets = holdout_targets(benchmark)
    held_out = []
    for task in benchmark.tasks:
        category = category_of(benchmark, task)
        label = task if settings.holdout_per_category is None else f"{category}|{task}"
        groups = {}
        for index in items_of_task(benchmark, task):
            groups.setdefault(benchmark.prompts[benchmark.item_prompt[index]], []).append(index)

        def place(prompt, groups=groups, label=label):
            digest = hashlib.sha256(f"{seed}|{label}|{prompt}".encode()).digest()
            names = tuple(sorted(benchmark.items[index] for index in groups[prompt]))
            return int.from_bytes(digest, "big"), prompt, names

        ordered = [groups[prompt] for prompt in sorted(groups, key=place)]
        wanted = targets[task]
        if wanted not in subset_sums([len(group) for group in ordered]):
            raise DataError(f"Task {task}: {wanted} items cannot be held out without splitting a prompt.")
        for position, group in enumerate(ordered):
            later = [len(other) for other in ordered[position + 1 :]]
            if wanted - len(group) in subset_sums(later):
                held_out.extend(group)
                wanted -= len(group)
    chosen = set(held_out)
    reused = [index for index in range(len(benchmark.items)) if index not in chosen]
    for task in benchmark.tasks:
        members = set(items_of_task(benchmark, task))
        if not members & chosen or not members - chosen:
            raise DataError(f"Task {task} has no item on one side of the split.")
    return reused, sorted(chosen)


def subset_sums(sizes):
    """Every sum that some subset of `sizes` has, the empty one included."""
    sums = {0}
    for size in sizes:
        sums |= {total + size for total in sums}
    return sums


def holdout_targets(benchmark):
    """The number of held-out items of every task."""
    settings = benchmark.settings
    if settings.holdout_per_category is None:
        return {
            task: round(settings.holdout_fraction * len(items_of_task(benchmark, task)))
            for task in benchmark.tasks
        }
    targets = {}
    for category in benchmark.categories:
        tasks = [task for task in benchmark.tasks if category_of(benchmark, task) == category]
        sizes = {task: len(items_of_task(benchmark, task)) for task in tasks}
        quota = {
            task: Fraction(settings.holdout_per_category * sizes[task], sum(sizes.values())) for task in tasks
        }
        share = {task: math.floor(quota[task]) for task in tasks}
        missing = settings.holdout_per_category - sum(share.values())
        by_remainder = sorted(tasks, key=lambda task: (share[task] - quota[task], task))
        for task in by_remainder[:missing]:
            share[task] += 1
        targets.update(share)
    return targets


def items_of_task(benchmark, task):
    """Indices of a task's items."""
    number = benchmark.tasks.index(task)
    return [index for index in range(len(benchmark.items)) if benchmark.item_task[index] == number]


def category_of(benchmark, task):
    """A task's category."""
    return benchmark.categories[benchmark.task_category[benchmark.tasks.index(task)]]
