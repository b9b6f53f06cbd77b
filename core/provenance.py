"""Where a number comes from: the file, the source behind it, and how it may be labelled."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final, Literal, get_args

from core import data_files
from core.errors import DataError

Label = Literal["published", "recomputed", "simulated"]

LABELS: Final[tuple[Label, ...]] = get_args(Label)
DATA_FOLDER: Final = data_files.DATA_FOLDER


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a table.

    Parameters
    ----------
    file
        Path below the data folder, with forward slashes.
    source
        The publication or repository, in words.
    sha256
        Checksum of the file as it was read.
    label
        ``"published"``, ``"recomputed"`` or ``"simulated"``: values of different labels never share a mark.
    also
        Further files that the table was read from, of the same source.
    """

    file: str
    source: str
    sha256: str
    label: Label = "published"
    also: tuple[Provenance, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All files, as paths from the project's folder."""
        return (f"data/{self.file}", *(name for other in self.also for name in other.files))

    @property
    def sentence(self) -> str:
        """The source as one line under a figure.

        Examples
        --------
        >>> Provenance("published/a.csv", "A paper (2026)", "ab" * 32).sentence
        'A paper (2026); data/published/a.csv.'
        """
        return f"{self.source}; {' and '.join(self.files)}."


def read_shipped(file: str, source: str, label: Label = "published") -> tuple[bytes, Provenance]:
    """Return a shipped file's bytes with its provenance.

    Parameters
    ----------
    file
        Path below the data folder.
    source
        The publication or repository, in words.
    label
        See `Provenance`.

    Raises
    ------
    DataError
        If the file is missing, cannot be read, or differs from its checksum in ``data/README.md``.
    """
    try:
        content = data_files.path(file, DATA_FOLDER).read_bytes()
    except OSError as error:
        raise DataError(
            f"The shipped file data/{file} cannot be read: {error.strerror}. Check its permissions."
        ) from error
    return content, Provenance(file, source, hashlib.sha256(content).hexdigest(), label)
