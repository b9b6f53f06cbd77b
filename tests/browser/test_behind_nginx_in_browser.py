"""A real browser at the site that deploy/ sets up: under a base path, behind nginx, with a process that goes away."""

from __future__ import annotations

import pytest

from tests.browser.conftest import PATIENCE_MS
from tests.deploy.behind_nginx import running_site

ITEMS = "model,item,score\n" + "".join(
    f"{model},item {item},{(item * step) % 7 % 2}\n"
    for step, model in enumerate(("amber", "birch", "cedar", "dune"), 1)
    for item in range(40)
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with running_site(tmp_path_factory.mktemp("nginx")) as running:
        yield running


def test_pages_keep_to_the_security_headers(site, visit):
    page = visit(site.address)
    for path in (
        "/mirage/",
        "/mirage/one_trial",
        "/mirage/feedback?fb_picture=Surface",
        "/mirage/phase_diagrams",
    ):
        page.open(path)
        assert page.complaints == [], path  # the browser complains of whatever the policy forbids
        assert page.elsewhere == [], path
    loaded = page.page.evaluate(
        "() => document.fonts.ready.then(() => [...document.fonts]"
        ".filter(font => font.status === 'loaded').map(font => font.family))"
    )
    assert {"Mirage Sans", "Mirage Serif"} <= {name.strip("\"'") for name in loaded}


def test_a_visitor_reads_loads_and_takes_away_and_outlives_a_process(site, visit):
    page = visit(site.address).open("/mirage/selection_loss?v=1&sl_budget=128")
    page.page.get_by_role("button", name="Link", exact=True).first.click()
    link = page.page.locator("[data-testid=stPopoverBody] [data-testid=stCode]").first.inner_text()
    assert link.startswith(f"{site.address}/mirage/selection_loss?")
    page.page.keyboard.press("Escape")
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name="CSV", exact=True).first.click()
    assert waiting.value.path().read_text(encoding="utf-8").count("\n") > 10
    page.page.goto(f"{site.address}/mirage/stress_test?st_source=Your+own+file")
    page.page.locator("[data-testid=stFileUploader] input[type=file]").first.set_input_files(
        {"name": "items.csv", "mimeType": "text/csv", "buffer": ITEMS.encode()}
    )
    page.page.wait_for_selector("text=4 models, 40 items")
    (process,) = [
        cookie["value"] for cookie in page.page.context.cookies() if cookie["name"] == "mirage_process"
    ]
    page.open("/mirage/selection_loss?v=1&sl_budget=128")
    before = page.title
    with page.page.expect_event("websocket", timeout=PATIENCE_MS):
        site.kill(int(process))
    page.idle()
    assert page.title == before
    assert "sl_budget=128" in page.page.url
    page.page.locator("[data-testid=stSidebarNavLink]", has_text="Lifespan").click()
    page.page.wait_for_url("**/mirage/lifespan*")
    page.page.wait_for_function("title => document.querySelector('h1')?.innerText !== title", arg=before)
    assert all("WebSocket" in complaint for complaint in page.complaints)  # of the connection that was cut
