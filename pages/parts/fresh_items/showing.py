"""An item as the changed facts page shows it, and a set of items as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.fresh.files import to_lines
from core.fresh.items import item_row
from pages.kit.literal import plain_line
from pages.parts.fresh_items import words

if TYPE_CHECKING:
    from core.fresh.items import Item


def show_item(item: Item) -> None:
    """Draw one item with its answers, options and documents."""
    with st.container(border=True, key=f"ff_item_{item.id}", gap="small"):
        st.markdown(f"**{plain_line(item.question)}**")
        if item.options:
            st.markdown("  \n".join(words.option_line(item, place) for place in range(len(item.options))))
        else:
            st.markdown(f":blue-badge[accepted] {plain_line('; '.join(item.answers))}")
            if item.hops == 1:
                st.markdown(f":orange-badge[outdated] {plain_line(item.old.label)}")
        more = st.expander(
            f"Documents ({len(item.documents)})",
            icon=":material/description:",
            key=f"ff_docs_{item.id}",
            type="compact",
            on_change="rerun",
        )
        if more.open:
            with more:
                for document in item.documents:
                    st.markdown(words.document_lines(document))


def downloads(items: tuple[Item, ...], stem: str, key: str) -> None:
    """Draw buttons for a set: the items, and the prompts alone."""
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Items (JSON Lines)",
            data=lambda: to_lines(item_row(item) for item in items),
            file_name=f"{stem}.jsonl",
            mime="application/x-ndjson",
            key=f"{key}_items",
            icon=":material/download:",
            on_click="ignore",
            help="Question, answers, options, documents and evidence of every item.",
        )
        st.download_button(
            "Prompts (JSON Lines)",
            data=lambda: to_lines({"id": item.id, "prompt": item.prompt()} for item in items),
            file_name=f"{stem}-prompts.jsonl",
            mime="application/x-ndjson",
            key=f"{key}_prompts",
            icon=":material/download:",
            on_click="ignore",
            help="What to give to a model, without the answers. Return id and output, one JSON object per line.",
        )
