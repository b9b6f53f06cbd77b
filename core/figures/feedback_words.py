"""What the feedback study's curves say, in words computed from the rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from core.figures.feedback_series import LEVELS, crossings, fold
from core.figures.wording import capitalised, join, number, plural

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.feedback_series import Axis, Crossing
    from core.figures.series import Measure


@dataclass(frozen=True)
class Told:
    """Title, subtitle, alternative text and notices of the curves.

    Parameters
    ----------
    frame
        A frame of `core.figures.feedback_series`, as shown.
    measure, name
        What is measured, and on which benchmark.
    axis
        What is counted along x.
    budget
        The budget that is read off.
    focus
        Position of the curve in focus.
    """

    frame: pd.DataFrame
    measure: Measure
    name: str
    axis: Axis
    budget: int
    focus: int

    @cached_property
    def found(self) -> tuple[Crossing, ...]:
        """Where each curve first reaches the measure's level."""
        return crossings(self.frame)

    @property
    def title(self) -> str:
        """The claim that the curves support on this axis."""
        if self.axis == "released_scores":
            reached = [one for one in self.found if one.scores is not None]
            if len(reached) > 1:
                scores = [one.scores for one in reached if one.scores is not None]
                budgets = [one.submissions for one in reached if one.submissions is not None]
                if fold(scores) < 0.75 * fold(budgets):
                    return (
                        f"Counted in released scores the curves come together: {level_words(self.measure)} after "
                        f"{_from_to(scores)} scores"
                    )
                return f"{capitalised(level_words(self.measure))} after {_from_to(scores)} released scores"
        values = self._values()
        first, last = values[0], values[-1]
        what = {"false_winner": "false winners", "score_gap_pp": "the score gap"}.get(
            self.measure.key, "the loss"
        )
        verb = "make up" if self.measure.key == "false_winner" else "is"
        opening = f"At {plural(self.budget, 'submission')} {what} {verb} {self._value(first[1])} with {_returned(first[0])}"
        return opening if len(values) == 1 else f"{opening} and {self._value(last[1])} with {_rule(last[0])}"

    def subtitle(self, *, bands: bool, ranges: bool) -> str:
        """Return what is drawn."""
        label = str(self.frame["label"].iloc[0])
        parts = [f"{self.name}: {self.measure.name.lower()}, mean over splits."]
        curve = str(self.frame.loc[self.frame["position"] == self.focus, "curve"].iloc[0])
        if len(self._values()) > 1:
            parts.append("The number at a curve: scores that one submission gets back.")
        if bands:
            parts.append(f"Bold: {_returned(curve)}, with its 95 % bootstrap interval.")
        if ranges and self.frame["least"].notna().any():
            parts.append("Grey bars: range over three ways to group the tasks; points are their mean.")
        if self.frame["static_control"].any():
            parts.append("Open marks on the left: the static control, which uses no random search.")
        return " ".join([*parts, f"{label.capitalize()}."])

    @property
    def alt(self) -> str:
        """The takeaway in words."""
        by = "released scores" if self.axis == "released_scores" else "leaderboard submissions"
        label = self.frame["label"].iloc[0]
        readings = join(
            [
                f"{self._value(value, interval)} with {_rule(curve)}"
                for curve, value, interval in self._readings()
            ]
        )
        crossed = join([_crossing(one, self.axis) for one in self.found])
        return (
            f"{self.title}. {len(self._values())} curves of {self.measure.name.lower()} on {self.name} over {by}, {label} "
            f"values. At {plural(self.budget, 'submission')}: {readings}. {capitalised(level_words(self.measure))}: {crossed}."
        )

    @property
    def notices(self) -> tuple[str, ...]:
        """What the reader should know beside the figure."""
        found = [
            "Released scores are those of the random search: returned scores times the submissions before the last one."
        ]
        if self.frame["low"].notna().any():
            found.append(
                "Intervals resample the splits of one snapshot with one set of random routers; they do not cover new items, new "
                "models, other routers or other ways to group the tasks."
            )
        return tuple(found)

    def _values(self) -> list[tuple[str, float]]:
        return [(curve, value) for curve, value, _ in self._readings()]

    def _readings(self) -> list[tuple[str, float, str]]:
        rows = self.frame[self.frame["new_submissions"] == self.budget]
        digits = 0 if self.measure.unit == "%" else 2
        return [
            (str(curve), float(value), f"{number(low, digits)} to {number(high, digits)}")
            for curve, value, low, high in zip(
                rows["curve"], rows["value"], rows["low"], rows["high"], strict=True
            )
        ]

    def _value(self, value: float, interval: str = "") -> str:
        text = f"{number(value, 0)} %" if self.measure.unit == "%" else f"{number(value, 2)} pp"
        if self.measure.key == "false_winner" and not interval:
            text += " of splits"
        return f"{text} ({interval})" if interval else text


def level_words(measure: Measure) -> str:
    """Return what counts as reached, as the beginning of a sentence.

    Examples
    --------
    >>> from core.figures.series import measure_of
    >>> level_words(measure_of("false_winner"))
    '90 % false winners'
    """
    level = number(LEVELS[measure.key], 0)
    return {
        "false_winner": f"{level} % false winners",
        "score_gap_pp": f"a score gap {level} pp above the genuine models' own",
    }.get(measure.key, f"a loss of {level} pp")


def collapse_sentence(frame: pd.DataFrame, measure: Measure) -> str:
    """Return by what factor the curves spread when counted in submissions and in released scores.

    Parameters
    ----------
    frame
        A frame of `core.figures.feedback_series`.
    measure
        What it shows.
    """
    reached = [one for one in crossings(frame) if one.submissions is not None and one.scores is not None]
    never = [one.curve for one in crossings(frame) if one.submissions is None]
    tail = f" With {join([_rule(curve) for curve in never])} it is not reached." if never else ""
    if len(reached) < 2:
        return f"Fewer than two curves reach {level_words(measure)}, so there is no spread to measure.{tail}"
    budgets = [one.submissions for one in reached if one.submissions is not None]
    scores = [one.scores for one in reached if one.scores is not None]
    return (
        f"**How far they collapse.** {capitalised(level_words(measure))} first appear{'s' if measure.key != 'false_winner' else ''} "
        f"after {_from_to(budgets)} submissions, a spread of {_times(fold(budgets))}, and after {_from_to(scores)} released "
        f"scores, a spread of {_times(fold(scores))}.{tail}"
    )


def _times(factor: float) -> str:
    return f"{number(factor, 0 if abs(factor - round(factor)) < 0.05 else 1)}×"


def _from_to(values: list[float] | list[int]) -> str:
    low, high = number(min(values), 0), number(max(values), 0)
    return low if low == high else f"{low} to {high}"


def _returned(curve: str) -> str:
    return plural(int(curve), "returned score") if curve.isdigit() else f"the rule {curve}"


def _rule(curve: str) -> str:
    return curve if curve.isdigit() else f"the rule {curve}"


def _crossing(one: Crossing, axis: Axis) -> str:
    who = f"with {_rule(one.curve)}"
    if one.submissions is None or one.scores is None:
        return f"{who} not reached"
    amount = (
        f"{number(one.scores, 0)} scores" if axis == "released_scores" else f"{one.submissions:,} submissions"
    )
    return f"{who} after {amount}"
