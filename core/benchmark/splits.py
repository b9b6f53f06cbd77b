"""Splits of a benchmark into reused (public) and held-out items, one per trial.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), protocol.
Items that share a prompt are never separated, every task is hit at its exact target, and the order in which
prompts are drawn depends on nothing but the seed, the task and the prompt's hash.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from core import cache as disk
from core.benchmark.faults import plural
from core.errors import DataError, UsageError
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark


def holdout_targets(benchmark: Benchmark) -> NDArray[np.int64]:
    """Return the number of held-out items of each task, shape (tasks,).

    With ``holdout_fraction`` it is ``round(fraction * items)`` (ties to even); with ``holdout_per_category`` the
    category's items are shared out by largest remainder, ties by task name.

    Raises
    ------
    DataError
        If a task or category is left without an item on one side; the message names it.
    """
    settings = benchmark.settings
    sizes = np.bincount(benchmark.item_task, minlength=len(benchmark.tasks))
    fraction = settings.holdout_fraction
    if fraction is not None:
        targets = np.array([round(fraction * int(size)) for size in sizes], dtype=np.int64)
    else:
        held_out = settings.holdout_per_category or 0
        targets = np.zeros(len(sizes), dtype=np.int64)
        for category, name in enumerate(benchmark.categories):
            members = np.flatnonzero(benchmark.task_category == category)
            total = int(sizes[members].sum())
            if held_out >= total:
                raise DataError(
                    f"Category '{name}' has {total} items, so {held_out} cannot be held out and leave one to reuse; "
                    "lower holdout_per_category."
                )
            shares = [divmod(held_out * int(sizes[task]), total) for task in members]
            targets[members] = [whole for whole, _ in shares]
            missing = held_out - int(targets[members].sum())
            by_remainder = sorted(range(len(members)), key=lambda place: (-shares[place][1], place))
            targets[members[by_remainder[:missing]]] += 1
    one_sided = np.flatnonzero((targets == 0) | (targets == sizes))
    if len(one_sided):
        task, others = one_sided[0], len(one_sided) - 1
        side = "held-out" if targets[task] == 0 else "reused"
        more = f", and so {'are' if others > 1 else 'is'} {plural(others, 'more task')}" if others else ""
        raise DataError(
            f"Task '{shown(benchmark.tasks[task])}' has {plural(int(sizes[task]), 'item')} and is left without a {side} "
            f"one{more}; merge {'them with other tasks' if others else 'it with another task'}, or change the held-out share."
        )
    return targets


def split_fault(benchmark: Benchmark) -> str | None:
    """Return why the benchmark cannot be split under its settings, or None if it can."""
    try:
        _check_targets(_strata(benchmark), holdout_targets(benchmark))
    except DataError as error:
        return str(error)
    return None


def held_out_mask(benchmark: Benchmark, trials: Iterable[int]) -> NDArray[np.bool_]:
    """Return which prompts are held out in each trial.

    Parameters
    ----------
    benchmark
        The benchmark; its settings give the seeds and targets.
    trials
        Trial numbers; trial ``t`` is drawn with seed ``split_seed_base + t``.

    Returns
    -------
    array of bool, shape (trials, prompts)
        True where the prompt's items are held out. ``mask[:, benchmark.item_prompt]`` is the mask of items.

    Raises
    ------
    DataError
        If a task's target cannot be hit without separating the items of one prompt; the message names the task.
    """
    targets = holdout_targets(benchmark)
    strata = _strata(benchmark)
    encoded = [prompt.encode() for prompt in benchmark.prompts]
    feasible = _check_targets(strata, targets)
    trial_list = list(trials)
    if any(trial < 0 for trial in trial_list):
        raise UsageError(f"Trial numbers start at 0, found {min(trial_list)}.")
    mask = np.zeros((len(trial_list), len(encoded)), dtype=bool)
    for row, trial in enumerate(trial_list):
        seed = benchmark.settings.split_seed_base + trial
        for stratum, check, target in zip(strata, feasible, targets, strict=True):
            order = _shuffled(f"{seed}|{stratum.label}|".encode(), [encoded[p] for p in stratum.prompts])
            chosen = order[: int(target)] if check.all_single else check.take(order, int(target))
            mask[row, stratum.prompts[chosen]] = True
    return mask


def _check_targets(strata: list[_Stratum], targets: NDArray[np.int64]) -> list[_Feasibility]:
    """Return what each task can reach, and refuse a target that it cannot."""
    feasible = [_Feasibility(stratum.sizes) for stratum in strata]
    for stratum, check, target in zip(strata, feasible, targets, strict=True):
        if not check.reachable(int(target)):
            raise DataError(
                f"Task '{stratum.task}' cannot hold out exactly {target} of its {stratum.sizes.sum()} items without "
                "separating items that share a prompt; change the held-out share or the prompt hashes."
            )
    return feasible


class _Stratum:
    """One task: its prompts (indices, sorted by hash), their numbers of items, and the label that is hashed."""

    __slots__ = ("label", "prompts", "sizes", "task")

    def __init__(self, task: str, label: str, prompts: NDArray[np.intp], sizes: NDArray[np.int64]) -> None:
        self.task = task
        self.label = label
        self.prompts = prompts
        self.sizes = sizes


def _strata(benchmark: Benchmark) -> list[_Stratum]:
    prompt_sizes = np.bincount(benchmark.item_prompt, minlength=len(benchmark.prompts))
    prompt_task = np.zeros(len(benchmark.prompts), dtype=np.intp)
    prompt_task[benchmark.item_prompt] = benchmark.item_task
    per_category = benchmark.settings.holdout_per_category is not None
    strata = []
    for index, task in enumerate(benchmark.tasks):
        prompts = np.flatnonzero(prompt_task == index)
        category = benchmark.categories[benchmark.task_category[index]]
        strata.append(
            _Stratum(task, f"{category}|{task}" if per_category else task, prompts, prompt_sizes[prompts])
        )
    return strata


def _shuffled(prefix: bytes, hashes: list[bytes]) -> NDArray[np.intp]:
    """Order prompts by the big-endian integer SHA-256(prefix + hash), then by hash (the given order)."""
    sha256 = hashlib.sha256
    digests = b"".join([sha256(prefix + item).digest() for item in hashes])
    words = np.frombuffer(digests, dtype=">u8").reshape(len(hashes), 4)
    order = np.argsort(words[:, 0], kind="stable")
    leading = words[order, 0]
    if np.any(leading[1:] == leading[:-1]):  # once in many billion prompts
        order = np.lexsort((words[:, 3], words[:, 2], words[:, 1], words[:, 0]))
    return order


class _Feasibility:
    """Which totals the prompts of a task can still reach, for taking prompts front to back.

    With at least ``largest - 1`` prompts of one item left every total up to the remaining items is reachable, so
    that the subset sums (bits of an integer) are needed only near the end of the order.
    """

    def __init__(self, sizes: NDArray[np.int64]) -> None:
        self.sizes = sizes
        self.largest = int(sizes.max(initial=1))
        self.all_single = self.largest == 1

    def reachable(self, target: int) -> bool:
        singles = int(np.sum(self.sizes == 1))
        return self._reachable(target, [int(size) for size in self.sizes], singles, int(self.sizes.sum()))

    def _reachable(self, target: int, sizes: list[int], singles: int, total: int) -> bool:
        if target < 0 or target > total:
            return False
        if singles >= self.largest - 1:
            return True
        sums = 1
        for size in sizes:
            sums |= sums << size
        return bool(sums >> target & 1)

    def take(self, order: NDArray[np.intp], target: int) -> list[int]:
        """Return the entries of `order` that are taken, front to back, skipping only what would miss the target."""
        sizes = [int(size) for size in self.sizes[order]]
        singles, total = sizes.count(1), sum(sizes)
        taken: list[int] = []
        for place, size in enumerate(sizes):
            if target == 0:
                break
            singles -= size == 1
            total -= size
            if self._reachable(target - size, sizes[place + 1 :], singles, total):
                taken.append(int(order[place]))
                target -= size
        return taken


def cached_held_out_mask(benchmark: Benchmark, trials: int, *, cache: bool = True) -> NDArray[np.bool_]:
    """Return `held_out_mask` of trials 0 to `trials` - 1, kept on disk unless `cache` is False.

    A stored set with more trials serves every smaller request; a damaged or missing one is drawn again.
    """
    targets = holdout_targets(benchmark)
    strata = _strata(benchmark)
    description = [f"{stratum.label}:{target}" for stratum, target in zip(strata, targets, strict=True)]
    members = [",".join(str(prompt) for prompt in stratum.prompts) for stratum in strata]
    sizes = [",".join(str(size) for size in stratum.sizes) for stratum in strata]
    name = disk.key(
        "splits-1", benchmark.settings.split_seed_base, *description, *members, *sizes, *benchmark.prompts
    )
    width = (len(benchmark.prompts) + 7) // 8
    stored = disk.load("splits", name) if cache else None
    packed = np.frombuffer(stored or b"", dtype=np.uint8).reshape(-1, width)
    if len(packed) < trials:
        fresh = np.packbits(held_out_mask(benchmark, range(len(packed), trials)), axis=1)
        packed = np.concatenate([packed, fresh])
        if cache:
            disk.store("splits", name, packed.tobytes())
    return np.unpackbits(packed[:trials], axis=1, count=len(benchmark.prompts)).astype(bool)
