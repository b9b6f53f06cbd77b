"""Changed facts: items about facts that changed after a model's cutoff cannot have leaked."""

from core.fresh.building import build_items
from core.fresh.documents import check_support, choose_revision
from core.fresh.facts import find_change
from core.fresh.scoring import macro_f1, names_old_value, score_items
from core.fresh.times import compare
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.presets import show_presets
from pages.parts.fresh_items import data, words
from pages.parts.fresh_items.controls import CONTROLS, PRESETS
from pages.parts.fresh_items.scores import show_published, show_score
from pages.parts.fresh_items.story import STORY
from pages.parts.fresh_items.views import cutoff_words, show_facts, show_one, show_set

PAGE = frame("fresh_items", CONTROLS, STORY)
VIEWS = {
    "facts": show_facts,
    "one": show_one,
    "set": show_set,
    "score": show_score,
    "published": show_published,
}


def claim() -> str:
    """Return the title: how many of the sample's real facts changed after the cutoff."""
    cutoff = CONTROLS.value("cutoff")
    facts, funnel = data.changed(cutoff, made_up=False)
    return words.page_claim(len(facts), funnel.considered, cutoff_words(cutoff))


heading(claim, words.LEAD, fallback=PAGE.title)
show_presets(PAGE, CONTROLS, PRESETS)
with guard():
    VIEWS[CONTROLS.value("view")](PAGE)

explain(
    PAGE.prefix,
    (
        Explanation(
            "Dates are compared at the coarser of their two precisions: a year alone neither precedes nor follows a day in it.",
            r"a \le b \iff (a)_{p} \le (b)_{p}, \qquad p = \min(\mathrm{prec}(a), \mathrm{prec}(b))",
            compare,
        ),
        Explanation(
            "Per subject and relation, the *old* value is the newest that started by the cutoff *t₁*, the *new* one the newest "
            "that started by the later day *t₂*. They must differ, the old one must have ended, and the new one must not start "
            "before that end. The original rule also keeps statements that Wikidata's editors marked as wrong; here they are "
            "dropped.",
            r"\mathrm{old} = \arg\max_{s \le t_1} s, \quad \mathrm{new} = \arg\max_{s \le t_2} s, \quad "
            r"\mathrm{start}(\mathrm{new}) \ge \mathrm{end}(\mathrm{old})",
            find_change,
        ),
        Explanation(
            "Among the revisions strictly later than the start of the new value, the earliest day counts, and of that day the "
            "last revision.",
            r"d^\ast = \min \{ \mathrm{day}(r) : \mathrm{day}(r) > \mathrm{start}(\mathrm{new}) \}",
            choose_revision,
        ),
        Explanation(
            "Its first paragraph must name the subject and the new value, by label or alias, as whole words.",
            "",
            check_support,
        ),
        Explanation(
            "Items, options and distracting documents are drawn with a seed of their own for each item.",
            "",
            build_items,
        ),
        Explanation(
            "An answer is outdated if it names the old value once the right names are taken out of it. Multi-hop items have no "
            "outdated answer.",
            r"\mathrm{outdated\ rate} = \frac{1}{n} \sum_i [\,\mathrm{answer}_i \text{ names } \mathrm{old}_i\,]",
            names_old_value,
        ),
        Explanation(
            "Macro-F1 is the mean F1 of the letters A to D. An output without a letter is a miss and never a fifth class.",
            r"F_1 = \tfrac{1}{4} \sum_{c \in \{A, B, C, D\}} \frac{2\,\mathrm{TP}_c}{2\,\mathrm{TP}_c + \mathrm{FP}_c + \mathrm{FN}_c}",
            macro_f1,
        ),
        Explanation(
            "Intervals are 2.5 % and 97.5 % quantiles over 2,000 resamples of the items.", "", score_items
        ),
    ),
)
