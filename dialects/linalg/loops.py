"""What stands in the bodies of linalg's operations: the indices of the loops, and what is yielded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, ShapedType, TensorType, i64
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import IsTerminator, Pure

from hologram.errors import VerifyError


@irdl_op_definition
class IndexOp(IRDLOperation):
    """The index of a loop, in the body of an operation of linalg.

    Example: `%i = linalg.index 0 : index`
    """

    name = "linalg.index"

    dim = prop_def(IntegerAttr[i64])
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "$dim attr-dict `:` type($result)"

    def __init__(self, axis: int):
        super().__init__(properties={"dim": IntegerAttr(axis, i64)}, result_types=[IndexType()])

    def verify_(self) -> None:
        around, axis = self.parent_op(), self.dim.value.data
        loops = len(around.get_iterator_types()) if isinstance(around, LinalgStructuredOperation) else 0
        if not 0 <= axis < loops:
            where = f"there are {loops} loops around it" if loops else "it stands in no operation of linalg with loops"
            raise VerifyError("linalg-index", f"'linalg.index' asks for loop {axis}, and {where}")


def element_type(value: SSAValue) -> Attribute:
    """The type of the elements of an operand, or its own where it is one number."""
    type: Attribute = value.type
    return cast("Any", type).get_element_type() if isinstance(type, ShapedType) else type


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """The end of a body: elements of the outputs.

    Example: `linalg.yield %x : f32`
    """

    name = "linalg.yield"

    traits = traits_def(IsTerminator(), Pure())

    def verify_(self) -> None:
        around = self.parent_op()
        if not isinstance(around, LinalgStructuredOperation):
            return
        needed = [element_type(value) for value in around.operands[len(around.inputs) :]]
        if [*self.operand_types] != needed:
            given, wanted = (", ".join(map(str, types)) or "nothing" for types in (self.operand_types, needed))
            raise VerifyError("linalg-yield", f"'linalg.yield' gives {given}, and the outputs hold {wanted}")


def tensor_types(values: Sequence[SSAValue]) -> list[Attribute]:
    """The types of those values that are tensors."""
    types: Iterator[Attribute] = (v.type for v in values)
    return [type for type in types if isinstance(type, TensorType)]


def check_results(op: Operation) -> None:
    """An operation has a result for each output that is a tensor, of its type."""
    outputs, results = op.operands[len(cast("Any", op).inputs) :], [*op.result_types]
    tensors = tensor_types(outputs)
    if results != tensors:
        given, needed = (", ".join(map(str, types)) or "none" for types in (results, tensors))
        raise VerifyError("linalg-results", f"'{op.name}' has results of {given}, and its outputs are {needed}")
