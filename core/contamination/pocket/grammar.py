"""The pocket pair's language: sentences of eight tokens with rules, exceptions, and multiple-choice questions.

A sentence is ``class name1 name2 place attribute marker value .``. The place depends on the class; the value follows a
rule of (class, attribute) with exceptions, so that a model can be right without having seen the item, but not always.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLASSES: Final = 16
NAMES: Final = 160
PLACES: Final = 24
ATTRIBUTES: Final = 10
VALUES: Final = 8
LENGTH: Final = 8
OPTIONS: Final = 4
ZIPF: Final = 0.4
PURITY: Final = (0.1, 0.8)
RULE_AMONG_OPTIONS: Final = 0.7

PAD: Final = 0
_FIRST_CLASS: Final = 1
_FIRST_NAME_1: Final = _FIRST_CLASS + CLASSES
_FIRST_NAME_2: Final = _FIRST_NAME_1 + NAMES
_FIRST_PLACE: Final = _FIRST_NAME_2 + NAMES
_FIRST_ATTRIBUTE: Final = _FIRST_PLACE + PLACES
QUESTION: Final = _FIRST_ATTRIBUTE + ATTRIBUTES
STATEMENT: Final = QUESTION + 1
FIRST_VALUE: Final = STATEMENT + 1
STOP: Final = FIRST_VALUE + ATTRIBUTES * VALUES
VOCABULARY: Final = STOP + 1
VALUE_POSITION: Final = 6


@dataclass(frozen=True, eq=False)
class Grammar:
    """The drawn rules.

    Parameters
    ----------
    place
        Shape (classes, places): distribution of the place given the class.
    rule
        Shape (classes, attributes): the value that the rule names, 0 to 7.
    value
        Shape (classes, attributes, values): distribution of the value, rule and exceptions together.
    """

    place: NDArray[np.float64]
    rule: NDArray[np.intp]
    value: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Questions:
    """Multiple-choice items of the language.

    Parameters
    ----------
    sentences
        Shape (items, 8): the items as sentences with the question marker and the right value.
    options
        Shape (items, 4): tokens of the options, in the order in which they are asked.
    answer
        Shape (items,): index of the right option.
    """

    sentences: NDArray[np.intp]
    options: NDArray[np.intp]
    answer: NDArray[np.intp]


def draw_grammar(rng: np.random.Generator) -> Grammar:
    """Draw the rules: places Dirichlet(1) per class, purity U(.1, .8), exceptions Dirichlet(1)."""
    place = rng.dirichlet(np.ones(PLACES), CLASSES)
    rule = rng.integers(0, VALUES, (CLASSES, ATTRIBUTES))
    purity = rng.uniform(*PURITY, (CLASSES, ATTRIBUTES, 1))
    exceptions = rng.dirichlet(np.ones(VALUES), (CLASSES, ATTRIBUTES))
    value = (1 - purity) * exceptions + purity * (np.arange(VALUES) == rule[..., None])
    return Grammar(place, rule, value)


def draw_sentences(grammar: Grammar, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Draw sentences, shape (count, 8); half carry the question marker."""
    classes = _zipf(CLASSES, count, rng)
    attributes = rng.integers(0, ATTRIBUTES, count)
    values = _draw_rows(grammar.value[classes, attributes], rng)
    return np.stack(
        [
            _FIRST_CLASS + classes,
            _FIRST_NAME_1 + _zipf(NAMES, count, rng),
            _FIRST_NAME_2 + _zipf(NAMES, count, rng),
            _FIRST_PLACE + _draw_rows(grammar.place[classes], rng),
            _FIRST_ATTRIBUTE + attributes,
            np.where(rng.random(count) < 0.5, QUESTION, STATEMENT),
            FIRST_VALUE + VALUES * attributes + values,
            np.full(count, STOP),
        ],
        axis=1,
    )


def draw_questions(grammar: Grammar, count: int, rng: np.random.Generator) -> Questions:
    """Draw items whose questions differ; the rule's value is put among the options with probability .7."""
    drawn = draw_sentences(grammar, 2 * count, rng)
    _, first = np.unique(question_keys(drawn), return_index=True)
    sentences = drawn[np.sort(first)[:count]]
    sentences[:, 5] = QUESTION
    truth = (sentences[:, VALUE_POSITION] - FIRST_VALUE) % VALUES
    rule = grammar.rule[sentences[:, 0] - _FIRST_CLASS, sentences[:, 4] - _FIRST_ATTRIBUTE]
    priority = rng.random((count, VALUES))
    rows = np.arange(count)
    forced = rng.random(count) < RULE_AMONG_OPTIONS
    priority[rows[forced], rule[forced]] = -1
    priority[rows, truth] = -2
    chosen = np.argsort(priority, axis=1)[:, :OPTIONS]
    chosen = rng.permuted(chosen, axis=1)
    base = FIRST_VALUE + VALUES * (sentences[:, 4] - _FIRST_ATTRIBUTE)
    return Questions(sentences, base[:, None] + chosen, np.argmax(chosen == truth[:, None], axis=1))


def draw_background(
    grammar: Grammar, count: int, questions: Questions, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Draw sentences that ask no item's question, shape (count, 8)."""
    forbidden = question_keys(questions.sentences)
    parts: list[NDArray[np.intp]] = []
    missing = count
    while missing > 0:
        drawn = draw_sentences(grammar, missing + 64, rng)
        kept = drawn[~np.isin(question_keys(drawn), forbidden)][:missing]
        parts.append(kept)
        missing -= len(kept)
    return np.concatenate(parts)


def question_keys(sentences: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return one number per sentence for class, names, place and attribute together, whatever the marker."""
    keys = np.zeros(len(sentences), dtype=np.int64)
    for column in range(5):
        keys = keys * VOCABULARY + sentences[:, column]
    return keys


def words() -> tuple[str, ...]:
    """Return a written form for every token; the empty text for padding.

    Examples
    --------
    >>> len(words()), len(set(words()))
    (454, 454)
    """
    syllables = [a + b for a, b in itertools.product("bdfgklmnprstvz", "aeiou")]
    pairs = ["".join(pair) for pair in itertools.product(syllables, repeat=2)]
    # A stride that shares no factor with the number of pairs walks through them without a repeat.
    invented = [pairs[(index * 1009 + 17) % len(pairs)] for index in range(VOCABULARY)]
    for token, sign in ((PAD, ""), (QUESTION, "?"), (STATEMENT, ":"), (STOP, ".")):
        invented[token] = sign
    return tuple(
        word.capitalize() if _FIRST_NAME_1 <= token < _FIRST_ATTRIBUTE else word
        for token, word in enumerate(invented)
    )


def texts(sentences: NDArray[np.intp]) -> list[str]:
    """Return the written form of sentences."""
    forms = words()
    return [" ".join(forms[token] for token in sentence) for sentence in sentences.tolist()]


def _zipf(size: int, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    weights = np.arange(1, size + 1) ** -ZIPF
    return rng.choice(size, count, p=weights / weights.sum())


def _draw_rows(probabilities: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.intp]:
    """Draw one category per row."""
    edges = probabilities.cumsum(axis=1)
    drawn = (rng.random(len(edges))[:, None] * edges[:, -1:] >= edges).sum(axis=1)
    return np.asarray(np.minimum(drawn, probabilities.shape[1] - 1), dtype=np.intp)
