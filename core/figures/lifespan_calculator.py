"""The lifespan calculator: a prediction with the errors it has made elsewhere, and the simulated alternative beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.figures.base import Figure
from core.figures.lifespan_words import (
    PUBLISHED,
    SLOT,
    budget_words,
    doublings,
    interval_words,
    is_published,
    outcome_words,
    range_words,
)
from core.figures.theme import Token
from core.figures.wording import count, join, plural
from core.published import BENCHMARKS
from core.reuse.lifespan import MAX_TESTED

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.theme import Mode
    from core.reuse.lifespan import Case, ErrorRange, Law
    from core.reuse.lifespan_simulation import LifespanReading


@dataclass(frozen=True, eq=False)
class Answer:
    """What the calculator answers.

    Parameters
    ----------
    law
        The law used.
    items, scores
        The reader's n and d.
    errors
        How far the law was off elsewhere.
    external
        The cases behind `errors`.
    reading
        The simulated alternative, or None while there is none.
    """

    law: Law
    items: int
    scores: int
    errors: ErrorRange
    external: tuple[Case, ...]
    reading: LifespanReading | None = None

    @property
    def predicted(self) -> float:
        """The law's prediction."""
        return self.law.predict(self.items, self.scores)

    @property
    def around(self) -> tuple[float, float]:
        """The range that the errors elsewhere put around it."""
        return self.errors.around(self.predicted)


def calculator_figure(answer: Answer, *, mode: Mode = "light") -> Figure:
    """Return the prediction with its external error range, and the simulated alternative beside it.

    Parameters
    ----------
    answer
        What to draw.
    mode
        Colours.
    """
    low, high = answer.around
    known = answer.predicted * answer.errors.known_high
    title = (
        f"The law says {budget_words(answer.predicted)} submissions; going by its errors elsewhere, anything "
        f"from {range_words(low, high, known)}"
    )
    reading = answer.reading
    simulated = "" if reading is None else f" {_reading_sentence(reading)}"
    frame = calculator_rows(answer)
    return Figure(
        _calculator_spec(answer),
        title,
        f"Submissions until {outcome_words(answer.law)}, with {plural(answer.items, 'reused item')} and "
        f"{plural(answer.scores, 'returned score')}. Ticks: the law, off as it was on each "
        f"benchmark it was not fitted to.",
        f"{title}.{simulated} Horizontal ranges on a logarithmic axis of submissions.",
        frame,
        _calculator_source(answer),
        _calculator_notices(answer),
        mode,
        width=720,
        height=190 if reading is not None else 110,
    )


def _calculator_source(answer: Answer) -> str:
    law = f"law and errors from {PUBLISHED}"
    return f"{law}; simulated here." if answer.reading is not None else f"{law}."


def _calculator_notices(answer: Answer) -> tuple[str, ...]:
    ticks = [
        f"{BENCHMARKS[case.cell.benchmark].name} {'at least ' if math.isinf(case.cell.observed) else ''}"
        f"{budget_words(answer.predicted * case.least_factor)}"
        for case in sorted(answer.external, key=lambda case: case.least_factor)
        if case.cell.status != "static"
    ]
    notices = [
        f"Ticks, from the left: off as on {join(ticks)}.",
        (
            f"The bar spans what happened on {count(answer.errors.cases)} benchmarks. It is no interval with a known coverage: "
            "your benchmark can lie outside it."
        ),
    ]
    if math.isinf(answer.errors.high):
        censored = [
            BENCHMARKS[case.cell.benchmark].name for case in answer.external if math.isinf(case.cell.observed)
        ]
        notices.append(
            f"Its right end is open, because {join(censored)} did not get there within {MAX_TESTED:,} submissions; the hollow "
            "triangle marks the least that it must have been off by."
        )
    if answer.reading is not None:
        notices.append(
            "Tested budgets double: a simulated reading lies above half of what is shown. Its interval resamples draws and "
            "splits; it covers luck under the generator, and not that real models differ from simulated ones."
        )
    return tuple(notices)


def _reading_sentence(reading: LifespanReading) -> str:
    """Return a reading with its interval as a sentence."""
    if math.isinf(reading.budget):
        text = f"Simulated: not reached within {MAX_TESTED:,} submissions"
    else:
        text = f"Simulated: {budget_words(reading.budget)} submissions"
    return f"{text}, {interval_words(reading)}."


def calculator_rows(answer: Answer) -> pd.DataFrame:
    """Return everything that the calculator's figure shows: budgets in submissions, infinite where not reached."""
    import pandas as pd

    low, high = answer.around
    label = "published" if is_published(answer.law) else "recomputed"
    rows: list[dict[str, Any]] = [
        {
            "what": "law",
            "budget": answer.predicted,
            "low": low,
            "high": high,
            "label": label,
            "source": PUBLISHED,
        }
    ]
    rows += [
        {
            "what": f"law, off as on {BENCHMARKS[case.cell.benchmark].name}",
            "budget": answer.predicted * case.factor,
            "low": answer.predicted * case.least_factor,
            "high": answer.predicted * case.factor,
            "label": label,
            "source": PUBLISHED,
        }
        for case in answer.external
        if case.cell.status != "static"
    ]
    if answer.reading is not None:
        reading = answer.reading
        rows.append(
            {
                "what": "simulated", "budget": reading.budget, "low": reading.low, "high": reading.high,
                "label": "simulated", "source": "computed here from drawn benchmarks",
            }
        )  # fmt: skip
        rows += [
            {
                "what": f"simulated, draw {place}", "budget": budget, "low": budget, "high": budget,
                "label": "simulated", "source": "computed here from drawn benchmarks",
            }
            for place, budget in enumerate(reading.per_draw, start=1)
        ]  # fmt: skip
    return pd.DataFrame(rows)


def _calculator_spec(answer: Answer) -> dict[str, Any]:
    low, high = answer.around
    known = answer.predicted * answer.errors.known_high
    furthest = max(SLOT, answer.predicted * 2, known * 1.5 if math.isinf(high) else high * 1.2)
    right = 2.0 ** math.ceil(math.log2(furthest))
    law = "the law"
    simulated = "simulated"
    rows = [law] if answer.reading is None else [law, simulated]
    x_scale = {"type": "log", "base": 2, "domain": [1, right], "nice": False}
    x = {
        "field": "at",
        "type": "quantitative",
        "scale": x_scale,
        "axis": {
            "values": doublings(right, 2 if right > 1 << 14 else 1),
            "format": ",d",
            "grid": False,
            "labelOverlap": "parity",
            "title": "leaderboard submissions",
            "titleAnchor": "start",
        },
    }
    y = {
        "field": "row",
        "type": "nominal",
        "sort": rows,
        "scale": {"domain": rows, "paddingInner": 0.5},
        "axis": {
            "title": None,
            "domain": False,
            "ticks": False,
            "labelColor": Token.INK,
            "labelFontSize": 13,
            "labelLimit": 120,
        },
    }
    ticks: list[dict[str, Any]] = [
        {
            "row": law,
            "at": max(1.0, answer.predicted * case.least_factor),
            "name": BENCHMARKS[case.cell.benchmark].name,
            "words": ("at least " if math.isinf(case.cell.observed) else "")
            + budget_words(answer.predicted * case.least_factor),
            "open": math.isinf(case.cell.observed),
        }
        for case in answer.external
        if case.cell.status != "static"
    ]
    tooltip = [
        {"field": "name", "type": "nominal", "title": "off as on"},
        {"field": "words", "type": "nominal", "title": "submissions"},
    ]
    layers: list[dict[str, Any]] = [
        _bar([{"row": law, "at": low, "end": right if math.isinf(high) else high}], x, y, Token.AXIS),
        {
            "data": {"values": [row for row in ticks if not row["open"]]},
            "mark": {"type": "tick", "color": Token.MUTED, "thickness": 2, "size": 26},
            "encoding": {"x": x, "y": y, "tooltip": tooltip},
        },
        {
            "data": {"values": [row for row in ticks if row["open"]]},
            "mark": {
                "type": "point", "shape": "triangle-right", "filled": False, "stroke": Token.MUTED, "size": 150,
                "strokeWidth": 2, "opacity": 1,
            },
            "encoding": {"x": x, "y": y, "tooltip": tooltip},
        },
        *_marked([{"row": law, "at": answer.predicted, "text": budget_words(answer.predicted)}], x, y, "circle"),
    ]  # fmt: skip
    if answer.reading is not None:
        layers += _reading_layers(answer.reading, x, y, simulated, right)
    return {"layer": layers, "padding": {"left": 4, "right": 14, "top": 6, "bottom": 4}}


def _reading_layers(
    reading: LifespanReading, x: dict[str, Any], y: dict[str, Any], row: str, right: float
) -> list[dict[str, Any]]:
    def at(budget: float) -> float:
        return float(min(SLOT, right)) if math.isinf(budget) else budget

    draws = [
        {"row": row, "at": at(budget), "name": f"draw {place}", "words": budget_words(budget)}
        for place, budget in enumerate(reading.per_draw, start=1)
    ]
    tooltip = [
        {"field": "name", "type": "nominal", "title": "drawn benchmark"},
        {"field": "words", "type": "nominal", "title": "submissions"},
    ]
    centre = {
        "row": row,
        "at": at(reading.budget),
        "text": budget_words(reading.budget).replace("more than ", ">"),
    }
    return [
        _bar([{"row": row, "at": at(reading.low), "end": at(reading.high)}], x, y, Token.AXIS),
        {
            "data": {"values": draws},
            "mark": {"type": "tick", "color": Token.MUTED, "thickness": 2, "size": 26},
            "encoding": {"x": x, "y": y, "tooltip": tooltip},
        },
        *_marked([centre], x, y, "triangle-right" if math.isinf(reading.budget) else "diamond"),
    ]


def _bar(rows: list[dict[str, Any]], x: dict[str, Any], y: dict[str, Any], colour: Token) -> dict[str, Any]:
    return {
        "data": {"values": rows},
        "mark": {"type": "bar", "height": 14, "color": colour, "opacity": 0.55},
        "encoding": {"x": x, "x2": {"field": "end"}, "y": y},
    }


def _marked(
    rows: list[dict[str, Any]], x: dict[str, Any], y: dict[str, Any], shape: str
) -> list[dict[str, Any]]:
    return [
        {
            "data": {"values": rows},
            "mark": {
                "type": "point",
                "shape": shape,
                "filled": True,
                "size": 170,
                "color": Token.INK,
                "opacity": 1,
            },
            "encoding": {"x": x, "y": y},
        },
        {
            "data": {"values": rows},
            "mark": {"type": "text", "dy": -22, "fontWeight": "bold", "fontSize": 14, "color": Token.INK},
            "encoding": {"x": x, "y": y, "text": {"field": "text", "type": "nominal"}},
        },
    ]
