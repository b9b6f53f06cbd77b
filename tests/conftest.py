"""Settings shared by all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No deadline: a busy machine is not a fault. The same examples every time, so that a failure can be repeated.
settings.register_profile(
    "mirage", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("mirage")
