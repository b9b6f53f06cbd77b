"""The decision in plain words: which compared rule survives longest within the tolerance, and what that does not cover."""

from __future__ import annotations

from typing import Any, Final

NOT_COVERED: Final = (
    (
        "The intervals resample the splits of this one snapshot: they say how far another set of such splits could move a "
        "mean. They do not cover new items, other models, another set of random routers, or an attacker with a better method."
    ),
    (
        "Survival is measured at the tested budgets alone, against this one attack. A rule that survives it is not shown to "
        "be safe; a rule that fails it is shown to leak."
    ),
    (
        "Usefulness is the share of model pairs at least 1 pp apart on held-out items that the released scores put in the "
        "right order. It does not measure what else a submitter learns from a score."
    ),
)
"""What the numbers leave open, in sentences."""


def submissions_in_words(survival: dict[str, Any]) -> str:
    """Return how long a rule survives, in words.

    Parameters
    ----------
    survival
        The entry of ``report.json``.

    Examples
    --------
    >>> submissions_in_words({"status": "not_reached", "largest_budget": 2048, "tolerance_pp": 1.0})
    'not reached within 2,048 submissions'
    >>> submissions_in_words({"status": "reached", "submissions": 16})
    '16 submissions'
    """
    status = survival["status"]
    if status == "not_reached":
        return f"not reached within {plural(survival['largest_budget'], 'submission')}"
    if status == "no_pair":
        return "no pair of models to mix in any trial"
    if status == "exceeded_at_once":
        return "exceeded at the smallest tested budget"
    return plural(survival["submissions"], "submission")


def interval_in_words(survival: dict[str, Any]) -> str:
    """Return the interval of the survival, in words.

    Examples
    --------
    >>> interval_in_words({"status": "reached", "low": 8, "high": None, "largest_budget": 64})
    '8 to more than 64'
    """
    if survival["status"] == "no_pair":
        return "none"
    ends = [
        f"more than {survival['largest_budget']:,}" if end is None else f"{end:,}"
        for end in (survival["low"], survival["high"])
    ]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def decide(rules: list[dict[str, Any]], tolerance_pp: float) -> dict[str, Any]:
    """Return the decision over some rules.

    The rule that survives longest is named; among equals the more useful one, then the one given first.

    Parameters
    ----------
    rules
        Entries of ``report.json``.
    tolerance_pp
        The selection loss that is still accepted.

    Returns
    -------
    dict
        ``rule`` (None where no rule can be recommended), ``sentences``, ``not_covered``.
    """
    tolerance = f"{tolerance_pp:g} pp"
    attacked = [rule for rule in rules if rule["survival"]["status"] != "no_pair"]
    sentences: list[str] = []
    rule = None
    if not attacked:
        sentences.append(
            "In no trial are there two models to mix, so this attack has nothing to work with. That says something about these "
            "models, not about the safety of a rule: a newly submitted model can change it."
        )
    else:
        best = max(attacked, key=lambda one: (_reach(one), _useful(one), -rules.index(one)))
        if _reach(best) == 0:
            smallest = _smallest(best)
            sentences.append(
                f"No compared rule keeps the mean selection loss within {tolerance}: under each of them it is exceeded at "
                f"{plural(smallest, 'submission')} already. Release less, or answer fewer submissions."
            )
        else:
            rule = best["feedback"]
            sentences.append(_recommendation(best, len(attacked), tolerance))
            sentences += _rivals(best, attacked)
    missing = [one["feedback"] for one in rules if one["survival"]["status"] == "no_pair"]
    if missing and attacked:
        sentences.append(f"Not judged, for want of a pair of models to mix: {', '.join(missing)}.")
    sentences += _few_trials(attacked)
    return {"rule": rule, "sentences": sentences, "not_covered": list(NOT_COVERED)}


def _recommendation(best: dict[str, Any], attacked: int, tolerance: str) -> str:
    survival = best["survival"]
    subject = f"the rule {best['feedback']}"
    among = f"Of {plural(attacked, 'compared rule')}, {subject}" if attacked > 1 else subject.capitalize()
    if survival["status"] == "not_reached":
        text = (
            f"{among} keeps the mean selection loss within {tolerance} at every tested budget: the tolerance is not reached "
            f"within {plural(survival['largest_budget'], 'submission')}"
        )
    else:
        longest = "survives longest" if attacked > 1 else "survives"
        text = (
            f"{among} {longest}: the mean selection loss stays within {tolerance} up to "
            f"{plural(survival['submissions'], 'submission')}"
        )
    return f"{text} (95 % interval {interval_in_words(survival)}).{_beyond(best)} {_usefulness(best)}"


def _beyond(rule: dict[str, Any]) -> str:
    """Say what the rule costs at the largest budget, where it does not survive until there."""
    last = rule["budgets"][-1]
    if rule["survival"]["status"] == "not_reached":
        return ""
    loss = last["model_selection_loss_pp"]
    return f" At {plural(last['new_submissions'], 'submission')} the loss is {loss:.2f} pp."


def _usefulness(rule: dict[str, Any]) -> str:
    kept = rule["pairs_kept"]
    if kept["mean"] is None:
        return "How useful its scores are cannot be said: no two models are 1 pp apart on held-out items."
    return (
        f"Its released scores put {100 * kept['mean']:.1f} % of the clearly different model pairs in the right order "
        f"(95 % interval {100 * kept['low']:.1f} to {100 * kept['high']:.1f} %)."
    )


def _rivals(best: dict[str, Any], attacked: list[dict[str, Any]]) -> list[str]:
    """Say which rules the interval does not tell apart from the best, and which one is the most useful."""
    others = [rule for rule in attacked if rule is not best]
    sentences = []
    close = [rule["feedback"] for rule in others if _end(rule, "high") >= _end(best, "low")]
    if close:
        sentences.append(
            f"The intervals do not tell its survival apart from that of {', '.join(close)}, so weigh usefulness there."
        )
    useful = max(attacked, key=_useful)
    if useful is not best and _useful(useful) > _useful(best):
        sentences.append(
            f"The most useful rule is {useful['feedback']} ({100 * useful['pairs_kept']['mean']:.1f} % of pairs in order); "
            f"survival there: {submissions_in_words(useful['survival'])}."
        )
    return sentences


def _few_trials(attacked: list[dict[str, Any]]) -> list[str]:
    by_size: dict[tuple[int, int], list[str]] = {}
    for rule in attacked:
        if rule["eligible_trials"] < rule["attempted_trials"]:
            size = (rule["eligible_trials"], rule["attempted_trials"])
            by_size.setdefault(size, []).append(rule["feedback"])
    return [
        f"Under {', '.join(names)} only {eligible:,} of {attempted:,} trials leave two models to mix; averages are over those."
        for (eligible, attempted), names in by_size.items()
    ]


def _reach(rule: dict[str, Any]) -> float:
    survived = rule["survival"]["submissions"]
    return float("inf") if survived is None else float(survived)


def _end(rule: dict[str, Any], which: str) -> float:
    end = rule["survival"][which]
    return float("inf") if end is None else float(end)


def _useful(rule: dict[str, Any]) -> float:
    kept = rule["pairs_kept"]["mean"]
    return -1.0 if kept is None else float(kept)


def _smallest(rule: dict[str, Any]) -> int:
    return min(int(row["new_submissions"]) for row in rule["budgets"] if row["new_submissions"] > 1)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun, thousands separated."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
