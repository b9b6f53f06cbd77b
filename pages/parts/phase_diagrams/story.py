"""The story of the phase diagrams page for the lecture hall: one or two panels at a time, from the shipped diagram."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.contamination import shipped
from core.figures.phase_diagrams import PhaseLook, with_predictors
from pages.kit.story import Step, Story, tall
from pages.parts.phase_diagrams import words
from pages.parts.phase_diagrams.controls import QUESTION
from pages.parts.phase_diagrams.figures import (
    PoolWish,
    cell_figure_of,
    design_words,
    diagram_figure,
    nearest_cell,
    pool_of,
    shipped_frame,
)

if TYPE_CHECKING:
    import pandas as pd

    from core.contamination.phase import PhaseSettings
    from core.figures.base import Figure
    from pages.kit.story import State

BEFORE: Final = ("random_medium", "random_high")
"""The panels that the question stands beside; the one that it asks for is hidden."""

BY_DIFFICULTY: Final = ("easy", "hard")
_HEIGHT: Final = 400
_PAIR_HEIGHT: Final = 300


def _settings() -> PhaseSettings:
    return shipped.default_phase_settings()


def _look(state: State) -> PhaseLook:
    wish = PoolWish(state["pool"])
    return PhaseLook(wish.name, wish.source, design_words(_settings()))


def _part(state: State, regimes: tuple[str, ...]) -> pd.DataFrame:
    frame = shipped_frame(state["pool"])
    return frame[frame["regime"].isin(regimes)]


def _panels(state: State, regimes: tuple[str, ...], *, marked: bool) -> Figure:
    """Return some panels of the shipped diagram, the speaker's predictors marked or not."""
    key = ("stage", PoolWish(state["pool"]), _settings(), regimes)
    figure = diagram_figure(key, _look(state), _part(state, regimes))
    if marked:
        figure = with_predictors(figure, state["auroc"], state["bias"])
    if len(regimes) == 1:
        return replace(figure.panels[0], subtitle=figure.subtitle, height=_HEIGHT)
    return tall(figure, _PAIR_HEIGHT)


def _panel(state: State) -> Figure:
    return _panels(state, (state["panel"],), marked=False)


def _marked_panel(state: State) -> Figure:
    return _panels(state, (state["panel"],), marked=True)


def _panel_title(state: State) -> str:
    return words.panel_claim(shipped_frame(state["pool"]), state["panel"])


def _reader_note(state: State, regimes: tuple[str, ...]) -> str:
    return words.reader_note(_part(state, regimes), state["auroc"], state["bias"])


def _cell(state: State) -> Figure:
    wish, settings, regime = PoolWish(state["pool"]), _settings(), state["panel"]
    place = nearest_cell(shipped_frame(wish.key), regime, state["auroc"], state["bias"])
    assert place is not None, "the story's predictors lie on the axis of its panel"
    return tall(
        cell_figure_of((wish, settings), settings, regime, place, _look(state), pool_of(wish)), _HEIGHT
    )


STORY: Final = Story(
    (
        Step(
            "guess",
            "A test leaked. When is it best to correct nothing?",
            QUESTION.text,
            "First read one cell aloud: across, how well a predictor tells leaked from clean items; down, how far off another one is "
            "about the clean model; the letter errs least. Then ask for hands: under a third of the cells, half, or more?",
            figure=lambda state: _panels(state, BEFORE, marked=False),
            origins=("simulated",),
        ),
        Step(
            "single-copy",
            _panel_title,
            "A single copy adds little to the score, and a correction has errors of its own.",
            "Point at the top edge: only a correctness predictor that is nearly perfect earns a correction here. Dots mark ties within "
            "two standard errors. They do not cover another pool of items.",
            {"panel": "random_low"},
            _panel,
            ("simulated",),
        ),
        Step(
            "many-copies",
            _panel_title,
            lambda state: f"{_reader_note(state, (state['panel'],))} The diamond marks them.",
            "The same test sets and the same predictors as before; only the dose is higher. Ask who would know where their own "
            "predictors stand on these axes. On the page the diamond can be moved.",
            {},
            _marked_panel,
            ("simulated",),
        ),
        Step(
            "one-cell",
            lambda state: _cell(state).title,
            lambda _: f"What the estimators get wrong at the diamond, in {design_words(_settings())}.",
            "A bar off zero is a bias, a long bar is noise; the error of a cell counts both. Naive is precise and wrong, which is why "
            "its small spread comforts nobody.",
            {},
            _cell,
            ("simulated",),
        ),
        Step(
            "easy-or-hard",
            lambda state: words.page_claim(shipped_frame(state["pool"])),
            lambda state: _reader_note(state, BY_DIFFICULTY),
            "Same share of leaked items, same diamond, another winner: what leaked matters as much as how much. Where hard items "
            "leaked, the clean rest is easier than the whole, so weighting by cleanness lands too high. The diagrams rest on a "
            "simulated pool with published means; they do not cover predictors whose errors are shaped differently.",
            {"panel": "hard"},
            lambda state: _panels(state, BY_DIFFICULTY, marked=True),
            ("simulated",),
        ),
    )
)
