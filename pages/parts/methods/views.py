"""The sections of the methods page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.citations import PAPERS, software
from core.data_files import checksums
from core.figures.comparisons import pools_figure, rules_figure, static_figure
from pages.kit.explain import show_formula
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH, data_faults
from pages.kit.guard import guard
from pages.parts.methods import content
from pages.parts.methods.controls import CONTROLS

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.base import Figure
    from pages.kit.registry import PageInfo


@st.cache_resource(max_entries=3, show_spinner=False)
def comparison(name: str) -> Figure:
    """Return one of the small comparisons."""
    return {"static": static_figure, "pools": pools_figure, "rules": rules_figure}[name]()


@st.cache_data(max_entries=1, show_spinner=False)
def takeaways() -> list[str]:
    """Return the takeaways, computed once."""
    return content.takeaways()


@st.cache_data(max_entries=1, show_spinner=False, ttl="5m")
def shipped_files() -> pd.DataFrame:
    """Return every shipped file with its source, terms and checksum."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"file": f"data/{row.file}", "source": row.source, "terms": row.licence, "SHA-256": row.sha256}
            for row in checksums().values()
        ]
    )


def page_claim() -> str:
    """Return the page's title."""
    tables = [file for file in checksums() if not file.startswith("fonts/")]
    return f"Every number comes from one of {len(tables)} shipped files, or is computed while you watch"


def show_section(page: PageInfo) -> None:
    """Draw the chosen section."""
    section = CONTROLS.show("section")
    {
        "takeaways": _takeaways,
        "definitions": _definitions,
        "provenance": _provenance,
        "intervals": _intervals,
        "questions": _questions,
        "cite": _cite,
    }[section](page)


def _say(text: str) -> None:
    st.markdown(text, width=PROSE_WIDTH)


def _takeaways(page: PageInfo) -> None:
    with guard():
        _say("\n".join(f"- {line}" for line in takeaways()))
    st.header("Smaller comparisons", anchor=False)
    which = CONTROLS.show("compare")
    with guard():
        show_figure(page, "comparison", comparison(which), ["published"], controls=CONTROLS)
    st.caption(content.NON_LEADING, width=PROSE_WIDTH)


def _definitions(_: PageInfo) -> None:
    for definition in content.DEFINITIONS:
        st.header(definition.term, anchor=False)
        _say(definition.meaning)
        if definition.formula:
            show_formula(definition.formula, width=PROSE_WIDTH)


def _provenance(_: PageInfo) -> None:
    _say(
        "These files are all that is shipped. Each is compared with its checksum before it is used; a file that is missing or altered is "
        "named at the top of every page. What a page computes from them carries the badge *recomputed* and names the bank it comes from."
    )
    with guard():
        faults = data_faults()
        if faults:
            st.warning(" ".join(faults), icon=":material/warning:")
        else:
            st.success("All files are those that were released.", icon=":material/verified:")
        frame = shipped_files()
        st.dataframe(
            frame,
            hide_index=True,
            key=f"{CONTROLS.prefix}_files",
            alt=f"{len(frame)} shipped files with source, terms and checksum",
            column_config={"SHA-256": st.column_config.TextColumn(width="medium")},
        )
        st.download_button(
            "CSV",
            data=lambda: frame.to_csv(index=False),
            file_name="mirage-files.csv",
            mime="text/csv",
            key=f"{CONTROLS.prefix}_files_csv",
            help="The table of shipped files",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
    _say(
        "The project's own licence covers its code and text, not these numbers. The paper's artifact makes no licence claim for the records "
        "that it derives from each benchmark; tables of papers and public leaderboards are facts. The source is named wherever they are shown."
    )


def _intervals(_: PageInfo) -> None:
    _say("\n".join(f"- {line}" for line in content.INTERVALS))


def _questions(_: PageInfo) -> None:
    for answer in content.QUESTIONS:
        st.header(answer.question, anchor=False)
        _say(answer.answer)


def _cite(_: PageInfo) -> None:
    _say(
        "Cite the papers for their figures, and the software for what it recomputes. Each box has a button that copies it."
    )
    with guard():
        for citation in (*PAPERS, software()):
            with st.container(gap="xsmall"):
                st.markdown(f"**{citation.title.replace('{', '').replace('}', '')}**")
                st.caption(citation.shows)
                st.code(citation.bibtex, language="latex", wrap_lines=True)
