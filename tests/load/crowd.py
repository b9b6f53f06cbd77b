"""Twenty readers, a maintainer with a large file, and a meter at the server's side."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import dataclass, field
from importlib import import_module
from typing import NamedTuple

import numpy as np
import psutil

from core.benchmark.item_parquet import items_parquet
from pages.kit.controls import Choice, Decimal, Switch, Whole
from tests.benchmarks.engine_benchmark import drawn_benchmark
from tests.load.visitor import VisitError, Visitor

VISITORS = 20
PERIOD_SECONDS = 2.0  # one control change per visitor
ENGINE_SETTINGS = b'ranking = "mean_win_rate"\nprecision = "float64"\n'
MIB = 1024**2


class Game(NamedTuple):
    """What a reader plays with: controls that start no job.

    On a light page they need no new simulation. The others compute something small in the server itself.
    """

    page: str
    controls: tuple[str, ...]
    light: bool = True
    query: dict = {}  # noqa: RUF012 - read only
    only: dict = {}  # noqa: RUF012 - read only


GAMES = (
    Game("selection_loss", ("measure", "layout", "budget", "bands", "static")),
    Game("score_gap", ("budget", "view"), only={"view": ("Curves", "Gap and loss")}),
    Game("one_trial", ("candidate",), query={"ot_step": "B. Weights"}),
    Game("feedback", ("measure", "axis", "scores", "partition", "budget", "bands")),
    Game("lifespan", ("outcome", "tolerance")),
    Game("fresh_items", ("cutoff",)),
    Game("stress_test", ("measure", "tolerance")),
    Game("phase_diagrams", ("panel",), light=False),
    Game("correct_a_score", ("spiked",), light=False),
    Game("pocket_hubble", ("attack", "scope", "signal", "regime"), light=False),
)


def _options(game):
    """Return (key, values) of the controls that a visitor plays with."""
    controls = import_module(f"pages.parts.{game.page}.controls").CONTROLS
    for name in game.controls:
        one = controls[name]
        if isinstance(one, Choice):
            values = game.only.get(name) or tuple(label for _, label in one.options)
        elif isinstance(one, Switch):
            values = (True, False)
        elif isinstance(one, Decimal):
            values = (0.5, 0.8, 1.0, 1.5, 2.0, 3.0)
        elif isinstance(one, Whole):
            values = tuple(range(int(one.low), int(one.high) + 1))
        else:
            raise TypeError(f"{game.page}: the crowd cannot play with {one}.")
        yield controls.key(name), values


@dataclass
class Ledger:
    """What the crowd met."""

    by_page: dict = field(default_factory=dict)
    faults: list = field(default_factory=list)

    def note(self, page, seconds):
        self.by_page.setdefault(page, []).append(seconds)

    def of(self, *, light):
        """Return the seconds of all changes on light pages, or on the others."""
        pages = {game.page for game in GAMES if game.light == light}
        return [one for page, taken in self.by_page.items() if page in pages for one in taken]


class Reader:
    """A visitor of a light page who changes one control after the other."""

    def __init__(self, address, number, ledger, games):
        self.game = games[number % len(games)]
        self.page = self.game.page
        self.visitor = Visitor(address, self.page, {"reveal": "1", **self.game.query})
        self.controls = tuple(_options(self.game))
        self.random = random.Random(number)
        self.ledger = ledger
        self.shown = {}

    async def open(self):
        await self.visitor.open()
        self._look()

    async def change(self):
        """Change a control that is there to another value, and note how long the page took."""
        there = [(key, values) for key, values in self.controls if self.visitor.has(key)]
        if not there:
            raise VisitError(f"/{self.page} has none of its controls. It says: {self.visitor.text[:400]}")
        key, values = self.random.choice(there)
        value = self.random.choice([one for one in values if one != self.shown.get(key)])
        self.shown[key] = value
        seconds = await self.visitor.change(key, value)
        self.ledger.note(self.page, seconds)
        self._look()

    async def play(self, seconds, rest=0.0):
        """Change a control every two seconds; the first one after `rest`."""
        try:
            await asyncio.sleep(rest)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                due = time.monotonic() + PERIOD_SECONDS
                await self.change()
                await asyncio.sleep(max(0.0, due - time.monotonic()))
        except VisitError as fault:
            self.ledger.faults.append(str(fault))

    async def close(self):
        await self.visitor.close()

    def _look(self):
        self.ledger.faults.extend(f"/{self.page}: {fault}" for fault in self.visitor.faults)
        self.ledger.faults.extend(f"/{self.page} shows: {alert}" for alert in self.visitor.alerts)
        self.visitor.faults.clear()


@contextlib.asynccontextmanager
async def readers(address, ledger, *, light, count=VISITORS):
    """Open that many pages, one after the other, and close them at the end: light pages only, or all."""
    crowd = []
    games = [game for game in GAMES if game.light or not light]
    try:
        for number in range(count):
            reader = Reader(address, number, ledger, games)
            await reader.open()
            crowd.append(reader)
        yield crowd
    finally:
        for reader in crowd:
            await reader.close()


async def play(crowd, seconds):
    """Let everybody change a control every two seconds, evenly spread over them."""
    offsets = (PERIOD_SECONDS * number / len(crowd) for number in range(len(crowd)))
    await asyncio.gather(*(reader.play(seconds, rest) for reader, rest in zip(crowd, offsets, strict=True)))


async def play_with_newcomers(address, ledger, crowd, seconds, every=5.0):
    """As `play`, but every few seconds the visitor who is longest there leaves and another comes to the same page."""

    async def seat(place, rest):
        await asyncio.sleep(rest)
        end = time.monotonic() + seconds - rest
        while (left := end - time.monotonic()) > 0:
            await crowd[place].play(min(left, every * len(crowd)))
            if ledger.faults:
                return
            await crowd[place].close()
            crowd[place] = Reader(address, place, ledger, GAMES)
            await crowd[place].open()

    await asyncio.gather(*(seat(place, every * place / 4) for place in range(len(crowd))))


class Maintainer:
    """A visitor of the stress test with the engine benchmark, who keeps one job running."""

    def __init__(self, address):
        self.visitor = Visitor(
            address,
            "stress_test",
            {"st_source": "Your own file", "st_trials": "1,000", "st_largest": "2,048"},
        )
        self.seed = 0

    async def open(self):
        """Load the files; they are the largest benchmark of the paper in size."""
        await self.visitor.open()
        await self.visitor.upload("st_items", "engine.parquet", items_parquet(drawn_benchmark()))
        await self.visitor.upload("st_settings", "settings.toml", ENGINE_SETTINGS)
        await self.visitor.until(lambda: self.visitor.has("st_start"), "the button that starts the attack")

    async def start(self):
        """Start the job and wait until it has done some of its trials."""
        if self.visitor.has("st_start"):
            await self.visitor.click("st_start")
        await self.visitor.until(lambda: self.is_running, "a job that runs")

    @property
    def is_running(self):
        """Whether the page shows a job's progress."""
        return "Attacking:" in self.visitor.text and "waiting, place" not in self.visitor.text

    async def keep_busy(self, seconds):
        """Ask for another seed whenever the job is done; return the share of the time in which a job ran."""
        end, looks, busy = time.monotonic() + seconds, 0, 0
        while time.monotonic() < end:
            looks += 1
            busy += self.is_running
            if not self.visitor.has("st_stop"):
                self.seed += 1
                await self.visitor.change("st_seed", self.seed)
            await asyncio.sleep(0.2)
        if self.visitor.faults or self.visitor.alerts:
            raise VisitError(f"The maintainer met {self.visitor.faults} and was shown {self.visitor.alerts}.")
        return busy / looks

    async def restart(self):
        """Have a job run again, another one than before."""
        if self.visitor.query["st_source"] != "Your own file":
            raise VisitError("The maintainer has left the file.")
        if not self.visitor.has("st_stop"):
            self.seed += 1
            await self.visitor.change("st_seed", self.seed)
        await self.start()

    async def cancel(self):
        """Stop the job by the button that stands beside its progress."""
        await self.visitor.click("st_stop")

    async def close(self):
        await self.visitor.close()


class Meter:
    """Memory and processor time of a server and of the processes that it started."""

    def __init__(self, process):
        self.server = psutil.Process(process)

    def processes(self):
        """Return the server and its children of all generations."""
        return [self.server, *self.server.children(recursive=True)]

    def memory(self):
        """Return the resident bytes of the server alone and of all of its processes."""
        own, below = self.server.memory_info().rss, 0
        for process in self.server.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                below += process.memory_info().rss
        return own, own + below

    def processor_seconds(self):
        """Return the processor time that each living process has used."""
        used = {}
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                used[process.pid] = times.user + times.system
        return used

    async def busy(self, patience=60.0):
        """Wait until the processes below the server are at work."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            before = self.processor_seconds()
            await asyncio.sleep(0.3)
            now = self.processor_seconds()
            if sum(now[one] - before.get(one, now[one]) for one in now if one != self.server.pid) >= 0.1:
                return
        raise VisitError(f"No job used the processors within {patience:.0f} s.")

    async def idle_after(self, patience, window=0.3, share=0.1):
        """Return the seconds until a window begins in which all processes together use less than a share of one core.

        A process that ended uses nothing; its last moments are counted in the window in which it was last seen.
        """
        start = time.monotonic()
        looks = [(0.0, self.processor_seconds())]
        while looks[-1][0] < patience + window:
            await asyncio.sleep(0.05)
            now = self.processor_seconds()
            looks.append((time.monotonic() - start, now))
            earlier = next((one for one in reversed(looks) if looks[-1][0] - one[0] >= window), None)
            if earlier is not None:
                spent = sum(used - earlier[1].get(process, used) for process, used in now.items())
                if spent <= share * (looks[-1][0] - earlier[0]):
                    return earlier[0]
        return float("inf")

    async def watch(self, seconds, every=1.0):
        """Return (seconds, server's bytes, all bytes) once a second."""
        start, rows = time.monotonic(), []
        while time.monotonic() - start < seconds:
            rows.append((time.monotonic() - start, *self.memory()))
            await asyncio.sleep(every)
        return rows


def slope_mib_per_minute(rows):
    """Return how fast the server's memory grew, by least squares."""
    seconds, own, _ = np.array(rows).T
    return float(np.polyfit(seconds / 60, own / MIB, 1)[0])
