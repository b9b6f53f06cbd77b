"""Training the pocket pair and measuring it: outcomes, memorization scores, an independent model's confidence.

The standard and the perturbed model start alike and take the same steps; in the perturbed corpus the exposures of the test items
replace background sentences. A third model, trained on its own text of the same grammar, gives the confidence.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from core.contamination import scores as sc
from core.contamination.hubble import items_per_level
from core.contamination.pocket import grammar as gr
from core.contamination.pocket import network as net
from core.contamination.pools import ItemPool, halves
from core.errors import UsageError
from core.statistics import check_seed

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

ITEMS: Final = 2000
SENTENCES: Final = 60_000
DEFAULT_RATE: Final = 0.008
DEFAULT_LEVELS: Final = (1, 4, 16, 64, 256)
TRAINING_BLOCKS: Final = 12
_QUESTION_TOKENS: Final = 5  # predicted tokens up to and with the marker

Scope = Literal["whole", "question"]
Signal = Literal["largest", "right"]


@dataclass(frozen=True, slots=True)
class PocketSettings:
    """What a pocket pair depends on.

    Parameters
    ----------
    seed
        Seed of grammar, items, corpora, starting values and the split in halves.
    learning_rate
        How fast the models memorize; .004 comes closest to Hubble's AUROCs, .008 is the default.
    levels
        The duplication levels, ascending; they share the contaminated half of the items in Hubble's proportions.
    k
        Share of tokens for Min-K% and Min-K%++; of seven scored tokens .2 keeps one.

    Raises
    ------
    UsageError
        If a value is outside its domain.
    """

    seed: int = 0
    learning_rate: float = DEFAULT_RATE
    levels: tuple[int, ...] = DEFAULT_LEVELS
    k: float = sc.DEFAULT_K

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not 0.0005 <= self.learning_rate <= 0.05:
            raise UsageError(f"The learning rate must lie within [0.0005, 0.05], found {self.learning_rate}.")
        if not self.levels or list(self.levels) != sorted(set(self.levels)) or self.levels[0] < 1:
            raise UsageError(
                f"Duplication levels must be ascending whole numbers from 1, found {self.levels}."
            )
        if len(self.levels) > len(DEFAULT_LEVELS):
            raise UsageError(f"At most {len(DEFAULT_LEVELS)} duplication levels, found {len(self.levels)}.")
        if not 0 < self.k <= 1:
            raise UsageError(f"The share k of Min-K% must lie within (0, 1], found {self.k}.")
        if self.exposures > SENTENCES // 2:
            raise UsageError(
                f"These levels need {self.exposures} of {SENTENCES} training sentences; at most half may be test items. "
                "Choose smaller levels."
            )

    @property
    def items_of_level(self) -> dict[int, int]:
        """Items per level, 0 included: Hubble's proportions on 2,000 items."""
        published = list(items_per_level().values())[1:]
        weights = np.array(published[: len(self.levels)], dtype=np.float64)
        contaminated = ITEMS // 2
        counts = np.floor(contaminated * weights / weights.sum()).astype(int)
        remainder = contaminated * weights / weights.sum() - counts
        counts[np.argsort(-remainder, kind="stable")[: contaminated - counts.sum()]] += 1
        return {0: ITEMS - contaminated, **dict(zip(self.levels, counts.tolist(), strict=True))}

    @property
    def exposures(self) -> int:
        """Training sentences of the perturbed corpus that are test items."""
        return sum(level * count for level, count in self.items_of_level.items())


@dataclass(frozen=True, eq=False)
class PocketPair:
    """A trained pair's measurements on its 2,000 items. Every number is measured on models trained here.

    Parameters
    ----------
    settings
        What it was trained with.
    texts
        The items as written.
    duplicates
        Shape (items,).
    y_standard, y_perturbed
        Shape (items,): whether the right option has the highest probability.
    confidence
        Signal -> shape (items,): from the independent model, its largest option probability (a realistic signal) and its
        probability of the right option (nearly an oracle).
    scores
        Scope -> attack -> shape (items,): over the whole text, or over the question up to its marker.
    standard, perturbed
        Token log-probabilities, shape (items, 7).
    calibration
        Shape (items,): the calibration half.
    training_loss
        Model -> shape (12,): mean training loss per twelfth of the pass, nats per token.
    """

    settings: PocketSettings
    texts: tuple[str, ...]
    duplicates: NDArray[np.int64]
    y_standard: NDArray[np.float64]
    y_perturbed: NDArray[np.float64]
    confidence: dict[str, NDArray[np.float64]]
    scores: dict[str, dict[str, NDArray[np.float64]]]
    standard: NDArray[np.float64]
    perturbed: NDArray[np.float64]
    calibration: NDArray[np.bool_]
    training_loss: dict[str, NDArray[np.float64]]

    def pool(
        self, scope: Scope = "whole", signal: Signal = "largest", *, clean_outcomes_measured: bool = False
    ) -> ItemPool:
        """Return the pair as an item pool, for estimators and regimes.

        Parameters
        ----------
        scope
            Scores over the whole text (the answer's token included) or over the question only.
        signal
            The correctness signal.
        clean_outcomes_measured
            Take the perturbed model's outcome on clean items as it is; by default it is the standard model's, an
            idealisation (the two agree on about nine clean items in ten).
        """
        return ItemPool(
            name="Pocket Hubble",
            items=tuple(f"pocket-{index:04d}" for index in range(len(self.texts))),
            y_clean=self.y_standard,
            y_observed=self.y_perturbed,
            duplicates=self.duplicates,
            confidence=self.confidence[signal],
            scores=self.scores[scope],
            calibration=self.calibration,
            chance=1 / gr.OPTIONS,
            provenance="measured",
            clean_outcomes_measured=clean_outcomes_measured,
        )

    @property
    def clean_agreement(self) -> float:
        """Share of clean items on which both models are right or both wrong."""
        clean = self.duplicates == 0
        return float(np.mean(self.y_standard[clean] == self.y_perturbed[clean]))

    def tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return everything measured as two tables: items with token log-probabilities, and training losses."""
        import pandas as pd

        items = self.item_frame()
        for model, values in (("standard", self.standard), ("perturbed", self.perturbed)):
            for token in range(values.shape[1]):
                items[f"{model}_{token + 2}"] = values[:, token]
        return items, pd.DataFrame(self.training_loss)

    @classmethod
    def from_tables(cls, settings: PocketSettings, items: pd.DataFrame, losses: pd.DataFrame) -> PocketPair:
        """Rebuild a pair from its `tables`."""
        scores: dict[str, dict[str, NDArray[np.float64]]] = {
            scope: {attack: items[f"{attack} ({scope})"].to_numpy(dtype=np.float64) for attack in sc.SCORES}
            for scope in ("whole", "question")
        }
        tokens = {
            model: items[[f"{model}_{token + 2}" for token in range(net.CONTEXT)]].to_numpy(dtype=np.float64)
            for model in ("standard", "perturbed")
        }
        return cls(
            settings=settings,
            texts=tuple(items["text"]),
            duplicates=items["duplicates"].to_numpy(dtype=np.int64),
            y_standard=items["y_clean"].to_numpy(dtype=np.float64),
            y_perturbed=items["y_observed"].to_numpy(dtype=np.float64),
            confidence={
                "largest": items["confidence"].to_numpy(dtype=np.float64),
                "right": items["confidence_right"].to_numpy(dtype=np.float64),
            },
            scores=scores,
            standard=tokens["standard"],
            perturbed=tokens["perturbed"],
            calibration=items["half"].to_numpy() == "calibration",
            training_loss={str(name): losses[name].to_numpy(dtype=np.float64) for name in losses.columns},
        )

    def accuracy_frame(self) -> pd.DataFrame:
        """Return ``duplicates, items, standard, perturbed`` with binomial standard errors, one row per level."""
        import pandas as pd

        rows = []
        for level in np.unique(self.duplicates):
            members = self.duplicates == level
            row: dict[str, float] = {"duplicates": int(level), "items": int(members.sum())}
            for model, outcomes in (("standard", self.y_standard), ("perturbed", self.y_perturbed)):
                share = float(outcomes[members].mean())
                row[model] = share
                row[f"{model}_se"] = float(np.sqrt(share * (1 - share) / members.sum()))
            rows.append(row)
        return pd.DataFrame(rows)

    def item_frame(self) -> pd.DataFrame:
        """Return one row per item: text, outcomes, signals and all scores of both scopes."""
        import pandas as pd

        columns: dict[str, object] = {
            "item": [f"pocket-{index:04d}" for index in range(len(self.texts))],
            "text": list(self.texts),
            "duplicates": self.duplicates,
            "y_clean": self.y_standard.astype(int),
            "y_observed": self.y_perturbed.astype(int),
            "confidence": self.confidence["largest"],
            "confidence_right": self.confidence["right"],
            "half": np.where(self.calibration, "calibration", "simulation"),
        }
        for scope, attacks in self.scores.items():
            columns |= {f"{attack} ({scope})": values for attack, values in attacks.items()}
        return pd.DataFrame(columns)


def train_pair(
    settings: PocketSettings | None = None, progress: Callable[[int, int], None] | None = None
) -> PocketPair:
    """Train the standard, the perturbed and the independent model, and measure the items.

    Deterministic by seed on one machine: every model runs on one BLAS thread.

    Parameters
    ----------
    settings
        Seed, learning rate, levels.
    progress
        Called with (parts done, all parts).
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    chosen = settings or PocketSettings()
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(chosen.seed).spawn(7)]
    language = gr.draw_grammar(streams[0])
    questions = gr.draw_questions(language, ITEMS, streams[1])
    duplicates = np.repeat(list(chosen.items_of_level), list(chosen.items_of_level.values())).astype(np.int64)
    background = gr.draw_background(language, SENTENCES, questions, streams[2])
    perturbed_text = _insert(background, questions.sentences, duplicates, streams[3])
    other_text = gr.draw_background(language, SENTENCES, questions, streams[4])
    start = net.initial_parameters(streams[5])
    other_start = net.initial_parameters(streams[6])
    corpora = {
        "standard": (background, start),
        "perturbed": (perturbed_text, start),
        "independent": (other_text, other_start),
    }
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, TRAINING_BLOCKS * len(corpora))

    def fit(name: str) -> tuple[net.Parameters, NDArray[np.float64]]:
        text, values = corpora[name]
        return net.train(text, values, chosen.learning_rate, advance, TRAINING_BLOCKS)

    # One BLAS thread per model: two thread pools on the same cores triple the time.
    with threadpool_limits(1), ThreadPoolExecutor(2) as threads:
        models = dict(zip(corpora, threads.map(fit, corpora), strict=True))
        return _measure(chosen, questions, duplicates, models)


def _insert(
    background: NDArray[np.intp],
    items: NDArray[np.intp],
    duplicates: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    """Return the corpus in which exposures replace background sentences at random places."""
    exposures = np.repeat(np.arange(len(items)), duplicates)
    places = rng.choice(len(background), len(exposures), replace=False)
    corpus = background.copy()
    corpus[places] = items[exposures]
    return corpus


def _measure(
    settings: PocketSettings,
    questions: gr.Questions,
    duplicates: NDArray[np.int64],
    models: dict[str, tuple[net.Parameters, NDArray[np.float64]]],
) -> PocketPair:
    options = {
        name: net.option_log_probabilities(values, questions.sentences, questions.options, gr.VALUE_POSITION)
        for name, (values, _) in models.items()
    }
    right = {
        name: (table.argmax(axis=1) == questions.answer).astype(np.float64) for name, table in options.items()
    }
    share = np.exp(options["independent"] - options["independent"].max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    tables = {
        name: net.token_table(models[name][0], questions.sentences) for name in ("standard", "perturbed")
    }
    written = gr.texts(questions.sentences)
    without_answer = [text.rsplit(" ", 2)[0] for text in written]
    tokens = net.CONTEXT
    scores = {
        "whole": _attack_scores(tables, written, slice(0, tokens), settings.k),
        "question": _attack_scores(tables, without_answer, slice(0, _QUESTION_TOKENS), settings.k),
    }
    rng = np.random.default_rng((settings.seed, 1))
    return PocketPair(
        settings=settings,
        texts=tuple(written),
        duplicates=duplicates,
        y_standard=right["standard"],
        y_perturbed=right["perturbed"],
        confidence={"largest": share.max(axis=1), "right": share[np.arange(len(share)), questions.answer]},
        scores=scores,
        standard=tables["standard"].log_probability,
        perturbed=tables["perturbed"].log_probability,
        calibration=halves(duplicates, rng),
        training_loss={name: losses for name, (_, losses) in models.items()},
    )


def _attack_scores(
    tables: dict[str, net.TokenTable], written: list[str], kept: slice, k: float
) -> dict[str, NDArray[np.float64]]:
    target, reference = tables["perturbed"], tables["standard"].log_probability[:, kept]
    log_p, mean, deviation = (
        array[:, kept] for array in (target.log_probability, target.mean, target.deviation)
    )
    rows = range(len(log_p))
    return {
        sc.LOSS: np.array([sc.loss_score(log_p[row]) for row in rows]),
        sc.MIN_K: np.array([sc.min_k(log_p[row], k) for row in rows]),
        sc.MIN_K_PLUS: np.array([sc.min_k_plus(log_p[row], mean[row], deviation[row], k) for row in rows]),
        sc.ZLIB: np.array([sc.zlib_score(log_p[row], written[row]) for row in rows]),
        sc.REFERENCE: np.array([sc.reference_score(log_p[row], reference[row]) for row in rows]),
    }
