"""The changed facts page in a real browser: steps, keyboard, downloads, a file of answers, and nothing from elsewhere."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlencode, urlsplit

from core.fresh.items import parse_items


def path(**query):
    return f"/fresh_items?{urlencode({'reveal': '1', **query})}"


def test_the_cutoff_moves_by_keyboard_and_everything_follows(server, visit):
    page = visit(server).open(path())
    before = page.title, page.chart_words()
    page.page.get_by_role("slider", name="Cutoff of the set").focus()
    for _ in range(3):
        page.page.keyboard.press("ArrowRight")
    page.page.wait_for_url("**ff_cutoff=30+September+2022**")
    page.page.wait_for_function("old => document.querySelector('h1').innerText !== old", arg=before[0])
    page.settled()
    assert "30 September 2022" in page.title
    assert page.chart_words() != before[1]
    again = visit(server)
    again.page.goto(page.page.url)
    again.ready()
    assert again.title == page.title


def test_both_names_are_marked_in_the_document(server, visit):
    page = visit(server).open(path(ff_view="One change"))
    document = page.page.locator(".st-key-ff_document")
    assert "Giorgia Meloni became head of government of Italy" in " ".join(document.inner_text().split())
    marks = document.evaluate(
        "box => [...box.querySelectorAll('span')].filter(span => span.childElementCount === 0"
        " && getComputedStyle(span).backgroundColor !== 'rgba(0, 0, 0, 0)').map(span => span.innerText.trim())"
    )
    assert {"Giorgia Meloni", "Italy", "Mario Draghi"} <= set(marks)


def test_a_set_is_downloaded_answered_and_scored(server, visit, tmp_path):
    page = visit(server).open(path(ff_view="Build a set", ff_format="Four options", ff_distractors="3"))
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name="Items (JSON Lines)").click()
    items = parse_items(waiting.value.path().read_bytes(), "items.jsonl")
    assert len(items) > 80
    assert all(len(item.documents) == 4 for item in items)
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        "".join(json.dumps({"id": item.id, "output": item.correct_letter}) + "\n" for item in items)
    )
    query = {
        "ff_view": "Score answers",
        "ff_answers": "A file",
        "ff_format": "Four options",
        "ff_distractors": "3",
    }
    page.page.goto(f"{server}{path(**query)}")
    page.page.locator("[data-testid=stFileUploaderDropzoneInput]").nth(1).set_input_files(answers)
    page.page.wait_for_selector("h2:has-text('Your answers')")
    page.settled()
    assert (
        "100.0 % right on changes by that day, 100.0 % on later ones, where 0.0 % are outdated" in page.text
    )
    assert parse_qs(urlsplit(page.page.url).query)["ff_answers"] == ["A file"]
    assert page.elsewhere == []


def test_live_is_off_until_it_is_asked_for(server, visit):
    page = visit(server).open(path(ff_view="Build a set"))
    assert "www.wikidata.org" not in page.text
    page.page.get_by_text("Fetch live", exact=True).click()
    page.page.get_by_text("Contact them and fetch").wait_for()
    assert "contact www.wikidata.org and en.wikipedia.org" in page.text
    assert page.elsewhere == []
