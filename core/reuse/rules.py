"""Feedback rules: an interface and modifiers, composed left to right.

A modifier changes what is released: it rounds, adds noise, withholds or stops answering. All share one method,
`apply`, from `Released` to `Released`, and see only the reused side. Sources: Blum & Hardt 2015 (the Ladder), the
frontier rule of arXiv 2609.32109; rounding, noise and caps are common practice.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from core.errors import UsageError
from core.reuse import exact
from core.reuse.dominance import undominated
from core.reuse.interfaces import GRAMMAR, Interface, interface_of
from core.reuse.scoring import WEIGHT_HEADROOM
from core.shown import shown as printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.exact import Limbs

    StandardErrors = Callable[[int, int, NDArray[np.intp], tuple[str, int]], NDArray[np.float64]]

MAX_PP: Final = 100.0
MIN_STEP_PP: Final = 1e-9  # sums of 2**14 weights in ticks of a step stay whole numbers below 2**53
MAX_CAP: Final = 999_999_999
_HIDDEN: Final = -1e9  # stands for a score that is not there, below every other
_COMPARED_DECIMALS: Final = 12  # scores are compared with a margin after rounding to this many decimals


@dataclass(frozen=True, eq=False)
class Released:
    """What is released of the genuine models and of a sequence of submissions, in a block of trials.

    Parameters
    ----------
    table
        Shape (coordinates, trials, models): released scores of the genuine models.
    scores
        Shape (coordinates, submissions, trials): released scores of the submissions, in order.
    ones
        The number that stands for a score of 1, per coordinate.
    shown
        Shape (coordinates, submissions, trials), False where a score is withheld; None where all are shown.
    """

    table: Limbs
    scores: Limbs
    ones: tuple[int, ...]
    shown: NDArray[np.bool_] | None = None

    @property
    def visible(self) -> NDArray[np.bool_]:
        """`shown`, with True everywhere where nothing is withheld."""
        return np.ones(self.scores[0].shape, dtype=bool) if self.shown is None else self.shown

    def withhold(self, shown: NDArray[np.bool_]) -> Released:
        """Return the same with scores withheld where `shown` (broadcastable) is False."""
        return replace(self, shown=self.visible & shown)

    def doubles(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return table and scores as fractions of 1 in float64."""
        ones = np.array(self.ones, dtype=np.float64)[:, None, None]
        return exact.collapse(self.table) / ones, exact.collapse(self.scores) / ones

    def as_doubles(
        self, table: NDArray[np.float64], scores: NDArray[np.float64], top_exponent: int = 0
    ) -> Released:
        """Return the same with table and scores replaced by doubles, fractions of 1."""
        headroom = WEIGHT_HEADROOM + top_exponent
        return replace(
            self,
            table=exact.split_limbs(table, headroom, top_exponent),
            scores=exact.split_limbs(scores, headroom, top_exponent),
            ones=(1,) * len(self.ones),
        )


@dataclass(frozen=True, eq=False)
class Occasion:
    """What a rule may know beyond the released numbers: who asks, how often, and the reused side's item errors.

    Parameters
    ----------
    seed
        Text that stable random draws start from.
    models
        Names of the genuine models.
    submission_keys
        Shape (submissions,) of bytes: identifies each submission's choices; equal choices have equal keys.
    endpoint_names
        Shape (trials,): the names of the two mixed models.
    standard_errors
        ``standard_errors(coordinate, trial, submissions, best)``: of the paired differences of some submissions to the
        best so far, which is ``("model", index)`` or ``("submission", index)``; fractions of 1.
    items
        Shape (coordinates,): reused items behind each coordinate.
    """

    seed: str
    models: tuple[str, ...]
    submission_keys: tuple[bytes, ...]
    endpoint_names: tuple[str, ...]
    standard_errors: StandardErrors
    items: NDArray[np.int64]


def model_key(name: str) -> bytes:
    """Return the key of a genuine model's submission."""
    return b"model|" + name.encode()


class Modifier(Protocol):
    """One step of a feedback rule."""

    def apply(self, released: Released, occasion: Occasion) -> Released:
        """Return what is released after this step."""


@dataclass(frozen=True, slots=True)
class Round:
    """Round every released score, the public table's too, to a step in pp; ties to even."""

    step_pp: float

    def apply(self, released: Released, occasion: Occasion) -> Released:
        """Return the rounded scores as whole ticks."""
        ticks = round(100.0 / self.step_pp)
        table, scores = (
            _to_ticks(limbs, released.ones, ticks, self.step_pp)
            for limbs in (released.table, released.scores)
        )
        return replace(released, table=(table,), scores=(scores,), ones=(ticks,) * len(released.ones))


@dataclass(frozen=True, slots=True)
class Noise:
    """Add Gaussian noise of a standard deviation in pp, one draw per submission and coordinate.

    The draw depends on the submission alone, so that sending it again gets the same answer. The genuine models of the
    public table are submissions too.
    """

    sd_pp: float

    def apply(self, released: Released, occasion: Occasion) -> Released:
        """Return noisy scores as doubles."""
        table, scores = released.doubles()
        coordinates = len(released.ones)
        for place, name in enumerate(occasion.models[: table.shape[2]]):
            table[:, :, place] += self._draw(occasion.seed, model_key(name), coordinates)[:, None]
        for pair in sorted(set(occasion.endpoint_names)):
            trials = [trial for trial, name in enumerate(occasion.endpoint_names) if name == pair]
            for place, key in enumerate(occasion.submission_keys):
                draw = self._draw(occasion.seed, pair.encode() + key, coordinates)
                scores[:, place, trials] += draw[:, None]
        return released.as_doubles(table, scores, top_exponent=4)

    def _draw(self, seed: str, key: bytes, size: int) -> NDArray[np.float64]:
        digest = hashlib.sha256(f"noise|{seed}|{self.sd_pp!r}|".encode() + key).digest()
        generator = np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "big")))
        return np.clip(generator.normal(0.0, self.sd_pp / 100.0, size), -10.0, 10.0)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Release a score only where it beats the best so far by a step; per coordinate.

    The best so far starts with the public table. A score above it by more than eta is released, its loss rounded to
    eta, and becomes the best; any other submission only learns the best, which is known already. Without an eta the
    step is the standard error of the paired difference to the best so far, and the released loss is rounded to one
    item.
    """

    eta_pp: float | None

    def apply(self, released: Released, occasion: Occasion) -> Released:
        """Return the released scores in ticks of eta (or of one item), withheld where nothing improved."""
        table, scores = released.doubles()
        visible = released.visible  # a withheld score can beat nothing
        shown = np.zeros(scores.shape, dtype=bool)
        answers = np.zeros(scores.shape)
        if self.eta_pp is not None:
            eta = self.eta_pp / 100.0
            best = table.max(axis=2, initial=-np.inf)
            for place in range(scores.shape[1]):
                better = visible[:, place] & (np.round(scores[:, place] - best - eta, _COMPARED_DECIMALS) > 0)
                steps = np.rint(np.round((1.0 - scores[:, place]) / eta, 9))
                shown[:, place] = better
                answers[:, place] = np.where(better, 1.0 - steps * eta, 0.0)
                best = np.where(better, answers[:, place], best)
        else:
            self._climb(table, np.where(visible, scores, _HIDDEN), shown, answers, occasion)
        return released.withhold(shown).as_doubles(table, np.clip(answers, 0.0, 1.0))

    @staticmethod
    def _climb(
        table: NDArray[np.float64],
        scores: NDArray[np.float64],
        shown: NDArray[np.bool_],
        answers: NDArray[np.float64],
        occasion: Occasion,
    ) -> None:
        """Run the parameter-free variant, one coordinate and trial at a time; only improvements cost anything."""
        coordinates, _, trials = scores.shape
        for coordinate in range(coordinates):
            unit = 1.0 / float(occasion.items[coordinate])
            for trial in range(trials):
                best, holder = _HIDDEN, None
                if table.shape[2]:
                    holder = ("model", int(table[coordinate, trial].argmax()))
                    best = float(table[coordinate, trial, holder[1]])
                place = 0
                while True:
                    gains = np.round(scores[coordinate, place:, trial] - best, _COMPARED_DECIMALS)
                    ahead, gains = place + np.flatnonzero(gains > 0), gains[gains > 0]
                    if holder is not None:
                        ahead = ahead[gains > occasion.standard_errors(coordinate, trial, ahead, holder)]
                    if not ahead.size:
                        break
                    first = int(ahead[0])
                    best = float(scores[coordinate, first, trial])
                    holder, place = ("submission", first), first + 1
                    shown[coordinate, first, trial] = True
                    answers[coordinate, first, trial] = 1.0 - unit * round((1.0 - best) / unit)


@dataclass(frozen=True, slots=True)
class FrontierOnly:
    """Release a whole profile only if no earlier released profile is at least as good on every coordinate.

    The public table counts as released. With a margin, a profile must beat each earlier one by more than eta on some
    coordinate, and what is released is rounded to eta.
    """

    eta_pp: float

    def apply(self, released: Released, occasion: Occasion) -> Released:
        """Return the profiles that are not dominated."""
        if self.eta_pp > 0:
            released = Round(self.eta_pp).apply(released, occasion)
        table, scores = (np.round(part, _COMPARED_DECIMALS) for part in released.doubles())
        candidates = np.asarray(released.visible.all(axis=0))
        shown = undominated(table, scores, candidates, self.eta_pp / 100.0)
        return released.withhold(shown[None])


@dataclass(frozen=True, slots=True)
class Cap:
    """Answer at most N submissions; the attacker spends them on N - 1 random routers and the final one."""

    submissions: int

    def apply(self, released: Released, occasion: Occasion) -> Released:
        """Return nothing for later submissions."""
        answered = np.arange(released.scores[0].shape[1]) < self.submissions - 1
        return released.withhold(answered[None, :, None])


@dataclass(frozen=True)
class Rule:
    """A feedback rule: an interface, then modifiers from left to right."""

    text: str
    interface: Interface
    modifiers: tuple[Modifier, ...] = ()

    @property
    def cap(self) -> int | None:
        """The most submissions that are answered, or None."""
        caps = [modifier.submissions for modifier in self.modifiers if isinstance(modifier, Cap)]
        return min(caps) if caps else None

    def leaves_frontier(self, benchmark: Benchmark) -> bool:
        """Whether endpoints are chosen from several scores, so that a public frontier exists."""
        chosen_from = interface_of(benchmark) if self.interface.endpoints_from == "own" else self.interface
        return not chosen_from.practical and chosen_from.size > 1

    def without(self, kind: type) -> Rule:
        """Return the rule without modifiers of a kind."""
        kept = [one for one in self.modifiers if not isinstance(one, kind)]
        return Rule(self.text, self.interface, tuple(kept))

    def apply(self, released: Released, occasion: Occasion) -> Released:
        """Return what is released under the rule."""
        for modifier in self.modifiers:
            released = modifier.apply(released, occasion)
        return released


def parse_rule(
    benchmark: Benchmark, text: str | None = None, groups: Sequence[tuple[str, str]] | None = None
) -> Rule:
    """Return the feedback rule that a text spells, by default the benchmark's own.

    Parameters
    ----------
    benchmark
        Its tasks, categories and settings decide what the rule means.
    text
        The rule, in the grammar of the command line.
    groups
        (task, group) pairs; given, the interface part ``groups:...`` means them, and no file is read.

    Raises
    ------
    UsageError
        If a part is unknown or its number is outside its domain; the message names the part and shows the grammar.
    DataError
        If a file of groups does not fit the benchmark.
    """
    chosen = text or benchmark.settings.feedback or benchmark.settings.coordinates
    first, *rest = chosen.split("+")
    modifiers = tuple(_modifier(part.strip(), chosen) for part in rest)
    if benchmark.normalisation is not None and Ladder(None) in modifiers:
        raise UsageError(
            f"'+ladder:auto' needs standard errors of plain means, and {benchmark.name} corrects its scores for chance; "
            "use a step such as +ladder:1."
        )
    return Rule(chosen, interface_of(benchmark, first.strip(), groups), modifiers)


def _modifier(part: str, rule: str) -> Modifier:
    name, colon, value = part.partition(":")
    if not colon or name not in ("round", "ladder", "frontier", "noise", "cap"):
        raise UsageError(
            f"Unknown part '+{printable(part)}' in the feedback rule '{printable(rule)}'. {GRAMMAR}"
        )
    if name == "ladder" and value == "auto":
        return Ladder(None)
    if name == "cap":
        if not value.isascii() or not value.isdigit() or len(value) > 9 or int(value) < 1:
            raise UsageError(
                f"'+{printable(part)}': a cap is a whole number from 1 to {MAX_CAP:,}. {GRAMMAR}"
            )
        return Cap(int(value))
    number = _number(value)
    smallest = "of at least 0" if name in ("frontier", "noise") else "above 0"
    if not (0 <= number <= MAX_PP) or (number == 0 and smallest == "above 0"):
        raise UsageError(
            f"'+{printable(part)}': expected a number {smallest} and up to 100 (percentage points). {GRAMMAR}"
        )
    if name == "noise":
        return Noise(number)
    if 0 < number < MIN_STEP_PP:
        raise UsageError(
            f"'+{printable(part)}': a step is at least 0.000000001 pp, below which scores are not rounded. {GRAMMAR}"
        )
    if number > 0 and abs(100 / number - round(100 / number)) > 1e-9 * (100 / number):
        raise UsageError(
            f"'+{printable(part)}': {value} pp does not divide 100 pp into whole steps; use one such as 1, 0.1 or 0.01. "
            f"{GRAMMAR}"
        )
    if name == "round":
        return Round(number)
    return Ladder(number) if name == "ladder" else FrontierOnly(number)


def _number(text: str) -> float:
    """Return a plain decimal number, NaN for any other text."""
    if not text.isascii() or "_" in text:
        return math.nan
    try:
        return float(text) + 0.0  # -0 is 0
    except ValueError:
        return math.nan


def _to_ticks(limbs: Limbs, ones: tuple[int, ...], ticks: int, step_pp: float) -> NDArray[np.float64]:
    """Return scores in whole ticks, halves to even: exactly where they are counts, else from the double."""
    result = np.empty(limbs[0].shape)
    for place, one in enumerate(ones):
        column = exact.take(limbs, place)
        if one > 1 and len(column) == 1 and (one * ticks).bit_length() < 62:
            whole = column[0].astype(np.int64) * ticks
            result[place] = exact.divide_half_even(whole, one)
        else:
            result[place] = np.rint(exact.collapse(column) / one * 100 / step_pp)
    return result
