"""The kinds of `memref.atomic_rmw`."""

from __future__ import annotations

KINDS: tuple[str, ...] = (
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
    "mulf", "muli", "ori", "xori",
)  # fmt: skip
"""Upstream's kinds of `memref.atomic_rmw`, by their number."""
