"""Correctness predictors behind one interface."""

import importlib.util

import numpy as np
import pytest

from core.contamination.correctness import (
    ConfidencePredictor,
    TextPredictor,
    bias_by_group,
    confidence_logit,
    text_predictor,
)
from core.errors import DataError, UsageError


def test_confidence_is_calibrated_by_scaling():
    """Overconfident signals are pulled back; tolerance 4 standard errors of a mean of 4,000 outcomes."""
    rng = np.random.default_rng(0)
    truth = rng.beta(2, 2, 8000)
    y = (rng.random(8000) < truth).astype(float)
    confidence = truth**3 / (truth**3 + (1 - truth) ** 3)
    fitted = ConfidencePredictor().fit(confidence[:4000], y[:4000])
    predicted = fitted.predict(confidence[4000:])
    assert predicted.mean() == pytest.approx(y[4000:].mean(), abs=4 * 0.5 / np.sqrt(4000))
    low = confidence[4000:] < 0.1
    observed = y[4000:][low].mean()
    assert abs(predicted[low].mean() - observed) < abs(confidence[4000:][low].mean() - observed)


def test_text_separates_what_words_separate():
    texts = ["easy sum of numbers"] * 20 + ["hard proof of theorem"] * 20
    fitted = TextPredictor().fit(texts, [1] * 20 + [0] * 20)
    easy, hard = fitted.predict(["an easy sum", "a hard proof"])
    assert easy > 0.6 > 0.4 > hard


@pytest.mark.parametrize("predictor", [ConfidencePredictor(), TextPredictor()])
def test_one_outcome_only_gives_a_constant(predictor):
    features = [0.2, 0.9, 0.5] if isinstance(predictor, ConfidencePredictor) else ["a b", "c d", "e f"]
    assert predictor.fit(features, [1, 1, 1]).predict(features) == pytest.approx(3.5 / 4)


def test_logits_of_certain_confidences_are_finite():
    assert np.isfinite(confidence_logit([0.0, 1.0])).all()


def test_bias_is_measured_per_group_and_overall():
    table = bias_by_group([0.5, 0.5, 1.0, 0.0], [1, 1, 0, 0], ["easy", "easy", "hard", "hard"])
    assert table["group"].tolist() == ["easy", "hard", "all"]
    assert table["bias_pp"].tolist() == [-50, 50, 0]


def test_text_models_are_chosen_by_name():
    assert isinstance(text_predictor("tfidf"), TextPredictor)
    with pytest.raises(UsageError, match=r"Unknown text model 'bert'\. Valid: tfidf, roberta"):
        text_predictor("bert")


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="the extra is installed here")
def test_a_missing_extra_says_how_to_get_it():
    with pytest.raises(UsageError, match=r"pip install -r requirements-extras\.txt"):
        text_predictor("roberta").fit(["a"], [1])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: TextPredictor().fit(["a b"], [1, 0]), "found 1 items and 2 outcomes"),
        (lambda: TextPredictor().fit(["", ""], [1, 0]), "cannot be used for a classifier"),
        (lambda: ConfidencePredictor().fit([1.5, 0.1], [1, 0]), r"within \[0, 1\]"),
    ],
)
def test_wrong_input_is_refused(call, words):
    with pytest.raises(DataError, match=words):
        call()
