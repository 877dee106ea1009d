"""Array-level instructions of attention: attention itself, with and without memory for all scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import Float64Type, FloatAttr, IntegerAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def

from hologram.dialects.atlas.arrays.base import element_dtype
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place, flag
from hologram.dialects.atlas.instructions.reference import narrow
from hologram.dialects.atlas.instructions.types import FLOATS, Array
from hologram.dialects.lazy import np
from hologram.errors import VerifyError


class AttendOp(ExtensionOp):
    """What attention and flash_attention share: in 0 to in 2 are queries, keys and values, the optional in 3 a mask."""

    ARITY: ClassVar[tuple[int, ...]] = (3, 4)
    FLAGS: ClassVar[frozenset[str]] = frozenset({"causal"})
    TYPES: ClassVar[frozenset[str]] = FLOATS
    causal = opt_prop_def(IntegerAttr)
    scale = opt_prop_def(FloatAttr[Float64Type])

    @property
    def is_causal(self) -> bool:
        return flag(self.causal)

    def check(self) -> None:
        rank = self.rank(0)
        self.verify_types(0, self.TYPES)
        self.verify_rank(0, *range(2, 9))
        for number in (1, 2, self.out):
            self.verify_rank(number, rank)
        if len(self.ins) == 4:
            self.verify_rank(3, 2, rank)
        self.verify_element(*self.ins)

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        rank, out = self.rank(0), self.out
        rows, columns = rank - 2, rank - 1
        for number in (0, 1, 2):
            yield from (((number, axis), (out, axis)) for axis in range(rows))
        yield (0, rows), (out, rows)
        yield (1, columns), (0, columns)
        yield (2, rows), (1, rows)
        yield (2, columns), (out, columns)
        if len(self.ins) == 4:
            last = self.rank(3)
            yield (3, last - 2), (0, rows)
            yield (3, last - 1), (1, rows)
            yield from (((3, axis), (out, axis)) for axis in range(last - 2))

    def evaluate(self, *ins: Array) -> Array:
        """softmax(scale * q k^T + mask) v in float64, rounded once."""
        dtype = element_dtype(self.outs[0])
        q, k, v, *mask = (x.astype(np.float64) for x in ins)
        scale = np.sqrt(1.0 / max(q.shape[-1], 1)) if self.scale is None else self.scale.value.data
        with np.errstate(all="ignore"):
            scores = scale * (q @ k.swapaxes(-1, -2))
            if mask:
                scores = scores + mask[0]
            queries, keys = scores.shape[-2:]
            if self.is_causal:
                scores = np.where(np.tri(queries, keys, keys - queries, dtype=np.bool_), scores, -np.inf)
            if keys == 0:
                return np.zeros((*q.shape[:-1], v.shape[-1]), dtype.numpy)
            e = np.exp(scores - scores.max(-1, keepdims=True))
            return narrow(dtype, (e / e.sum(-1, keepdims=True)) @ v)


@irdl_op_definition
class AttentionOp(AttendOp):
    """softmax(scale * q k^T + mask) v over the last two axes; leading axes are a batch (batch and heads).

    q is (..., s, d), k (..., t, d), v (..., t, e), the out (..., s, e). `scale` is 1 / sqrt(d) by default. The mask,
    the optional fourth in, is (s, t) or (..., s, t) and is added to the scores: -inf leaves a key out. With `causal`
    query i sees the keys up to i + t - s, so that the last query sees all. A query that sees no key at all gives NaN,
    and 0 where there are no keys. Sums are taken in f32 (f64 for f64) in any order and only the result is rounded: a
    tolerance, not bits.

    Example::

        atlas.attention ins(%q, %k, %v : memref<8x?x64xf32>, memref<8x?x64xf32>, memref<8x?x64xf32>)
          outs(%o : memref<8x?x64xf32>) {causal = 1 : i64}
    """

    name = "atlas.attention"


@irdl_op_definition
class FlashAttentionOp(AttendOp):
    """`atlas.attention` in memory that does not grow with the scores: `block_size` keys (512 by default) at a time.

    The running maximum and sum of a query scale what the blocks before gave: the same value within the tolerance.

    Example::

        atlas.flash_attention ins(%q, %k, %v : memref<8x?x64xf32>, memref<8x?x64xf32>, memref<8x?x64xf32>)
          outs(%o : memref<8x?x64xf32>) {block_size = 256 : i64}
    """

    name = "atlas.flash_attention"
    block_size = opt_prop_def(IntegerAttr)

    @property
    def block(self) -> int:
        """The keys that are taken at a time."""
        return 512 if self.block_size is None else self.block_size.value.data

    def check(self) -> None:
        super().check()
        if self.block < 1:
            raise VerifyError(
                "atlas-flash-block", f"'{self.name}' takes blocks of one key at least, found {self.block}"
            )


OPS: list[type[Operation]] = [AttentionOp, FlashAttentionOp]
