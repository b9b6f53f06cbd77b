"""Correct a score: calibrate on spiked items, then estimate what a clean model would have scored."""

from core.contamination.calibration import platt
from core.contamination.correction import correct
from core.contamination.correctness import ConfidencePredictor
from core.contamination.estimators import combine, ipw
from core.contamination.pool_correction import calibration_sizes
from core.contamination.scores import min_k_plus
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.guess import guess_again
from pages.kit.presets import show_presets
from pages.parts.correct_a_score.controls import CONTROLS, PRESETS, QUESTION
from pages.parts.correct_a_score.story import STORY
from pages.parts.correct_a_score.views import LEAD, claim, show

PAGE = frame("correct_a_score", CONTROLS, STORY)

heading(claim, LEAD, fallback=PAGE.title)
show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: guess_again(PAGE, CONTROLS, QUESTION))
with guard():
    show(PAGE)

explain(
    PAGE.prefix,
    (
        Explanation(
            "Platt scaling turns a score into a probability, fitted on items of known status. A penalty keeps it finite where the "
            "score separates them completely.",
            r"d_i = \sigma\bigl(a + b\,(s_i - \bar s)/\mathrm{sd}(s)\bigr)",
            platt,
        ),
        Explanation(
            "Another model's confidence is scaled the same way, on clean calibration items alone.",
            r"c_i = \sigma\bigl(a' + b'\,\mathrm{logit}\,p_i\bigr)",
            ConfidencePredictor,
        ),
        Explanation(
            "IPW trusts the memorization predictor.", r"\frac{\sum_i (1 - d_i)\, y_i}{\sum_i (1 - d_i)}", ipw
        ),
        Explanation(
            "The combined estimator trusts both.",
            r"\frac1n \sum_i \bigl[d_i c_i + (1 - d_i) y_i\bigr]",
            combine,
        ),
        Explanation("Intervals resample items and fit both predictors again each time.", "", correct),
        Explanation(
            "The study of calibration sizes draws its own calibration items for every test set.",
            "",
            calibration_sizes,
        ),
        Explanation(
            "Min-K%++ averages the fifth of a text's tokens that are least likely, standardised over the vocabulary.",
            r"z_t = \frac{\ell_t - \mu_t}{\sigma_t}",
            min_k_plus,
        ),
    ),
)
