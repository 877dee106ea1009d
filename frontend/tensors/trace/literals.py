"""Numbers as MLIR writes them."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from hologram.support import promotion

_PATTERNS = {"f64": (">d", ">Q", 16), "f32": (">f", ">I", 8), "f16": (">e", ">H", 4)}


def literal(value: bool | int | float, dtype: str) -> str:
    """A number of a type as MLIR writes it."""
    if dtype == "bool":
        return "1" if value else "0"
    if not promotion.is_float(dtype):
        bits = promotion.bits(dtype)
        return str(value - (1 << bits) if value >= 1 << (bits - 1) else int(value))
    number = float(value)
    if math.isfinite(number):
        text = repr(number)
        return text if "." in text or "e" not in text else text.replace("e", ".0e")
    if dtype == "bf16":
        return f"0x{struct.unpack('>I', struct.pack('>f', number))[0] >> 16:04X}"
    packed, whole, digits = _PATTERNS[dtype]
    return f"0x{struct.unpack(whole, struct.pack(packed, number))[0]:0{digits}X}"


def real(value: float) -> str:
    """An attribute of f64."""
    return f"{literal(float(value), 'f64')} : f64"


def integers(values: Sequence[int]) -> str:
    """An array attribute of i64."""
    return f"[{', '.join(f'{v} : i64' for v in values)}]"
