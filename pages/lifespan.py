"""Lifespan: a law for how many submissions a benchmark lasts, where it holds, where it fails, and a simulated alternative."""

from core.benchmark.copula import draw_outcomes
from core.benchmark.free_form import free_form
from core.reuse.lifespan import error_range, fit_law
from core.reuse.lifespan_simulation import read_off
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.guess import guess_again
from pages.kit.presets import show_presets
from pages.parts.lifespan import words
from pages.parts.lifespan.controls import CONTROLS, PRESETS
from pages.parts.lifespan.figures import evidence
from pages.parts.lifespan.story import STORY
from pages.parts.lifespan.views import guess_question, show_calculator, show_law

PAGE = frame("lifespan", CONTROLS, STORY)

heading(lambda: words.page_claim(evidence("score_gap", 2.0)), words.LEAD, fallback=PAGE.title)
with guard():
    show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: guess_again(PAGE, CONTROLS, guess_question()))
SHOWN = False
with guard():
    SHOWN = show_law(PAGE)
if SHOWN:
    with guard():
        show_calculator(PAGE)

explain(
    PAGE.prefix,
    (
        Explanation(
            "The law is fitted to LiveBench with fewer items and fewer returned scores. Its constant is the geometric mean over "
            "the cells that cross after the static control; *n* reused items, *d* returned scores.",
            r"k = 1 + c\,\frac{n}{d}, \qquad c = \Bigl(\prod_{\mathrm{cells}} \frac{d\,(k-1)}{n}\Bigr)^{1/\#\mathrm{cells}}",
            fit_law,
        ),
        Explanation(
            "For 90 % false winners the number of items drops out.",
            r"k = 1 + \frac{c}{d}",
            fit_law,
        ),
        Explanation(
            "The error range multiplies a prediction by the smallest and the largest ratio of observed to predicted budget on the "
            "benchmarks that took no part in the fit. A budget that was not reached leaves the upper end open.",
            r"\bigl[\,k \min_b o_b/p_b,\; k \max_b o_b/p_b\,\bigr]",
            error_range,
        ),
        Explanation(
            "The simulated alternative draws benchmarks with *d* tasks and 3*n* items, two thirds of them held out. Models stand a "
            "fixed step apart; on each task they depart from their overall score by 8 pp (standard deviation).",
            "",
            free_form,
        ),
        Explanation(
            "Outcomes come from a one-factor Gaussian copula: an item's difficulty is shared by all models, with weight *r*, the "
            "dependence.",
            r"Z_{mi} = \sqrt{r}\,U_i + \sqrt{1-r}\,E_{mi}, \qquad \mathrm{solved} \iff Z_{mi} \le \Phi^{-1}(p_{m\,t(i)})",
            draw_outcomes,
        ),
        Explanation(
            "The attack runs on all drawn benchmarks; the first tested budget at which the mean curve crosses is read off, with a "
            "two-stage bootstrap over draws and splits.",
            "",
            read_off,
        ),
    ),
)
