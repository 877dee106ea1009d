"""Unstructured control of lanes: branches between blocks, functions, calls, returns.

They are legal on input; `structure-control-flow` turns them into `atlas.if`, `atlas.repeat` and inlined code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    opt_successor_def,
    prop_def,
    region_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, SymbolOpInterface, SymbolTable, SymbolUserOpInterface

from hologram.dialects.atlas.arrays.base import show_types
from hologram.dialects.atlas.instructions.types import Space
from hologram.dialects.atlas.lanes.memory import AllocaOp, space_of
from hologram.dialects.custom.forms import parse_target, print_target
from hologram.dialects.custom.syntax import parse_outputs, print_outputs
from hologram.dialects.syntax import parse_block
from hologram.errors import VerifyError, did_you_mean
from hologram.support.walking import operations, symbols_around

CALL_STACK = 256
"""Return addresses that a lane's call stack holds (isa.md section 1)."""


def parse_signature(parser: Parser) -> tuple[list[Parser.Argument], ArrayAttr[DictionaryAttr] | None]:
    """Parses `(%a: type {attributes}, ...)`: the arguments, and their attributes if any has some."""

    def argument() -> tuple[Parser.Argument, dict[str, Attribute]]:
        arg = parser.parse_argument()
        return arg, parser.parse_optional_attr_dict()

    pairs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    given = [d for _, d in pairs]
    return [a for a, _ in pairs], ArrayAttr([DictionaryAttr(d) for d in given]) if any(given) else None


def print_signature(printer: Printer, args: Sequence[SSAValue], attributes: ArrayAttr[DictionaryAttr] | None) -> None:
    """Prints what `parse_signature` reads."""
    none = DictionaryAttr({})
    given = [none for _ in args] if attributes is None else attributes.data

    def argument(number: int) -> None:
        printer.print_ssa_value(args[number])
        printer.print_string(": ")
        printer.print_attribute(args[number].type)
        printer.print_op_attributes(given[number].data)

    printer.print_string("(")
    printer.print_list(range(len(args)), argument)
    printer.print_string(")")


class FunctionLike(IRDLOperation):
    """The base of what has a name and arguments: `@name(%a: type, ...) -> (types) ... attributes {...} { body }`."""

    if TYPE_CHECKING:
        sym_name: StringAttr
        function_type: FunctionType
        body: Region

    @classmethod
    def parse_head(cls, parser: Parser) -> tuple[str, list[Parser.Argument], ArrayAttr[DictionaryAttr] | None]:
        """The name, the arguments, and the attributes of these."""
        name = parser.parse_symbol_name()
        return name.data, *parse_signature(parser)

    @classmethod
    def parse_tail(cls, parser: Parser, arguments: Sequence[Parser.Argument]) -> tuple[dict[str, Attribute], Region]:
        """The attributes, and the body, which takes the arguments."""
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return {} if attributes is None else dict(attributes.data), parse_block(parser, arguments)

    def print_head(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        attributes = self.properties.get("arg_attrs")
        print_signature(printer, self.body.blocks[0].args, cast("ArrayAttr[DictionaryAttr] | None", attributes))
        print_outputs(printer, self.function_type.outputs.data)

    def print_tail(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class FuncOp(FunctionLike):
    """A function that lanes call, with values in and out; every way through it ends in `atlas.ret` or `atlas.exit`.
    It may call itself. Shared arrays are declared by the program and passed in.

    Example::

        atlas.func @square(%x: f32) -> (f32) {
          %r = atlas.mul f32 %x, %x
          atlas.ret %r : f32
        }
    """

    name = "atlas.func"
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(
        self,
        sym_name: str,
        inputs: Sequence[Attribute],
        outputs: Sequence[Attribute],
        body: Region | None = None,
        arg_attrs: ArrayAttr[DictionaryAttr] | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "function_type": FunctionType.from_lists(inputs, outputs),
                "arg_attrs": arg_attrs,
            },
            regions=[Region(Block(arg_types=inputs)) if body is None else body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name, arguments, arg_attrs = cls.parse_head(parser)
        outputs = parse_outputs(parser)
        attributes, body = cls.parse_tail(parser, arguments)
        op = cls(name, [a.type for a in arguments], outputs, body, arg_attrs)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        self.print_head(printer)
        self.print_tail(printer)

    def verify_(self) -> None:
        inputs = list(self.function_type.inputs)
        if not self.body.blocks or list(self.body.blocks[0].arg_types) != inputs:
            raise VerifyError("atlas-func-arguments", "the body's arguments differ from the function's type")
        if self.arg_attrs is not None and len(self.arg_attrs) != len(inputs):
            raise VerifyError("atlas-func-attributes", "arg_attrs has one dictionary for each argument")
        for type in self.function_type.outputs:
            if isinstance(type, MemRefType):
                raise VerifyError("atlas-func-memref", f"a function of lanes gives scalars back, no {type}")
        for op in operations(self.body):
            if isinstance(op, AllocaOp) and space_of(op.result.type) is Space.shared:
                raise VerifyError(
                    "atlas-func-shared",
                    "a function can't declare shared memory, of which there is one for the block",
                    hint="declare it in the program and pass it to the function",
                )


@irdl_op_definition
class RetOp(IRDLOperation):
    """Returns from a function with its values.

    Example::

        atlas.ret %r : f32
    """

    name = "atlas.ret"
    values = var_operand_def()
    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[list(values)])

    def verify_(self) -> None:
        function = self.parent_op()
        if not isinstance(function, FuncOp):
            raise VerifyError(
                "atlas-ret-place",
                "'atlas.ret' ends a block of an atlas.func",
                hint="a program ends in atlas.exit; the region of an atlas.if or a loop in atlas.yield",
            )
        if list(self.values.types) != list(outputs := function.function_type.outputs.data):
            raise VerifyError(
                "atlas-ret-type",
                f"@{function.sym_name.data} gives {show_types(outputs)}, "
                f"but returns {show_types([v.type for v in self.values])}",
            )


class _CallSymbol(SymbolUserOpInterface):
    """Checks a call against its function."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, CallOp)
        function = SymbolTable.lookup_symbol(op, op.callee)
        if not isinstance(function, FuncOp):
            near = did_you_mean(op.callee.root_reference.data, symbols_around(op, FuncOp.name))
            raise VerifyError("atlas-call-symbol", f"there is no atlas.func {op.callee}", hint=near)
        type = function.function_type
        if [v.type for v in op.arguments] != list(type.inputs) or list(op.result_types) != list(type.outputs):
            raise VerifyError(
                "atlas-call-type",
                f"{op.callee} takes {show_types(type.inputs.data)} and gives {show_types(type.outputs.data)}, found a "
                f"call with {show_types([v.type for v in op.arguments])} for {show_types(op.result_types)}",
            )


@irdl_op_definition
class CallOp(IRDLOperation):
    """Calls a function of lanes. A call that would leave more than 256 return addresses on the lane's stack traps.

    Example::

        %r = atlas.call @square(%x) : (f32) -> (f32)
    """

    name = "atlas.call"
    callee = prop_def(SymbolRefAttr)
    arguments = var_operand_def()
    res = var_result_def()
    traits = traits_def(_CallSymbol())

    def __init__(self, callee: str, arguments: Sequence[SSAValue | Operation], types: Sequence[Attribute]):
        super().__init__(
            operands=[list(arguments)], result_types=[list(types)], properties={"callee": SymbolRefAttr(callee)}
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        start = parser.pos
        inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        outputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        op = cls(name.data, parser.resolve_operands(operands, inputs, start), outputs)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.callee.root_reference.data)
        printer.print_string("(")
        printer.print_list(self.arguments, printer.print_ssa_value)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : (")
        printer.print_list([v.type for v in self.arguments], printer.print_attribute)
        printer.print_string(") -> (")
        printer.print_list(self.result_types, printer.print_attribute)
        printer.print_string(")")


@irdl_op_definition
class BraOp(IRDLOperation):
    """Branches to a block; with a predicate to the first in lanes where it holds, else to the second. Lanes that part
    come together again where their ways join.

    Example::

        atlas.bra %p, ^then(%x : f32), ^join(%y : f32)
    """

    name = "atlas.bra"
    condition = opt_operand_def(i1)
    arguments = var_operand_def()
    else_arguments = var_operand_def()
    target = successor_def()
    otherwise = opt_successor_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsTerminator())

    def __init__(
        self,
        target: Block,
        arguments: Sequence[SSAValue] = (),
        *,
        condition: SSAValue | Operation | None = None,
        otherwise: Block | None = None,
        else_arguments: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[condition, arguments, else_arguments],
            successors=[target, otherwise],
        )

    @property
    def ways(self) -> list[tuple[Block, Sequence[SSAValue]]]:
        """The successors, each with what it is given."""
        ways: list[tuple[Block, Sequence[SSAValue]]] = [(self.target, self.arguments)]
        return ways if self.otherwise is None else [*ways, (self.otherwise, self.else_arguments)]

    def give(self, way: int, arguments: Sequence[SSAValue]) -> None:
        """Changes what the successor of this number is given."""
        given = [list(args) for _, args in self.ways]
        given[way] = list(arguments)
        sizes = [int(self.condition is not None), len(given[0]), len(given[1]) if len(given) > 1 else 0]
        condition = [] if self.condition is None else [self.condition]
        self.operands = [*condition, *(v for args in given for v in args)]
        self.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parser.parse_optional_unresolved_operand()
        if condition is not None:
            parser.parse_punctuation(",")
        target, arguments = parse_target(parser)
        otherwise: Block | None = None
        else_arguments: Sequence[SSAValue] = ()
        if condition is not None:
            parser.parse_punctuation(",")
            otherwise, else_arguments = parse_target(parser)
        op = cls(
            target,
            arguments,
            condition=None if condition is None else parser.resolve_operand(condition, i1),
            otherwise=otherwise,
            else_arguments=else_arguments,
        )
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        if self.condition is not None:
            printer.print_ssa_value(self.condition)
            printer.print_string(", ")
        printer.print_list(self.ways, lambda way: print_target(printer, *way))
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if (self.condition is None) != (self.otherwise is None):
            raise VerifyError("atlas-bra-ways", "'atlas.bra' has two successors with a predicate, one without")
        parent = self.parent_op()
        if parent is None or parent.name not in ("atlas.program", "atlas.func"):
            raise VerifyError("atlas-bra-place", "'atlas.bra' ends a block of an atlas.program or an atlas.func")
        for block, arguments in self.ways:
            if block is self.parent_region().blocks[0]:  # pyright: ignore[reportOptionalMemberAccess]
                raise VerifyError(
                    "atlas-bra-entry", "a branch can't go to the first block", hint="begin with a block that branches"
                )
            if [v.type for v in arguments] != list(block.arg_types):
                raise VerifyError(
                    "atlas-bra-arguments",
                    f"the block takes {show_types(block.arg_types)}, the branch gives "
                    f"{show_types([v.type for v in arguments])}",
                )
            if any(isinstance(v.type, MemRefType) for v in arguments):
                raise VerifyError("atlas-bra-memref", "a branch passes scalars and pointers, no memrefs")


OPS: list[type[Operation]] = [FuncOp, CallOp, RetOp, BraOp]
