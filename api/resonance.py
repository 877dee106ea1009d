"""R, the resonance of each class, in 64.64 fixed point: the reference, and what a launch gives back.

A value is a multiple of 2^-64 held as an integer, in two's complement of 128 bits. Sums wrap modulo 2^128, so their
order never matters, and every device gives the same bits.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, SupportsIndex, overload

from hologram.classes import CLASS_COUNT
from hologram.errors import RangeError
from hologram.errors.arguments import checked

if TYPE_CHECKING:
    from fractions import Fraction

FRACTION_BITS = 64
BITS = 128
LIMIT = 1 << 63
"""Values of this magnitude and more do not go in."""


@checked
def to_fixed(value: float | Fraction) -> int:
    """The multiple of 2^-64 next to `value`, half to even, as that many times 2^-64.

    Raises RangeError, a ValueError, for NaN, an infinity, or a magnitude of 2^63 and more.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise RangeError("resonance-finite", f"{value} has no place in R", hint="R holds finite numbers")
    from fractions import Fraction  # Few programs need it.

    # An integer of numpy would be the numerator as it is, of 64 bits.
    exact = Fraction(operator.index(value) if isinstance(value, SupportsIndex) else value)
    if abs(exact) >= LIMIT:
        raise RangeError("resonance-range", f"{value} has a magnitude of 2^63 or more", hint="R holds smaller numbers")
    return round(exact * (1 << FRACTION_BITS))


@checked
def wrapped(sum: int) -> int:
    """A sum modulo 2^128, as a signed integer."""
    return (sum + (1 << (BITS - 1))) % (1 << BITS) - (1 << (BITS - 1))


@checked
class Resonance(Sequence[float]):
    """R after a launch: for each class the sum of what all lanes accumulated. `r[5]` is the nearest float.

    Equal if all 96 sums are, exactly. `fixed` has the sums as multiples of 2^-64, `exact(5)` one as a fraction.
    """

    __slots__ = ("fixed",)

    def __init__(self, fixed: Iterable[int]):
        self.fixed = tuple(wrapped(n) for n in fixed)
        """The sums as multiples of 2^-64."""
        if len(self.fixed) != CLASS_COUNT:
            message = f"R has {CLASS_COUNT} sums, found {len(self.fixed)}"
            raise RangeError("resonance-sums", message, hint="one for each class")

    @staticmethod
    def from_words(words: Sequence[int]) -> Resonance:
        """Read the low and the high 64-bit word of each class, as programs keep them."""
        if len(words) != 2 * CLASS_COUNT:
            message = f"R has {2 * CLASS_COUNT} words, found {len(words)}"
            raise RangeError("resonance-words", message, hint="two for each class")
        pairs = zip(words[::2], words[1::2], strict=True)
        return Resonance((high << 64) + (low & ((1 << 64) - 1)) for low, high in pairs)

    def exact(self, class_: int) -> Fraction:
        """The sum of a class."""
        from fractions import Fraction

        return Fraction(self.fixed[self._class(class_)], 1 << FRACTION_BITS)

    @property
    def total(self) -> float:
        """The sum over all classes, wrapped alike, as the nearest float."""
        return wrapped(sum(self.fixed)) / (1 << FRACTION_BITS)

    def __len__(self) -> int:
        return CLASS_COUNT

    @overload
    def __getitem__(self, index: int) -> float: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[float, ...]: ...
    @checked
    def __getitem__(self, index: int | slice) -> float | tuple[float, ...]:
        if isinstance(index, slice):
            return tuple(n / (1 << FRACTION_BITS) for n in self.fixed[index])
        return self.fixed[self._class(index)] / (1 << FRACTION_BITS)

    def _class(self, index: int) -> int:
        if not -CLASS_COUNT <= index < CLASS_COUNT:
            raise RangeError("resonance-class", f"there is no class {index}", hint="the classes are 0 to 95")
        return index

    def __iter__(self) -> Iterator[float]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        return self.fixed == other.fixed if isinstance(other, Resonance) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.fixed)

    def __repr__(self) -> str:
        entries = ", ".join(f"{number}: {value}" for number, value in enumerate(self) if self.fixed[number])
        return f"Resonance({{{entries}}})"


__all__ = ["BITS", "FRACTION_BITS", "LIMIT", "Resonance", "to_fixed", "wrapped"]
