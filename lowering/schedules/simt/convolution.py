"""The schedule of `atlas.conv2d` for blocks of threads: a product whose right factor is read out of the image.

Filters are rows, places of the out columns, and a sum is over channels and the kernel's places. No array of what is
multiplied is made: tiles of it are gathered into workgroup memory, zeros where the kernel is beside the image.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.convolution import Conv2dOp
from hologram.lowering.arrays.decompositions.convolution import check_sizes
from hologram.lowering.arrays.decompositions.parts import wide_of
from hologram.lowering.rewriting.kernel_builder import Builder, Index, dtype_in, is_dense
from hologram.lowering.schedules.common.gemm_product import Reader, Sums
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu.gemm import WORD
from hologram.lowering.schedules.simt.gemm import GemmParameters, Tiles


@dataclass(frozen=True)
class ConvolutionParameters(GemmParameters):
    """The parameters of the product that a convolution is."""


class _Convolution(Sums):
    """The sums of a convolution: for each image and group, filters x places of the out."""

    def __init__(self, b: Builder, op: Conv2dOp):
        dtype = dtype_in(op.ins[0])
        super().__init__(b, op, dtype, wide_of(dtype))
        self.geometry = op
        self.image, self.weights, *self.bias = (b.rw.value(v) for v in op.ins)
        self.out = b.rw.value(op.outs[0])
        check_sizes(b, op, (self.image, self.weights, self.out))
        images, _, *self.image_size = b.sizes(self.image)
        filters, self.depth, *self.kernel = b.sizes(self.weights)
        self.out_size = b.sizes(self.out)[2:]
        self.batch = [images, op.group_count]
        self.m = b.div(filters, op.group_count)
        self.n = b.product(self.out_size)
        self.k = b.product([self.depth, *self.kernel])
        # Places are one number where they lie one behind the other.
        self.flat_weights = b.collapse(self.weights, [[0], [1, 2, 3]]) if is_dense(self.weights) else None
        self.flat_out = b.collapse(self.out, [[0], [1], [2, 3]]) if is_dense(self.out) else None

    def runs_along_k(self, operand: int) -> bool:
        return operand == 0  # The weights of a filter lie along the sum.

    def reader(self, operand: int, batch: Sequence[Index], at: Index) -> Reader:
        return self._filter(batch, at) if operand == 0 else self._place(batch, at)

    def _filter(self, batch: Sequence[Index], at: Index) -> Reader:
        b = self.b
        number = b.add(b.mul(batch[1], self.m), at)

        def read(k: Index) -> tuple[SSAValue, None]:
            if self.flat_weights is not None:
                return self.widened(b.load(self.flat_weights, [number, k])), None
            return self.widened(b.load(self.weights, [number, *self._split(k)])), None

        return read

    def _place(self, batch: Sequence[Index], at: Index) -> Reader:
        b, op = self.b, self.geometry
        width = self.out_size[1]
        row, column = b.div(at, width), b.rem(at, width)
        first = [b.mul(place, step) for place, step in zip((row, column), op.steps, strict=True)]
        channel = b.mul(batch[1], self.depth)

        def read(k: Index) -> tuple[SSAValue, SSAValue | None]:
            c, *offsets = self._split(k)
            exists: SSAValue | None = None
            places: list[Index] = []
            for axis, (start, offset) in enumerate(zip(first, offsets, strict=True)):
                size, pad = self.image_size[axis], op.pads[axis]
                # Before the image is far behind it, without a sign.
                place = b.sub(b.add(start, b.mul(offset, op.spread[axis])), pad)
                if pad or op.pads[axis + 2]:
                    inside = b.compare("ult", place, size)
                    exists = inside if exists is None else b.both(exists, inside)
                    place = b.min(place, b.sub(size, 1))
                places.append(place)
            return self.widened(b.load(self.image, [batch[0], b.add(channel, c), *places])), exists

        return read

    def _split(self, k: Index) -> list[Index]:
        """The channel, and the place in the kernel."""
        b = self.b
        height, width = self.kernel
        rest = b.rem(k, b.mul(height, width))
        return [b.div(k, b.mul(height, width)), b.div(rest, width), b.rem(rest, width)]

    def finish(self, total: SSAValue, batch: Sequence[Index], row: Index, column: Index) -> None:
        """Adds the bias, rounds once, and stores."""
        b = self.b
        number = b.add(b.mul(batch[1], self.m), row)
        for bias in self.bias:
            total = b.of(self.wide).add(total, self.widened(b.load(bias, [number])))
        total = self.narrowed(total)
        if self.flat_out is not None:
            b.store(total, self.flat_out, [batch[0], number, column])
            return
        width = self.out_size[1]
        b.store(total, self.out, [batch[0], number, b.div(column, width), b.rem(column, width)])


def schedule_conv2d(b: Builder, op: Conv2dOp, target: Target, parameters: ConvolutionParameters) -> None:
    """Tiles where there is anything to sum up, else the bias alone."""
    sums = _Convolution(b, op)

    def one_by_one() -> None:
        # Where the image has no elements, there is nothing to sum up.
        sums.one_by_one(b.select(b.at_most(1, b.product(sums.image_size)), sums.k, 0))

    if sums.wide.bits > WORD:
        return one_by_one()
    elements = b.product([sums.k, *sums.image_size])
    b.choose(b.at_most(1, elements), Tiles(sums, target, parameters).emit, one_by_one)
