"""The kernel form: what one lane does, as a front end hears it from its user.

Variables are assigned to, loops are left early, a kernel returns where it likes. Between these stand the scalar and
memory instructions of `atlas`; `convert-hologram-kernels-to-atlas` gives lane programs, in which all values are SSA.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    SymbolOpInterface,
    SymbolTable,
    SymbolUserOpInterface,
)

from hologram.dialects.atlas.lanes.branches import FunctionLike
from hologram.dialects.custom.syntax import parse_outputs
from hologram.dialects.hologram.kernel_control import (
    BreakOp,
    ConditionOp,
    ContinueOp,
    ForOp,
    GetOp,
    IfOp,
    ReturnOp,
    SetOp,
    VariableType,
    VarOp,
    WhileOp,
)
from hologram.errors import VerifyError, did_you_mean, parse_error
from hologram.support.walking import symbols_around

__all__ = [
    "OPS", "BreakOp", "CallOp", "ConditionOp", "ContinueOp", "ForOp", "FunctionOp", "GetOp", "IfOp", "KernelOp",
    "LanesOp", "ReturnOp", "SetOp", "VarOp", "VariableType", "WhileOp",
]  # fmt: skip


@irdl_op_definition
class FunctionOp(FunctionLike):
    """A function that kernels and functions call.

    Example::

        hologram.function @square(%x: f32) -> (f32) {
          %r = atlas.mul f32 %x, %x
          hologram.return %r : f32
        }
    """

    name = "hologram.function"
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, sym_name: str, inputs: Sequence[Attribute], outputs: Sequence[Attribute], body: Region):
        type = FunctionType.from_lists(inputs, outputs)
        super().__init__(properties={"sym_name": StringAttr(sym_name), "function_type": type}, regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name, arguments, _ = cls.parse_head(parser)
        outputs = parse_outputs(parser)
        attributes, body = cls.parse_tail(parser, arguments)
        op = cls(name, [a.type for a in arguments], outputs, body)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        self.print_head(printer)
        self.print_tail(printer)

    def verify_(self) -> None:
        _verify_arguments(self)


class _Callee(SymbolUserOpInterface):
    """Checks a call against its function."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, CallOp)
        function = SymbolTable.lookup_symbol(op, op.callee)
        if not isinstance(function, FunctionOp):
            near = did_you_mean(op.callee.root_reference.data, symbols_around(op, FunctionOp.name))
            raise VerifyError("hologram-call-symbol", f"there is no hologram.function {op.callee}", hint=near)
        if function.function_type != FunctionType.from_lists(op.arguments.types, op.result_types):
            raise VerifyError("hologram-call-type", f"the call does not fit {op.callee}: {function.function_type}")


@irdl_op_definition
class CallOp(IRDLOperation):
    """Calls a function.

    Example::

        %r = hologram.call @square(%x) : (f32) -> f32
    """

    name = "hologram.call"
    callee = prop_def(SymbolRefAttr)
    arguments = var_operand_def()
    res = var_result_def()
    traits = traits_def(_Callee())
    assembly_format = "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)"

    def __init__(self, callee: str, arguments: Sequence[SSAValue], outputs: Sequence[Attribute]):
        super().__init__(operands=[arguments], result_types=[outputs], properties={"callee": SymbolRefAttr(callee)})


@irdl_op_definition
class LanesOp(IRDLOperation):
    """Says how many lanes a launch of the kernel needs along x, y and z: one to three sizes.

    Example::

        hologram.lanes %n : index
    """

    name = "hologram.lanes"
    sizes = var_operand_def(IndexType())
    traits = traits_def(IsTerminator())
    assembly_format = "$sizes attr-dict `:` type($sizes)"

    def __init__(self, sizes: Sequence[SSAValue]):
        super().__init__(operands=[sizes])


@irdl_op_definition
class KernelOp(FunctionLike):
    """A kernel: what one lane of its grid does. `block` has the lanes of a block; the region `lanes`, where there is
    one, computes from the arguments how many lanes there are. Lanes beyond them, which fill the last blocks, run too.

    Example::

        hologram.kernel @scale(%x: memref<?xf32>, %k: f32) block [256, 1, 1] lanes {
        ^bb0(%y: memref<?xf32>, %l: f32):
          %zero = arith.constant 0 : index
          %n = memref.dim %y, %zero : memref<?xf32>
          hologram.lanes %n : index
        } {
          %i = atlas.special gid : i64
          hologram.return
        }
    """

    name = "hologram.kernel"
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    block = prop_def(DenseArrayBase[I64])
    lanes = region_def()
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        sym_name: str,
        inputs: Sequence[Attribute],
        block: Sequence[int],
        body: Region,
        lanes: Region | None = None,
        arg_attrs: ArrayAttr[DictionaryAttr] | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "function_type": FunctionType.from_lists(inputs, []),
                "block": DenseArrayBase.from_list(i64, list(block)),
                "arg_attrs": arg_attrs,
            },
            regions=[lanes or Region(), body],
        )

    @property
    def block_size(self) -> tuple[int, int, int]:
        """The lanes of a block along x, y, z."""
        x, y, z = self.block.get_values()
        return x, y, z

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name, arguments, arg_attrs = cls.parse_head(parser)
        parser.parse_keyword("block")
        start = parser.pos
        block = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        if len(block) != 3 or min(block) < 1:
            parse_error(parser, "hologram-kernel-block", "a block has three sizes of at least 1", at=start)
        lanes = Region()
        if parser.parse_optional_keyword("lanes") is not None:
            lanes = parser.parse_region()
        attributes, body = cls.parse_tail(parser, arguments)
        op = cls(name, [a.type for a in arguments], block, body, lanes, arg_attrs)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        self.print_head(printer)
        printer.print_string(f" block [{', '.join(map(str, self.block_size))}]")
        if self.lanes.blocks:
            printer.print_string(" lanes ")
            printer.print_region(self.lanes)
        self.print_tail(printer)

    def verify_(self) -> None:
        _verify_arguments(self)
        if not self.lanes.blocks:
            return
        last = self.lanes.block.last_op
        if not isinstance(last, LanesOp) or not 1 <= len(last.sizes) <= 3:
            raise VerifyError(
                "hologram-kernel-lanes", "the region 'lanes' ends in 'hologram.lanes' of one to three sizes"
            )
        if list(self.lanes.block.arg_types) != list(self.function_type.inputs):
            raise VerifyError("hologram-kernel-lanes-arguments", "the region 'lanes' takes the kernel's arguments")


def _verify_arguments(op: KernelOp | FunctionOp) -> None:
    if list(op.body.block.arg_types) != list(op.function_type.inputs):
        raise VerifyError("hologram-kernel-arguments", f"the body's arguments differ from the type of '{op.name}'")


OPS = (
    VarOp, GetOp, SetOp, IfOp, ForOp, WhileOp, ConditionOp, BreakOp, ContinueOp, ReturnOp, FunctionOp, CallOp, LanesOp,
    KernelOp,
)  # fmt: skip
