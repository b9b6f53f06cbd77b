"""Guess first: the reader commits to a number before the answer is shown.

Guessing before seeing helps to remember. Showing the answer never depends on a guess, and ``?reveal=1`` skips it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import streamlit as st

from core.figures.wording import number
from pages.kit.emphasis import main_button
from pages.kit.reveal import GIVEN, hide, is_revealed, note_revealed, reveal

if TYPE_CHECKING:
    from core.figures.base import Figure
    from core.figures.guess_mark import Patch, Spot
    from pages.kit.controls import Controls
    from pages.kit.registry import PageInfo


@dataclass(frozen=True, slots=True)
class Question:
    """What the reader guesses.

    Parameters
    ----------
    control
        Name of the page's control that holds the guess: a `Decimal`, or a slider over numbers.
    text
        The question, one sentence.
    unit
        Unit of the guess, after a space.
    subject
        What is guessed, to begin the verdict with ("The published loss").
    decimals
        Decimals in which guess and answer are said.
    place
        Where the guess is drawn in the figure that holds the answer.
    """

    control: str
    text: str
    unit: str
    subject: str
    decimals: int = 1
    place: Spot | Patch | None = None


GUESS_WIDTH: Final = 280
VERDICT_WIDTH: Final = 600


def verdict(question: Question, guess: float, truth: float) -> str:
    """Return guess, answer and error in words.

    Examples
    --------
    >>> ask = Question("guess", "How much?", "pp", "The loss")
    >>> verdict(ask, 2.0, 4.8)
    'You guessed 2.0 pp. The loss is 4.8 pp: your guess was 2.8 pp too low.'
    >>> verdict(ask, 4.8, 4.83)
    'You guessed 4.8 pp. The loss is 4.8 pp: you were right.'
    >>> verdict(Question("guess", "What share?", "%", "The share", decimals=0), 40, 89)
    'You guessed 40 %. The share is 89 %: your guess was 49 pp too low.'
    """
    unit = f" {question.unit}" if question.unit else ""
    guessed, true = (f"{number(value, question.decimals)}{unit}" for value in (guess, truth))
    error = round(guess, question.decimals) - round(truth, question.decimals)
    if abs(error) < 0.5 * 10**-question.decimals:
        judgement = "you were right"
    else:
        # Two shares in percent lie percentage points apart.
        apart = " pp" if question.unit == "%" else unit
        judgement = (
            f"your guess was {abs(error):.{question.decimals}f}{apart} too {'high' if error > 0 else 'low'}"
        )
    return f"You guessed {guessed}. {question.subject} is {true}: {judgement}."


def is_shown(page: PageInfo, controls: Controls, question: Question) -> bool:
    """Whether the answer is shown: it was asked for, or the link leads to another state of the controls.

    Such a link was made by somebody who had seen the answer.
    """
    if controls.changed(question.control):
        note_revealed(page.prefix)
    return is_revealed(page.prefix)


def ask(page: PageInfo, controls: Controls, question: Question) -> bool:
    """Draw the question while the answer is hidden, and return whether the answer is shown."""
    if is_shown(page, controls, question):
        return True
    with st.container(border=True, key=f"{page.prefix}_guess_first", gap="small"):
        st.markdown(f"**Guess first.** {question.text}")
        controls.show(question.control)
        with st.container(horizontal=True):
            st.button(
                "That is my guess",
                key=f"{page.prefix}_guess_given",
                type=main_button(),
                on_click=_give,
                args=(page.prefix,),
            )
            st.button("Show me", key=f"{page.prefix}_show_me", on_click=reveal, args=(page.prefix,))
    return False


def given_guess(page: PageInfo, controls: Controls, question: Question) -> float | None:
    """Return the reader's guess once it is given, else None."""
    value = controls.value(question.control)
    moved = value != controls[question.control].default
    if is_revealed(page.prefix) and (moved or st.session_state.get(f"{page.prefix}{GIVEN}", False)):
        return float(value)
    return None


def show_verdict(page: PageInfo, controls: Controls, question: Question, truth: float) -> None:
    """Say how the guess compares, beside its control; nothing where none was given.

    The control stays: it holds the guess in the page's address, and another guess from the room can be marked with it.
    """
    if given_guess(page, controls, question) is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        with st.container(width=GUESS_WIDTH):
            guess = float(controls.show(question.control))
        st.markdown(f":material/flag: {verdict(question, guess, truth)}", width=VERDICT_WIDTH)


def with_guess(page: PageInfo, controls: Controls, question: Question, figure: Figure) -> Figure:
    """Return the figure with the reader's guess drawn beside the answer; as it is where no guess was given."""
    guess = given_guess(page, controls, question)
    if guess is None or question.place is None:
        return figure
    return question.place.mark(figure, guess, question.decimals)


def guess_again(page: PageInfo, controls: Controls, question: Question) -> None:
    """Draw a button that hides the answer for a guess; nothing while it is hidden."""
    if is_shown(page, controls, question):
        st.button(
            "Guess first",
            key=f"{page.prefix}_guess_again",
            help="Hides the answer, puts all controls back and asks for your guess.",
            type="tertiary",
            icon=":material/flag:",
            on_click=_again,
            args=(page.prefix, controls),
        )


def _give(prefix: str) -> None:
    reveal(prefix)
    st.session_state[f"{prefix}{GIVEN}"] = True


def _again(prefix: str, controls: Controls) -> None:
    controls.put({})
    hide(prefix)
