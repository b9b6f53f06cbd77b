"""Phase diagrams: which estimator of the clean score errs least, by the quality of the predictors."""

from core.contamination.epg import epg
from core.contamination.estimators import combine, control_variate, impute, ipw
from core.contamination.phase import phase_diagram
from core.contamination.pools import calibrated_pool
from core.contamination.predictors import beta_means, informativeness
from core.contamination.regimes import leaking_items
from pages.kit.explain import Explanation, explain
from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.guess import guess_again
from pages.kit.presets import show_presets
from pages.parts.phase_diagrams import words
from pages.parts.phase_diagrams.controls import CONTROLS, PRESETS, QUESTION
from pages.parts.phase_diagrams.story import STORY
from pages.parts.phase_diagrams.views import current_frame, show

PAGE = frame("phase_diagrams", CONTROLS, STORY)

heading(lambda: words.page_claim(current_frame()), words.LEAD, fallback=PAGE.title)
show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: guess_again(PAGE, CONTROLS, QUESTION))
with guard():
    show(PAGE)

explain(
    PAGE.prefix,
    (
        Explanation(
            "IPW weights each item by its probability of being clean.",
            r"\hat\mu_{\mathrm{IPW}} = \frac{\sum_i (1 - d_i)\, y_i}{\sum_i (1 - d_i)}",
            ipw,
        ),
        Explanation(
            "Imputation replaces every outcome by its prediction.",
            r"\hat\mu_{\mathrm{imp}} = \frac1n \sum_i c_i",
            impute,
        ),
        Explanation(
            "The combined estimator imputes in proportion to the contamination probability.",
            r"\hat\mu_{\mathrm{comb}} = \frac1n \sum_i \bigl[d_i c_i + (1 - d_i) y_i\bigr]",
            combine,
        ),
        Explanation(
            "Beyond the paper: the control variate corrects the imputed score by the residuals of likely clean items.",
            r"\hat\mu_{\mathrm{cv}} = \frac1n \sum_i c_i + \frac{\sum_i (1 - d_i)(y_i - c_i)}{\sum_i (1 - d_i)}",
            control_variate,
        ),
        Explanation(
            "EPG cuts the test set where its clean part falls most clearly below the whole.", "", epg
        ),
        Explanation(
            "A memorization predictor of a given AUROC draws Beta scores; the mean *m* solves the AUROC exactly.",
            r"\mathrm{AUROC}(m) = \int f_{\mathrm{leaked}}(x)\, F_{\mathrm{clean}}(x)\, dx",
            beta_means,
        ),
        Explanation(
            "A correctness predictor of a given bias slides from the chance rate to certainty.",
            r"q = 1 - \frac{|\mathrm{bias}|}{|p_0 - p_{\mathrm{test}}|}",
            informativeness,
        ),
        Explanation(
            "Leaks are random at one dose, or take one third of the items by difficulty.", "", leaking_items
        ),
        Explanation(
            "The pool is drawn so that its means match Hubble's published accuracies and, for MMLU, AUROCs.",
            "",
            calibrated_pool,
        ),
        Explanation(
            "All cells of a panel share their test sets; a panel is a few matrix products.", "", phase_diagram
        ),
    ),
)
