"""`stage-class-tiles`: tiles that a loop reads again and again are copied near before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp, VectorType
from xdsl.dialects.vector import StoreOp as VectorStoreOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects.arith import trip_count
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.classes.tiles import TileOp
from hologram.dialects.vector import LoadOp as VectorLoadOp
from hologram.errors import UsageError
from hologram.support.walking import operations
from hologram.transforms.analysis.effects import touches_no_memory
from hologram.transforms.analysis.row_accesses import root_of

_CONTROL = (scf.ForOp, scf.IfOp, scf.WhileOp, AssertOp)


@dataclass(frozen=True)
class StageClassTilesPass(ModulePass):
    """Copies a tile into a buffer of its function before a loop that only reads it, often enough that the copy pays.

    The loop stands in the function's own blocks. The tile's place is known, and nothing in the loop may write to it:
    what the loop stores goes to memory of its own, to arguments of a public function (which are no class memory), or to
    tiles at other places. So the copy holds what the tile does, and no result changes. `bytes` bounds what a function
    stages in all; `reuse` says how often, on average, an element must be read for a copy to pay. Reads under a
    condition, and in loops whose count is not known, do not count.

    The pipeline to a CPU does without: its cache does the same.

    Before::

        %t = class.tile %c : i32 to memref<48xf32>
        scf.for %i = %c0 to %c100 step %c1 {
          scf.for %j = %c0 to %c48 step %c1 {
            %v = memref.load %t[%j] : memref<48xf32>
            ...

    After::

        %t = class.tile %c : i32 to memref<48xf32>
        %near = memref.alloca() : memref<48xf32>
        memref.copy %t, %near
        scf.for %i = %c0 to %c100 step %c1 {
          scf.for %j = %c0 to %c48 step %c1 {
            %v = memref.load %near[%j] : memref<48xf32>
            ...
    """

    name = "stage-class-tiles"
    bytes: int = 32_768
    """How many bytes of a function's near memory tiles may take."""
    reuse: int = 2
    """How often an element is read, on average, at least."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.bytes < 0 or self.reuse < 1:
            raise UsageError(
                "stage-class-tiles-limits",
                f"stage-class-tiles can't stage {self.bytes} bytes that are read {self.reuse} times",
                hint="bytes is 0 or more, reuse 1 or more",
            )
        for function in operations(op):
            if isinstance(function, func.FuncOp):
                self._stage(function)

    def _stage(self, function: func.FuncOp) -> None:
        left = self.bytes
        for loop in [op for block in function.body.blocks for op in block.ops if isinstance(op, scf.ForOp)]:
            reads = Reads.of(loop)
            if reads is None:
                continue
            for tile, count in reads.counts.items():
                pays = count >= self.reuse * tile.type.element_count()
                if pays and tile.bytes <= left and reads.keeps(tile):
                    left -= tile.bytes
                    _copy_before(loop, tile)


@dataclass
class Reads:
    """The reads and writes of tiles in a loop."""

    counts: dict[TileOp, int] = field(default_factory=dict[TileOp, int])
    """How many elements it reads of each tile that it reads only by loads."""
    written: list[range] = field(default_factory=list[range])
    """The bytes of class memory that it may write."""

    @staticmethod
    def of(loop: scf.ForOp) -> Reads | None:
        """None where the loop may write to any place of class memory."""
        reads = Reads()
        for op, times in _with_times(loop.body.block, _trips(loop)):
            match op:
                case memref.LoadOp(memref=source) | VectorLoadOp(base=source):
                    reads._read(loop, op, source, times)
                case memref.StoreOp(memref=target) | VectorStoreOp(base=target):
                    if not reads._write(target):
                        return None
                case _:
                    harmless = isinstance(op, _CONTROL) or touches_no_memory(op)
                    if not harmless:
                        return None
        return reads

    def _read(self, loop: scf.ForOp, op: Operation, source: SSAValue, times: int) -> None:
        tile = source.owner
        if isinstance(tile, TileOp) and tile.place is not None and not loop.is_ancestor(tile):
            type = op.results[0].type
            elements = prod(cast("VectorType[Any]", type).get_shape()) if isinstance(type, VectorType) else 1
            self.counts[tile] = self.counts.get(tile, 0) + times * elements

    def _write(self, target: SSAValue) -> bool:
        """Notes where a store goes to; false if that may be anywhere."""
        if isinstance(tile := target.owner, TileOp):
            if (place := tile.place) is None:
                return False
            self.written.append(place)
            return True
        return root_of(target) is not None

    def keeps(self, tile: TileOp) -> bool:
        """Return whether nothing is written to a tile."""
        place = tile.place
        return place is not None and not any(w.start < place.stop and place.start < w.stop for w in self.written)


def _with_times(block: Block, times: int) -> Iterator[tuple[Operation, int]]:
    """The operations of a block and of what is nested in it, with how often each surely runs."""
    for op in block.ops:
        yield op, times
        inner = times * _trips(op) if isinstance(op, scf.ForOp) else 0
        for region in op.regions:
            for nested in region.blocks:
                yield from _with_times(nested, inner)


def _trips(loop: scf.ForOp) -> int:
    """Return how often a loop runs; 0 if that is not known."""
    return trip_count(loop.lb, loop.ub, loop.step) or 0


def _copy_before(loop: scf.ForOp, tile: TileOp) -> None:
    near = memref.AllocaOp.build(operands=[[], []], result_types=[cast("MemRefType[Any]", tile.tile.type)])
    near.memref.name_hint = "near"
    copy = memref.CopyOp(tile.tile, near.memref)
    near.location = copy.location = loop.location
    assert (block := loop.parent) is not None
    block.insert_ops_before([near, copy], loop)
    tile.tile.replace_uses_with_if(near.memref, lambda use: loop.is_ancestor(use.operation))
