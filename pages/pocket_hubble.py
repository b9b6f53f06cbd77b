"""Pocket Hubble: a standard and a perturbed language model, trained on the spot, spiked, detected and corrected."""

from core.contamination.calibration import platt
from core.contamination.detection import auroc
from core.contamination.pocket.grammar import draw_questions
from core.contamination.pocket.network import train
from core.contamination.pocket.pair import train_pair
from core.contamination.pool_correction import repeated_errors
from core.contamination.scores import loss_score, min_k, min_k_plus, reference_score, zlib_score
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.guess import guess_again
from pages.kit.presets import show_presets
from pages.parts.pocket_hubble.controls import CONTROLS, PRESETS, QUESTION
from pages.parts.pocket_hubble.story import STORY
from pages.parts.pocket_hubble.views import LEAD, claim, show

PAGE = frame("pocket_hubble", CONTROLS, STORY)

heading(claim, LEAD, fallback=PAGE.title)
show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: guess_again(PAGE, CONTROLS, QUESTION))
with guard():
    show(PAGE)

explain(
    PAGE.prefix,
    (
        Explanation(
            "A sentence has a class, two names, a place, an attribute, a marker and a value; the value follows a rule with exceptions.",
            "",
            draw_questions,
        ),
        Explanation(
            "A window of seven tokens, embeddings, one hidden layer, a softmax.",
            r"p(x_t \mid x_{<t}) = \mathrm{softmax}\bigl(W_2 \tanh(W_1 [e(x_{t-7}), \ldots, e(x_{t-1})] + b_1) + b_2\bigr)",
            train,
        ),
        Explanation(
            "Both models start alike; exposures replace background sentences at random places.",
            "",
            train_pair,
        ),
        Explanation("LOSS is the mean token log-probability.", r"\frac1N \sum_t \ell_t", loss_score),
        Explanation("Min-K% averages the least likely tokens.", "", min_k),
        Explanation(
            "Min-K%++ standardises them over the vocabulary first.",
            r"z_t = (\ell_t - \mu_t)/\sigma_t",
            min_k_plus,
        ),
        Explanation("zlib divides LOSS by the size of the compressed text.", "", zlib_score),
        Explanation("Reference subtracts the LOSS of the standard model.", "", reference_score),
        Explanation("AUROC is the chance that a leaked item scores above a clean one.", "", auroc),
        Explanation(
            "Platt scaling is fitted on one half of the items, everything else measured on the other.",
            "",
            platt,
        ),
        Explanation("Errors are those of 300 test sets drawn from the other half.", "", repeated_errors),
    ),
)
