"""Timings of the feedback study and page; run by ``make bench``."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.benchmark.catalogue import load
from core.reuse.comparison import compare
from core.reuse.study import run_studies
from pages.kit.registry import ROOT

pytestmark = pytest.mark.benchmark
SWEEP = tuple(f"grouped:{groups}:0" for groups in (1, 2, 3, 6, 9, 18))


@pytest.fixture
def bank():
    found = load("simulated:livebench")
    assert (len(found.models), len(found.items), len(found.tasks)) == (33, 612, 18)
    return found


def test_sweep_over_returned_scores(benchmark, report, bank, tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path))
    run_studies(bank, SWEEP)
    benchmark.pedantic(lambda: [study.rows() for study in run_studies(bank, SWEEP)], rounds=5)
    report("6 groupings x 12 budgets, 250 trials, 612 items x 33 models, gates cached", "3 s")


def test_comparison_of_rules(benchmark, report, bank, tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path))
    rules = ("task", "category", "overall", "overall+round:1", "overall+ladder:1", "category+frontier:0")
    compare(bank, rules)
    benchmark.pedantic(lambda: compare(bank, rules).rows(), rounds=3)
    report("comparison of 6 rules, 250 trials, 612 items x 33 models, gates cached", "-")


@pytest.mark.parametrize(
    ("control", "values"),
    [("fb_axis", ("released_scores", "new_submissions")), ("fb_measure", ("false_winner", "score_gap_pp"))],
)
def test_feedback_page_rerun(benchmark, report, control, values):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    at.query_params["reveal"] = "1"
    at.switch_page("pages/feedback.py").run()
    turn = iter(values * 100)

    def change() -> None:
        at.segmented_control(key=control).set_value(next(turn)).run()

    benchmark.pedantic(change, rounds=40, warmup_rounds=4)
    times = sorted(benchmark.stats.stats.data)
    p95 = times[int(0.95 * (len(times) - 1))]
    report(
        f"feedback page, {control}, server time of a rerun (p95)",
        "100 ms",
        f"{1000 * p95:.0f} ms (median {1000 * times[len(times) // 2]:.0f} ms)",
    )
