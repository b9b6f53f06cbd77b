"""Plotly figures as SVG and PNG, by Kaleido and a Chromium where both are found."""

from __future__ import annotations

import importlib.util
import os
import shutil
from typing import TYPE_CHECKING, Final, Literal

from core.errors import DataError

if TYPE_CHECKING:
    from core.figures.plotly_base import PlotlyFigure

_BROWSERS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)


def missing() -> str | None:
    """Return why images of Plotly figures cannot be made here, as a sentence; None where they can."""
    package = importlib.util.find_spec("kaleido")
    if package is None or package.origin is None:
        return (
            "An image of this figure needs the package Kaleido, which is not installed. The CSV has its data."
        )
    chosen = os.environ.get("BROWSER_PATH")
    if not (chosen and os.path.exists(chosen)) and not any(map(shutil.which, _BROWSERS)):  # noqa: PTH110
        return (
            "An image of this figure needs a Chromium browser, and none is found here. The CSV has its data."
        )
    return None


def to_image(figure: PlotlyFigure, kind: Literal["svg", "png"], *, link: str | None = None) -> bytes:
    """Return a Plotly figure as an image.

    Parameters
    ----------
    figure
        The figure.
    kind
        ``"svg"`` or ``"png"``.
    link
        Address of the page's exact state, written under the source.

    Raises
    ------
    DataError
        If Kaleido or a browser is missing, or the browser fails; the message says what to do.
    """
    reason = missing()
    if reason:
        raise DataError(reason)
    try:
        return bytes(figure.printed(link).to_image(format=kind, scale=2 if kind == "png" else 1))
    except (RuntimeError, ValueError, OSError) as error:
        raise DataError(
            f"The browser could not draw the image ({type(error).__name__}). Use the camera in the figure's corner, or the CSV."
        ) from error
