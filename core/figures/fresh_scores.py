"""Figures of scores on fresh items: by date of change, published over distractors, and published at a cutoff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.base import Figure
from core.figures.fresh_items import NEW, OLD, records
from core.figures.theme import GREY, Token
from core.figures.wording import join, number, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.figures.theme import Mode

RIGHT: Final = {"generation": "exact_match", "choice": "accuracy"}
METRIC_WORDS: Final = {
    "exact_match": "exact match",
    "f1": "token F1",
    "accuracy": "accuracy",
    "macro_f1": "macro-F1",
    "outdated_rate": "outdated rate",
    "unparsable_rate": "unreadable",
    "EM": "exact match",
    "F1": "token F1",
    "macro_F1": "macro-F1",
}
HOP_WORDS: Final = {"single": "Single-hop", "multi": "Multi-hop"}
SETTINGS: Final = (0, 3, 5, 7)
CUTOFF_GROUPS: Final = ("by cutoff", "after cutoff")
INTERVAL_NOTICE: Final = (
    "Whiskers are 95 % intervals over resampled items. They do not cover another choice of facts, another wording of the "
    "questions or another run of the model; where every answer is alike they shrink to a point, which is not certainty."
)
_NUDGE: Final = (-0.1, 0.14)
_PERCENT: Final = {"domain": [0, 100], "nice": False}


def scores_figure(frame: pd.DataFrame, who: str, *, mode: Mode = "light") -> Figure:
    """Return right and outdated answers by date of change.

    Parameters
    ----------
    frame
        From `core.fresh.frames.score_frame`, of one format and setting.
    who
        Whose answers, to begin the title with.
    mode
        Colours.

    Raises
    ------
    UsageError
        If it is empty or mixes formats, settings or origins.
    """
    if frame.empty:
        raise UsageError("There is no score to draw.")
    for column in ("format", "setting", "label"):
        if frame[column].nunique() > 1:
            raise UsageError(
                f"One figure cannot mix {column}s: {join(sorted(map(str, frame[column].unique())))}."
            )
    kind = str(frame["format"].iloc[0])
    right = RIGHT[kind]
    shown = frame[frame["metric"].isin([right, "outdated_rate"])]
    buckets = [name for name in dict.fromkeys(shown["bucket"]) if name != "all"]
    title = _score_title(shown, right, who)
    names = {right: NEW, "outdated_rate": OLD}
    values: list[dict[str, Any]] = [
        {
            "place": buckets.index(row.bucket) + _NUDGE[row.metric == "outdated_rate"], "bucket": row.bucket,
            "metric": METRIC_WORDS[row.metric], "value": row.value, "low": row.low, "high": row.high, "items": int(row.items),
        }
        for row in records(shown[shown["bucket"] != "all"])
    ]  # fmt: skip
    sizes = {row.bucket: int(row.items) for row in records(shown)}
    rows: list[dict[str, Any]] = [
        {"place": place, "text": f"{name} ({plural(sizes[name], 'item')})"}
        for place, name in enumerate(buckets)
    ]
    words = [METRIC_WORDS[name] for name in names]
    x = {
        "field": "value", "type": "quantitative",
        "scale": {"domain": [0, 100], "range": [8, {"expr": "width - 8"}], "nice": False},
        "axis": {"title": "answers (%)", "titleAnchor": "start", "tickCount": 5, "domain": False, "ticks": False},
    }  # fmt: skip
    y = {
        "field": "place", "type": "quantitative", "axis": None,
        "scale": {"domain": [-0.7, len(buckets) - 0.4], "reverse": True, "nice": False, "zero": False},
    }  # fmt: skip
    legend = {"title": None, "orient": "top", "symbolOpacity": 1}
    colour = {
        "field": "metric", "type": "nominal", "scale": {"domain": words, "range": list(names.values())}, "legend": legend,
    }  # fmt: skip
    shape = {
        "field": "metric", "type": "nominal", "scale": {"domain": words, "range": ["circle", "diamond"]}, "legend": legend,
    }  # fmt: skip
    tooltip = [
        {"field": "bucket", "type": "nominal", "title": "changed"},
        {"field": "metric", "type": "nominal"},
        *({"field": name, "type": "quantitative", "format": ".1f"} for name in ("value", "low", "high")),
        {"field": "items", "type": "quantitative"},
    ]
    spoken: list[str] = [
        f"{row['bucket']}: {row['metric']} {number(row['value'])} % ({number(row['low'])} to {number(row['high'])})" for row in values
    ]  # fmt: skip
    return Figure(
        spec={
            "data": {"values": values},
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 2},
                    "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                    "encoding": {"x": x, "y": y, "color": colour, "shape": shape, "tooltip": tooltip},
                },
                {
                    "data": {"values": rows},
                    "mark": {"type": "text", "align": "left", "baseline": "bottom", "dy": -14, "color": Token.INK},
                    "encoding": {"x": {"value": 0}, "y": y, "text": {"field": "text", "type": "nominal"}},
                },
            ],
        },
        title=title,
        subtitle=f"Share of right and of outdated answers by date of change. {str(frame['label'].iloc[0]).capitalize()}.",
        alt=f"{title}. Points with whiskers for {join([row['text'] for row in rows])}. {'; '.join(spoken)}.",
        data=frame,
        source=str(frame["source"].iloc[0]),
        notices=(INTERVAL_NOTICE,),
        mode=mode,
        height=50 * len(buckets) + 20,
    )  # fmt: skip


def _score_title(frame: pd.DataFrame, right: str, who: str) -> str:
    def value(bucket: str, metric: str) -> float | None:
        found = frame[(frame["bucket"] == bucket) & (frame["metric"] == metric)]["value"]
        return None if found.empty else float(found.iloc[0])

    before, after = (value(name, right) for name in CUTOFF_GROUPS)
    if before is not None and after is not None:
        old = value("after cutoff", "outdated_rate")
        tail = "" if old is None else f", where {number(old)} % are outdated"
        return (
            f"{who}: {number(before)} % right on changes by that day, {number(after)} % on later ones{tail}"
        )
    share, old = value("all", right), value("all", "outdated_rate")
    tail = "" if old is None else f", {number(old)} % outdated"
    return f"{who}: {number(share or 0.0)} % right{tail}"


def results_figure(
    frame: pd.DataFrame, kind: str, metric: str, model: str, *, hidden: bool = False, mode: Mode = "light"
) -> Figure:
    """Return published scores over the number of distracting documents, one panel for each number of hops.

    Parameters
    ----------
    frame
        From `core.fresh.published.results`, with columns `label` and `source`.
    kind, metric
        Format and metric of the table.
    model
        The model that is drawn in blue.
    hidden
        Whether only the scores without distracting documents are drawn, for a reader who guesses first.
    mode
        Colours.

    Raises
    ------
    UsageError
        If the table has no such model, format or metric.
    """
    rows = frame[(frame["format"] == kind) & (frame["metric"] == metric)]
    if model not in set(rows["model"]):
        raise UsageError(f"There are no published values of {metric} ({kind}) for {model}.")
    if hidden:
        rows = rows[rows["distractors"] == SETTINGS[0]]
    title = _results_title(rows, METRIC_WORDS[metric], model, hidden=hidden)
    panels = tuple(_results_panel(rows, hops, metric, model, mode) for hops in ("single", "multi"))
    spec = {
        "hconcat": [
            {"title": {"text": panel.title, "fontSize": 14}, "width": 320, "height": panel.height, **panel.spec} for panel in panels
        ],
        "spacing": 30,
    }  # fmt: skip
    return Figure(
        spec=spec,
        title=title,
        subtitle=f"{METRIC_WORDS[metric].capitalize()} of {rows['model'].nunique()} models by number of distracting documents "
        f"(percent). Blue: {model}; thick: mean; grey: the others. Published.",
        alt=f"{title}. Two line charts, single-hop and multi-hop. {panels[0].alt} {panels[1].alt}",
        data=rows.reset_index(drop=True),
        source=str(rows["source"].iloc[0]),
        notices=("The tables carry no intervals.",),
        mode=mode,
        width=720,
        height=300,
        panels=panels,
    )


def _results_title(rows: pd.DataFrame, metric: str, model: str, *, hidden: bool) -> str:
    own = rows[rows["model"] == model]
    if hidden:
        start, alone = (float(part.loc[part["hops"] == "single", "value"].mean()) for part in (rows, own))
        return (
            f"Without distracting documents {rows['model'].nunique()} models reach {number(start)} % {metric} on average, {model} "
            f"{number(alone)} %"
        )
    mean, loss = _single_hop_loss(rows), _single_hop_loss(own)
    return (
        f"Seven distracting documents cost {number(mean)} points of {metric} on average; "
        f"{model} {'loses' if loss >= 0 else 'gains'} {number(abs(loss))}"
    )


def _single_hop_loss(rows: pd.DataFrame) -> float:
    single = rows[rows["hops"] == "single"]
    with_none, with_most = (
        single.loc[single["distractors"] == at, "value"].mean() for at in (0, SETTINGS[-1])
    )
    return float(with_none - with_most)


def _results_panel(rows: pd.DataFrame, hops: str, metric: str, model: str, mode: Mode) -> Figure:
    own = rows[rows["hops"] == hops]
    settings = [at for at in SETTINGS if at in set(own["distractors"])]
    mean = {at: float(own.loc[own["distractors"] == at, "value"].mean()) for at in settings}
    values = [
        {"model": row.model, "distractors": row.distractors, "value": row.value, "kind": "own" if row.model == model else "other"}
        for row in records(own)
    ]  # fmt: skip
    values += [
        {"model": "mean", "distractors": at, "value": share, "kind": "mean"} for at, share in mean.items()
    ]
    x = {
        "field": "distractors", "type": "quantitative", "title": "distracting documents",
        "scale": {"domain": [0, 7], "range": [8, {"expr": "width - 20"}], "nice": False},
        "axis": {"values": list(SETTINGS), "format": "d", "grid": False},
    }  # fmt: skip
    y = {"field": "value", "type": "quantitative", "scale": _PERCENT, "axis": {"title": None, "tickCount": 5}}
    tooltip = [
        {"field": "model", "type": "nominal"},
        {"field": "distractors", "type": "quantitative"},
        {"field": "value", "type": "quantitative", "format": ".1f"},
    ]
    layers: list[dict[str, Any]] = []
    for kind, look in (
        ("other", {"color": GREY, "strokeWidth": 1, "opacity": 0.55}),
        ("mean", {"color": Token.INK, "strokeWidth": 3}),
        ("own", {"color": NEW, "strokeWidth": 2.5}),
    ):
        layers.append(
            {
                "transform": [{"filter": {"field": "kind", "equal": kind}}],
                "mark": {
                    "type": "line",
                    "point": {"size": 34, "opacity": 1, "color": look["color"]}
                    if kind != "other" or len(settings) == 1
                    else False,
                    **look,
                },
                "encoding": {
                    "x": x,
                    "y": y,
                    "detail": {"field": "model", "type": "nominal"},
                    "tooltip": tooltip,
                },
            }
        )
    chosen = {row.distractors: float(row.value) for row in records(own[own["model"] == model])}
    spoken = ", ".join(f"{number(chosen[at])} with {at}" for at in settings)
    falls = (
        f"falls from {number(mean[0])} to {number(mean[settings[-1]])}"
        if len(settings) > 1
        else f"is {number(mean[0])}"
    )
    return Figure(
        spec={"data": {"values": values}, "layer": layers},
        title=HOP_WORDS[hops],
        subtitle="",
        alt=f"{HOP_WORDS[hops]}: {model} {spoken} distracting documents; the mean {falls}.",
        data=own,
        source=str(own["source"].iloc[0]),
        mode=mode,
        width=320,
        height=260,
    )


def signal_figure(frame: pd.DataFrame, *, mode: Mode = "light") -> Figure:
    """Return how one model's answers change at its cutoff, as published.

    Parameters
    ----------
    frame
        From `core.fresh.published.cutoff_signal`, with columns `label` and `source`.
    mode
        Colours.
    """
    model = str(frame["model"].iloc[0])
    share = {(row.measure, row.period): float(row.value) for row in records(frame)}
    measures: Sequence[str] = ("correct", "outdated")
    title = (
        f"After its cutoff, {model} is right less often ({_step(share, 'correct')} %) and outdated more often "
        f"({_step(share, 'outdated')} %)"
    )
    values = [
        {
            "place": place, "name": f"{measure} answers", "measure": measure, "before": share[measure, "before"],
            "after": share[measure, "after"], "low": min(share[measure, "before"], share[measure, "after"]),
            "high": max(share[measure, "before"], share[measure, "after"]),
        }
        for place, measure in enumerate(measures)
    ]  # fmt: skip
    y = {
        "field": "place", "type": "quantitative", "axis": None,
        "scale": {"domain": [-0.75, len(values) - 0.4], "reverse": True, "nice": False, "zero": False},
    }  # fmt: skip
    x = {
        "type": "quantitative", "scale": {"domain": [0, 100], "range": [36, {"expr": "width - 36"}], "nice": False},
        "axis": {"title": "answers (%)", "titleAnchor": "start", "tickCount": 5, "domain": False, "ticks": False},
    }  # fmt: skip
    colour = {
        "field": "measure",
        "type": "nominal",
        "legend": None,
        "scale": {"domain": list(measures), "range": [NEW, OLD]},
    }
    return Figure(
        spec={
            "data": {"values": values},
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 3, "color": Token.AXIS},
                    "encoding": {"x": {**x, "field": "before"}, "x2": {"field": "after"}, "y": y},
                },
                {
                    "mark": {"type": "point", "size": 110, "fill": Token.PAPER, "strokeWidth": 2, "opacity": 1},
                    "encoding": {"x": {**x, "field": "before"}, "y": y, "color": colour},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 120, "opacity": 1},
                    "encoding": {"x": {**x, "field": "after"}, "y": y, "color": colour},
                },
                {
                    "mark": {"type": "text", "align": "left", "baseline": "bottom", "dy": -12, "color": Token.INK},
                    "encoding": {"x": {"value": 0}, "y": y, "text": {"field": "name", "type": "nominal"}},
                },
                *(
                    {
                        "mark": {"type": "text", "baseline": "middle", "align": align, "dx": dx, "color": Token.INK},
                        "encoding": {
                            "x": {**x, "field": end}, "y": y,
                            "text": {"field": end, "type": "quantitative", "format": ".1f"},
                        },
                    }
                    for end, align, dx in (("low", "right", -10), ("high", "left", 10))
                ),
            ],
        },
        title=title,
        subtitle="Open mark: facts that changed before the model's cutoff; full mark: after it. Multiple choice, percent. "
        "Published.",
        alt=f"{title}. Two rows with an open mark before and a full mark after the cutoff.",
        data=frame,
        source=str(frame["source"].iloc[0]),
        notices=("Only the four shares are published, without intervals.",),
        mode=mode,
        height=170,
    )  # fmt: skip


def _step(share: dict[tuple[str, str], float], measure: str) -> str:
    return f"{number(share[measure, 'before'])} → {number(share[measure, 'after'])}"
