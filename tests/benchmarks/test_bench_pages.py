"""How soon a page is there for a first-time visitor, and how soon it answers a control that needs no new simulation."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from pages.kit.registry import PAGES
from tests.benchmarks.page_timing import first_paint
from tests.browser.conftest import browser, chromium, running_server  # noqa: F401 - fixtures
from tests.load.crowd import GAMES, Game, Ledger, Reader

pytestmark = pytest.mark.benchmark

ROUNDS = 5
CHANGES = 30
PAINT_SECONDS, RERUN_MS = 1.5, 100
LIGHT = (
    *(game for game in GAMES if game.light),
    Game("methods", ("compare",)),
)


@pytest.fixture(scope="module")
def warm_server():
    with running_server() as (address, _):
        yield address


@pytest.mark.parametrize("info", PAGES, ids=lambda info: info.stem)
def test_first_paint(benchmark, report, browser, warm_server, info):  # noqa: F811 - a fixture
    """Title and first chart, with nothing in the browser's cache, on a server that has shown the page before."""
    where = f"{warm_server}{info.path}"
    first_paint(browser, where)
    seen = []
    benchmark.pedantic(lambda: seen.append(first_paint(browser, where)), rounds=ROUNDS)
    title, chart = (float(np.median([getattr(one, name) for one in seen])) for name in ("title", "chart"))
    benchmark.extra_info.update(title=title, chart=chart)
    assert title > 0
    report(f"/{info.stem}: title, first chart", f"{PAINT_SECONDS} s", f"{title:.2f} s, {chart:.2f} s")


@pytest.mark.parametrize("game", LIGHT, ids=lambda game: game.page)
def test_rerun(benchmark, report, warm_server, game):
    """One visitor alone: from the changed control to the end of the page's run, every control's values met before."""

    async def play():
        ledger = Ledger()
        reader = Reader(warm_server, 0, ledger, (game,))
        await reader.open()
        for _ in range(2 * CHANGES):
            await reader.change()
        await reader.close()
        assert ledger.faults == []
        return ledger.by_page[game.page][CHANGES:]

    taken = 1000 * np.array(benchmark.pedantic(lambda: asyncio.run(play()), rounds=1))
    p50, p95 = np.median(taken), np.quantile(taken, 0.95)
    benchmark.extra_info.update(median_ms=p50, p95_ms=p95)
    report(f"/{game.page}: a control changed, p95", f"{RERUN_MS} ms", f"{p95:.0f} ms (median {p50:.0f})")
