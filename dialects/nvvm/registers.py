"""Special registers, `nvvm.read.ptx.sreg.*`: who a lane is, how large the grid is, what time it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import I32, I64, IntegerType, i32
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, result_def
from xdsl.traits import Pure

from hologram.dialects.families import operation_of
from hologram.dialects.llvm.special_registers import RangedRegisterOp


class RegisterOp(IRDLOperation):
    """A register of which nothing is known."""

    res = result_def(I32 | I64)

    assembly_format = "attr-dict `:` type($res)"

    def __init__(self, type: IntegerType = i32):
        Operation.__init__(self, result_types=(type,))


def _class_of(base: type[Any], name: str, meaning: str) -> type[Any]:
    pure = [] if name.startswith(("clock", "globaltimer")) else [Pure()]
    return operation_of(base, f"nvvm.read.ptx.sreg.{name}", meaning, *pure, module=__name__)


_BY_AXIS = {
    "tid": "The lane's position in its block along {}.",
    "ntid": "The lanes of a block along {}.",
    "ctaid": "The block's position in the grid along {}.",
    "nctaid": "The blocks of the grid along {}.",
    "clusterid": "The cluster's position in the grid along {}.",
    "nclusterid": "The clusters of the grid along {}.",
    "cluster.ctaid": "The block's position in its cluster along {}.",
    "cluster.nctaid": "The blocks of a cluster along {}.",
}
_RANGED = {
    "laneid": "The lane's position in its warp.",
    "warpsize": "The lanes of a warp.",
    "warpid": "The warp's position in its block; it may change while the block runs.",
    "nwarpid": "The most warps that a multiprocessor holds.",
    "smid": "The multiprocessor that the block runs on.",
    "nsmid": "The multiprocessors of the device.",
    "gridid": "A number of the launch.",
    "cluster.ctarank": "The block's linear position in its cluster.",
    "cluster.nctarank": "The blocks of a cluster.",
}
_PLAIN = {
    "lanemask.eq": "A mask with the lane's bit.",
    "lanemask.le": "A mask with the bits up to the lane's.",
    "lanemask.lt": "A mask with the bits below the lane's.",
    "lanemask.ge": "A mask with the bits from the lane's on.",
    "lanemask.gt": "A mask with the bits above the lane's.",
    "total.smem.size": "The bytes of shared memory that the block has.",
    "dynamic.smem.size": "The bytes of shared memory given at launch.",
    "clock": "A counter of cycles, of 32 bits.",
    "clock64": "A counter of cycles.",
    "globaltimer": "Nanoseconds.",
}

REGISTERS: Mapping[str, type[Any]] = {
    **{
        f"{name}.{axis}": _class_of(RangedRegisterOp, f"{name}.{axis}", meaning.format(axis))
        for name, meaning in _BY_AXIS.items()
        for axis in ("x", "y", "z")
    },
    **{name: _class_of(RangedRegisterOp, name, meaning) for name, meaning in _RANGED.items()},
    **{name: _class_of(RegisterOp, name, meaning) for name, meaning in _PLAIN.items()},
}
"""The operation of each register, by PTX's name of it."""
