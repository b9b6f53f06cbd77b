"""What the phase diagrams page draws under its title."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from core.contamination import requests, shipped
from core.contamination.pool_files import read_pool
from core.contamination.statements import check_statements
from core.figures.phase_diagrams import PANEL_TITLES, SELECTION, PhaseLook, with_predictors
from pages.kit.figure import show_figure
from pages.kit.guess import ask, given_guess, is_shown, show_verdict, with_guess
from pages.kit.jobs import job_result
from pages.kit.room import room_for
from pages.parts.phase_diagrams import words
from pages.parts.phase_diagrams.controls import CONTROLS, GUESS_PANEL, OWN, QUESTION
from pages.parts.phase_diagrams.figures import (
    PoolWish,
    cell_figure_of,
    design_words,
    diagram_figure,
    is_shipped,
    lines_figure,
    nearest_cell,
    pool_of,
    settings_of,
    shipped_frame,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    import pandas as pd

    from core.contamination.phase import PhaseSettings
    from core.contamination.pools import ItemPool
    from core.figures.base import Figure
    from pages.kit.badges import Origin
    from pages.kit.registry import PageInfo

_OPTIONS: Final = ("n", "rate", "replicates", "medium", "concentration", "loading", "extra", "seed")


def current_frame() -> pd.DataFrame:
    """Return the shipped diagram that the title talks about: the chosen preset's, MMLU's for a reader's own pool."""
    key = CONTROLS.value("pool")
    return shipped_frame("mmlu" if key == OWN else key)


def show(page: PageInfo) -> None:
    """Draw the question, or the controls and the diagram."""
    if not is_shown(page, CONTROLS, QUESTION):
        ask(page, CONTROLS, QUESTION)
        _show_before(page)
        return
    _controls()
    settings = settings_of(CONTROLS.values())
    key = CONTROLS.value("pool")
    if key == OWN:
        _show_own(page, settings)
        return
    wish = PoolWish(key, CONTROLS.value("seed"), CONTROLS.value("loading"))
    frame: pd.DataFrame | None
    if is_shipped(wish, settings):
        frame = shipped_frame(key)
        if key == "mmlu":
            low = frame[frame["regime"] == GUESS_PANEL]
            show_verdict(page, CONTROLS, QUESTION, 100 * float((low["winner"] == "naive").mean()))
            if given_guess(page, CONTROLS, QUESTION) is not None:
                st.caption(
                    f"The dashed frame in “{PANEL_TITLES[GUESS_PANEL]}” covers as many cells as you guessed; the grey ones are "
                    "the answer."
                )
    else:
        frame = job_result(
            "pd_phase",
            ("phase", wish, settings),
            requests.phase_of_preset,
            wish.key,
            wish.seed,
            wish.loading,
            settings,
            label=f"Simulating {design_words(settings)}",
        )
    if frame is not None:
        look = _look(wish.name, wish.source, settings, "simulated")
        _show_diagram(page, (wish, settings), frame, look, settings, pool_of(wish))


def _show_before(page: PageInfo) -> None:
    """Draw the random panels but the one that is asked for."""
    settings = shipped.default_phase_settings()
    wish = PoolWish("mmlu")
    frame = shipped_frame("mmlu")
    shown = frame[frame["regime"].isin(["random_medium", "random_high"])]
    look = _look(wish.name, wish.source, settings, "simulated")
    st.markdown(words.legend(settings.contest))
    figure = diagram_figure(("before", wish, settings), look, shown)
    show_figure(page, "diagram", figure, ["simulated"], controls=CONTROLS)


def _controls() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("pool")
        CONTROLS.show("grid")
        with st.popover("Options", icon=":material/tune:"):
            for name in _OPTIONS:
                CONTROLS.show(name)
    with st.container(horizontal=True, gap="medium"):
        for name in ("auroc", "bias"):
            with st.container(width=330):
                CONTROLS.show(name)


def _look(pool: str, origin: str, settings: PhaseSettings, label: str) -> PhaseLook:
    return PhaseLook(pool, origin, design_words(settings), label)


def _show_diagram(
    page: PageInfo,
    key: Hashable,
    frame: pd.DataFrame,
    look: PhaseLook,
    settings: PhaseSettings,
    pool: ItemPool,
) -> None:
    rows = words.degenerate_rows(frame)
    drawn = frame
    if rows:
        st.info(words.degenerate_note(frame, rows, pool.chance), icon=":material/info:")
        from core.contamination.regimes import REGIMES

        drawn = frame[[REGIMES[regime].row not in rows for regime in frame["regime"]]]
    if drawn.empty:
        regime = CONTROLS.show("panel")
        if regime in set(frame["regime"]):
            figure = lines_figure((key, regime), regime, look, frame)
            show_figure(page, "lines", figure, [_origin(look)], controls=CONTROLS)
        return
    auroc, bias = CONTROLS.value("auroc"), CONTROLS.value("bias")
    st.markdown(words.legend(settings.contest))
    panels = [regime for regime in PANEL_TITLES if regime in set(drawn["regime"])]
    figure = with_predictors(diagram_figure((key, tuple(rows)), look, drawn), auroc, bias)
    if key == (PoolWish("mmlu"), shipped.default_phase_settings()):
        figure = with_guess(page, CONTROLS, QUESTION, figure)
    show_figure(
        page,
        "diagram",
        figure,
        [_origin(look)],
        controls=CONTROLS,
        draw=partial(_draw_panels, panels),
    )
    st.markdown(words.reader_note(drawn, auroc, bias))
    _show_cell(page, key, drawn, look, settings, pool)
    if not rows:
        _show_statements(frame)


def _draw_panels(regimes: list[str], key: str, figure: Figure) -> None:
    """Draw the panels side by side, each with cells that can be clicked."""
    with st.grid(3, min_column_width=260, gap="medium"):
        for regime, panel in zip(regimes, figure.panels, strict=True):
            with st.container(gap="xsmall"):
                st.markdown(f"**{panel.title}**")
                chart = f"{key}_chart_{regime}"
                with room_for(key, panel):
                    st.altair_chart(
                        panel.chart,
                        width="stretch",
                        theme=None,
                        key=chart,
                        alt=panel.alt,
                        on_select=partial(_move_reader, regime, chart),
                        selection_mode=SELECTION,
                    )


def _move_reader(regime: str, chart: str) -> None:
    """Put the reader's predictors on the clicked cell; called before the next run."""
    picked: Any = st.session_state.get(chart, {}).get("selection", {}).get(SELECTION, [])
    if picked:
        st.session_state[CONTROLS.key("auroc")] = round(float(picked[0]["auroc"]), 2)
        st.session_state[CONTROLS.key("bias")] = round(float(picked[0]["bias"]), 1)
        st.session_state[CONTROLS.key("panel")] = regime


def _show_cell(
    page: PageInfo,
    key: Hashable,
    frame: pd.DataFrame,
    look: PhaseLook,
    settings: PhaseSettings,
    pool: ItemPool,
) -> None:
    st.header("One cell, all its errors", anchor=False)
    st.caption("Click a cell above, or move your predictors and choose a panel.")
    regime = CONTROLS.show("panel")
    if regime not in set(frame["regime"]):
        st.info("This panel is not drawn here; choose another.", icon=":material/info:")
        return
    place = nearest_cell(frame, regime, CONTROLS.value("auroc"), CONTROLS.value("bias"))
    if place is None:
        st.info("Your |bias| lies beyond this panel's axis; make it smaller.", icon=":material/info:")
        return
    figure = cell_figure_of(key, settings, regime, place, look, pool)
    show_figure(page, "cell", figure, [_origin(look)], controls=CONTROLS)


def _origin(look: PhaseLook) -> Origin:
    return "recomputed" if look.label == "recomputed" else "simulated"


def _show_statements(frame: pd.DataFrame) -> None:
    found = check_statements(frame)
    if not found:
        return
    st.header("What the paper says of its diagrams, checked on this one", anchor=False)
    st.markdown(
        "\n".join(
            f"- {statement.text}: "
            f"{':material/check: holds' if statement.holds else ':material/close: **fails**'} ({statement.numbers})."
            for statement in found
        )
    )
    if not all(statement.holds for statement in found):
        st.caption(
            "The paper's statements are about its own benchmarks and items. Where one fails here, the pool's published means leave "
            "no room for it, or the settings are not the paper's; the model was not changed to rescue it."
        )


def _show_own(page: PageInfo, settings: PhaseSettings) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        upload = st.file_uploader(
            "A pool of your own: CSV or Parquet with item, y_clean, y_observed, duplicates, confidence",
            type=["csv", "parquet"],
            key="pd_upload",
        )
        CONTROLS.show("chance")
        st.download_button(
            "Example file",
            data=_example,
            file_name="mirage-pool-example.csv",
            mime="text/csv",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
    if upload is None:
        st.info("Load a file to draw its diagram. It stays in this session.", icon=":material/upload:")
        return
    content = upload.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    chance, seed = CONTROLS.value("chance") / 100, CONTROLS.value("seed")
    pool = _own_pool(upload, digest, chance, seed)
    key = ("own", digest, chance, settings)
    frame = job_result(
        "pd_own",
        key,
        requests.phase_of_pool,
        pool,
        settings,
        label=f"Simulating {design_words(settings)}",
        keep=False,
    )
    if frame is not None:
        look = _look(pool.name, f"Computed here from the loaded file {pool.name}", settings, "recomputed")
        _show_diagram(page, key, frame, look, settings, pool)


def _own_pool(upload: Any, digest: str, chance: float, seed: int) -> ItemPool:
    """Return the loaded pool, parsed once per session."""
    known = st.session_state.get("_pd_pool")
    if known is None or known[0] != (digest, chance, seed):
        name = str(upload.name).rsplit(".", 1)[0]
        known = ((digest, chance, seed), read_pool(upload, name, chance=chance, seed=seed))
        st.session_state["_pd_pool"] = known
    return known[1]


def _example() -> str:
    return pool_of(PoolWish("popqa")).frame().to_csv(index=False)
