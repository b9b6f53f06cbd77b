"""`Plan`: what all blocks of trials of a study share, laid out once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.reuse.interfaces import interface_of
from core.reuse.scoring import ItemTable, Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.gates import Gates
    from core.reuse.interfaces import Interface
    from core.reuse.rules import Rule


@dataclass(frozen=True, eq=False)
class Plan:
    """What all blocks of a study share.

    Parameters
    ----------
    benchmark, table
        The data, and its layout by task.
    rule
        What a submission gets back.
    own
        The interface that endpoints are chosen from.
    policy
        Which models may become endpoints.
    budgets
        Ascending, starting with 1.
    gates
        Choices of the random routers, rows in the benchmark's prompt order.
    reused, held_out
        How task sums become scores on either side.
    """

    benchmark: Benchmark
    table: ItemTable
    rule: Rule
    own: Interface
    policy: EndpointPolicy
    budgets: tuple[int, ...]
    gates: Gates
    reused: Scale
    held_out: Scale

    @classmethod
    def of(
        cls,
        benchmark: Benchmark,
        *,
        policy: EndpointPolicy,
        rule: Rule,
        budgets: tuple[int, ...],
        gates: Gates,
        targets: NDArray[np.int64],
    ) -> Plan:
        """Plan a study; `targets` are the held-out items per task."""
        table = ItemTable.of(benchmark)
        own = interface_of(benchmark) if rule.interface.endpoints_from == "own" else rule.interface
        sizes = np.bincount(benchmark.item_task, minlength=len(benchmark.tasks))
        return cls(
            benchmark=benchmark,
            table=table,
            rule=rule,
            own=own,
            policy=policy,
            budgets=budgets,
            gates=gates,
            reused=table.scale(benchmark, sizes - targets),
            held_out=table.scale(benchmark, targets),
        )

    def answered(self, budget: int) -> int:
        """Return how many submissions of a budget are answered; the rest run into the rule's cap."""
        return budget if self.rule.cap is None else min(budget, self.rule.cap)

    def under(self, rule: Rule, policy: EndpointPolicy) -> Plan:
        """Return the plan of another rule on the same data, splits, routers and budgets."""
        own = interface_of(self.benchmark) if rule.interface.endpoints_from == "own" else rule.interface
        return replace(self, rule=rule, own=own, policy=policy)
