"""Arithmetic of sizes and indices, which folds what is known at compile time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

Index = SSAValue | int
"""A Python int where it is known at compile time, else a value of type index."""


class IndexArithmetic(ABC):
    """Emits what does not fold. Sizes have no sign: only `max_signed` is for numbers that may be below 0."""

    @abstractmethod
    def _binary(self, kind: Callable[[SSAValue, SSAValue], Operation], a: Index, b: Index) -> SSAValue:
        """Emits an operation of two indices."""

    def add(self, a: Index, b: Index) -> Index:
        """a + b."""
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0 or b == 0:
            return b if a == 0 else a
        return self._binary(arith.AddiOp, a, b)

    def sub(self, a: Index, b: Index) -> Index:
        """a - b."""
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        return a if b == 0 else self._binary(arith.SubiOp, a, b)

    def mul(self, a: Index, b: Index) -> Index:
        """a * b."""
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if a == 0 or b == 0:
            return 0
        if a == 1 or b == 1:
            return b if a == 1 else a
        return self._binary(arith.MuliOp, a, b)

    def div(self, a: Index, b: Index) -> Index:
        """a div b for a >= 0 and b > 0; by a size known to be 0, which only a loop that never runs does, 0."""
        if b == 0:
            return 0
        if isinstance(a, int) and isinstance(b, int):
            return a // b
        return a if b == 1 else self._binary(arith.DivUIOp, a, b)

    def rem(self, a: Index, b: Index) -> Index:
        """a mod b for a >= 0 and b > 0; 0 for b = 0, as in `div`."""
        if b == 0:
            return 0
        if isinstance(a, int) and isinstance(b, int):
            return a % b
        return 0 if b == 1 else self._binary(arith.RemUIOp, a, b)

    def min(self, a: Index, b: Index) -> Index:
        """The lesser of two sizes."""
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return self._binary(arith.MinUIOp, a, b)

    def max(self, a: Index, b: Index) -> Index:
        """The greater of two sizes."""
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return self._binary(arith.MaxUIOp, a, b)

    def max_signed(self, a: Index, b: Index) -> Index:
        """The greater of two numbers."""
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return self._binary(arith.MaxSIOp, a, b)

    def ceildiv(self, a: Index, b: Index) -> Index:
        """a / b rounded up, for a >= 0 and b > 0."""
        return self.div(self.add(a, self.sub(b, 1)), b)

    def split(self, number: Index, extents: Sequence[Index]) -> list[Index]:
        """The indices of a row-major number."""
        if not extents:
            return []
        indices: list[Index] = []
        for extent in reversed(extents[1:]):
            indices.append(self.rem(number, extent))
            number = self.div(number, extent)
        return [number, *reversed(indices)]

    def product(self, sizes: Sequence[Index]) -> Index:
        """The product of sizes, 1 of none."""
        total: Index = 1
        for size in sizes:
            total = self.mul(total, size)
        return total
