"""The attack on the page: portion by portion, with what is there so far, until it is done, stopped or changed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from core import stress_default
from core.errors import DataError
from core.reuse.portions import Portion, StressWish, portion_ends, run_portion
from pages.kit.emphasis import main_button
from pages.kit.jobs import job_result
from pages.parts.stress_test import words

if TYPE_CHECKING:
    from core.benchmark.model import Benchmark
    from core.jobs import JobStatus
    from pages.parts.stress_test.sources import Bank

LIGHT_TRIALS: Final = 100
LIGHT_LARGEST: Final = 128
LIGHT_RULES: Final = 6
_ARMED: Final = "_st_armed"
_RUN: Final = "_st_run"


@dataclass
class Run:
    """A run of the attack in this session.

    Parameters
    ----------
    key
        What is run: benchmark and wish.
    began
        When, in seconds of a clock that only runs forward.
    portions
        What is there so far.
    """

    key: tuple[str, StressWish]
    began: float
    portions: list[Portion] = field(default_factory=list)

    @property
    def trials_done(self) -> int:
        """Trials that are there."""
        return self.portions[-1].stop if self.portions else 0


def is_light(bank: Bank, wish: StressWish) -> bool:
    """Whether the whole attack takes about a second and runs at once."""
    return (
        bank.token == "terminal_science"  # noqa: S105 - the name of a benchmark
        and wish.trials <= LIGHT_TRIALS
        and max(wish.budgets) <= LIGHT_LARGEST
        and len(wish.rules) <= LIGHT_RULES
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def _shipped(_benchmark: Benchmark) -> Portion | None:
    """Return the shipped outcomes; computed here where they cannot be read."""
    try:
        return stress_default.shipped_portion(_benchmark)
    except DataError:
        return None


def attack(bank: Bank, wish: StressWish) -> list[Portion]:
    """Return the portions that are there, and draw how to start, progress, or how to stop.

    Parameters
    ----------
    bank
        A benchmark without faults.
    wish
        What to run.
    """
    key = (bank.token, wish)
    if bank.token == stress_default.BENCHMARK and wish == stress_default.WISH:
        shipped = _shipped(bank.benchmark)
        if shipped is not None:
            return [shipped]
    if is_light(bank, wish):
        return [
            job_result(
                "st_light",
                (*key, 0),
                run_portion,
                bank.benchmark,
                wish,
                0,
                wish.trials,
                label="Attacking",
                light=True,
            )
        ]
    run = st.session_state.get(_RUN)
    if run is None or run.key != key:
        run = st.session_state[_RUN] = Run(key, time.monotonic())
    if run.trials_done >= wish.trials:
        return run.portions
    if st.session_state.get(_ARMED) != _arming(bank):
        st.button(
            "Run the stress test",
            key="st_start",
            type=main_button(),
            icon=":material/play_arrow:",
            on_click=_arm,
            args=(_arming(bank),),
        )
        return run.portions
    for end in portion_ends(wish.trials):
        if end <= run.trials_done:
            continue
        start = run.trials_done
        portion = job_result(
            "st_attack",
            (*key, start, end),
            run_portion,
            bank.benchmark,
            wish,
            start,
            end,
            label="Attacking",
            keep=not bank.own,
            wording=partial(_wording, run, wish),
            beside=_show_stop,
        )
        if portion is None:
            break
        run.portions.append(portion)
    return run.portions


def _show_stop() -> None:
    st.button("Stop", key="st_stop", icon=":material/stop:", on_click=_disarm)


def _wording(run: Run, wish: StressWish, status: JobStatus) -> tuple[float, str]:
    return words.progress_wording(
        status, run.trials_done, wish.trials, len(wish.rules), time.monotonic() - run.began
    )


def _arming(bank: Bank) -> str:
    """Return what a press of the button holds for: one upload, or all benchmarks of the server."""
    return "upload" if bank.own else "shipped"


def _arm(what: str) -> None:
    st.session_state[_ARMED] = what
    run = st.session_state.get(_RUN)
    if run is not None:
        run.began = time.monotonic()


def _disarm() -> None:
    st.session_state.pop(_ARMED, None)
