"""A queue for heavy work: a bounded number of worker processes, a line of waiting jobs, and quick cancelling.

A job is a function of this code base, called in a worker process as ``function(*arguments, progress=report)`` where
``report(done, total)`` says how many blocks are complete. Jobs with the same key are one job, however many owners
wait for it, and its result is kept for the next who ask. A job whose last owner leaves is ended by ending its
process, so the processor is free again at once.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import struct
import tempfile
import threading
from collections import OrderedDict
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from core.errors import MirageError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from concurrent.futures import Future

State = Literal["queued", "running", "done", "failed", "cancelled"]

_COUNTS: Final = struct.Struct("<qq")
_IDLE_SECONDS: Final = 300
_NICE: Final = 10
_KILLED: Final = (
    "The computation was ended from outside before it finished, most likely because the machine ran out of memory. "
    "Run it again, or with fewer trials."
)
_BROKEN: Final = (
    "The computation stopped because of a fault in this program. Run it again; the server's log has more."
)


@dataclass(frozen=True, slots=True)
class JobStatus:
    """What an owner may know about a job.

    Parameters
    ----------
    state
        ``queued``, ``running``, ``done``, ``failed`` or ``cancelled``.
    place
        Jobs ahead in the line plus one while queued, else 0.
    done, total
        Completed blocks; `total` is 0 until the job has counted them.
    message
        Why the job failed, for the reader.
    """

    state: State
    place: int = 0
    done: int = 0
    total: int = 0
    message: str = ""

    @property
    def is_over(self) -> bool:
        """Whether the job will not change any more."""
        return self.state in {"done", "failed", "cancelled"}


@dataclass(eq=False)
class _Job:
    number: int
    key: Hashable
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    keep: bool
    owners: set[str] = field(default_factory=set)
    state: State = "queued"
    result: Any = None
    fault: BaseException | None = None
    message: str = ""
    counter: Path | None = None
    slot: _Slot | None = None
    over: threading.Event = field(default_factory=threading.Event)


class _Slot:
    """One worker process, started on first use and replaced after it was ended."""

    def __init__(self) -> None:
        self._pool: Any = None

    def start(self, job: _Job) -> Future[Any]:
        if self._pool is None:
            from joblib.externals.loky.process_executor import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(
                max_workers=1, timeout=_IDLE_SECONDS, context=_context(), initializer=_stand_back
            )
        future: Future[Any] = self._pool.submit(_work, str(job.counter or ""), job.function, job.arguments)
        return future

    def end(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, kill_workers=True)


class JobQueue:
    """Run jobs in worker processes, a bounded number at once.

    Parameters
    ----------
    max_jobs
        Jobs that run at the same time, at least 1.
    max_results
        Results kept for those who ask again.

    Examples
    --------
    >>> queue = JobQueue(max_jobs=1)
    >>> queue.run_here("sum", sum, (1, 2), progress=False)
    3
    >>> queue.status("nobody", "sum").state
    'done'
    """

    def __init__(self, max_jobs: int = 1, max_results: int = 32) -> None:
        if max_jobs < 1:
            raise ValueError(f"A queue needs at least one job at a time, got max_jobs={max_jobs}.")
        self._lock = threading.RLock()
        self._slots = [_Slot() for _ in range(max_jobs)]
        self._jobs: dict[Hashable, _Job] = {}
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._max_results = max_results
        self._numbers = itertools.count()

    def submit(
        self, owner: str, key: Hashable, function: Callable[..., Any], *arguments: Any, keep: bool = True
    ) -> JobStatus:
        """Ask for a job; any other unfinished job of this owner is given up.

        Parameters
        ----------
        owner
            The visitor's id.
        key
            What is computed, completely; equal keys share one job and its result.
        function
            A function that a worker can import, with a keyword argument ``progress``.
        arguments
            Its other arguments, sent to the worker by pickle.
        keep
            Whether the result may be kept for others. Pass False for a reader's own data: such a job is the
            owner's alone.

        Returns
        -------
        JobStatus
            The job's state now.
        """
        key = key if keep else (owner, key)
        with self._lock:
            self.leave(owner, except_key=key)
            if key in self._results:
                return self._status(key, owner)
            job = self._jobs.get(key)
            if job is None or job.state in {"failed", "cancelled"}:
                job = _Job(next(self._numbers), key, function, arguments, keep)
                self._jobs[key] = job
            job.owners.add(owner)
            self._pump()
            return self._status(key, owner)

    def status(self, owner: str, key: Hashable) -> JobStatus:
        """Return a job's state for one owner; ``cancelled`` for a job that this owner did not ask for."""
        with self._lock:
            return self._status(self._known(owner, key), owner)

    def result(self, owner: str, key: Hashable) -> Any:
        """Return the result of a finished job.

        Raises
        ------
        MirageError
            The fault that the job met, or a sentence if its process was ended.
        KeyError
            If the job is not done.
        """
        with self._lock:
            known = self._known(owner, key)
            if known in self._results:
                self._results.move_to_end(known)
                return self._results[known]
            job = self._jobs[known]
            if job.state == "failed":
                raise job.fault if isinstance(job.fault, MirageError) else MirageError(job.message)
            if job.state != "done":
                raise KeyError(key)
            return job.result

    def run_here(
        self, key: Hashable, function: Callable[..., Any], *arguments: Any, progress: bool = True
    ) -> Any:
        """Run a light job in this thread, through the same store of results."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
        result = function(*arguments, progress=_ignore) if progress else function(*arguments)
        with self._lock:
            self._store(key, result)
        return result

    def leave(self, owner: str, except_key: Hashable = None) -> None:
        """Give up an owner's jobs; those that nobody else waits for are ended."""
        with self._lock:
            for job in list(self._jobs.values()):
                if owner not in job.owners or job.key == except_key:
                    continue
                job.owners.discard(owner)
                if not job.owners:
                    self._drop(job)
            self._pump()

    def wait(self, owner: str, key: Hashable, timeout: float | None = None) -> JobStatus:
        """Wait until a job is over and return its state; for tests and scripts, never for a page."""
        with self._lock:
            job = self._jobs.get(self._known(owner, key))
        if job is not None:
            job.over.wait(timeout)
        return self.status(owner, key)

    @property
    def max_jobs(self) -> int:
        """Jobs that run at the same time."""
        return len(self._slots)

    def load(self) -> tuple[int, int]:
        """Return how many jobs run and how many wait."""
        with self._lock:
            states = [job.state for job in self._jobs.values()]
        return states.count("running"), states.count("queued")

    def close(self) -> None:
        """End all jobs and all worker processes."""
        with self._lock:
            for job in list(self._jobs.values()):
                self._drop(job)
            for slot in self._slots:
                slot.end()

    def _known(self, owner: str, key: Hashable) -> Hashable:
        private = (owner, key)
        return private if private in self._jobs else key

    def _status(self, key: Hashable, owner: str) -> JobStatus:
        if key in self._results:
            return JobStatus("done")
        job = self._jobs.get(key)
        if job is None or owner not in job.owners:
            return JobStatus("cancelled")
        if job.state == "queued":
            ahead = [
                other
                for other in self._jobs.values()
                if other.state == "queued" and other.number < job.number
            ]
            return JobStatus("queued", place=len(ahead) + 1)
        if job.state == "running":
            done, total = _read(job.counter)
            return JobStatus("running", done=done, total=total)
        return JobStatus(job.state, message=job.message)

    def _pump(self) -> None:
        """Give waiting jobs to free slots, first come first served."""
        busy = {id(job.slot) for job in self._jobs.values() if job.state == "running"}
        waiting = sorted(
            (job for job in self._jobs.values() if job.state == "queued"), key=lambda job: job.number
        )
        for slot in self._slots:
            if not waiting:
                return
            if id(slot) in busy:
                continue
            job = waiting.pop(0)
            job.slot, job.state, job.counter = slot, "running", _new_counter()
            try:
                future = slot.start(job)
            except Exception as fault:  # noqa: BLE001 - a broken pool must not take the caller down
                self._finish(job, None, fault)
                continue
            future.add_done_callback(lambda future, job=job: self._collect(job, future))  # type: ignore[misc]

    def _collect(self, job: _Job, future: Future[Any]) -> None:
        try:
            fault = future.exception()
            result = None if fault else future.result()
        except CancelledError as cancelled:
            fault, result = cancelled, None
        with self._lock:
            if job.state == "running":
                self._finish(job, result, fault)
            self._pump()

    def _finish(self, job: _Job, result: Any, fault: BaseException | None) -> None:
        _remove(job.counter)
        job.fault = fault
        if fault is None:
            job.state, job.result = "done", result
            if job.keep:
                self._store(job.key, result)
                self._jobs.pop(job.key, None)
        else:
            from concurrent.futures.process import BrokenProcessPool

            job.state = "failed"
            killed = isinstance(fault, BrokenProcessPool | CancelledError)
            job.message = str(fault) if isinstance(fault, MirageError) else _KILLED if killed else _BROKEN
            if killed and job.slot is not None:
                job.slot.end()
        job.over.set()

    def _drop(self, job: _Job) -> None:
        was_running = job.state == "running"
        job.state = "cancelled"
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        if was_running and job.slot is not None:
            job.slot.end()
        _remove(job.counter)
        job.over.set()

    def _store(self, key: Hashable, result: Any) -> None:
        self._results[key] = result
        self._results.move_to_end(key)
        while len(self._results) > self._max_results:
            self._results.popitem(last=False)


def jobs_at_once() -> int:
    """Return how many jobs may run at the same time: ``MIRAGE_MAX_JOBS``, or 1 where it is not a positive number."""
    text = os.environ.get("MIRAGE_MAX_JOBS", "1")
    return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 10 else 1


def _work(counter: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run one job; called in the worker process."""

    def report(done: int, total: int) -> None:
        if counter:
            with contextlib.suppress(OSError):
                descriptor = os.open(counter, os.O_WRONLY)
                try:
                    os.write(descriptor, _COUNTS.pack(done, total))
                finally:
                    os.close(descriptor)

    return function(*arguments, progress=report)


def _stand_back() -> None:
    """Let the server's answers to readers go first; called in a worker process as it starts."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_NICE)


def _ignore(done: int, total: int) -> None:
    """Take a report of progress and do nothing."""


def _context() -> Any:
    from joblib.externals.loky.backend import get_context

    return get_context("loky")


def _new_counter() -> Path | None:
    """Return a file of two whole numbers that worker and server share, or None where none can be made."""
    try:
        descriptor, name = tempfile.mkstemp(prefix="mirage-progress-")
        os.write(descriptor, _COUNTS.pack(0, 0))
        os.close(descriptor)
    except OSError:
        return None
    return Path(name)


def _read(counter: Path | None) -> tuple[int, int]:
    if counter is None:
        return 0, 0
    try:
        done, total = _COUNTS.unpack(counter.read_bytes()[: _COUNTS.size])
    except (OSError, struct.error):
        return 0, 0
    return int(done), int(total)


def _remove(counter: Path | None) -> None:
    if counter is not None:
        with contextlib.suppress(OSError):
            counter.unlink(missing_ok=True)
