"""The commands phase, detect, correct and pocket: what they print, write and refuse."""

import json

import numpy as np
import pandas as pd
import pytest

from core.__main__ import main
from core.contamination.correction_files import TEMPLATE
from core.contamination.pocket import pair as pair_module
from core.contamination.pools import calibrated_pool

SMALL_PHASE = ["phase", "--grid", "3", "--replicates", "40", "--n", "60"]


@pytest.fixture
def items(tmp_path):
    path = tmp_path / "items.csv"
    path.write_text(TEMPLATE)
    return path


@pytest.fixture
def logprobs(tmp_path):
    path = tmp_path / "logprobs.jsonl"
    lines = [
        {"id": name, "text": "a text", "token_logprobs": [-1.0, value]}
        for name, value in (("a", -2.0), ("b", -0.5))
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


@pytest.mark.parametrize("command", [("phase",), ("correct", "items.csv"), ("pocket",)])
def test_a_negative_seed_is_wrong_usage(command, capsys):
    assert main([*command, "--seed", "-1"]) == 2
    assert "A seed is a whole number from 0" in capsys.readouterr().err


def test_phase_writes_the_agreed_columns(tmp_path, capsys):
    out = tmp_path / "phase.csv"
    assert main([*SMALL_PHASE, "--regimes", "random_high,hard", "--out", str(out)]) == 0
    table = pd.read_csv(out)
    assert ",".join(table.columns) == (
        "regime,auroc,bias,auroc_realised,bias_realised,rmse_naive,rmse_ipw,rmse_imputation,rmse_combined,winner,margin,tie"
    )
    assert set(table["regime"]) == {"random_high", "hard"}
    printed = capsys.readouterr().out
    assert "MMLU, simulated: 40 test sets of 60 items" in printed
    assert "Hard items leaked" in printed


def test_phase_takes_fewer_replicates_than_it_spreads_over_score_draws(capsys):
    assert main(["phase", "--grid", "2", "--replicates", "3", "--regimes", "hard"]) == 0
    assert "3 test sets" in capsys.readouterr().out


def test_detect_says_why_a_score_is_left_out(tmp_path, capsys):
    path = tmp_path / "mixed.jsonl"
    whole = {"id": "a", "text": "t", "token_logprobs": [-1.0], "token_mean": [-1.0], "token_std": [1.0]}
    bare = {"id": "b", "text": "t", "token_logprobs": [-1.0]}
    path.write_text(json.dumps(whole) + "\n" + json.dumps(bare))
    assert main(["detect", str(path)]) == 0
    assert (
        "Min-K%++ is left out: 1 of 2 texts have no token_mean and token_std, the first is 'b'"
        in " ".join(capsys.readouterr().out.split())
    )


def test_phase_leaves_out_the_panels_that_a_pool_has_no_items_for(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    table = calibrated_pool("popqa").frame()
    table[table["duplicates"] != 16].to_csv(path, index=False)
    assert main([*SMALL_PHASE, "--pool", str(path), "--chance", "0"]) == 0
    assert "Left out, since the pool has no items" in capsys.readouterr().out
    assert main([*SMALL_PHASE, "--pool", str(path), "--regimes", "random_medium"]) == 1
    assert "lacks the duplication levels 16. Add such items" in " ".join(capsys.readouterr().err.split())


def test_an_impossible_chance_rate_is_wrong_usage(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    calibrated_pool("popqa").frame().to_csv(path, index=False)
    assert main([*SMALL_PHASE, "--pool", str(path), "--chance", "2"]) == 2
    assert "The chance rate must lie within [0, 1), found 2.0." in capsys.readouterr().err


def test_phase_takes_a_pool_from_a_file(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    calibrated_pool("popqa").frame().to_csv(path, index=False)
    assert main([*SMALL_PHASE, "--pool", str(path), "--chance", "0"]) == 0
    assert "mine, loaded" in capsys.readouterr().out


def test_phase_says_when_a_row_is_degenerate(capsys):
    assert main([*SMALL_PHASE, "--pool", "winogrande_mcq", "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert main([*SMALL_PHASE, "--pool", "winogrande_mcq"]) == 0
    assert "near 0 has no bias axis" in capsys.readouterr().out


def test_detect_prints_and_writes_scores(tmp_path, logprobs, capsys):
    assert main(["detect", str(logprobs), "--k", "0.5"]) == 0
    printed = capsys.readouterr().out
    assert "Min-K%" in printed
    assert "-1.5" in printed
    out = tmp_path / "scores.csv"
    assert main(["detect", str(logprobs), "--reference", str(logprobs), "--out", str(out)]) == 0
    assert pd.read_csv(out)["Reference"].tolist() == [0, 0]


def test_correct_prints_every_estimator(items, tmp_path, capsys):
    out = tmp_path / "corrected.csv"
    assert main(["correct", str(items), "--replicates", "50", "--prior", "0.3", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    for words in (
        "4 items corrected, 8 calibration items, score 'min_k_plus'",
        "Platt-scaled",
        "naive",
        "75.0",
        "EPG",
    ):
        assert words in printed
    assert pd.read_csv(out)["estimator"].tolist()[0] == "naive"


def test_correct_says_why_an_estimate_is_undefined(tmp_path, capsys):
    path = tmp_path / "bare.csv"
    path.write_text("item,y,loss\na,1,0.5\nb,0,0.2\n")
    assert main(["correct", str(path), "--replicates", "20"]) == 0
    assert (
        "undefined (it needs items of known status to calibrate on and a correctness signal)"
        in capsys.readouterr().out
    )


def test_pocket_writes_its_tables(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pair_module, "SENTENCES", 5000)
    out = tmp_path / "pocket"
    assert main(["pocket", "--levels", "1,2,4", "--seed", "3", "--out", str(out)]) == 0
    assert {path.name for path in out.iterdir()} == {
        "items.csv",
        "accuracy.csv",
        "auroc.csv",
        "training_loss.csv",
    }
    assert pd.read_csv(out / "accuracy.csv")["duplicates"].tolist() == [0, 1, 2, 4]
    assert np.isfinite(pd.read_csv(out / "auroc.csv")["auroc"]).all()
    assert "Pocket pair trained here, seed 3" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["phase", "detect", "correct", "pocket"])
def test_help_has_an_example(command, capsys):
    assert main([command, "--help"]) == 0
    assert f"Example: python -m core {command}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["phase", "--pool", "nope"], 2, "There is no pool 'nope'. Name one of mmlu"),
        (["phase", "--medium", "x"], 2, "Levels are whole numbers separated by commas"),
        (["phase", "--medium", "4"], 2, "medium dose is 16 or 4,16"),
        (["phase", "--grid", "100"], 2, "2 to 61 lines"),
        (["phase", "--regimes", "all"], 2, "Unknown regime 'all'"),
        (["detect", "none.jsonl"], 1, "cannot be read"),
        (["correct", "none.csv"], 1, "cannot be read"),
        (["pocket", "--levels", "256"], 2, "at most half may be test items"),
        (["pocket", "--learning-rate", "9"], 2, "learning rate must lie within"),
    ],
)
def test_faults_are_one_sentence(arguments, status, words, capsys):
    assert main(arguments) == status
    printed = capsys.readouterr()
    assert words in printed.err
    assert "Traceback" not in printed.err


def test_a_file_that_exists_is_kept_without_force(items, tmp_path, capsys):
    out = tmp_path / "there.csv"
    out.write_text("mine")
    assert main(["correct", str(items), "--out", str(out)]) == 1
    assert out.read_text() == "mine"
    assert "there.csv" in capsys.readouterr().err
    assert main(["correct", str(items), "--replicates", "20", "--out", str(out), "--force"]) == 0
    assert out.read_text().startswith("estimator,")


@pytest.mark.parametrize("seed", ["-1", str(2**63)])
@pytest.mark.parametrize(
    "command", [SMALL_PHASE, ["pocket"], ["correct", "{items}"]], ids=lambda words: words[0]
)
def test_a_seed_that_no_generator_takes_is_refused_with_its_range(command, seed, items, capsys):
    assert main([word.format(items=items) for word in command] + ["--seed", seed]) == 2
    assert f"A seed is a whole number from 0 to {2**63 - 1:,}, found {seed}." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("item,y,score\na,1,0.5\n".encode("utf-16"), "is not text in UTF-8"),
        (b"item,y,score\na,1,0,5\nb,0,0,6\n", "more fields than its first line has names"),
        (b"item,y,score\na,1,inf\n", "item 'a' has inf."),
        (b"item,y,score\na,2,0.5\n", "item 'a' has 2.0."),
        (b"item,y,score\na,yes,0.5\n", "item 'a' has 'yes'."),
    ],
)
def test_items_that_cannot_be_read_are_described_in_plain_words(tmp_path, capsys, content, said):
    path = tmp_path / "items.csv"
    path.write_bytes(content)
    assert main(["correct", str(path)]) == 1
    assert said in capsys.readouterr().err


def test_detect_takes_texts_with_line_separators_and_a_byte_order_mark(tmp_path, capsys):
    path = tmp_path / "logprobs.jsonl"
    line = {"id": "a", "text": "one\u2028two\x85three", "token_logprobs": [-1.0, -2.0]}
    path.write_text("\ufeff" + json.dumps(line, ensure_ascii=False) + "\r\n", encoding="utf-8", newline="")
    assert main(["detect", str(path)]) == 0
    assert "a" in capsys.readouterr().out


def test_detect_takes_half_a_surrogate_pair(tmp_path, capsys):
    path = tmp_path / "logprobs.jsonl"
    path.write_text(json.dumps({"id": "a", "text": "\ud83d", "token_logprobs": [-1.0]}))
    assert main(["detect", str(path)]) == 0
    assert "zlib" in capsys.readouterr().out
