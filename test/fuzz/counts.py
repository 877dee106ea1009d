"""How many programs: HOLOGRAM_FUZZ, else what fits into a run of all tests."""

from __future__ import annotations

import os

PROGRAMS = int(os.environ.get("HOLOGRAM_FUZZ", "1000"))
FUZZING = "HOLOGRAM_FUZZ" in os.environ
"""Whether programs may be larger than what fits."""
