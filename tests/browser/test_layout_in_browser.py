"""Nothing jumps: a figure has its room before it is drawn, and a page keeps still once it is seen."""

from __future__ import annotations

import pytest

LARGEST_JUMP = 8  # pixels
LARGEST_SHIFT = 0.1  # what the web's own measure calls good
WATCH = """
window.shifts = []
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.shifts.push([entry.startTime, entry.value])
}).observe({type: 'layout-shift', buffered: true})
"""
ROOM = """key => {
  const drawn = document.querySelector(`.st-key-${key}_figure svg.marks`)
  const row = drawn.closest('[data-testid=stHorizontalBlock]')
  return [drawn.getBoundingClientRect().height, row.lastElementChild.getBoundingClientRect().height]
}"""


@pytest.mark.parametrize("path", ["/", "/methods"])
def test_a_page_keeps_still_once_it_is_seen(server, visit, path):
    page = visit(server)
    page.page.add_init_script(WATCH)
    page.open(path).idle()
    moved = page.page.evaluate(
        "() => { const seen = performance.getEntriesByName('first-contentful-paint')[0].startTime\n"
        "return window.shifts.filter(([at]) => at > seen).reduce((sum, [, value]) => sum + value, 0) }"
    )
    assert moved <= LARGEST_SHIFT


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/", "hm_choice"),
        ("/selection_loss", "sl_published"),
        ("/score_gap", "sg_curves"),
        ("/lifespan", "ls_law"),
    ],
    ids=["start", "selection_loss", "score_gap", "lifespan"],
)
def test_a_figure_has_its_room_before_it_is_drawn(server, visit, path, key):
    page = visit(server, width=390).open(f"{path}?reveal=1")
    drawn, room = page.page.evaluate(ROOM, key)
    assert room == pytest.approx(drawn, abs=LARGEST_JUMP)
