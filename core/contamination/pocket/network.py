"""The pocket pair's model: a window of seven tokens, one hidden layer, softmax; written with NumPy alone.

Bengio et al. (JMLR 3, 2003) in miniature: embeddings of width 24, tanh layer of 96, vocabulary 454: 71 thousand
parameters in float32, trained by Adam (Kingma and Ba, 2015) in one pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.contamination.pocket.grammar import LENGTH, PAD, VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

CONTEXT: Final = LENGTH - 1
EMBEDDING: Final = 24
HIDDEN: Final = 96
EMBEDDING_SD: Final = 0.5
BATCH: Final = 50
WARM_UP: Final = 20
_SENTENCES_AT_ONCE: Final = 250
_BETA_1: Final = np.float32(0.9)
_BETA_2: Final = np.float32(0.999)
_EPSILON: Final = np.float32(1e-8)

Parameters = dict[str, "NDArray[np.float32]"]


@dataclass(frozen=True, eq=False)
class TokenTable:
    """What a model says of sentences; the first token is not predicted.

    Parameters
    ----------
    log_probability
        Shape (sentences, 7): log p of each token given those before it.
    mean, deviation
        Shape (sentences, 7): moments of log p over the vocabulary under p.
    """

    log_probability: NDArray[np.float64]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]


def initial_parameters(rng: np.random.Generator) -> Parameters:
    """Draw starting values: embeddings of sd .5, layers of sd 1 / sqrt(inputs), biases 0."""

    def normal(sd: float, *shape: int) -> NDArray[np.float32]:
        return (sd * rng.standard_normal(shape)).astype(np.float32)

    inputs = CONTEXT * EMBEDDING
    return {
        "embedding": normal(EMBEDDING_SD, VOCABULARY, EMBEDDING),
        "hidden": normal(inputs**-0.5, inputs, HIDDEN),
        "hidden_bias": np.zeros(HIDDEN, dtype=np.float32),
        "output": normal(HIDDEN**-0.5, HIDDEN, VOCABULARY),
        "output_bias": np.zeros(VOCABULARY, dtype=np.float32),
    }


def windows(sentences: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the tokens before each predicted one, right-aligned and padded, shape (sentences, 7, 7)."""
    result = np.full((len(sentences), CONTEXT, CONTEXT), PAD, dtype=np.intp)
    for target in range(1, LENGTH):
        result[:, target - 1, CONTEXT - target :] = sentences[:, :target]
    return result


def train(
    sentences: NDArray[np.intp],
    start: Parameters,
    learning_rate: float,
    advance: Callable[[], None] = lambda: None,
    blocks: int = 12,
) -> tuple[Parameters, NDArray[np.float64]]:
    """Train a copy of `start` in one pass.

    Parameters
    ----------
    sentences
        Shape (sentences, 8), in the order of training; a multiple of the batch of 50.
    start
        Starting values; left as they are.
    learning_rate
        Peak of the schedule: 20 steps of warm-up, then linear decay to 0.
    advance
        Called after each of `blocks` parts of the pass.
    blocks
        Number of parts.

    Returns
    -------
    tuple[Parameters, NDArray[np.float64]]
        The trained values, and the mean training loss per part (nats per token), shape (blocks,).
    """
    values = {name: array.copy() for name, array in start.items()}
    first = {name: np.zeros_like(array) for name, array in values.items()}
    second = {name: np.zeros_like(array) for name, array in values.items()}
    steps = len(sentences) // BATCH
    losses = np.empty(steps)
    edges = set(np.linspace(0, steps, blocks + 1).round().astype(int)[1:].tolist())
    for step in range(steps):
        batch = sentences[step * BATCH : (step + 1) * BATCH]
        losses[step], gradient = _gradient(values, batch)
        rate = learning_rate * min((step + 1) / WARM_UP, 1.0) * (1 - step / steps)
        size = np.float32(
            rate * np.sqrt(1 - float(_BETA_2) ** (step + 1)) / (1 - float(_BETA_1) ** (step + 1))
        )
        for name, change in gradient.items():
            first[name] += (1 - _BETA_1) * (change - first[name])
            second[name] += (1 - _BETA_2) * (change * change - second[name])
            values[name] -= size * first[name] / (np.sqrt(second[name]) + _EPSILON)
        if step + 1 in edges:
            advance()
    return values, np.array([part.mean() for part in np.array_split(losses, blocks)])


def token_table(values: Parameters, sentences: NDArray[np.intp]) -> TokenTable:
    """Return every predicted token's log-probability with the moments that Min-K%++ needs."""
    parts = [
        _token_moments(values, sentences[start : start + _SENTENCES_AT_ONCE])
        for start in range(0, len(sentences), _SENTENCES_AT_ONCE)
    ]
    return TokenTable(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _token_moments(
    values: Parameters, sentences: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    log_p = _log_probabilities(values, windows(sentences).reshape(-1, CONTEXT))
    targets = sentences[:, 1:].ravel()
    p = np.exp(log_p)
    mean = (p * log_p).sum(axis=1)
    variance = (p * (log_p - mean[:, None]) ** 2).sum(axis=1)
    shape = (len(sentences), CONTEXT)
    return (
        log_p[np.arange(len(targets)), targets].reshape(shape),
        mean.reshape(shape),
        np.sqrt(np.maximum(variance, 0.0)).reshape(shape),
    )


def option_log_probabilities(
    values: Parameters, sentences: NDArray[np.intp], options: NDArray[np.intp], position: int
) -> NDArray[np.float64]:
    """Return log p of each option at `position` given the tokens before it, shape (sentences, options)."""
    log_p = _log_probabilities(values, windows(sentences)[:, position - 1])
    return np.take_along_axis(log_p, options, axis=1)


def _log_probabilities(values: Parameters, contexts: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return log-probabilities over the vocabulary in float64, shape (contexts, vocabulary)."""
    parts = []
    for start in range(0, len(contexts), 4096):
        chosen = contexts[start : start + 4096]
        inputs = values["embedding"][chosen].reshape(len(chosen), -1)
        hidden = np.tanh(inputs @ values["hidden"] + values["hidden_bias"])
        logits = (hidden @ values["output"] + values["output_bias"]).astype(np.float64)
        logits -= logits.max(axis=1, keepdims=True)
        parts.append(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)))
    return np.concatenate(parts)


def _gradient(values: Parameters, sentences: NDArray[np.intp]) -> tuple[float, Parameters]:
    """Return the mean loss per predicted token and its gradient."""
    count = len(sentences) * CONTEXT
    targets = sentences[:, 1:].ravel()
    inputs = values["embedding"][windows(sentences)].reshape(count, -1)
    hidden = np.tanh(inputs @ values["hidden"] + values["hidden_bias"])
    delta = hidden @ values["output"] + values["output_bias"]
    delta -= delta.max(axis=1, keepdims=True)
    np.exp(delta, out=delta)
    delta /= delta.sum(axis=1, keepdims=True)
    rows = np.arange(count)
    loss = -float(np.log(np.maximum(delta[rows, targets], np.float32(1e-30))).mean())
    delta[rows, targets] -= 1
    delta *= np.float32(1 / count)
    back = (delta @ values["output"].T) * (1 - hidden * hidden)
    to_inputs = (back @ values["hidden"].T).reshape(len(sentences), CONTEXT, CONTEXT, EMBEDDING)
    embedding = np.zeros_like(values["embedding"])
    for token in range(CONTEXT):
        of_token = to_inputs[:, token, CONTEXT - 1]
        for target in range(token + 2, LENGTH):
            of_token = of_token + to_inputs[:, target - 1, CONTEXT - target + token]
        np.add.at(embedding, sentences[:, token], of_token)
    gradient: Parameters = {
        "embedding": embedding,
        "hidden": inputs.T @ back,
        "hidden_bias": back.sum(axis=0),
        "output": hidden.T @ delta,
        "output_bias": delta.sum(axis=0),
    }
    return loss, gradient
