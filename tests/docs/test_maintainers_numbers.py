"""Every number in docs/maintainers.md is computed here, and its sentence or row compared."""

from __future__ import annotations

import pytest

from core.benchmark.catalogue import load
from core.report import make_report
from core.report_parts import cells
from core.reuse.comparison import compare
from core.reuse.study import reseed
from tests.docs.checked_numbers import left_over, percent, signed
from tests.docs.documents import ROOT, plain, prose_of

DOCUMENT = ROOT / "docs" / "maintainers.md"
BANK = load("terminal_science")
RULES = ("category", "overall", "category+ladder:1", "policy:aggregate", "category+cap:4")


@pytest.fixture(scope="module")
def facts():
    return make_report(BANK, RULES, tolerance_pp=1.0).facts.content


def prose():
    """Return the document without blocks and tables, as one line."""
    lines = prose_of(DOCUMENT).splitlines()
    return plain("\n".join(line for line in lines if not line.startswith(("| ", "    "))))


def test_the_table_of_rules_is_the_reports(facts):
    headings, rows = cells.rules_table(facts)
    text = DOCUMENT.read_text(encoding="utf-8")
    for row in (headings, *rows):
        assert f"\n| {' | '.join(row)} |\n" in text


def test_the_numbers_in_the_text(facts):
    rules = {rule["feedback"]: rule for rule in facts["rules"]}

    def at(rule, budget, column="model_selection_loss_pp"):
        return next(row for row in rules[rule]["budgets"] if row["new_submissions"] == budget)[column]

    coarse = compare(BANK, ["overall"], budgets=(8, 128)).results[0].survival
    other = compare(BANK.with_settings(reseed(BANK.settings, 3)), ["overall"]).results[0].survival
    survives = {rule: entry["survival"]["submissions"] for rule, entry in rules.items()}
    kept = {rule: entry["pairs_kept"]["mean"] for rule, entry in rules.items()}
    fragments = [
        f"with the budgets 8 and 128 alone, `overall` survives {coarse.submissions}.",
        (
            f"exceeds 1 pp at 2 submissions already ({at('category', 2):.2f} pp), reaches {at('category', 32):.2f} pp at 32 and is "
            f"{at('category', 2048):.2f} pp at 2,048."
        ),
        (
            f"At 16 submissions under `overall` the loss is {at('overall', 16):.2f} pp on average and the share of false winners "
            f"{percent(at('overall', 16, 'false_winner'))}; at 128 it is {at('overall', 128):.2f} pp and "
            f"{percent(at('overall', 128, 'false_winner'))}."
        ),
        f"(with seed 3, `overall` survives {other.submissions})",
        f"({percent(kept['overall'])} against {percent(kept['category'])} of pairs)",
        f"it survives {survives['overall']} submissions where category scores survive none",
        (
            f"The Ladder keeps the loss at 2,048 submissions to {at('category+ladder:1', 2048):.2f} pp, and orders hardly any pair "
            f"({percent(kept['category+ladder:1'])})."
        ),
        f"costs more in the end than category scores do, {signed(at('overall', 2048))} pp at 2,048",
        f"`category+cap:4` holds the loss at {at('category+cap:4', 2048):.2f} pp",
        f"On {facts['benchmark']['items']} items and {facts['benchmark']['models']} models",
        "differ by at least 1 pp on held-out items",
    ]
    assert left_over(prose(), fragments) == []
    assert survives["category"] == 0
    assert at("category+cap:4", 4) == at("category+cap:4", 2048)


def test_one_score_mixes_models_that_lie_further_apart(facts):
    """What the text says about why one score costs more in the end."""
    place = {entry["model"]: entry["mean_pp"] for entry in facts["leaderboard"]}
    apart = {
        rule["feedback"]: sum(
            pair["share"] * abs(place[pair["a"]] - place[pair["b"]]) for pair in rule["endpoint_pairs"]
        )
        for rule in facts["rules"]
    }
    assert apart["overall"] > 2 * apart["category"]
