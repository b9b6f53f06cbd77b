"""Every page and the views behind its controls, as deep links; and what a picture on a page must be like."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from pages.kit.registry import PAGES, page_info

if TYPE_CHECKING:
    from pages.kit.controls import Controls
    from pages.kit.presets import Preset

OTHER_VIEWS = {
    "selection_loss": (
        {"measure": "Rank drop", "layout": "Small multiples", "rank_threshold": "1 rank"},
        {"measure": "False winners", "budget": "1024"},
        {"view": "Recomputed here", "why": "true"},
    ),
    "score_gap": (
        {"view": "Against the baseline"},
        {"view": "One trial", "play": "true"},
        {"view": "Recomputed here"},
        {"view": "Gap and loss"},
    ),
    "one_trial": (
        {"step": "B. Weights", "play": "true"},
        {"step": "C. Vote", "play": "true"},
        {"step": "D. Outcome"},
        {"view": "Any trial, recomputed", "bank": "SWE-bench Verified (38)"},
        {"view": "Any trial, recomputed", "step": "C. Vote", "budget": "128"},
    ),
    "feedback": (
        {"picture": "Heat map"},
        {"view": "Recomputed live", "bank": "Terminal-Bench-Science", "trials": "50"},
        {"view": "Rules compared", "bank": "Terminal-Bench-Science", "trials": "50"},
    ),
    "lifespan": ({"outcome": "90 % false winners"},),
    "phase_diagrams": ({"pool": "WinoGrande MCQ"},),
    "correct_a_score": ({"way": "My own items"}, {"way": "Sliders only"}),
    "pocket_hubble": ({"scope": "the question only", "attack": "Min-K%++"},),
    "fresh_items": (
        {"view": "One change"},
        {"view": "Build a set", "made_up": "true"},
        {"view": "Score answers"},
        {"view": "Published"},
        {"made_up": "true"},
    ),
    "stress_test": ({"measure": "False winners", "tolerance": "0.5"},),
    "methods": (
        {"section": "Definitions"},
        {"section": "Where numbers come from"},
        {"section": "Intervals"},
        {"section": "Questions"},
        {"section": "Cite"},
        {"compare": "Practical rules"},
    ),
}
"""States that look unlike the page's first one: control values by name, as they stand in the URL."""


def link(stem: str, view: dict[str, str]) -> str:
    """Return the path of a page's view, its answer revealed."""
    page = page_info(stem)
    query = {f"{page.prefix}_{name}": value for name, value in view.items()}
    return f"{page.path}?{urlencode({'v': '1', **query, 'reveal': '1'})}"


def name_of(stem: str, view: dict[str, str]) -> str:
    """Return a name for a view, for test ids and file names."""
    words = "-".join("".join(sign for sign in value if sign.isalnum()) for value in view.values())
    return f"{stem}-{words}" if words else stem


STATES = [(page.stem, view) for page in PAGES for view in ({}, *OTHER_VIEWS.get(page.stem, ()))]


def presets() -> list[tuple[str, Controls, Preset]]:
    """Return every preset of every page, with the page's stem and controls."""
    found = []
    for page in PAGES:
        if not (page.file.parent / "parts" / page.stem / "controls.py").exists():
            continue
        module = importlib.import_module(f"pages.parts.{page.stem}.controls")
        found += [(page.stem, module.CONTROLS, preset) for preset in getattr(module, "PRESETS", ())]
    return found
