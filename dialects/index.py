"""The index dialect of upstream: arithmetic on values of type index."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    BoolAttr,
    IndexType,
    IndexTypeConstr,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    i1,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Dialect, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, ConstantLike, OpTrait, Pure
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.custom.rows import need
from hologram.dialects.families import defined, operation_of


class IndexCmpPredicate(StrEnum):
    """The predicates of `index.cmp`."""

    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


@irdl_attr_definition
class IndexCmpPredicateAttr(EnumAttribute[IndexCmpPredicate], SpacedOpaqueSyntaxAttribute):
    """`#index<cmp_predicate slt>`."""

    name = "index.cmp_predicate"


class BinaryOp(IRDLOperation):
    """An operation on two indices that gives one."""

    lhs = operand_def(IndexTypeConstr)
    rhs = operand_def(IndexTypeConstr)
    result = result_def(IndexTypeConstr)

    traits = traits_def(Pure())

    assembly_format: ClassVar[str | None] = "$lhs `,` $rhs attr-dict"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[IndexType()])


def _binary(name: str, meaning: str, *more: OpTrait) -> type[BinaryOp]:
    """One row of the table below as a class."""
    return operation_of(BinaryOp, f"index.{name}", meaning, Pure(), *more, module=__name__)


AddOp = _binary("add", "The sum, modulo the width of index.", Commutative())
SubOp = _binary("sub", "The difference, modulo the width of index.")
MulOp = _binary("mul", "The product, modulo the width of index.", Commutative())
DivSOp = _binary("divs", "The signed quotient, rounded towards zero; by zero and least / -1 are undefined.")
DivUOp = _binary("divu", "The unsigned quotient; by zero is undefined.")
CeilDivSOp = _binary("ceildivs", "The signed quotient, rounded up; by zero and least / -1 are undefined.")
CeilDivUOp = _binary("ceildivu", "The unsigned quotient, rounded up; by zero is undefined.")
FloorDivSOp = _binary("floordivs", "The signed quotient, rounded down; by zero and least / -1 are undefined.")
RemSOp = _binary("rems", "The signed remainder, with the sign of the dividend; by zero is undefined.")
RemUOp = _binary("remu", "The unsigned remainder; by zero is undefined.")
MaxSOp = _binary("maxs", "The greater of two signed values.", Commutative())
MaxUOp = _binary("maxu", "The greater of two unsigned values.", Commutative())
MinSOp = _binary("mins", "The lesser of two signed values.", Commutative())
MinUOp = _binary("minu", "The lesser of two unsigned values.", Commutative())
ShlOp = _binary("shl", "Shifts left; by the width or more is undefined.")
ShrSOp = _binary("shrs", "Shifts right, filling with the sign; by the width or more is undefined.")
ShrUOp = _binary("shru", "Shifts right, filling with zeros; by the width or more is undefined.")
AndOp = _binary("and", "Bitwise and.", Commutative())
OrOp = _binary("or", "Bitwise or.", Commutative())
XOrOp = _binary("xor", "Bitwise exclusive or.", Commutative())


class CastOp(IRDLOperation):
    """A conversion between index and an integer type."""

    input = operand_def(IndexTypeConstr | SignlessIntegerConstraint)
    output = result_def(IndexTypeConstr | SignlessIntegerConstraint)

    traits = traits_def(Pure())

    assembly_format: ClassVar[str | None] = "$input attr-dict `:` type($input) `to` type($output)"

    def __init__(self, input: SSAValue, output: Attribute):
        super().__init__(operands=[input], result_types=[output])

    def verify_(self) -> None:
        fits = isinstance(self.input.type, IndexType) is not isinstance(self.output.type, IndexType)
        need(fits, f"'{self.name}' converts between index and an integer, not {self.input.type} to {self.output.type}")


@irdl_op_definition
class CastSOp(CastOp):
    """Converts between index and an integer type, sign-extending to the wider one."""

    name = "index.casts"


@irdl_op_definition
class CastUOp(CastOp):
    """Converts between index and an integer type, zero-extending to the wider one."""

    name = "index.castu"


@irdl_op_definition
class CmpOp(IRDLOperation):
    """Compares two indices."""

    name = "index.cmp"

    pred = prop_def(IndexCmpPredicateAttr)
    lhs = operand_def(IndexTypeConstr)
    rhs = operand_def(IndexTypeConstr)
    result = result_def(i1)

    traits = traits_def(Pure())

    assembly_format = "$pred `` `(` $lhs `,` $rhs `)` attr-dict"

    def __init__(self, predicate: IndexCmpPredicate, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[i1], properties={"pred": IndexCmpPredicateAttr(predicate)})


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """The width of index in bits."""

    name = "index.sizeof"

    result = result_def(IndexTypeConstr)

    traits = traits_def(Pure())

    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__(result_types=[IndexType()])


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """An index constant."""

    name = "index.constant"

    value = prop_def(IntegerAttr[IndexType])
    result = result_def(IndexTypeConstr)

    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "attr-dict $value"

    def __init__(self, value: int):
        super().__init__(result_types=[IndexType()], properties={"value": IntegerAttr(value, IndexType())})


@irdl_op_definition
class BoolConstantOp(IRDLOperation):
    """A constant of type i1."""

    name = "index.bool.constant"

    value = prop_def(BoolAttr)
    result = result_def(IntegerType(1))

    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "attr-dict $value"

    def __init__(self, value: bool):
        super().__init__(result_types=[i1], properties={"value": BoolAttr.from_bool(value)})


BINARY_OPS = defined(globals(), BinaryOp)

Index = Dialect(
    "index",
    defined(globals(), Operation),
    [IndexCmpPredicateAttr],
)
