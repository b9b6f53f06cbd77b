"""Gates: the choices of the random routers and of the tie router, one hash bit per prompt and candidate.

A choice depends on nothing but the prompt's hash and the candidate's key (paper, "random routers"): key_j is
SHA-256 of ``probe|{routing_seed}|{j}``, and the choice is the lowest bit of the one-byte keyed BLAKE2b digest of
the prompt hash: 1 takes model A, 0 model B. The tie router's key is SHA-256 of ``tie|{tie_seed}``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core import cache as disk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_LOG: Final = logging.getLogger("mirage")
KERNEL_FROM: Final = 3_000_000  # digests from which the compiled kernel pays, its one-time compilation aside
KERNEL_UNCACHED_FROM: Final = 40_000_000  # the same where the machine code cannot be kept on disk
ANNOUNCED_SECONDS: Final = 2.0  # a first call that takes longer is compiling, and says so in the log
PROCESSES_FROM: Final = 4_000_000  # digests from which starting worker processes pays, without the kernel


@dataclass(frozen=True, eq=False)
class Gates:
    """Choices of all random routers and of the tie router.

    Parameters
    ----------
    packed
        Shape (prompts, ceil(candidates / 8)), bits packed most significant first: 1 takes model A.
    candidates
        Number of random routers.
    tie
        Shape (prompts,), True where the tie router takes model A.
    """

    packed: NDArray[np.uint8]
    candidates: int
    tie: NDArray[np.bool_]

    def signs(
        self, prompts: NDArray[np.intp] | slice, dtype: type[np.floating] = np.float64
    ) -> NDArray[np.floating]:
        """Return +1 (model A) or -1 (model B) for some prompts, shape (prompts, candidates)."""
        bits = np.unpackbits(self.packed[prompts], axis=1, count=self.candidates)
        return np.where(bits, dtype(1), dtype(-1))


def candidate_key(routing_seed: str, candidate: int) -> bytes:
    """Return the 32-byte key of a random router; `candidate` counts from 0."""
    return hashlib.sha256(f"probe|{routing_seed}|{candidate}".encode()).digest()


def tie_key(tie_seed: str) -> bytes:
    """Return the 32-byte key of the tie router."""
    return hashlib.sha256(f"tie|{tie_seed}".encode()).digest()


def takes_a(prompt_hash: str, key: bytes) -> bool:
    """Return whether the router with this key sends a prompt to model A.

    Examples
    --------
    >>> takes_a("prompt", candidate_key("seed", 0)) in (True, False)
    True
    """
    return bool(hashlib.blake2b(prompt_hash.encode(), key=key, digest_size=1).digest()[0] & 1)


def gates(
    prompts: Sequence[str], routing_seed: str, tie_seed: str, candidates: int, *, cache: bool = True
) -> Gates:
    """Return the choices of `candidates` random routers and of the tie router.

    Parameters
    ----------
    prompts
        Distinct prompt hashes, in the order of the result's rows.
    routing_seed, tie_seed
        The benchmark's seeds.
    candidates
        Number of random routers: the largest submission budget less one.
    cache
        Whether the bits may be kept on disk (never for a reader's upload). A stored set with more candidates
        serves every smaller request; a damaged or missing one is computed again.
    """
    encoded = [prompt.encode() for prompt in prompts]
    tie_router = tie_key(tie_seed)
    tie = np.array(
        [hashlib.blake2b(p, key=tie_router, digest_size=1).digest()[0] & 1 for p in encoded], dtype=bool
    )
    name = disk.key("gates-1", routing_seed, *prompts) if cache else ""
    columns = (candidates + 7) // 8
    stored = _unpack(disk.load("gates", name), len(encoded)) if cache else None
    if stored is None or stored.shape[1] < columns:
        first = 0 if stored is None else 8 * stored.shape[1]
        keys = [candidate_key(routing_seed, candidate) for candidate in range(first, 8 * columns)]
        fresh = np.packbits(digest_bits(encoded, keys), axis=1)
        stored = fresh if stored is None else np.concatenate([stored, fresh], axis=1)
        if cache:
            disk.store("gates", name, stored.tobytes())
    return Gates(np.ascontiguousarray(stored[:, :columns]), candidates, tie)


def digest_bits(prompts: list[bytes], keys: list[bytes]) -> NDArray[np.uint8]:
    """Return the lowest digest bit of every prompt (rows) under every key (columns), by the fastest way here."""
    digests = len(prompts) * len(keys)
    if digests >= KERNEL_FROM and _kernel_available() and all(0 < len(prompt) <= 128 for prompt in prompts):
        from core.reuse import blake

        if blake.KEPT or digests >= KERNEL_UNCACHED_FROM:
            try:
                with _announced():
                    return blake.digest_bits(prompts, keys)
            except (
                OSError
            ) as fault:  # the folder of the machine code was writable at first and is not any more
                _LOG.warning("The hashing kernel cannot be kept on disk, so hashing is slower: %s", fault)
    if digests >= PROCESSES_FROM and (os.cpu_count() or 1) > 1:
        from joblib import Parallel, delayed

        parts = np.array_split(np.arange(len(keys)), os.cpu_count() or 1)
        rows = Parallel(n_jobs=len(parts), max_nbytes=None)(
            delayed(plain_digest_bits)(prompts, [keys[index] for index in part]) for part in parts
        )
        return np.concatenate(rows, axis=1)
    return plain_digest_bits(prompts, keys)


def plain_digest_bits(prompts: list[bytes], keys: list[bytes]) -> NDArray[np.uint8]:
    """Return the same as `digest_bits` with the standard library alone."""
    blake2b = hashlib.blake2b
    columns = []
    for key in keys:
        keyed = blake2b(key=key, digest_size=1)
        digests = []
        for prompt in prompts:
            state = keyed.copy()
            state.update(prompt)
            digests.append(state.digest())
        columns.append(np.frombuffer(b"".join(digests), dtype=np.uint8) & 1)
    if not columns:
        return np.zeros((len(prompts), 0), dtype=np.uint8)
    return np.stack(columns, axis=1)


@contextmanager
def _announced() -> Iterator[None]:
    """Say in the log when a call takes long enough to be a compilation."""
    timer = threading.Timer(
        ANNOUNCED_SECONDS,
        _LOG.info,
        ["Compiling the hashing kernel; this is done once and takes up to 10 seconds."],
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _kernel_available() -> bool:
    return not os.environ.get("MIRAGE_NO_NUMBA") and importlib.util.find_spec("numba") is not None


def _unpack(content: bytes | None, prompts: int) -> NDArray[np.uint8] | None:
    if not content or len(content) % prompts:
        return None
    return np.frombuffer(content, dtype=np.uint8).reshape(prompts, -1)
