"""The pocket model's loss written out token by token in double precision: the slow twin of its network."""

import math

import numpy as np


def log_probabilities(values, before):
    """Return log p over the vocabulary after the tokens `before` (at most seven)."""
    context = [0] * (7 - len(before)) + list(before)
    inputs = np.concatenate([values["embedding"][token].astype(float) for token in context])
    hidden = np.tanh(inputs @ values["hidden"].astype(float) + values["hidden_bias"].astype(float))
    logits = hidden @ values["output"].astype(float) + values["output_bias"].astype(float)
    shifted = logits - logits.max()
    return shifted - math.log(np.exp(shifted).sum())


def loss(values, sentences):
    """Return the mean negative log-probability of the predicted tokens."""
    total, count = 0.0, 0
    for sentence in sentences:
        for position in range(1, len(sentence)):
            total -= log_probabilities(values, sentence[:position])[sentence[position]]
            count += 1
    return total / count
