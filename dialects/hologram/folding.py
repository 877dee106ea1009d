"""Folding of constant tensors, by the reference functions of the scalar instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.traits import ConstantLike

from hologram.dialects.atlas.instructions.instruction import Instruction, constant_attr, constant_lanes
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.hologram.base import dtype_in
from hologram.dialects.lazy import np
from hologram.dialects.shapes import Dense, dense, is_dense

if TYPE_CHECKING:
    from hologram.dialects.atlas.instructions.types import Array

FOLD_LIMIT = 4096
"""Constants of more elements stay unfolded, unless they are splats."""
WIDEST = 64
"""Dense attributes hold no wider elements."""


def constant_of(value: SSAValue) -> Dense | None:
    """The dense constant behind a value, if any."""
    attr = ConstantLike.get_constant_value(value)
    return attr if is_dense(attr) else None


def splat_in(attr: Dense) -> Attribute | None:
    """The attribute that every element of a constant equals; None if they differ or there are none."""
    if 0 in attr.get_shape() or not attr.is_splat():
        return None
    return next(iter(attr.iter_attrs()))


def fold_instruction(
    instruction: Instruction, dtype: DType, operands: Sequence[SSAValue], result: TensorType[Attribute]
) -> tuple[Attribute, ...] | None:
    """The constant result of an instruction on constants, where every device gives the same bits."""
    if not instruction.exact or dtype.bits > WIDEST or not result.has_static_shape():
        return None
    known = [constant_of(v) for v in operands]
    constants = [c for c in known if c is not None]
    types = [t for v in operands if (t := dtype_in(v)) is not None]
    if len(constants) != len(operands) or len(types) != len(operands):
        return None
    lanes = _lanes(constants, types)
    if lanes is None:
        return None
    # A shift amount counts modulo the width, which divides 2^32.
    kinds = instruction.operands.values()
    lanes = [v.astype(np.int32) if kind == "u32" else v for v, kind in zip(lanes, kinds, strict=True)]
    try:
        values = instruction.evaluate(dtype, *lanes)
    except Trap:
        return None
    elements = [constant_attr(v, instruction.result_type(dtype)).value.data for v in values.ravel()]
    return (dense(result, elements),)


def _lanes(constants: Sequence[Dense], types: Sequence[DType]) -> list[Array] | None:
    """The elements as arrays in storage form; one lane if all are splats; None if there are too many."""
    if any(0 in c.get_shape() for c in constants):
        return None
    splats = [splat_in(c) for c in constants]
    count = 1 if None not in splats else max(len(c) for c in constants)
    if count > FOLD_LIMIT:
        return None
    arrays: list[Array] = []
    for constant, splat, dtype in zip(constants, splats, types, strict=True):
        lanes = [constant_lanes(v, dtype) for v in (constant.iter_attrs() if splat is None else [splat])]
        array = np.concatenate([lane for lane in lanes if lane is not None])
        arrays.append(array if splat is None else np.repeat(array, count))
    return arrays
