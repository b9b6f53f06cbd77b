"""The server under load, and the table that ``make soak`` prints."""

from __future__ import annotations

import os

import pytest

from tests.browser.conftest import running_server
from tests.load.crowd import Meter

ROWS: list[tuple[str, str, str]] = []


@pytest.fixture
def table():
    """Return a function that notes a measurement: what, bound, measured."""

    def note(what, bound, measured):
        ROWS.append((what, bound, measured))

    return note


@pytest.fixture
def loaded(tmp_path):
    """Address, meter and log of a fresh server with a cache folder of its own."""
    log = tmp_path / "server.log"
    with (
        log.open("wb") as stream,
        running_server(log=stream, MIRAGE_CACHE_DIR=str(tmp_path / "cache"), MIRAGE_MAX_JOBS="1") as (
            address,
            process,
        ),
    ):
        yield address, Meter(process), log


def pytest_terminal_summary(terminalreporter):
    if not ROWS or "MIRAGE_SOAK" not in os.environ:
        return
    rows = [("what", "bound", "measured"), *ROWS]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    terminalreporter.write_sep(
        "=", f"load on {os.cpu_count()} cores; the machine's load averages now: {load}"
    )
    for row in rows:
        terminalreporter.write_line(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
