"""Sentences of the phase diagrams page, computed from the diagram that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.contamination.phase import DEGENERATE_BIAS
from core.contamination.regimes import REGIMES
from core.figures.phase_diagrams import LETTERS, NAMES, PROSE, shares
from core.figures.wording import capitalised, count, join, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

LEAD: Final = (
    "A test leaked into a model's training data. Four estimators try to say what the clean model would score: *naive* trusts the "
    "observed score, *IPW* a predictor of which items leaked, *imputation* a predictor of which items the clean model gets right, "
    "*combined* both. Each cell simulates test sets for one quality of either predictor and names the estimator that errs least."
)
BADGES: Final = {
    "naive": "gray",
    "ipw": "blue",
    "imputation": "orange",
    "combined": "green",
    "control_variate": "violet",
    "epg": "primary",
}


def page_claim(frame: pd.DataFrame) -> str:
    """Return the page's title: how many estimators win somewhere."""
    winners = [name for name in NAMES if name in set(frame["winner"])]
    if len(winners) == 1:
        return f"On this benchmark {NAMES[winners[0]]} wins whatever predictor you have"
    return f"Which estimator to trust depends on which predictor you have: {count(len(winners))} of them win somewhere"


def panel_claim(frame: pd.DataFrame, regime: str) -> str:
    """Return what a single panel says: who wins most of its cells."""
    name, share = next(iter(shares(frame, regime).items()))
    return f"{capitalised(PROSE[regime])}: {NAMES[name]} errs least in {number(100 * share, 0)} % of cells"


def legend(contest: Sequence[str]) -> str:
    """Return the letters and colours as Markdown badges."""
    return " ".join(f":{BADGES[name]}-badge[{LETTERS[name]} {NAMES[name]}]" for name in contest)


def reader_note(frame: pd.DataFrame, auroc: float, bias_pp: float) -> str:
    """Say what wins at the reader's predictors, panel by panel."""
    by_winner: dict[str, list[str]] = {}
    beyond = []
    for key in dict.fromkeys(frame["regime"]):
        panel = frame[frame["regime"] == key]
        name = PROSE[key]
        if bias_pp > 100 * panel["bias"].max() + 1e-9:
            beyond.append(name)
            continue
        distance = (panel["auroc"] - auroc).abs() * 1e3 + (100 * panel["bias"] - bias_pp).abs()
        row = panel.loc[distance.idxmin()]
        by_winner.setdefault(str(row["winner"]), []).append(name + (" (a tie)" if row["tie"] else ""))
    parts = [f"**{NAMES[name]}** errs least for {join(where)}" for name, where in by_winner.items()]
    text = (
        f"With your predictors (AUROC {number(auroc, 2)}, |bias| {number(bias_pp)} pp), {'; '.join(parts)}."
        if parts
        else ""
    )
    if beyond:
        text += f" Your bias lies beyond the axis of {join(beyond)}: it is more than never predicting anything but a guess could have."
    return text


def degenerate_rows(frame: pd.DataFrame) -> list[str]:
    """Return the rows whose bias axis says nothing: "random", "correlated"."""
    found = []
    for row in ("random", "correlated"):
        keys = [key for key, regime in REGIMES.items() if regime.row == row]
        part = frame[frame["regime"].isin(keys)]
        if len(part) and part["bias"].max() < DEGENERATE_BIAS:
            found.append(row)
    return found


def degenerate_note(frame: pd.DataFrame, rows: Sequence[str], chance: float) -> str:
    """Say why a row is not drawn."""
    keys = [key for key, regime in REGIMES.items() if regime.row in rows]
    limit = 100 * frame.loc[frame["regime"].isin(keys), "bias"].max()
    which = f"{rows[0]} row is" if len(rows) == 1 else f"{join(rows)} rows are"
    return (
        f"The {which} not drawn. A guess is right {number(100 * chance, 0)} % of the time here, and so, within "
        f"{number(limit, 2)} pp, is the clean model: no correctness predictor, however poor, can have a |bias| above "
        f"{number(limit, 2)} pp, so there is no axis to show."
    )


def share_note(frame: pd.DataFrame) -> str:
    """Say which estimator wins most of each panel."""
    parts = []
    for key in dict.fromkeys(frame["regime"]):
        name, share = next(iter(shares(frame, key).items()))
        parts.append(f"{PROSE[key]} {NAMES[name]} ({number(100 * share, 0)} %)")
    return f"Largest region per panel: {capitalised(join(parts))}."
