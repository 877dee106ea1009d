"""Launches in schedules for devices: blocks of threads, the memory that they share, and barriers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr, UnitAttr, i32
from xdsl.ir import Attribute, Block, Region, SSAValue

from hologram.dialects import gpu, marks
from hologram.lowering.rewriting.kernel_builder import INDEX, Builder, Index
from hologram.lowering.schedules.common.target import Target

WORKGROUP = gpu.AddressSpaceAttr(gpu.AddressSpace.Workgroup)
UNLIMITED = 2**31 - 1
"""As many blocks along x as this are never too few: their memory would not fit."""
LIMIT = 65535
"""The blocks along y and z, at most."""
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

    body: Block
    target: Target

    def _alloca(self, element: Attribute, shape: Sequence[int], space: gpu.AddressSpaceAttr) -> SSAValue:
        """At the top of the body, wherever it is asked for."""
        alloca = memref.AllocaOp.build(operands=[[], []], result_types=[MemRefType(element, shape, NoneAttr(), space)])
        alloca.location = self.b.rw.source.location
        if (first := self.body.first_op) is None:
            self.body.add_op(alloca)
        else:
            self.body.insert_op_before(alloca, first)
        return alloca.memref

    def shared(self, element: Attribute, *shape: int) -> SSAValue:
        """Memory that the threads of the block share."""
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
        if self.target.most_blocks >= UNLIMITED and axis == 0:
            # The grid has a block for each piece, or one for none.
            if isinstance(count, int) and count > 0:
                yield self.block[0]
                return
            with self.b.when(self.b.compare("ult", self.block[0], count)):
                yield self.block[0]
            return
        with self.b.loop(self.block[axis], count, self.blocks[axis], name=name) as number:
            yield number

    @contextmanager
    def own(self, count: Index) -> Generator[SSAValue]:
        """The number of this thread among those of all blocks, if it is below `count`."""
        number = self.b.index(self.b.add(self.b.mul(self.block[0], self.threads), self.thread))
        with self.b.when(self.b.compare("ult", number, count)):
            yield number

    @contextmanager
    def each(self, count: Index, name: str | None = None) -> Generator[Index]:
        """The numbers below `count`, shared out among the threads of the block."""
        if isinstance(count, int) and count <= self.threads:
            with self.only(count):
                yield self.thread
            return
        with self.b.loop(self.thread, count, self.threads, name=name) as number:
            yield number

    @contextmanager
    def only(self, count: Index) -> Generator[None]:
        """Code for the first `count` threads of the block."""
        if isinstance(count, int) and count >= self.threads:
            yield
            return
        with self.b.when(self.b.compare("ult", self.thread, count)):
            yield

    def halve(self, count: int, join: Callable[[Index, Index], None], *, wait: bool = True) -> None:
        """Has the first half of `count` threads, a power of two, `join(own place, place in the other half)`, then half
        of those, and so on; `wait` says whether all wait for the last one."""
        while count > 1:
            count //= 2
            self.barrier()
            with self.only(count):
                join(self.thread, self.b.add(self.thread, count))
        if wait:
            self.barrier()


@contextmanager
def launch(
    b: Builder,
    target: Target,
    blocks: Index,
    threads: int,
    outer: Sequence[Index] = (),
    *,
    resident: int = 0,
    registers: int = 0,
    keep_reads: bool = False,
) -> Generator[Launch]:
    """A launch of a line of blocks, as many as the target takes at most, for each index of up to two outer axes.

    `resident`, if not 0, is how many blocks shall have registers on a multiprocessor at a time, and `registers` how
    many a thread has at most. `keep_reads` says that what is read shall leave the last cache after what is stored,
    which helps where a kernel stores about as much as it reads.
    """
    limits = (target.most_blocks, *[min(target.most_blocks, LIMIT)] * len(outer))
    sizes = [b.max(b.min(size, limit), 1) for size, limit in zip((blocks, *outer), limits, strict=True)]
    grid = [b.index(size) for size in [*sizes, 1, 1][:3]]
    lanes = [b.index(size) for size in (threads, 1, 1)]
    body = Block(arg_types=[INDEX] * 12)
    with b.apart(body):
        yield Launch(b, body.args[:3], body.args[3], body.args[6:9], threads, body, target)
        b.rw.emit(gpu.TerminatorOp())
    launch_op = b.rw.emit(gpu.LaunchOp(Region(body), grid, lanes))
    if resident and target.limits_registers:
        launch_op.attributes["nvvm.minctasm"] = IntegerAttr(resident, i32)
    if registers and target.limits_registers:
        launch_op.attributes["nvvm.maxnreg"] = IntegerAttr(registers, i32)
    if keep_reads and target.has_policies:
        launch_op.attributes[marks.KEEP_READS] = UnitAttr()
