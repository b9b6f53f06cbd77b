"""`CheckReport`: what was found on reading a benchmark, faults and remarks and sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.benchmark.faults import Fault
    from core.benchmark.summary import Summary


@dataclass(frozen=True)
class CheckReport:
    """What was found on reading a benchmark.

    Parameters
    ----------
    faults
        Everything that stops the benchmark from being read; empty when it was read.
    notes
        Remarks that stop nothing, such as a default that was filled in.
    summary
        Sizes and leaderboard; None when there are faults.
    """

    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
    summary: Summary | None = None
