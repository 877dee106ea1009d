"""The arguments of a kernel on WebGPU: bindings of buffers, several arrays in one buffer, scalars, parts of a grid."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from hologram.runtime.devices.handles import Place
from hologram.runtime.devices.protocol import KernelArgument, KernelInfo

SMALLEST_INDEX, LARGEST_INDEX = -(1 << 31), (1 << 31) - 1
PART_ALIGNMENT = 16
"""Of arrays that lie in one buffer with others."""
LEAST_BYTES, WORDS_BYTES = 16, 32
"""Of a binding, and where buffers are read by vectors of words: no element has more, and no allocation has less behind
what a binding can begin at."""
_COMPUTE = 4
"""The stage that sees the bindings."""


def words(nbytes: int) -> int:
    """Bytes rounded up to whole words, at least one: what can be bound or copied."""
    return max(-(-nbytes // 4) * 4, 4)


def binding(number: int, place: Place[Any], least: int = LEAST_BYTES) -> dict[str, Any]:
    """A buffer from a place to its allocation's end, `least` bytes at least, for a bind group."""
    # Less than an element may not be bound, though it be of an empty array: that can lie anywhere.
    offset, size = (place.offset, max(words(place.left), least)) if place.left else (0, least)
    return {"binding": number, "resource": {"buffer": place.handle, "offset": offset, "size": size}}


def layout_of(kernel: KernelInfo) -> list[dict[str, Any]]:
    """The bindings of a kernel: its buffers, the one of those that are joined, then its scalars."""
    buffers = [a for a in kernel.arguments if a.is_buffer]
    kinds = [a.access == "read" for a in buffers if not a.joined]
    if joined := [a.access == "read" for a in buffers if a.joined]:
        kinds.append(all(joined))
    types = [{"type": "read-only-storage" if only_read else "storage"} for only_read in kinds]
    buffers_of = [*types, {"type": "uniform", "has_dynamic_offset": True}]
    return [{"binding": i, "visibility": _COMPUTE, "buffer": buffer} for i, buffer in enumerate(buffers_of)]


@dataclass(frozen=True)
class Part:
    """An array that lies in one buffer with others while a kernel runs."""

    place: Place[Any]
    begin: int
    """Where it begins there."""
    nbytes: int
    """The whole words that are copied there."""
    back: int
    """Those that are copied back: none of what is only read, nor what another argument begins with."""


def join(arguments: Sequence[KernelArgument], places: Sequence[Place[Any]]) -> tuple[list[Part], int]:
    """The parts that the joined ones of a kernel's buffers become, and the bytes of all."""
    parts: list[Part] = []
    end = 0
    for argument, place in zip(arguments, places, strict=True):
        if not argument.joined:
            continue
        begin = -(-end // PART_ALIGNMENT) * PART_ALIGNMENT
        others = [p.offset for p in places if p.start == place.start and p.offset > place.offset]
        changed = 0 if argument.access == "read" else min([place.nbytes, *others]) - place.offset
        parts.append(Part(place, begin, words(place.left), words(changed) if changed else 0))
        end = begin + words(place.left)
    return parts, end


def parts_of(grid: Sequence[int], most: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """A grid as dispatches of at most so many blocks along each axis: the first block and the sizes of each."""
    starts = product(*(range(0, size, step) for size, step in zip(reversed(grid), reversed(most), strict=True)))
    for backwards in starts:
        first = backwards[::-1]
        yield first, tuple(min(n, m - at) for n, m, at in zip(most, grid, first, strict=True))


def pack_scalars(arguments: Sequence[KernelArgument], values: Sequence[int | bytes]) -> bytes:
    """A kernel's scalars as WGSL lays out a struct of them.

    Those of 8 and 16 bits take a word of 32. An index takes one too; where it does not fit it becomes 2^31 - 1, which
    no array reaches.
    """
    packed = bytearray()
    for argument, value in zip(arguments, values, strict=True):
        if isinstance(value, int):
            continue
        if argument.dtype == "index":
            (index,) = struct.unpack("<q", value)
            fits = SMALLEST_INDEX <= index <= LARGEST_INDEX
            value = struct.pack("<i", index if fits else LARGEST_INDEX)
        elif len(value) < 4:
            value = value + bytes(4 - len(value))
        packed += bytes(-len(packed) % len(value)) + value
    return bytes(packed)


def pack_struct(scalars: bytes, grid: Sequence[int], first: Sequence[int], begins: Sequence[int]) -> bytes:
    """The whole struct: behind the scalars the grid's sizes, a dispatch's first block, where joined buffers begin."""
    packed = scalars + bytes(-len(scalars) % 4) + struct.pack(f"<{6 + len(begins)}I", *grid, *first, *begins)
    return packed + bytes(-len(packed) % 16)
