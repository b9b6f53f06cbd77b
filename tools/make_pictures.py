"""Take a picture of every page for the documentation: start the dashboard, open each page's link, save what it shows.

Run as ``make pictures``, or ``python -m tools.make_pictures [STEM ...]`` for some pages alone; needs requirements-dev.txt
and a Chromium. Size, colours, language and time zone are fixed and nothing moves, so that the same pages under the same
versions give the same files.
"""

from __future__ import annotations

import importlib
import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pages.kit.controls import query_string
from pages.kit.registry import PAGES, page_info

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from playwright.sync_api import Browser, FloatRect, Locator

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "docs" / "pictures"
WIDTH: Final = 1280
HEIGHT: Final = 2600  # of the window, so that a page is drawn in full; a picture ends below its last figure
MARGIN: Final = 10
COLOURS: Final = 128
PATIENCE_MS: Final = 120_000
SETTLED: Final = """quiet => {
  const app = document.querySelector('[data-testid=stApp]')
  const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart]')]
  const drawn = charts.length && charts.every(chart => chart.querySelector('svg.marks, canvas.marks'))
  const waiting = document.querySelector('[data-testid=stSkeleton], [data-testid=stProgress], [data-testid=stSpinner]')
  const rest = app && app.getAttribute('data-test-script-state') === 'notRunning'
  if (!rest || !drawn || waiting) { window.restingSince = undefined; return false }
  window.restingSince ??= performance.now()
  return performance.now() - window.restingSince >= quiet
}"""


@dataclass(frozen=True)
class Picture:
    """What is shown of a page.

    Parameters
    ----------
    stem
        The page.
    values
        Values of its controls by name; those not named are at their defaults.
    figures
        How many figures are shown, from the top of the page.
    """

    stem: str
    values: Mapping[str, Any] = field(default_factory=dict)
    figures: int = 1

    @property
    def link(self) -> str:
        """The page's path and query, its answer revealed."""
        page = page_info(self.stem)
        try:
            controls = importlib.import_module(f"pages.parts.{self.stem}.controls").CONTROLS
        except ModuleNotFoundError:
            return f"{page.path}?v=1&reveal=1"
        return f"{page.path}?{query_string(controls.query(self.values, reveal='1'))}"

    @property
    def file(self) -> Path:
        """Where the picture is kept."""
        return FOLDER / f"{self.stem}.png"


PICTURES: Final = (
    Picture("start"),
    Picture("selection_loss"),
    Picture("score_gap", {"view": "trial"}),
    Picture("one_trial", {"step": "C"}),
    Picture("feedback"),
    Picture("lifespan"),
    Picture("phase_diagrams", figures=6),
    Picture("correct_a_score", {"spiked": 10}),
    Picture("pocket_hubble", figures=2),
    Picture("fresh_items", {"view": "one"}),
    Picture("stress_test"),
    Picture("methods"),
)


@contextmanager
def running_dashboard() -> Iterator[str]:
    """Start the dashboard on a free port with a cache of its own, and end it afterwards; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with tempfile.TemporaryDirectory() as cache:
        server = subprocess.Popen(  # noqa: S603 - our own command
            [*command, "--server.headless", "true", "--server.address", "127.0.0.1"],
            cwd=ROOT,
            env={**os.environ, "MIRAGE_CACHE_DIR": cache},
            stdout=subprocess.DEVNULL,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/_stcore/health")
            yield address
        finally:
            server.terminate()
            server.wait()


def _wait_for(address: str, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(address, timeout=2).close()  # noqa: S310 - our own server
        except (OSError, urllib.error.URLError):
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(f"No server answered at {address} within {seconds:g} s.")


def take(browser: Browser, address: str, picture: Picture) -> bytes:
    """Open a page's link and return what it shows, as a PNG file with a small palette."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        color_scheme="light",
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
    )
    context.set_default_timeout(PATIENCE_MS)
    try:
        page = context.new_page()
        page.goto(f"{address}{picture.link}")
        page.wait_for_function(SETTLED, arg=1_500)
        page.evaluate("() => document.fonts.ready.then(() => true)")
        column = _box(page.locator("[data-testid=stMain]"))
        charts = page.locator("[data-testid=stVegaLiteChart]")
        ends = [box["y"] + box["height"] for box in map(_box, map(charts.nth, range(picture.figures)))]
        below = min(HEIGHT, round(max(ends)) + MARGIN)
        clip: FloatRect = {**column, "height": below - column["y"]}
        return compressed(page.screenshot(animations="disabled", caret="hide", clip=clip))
    finally:
        context.close()


def _box(part: Locator) -> FloatRect:
    found = part.bounding_box()
    if found is None:
        raise RuntimeError("A part of the page that belongs into its picture is not shown.")
    return found


def compressed(png: bytes) -> bytes:
    """Return a PNG file with a palette of `COLOURS` colours, which text and flat charts hardly show."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        small = image.convert("RGB").quantize(
            COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
        )
    stream = io.BytesIO()
    small.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def main(stems: Sequence[str] = ()) -> int:
    """Save the pictures of some pages, of all by default; return the exit status."""
    unknown = sorted(set(stems) - {page.stem for page in PAGES})
    if unknown:
        print(
            f"No page {', '.join(unknown)}. Pages: {', '.join(page.stem for page in PAGES)}", file=sys.stderr
        )
        return 2
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        print("No Chromium found. On Debian or Ubuntu: apt-get install chromium", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(parents=True, exist_ok=True)
    with running_dashboard() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for picture in PICTURES:
            if not stems or picture.stem in stems:
                content = take(browser, address, picture)
                picture.file.write_bytes(content)
                print(f"{picture.file.relative_to(ROOT)}  {len(content) / 1000:,.0f} kB")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
