"""The decision in words, case by case."""

from __future__ import annotations

from core.report_parts.decision import decide


def rule(name, submissions, low, high, kept=0.8, status=None, loss=3.0, eligible=10):
    status = status or (
        "not_reached" if submissions is None else "exceeded_at_once" if submissions == 0 else "reached"
    )
    return {
        "feedback": name,
        "survival": {
            "submissions": submissions, "low": low, "high": high, "largest_budget": 64, "status": status,
            "tolerance_pp": 1.0,
        },
        "pairs_kept": {"mean": kept, "low": kept, "high": kept},
        "eligible_trials": eligible,
        "attempted_trials": 10,
        "budgets": [
            {"new_submissions": 0, "model_selection_loss_pp": 0.0},
            {"new_submissions": 2, "model_selection_loss_pp": loss},
            {"new_submissions": 64, "model_selection_loss_pp": loss},
        ],
    }  # fmt: skip


def said(*rules):
    decision = decide(list(rules), 1.0)
    return decision["rule"], " ".join(decision["sentences"])


def test_the_longest_survivor_is_named_with_its_cost_beyond():
    chosen, words = said(rule("task", 4, 2, 4), rule("overall", 16, 8, 32, kept=0.7))
    assert chosen == "overall"
    assert "overall survives longest: the mean selection loss stays within 1 pp up to 16 submissions" in words
    assert "(95 % interval 8 to 32)" in words
    assert "At 64 submissions the loss is 3.00 pp" in words
    assert "The most useful rule is task (80.0 % of pairs in order); survival there: 4 submissions." in words
    assert "do not tell" not in words


def test_not_reached_is_said_plainly():
    chosen, words = said(rule("task", None, 32, None))
    assert chosen == "task"
    assert "the tolerance is not reached within 64 submissions (95 % interval 32 to more than 64)" in words
    assert "At 64 submissions" not in words


def test_among_equals_the_more_useful_one_then_the_first():
    assert said(rule("a", 8, 4, 8, kept=0.5), rule("b", 8, 4, 8, kept=0.6))[0] == "b"
    assert said(rule("a", 8, 4, 8), rule("b", 8, 4, 8))[0] == "a"


def test_overlapping_intervals_are_told():
    _, words = said(rule("a", 16, 4, 32), rule("b", 8, 4, 16))
    assert "do not tell its survival apart from that of b" in words


def test_no_rule_survives():
    chosen, words = said(rule("a", 0, 0, 0), rule("b", 0, 0, 0))
    assert chosen is None
    assert "No compared rule keeps the mean selection loss within 1 pp" in words
    assert "at 2 submissions already" in words


def test_nothing_to_attack_is_no_praise():
    chosen, words = said(rule("a", None, None, None, status="no_pair", eligible=0))
    assert chosen is None
    assert "not about the safety of a rule" in words
    chosen, words = said(rule("a", None, None, None, status="no_pair", eligible=0), rule("b", 8, 4, 8))
    assert chosen == "b"
    assert "Not judged, for want of a pair of models to mix: a." in words


def test_few_eligible_trials_are_told_once():
    _, words = said(rule("a", 8, 4, 8, eligible=9), rule("b", 4, 4, 8, eligible=9))
    assert "Under a, b only 9 of 10 trials leave two models to mix" in words


def test_usefulness_may_not_exist():
    _, words = said(rule("a", 8, 4, 8, kept=None))
    assert "no two models are 1 pp apart" in words
