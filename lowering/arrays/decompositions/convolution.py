"""`atlas.conv2d` as products: for some rows of the out, the places of the image that each element sums up side by side.

The image is padded once. Rows of the out are taken so many at a time that what they read stays in the second cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.convolution import Conv2dOp
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.named import integer_attr
from hologram.lowering.arrays.decompositions.parts import Parts, wide_of
from hologram.lowering.rewriting.kernel_builder import Builder, Index, dtype_in
from hologram.transforms.arrays.array_forms import Scalars, axes

COLUMNS = 448
"""The elements of the out, of each channel, that are computed at a time, about."""
SMALL = 128
"""An image of fewer elements, in each channel of the out, is not cut for threads alone."""
DEPTH = 4096
"""Sums up to so many products are taken in one part."""


def check_sizes(b: Builder, op: Conv2dOp, values: Sequence[SSAValue]) -> None:
    """Traps where sizes of the image, the weights and the out that are only known at run time do not fit."""
    image, weights, out = values
    channels, *image_size = b.sizes(image)[1:]
    filters, depth, *kernels = b.sizes(weights)

    def check(actual: Index, expected: Index, text: str) -> None:
        b.check_equal(actual, expected, f"atlas.conv2d: {text}")

    check(channels, b.mul(depth, op.group_count), "the channels are not those of all groups")
    whole = b.mul(b.div(filters, op.group_count), op.group_count)
    check(filters, whole, "the filters do not make equal groups")
    for axis, (size, kernel, out_size) in enumerate(zip(image_size, kernels, b.sizes(out)[2:], strict=True)):
        if isinstance(size, int) and isinstance(kernel, int) and isinstance(out_size, int):
            continue
        room = b.add(size, op.pads[axis] + op.pads[axis + 2])
        needed = b.add(b.mul(b.sub(kernel, 1), op.spread[axis]), 1)
        steps = b.add(b.div(b.sub(b.max(room, needed), needed), op.steps[axis]), 1)
        expected = b.core.select(b.compare("ult", room, needed), b.index(0), b.index(steps))
        check(out_size, expected, f"axis {axis + 2} of the out has another size")


class _Convolution:
    def __init__(self, b: Parts, op: Conv2dOp):
        self.b, self.op = b, op
        image, weights, *bias = (b.rw.value(v) for v in op.ins)
        self.stored = dtype_in(image)
        self.wide = wide_of(self.stored)
        self.batch, self.channels, *self.image_size = b.sizes(image)
        self.filters, self.depth, *self.kernel = b.sizes(weights)
        out = b.rw.value(op.outs[0])
        self.out_size = b.sizes(out)[2:]
        check_sizes(b, op, (image, weights, out))
        self.image = self._padded(image)
        forms = b.forms
        self.places = b.product([self.depth, *self.kernel])
        dense = forms.dense(weights)
        self.weights = forms.widened(forms.reshape(dense, [self.filters, self.places]), self.wide)
        self.bias: list[SSAValue] = bias
        self.target = out if forms.is_dense(out) else forms.like(out)
        self.view = forms.reshape(self.target, [self.batch, self.filters, b.product(self.out_size)])
        self.out = out

    def _padded(self, image: SSAValue) -> SSAValue:
        """The image with zeros around it, in the type it is computed in."""
        b, (top, left, bottom, right) = self.b, self.op.pads
        height, width = self.image_size
        if (top, left, bottom, right) == (0, 0, 0, 0):
            return image
        sizes = [self.batch, self.channels, b.add(height, top + bottom), b.add(width, left + right)]
        out = b.forms.temporary(sizes, self.stored)
        zero = b.constant(0, self.stored)
        with b.parallel(sizes[:2], name="c") as plane:
            with b.loop(0, sizes[2], name="h") as h, b.loop(0, sizes[3], name="w", vector=True) as w:
                b.store(zero, out, [*plane, h, w])
            with b.loop(0, height, name="h") as h, b.loop(0, width, name="w", vector=True) as w:
                b.store(b.load(image, [*plane, h, w]), out, [*plane, b.add(h, top), b.add(w, left)])
        return out

    def emit(self) -> None:
        b, groups = self.b, self.op.group_count
        height, width = self.out_size
        rows = self._rows()
        blocks = self._parts(height, rows)
        filters = b.div(self.filters, groups)
        with b.parallel([self.batch, groups, blocks], name="block") as (image, group, block):
            first = b.mul(block, rows)
            is_even = isinstance(height, int) and isinstance(rows, int) and height % rows == 0
            count = rows if is_even else b.min(rows, b.sub(height, first))
            forms = b.new_forms()
            columns = b.mul(count, width)
            gathered = forms.temporary([self.places, columns], self.wide)
            self._gather(gathered, [image, b.mul(group, self.depth)], first, count)
            start = b.mul(group, filters)
            weights = b.part(self.weights, [start, 0], [filters, self.places])
            out = b.part(self.view, [image, start, b.mul(first, width)], [1, filters, columns], dropped=1)
            self._product(weights, gathered, out, start, filters)
            forms.free()
        if self.target is not self.out:
            b.forms.copy(self.target, self.out)
        b.forms.free()

    def _rows(self) -> Index:
        """Return how many rows of the out are computed at a time.

        One image alone, if it is not small, is cut into an even number of parts, or one thread of two would wait.
        """
        b = self.b
        height, width = self.out_size
        rows = b.max(b.min(height, b.max(1, b.div(COLUMNS, b.max(width, 1)))), 1)
        pairs = b.max(self._parts(height, b.mul(rows, 2)), 1)
        even = b.max(self._parts(height, b.mul(pairs, 2)), 1)
        is_alone = b.both(
            b.at_most(b.mul(self.batch, self.op.group_count), 1), b.at_most(SMALL, b.mul(height, width))
        )  # fmt: skip
        return b.select(is_alone, even, rows)

    def _parts(self, size: Index, part: Index) -> Index:
        b = self.b
        return b.div(b.sub(b.add(size, part), 1), part)

    def _gather(self, target: SSAValue, source: Sequence[Index], first: Index, count: Index) -> None:
        """Row (c, kh, kw) of the target holds what that weight is multiplied with, for each element of the out."""
        b = self.b
        image, channel = source
        (down, across), (dy, dx) = self.op.steps, self.op.spread
        width = self.out_size[1]
        with b.loops([self.depth, *self.kernel], name="k") as (c, kh, kw):
            place = b.add(b.mul(b.add(b.mul(c, self.kernel[0]), kh), self.kernel[1]), kw)
            with b.loop(0, count, name="r") as r:
                h = b.add(b.mul(b.add(first, r), down), b.mul(kh, dy))
                base, start = b.mul(kw, dx), b.mul(r, width)
                with b.loop(0, width, name="w", vector=True) as w:
                    value = b.load(self.image, [image, b.add(channel, c), h, b.add(b.mul(w, across), base)])
                    b.store(b.cvt(self.stored, self.wide, value), target, [place, b.add(start, w)])

    def _product(self, weights: SSAValue, gathered: SSAValue, out: SSAValue, start: Index, filters: Index) -> None:
        b, stored, wide = self.b, self.stored, self.wide
        bias = [b.part(v, [start], [filters]) for v in self.bias]
        finish = None
        if bias or stored is not wide:
            finish = b.forms.region(bias, lambda s, args: self._finished(s, args), [wide.ir])
        maps = [axes(2, 0)] * len(bias)
        gemm = GemmOp([weights, gathered], [out], bias, maps, finish)
        depth = self.places if isinstance(self.places, int) else DEPTH
        used = {"depth": integer_attr(max(1, min(depth, DEPTH))), "small": integer_attr(1 << 40)}
        gemm.attributes["schedule"] = DictionaryAttr(used)
        b.array(gemm)

    def _finished(self, s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        """The sum with its bias, as it is stored."""
        total, *bias = args
        for value in bias:
            total = s.of(self.wide).add(total, s.cvt(self.stored, self.wide, value))
        return s.cvt(self.wide, self.stored, total)


def decompose_conv2d(b: Parts, op: Conv2dOp) -> None:
    """Products of the weights with what they are multiplied with."""
    _Convolution(b, op).emit()
