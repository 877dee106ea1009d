"""That the operands of an array-level op agree in their sizes: proven from what the function promises, else guarded.

Sizes are compared as text: `a[0]` is the first size of the argument named a. What the runtime checks before a launch
(`hologram.constraints` and `hologram.result` of a public function) makes texts equal.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr

from hologram.dialects.arith import constant_of
from hologram.dialects.atlas.arrays import DYNAMIC, ArrayOp, GenericOp, shape_of
from hologram.dialects.atlas.checks import AssertOp
from hologram.dialects.atlas.extension import ExtensionOp
from hologram.dialects.atlas.gemm import GemmOp
from hologram.dialects.atlas.named import GatherOp, SoftmaxOp
from hologram.lowering.schedules.builder import Builder, Index

Place = tuple[int, int]
"""An operand and an axis of it."""

_ARITHMETIC: dict[type[Operation], str] = {arith.AddiOp: "+", arith.SubiOp: "-", arith.MuliOp: "*", arith.DivUIOp: "//"}


@dataclass
class Sizes:
    """What is known of the sizes in one function."""

    names: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    _parents: dict[str, str] = field(default_factory=dict[str, str])

    @staticmethod
    def of(function: func.FuncOp | None) -> Sizes:
        """The facts that hold in a function."""
        facts = Sizes()
        if function is None or not function.body.blocks:
            return facts
        arguments = function.body.blocks[0].args
        none: dict[str, Attribute] = {}
        said = [none for _ in arguments] if function.arg_attrs is None else [a.data for a in function.arg_attrs]
        for number, (value, attributes) in enumerate(zip(arguments, said, strict=True)):
            given = attributes.get("hologram.name")
            facts.names[value] = given.data if isinstance(given, StringAttr) else value.name_hint or f"arg{number}"
        if function.sym_visibility is None or function.sym_visibility.data == "public":
            facts._read(function, said)
        return facts

    def _read(self, function: func.FuncOp, said: Sequence[Mapping[str, Attribute]]) -> None:
        """Takes what the runtime checks for granted."""
        for value, attributes in zip(function.body.blocks[0].args, said, strict=True):
            shape = attributes.get("hologram.result")
            if isinstance(shape, StringAttr) and isinstance(tree := _parse(shape.data), ast.Tuple):
                for axis, element in enumerate(tree.elts):
                    self.equate(f"{self.names[value]}[{axis}]", ast.unparse(element))
        constraints = function.attributes.get("hologram.constraints")
        for text in cast("ArrayAttr[StringAttr]", constraints) if isinstance(constraints, ArrayAttr) else ():
            match _parse(text.data):
                case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                    self.equate(ast.unparse(left), ast.unparse(right))
                case _:
                    continue

    def _find(self, text: str) -> str:
        while text in self._parents:
            text = self._parents[text]
        return text

    def equate(self, a: str, b: str) -> None:
        """Takes two sizes for equal."""
        a, b = self._find(a), self._find(b)
        if a != b:
            # Numbers stay the representatives: they say most.
            self._parents.update({b: a} if a.isdigit() else {a: b})

    def size(self, value: SSAValue, axis: int) -> str:
        """The text of a size, the same for sizes that are known to be equal."""
        static = shape_of(value.type)[axis]
        return self._find(str(static) if static != DYNAMIC else self._dynamic(value, axis))

    def _dynamic(self, value: SSAValue, axis: int) -> str:
        if value in self.names:
            return f"{self.names[value]}[{axis}]"
        match value.owner:
            case memref.AllocOp() | memref.AllocaOp():
                before = sum(n == DYNAMIC for n in shape_of(value.type)[:axis])
                return self.index(value.owner.dynamic_sizes[before])
            case memref.SubviewOp() | memref.ReinterpretCastOp():
                static = list(cast("DenseArrayBase[Any]", value.owner.static_sizes).get_values())
                if len(static) == len(shape_of(value.type)):
                    return self.index(value.owner.sizes[sum(n == DYNAMIC for n in static[:axis])])
            case memref.CastOp():
                return self.size(value.owner.source, axis)
            case _:
                pass
        return f"size{id(value)}[{axis}]"

    def assume(self, check: AssertOp) -> None:
        """Takes what a check found equal for equal, for what follows it."""
        compare = check.condition.owner
        if isinstance(compare, arith.CmpiOp) and compare.predicate.value.data == 0:
            self.equate(self.index(compare.lhs), self.index(compare.rhs))

    def index(self, value: SSAValue) -> str:
        """The text of a value of type index, the same for values that are known to be equal."""
        owner = value.owner
        match owner:
            case arith.ConstantOp() if isinstance(owner.value, IntegerAttr):
                return str(owner.value.value.data)
            case memref.DimOp() if (axis := constant_of(owner.index)) is not None:
                return self.size(owner.source, axis)
            case Operation() if (sign := _ARITHMETIC.get(type(owner))) is not None:
                a, b = (self.index(v) for v in owner.operands)
                return self._find(ast.unparse(_parse(f"({a}) {sign} ({b})") or ast.Name("unknown")))
            case _:
                return self.names.get(value, f"value{id(value)}")


def _parse(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


# What must agree


def _equalities(op: ArrayOp) -> Iterator[tuple[Place, Place]]:
    """Pairs of sizes that the op's meaning needs equal."""
    match op:
        case GenericOp():
            for dim in range(op.num_loops):
                source = op.extent_source(dim)
                assert source is not None
                for number, map in enumerate(op.maps):
                    yield from (
                        ((number, axis), source) for axis, e in enumerate(map.results) if e == AffineDimExpr(dim)
                    )
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
            found, expected = (b.size(b.rw.value(op.operands[n]), axis) for n, axis in (place, source))
            text = f"{op.name}: axis {place[1]} of {_operand(op, place[0])} must have the size of axis {source[1]} of "
            _check(b, b.compare("eq", found, expected), text + _operand(op, source[0]), found, expected)
            if isinstance(op.parent_op(), func.FuncOp):
                # What follows in the function is only reached where the check held.
                facts.equate(*texts)
    if isinstance(op, GenericOp):
        _guard_expressions(b, op)


def _operand(op: ArrayOp, number: int) -> str:
    outs = len(op.operands) - len(op.outs)
    return f"out {number - outs}" if number >= outs else f"in {number}"


def _check(b: Builder, holds: SSAValue, text: str, found: Index, expected: Index) -> None:
    b.rw.emit(AssertOp(holds, text, None, [b.index(found), b.index(expected)]))


def _guard_expressions(b: Builder, op: GenericOp) -> None:
    """The greatest index of each expression that is not a plain dimension must lie below its axis' size."""
    extents = op.static_extents()
    if 0 in extents:
        return
    for number, (value, map) in enumerate(zip(op.operands, op.maps, strict=True)):
        for axis, (size, expr) in enumerate(zip(shape_of(value.type), map.results, strict=True)):
            known = size != DYNAMIC and all(extents[d] != DYNAMIC for d in expr.used_dims())
            if isinstance(expr, AffineDimExpr) or known:
                continue
            length = b.size(b.rw.value(value), axis)
            sizes = [_extent(b, op, dim) for dim in range(op.num_loops)]
            low, high = _reach(b, expr, sizes)
            inside = b.both(b.compare("slt", high, length), b.compare("sge", low, 0))
            empty = [b.compare("eq", s, 0) for s in sizes if not isinstance(s, int)]
            for none in empty:
                inside = b.either(inside, none)
            text = f"{op.name}: the indices along axis {axis} of {_operand(op, number)} must lie inside of it"
            _check(b, inside, text, high, length)


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


def function_of(op: Operation) -> func.FuncOp | None:
    """The function that an operation stands in, if any."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    return parent
