"""Checks that the operands of an array-level op agree in their sizes: proofs from the function, or guards.

Sizes are compared as text: `a[0]` is the first size of the argument named a. What the runtime checks before a launch
(`hologram.constraints` and `hologram.result` of a public function) makes texts equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import func
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr

from hologram.dialects.atlas.arrays.extension import ExtensionOp
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import DYNAMIC, ArrayOp, GenericOp, shape_of
from hologram.dialects.atlas.arrays.named import GatherOp, SoftmaxOp
from hologram.dialects.shapes import is_endless
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.transforms.analysis.sizes import Place, Sizes

# What must agree


def _equalities(op: ArrayOp) -> Iterator[tuple[Place, Place]]:
    """Pairs of sizes that the op's meaning needs equal."""
    match op:
        case GenericOp():
            for dim in range(op.num_loops):
                source = op.extent_source(dim)
                assert source is not None
                for number, (value, map) in enumerate(zip(op.operands, op.maps, strict=True)):
                    results = () if is_endless(value.type) else map.results
                    yield from (((number, axis), source) for axis, e in enumerate(results) if e == AffineDimExpr(dim))
        case SoftmaxOp():
            yield from (((1, axis), (0, axis)) for axis in range(len(shape_of(op.ins[0].type))))
        case GemmOp():
            yield from _gemm(op)
        case GatherOp():
            yield from _gather(op)
        case ExtensionOp():
            yield from op.equalities()
        case _:
            return


def _gemm(op: GemmOp) -> Iterator[tuple[Place, Place]]:
    rank = len(shape_of(op.outs[0].type))
    out = len(op.operands) - 1
    (a_rows, a_depth), (b_depth, b_columns) = (
        (rank - 1, rank - 2) if flip else (rank - 2, rank - 1) for flip in op.transposed
    )
    yield (1, b_depth), (0, a_depth)
    yield (0, a_rows), (out, rank - 2)
    yield (1, b_columns), (out, rank - 1)
    for axis in range(rank - 2):
        yield from (((operand, axis), (out, axis)) for operand in range(2))
    if len(op.ins) == 3:
        yield from (((2, axis), (out, axis)) for axis in range(rank))
    for number, (_, map) in enumerate(op.finishing, len(op.ins)):
        for axis, expr in enumerate(map.results):
            if isinstance(expr, AffineDimExpr):
                yield (number, axis), (out, expr.position)


def _gather(op: GatherOp) -> Iterator[tuple[Place, Place]]:
    axis = op.axis.value.data
    rank, indices = (len(shape_of(v.type)) for v in op.ins)
    yield from (((0, d), (2, d)) for d in range(axis))
    yield from (((1, d), (2, axis + d)) for d in range(indices))
    yield from (((0, d), (2, d + indices - 1)) for d in range(axis + 1, rank))


# Guards


def guard_sizes(b: Builder, op: ArrayOp, facts: Sizes) -> None:
    """Traps where sizes that must be equal are not known to be so and differ, or an index would leave its axis."""
    done: set[tuple[str, ...]] = set()
    for place, source in _equalities(op):
        texts = tuple(facts.size(op.operands[n], axis) for n, axis in (place, source))
        if texts[0] != texts[1] and texts not in done:
            done.add(texts)
            actual, expected = (b.size(b.rw.value(op.operands[n]), axis) for n, axis in (place, source))
            text = f"{op.name}: axis {place[1]} of {_operand(op, place[0])} must have the size of axis {source[1]} of "
            b.check(b.compare("eq", actual, expected), text + _operand(op, source[0]), actual, expected)
            if isinstance(op.parent_op(), func.FuncOp):
                # What follows in the function is only reached where the check held.
                facts.equate(*texts)
    if isinstance(op, GenericOp):
        _guard_expressions(b, op)


def _operand(op: ArrayOp, number: int) -> str:
    outs = len(op.operands) - len(op.outs)
    return f"out {number - outs}" if number >= outs else f"in {number}"


def _guard_expressions(b: Builder, op: GenericOp) -> None:
    """The greatest index of each expression that is not a plain dimension must lie below its axis' size."""
    extents = op.static_extents()
    if 0 in extents:
        return
    for number, (value, map) in enumerate(zip(op.operands, op.maps, strict=True)):
        for axis, (size, expr) in enumerate(zip(shape_of(value.type), map.results, strict=True)):
            known = size != DYNAMIC and all(extents[d] != DYNAMIC for d in expr.used_dims())
            if isinstance(expr, AffineDimExpr) or known or is_endless(value.type):
                continue
            length = b.size(b.rw.value(value), axis)
            sizes = [_extent(b, op, dim) for dim in range(op.num_loops)]
            low, high = _reach(b, expr, sizes)
            inside = b.both(b.compare("slt", high, length), b.compare("sge", low, 0))
            empty = [b.compare("eq", s, 0) for s in sizes if not isinstance(s, int)]
            for none in empty:
                inside = b.core.either(inside, none)
            text = f"{op.name}: the indices along axis {axis} of {_operand(op, number)} must lie inside of it"
            b.check(inside, text, high, length)


def _extent(b: Builder, op: GenericOp, dim: int) -> Index:
    source = op.extent_source(dim)
    assert source is not None
    number, axis = source
    return b.size(b.rw.value(op.operands[number]), axis)


def _reach(b: Builder, expr: AffineExpr, sizes: Sequence[Index]) -> tuple[Index, Index]:
    """Bounds of an expression over loops of these sizes (dimensions with an interval each)."""
    match expr:
        case AffineConstantExpr():
            return expr.value, expr.value
        case AffineDimExpr():
            return 0, b.sub(sizes[expr.position], 1)
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add):
            ends = zip(_reach(b, expr.lhs, sizes), _reach(b, expr.rhs, sizes), strict=True)
            low, high = (b.add(x, y) for x, y in ends)
            return low, high
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mod, rhs=AffineConstantExpr(value=modulus)):
            return 0, modulus - 1
        case AffineBinaryOpExpr(rhs=AffineConstantExpr(value=factor)):
            ends = [
                b.affine(AffineExpr.binary(expr.kind, AffineExpr.dimension(0), expr.rhs), [end])
                for end in _reach(b, expr.lhs, sizes)
            ]
            return (ends[0], ends[1]) if factor >= 0 else (ends[1], ends[0])
        case _:
            raise AssertionError("an affine map multiplies and divides by constants")
