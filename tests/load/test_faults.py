"""What may break around a running server, each met by a visitor: the cache, a worker, a client that does not keep up."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal

import psutil
import pytest
from websockets import ConnectionClosed

from core.reuse.portions import portion_ends
from tests.browser.conftest import running_server
from tests.load.crowd import Meter
from tests.load.visitor import Visitor

LONG_PORTION_BEGINS = portion_ends(1000)[4]
STUDY = {"sl_view": "Recomputed here", "sl_bank": "SWE-bench Verified (38)", "sl_trials": "1,000"}
DONE = "What to notice"


def _served(log, **environment):
    return running_server(log=log, MIRAGE_MAX_JOBS="1", **environment)


async def _study(address, page="selection_loss", query=None):
    visitor = Visitor(address, page, {"reveal": "1", **(query or {})})
    await visitor.open()
    return visitor


def _worker(process):
    """Return the process of the running job: the child that has used the processor most."""
    children = psutil.Process(process).children(recursive=True)
    return max(children, key=lambda child: sum(child.cpu_times()[:2]))


def _trials_done(visitor):
    found = re.search(r"Attacking: ([\d,]+) of", visitor.text)
    return int(found[1].replace(",", "")) if found else 0


def _is_content(visitor):
    return visitor.faults == [] and visitor.alerts == [] and "Something went wrong" not in visitor.text


def test_a_cache_that_is_removed_while_a_study_runs_is_made_again(tmp_path):
    cache = tmp_path / "cache"

    async def remove(stop):
        while not stop.is_set():
            await asyncio.to_thread(shutil.rmtree, cache, ignore_errors=True)
            await asyncio.sleep(0.01)

    async def look(address):
        stop = asyncio.Event()
        removing = asyncio.create_task(remove(stop))
        visitor = await _study(address, query=STUDY)
        await visitor.until(lambda: DONE in visitor.text, "the study")
        await visitor.change("sl_bank", "Terminal-Bench-Science")  # in the server itself
        await visitor.until(lambda: DONE in visitor.text, "the other study")
        assert _is_content(visitor)
        stop.set()
        await removing
        shutil.rmtree(cache, ignore_errors=True)
        await visitor.change("sl_seed", 7)
        await visitor.until(lambda: DONE in visitor.text, "a study with another seed")
        assert _is_content(visitor)
        assert {path.parent.name for path in cache.glob("*/*")} >= {"gates", "splits"}
        await visitor.close()

    with (tmp_path / "log").open("wb") as log, _served(log, MIRAGE_CACHE_DIR=str(cache)) as (address, _):
        asyncio.run(look(address))
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize("kind", ["no folder can be made", "the folder is read-only"])
def test_without_a_writable_cache_everything_works(tmp_path, kind):
    if kind == "the folder is read-only":
        cache = tmp_path / "cache"
        cache.mkdir(mode=0o555)  # a superuser may write all the same: then this is the ordinary case
    else:
        (tmp_path / "file").write_text("")
        cache = tmp_path / "file" / "cache"

    async def look(address):
        visitor = await _study(address, query=STUDY)
        await visitor.until(lambda: DONE in visitor.text, "the study")
        await visitor.change("sl_bank", "Terminal-Bench-Science")
        await visitor.until(lambda: DONE in visitor.text, "the other study")
        assert _is_content(visitor)
        await visitor.close()

    with (tmp_path / "log").open("wb") as log, _served(log, MIRAGE_CACHE_DIR=str(cache)) as (address, _):
        asyncio.run(look(address))
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_killed_worker_is_told_and_the_line_moves_on(tmp_path):
    attack = {"st_source": "Simulated HELM Capabilities", "st_trials": "1,000", "st_largest": "2,048"}

    async def look(address, process):
        ann = await _study(address, "stress_test", attack)
        await ann.click("st_start")
        await ann.until(lambda: _trials_done(ann) >= LONG_PORTION_BEGINS, "the longest portion")
        ben = await _study(address, query=STUDY)
        await ben.until(lambda: "waiting, place 1 in line" in ben.text, "a place in line")
        os.kill(_worker(process).pid, signal.SIGKILL)
        await ann.until(lambda: bool(ann.alerts), "a sentence about what happened")
        (sentence,) = ann.alerts
        assert "ended from outside" in sentence
        assert "Run it again" in sentence
        await ben.until(lambda: DONE in ben.text, "the next job in line")
        assert _is_content(ben)
        assert not ann.has("st_stop")
        await ann.click("st_attack_again")
        await ann.until(lambda: "Attacking:" in ann.text, "progress of the second try")
        assert ann.alerts == []
        await ann.until(lambda: "So far: " in ann.text, "results of the second try")
        assert ann.faults == ben.faults == []
        await ann.close()
        await ben.close()

    cache = str(tmp_path / "cache")
    with (tmp_path / "log").open("wb") as log, _served(log, MIRAGE_CACHE_DIR=cache) as (address, process):
        asyncio.run(look(address, process))


def test_a_client_that_does_not_read_holds_nobody_up(tmp_path):
    """Its messages wait in a queue of their own; the server lets go of it rather than keep them all."""

    async def look(address, process):
        stalled, other = (
            Visitor(address, "selection_loss", {"reveal": "1"}, narrow=True),
            await _study(address),
        )
        await stalled.open()
        stalled.stall()
        before, _ = Meter(process).memory()
        for number in range(30):
            budget = ("32", "64")[number % 2]
            with contextlib.suppress(ConnectionClosed):
                await stalled.ask_only("sl_budget", budget)
            await other.change("sl_budget", budget)
            assert f"{budget} submissions" in other.charts
        after, _ = Meter(process).memory()
        assert after - before < 128 * 1024**2
        assert _is_content(other)
        assert stalled.received < other.received / 3, "the line was not narrow enough to test anything"
        late = await _study(address, query={"sl_budget": "64"})
        assert "64 submissions" in late.charts
        for visitor in (stalled, other, late):
            await visitor.close()

    with (tmp_path / "log").open("wb") as log, _served(log) as (address, process):
        asyncio.run(look(address, process))
