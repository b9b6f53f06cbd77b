"""Every fault of an items file, with its message, rows and repair."""

from __future__ import annotations

import pickle

import pytest

from core.benchmark.faults import BenchmarkFileError
from core.benchmark.reading import check_benchmark, read_benchmark
from core.errors import DataError, UsageError
from core.shown import shown
from tests.benchmark.item_samples import csv_bytes


def faults_of(content: bytes, **options):
    report, benchmark = check_benchmark(content, label="items.csv", **options)
    assert benchmark is None
    assert report.summary is None
    return {fault.code: fault for fault in report.faults}


def only_fault(content: bytes, **options):
    faults = faults_of(content, **options)
    assert len(faults) == 1, faults
    return next(iter(faults.values()))


def test_missing_column_names_the_near_miss():
    fault = only_fault(csv_bytes("a,q,1", header="Model, item,score"))
    assert fault.code == "missing_columns"
    assert fault.message == "Missing columns 'model', 'item'; found 'Model', ' item', 'score'."
    assert "Rename column 'Model' to 'model'." in fault.repair
    assert "Rename column ' item' (mind the blanks around it) to 'item'." in fault.repair


def test_missing_column_with_a_slip():
    assert (
        "Rename column 'scores' to 'score'"
        in only_fault(csv_bytes("a,q,1", header="model,item,scores")).repair
    )


def test_column_named_twice():
    fault = only_fault(csv_bytes("a,q,1,1", header="model,item,score,score"))
    assert fault.code == "duplicate_columns"
    assert fault.message == "Column 'score' stands in the header more than once."


@pytest.mark.parametrize(("mark", "word"), [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")])
def test_other_separators(mark, word):
    fault = only_fault(csv_bytes(mark.join("aq1"), header=mark.join(["model", "item", "score"])))
    assert fault.message == f"The columns are separated by {word}, expected commas."


def test_duplicate_pairs():
    fault = faults_of(csv_bytes("a,q,1", "b,q,0", "a,q,0", "a,q,1"))["duplicates"]
    assert fault.count == 2
    assert fault.rows == (4, 5)
    assert fault.message == (
        "2 rows with a duplicate (model, item) pair: row 4 repeats row 2 ('a', 'q'), row 5 repeats row 2 ('a', 'q')."
    )


INCOMPLETE = csv_bytes("a,q1,1", "a,q2,0", "a,q3,0", "b,q1,1", "b,q2,1", "b,q3,1", "c,q1,0", "c,q3,1")


def test_incomplete_matrix_offers_the_repairs():
    fault = only_fault(INCOMPLETE)
    assert fault.code == "incomplete"
    assert fault.message == "1 model of 3 without all 3 items: 'c' lacks 1."
    assert "2 models would stay: incomplete = drop_models" in fault.repair
    assert "2 items would stay: incomplete = drop_items" in fault.repair


def test_drop_models():
    report, benchmark = check_benchmark(INCOMPLETE, incomplete="drop_models")
    assert benchmark.models == ("a", "b")
    assert benchmark.items == ("q1", "q2", "q3")
    assert "Dropped 1 model to complete the matrix: 'c'." in report.notes


def test_drop_items():
    report, benchmark = check_benchmark(INCOMPLETE, incomplete="drop_items")
    assert benchmark.models == ("a", "b", "c")
    assert benchmark.items == ("q1", "q3")
    assert benchmark.scores.tolist() == [[1, 0], [1, 1], [0, 1]]
    assert "Dropped 1 item to complete the matrix: 'q2'." in report.notes


@pytest.mark.parametrize(
    ("repair", "sentence"),
    [
        ("drop_models", "Nothing is left: every model lacks items."),
        ("drop_items", "Nothing is left: no item was run by every model."),
    ],
)
def test_repair_that_leaves_nothing(repair, sentence):
    assert only_fault(csv_bytes("a,q1,1", "b,q2,1"), incomplete=repair).message == sentence


def test_repair_that_leaves_one_model():
    fault = only_fault(csv_bytes("a,q1,1", "a,q2,1", "b,q2,1"), incomplete="drop_models")
    assert fault.code == "few_models"


def test_faults_of_dropped_rows_do_not_count():
    content = csv_bytes("a,q1,1", "a,q2,0", "b,q1,1", "b,q2,1", "c,q1,ouch")
    assert read_benchmark(content, incomplete="drop_models").models == ("a", "b")


def test_unknown_repair():
    with pytest.raises(
        UsageError, match="Unknown value 'drop' of incomplete; valid: stop, drop_models, drop_items"
    ):
        read_benchmark(INCOMPLETE, incomplete="drop")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("x", "score_not_number", "1 score is not a number: 'x' in row 3."),
        ('"0,5"', "score_not_number", "1 score is not a number: '0,5' in row 3."),
        ("1_0", "score_not_number", "1 score is not a number: '1_0' in row 3."),
        ("0x1", "score_not_number", "1 score is not a number: '0x1' in row 3."),
        ("\N{ARABIC-INDIC DIGIT ONE}", "score_not_number", "1 score is not a number: '\N{ARABIC-INDIC DIGIT ONE}' in row 3."),
        ("nan", "score_not_finite", "1 score is NaN or infinite: 'nan' in row 3."),
        ("-inf", "score_not_finite", "1 score is NaN or infinite: '-inf' in row 3."),
        ("1e999", "score_not_finite", "1 score is NaN or infinite: '1e999' in row 3."),
        ("", "score_missing", "1 score missing (row 3)."),
        ("1.5", "score_range", "1 score outside [0, 1]: 1.5 in row 3."),
        ("-0.25", "score_range", "1 score outside [0, 1]: -0.25 in row 3."),
    ],
)  # fmt: skip
def test_bad_scores(text, code, message):
    fault = only_fault(csv_bytes("a,q1,1", f"b,q1,{text}", "a,q2,1", "b,q2,1"))
    assert fault.code == code
    assert fault.message == message
    assert fault.rows == (3,)


def test_percentages_are_named_and_not_rescaled():
    fault = only_fault(csv_bytes("a,q,50", "b,q,100", "c,q,0"))
    assert fault.code == "score_percent"
    assert fault.message == (
        "The scores run from 0 to 100, which looks like a percentage scale; expected 0 to 1 "
        "(2 scores outside [0, 1], rows 2, 3)."
    )
    assert fault.repair == "Divide the scores by 100; nothing is rescaled here."


def test_one_stray_score_is_no_percentage_scale():
    assert only_fault(csv_bytes("a,q,0.5", "b,q,0.25", "c,q,50")).code == "score_range"


def test_scores_that_are_no_counts():
    fault = only_fault(csv_bytes("a,q,0.5", "b,q,0.333"), settings={"repeats": 3})
    assert fault.code == "score_repeats"
    assert fault.message == (
        "1 score whose score x repeats is further than 0.01 from an integer: 0.5 x 3 = 1.5 in row 2."
    )


@pytest.mark.parametrize("score", ["0.33", "0.333", "0.3333333333333333", "0.334"])
def test_counts_are_restored_exactly(score):
    benchmark = read_benchmark(csv_bytes(f"a,q,{score}", "b,q,0.67"), {"repeats": 3})
    assert benchmark.scores.tolist() == [[1 / 3], [2 / 3]]
    assert benchmark.counts.tolist() == [[1], [2]]


LABELS = "model,item,score,task,category,prompt_hash"


@pytest.mark.parametrize(
    ("rows", "code", "message"),
    [
        (["a,q,1,t,c,h", "b,q,1,u,c,h"], "item_tasks", "1 item in two tasks: 'q' ('t' in row 2, 'u' in row 3)."),
        (["a,q,1,t,c,h", "b,q,1,t,d,h"], "item_categories", "1 item in two categories: 'q' ('c' in row 2, 'd' in row 3)."),
        (["a,q,1,t,c,h", "b,q,1,t,c,i"], "item_prompts", "1 item in two prompt hashes: 'q' ('h' in row 2, 'i' in row 3)."),
        (["a,q,1,t,c,h", "b,q,1,t,c,h", "a,r,1,t,d,i", "b,r,1,t,d,i"], "task_categories",
         "1 task in two categories: 't' ('c' in row 2, 'd' in row 4)."),
        (["a,q,1,t,c,h", "b,q,1,t,c,h", "a,r,1,u,c,h", "b,r,1,u,c,h"], "prompt_tasks",
         "1 prompt hash in two tasks: 'h' ('t' in row 2, 'u' in row 4)."),
    ],
)  # fmt: skip
def test_labels_in_two_places(rows, code, message):
    assert faults_of(csv_bytes(*rows, header=LABELS))[code].message == message


def test_prompt_texts_are_named_and_their_hashes_shown():
    content = csv_bytes("a,q,1,one", "b,q,1,two", header="model,item,score,prompt")
    fault = only_fault(content)
    assert fault.message.startswith("1 item in two prompts: 'q' ('")
    assert "one" not in fault.message.removeprefix("1 item")


def test_one_prompt_in_two_categories_where_there_is_no_task():
    content = csv_bytes(
        "a,q,1,c,h", "b,q,1,c,h", "a,r,1,d,h", "b,r,1,d,h", header="model,item,score,category,prompt_hash"
    )
    assert only_fault(content).code == "prompt_tasks"


@pytest.mark.parametrize("column", ["model", "item", "task", "category", "prompt_hash", "prompt"])
@pytest.mark.parametrize("blank", ["", "   ", "\N{NO-BREAK SPACE}"])
def test_empty_names(column, blank):
    names = ["model", "item", "task", "category"] + ([column] if column.startswith("prompt") else [])
    values = {"model": "a", "item": "q1", "task": "t", "category": "c", "prompt": "p", "prompt_hash": "p"}
    rows = [",".join([values[name] for name in names] + ["1"])]
    rows.append(",".join([{**values, "model": "b", column: blank}[name] for name in names] + ["1"]))
    fault = faults_of(csv_bytes(*rows, header=",".join([*names, "score"])))["empty_names"]
    assert fault.rows == (3,)
    assert fault.message == f"1 row without {'an' if column == 'item' else 'a'} {column} (row 3)."


def test_one_model():
    fault = only_fault(csv_bytes("a,q1,1", "a,q2,1"))
    assert fault.message == "Expected at least two models, found 1."


def test_header_only():
    for content in (b"model,item,score", b"model,item,score\n", b"model,item,score\r\n\r\n"):
        assert only_fault(content).message == "The file has a header and no rows."


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", b"   "])
def test_empty_file(content):
    assert only_fault(content).code == "empty_file"


def test_ragged_rows_are_named():
    fault = only_fault(csv_bytes("a,q,1", "b,q", "b,q,1,2", "b,q,1"))
    assert fault.code == "ragged_rows"
    assert fault.message == (
        "2 rows with another number of fields than the header's 3: row 3 has 2, row 4 has 4."
    )
    assert fault.rows == (3, 4)


def test_open_quote_is_hinted_at():
    fault = only_fault(csv_bytes("a,q,1", 'b,"q,1', "c,q,1"))
    assert fault.code == "ragged_rows"
    assert "A quotation mark is opened and not closed" in fault.repair


def test_row_numbers_count_blank_and_ragged_rows():
    faults = faults_of(csv_bytes("a,q,1", "", "b,q", '"a\nb",q,0', "b,q,7", "c,q,1"))
    assert faults["ragged_rows"].rows == (4,)
    assert faults["score_range"].rows == (6,)


def test_gap_left_by_a_bad_row_is_not_reported_twice():
    assert only_fault(csv_bytes("a,q1,1", "a,q2,1", "b,q1,1", "b,q2")).code == "ragged_rows"


def test_all_faults_in_one_message():
    content = csv_bytes("a,q,0", "a,q,1", "b,q,5", "b,r,nan", ",r,x", "c,q", "b,s,0.5", "a,z,1", "a,t,")
    with pytest.raises(BenchmarkFileError) as caught:
        read_benchmark(content, label="items.csv")
    message = str(caught.value)
    assert message.startswith("items.csv has 8 faults:\n- ")
    assert message.endswith("\nRows are counted as in a spreadsheet: the header is row 1.")
    assert [fault.code for fault in caught.value.faults] == [
        "ragged_rows", "empty_names", "score_missing", "score_not_number", "score_not_finite", "score_range",
        "duplicates", "incomplete",
    ]  # fmt: skip
    assert isinstance(caught.value, DataError)


def test_long_lists_are_cut():
    rows = [f"m{index},q,2.5" for index in range(20)] + ["ok,q,0.5"] * 1
    fault = only_fault(csv_bytes(*[row.replace("2.5", "-1") for row in rows]))
    assert fault.count == 20
    assert fault.rows == (2, 3, 4, 5, 6)
    assert fault.message.endswith("-1 in row 6 and 15 more.")


def test_error_survives_pickling():
    with pytest.raises(BenchmarkFileError) as caught:
        read_benchmark(csv_bytes("a,q,5"), label="items.csv")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.faults == caught.value.faults


def test_odd_names_cannot_break_a_message():
    long, turned, null = "x" * 10_000, "\u202eright-to-left", "nul\x00byte"
    rows = [f"{name},q,5" for name in (long, turned, null, "[red]bold[/red]", "line\tbreak")]
    content = csv_bytes(*rows) + b"only-one,r,1\n"
    with pytest.raises(BenchmarkFileError) as caught:
        read_benchmark(content, label="items.csv")
    message = str(caught.value)
    assert len(message) < 2_000
    assert "\u202e" not in message
    assert "\x00" not in message
    assert "\\x00" in message


def test_long_names_keep_both_ends():
    assert shown("abc" + "x" * 10_000 + "xyz").startswith("abcx")
    assert shown("abc" + "x" * 10_000 + "xyz").endswith("xyz")


def test_misspelt_optional_column_is_remarked():
    report, benchmark = check_benchmark(
        csv_bytes("a,q,1,t,9", "b,q,0,t,9", header="model,item,score, Task,extra")
    )
    assert len(benchmark.tasks) == 1
    assert "Column ' Task' is not used; if 'task' is meant, rename it to that." in report.notes
    assert "Columns that are not used: ' Task', 'extra'." in report.notes


@pytest.mark.parametrize(
    ("name", "what"),
    [("mine.parquet", "a Parquet file"), ("mine.FEATHER", "a Feather file"), ("mine.arrow", "an Arrow file")],
)
@pytest.mark.parametrize("content", [b"\x8c\xdb\x00junk" * 40, b"just some words\n"])
def test_a_name_that_promises_another_kind_of_file(name, what, content):
    report, _ = check_benchmark(content, label=name)
    (fault,) = report.faults
    assert fault.message == f"The file is not {what}: it does not begin like one."
    assert "name it .csv" in fault.repair


def test_text_under_another_name_is_read_all_the_same():
    report, benchmark = check_benchmark(csv_bytes("a,i,1", "b,i,0"), label="mine.parquet")
    assert not report.faults
    assert benchmark.models == ("a", "b")


@pytest.mark.parametrize(
    ("columns", "rows", "code"),
    [
        ("task,category", ["a,i,1,t,c", "b,i,0,t,d", "a,j,1,t,c", "b,j,1,t,c"], "item_categories"),
        ("task,category", ["a,i,1,t,c", "b,i,0,u,c", "a,j,1,t,c", "b,j,1,t,c"], "item_tasks"),
        ("task,prompt_hash", ["a,i,1,t,h", "b,i,0,u,h", "a,j,1,t,g", "b,j,1,t,g"], "item_tasks"),
        ("task,category", ["a,i,1,t,c", "b,i,0,t,c", "a,j,1,t,d", "b,j,1,t,d"], "task_categories"),
    ],
)
def test_one_wrong_label_is_one_fault(columns, rows, code):
    content = "\n".join([f"model,item,score,{columns}", *rows]).encode()
    assert [fault.code for fault in check_benchmark(content)[0].faults] == [code]


def test_a_second_wrong_label_is_told_too():
    rows = ["a,i,1,t,c", "b,i,0,t,d", "a,j,1,t,c", "b,j,1,t,c", "a,k,1,t,e", "b,k,1,t,e"]
    content = "\n".join(["model,item,score,task,category", *rows]).encode()
    found = check_benchmark(content)[0].faults
    assert [fault.code for fault in found] == ["item_categories", "task_categories"]
    assert "'t' ('c' in row 4, 'e' in row 6)" in found[1].message
