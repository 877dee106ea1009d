"""What LLVM's GPU families share of gpu and memref: positions read from registers, atomics, bare addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import UnitAttr, i64
from xdsl.ir import Operation, SSAValue

from hologram.dialects import gpu, llvm, memref
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.memref_atomics_to_llvm import ADDF, INSTRUCTIONS, Order, lower_generic_atomic
from hologram.lowering.targets.llvm.types import Size, Sizes, size_value, view
from hologram.lowering.targets.ptx.device_functions import kernel_of

AXES = (gpu.DimensionEnum.X, gpu.DimensionEnum.Y, gpu.DimensionEnum.Z)
KINDS = {kind: word for kind, word in INSTRUCTIONS.items() if kind != ADDF}
"""What atomics have an instruction of everywhere: sums of f32 in memory of the device would flush subnormals."""


@dataclass(frozen=True)
class Registers:
    """How a family says who a lane is: the names of its registers, without the axis, and what they reach."""

    operations: Mapping[str, type[Any]]
    thread: str
    block: str
    block_size: str
    grid_size: str
    most_lanes: tuple[int, int, int]
    """The most lanes of a block along each axis."""
    most_blocks: tuple[int, int, int]
    """The most blocks along each axis."""

    def read(self, rw: Rewriter, name: str, least: int, below: int) -> SSAValue:
        """A register as an i64; every block reads it once."""
        return rw.once((name, least, below), lambda: _read(rw, self.operations[name](below, least)))

    def thread_id(self, rw: Rewriter, op: Operation, axis: int) -> SSAValue:
        """The lane's position in its block."""
        known = _known_sizes(op)
        below = self.most_lanes[axis] if known is None else known[axis]
        return self.read(rw, f"{self.thread}.{'xyz'[axis]}", 0, below)

    def block_id(self, rw: Rewriter, axis: int) -> SSAValue:
        """The block's position in the grid."""
        return self.read(rw, f"{self.block}.{'xyz'[axis]}", 0, self.most_blocks[axis])

    def block_dim(self, rw: Rewriter, op: Operation, axis: int) -> Size:
        """The lanes of the block, which the kernel may know."""
        known = _known_sizes(op)
        if known is not None:
            return known[axis]
        return self.read(rw, f"{self.block_size}.{'xyz'[axis]}", 1, self.most_lanes[axis] + 1)

    def grid_dim(self, rw: Rewriter, axis: int) -> SSAValue:
        """The blocks of the grid."""
        return self.read(rw, f"{self.grid_size}.{'xyz'[axis]}", 1, self.most_blocks[axis] + 1)


def _known_sizes(op: Operation) -> Sequence[int] | None:
    kernel = kernel_of(op)
    known = None if kernel is None else kernel.known_block_size
    return None if known is None else cast(Sequence[int], known.get_values())


def _read(rw: Rewriter, register: Any) -> SSAValue:
    value = rw.emit(register).res
    return rw.emit(llvm.ZExtOp.create(operands=(value,), result_types=(i64,), properties={"nonNeg": UnitAttr()})).res


def _axis(op: gpu.IdOp) -> int:
    return AXES.index(op.dimension.data)


def device_rules(registers: Registers, order: Order) -> Rules:
    """The rules of a family with these registers, whose atomics have this order."""
    rules = Rules()

    @rules.on(gpu.ThreadIdOp)
    def thread_id(rw: Rewriter, op: gpu.ThreadIdOp) -> None:
        rw.define(op.result, registers.thread_id(rw, op, _axis(op)))

    @rules.on(gpu.BlockIdOp)
    def block_id(rw: Rewriter, op: gpu.BlockIdOp) -> None:
        rw.define(op.result, registers.block_id(rw, _axis(op)))

    @rules.on(gpu.BlockDimOp)
    def block_dim(rw: Rewriter, op: gpu.BlockDimOp) -> None:
        rw.define(op.result, size_value(rw, registers.block_dim(rw, op, _axis(op))))

    @rules.on(gpu.GridDimOp)
    def grid_dim(rw: Rewriter, op: gpu.GridDimOp) -> None:
        rw.define(op.result, registers.grid_dim(rw, _axis(op)))

    @rules.on(gpu.GlobalIdOp)
    def global_id(rw: Rewriter, op: gpu.GlobalIdOp) -> None:
        axis = _axis(op)
        first = Sizes(rw).mul(registers.block_id(rw, axis), registers.block_dim(rw, op, axis))
        rw.define(op.result, size_value(rw, Sizes(rw).add(first, registers.thread_id(rw, op, axis))))

    @rules.on(memref.GenericAtomicRMWOp)
    def generic_atomic(rw: Rewriter, op: memref.GenericAtomicRMWOp) -> None:
        lower_generic_atomic(rw, op, order)

    @rules.on(xdsl_memref.ExtractAlignedPointerAsIndexOp)
    def extract_pointer(rw: Rewriter, op: xdsl_memref.ExtractAlignedPointerAsIndexOp) -> None:
        """Bare addresses are generic: what reads them does not know in which memory they are."""
        base = view(rw, op.source).pointer
        if base.type != ll.pointer():
            base = ll.emit(rw, "addrspacecast", (base,), ll.pointer())
        rw.define(op.aligned_pointer, ll.emit(rw, "ptrtoint", (base,), i64))

    return rules
