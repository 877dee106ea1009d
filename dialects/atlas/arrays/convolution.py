"""The array-level convolution of images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def

from hologram.dialects.atlas.arrays import reference
from hologram.dialects.atlas.arrays.base import element_dtype
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place, integers_of
from hologram.dialects.atlas.instructions.types import NUMBERS, Array
from hologram.dialects.lazy import np
from hologram.dialects.shapes import DYNAMIC, shape_of
from hologram.errors import InputError, VerifyError, where_of


@irdl_op_definition
class Conv2dOp(ExtensionOp):
    """The sum over c, k, l of x[n, c, i * s0 + k * d0 - p0, j * s1 + l * d1 - p1] * w[o, c, k, l], plus bias[o].

    The ins are images (batch, channels, height, width), weights (filters, channels / groups, height, width), and maybe
    a bias (filters). x is 0 outside of the image. `stride`, `dilation` (1 by default) and `padding` (0 by default) are
    along height and width; four numbers of padding are top, left, bottom, right. Filters and channels are cut into
    `groups` equal parts, each filter sums over its own. An axis of the out has
    (size + padding - dilation * (kernel - 1) - 1) div stride + 1 elements. Floats are accumulated in f32 (f64 for f64)
    in any order with fused multiply-adds, and rounded once with the bias added: a tolerance, not bits. Integers wrap.

    Example::

        atlas.conv2d ins(%x, %w : memref<?x8x?x?xf32>, memref<16x8x3x3xf32>) outs(%y : memref<?x16x?x?xf32>)
          {stride = [1 : i64, 1 : i64], padding = [1 : i64, 1 : i64]}
    """

    name = "atlas.conv2d"
    ARITY: ClassVar[tuple[int, ...]] = (2, 3)
    TYPES: ClassVar[frozenset[str]] = NUMBERS
    stride = opt_prop_def(ArrayAttr[IntegerAttr])
    padding = opt_prop_def(ArrayAttr[IntegerAttr])
    dilation = opt_prop_def(ArrayAttr[IntegerAttr])
    groups = opt_prop_def(IntegerAttr)
    TRAPS: ClassVar[bool] = True

    @property
    def steps(self) -> list[int]:
        """The stride along height and width."""
        return [1, 1] if self.stride is None else integers_of(self.stride)

    @property
    def spread(self) -> list[int]:
        """The dilation along height and width."""
        return [1, 1] if self.dilation is None else integers_of(self.dilation)

    @property
    def pads(self) -> list[int]:
        """The padding: top, left, bottom, right."""
        given = [0, 0] if self.padding is None else integers_of(self.padding)
        return given if len(given) == 4 else given * 2

    @property
    def group_count(self) -> int:
        """The number of groups."""
        return 1 if self.groups is None else self.groups.value.data

    def out_size(self, axis: int, image: int, kernel: int) -> int:
        """The size of the out along height (0) or width (1)."""
        room = image + self.pads[axis] + self.pads[axis + 2] - self.spread[axis] * (kernel - 1) - 1
        return room // self.steps[axis] + 1 if room >= 0 else 0

    def check(self) -> None:
        for number in (0, 1, self.out):
            self.verify_rank(number, 4)
        if len(self.ins) == 3:
            self.verify_rank(2, 1)
        self.verify_types(0, self.TYPES)
        self.verify_element(*self.ins)
        for name, values, least in (("stride", self.steps, 1), ("dilation", self.spread, 1), ("padding", self.pads, 0)):
            if len(values) not in ((4,) if name == "padding" else (2,)) or min(values) < least:
                raise VerifyError(
                    "atlas-conv-numbers", f"{name} of '{self.name}' is two numbers of at least {least}, found {values}"
                )
        x, w, y = (shape_of(self.operands[n].type) for n in (0, 1, self.out))
        groups = self.group_count
        known = x[1] != DYNAMIC and w[1] != DYNAMIC
        if groups < 1 or (w[0] != DYNAMIC and w[0] % groups) or (known and x[1] != w[1] * groups):
            raise VerifyError(
                "atlas-conv-groups",
                f"{x[1]} channels and {w[0]} filters of {w[1]} do not make {groups} groups in '{self.name}'",
            )
        for axis in (0, 1):
            if DYNAMIC in (x[axis + 2], w[axis + 2], y[axis + 2]):
                continue
            expected = self.out_size(axis, x[axis + 2], w[axis + 2])
            if y[axis + 2] != expected:
                raise VerifyError(
                    "atlas-conv-size",
                    f"axis {axis + 2} of the out of '{self.name}' has size {y[axis + 2]}, not {expected}",
                )

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield (0, 0), (self.out, 0)
        yield (1, 0), (self.out, 1)
        if len(self.ins) == 3:
            yield (2, 0), (1, 0)

    def evaluate(self, *ins: Array) -> Array:
        """A sum over the places of the kernel."""
        x, w, *bias = ins
        dtype = element_dtype(self.outs[0])
        wide = reference.wide_type(dtype)
        groups, (top, left, bottom, right) = self.group_count, self.pads
        if x.shape[1] != w.shape[1] * groups or w.shape[0] % groups:
            raise InputError(
                "interpreter-conv-groups",
                f"{x.shape[1]} channels and {w.shape[0]} filters of {w.shape[1]} do not make {groups} groups",
                where=where_of(self),
            )
        # np.pad would put numpy's zeros among Python's integers.
        image = np.zeros((*x.shape[:2], x.shape[2] + top + bottom, x.shape[3] + left + right), wide)
        image[:, :, top : top + x.shape[2], left : left + x.shape[3]] = x
        height, width = (self.out_size(axis, x.shape[axis + 2], w.shape[axis + 2]) for axis in (0, 1))
        total = np.zeros((x.shape[0], groups, w.shape[0] // groups, height, width), wide)
        parts = image.reshape(x.shape[0], groups, w.shape[1], *image.shape[2:])
        filters = w.astype(wide).reshape(groups, w.shape[0] // groups, *w.shape[1:])
        (down, across), (dy, dx) = self.steps, self.spread
        with np.errstate(all="ignore"):
            for k, m in np.ndindex(w.shape[2], w.shape[3]) if height and width else ():
                seen = parts[..., k * dy : k * dy + (height - 1) * down + 1 : down, :]
                seen = seen[..., m * dx : m * dx + (width - 1) * across + 1 : across]
                total += (seen[:, :, None] * filters[None, ..., k, m, None, None]).sum(axis=3)
            result = total.reshape(x.shape[0], w.shape[0], height, width)
            return reference.narrowed(dtype, result + bias[0].astype(wide)[:, None, None] if bias else result)


OPS: list[type[Operation]] = [Conv2dOp]
