"""A scrubber in the browser: a slider and a play switch that move through frames without a rerun.

A player is two Vega parameters. The slider's parameter holds the frame; the play switch lets a timer advance it. Nothing
moves until the reader asks, and at the last frame it stops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

FRAME: Final = "frame"
PLAYING: Final = "playing"


@dataclass(frozen=True, slots=True)
class Player:
    """A scrubber over whole numbers.

    Parameters
    ----------
    label
        Label of the slider.
    low, high
        First and last frame; at least 1, since Streamlit takes a zero for "nothing chosen".
    start
        Frame shown at first.
    step
        Frames that the timer and the arrow keys advance.
    milliseconds
        Time between frames.

    Raises
    ------
    ValueError
        If the frames do not make sense.
    """

    label: str
    low: int
    high: int
    start: int
    step: int = 1
    milliseconds: int = 400

    def __post_init__(self) -> None:
        if not 1 <= self.low <= self.start <= self.high or self.step < 1:
            raise ValueError(
                f"Expected 1 <= low <= start <= high and a step of at least 1, found {self.low}, {self.start}, "
                f"{self.high}, {self.step}."
            )

    def parameters(self) -> list[dict[str, Any]]:
        """Return the two parameters for a specification's ``params``."""
        timer = {"type": "timer", "throttle": self.milliseconds}
        forward = f"min({FRAME} + {self.step}, {self.high})"
        return [
            {
                "name": FRAME,
                "value": self.start,
                "bind": {
                    "input": "range",
                    "min": self.low,
                    "max": self.high,
                    "step": self.step,
                    "name": f"{self.label} ",
                },
                "on": [
                    {
                        "events": timer,
                        "update": f"{PLAYING} ? ({FRAME} >= {self.high} ? {self.low} : {forward}) : {FRAME}",
                    }
                ],
            },
            {
                "name": PLAYING,
                "value": False,
                "bind": {"input": "checkbox", "name": "Play "},
                "on": [{"events": timer, "update": f"{PLAYING} && {FRAME} < {self.high}"}],
            },
        ]


def frame_test(frame: int | Player) -> str:
    """Return the Vega expression for the frame: a number for a still figure, the parameter for a moving one."""
    return FRAME if isinstance(frame, Player) else str(frame)


def frame_number(frame: int | Player) -> int:
    """Return the frame that a figure is about: its own, or the one that the player starts with."""
    return frame.start if isinstance(frame, Player) else frame
