"""The pocket pair's language and network, piece by piece."""

import numpy as np
import pytest

from core.contamination.pocket import grammar as gr
from core.contamination.pocket import network as net
from core.contamination.pocket.pair import PocketSettings, train_pair
from core.contamination.scores import vocabulary_moments
from core.errors import UsageError
from tests.oracles import contamination_pocket as oracle


@pytest.fixture(scope="module")
def language():
    return gr.draw_grammar(np.random.default_rng(0))


@pytest.fixture(scope="module")
def questions(language):
    return gr.draw_questions(language, 300, np.random.default_rng(1))


def test_the_vocabulary_has_the_stated_size():
    assert gr.VOCABULARY == 454
    start = net.initial_parameters(np.random.default_rng(0))
    assert round(sum(array.size for array in start.values()), -3) == 71_000


def test_every_token_is_of_its_position_kind(language):
    sentences = gr.draw_sentences(language, 2000, np.random.default_rng(2))
    bounds = [(1, 17), (17, 177), (177, 337), (337, 361), (361, 371), (371, 373), (373, 453), (453, 454)]
    for column, (low, high) in enumerate(bounds):
        assert sentences[:, column].min() >= low
        assert sentences[:, column].max() < high
    assert abs((sentences[:, 5] == gr.QUESTION).mean() - 0.5) < 4 * 0.5 / np.sqrt(2000)


def test_values_belong_to_their_attribute(language, questions):
    sentences = gr.draw_sentences(language, 500, np.random.default_rng(3))
    for table in (sentences, questions.sentences):
        assert np.array_equal((table[:, 6] - gr.FIRST_VALUE) // gr.VALUES, table[:, 4] - 361)


def test_options_hold_the_answer_once_and_differ(questions):
    rows = np.arange(300)
    assert np.array_equal(
        questions.options[rows, questions.answer], questions.sentences[:, gr.VALUE_POSITION]
    )
    assert all(len(set(options)) == 4 for options in questions.options.tolist())
    assert len(np.unique(gr.question_keys(questions.sentences))) == 300
    counts = np.bincount(questions.answer, minlength=4)
    assert np.abs(counts / 300 - 0.25).max() < 4 * np.sqrt(0.25 * 0.75 / 300)


def test_the_rule_is_among_the_options_as_often_as_stated(language):
    """P(rule among four) = .7 + .3 * 3/7 for items whose answer is an exception; tolerance 4 standard errors."""
    items = gr.draw_questions(language, 4000, np.random.default_rng(4))
    rule = language.rule[items.sentences[:, 0] - 1, items.sentences[:, 4] - 361]
    token = gr.FIRST_VALUE + gr.VALUES * (items.sentences[:, 4] - 361) + rule
    exception = items.sentences[:, gr.VALUE_POSITION] != token
    share = (items.options[exception] == token[exception, None]).any(axis=1).mean()
    expected = 0.7 + 0.3 * 3 / 7
    assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / exception.sum())


def test_the_background_asks_no_items_question(language, questions):
    background = gr.draw_background(language, 5000, questions, np.random.default_rng(5))
    assert len(background) == 5000
    assert not np.isin(gr.question_keys(background), gr.question_keys(questions.sentences)).any()


def test_texts_are_distinct_words(questions):
    forms = gr.words()
    assert len(set(forms)) == gr.VOCABULARY
    text = gr.texts(questions.sentences[:1])[0]
    assert len(text.split()) == 8
    assert text.split()[5] == "?"


def test_windows_end_with_the_token_before():
    sentence = np.arange(1, 9)[None]
    table = net.windows(sentence)[0]
    assert table[0].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert table[6].tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_token_table_equals_the_slow_model(questions):
    values = net.initial_parameters(np.random.default_rng(6))
    sentences = questions.sentences[:3]
    table = net.token_table(values, sentences)
    for row, sentence in enumerate(sentences):
        rows = np.array([oracle.log_probabilities(values, sentence[:position]) for position in range(1, 8)])
        assert table.log_probability[row] == pytest.approx(rows[np.arange(7), sentence[1:]], abs=1e-5)
        mean, deviation = vocabulary_moments(rows)
        assert table.mean[row] == pytest.approx(mean, abs=1e-5)
        assert table.deviation[row] == pytest.approx(deviation, abs=1e-5)
    options = net.option_log_probabilities(values, sentences, questions.options[:3], gr.VALUE_POSITION)
    expected = oracle.log_probabilities(values, sentences[0][:6])[questions.options[0]]
    assert options[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("name", ["embedding", "hidden", "hidden_bias", "output", "output_bias"])
def test_gradient_equals_differences_of_the_slow_loss(questions, name):
    values = net.initial_parameters(np.random.default_rng(7))
    batch = questions.sentences[:4]
    loss, gradient = net._gradient(values, batch)
    assert loss == pytest.approx(oracle.loss(values, batch), abs=1e-5)
    rng = np.random.default_rng(8)
    touched = np.argwhere(np.abs(gradient[name]) > 1e-4)
    for position in touched[rng.integers(0, len(touched), 5)]:
        slot = tuple(position)
        double = {key: array.astype(float) for key, array in values.items()}
        double[name][slot] += 1e-5
        above = oracle.loss(double, batch)
        double[name][slot] -= 2e-5
        below = oracle.loss(double, batch)
        assert gradient[name][slot] == pytest.approx((above - below) / 2e-5, rel=2e-2, abs=1e-6)


def test_training_lowers_the_loss_and_leaves_the_start_alone(language, questions):
    text = gr.draw_background(language, 5000, questions, np.random.default_rng(9))
    start = net.initial_parameters(np.random.default_rng(10))
    copy = start["embedding"].copy()
    calls = []
    values, losses = net.train(text, start, 0.008, lambda: calls.append(1), 5)
    assert losses[-1] < losses[0] - 1
    assert len(calls) == len(losses) == 5
    assert np.array_equal(start["embedding"], copy)
    again, _ = net.train(text, start, 0.008)
    assert np.array_equal(values["output"], again["output"])


def test_items_keep_hubbles_proportions():
    assert PocketSettings().items_of_level == {0: 1000, 1: 357, 4: 357, 16: 178, 64: 72, 256: 36}
    assert sum(PocketSettings(levels=(2, 8)).items_of_level.values()) == 2000


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"learning_rate": 0.0}, r"learning rate must lie within \[0\.0005, 0\.05\]"),
        ({"levels": (4, 1)}, "ascending whole numbers"),
        ({"levels": ()}, "ascending whole numbers"),
        ({"levels": (1, 2, 3, 4, 5, 6)}, "At most 5 duplication levels"),
        ({"levels": (256,)}, "at most half may be test items"),
        ({"k": 0.0}, r"share k of Min-K% must lie within \(0, 1\]"),
    ],
)
def test_impossible_settings_are_refused(changes, words):
    with pytest.raises(UsageError, match=words):
        train_pair(PocketSettings(**changes))
