"""The one trial page: four steps with links of their own, the published numbers, any text, any trial."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from core import published
from core.figures.wording import ordinal
from core.reuse.vote import text_hash
from core.worked_example import SCENARIO_NAMES, prompt_vote
from pages.kit.registry import ROOT, page_info
from pages.parts.one_trial import figures, words
from pages.parts.one_trial.controls import CANDIDATES, CONTROLS, PRESETS, STEPS
from pages.parts.one_trial.views import pick_item

PAGE = page_info("one_trial")
STEP_LABELS = [label for _, label in STEPS]


def open_page(**query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page("pages/one_trial.py").run()


def text_of(at):
    return "\n".join(
        [
            text.value
            for part in (at.title, at.markdown, at.header, at.subheader, at.caption, at.code)
            for text in part
        ]
    )


def parameters(at):
    spec = json.loads(at.get("vega_lite_chart")[0].proto.spec)
    return [parameter["name"] for parameter in spec.get("params", [])]


def sound(at):
    assert not at.exception
    assert [error.value for error in at.error] == []
    return at


def test_the_claim_is_computed():
    at = sound(open_page())
    assert (
        at.title[0].value
        == "Random coin flips plus released scores make a public winner that is fifth in truth"
    )
    assert at.header[0].value == "Gemma 2 27B IT and DeepSeek V3 are 7.46 points apart per scenario"


@pytest.mark.parametrize("view", ["HELM Lite, trial 165", "Any trial, recomputed"])
@pytest.mark.parametrize("step", STEP_LABELS)
def test_every_step_has_a_link(step, view):
    at = sound(open_page(ot_step=step, ot_view=view))
    assert at.button_group(key="ot_step").value in (step, [step], step[0], [step[0]])
    assert len(at.get("vega_lite_chart")) >= 1
    assert "left out" not in text_of(at)


def test_the_published_numbers_appear_because_they_are_computed():
    weights = text_of(open_page(ot_step="B. Weights"))
    assert "LegalBench: score 70.17 %, reference line 71.59 %, weight **−0.01426**" in weights
    vote = text_of(open_page(ot_step="C. Vote", reveal="1"))
    assert "**+0.02201** (+2.20 pp): the prompt goes to model A" in vote
    assert published.helm_lite_trial165().prompt.prompt_hash in vote
    outcome = text_of(open_page(ot_step="D. Outcome"))
    assert "74.10 % becomes 70.14 %, a loss of 3.95 pp" in outcome
    assert "first publicly and fifth held out" in outcome
    assert "chosen among the 69 of 250 trials" in outcome


def test_next_and_back_walk_through_the_steps():
    at = open_page()
    assert at.button(key="ot_back").disabled
    seen = [at.header[0].value]
    for _ in range(3):
        at = sound(at.button(key="ot_next").click().run())
        seen.append(at.header[0].value)
    assert at.button(key="ot_next").disabled
    assert len(set(seen)) == 4
    at = sound(at.button(key="ot_back").click().run())
    assert at.header[0].value == seen[2]


def test_the_frontier_is_listed_in_order_with_both_endpoints_marked():
    text = text_of(open_page())
    assert re.search(
        r"1\. GPT-4o\n2\. DeepSeek V3 \*\*\(model B\)\*\*\n3\. Gemini 1\.5 Pro\n4\. Llama 3\.3 70B\n5\. Gemma 2 27B \*\*\(model A\)",
        text,
    )
    assert "Also on the frontier: Gemini 1.5 Flash and Solar Pro." in text
    assert "Model B has the higher mean score (74.43 % against 74.33 %" in text


@pytest.mark.parametrize("scenario", SCENARIO_NAMES.values())
def test_any_of_the_ten_scenarios_can_be_shown(scenario):
    at = sound(open_page(ot_step="B. Weights", ot_scenarios=scenario, ot_candidate="31"))
    assert at.header[0].value.startswith("Random router 31 weighs")
    assert at.header[0].value.endswith(f"on {scenario}")


def test_no_scenario_is_a_sentence():
    at = sound(open_page(ot_step="B. Weights", ot_scenarios=""))
    assert "Choose at least one above" in at.info[0].value


def test_a_text_of_one_s_own_is_hashed_and_voted_on():
    text = "May a minor sign a lease?"
    at = sound(open_page(ot_step="C. Vote", ot_prompt="A text of yours", ot_scenario="MMLU", ot_text=text))
    digest = hashlib.sha256(text.encode()).hexdigest()
    vote = prompt_vote(published.helm_lite_trial165(), "mmlu", digest)
    letters = "".join("A" if choice > 0 else "B" for choice in vote.choices)
    code = at.code[0].value
    assert digest in code
    assert letters in code.replace(" ", "")
    assert f"pick model {vote.choice} for this prompt" in at.header[0].value
    other = sound(at.text_input(key="ot_text").set_value(text + "?").run())
    assert digest not in other.code[0].value
    assert text_hash(text + "?") in other.code[0].value


def test_counting_fewer_routers_tells_the_running_vote():
    at = sound(open_page(ot_step="C. Vote", ot_counted="8"))
    assert (
        at.header[0].value
        == "After eight of 31 weighted coin flips, the vote stands at −3.59 pp, for model B"
    )
    assert "All 31 routers together decide for model A." in text_of(at)


@pytest.mark.parametrize("step", ["B. Weights", "C. Vote"])
@pytest.mark.parametrize("view", ["HELM Lite, trial 165", "Any trial, recomputed"])
def test_play_shows_the_same_figure_with_a_scrubber(step, view):
    still = open_page(ot_step=step, ot_view=view, reveal="1")
    moving = sound(open_page(ot_step=step, ot_view=view, ot_play="true", reveal="1"))
    assert moving.header[0].value == still.header[0].value
    assert parameters(moving) == ["frame", "playing"]
    assert parameters(still) == []
    assert [button.label for button in moving.button if button.label == "Use this"] == ["Use this"]


def test_a_trial_without_a_pair_is_a_sentence():
    ineligible = next(
        trial for trial in range(250) if not figures.walked("terminal_science", trial, 32, "top5").eligible
    )
    at = sound(
        open_page(ot_view="Any trial, recomputed", ot_bank="Terminal-Bench-Science", ot_trial=str(ineligible))
    )
    assert "there is no pair to mix" in at.info[0].value


def test_a_recomputed_trial_shows_all_pairs_and_says_what_it_cost():
    at = sound(open_page(ot_view="Any trial, recomputed", ot_bank="SWE-bench Verified (38)", ot_trial="3"))
    assert at.header[0].value.startswith("Of 10 pairs considered, the most distant is mixed")
    found = figures.walked("swe_verified_38", 3, 32, "top5")
    outcome = text_of(
        sound(
            open_page(
                ot_view="Any trial, recomputed",
                ot_bank="SWE-bench Verified (38)",
                ot_trial="3",
                ot_step="D. Outcome",
            )
        )
    )
    assert f"loses {found.loss_pp:.2f} pp" in outcome
    assert f"{found.rank_drop} ranks lost" in outcome


def test_the_title_follows_the_trial_that_is_shown():
    seen = set()
    for trial in range(12):
        found = figures.walked("swe_verified_38", trial, 32, "top5")
        router = next(one for one in found.standings if one.role == "Final router")
        claim = words.any_claim(found)
        if router.reused_rank == router.heldout_rank == 1:
            assert claim.endswith("also first in truth, this time")
        else:
            assert claim.endswith(f"{ordinal(router.heldout_rank)} in truth")
        seen.add(claim)
    assert len(seen) > 3
    at = sound(open_page(ot_view="Any trial, recomputed", ot_bank="SWE-bench Verified (38)", ot_trial="5"))
    assert at.title[0].value == words.any_claim(figures.walked("swe_verified_38", 5, 32, "top5"))
    assert "Split 5 of SWE-bench Verified (38), 32 submissions" in text_of(at)


def test_exact_ties_can_be_looked_at():
    query = {"ot_view": "Any trial, recomputed", "ot_step": "C. Vote", "ot_bank": "SWE-bench Verified (38)"}
    at = sound(open_page(**query, ot_item="Exact tie"))
    assert "cancel out exactly; the tie router picks model" in at.header[0].value
    found = figures.walked("swe_verified_38", 0, 32, "top5")
    assert f"{found.ties.sum()} votes are exactly zero" in text_of(at)


def test_items_are_picked_by_what_their_vote_is_like():
    found = figures.walked("swe_verified_38", 0, 32, "top5")
    size = abs(found.votes)
    assert found.ties[pick_item(found, "tie", 1)]
    close = pick_item(found, "close", 1)
    assert size[close] == size[~found.ties].min() > 0
    assert size[pick_item(found, "clear", 1)] == size.max()
    assert pick_item(found, "number", 7) == 6
    assert pick_item(found, "number", 501) == len(found.prompts) - 1
    none = next(
        walk
        for trial in range(60)
        if (walk := figures.walked("terminal_science", trial, 128, "top5")).eligible and not walk.ties.any()
    )
    assert pick_item(none, "tie", 1) is None


def test_a_router_beyond_the_budget_is_said_so():
    at = sound(
        open_page(ot_view="Any trial, recomputed", ot_step="B. Weights", ot_budget="8", ot_router="100")
    )
    assert "8 submissions hold 7 random routers; the last is shown." in text_of(at)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_opens_by_its_button_and_says_what_to_notice(preset):
    at = sound(open_page().button(key=f"ot_preset_{preset.name}").click().run())
    assert preset.why in [caption.value for caption in at.caption]
    query = CONTROLS.query(preset.values)
    assert CONTROLS.faults(query) == []
    linked = sound(open_page(**{key: value[-1] for key, value in query.items()}))
    assert linked.header[0].value == at.header[0].value


def test_a_preset_puts_controls_that_were_not_drawn_before_into_the_address():
    at = sound(open_page(ot_play="false").button(key="ot_preset_vote").click().run())
    assert at.query_params["ot_counted"] == "1"
    assert at.query_params["ot_play"] == "true"
    at = sound(at.button(key="ot_preset_own").click().run())
    assert at.query_params["ot_prompt"] == "A text of yours"


def test_defaults_are_frozen():
    assert {item.name: item.default for item in CONTROLS.items} == {
        "view": "published",
        "step": "A",
        "candidate": 1,
        "scenarios": ("math_chain_of_thought", "legalbench"),
        "prompt": "published",
        "scenario": "legalbench",
        "text": "Is an oral contract binding?",
        "counted": CANDIDATES,
        "play": False,
        "bank": "terminal_science",
        "trial": 0,
        "budget": 32,
        "endpoints": "top5",
        "router": 1,
        "item": "close",
        "number": 1,
        "tally": 127,
        "guess": 0.0,
    }
    assert STEP_LABELS == ["A. Endpoints", "B. Weights", "C. Vote", "D. Outcome"]


def test_a_value_that_cannot_be_used_falls_back():
    at = sound(open_page(ot_step="E. Nowhere", ot_candidate="77"))
    assert "ot_step = “E. Nowhere” is not one of its values" in text_of(at)
    assert at.header[0].value.endswith("7.46 points apart per scenario")


def test_names_lose_the_id_of_their_run():
    assert figures.short_name("20250430_zencoder_ai") == "20250430_zencoder_ai"
    assert not words.signed(0.0, 2).startswith("+")


@pytest.mark.parametrize(("preset", "counted"), [("own", CANDIDATES), ("vote", 1)])
def test_a_preset_overrules_a_link_to_a_control_that_is_not_drawn_yet(preset, counted):
    at = sound(open_page(ot_counted="5"))
    at = sound(at.button(key=f"ot_preset_{preset}").click().run())
    assert at.slider(key="ot_counted").value == counted
    at = sound(at.slider(key="ot_counted").set_value(7).run())
    assert at.slider(key="ot_counted").value == 7
