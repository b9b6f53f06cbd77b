"""Correctness predictors: the probability that the clean model answers an item right.

One interface, two signals: another model's confidence with Platt scaling, or the question's text. All are fitted on
clean calibration items alone. Their |bias| per benchmark and difficulty bin is the measure that matters for the
imputed score (arXiv 2605.24818, section 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import numpy as np

from core.contamination.calibration import Platt, platt
from core.contamination.estimators import unit_array
from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

EDGE: Final = 1e-4
TEXT_MODELS: Final = ("tfidf", "roberta")
_Features_contra = TypeVar("_Features_contra", contravariant=True)


class FittedCorrectness(Protocol[_Features_contra]):
    """A fitted predictor."""

    def predict(self, features: _Features_contra) -> NDArray[np.float64]:
        """Return P(the clean model is right), shape (items,)."""
        ...


class CorrectnessPredictor(Protocol[_Features_contra]):
    """A predictor that can be fitted on clean calibration items."""

    def fit(self, features: _Features_contra, y: ArrayLike) -> FittedCorrectness[_Features_contra]:
        """Fit on features and clean outcomes (0 or 1)."""
        ...


@dataclass(frozen=True, slots=True)
class FittedConfidence:
    """Platt scaling of a confidence's logit, or a constant where one outcome never occurred."""

    scaling: Platt | None
    constant: float = 0.0

    def predict(self, features: ArrayLike) -> NDArray[np.float64]:
        """Return probabilities for confidences of shape (items,)."""
        logit = confidence_logit(features)
        return np.full(len(logit), self.constant) if self.scaling is None else self.scaling(logit)


@dataclass(frozen=True, slots=True)
class ConfidencePredictor:
    """Another model's confidence, Platt-scaled on its logit.

    Examples
    --------
    >>> fitted = ConfidencePredictor().fit([0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1])
    >>> bool(fitted.predict([0.1])[0] < fitted.predict([0.9])[0])
    True
    """

    def fit(self, features: ArrayLike, y: ArrayLike) -> FittedConfidence:
        """Fit on confidences in [0, 1], shape (items,), and clean outcomes."""
        logit, outcomes = confidence_logit(features), unit_array("y", y)
        _same_length(len(logit), len(outcomes))
        if len(np.unique(outcomes)) < 2:
            return FittedConfidence(None, float((outcomes.sum() + 0.5) / (len(outcomes) + 1)))
        return FittedConfidence(platt(logit, outcomes))


@dataclass(frozen=True, eq=False)
class FittedText:
    """A fitted text pipeline, or a constant where one outcome never occurred."""

    pipeline: Any
    constant: float = 0.0

    def predict(self, features: Sequence[str]) -> NDArray[np.float64]:
        """Return probabilities for texts."""
        if self.pipeline is None:
            return np.full(len(features), self.constant)
        return np.asarray(self.pipeline.predict_proba(list(features))[:, 1], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class TextPredictor:
    """TF-IDF of words and word pairs with logistic regression; needs no download.

    Parameters
    ----------
    penalty
        scikit-learn's C, the inverse strength of the L2 penalty.
    """

    penalty: float = 1.0

    def fit(self, features: Sequence[str], y: ArrayLike) -> FittedText:
        """Fit on question texts and clean outcomes.

        Raises
        ------
        DataError
            If no text holds a word.
        """
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        outcomes = unit_array("y", y)
        _same_length(len(features), len(outcomes))
        if len(np.unique(outcomes)) < 2:
            return FittedText(None, float((outcomes.sum() + 0.5) / (len(outcomes) + 1)))
        pipeline = make_pipeline(
            TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
            LogisticRegression(C=self.penalty, max_iter=1000),
        )
        try:
            pipeline.fit(list(features), outcomes.astype(int))
        except ValueError as error:
            raise DataError(f"The texts cannot be used for a classifier: {error}") from error
        return FittedText(pipeline)


def text_predictor(name: str, model: str = "roberta-base") -> CorrectnessPredictor[Sequence[str]]:
    """Return a text predictor by name.

    Parameters
    ----------
    name
        "tfidf", or "roberta", which needs the packages of ``requirements-extras.txt``.
    model
        For RoBERTa: a folder with a saved model and tokenizer, or a name in the reader's model cache.

    Raises
    ------
    UsageError
        If the name is unknown or the extra is not installed.
    """
    if name == "tfidf":
        return TextPredictor()
    if name == "roberta":
        from core.contamination.correctness_roberta import RobertaPredictor

        return RobertaPredictor(model)
    raise UsageError(f"Unknown text model '{name}'. Valid: {', '.join(TEXT_MODELS)}.")


def confidence_logit(confidence: ArrayLike) -> NDArray[np.float64]:
    """Return the logit of confidences in [0, 1], shape (items,), kept within +-9.2."""
    values = np.clip(unit_array("confidence", confidence), EDGE, 1 - EDGE)
    return np.asarray(np.log(values / (1 - values)))


def bias_by_group(predicted: ArrayLike, y: ArrayLike, groups: Sequence[object]) -> pd.DataFrame:
    """Measure a correctness predictor: mean prediction minus mean outcome, per group and overall.

    Parameters
    ----------
    predicted, y
        Shape (items,).
    groups
        A group per item, such as a benchmark or difficulty bin.

    Returns
    -------
    pandas.DataFrame
        Columns ``group, items, predicted, observed, bias_pp``, the last row for all items.
    """
    import pandas as pd

    table = pd.DataFrame(
        {"group": list(groups), "predicted": unit_array("predicted", predicted), "observed": y}
    )
    rows = [(str(group), part) for group, part in table.groupby("group", sort=False)] + [("all", table)]
    return pd.DataFrame(
        {
            "group": [group for group, _ in rows],
            "items": [len(part) for _, part in rows],
            "predicted": [part["predicted"].mean() for _, part in rows],
            "observed": [part["observed"].mean() for _, part in rows],
            "bias_pp": [100 * (part["predicted"] - part["observed"]).mean() for _, part in rows],
        }
    )


def _same_length(features: int, outcomes: int) -> None:
    if features != outcomes:
        raise DataError(f"Expected one outcome per item, found {features} items and {outcomes} outcomes.")
