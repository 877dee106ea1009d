"""The Atlas ISA as IR: scalar instructions, lane-level programs, and array-level operations."""

from xdsl.ir import Dialect

from hologram.dialects.atlas import arrays, checks, extensions, gemm, lanes, named, scalar
from hologram.dialects.atlas.types import DTypeAttr, PtrType, SpaceAttr

Atlas = Dialect(
    "atlas",
    [
        *scalar.ROWS,
        scalar.SetccOp,
        scalar.CvtOp,
        scalar.MovImmOp,
        *lanes.OPS,
        checks.AssertOp,
        *arrays.OPS,
        *named.OPS,
        *gemm.OPS,
        *extensions.OPS,
    ],  # fmt: skip
    [DTypeAttr, SpaceAttr, PtrType, scalar.ConditionAttr, arrays.KindAttr],
    [scalar.ConstantMaterialization()],
)

__all__ = ["Atlas"]
