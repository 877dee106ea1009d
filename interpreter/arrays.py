"""Array level: map and reduce by index arrays over the iteration space, and the named forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.ir import Block, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from hologram.dialects.atlas.arrays import extensions, named
from hologram.dialects.atlas.arrays.extension import ExtensionOp
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import ArrayOp, GenericOp, IotaOp, MapOp, ReduceOp
from hologram.dialects.atlas.arrays.reference import OutOfRange, Unmet, combine_axes
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.shapes import element_type
from hologram.errors import InputError, where_of
from hologram.interpreter.core import traps
from hologram.interpreter.core.host import read, write
from hologram.interpreter.core.machine import Handler, Machine, division_trap
from hologram.interpreter.core.values import Array, Buffer, Value, storage_dtype

WINDOW = 1 << 22
"""How many elements of an iteration space are computed at a time."""

Grid = list[Array]
"""For each loop the indices it takes, shaped so that all of them broadcast to the iteration space."""


@dataclass(frozen=True)
class Indices:
    """The indices 0, 1, 2, ... of an `atlas.iota`, by the numpy type that holds them."""

    storage: Any


def run_iota(machine: Machine, op: IotaOp, args: list[Any]) -> Sequence[Any]:
    """The indices; what reads them computes them."""
    return (Indices(storage_dtype(element_type(op.result.type))),)


def targets(op: ArrayOp, outs: Sequence[Buffer]) -> list[Buffer]:
    """Return the buffers that take the results: the memrefs, or a new tensor for each tensor of outs, which only gives
    the shape."""
    if not op.is_value_form:
        return list(outs)
    return [Buffer.empty(out.shape, element_type(value.type)) for out, value in zip(outs, op.outs, strict=True)]


def results(op: ArrayOp, outs: Sequence[Buffer]) -> Sequence[Value]:
    """The results' values; every element was written."""
    return [Buffer(out.data) for out in outs] if op.is_value_form else ()


# The iteration space


def extents(op: GenericOp, args: Sequence[Any]) -> tuple[int, ...]:
    """Return the number of times that each loop runs; every operand must fit."""
    counts: list[int] = []
    for dim in range(op.num_loops):
        source = op.extent_source(dim)
        assert source is not None
        counts.append(args[source[0]].shape[source[1]])
    for number, (arg, map) in enumerate(zip(args, op.maps, strict=True)):
        if not isinstance(arg, Indices):
            _check_reach(op, number, arg, map, counts)
    return tuple(counts)


def _check_reach(op: GenericOp, number: int, arg: Any, map: AffineMap, counts: list[int]) -> None:
    """An axis indexed by a loop alone has its extent; any other index stays inside."""
    empty = 0 in counts
    indices = positions(map, grid([1] * len(counts) if empty else counts, None))
    for axis, (expr, index) in enumerate(zip(map.results, indices, strict=True)):
        size = arg.shape[axis]
        low, high = (0, counts[expr.position] - 1) if isinstance(expr, AffineDimExpr) else (index.min(), index.max())
        fits = high == size - 1 if isinstance(expr, AffineDimExpr) else empty or (low >= 0 and high < size)
        if not fits:
            raise InputError(
                "interpreter-map-size",
                f"axis {axis} of operand {number} of '{op.name}' has size {size}, "
                f"but its indexing map reaches from {low} to {high}",
                where=where_of(op),
            )


def grid(sizes: Sequence[int], window: tuple[int, range] | None) -> Grid:
    """The indices of each loop; `window` restricts one of them."""
    indices: Grid = []
    for dim, size in enumerate(sizes):
        steps = window[1] if window is not None and window[0] == dim else range(size)
        shape = [1] * len(sizes)
        shape[dim] = len(steps)
        indices.append(np.arange(steps.start, steps.stop, dtype=np.int64).reshape(shape))
    return indices


def positions(map: AffineMap, loops: Grid) -> tuple[Array, ...]:
    """The indices of an operand's elements over the grid."""
    dims = cast("list[int]", loops)  # the expressions work on arrays as they do on integers
    return tuple(np.asarray(expr.eval(dims, []), np.int64) for expr in map.results)


def windows(sizes: Sequence[int], dim: int | None) -> Iterator[Grid]:
    """The space in parts of bounded size, cut along one loop; nothing for an empty space."""
    count = int(np.prod(sizes, dtype=np.int64))
    if dim is None or count <= WINDOW:
        yield grid(sizes, None)
        return
    rows = max(1, WINDOW * sizes[dim] // count)
    for start in range(0, sizes[dim], rows):
        yield grid(sizes, (dim, range(start, min(start + rows, sizes[dim]))))


def region_arguments(
    op: Operation, block: Block, first: int, values: Sequence[Any], maps: Sequence[AffineMap], loops: Grid
) -> list[Value]:
    """The elements for a region's arguments from number `first` on; what the region does not use is not read."""
    elements: list[Value] = []
    for argument, value, map in zip(block.args[first:], values, maps, strict=True):
        used = argument.first_use is not None
        index = positions(map, loops)
        elements.append(_elements(op, value, index) if used else np.zeros(()))
    return elements


def _elements(op: Operation, value: Any, index: tuple[Array, ...]) -> Value:
    """The elements of an operand; a scalar is its own, and of indices each is its place."""
    if isinstance(value, Indices):
        return index[0].astype(value.storage)
    return read(op, value, index) if isinstance(value, Buffer) else value


def store(op: Operation, out: Buffer, map: AffineMap, loops: Grid, value: Value) -> None:
    """Stores lanes to an out over the grid."""
    index = positions(map, loops)
    if not index:
        write(op, out, (), np.asarray(value).reshape(()))
        return
    shape = np.broadcast_shapes(*(axis.shape for axis in index))
    write(op, out, index, np.broadcast_to(np.asarray(value), shape))


def run_map(machine: Machine, op: MapOp, args: list[Any]) -> Sequence[Value]:
    """Computes every element of the outs."""
    count = len(op.ins)
    sizes = extents(op, args)
    outs = targets(op, args[count:])
    if 0 in sizes:
        return results(op, outs)
    for loops in windows(sizes, 0 if sizes else None):
        elements = region_arguments(op, op.body.block, 0, args[:count], op.maps[:count], loops)
        values = machine.run_block(op.body.block, elements)
        for out, map, value in zip(outs, op.maps[count:], values, strict=True):
            store(op, out, map, loops, value)
    return results(op, outs)


def run_reduce(machine: Machine, op: ReduceOp, args: list[Any]) -> Sequence[Value]:
    """Computes the elements, combines them over the reduction loops, and finishes."""
    first_out = len(op.ins) + len(op.finish_ins)
    sizes = extents(op, args)
    outs = targets(op, args[first_out:])
    parallel = op.parallel_dims
    if any(sizes[d] == 0 for d in parallel):
        return results(op, outs)
    for loops in windows(sizes, parallel[0] if parallel else None):
        combined = _combined(machine, op, args, loops)
        if op.finish.blocks:
            block = op.finish.block
            count = len(op.ins)
            extra = region_arguments(op, block, len(combined), args[count:first_out], op.maps[count:first_out], loops)
            combined = machine.run_block(block, [*combined, *extra])
        for out, map, value in zip(outs, op.out_maps, combined, strict=True):
            store(op, out, map, loops, value)
    return results(op, outs)


def _combined(machine: Machine, op: ReduceOp, args: list[Any], loops: Grid) -> list[Value]:
    """Run the body and combine what it yields; the reduction loops stay as axes of size 1."""
    shape = np.broadcast_shapes(*(axis.shape for axis in loops))
    reduced = op.reduction_dims
    if 0 in shape:
        elements: list[Value] = [np.zeros((), dtype.numpy) for _, dtype in op.combiners]
    else:
        count = len(op.ins)
        elements = machine.run_block(
            op.body.block, region_arguments(op, op.body.block, 0, args[:count], op.maps[:count], loops)
        )
    kept = tuple(1 if dim in reduced else size for dim, size in enumerate(shape))
    return [
        combine_axes(kind, dtype, np.broadcast_to(np.asarray(value), shape), reduced).reshape(kept)
        for (kind, dtype), value in zip(op.combiners, elements, strict=True)
    ]


# Named forms


def evaluated(op: Any, args: Sequence[Any]) -> Array:
    """Compute what the declaration of an operation on whole arrays says; every element that is read was written."""
    elements = [read(op, a) if isinstance(a, Buffer) else a for a in args]
    try:
        return np.asarray(op.evaluate(*elements))
    except OutOfRange as error:
        raise traps.gather_index(op, error.position, error.index, error.size) from None
    except Unmet as error:
        raise traps.assertion(op, str(error)) from None
    except Trap as trap:
        raise division_trap(op, trap, elements) from None


def run_named(machine: Machine, op: named.NamedOp, args: list[Any]) -> Sequence[Value]:
    """Stores what an operation with one out computes. The sizes that an extension declares equal are."""
    if isinstance(op, ExtensionOp):
        _check_sizes(op, args)
    outs = targets(op, args[len(op.ins) :])
    elements = evaluated(op, args[: len(op.ins)])
    if not op.SCALAR_INS:
        _check_out(op, elements, outs[0])
    write(op, outs[0], ..., elements)
    return results(op, outs)


def _check_sizes(op: ExtensionOp, args: Sequence[Any]) -> None:
    for (number, axis), (other, along) in op.equalities():
        size, expected = args[number].shape[axis], args[other].shape[along]
        if size != expected:
            raise InputError(
                "interpreter-extension-sizes",
                f"axis {axis} of {op.operand_name(number)} of '{op.name}' has size {size}, "
                f"but axis {along} of {op.operand_name(other)} has size {expected}",
                where=where_of(op),
            )


def _check_out(op: Operation, elements: Array, out: Buffer) -> None:
    if elements.shape != out.shape:
        raise InputError(
            "interpreter-out-shape",
            f"'{op.name}' computes shape {elements.shape} for an out of shape {out.shape}",
            where=where_of(op),
        )


def run_gemm(machine: Machine, op: GemmOp, args: list[Any]) -> Sequence[Value]:
    """Stores the product, or what the finish region makes of each element."""
    count = len(op.ins)
    others, outs = args[count:-1], targets(op, args[-1:])
    elements = evaluated(op, args[:count])
    _check_out(op, elements, outs[0])
    if not op.finish.blocks or 0 in elements.shape:
        write(op, outs[0], ..., elements)
        return results(op, outs)
    loops = grid(elements.shape, None)
    maps = [m for _, m in op.finishing]
    _check_finish(op, others, maps, elements.shape)
    extra = region_arguments(op, op.finish.block, 1, others, maps, loops)
    (value,) = machine.run_block(op.finish.block, [elements, *extra])
    store(op, outs[0], AffineMap.identity(len(elements.shape)), loops, value)
    return results(op, outs)


def _check_finish(op: GemmOp, args: Sequence[Any], maps: Sequence[AffineMap], shape: Sequence[int]) -> None:
    for number, (arg, map) in enumerate(zip(args, maps, strict=True)):
        for axis, expr in enumerate(map.results):
            if isinstance(expr, AffineDimExpr) and arg.shape[axis] != shape[expr.position]:
                raise InputError(
                    "interpreter-finish-size",
                    f"axis {axis} of finish_in {number} of '{op.name}' has size {arg.shape[axis]}, "
                    f"that of the out {shape[expr.position]}",
                    where=where_of(op),
                )


ARRAYS: dict[type[Operation], Handler] = {
    **dict.fromkeys((*named.OPS, *extensions.OPS), run_named),
    IotaOp: run_iota,
    MapOp: run_map,
    ReduceOp: run_reduce,
    GemmOp: run_gemm,
}
"""What executes each array-level operation."""
