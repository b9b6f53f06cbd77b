"""The pages that exist, in the order of the navigation.

To add a page: write ``pages/<stem>.py``, whose first statement calls `pages.kit.frame.frame`, and add one line here.
A page's path is its file's stem; the first page is the start and lives at ``/`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class PageInfo:
    """One page of the navigation.

    Parameters
    ----------
    stem
        Name of the file under ``pages/`` without its suffix; also the page's path.
    title
        Name in the navigation and in the browser's tab.
    icon
        Material icon, as Streamlit spells it.
    group
        Heading in the navigation; empty for pages outside every group.
    help
        What the page shows, in one or two short sentences.
    prefix
        Two letters that begin the names of the page's controls in the URL.
    """

    stem: str
    title: str
    icon: str
    group: str
    help: str
    prefix: str

    @property
    def file(self) -> Path:
        """The page's file."""
        return ROOT / "pages" / f"{self.stem}.py"

    @property
    def is_start(self) -> bool:
        """Whether this is the page at ``/``."""
        return self.stem == PAGES[0].stem

    @property
    def path(self) -> str:
        """The page's path in the URL."""
        return "/" if self.is_start else f"/{self.stem}"


PAGES: Final[tuple[PageInfo, ...]] = (
    PageInfo(
        stem="start",
        title="Start",
        icon=":material/home:",
        group="",
        help="What a public ranking costs those who follow it, and where to go from here.",
        prefix="hm",
    ),
    PageInfo(
        stem="selection_loss",
        title="Selection loss",
        icon=":material/trending_down:",
        group="Reuse",
        help="How much held-out score is lost by following the public ranking, on six benchmarks, by budget.",
        prefix="sl",
    ),
    PageInfo(
        stem="score_gap",
        title="Score gap",
        icon=":material/unfold_more:",
        group="Reuse",
        help="How far the best public score and the best held-out score drift apart, and what that does not say.",
        prefix="sg",
    ),
    PageInfo(
        stem="one_trial",
        title="One trial",
        icon=":material/how_to_vote:",
        group="Reuse",
        help="Four steps from coin flips and released scores to a public winner.",
        prefix="ot",
    ),
    PageInfo(
        stem="feedback",
        title="Feedback richness",
        icon=":material/tune:",
        group="Reuse",
        help="What it buys to return fewer scores: published curves, your own grouping live, and rules side by side.",
        prefix="fb",
    ),
    PageInfo(
        stem="lifespan",
        title="Lifespan",
        icon=":material/hourglass_bottom:",
        group="Reuse",
        help="A law for how many submissions a benchmark lasts, its failures, and a simulated alternative.",
        prefix="ls",
    ),
    PageInfo(
        stem="phase_diagrams",
        title="Phase diagrams",
        icon=":material/grid_view:",
        group="Contamination",
        help="Which estimator of the clean score has the lowest error, by the quality of your predictors.",
        prefix="pd",
    ),
    PageInfo(
        stem="correct_a_score",
        title="Correct a score",
        icon=":material/healing:",
        group="Contamination",
        help="Calibrate on spiked items and correct a contaminated score, on simulated items or on your own.",
        prefix="cs",
    ),
    PageInfo(
        stem="pocket_hubble",
        title="Pocket Hubble",
        icon=":material/experiment:",
        group="Contamination",
        help="Train a tiny pair of language models, leak the test into one, detect it and correct its score.",
        prefix="ph",
    ),
    PageInfo(
        stem="fresh_items",
        title="Changed facts",
        icon=":material/update:",
        group="Fresh items",
        help="Items about facts that changed after a model's cutoff, which therefore cannot have leaked.",
        prefix="ff",
    ),
    PageInfo(
        stem="stress_test",
        title="Stress test",
        icon=":material/fitness_center:",
        group="Maintainers",
        help="Bring your benchmark's item scores, attack your feedback rule, and leave with a decision and a report.",
        prefix="st",
    ),
    PageInfo(
        stem="methods",
        title="Methods",
        icon=":material/menu_book:",
        group="About",
        help="Definitions, where every number comes from, questions and answers, citations.",
        prefix="me",
    ),
)


def page_info(stem: str) -> PageInfo:
    """Return the registered page with this stem.

    Raises
    ------
    KeyError
        If no such page is registered; the message lists those that are.
    """
    for page in PAGES:
        if page.stem == stem:
            return page
    raise KeyError(f"No page '{stem}' is registered. Registered: {', '.join(page.stem for page in PAGES)}.")


def find_page(stem: str) -> PageInfo | None:
    """Return the registered page with this stem, or None while it does not exist."""
    return next((page for page in PAGES if page.stem == stem), None)


def grouped_pages() -> dict[str, list[PageInfo]]:
    """Return the pages by navigation group, groups in order of first appearance."""
    groups: dict[str, list[PageInfo]] = {}
    for page in PAGES:
        groups.setdefault(page.group, []).append(page)
    return groups
