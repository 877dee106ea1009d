"""The CPU schedule of `atlas.reduce`: loops over the outputs outside, the reduction inside.

Where the operands run along the outputs rather than along the reduced dimensions, a tile of neighbouring outputs is
reduced at once, so that memory is read in its order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays import Kind, ReduceOp
from hologram.dialects.atlas.scalar import CvtOp
from hologram.dialects.atlas.types import DType, working_type
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.nest import Access, Nest
from hologram.lowering.schedules.reduction import reduction
from hologram.lowering.schedules.tiles import for_each_tile
from hologram.transforms.fuse_atlas import DEAR, cost


@dataclass(frozen=True)
class ReduceParameters:
    """`tile`: the outputs that are reduced at once where the operands run along them."""

    tile: int = 256


def schedule_reduce(b: Builder, op: ReduceOp, target: Target, parameters: ReduceParameters) -> None:
    """The parallel dimensions first, then the reduced ones; each set merged where all operands walk it densely."""
    parallel = len(op.parallel_dims)
    nest, group_of = Nest.of(b, op, [*op.parallel_dims, *op.reduction_dims]).merged(b, barriers=[parallel])
    parallel = len({g for g in group_of[:parallel]})
    ins = nest.accesses[: len(op.ins)]
    finish_ins = nest.accesses[len(op.ins) : len(op.ins) + len(op.finish_ins)]
    outs = nest.accesses[len(op.ins) + len(op.finish_ins) :]
    tile = parameters.tile if along_outputs(nest, ins, parallel) else 1
    dear = cost(op.body.block) >= DEAR
    spread = all(extent == 1 for extent in nest.extents[:parallel])
    wide = [(kind, working_type(kind.value, dtype)) for kind, dtype in op.combiners]

    def reduce(dims: Sequence[Index], width: Index, tile: int) -> None:
        def at(t: Index) -> list[Index]:
            return [*dims[:-1], b.add(dims[-1], t)] if tile > 1 else list(dims)

        def element(reduced: Sequence[Index], t: Index) -> Sequence[SSAValue]:
            values = b.region(op.body, [access.load(b, [*at(t), *reduced]) for access in ins])
            return _convert(b, values, op.combiners, wide)

        combined = reduction(
            b, wide, nest.extents[parallel:], element, tile=tile, width=width, target=target, dear=dear, spread=spread
        )
        with b.loop(0, width, name="t", vector=True) as t:
            values = _convert(b, [combined.result(n, t) for n in range(len(wide))], wide, op.combiners)
            where = at(t)
            if op.finish.blocks:
                values = b.region(op.finish, [*values, *(a.load(b, where) for a in finish_ins)])
            for access, value in zip(outs, values, strict=True):
                access.store(b, value, where)

    for_each_tile(b, nest.extents[:parallel], tile, reduce)


def _convert(
    b: Builder, values: Sequence[SSAValue], source: Sequence[tuple[Kind, DType]], target: Sequence[tuple[Kind, DType]]
) -> list[SSAValue]:
    """The values from the source's types to the target's."""
    return [
        value if old == new else b.op(CvtOp(old, new, value))
        for value, (_, old), (_, new) in zip(values, source, target, strict=True)
    ]


def along_outputs(nest: Nest, ins: Sequence[Access], parallel: int) -> bool:
    """Whether operands are dense along the last output dimension, and none along a reduced one, but those that are the
    same for all outputs."""
    reduced, outputs = range(parallel, len(nest.extents)), range(parallel)
    differing = [a for a in ins if any(map(a.uses, reduced)) and any(map(a.uses, outputs))]
    innermost = {a.innermost for a in differing}
    return parallel - 1 in innermost and not any(d is not None and d >= parallel for d in innermost)
