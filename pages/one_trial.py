"""One trial: how coin flips and released scores become a public winner, in four steps."""

from core.reuse.attack import task_weights
from core.reuse.endpoints import select_endpoints
from core.reuse.metrics import Outcomes
from core.reuse.vote import Vote, random_choices
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.presets import show_presets
from pages.parts.one_trial.controls import CONTROLS, PRESETS
from pages.parts.one_trial.story import STORY
from pages.parts.one_trial.views import lead, offer_guess, page_claim, show_any, show_published, show_steps

PAGE = frame("one_trial", CONTROLS, STORY)

heading(page_claim, lead, fallback=PAGE.title)
show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: offer_guess(PAGE))
step = show_steps()
with guard():
    (show_any if CONTROLS.value("view") == "any" else show_published)(PAGE, step)

explain(
    PAGE.prefix,
    (
        Explanation(
            "A. Among the five best of the public frontier, the pair whose released scores differ most. The member with the "
            "larger public loss is called *A*.",
            r"(A, B) = \arg\max_{A, B} \sum_c \left|a_c - b_c\right|",
            select_endpoints,
        ),
        Explanation(
            "B. A router's weight on coordinate *c* is its released score minus the reference line.",
            r"w_{jc} = p_{jc} - \tfrac{1}{2}(a_c + b_c)",
            task_weights,
        ),
        Explanation(
            "The coin flip of router *j* for a prompt is one bit of a keyed hash of the prompt's hash: the key is the SHA-256 of "
            "the routing seed and *j*. It depends on nothing else, so it can be made again at any time.",
            r"g_{ji} = \pm 1 \text{ by the lowest bit of } \mathrm{BLAKE2b}_{\mathrm{key}_j}(\text{hash of prompt } i)",
            random_choices,
        ),
        Explanation(
            "C. The final router follows the sign of the vote. A vote of exactly zero takes the tie router's flip.",
            r"\mathrm{vote}_i = \sum_{j < k} w_{j\,c(i)}\, g_{ji}",
            Vote,
        ),
        Explanation(
            "D. The loss compares, held out, the model that leads before with the one that leads after.",
            r"\mathrm{loss} = 100\,\bigl(T(m^{\mathrm{before}}) - T(m^{\mathrm{after}})\bigr)",
            Outcomes,
        ),
    ),
)
