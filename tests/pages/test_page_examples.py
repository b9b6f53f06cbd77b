"""The examples in the documentation of the pages' modules."""

from __future__ import annotations

import doctest
import importlib

import pytest

from pages.kit.registry import ROOT

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("kit", "parts")
    for path in (ROOT / "pages" / folder).rglob("*.py")
    if path.name != "__init__.py"
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    found = doctest.testmod(
        importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert found.failed == 0
