"""RoBERTa fine-tuned to predict correctness from the question's text: an optional extra.

The recipe of arXiv 2605.24818, appendix: AdamW with learning rate 5e-6, batches of 32, the first five encoder layers
frozen together with the embeddings. Needs the packages of ``requirements-extras.txt``; nothing is downloaded unless the
named model is not on this machine, and only by the model library itself.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.contamination.estimators import unit_array
from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

LEARNING_RATE: Final = 5e-6
BATCH: Final = 32
FROZEN_LAYERS: Final = 5
MAX_TOKENS: Final = 256


@dataclass(frozen=True, eq=False)
class FittedRoberta:
    """A fine-tuned classifier with its tokenizer."""

    model: Any
    tokenizer: Any

    def predict(self, features: Sequence[str]) -> NDArray[np.float64]:
        """Return P(the clean model is right) for question texts, shape (items,)."""
        torch, _ = _libraries()
        self.model.eval()
        parts = []
        with torch.no_grad():
            for start in range(0, len(features), BATCH):
                batch = _encode(self.tokenizer, features[start : start + BATCH])
                parts.append(self.model(**batch).logits.softmax(dim=1)[:, 1].double().numpy())
        return np.concatenate(parts) if parts else np.empty(0)


@dataclass(frozen=True, slots=True)
class RobertaPredictor:
    """Fine-tuning of a RoBERTa sequence classifier.

    Parameters
    ----------
    model
        A folder with a saved model and tokenizer, or a name that the model library knows.
    epochs
        Passes over the calibration items.
    learning_rate, batch, frozen_layers
        The paper's values by default.
    seed
        Seed of the new classification head and of the order of items.
    """

    model: str = "roberta-base"
    epochs: int = 3
    learning_rate: float = LEARNING_RATE
    batch: int = BATCH
    frozen_layers: int = FROZEN_LAYERS
    seed: int = 0

    def fit(self, features: Sequence[str], y: ArrayLike) -> FittedRoberta:
        """Fine-tune on question texts and clean outcomes (0 or 1).

        Raises
        ------
        UsageError
            If the extra is not installed or the model cannot be loaded.
        DataError
            If texts and outcomes differ in number, or there are none.
        """
        torch, transformers = _libraries()
        outcomes = unit_array("y", y)
        if len(features) != len(outcomes):
            raise DataError(
                f"Expected one outcome per item, found {len(features)} items and {len(outcomes)} outcomes."
            )
        generator = torch.Generator().manual_seed(self.seed)
        with torch.random.fork_rng():
            torch.manual_seed(self.seed)
            network, tokenizer = self._load(transformers)
            _freeze(network, self.frozen_layers)
            trainable = [parameter for parameter in network.parameters() if parameter.requires_grad]
            optimiser = torch.optim.AdamW(trainable, lr=self.learning_rate)
            labels = torch.tensor(outcomes.astype(np.int64))
            network.train()
            for _ in range(self.epochs):
                order = torch.randperm(len(features), generator=generator)
                for chosen in order.split(self.batch):
                    encoded = _encode(tokenizer, [features[int(index)] for index in chosen])
                    optimiser.zero_grad()
                    network(**encoded, labels=labels[chosen]).loss.backward()
                    optimiser.step()
        return FittedRoberta(network, tokenizer)

    def _load(self, transformers: Any) -> tuple[Any, Any]:
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(self.model)
            network = transformers.AutoModelForSequenceClassification.from_pretrained(
                self.model, num_labels=2
            )
        except (OSError, ValueError) as error:
            raise UsageError(
                f"The model '{self.model}' cannot be loaded: {error} Give the folder of a saved RoBERTa."
            ) from error
        return network, tokenizer


def _libraries() -> tuple[Any, Any]:
    try:
        torch, transformers = (importlib.import_module(name) for name in ("torch", "transformers"))
    except ImportError as error:
        raise UsageError(
            "The RoBERTa predictor is an optional extra that is not installed. Install it with "
            "'pip install -r requirements-extras.txt', or use the default text model 'tfidf'."
        ) from error
    return torch, transformers


def _freeze(network: Any, layers: int) -> None:
    """Freeze the embeddings and the first encoder layers."""
    encoder = network.base_model
    for part in (encoder.embeddings, *list(encoder.encoder.layer)[:layers]):
        for parameter in part.parameters():
            parameter.requires_grad = False


def _encode(tokenizer: Any, texts: Sequence[str]) -> Any:
    return tokenizer(list(texts), truncation=True, max_length=MAX_TOKENS, padding=True, return_tensors="pt")
