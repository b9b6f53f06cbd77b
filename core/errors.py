"""What can go wrong with a reader's data or wishes, as exceptions whose text is fit for the reader.

Every message says what is wrong, where, and what to do. The command line prints it and exits 1 (`DataError`) or
2 (`UsageError`); a page shows it in place of the figure.
"""


class MirageError(Exception):
    """Base of all errors whose message may be shown to a reader as it is."""


class DataError(MirageError):
    """The data is at fault: a file, a settings key, a benchmark that cannot be studied (exit status 1)."""


class UsageError(MirageError, ValueError):
    """A parameter is at fault: an unknown name, a budget below 1, a rule that does not parse (exit status 2)."""
