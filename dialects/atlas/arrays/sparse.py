"""The array-level product of a sparse matrix."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition

from hologram.dialects.atlas.arrays.base import element_dtype
from hologram.dialects.atlas.arrays.extension import ExtensionOp, Place
from hologram.dialects.atlas.arrays.reference import OutOfRange, Unmet, narrowed, wide_type
from hologram.dialects.atlas.instructions.types import NUMBERS, Array
from hologram.dialects.lazy import np
from hologram.dialects.shapes import element_type
from hologram.errors import VerifyError


@irdl_op_definition
class SparseGemmOp(ExtensionOp):
    """The product of a sparse matrix of compressed rows (CSR) with a dense one.

    The ins are values (count), column indices (count), row starts (m + 1) and the dense matrix (k, n): row i of the
    out (m, n) is the sum of values[p] * b[indices[p]] for p from starts[i] to starts[i + 1]. f16 and bf16 are
    summed in f32 and rounded once, integers wrap, and floats may fuse: a tolerance, not bits. Indices may repeat and
    come in any order. A start that lies outside of the values or below the one before it traps, and so does an index
    outside of b's rows.

    Example::

        atlas.sparse_gemm ins(%v, %i, %s, %b : memref<?xf32>, memref<?xi32>, memref<?xi32>, memref<?x?xf32>)
          outs(%c : memref<?x?xf32>)
    """

    name = "atlas.sparse_gemm"
    ARITY: ClassVar[tuple[int, ...]] = (4,)
    TYPES: ClassVar[frozenset[str]] = NUMBERS
    TRAPS: ClassVar[bool] = True

    def check(self) -> None:
        for number, rank in enumerate((1, 1, 1, 2, 2)):
            self.verify_rank(number, rank)
        self.verify_types(0, self.TYPES)
        self.verify_element(self.ins[0], self.ins[3])
        for number in (1, 2):
            self.verify_indices(number)
        kinds = [element_type(v.type) for v in self.ins[1:3]]
        if kinds[0] != kinds[1]:
            raise VerifyError(
                "atlas-sparse-index",
                f"'{self.name}' has indices and starts of one type, found {kinds[0]} and {kinds[1]}",
            )

    def equalities(self) -> Iterator[tuple[Place, Place]]:
        yield (1, 0), (0, 0)
        yield (3, 1), (4, 1)

    def evaluate(self, *ins: Array) -> Array:
        """Row by row."""
        values, indices, starts, b = ins
        dtype = element_dtype(self.ins[0])
        values, b = (x.astype(wide_type(dtype)) for x in (values, b))
        if not len(starts):
            raise Unmet("there must be one row start more than rows of the out")
        out = np.zeros((len(starts) - 1, b.shape[1]), b.dtype)
        with np.errstate(all="ignore"):
            for row, (start, end) in enumerate(pairwise(starts.tolist())):
                if not 0 <= start <= end <= len(values):
                    raise Unmet("row starts must ascend and end inside of the values")
                for p in range(start, end):
                    index = int(indices[p])
                    if not 0 <= index < len(b):
                        raise OutOfRange((p,), index, len(b))
                    out[row] += values[p] * b[index]
            return narrowed(dtype, out)


OPS: list[type[Operation]] = [SparseGemmOp]
