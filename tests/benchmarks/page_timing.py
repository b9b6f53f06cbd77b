"""When a page's title and its first chart are there, told by the browser's own clock from the start of the navigation."""

from __future__ import annotations

from typing import NamedTuple

WATCH = """() => {
  const seen = window.mirageSeen = {}
  const is = {
    title: () => document.querySelector('h1')?.getBoundingClientRect().height > 0,
    chart: () => document.querySelector(
      '[data-testid=stVegaLiteChart] :is(svg.marks, canvas.marks), [data-testid=stPlotlyChart] .plot-container'
    ),
    rest: () => document.querySelector('[data-testid=stApp][data-test-script-state=notRunning]') && seen.title,
  }
  const look = () => {
    for (const name in is) if (!(name in seen) && is[name]()) seen[name] = performance.now()
    if (Object.keys(is).some(name => !(name in seen))) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}"""
LONGEST_MS = 60_000


class Paint(NamedTuple):
    """Seconds from the start of the navigation."""

    title: float
    chart: float
    rest: float


def first_paint(browser, address, *, width=1440, height=900):
    """Open a page as a first-time visitor, with nothing in the browser's cache, and return when its parts were there."""
    context = browser.new_context(viewport={"width": width, "height": height})
    try:
        page = context.new_page()
        page.add_init_script(f"({WATCH})()")
        page.goto(address)
        page.wait_for_function("() => Object.keys(window.mirageSeen).length === 3", timeout=LONGEST_MS)
        seen = page.evaluate("() => window.mirageSeen")
    finally:
        context.close()
    return Paint(**{name: milliseconds / 1000 for name, milliseconds in seen.items()})
