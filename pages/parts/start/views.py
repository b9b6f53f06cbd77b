"""The start page's figure, after the reader's guess."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pages.kit.figure import show_figure
from pages.kit.guess import ask, given_guess, guess_again, is_shown, show_verdict, with_guess
from pages.parts.start import figures
from pages.parts.start.content import paragraph
from pages.parts.start.controls import CONTROLS, GUESS_BENCHMARK, QUESTION

if TYPE_CHECKING:
    from pages.kit.registry import PageInfo


def lead(page: PageInfo) -> str:
    """Return the paragraph under the title, silent on what is asked while that is hidden."""
    return paragraph(figures.losses(), hidden=None if is_shown(page, CONTROLS, QUESTION) else GUESS_BENCHMARK)


def show_choices(page: PageInfo) -> None:
    """Draw what the ranking's choice costs; one benchmark's cost is asked for first."""
    if not ask(page, CONTROLS, QUESTION):
        show_figure(page, "choice", figures.choices(hidden=GUESS_BENCHMARK), ["published"], controls=CONTROLS)
        return
    truth, spot = figures.answer(GUESS_BENCHMARK)
    show_verdict(page, CONTROLS, QUESTION, truth)
    guess_again(page, CONTROLS, QUESTION)
    guess = given_guess(page, CONTROLS, QUESTION)
    figure = figures.choices(include=() if guess is None else (spot.base + guess,))
    figure = with_guess(page, CONTROLS, replace(QUESTION, place=spot), figure)
    show_figure(page, "choice", figure, ["published"], controls=CONTROLS)
