"""How a kernel's arguments reach a Vulkan program: buffers by bindings, scalars in one block (launch ABI)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, IntegerType, f32, f64, i32, i64
from xdsl.ir import Attribute

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
        """Whether they are push constants, not a buffer."""
        return self.size <= PUSH_BYTES


def slot(type: Attribute) -> Attribute:
    """What holds a scalar in the block: 32 or 64 bits, as one number."""
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
