"""What pools refuse, and in which words."""

import io

import pytest

from core.contamination.pool_files import read_pool
from core.contamination.pools import calibrated_pool
from core.errors import DataError, UsageError

GOOD = "item,y_clean,y_observed,duplicates,confidence,loss\n" + "".join(
    f"i{index},{index % 2},{index % 2},{level},0.5,{index / 10}\n"
    for index, level in enumerate([0, 0, 0, 0, 1, 1, 4, 4])
)


def read(text):
    return read_pool(io.StringIO(text), "mine")


def test_the_good_file_is_read():
    assert read(GOOD).levels == (0, 1, 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD.replace("confidence", "sureness"), r"lacks the column\(s\) confidence; found: item, y_clean"),
        (GOOD.splitlines()[0] + "\n", "no rows"),
        (GOOD.replace("i3,", "i2,"), "Item 'i2' occurs more than once"),
        (GOOD.replace("i3,", ","), "Row 4 has no item id"),
        (GOOD.replace("i1,1,1", "i1,2,1"), "'y_clean' must be 0 or 1; item 'i1'"),
        (GOOD.replace("i1,1,1", "i1,1,x"), "'y_observed' must be a finite number; item 'i1' has 'x'"),
        (GOOD.replace("i4,0,0,1", "i4,0,0,1.5"), "'duplicates' must be a whole number from 0; item 'i4'"),
        (GOOD.replace("0.5,0.2", "1.5,0.2"), r"'confidence' must be within \[0, 1\]; item 'i2'"),
        (GOOD.replace("0.5,0.3", "0.5,"), "'loss' must be a finite number; item 'i3'"),
        ("\n".join(GOOD.splitlines()[:5]), "needs clean and contaminated items"),
        ("", "cannot be read"),
    ],
)
def test_wrong_files_are_refused(text, words):
    with pytest.raises(DataError, match=words):
        read(text)


def test_wrong_halves_are_refused():
    lines = GOOD.splitlines()
    text = "\n".join([lines[0] + ",half", *(line + ",first" for line in lines[1:])])
    with pytest.raises(DataError, match="'half' must be calibration or simulation; item 'i0'"):
        read(text)


def test_an_impossible_chance_rate_is_refused():
    with pytest.raises(UsageError, match=r"chance rate must lie within \[0, 1\)"):
        read_pool(io.StringIO(GOOD), "mine", chance=1.0)


def test_an_unknown_preset_is_refused_with_the_list():
    with pytest.raises(UsageError, match=r"Unknown benchmark 'arc'\. Valid: mmlu, hellaswag"):
        calibrated_pool("arc")


def test_an_impossible_loading_is_refused():
    with pytest.raises(UsageError, match=r"loading must lie within \[0, 1\]"):
        calibrated_pool("mmlu", loading=1.2)
