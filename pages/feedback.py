"""Feedback richness: what it buys to return fewer scores, published, live, and as rules side by side."""

from core.reuse.attack import task_weights
from core.reuse.comparison import pairs_kept
from core.reuse.interfaces import interface_of
from core.reuse.rules import FrontierOnly, Ladder, parse_rule
from core.reuse.survival import survival
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.guess import guess_again
from pages.kit.presets import show_presets
from pages.parts.feedback import words
from pages.parts.feedback.controls import CONTROLS, PRESETS, QUESTION
from pages.parts.feedback.figures import published_rows
from pages.parts.feedback.story import STORY
from pages.parts.feedback.views import show_live, show_published, show_rules

PAGE = frame("feedback", CONTROLS, STORY)
VIEW = CONTROLS.value("view")

heading(
    lambda: words.page_claim(published_rows("false_winner")),
    {"live": words.LIVE_LEAD, "rules": words.RULES_LEAD}.get(VIEW, words.LEAD),
    fallback=PAGE.title,
)
show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: guess_again(PAGE, CONTROLS, QUESTION))
with guard():
    {"live": show_live, "rules": show_rules}.get(VIEW, show_published)(PAGE)

explain(
    PAGE.prefix,
    (
        Explanation(
            "The tasks are sorted by a hash of their names and cut into *d* equal runs; a group's score is the mean of its tasks' "
            "published scores, rounded once. The two mixed models are still chosen by the full interface.",
            r"I = d\,(k-1) \quad \text{released scores after } k \text{ submissions}",
            interface_of,
        ),
        Explanation(
            "A router's weight on a returned score is its distance from the middle of the two models. A score that is withheld "
            "weighs nothing.",
            r"w_{jc} = p_{jc} - \tfrac{1}{2}(a_c + b_c)",
            task_weights,
        ),
        Explanation("A rule is an interface and modifiers, applied from left to right.", "", parse_rule),
        Explanation(
            "The Ladder (Blum and Hardt 2015) releases a score only where it beats the best so far by a step; without a step, by "
            "the standard error of the paired difference.",
            r"\ell < R - \eta \;\Rightarrow\; R \leftarrow [\ell]_\eta",
            Ladder,
        ),
        Explanation(
            "Frontier only (after arXiv 2609.32109): a profile is released unless an earlier one is at least as good everywhere.",
            "",
            FrontierOnly,
        ),
        Explanation(
            "Use: the share of pairs of genuine models, at least 1 pp apart on held-out items, that the returned scores order "
            "rightly.",
            "",
            pairs_kept,
        ),
        Explanation(
            "A rule survives the largest tested budget before the mean loss first exceeds the accepted one; its interval "
            "resamples the splits.",
            "",
            survival,
        ),
    ),
)
