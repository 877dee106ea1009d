"""The numbers that an option of a pass may be: `length: Natural = 24` in place of `int`."""

from __future__ import annotations

from typing import Annotated

from hologram.support.record import Record


class Between(Record):
    """Whole numbers from `least` to `most`."""

    least: int
    most: int | None = None

    def __contains__(self, value: int) -> bool:
        return self.least <= value and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        return f"a whole number from {self.least}" + (f" to {self.most}" if self.most is not None else "")


Natural = Annotated[int, Between(0)]
Positive = Annotated[int, Between(1)]
BlockSize = Annotated[int, Between(1, 1024)]
Level = Annotated[int, Between(0, 3)]
"""Of LLVM's optimiser."""
