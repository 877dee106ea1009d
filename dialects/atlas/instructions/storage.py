"""Storage form: how lanes of values are held, and how a reference function says that some of them trapped.

SSA values are signless, so integers are held signed, `i1` as bool, and integers beyond 64 bits as Python's integers.
"""

from __future__ import annotations

from typing import Any

from hologram.dialects.atlas.instructions.dtypes import DTYPES, Array, DType
from hologram.dialects.lazy import np


class Trap(Exception):
    """Raised by a reference function: `lanes` is a mask of those that trapped."""

    def __init__(self, reason: str, lanes: Array):
        super().__init__(reason)
        self.reason = reason
        self.lanes = lanes


def wrap(t: DType, values: Any) -> Array:
    """Integers modulo 2^bits, in the range of `t`; numpy's own arithmetic already wraps up to 64 bits."""
    values = np.asarray(values)
    if t.bits <= 64 and values.dtype != object:
        return values.astype(t.numpy)
    span, least = 1 << t.bits, int(t.least)
    return np.array([(int(v) - least) % span + least for v in np.ravel(values)], t.numpy).reshape(np.shape(values))


def view(lanes: Array, dtype: DType) -> Array:
    """Lanes in storage form, read as `dtype`."""
    lanes = np.asarray(lanes)
    if dtype.bits > 64:
        return wrap(dtype, lanes)
    return lanes if lanes.dtype == dtype.numpy else lanes.view(dtype.numpy)


def storage(lanes: Array, dtype: DType) -> Array:
    """Lanes of `dtype` in storage form."""
    if dtype.bits > 64:
        return wrap(DTYPES[f"i{dtype.bits}"], lanes)
    lanes = lanes.astype(dtype.numpy, copy=False)
    return lanes.view(DTYPES[f"i{dtype.bits}"].numpy) if dtype.kind == "unsigned" else lanes
