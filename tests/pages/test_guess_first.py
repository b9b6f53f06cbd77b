"""Guess first, on every page with a curve: the question, the reader's guess in words and in the figure, and the ways past it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from streamlit.testing.v1 import AppTest

from pages.kit.registry import PAGES, ROOT, page_info


@dataclass(frozen=True)
class Asked:
    """A page's question with a guess, and where the guess must be drawn."""

    stem: str
    guess: float
    said: str
    drawn: dict[str, float | str]
    query: dict[str, str] = field(default_factory=dict)


ASKED = (
    Asked("start", 3.0, "3.0", {"place": 0}),
    Asked("selection_loss", 6.0, "6.0", {"new_submissions": 1024, "value": 6.0}),
    Asked("score_gap", 7.5, "7.5", {"new_submissions": 2048, "value": 7.5}),
    Asked("one_trial", -2.0, "−2.0", {"candidate": 31, "end": -2.0}, {"ot_step": "C. Vote"}),
    Asked("feedback", 4.0, "4.0", {"x": 8, "value": 4.0}),
    Asked("lifespan", 256, "256", {"observed": 256}),
    Asked("phase_diagrams", 25.0, "25", {"auroc": 0.4875, "guess_x": 0.75}),
    Asked("correct_a_score", 9.0, "9.0", {"size": 10, "rmse": 9.0}),
    Asked("pocket_hubble", 0.8, "0.80", {"level": "1", "auroc": 0.8}),
    Asked("fresh_items", 20.0, "20.0", {"distractors": 7}, {"ff_view": "Published"}),
    Asked("stress_test", 16, "16", {"new_submissions": 16, "value": 1.0}),
)
BY_STEM = pytest.mark.parametrize("asked", ASKED, ids=[asked.stem for asked in ASKED])


def open_page(stem, **query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    info = page_info(stem)
    if not info.is_start:
        at.run()
    for key, value in query.items():
        at.query_params[key] = value
    at = at.run() if info.is_start else at.switch_page(f"pages/{stem}.py").run()
    assert not at.exception
    assert [error.value for error in at.error] == []
    return at


def text_of(at):
    return "\n".join(text.value for part in (at.markdown, at.caption) for text in part)


def guesses_in(at):
    """Return the rows of all charts that say a guess."""

    def rows(spec):
        for layer in spec.get("layer", ()):
            yield from layer.get("data", {}).get("values", ())

    specs = [json.loads(chart.proto.spec) for chart in at.get("vega_lite_chart")]
    found = [row for spec in specs for row in rows(spec) if "your guess" in str(row.get("text", ""))]
    return list({json.dumps(row, sort_keys=True): row for row in found}.values())


def alts(at):
    return " ".join(chart.proto.alt for chart in at.get("vega_lite_chart"))


def control_of(at, key):
    return next(one for part in (at.slider, at.select_slider) for one in part if one.key == key)


def test_every_page_with_a_curve_asks():
    """Only the page of definitions has no curve."""
    assert {page.stem for page in PAGES} - {asked.stem for asked in ASKED} == {"methods"}


@BY_STEM
def test_a_guess_is_judged_in_words_and_drawn_beside_the_answer(asked):
    prefix = page_info(asked.stem).prefix
    at = open_page(asked.stem, **asked.query)
    assert text_of(at).count("Guess first.") == 1
    assert at.get("vega_lite_chart"), "a page without a chart asks into the blue"
    assert not guesses_in(at)
    hidden = alts(at)

    control_of(at, f"{prefix}_guess").set_value(asked.guess).run()
    at.button(key=f"{prefix}_guess_given").click().run()
    assert not at.exception
    assert text_of(at).count(f"You guessed {asked.said}") == 1
    assert "Guess first." not in text_of(at)
    (row,) = guesses_in(at)
    assert row["text"].startswith(f"your guess: {asked.said}")
    assert {name: row[name] for name in asked.drawn} == pytest.approx(asked.drawn)
    assert f"your guess of {asked.said}" in alts(at)
    assert alts(at) != hidden
    link = next(code.value for code in at.code if "?v=1" in code.value)
    assert f"{prefix}_guess={asked.guess:g}&" in link
    assert link.endswith("reveal=1")

    at.button(key=f"{prefix}_guess_again").click().run()
    assert not at.exception
    assert text_of(at).count("Guess first.") == 1
    assert "You guessed" not in text_of(at)
    assert alts(at) == hidden


@BY_STEM
def test_show_me_and_reveal_skip_the_question(asked):
    prefix = page_info(asked.stem).prefix
    shown = open_page(asked.stem, **asked.query)
    shown.button(key=f"{prefix}_show_me").click().run()
    linked = open_page(asked.stem, **asked.query, reveal="1")
    for at in (shown, linked):
        assert not at.exception
        assert "Guess first." not in text_of(at)
        assert "You guessed" not in text_of(at)
        assert not guesses_in(at)
    assert alts(shown) == alts(linked)


@BY_STEM
def test_a_link_carries_the_guess(asked):
    prefix = page_info(asked.stem).prefix
    at = open_page(asked.stem, **asked.query, reveal="1", **{f"{prefix}_guess": f"{asked.guess:g}"})
    assert f"You guessed {asked.said}" in text_of(at)
    assert len(guesses_in(at)) == 1
