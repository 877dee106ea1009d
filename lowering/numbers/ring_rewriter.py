"""The walk of the conversions of `torus` and `algebra`: elements become the integers that hold them, everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from hologram.dialects import marks
from hologram.dialects.arith import IndexCastOp
from hologram.dialects.atlas.arrays import general
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.hologram import tensors
from hologram.dialects.shapes import dense, element_type, is_memref, is_tensor, shape_of, with_element
from hologram.dialects.torus.base import signed
from hologram.dialects.torus.coordinates import ElementsConstant, PackOp, UnpackOp
from hologram.dialects.torus.types import CoordType, RingType, element_of, known_ring
from hologram.errors import PassError
from hologram.lowering.arrays.convert_hologram_to_atlas import TensorRewriter, convert_function
from hologram.lowering.numbers.ring_code import CoreIntegers, RegionIntegers, RingCode
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.rewriting.core_builder import number, shaped

Emit = Callable[[RingCode, Sequence[SSAValue]], Sequence[SSAValue]]
"""Emits the results of one element from those of the operands."""
WIDEST_DENSE = 64


class RingRewriter(TensorRewriter):
    """A walk in which all operations take and give what the types became, with or without a rule."""

    retypes = True

    def __init__(self, rules: Rules, element: type[Attribute]):
        super().__init__(Rules([self.held], rules.table))
        self.element = element
        """The type of elements that is converted."""

    def held(self, type: Attribute) -> Sequence[Attribute] | None:
        """A type of elements as one of the integers that hold them."""
        element = element_of(type)
        if not isinstance(element, self.element) or not isinstance(element, RingType):
            return None
        if is_memref(type):
            return (MemRefType(element.storage, type.get_shape(), type.layout, type.memory_space),)
        return (with_element(type, element.storage),)

    # Coordinates that stay (convert-algebra-to-torus)

    def packed(self, value: SSAValue) -> SSAValue:
        """The new value of `value` as integers: coordinates packed."""
        new = self.value(value)
        if not isinstance(element_of(new.type), CoordType):
            return new
        return self.emit(PackOp(new, type=with_element(new.type, storage_of(new.type)))).result

    def define_packed(self, result: SSAValue, value: SSAValue) -> None:
        """Define a result by integers: coordinates are unpacked."""
        if isinstance(element := element_of(self.types(result.type)[0]), CoordType):
            value = self.emit(UnpackOp(value, type=with_element(value.type, element))).result
        self.define(result, value)

    # Building

    def elementwise(self, op: Operation, emit: Emit) -> None:
        """Define the results of `op` by `emit` on scalars or vectors, or by an `atlas.map` over tensors."""
        operands, type = [self.packed(v) for v in op.operands], op.results[0].type
        if is_tensor(type):
            rank = len(shape_of(type))
            maps = [AffineMap.identity(rank) if is_tensor(v.type) else AffineMap(rank, 0, ()) for v in operands]
            results = self.map(operands, maps, [self.held_empty(r) for r in op.results], emit)
        else:
            results = emit(RingCode(CoreIntegers(self, type)), operands)
        for result, value in zip(op.results, results, strict=True):
            self.define_packed(result, value)

    def map(
        self, operands: Sequence[SSAValue], maps: Sequence[AffineMap], outs: Sequence[SSAValue], emit: Emit
    ) -> list[SSAValue]:
        """An `atlas.map`; its outs are walked in order."""
        block = self.body([element_type(v.type) for v in operands], emit)
        identity = AffineMap.identity(len(shape_of(outs[0].type)))
        return list(self.emit(general.MapOp(operands, outs, [*maps, *[identity] * len(outs)], block)).res)

    def body(self, types: Sequence[Attribute], emit: Emit) -> Block:
        """A region of scalars that yields the results of `emit`."""
        return yielding(self, types, lambda args: emit(RingCode(RegionIntegers(self)), args))

    def held_empty(self, result: SSAValue) -> SSAValue:
        """A `tensor.empty` for a result, of integers where it is of elements."""
        return self.empty_of(with_element(result.type, storage_of(result.type)), self.dynamic_sizes(result))

    def empty_of(self, type: Attribute, sizes: Sequence[SSAValue]) -> SSAValue:
        """A `tensor.empty` of a type, with its dynamic sizes."""
        return self.emit(tensor.EmptyOp(sizes, type)).tensor

    def as_integer(self, value: SSAValue, type: Attribute) -> SSAValue:
        """An integer, or a vector of them, as the type that a result has, which may be `index`."""
        if not isinstance(element_of(type), IndexType):
            return value
        return self.emit(IndexCastOp(value, shaped(value.type, IndexType()))).results[0]

    def constant(self, op: ElementsConstant) -> SSAValue:
        """Constant elements as integers."""
        type = with_element(op.value.type, storage_of(op.value.type))
        splat = op.value.splat
        bits = cast("Any", element_of(type)).width.data
        if not is_tensor(type):
            values = [signed(v.data, bits) for v in op.value.values]
            attribute = number(values[0], type) if splat is not None else dense(type, values)
            return self.emit(arith.ConstantOp(attribute)).result
        if splat is not None:
            immediate = IntegerAttr(splat, element_of(type), truncate_bits=True)  # pyright: ignore
            out = self.empty_of(type, [])
            return self.map([], [], [out], lambda _, __: [self.emit(MovImmOp(immediate)).result])[0]
        if bits > WIDEST_DENSE:
            raise PassError(
                op,
                "ring-constant-wide",
                f"a constant tensor of {element_of(op.value.type)} can't be compiled: dense constants hold 64 bits",
                hint="pass it as an argument",
            )
        return self.emit(tensors.ConstantOp(dense(type, [signed(v.data, bits) for v in op.value.values]))).result


def by_element(
    rules: Rules, *kinds: type[Operation]
) -> Callable[[Callable[..., Sequence[SSAValue]]], Callable[..., Sequence[SSAValue]]]:
    """Register a function that emits the results of an operation for one element: `(code, op, *operands)`."""

    def register(formula: Callable[..., Sequence[SSAValue]]) -> Callable[..., Sequence[SSAValue]]:
        def rule(rw: RingRewriter, op: Operation) -> None:
            def emit(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
                results = zip(formula(code, op, *args), op.results, strict=True)
                return [rw.as_integer(value, result.type) for value, result in results]

            rw.elementwise(op, emit)

        rules.on(*kinds)(rule)
        return formula

    return register


def yielding(
    rw: Rewriter, types: Sequence[Attribute], body: Callable[[Sequence[SSAValue]], Sequence[SSAValue]]
) -> Block:
    """A region of an array-level operation: arguments of some types, and a yield of what `body` gives for them."""
    block = Block(arg_types=types)
    with rw.at(block, rw.source):
        rw.emit(general.YieldOp(*body(block.args)))
    return block


def storage_of(type: Attribute) -> Attribute:
    """The integer type that holds an element; an integer type itself."""
    element = element_of(type)
    return element.storage if isinstance(element, RingType) else element


def ring_function(rw: RingRewriter, op: func.FuncOp) -> None:
    """A function; attributes say of its arguments and results that the integers which hold elements are unsigned."""
    convert_function(rw, op)
    new = rw.insertion_block.last_op
    assert isinstance(new, func.FuncOp)
    for name, types in (("arg_attrs", op.function_type.inputs), ("res_attrs", op.function_type.outputs)):
        words = [_dtype(t) if isinstance(element_of(t), rw.element) else None for t in types]
        if not any(words):
            continue
        present = cast("ArrayAttr[DictionaryAttr] | None", new.properties.get(name))
        given = [DictionaryAttr({})] * len(words) if present is None else present.data
        added = [{marks.TYPE: StringAttr(word)} if word else {} for word in words]
        new.properties[name] = ArrayAttr(
            DictionaryAttr({**old.data, **more}) for old, more in zip(given, added, strict=True)
        )


def _dtype(type: Attribute) -> str | None:
    """The unsigned type of the integers that hold elements; wide ones are limbs, which have no sign."""
    bits = known_ring(type).bits
    return f"u{bits}" if bits <= WIDEST_DENSE else None


def concerns(op: Operation, dialect: str, element: type[Attribute]) -> bool:
    """Return whether an operation is of a dialect, or has values of its elements."""
    values = (*op.operands, *op.results, *(a for r in op.regions for b in r.blocks for a in b.args))
    return op.name.startswith(f"{dialect}.") or any(isinstance(element_of(v.type), element) for v in values)
