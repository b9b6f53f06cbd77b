"""Over what a study's blocks of trials are spread: this process, processes of this machine, or a Dask cluster.

Trials are independent and their sums exact, so the outcome is the same to the bit wherever they run.
"""

from __future__ import annotations

import importlib.util
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import UsageError
from core.reuse.engine import Block, play, router_signs
from core.reuse.metrics import outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from core.reuse.metrics import Outcomes
    from core.reuse.plan import Plan

BACKENDS: Final = ("loky", "dask")
BLOCK_BYTES: Final = 48 << 20  # the largest array of a block of trials


@dataclass(frozen=True)
class Spread:
    """Where the blocks of trials run.

    Parameters
    ----------
    workers
        Processes of this machine, with the backend ``loky``.
    backend
        ``loky`` or ``dask``.
    scheduler
        Address of the Dask scheduler, with the backend ``dask``.

    Raises
    ------
    UsageError
        If a value is outside its domain, or Dask is asked for and not installed.
    """

    workers: int
    backend: str
    scheduler: str | None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise UsageError(f"The number of workers is at least 1, found {self.workers}.")
        if self.backend not in BACKENDS:
            raise UsageError(f"Unknown backend '{self.backend}'; choose {' or '.join(BACKENDS)}.")
        if self.backend == "loky" and self.scheduler is not None:
            raise UsageError("A scheduler's address goes with the backend dask; this is loky.")
        if self.backend == "dask" and self.scheduler is None:
            raise UsageError(
                "The backend dask needs the address of a scheduler, such as tcp://10.0.0.1:8786."
            )
        if self.backend == "dask" and importlib.util.find_spec("distributed") is None:
            raise UsageError("The backend dask needs its packages: pip install -r requirements-cluster.txt")

    @contextmanager
    def configured(self) -> Iterator[None]:
        """Direct joblib to the backend."""
        from joblib import parallel_config

        if self.backend == "loky":
            with parallel_config("loky", n_jobs=self.workers, max_nbytes=None):
                yield
            return
        from distributed import Client

        try:
            client = Client(self.scheduler, timeout=10)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise UsageError(f"No Dask scheduler answers at '{self.scheduler}': {error}.") from None
        with client, parallel_config("dask", wait_for_workers_timeout=30):
            yield


def blocks(plan: Plan, trials: int) -> list[slice]:
    """Cut trials into blocks that bound the memory of one."""
    per_trial = 8 * max(1, plan.gates.candidates) * len(plan.benchmark.tasks)
    size = max(8, min(trials, BLOCK_BYTES // per_trial))
    return [slice(start, min(trials, start + size)) for start in range(0, trials, size)]


def run_blocks(
    plans: Sequence[Plan], held_out: NDArray[np.bool_], spread: Spread
) -> Iterator[tuple[int, list[Outcomes]]]:
    """Yield (trials, outcomes per plan) of each block, in order; the plans differ in their rules alone."""
    parts = blocks(plans[0], len(held_out))
    if spread.backend == "loky" and (spread.workers == 1 or len(parts) == 1):
        signs = router_signs(plans[0])
        for block in parts:
            yield block.stop - block.start, _one_block(plans, held_out[block], signs)
        return
    from joblib import Parallel, delayed

    with spread.configured():
        # As one tuple, a task holds all that it needs. Bare arrays would be laid down on one Dask worker and be lost with it.
        results = Parallel(return_as="generator")(
            delayed(_packed_block)((plans, held_out[block])) for block in parts
        )
        for block, part in zip(parts, results, strict=True):
            yield block.stop - block.start, part


def _packed_block(task: tuple[Sequence[Plan], NDArray[np.bool_]]) -> list[Outcomes]:
    return _one_block(*task)


def _one_block(
    plans: Sequence[Plan], held_out: NDArray[np.bool_], signs: NDArray[np.floating] | None = None
) -> list[Outcomes]:
    block = Block(plans[0], held_out, signs)
    return [outcomes(plan, play(plan, block)) for plan in plans]
