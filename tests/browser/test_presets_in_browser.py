"""Every preset's link in a real browser: the state that it promises, and nothing left out."""

from __future__ import annotations

import pytest

from pages.kit.controls import Decimal, Whole
from pages.kit.presets import preset_link
from pages.kit.registry import page_info
from tests.browser.states import presets

PRESETS = presets()

SHOWN = """key => {
  const widget = document.querySelector(`.st-key-${key}`)
  if (!widget) return null
  const field = widget.querySelector('input')
  if (!field) {
    const chosen = [...widget.querySelectorAll('[aria-checked=true], [aria-pressed=true]')]
    return chosen.map(button => button.innerText.trim())
  }
  if (field.type === 'checkbox') return [String(field.checked)]
  return [field.getAttribute('aria-valuetext') ?? field.value]
}"""
"""What a control shows, as the URL would hold it; null if it is not drawn, as in a closed popover."""


@pytest.fixture(scope="module")
def page(server, tab):
    """One visitor, who opens one link after the other."""
    return tab(server)


@pytest.mark.parametrize(
    ("stem", "controls", "preset"), PRESETS, ids=[f"{stem}-{preset.name}" for stem, _, preset in PRESETS]
)
def test_a_presets_link_shows_its_state(page, stem, controls, preset):
    page.complaints.clear()
    page.elsewhere.clear()
    page.page.goto(f"{page.address}{preset_link(page_info(stem), controls, preset)}")
    page.page.wait_for_selector("h1")
    page.page.get_by_text(preset.why.split("*")[0][:40]).first.wait_for()  # said only in the preset's state
    page.at_rest(progress_is_enough=True)
    drawn = "[data-testid=stVegaLiteChart], [data-testid=stProgress], [data-testid=stDataFrame], [data-testid=stCode]"
    assert page.page.locator(drawn).count() > 0
    assert {name: _shown(page, controls, name) for name in preset.values} == {
        name: _expected(page, controls, name, value) for name, value in preset.values.items()
    }
    assert "Part of the link was left out" not in page.text
    assert page.page.locator("[data-testid=stAlertContentError], [data-testid=stException]").count() == 0
    assert page.elsewhere == []
    assert page.complaints == []
    if page.page.locator("[data-testid=stProgress]").count():  # leave the page, which ends the work
        page.page.locator("[data-testid=stSidebarNavLink]").first.click()
        page.page.wait_for_selector("h1:has-text('Follow the public ranking')")


def _shown(page, controls, name):
    values = page.page.evaluate(SHOWN, controls.key(name))
    return _comparable(controls[name], values) if values is not None else "not drawn"


def _expected(page, controls, name, value):
    if page.page.locator(f".st-key-{controls.key(name)}").count() == 0:
        return "not drawn"
    return _comparable(controls[name], controls[name].to_url(value))


def _comparable(control, values):
    return [float(value) for value in values] if isinstance(control, Decimal | Whole) else values
