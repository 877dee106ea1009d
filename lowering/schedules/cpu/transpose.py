"""The CPU schedule of maps that walk an operand across the out (transposes): square blocks, turned on the stack first.

The copy reads whole lines and turns small squares of them in registers; the map then reads and writes whole lines along
the out. The block's lines do not evict each other as those of a matrix with a power of two for its width do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    MemRefType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr

from hologram.dialects.atlas.arrays.general import element_type
from hologram.dialects.layouts import byte_size, layout_of
from hologram.dialects.vector import LoadOp, StoreOp
from hologram.lowering.arithmetic.float8 import is_float8
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import Access, Nest
from hologram.lowering.schedules.common.target import Target


@dataclass
class Block:
    """A block of an operand on the stack: lines along the last dimension, one for each index of `across`."""

    array: SSAValue
    pitch: int
    across: int
    starts: Sequence[Index]

    def place(self, b: Builder, dims: Sequence[Index]) -> Index:
        """The number of the element at the given dimensions."""
        line, column = (b.sub(dims[d], self.starts[d]) for d in (self.across, len(dims) - 1))
        return b.add(b.mul(line, self.pitch), column)

    def load(self, b: Builder, dims: Sequence[Index]) -> SSAValue:
        """The element at the given dimensions."""
        return b.load(self.array, [self.place(b, dims)])


WIDEST = 8
"""The bytes of an element that is turned, at most: wider ones fill the lines of memory that they lie in better, and
tiles of them have no room on a stack or in what threads share."""
Known = Mapping[int, Block]
"""The operands that are read from elsewhere, by number."""


def crossing(nest: Nest, ins: Sequence[Access]) -> int | None:
    """The dimension of an in's innermost axis, where that is not the innermost loop but the in uses this one too."""
    return next((dim for access in ins if (dim := _crosses(nest, access)) is not None), None)


def _crosses(nest: Nest, access: Access) -> int | None:
    last = len(nest.extents) - 1
    dim = access.innermost
    return dim if dim is not None and dim != last and access.uses(last) else None


def tiled(
    b: Builder,
    nest: Nest,
    ins: Sequence[Access],
    across: int,
    tile: int,
    target: Target,
    body: Callable[[Sequence[Index], Known], None],
) -> None:
    """Loops over all dimensions, `across` and the last in blocks of `tile`."""
    last, extents = len(nest.extents) - 1, nest.extents
    steps = [tile if dim in (across, last) else 1 for dim in range(len(extents))]
    with b.parallel(extents, steps, name="tile") as starts:

        def block(dim: int) -> tuple[Index, Index]:
            start = starts[dim]
            return start, extents[dim] if start == 0 else b.min(b.add(start, tile), extents[dim])

        def at(i: Index, j: Index) -> list[Index]:
            return [i if d == across else j if d == last else start for d, start in enumerate(starts)]

        rows, columns = block(across), block(last)
        copied = {n: a for n, a in enumerate(ins) if _crosses(nest, a) == across and is_turned(a)}
        known = {
            n: Block(b.alloca(element_type(a.value.type), tile * tile), tile, across, starts) for n, a in copied.items()
        }
        for n, access in copied.items():
            _Turn(b, access, known[n], at, side_of(access, target)).emit(rows, columns)
        with b.loop(*rows, name="i") as i, b.loop(*columns, name="j", vector=True) as j:
            body(at(i, j), known)


def is_turned(access: Access) -> bool:
    """Return whether an operand that lies across the out is turned first, rather than read as it lies."""
    is_word = (byte_size(element_type(access.value.type)) or 1) <= WIDEST
    return is_word and all(isinstance(e, AffineDimExpr) for e in access.exprs)


def side_of(access: Access, target: Target) -> int:
    """The side of the squares that are turned in registers; 1 where elements are no lanes or not neighbours."""
    type = cast("MemRefType[Attribute]", access.value.type)
    element, layout = type.element_type, layout_of(type)
    size = byte_size(element)
    known = isinstance(element, Float16Type | BFloat16Type | Float32Type | Float64Type) or size in (1, 2, 4, 8)
    # Floats of 8 bits are bytes from the next stage on: no vectors of them are written here.
    if not known or size is None or element == i1 or is_float8(element) or layout is None or layout.strides[-1] != 1:
        return 1
    return max(min(8 if size >= 4 else 16, target.vector_bytes // size), 1)


@dataclass
class _Turn:
    """The copy of an operand to its block."""

    b: Builder
    access: Access
    block: Block
    at: Callable[[Index, Index], list[Index]]
    side: int

    def emit(self, rows: tuple[Index, Index], columns: tuple[Index, Index]) -> None:
        """Squares, then what remains of the lines, then the lines that remain."""
        whole_rows, whole_columns = (self._whole(*ends) for ends in (rows, columns))
        if self.side > 1:
            with (
                self.b.loop(columns[0], whole_columns, self.side, name="j") as j,
                self.b.loop(rows[0], whole_rows, self.side, name="i") as i,
            ):
                self._square(i, j)
            self._elements((whole_rows, rows[1]), (columns[0], whole_columns))
        self._elements(rows, (whole_columns, columns[1]))

    def _whole(self, start: Index, end: Index) -> Index:
        """The end of the last whole square."""
        if self.side == 1:
            return start
        length = self.b.sub(end, start)
        return self.b.add(start, self.b.sub(length, self.b.rem(length, self.side)))

    def _elements(self, rows: tuple[Index, Index], columns: tuple[Index, Index]) -> None:
        b = self.b
        if rows[0] is rows[1] or rows[0] == rows[1] or columns[0] == columns[1]:
            return
        with b.loop(*columns, name="j") as j, b.loop(*rows, name="i") as i:
            where = self.at(i, j)
            b.store(self.access.load(b, where), self.block.array, [self.block.place(b, where)])

    def _square(self, i: Index, j: Index) -> None:
        b, side = self.b, self.side
        kind: VectorType[Any] = VectorType(element_type(self.access.value.type), [side])
        lines: list[SSAValue] = []
        for number in range(side):
            where = self.at(i, b.add(j, number))
            indices = [b.index(b.affine(e, where)) for e in self.access.exprs]
            lines.append(b.op(LoadOp(self.access.value, indices, kind)))
        first = self.block.place(b, self.at(i, j))
        for number, line in enumerate(_turned(b, lines)):
            b.rw.emit(StoreOp(line, self.block.array, [b.index(b.add(first, number * self.block.pitch))]))


def _turned(b: Builder, lines: list[SSAValue]) -> list[SSAValue]:
    """The columns of a square of a power of two of lines: blocks of half the size trade places, then their blocks."""
    side = len(lines)
    step = side // 2
    while step:
        # Lane l of the first comes from the first where bit `step` of l is clear, else from the second, `step` before.
        low = [lane if not lane & step else side + lane - step for lane in range(side)]
        high = [lane + step if not lane & step else side + lane for lane in range(side)]
        for number in range(side):
            if number & step:
                continue
            pair = lines[number], lines[number + step]
            lines[number], lines[number + step] = (_shuffle(b, pair, mask) for mask in (low, high))
        step //= 2
    return lines


def _shuffle(b: Builder, pair: tuple[SSAValue, SSAValue], mask: list[int]) -> SSAValue:
    places = DenseArrayBase.from_list(i64, mask)
    return b.op(vector.ShuffleOp(*pair, places, result_type=cast("VectorType[Attribute]", pair[0].type)))
