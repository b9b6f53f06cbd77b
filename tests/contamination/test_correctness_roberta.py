"""The RoBERTa extra on a tiny, randomly initialised model that is built here; nothing is downloaded.

Runs under ``make test-extras`` only; where the extra is missing these tests are skipped.
"""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the optional extra is not installed (make test-extras)")
transformers = pytest.importorskip(
    "transformers", reason="the optional extra is not installed (make test-extras)"
)

from core.contamination.correctness import text_predictor  # noqa: E402
from core.contamination.correctness_roberta import RobertaPredictor  # noqa: E402
from core.errors import DataError, UsageError  # noqa: E402

TEXTS = ["easy sum of two numbers", "hard proof of a theorem"] * 12
OUTCOMES = [1, 0] * 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Save a RoBERTa of six layers of width 16 with a byte-level tokenizer trained on the texts."""
    from tokenizers import ByteLevelBPETokenizer

    target = tmp_path_factory.mktemp("tiny-roberta")
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(TEXTS, vocab_size=300, special_tokens=special)
    trained.save_model(str(target))
    tokenizer = transformers.RobertaTokenizer.from_pretrained(str(target))
    tokenizer.save_pretrained(str(target))
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=6,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        pad_token_id=tokenizer.pad_token_id,
    )
    transformers.RobertaForSequenceClassification(config).save_pretrained(str(target))
    return str(target)


def predictor(folder, **changes):
    return RobertaPredictor(folder, **{"epochs": 1, **changes})


def test_defaults_are_the_papers():
    default = RobertaPredictor()
    assert (default.learning_rate, default.batch, default.frozen_layers) == (5e-6, 32, 5)


def test_predictions_are_probabilities(folder):
    predicted = predictor(folder).fit(TEXTS, OUTCOMES).predict(["an easy sum", "a hard proof", ""])
    assert predicted.shape == (3,)
    assert ((predicted > 0) & (predicted < 1)).all()


def test_only_the_last_layer_and_the_head_move(folder):
    before = transformers.RobertaForSequenceClassification.from_pretrained(folder).state_dict()
    after = predictor(folder, learning_rate=1e-2).fit(TEXTS, OUTCOMES).model.state_dict()
    moved = {name for name in before if not torch.equal(before[name], after[name])}
    assert moved
    assert all("layer.5." in name or name.startswith("classifier") for name in moved)


def test_it_learns_what_words_separate(folder):
    fitted = predictor(folder, epochs=40, learning_rate=1e-2, frozen_layers=0).fit(TEXTS, OUTCOMES)
    easy, hard = fitted.predict(TEXTS[:2])
    assert easy > hard


def test_a_fit_is_a_function_of_its_seed(folder):
    first, again, other = (
        predictor(folder, learning_rate=1e-2, seed=seed).fit(TEXTS, OUTCOMES).predict(TEXTS[:4])
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_it_stands_behind_the_common_interface(folder):
    assert isinstance(text_predictor("roberta", folder), RobertaPredictor)


def test_a_model_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be loaded"):
        RobertaPredictor(str(tmp_path)).fit(["a"], [1])


def test_texts_and_outcomes_must_match(folder):
    with pytest.raises(DataError, match="found 1 items and 2 outcomes"):
        predictor(folder).fit(["a"], [1, 0])
