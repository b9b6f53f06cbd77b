"""Every page's story, found where the pages keep them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from pages.kit.registry import PAGES

STORIES = {
    page.stem: import_module(f"pages.parts.{page.stem}.story").STORY
    for page in PAGES
    if find_spec(f"pages.parts.{page.stem}.story") is not None
}
STEPS = [(stem, step.name) for stem, story in STORIES.items() for step in story.steps]


def controls_of(stem):
    """Return the page's controls, or None where it has none."""
    name = f"pages.parts.{stem}.controls"
    return import_module(name).CONTROLS if find_spec(name) is not None else None


def link_of(stem, name):
    """Return the path and query of a step."""
    page = next(page for page in PAGES if page.stem == stem)
    return f"{page.path}?v=1&present=1&step={name}"
