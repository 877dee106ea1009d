"""What users may ask of element types: `hologram.dtype`, `hologram.dtypes`, `hologram.native_types`."""

from __future__ import annotations

from typing import Any

from hologram.dialects.atlas.instructions.dtypes import DTYPES, DType
from hologram.errors import UsageError, did_you_mean
from hologram.support import promotion

_EVERYWHERE = ("f32", "i32", "u32", "bool")
"""The types that every device computes with."""
_PROCESSOR = frozenset({"f64", "i8", "i16", "i64"})
"""What processors have beyond that: f16 and bf16 are computed in f32, and rounded."""


def dtype(given: Any) -> DType:
    """An element type by its name (`f32`, `float32`), by numpy's type or dtype, or by a word of `hologram.language`.

    It says its `bits` and `bytes`, whether it `is_float`, `is_integer`, `is_signed`, `is_unsigned` or `is_bool`, the
    finite `min` and `max`, `eps`, `smallest_normal` and `smallest_subnormal`, the `limbs` of wide integers, and its
    `numpy` dtype.
    """
    if isinstance(given, DType):
        return given
    name = getattr(given, "hologram_word", given)
    name = promotion.NUMPY.get(name, name) if isinstance(name, str) else _numpy_name(name)
    if name not in DTYPES:
        hint = did_you_mean(name, DTYPES) or f"the types are {', '.join(DTYPES)}"
        raise UsageError("dtype-name", f"there is no element type '{name}'", hint=hint)
    return DTYPES[name]


def _numpy_name(given: Any) -> str:
    import numpy as np

    from hologram.runtime.dtypes import name_of

    try:
        return str(given) if given is None else name_of(np.dtype(given))
    except (TypeError, ValueError):
        return str(given)


def dtypes() -> tuple[DType, ...]:
    """All element types: floats, signed and unsigned integers, bool, and the floats of 8 bits."""
    return tuple(DTYPES.values())


def native_types(device: str = "cpu") -> tuple[DType, ...]:
    """The types that a device computes with itself. What others are, emulated with the same results or refused with the
    reason, is in the table of docs/devices/conformance. Floats of 8 bits are stored and converted everywhere."""
    from hologram.runtime.devices import find_device, open_device

    name = find_device(device)
    features = _PROCESSOR if name == "cpu" else open_device(name).limits.features
    return tuple(t for t in DTYPES.values() if t.name in _EVERYWHERE or t.name.replace("u", "i") in features)
