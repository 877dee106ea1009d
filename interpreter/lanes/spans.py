"""`reduce.*` over elements of memory: what each lane reads, combined in the fixed association."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hologram.dialects.atlas.arrays.base import Kind
from hologram.dialects.atlas.arrays.reference import combine
from hologram.dialects.atlas.instructions.storage import view
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes.reductions import SPANS, SpanOp
from hologram.interpreter.core.values import Array, isa_type
from hologram.interpreter.lanes import pointers
from hologram.interpreter.lanes.accesses import locate
from hologram.interpreter.lanes.batch import LANES, Batch
from hologram.interpreter.lanes.memory import Memory, Pointer


@LANES.on(*SPANS)
def reduce_span(batch: Batch, op: SpanOp, args: list[Any], mask: Array) -> Sequence[Array]:
    """Lanes of one length together; those of none read nothing."""
    place, *indices, n = args
    active = np.flatnonzero(mask)
    lengths = view(batch.select(n, active), DTYPES["u64"])
    storage = isa_type(op.dtype.ir).numpy
    result = np.zeros(batch.count, storage)
    for length in map(int, np.unique(lengths)):
        lanes = active[lengths == length]
        if not length:
            result[lanes] = combine(Kind(op.KIND), op.dtype, np.zeros((len(lanes), 0), storage))
            continue
        size = length * op.dtype.bytes
        pointer, offsets = _start(batch, op, place, indices, lanes)
        for part in pointers.accessed(batch, op, pointer, offsets, lanes, size):
            pointers.check_order(batch, op, part, lambda shadow: shadow.load, size)
            result[part.active] = combine(Kind(op.KIND), op.dtype, pointers.read(batch, op, part, size))
    return (result,)


def _start(
    batch: Batch, op: SpanOp, place: Memory | Pointer, indices: Sequence[Array], lanes: Array
) -> tuple[Pointer, Sequence[Array]]:
    """Where the first element lies, as a pointer and the offsets that it takes."""
    if isinstance(place, Pointer):
        return place, indices
    index = locate(batch, op, place, indices, lanes)
    own = index if place.lead is None else index[1:]
    number = np.ravel_multi_index(own, place.shape) if own else np.zeros(len(lanes), np.int64)
    pointer = pointers.into(op, place, op.memref.type, np.zeros((), np.int64))
    return pointer, [batch.spread(number.astype(np.int64) * place.element_bytes, lanes)]
