"""One thread for small products: the limit holds inside the block, and only there."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from core.threads import one_thread


def blas_threads():
    np.ones((2, 2)) @ np.ones((2, 2))
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_the_limit_holds_inside_the_block_and_only_there():
    before = blas_threads()
    with one_thread():
        assert set(blas_threads()) <= {1}
    assert blas_threads() == before
    with one_thread(when=False):
        assert blas_threads() == before


def test_the_limit_ends_with_an_exception():
    before = blas_threads()
    with pytest.raises(ValueError, match="inside"), one_thread():
        raise ValueError("inside")
    assert blas_threads() == before
