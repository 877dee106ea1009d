"""Counter-based generators of random bits (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).

A generator is a function of a key and a counter, words of 32 bits each, that has no state: the words for each element
are computed from its place, in any order and on any device, with the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hologram.dialects.atlas.instructions.table import INSTRUCTIONS
from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math
from hologram.frontend.tensors.ops.memory import iota, total
from hologram.frontend.tensors.trace.numbers import extent
from hologram.frontend.tensors.trace.support import broadcast, converted, trace, typed
from hologram.frontend.tensors.trace.trace import Sizes, Traced

Pair = tuple[Any, Any]
Words = Callable[[Pair, Pair], Pair]
"""`(key, counter) -> words`: two words of 32 bits each for a place, of a key of two."""

HALF = 16


class _Words:
    """Shifts of words of a shape by literals, each of which is one tensor for all its uses."""

    def __init__(self, sizes: Sizes):
        self.sizes = sizes
        self.made: dict[int, Traced] = {}

    def word(self, value: int) -> Traced:
        """A literal as a tensor of words."""
        if value not in self.made:
            self.made[value] = broadcast(typed(value, "u32"), self.sizes)
        return self.made[value]

    def left(self, x: Any, by: int) -> Any:
        """x << by, within the width."""
        return math.apply(INSTRUCTIONS["shl"], [x, self.word(by)])

    def right(self, x: Any, by: int) -> Any:
        """x >> by, within the width."""
        return math.apply(INSTRUCTIONS["shr"], [x, self.word(by)])

    def rotated(self, x: Any, by: int) -> Any:
        """The bits of x moved to the left, the first ones to the end."""
        return self.left(x, by) | self.right(x, 32 - by)


# Threefry

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = 0x1BD11BDA


def threefry2x32(key: Pair, counter: Pair) -> Pair:
    """Threefry-2x32 of 20 rounds."""
    words = _Words(_shape(key, counter))
    keys = (*key, key[0] ^ key[1] ^ PARITY)
    x, y = counter[0] + keys[0], counter[1] + keys[1]
    for group in range(1, 6):
        for distance in ROTATIONS[(group - 1) % 2]:
            x = x + y
            y = words.rotated(y, distance) ^ x
        x, y = x + keys[group % 3], y + keys[(group + 1) % 3] + group
    return x, y


# Philox

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)


def philox4x32(key: Pair, counter: Sequence[Any]) -> Sequence[Any]:
    """Philox-4x32 of 10 rounds, of a counter of four words."""
    words = _Words(_shape(key, counter))
    a, b, c, d = counter
    for number in range(10):
        first, second = (k + ((number * w) & 0xFFFFFFFF) for k, w in zip(key, WEYL, strict=True))
        (high_a, low_a), (high_c, low_c) = (_product(words, x, m) for x, m in zip((a, c), MULTIPLIERS, strict=True))
        a, b, c, d = high_c ^ b ^ first, low_c, high_a ^ d ^ second, low_a
    return a, b, c, d


def _product(words: _Words, x: Any, multiplier: int) -> Pair:
    """The high and the low word of a product."""
    wide = math.mul(converted(x, "u64"), multiplier)
    return converted(_high(wide), "u32"), x * multiplier


def _high(wide: Any) -> Any:
    """The high words of integers of 64 bits."""
    return math.apply(INSTRUCTIONS["shr"], [wide, typed(32, "u64")])


def _shape(*groups: Sequence[Any]) -> Sizes:
    return max((v.sizes for group in groups for v in group), key=len)


def philox_words(key: Pair, counter: Pair) -> Pair:
    """The first two words of Philox-4x32 at a place."""
    zero = counter[0] ^ counter[0]
    first, second, *_ = philox4x32(key, (counter[1], counter[0], zero, zero))
    return first, second


GENERATORS: dict[str, Words] = {"threefry": threefry2x32, "philox": philox_words}


# Places


def places(sizes: Sizes) -> Pair:
    """The number of each element of a shape in row-major order, as a high and a low word."""
    whole = total(sizes)
    if trace().facts.holds(whole, "<=", Size.of(1 << 32)):
        low = _numbers(sizes, "u32")
        return low ^ low, low
    wide = _numbers(sizes, "u64")
    return converted(_high(wide), "u32"), converted(wide, "u32")


def _numbers(sizes: Sizes, dtype: str) -> Any:
    numbers: Any = None
    for axis in range(len(sizes)):
        along: Any = iota(sizes, axis, dtype)
        apart = total(sizes[axis + 1 :])
        if apart.constant != 1:
            along = along * typed(extent(trace(), apart), dtype)
        numbers = along if numbers is None else numbers + along
    return broadcast(typed(0, dtype), ()) if numbers is None else numbers
