"""Builds launches: their threads and blocks, the memory that a block shares, barriers, vectors of neighbours.

A launch is a `gpu.launch` in the function that is being built. Its body reads what stands before it, so sizes are
computed on the host, once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects import gpu as stock
from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import IndexType, MemRefType, NoneAttr, VectorType
from xdsl.ir import Attribute, Block, Region, SSAValue

from hologram.dialects.gpu import PRIVATE, WORKGROUP, BarrierOp
from hologram.dialects.vector import FromElementsOp, LoadOp, StoreOp
from hologram.lowering.schedules.builder import Builder, Index

INDEX = IndexType()
MOST_LANES = 4
"""The elements of a vector that every device's languages have types for."""


@dataclass(frozen=True)
class Kernel:
    """The body of a launch that is being built."""

    b: Builder
    body: Block
    threads: int
    """The threads of a block, a power of two."""

    def block(self, axis: int = 0) -> SSAValue:
        """The block's place in the grid."""
        return self.body.args[axis]

    @property
    def thread(self) -> SSAValue:
        """The thread's place in its block."""
        return self.body.args[3]

    def blocks(self, axis: int = 0) -> SSAValue:
        """The grid's size."""
        return self.body.args[6 + axis]

    def shared(self, element: Attribute, count: int) -> SSAValue:
        """An array that the threads of a block share."""
        return self._array(element, count, WORKGROUP)

    def private(self, element: Attribute, count: int) -> SSAValue:
        """An array that a thread has of its own."""
        return self._array(element, count, PRIVATE)

    def _array(self, element: Attribute, count: int, space: Attribute) -> SSAValue:
        made = memref.AllocaOp.build(operands=[[], []], result_types=[MemRefType(element, [count], NoneAttr(), space)])
        made.location = self.b.rw.source.location
        first = self.body.first_op
        if first is None:
            self.body.add_op(made)
        else:
            self.body.insert_op_before(made, first)
        return made.memref

    def barrier(self) -> None:
        """Waits for all threads of the block."""
        self.b.rw.emit(BarrierOp())

    def masked(self, value: Index, size: int) -> tuple[Index, Index]:
        """Quotient and remainder by a power of two."""
        return self.b.div(value, size), self.b.rem(value, size)

    @contextmanager
    def each(self, count: Index, name: str | None = None) -> Generator[Index]:
        """Numbers below `count`, shared out among the threads of the block."""
        b = self.b
        if isinstance(count, int) and count <= self.threads:
            with self.only(count):
                yield self.thread
            return
        with b.loop(self.thread, count, self.threads, name=name) as i:
            yield i

    @contextmanager
    def only(self, count: Index) -> Generator[None]:
        """Code for the first `count` threads of the block."""
        if isinstance(count, int) and count >= self.threads:
            yield
            return
        with self.b.when(self.b.compare("ult", self.thread, count)):
            yield


@contextmanager
def launch(b: Builder, grid: Sequence[Index], threads: int) -> Generator[Kernel]:
    """A launch of `grid` blocks (x, y, z) of so many threads, whose body the code inside makes."""
    sizes = [b.index(n) for n in (*grid, *[1] * (3 - len(grid)))]
    block = [b.index(n) for n in (threads, 1, 1)]
    body = Block(arg_types=[INDEX] * 12)
    names = [f"{kind}_{axis}" for kind in ("block", "thread", "grid", "size") for axis in "xyz"]
    for arg, name in zip(body.args, names, strict=True):
        arg.name_hint = name
    with b.apart(body):
        yield Kernel(b, body, threads)
        b.rw.emit(stock.TerminatorOp())
    b.rw.emit(stock.LaunchOp(Region(body), sizes, block))


@contextmanager
def blocks(b: Builder, count: Index, threads: int, most: int) -> Generator[tuple[Kernel, Index]]:
    """A launch whose blocks share out the numbers below `count`: (kernel, number). Where the grid can't have `count`
    blocks, each takes several numbers; barriers are reached alike by all threads of a block."""
    # A grid of no blocks is an error.
    with launch(b, [b.max(b.min(count, most), 1)], threads) as kernel:
        if isinstance(count, int) and 0 < count <= most:
            yield kernel, kernel.block()
            return
        with b.loop(kernel.block(), count, kernel.blocks(), name="block") as number:
            yield kernel, number


# Values that are computed several at a time


def unrolled(count: int, *steps: Callable[[int, Any], Any]) -> None:
    """Runs each step for all of `count` before the next one: loads first, so that all of them are under way."""
    values: list[Any] = [None] * count
    for step in steps:
        values = [step(n, value) for n, value in enumerate(values)]


# Vectors of neighbours in memory


def lanes_of(bits: int, vector_bytes: int) -> int:
    """The elements of so many bits that a thread loads at once."""
    return max(min(vector_bytes * 8 // bits, MOST_LANES), 1)


def load_many(b: Builder, source: SSAValue, indices: Sequence[Index], lanes: int) -> list[SSAValue]:
    """Neighbours along the last axis whose address is a multiple of their size."""
    if lanes == 1:
        return [b.load(source, indices)]
    element = cast("MemRefType[Attribute]", source.type).element_type
    if not has_vectors(element):
        return [b.load(source, [*indices[:-1], b.add(indices[-1], n)]) for n in range(lanes)]
    kind: VectorType[Any] = VectorType(element, [lanes])
    places = [b.index(i) for i in indices]
    loaded = b.op(LoadOp(source, places, kind, alignment=lanes * bits_of(element) // 8))
    return [b.op(xdsl_vector.ExtractOp(loaded, [n], element)) for n in range(lanes)]


def store_many(b: Builder, values: Sequence[SSAValue], target: SSAValue, indices: Sequence[Index]) -> None:
    """Stores neighbours along the last axis whose address is a multiple of their size."""
    if len(values) == 1:
        return b.store(values[0], target, indices)
    element = cast("MemRefType[Attribute]", target.type).element_type
    if not has_vectors(element):
        for n, value in enumerate(values):
            b.store(value, target, [*indices[:-1], b.add(indices[-1], n)])
        return
    kind: VectorType[Any] = VectorType(element, [len(values)])
    places = [b.index(i) for i in indices]
    vector = b.op(FromElementsOp(values, kind))
    b.rw.emit(StoreOp(vector, target, places, alignment=len(values) * bits_of(element) // 8))


def bits_of(element: Attribute) -> int:
    """The bits of an element in memory."""
    from hologram.lowering.llvm_types import byte_size

    return 8 * (byte_size(element) or 1)


def has_vectors(element: Attribute) -> bool:
    """Whether vectors of a type are loaded and stored as such: bools and floats of 8 bits are not."""
    from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType

    if isinstance(element, IntegerType):
        return element.width.data in (8, 16, 32, 64)
    return isinstance(element, Float16Type | BFloat16Type | Float32Type | Float64Type)


def aligned(b: Builder, values: Sequence[SSAValue], bytes: int) -> SSAValue | bool:
    """On the host: whether memrefs begin at multiples of so many bytes."""
    places = [b.op(memref.ExtractAlignedPointerAsIndexOp.get(v)) for v in dict.fromkeys(values)]
    if not places or bytes <= 1:
        return True
    total = places[0]
    for place in places[1:]:
        total = b.op(arith.OrIOp(total, place))
    return b.compare("eq", b.op(arith.AndIOp(total, b.index(bytes - 1))), 0)


__all__ = ["Kernel", "aligned", "blocks", "lanes_of", "launch", "load_many", "scf", "store_many", "unrolled"]
