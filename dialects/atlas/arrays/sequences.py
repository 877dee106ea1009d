"""Array-level instructions of sequence models beside attention: rotary positions and the cache of keys and values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def

from hologram.dialects.atlas.arrays.base import element_dtype
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place, flag
from hologram.dialects.atlas.arrays.reference import Unmet, apply
from hologram.dialects.atlas.instructions.reference import converted
from hologram.dialects.atlas.instructions.types import FLOATS, Array, widened
from hologram.dialects.lazy import np
from hologram.dialects.shapes import DYNAMIC, shape_of
from hologram.errors import VerifyError


@irdl_op_definition
class RopeOp(ExtensionOp):
    """Rotary positions: pair i of each vector of x turned by the angle freqs[s, i], in radians.

    x and the out are (batch, s, heads, d) with d even, freqs is (s, d / 2), of x's type. A pair is elements 2 i and
    2 i + 1; with `halves` elements i and i + d / 2. It becomes (a * cos - b * sin, a * sin + b * cos), each operation
    rounded as written, f16 and bf16 in f32 and rounded once. The in may be the out.

    Example::

        atlas.rope ins(%x, %f : memref<?x?x8x64xf32>, memref<?x32xf32>) outs(%y : memref<?x?x8x64xf32>)
    """

    name = "atlas.rope"
    ARITY: ClassVar[tuple[int, ...]] = (2,)
    FLAGS: ClassVar[frozenset[str]] = frozenset({"halves"})
    TYPES: ClassVar[frozenset[str]] = FLOATS
    halves = opt_prop_def(IntegerAttr)

    @property
    def has_halves(self) -> bool:
        return flag(self.halves)

    def check(self) -> None:
        self.verify_types(0, self.TYPES)
        for number, rank in enumerate((4, 2, 4)):
            self.verify_rank(number, rank)
        self.verify_element(*self.ins)
        size, angles = shape_of(self.ins[0].type)[3], shape_of(self.ins[1].type)[1]
        if size != DYNAMIC and (size % 2 or angles not in (DYNAMIC, size // 2)):
            raise VerifyError(
                "atlas-rope-angles", f"vectors of {size} are no pairs for {angles} angles in '{self.name}'"
            )

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, 2)
        yield (1, 0), (0, 1)

    def evaluate(self, *ins: Array) -> Array:
        """Instruction by instruction."""
        dtype = element_dtype(self.ins[0])
        work = widened(dtype)
        if ins[0].shape[-1] != 2 * ins[1].shape[-1]:
            raise Unmet("the vectors must have two elements for each angle")
        x, angles = (converted(dtype, work, v) for v in ins)
        half, angles = angles.shape[-1], angles[:, None, :]
        pair = (slice(0, half), slice(half, None)) if self.has_halves else (slice(0, None, 2), slice(1, None, 2))
        a, b = (x[..., part] for part in pair)
        cosine, sine = apply("cos", work, angles), apply("sin", work, angles)
        out = np.empty_like(x)
        out[..., pair[0]] = apply("sub", work, apply("mul", work, a, cosine), apply("mul", work, b, sine))
        out[..., pair[1]] = apply("add", work, apply("mul", work, a, sine), apply("mul", work, b, cosine))
        return converted(work, dtype, out)


@irdl_op_definition
class KvCacheUpdateOp(ExtensionOp):
    """The cache, with the rows from a position on replaced by new ones.

    The ins are the cache (..., t, d), the new rows (..., s, d) and the position, an array of rank 0 of i32 or i64. Rows
    that would lie outside of the cache trap. The cache may be the out: then only the new rows are written.

    Example::

        atlas.kv_cache_update ins(%c, %n, %p : memref<8x1024x64xf32>, memref<8x?x64xf32>, memref<i64>)
          outs(%c : memref<8x1024x64xf32>)
    """

    name = "atlas.kv_cache_update"
    ARITY: ClassVar[tuple[int, ...]] = (3,)
    TRAPS: ClassVar[bool] = True

    def check(self) -> None:
        self.verify_types(0, self.TYPES)
        self.verify_rank(0, *range(2, 9))
        for number, rank in ((1, self.rank(0)), (2, 0), (3, self.rank(0))):
            self.verify_rank(number, rank)
        self.verify_element(*self.ins[:2])
        self.verify_indices(2)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield from self.same(0, 3)
        rank = self.rank(0)
        yield from (((1, axis), (3, axis)) for axis in range(rank) if axis != rank - 2)

    def evaluate(self, *ins: Array) -> Array:
        cache, new, position = ins
        start, rows = int(position), new.shape[-2]
        if not 0 <= start <= cache.shape[-2] - rows:
            raise Unmet("the new rows must lie inside of the cache")
        out = cache.copy()
        out[..., start : start + rows, :] = new
        return out


OPS: list[type[Operation]] = [RopeOp, KvCacheUpdateOp]
