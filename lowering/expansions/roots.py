"""Square roots. `math.sqrt` stays: every device has it, correctly rounded."""

from __future__ import annotations

from hologram.lowering.expansions.expression import Expression


def rsqrt(x: Expression) -> Expression:
    """1 / sqrt(x): the root and the quotient are each rounded. +inf at +0, -inf at -0, NaN below."""
    return x.number(1.0) / x.sqrt()
