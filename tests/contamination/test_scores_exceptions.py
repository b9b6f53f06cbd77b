"""Which log-probabilities are refused; every message names the id."""

import json

import numpy as np
import pytest

from core.contamination import scores as sc
from core.contamination.logprobs import parse_logprobs, read_logprobs, score_table
from core.errors import DataError, UsageError


def line(**changes):
    return json.dumps({"id": "q7", "text": "t", "token_logprobs": [-1.0, -2.0], **changes})


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "no lines"),
        (["{"], "Line 1 is not JSON"),
        (["[1]"], "Line 1 must be an object with id, text, token_logprobs"),
        ([json.dumps({"id": "q7", "text": "t"})], "Line 1 must be an object"),
        ([line(token_logprobs=[])], "Id 'q7' has no token log-probabilities"),
        ([line(token_logprobs=[-1, None])], "Id 'q7': 'token_logprobs' holds a value that is missing"),
        ([line(token_logprobs=[-1, float("nan")])], "Id 'q7': .* missing or infinite"),
        ([line(token_logprobs=[-1, float("-inf")])], "Id 'q7': .* missing or infinite"),
        (
            [line(token_logprobs=[-1, 0.5])],
            r"Id 'q7': 'token_logprobs' holds 0\.5, but a log-probability is at most 0",
        ),
        ([line(token_logprobs=[[-1], [-2, -3]])], "Id 'q7': 'token_logprobs' must be a flat list"),
        (
            [line(token_logprobs=["-1", "-2"])],
            "Id 'q7': 'token_logprobs' must hold numbers only, without quot",
        ),
        ([line(token_logprobs=[-1, False])], "Id 'q7': 'token_logprobs' must hold numbers only"),
        ([line(id=None)], "Line 1: 'id' must be text, found null"),
        ([line(text=["a"])], "Line 1: 'text' must be text, found"),
        ([line(token_logprobs="x")], "Id 'q7': 'token_logprobs' must be a list"),
        ([line(token_mean=[-1, -1])], "Id 'q7' has 'token_mean' alone"),
        ([line(token_mean=[-1], token_std=[1, 1])], "Id 'q7': 'token_mean' has 1 values, 'token_logprobs' 2"),
        ([line(token_mean=[-1, None], token_std=[1, 1])], "Id 'q7': 'token_mean' holds a value"),
        ([line(token_mean=[-1, -1], token_std=[1, -1])], "Id 'q7': 'token_std' must not be negative"),
        ([line(rows="r.npy")], "Id 'q7': 'rows' must name a .npy file beside"),
        ([line(), line()], "Id 'q7' occurs more than once"),
    ],
)
def test_wrong_lines_are_refused(lines, words):
    with pytest.raises(DataError, match=words):
        parse_logprobs(lines)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (np.zeros((1, 4)), r"must have 2 rows, found the shape \(1, 4\)"),
        (np.zeros((2, 4)), "Row 0 of log-probabilities sums to"),
        (np.full((2, 4), np.nan), "missing value"),
    ],
)
def test_wrong_rows_are_refused(tmp_path, rows, words):
    np.save(tmp_path / "r.npy", rows)
    with pytest.raises(DataError, match=f"Id 'q7': .*{words}"):
        parse_logprobs([line(rows="r.npy")], tmp_path)


def test_rows_cannot_reach_outside_the_folder(tmp_path):
    with pytest.raises(DataError, match="beside the log-probabilities"):
        parse_logprobs([line(rows="../r.npy")], tmp_path)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.jsonl' cannot be read"):
        read_logprobs(tmp_path / "none.jsonl")
    with pytest.raises(DataError, match=r"Id 'q7': 'r\.npy' cannot be read"):
        parse_logprobs([line(rows="r.npy")], tmp_path)


def test_a_reference_must_match():
    texts = parse_logprobs([line()])
    with pytest.raises(DataError, match="Id 'q7': it is missing from the reference file"):
        score_table(texts, reference=parse_logprobs([line(id="other")]))
    with pytest.raises(DataError, match="Id 'q7': it has 2 tokens here and 1 in the reference"):
        score_table(texts, reference=parse_logprobs([line(token_logprobs=[-1])]))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: sc.min_k([-1.0], 0), UsageError, r"share k of Min-K% must lie within \(0, 1\]"),
        (lambda: sc.loss_score([]), DataError, "list of token log-probabilities"),
        (lambda: sc.loss_score([float("nan")]), DataError, "missing or infinite"),
        (lambda: sc.loss_score([0.5]), DataError, "positive"),
        (lambda: sc.min_k_plus([-1.0], [-1.0, 2.0], [1.0]), DataError, "a mean and a deviation per token"),
        (lambda: sc.min_k_plus([-1.0], [-1.0], [-1.0]), DataError, "not negative"),
        (lambda: sc.vocabulary_moments(np.zeros(3)), DataError, r"\(tokens, vocabulary\)"),
    ],
)
def test_wrong_arrays_are_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()
