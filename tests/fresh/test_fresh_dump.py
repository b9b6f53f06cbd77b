from __future__ import annotations

import bz2
import gzip
import json

import pytest

from core.errors import DataError
from core.fresh import dump
from core.fresh.dump import FileSource, ReadingReport
from core.fresh.gather import Gathering, gather_facts
from core.fresh.times import PartialDate
from tests.fresh.wikidata_json import claim, dump_lines, entity, world

CUTOFF, UNTIL = PartialDate(2022, 12, 31), PartialDate(2024, 12, 31)


def written(folder, content, name="dump.json"):
    path = folder / name
    path.write_bytes(content)
    return path


def read(path, wanted=None):
    report = ReadingReport()
    return [each["id"] for each in FileSource.from_path(path).read(wanted, report)], report


@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, bz2.compress, lambda raw: bz2.compress(raw[:2000]) + bz2.compress(raw[2000:])],
)
def test_plain_gzip_and_bzip2_whatever_the_name(tmp_path, pack):
    ids, report = read(written(tmp_path, pack(dump_lines(world()))))
    assert ids == [each["id"] for each in world()]
    assert report.entities == report.lines == len(world())
    assert report.broken == 0


def test_lines_without_brackets_commas_or_last_line_end(tmp_path):
    raw = b"\n".join(json.dumps(each).encode() for each in world())
    assert len(read(written(tmp_path, raw))[0]) == len(world())


@pytest.mark.parametrize("indent", [None, 2])
def test_a_saved_answer_of_the_entity_api(tmp_path, indent):
    answer = {"entities": {each["id"]: each for each in world()}, "success": 1}
    answer["entities"]["Q404"] = {"id": "Q404", "missing": ""}
    ids, report = read(written(tmp_path, json.dumps(answer, indent=indent).encode()))
    assert len(ids) == len(world())
    assert report.missing == 1


def test_a_folder_is_read_in_the_order_of_names(tmp_path):
    written(tmp_path, dump_lines(world()[:3]), "b.json")
    written(tmp_path, gzip.compress(dump_lines(world()[3:5])), "a.json.gz")
    written(tmp_path, b"not for us", "notes.txt")
    assert read(tmp_path)[0] == [each["id"] for each in world()[3:5] + world()[:3]]


def test_only_wanted_entities_are_parsed(tmp_path):
    lines = dump_lines(world()).replace(b'"Unmoved"', b'"Unmoved')  # a broken line that is not wanted
    ids, report = read(written(tmp_path, lines), wanted={1, 12})
    assert ids == ["Q1", "Q12"]
    assert report.broken == 0


def test_the_id_may_stand_late_in_the_line(tmp_path):
    late = {"labels": {"en": {"language": "en", "value": "x" * 500}}, "id": "Q5"}
    assert read(written(tmp_path, json.dumps(late).encode()), wanted={5})[0] == ["Q5"]
    assert read(written(tmp_path, json.dumps(late).encode()), wanted={6})[0] == []


def test_broken_lines_are_counted_and_named_and_reading_goes_on(tmp_path):
    lines = dump_lines(world()).split(b"\n")
    lines[2:2] = [b'{"id": "Q9", "labels": {', b"[1, 2]", b'{"labels": {}}', b'{"id": 7}', b"\xff\xfe"]
    ids, report = read(written(tmp_path, b"\n".join(lines)))
    assert len(ids) == len(world())
    assert report.broken == 5
    assert [fault.line for fault in report.faults] == [3, 4, 5, 6, 7]
    assert str(report.faults[0]).startswith("dump.json, line 3: not JSON")
    assert report.faults[1].problem == "not an entity (no id)"


def test_only_the_first_faults_are_named(tmp_path):
    _, report = read(written(tmp_path, dump_lines(world()) + b"{\n" * 100))
    assert (report.broken, len(report.faults)) == (100, dump.NAMED_FAULTS)


def test_properties_and_lexemes_are_no_items(tmp_path):
    ids, report = read(written(tmp_path, dump_lines([{"id": "P6"}, {"id": "L1"}, *world()[:1]])))
    assert (ids, report.others, report.entities) == (["Q1"], 2, 1)


def test_a_line_that_is_too_long_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr(dump, "MAX_LINE_BYTES", 5000)
    huge = entity("Q7", "x" * 20_000)
    ids, report = read(written(tmp_path, dump_lines([huge, *world()])))
    assert len(ids) == len(world())
    assert report.broken == 1
    assert "longer than" in report.faults[0].problem


def test_an_entity_with_very_many_statements(tmp_path):
    many = [
        claim("P39", f"Q{number}", f"{1900 + number % 100}-01-01", f"{1900 + number % 100}-06-01")
        for number in range(1, 20_001)
    ]
    many += [claim("P39", "Q11", "2019-05-01", "2023-03-10"), claim("P39", "Q12", "2023-03-10")]
    path = written(tmp_path, dump_lines([entity("Q50", "Busy", title="Busy", claims=many), *world()]))
    facts = list(gather_facts(FileSource.from_path(path), CUTOFF, UNTIL))
    assert "Q50-P39-Q12-2023-03-10" in [fact.fact_id for fact in facts]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("cut", [0.5, 0.98])
def test_a_compressed_file_that_is_cut_short(tmp_path, pack, cut):
    raw = pack(dump_lines(world() * 50))
    with pytest.raises(DataError, match=r"File 'dump\.json' is cut short or damaged.*Fetch it again"):
        read(written(tmp_path, raw[: int(len(raw) * cut)]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"entities": {"Q1": {"id"', "begins as an API answer but is not JSON"),
        (b'{"error": {"code": "no-such-entity", "info": "Could not find it"}}', "no-such-entity"),
        (b'{"success": 1}', "has no 'entities'"),
    ],
)
def test_answers_that_are_none(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(written(tmp_path, content))


def test_nothing_to_read(tmp_path):
    with pytest.raises(DataError, match="There is no file"):
        FileSource.from_path(tmp_path / "none.json")
    with pytest.raises(DataError, match="holds no file ending in"):
        FileSource.from_path(tmp_path)


@pytest.mark.parametrize("content", [b"", b"[\n]\n", b"hello\nworld\n"])
def test_a_file_without_any_item_is_an_error_that_says_why(tmp_path, content):
    with pytest.raises(DataError, match="No Wikidata item was found"):
        list(gather_facts(FileSource.from_path(written(tmp_path, content)), CUTOFF, UNTIL))


def test_progress_is_told_in_bytes(tmp_path):
    told: list[int] = []
    path = written(tmp_path, dump_lines(world()) * 400)
    list(FileSource.from_path(path, told.append).read(None, ReadingReport()))
    assert told
    assert told == sorted(told)
    assert told[-1] <= path.stat().st_size


def test_the_counts_of_a_run(tmp_path):
    gathering = Gathering()
    path = written(tmp_path, dump_lines(world()))
    facts = list(gather_facts(FileSource.from_path(path), CUTOFF, UNTIL, gathering=gathering))
    assert gathering.funnel.kept == len(facts) == 2
    assert gathering.funnel.considered == gathering.funnel.kept + sum(gathering.funnel.dropped.values())
    assert gathering.passes == 2
    assert gathering.statements["statements"] == 10
