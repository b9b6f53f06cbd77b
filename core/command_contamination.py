"""The commands ``phase``, ``detect``, ``correct`` and ``pocket``: contaminated scores, from a terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core import command_options as options
from core.command_line import print_table, say

if TYPE_CHECKING:
    import pandas as pd

    from core.contamination.pools import ItemPool

_PP = 100.0
SeedOption = Annotated[int, typer.Option("--seed", metavar="INT", help="Seed of all draws, 0 or above.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command(
        "phase",
        short_help="Which estimator has the lowest error, by the quality of the predictors.",
        epilog="Example: python -m core phase --pool mmlu --grid 21 --out phase.csv",
    )(phase)
    app.command(
        "detect",
        short_help="Score texts for memorization from their token log-probabilities.",
        epilog="Example: python -m core detect logprobs.jsonl --reference clean.jsonl --out scores.csv",
    )(detect)
    app.command(
        "correct",
        short_help="Correct a contaminated score, calibrated on spiked items.",
        epilog="Example: python -m core correct items.csv --score min_k_plus --out corrected.csv",
    )(correct)
    app.command(
        "pocket",
        short_help="Train the pocket pair, a tiny standard and perturbed language model, and write its tables.",
        epilog="Example: python -m core pocket --seed 1 --out pocket",
    )(pocket)


def phase(
    *,
    pool: Annotated[
        str,
        typer.Option(
            "--pool",
            metavar="NAME|FILE",
            help="mmlu, hellaswag, piqa, popqa, winogrande_mcq, winogrande_infill, or a file with the columns item, "
            "y_clean, y_observed, duplicates, confidence.",
        ),
    ] = "mmlu",
    chance: Annotated[
        float, typer.Option("--chance", help="Accuracy of a guess, for a pool from a file.")
    ] = 0.25,
    loading: Annotated[
        float, typer.Option("--loading", help="Spread of difficulty in a calibrated pool, 0 to 1.")
    ] = 0.8,
    regimes: Annotated[
        str | None, typer.Option("--regimes", metavar="NAME,...", help="Panels; default all six.")
    ] = None,
    grid: Annotated[int, typer.Option("--grid", help="Lines per axis, 2 to 61.")] = 21,
    replicates: Annotated[int, typer.Option("--replicates", help="Test sets per cell.")] = 1000,
    n: Annotated[int, typer.Option("--n", help="Items per test set.")] = 500,
    rate: Annotated[float, typer.Option("--rate", help="Share of them that is contaminated.")] = 0.3,
    concentration: Annotated[
        float, typer.Option("--concentration", help="Concentration of the memorization scores.")
    ] = 10.0,
    medium: Annotated[str, typer.Option("--medium", metavar="16|4,16", help="The medium dose.")] = "16",
    contest: Annotated[
        str, typer.Option("--contest", metavar="NAME,...", help="Estimators that can win a cell.")
    ] = "naive,ipw,imputation,combined",
    seed: SeedOption = 0,
    out: options.Out = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Compute a phase diagram; print each panel's winners, write the cells with --out (errors in percentage points)."""
    from core.command_line import progress_bar
    from core.contamination import regimes as reg
    from core.contamination.phase import DEFAULT_SCORE_DRAWS, PhaseSettings, phase_diagram

    _check_target(out, force=force)
    settings = PhaseSettings(
        grid=grid,
        design=reg.Design(n=n, rate=rate, replicates=replicates, medium=_levels(medium)),
        concentration=concentration,
        regimes=_names(regimes) or tuple(reg.REGIMES),
        contest=_names(contest),
        score_draws=min(DEFAULT_SCORE_DRAWS, max(1, replicates)),
        seed=seed,
    )
    items = _pool(pool, chance, loading, seed)
    offered = tuple(key for key in settings.regimes if reg.offers(items, key, settings.design))
    left_out = [reg.REGIMES[key].label for key in settings.regimes if key not in offered]
    if regimes is None and offered:
        settings = replace(settings, regimes=offered)
    with progress_bar("Replicates", show=not quiet) as progress:
        diagram = phase_diagram(items, settings, progress)
    _write(out, diagram.frame(), force=force)
    if quiet:
        return
    say(
        f"{items.name}, {items.provenance}: {replicates:,} test sets of {n} items, {100 * rate:g} % contaminated, "
        f"{grid} x {grid} cells. Share of cells in which an estimator has the lowest error:"
    )
    rows = []
    for panel in diagram.panels:
        shares = [f"{100 * panel.share(name):.0f} %" for name in panel.contest]
        label = reg.REGIMES[panel.regime].label
        rows.append((label, *shares, f"{100 * panel.inflation:+.1f}", f"{100 * panel.bias_limit:.1f}"))
    headings = ("regime", *settings.contest, "naive inflation pp", "largest |bias| pp")
    print_table(headings, rows, right=headings[1:], whole=headings)
    if left_out:
        say(f"Left out, since the pool has no items at their duplication levels: {', '.join(left_out)}.")
    if any(panel.degenerate for panel in diagram.panels):
        say(
            "A row whose largest |bias| is near 0 has no bias axis: a guess is as good as the clean model there."
        )
    _say_written(out)


def detect(
    logprobs: Annotated[
        Path, typer.Argument(metavar="LOGPROBS", help="JSON Lines with id, text, token_logprobs.")
    ],
    *,
    k: Annotated[float, typer.Option("--k", help="Share of tokens for Min-K% and Min-K%++.")] = 0.2,
    reference: Annotated[
        Path | None,
        typer.Option("--reference", metavar="FILE", help="The same texts under a reference model."),
    ] = None,
    out: options.Out = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Score texts for memorization (higher = more likely memorized); print them, or write them with --out."""
    from core.contamination.logprobs import missing_moments_note, read_logprobs, score_table

    _check_target(out, force=force)
    texts = read_logprobs(logprobs)
    table = score_table(texts, k=k, reference=None if reference is None else read_logprobs(reference))
    _write(out, table, force=force)
    if quiet:
        return
    if out is None:
        headings = tuple(str(name) for name in table.columns)
        rows = [tuple(_cell(value) for value in row) for row in table.itertuples(index=False)]
        print_table(headings, rows, right=headings[1:], whole=headings)
    else:
        say(f"{len(table)} texts scored: {', '.join(str(name) for name in table.columns[2:])}.")
    note = missing_moments_note(texts)
    if note:
        say(note)
    _say_written(out)


def correct(
    items: Annotated[
        Path,
        typer.Argument(
            metavar="ITEMS",
            help="CSV or Parquet with item, y, a score and, for calibration, spiked (1, 0 or blank).",
        ),
    ],
    *,
    score: Annotated[
        str | None,
        typer.Option("--score", metavar="COLUMN", help="Memorization score; default: the first one found."),
    ] = None,
    correctness: Annotated[
        str | None,
        typer.Option(
            "--correctness",
            metavar="COLUMN",
            help="Confidence, probability or text; default correct_probability.",
        ),
    ] = None,
    text_model: Annotated[
        str, typer.Option("--text-model", metavar="tfidf|roberta", help="Classifier for a text column.")
    ] = "tfidf",
    roberta: Annotated[
        str, typer.Option("--roberta", metavar="FOLDER", help="A saved RoBERTa, with --text-model roberta.")
    ] = "roberta-base",
    prior: Annotated[
        float | None,
        typer.Option("--prior", help="Share of contaminated test items, to correct the calibration for it."),
    ] = None,
    replicates: Annotated[int, typer.Option("--replicates", help="Bootstrap resamples.")] = 2000,
    seed: SeedOption = 0,
    out: options.Out = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Calibrate on the rows of known status, correct the score of the others, with bootstrap intervals."""
    from core.contamination.correction import CorrectionSettings
    from core.contamination.correction import correct as correct_items
    from core.contamination.correction_files import read_items
    from core.contamination.estimators import LABELS

    _check_target(out, force=force)
    settings = CorrectionSettings(resamples=replicates, seed=seed, prior=prior)
    data = read_items(items, score=score, correctness=correctness, text_model=text_model, roberta=roberta)
    result = correct_items(data.test, data.calibration, settings)
    table = result.frame()
    _write(out, table, force=force)
    if quiet:
        return
    known = 0 if data.calibration is None else len(data.calibration.score)
    say(f"{len(data.items)} items corrected, {known} calibration items, score '{data.score_column}'.")
    for note in data.notes:
        say(note)
    rows = []
    for entry in result.scores:
        if entry.low is None or entry.high is None or not isinstance(entry.value, float):
            rows.append((LABELS[entry.estimator], "-", str(entry.value)))
        else:
            interval = f"[{_PP * entry.low:.1f}, {_PP * entry.high:.1f}]"
            rows.append((LABELS[entry.estimator], f"{_PP * entry.value:.1f}", interval))
    headings = ("estimator", "score %", "95 % interval")
    print_table(headings, rows, right=headings[1:2], whole=headings[:2])
    _say_written(out)


def pocket(
    *,
    learning_rate: Annotated[
        float,
        typer.Option("--learning-rate", help="How fast the models memorize; .004 is closest to Hubble."),
    ] = 0.008,
    levels: Annotated[
        str, typer.Option("--levels", metavar="N,...", help="Duplication levels, ascending.")
    ] = "1,4,16,64,256",
    k: Annotated[float, typer.Option("--k", help="Share of tokens for Min-K% and Min-K%++.")] = 0.2,
    seed: SeedOption = 0,
    out: options.Out = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Train the pocket pair; print its accuracies and AUROCs, write its tables into the folder --out."""
    from core.command_line import progress_bar
    from core.contamination.pocket.pair import PocketSettings, train_pair
    from core.contamination.pocket.summary import auroc_table

    settings = PocketSettings(seed=seed, learning_rate=learning_rate, levels=_levels(levels), k=k)
    names = ("items.csv", "accuracy.csv", "auroc.csv", "training_loss.csv")
    if out is not None:
        _make_folder(out)
        for name in names:
            _check_target(out / name, force=force)
    with progress_bar("Training", show=not quiet) as progress:
        pair = train_pair(settings, progress)
    items, losses = pair.tables()
    accuracy, aurocs = pair.accuracy_frame(), auroc_table(pair)
    if out is not None:
        for name, table in zip(names, (items, accuracy, aurocs, losses), strict=True):
            _write(out / name, table, force=force)
    if quiet:
        return
    say(
        f"Pocket pair trained here, seed {seed}, learning rate {learning_rate:g}; measured on {len(items):,} items."
    )
    rows = [
        (f"{row.duplicates}", f"{row.items}", f"{row.standard:.3f}", f"{row.perturbed:.3f}")
        for row in accuracy.itertuples()
    ]
    headings = ("duplicates", "items", "standard", "perturbed")
    print_table(headings, rows, right=headings, whole=headings)
    whole = aurocs[aurocs["scope"] == "whole"].pivot_table(
        index="attack", columns="duplicates", values="auroc", sort=False
    )
    columns = ("AUROC", *(str(level) for level in whole.columns))
    areas = [(str(attack), *(f"{value:.3f}" for value in values)) for attack, values in whole.iterrows()]
    print_table(columns, areas, right=columns[1:], whole=columns)
    _say_written(out)


def _pool(name: str, chance: float, loading: float, seed: int) -> ItemPool:
    from core.contamination import hubble
    from core.contamination.pool_files import read_pool
    from core.contamination.pools import calibrated_pool
    from core.errors import UsageError

    if name in hubble.PRESETS:
        return calibrated_pool(name, seed, loading)
    path = Path(name)
    if not path.exists():
        raise UsageError(
            f"There is no pool '{name}'. Name one of {', '.join(hubble.PRESETS)}, or a file that exists."
        )
    return read_pool(path, path.stem, chance=chance, seed=seed)


def _levels(text: str) -> tuple[int, ...]:
    from core.errors import UsageError

    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise UsageError(
            f"Levels are whole numbers separated by commas, such as 4,16; found '{text}'."
        ) from None


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _check_target(path: Path | None, *, force: bool) -> None:
    from core.files import check_writable

    if path is not None:
        check_writable(path, force=force)


def _make_folder(path: Path) -> None:
    from core.errors import DataError

    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise DataError(f"The folder '{path}' cannot be made: {error.strerror}.") from None


def _write(path: Path | None, table: pd.DataFrame, *, force: bool) -> None:
    from core.files import atomic_write

    if path is not None:
        atomic_write(path, table.to_csv(index=False, lineterminator="\n"), force=force)


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _say_written(path: Path | None) -> None:
    if path is not None:
        say(f"Written: {path}")
