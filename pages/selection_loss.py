"""Selection loss: what following the public ranking costs in held-out score, by submission budget."""

from core.reuse.attack import final_choices, task_weights
from core.reuse.endpoints import select_endpoints
from core.reuse.metrics import Outcomes
from core.statistics import mean_intervals
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.guess import guess_again
from pages.kit.presets import show_presets
from pages.parts.selection_loss import words
from pages.parts.selection_loss.controls import CONTROLS, PRESETS, QUESTION
from pages.parts.selection_loss.figures import published_claim
from pages.parts.selection_loss.story import STORY
from pages.parts.selection_loss.views import show_published, show_recomputed

PAGE = frame("selection_loss", CONTROLS, STORY)

heading(
    published_claim,
    words.RECOMPUTED_LEAD if CONTROLS.value("view") == "recomputed" else words.LEAD,
    fallback=PAGE.title,
)
show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: guess_again(PAGE, CONTROLS, QUESTION))
show = show_recomputed if CONTROLS.value("view") == "recomputed" else show_published
with guard():
    show(PAGE)

explain(
    PAGE.prefix,
    (
        Explanation(
            "A split *t* divides the items into a reused half *S*, which the ranking shows, and a held-out half *T*. The "
            "loss compares, on *T*, the model that leads before the attack with the one that leads after *k* submissions.",
            r"\mathrm{loss}_t(k) = 100\,\bigl(T_t(m^{\mathrm{before}}_t) - T_t(m^{\mathrm{after}}_t(k))\bigr)",
            Outcomes,
        ),
        Explanation(
            "The attack mixes two models, *A* and *B*: the pair that differs most among the five best of the public frontier.",
            r"(A, B) = \arg\max_{A, B} \sum_c \left|a_c - b_c\right|",
            select_endpoints,
        ),
        Explanation(
            "Each of *k* − 1 random routers answers every prompt with *A* or *B* by the flip of a coin. Its released score "
            "on coordinate *c* says how much to trust its flips there.",
            r"w_{jc} = p_{jc} - \tfrac{1}{2}(a_c + b_c)",
            task_weights,
        ),
        Explanation(
            "The final router follows the weighted vote of all flips.",
            r"\mathrm{choice}_i = \operatorname{sign} \sum_{j < k} w_{j\,c(i)}\, g_{ji}, \qquad g_{ji} \in \{-1, +1\}",
            final_choices,
        ),
        Explanation(
            "Curves are means over the splits in which two models are left to mix; bands are the 2.5 % and 97.5 % "
            "quantiles of 2,000 resamples of the splits, the same for every budget.",
            r"\bar{x} = \frac{1}{|E|} \sum_{t \in E} x_t",
            mean_intervals,
        ),
    ),
)
