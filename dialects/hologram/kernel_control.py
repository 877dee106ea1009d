"""Variables and control of the kernel form: what `hologram.kernel` and `hologram.function` hold."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import IntegerType, i1
from xdsl.ir import Attribute, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoTerminator

from hologram.dialects.atlas.arrays.base import show_types
from hologram.dialects.atlas.lanes.control import Conditional
from hologram.dialects.syntax import parse_block
from hologram.errors import VerifyError


@irdl_attr_definition
class VariableType(ParametrizedAttribute, TypeAttribute):
    """A variable that holds a value of a type: `!hologram.var<f32>`."""

    name = "hologram.var"
    element: Attribute


_T = VarConstraint("T", AnyAttr())


@irdl_op_definition
class VarOp(IRDLOperation):
    """A variable of the lane. What it holds before the first `hologram.set` is zero.

    Example::

        %total = hologram.var : !hologram.var<f32>
    """

    name = "hologram.var"
    variable = result_def(VariableType)
    assembly_format = "attr-dict `:` type($variable)"

    def __init__(self, element: Attribute):
        super().__init__(result_types=[VariableType(element)])


@irdl_op_definition
class GetOp(IRDLOperation):
    """Reads a variable.

    Example::

        %x = hologram.get %total : !hologram.var<f32>
    """

    name = "hologram.get"
    T: ClassVar = _T
    variable = operand_def(ParamAttrConstraint(VariableType, (_T,)))
    result = result_def(_T)
    assembly_format = "$variable attr-dict `:` type($variable)"

    def __init__(self, variable: SSAValue):
        assert isinstance(variable.type, VariableType)
        super().__init__(operands=[variable], result_types=[variable.type.element])


@irdl_op_definition
class SetOp(IRDLOperation):
    """Assigns to a variable.

    Example::

        hologram.set %total, %x : !hologram.var<f32>
    """

    name = "hologram.set"
    T: ClassVar = _T
    variable = operand_def(ParamAttrConstraint(VariableType, (_T,)))
    value = operand_def(_T)
    assembly_format = "$variable `,` $value attr-dict `:` type($variable)"

    def __init__(self, variable: SSAValue, value: SSAValue):
        super().__init__(operands=[variable, value])


@irdl_op_definition
class IfOp(Conditional):
    """Runs the first region in lanes where the condition holds, else the second, if there is one.

    Example::

        hologram.if %p {
          hologram.set %total, %x : !hologram.var<f32>
        } else {
          hologram.return
        }
    """

    name = "hologram.if"
    condition = operand_def(i1)
    then_region = region_def("single_block")
    else_region = region_def()
    traits = traits_def(NoTerminator())

    def __init__(self, condition: SSAValue, then_region: Region, else_region: Region | None = None):
        super().__init__(operands=[condition], regions=[then_region, else_region or Region()])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
        then_region = parse_block(parser)
        else_region = parse_block(parser) if parser.parse_optional_keyword("else") is not None else None
        op = cls(condition, then_region, else_region)
        op.attributes |= parser.parse_optional_attr_dict()
        return op


@irdl_op_definition
class ForOp(IRDLOperation):
    """Runs its body for each number from a start on, up to a stop that is not reached, as Python's `range` does. A
    negative step counts down; a step of zero traps. The three are read before the first iteration.

    Example::

        hologram.for %i = %zero to %n step %one : i64 {
          hologram.set %last, %i : !hologram.var<i64>
        }
    """

    name = "hologram.for"
    start = operand_def(IntegerType)
    stop = operand_def(IntegerType)
    step = operand_def(IntegerType)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, start: SSAValue, stop: SSAValue, step: SSAValue, body: Region):
        super().__init__(operands=[start, stop, step], regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        bounds = [parser.parse_unresolved_operand()]
        for word in ("to", "step"):
            parser.parse_keyword(word)
            bounds.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(":")
        type = parser.parse_type()
        start, stop, step = (parser.resolve_operand(b, type) for b in bounds)
        body = parser.parse_region([name.resolve(type)])
        op = cls(start, stop, step, body)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.body.block.args[0])
        for word, value in (("=", self.start), ("to", self.stop), ("step", self.step)):
            printer.print_string(f" {word} ")
            printer.print_ssa_value(value)
        printer.print_string(" : ")
        printer.print_attribute(self.start.type)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        types = [self.start.type, self.stop.type, self.step.type, *self.body.block.arg_types]
        if types != [self.start.type] * 4:
            raise VerifyError(
                "hologram-for-types", f"start, stop, step and number have one type, not {show_types(types)}"
            )


@irdl_op_definition
class WhileOp(IRDLOperation):
    """Runs its body as long as the condition holds, which the first region finds anew before each iteration.

    Example::

        hologram.while {
          %x = hologram.get %left : !hologram.var<i64>
          %p = atlas.setcc gt i64 %x, %zero
          hologram.condition %p
        } do {
          hologram.call @work() : () -> ()
        }
    """

    name = "hologram.while"
    before = region_def("single_block")
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, before: Region, body: Region):
        super().__init__(regions=[before, body])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        before = parse_block(parser)
        parser.parse_keyword("do")
        op = cls(before, parse_block(parser))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_region(self.before)
        printer.print_string(" do ")
        printer.print_region(self.body, print_empty_block=False)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if not isinstance(self.before.block.last_op, ConditionOp):
            raise VerifyError(
                "hologram-while-condition", "the first region of 'hologram.while' ends in 'hologram.condition'"
            )


@irdl_op_definition
class ConditionOp(IRDLOperation):
    """Ends the first region of `hologram.while`: whether there is an iteration.

    Example::

        hologram.condition %p
    """

    name = "hologram.condition"
    condition = operand_def(i1)
    assembly_format = "$condition attr-dict"
    traits = traits_def(IsTerminator())

    def __init__(self, condition: SSAValue):
        super().__init__(operands=[condition])


class _Leave(IRDLOperation):
    """The base of what leaves a loop or an iteration of it."""

    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        parent = self.parent_op()
        while isinstance(parent, IfOp):
            parent = parent.parent_op()
        if not isinstance(parent, ForOp | WhileOp):
            raise VerifyError("hologram-outside-loop", f"'{self.name}' stands in a loop, and there is none around it")


@irdl_op_definition
class BreakOp(_Leave):
    """Leaves the innermost loop.

    Example::

        hologram.break
    """

    name = "hologram.break"


@irdl_op_definition
class ContinueOp(_Leave):
    """Goes on to the next iteration of the innermost loop.

    Example::

        hologram.continue
    """

    name = "hologram.continue"


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Ends the lane, in a function the call: with its value, if it has one.

    Example::

        hologram.return %x : f32
    """

    name = "hologram.return"
    value = opt_operand_def()
    traits = traits_def(IsTerminator())
    assembly_format = "($value^ `:` type($value))? attr-dict"

    def __init__(self, value: SSAValue | None = None):
        super().__init__(operands=[value])

    def verify_(self) -> None:
        parent: Any = self.parent_op()
        while parent is not None and parent.name not in ("hologram.kernel", "hologram.function"):
            parent = parent.parent_op()
        returned = [] if self.value is None else [self.value.type]
        wanted = [] if parent is None else list(parent.function_type.outputs)
        if returned != wanted:
            raise VerifyError(
                "hologram-return-type", f"this returns {show_types(returned)}, and should {show_types(wanted)}"
            )
