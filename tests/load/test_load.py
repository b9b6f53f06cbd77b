"""The real server under twenty visitors: answers, memory, cancelled jobs, and whose data is whose.

A short slice runs with every test and asserts what does not depend on the machine's speed. ``make soak`` sets MIRAGE_SOAK, runs
longer (MIRAGE_SOAK_MINUTES, 10), prints a table and holds the times to their bounds.
"""

from __future__ import annotations

import asyncio
import os

import numpy as np

from tests.load.crowd import (
    MIB,
    VISITORS,
    Ledger,
    Maintainer,
    play,
    play_with_newcomers,
    readers,
    slope_mib_per_minute,
)
from tests.load.visitor import Visitor
from tests.report.report_samples import items_csv, small_benchmark

SOAK = "MIRAGE_SOAK" in os.environ
PLAY_SECONDS = 60.0 if SOAK else 16.0
FLAT_MINUTES = float(os.environ.get("MIRAGE_SOAK_MINUTES", "10"))
CANCELS = 4 if SOAK else 1

P95_MS = 500.0
IDLE_SECONDS = 1.0
SLICE_IDLE_SECONDS = 10.0  # elsewhere the tests share the processors with one another
SERVER_BYTES = 1024 * MIB
JOB_BYTES = 2048 * MIB
SLOPE_MIB_PER_MINUTE = 3.0
WARM_UP = 0.4  # share of the long phase before the slope is measured: caches fill, and closed sessions are kept for a while


def _times(seconds):
    taken = 1000 * np.array(seconds)
    return f"median {np.median(taken):.0f}, p95 {np.quantile(taken, 0.95):.0f}, max {taken.max():.0f} ms ({len(taken)} changes)"


def _mib(count):
    return f"{count / MIB:,.0f} MiB"


def _complaints(log):
    text = log.read_text(errors="replace")
    return [line for line in text.splitlines() if "Traceback" in line or "Unexpected fault" in line]


async def _crowd_and_job(address, meter, note):
    ledger, maintainer = Ledger(), Maintainer(address)
    async with readers(address, ledger, light=True) as crowd:
        await play(crowd, 6.0)  # first visits compile and cache
        without_job, _ = meter.memory()
        ledger.by_page.clear()
        await maintainer.open()
        await maintainer.start()
        before, _ = meter.memory()
        busy, rows, _ = await asyncio.gather(
            maintainer.keep_busy(PLAY_SECONDS), meter.watch(PLAY_SECONDS), play(crowd, PLAY_SECONDS)
        )
        own, together = (max(row[place] for row in rows) for place in (1, 2))
        note("errors", "0", str(len(ledger.faults)))
        light = ledger.of(light=True)
        note(
            f"light pages, {VISITORS} visitors, one job (it ran {100 * busy:.0f} % of the time)",
            f"p95 {P95_MS:.0f} ms",
            _times(light),
        )
        note("server, no job: resident memory", _mib(SERVER_BYTES), _mib(without_job))
        note(
            "server with a job: start, peak",
            "",
            f"{_mib(before)}, {_mib(own)}; with its workers {_mib(together)}",
        )
        assert ledger.faults == []
        expected = VISITORS * PLAY_SECONDS / 2
        assert len(light) >= (0.8 * expected if SOAK else VISITORS)
        assert {reader.page for reader in crowd} == set(ledger.by_page)
        assert busy > 0.5
        assert without_job < SERVER_BYTES
        assert together - without_job < JOB_BYTES
    if SOAK:
        async with readers(address, ledger, light=False) as others:
            ledger.by_page.clear()
            await asyncio.gather(maintainer.keep_busy(PLAY_SECONDS / 2), play(others, PLAY_SECONDS / 2))
            note(
                "the same with 6 of the visitors on pages that compute: light pages",
                "",
                _times(ledger.of(light=True)),
            )
            note("    pages that compute", "", _times(ledger.of(light=False)))
            assert ledger.faults == []
    waits = await _cancels(maintainer, meter)
    note(
        f"a cancelled job frees the processors ({len(waits)} times)",
        f"{IDLE_SECONDS:.0f} s",
        f"at most {max(waits):.2f} s",
    )
    return light, waits


async def _cancels(maintainer, meter):
    """Cancel a job by a control, several times, and by closing the tab; return how long the processors stayed busy."""
    waits = []
    for _ in range(CANCELS):
        await maintainer.restart()
        await meter.busy()
        asked = asyncio.create_task(maintainer.cancel())
        waits.append(await meter.idle_after(SLICE_IDLE_SECONDS))
        await asked
    await maintainer.restart()
    await meter.busy()
    closed = asyncio.create_task(maintainer.close())
    waits.append(await meter.idle_after(SLICE_IDLE_SECONDS))
    await closed
    return waits


def test_twenty_visitors_and_a_job(loaded, table):
    address, meter, log = loaded
    light, waits = asyncio.run(_crowd_and_job(address, meter, table))
    assert max(waits) < SLICE_IDLE_SECONDS
    assert _complaints(log) == []
    if SOAK:
        assert 1000 * np.quantile(light, 0.95) < P95_MS
        assert max(waits) < IDLE_SECONDS


def test_visitors_never_see_each_others_uploads(loaded):
    address, _, log = loaded
    names = ("amber", "birch", "cedar", "dune", "elm")

    async def everybody():
        marks = {name: f"canary-of-{name}-{7919 * (1 + place)}" for place, name in enumerate(names)}
        return await asyncio.gather(*(_own_run(address, marks, name) for name in names))

    for visitor, own in asyncio.run(everybody()):
        assert visitor.faults == []
        assert visitor.alerts == []
        assert visitor.seen == {own}
    text = log.read_text(errors="replace")
    assert "canary" not in text
    assert _complaints(log) == []


async def _own_run(address, marks, name):
    """Upload a file of one's own, attack it, and return the visitor with what he was sent."""
    own = marks[name]
    models = tuple(f"{own}-model-{number}" for number in range(6))
    visitor = Visitor(
        address,
        "stress_test",
        {
            "st_source": "Your own file",
            "st_trials": "25",
            "st_largest": "32",
            "st_compare": "Cap of 16",
        },
        watched=tuple(mark.encode() for mark in marks.values()),
    )
    await visitor.open()
    content = items_csv(small_benchmark(models=models), prompt=f"{own} prompt")
    await visitor.upload("st_items", f"{own}.csv", content)
    await visitor.until(lambda: visitor.has("st_start"), "the button that starts the attack")
    await visitor.change("st_board", True, bound=False)  # unfold the leaderboard, which names the models
    await visitor.click("st_start")
    await visitor.until(lambda: "Which models were mixed" in visitor.text, "the end of the attack", 120)
    await visitor.close()
    return visitor, own.encode()


def test_the_page_that_a_visitor_sees_follows_the_control(loaded):
    """The visitor without a browser is one: what it changes is what the page then shows."""
    address, _, _ = loaded

    async def look():
        visitor = Visitor(address, "selection_loss", {"reveal": "1", "sl_budget": "64"})
        await visitor.open()
        assert "64 submissions" in visitor.charts
        await visitor.change("sl_budget", "512")
        assert "512 submissions" in visitor.charts
        assert "64 submissions" not in visitor.charts
        await visitor.change("sl_layout", "Small multiples")
        assert visitor.charts.count("submissions") > 6
        assert visitor.faults == []
        await visitor.close()

    asyncio.run(look())


if SOAK:

    def test_memory_is_flat(loaded, table):
        """Twenty visitors on all pages for minutes, one of them leaving and another coming every few seconds."""
        address, meter, log = loaded

        async def long_visit():
            ledger, seconds = Ledger(), 60 * FLAT_MINUTES
            async with readers(address, ledger, light=False) as crowd:
                rows, _ = await asyncio.gather(
                    meter.watch(seconds), play_with_newcomers(address, ledger, crowd, seconds)
                )
            return ledger, rows

        ledger, rows = asyncio.run(long_visit())
        settled = [row for row in rows if row[0] >= WARM_UP * rows[-1][0]]
        slope = slope_mib_per_minute(settled)
        table(
            f"{FLAT_MINUTES:g} minutes, 20 visitors coming and going: start, end, peak",
            _mib(SERVER_BYTES),
            f"{_mib(rows[0][1])}, {_mib(rows[-1][1])}, {_mib(max(row[1] for row in rows))}",
        )
        table(
            f"    growth after the first {100 * WARM_UP:.0f} %",
            f"{SLOPE_MIB_PER_MINUTE:g} MiB/min",
            f"{slope:+.2f} MiB/min",
        )
        table("    light pages", "", _times(ledger.of(light=True)))
        table("    errors", "0", str(len(ledger.faults)))
        assert ledger.faults == []
        assert _complaints(log) == []
        assert max(row[1] for row in rows) < SERVER_BYTES
        assert slope < SLOPE_MIB_PER_MINUTE
