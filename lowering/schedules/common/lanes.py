"""Combining values and accumulators: on scalars, on vectors, and all lanes of an array in memory by halving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.vector import LoadOp
from hologram.dialects.verbs import read_as
from hologram.lowering.rewriting.kernel_builder import Builder


def combine(b: Builder, kind: Kind, dtype: DType, x: SSAValue, y: SSAValue, *, loose: bool = False) -> SSAValue:
    """x op y, of scalars or of vectors. A `loose` maximum of floats may miss NaN and take either zero, which is one
    instruction rather than six."""
    if loose and kind is Kind.max_nan:
        assert dtype.is_float
        return b.core.select(b.core.compare("ogt", y, x), y, x)
    if not isinstance(x.type, VectorType):
        return b.of(dtype).apply(kind, x, y)
    verb = read_as(kind.removesuffix(".nan"), signed=not dtype.is_float and not dtype.is_unsigned)
    found = b.core.binary(verb, x, y)
    if not dtype.is_float or kind not in (Kind.min, Kind.max):
        return found
    # minimumNumber and maximumNumber give the operand that is no NaN.
    x_nan, y_nan = (b.core.compare("uno", v, v) for v in (x, y))
    return b.core.select(x_nan, y, b.core.select(y_nan, x, found))


def has_vectors(dtype: DType) -> bool:
    """Return whether `combine` takes vectors of a type."""
    return dtype.bits in (32, 64) if dtype.is_float else dtype.bits in (8, 16, 32, 64)


def halve(
    b: Builder, kind: Kind, dtype: DType, array: SSAValue, lanes: int, vector_bytes: int, *, loose: bool = False
) -> SSAValue:
    """Combines `lanes` (a power of two) elements of an array: k with k + lanes / 2, then + lanes / 4, ... + 1."""
    if lanes == 1:
        return b.load(array, [0])
    if not has_vectors(dtype) or vector_bytes * 8 <= dtype.bits:
        return _halve_scalars(b, kind, dtype, array, lanes, loose)
    wide = min(vector_bytes * 8 // dtype.bits, lanes)
    type: VectorType[Any] = VectorType(dtype.ir, [wide])
    parts = [b.op(LoadOp(array, [b.index(at)], type)) for at in range(0, lanes, wide)]
    vector = halved(b, kind, dtype, parts, loose=loose)
    while wide > 2:
        wide //= 2
        low, high = (b.op(_part(vector, start, wide)) for start in (0, wide))
        vector = combine(b, kind, dtype, low, high, loose=loose)
    first, second = (b.op(xdsl_vector.ExtractOp(vector, [n], dtype.ir)) for n in (0, 1))
    return combine(b, kind, dtype, first, second, loose=loose)


def halved(b: Builder, kind: Kind, dtype: DType, values: Sequence[SSAValue], *, loose: bool = False) -> SSAValue:
    """Combine values, a power of two of them: the first with the first of the second half, and so on."""
    while len(values) > 1:
        half = len(values) // 2
        values = [combine(b, kind, dtype, values[k], values[k + half], loose=loose) for k in range(half)]
    return values[0]


def _part(vector: SSAValue, start: int, count: int) -> xdsl_vector.ShuffleOp:
    """Some neighbouring lanes."""
    kind: Any = vector.type
    return xdsl_vector.ShuffleOp(
        vector,
        vector,
        DenseArrayBase.from_list(i64, list(range(start, start + count))),
        result_type=VectorType(kind.element_type, [count]),
    )


def _halve_scalars(b: Builder, kind: Kind, dtype: DType, array: SSAValue, lanes: int, loose: bool) -> SSAValue:
    half = lanes // 2
    while half:
        with b.loop(0, half, name="l", vector=True) as lane:
            here, there = b.load(array, [lane]), b.load(array, [b.add(lane, half)])
            b.store(combine(b, kind, dtype, here, there, loose=loose), array, [lane])
        half //= 2
    return b.load(array, [0])
