"""Type promotion: numbers that meet in an operation are brought to one type. Types are given by name, without IR.

A literal takes the type of what it meets, and alone is an i64 or an f32. Two types give the wider of their kind; a
float beats integers, and f16 with bf16 gives f32; a signed and an unsigned integer give the signed one if it is wider,
else the signed one of twice the unsigned's bits. bool counts as the least integer.

These are the rules of kernels. Those of arrays (`of_arrays`) are numpy's (NEP 50), where a float is wide enough for the
integers that it meets.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

TYPES = "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64".split()
"""The types that programs in Python have."""
NUMPY = {
    **{f"{kind}int{n}": f"{kind or 'i'}{n}" for kind in ("", "u") for n in (8, 16, 32, 64)},
    **{f"float{n}": f"f{n}" for n in (16, 32, 64)}, "bfloat16": "bf16", "bool_": "bool",
}  # fmt: skip
"""numpy's names of them."""
STORED = ("f8E4M3FN", "f8E5M2")
"""Those that elements of arrays may have too: nothing is computed in them."""


def bits(name: str) -> int:
    """The width of a type."""
    return 1 if name == "bool" else 8 if name in STORED else int(name.lstrip("bfiu"))


def bytes_of(name: str) -> int:
    """Return the bytes that an element of a type takes in memory; an index takes 8."""
    return 8 if name == "index" else -(-bits(name) // 8)


def is_float(name: str) -> bool:
    return name.startswith(("f", "bf"))


def is_unsigned(name: str) -> bool:
    return name.startswith("u")


def alone(number: bool | int | float) -> str:
    """The type of a literal that meets nothing."""
    return "bool" if isinstance(number, bool) else "i64" if isinstance(number, int) else "f32"


def with_literal(name: str, number: bool | int | float) -> str:
    """The type of a value and a literal: the value's, unless the literal is of a higher kind."""
    if isinstance(number, float) and not is_float(name):
        return "f32"
    if isinstance(number, int) and not isinstance(number, bool) and name == "bool":
        return "i64"
    return name


@cache
def promoted(a: str, b: str) -> str | None:
    """The type that two types are brought to; None if no type holds both."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if is_float(a) and is_float(b):
        return "f32" if bits(a) == bits(b) else max(a, b, key=bits)
    if is_float(a) or is_float(b):
        return a if is_float(a) else b
    if is_unsigned(a) == is_unsigned(b):
        return max(a, b, key=bits)
    signed, unsigned = (b, a) if is_unsigned(a) else (a, b)
    wide = max(bits(signed), 2 * bits(unsigned))
    return f"i{wide}" if wide <= 64 else None


@cache
def of_arrays(a: str, b: str) -> str:
    """The type that the elements of two arrays are brought to, as by numpy.result_type: a float with an integer gives
    the least float that is no narrower and holds all integers of the type, or f64; i64 with u64 gives f64."""
    if is_float(a) == is_float(b) or "bool" in (a, b):
        return promoted(a, b) or "f64"
    number, whole = (a, b) if is_float(a) else (b, a)
    least = next((t for t, width in (("f16", 8), ("f32", 16)) if bits(whole) <= width), "f64")
    return number if bits(number) >= bits(least) else least


def wide(name: str) -> str:
    """The type that sums and products of many elements are taken in, as in numpy: 64 bits for integers and truth
    values, and a float's own."""
    return name if is_float(name) else "u64" if is_unsigned(name) else "i64"


def shown(number: bool | int | float) -> str:
    """A literal for a message: of a very large one its size."""
    if isinstance(number, int) and number.bit_length() > 256:
        return f"an integer of {number.bit_length()} bits"
    return str(number)


@cache
def span(name: str) -> tuple[int, int]:
    """The least and the greatest number of an integer type."""
    if name == "bool":
        return 0, 1
    return (0, (1 << bits(name)) - 1) if is_unsigned(name) else (-(1 << bits(name) - 1), (1 << bits(name) - 1) - 1)


def fits(number: bool | int | float, name: str) -> bool:
    """Return whether a literal is a number of a type: an integer in its range.

    Floats round, too large ones to infinity; an integer is none that no float reaches.
    """
    if is_float(name):
        return not isinstance(number, int) or number.bit_length() <= 1023
    low, high = span(name)
    return not isinstance(number, float) and low <= int(number) <= high


FOLDED: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "//": lambda a, b: a // b, "%": lambda a, b: a % b, "**": lambda a, b: a**b, "&": lambda a, b: a & b,
    "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
"""What the operators give of two literals, as Python computes them."""
_LARGEST_POWER = 64
_LARGEST_BITS = 4096


def is_large(op: str, a: int, b: int) -> bool:
    """Return whether an operation of two literals would take long, or much memory."""
    if max(a.bit_length(), b.bit_length()) > _LARGEST_BITS:
        return True
    return (op == "**" and abs(b) > _LARGEST_POWER) or (op == "<<" and b > _LARGEST_BITS)
