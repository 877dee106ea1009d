"""The interface of a Vulkan program (launch ABI): buffers by bindings, scalars in one block, and the trap record.

The record is sixteen words of 32 bits, since few devices exchange 64.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, IntegerType, f32, f64, i32, i64
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import spirv
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.targets.spirv import build as sb

PUSH_BYTES = 128
"""What every device takes as push constants; larger blocks of scalars are a buffer behind the others."""
BOUND = 16
"""The most buffers that have bindings. Kernels with more get all their buffers as addresses, before the scalars."""
GRID = ("grid_x", "grid_y", "grid_z")
"""What follows the scalars: the sizes of the whole grid, of which a dispatch may be a part."""


@dataclass(frozen=True)
class Block:
    """The members of a block of scalars."""

    types: tuple[Attribute, ...]
    offsets: tuple[int, ...]
    size: int

    @property
    def is_pushed(self) -> bool:
        """Return whether they are push constants, not a buffer."""
        return self.size <= PUSH_BYTES


def slot(type: Attribute) -> Attribute:
    """The type that holds a scalar in the block: 32 or 64 bits, as one number."""
    if isinstance(type, IndexType):
        return i32
    if isinstance(type, IntegerType):
        return i64 if type.bitwidth > 32 else i32
    return type if type in (f32, f64) else i32


def scalar_block(scalars: Sequence[Attribute], firsts: Collection[int] = ()) -> Block:
    """The block for scalars of these types: each at the next multiple of its size, then the grid's sizes.

    `firsts` are the places of those that are the first half of a number of 64 bits, and aligned as that.
    """
    types = [*map(slot, scalars), *[i32] * len(GRID)]
    offsets: list[int] = []
    end = 0
    for place, type in enumerate(types):
        size = 8 if type in (i64, f64) else 4
        alignment = 8 if place in firsts else size
        end = -(-end // alignment) * alignment
        offsets.append(end)
        end += size
    return Block(tuple(types), tuple(offsets), end)


def record_trap(rw: Rewriter, words: Sequence[SSAValue]) -> None:
    """Fills the record with site, lane and values, unless a lane did before. The first word holds the site plus 1.

    Numbers come whole, or in halves where the device has no integers of 64 bits.
    """
    x, zero = sb.Spirv(rw), sb.constant(rw, 0)
    number = x.add(x.resize(words[0], i32), 1)

    def fill() -> None:
        # Nobody reads the record before the launch has ended, so nothing is ordered by the claim.
        old = sb.compare_exchange(rw, _word(rw, 0), number, zero, spirv.ScopeAttr("Device"))
        with sb.selection(rw, x.compare("eq", old, zero)):
            halves = [half for word in words for half in x.words(word)]
            for place, half in enumerate(halves[2:], 2):
                sb.store(rw, _word(rw, place), half)

    sb.guarded(rw, fill)


def _word(rw: Rewriter, number: int) -> SSAValue:
    """A pointer to a word of the record."""
    kernel = sb.kernel_of(rw)
    assert kernel.trap is not None, "flatten-kernels passes the record to what may trap"
    place = (sb.constant(rw, 0), sb.constant(rw, number))
    return sb.element(rw, kernel.trap, place, i32)
