"""The element types of kernels: their names in the entry record, on numpy, and as C scalars."""

from __future__ import annotations

import ctypes
import functools
from functools import cached_property
from typing import Any

import numpy as np

from hologram.support.record import Record

LIMBS = {f"{kind}{64 * n}": n for kind in "iu" for n in (2, 4, 8, 16, 32, 64)}
"""The limbs of the integers that have several: in numpy a last axis of u64, the lowest first."""
EXTENDED = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
"""What ml_dtypes calls the types that numpy has not."""
FLOATS_OF_BYTES = ("f8E4M3FN", "f8E5M2")
NAMES = [*"f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool index".split(), *FLOATS_OF_BYTES]
_NUMPY = {
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "bool": "bool",
    "index": "int64",
    **{f"{short}{bits}": f"{long}{bits}" for short, long in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)},
}
_CTYPES: dict[str, Any] = {
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "f16": ctypes.c_float,
    "bf16": ctypes.c_float,
    **dict.fromkeys(FLOATS_OF_BYTES, ctypes.c_int8),
    "bool": ctypes.c_uint8,
    "index": ctypes.c_int64,
    **{f"i{bits}": getattr(ctypes, f"c_int{bits}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": getattr(ctypes, f"c_uint{bits}") for bits in (8, 16, 32, 64)},
}


class DType(Record):
    """One element type."""

    name: str
    numpy: np.dtype[Any]
    ctype: Any
    """How a scalar of this type crosses a C call; f16 and bf16 travel in the low half of a float's register, floats of
    8 bits as integers, and wide integers are passed by a pointer to their limbs."""
    kind: str
    """`int`, `float` or `bool`."""
    limbs: int = 0
    """Of a wide integer: `numpy` is then the bytes of one, as kernels are passed them; callers have limbs."""

    @cached_property
    def range(self) -> tuple[float, float]:
        """The least and the largest finite value."""
        if self.kind == "float":
            info: Any = np.finfo
            if self.name in EXTENDED:
                from ml_dtypes import finfo as info  # pyright: ignore
            limit = float(info(self.numpy).max)
            return -limit, limit
        if self.kind == "bool":
            return 0, 1
        bits = 8 * self.numpy.itemsize
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.name[0] == "i" else (0, (1 << bits) - 1)

    @property
    def alignment(self) -> int:
        """Bytes that an array's first element must be aligned to."""
        return 8 if self.limbs else self.numpy.itemsize

    def to_c(self, value: Any) -> Any:
        """A checked Python value in the form `ctype` takes."""
        if self.name in FLOATS_OF_BYTES:
            return int(np.asarray(value, self.numpy).view(np.int8))
        if self.numpy.itemsize == 2 and self.kind == "float":
            bits = int(np.asarray(value, self.numpy).view(np.uint16))
            return np.uint32(bits).view(np.float32).item()
        if self.limbs:
            size = 8 * self.limbs
            return (ctypes.c_uint64 * self.limbs).from_buffer_copy((value % (1 << 8 * size)).to_bytes(size, "little"))
        return value


@functools.cache
def dtype(name: str) -> DType:
    """The element type called `name`; KeyError if there is none."""
    if (limbs := LIMBS.get(name)) is not None:
        return DType(name, np.dtype(f"V{8 * limbs}"), ctypes.c_void_p, "int", limbs)
    if name in EXTENDED:
        import ml_dtypes

        return DType(name, np.dtype(getattr(ml_dtypes, EXTENDED[name])), _CTYPES[name], "float")
    numpy_type = np.dtype(_NUMPY[name])
    return DType(name, numpy_type, _CTYPES[name], {"f": "float", "b": "bool"}.get(numpy_type.kind, "int"))


def name_of(numpy_type: np.dtype[Any]) -> str:
    """Our name of a numpy element type (`f32`), or numpy's where we have none."""
    return short_name(numpy_type.name)


def short_name(name: str) -> str:
    """Our name of a type that numpy and others call `name`, or that where we have none."""
    known = {**_NUMPY, **EXTENDED}
    return next((short for short, long in known.items() if name == long and short != "index"), name)
