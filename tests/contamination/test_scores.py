"""Memorization scores against plain definitions, and the reading of log-probabilities."""

import json
import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from core.contamination import scores as sc
from core.contamination.logprobs import parse_logprobs, read_logprobs, score_table

tokens = st.lists(st.floats(-20, 0), min_size=1, max_size=30)


@given(tokens, st.floats(0.01, 1))
def test_min_k_is_the_mean_of_the_lowest(values, k):
    kept = max(1, math.floor(k * len(values) + 1e-9))
    assert sc.min_k(values, k) == pytest.approx(sum(sorted(values)[:kept]) / kept, abs=1e-12)


@given(tokens)
def test_keeping_all_is_loss_and_keeping_less_is_lower(values):
    assert sc.min_k(values, 1.0) == pytest.approx(sc.loss_score(values))
    assert sc.min_k(values, 0.2) <= sc.loss_score(values) + 1e-12


@given(st.integers(2, 30), st.integers(0, 1000))
def test_vocabulary_moments_are_those_of_the_distribution(size, seed):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(size), 3)
    mean, deviation = sc.vocabulary_moments(np.log(np.maximum(p, 1e-300)))
    for row in range(3):
        expected = sum(q * math.log(q) for q in p[row] if q > 0)
        variance = sum(q * (math.log(q) - expected) ** 2 for q in p[row] if q > 0)
        assert mean[row] == pytest.approx(expected, abs=1e-9)
        assert deviation[row] == pytest.approx(math.sqrt(variance), abs=1e-6)


def test_min_k_plus_with_a_certain_model_is_finite():
    assert math.isfinite(sc.min_k_plus([-0.5, -0.1], [-0.5, -0.1], [0.0, 0.0]))
    mean, deviation = sc.vocabulary_moments(np.array([[0.0, -np.inf]]))
    assert (mean[0], deviation[0]) == (0, 0)


def test_compression_favours_repetition():
    text = "the same words " * 20
    varied = "".join(chr(33 + (7 * i * i) % 90) for i in range(len(text)))
    assert sc.compressed_bytes(text) < sc.compressed_bytes(varied)
    assert sc.zlib_score([-2.0], "é") == -2.0 / sc.compressed_bytes("é")


def line(**changes):
    return json.dumps({"id": "a", "text": "some text", "token_logprobs": [-1.0, -2.0], **changes})


def test_a_file_is_scored(tmp_path):
    np.save(tmp_path / "b.npy", np.log(np.full((3, 4), 0.25)))
    path = tmp_path / "x.jsonl"
    path.write_text(
        line(token_mean=[-1, -1], token_std=[1, 1])
        + "\n\n"
        + line(id="b", token_logprobs=[-1, -3, -2], rows="b.npy")
        + "\n"
    )
    table = score_table(
        read_logprobs(path), reference=parse_logprobs([line(), line(id="b", token_logprobs=[-2] * 3)])
    )
    assert list(table.columns) == ["id", "tokens", *(sc.LOSS, sc.MIN_K, sc.MIN_K_PLUS, sc.ZLIB, sc.REFERENCE)]
    assert table[sc.LOSS].tolist() == [-1.5, -2.0]
    assert table[sc.REFERENCE].tolist() == [0.0, 0.0]
    assert table[sc.MIN_K_PLUS][0] == -1.0
    assert table[sc.MIN_K_PLUS][1] < -1e4  # a uniform model: deviation at its floor


def test_scores_that_need_more_are_left_out():
    table = score_table(parse_logprobs([line(token_logprobs=[-0.5])]))
    assert list(table.columns) == ["id", "tokens", sc.LOSS, sc.MIN_K, sc.ZLIB]
    assert table[sc.MIN_K][0] == -0.5
