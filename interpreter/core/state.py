"""The Atlas state of a run: class memory and the sums of R."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hologram import resonance
from hologram.classes import ARENA_BYTES, CLASS_COUNT
from hologram.interpreter.core.values import Array


def _no_bytes() -> Array:
    return np.zeros(ARENA_BYTES, np.uint8)


@dataclass
class AtlasState:
    """What a run shares with its caller: class memory, and for each class the sum of R as a multiple of 2^-64."""

    classes: Array = field(default_factory=_no_bytes)
    sums: list[int] = field(default_factory=lambda: [0] * CLASS_COUNT)

    @property
    def resonance(self) -> resonance.Resonance:
        """R, summed over all lanes of the launches so far."""
        return resonance.Resonance(self.sums)
