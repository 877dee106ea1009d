"""The reference of the sparse product: row by row, floats in float64 and rounded once."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas import reference, sparse
from hologram.dialects.atlas.instruction import storage
from hologram.runtime.interpreter import traps
from hologram.runtime.interpreter.machine import Handler
from hologram.runtime.interpreter.search import extension_form
from hologram.runtime.interpreter.values import Array, isa_type


def _sparse_gemm(op: sparse.SparseGemmOp, values: Array, indices: Array, starts: Array, b: Array) -> Array:
    dtype = isa_type(op.ins[0].type)
    wide = np.float64 if dtype.is_float else object
    if not len(starts):
        raise traps.assertion(op, "there must be one row start more than rows of the out")
    out = np.zeros((len(starts) - 1, b.shape[1]), wide)
    with np.errstate(all="ignore"):
        for row, (start, end) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
            if not 0 <= start <= end <= len(values):
                raise traps.assertion(op, "row starts must ascend and end inside of the values")
            for p in range(start, end):
                index = int(indices[p])
                if not 0 <= index < len(b):
                    raise traps.gather_index(op, (p,), index, len(b))
                out[row] += values[p : p + 1].astype(wide)[0] * b[index].astype(wide)
        return reference.narrow(dtype, out) if dtype.is_float else storage(reference.wrap(dtype, out), dtype)


SPARSE: dict[type[Operation], Handler] = {sparse.SparseGemmOp: extension_form(_sparse_gemm)}
"""What executes it."""
