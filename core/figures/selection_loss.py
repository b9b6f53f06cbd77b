"""The curves of the Selection loss and Score gap pages: six benchmarks over submissions, with every word computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from core.errors import UsageError
from core.figures import claims
from core.figures.axes import Scale, round_scale, with_width
from core.figures.base import Figure
from core.figures.curves import Curves, curves_spec, style_in_words
from core.figures.series import Measure, measure_of
from core.figures.wording import capitalised, count, join, number, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.figures.theme import Mode

Layout = Literal["overlay", "small multiples"]
Width = Literal["wide", "compact"]

_SIZES: Final[dict[Width, tuple[int, int]]] = {"wide": (800, 400), "compact": (330, 360)}
INTERVAL_NOTICE: Final = (
    "Intervals resample the splits of one snapshot of each benchmark. They say how far another set of such splits could move "
    "the mean; they do not cover new items, new models or another set of random routers."
)


@dataclass(frozen=True, slots=True)
class Options:
    """How the curves are shown.

    Parameters
    ----------
    budget
        The budget that the title talks about, marked by a rule.
    layout
        All curves in one plot, or one plot each with shared axes.
    bands
        Whether intervals are drawn.
    threshold
        A horizontal line, in the measure's unit, with the first tested budget that reaches it told in a notice.
    mode
        Colours: the light page, the dark page, or print.
    width
        Size of the exported image. On a page the chart follows its container.
    include
        Further values that the y axis must hold.
    """

    budget: int = 128
    layout: Layout = "overlay"
    bands: bool = True
    threshold: float | None = None
    mode: Mode = "light"
    width: Width = "wide"
    include: tuple[float, ...] = ()


def loss_figure(
    frame: pd.DataFrame, options: Options | None = None, benchmarks: Sequence[str] | None = None
) -> Figure:
    """Return the curves of some benchmarks over submissions.

    Parameters
    ----------
    frame
        A tidy frame of one measure (`core.figures.series`).
    options
        How to show it.
    benchmarks
        Keys to show, in the frame's order; default all.

    Raises
    ------
    UsageError
        If the frame mixes measures or labels, or nothing is left to show, or the budget is not among those tested.
    """
    options = options or Options()
    shown = frame if benchmarks is None else frame[frame["benchmark"].isin(list(benchmarks))]
    measure = _one_measure(shown)
    budgets = sorted({int(budget) for budget in shown["new_submissions"]})
    if options.budget not in budgets:
        raise UsageError(
            f"Budget {options.budget} was not tested. Valid: {', '.join(str(budget) for budget in budgets)}."
        )
    found = claims.readings(shown, options.budget)
    scale = round_scale(_extent(shown, options))
    width, height = _SIZES[options.width]
    title = claims.title(measure, found, options.budget)
    subtitle = _subtitle(shown, measure, options)
    alt = _alt(shown, measure, options, title, found)
    source = sources(shown)
    notices = _notices(shown, measure, options)
    if options.layout == "overlay":
        curves = Curves(
            shown,
            measure,
            scale,
            height=height,
            budget=options.budget,
            bands=options.bands,
            threshold=options.threshold,
        )
        return Figure(
            curves_spec(curves),
            title,
            subtitle,
            alt,
            shown,
            source,
            notices,
            options.mode,
            width=width,
            height=height,
        )
    panels = _panels(shown, measure, scale, options, source)
    columns = 1 if options.width == "compact" else 3
    panel_width = width if columns == 1 else 240
    spec = {
        "concat": [
            {
                **with_width({"data": panel.spec["data"], "layer": panel.spec["layer"]}, panel_width),
                "width": panel_width,
                "height": panel.height,
                "title": {"text": panel.title, "fontSize": 14},
            }
            for panel in panels
        ],
        "columns": columns,
        "spacing": {"row": 24, "column": 28},
        "resolve": {
            "scale": {
                "color": "independent",
                "shape": "independent",
                "stroke": "independent",
                "strokeDash": "independent",
            }
        },
    }
    return Figure(
        spec,
        title,
        subtitle,
        alt,
        shown,
        source,
        notices,
        options.mode,
        width=width if columns == 1 else 3 * 290,
        height=height,
        panels=panels,
    )


def sources(frame: pd.DataFrame) -> str:
    """Return every source of a frame's rows, once; one that another already names is left out.

    Parameters
    ----------
    frame
        Rows with a column `source`.
    """
    distinct = [text.rstrip(".") for text in dict.fromkeys(frame["source"])]
    kept = [
        text for text in distinct if not any(text != other and other.startswith(text) for other in distinct)
    ]
    return "; ".join(kept) + "."


def _one_measure(frame: pd.DataFrame) -> Measure:
    if frame.empty:
        raise UsageError("No benchmark is chosen. Choose at least one.")
    for column, what in (("measure", "measures"), ("label", "published and recomputed values")):
        if frame[column].nunique() > 1:
            raise UsageError(f"One figure cannot mix {what}: {join(sorted(frame[column].unique()))}.")
    return measure_of(str(frame["measure"].iloc[0]))


def _extent(frame: pd.DataFrame, options: Options) -> list[float]:
    values: list[float] = [*frame["value"].tolist(), *options.include]
    if options.bands:
        values += frame["low"].tolist() + frame["high"].tolist()
    if options.threshold is not None:
        values.append(options.threshold)
    return values


def _panels(
    frame: pd.DataFrame, measure: Measure, scale: Scale, options: Options, source: str
) -> tuple[Figure, ...]:
    panels = []
    sparse = replace(scale, ticks=round_scale(scale.ticks, count=4).ticks)
    for key in dict.fromkeys(frame["benchmark"]):
        own = frame[frame["benchmark"] == key]
        name = str(own["name"].iloc[0])
        found = claims.readings(own, options.budget)
        curves = Curves(
            own,
            measure,
            sparse,
            height=170,
            budget=options.budget,
            bands=options.bands,
            threshold=options.threshold,
            labels=False,
            ghosts=frame[frame["benchmark"] != key],
            x_title=None,
        )
        alt = f"{name}: {claims.title(measure, found, options.budget)}. {claims.shape_of(own, measure)}"
        panels.append(
            Figure(
                curves_spec(curves),
                name,
                claims.value(measure, found[0]),
                alt,
                own,
                source,
                (),
                options.mode,
                240,
                170,
            )
        )
    return tuple(panels)


def _subtitle(frame: pd.DataFrame, measure: Measure, options: Options) -> str:
    label = str(frame["label"].iloc[0])
    bands = " with 95 % bootstrap intervals" if options.bands and frame["low"].notna().any() else ""
    static = " Open marks at 1: the static control." if frame["static_control"].any() else ""
    return f"{measure.name}, mean over splits{bands}. {label.capitalize()}.{static}"


def _alt(
    frame: pd.DataFrame, measure: Measure, options: Options, title: str, found: Sequence[claims.Reading]
) -> str:
    keys = list(dict.fromkeys(frame["benchmark"]))
    drawn = (
        "Line chart" if options.layout == "overlay" else f"{capitalised(count(len(keys)))} small line charts"
    )
    budgets = sorted({int(budget) for budget in frame["new_submissions"]})
    names = dict(zip(frame["benchmark"], frame["name"], strict=True))
    lines = (
        " Drawn as: " + "; ".join(f"{names[key]} {style_in_words(key)}" for key in keys) + "."
        if options.layout == "overlay" and len(keys) > 1
        else ""
    )
    return (
        f"{title}. {drawn} of {measure.name.lower()} over {budgets[0]:,} to {plural(budgets[-1], 'submission')}, "
        f"{frame['label'].iloc[0]} values. At {plural(options.budget, 'submission')}: {claims.sentence(measure, found)}. "
        f"{claims.shape_of(frame, measure)}{lines}"
    )


def _notices(frame: pd.DataFrame, measure: Measure, options: Options) -> tuple[str, ...]:
    notices: list[str] = []
    if options.threshold is not None:
        notices.append(threshold_sentence(frame, measure, options.threshold))
    if frame["static_control"].any():
        notices.append(
            "Budget 1 is the static control: per coordinate the publicly better of the two endpoints, one submission and no "
            "random router. It is not a point of the curve, so it is drawn as an open mark and not joined to it."
        )
    if frame["low"].notna().any():
        notices.append(INTERVAL_NOTICE)
    without = list(dict.fromkeys(frame.loc[frame["low"].isna(), "name"]))
    if without:
        notices.append(f"No interval is given for {measure.name.lower()} on {join(without)}.")
    return tuple(notices)


def threshold_sentence(frame: pd.DataFrame, measure: Measure, threshold: float) -> str:
    """Return the first tested random budget at which each benchmark reaches a threshold, as a sentence.

    Parameters
    ----------
    frame
        A tidy frame.
    measure
        What it shows.
    threshold
        In the measure's unit.
    """
    unit = {"points": "pp"}.get(measure.unit, measure.unit)
    level = f"{number(threshold, 0 if float(threshold).is_integer() else 1)} {unit}"
    reached = claims.first_reaching(frame, threshold)
    by_budget: dict[int, list[str]] = {}
    for name, budget in reached.items():
        if budget is not None:
            by_budget.setdefault(budget, []).append(name)
    parts = [
        f"{join(names)} at {plural(budget, 'submission')}" for budget, names in sorted(by_budget.items())
    ]
    never = [name for name, budget in reached.items() if budget is None]
    largest = int(frame["new_submissions"].max())
    text = (
        f"First tested budget at which {measure.name.lower()} reaches {level}: {'; '.join(parts)}."
        if parts
        else ""
    )
    if never:
        end = f"within {plural(largest, 'submission')}."
        text = (
            f"{text} Not reached on {join(never)} {end}"
            if text
            else f"{capitalised(measure.name.lower())} does not reach {level} on {join(never)} {end}"
        )
    return text
