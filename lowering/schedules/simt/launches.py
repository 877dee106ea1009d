"""Launches in schedules for devices: blocks of threads, the memory that they share, and barriers."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from hologram.dialects import gpu
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import INDEX, Builder, Index

WORKGROUP = gpu.AddressSpaceAttr(gpu.AddressSpace.Workgroup)
PRIVATE = gpu.AddressSpaceAttr(gpu.AddressSpace.Private)


@dataclass
class Launch:
    """The inside of a launch."""

    b: Builder
    block: Sequence[SSAValue]
    """The position of this block in the grid."""
    thread: SSAValue
    """The position of this thread in its block."""
    blocks: Sequence[SSAValue]
    """The sizes of the grid."""
    threads: int

    def _alloca(self, element: Attribute, shape: Sequence[int], space: gpu.AddressSpaceAttr) -> SSAValue:
        type = MemRefType(element, shape, NoneAttr(), space)
        return self.b.op(memref.AllocaOp.build(operands=[[], []], result_types=[type]))

    def shared(self, element: Attribute, *shape: int) -> SSAValue:
        """Memory that the threads of the block share. Asked for before anything else."""
        return self._alloca(element, shape, WORKGROUP)

    def private(self, element: Attribute, *shape: int) -> SSAValue:
        """Memory of this thread."""
        return self._alloca(element, shape, PRIVATE)

    def barrier(self) -> None:
        """Waits until all threads of the block have come here; they see what each has stored."""
        self.b.rw.emit(gpu.BarrierOp())

    @contextmanager
    def shares(self, count: Index, axis: int = 0, name: str | None = None) -> Generator[Index]:
        """A loop over what this block takes of so many pieces of work: its own, and those a grid ahead."""
        with self.b.loop(self.block[axis], count, self.blocks[axis], name=name) as number:
            yield number


@contextmanager
def launch(b: Builder, target: Target, blocks: Index, threads: int, outer: Sequence[Index] = ()) -> Generator[Launch]:
    """A launch of a line of blocks, as many as the target takes at most, for each index of up to two outer axes."""
    sizes = [b.max(b.min(size, target.most_blocks), 1) for size in (blocks, *outer)]
    grid = [b.index(size) for size in [*sizes, 1, 1][:3]]
    lanes = [b.index(size) for size in (threads, 1, 1)]
    body = Block(arg_types=[INDEX] * 12)
    with b.apart(body):
        yield Launch(b, body.args[:3], body.args[3], body.args[6:9], threads)
        b.rw.emit(gpu.TerminatorOp())
    b.rw.emit(gpu.LaunchOp(Region(body), grid, lanes))
