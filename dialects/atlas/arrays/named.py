"""The named array-level instructions. Those with the meaning of a map or reduce become one by `generalize-atlas`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    prop_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.atlas.arrays import reference
from hologram.dialects.atlas.arrays.base import (
    ArrayOp,
    Kind,
    KindAttr,
    element_dtype,
    parse_group,
    print_group,
    result_types,
)
from hologram.dialects.atlas.instructions.instruction import parse_dtype
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.types import (
    FLOATS,
    NUMBERS,
    STORED,
    Array,
    DType,
    DTypeAttr,
    dtype_of,
    reduced_types,
)
from hologram.dialects.families import defined
from hologram.dialects.shapes import compatible, element_type, is_shaped, shape_of, show_shape
from hologram.errors import InputError, VerifyError, parse_word, where_of


class NamedOp(ArrayOp):
    """The base: `atlas.NAME ins(...) outs(...) {properties}`; `arity` says how many ins it takes."""

    ARITY: ClassVar[tuple[int, ...]] = (1,)
    SCALAR_INS: ClassVar[bool] = False
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, ins: Sequence[SSAValue], outs: Sequence[SSAValue], **properties: Attribute | None):
        super().__init__(
            operands=[ins, outs],
            result_types=[result_types(outs)],
            properties={k: v for k, v in properties.items() if v is not None},
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        ins, outs = parse_group(parser, "ins"), parse_group(parser, "outs")
        attributes = parser.parse_optional_attr_dict()
        known = cls.get_irdl_definition().properties
        op = cls(ins, outs, **{k: v for k, v in attributes.items() if k in known})
        op.attributes |= {k: v for k, v in attributes.items() if k not in known}
        return op

    def print(self, printer: Printer) -> None:
        print_group(printer, "ins", self.ins)
        print_group(printer, "outs", self.outs)
        properties = {k: v for k, v in self.properties.items() if k != "operandSegmentSizes"}
        printer.print_op_attributes(properties | self.attributes)

    def verify_arity(self) -> None:
        """The number of ins is one of `arity`, all of them arrays unless `SCALAR_INS`, and there is one out."""
        if len(self.ins) not in self.ARITY or len(self.outs) != 1:
            counts = " or ".join(map(str, self.ARITY))
            raise VerifyError(
                "atlas-arity",
                f"'{self.name}' takes {counts} ins and one out, found {len(self.ins)} and {len(self.outs)}",
            )
        self.verify_groups()
        for value in self.ins:
            if is_shaped(value.type) == self.SCALAR_INS:
                wanted = "a scalar" if self.SCALAR_INS else "arrays"
                raise VerifyError("atlas-named-ins", f"'{self.name}' takes {wanted}, found {value.type}")

    def verify_shape(self, expected: Sequence[int]) -> None:
        """The out has the expected shape, as far as both are static."""
        actual = shape_of(self.outs[0].type)
        if not compatible(actual, expected):
            raise VerifyError(
                "atlas-out-shape",
                f"the out of '{self.name}' must have shape {show_shape(expected)}, found {show_shape(actual)}",
            )

    def verify_element(self, *values: SSAValue) -> None:
        """The values have the element type of the out."""
        expected = element_type(self.outs[0].type)
        for value in values:
            if element_type(value.type) != expected:
                raise VerifyError(
                    "atlas-element-type",
                    f"'{self.name}' works on one element type, found {element_type(value.type)} and {expected}",
                )

    def verify_dtype(self, dtype: DType) -> None:
        """A type that is written beside the operands is theirs."""
        if dtype.ir != element_type(self.outs[0].type):
            raise VerifyError("atlas-named-type", f"'{self.name}' under {dtype.name} does not fit {self.outs[0].type}")

    @abstractmethod
    def evaluate(self, *ins: Array) -> Array:
        """Compute the out's elements from those of the ins, in storage form."""


@irdl_op_definition
class FillOp(NamedOp):
    """Stores a scalar to every element.

    Example::

        atlas.fill ins(%c : f32) outs(%a : memref<?xf32>)
    """

    name = "atlas.fill"
    SCALAR_INS: ClassVar[bool] = True

    def verify_(self) -> None:
        self.verify_arity()
        self.verify_element(self.ins[0])

    def evaluate(self, *ins: Array) -> Array:
        return ins[0]


@irdl_op_definition
class CopyOp(NamedOp):
    """Copies element by element.

    Example::

        atlas.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    """

    name = "atlas.copy"

    def verify_(self) -> None:
        self.verify_arity()
        self.verify_shape(shape_of(self.ins[0].type))
        self.verify_element(self.ins[0])

    def evaluate(self, *ins: Array) -> Array:
        return ins[0]


@irdl_op_definition
class TransposeOp(NamedOp):
    """Permutes the axes: axis i of the out is axis `permutation[i]` of the in.

    Example::

        atlas.transpose ins(%a : memref<4x8xf32>) outs(%b : memref<8x4xf32>) {permutation = [1 : i64, 0 : i64]}
    """

    name = "atlas.transpose"
    permutation = prop_def(ArrayAttr[IntegerAttr])

    @property
    def axes(self) -> list[int]:
        return [a.value.data for a in self.permutation]

    def verify_(self) -> None:
        self.verify_arity()
        shape = shape_of(self.ins[0].type)
        if sorted(self.axes) != list(range(len(shape))):
            raise VerifyError("atlas-permutation", f"{self.axes} is no permutation of the {len(shape)} axes")
        self.verify_shape([shape[a] for a in self.axes])
        self.verify_element(self.ins[0])

    def evaluate(self, *ins: Array) -> Array:
        return ins[0].transpose(self.axes)


class ElementwiseOp(NamedOp):
    """The base of the maps by one scalar instruction: `atlas.NAME INSTRUCTION TYPE ins(...) outs(...)`."""

    OPERATION_ALIASES: ClassVar[Mapping[str, str]] = {"reciprocal": "rcp"}
    """What assembly also calls the scalar instructions."""
    TYPES: ClassVar[frozenset[str]] = NUMBERS
    operation = prop_def(StringAttr)
    type = prop_def(DTypeAttr)

    @classmethod
    def operations(cls) -> dict[str, frozenset[str]]:
        """The scalar instructions that it can apply, with their types."""
        return _operations(cls.ARITY[0])

    @property
    def may_trap(self) -> bool:
        return INSTRUCTIONS[self.operation.data].INSTRUCTION.traps is not None and not self.type.dtype.is_float

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operation, dtype = _parse_operation(parser, cls.ARITY[0])
        ins, outs = parse_group(parser, "ins"), parse_group(parser, "outs")
        op = cls(ins, outs, operation=StringAttr(operation), type=DTypeAttr.of(dtype))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.operation.data} {self.type.dtype.name}")
        print_group(printer, "ins", self.ins)
        print_group(printer, "outs", self.outs)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_arity()
        for value in self.ins:
            self.verify_shape(shape_of(value.type))
        self.verify_element(*self.ins)
        known = self.operations()
        if self.operation.data not in known or self.type.data not in known[self.operation.data]:
            raise VerifyError(
                "atlas-parallel-type", f"'{self.name}' knows no '{self.operation.data}' for {self.type.data.value}"
            )
        self.verify_dtype(self.type.dtype)

    def evaluate(self, *ins: Array) -> Array:
        if len({x.shape for x in ins}) > 1:
            shapes = " and ".join(str(x.shape) for x in ins)
            raise InputError(
                "interpreter-map-shapes", f"'{self.name}' takes one shape, found {shapes}", where=where_of(self)
            )
        return reference.apply(self.operation.data, self.type.dtype, *ins)


@irdl_op_definition
class ParallelMapOp(ElementwiseOp):
    """Applies a scalar instruction of one operand to every element.

    Example::

        atlas.parallel_map exp f32 ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    """

    name = "atlas.parallel_map"


@irdl_op_definition
class ParallelMapBinaryOp(ElementwiseOp):
    """Applies a scalar instruction of two operands to corresponding elements.

    Example::

        atlas.parallel_map_binary add f32 ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
    """

    name = "atlas.parallel_map_binary"
    ARITY: ClassVar[tuple[int, ...]] = (2,)


def _operations(operands: int) -> dict[str, frozenset[str]]:
    """The instructions that take so many values of their type and give one, with their types."""
    declared = {name: op.INSTRUCTION for name, op in INSTRUCTIONS.items()}
    return {n: i.types for n, i in declared.items() if [*i.operands.values(), i.result] == ["T"] * (operands + 1)}


def _parse_operation(parser: Parser, operands: int) -> tuple[str, DType]:
    known = _operations(operands)
    name = parse_word(parser, known, "atlas-parallel-operation", f"an instruction of {operands} operand(s)")
    return name, parse_dtype(parser)


@irdl_op_definition
class ParallelReduceOp(NamedOp):
    """Combines all elements into one, with the association of isa.md section 3.

    Float sums and products of less than 32 bits are taken in f32 and rounded once; those of 8 bits know no other kind.
    min and max skip NaN, the `.nan` forms keep it. Of no elements it is the identity (a float sum +0).

    Example::

        atlas.parallel_reduce ins(%a : memref<?xf32>) outs(%s : memref<f32>)
          {kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
    """

    name = "atlas.parallel_reduce"
    MARKS: ClassVar[tuple[str, ...]] = ("reassoc",)
    TYPES: ClassVar[frozenset[str]] = NUMBERS | STORED
    kind = prop_def(KindAttr)
    type = prop_def(DTypeAttr)

    @property
    def combiner(self) -> tuple[Kind, DType]:
        return self.kind.data, self.type.dtype

    def verify_(self) -> None:
        self.verify_arity()
        self.verify_shape(())
        self.verify_element(self.ins[0])
        if self.type.data not in reduced_types(self.kind.data.value):
            raise VerifyError(
                "atlas-parallel-reduce-type",
                f"a reduction by {self.kind.data.value} is not defined for {self.type.data.value}",
            )
        self.verify_dtype(self.type.dtype)

    def evaluate(self, *ins: Array) -> Array:
        return reference.combine(*self.combiner, ins[0].reshape(-1))


@irdl_op_definition
class GatherOp(NamedOp):
    """Takes slices of the first in along `axis` at the indices of the second (signed; out of range traps).

    The out's shape is the source's with `axis` replaced by the shape of the indices.

    Example::

        atlas.gather ins(%x, %i : memref<8x4xf32>, memref<3xi64>) outs(%o : memref<3x4xf32>) {axis = 0 : i64}
    """

    name = "atlas.gather"
    ARITY: ClassVar[tuple[int, ...]] = (2,)
    axis = prop_def(IntegerAttr)
    TRAPS: ClassVar[bool] = True

    def verify_(self) -> None:
        self.verify_arity()
        source, indices = shape_of(self.ins[0].type), shape_of(self.ins[1].type)
        axis = self.axis.value.data
        if not 0 <= axis < len(source):
            raise VerifyError("atlas-gather-axis", f"axis {axis} is out of range for a source of rank {len(source)}")
        index = element_type(self.ins[1].type)
        if not isinstance(index, IntegerType) or index.bitwidth not in (32, 64):
            raise VerifyError("atlas-gather-index", f"indices are i32 or i64, found {index}")
        self.verify_shape([*source[:axis], *indices, *source[axis + 1 :]])
        self.verify_element(self.ins[0])

    def evaluate(self, *ins: Array) -> Array:
        return reference.gather(*ins, axis=self.axis.value.data)


@irdl_op_definition
class SoftmaxOp(NamedOp):
    """m = max(x), e = exp(x - m), e / sum(e) along `axis`, each operation rounded as written, floats below 32 bits in
    f32.

    Exact but for `exp`, whose bound holds: a relative error of some units of roundoff in each element. A NaN or +inf
    makes its row NaN, and so does a row of -inf alone; beside finite elements -inf gives 0.

    Example::

        atlas.softmax ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {axis = 1 : i64}
    """

    name = "atlas.softmax"
    MARKS: ClassVar[tuple[str, ...]] = ("reassoc",)
    TYPES: ClassVar[frozenset[str]] = FLOATS | STORED
    axis = prop_def(IntegerAttr)

    def verify_(self) -> None:
        self.verify_arity()
        shape = shape_of(self.ins[0].type)
        if not 0 <= self.axis.value.data < len(shape):
            raise VerifyError(
                "atlas-softmax-axis", f"axis {self.axis.value.data} is out of range for rank {len(shape)}"
            )
        self.verify_shape(shape)
        self.verify_element(self.ins[0])
        dtype = dtype_of(element_type(self.ins[0].type))
        if dtype is None or dtype.name not in self.TYPES:
            raise VerifyError("atlas-softmax-type", f"'{self.name}' needs floats, found {self.ins[0].type}")

    def evaluate(self, *ins: Array) -> Array:
        return reference.softmax(element_dtype(self.ins[0]), *ins, axis=self.axis.value.data)


def integer_attr(value: int) -> IntegerAttr[I64]:
    """An i64 property."""
    return IntegerAttr(value, i64)


OPS = defined(globals(), Operation)
