"""Tidying up after a run: most objects are set aside, and what becomes unused is freed all the same."""

from __future__ import annotations

import gc
import sys
import types
import weakref

import pytest

from pages.kit.tidying import FULL_SEARCH_SECONDS, Tidying


class Knot:
    """An object in a cycle, which only a search frees."""

    def __init__(self):
        self.me = self


@pytest.fixture(autouse=True)
def _everything_in_the_search():
    gc.disable()
    yield
    gc.unfreeze()
    gc.enable()


def test_objects_that_stay_are_set_aside():
    stays = [Knot() for _ in range(1000)]
    Tidying().after_run(now=0.0)
    assert gc.get_freeze_count() > len(stays)
    assert len(gc.get_objects()) < gc.get_freeze_count() / 10


def test_a_new_cycle_is_freed_by_the_ordinary_search():
    Tidying().after_run(now=0.0)
    knot = Knot()
    watch = weakref.ref(knot)
    del knot
    gc.collect()
    assert watch() is None


def test_a_cycle_that_was_set_aside_is_freed_by_the_next_full_search():
    tidying = Tidying()
    knot = Knot()
    watch = weakref.ref(knot)
    tidying.after_run(now=0.0)
    del knot
    gc.collect()
    assert watch() is not None
    assert not tidying.after_run(now=FULL_SEARCH_SECONDS / 2)
    assert watch() is not None
    assert tidying.after_run(now=FULL_SEARCH_SECONDS)
    assert watch() is None


def test_modules_that_were_loaded_since_are_set_aside_too(monkeypatch):
    tidying = Tidying()
    assert tidying.after_run(now=0.0)
    assert not tidying.after_run(now=1.0)
    monkeypatch.setitem(sys.modules, "a_module_of_this_test", types.ModuleType("a_module_of_this_test"))
    assert tidying.after_run(now=2.0)
    assert not tidying.after_run(now=3.0)
