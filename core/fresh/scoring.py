"""Scoring answers: right, outdated or unreadable, each with a bootstrap interval.

Free answers: exact match and token F1, the best over the gold names. Multiple choice: accuracy, and macro-F1 over the
letters A to D only; an output from which no letter can be read is wrong and is reported apart, never a class of its own.
The outdated rate is the share of single-hop answers that name the old value (AntiLeakBench, arXiv 2412.13670, section 4).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from core.errors import UsageError
from core.fresh.items import LETTERS, Item
from core.fresh.names import contains_any, find_all, tidy
from core.fresh.scoring_text import exact_match, normalise, token_f1
from core.fresh.times import PartialDate, compare
from core.statistics import BOOTSTRAP_SEED, COVERAGE, RESAMPLES, resample_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from core.fresh.answers import Answers

Bucket = Literal["year", "quarter"]

COLUMNS: Final = ("format", "setting", "bucket", "metric", "items", "value", "low", "high")
BUCKETS: Final = ("year", "quarter")
METRICS: Final = {
    "generation": ("exact_match", "f1", "outdated_rate"),
    "choice": ("accuracy", "macro_f1", "outdated_rate", "unparsable_rate"),
}
_LETTER: Final = re.compile(r"^\W*([A-D])\W*$")
_LEADING: Final = re.compile(r"^\W*([A-D])\s*[.):]\s")
_STATED: Final = re.compile(
    r"\b(?:answer|option|choice)(?:\s+is)?\s*[:=]?\s*\W{0,2}([A-D])\b(?![’'])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Judged:
    """One item's answer, judged.

    Parameters
    ----------
    item_id
        The item.
    output
        What was answered; empty if nothing.
    right
        Exact match, or the correct letter.
    f1
        Token F1 of a free answer; NaN for multiple choice.
    outdated
        Whether it names the old value; None for multi-hop items, which have no old answer.
    letter
        The letter read from a choice; None if none could be read, or for a free answer.
    """

    item_id: str
    output: str
    right: bool
    f1: float
    outdated: bool | None
    letter: str | None


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One figure: a metric over a group of items.

    Parameters
    ----------
    format, setting, bucket, metric
        Which; ``bucket`` is ``all`` or a date.
    items
        How many.
    value, low, high
        Share (0 to 1) with its 95 % interval.
    """

    format: str
    setting: str
    bucket: str
    metric: str
    items: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The judged answers and every figure."""

    judged: tuple[Judged, ...]
    rows: tuple[ScoreRow, ...]
    notes: tuple[str, ...]

    def frame(self) -> pd.DataFrame:
        """Return the figures as a table, one row each, shares from 0 to 1."""
        import pandas as pd

        return pd.DataFrame(self.table(), columns=list(COLUMNS))

    def table(self) -> list[dict[str, Any]]:
        """Return the figures as dictionaries with the keys `COLUMNS`."""
        return [{name: getattr(row, name) for name in COLUMNS} for row in self.rows]

    def value(self, metric: str, setting: str | None = None, bucket: str = "all") -> ScoreRow:
        """Find one figure; without a setting, the first one that has it.

        Raises
        ------
        KeyError
            If there is none.
        """
        for row in self.rows:
            if row.metric == metric and row.bucket == bucket and setting in {None, row.setting}:
                return row
        raise KeyError((metric, setting, bucket))


def read_letter(output: str, options: Sequence[str]) -> str | None:
    """Read the letter that an output chooses.

    A letter alone, a letter before a dot, bracket or colon, "the answer is B", or the full text of one option. Anything
    else, and anything that chooses two, gives None.

    Examples
    --------
    >>> options = ["Feleti Teo", "Unknown.", "Kausea Natano", "Haris Doukas"]
    >>> [read_letter(text, options) for text in ("(B)", "The answer is C.", "feleti teo", "A good question", "A or B")]
    ['B', 'C', 'A', None, None]
    """
    text = output.strip()
    for pattern in (_LETTER, _LEADING):
        found = pattern.match(text)
        if found:
            others = {each.upper() for each in _STATED.findall(text)} - {found.group(1)}
            return None if others else found.group(1)
    stated = {each.upper() for each in _STATED.findall(text)}
    if stated:
        return stated.pop() if len(stated) == 1 else None
    plain = normalise(text)
    same = [
        letter
        for letter, option in zip(LETTERS, options, strict=True)
        if plain and normalise(option) == plain
    ]
    return same[0] if len(same) == 1 else None


def names_old_value(output: str, item: Item) -> bool:
    """Whether a free answer names the old value, after the right names have been taken out of it.

    Names are looked for as whole words with their case, as in documents; an answer that is the old value but for case
    or punctuation counts too, one that is right never does.

    Raises
    ------
    UsageError
        If the item is multi-hop, where the old value is no answer.
    """
    if item.hops > 1:
        raise UsageError(f"Item {item.id} is multi-hop: the outdated rate is defined for single-hop items.")
    if exact_match(output, item.answers):
        return False
    if exact_match(output, item.old.names):
        return True
    text = tidy(output)
    for match in reversed(find_all(text, item.answers)):
        text = f"{text[: match.start]}\x00{text[match.end :]}"
    return contains_any(text, item.old.names)


def judge(item: Item, output: str) -> Judged:
    """Judge one answer."""
    if item.format == "generation":
        return Judged(
            item_id=item.id,
            output=output,
            right=exact_match(output, item.answers),
            f1=token_f1(output, item.answers),
            outdated=names_old_value(output, item) if item.hops == 1 else None,
            letter=None,
        )
    letter = read_letter(output, item.options)
    kind = item.type_of(letter) if letter else None
    return Judged(
        item.id,
        output,
        kind == "correct",
        float("nan"),
        kind == "outdated" if item.hops == 1 else None,
        letter,
    )


def score_items(
    items: Sequence[Item],
    answers: Answers,
    *,
    bucket: Bucket = "year",
    replicates: int = RESAMPLES,
    seed: int = BOOTSTRAP_SEED,
    cutoff: PartialDate | None = None,
) -> ScoreReport:
    """Score a set of answers.

    Parameters
    ----------
    items
        The items; generation and choice may be mixed, and are never averaged together.
    answers
        Outputs; an item without one counts as wrong.
    bucket
        How the dates of change are grouped: by ``year`` or ``quarter``.
    replicates
        Resamples of the items for the 95 % percentile intervals.
    seed
        Of the resampling.
    cutoff
        A model's own cutoff; adds the two groups ``by cutoff`` (may have leaked) and ``after cutoff``.

    Returns
    -------
    ScoreReport
        For each format and setting, all items first, then each bucket in the order of time.

    Raises
    ------
    UsageError
        If there is no item, or a parameter is outside its domain.
    """
    if not items:
        raise UsageError("There is no item to score.")
    if bucket not in BUCKETS:
        raise UsageError(f"Unknown bucket '{bucket}'. Expected one of: {', '.join(BUCKETS)}.")
    if replicates < 1:
        raise UsageError(f"At least 1 replicate is needed, found {replicates}.")
    judged = tuple(judge(item, answers.outputs.get(item.id, "")) for item in items)
    rows: list[ScoreRow] = []
    for kind, setting in sorted({(item.format, item.setting) for item in items}, key=_order):
        members = [
            place for place, item in enumerate(items) if (item.format, item.setting) == (kind, setting)
        ]
        for name, part in _groups([items[place] for place in members], members, bucket, cutoff):
            rows.extend(
                _figures(kind, setting, name, [(items[p], judged[p]) for p in part], replicates, seed)
            )
    return ScoreReport(judged, tuple(rows), tuple(answers.notes()))


def _order(pair: tuple[str, str]) -> tuple[str, int, str]:
    return pair[0], 0 if pair[1].startswith("single") else 1, pair[1]


def bucket_of(day: PartialDate, bucket: Bucket) -> str:
    """Name the period of a date.

    Examples
    --------
    >>> bucket_of(PartialDate(2023, 9), "quarter"), bucket_of(PartialDate(2023), "quarter")
    ('2023 Q3', '2023, month unknown')
    """
    if bucket == "year":
        return str(day.year)
    return f"{day.year} Q{(day.month + 2) // 3}" if day.month else f"{day.year}, month unknown"


def _groups(
    items: Sequence[Item], places: Sequence[int], bucket: Bucket, cutoff: PartialDate | None
) -> list[tuple[str, list[int]]]:
    groups: dict[str, list[int]] = {}
    for place, item in sorted(zip(places, items, strict=True), key=lambda pair: pair[1].changed_on.sort_key):
        groups.setdefault(bucket_of(item.changed_on, bucket), []).append(place)
    named = [("all", list(places))]
    if cutoff is not None:
        by = [
            place for place, item in zip(places, items, strict=True) if compare(item.changed_on, cutoff) <= 0
        ]
        after = [place for place in places if place not in set(by)]
        named += [(name, part) for name, part in (("by cutoff", by), ("after cutoff", after)) if part]
    return named + sorted(groups.items())


def _figures(
    kind: str,
    setting: str,
    bucket: str,
    pairs: Sequence[tuple[Item, Judged]],
    replicates: int,
    seed: int,
) -> list[ScoreRow]:
    verdicts = [verdict for _, verdict in pairs]
    shares: dict[str, NDArray[np.float64]] = {}
    if kind == "generation":
        shares["exact_match"] = np.array([each.right for each in verdicts], float)
        shares["f1"] = np.array([each.f1 for each in verdicts], float)
    else:
        shares["accuracy"] = np.array([each.right for each in verdicts], float)
        shares["unparsable_rate"] = np.array([each.letter is None for each in verdicts], float)
    if setting.startswith("single"):
        shares["outdated_rate"] = np.array([bool(each.outdated) for each in verdicts], float)
    statistics: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
        name: _mean_of(values) for name, values in shares.items()
    }
    if kind == "choice":
        gold = _one_hot([item.correct_letter for item, _ in pairs])
        said = _one_hot([each.letter for each in verdicts])
        statistics["macro_f1"] = lambda weights: macro_f1(weights, gold, said)
    names = [name for name in METRICS[kind] if name in statistics]
    figures = _bootstrap([statistics[name] for name in names], len(pairs), replicates, seed)
    return [
        ScoreRow(kind, setting, bucket, name, len(pairs), *figure)
        for name, figure in zip(names, figures, strict=True)
    ]  # fmt: skip


def _mean_of(values: NDArray[np.float64]) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    return lambda weights: weights @ values / weights.sum(axis=1)


def _one_hot(letters: Sequence[str | None]) -> NDArray[np.float64]:
    return np.array([[letter == each for each in LETTERS] for letter in letters], float)


def macro_f1(
    weights: NDArray[np.float64], gold: NDArray[np.float64], said: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mean F1 of the letters A to D, for each row of weights.

    Parameters
    ----------
    weights
        Shape (replicates, items): how often each item counts.
    gold, said
        Shape (items, 4), 0 or 1; a row of zeros in `said` is an output without a letter, a miss of its gold letter.

    Returns
    -------
    ndarray
        Shape (replicates,). A letter that is neither right nor chosen anywhere does not enter the mean.
    """
    both, right, chosen = weights @ (gold * said), weights @ gold, weights @ said
    total = right + chosen
    f1 = np.divide(2 * both, total, out=np.full_like(total, np.nan), where=total > 0)
    means: NDArray[np.float64] = np.nanmean(f1, axis=1)
    return means


def _bootstrap(
    statistics: Sequence[Callable[[NDArray[np.float64]], NDArray[np.float64]]],
    size: int,
    replicates: int,
    seed: int,
) -> list[tuple[float, float, float]]:
    """Return each statistic with its percentile interval over resampled items, the same resamples for all."""
    drawn: list[list[NDArray[np.float64]]] = [[] for _ in statistics]
    for weights in resample_blocks(size, replicates, seed):
        for place, statistic in enumerate(statistics):
            drawn[place].append(statistic(weights))
    tail = (1 - COVERAGE) / 2
    figures = []
    for statistic, parts in zip(statistics, drawn, strict=True):
        low, high = np.quantile(np.concatenate(parts), [tail, 1 - tail])
        figures.append((float(statistic(np.ones((1, size)))[0]), float(low), float(high)))
    return figures
