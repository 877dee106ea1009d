"""Lane-level control: conditions, loops, barriers, the end of a lane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.dialects.builtin import I64, IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    Operand,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, RecursiveMemoryEffect

from hologram.dialects.atlas.arrays.base import YieldOp, parse_group, print_group, show_types
from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.custom.syntax import parse_outputs, print_outputs
from hologram.dialects.syntax import parse_block
from hologram.errors import VerifyError


@irdl_op_definition
class ExitOp(IRDLOperation):
    """Ends the lane. Falling off the end of a program is `exit` too.

    Example::

        atlas.exit
    """

    name = "atlas.exit"
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"


class Conditional(IRDLOperation):
    """The base of what runs one of two regions: `%condition -> (types) { ... } else { ... }`."""

    if TYPE_CHECKING:
        condition: Operand
        then_region: Region
        else_region: Region

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        print_outputs(printer, self.result_types)
        printer.print_string(" ")
        printer.print_region(self.then_region, print_empty_block=False)
        if self.else_region.blocks:
            printer.print_string(" else ")
            printer.print_region(self.else_region, print_empty_block=False)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class IfOp(Conditional):
    """Runs the first region in lanes where the predicate holds, else the second; both yield the results.

    Example::

        %r = atlas.if %p -> (f32) {
          atlas.yield %a : f32
        } else {
          atlas.yield %b : f32
        }
    """

    name = "atlas.if"
    condition = operand_def(i1)
    res = var_result_def()
    then_region = region_def("single_block")
    else_region = region_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        condition: SSAValue | Operation,
        types: Sequence[Attribute],
        then_region: Region,
        else_region: Region | None = None,
    ):
        otherwise = Region() if else_region is None else else_region
        super().__init__(operands=[condition], result_types=[types], regions=[then_region, otherwise])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
        types = parse_outputs(parser)
        then_region = parse_block(parser)
        else_region = parser.parse_region() if parser.parse_optional_keyword("else") is not None else Region()
        end_with(then_region, YieldOp)
        end_with(else_region, YieldOp)
        op = cls(condition, types, then_region, else_region)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def verify_(self) -> None:
        if self.results and not self.else_region.blocks:
            raise VerifyError("atlas-if-else", "an 'atlas.if' with results needs an else region")
        for region in self.regions:
            if region.blocks:
                self._verify_region(region)

    def _verify_region(self, region: Region) -> None:
        if region.first_block is not region.last_block or region.blocks[0].args:
            raise VerifyError("atlas-if-region", f"a region of '{self.name}' is one block without arguments")
        _verify_yield(region.block, self.result_types, self.name)


def end_with(region: Region, terminator: type[ExitOp] | type[YieldOp]) -> None:
    """Adds the terminator that the text may leave out at the end."""
    block = region.last_block
    if block is not None and ((last := block.last_op) is None or not last.has_trait(IsTerminator)):
        block.add_op(terminator())


def _verify_yield(block: Block, types: Sequence[Attribute], name: str) -> None:
    last = block.last_op
    if isinstance(last, ExitOp):
        return
    if not isinstance(last, YieldOp) or list(last.operand_types) != list(types):
        raise VerifyError("atlas-region-yield", f"a region of '{name}' must yield {show_types(types)}")


@irdl_op_definition
class LoopOp(IRDLOperation):
    """Executes its body exactly `count` times (zero allowed), carrying values. The count is read as unsigned. The body
    takes the iteration number, in the type of the count, and the carried values, and yields their next ones.

    Example::

        %s = atlas.loop %n : i32 iter(%zero : f32) {
        ^bb0(%i: i32, %acc: f32):
          %next = atlas.add f32 %acc, %x
          atlas.yield %next : f32
        }
    """

    name = "atlas.loop"
    count = operand_def(IntegerType)
    iter_args = var_operand_def()
    res = var_result_def()
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, count: SSAValue | Operation, iter_args: Sequence[SSAValue], body: Region):
        super().__init__(operands=[count, iter_args], result_types=[[v.type for v in iter_args]], regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        count = parser.resolve_operand(name, parser.parse_type())
        iter_args = parse_group(parser, "iter")
        body = parser.parse_region()
        if not iter_args:
            end_with(body, YieldOp)
        op = cls(count, iter_args, body)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.count)
        printer.print_string(" : ")
        printer.print_attribute(self.count.type)
        print_group(printer, "iter", self.iter_args)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        types = [v.type for v in self.iter_args]
        if list(self.body.block.arg_types) != [self.count.type, *types]:
            raise VerifyError(
                "atlas-loop-arguments", f"the body of '{self.name}' takes the iteration number, then the carried values"
            )
        if list(self.result_types) != types:
            raise VerifyError("atlas-loop-results", f"'{self.name}' gives {show_types(types)}, the carried values")
        _verify_yield(self.body.block, types, self.name)


@irdl_op_definition
class RepeatOp(IRDLOperation):
    """Executes its body, then again as long as it says so. The body takes the carried values and yields whether to go
    on, their next values, and the results; a lane's results are those of its last iteration.

    Example::

        %last = atlas.repeat iter(%start : i32) -> (i32) {
        ^bb0(%x: i32):
          %half = atlas.shr u32 %x, %one
          %more = atlas.setcc ne u32 %half, %zero
          atlas.yield %more, %half, %x : i1, i32, i32
        }
    """

    name = "atlas.repeat"
    iter_args = var_operand_def()
    res = var_result_def()
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, iter_args: Sequence[SSAValue], types: Sequence[Attribute], body: Region):
        super().__init__(operands=[iter_args], result_types=[types], regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        iter_args = parse_group(parser, "iter")
        op = cls(iter_args, parse_outputs(parser), parser.parse_region())
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        print_group(printer, "iter", self.iter_args)
        print_outputs(printer, self.result_types)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        carried = [v.type for v in self.iter_args]
        if list(self.body.block.arg_types) != carried:
            raise VerifyError("atlas-repeat-arguments", f"the body of '{self.name}' takes the carried values")
        _verify_yield(self.body.block, [i1, *carried, *self.result_types], self.name)


@irdl_op_definition
class BarSyncOp(IRDLOperation):
    """Waits until all lanes of the block have come here (exited lanes count); `id` is a label only.

    Example::

        atlas.bar.sync 0
    """

    name = "atlas.bar.sync"
    FORM: ClassVar[Form] = Form("bar.sync", "id:#")
    id = prop_def(IntegerAttr[I64])

    def __init__(self, id: int = 0):
        super().__init__(properties={"id": IntegerAttr(id, i64)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        op = cls(parser.parse_integer(allow_boolean=False))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.id.value.data}")
        printer.print_op_attributes(self.attributes)
