"""The dialect atlas: all of its operations and attributes."""

from xdsl.ir import Dialect

from hologram.dialects import add_operations
from hologram.dialects.atlas.arrays import extensions, gemm, general, named
from hologram.dialects.atlas.instructions import checks, scalar
from hologram.dialects.atlas.instructions.declaration import Instruction, from_outside
from hologram.dialects.atlas.instructions.types import DTypeAttr, PtrType, SpaceAttr
from hologram.dialects.atlas.lanes import class_memory, pools, programs, reductions, state
from hologram.plugins.tables import Row

Atlas = Dialect(
    "atlas",
    [
        *scalar.ROWS,
        *state.ROWS,
        *state.OPS,
        *class_memory.OPS,
        scalar.SetccOp,
        scalar.CvtOp,
        scalar.CvtBitsOp,
        scalar.CvtSatfiniteOp,
        scalar.MovImmOp,
        *reductions.WINDOWS,
        *reductions.SPANS,
        *programs.OPS,
        *pools.OPS,
        checks.AssertOp,
        *general.OPS,
        *named.OPS,
        *gemm.OPS,
        *extensions.OPS,
    ],  # fmt: skip
    [DTypeAttr, SpaceAttr, PtrType, scalar.ConditionAttr, general.KindAttr, general.IotaType],
    [scalar.ConstantMaterialization()],
)


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.is_instruction:
        add_operations(Atlas, [scalar.INSTRUCTIONS[instruction.name]])


from_outside(_from_outside)
