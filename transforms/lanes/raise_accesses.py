"""`raise-accesses`: accesses at byte offsets that count elements become accesses by index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.atlas.instructions.scalar import MinOp, MulOp, ShlOp
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.instructions.verbs import InstructionBuilder, number_of
from hologram.dialects.atlas.lanes.programs import LeaOp, LoadOp, StoreOp
from hologram.dialects.shapes import is_dense_layout, is_memref
from hologram.support.walking import operations
from hologram.transforms.analysis.integer_ranges import Ranges

U64 = DTYPES["u64"]


@dataclass(frozen=True)
class RaiseAccessesPass(ModulePass):
    """Turns loads and stores by a pointer that `lea` makes of an array and a multiple of the element's size into loads
    and stores by index: machine code has byte offsets alone, and what is lifted from it is vectorised by this.

    Only where the product can't wrap, so that the same elements are reached and the same lanes trap.

    Before::

        %o = atlas.mul u64 %gid, %four
        %p = atlas.lea f32 %x[%o : i64] : memref<?xf32>
        %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, global>

    After::

        %v = atlas.ldg f32 %x[%gid : i64] : memref<?xf32>
    """

    name = "raise-accesses"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for access in [o for o in operations(op) if isinstance(o, LoadOp | StoreOp)]:
            if access.is_through_pointer and not access.indices:
                _raise(cast("Any", access))


def _raise(access: Any) -> None:
    lea = access.memref.owner
    while isinstance(lea, LeaOp) and not is_memref(lea.base.type) and not lea.indices:
        lea = lea.base.owner
    if not isinstance(lea, LeaOp) or not is_memref(base := lea.base.type):
        return
    if len(base.get_shape()) != 1 or base.element_type != access.dtype.ir or not is_dense_layout(base):
        return
    if lea.indices:
        index = _elements(lea.indices[0], access.dtype.bytes)
    else:
        index = InstructionBuilder(access).constant(0, U64)
    if index is None:
        return
    pointer = access.memref.owner
    Rewriter.replace_op(access, at_place(access, lea.base, [index]))
    while isinstance(pointer, LeaOp) and not pointer.result.uses:
        before = pointer.base.owner
        Rewriter.erase_op(pointer)
        pointer = before


def at_place(access: Any, base: SSAValue, indices: Sequence[SSAValue]) -> Operation:
    """Return the same access to another place."""
    kind = cast("Any", type(access))
    definition = kind.get_irdl_definition()
    given: dict[str, Any] = {"memref": base, "indices": indices}
    new: Operation = kind.build(
        operands=[given.get(name, getattr(access, name)) for name, _ in definition.operands],
        result_types=[[r.type for r in access.results] if name == "values" else access.results[0].type
                      for name, _ in definition.results],
        properties={k: v for k, v in access.properties.items() if k != "operandSegmentSizes"},
        attributes=access.attributes,
    )  # fmt: skip
    new.location = access.location
    return new


def _elements(offset: SSAValue, size: int) -> SSAValue | None:
    """Return a byte offset in elements, if it is the product of a count and the size, without a wrap."""
    if size == 1:
        return offset
    owner: Any = offset.owner
    factor = None
    if isinstance(owner, MulOp) and owner.dtype.bits == 64:
        factor = number_of(owner.operands[1])
    elif isinstance(owner, ShlOp) and owner.dtype.bits == 64 and (amount := number_of(owner.operands[1])) is not None:
        factor = 1 << (amount % 64)
    if factor != size:
        return None
    count = owner.operands[0]
    if Ranges().read(count, U64)[1] * size >= 1 << 64:
        return None
    clamp: Any = count.owner
    if isinstance(clamp, MinOp) and clamp.dtype is U64 and (limit := number_of(clamp.operands[1])) is not None:
        # No array is as long as the bound, so that what is past it is past the array without it too.
        return clamp.operands[0] if limit * size >= 1 << 61 else count
    return count
