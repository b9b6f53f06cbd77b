"""Settings as files: defaults, faults with the nearest valid word, and writing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmark.reading import read_benchmark
from core.benchmark.settings import Settings
from core.benchmark.settings_files import read_settings, settings_for, settings_toml
from core.errors import DataError

BINARY = b"model,item,score\na,q,1\nb,q,0\n"
GRADED = b"model,item,score\na,q,0.5\nb,q,0\n"


def settings_of(text: str, items: bytes = BINARY) -> Settings:
    return read_benchmark(items, text.encode(), label="items.csv").settings


def message_of(text: str, items: bytes = BINARY) -> str:
    with pytest.raises(DataError) as caught:
        settings_of(text, items)
    return str(caught.value)


def test_every_default():
    assert read_benchmark(BINARY, label="my bench.csv.gz").settings == Settings(
        name="my bench",
        coordinates="category",
        ranking="item_mean",
        precision="exact",
        repeats=1,
        holdout_fraction=2 / 3,
        holdout_per_category=None,
        split_seed_base=0,
        routing_seed="my bench-bank0",
        tie_seed="my bench-ties0",
    )


@pytest.mark.parametrize(
    ("text", "items", "ranking"),
    [
        ("", BINARY, "item_mean"),
        ("", GRADED, "category_mean"),
        ("repeats = 2", GRADED, "item_mean"),
        ('ranking = "mean_win_rate"', BINARY, "mean_win_rate"),
    ],
)
def test_ranking_by_default(text, items, ranking):
    assert settings_of(text, items).ranking == ranking


def test_seeds_follow_the_name():
    settings = settings_of('name = "X"')
    assert (settings.routing_seed, settings.tie_seed) == ("X-bank0", "X-ties0")


def test_holdout_per_category_takes_the_place_of_the_fraction():
    settings = settings_of("holdout_per_category = 68")
    assert settings.holdout_per_category == 68
    assert settings.holdout_fraction is None


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_json_is_accepted(mark):
    assert settings_of(mark + '{"name": "J", "precision": 0.001}').step_pp == 0.001


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("rankin = 1", ["Unknown setting 'rankin'.", "Did you mean 'ranking'?"]),
        ('ranking = "item_men"', ["Unknown value 'item_men' of setting 'ranking'.", "Did you mean 'item_mean'?"]),
        ('coordinates = "tasks"', ["Unknown value 'tasks'", "Did you mean 'task'?"]),
        ('precision = "exactly"', ["Unknown value 'exactly'", "Did you mean 'exact'?"]),
        ("precision = 0.3", ["does not divide 100 pp"]),
        ("precision = nan", ["positive step"]),
        ("repeats = 0", ["'repeats' must be a whole number of at least 1, found 0"]),
        ("repeats = true", ["'repeats' must be a whole number of at least 1, found True"]),
        ('repeats = "3"', ["'repeats' must be a whole number of at least 1, found '3'"]),
        ("split_seed_base = 1.5", ["'split_seed_base' must be a whole number, found 1.5"]),
        ("routing_seed = 3", ["'routing_seed' must be text in quotes, found 3"]),
        ("name = 3", ["'name' must be text"]),
        ('name = ""', ["'name' must be text that is not empty"]),
        ("holdout_fraction = 1.0", ["between 0 and 1"]),
        ("holdout_fraction = 0.5\nholdout_per_category = 2", ["are both given"]),
        ("holdout_per_category = -1", ["at least 1, found -1"]),
        ("[name]\nx = 1", ["'name' must be text"]),
        ("[[ranking]]", ["Unknown value"]),
    ],
)  # fmt: skip
def test_faults_name_key_and_nearest(text, parts):
    message = message_of(text)
    assert message.startswith("settings: ")
    for part in parts:
        assert part in message


def test_broken_toml_names_the_line():
    message = message_of('name = "x"\nranking = = 1\n')
    assert message.startswith("settings: not valid TOML:")
    assert "line 2" in message


def test_key_named_twice():
    assert "not valid TOML" in message_of('name = "x"\nname = "y"\n')


def test_broken_json_names_the_line():
    assert message_of('{\n"name": }').startswith("settings: not valid JSON on line 2:")


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, '{"x": ' + "[" * 100_000, "x = " + "9" * 5000])
def test_hostile_settings_are_a_fault(text):
    assert message_of(text).startswith("settings: ")


def test_other_encoding_names_the_line():
    with pytest.raises(DataError, match=r"settings: the text is not UTF-8 \(line 2\)"):
        read_settings(b'name = "x"\n# \xe9')


def test_items_in_place_of_settings():
    with pytest.raises(DataError, match="is this the items file"):
        read_settings(b"#" * (1 << 20) + b"\n")


def test_settings_file_is_named(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("rankin = 1", encoding="utf-8")
    with pytest.raises(DataError, match=r"^mine\.toml: Unknown setting 'rankin'"):
        read_benchmark(BINARY, path)
    with pytest.raises(DataError, match=r"No file '.*absent\.toml'"):
        read_benchmark(BINARY, tmp_path / "absent.toml")


def test_finished_settings_are_kept():
    settings = Settings(name="mine", ranking="category_mean")
    assert settings_for(settings, stem="other", binary=True) is settings


text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).filter(str.strip)


@given(
    name=text,
    seed=text,
    precision=st.sampled_from(["exact", "float64", 0.001, 1.0, 0.25]),
    holdout=st.one_of(
        st.floats(0.01, 0.99).map(lambda value: {"holdout_fraction": value}),
        st.integers(1, 500).map(lambda value: {"holdout_fraction": None, "holdout_per_category": value}),
    ),
    base=st.integers(-(2**60), 2**60),
    repeats=st.integers(1, 9),
)
def test_written_settings_read_back(name, seed, precision, holdout, base, repeats):
    settings = Settings(
        name=name, routing_seed=seed, tie_seed=seed, precision=precision, split_seed_base=base, repeats=repeats, **holdout
    )  # fmt: skip
    values = read_settings(settings_toml(settings).encode())
    assert settings_for(values, stem="other") == settings
    assert settings_for(json.loads(json.dumps(values)), stem="other") == settings
