"""Numbers of Python kernels for Python itself to compute with: their types, and what operators bring them to.

Python runs a kernel on these and is what its compiled form is compared with. The rules are written from
docs/python-kernels.mdx and the specification, and share nothing with the front end.
"""

# Numbers have their operators from a table.
# pyright: basic

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

WIDTHS = {"bool": 1, **{f"{k}{b}": b for k in "iu" for b in (8, 16, 32, 64)}, "f32": 32, "f64": 64}
"""The types that programs use, and their widths."""
FLOATS: dict[str, Any] = {"f32": np.float32, "f64": np.float64}


def wrapped(value: int, dtype: str) -> int:
    """An integer modulo what a type holds."""
    if dtype == "bool":
        return int(value != 0)
    bits = WIDTHS[dtype]
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype[0] == "i" and value >> (bits - 1) else value


def common(a: str, b: str) -> str | None:
    """The type that two types are brought to."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if a in FLOATS or b in FLOATS:
        floats = [t for t in (a, b) if t in FLOATS]
        return max(floats, key=lambda t: WIDTHS[t])
    if a[0] == b[0]:
        return max(a, b, key=lambda t: WIDTHS[t])
    signed, unsigned = sorted((a, b))
    width = max(WIDTHS[signed], 2 * WIDTHS[unsigned])
    return f"i{width}" if width <= 64 else None


class Number:
    """A value of a type. Python's own numbers beside it are literals."""

    def __init__(self, value: Any, dtype: str):
        self.dtype = dtype
        self.value = FLOATS[dtype](value) if dtype in FLOATS else wrapped(int(value), dtype)

    def __repr__(self) -> str:
        return f"{self.dtype}({self.value})"

    def __bool__(self) -> bool:
        return bool(self.value)

    def __index__(self) -> int:
        assert self.dtype not in FLOATS
        return int(self.value)


def cast(value: Any, dtype: str) -> Number:
    """The results of casts such as `f32(...)`."""
    if not isinstance(value, Number):
        return Number(value, dtype)
    if dtype == "bool":
        return Number(value.value != 0, dtype)
    if value.dtype not in FLOATS:
        source = np.array(value.value, np.uint64 if value.value >= 0 else np.int64)
        return Number(source.astype(FLOATS[dtype]) if dtype in FLOATS else value.value, dtype)
    if dtype in FLOATS:
        return Number(value.value, dtype)
    if math.isnan(value.value):
        return Number(0, dtype)
    signed, bits = dtype[0] == "i", WIDTHS[dtype]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return Number(int(min(max(float(value.value), low), high)) if math.isinf(value.value) else
                  min(max(int(value.value), low), high), dtype)  # fmt: skip


def brought(a: Any, b: Any) -> tuple[Number, Number, str]:
    """Two operands in one type."""
    if isinstance(a, Number) and isinstance(b, Number):
        dtype = common(a.dtype, b.dtype)
        assert dtype is not None
    else:
        typed, literal = (a, b) if isinstance(a, Number) else (b, a)
        dtype = typed.dtype
        if isinstance(literal, float) and dtype not in FLOATS:
            dtype = "f32"
        elif type(literal) is int and dtype == "bool":
            dtype = "i64"
    return cast(a, dtype), cast(b, dtype), dtype


def floor_divided(x: Any, y: Any) -> tuple[Any, Any]:
    """Quotient and remainder of two floats of one type, as CPython has them, and numpy of a divisor 0."""
    kind = type(x)
    rest = np.fmod(x, y)
    if not y:
        return x / y, rest
    quotient = (x - rest) / y
    if rest:
        if (y < 0) != (rest < 0):
            rest, quotient = rest + y, quotient - kind(1)
    else:
        rest = np.copysign(kind(0), y)
    if not quotient:
        return np.copysign(kind(0), x / y), rest
    whole = np.floor(quotient)
    return (whole + kind(1) if quotient - whole > kind(0.5) else whole), rest


_OF_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "//": lambda a, b: a // b,
    "%": lambda a, b: a % b, "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
}  # fmt: skip
_OF_FLOATS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "//": lambda a, b: floor_divided(a, b)[0], "%": lambda a, b: floor_divided(a, b)[1],
}  # fmt: skip
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip


def binary(op: str, a: Any, b: Any) -> Number:
    """Two operands under an operator, one of them with a type."""
    if op in ("<<", ">>"):
        x = a if isinstance(a, Number) and a.dtype != "bool" else cast(a, "i64")
        amount = int(b) if not isinstance(b, Number) else b.value
        return Number(x.value << amount if op == "<<" else x.value >> amount, x.dtype)
    if op == "**":
        return power(a, b)
    x, y, dtype = brought(a, b)
    if op in _COMPARE:
        return Number(_COMPARE[op](x.value, y.value), "bool")
    if dtype == "bool" and op not in "&|^":
        x, y, dtype = cast(x, "i64"), cast(y, "i64"), "i64"
    table = _OF_FLOATS if dtype in FLOATS else _OF_INTEGERS
    return Number(table[op](x.value, y.value), dtype)


def power(a: Number, exponent: int) -> Number:
    """A number multiplied with itself."""
    base = cast(a, "i64") if a.dtype == "bool" else a
    found = Number(1, base.dtype)
    for _ in range(exponent):
        found = binary("*", found, base)
    return found


def _operator(op: str, *, swapped: bool = False) -> Callable[[Number, Any], Number]:
    return (lambda a, b: binary(op, b, a)) if swapped else (lambda a, b: binary(op, a, b))


_METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "&": "and",
    "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
for _op, _name in _METHODS.items():
    setattr(Number, f"__{_name}__", _operator(_op))
    setattr(Number, f"__r{_name}__", _operator(_op, swapped=True))
for _op, _name in {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}.items():
    setattr(Number, f"__{_name}__", _operator(_op))


def _negated(a: Number) -> Number:
    base = cast(a, "i64") if a.dtype == "bool" else a
    return Number(-base.value, base.dtype)


def _inverted(a: Number) -> Number:
    base = cast(a, "i64") if a.dtype == "bool" else a
    return Number(~base.value, base.dtype)


def _absolute(a: Number) -> Number:
    return Number(abs(a.value), a.dtype)


def _itself(a: Number) -> Number:
    return cast(a, "i64") if a.dtype == "bool" else a


for _name, _function in {"neg": _negated, "pos": _itself, "invert": _inverted, "abs": _absolute}.items():
    setattr(Number, f"__{_name}__", _function)


def _picked(a: Any, b: Any, *rest: Any, largest: bool) -> Number:
    x, y, dtype = brought(a, b)
    found = Number(max(x.value, y.value) if largest else min(x.value, y.value), dtype)
    return _picked(found, *rest, largest=largest) if rest else found


class Memory:
    """An array, which gives numbers of its type."""

    def __init__(self, data: Any, dtype: str):
        self.data, self.dtype = data, dtype

    @property
    def shape(self) -> list[Number]:
        """The sizes of the array."""
        return [Number(n, "i64") for n in self.data.shape]

    def _place(self, index: Any) -> tuple[int, ...]:
        place = tuple(int(i) for i in (index if isinstance(index, tuple) else (index,)))
        assert all(0 <= i < n for i, n in zip(place, self.data.shape, strict=True)), place
        return place

    def __getitem__(self, index: Any) -> Number:
        return Number(self.data[self._place(index)], self.dtype)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.data[self._place(index)] = cast(value, self.dtype).value


def _counted(*bounds: Any) -> Iterator[Number]:
    return (Number(n, "i64") for n in range(*map(int, bounds)))


def _added(memory: Memory, index: Any, value: Any) -> Number:
    old = memory[index]
    memory[index] = old + value
    return old


def names(lane: Callable[[], int]) -> dict[str, Any]:
    """The Python functions of the names that kernels use."""
    return {
        **{t: (lambda value, t=t: cast(value, t)) for t in WIDTHS},
        "get_global_id": lambda: Number(lane(), "i64"),
        "len": lambda memory: memory.shape[0],
        "range": _counted,
        "min": lambda *values: _picked(*values, largest=False),
        "max": lambda *values: _picked(*values, largest=True),
        "abs": abs,
        "local": lambda _, *sizes: sizes,
        "atomic_add": _added,
    }
