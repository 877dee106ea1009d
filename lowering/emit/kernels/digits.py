"""The bits of floats, and the digits that stand for them."""

from __future__ import annotations

import struct

_PACKED = {"f16": "<e", "f32": "<f", "f64": "<d"}


def decoded(kind: str, pattern: int) -> float:
    """The number that bits stand for."""
    code = _PACKED[kind]
    return struct.unpack(code, pattern.to_bytes(struct.calcsize(code), "little"))[0]


def encoded(kind: str, value: float) -> int:
    """The bits of a number."""
    if kind == "bf16":
        return encoded("f32", value) >> 16
    return int.from_bytes(struct.pack(_PACKED[kind], value), "little")


def shortest(kind: str, value: float) -> str:
    """The fewest digits that read back as the number."""
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        try:
            same = encoded(kind, float(text)) == encoded(kind, value)
        except OverflowError:  # Rounded up beyond the greatest.
            continue
        if same:
            return text if any(c in text for c in ".e") else f"{text}.0"
    return repr(value)
