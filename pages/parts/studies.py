"""A study of a bundled benchmark run on the page: its controls, its run and its summary, for every page that offers one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from core.bundled_study import StudyWish, run_wish
from pages.kit.controls import Choice, Whole
from pages.kit.jobs import job_result

if TYPE_CHECKING:
    import pandas as pd

    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.result import Study
    from pages.kit.controls import Controls
    from pages.kit.registry import PageInfo

BUDGETS: Final = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
BANKS: Final = (
    ("terminal_science", "Terminal-Bench-Science"),
    ("swe_verified_38", "SWE-bench Verified (38)"),
)
TRIALS: Final = (50, 100, 250, 500, 1000)
OWN_SEEDS: Final = 0
LIGHT_TRIALS: Final = 250
"""Studies of Terminal-Bench-Science up to this many trials take under half a second and run at once."""

TRIALS_CONTROL: Final = Choice(
    "trials", "Trials", tuple((trials, str(trials)) for trials in TRIALS), 250, look="slider"
)
SEED_CONTROL: Final = Whole(
    "seed",
    "Seed",
    0,
    9999,
    OWN_SEEDS,
    help="0 uses the benchmark's own seeds. Any other number draws other splits and other random routers.",
)


def run_study(
    page: PageInfo, controls: Controls, bank: str, endpoints: EndpointPolicy
) -> tuple[StudyWish, Study | None, int]:
    """Draw budget, trials and seed, and run the study.

    Parameters
    ----------
    page, controls
        The page, whose controls are called ``budget``, ``trials`` and ``seed``.
    bank, endpoints
        What is studied: a key of `BANKS`, and the pool that the mixed pair is chosen from.

    Returns
    -------
    tuple
        What was asked for, the study (None while it waits or runs) and the budget to read off.
    """
    with st.container(horizontal=True, gap="large"):
        with st.container(width=380):
            budget = int(controls.show("budget"))
        with st.container(width=260):
            trials = controls.show("trials")
        with st.container(width=160):
            seed = controls.show("seed")
    wish = StudyWish(bank, trials=trials, seed=seed, endpoints=endpoints)
    study: Study | None = job_result(
        f"{page.prefix}_study",
        wish,
        run_wish,
        wish,
        label=f"Recomputing {dict(BANKS)[bank]}, {trials} trials",
        light=bank == "terminal_science" and trials <= LIGHT_TRIALS,
    )
    return wish, study, budget


@st.cache_resource(max_entries=64, show_spinner=False)
def study_summary(wish: StudyWish, _study: Study) -> pd.DataFrame:
    """Return a study's summary; `_study` is decided by `wish`. Not to be changed."""
    return _study.summary()
