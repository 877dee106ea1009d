"""The results that devices that promise only bounds may give: the last paragraph of isa.md section 7.

They may flush subnormals: an operand or a result that is one may be the zero of its sign. They may fuse a product and
the sum it goes into, or not. They round division within 2.5 units in the last place. Nothing else is allowed here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

from hologram.dialects.atlas.instructions.types import DType
from math_expansions.accuracy import FORMATS, error_in, exact_context

FLOATS_OF_BYTES = {"f8E4M3FN": (4, -9, 9), "f8E5M2": (3, -16, 16)}
"""The formats in the form of `FORMATS`; f8E4M3FN has no infinity, and no number past 448."""
DIVISION = 2.5
"""The units in the last place that a quotient may be off by."""
Values = Sequence[float]
_promised = [False]


@contextmanager
def promised(bounds: bool = True) -> Generator[None]:
    """Judges results as those of a device that promises bounds, not bits."""
    _promised.append(bounds)
    try:
        yield
    finally:
        _promised.pop()


def are_promised() -> bool:
    """Return whether results are judged by these bounds."""
    return _promised[-1]


def least_normal(type: str) -> float:
    """The least positive number of a float type that is not subnormal."""
    digits, least, _ = FORMATS.get(type) or FLOATS_OF_BYTES[type]
    return 2.0 ** (least + digits - 1)


def flushed(t: DType, value: Any) -> Values:
    """A value, and if it is subnormal the zero of its sign."""
    if not t.is_float or not value or not abs(value) < least_normal(t.name):
        return [value]
    return [value, math.copysign(0.0, value)]


def operands(t: DType, row: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The operands of an operation, each that is subnormal also as a zero."""
    return product(*(flushed(t, v) for v in row))


def results(t: DType, function: Callable[..., Any], *given: Sequence[Any]) -> Values:
    """All that a function may give of operands that may have several values each."""
    choices = [[w for v in values for w in flushed(t, v)] for values in given]
    found = [w for row in product(*choices) for w in flushed(t, function(*row))]
    return list({repr(w): w for w in found}.values())


def sums(t: DType, steps: dict[str, Callable[..., Any]], a: Values, b: Values, c: Values) -> Values:
    """All that a * b + c may be, fused or not. `steps` has `fma`, `mul` and `add`, rounded once each."""
    return [*results(t, steps["fma"], a, b, c), *results(t, steps["add"], results(t, steps["mul"], a, b), c)]


def quotient_fits(t: DType, found: float, row: tuple[Any, ...]) -> bool:
    """Return whether a quotient is near enough to one of the operands. Types of 16 bits round that of f32 once."""
    bound = DIVISION if t.bits >= 32 else 0.5 + DIVISION * 2.0 ** (FORMATS[t.name][0] - FORMATS["f32"][0])
    for a, b in operands(t, row):
        with exact_context() as context:
            exact = context.div(a, b)
        if error_in(t.name, found, exact) <= bound or vanishes(t, found, exact):
            return True
    return False


def vanishes(t: DType, found: float, exact: Any) -> bool:
    """Return whether a zero stands for a subnormal of its sign."""
    tiny = 0 < abs(exact) < least_normal(t.name)
    return tiny and found == 0 and (exact < 0) == (math.copysign(1.0, found) < 0)
