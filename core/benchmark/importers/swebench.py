"""A clone of SWE-bench/experiments: one folder per submission, with the instances that it resolved.

Layout: ``evaluation/<split>/<submission>/results/results.json`` with a list ``resolved``, and ``metadata.yaml`` with a
name. An instance that a submission does not list as resolved is unresolved, whatever the reason, as on the leaderboard.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.benchmark.faults import listing, plural, quoted
from core.benchmark.importers.common import Columns, Converted, ignore
from core.benchmark.json_files import read_json
from core.data_files import path as shipped_path
from core.errors import DataError
from core.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

    from core.benchmark.checking import Incomplete
    from core.benchmark.importers.common import Progress

SPLIT: Final = "verified"
SMALL_GROUP: Final = 10
OTHER: Final = "Other small repositories"
_INSTANCE: Final = re.compile(r"(?P<owner>[^/\s]+?)__(?P<name>[^/\s]+)-(?P<number>[^-\s]+)\Z")
_NAME: Final = re.compile(r"^ {0,4}name:[ \t]+(?P<name>\S.*?)[ \t]*$", re.MULTILINE)
_BLOCKS: Final = (">", ">-", "|", "|-")  # text on the lines below, which is not followed


@dataclass(frozen=True)
class Submission:
    """One submission.

    Parameters
    ----------
    folder
        Its folder's name, unique.
    name
        Its name for people; may repeat.
    resolved
        Instances that it resolved.
    mentioned
        All instances that its results name.
    """

    folder: str
    name: str
    resolved: frozenset[str]
    mentioned: frozenset[str]


def is_swebench(source: Path) -> bool:
    """Whether a folder is laid out like SWE-bench/experiments."""
    return (source / "evaluation" / SPLIT).is_dir()


def read_swebench(
    source: Path, *, incomplete: Incomplete = "stop", progress: Progress = ignore
) -> list[Converted]:
    """Read the submissions to SWE-bench Verified of a clone.

    Parameters
    ----------
    source
        The clone's folder.
    incomplete
        Not needed here: an instance that is not resolved is unresolved.
    progress
        Called with (submissions read, submissions in all).

    Raises
    ------
    DataError
        If there is no submission, or fewer than two are complete.
    """
    base = source / "evaluation" / SPLIT
    folders = sorted(path for path in base.iterdir() if path.is_dir())
    found: list[Submission] = []
    left_out: list[str] = []
    for place, folder in enumerate(folders, start=1):
        try:
            found.append(_submission(folder))
        except DataError as error:
            left_out.append(f"{shown(folder.name)} ({str(error).rstrip('.')})")
        progress(place, len(folders))
    if len(found) < 2:
        raise DataError(
            f"Expected at least two complete submissions under evaluation/{SPLIT}, found {len(found)} of {len(folders)}. "
            f"{'Left out: ' + listing(left_out, separator='; ') + '.' if left_out else ''}".strip()
        )
    notes = []
    if left_out:
        notes.append(f"Left out {plural(len(left_out), 'incomplete submission')}: {'; '.join(left_out)}.")
    instances, remark = _instances(found)
    notes += remark
    groups = repository_groups(instances)
    names = _names(found)
    scores = np.array(
        [[instance in one.resolved for instance in instances] for one in found], dtype=np.float64
    )
    width = len(instances)
    columns = Columns(
        model=[name for name in names for _ in range(width)],
        item=instances * len(found),
        score=scores.reshape(-1).tolist(),
        task=[groups[instance] for instance in instances] * len(found),
        category=[groups[instance] for instance in instances] * len(found),
    )
    settings: dict[str, Any] = {
        "name": "SWE-bench Verified",
        "coordinates": "category",
        "ranking": "item_mean",
        "precision": "exact",
    }
    benchmark, more = columns.read("evaluation", settings, name="swe_verified", incomplete=incomplete)
    return [Converted("swe_verified", benchmark, (*notes, *more))]


def repository_groups(instances: list[str]) -> dict[str, str]:
    """Return each instance's repository; repositories with fewer than 10 instances are pooled.

    Examples
    --------
    >>> repository_groups(["pallets__flask-5014"])
    {'pallets__flask-5014': 'Other small repositories'}
    """
    repository = {}
    for instance in instances:
        match = _INSTANCE.match(instance)
        repository[instance] = f"{match['owner']}/{match['name']}" if match else OTHER
    sizes = Counter(repository.values())
    return {instance: name if sizes[name] >= SMALL_GROUP else OTHER for instance, name in repository.items()}


def _submission(folder: Path) -> Submission:
    results = folder / "results" / "results.json"
    if not results.is_file():
        raise DataError("no results/results.json")
    content = read_json(results, limit=1 << 26)
    if not isinstance(content, dict) or "resolved" not in content:
        raise DataError("results.json has no list 'resolved'")
    lists = {key: value for key, value in content.items() if isinstance(value, list)}
    resolved = lists.get("resolved")
    if resolved is None or not all(isinstance(one, str) and one.strip() for one in resolved):
        raise DataError("'resolved' is not a list of instance ids")
    mentioned = frozenset(
        one for value in lists.values() for one in value if isinstance(one, str) and _INSTANCE.match(one)
    )
    return Submission(
        folder.name, _display_name(folder), frozenset(resolved), mentioned | frozenset(resolved)
    )


def _display_name(folder: Path) -> str:
    """Return the name in ``metadata.yaml``, or the folder's."""
    try:
        text = (folder / "metadata.yaml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return folder.name
    match = _NAME.search(text)
    name = match["name"].split(" #")[0].strip() if match else ""
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = name[1:-1]
    return folder.name if name in _BLOCKS or not name.strip() else name.strip()


def _names(found: list[Submission]) -> list[str]:
    """Return unique names: a name that repeats gets its folder's name behind it."""
    times = Counter(one.name for one in found)
    return [one.name if times[one.name] == 1 else f"{one.name} ({one.folder})" for one in found]


def _instances(found: list[Submission]) -> tuple[list[str], list[str]]:
    """Return all instances: those that any submission names, completed by those that none does.

    The results name an instance only where something is to be said of it, so that one that nobody resolved may be in no
    file. The 500 positions of SWE-bench Verified by repository are known; what lacks is filled with placeholder ids.
    """
    named = set().union(*(one.mentioned for one in found))
    known = _known_instances()
    if len(named) >= len(known):
        return sorted(named), []
    sizes = Counter(repository for _, repository in known)
    have = Counter(_repository(instance) for instance in named)
    unknown = sorted(name for name in have if have[name] > sizes.get(name, 0))
    if unknown:
        remark = (
            f"{plural(len(named), 'instance')} found. Not taken for SWE-bench Verified, since its repositories differ "
            f"({listing([quoted(name) for name in unknown])}); instances that nobody resolved may be missing."
        )
        return sorted(named), [remark]
    real = [instance for instance, _ in known if instance not in named and "UNSOLVED" not in instance]
    added = []
    for repository, size in sorted(sizes.items()):
        lacking = size - have[repository]
        names = [instance for instance in real if _repository(instance) == repository][:lacking]
        owner = repository.replace("/", "__")
        names += [f"{owner}-UNSOLVED-{number:02d}" for number in range(1, lacking - len(names) + 1)]
        added += names
    note = (
        f"{plural(len(added), 'instance')} that no submission names stand as unresolved by all, to complete the "
        f"{len(known)} of SWE-bench Verified: {listing(added)}."
    )
    return sorted([*named, *added]), [note]


def _known_instances() -> list[tuple[str, str]]:
    text = shipped_path("published/swe_verified_items.csv").read_text(encoding="utf-8")
    return [(row["instance_id"], row["repository"]) for row in csv.DictReader(io.StringIO(text))]


def _repository(instance: str) -> str:
    match = _INSTANCE.match(instance)
    return f"{match['owner']}/{match['name']}" if match else ""
