"""Importers on small files laid out like the real ones, and the command ``convert``."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from core import __main__ as command_line
from core.benchmark.catalogue import load
from core.benchmark.importers.finding import convert, kind_of_source
from core.benchmark.settings import Settings
from core.reuse.study import run_study
from tests.benchmark.import_samples import (
    MODELS,
    OPENLLM_CONFIG,
    sample,
    write_artifact,
    write_openllm,
    write_samples,
    write_submission,
)

SEEDS = {"split_seed_base": 9, "routing_seed": "route", "tie_seed": "tie"}


# The artifact ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stem", "tasks", "expected"),
    [
        (
            "livebench",
            (("math", "olympiad"), ("math", "AMPS"), ("coding", "LCB")),
            {"name": "LiveBench", "coordinates": "task", "ranking": "category_mean", "precision": 0.001, "holdout_per_category": 3},
        ),
        (
            "helm_capabilities",
            (("MMLU-Pro", "mmlu a"), ("MMLU-Pro", "mmlu b"), ("GPQA", "gpqa")),
            {"name": "HELM Capabilities", "coordinates": "category", "ranking": "coordinate_mean", "precision": "float64"},
        ),
        (
            "helm_lite",
            (("LegalBench", "abercrombie"), ("LegalBench", "proa"), ("MedQA", "med_qa")),
            {"name": "HELM Lite", "coordinates": "category", "ranking": "mean_win_rate", "precision": "float64"},
        ),
        (
            "swe_verified",
            (("django/django", "django/django"), ("sympy/sympy", "sympy/sympy")),
            {"name": "SWE-bench Verified", "coordinates": "category", "ranking": "item_mean", "precision": "exact"},
        ),
        (
            "terminal_science",
            (("earth", "earth"), ("life", "life")),
            {"name": "Terminal-Bench-Science", "coordinates": "category", "ranking": "item_mean", "precision": "exact", "repeats": 3},
        ),
    ],
)  # fmt: skip
def test_conventions_of_the_artifact(tmp_path, stem, tasks, expected):
    config = dict(SEEDS)
    if stem == "livebench":
        config["holdout_per_category"] = 3
    questions, _ = write_artifact(tmp_path, stem, tasks, config=config, per_task=12)
    (found,) = convert(tmp_path)
    settings = found.benchmark.settings
    expected = {"holdout_fraction": None if stem == "livebench" else 2 / 3} | expected | SEEDS
    assert settings == Settings(**expected)
    assert found.benchmark.models == tuple(sorted(MODELS))
    assert found.benchmark.items == tuple(sorted(questions["question_id"]))
    assert set(found.benchmark.prompts) == set(questions["content_hash"])
    assert found.name == stem
    assert run_study(found.benchmark, trials=2, budgets=(2, 4), cache=False).trials == 2


def test_livebench_holds_out_68_per_category_by_default(tmp_path):
    tasks = (("math", "olympiad"), ("math", "AMPS"), ("coding", "LCB"))
    write_artifact(tmp_path, "livebench", tasks, config=SEEDS, per_task=70)
    (found,) = convert(tmp_path)
    assert found.benchmark.settings.holdout_per_category == 68
    assert found.benchmark.settings.holdout_fraction is None


def test_small_repositories_are_pooled(tmp_path):
    tasks = (("django/django", "d"), ("pallets/flask", "f"), ("psf/requests", "r"))
    questions, _ = write_artifact(tmp_path, "swe_verified", tasks, config=SEEDS, per_task=6)
    assert len(questions["question_id"]) == 18
    bank = convert(tmp_path)[0].benchmark
    assert bank.tasks == bank.categories == ("Other small repositories",)


def test_counts_become_shares(tmp_path):
    write_artifact(
        tmp_path, "terminal_science", (("earth", "e"), ("life", "l")), config=SEEDS,
        scores=[float(place % 4) for place in range(36)],
    )  # fmt: skip
    (found,) = convert(tmp_path)
    assert set(np.unique(found.benchmark.counts)) == {0, 1, 2, 3}
    assert any("successes out of 3 runs" in note for note in found.notes)


def test_the_models_of_the_configuration_are_kept(tmp_path):
    write_artifact(
        tmp_path, "helm_lite", (("a", "a"), ("b", "b")), config={**SEEDS, "models": ["alpha", "beta"]}
    )
    (found,) = convert(tmp_path)
    assert found.benchmark.models == ("alpha", "beta")
    assert any("Left out 1 model" in note for note in found.notes)


def test_seeds_that_are_not_given_are_told(tmp_path):
    write_artifact(tmp_path, "helm_lite", (("a", "a"), ("b", "b")))
    (found,) = convert(tmp_path)
    assert any("gives no split_seed_base, routing_seed, tie_seed" in note for note in found.notes)


def test_an_unknown_benchmark_gets_the_defaults(tmp_path):
    write_artifact(tmp_path, "poems", (("a", "a"), ("b", "b")), config=SEEDS)
    (found,) = convert(tmp_path)
    assert found.benchmark.settings.name == "poems"
    assert any("No convention is known for 'poems'" in note for note in found.notes)


def test_open_llm_scores_are_those_of_the_definition(tmp_path):
    questions, table = write_openllm(tmp_path)
    bank = convert(tmp_path)[0].benchmark
    assert bank.settings.precision == 0.01
    assert bank.settings.ranking == "coordinate_mean"
    assert "MATH Lvl 5" in bank.tasks
    assert "bbh_navigate" in bank.tasks
    assert len(bank.categories) == 6
    study = run_study(bank, trials=4, budgets=(1, 8), cache=False)
    from core.benchmark.splits import held_out_mask

    held = held_out_mask(bank, range(4))[:, bank.item_prompt]
    rows = {}
    for asked, model, score, share in zip(*table.values(), strict=True):
        rows[model, asked] = (score, share)
    number = dict(zip(questions["question_id"], questions["instruction_count"], strict=True))
    for trial in range(4):
        best = study.outcomes.no_attack[trial]
        items = [item for item, out in zip(bank.items, held[trial], strict=True) if out]
        marks = {item: rows[bank.models[best], item] for item in items}

        def raw(start, marks=marks):
            own = [score for item, (score, _) in marks.items() if item.startswith(start)]
            return sum(own) / len(own)

        def corrected(start, chance, raw=raw):
            return max(raw(start) - chance, 0) / (1 - chance)

        ifeval = [item for item in items if item.startswith("ifeval")]
        followed = sum(marks[item][1] * number[item] for item in ifeval) / sum(
            number[item] for item in ifeval
        )
        six = [
            (raw("ifeval") + followed) / 2,
            (corrected("bbh_navigate", 0.5) + corrected("bbh_snarks", 0.5)) / 2,
            raw("math_"),
            corrected("gpqa", 0.25),
            corrected("musr", 0.5),
            corrected("mmlu_pro", 0.1),
        ]
        assert study.outcomes.no_attack_heldout[trial] == pytest.approx(sum(six) / 6, abs=1e-12)


def test_open_llm_survives_its_own_folder(tmp_path, capsys):
    write_openllm(tmp_path / "clone")
    out = tmp_path / "bank"
    assert command_line.main(["convert", str(tmp_path / "clone"), "--out", str(out)]) == 0
    assert "MATH Lvl 5 are one pool of items" in capsys.readouterr().out
    assert load(out).digest == convert(tmp_path / "clone")[0].benchmark.digest


# SWE-bench/experiments -------------------------------------------------------------------------------------------

ASTROPY = "astropy__astropy-12907"
DJANGO = "django__django-11099"


@pytest.fixture
def experiments(tmp_path):
    write_submission(
        tmp_path, "20240402_sweagent", [ASTROPY, DJANGO],
        metadata="assets:\n  logs: s3://x\ninfo:\n  logo: y\n  name: 'SWE-agent + Model (2024)'\n  site: z\n",
    )  # fmt: skip
    write_submission(
        tmp_path, "20240509_other", [DJANGO], metadata='name: "Other"\noss: true\n', no_generation=[ASTROPY]
    )
    write_submission(tmp_path, "20240601_same", [], metadata="name: Other\n")
    write_submission(tmp_path, "20240602_broken", [], results="{")
    write_submission(tmp_path, "20240603_empty", [], results='{"no_logs": []}')
    write_submission(tmp_path, "20240604_odd", [], results='{"resolved": 3}')
    (tmp_path / "evaluation" / "verified" / "20240605_nothing").mkdir()
    (tmp_path / "evaluation" / "verified" / "README.md").write_text("x")
    return tmp_path


def test_swebench_submissions(experiments):
    (found,) = convert(experiments)
    bank = found.benchmark
    assert bank.models == ("Other (20240509_other)", "Other (20240601_same)", "SWE-agent + Model (2024)")
    assert len(bank.items) == 500
    assert len(bank.tasks) == 10
    assert "Other small repositories" in bank.tasks
    resolved = bank.scores.sum(axis=1).tolist()
    assert resolved == [1.0, 0.0, 2.0]
    assert bank.scores[2, bank.items.index(ASTROPY)] == 1
    assert bank.scores[0, bank.items.index(ASTROPY)] == 0
    assert bank.settings.ranking == "item_mean"
    left_out = next(note for note in found.notes if note.startswith("Left out 4 incomplete submissions"))
    for name in ("20240602_broken", "20240603_empty", "20240604_odd", "20240605_nothing"):
        assert name in left_out


def test_swebench_progress_counts_submissions(experiments):
    seen = []
    convert(experiments, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(place, 7) for place in range(1, 8)]


def test_swebench_of_other_repositories_is_taken_as_it_is(tmp_path):
    write_submission(tmp_path, "a", ["me__mine-1", "me__mine-2"])
    write_submission(tmp_path, "b", ["me__mine-2"])
    (found,) = convert(tmp_path)
    assert found.benchmark.items == ("me__mine-1", "me__mine-2")
    assert any("repositories differ" in note for note in found.notes)


# lm-evaluation-harness -------------------------------------------------------------------------------------------


def test_sample_logs(tmp_path):
    for model, offset in (("org__one", 0), ("org__two", 1)):
        write_samples(
            tmp_path,
            model,
            "arc_easy",
            [sample(doc, (doc + offset) % 2, acc_norm=float(doc % 2)) for doc in range(4)],
        )
        write_samples(
            tmp_path, model, "gsm8k",
            [
                sample(doc, float((doc + offset) % 2), "exact_match", filter=kind, prompt_hash=f"g{doc}")
                for kind in ("strict-match", "flexible-extract") for doc in range(3)
            ],
        )  # fmt: skip
        write_samples(tmp_path, model, "wikitext", [sample(0, 0.0, "word_perplexity", prompt_hash="w")])
    write_samples(tmp_path, "org__one", "arc_easy", [sample(0, 1)], time="2024-01-01T00-00-00.000000")
    (found,) = convert(tmp_path)
    bank = found.benchmark
    assert bank.models == ("org/one", "org/two")
    assert bank.tasks == ("arc_easy", "gsm8k")
    assert len(bank.items) == 7
    assert "prompt0" in bank.prompts
    assert bank.scores[:, bank.items.index("arc_easy/1")].tolist() == [1.0, 1.0]  # acc_norm goes before acc
    assert bank.scores[:, bank.items.index("gsm8k/1")].tolist() == [1.0, 0.0]
    notes = " ".join(found.notes)
    assert "Left out 1 log of earlier runs" in notes
    assert "arc_easy acc_norm; gsm8k exact_match" in notes
    assert "for want of a metric" in notes
    assert "wikitext" in notes
    assert "gsm8k (strict-match)" in notes


def test_gzipped_and_single_logs(tmp_path):
    path = write_samples(tmp_path, "one", "boolq", [sample(0, 1), sample(1, 0)])
    zipped = tmp_path / "two" / (path.name + ".gz")
    zipped.parent.mkdir()
    zipped.write_bytes(gzip.compress(path.read_bytes()))
    assert convert(tmp_path)[0].benchmark.models == ("one", "two")
    assert kind_of_source(path) == "lm-eval"


# Wide tables -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "model,q1,q2,q3\nb,1,0,1\na,0,1,1\n",
        "item,b,a\nq1,1,0\nq2,0,1\nq3,1,1\n",
        "System\tq1\tq2\tq3\nb\tTrue\tFalse\t1.0\na\tfalse\ttrue\tpass\n",
        "model;q1;q2;q3\nb;1;0;1\n\na;0;1;1\n",
        "\ufeffinstance_id,b,a\nq1,1,0\nq2,0,1\nq3,1,1\n",
    ],
)
def test_wide_tables(tmp_path, text):
    path = tmp_path / "my results.csv"
    path.write_text(text)
    (found,) = convert(path)
    bank = found.benchmark
    assert bank.models == ("a", "b")
    assert bank.items == ("q1", "q2", "q3")
    assert bank.scores.tolist() == [[0, 1, 1], [1, 0, 1]]
    assert bank.settings.ranking == "item_mean"
    assert found.name == "my_results"


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_letters_of_several_bytes_may_stand_anywhere(tmp_path, shift):
    path = tmp_path / "t.csv"
    names = ["\N{EURO SIGN}" * 300 + str(place) for place in range(2_000)]
    rows = [",".join(["item", "a", "b"]), *(f"{name},1,0" for name in names)]
    path.write_text("x" * shift + "item" + rows[0][4:] + "\n" + "\n".join(rows[1:]) + "\n", encoding="utf-8")
    assert path.stat().st_size > 1 << 20
    assert set(convert(path)[0].benchmark.items) == set(names)


def test_a_heading_that_says_nothing_is_told(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(",q1,q2\na,1,0\nb,0,1\n")
    assert any("are taken for models" in note for note in convert(path)[0].notes)


def test_blanks_are_missing_and_can_be_repaired(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("model,q1,q2\na,1,0\nb,,1\nc,1,1\n")
    out = tmp_path / "bank"
    assert command_line.main(["convert", str(path), "--out", str(out)]) == 1
    assert "'b' lacks 1" in capsys.readouterr().err
    assert not out.exists()
    assert command_line.main(["convert", str(path), "--incomplete", "drop_models", "--out", str(out)]) == 0
    assert "Dropped 1 model" in capsys.readouterr().out
    assert load(out).models == ("a", "c")


def test_a_tidy_file_is_written_as_a_folder(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,item,score\na,q,1\nb,q,0\n")
    assert convert(path)[0].benchmark.models == ("a", "b")


# The command -----------------------------------------------------------------------------------------------------


def test_several_benchmarks_get_a_folder_each(tmp_path, capsys):
    write_artifact(tmp_path / "clone", "helm_lite", (("a", "a"), ("b", "b")), config=SEEDS)
    write_openllm(tmp_path / "clone", config=OPENLLM_CONFIG)
    out = tmp_path / "banks"
    arguments = ["convert", str(tmp_path / "clone"), "--kind", "artifact", "--out", str(out)]
    assert command_line.main(arguments) == 0
    said = capsys.readouterr().out
    assert "HELM Lite: 3 models, 12 items, 2 tasks." in said
    assert sorted(path.name for path in out.iterdir()) == ["helm_lite", "openllm_v2"]
    assert command_line.main(["study", str(out / "openllm_v2"), "--trials", "2", "--budgets", "2"]) == 0
    assert command_line.main(arguments) == 1
    assert "--force" in capsys.readouterr().err
    assert command_line.main([*arguments, "--force", "--quiet"]) == 0


def test_nothing_of_a_prompt_or_an_answer_is_written(tmp_path):
    for model in ("one", "two"):
        write_samples(tmp_path / "logs", model, "boolq", [sample(doc, doc % 2) for doc in range(4)])
    out = tmp_path / "bank"
    assert command_line.main(["convert", str(tmp_path / "logs"), "--out", str(out), "--quiet"]) == 0
    assert all(b"canary" not in path.read_bytes() for path in out.iterdir())
    assert json.dumps(load(out).items)
