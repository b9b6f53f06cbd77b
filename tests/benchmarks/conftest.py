"""Print the speed table: each measurement's median beside the budget it is held to (nothing is asserted)."""

from __future__ import annotations

import os

import pytest

BUDGETS: list[tuple[str, str, str, str]] = []


@pytest.fixture
def report(benchmark):
    """Return a function that notes a measurement: what, budget, measured."""

    def note(what: str, budget: str, measured: str | None = None) -> None:
        if measured is None:
            stats = benchmark.stats.stats
            measured = (
                f"{stats.median:.2f} s (median of {len(stats.data)}, {stats.min:.2f} to {stats.max:.2f})"
            )
        BUDGETS.append((what, budget, measured, ""))

    return note


def pytest_terminal_summary(terminalreporter):
    if not BUDGETS:
        return
    widths = [max(len(row[column]) for row in BUDGETS) for column in range(3)]
    terminalreporter.write_sep("=", f"speed on {os.cpu_count()} cores")
    header = ("what", "budget", "measured")
    widths = [max(width, len(title)) for width, title in zip(widths, header, strict=True)]
    for row in (header, *BUDGETS):
        terminalreporter.write_line(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        )
