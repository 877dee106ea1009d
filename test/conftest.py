"""Random tests draw the same examples in every run of `make test`; HOLOGRAM_FUZZ (`make fuzz`) gives new ones."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "hologram",
    deadline=None,
    print_blob=True,
    derandomize="HOLOGRAM_FUZZ" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("hologram")
