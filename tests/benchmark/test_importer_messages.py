"""What the importers say of a source that cannot be read."""

from __future__ import annotations

import json

import pytest

from core import __main__ as command_line
from core.benchmark.importers.finding import convert
from core.errors import DataError, UsageError
from tests.benchmark.import_samples import (
    OPENLLM_CONFIG,
    sample,
    write_artifact,
    write_openllm,
    write_samples,
    write_submission,
)


def refused(source, kind="auto"):
    with pytest.raises(DataError) as caught:
        convert(source, kind)
    return str(caught.value)


def test_no_source(tmp_path):
    assert "No file or folder" in refused(tmp_path / "nothing")
    assert "No file or folder" in refused(tmp_path / "nothing", "swebench")
    assert "No file or folder" in refused("nul\0l")


def test_a_folder_of_no_known_layout(tmp_path):
    assert "is laid out like none of these" in refused(tmp_path)


@pytest.mark.parametrize("kind", ["artifact", "swebench", "lm-eval", "table"])
def test_a_source_of_another_kind(tmp_path, kind):
    assert f"is no source of the kind {kind}: expected" in refused(tmp_path, kind)


def test_an_unknown_kind(tmp_path, capsys):
    with pytest.raises(UsageError, match="choose auto, artifact, swebench, lm-eval, table"):
        convert(tmp_path, "zip")
    assert command_line.main(["convert", str(tmp_path), "--kind", "zip", "--out", str(tmp_path / "o")]) == 2
    assert "Unknown kind 'zip'" in capsys.readouterr().err


def test_artifact_without_questions(tmp_path):
    write_artifact(tmp_path, "helm_lite", (("a", "a"),))
    (tmp_path / "data" / "helm_lite_questions.parquet").unlink()
    assert "data/helm_lite_scores.parquet has no data/helm_lite_questions.parquet beside it" in refused(
        tmp_path
    )


def test_artifact_with_a_damaged_table(tmp_path):
    write_artifact(tmp_path, "helm_lite", (("a", "a"),))
    (tmp_path / "data" / "helm_lite_scores.parquet").write_bytes(b"PAR1 no")
    assert "data/helm_lite_scores.parquet cannot be read as Parquet" in refused(tmp_path)


def test_artifact_that_lacks_a_column(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    write_artifact(tmp_path, "helm_lite", (("a", "a"),))
    parquet.write_table(pa.table({"model": ["a"]}), tmp_path / "data" / "helm_lite_scores.parquet")
    assert "lacks the columns question_id, score; it has model" in refused(tmp_path)


def test_artifact_with_a_model_too_few(tmp_path):
    write_artifact(tmp_path, "helm_lite", (("a", "a"),), config={"models": ["alpha", "delta"]})
    assert "lacks 1 model of the configuration: 'delta'" in refused(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"), [("[1]", "must hold one object"), ("{", "not valid JSON (line 1)")]
)
def test_artifact_with_a_bad_configuration(tmp_path, text, message):
    write_artifact(tmp_path, "helm_lite", (("a", "a"),))
    (tmp_path / "configs" / "helm_lite.json").write_text(text)
    assert message in refused(tmp_path)


def test_artifact_with_unknown_questions(tmp_path):
    questions, _ = write_artifact(tmp_path, "helm_lite", (("a", "a"),))
    write_artifact(tmp_path / "other", "helm_lite", (("b", "b"),))
    (tmp_path / "other" / "data" / "helm_lite_questions.parquet").replace(
        tmp_path / "data" / "helm_lite_questions.parquet"
    )
    assert f"6 question_ids that the questions lack: '{questions['question_id'][0]}'" in refused(tmp_path)


def test_open_llm_without_chance_rates(tmp_path):
    write_openllm(tmp_path, config={"benchmark": "openllm_v2", "chance_rates": {"bbh_snarks": 0.5}})
    assert "none is given for 'bbh_navigate', 'musr_murder'" in refused(tmp_path)


def test_open_llm_without_instruction_counts(tmp_path):
    write_openllm(tmp_path, counts=False)
    assert "needs the number of instructions of every prompt" in refused(tmp_path)


def test_open_llm_counts_may_stand_in_the_configuration(tmp_path):
    counts = {f"ifeval-{place}": 1 + place % 3 for place in range(6)}
    write_openllm(tmp_path, counts=True)
    with_column = convert(tmp_path)[0].benchmark.digest
    other = tmp_path / "other"
    write_openllm(
        other, counts=False, config={**OPENLLM_CONFIG, "instruction_counts": counts}, instruction_score=False
    )
    (tmp_path / "data" / "openllm_v2_scores.parquet").replace(other / "data" / "openllm_v2_scores.parquet")
    assert convert(other)[0].benchmark.digest == with_column


def test_open_llm_without_instruction_scores(tmp_path):
    write_openllm(tmp_path, instruction_score=False)
    assert "lacks the column instruction_score" in refused(tmp_path)


def test_open_llm_with_a_seventh_score(tmp_path):
    write_artifact(tmp_path, "openllm_v2", (("Poems", "p"), ("GPQA", "g")), config=OPENLLM_CONFIG)
    assert "found also 'Poems'" in refused(tmp_path)


def test_too_few_submissions(tmp_path):
    write_submission(tmp_path, "one", ["a__b-1"])
    write_submission(tmp_path, "two", [], results="[]")
    assert "found 1 of 2" in refused(tmp_path)
    assert "two (results.json has no list 'resolved')" in refused(tmp_path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 3: not valid JSON"),
        ("[1]", "line 3: expected an object, found list"),
        ("[" * 100_000, "line 3: nested too deeply"),
        ('{"acc": 1}', "line 3: the sample has no doc_id"),
        (json.dumps(sample(0, 1)), "line 3: doc_id '0' appears twice"),
    ],
)
def test_a_damaged_log(tmp_path, line, message):
    path = write_samples(tmp_path, "one", "boolq", [sample(0, 1), sample(1, 0)])
    path.write_text(path.read_text() + line + "\n")
    assert message in refused(tmp_path)


def test_logs_without_a_metric(tmp_path):
    write_samples(tmp_path, "one", "wikitext", [sample(0, 3.0, "word_perplexity")])
    assert "No task has a metric that all of its samples have" in refused(tmp_path)


def test_a_model_that_lacks_samples(tmp_path):
    write_samples(tmp_path, "one", "boolq", [sample(0, 1), sample(1, 0)])
    write_samples(tmp_path, "two", "boolq", [sample(0, 1)])
    assert "'two' lacks 1" in refused(tmp_path)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("model,q1,q2\na,1,maybe\nb,2,0\n", ["2 cells without a score from 0 to 1", "row 2, 'q2': 'maybe'; row 3, 'q1': '2'"]),
        ("model,q1,q2\na,1\nb,1,0\n", ["1 row with another number of fields", "rows 2"]),
        ("model,q1,q1\na,1,0\nb,1,0\n", ["1 column name more than once: 'q1'"]),
        ("model,q1,\na,1,0\na,1,0\n", ["1 column without a name", "1 row name more than once: 'a'"]),
        ("model\na\n", ["at least one row of scores"]),
        ("\n\n", ["Row 1 is blank"]),
        ("model,q1\n", ["found 0 rows of 2 columns"]),
    ],
)  # fmt: skip
def test_faults_of_a_wide_table(tmp_path, text, messages):
    path = tmp_path / "t.csv"
    path.write_text(text)
    said = refused(path)
    for message in messages:
        assert message in said
