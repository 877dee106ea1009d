"""The dialect atlas: all of its operations and attributes."""

from xdsl.ir import Dialect

from hologram.dialects.atlas import (
    arrays,
    checks,
    class_memory,
    extensions,
    gemm,
    lane_reductions,
    lanes,
    named,
    pools,
    scalar,
    state,
)
from hologram.dialects.atlas.types import DTypeAttr, PtrType, SpaceAttr

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
        *lane_reductions.WINDOWS,
        *lane_reductions.SPANS,
        *lanes.OPS,
        *pools.OPS,
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
