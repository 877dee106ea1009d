"""Vector reductions and masked accesses: `llvm.intr.vector.reduce.*` and `llvm.intr.masked.*`."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I1, IntegerAttr, UnitAttr, VectorType, i32
from xdsl.dialects.llvm import FastMathAttr, LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from hologram.dialects.llvm.arithmetic import NO_FASTMATH, element_type
from hologram.dialects.llvm.intrinsics import FORMAT, class_of


class ReduceOp(IRDLOperation):
    """A vector's elements combined into one."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    arg = operand_def(VectorType.constr(T))
    res = result_def(T)

    def __init__(self, arg: SSAValue):
        Operation.__init__(self, operands=(arg,), result_types=(element_type(arg.type),))


class FloatReduceOp(IRDLOperation):
    """A vector of floats combined into one."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    arg = operand_def(VectorType.constr(T))
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = FORMAT

    def __init__(self, arg: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        Operation.__init__(
            self,
            operands=(arg,),
            result_types=(element_type(arg.type),),
            properties={"fastmathFlags": fastmath},
        )


class FloatAccumulateOp(IRDLOperation):
    """A vector of floats combined with a start value, in order unless `reassoc` is among the flags."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    start_value = operand_def(T)
    arg = operand_def(VectorType.constr(T))
    res = result_def(T)
    fastmathFlags = prop_def(FastMathAttr, default_value=NO_FASTMATH)

    def __init__(self, start_value: SSAValue, arg: SSAValue, fastmath: FastMathAttr = NO_FASTMATH):
        Operation.__init__(
            self,
            operands=(start_value, arg),
            result_types=(start_value.type,),
            properties={"fastmathFlags": fastmath},
        )


def _reduce(name: str) -> type[ReduceOp]:
    return class_of(ReduceOp, f"vector.reduce.{name}", f"All elements combined by {name}.")


def _float_reduce(name: str) -> type[FloatReduceOp]:
    return class_of(FloatReduceOp, f"vector.reduce.{name}", f"All elements combined by {name}.")


def _accumulate(name: str) -> type[FloatAccumulateOp]:
    return class_of(FloatAccumulateOp, f"vector.reduce.{name}", f"The start value and all elements combined by {name}.")


ReduceAddOp = _reduce("add")
ReduceMulOp = _reduce("mul")
ReduceAndOp = _reduce("and")
ReduceOrOp = _reduce("or")
ReduceXorOp = _reduce("xor")
ReduceSMaxOp = _reduce("smax")
ReduceSMinOp = _reduce("smin")
ReduceUMaxOp = _reduce("umax")
ReduceUMinOp = _reduce("umin")
ReduceFMaxOp = _float_reduce("fmax")
ReduceFMinOp = _float_reduce("fmin")
ReduceFMaximumOp = _float_reduce("fmaximum")
ReduceFMinimumOp = _float_reduce("fminimum")
ReduceFAddOp = _accumulate("fadd")
ReduceFMulOp = _accumulate("fmul")


# Masked accesses


@irdl_op_definition
class MaskedLoadOp(IRDLOperation):
    """Reads the elements of a vector whose mask is set; the others come from `pass_thru`, or are poison."""

    name = "llvm.intr.masked.load"

    data = operand_def(LLVMPointerType)
    mask = operand_def(VectorType[I1])
    pass_thru = opt_operand_def(AnyAttr())
    alignment = prop_def(IntegerAttr)
    nontemporal = opt_prop_def(UnitAttr)
    res = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "operands attr-dict `:` functional-type(operands, results)"

    def __init__(
        self,
        data: SSAValue,
        mask: SSAValue,
        result_type: Attribute,
        alignment: int,
        pass_thru: SSAValue | None = None,
    ):
        Operation.__init__(
            self,
            operands=(data, mask) if pass_thru is None else (data, mask, pass_thru),
            result_types=(result_type,),
            properties={"alignment": IntegerAttr(alignment, i32)},
        )


@irdl_op_definition
class MaskedStoreOp(IRDLOperation):
    """Writes the elements of a vector whose mask is set."""

    name = "llvm.intr.masked.store"

    value = operand_def(VectorType)
    data = operand_def(LLVMPointerType)
    mask = operand_def(VectorType[I1])
    alignment = prop_def(IntegerAttr)

    traits = traits_def(MemoryWriteEffect())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value `,` $data `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($data)"

    def __init__(self, value: SSAValue, data: SSAValue, mask: SSAValue, alignment: int):
        properties: dict[str, Attribute] = {"alignment": IntegerAttr(alignment, i32)}
        Operation.__init__(self, operands=(value, data, mask), properties=properties)


@irdl_op_definition
class MaskedGatherOp(IRDLOperation):
    """Reads each element whose mask is set from an address of its own."""

    name = "llvm.intr.masked.gather"

    ptrs = operand_def(VectorType)
    mask = operand_def(VectorType[I1])
    pass_thru = opt_operand_def(AnyAttr())
    alignment = prop_def(IntegerAttr)
    res = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "operands attr-dict `:` functional-type(operands, results)"

    def __init__(
        self,
        ptrs: SSAValue,
        mask: SSAValue,
        result_type: Attribute,
        alignment: int,
        pass_thru: SSAValue | None = None,
    ):
        Operation.__init__(
            self,
            operands=(ptrs, mask) if pass_thru is None else (ptrs, mask, pass_thru),
            result_types=(result_type,),
            properties={"alignment": IntegerAttr(alignment, i32)},
        )


@irdl_op_definition
class MaskedScatterOp(IRDLOperation):
    """Writes each element whose mask is set to an address of its own."""

    name = "llvm.intr.masked.scatter"

    value = operand_def(VectorType)
    ptrs = operand_def(VectorType)
    mask = operand_def(VectorType[I1])
    alignment = prop_def(IntegerAttr)

    traits = traits_def(MemoryWriteEffect())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)"

    def __init__(self, value: SSAValue, ptrs: SSAValue, mask: SSAValue, alignment: int):
        properties: dict[str, Attribute] = {"alignment": IntegerAttr(alignment, i32)}
        Operation.__init__(self, operands=(value, ptrs, mask), properties=properties)
