"""How fast changed facts are found in dump lines, and how much memory that takes."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import orjson
import pytest

from core.fresh.dump import FileSource
from core.fresh.gather import gather_facts
from core.fresh.times import PartialDate

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.benchmark

CUTOFF, UNTIL = PartialDate(2022, 12, 31), PartialDate(2025, 12, 31)
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "ru", "ja", "zh", "pl", "sv", "pt")
RELATIONS = ("P6", "P54", "P39", "P286", "P106", "P27", "P31", "P21", "P569", "P18", "P17")
MEBIBYTE = 2**20
SIZE = 96 * MEBIBYTE
WANTED_MB_PER_S = 30
WANTED_MIB = 500

MEASURE = """
import resource, sys
from pathlib import Path

from core.fresh.dump import FileSource
from core.fresh.gather import gather_facts
from core.fresh.times import PartialDate
found = sum(1 for _ in gather_facts(FileSource.from_path(Path(sys.argv[1])), PartialDate(2022, 12, 31), PartialDate(2025, 12, 31), hops=3))
print(found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def _time(year, rng):
    time = f"+{year}-{rng.integers(1, 10):02d}-{rng.integers(10, 29)}T00:00:00Z"
    value = {
        "time": time,
        "timezone": 0,
        "before": 0,
        "after": 0,
        "precision": 11,
        "calendarmodel": "http://www.wikidata.org/entity/Q1985727",
    }
    return {
        "snaktype": "value",
        "property": "P580",
        "hash": f"{rng.integers(2**60):040x}",
        "datavalue": {"value": value, "type": "time"},
        "datatype": "time",
    }


def _claim(subject, relation, value, begin, end, rng):
    item = {
        "value": {"entity-type": "item", "numeric-id": value, "id": f"Q{value}"},
        "type": "wikibase-entityid",
    }
    claim = {
        "mainsnak": {
            "snaktype": "value",
            "property": relation,
            "datavalue": item,
            "datatype": "wikibase-item",
        },
        "type": "statement",
        "qualifiers": {"P580": [_time(begin, rng)]} | ({"P582": [_time(end, rng)]} if end else {}),
        "id": f"Q{subject}${rng.integers(2**60):032x}",
        "rank": "normal",
        "references": [
            {
                "hash": f"{rng.integers(2**60):040x}",
                "snaks": {
                    "P143": [
                        {
                            "snaktype": "value",
                            "property": "P143",
                            "datavalue": item,
                            "datatype": "wikibase-item",
                        }
                    ]
                },
                "snaks-order": ["P143"],
            }
        ],
    }
    if relation not in {"P6", "P54", "P39", "P286", "P106", "P27"}:
        del claim["qualifiers"]
    return claim


def write_dump(path: Path, size: int) -> int:
    """Write generated dump lines: as dense in dated statements as a politician's or a footballer's entry."""
    rng = np.random.default_rng(1)
    number = written = 0
    with path.open("wb") as file:
        file.write(b"[\n")
        while written < size:
            number += 1
            names = {code: {"language": code, "value": f"Name {number} {code}"} for code in LANGUAGES}
            claims = {}
            for relation in rng.choice(RELATIONS, 5, replace=False):
                count = int(rng.integers(1, 5))
                years = [
                    int(year) for year in np.sort(rng.choice(np.arange(2010, 2026), count + 1, replace=False))
                ]
                claims[str(relation)] = [
                    _claim(
                        number,
                        str(relation),
                        int(rng.integers(1, 5000)),
                        years[place],
                        years[place + 1] if place < count - 1 else None,
                        rng,
                    )
                    for place in range(count)
                ]
            links = {
                f"{code}wiki": {"site": f"{code}wiki", "title": f"Name {number}", "badges": []}
                for code in LANGUAGES
            }
            entity = {
                "type": "item",
                "id": f"Q{number}",
                "labels": names,
                "descriptions": names,
                "aliases": {},
                "claims": claims,
                "sitelinks": links,
            }
            written += file.write(orjson.dumps(entity) + b",\n")
        file.write(b"]\n")
    return path.stat().st_size


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / "dump.json"
    return path, write_dump(path, SIZE)


@pytest.mark.parametrize("hops", [1, 3])
def test_plain_dump_lines(benchmark, report, dump, hops):
    path, size = dump
    processor: list[float] = []

    def run():
        begin = time.process_time()
        found = sum(1 for _ in gather_facts(FileSource.from_path(path), CUTOFF, UNTIL, hops=hops))
        processor.append(time.process_time() - begin)
        return found

    found = benchmark.pedantic(run, rounds=3, iterations=1, warmup_rounds=0)
    assert found > 0
    speed = size / 1e6 / benchmark.stats.stats.min
    benchmark.extra_info["dump MB/s"] = round(speed, 1)
    benchmark.extra_info["dump MB per processor second"] = round(size / 1e6 / min(processor), 1)
    benchmark.extra_info["passes"] = hops + 1
    report(f"Wikidata dump lines, chains of {hops}", f"{WANTED_MB_PER_S} MB/s", f"{speed:.0f} MB/s")


def test_memory_does_not_grow_with_the_dump(benchmark, report, dump, tmp_path):
    path, _ = dump
    small = tmp_path / "small.json"
    write_dump(small, SIZE // 12)

    def peak(file):
        output = subprocess.run(
            [sys.executable, "-c", MEASURE, str(file)], capture_output=True, text=True, check=True
        ).stdout
        return [int(word) for word in output.split()]

    _, little = peak(small)
    found, much = benchmark.pedantic(peak, args=(path,), rounds=1)
    assert found > 0
    benchmark.extra_info["peak MiB"] = much
    benchmark.extra_info["peak MiB for a twelfth"] = little
    report("Wikidata dump, peak memory of the process", f"{WANTED_MIB} MiB", f"{much} MiB")
