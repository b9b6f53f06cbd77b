"""One-bit keyed BLAKE2b digests in bulk, compiled by Numba (optional; `core.reuse.gates` has the plain twin).

The kernel follows RFC 7693 with a 32-byte key and a one-byte digest. The key block is compressed once per key; a
prompt of at most 128 bytes then costs a single compression, done for a strip of keys at a time so that the compiler
can use vector instructions.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import numba
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

BLOCK_BYTES: Final = 128
KEY_BYTES: Final = 32
_STRIP: Final = 64
_IV: Final = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    dtype=np.uint64,
)  # fmt: skip
# The message schedule of RFC 7693, section 2.7; rounds 10 and 11 repeat the first two.
_SIGMA: Final = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    dtype=np.int64,
)  # fmt: skip


KEPT = True
"""Whether the machine code is kept on disk; without a writable folder every process compiles anew."""


def _compiled(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile with Numba, keeping the machine code on disk where there is a place for it."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
        except RuntimeError:  # no writable folder for the compiled code
            globals()["KEPT"] = False
            return numba.njit(**options)(function)  # type: ignore[no-any-return]

    return decorate


@_compiled()
def _mix(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, x: np.uint64, y: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    a = a + b + x
    d ^= a
    d = (d >> np.uint64(32)) | (d << np.uint64(32))
    c += d
    b ^= c
    b = (b >> np.uint64(24)) | (b << np.uint64(40))
    a = a + b + y
    d ^= a
    d = (d >> np.uint64(16)) | (d << np.uint64(48))
    c += d
    b ^= c
    b = (b >> np.uint64(63)) | (b << np.uint64(1))
    return a, b, c, d


@_compiled()
def _round(v: NDArray[np.uint64], m: NDArray[np.uint64], s: NDArray[np.int64]) -> None:
    """Apply one round to a strip of states; v has shape (16, strip), m the 16 words, s the round's schedule."""
    m0, m1, m2, m3, m4, m5, m6, m7 = m[s[0]], m[s[1]], m[s[2]], m[s[3]], m[s[4]], m[s[5]], m[s[6]], m[s[7]]
    m8, m9, m10, m11, m12, m13, m14, m15 = (
        m[s[8]],
        m[s[9]],
        m[s[10]],
        m[s[11]],
        m[s[12]],
        m[s[13]],
        m[s[14]],
        m[s[15]],
    )
    for lane in range(v.shape[1]):
        a0, b0, c0, d0 = _mix(v[0, lane], v[4, lane], v[8, lane], v[12, lane], m0, m1)
        a1, b1, c1, d1 = _mix(v[1, lane], v[5, lane], v[9, lane], v[13, lane], m2, m3)
        a2, b2, c2, d2 = _mix(v[2, lane], v[6, lane], v[10, lane], v[14, lane], m4, m5)
        a3, b3, c3, d3 = _mix(v[3, lane], v[7, lane], v[11, lane], v[15, lane], m6, m7)
        v[0, lane], v[5, lane], v[10, lane], v[15, lane] = _mix(a0, b1, c2, d3, m8, m9)
        v[1, lane], v[6, lane], v[11, lane], v[12, lane] = _mix(a1, b2, c3, d0, m10, m11)
        v[2, lane], v[7, lane], v[8, lane], v[13, lane] = _mix(a2, b3, c0, d1, m12, m13)
        v[3, lane], v[4, lane], v[9, lane], v[14, lane] = _mix(a3, b0, c1, d2, m14, m15)


@_compiled()
def _compress(
    h: NDArray[np.uint64], m: NDArray[np.uint64], counter: int, last: bool, iv: NDArray[np.uint64], v: NDArray[np.uint64],
    sigma: NDArray[np.int64],
) -> None:  # fmt: skip
    """Run the compression function for a strip of chaining values h, shape (8, strip), leaving the state in v."""
    v[:8] = h
    for word in range(8):
        v[8 + word] = iv[word]
    v[12] ^= np.uint64(counter)
    if last:
        v[14] = ~v[14]
    for index in range(12):
        _round(v, m, sigma[index])


@_compiled(nogil=True)
def _digest_bits(
    keys: NDArray[np.uint64], words: NDArray[np.uint64], lengths: NDArray[np.int64], iv: NDArray[np.uint64],
    sigma: NDArray[np.int64], strip: int,
) -> NDArray[np.uint8]:  # fmt: skip
    """Return the lowest digest bit for every prompt (rows) and key (columns)."""
    candidates = keys.shape[1]
    bits = np.empty((words.shape[0], candidates), dtype=np.uint8)
    strips = (candidates + strip - 1) // strip
    for index in range(strips):
        first = index * strip
        last = min(candidates, first + strip)
        state = np.empty((8, last - first), dtype=np.uint64)
        v = np.empty((16, last - first), dtype=np.uint64)
        for word in range(8):
            state[word] = iv[word]
        state[0] ^= np.uint64(0x01010000 ^ (32 << 8) ^ 1)
        block = np.zeros((16, last - first), dtype=np.uint64)
        block[:4] = keys[:, first:last]
        message = np.empty(16, dtype=np.uint64)
        lane_state = np.empty((8, 1), dtype=np.uint64)
        lane_v = np.empty((16, 1), dtype=np.uint64)
        for lane in range(last - first):  # the key block differs per key: one lane at a time
            message[:] = block[:, lane]
            lane_state[:, 0] = state[:, lane]
            _compress(lane_state, message, 128, False, iv, lane_v, sigma)
            state[:, lane] = lane_state[:, 0] ^ lane_v[:8, 0] ^ lane_v[8:, 0]
        for prompt in range(words.shape[0]):
            _compress(state, words[prompt], 128 + lengths[prompt], True, iv, v, sigma)
            for lane in range(last - first):
                bits[prompt, first + lane] = np.uint8(
                    (state[0, lane] ^ v[0, lane] ^ v[8, lane]) & np.uint64(1)
                )
    return bits


def digest_bits(prompts: list[bytes], keys: list[bytes]) -> NDArray[np.uint8]:
    """Return the lowest bit of ``blake2b(prompt, key=key, digest_size=1)`` for every prompt and key.

    Parameters
    ----------
    prompts
        Messages of 1 to 128 bytes.
    keys
        Keys of 32 bytes.

    Returns
    -------
    array of 0 and 1, shape (prompts, keys)
    """
    padded = b"".join(prompt.ljust(BLOCK_BYTES, b"\0") for prompt in prompts)
    words = np.frombuffer(padded, dtype="<u8").reshape(len(prompts), 16).astype(np.uint64)
    key_words = np.frombuffer(b"".join(keys), dtype="<u8").reshape(len(keys), 4).T.astype(np.uint64)
    lengths = np.array([len(prompt) for prompt in prompts], dtype=np.int64)

    def part(columns: NDArray[np.uint64]) -> NDArray[np.uint8]:
        return np.asarray(_digest_bits(np.ascontiguousarray(columns), words, lengths, _IV, _SIGMA, _STRIP))

    workers = max(1, min(os.cpu_count() or 1, len(keys) // (4 * _STRIP)))
    with ThreadPoolExecutor(workers) as pool:  # the kernel releases the interpreter's lock
        return np.concatenate(list(pool.map(part, np.array_split(key_words, workers, axis=1))), axis=1)
