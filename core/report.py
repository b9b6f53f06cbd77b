"""The maintainer's report: one benchmark, several feedback rules, and a decision, as files that are the same every time.

`make_report` runs the attack; `Report.files` writes nothing but returns the bytes, so that the command line, a page's
download and a test all get the same. No item id, prompt or item score is in any of them.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import UsageError
from core.files import atomic_write, prepare_folder
from core.report_parts.facts import Facts, Options, gather
from core.reuse.comparison import compare
from core.reuse.study import DEFAULT_BUDGETS, check_budgets, reseed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from typing import Unpack

    from core.benchmark.model import Benchmark
    from core.reuse.comparison import Comparison
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.study import Running

FILES: Final = ("report.html", "report.md", "report.json", "study.csv", "compare.csv")
"""The files of a report's folder, in the order of the archive."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, eq=False)
class Report:
    """A finished report.

    Parameters
    ----------
    facts
        Everything that the report says, as plain data: the content of ``report.json``.
    comparison
        The study under each rule.
    """

    facts: Facts
    comparison: Comparison

    def files(self) -> dict[str, bytes]:
        """Return the report's files by name; the same bytes for the same input and the same versions."""
        from core.csv_text import csv_text
        from core.report_parts.chart import rules_figure
        from core.report_parts.markdown import report_markdown
        from core.report_parts.page import report_html

        study = [row for result in self.comparison.results for row in result.study.rows()]
        contents = {
            "report.html": report_html(self.facts, rules_figure(self.facts, self.comparison)),
            "report.md": report_markdown(self.facts),
            "report.json": self.facts.as_json(),
            "study.csv": csv_text(study),
            "compare.csv": csv_text(self.comparison.rows()),
        }
        return {name: contents[name].encode() for name in FILES}

    def archive(self) -> bytes:
        """Return the folder as a ZIP file without time stamps."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.files().items():
                entry = zipfile.ZipInfo(f"report/{name}", date_time=_EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content)
        return stream.getvalue()

    def write(self, folder: Path | str, *, force: bool = False) -> list[Path]:
        """Write the report's folder.

        Raises
        ------
        DataError
            If a file exists and `force` is not given, or the folder cannot be written.
        """
        from pathlib import Path

        target = Path(folder)
        contents = self.files()
        prepare_folder(target, FILES, force=force)
        return [atomic_write(target / name, content, force=force) for name, content in contents.items()]


def default_rules(benchmark: Benchmark) -> tuple[str, ...]:
    """Return the rules that a report compares when none are named: the benchmark's own, coarser ones, and one score.

    Examples
    --------
    >>> from core.benchmark.catalogue import load
    >>> default_rules(load("terminal_science"))
    ('category', 'category+round:1', 'category+ladder:1', 'policy:aggregate')
    """
    own = benchmark.settings.feedback or benchmark.settings.coordinates
    rules = (own, f"{own}+round:1", f"{own}+ladder:1", "policy:aggregate")
    return tuple(dict.fromkeys(rules))


def make_report(
    benchmark: Benchmark,
    rules: Sequence[str] = (),
    *,
    budgets: Iterable[int] = DEFAULT_BUDGETS,
    tolerance_pp: float = 1.0,
    endpoints: EndpointPolicy = "top5",
    seed: int = 0,
    **running: Unpack[Running],
) -> Report:
    """Attack a benchmark under several rules and gather what a maintainer needs for a decision.

    Parameters
    ----------
    benchmark
        Item scores and settings.
    rules
        Feedback rules without repeats; none stands for `default_rules`.
    budgets
        Numbers of submissions.
    tolerance_pp
        The selection loss that is still accepted.
    endpoints
        Applies where a rule leaves a frontier; elsewhere the pool is the best five.
    seed
        0 for the benchmark's own seeds, any other number for other splits and routers.
    running
        How much is run and where (`core.reuse.study.Running`).

    Raises
    ------
    UsageError
        If a rule or a number is outside its domain.
    DataError
        If the benchmark cannot be split as its settings ask.
    """
    chosen = check_budgets(budgets)
    if chosen[-1] < 2:
        raise UsageError("A report needs a budget of at least 2; budget 1 is the static control.")
    compared = tuple(rules) or default_rules(benchmark)
    seeded = benchmark.with_settings(reseed(benchmark.settings, seed))
    comparison = compare(
        seeded, compared, tolerance_pp=tolerance_pp, budgets=chosen, endpoints=endpoints, **running
    )
    return report_of(
        seeded,
        comparison,
        Options(tolerance_pp=tolerance_pp, endpoints=endpoints, seed=seed),
    )


def report_of(benchmark: Benchmark, comparison: Comparison, options: Options) -> Report:
    """Return the report on a comparison that is already computed.

    Parameters
    ----------
    benchmark
        The benchmark as it was attacked, its seeds included.
    comparison
        The study under each rule.
    options
        Tolerance, endpoint policy and seed that it was computed with.
    """
    return Report(gather(benchmark, comparison, options), comparison)
