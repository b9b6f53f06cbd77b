"""The methods page: takeaways from the tables, provenance of every file, questions, and citations to copy."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.citations import PAPERS, software
from core.data_files import checksums
from core.published import selection_loss
from pages.kit.registry import ROOT
from pages.parts.methods import content
from pages.parts.methods.controls import CONTROLS, PRESETS

SECTIONS = [label for _, label in CONTROLS["section"].options]


def open_page(**query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page("pages/methods.py").run()


def text_of(at):
    return "\n".join(
        [text.value for part in (at.title, at.markdown, at.header, at.subheader, at.caption) for text in part]
    )


def sound(at):
    assert not at.exception
    assert [error.value for error in at.error] == []
    return at


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_has_a_link(section):
    at = sound(open_page(me_section=section))
    assert at.title[0].value.startswith("Every number comes from one of")


def test_takeaways_are_computed():
    frame = selection_loss().frame
    here = frame[frame["new_submissions"] == 128]["model_selection_loss_pp"]
    text = text_of(open_page())
    assert f"costs {here.min():.1f} to {here.max():.1f} pp of held-out score" in text
    assert "six of six benchmarks" in text


def test_every_term_is_defined_with_its_formula():
    at = sound(open_page(me_section="Definitions"))
    terms = [heading.value for heading in at.header]
    assert terms == [definition.term for definition in content.DEFINITIONS]
    assert {"Selection loss", "Score gap", "False winner", "Endpoints", "Weight"} <= set(terms)
    assert [formula.value.strip("$\n").removesuffix(r"\,") for formula in at.latex] == [
        definition.formula for definition in content.DEFINITIONS if definition.formula
    ]


def test_every_shipped_file_is_listed_with_its_checksum():
    at = sound(open_page(me_section="Where numbers come from"))
    frame = at.dataframe[0].value
    listed = checksums()
    assert len(frame) == len(listed)
    assert dict(zip(frame["file"], frame["SHA-256"], strict=True)) == {
        f"data/{row.file}": row.sha256 for row in listed.values()
    }
    assert frame["source"].str.len().min() > 5
    assert at.success[0].value == "All files are those that were released."


def test_what_intervals_do_not_cover_is_said():
    text = text_of(sound(open_page(me_section="Intervals")))
    assert "2,000 resamples" in text
    assert "What it does not cover:** new items, new models" in text


def test_questions_have_answers():
    at = sound(open_page(me_section="Questions"))
    assert [heading.value for heading in at.header] == [answer.question for answer in content.QUESTIONS]
    assert len(content.QUESTIONS) >= 8
    assert all(len(answer.answer) > 80 for answer in content.QUESTIONS)


def test_citations_can_be_copied():
    at = sound(open_page(me_section="Cite"))
    assert [code.value for code in at.code] == [citation.bibtex for citation in (*PAPERS, software())]


@pytest.mark.parametrize("compare", ["Static control", "Endpoint pools", "Practical rules"])
def test_every_comparison_is_drawn(compare):
    at = sound(open_page(me_compare=compare))
    assert len(at.get("vega_lite_chart")) == 1
    assert "quoted as reported: not recomputed" in text_of(at)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_opens_by_its_button(preset):
    at = sound(open_page().button(key=f"me_preset_{preset.name}").click().run())
    assert preset.why in [caption.value for caption in at.caption]


def test_defaults_are_frozen():
    assert {item.name: item.default for item in CONTROLS.items} == {
        "section": "takeaways",
        "compare": "static",
    }
