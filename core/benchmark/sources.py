"""Where a benchmark's bytes come from: a path or an upload, gzipped or not, and what kind of file they are.

Text is guarded while it streams: only UTF-8 passes, and no more than `MAX_TEXT_BYTES` of it, so that a small
compressed file cannot unfold without end.
"""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

import numpy as np

from core.benchmark.faults import BenchmarkFileError, Fault
from core.benchmark.item_table import MAX_TEXT_BYTES, too_large
from core.errors import DataError
from core.files import open_file
from core.shown import shown

Kind = Literal["csv", "parquet", "feather", "arrow_stream"]

_GZIP: Final = b"\x1f\x8b"
_FOREIGN: Final = (
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook", "Save the sheet as CSV, or unpack the archive."),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "Save the sheet as CSV."),
    (b"BZh", "compressed with bzip2", "Use gzip, or no compression."),
    (b"\xfd7zXZ\x00", "compressed with xz", "Use gzip, or no compression."),
    (b"\x28\xb5\x2f\xfd", "compressed with Zstandard", "Use gzip, or no compression."),
    (b"FEA1", "a Feather file of version 1", "Write it again as Feather version 2, Parquet or CSV."),
    (b"SQLite format 3", "an SQLite database", "Export the table as CSV."),
    (b"%PDF", "a PDF document", "Save the table as CSV."),
    (b"\x80\x04\x95", "a Python pickle, which is never opened", "Save the table as CSV or Parquet."),
    (b"\x80\x05\x95", "a Python pickle, which is never opened", "Save the table as CSV or Parquet."),
)
_LINE_FEED: Final = 10
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Source:
    """Bytes of a file with the name that messages give it.

    Parameters
    ----------
    label
        File name with suffix.
    path
        The file, or None for an upload.
    content
        The upload's bytes, or None for a file.
    """

    label: str
    path: Path | None = None
    content: bytes | None = None

    @property
    def stem(self) -> str:
        """The file's name without its suffixes: the default name of its benchmark."""
        name = Path(self.label).name
        for suffix in (".gz", ".csv", ".parquet", ".feather", ".arrow", ".ipc"):
            if name.lower().endswith(suffix) and len(name) > len(suffix):
                name = name[: -len(suffix)]
        return name if name.strip() else "benchmark"

    def open(self) -> BinaryIO:
        """Open the bytes for reading.

        Raises
        ------
        DataError
            If the file does not exist or may not be read.
        """
        if self.path is None:
            return io.BytesIO(self.content or b"")
        return open_file(self.path)

    def open_arrow(self) -> Any:
        """Open the bytes as an Arrow file, which Arrow's own threads read without calling Python.

        Raises
        ------
        DataError
            If the file does not exist or may not be read.
        """
        import pyarrow as pa

        if self.path is None:
            return pa.BufferReader(self.content or b"")
        open_file(self.path).close()
        return pa.OSFile(str(self.path))

    def head(self, size: int = 16) -> bytes:
        """Return the first bytes.

        Raises
        ------
        DataError
            If the file cannot be opened or read.
        """
        try:
            with self.open() as stream:
                return stream.read(size)
        except OSError as error:
            raise DataError(f"{shown(self.label)} cannot be read: {_reason(error)}.") from None

    def byte_count(self) -> int:
        """Return the size of the file as it stands, in bytes."""
        with self.open() as stream:
            return stream.seek(0, io.SEEK_END)


def source_of(source: Source | Path | str | bytes | BinaryIO, label: str | None = None) -> Source:
    """Return a `Source` for a path, bytes or an open upload.

    Parameters
    ----------
    source
        A path, the file's bytes, or a binary stream (an upload) that is read from its beginning.
    label
        The file's name where the source itself has none; default: the stream's ``name`` or ``"items"``.
    """
    if isinstance(source, Source):
        return source
    if isinstance(source, str | Path):
        path = Path(source)
        return Source(label or path.name, path=path)
    if isinstance(source, bytes):
        return Source(label or "items", content=source)
    source.seek(0)
    name = label or getattr(source, "name", None)
    return Source(name if isinstance(name, str) and name else "items", content=source.read())


def kind_of(source: Source) -> Kind:
    """Return what kind of file this is, by its first bytes; anything unknown is taken for text.

    Raises
    ------
    BenchmarkFileError
        If the file is empty or of a kind that is not read.
    """
    head = source.head()
    if not head:
        raise BenchmarkFileError(source.label, [Fault("empty_file", "The file is empty (0 bytes).")])
    if head[:4] == b"PAR1":
        return "parquet"
    if head[:6] == b"ARROW1":
        return "feather"
    if head[:4] == b"\xff\xff\xff\xff":
        return "arrow_stream"
    refuse_foreign(source.label, head)
    return "csv"


def refuse_foreign(label: str, head: bytes) -> None:
    """Raise a `BenchmarkFileError` if the first bytes belong to a kind of file that is not read."""
    for magic, what, repair in _FOREIGN:
        if head.startswith(magic):
            raise BenchmarkFileError(label, [Fault("format", f"The file is {what}.", repair=repair)])
    if head[:2] in _UTF16 or head[1:4:2] == b"\x00\x00" or (len(head) > 3 and head[0:3:2] == b"\x00\x00"):
        raise encoding_error(label, "The text is UTF-16 or UTF-32, not UTF-8.")


def encoding_error(label: str, message: str) -> BenchmarkFileError:
    """Return the error for text that is not UTF-8."""
    return BenchmarkFileError(label, [Fault("encoding", message, repair="Save the file as UTF-8.")])


class GuardedText(io.RawIOBase):
    """A stream of UTF-8 text: decompresses gzip, and stops at bad encoding, damage or too much text.

    Parameters
    ----------
    source
        The file.

    Raises
    ------
    BenchmarkFileError
        On reading: not UTF-8 (with its line), damaged or truncated compression, more than `MAX_TEXT_BYTES`.
    """

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._label = source.label
        if source.byte_count() > MAX_TEXT_BYTES:
            raise self._too_much()
        raw = source.open()
        self._raw = raw
        self._compressed = source.head(2) == _GZIP
        self._stream: io.IOBase | BinaryIO = gzip.GzipFile(fileobj=raw) if self._compressed else raw
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._start = b""
        self._total = 0
        self._lines = 1
        self.quotes = 0

    def readable(self) -> bool:
        """Return True: this is a stream for reading."""
        return True

    def start(self, size: int = 1 << 20) -> bytes:
        """Return the beginning of the text without consuming it; shorter than `size` if that is all."""
        parts: list[bytes] = []
        length = 0
        while length < size:
            part = self._read(size - length)
            if self._compressed and not parts:
                self._refuse_content(part[:16])
            if not self._checked(part):
                break
            parts.append(part)
            length += len(part)
        self._start = b"".join(parts)
        return self._start

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes of checked text, empty at the end."""
        if self._start:
            part, self._start = (self._start, b"") if size < 0 else (self._start[:size], self._start[size:])
            return part
        return self._checked(self._read(size if size >= 0 else 1 << 20))

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self._stream.close()
            self._raw.close()
        super().close()

    def _refuse_content(self, head: bytes) -> None:
        if head[:2] == _GZIP or head[:4] == b"PAR1" or head[:6] == b"ARROW1":
            raise BenchmarkFileError(
                self._label,
                [Fault("format", "The gzip file holds no text.", repair="Give the file inside it directly.")],
            )
        refuse_foreign(self._label, head)

    def _read(self, size: int) -> bytes:
        try:
            data = self._stream.read(size)
        except EOFError:
            raise self._damaged("ends too early; it is truncated") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise self._damaged(f"is damaged ({_reason(error)})") from None
        except OSError as error:
            raise DataError(f"{shown(self._label)} cannot be read: {_reason(error)}.") from None
        return bytes(data)

    def _checked(self, data: bytes) -> bytes:
        self._total += len(data)
        if self._total > MAX_TEXT_BYTES:
            raise self._too_much()
        pending = self._decoder.getstate()[0]
        if pending or not data or not data.isascii():
            try:
                self._decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                both = pending + data
                line = self._lines + both[: error.start].count(b"\n")
                raise encoding_error(
                    self._label,
                    f"The text is not UTF-8: byte 0x{both[error.start]:02X} on line {line:,} belongs to another encoding.",
                ) from None
        self._lines += int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == _LINE_FEED))
        self.quotes += data.count(b'"')
        return data

    def _damaged(self, what: str) -> BenchmarkFileError:
        return BenchmarkFileError(
            self._label,
            [Fault("compression", f"The gzip file {what}.", repair="Make or download it again.")],
        )

    def _too_much(self) -> BenchmarkFileError:
        return too_large(
            self._label,
            f"The file holds more than {MAX_TEXT_BYTES // 1024**3} GB of text, which is the limit.",
            "Leave out the prompts or other extra columns, or use Parquet.",
        )


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return shown(str(error) or type(error).__name__, 120)
