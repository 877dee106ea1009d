"""How many programs: HOLOGRAM_FUZZ, else what fits into a run of all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

PROGRAMS = int(os.environ.get("HOLOGRAM_FUZZ", "1000"))

settings.register_profile(
    "fuzz", deadline=None, print_blob=True, derandomize="HOLOGRAM_FUZZ" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("fuzz")
