"""Sentences about a reader's file are shown as they are written."""

from __future__ import annotations

import pytest

from pages.kit.literal import literal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("lacks items_of_x", "lacks items_of_x"),
        ("'_quiet_' and '*loud*'", r"'\_quiet\_' and '\*loud\*'"),
        ("$a$ :red[b] `c`", r"\$a\$ \:red\[b\] \`c\`"),
        ("<script>", "&lt;script>"),
        ("3 faults:\n- row 2: twice\n- row 3", "3 faults:\n- row 2: twice\n- row 3"),
        ("git checkout -- data", r"git checkout -\- data"),
        ("# no heading", r"\# no heading"),
    ],
)
def test_markdown_of_names_is_switched_off(text, shown):
    assert literal(text) == shown
