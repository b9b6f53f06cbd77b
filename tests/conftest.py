"""Settings shared by all tests."""

from __future__ import annotations

from hypothesis import settings

# No deadline: a busy machine is not a fault. The same examples every time, so that a failure can be repeated.
settings.register_profile("mirage", deadline=None, derandomize=True)
settings.load_profile("mirage")
