"""The stress test that the page opens with: computed once by ``tools/make_stress_default.py`` and shipped, so that it costs nothing."""

from __future__ import annotations

import io
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core import data_files
from core.reuse.metrics import Outcomes
from core.reuse.portions import Portion, StressWish

if TYPE_CHECKING:
    from core.benchmark.model import Benchmark

FILE: Final = "recomputed/stress_test_default.npz"
BENCHMARK: Final = "terminal_science"
WISH: Final = StressWish(
    ("category", "category+ladder:1", "policy:aggregate"), (1, 2, 4, 8, 16, 32, 64, 128), trials=100
)
"""What is shipped; the page's defaults, spelled out."""


def portion_bytes(portion: Portion, benchmark: Benchmark) -> bytes:
    """Return a portion as the bytes of a file that holds numbers and the benchmark's checksum.

    Parameters
    ----------
    portion
        Outcomes under every rule.
    benchmark
        What they were computed from.
    """
    arrays: dict[str, Any] = {
        "trials": np.array([portion.start, portion.stop]),
        "policies": np.array(portion.policies),
        "digest": np.array(benchmark.digest),
    }
    for place, (outcomes, kept) in enumerate(zip(portion.outcomes, portion.kept, strict=True)):
        arrays[f"{place}|kept"] = kept
        for field in fields(outcomes):
            arrays[f"{place}|{field.name}"] = getattr(outcomes, field.name)
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def shipped_portion(benchmark: Benchmark) -> Portion | None:
    """Return the shipped outcomes of `WISH`, or None if they belong to another state of the benchmark.

    Parameters
    ----------
    benchmark
        The bundled benchmark under its own settings.

    Raises
    ------
    DataError
        If the file is missing or altered.
    """
    content = data_files.path(FILE).read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        if str(arrays["digest"]) != benchmark.digest:
            return None
        places = range(len(WISH.rules))
        start, stop = (int(end) for end in arrays["trials"])
        return Portion(
            start,
            stop,
            tuple(
                Outcomes(**{field.name: arrays[f"{place}|{field.name}"] for field in fields(Outcomes)})
                for place in places
            ),
            tuple(arrays[f"{place}|kept"] for place in places),
            tuple(str(policy) for policy in arrays["policies"]),  # type: ignore[misc]
        )
