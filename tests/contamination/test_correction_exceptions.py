"""What corrections refuse, and in which words."""

import io

import numpy as np
import pytest

from core.contamination import regimes as reg
from core.contamination.correction import Calibration, CorrectionSettings, TestSet, correct
from core.contamination.correction_files import TEMPLATE, read_items
from core.contamination.pool_correction import PoolCase, calibration_sizes, draw_case
from core.contamination.pools import calibrated_pool
from core.errors import DataError, UsageError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TEMPLATE.replace("item,y", "name,y"), r"lacks the column\(s\) item"),
        (
            TEMPLATE.replace("test-2,0", "test-2,"),
            "'y' must be given for every item to correct; item 'test-2'",
        ),
        (TEMPLATE.replace("test-2,0", "test-2,3"), r"'y' must be within \[0, 1\]; item 'test-2'"),
        (TEMPLATE.replace("spiked-1,1,1", "spiked-1,1,2"), "'spiked' must be 0, 1 or blank; item 'spiked-1'"),
        (TEMPLATE.replace("-1.22", ""), "'min_k_plus' must be a finite number; item 'test-2'"),
        (TEMPLATE.replace("0.25", "1.25"), r"'correct_probability' must be within \[0, 1\]; item 'test-2'"),
        ("item,y,spiked\na,1,\n", "no numeric score column"),
        (TEMPLATE.replace(",,", ",0,"), "Every row has a 'spiked' value"),
    ],
)
def test_wrong_files_are_refused(text, words):
    with pytest.raises(DataError, match=words):
        read_items(io.StringIO(text))


def test_unknown_columns_are_refused_with_the_choices():
    with pytest.raises(UsageError, match="no column 'loss'. Possible scores: min_k_plus".replace(".", r"\.")):
        read_items(io.StringIO(TEMPLATE), score="loss")
    with pytest.raises(UsageError, match=r"no column 'sure'\. Found: item, y"):
        read_items(io.StringIO(TEMPLATE), correctness="sure")


@pytest.mark.parametrize("column", ["item", "y", "spiked", "correct_probability"])
def test_a_column_with_another_meaning_is_no_score(column):
    with pytest.raises(
        UsageError, match=rf"Column '{column}' has another meaning\. Possible scores: min_k_plus"
    ):
        read_items(io.StringIO(TEMPLATE), score=column)


@pytest.mark.parametrize("column", ["item", "y", "spiked"])
def test_a_column_with_another_meaning_is_no_correctness_signal(column):
    with pytest.raises(UsageError, match=f"Column '{column}' has another meaning; name a column"):
        read_items(io.StringIO(TEMPLATE), correctness=column)


def test_text_without_clean_items_is_refused():
    with pytest.raises(DataError, match="a text classifier needs clean calibration items"):
        read_items(io.StringIO("item,y,loss,question\na,1,0.5,why\n"), correctness="question")


TEST = TestSet(np.array([1.0, 0.0]), np.array([0.1, 0.2]))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: correct(TEST, Calibration(np.zeros(2), np.array([True, True]), np.zeros(2))),
            DataError,
            "found 2 spiked and 0 clean",
        ),
        (
            lambda: correct(TestSet(np.ones(2), np.ones(3)), None),
            DataError,
            "2 outcomes but 3 values of 'score'",
        ),
        (lambda: CorrectionSettings(resamples=1), UsageError, "between 10 and 100,000"),
        (lambda: CorrectionSettings(coverage=1.0), UsageError, "strictly between 0 and 1"),
        (lambda: CorrectionSettings(prior=0.0), UsageError, "prior share must lie strictly"),
        (
            lambda: draw_case(calibrated_pool("mmlu"), PoolCase(attack="LOSS2")),
            UsageError,
            "no score 'LOSS2'. It has: LOSS",
        ),
        (
            lambda: draw_case(calibrated_pool("mmlu"), PoolCase(spiked=5)),
            UsageError,
            "even number of items, from 4",
        ),
        (
            lambda: calibration_sizes(
                calibrated_pool("mmlu"), PoolCase(design=reg.Design(replicates=2)), (99_998,)
            ),
            UsageError,
            "found 99998",
        ),
    ],
)
def test_wrong_wishes_are_refused(call, error, words):
    with pytest.raises(error, match=words.replace("2'.", r"2'\.")):
        call()
