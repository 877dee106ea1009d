"""Comparisons that decide on a float which they compare, on devices that may take subnormal numbers for zeros.

Such a device may find 1e-45 equal to zero and then pass it on, which is neither what the number gives nor what zero
gives (isa.md section 7): the bits of such a number must decide.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue


def chooses_operand(op: arith.CmpfOp) -> bool:
    """Return whether a comparison with zero chooses between the number compared and constants."""
    whole = _before_widening(op.lhs)
    users: list[Any] = [use.operation for use in op.result.uses]
    return any(u.name == "arith.select" and _is_given(u.result, whole) for u in users)


def _is_given(value: SSAValue, operand: SSAValue) -> bool:
    """Return whether a value is chosen between the operand and constants."""
    found, pending = False, [value]
    while pending:
        value = pending.pop()
        owner: Any = value.owner
        if value is operand:
            found = True
        elif isinstance(owner, Block) or owner.name not in ("arith.select", "arith.constant"):
            return False
        elif owner.name == "arith.select":
            pending += [owner.lhs, owner.rhs]
    return found


def _before_widening(value: SSAValue) -> SSAValue:
    """The bf16 that was made an f32 by its bits; the value itself where it is none."""
    source = value
    for name in ("arith.bitcast", "arith.shli", "arith.extui", "arith.bitcast"):
        owner: Any = source.owner
        if isinstance(owner, Block) or owner.name != name:
            return value
        source = owner.operands[0]
    return source
