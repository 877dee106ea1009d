"""`convert-algebra-to-torus`: the generators and what follows from them become integer arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, TensorType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.passes import ModulePass

from hologram.dialects.algebra import derived, generators
from hologram.dialects.algebra.types import ResidueType
from hologram.dialects.atlas.arrays import general
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.hologram import tensors
from hologram.dialects.hologram.base import integers
from hologram.dialects.shapes import DYNAMIC, dense, element_type, shape_of
from hologram.dialects.torus import coordinates as torus
from hologram.dialects.torus.base import integer_bits
from hologram.dialects.torus.types import CoordType, element_of
from hologram.errors import PassError
from hologram.lowering.numbers.convert_torus_to_atlas import project
from hologram.lowering.numbers.ring_code import WIDEST, Nat, RingCode, width_of
from hologram.lowering.numbers.ring_rewriter import RingRewriter, by_element, concerns, ring_function
from hologram.lowering.rewriting.conversion import Rules, convert_module
from hologram.support.walking import operations
from hologram.torus import Ring

RULES = Rules()
MOST_ELEMENTS = 1 << 47
"""More than any memory holds: the bound of a dynamic size."""

RULES.on(func.FuncOp)(ring_function)


by_element(RULES, generators.ProjectOp)(project)


@RULES.on(generators.ConstantOp)
def _constant(rw: RingRewriter, op: generators.ConstantOp) -> None:
    if isinstance(element_of(op.result.type), CoordType):
        rw.replace(op, torus.ConstantOp(op.value))
    else:
        rw.define(op.result, rw.constant(op))


@by_element(RULES, generators.ValueOp)
def _value(code: RingCode, op: generators.ValueOp, residue: SSAValue) -> list[SSAValue]:
    return [code.ints.resize(residue, integer_bits(op.result.type) or 0)]


# The generators


Combine = Callable[[RingCode, int, Sequence[Nat]], Nat]
"""Emits one component of a result from its modulus and those of the operands; it need not be reduced."""


def by_component(op_type: type[generators.GeneratorOp], combine: Combine) -> None:
    """Compile a generator whose operands and result are elements of one ring, component by component."""

    def formula(code: RingCode, op: generators.GeneratorOp, *args: SSAValue) -> list[SSAValue]:
        ring = op.ring
        parts = zip(*(code.components(ring, a) for a in args), strict=True)
        return [code.pack(ring, [combine(code, m, p) for m, p in zip(ring.moduli, parts, strict=True)])]

    by_element(RULES, op_type)(formula)


by_component(generators.AddOp, lambda code, _, x: code.add(x[0], x[1]))
by_component(generators.SubOp, lambda code, modulus, x: code.sub(x[0], x[1], modulus))
by_component(generators.MulOp, lambda code, _, x: code.mul(x[0], x[1]))
by_component(generators.NegOp, lambda code, modulus, x: code.sub(Nat(code.ints.constant(0, 8), 0), x[0], modulus))


@by_element(RULES, generators.ScaleOp)
def _scale(code: RingCode, op: generators.ScaleOp, k: SSAValue, a: SSAValue) -> list[SSAValue]:
    parts = zip(code.project(op.ring, k, signed=True), code.components(op.ring, a), strict=True)
    return [code.pack(op.ring, [code.mul(factor, part) for factor, part in parts])]


# Sums of elements, and of products


def _sums(
    rw: RingRewriter, op: derived.DerivedOp, ins: Sequence[SSAValue], maps: Sequence[AffineMap], most: int
) -> None:
    """The sums over the loops that the result has not, of the elements or of the products of two: one sum a component,
    taken without wrapping and reduced at the end."""
    ring = op.ring
    greatest = max(ring.moduli) - 1
    exact = greatest ** len(ins) * most
    # Products that would make the sums too wide are reduced first.
    reduces = len(ins) == 2 and width_of(exact) > max(64, 2 * ring.width)
    bound = greatest * most if reduces else exact
    bits = min(max(32, width_of(bound)), WIDEST)

    def terms(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        parts = [code.components(ring, a) for a in args]
        products = parts[0] if len(parts) == 1 else [code.mul(a, b) for a, b in zip(*parts, strict=True)]
        kept = [code.mod(x, m) for x, m in zip(products, ring.moduli, strict=True)] if reduces else products
        return [code.ints.resize(x.value, bits) for x in kept]

    def finish(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        return [code.pack(ring, [Nat(a, bound) for a in args])]

    out = rw.held_empty(op.results[0])
    rank = len(shape_of(out.type))
    kinds = [(general.Kind.add, DTYPES[f"u{bits}"])] * len(ring.moduli)
    body = rw.body([element_type(v.type) for v in ins], terms)
    end = rw.body([IntegerType(bits)] * len(ring.moduli), finish)
    loops = maps[0].num_dims
    maps = [*maps, AffineMap(loops, 0, tuple(AffineDimExpr(d) for d in range(rank)))]
    rw.define_packed(op.results[0], rw.emit(general.ReduceOp(kinds, ins, [out], maps, body, finish=end)).res[0])


def _most(sizes: Sequence[int]) -> int:
    """A bound of how many elements are added up."""
    count = 1
    for size in sizes:
        count *= MOST_ELEMENTS if size == DYNAMIC else max(size, 1)
    return min(count, MOST_ELEMENTS)


@RULES.on(derived.SumOp)
def _sum(rw: RingRewriter, op: derived.SumOp) -> None:
    shape, axes, kept = shape_of(op.x.type), integers(op.axes), op.kept
    order = [*kept, *axes]
    exprs = tuple(AffineDimExpr(order.index(axis)) for axis in range(len(shape)))
    _sums(rw, op, [rw.packed(op.x)], [AffineMap(len(shape), 0, exprs)], _most([shape[a] for a in axes]))


@RULES.on(derived.MatmulOp)
def _matmul(rw: RingRewriter, op: derived.MatmulOp) -> None:
    shape = shape_of(op.a.type)
    batch = [AffineDimExpr(d) for d in range(len(shape) - 2)]
    rows, columns, inner = (AffineDimExpr(len(batch) + n) for n in range(3))
    loops = len(shape) + 1
    maps = [AffineMap(loops, 0, (*batch, rows, inner)), AffineMap(loops, 0, (*batch, inner, columns))]
    _sums(rw, op, [rw.packed(op.a), rw.packed(op.b)], maps, _most(shape[-1:]))


@RULES.on(derived.ConvolveOp)
def _convolve(rw: RingRewriter, op: derived.ConvolveOp) -> None:
    """Element k is the sum over i of a[i] times b[k - i]; of the linear one b is lengthened by zeros at both ends."""
    (length,) = shape_of(op.a.type)
    a, b = rw.packed(op.a), rw.packed(op.b)
    k, i = AffineDimExpr(0), AffineDimExpr(1)
    place: AffineExpr = k - i + length
    if op.circular is not None:
        place = place % length
    else:
        b = _lengthened(rw, b, length - 1)
        # At least 1 is added and taken away, for a bare k would say that b is no longer than the result.
        place = place - 1
    _sums(rw, op, [a, b], [AffineMap(2, 0, (i,)), AffineMap(2, 0, (place,))], length)


def _lengthened(rw: RingRewriter, b: SSAValue, zeros: int) -> SSAValue:
    if not zeros:
        return b
    (length,) = shape_of(b.type)
    element = cast("IntegerType", element_of(b.type))
    if element.width.data > 64:
        raise PassError(
            rw.source,
            "algebra-convolve-wide",
            f"a linear convolution of {element_of(cast('Any', rw.source).a.type)} can't be compiled",
            hint="lengthen the second sequence by zeros, and convolve it circularly with the other one",
        )
    end = rw.emit(tensors.ConstantOp(dense(with_size(b, zeros), [0]))).result
    type = with_size(b, DYNAMIC if length == DYNAMIC else length + 2 * zeros)
    properties = {"axis": IntegerAttr(0, 64)}
    return rw.emit(tensors.ConcatOp.create(operands=[end, b, end], result_types=[type], properties=properties)).results[
        0
    ]


def with_size(sequence: SSAValue, size: int) -> Any:
    """The type of a sequence of another length."""
    return TensorType(element_of(sequence.type), [size])


# Products of elements


@RULES.on(derived.ProductOp)
def _product(rw: RingRewriter, op: derived.ProductOp) -> None:
    """Along each axis halves are multiplied by each other until one is left."""
    shape = list(shape_of(op.x.type))
    axes = integers(op.axes)
    if any(shape[a] == DYNAMIC for a in axes):
        raise PassError(
            op,
            "algebra-product-dynamic",
            f"'{op.name}' over an axis of dynamic size can't be compiled",
            hint="give the axis a static size, or take the product in parts of one",
        )
    ring = op.ring
    if 0 in (shape[a] for a in axes):
        one = IntegerAttr(ring.one, IntegerType(ring.bits), truncate_bits=True)
        ones = rw.map([], [], [rw.held_empty(op.result)], lambda _, __: [rw.emit(MovImmOp(one)).result])
        rw.define_packed(op.result, ones[0])
        return
    sizes = [rw.size(s) if n == DYNAMIC else n for s, n in zip(rw.analysis.sizes(op.x), shape, strict=True)]
    halves = Halves(rw, ring, sizes)
    value = rw.packed(op.x)
    for axis in axes:
        value = halves.along(value, axis)
    exprs = tuple(AffineConstantExpr(0) if a in axes else AffineDimExpr(op.kept.index(a)) for a in range(len(shape)))
    last = AffineMap(len(op.kept), 0, exprs)
    rw.define_packed(op.result, *rw.map([value], [last], [rw.held_empty(op.result)], lambda _, args: [args[0]]))


@dataclass
class Halves:
    """Multiplies a tensor's elements along one axis after another."""

    rw: RingRewriter
    ring: Ring
    sizes: list[int | SSAValue]
    """Of the tensor as it is so far."""

    def along(self, x: SSAValue, axis: int) -> SSAValue:
        """The products along an axis, which keeps the size 1."""
        count = cast("int", self.sizes[axis])
        single: SSAValue | None = None
        while count > 1:
            if count % 2:
                last = self._part(x, axis, 1, [count - 1])
                single = last if single is None else self._times(single, last, axis)
            x = self._part(x, axis, count // 2, [0, count // 2])
            count //= 2
        return x if single is None else self._times(x, single, axis)

    def _part(self, x: SSAValue, axis: int, count: int, starts: Sequence[int]) -> SSAValue:
        """So many elements from each start on, multiplied where there are two."""
        rank = len(self.sizes)
        self.sizes[axis] = count
        maps = [
            AffineMap(rank, 0, tuple(
                _from(AffineDimExpr(d), start) if d == axis else AffineDimExpr(d) for d in range(rank)
            ))
            for start in starts
        ]  # fmt: skip
        return self.rw.map([x] * len(starts), maps, [self._empty(x)], self._emit)[0]

    def _times(self, a: SSAValue, b: SSAValue, axis: int) -> SSAValue:
        self.sizes[axis] = 1
        identity = AffineMap.identity(len(self.sizes))
        return self.rw.map([a, b], [identity, identity], [self._empty(a)], self._emit)[0]

    def _emit(self, code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        if len(args) == 1:
            return [args[0]]
        parts = zip(*(code.components(self.ring, a) for a in args), strict=True)
        return [code.pack(self.ring, [code.mul(a, b) for a, b in parts])]

    def _empty(self, like: SSAValue) -> SSAValue:
        static = [s if isinstance(s, int) else DYNAMIC for s in self.sizes]
        dynamic = [s for s in self.sizes if isinstance(s, SSAValue)]
        return self.rw.empty_of(TensorType(element_of(like.type), static), dynamic)


def _from(dim: AffineExpr, start: int) -> AffineExpr:
    """An index from a start on, into an axis that is longer than the loop."""
    return dim + start if start else general.within(dim)


@dataclass(frozen=True)
class ConvertAlgebraToTorusPass(ModulePass):
    """Turns the operations of algebra into integer arithmetic: arith on scalars and vectors, `atlas.map` and
    `atlas.reduce` on tensors. Residues become the integers that hold them; coordinates stay, and go in and out by
    `torus.pack` and `torus.unpack`, which are nothing once `convert-torus-to-atlas` ran. Each operation reduces once:
    sums of products are taken in integers that hold them.

    Before::

        %c = algebra.add %a, %b : tensor<?x!torus.coord>

    After::

        %x = torus.pack %a : tensor<?x!torus.coord> to tensor<?xi16>
        %y = torus.pack %b : tensor<?x!torus.coord> to tensor<?xi16>
        %s = atlas.map ins(%x, %y : tensor<?xi16>, tensor<?xi16>) outs(%e : tensor<?xi16>) maps [...] {
          ... the sums of both components, and one conditional subtraction each
        }
        %c = torus.unpack %s : tensor<?xi16> to tensor<?x!torus.coord>
    """

    name = "convert-algebra-to-torus"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if any(concerns(inner, "algebra", ResidueType) for inner in operations(op)):
            convert_module(op, RULES, RingRewriter(RULES, ResidueType))
