"""How many threads matrix products may use: one where the products are small.

Threads of a small product wait for one another by spinning. On a machine with other work to do that costs many times what a
second core gains.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def one_thread(*, when: bool = True) -> Iterator[None]:
    """Do matrix products in one thread inside the block, where `when` says so.

    The limit holds for the whole process while the block runs; results do not depend on it.
    """
    if not when:
        yield
        return
    with _controller().limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()
