"""How large an Arrow file grows when it is unpacked, from its message headers alone.

A compressed buffer begins with its unpacked length, so a file that would fill the memory is found before anything is
unpacked. Format: Arrow columnar specification, "Encapsulated message format" and "Compression".
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import BinaryIO

    from core.benchmark.sources import Source

_MAGIC: Final = b"ARROW1"
_CONTINUATION: Final = 0xFFFFFFFF
_DICTIONARY, _RECORDS = 2, 3
_LARGEST_HEADER: Final = 64 * 1024**2


def unpacked_bytes(source: Source) -> int:
    """Return the bytes of all record batches and dictionaries once unpacked.

    Raises
    ------
    ValueError
        If the messages cannot be followed (damaged or truncated file).
    """
    total = 0
    with source.open() as stream:
        size = stream.seek(0, 2)
        stream.seek(0)
        if stream.read(8)[:6] != _MAGIC:
            stream.seek(0)
        while (header := _next_header(stream)) is not None:
            body = stream.tell()
            length, buffers = _body(header)
            if length < 0 or body + length > size:
                raise ValueError("a message is longer than the file")
            for offset, stored, compressed in buffers:
                total += _unpacked(stream, body + offset, stored) if compressed and stored >= 8 else stored
            stream.seek(body + length)
    return total


def _next_header(stream: BinaryIO) -> bytes | None:
    """Return the next message's header, or None at the end of the stream."""
    start = stream.read(8)
    if len(start) < 8:
        return None
    continuation, length = struct.unpack("<Ii", start)
    if continuation != _CONTINUATION:
        raise ValueError("a message does not begin where it should")
    if length == 0:
        return None
    if length < 0 or length > _LARGEST_HEADER:
        raise ValueError("a message header has an impossible length")
    header = stream.read(length)
    if len(header) < length:
        raise ValueError("a message header is cut off")
    return header


def _unpacked(stream: BinaryIO, offset: int, stored: int) -> int:
    stream.seek(offset)
    raw = stream.read(8)
    if len(raw) < 8:
        raise ValueError("a buffer is cut off")
    length = int(struct.unpack("<q", raw)[0])
    return stored if length == -1 else max(length, 0)


def _body(header: bytes) -> tuple[int, list[tuple[int, int, bool]]]:
    """Return a message's body length and its buffers as (offset, stored bytes, compressed)."""
    try:
        message = _Table(header, struct.unpack_from("<I", header, 0)[0])
        kind = message.number(1, "<B")
        length = message.number(3, "<q")
        batch = message.child(2)
        if kind == _DICTIONARY and batch is not None:
            batch = batch.child(1)
        if kind not in {_DICTIONARY, _RECORDS} or batch is None:
            return length, []
        compressed = batch.child(3) is not None
        return length, [(offset, stored, compressed) for offset, stored in batch.pairs(2)]
    except (struct.error, IndexError) as error:
        raise ValueError("a message header is damaged") from error


class _Table:
    """A table of a flat buffer: fields by number, absent fields as zero or None."""

    def __init__(self, data: bytes, position: int) -> None:
        self._data = data
        self._position = position
        self._fields = position - struct.unpack_from("<i", data, position)[0]
        if self._fields < 0:
            raise IndexError(self._fields)
        self._size = struct.unpack_from("<H", data, self._fields)[0]

    def _at(self, field: int) -> int:
        entry = 4 + 2 * field
        if entry + 2 > self._size:
            return 0
        relative = struct.unpack_from("<H", self._data, self._fields + entry)[0]
        return self._position + relative if relative else 0

    def number(self, field: int, code: str) -> int:
        at = self._at(field)
        return int(struct.unpack_from(code, self._data, at)[0]) if at else 0

    def child(self, field: int) -> _Table | None:
        at = self._at(field)
        return _Table(self._data, at + struct.unpack_from("<I", self._data, at)[0]) if at else None

    def pairs(self, field: int) -> list[tuple[int, int]]:
        at = self._at(field)
        if not at:
            return []
        start = at + struct.unpack_from("<I", self._data, at)[0]
        count = struct.unpack_from("<I", self._data, start)[0]
        return [struct.unpack_from("<qq", self._data, start + 4 + 16 * index) for index in range(count)]
