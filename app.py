"""Mirage: how far a benchmark's score can be trusted. Start it with ``make app``.

The server imports this file once, for `app`; then it runs the file as a script whenever a visitor does something.
"""

import streamlit as st

from pages.kit.frame import run

if __name__ == "__main__":
    run()
else:
    import sys

    from core.errors import UsageError
    from pages.kit.environment import apply_environment
    from pages.kit.site import Site, site_settings

    app = st.App(__file__, middleware=Site.layers(), lifespan=site_settings)
    try:
        apply_environment()
    except UsageError as fault:
        sys.exit(str(fault))
