"""Results and figures of the pocket Hubble page, cached by what they depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from core.contamination import hubble, shipped
from core.contamination.correction import Correction, CorrectionSettings, correct
from core.contamination.pocket.pair import PocketSettings
from core.contamination.pocket.summary import auroc_table, calibrated_reliability, tie_to_correctness
from core.contamination.pool_correction import PoolCase, draw_case, repeated_errors
from core.contamination.regimes import REGIMES, Design, offers
from core.figures.detection import auroc_figure, reliability_figure
from core.figures.estimates import error_figure, estimate_figure
from core.figures.pocket_hubble import accuracy_figure, tokens_figure

if TYPE_CHECKING:
    import pandas as pd

    from core.contamination.pocket.pair import PocketPair
    from core.contamination.pool_correction import DrawnCase
    from core.contamination.pools import ItemPool
    from core.figures.base import Figure

HUBBLE_ACCURACY = (
    "Hubble, 8 B parameters, 500 B tokens (arXiv 2510.19811); data/hubble/hubble_8b_500b_accuracy.csv."
)
HUBBLE_AUROC = (
    "Hubble, 8 B parameters, 500 B tokens (arXiv 2510.19811); data/hubble/hubble_8b_500b_mia_auroc.csv."
)


@dataclass(frozen=True, slots=True)
class Wish:
    """How the pair's test sets are corrected: everything it depends on."""

    settings: PocketSettings
    attack: str
    scope: str
    signal: str
    regime: str
    prior: float | None
    measured: bool

    @property
    def source(self) -> str:
        """Where the numbers come from."""
        return source_of(self.settings)

    @property
    def where(self) -> str:
        """The case in words."""
        label = REGIMES[self.regime].label
        text = "" if self.scope == "whole" else " of the question"
        return f"{label[0].lower()}{label[1:]}, {self.attack}{text}"


def settings_of(values: dict[str, object]) -> PocketSettings:
    """Return the settings that the controls ask for."""
    return PocketSettings(
        seed=int(values["seed"]),  # type: ignore[call-overload]
        learning_rate=float(values["rate"]),  # type: ignore[arg-type]
        levels=tuple(int(level) for level in str(values["levels"]).split(",")),
    )


def source_of(settings: PocketSettings) -> str:
    """Return where a pair's numbers come from."""
    how = "shipped with the program" if settings == shipped.default_pocket_settings() else "trained just now"
    return (
        f"Two models of 71,000 parameters, {how}: seed {settings.seed}, learning rate {settings.learning_rate:g}; measured on 2,000 "
        "items."
    )


@st.cache_resource(max_entries=32, show_spinner=False)
def accuracies(settings: PocketSettings, _pair: PocketPair) -> Figure:
    """Return the pair's accuracy by copies; `_pair` is decided by `settings`."""
    return accuracy_figure(
        _pair.accuracy_frame(),
        name="Pocket pair",
        label="recomputed",
        source=source_of(settings),
        chance=0.25,
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def published_accuracies() -> Figure:
    """Return Hubble's published MMLU accuracies by copies."""
    import pandas as pd

    table = hubble.accuracies("mmlu")
    rows = [
        {"duplicates": level, "standard": table["standard"][level], "perturbed": table["perturbed"][level]}
        for level in hubble.LEVELS
    ]
    preset = hubble.preset("mmlu")
    return accuracy_figure(
        pd.DataFrame(rows),
        name="Hubble on MMLU",
        label="published",
        source=HUBBLE_ACCURACY,
        chance=preset.chance,
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def aurocs_of(settings: PocketSettings, _pair: PocketPair) -> pd.DataFrame:
    """Return all AUROCs; `_pair` is decided by `settings`."""
    return auroc_table(_pair)


@st.cache_resource(max_entries=32, show_spinner=False)
def auroc_levels(
    settings: PocketSettings, scope: str, _pair: PocketPair, hidden: int | None = None
) -> Figure:
    """Return AUROC by copies for all scores, one number of copies hidden; `_pair` is decided by `settings`."""
    table = aurocs_of(settings, _pair)
    table = table[(table["scope"] == scope) & (table["duplicates"] != "all")]
    table = table.assign(duplicates=table["duplicates"].astype(int)).drop(columns="scope")
    return auroc_figure(
        table, name="Pocket pair", label="recomputed", source=source_of(settings), hidden=hidden
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def published_aurocs() -> Figure:
    """Return Hubble's published MMLU AUROCs."""
    import pandas as pd

    rows = [
        {"attack": attack, "duplicates": level, "auroc": value}
        for attack, values in hubble.attack_aurocs().items()
        for level, value in values.items()
    ]
    return auroc_figure(pd.DataFrame(rows), name="Hubble on MMLU", label="published", source=HUBBLE_AUROC)


@st.cache_resource(max_entries=64, show_spinner=False)
def tokens_of(settings: PocketSettings, item: int, _pair: PocketPair) -> Figure:
    """Return one item token by token; `_pair` is decided by `settings`."""
    return tokens_figure(
        _pair.texts[item].split(" "),
        [float(value) for value in _pair.standard[item]],
        [float(value) for value in _pair.perturbed[item]],
        copies=int(_pair.duplicates[item]),
        source=source_of(settings),
    )


def pool_of(wish: Wish, pair: PocketPair) -> ItemPool:
    """Return the pair as a pool."""
    return pair.pool(wish.scope, wish.signal, clean_outcomes_measured=wish.measured)  # type: ignore[arg-type]


def is_offered(wish: Wish, pair: PocketPair) -> bool:
    """Whether the pair has items for what is to leak."""
    return offers(pool_of(wish, pair), wish.regime, Design())


@st.cache_resource(max_entries=32, show_spinner=False)
def reliability_of(wish: Wish, _pair: PocketPair) -> Figure:
    """Return the reliability of calibrated scores; `_pair` is decided by `wish`."""
    pool = pool_of(wish, _pair)
    diagrams = {
        "as calibrated": calibrated_reliability(pool, wish.attack, 0.3, corrected=False),
        "prior corrected": calibrated_reliability(pool, wish.attack, 0.3, corrected=True),
    }
    return reliability_figure(
        diagrams,
        attack=wish.attack,
        name="other items, 30 % leaked at all doses",
        label="recomputed",
        source=wish.source,
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def drawn(wish: Wish, _pair: PocketPair) -> tuple[DrawnCase, Correction]:
    """Return one test set with its correction; `_pair` is decided by `wish`."""
    case = draw_case(pool_of(wish, _pair), PoolCase(regime=wish.regime, attack=wish.attack))
    return case, correct(case.test, case.calibration, CorrectionSettings(resamples=1000, prior=wish.prior))


@st.cache_resource(max_entries=64, show_spinner=False)
def drawn_figure(wish: Wish, _pair: PocketPair) -> Figure:
    """Return the figure of one test set; `_pair` is decided by `wish`."""
    case, correction = drawn(wish, _pair)
    return estimate_figure(
        correction.frame(), truth=case.truth, where=wish.where, label="recomputed", source=wish.source
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def errors_of(wish: Wish, _pair: PocketPair) -> pd.DataFrame:
    """Return the errors over 300 test sets; `_pair` is decided by `wish`."""
    case = PoolCase(regime=wish.regime, attack=wish.attack, design=Design(replicates=300))
    return repeated_errors(pool_of(wish, _pair), case, wish.prior)


@st.cache_resource(max_entries=64, show_spinner=False)
def errors_figure(wish: Wish, _pair: PocketPair) -> Figure:
    """Return the figure of `errors_of`."""
    return error_figure(
        errors_of(wish, _pair), where=wish.where, test_sets=300, label="recomputed", source=wish.source
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def ties_of(settings: PocketSettings, attack: str, _pair: PocketPair) -> dict[str, float]:
    """Return a score's correlation with y* on clean items, by scope; `_pair` is decided by `settings`."""
    return {scope: tie_to_correctness(_pair, scope, attack) for scope in ("whole", "question")}  # type: ignore[arg-type]


@st.cache_resource(max_entries=16, show_spinner=False)
def signal_areas(settings: PocketSettings, _pair: PocketPair) -> dict[str, float]:
    """Return how well each correctness signal separates items that the standard model gets right (AUROC)."""
    from core.contamination.detection import auroc

    return {name: auroc(values, _pair.y_standard).value for name, values in _pair.confidence.items()}


def items_of_level(pair: PocketPair) -> str:
    """Return which item numbers have how many copies, in words."""
    parts = []
    for level in np.unique(pair.duplicates):
        members = np.flatnonzero(pair.duplicates == level)
        parts.append(f"{members[0] + 1:,} to {members[-1] + 1:,}: {level}")
    return "; ".join(parts)
