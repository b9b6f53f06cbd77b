"""Score gap: how far the best public score and the best held-out score drift apart, and what that does not say."""

from core.reuse.history import History
from core.reuse.metrics import outcomes
from core.statistics import mean_intervals
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.guess import guess_again
from pages.kit.presets import show_presets
from pages.parts.score_gap import figures, words
from pages.parts.score_gap.controls import CONTROLS, GUESS_BUDGET, PRESETS, QUESTION
from pages.parts.score_gap.story import STORY
from pages.parts.score_gap.views import show_view

PAGE = frame("score_gap", CONTROLS, STORY)

heading(
    lambda: words.page_claim(figures.published_rows(), figures.baseline_rows(), GUESS_BUDGET),
    words.LEAD,
    fallback=PAGE.title,
)
show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: guess_again(PAGE, CONTROLS, QUESTION))
with guard():
    show_view(PAGE)

explain(
    PAGE.prefix,
    (
        Explanation(
            "The history *h* of a trial holds the genuine models by name, the two endpoints, the random routers and the final router. "
            "The gap is the largest distance, over the history, between the lowest public loss and the lowest held-out loss so far; "
            "the two may belong to different entries.",
            r"\mathrm{gap} = 100\,\max_{h} \left|\min_{i \le h} \ell_S(i) - \min_{i \le h} \ell_T(i)\right|",
            History,
        ),
        Explanation(
            "The baseline is the same over the genuine models alone. Both are measured in every trial and for every budget.",
            r"\mathrm{baseline} = 100\,\max_{h \le M} \left|\min_{i \le h} \ell_S(i) - \min_{i \le h} \ell_T(i)\right|",
            outcomes,
        ),
        Explanation(
            "The published test resamples the trials 100,000 times and takes basic intervals of the mean difference *d* between gap and "
            "baseline; the adjusted bound lets 55 comparisons hold at once. Its values are taken as printed. Intervals of curves "
            "recomputed here are plain quantiles of 2,000 resamples.",
            r"\left[\,2d - q_{97.5\,\%},\; 2d - q_{2.5\,\%}\right], \qquad \mathrm{bound} = 2d - q_{1 - 0.05/55}",
            mean_intervals,
        ),
    ),
)
