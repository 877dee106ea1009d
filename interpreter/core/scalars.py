"""Scalar operations over arrays of lanes: the atlas instructions, and by their means those of arith, math and index.

A function here takes the operation and its operands in storage form, of any shapes that broadcast, and gives the
result. It raises `Trap` with the mask of the lanes that trap; the caller knows how to name them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from hologram.dialects import index
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.scalar import (
    CvtBitsOp,
    CvtOp,
    CvtSatfiniteOp,
    MovImmOp,
    SetccOp,
)
from hologram.dialects.atlas.instructions.upstream import MEANINGS
from hologram.dialects.atlas.lanes import state
from hologram.dialects.atlas.lanes.reductions import WINDOWS
from hologram.errors import InputError, where_of
from hologram.interpreter.core.values import Array, Buffer, Value, dense, isa_type, scalars
from hologram.support.registry import Registry

ROWS = (*scalar.ROWS, *state.ROWS)

ScalarFunction: TypeAlias = Callable[[Any, Sequence[Array]], Value]


def evaluated(op: Any, args: Sequence[Array]) -> Array:
    """What the declaration of an operation says."""
    return op.evaluate(*args)


def _constant(op: Any, args: Sequence[Array]) -> Value:
    return constant(op.value, op.results[0].type)


def constant(attr: Attribute, type: Attribute) -> Value:
    """An attribute's value: a scalar, or a buffer for a dense one."""
    match attr:
        case IntegerAttr() | FloatAttr():
            return scalars([attr.value.data], isa_type(type)).reshape(())
        case DenseIntOrFPElementsAttr():
            return Buffer(dense(attr))  # pyright: ignore[reportUnknownArgumentType]
        case _:
            raise InputError("interpreter-constant", f"the interpreter has no value for the constant {attr}")


def _select(op: arith.SelectOp, args: Sequence[Any]) -> Value:
    """Upstream's select also chooses whole tensors and memrefs."""
    if any(isinstance(a, Buffer) for a in args):
        return args[1] if bool(args[0]) else args[2]
    return MEANINGS[arith.SelectOp].compute(op, args)


SCALARS = Registry[ScalarFunction](
    {
        **dict.fromkeys((*ROWS, SetccOp, CvtOp, CvtBitsOp, CvtSatfiniteOp, *WINDOWS), evaluated),
        **dict.fromkeys((MovImmOp, arith.ConstantOp, index.ConstantOp), _constant),
        **{op: meaning.compute for op, meaning in MEANINGS.items()},
        arith.SelectOp: _select,
    }
)
"""What computes each scalar operation, and constants."""


def may_trap(op: Operation) -> bool:
    """Return whether some operands make the operation trap."""
    return op.name in TRAPPING


TRAPPING = {op.name for op in ROWS if op.INSTRUCTION.traps} | {op.name for op, m in MEANINGS.items() if m.traps}


def unsupported(op: Operation) -> InputError:
    """The interpreter has no meaning for an operation."""
    return InputError(
        "interpreter-operation",
        f"the interpreter does not execute '{op.name}'",
        where=where_of(op),
        hint="it executes the hologram and atlas dialects, and host functions of func, scf, memref, tensor and arith",
    )
