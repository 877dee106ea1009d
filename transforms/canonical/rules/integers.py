"""What upstream's operations on integers compute of constants, in all widths.

Nothing that upstream leaves undefined has a value here: division by zero, least / -1, shifts by the width or more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.dialects import arith
from xdsl.ir import Attribute

from hologram.transforms.canonical.rules.constants import Constant, elementwise

Number: TypeAlias = "int | None"


def _divided(a: int, b: int, up: bool | None) -> Number:
    """The quotient rounded up, down, or towards zero (None)."""
    if b == 0:
        return None
    if up is None:
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return -(-a // b) if up else a // b


def _rest(a: int, b: int) -> Number:
    """The remainder of the division towards zero."""
    return None if b == 0 else a - b * (_divided(a, b, None) or 0)


_SIGNED: dict[str, Callable[[int, int], Number]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divsi": lambda a, b: _divided(a, b, None),
    "ceildivsi": lambda a, b: _divided(a, b, True),
    "floordivsi": lambda a, b: _divided(a, b, False),
    "remsi": _rest,
    "maxsi": max,
    "minsi": min,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
}
_UNSIGNED: dict[str, Callable[[int, int], Number]] = {
    "divui": lambda a, b: _divided(a, b, None),
    "ceildivui": lambda a, b: _divided(a, b, True),
    "remui": _rest,
    "maxui": max,
    "minui": min,
}
_SHIFTS: dict[str, Callable[[int, int], int]] = {
    "shli": lambda a, n: a << n,
    "shrui": lambda a, n: a >> n,
    "shrsi": lambda a, n: a >> n,
}
_OVERFLOWING = ("divsi", "ceildivsi", "floordivsi", "remsi")
BINARY = (*_SIGNED, *_UNSIGNED, *_SHIFTS)
"""The names of what `binary` computes."""
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""The predicates of comparisons by their number."""
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip


def binary(name: str, a: Constant, b: Constant, type: Attribute) -> Attribute | None:
    """What an operation of arith, by its name there, gives of two constants."""
    width = a.width
    if name in _SHIFTS:
        shift = _SHIFTS[name]
        left = a.numbers(unsigned=name == "shrui")
        return elementwise(lambda x, n: shift(x, n) if n < width else None, type, left, b.numbers(unsigned=True))
    unsigned = name in _UNSIGNED
    compute = (_UNSIGNED if unsigned else _SIGNED)[name]
    least = -(1 << (width - 1))

    def checked(x: int, y: int) -> Number:
        """The least number has no opposite."""
        return None if x == least and y == -1 else compute(x, y)

    chosen = checked if name in _OVERFLOWING else compute
    return elementwise(chosen, type, _ordered(a, unsigned), _ordered(b, unsigned))


def compared(predicate: int, a: Constant, b: Constant, type: Attribute) -> Attribute | None:
    """What a comparison of constants gives."""
    name = PREDICATES[predicate]
    unsigned = name[0] == "u"
    holds = _COMPARED[name if name in _COMPARED else name[1:]]
    return elementwise(lambda x, y: int(holds(x, y)), type, _ordered(a, unsigned), _ordered(b, unsigned))


def _ordered(x: Constant, unsigned: bool) -> Sequence[int]:
    """The numbers as operations order them: of one bit, the bit is the sign."""
    numbers = x.numbers(unsigned=unsigned)
    return [-n for n in numbers] if x.width == 1 and not unsigned else numbers


def cast_integer(op: Any, x: Constant) -> Attribute | None:
    """What a conversion between integers gives of a constant."""
    match op:
        case arith.ExtSIOp() | arith.IndexCastOp():
            numbers = _ordered(x, False)
        case _:
            numbers = x.numbers(unsigned=True)
    return elementwise(lambda n: n, op.results[0].type, numbers)
