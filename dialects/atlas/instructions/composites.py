"""Element-wise functions that are compositions of instructions: what each computes is the function that declares it.

Conversions, both front ends and the interpreter call that function, each with a `Composer` of its own.
"""

from __future__ import annotations

from typing import Any

from hologram.dialects.atlas.instructions.declaration import COMPOSITES, Composer, composite
from hologram.dialects.atlas.instructions.dtypes import NUMBERS
from hologram.dialects.atlas.instructions.real_functions import ULPS as ULPS
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS as INSTRUCTIONS
from hologram.dialects.atlas.instructions.table import ROWS as INSTRUCTION_ROWS


@composite(
    NUMBERS,
    "a / b rounded down, Python's //; an integer divided by 0 traps, a float gives a / b.",
    code="a // b",
    tensor="",
)
def floor_div(do: Composer, a: Any, b: Any) -> Any:
    if do.dtype.is_unsigned:
        return do.div(a, b)
    rest = do.rem(a, b)
    below = _apart(do, rest, b)
    if not do.dtype.is_float:
        # From a less the rest it would be wrong near the least integer, where that wraps.
        whole = do.div(a, b)
        return do.sel(below, do.sub(whole, 1), whole)
    # What is left without the rest, divided, rounded to the next whole number, as CPython's float_floor_div.
    exact = do.div(do.sub(a, rest), b)
    whole = do.sel(below, do.sub(exact, 1), exact)
    low = do.floor(whole)
    rounded = do.sel(do.compare("gt", do.sub(whole, low), 0.5), do.add(low, 1), low)
    # A zero has the sign of the quotient, which lies between -1 and 1 then.
    quotient = do.div(a, b)
    floored = do.sel(do.compare("eq", whole, 0), do.mul(quotient, 0), rounded)
    return do.sel(do.compare("eq", b, 0), quotient, floored)


@composite(NUMBERS, "a less b * floor_div(a, b), Python's %; an integer divided by 0 traps.", code="a % b", tensor="")
def mod(do: Composer, a: Any, b: Any) -> Any:
    rest = do.rem(a, b)
    if do.dtype.is_unsigned:
        return rest
    modulo = do.sel(_apart(do, rest, b), do.add(rest, b), rest)
    if not do.dtype.is_float:
        return modulo
    size = do.abs(rest)
    signed = do.sel(do.compare("lt", b, 0), do.neg(size), size)
    return do.sel(do.compare("eq", rest, 0), signed, modulo)


def _apart(do: Composer, rest: Any, b: Any) -> Any:
    """Emit whether C's remainder is not 0 and has another sign than the divisor: Python's quotient is one less then."""
    some = do.compare("ne", rest, 0)
    return do.and_(some, do.xor(do.compare("lt", rest, 0), do.compare("lt", b, 0)))


ROWS = tuple(COMPOSITES.values())
"""The compositions of ours."""


def names_of_ours() -> set[str]:
    """The names of instructions and compositions that are no plug-in's."""
    return {row.name for row in (*INSTRUCTION_ROWS, *ROWS)}


__all__ = ["COMPOSITES", "INSTRUCTIONS", "ROWS"]
