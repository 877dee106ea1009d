"""Lane-level programs: what one lane executes, with its launch shape and special registers.

Memory and control have files of their own; all lane-level operations are found here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, Pure, SymbolOpInterface, SymbolTable, SymbolUserOpInterface

from hologram.dialects.atlas.arrays.base import YieldOp, parse_group, print_group
from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.atlas.lanes import atomics
from hologram.dialects.atlas.lanes.atomics import ATOMICS, SCOPES, AtomicOp, MemfenceOp
from hologram.dialects.atlas.lanes.branches import BraOp, CallOp, FuncOp, FunctionLike, RetOp
from hologram.dialects.atlas.lanes.control import BarSyncOp, ExitOp, IfOp, LoopOp, RepeatOp, end_with
from hologram.dialects.atlas.lanes.memory import (
    AllocaOp,
    LdgOp,
    LdlOp,
    LdsOp,
    LeaOp,
    LoadOp,
    MemoryOp,
    PoolLoadOp,
    PoolStoreOp,
    StgOp,
    StlOp,
    StoreOp,
    StsOp,
    space_of,
)
from hologram.dialects.syntax import parse_typed, print_typed
from hologram.errors import VerifyError, did_you_mean, parse_error
from hologram.support.walking import operations, symbols_around

AXES = ("x", "y", "z")
SPECIAL_REGISTERS = (*(f"{group}.{axis}" for group in ("lane", "block", "lanes", "grid") for axis in AXES), "gid")
"""The special registers (isa.md section 1): lane and block index, block and grid size (u32), linear lane (u64)."""


@irdl_op_definition
class ProgramOp(FunctionLike):
    """A program that every lane of a launch executes. `block` fixes the lanes of a block; without it the launch says.

    Example::

        atlas.program @scale(%x: memref<?xf32>, %k: f32) block [256, 1, 1] {
          %i = atlas.special gid : i64
          %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
          %r = atlas.mul f32 %v, %k
          atlas.stg f32 %r, %x[%i : i64] : memref<?xf32>
        }
    """

    name = "atlas.program"
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    block = opt_prop_def(DenseArrayBase[I64])
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(
        self,
        sym_name: str,
        inputs: Sequence[Attribute],
        block: Sequence[int] | None = None,
        body: Region | None = None,
        arg_attrs: ArrayAttr[DictionaryAttr] | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "function_type": FunctionType.from_lists(inputs, []),
                "arg_attrs": arg_attrs,
                "block": None if block is None else DenseArrayBase.from_list(i64, list(block)),
            },
            regions=[Region(Block(arg_types=inputs)) if body is None else body],
        )

    @property
    def block_size(self) -> tuple[int, int, int] | None:
        """The fixed lanes of a block along x, y, z, if any."""
        if self.block is None:
            return None
        x, y, z = self.block.get_values()
        return x, y, z

    @property
    def open_arrays(self) -> list[AllocaOp]:
        """The shared arrays that the launch sizes: one, or none, in a valid program."""
        return [op for op in operations(self) if isinstance(op, AllocaOp) and op.is_open]

    @property
    def entry(self) -> Block:
        """The block that every lane begins with; its arguments are the program's."""
        return self.body.blocks[0]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name, arguments, arg_attrs = cls.parse_head(parser)
        block: list[int] | None = None
        if parser.parse_optional_keyword("block") is not None:
            block = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        attributes, body = cls.parse_tail(parser, arguments)
        end_with(body, ExitOp)
        op = cls(name, [a.type for a in arguments], block, body, arg_attrs)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        self.print_head(printer)
        if (size := self.block_size) is not None:
            printer.print_string(f" block [{', '.join(map(str, size))}]")
        self.print_tail(printer)

    def verify_(self) -> None:
        inputs = list(self.function_type.inputs)
        if not self.body.blocks or list(self.entry.arg_types) != inputs or self.function_type.outputs.data:
            raise VerifyError("atlas-program-arguments", "the body's arguments differ from the program's type")
        if self.arg_attrs is not None and len(self.arg_attrs) != len(inputs):
            raise VerifyError("atlas-program-attributes", "arg_attrs has one dictionary for each argument")
        size = None if self.block is None else self.block.get_values()
        if size is not None and (len(size) != 3 or min(size) < 1):
            raise VerifyError(
                "atlas-program-block",
                f"the block [{', '.join(map(str, size))}] needs three sizes of at least 1",
                hint="write sizes for x, y and z, such as block [256, 1, 1]",
            )
        if len(self.open_arrays) > 1:
            raise VerifyError(
                "atlas-program-shared",
                f"{len(self.open_arrays)} shared arrays have no length, and the launch sizes one",
                hint="give the others a constant size, or take parts of one",
            )
        if any(isinstance(block.last_op, YieldOp) for block in self.body.blocks):
            raise VerifyError("atlas-program-exit", "a program has nothing to yield to: it ends in 'atlas.exit'")


class _LaunchSymbols(SymbolUserOpInterface):
    """Checks a launch against its program."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, LaunchOp)
        program: Any = SymbolTable.lookup_symbol(op, op.program)
        if program is None or program.name not in ("atlas.program", "machine.program"):
            near = did_you_mean(op.program.root_reference.data, symbols_around(op, "atlas.program", "machine.program"))
            raise VerifyError("atlas-launch-symbol", f"there is no atlas.program {op.program}", hint=near)
        if list(op.arguments.types) != list(program.function_type.inputs):
            raise VerifyError(
                "atlas-launch-arguments", f"the arguments do not fit {op.program}: {program.function_type}"
            )
        if len(op.grid) != 3 or len(op.block) != (3 if program.block is None else 0):
            raise VerifyError(
                "atlas-launch-shape", "a launch takes three grid sizes, and three block sizes if its program fixes none"
            )
        if op.shared and (len(op.shared) > 1 or not program.open_arrays):
            raise VerifyError(
                "atlas-launch-shared",
                f"the launch gives shared bytes, but {op.program} has no shared array without a length",
                hint="declare one, such as atlas.alloca : memref<?xf32, #atlas.space<shared>>",
            )


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Runs a program over a grid of blocks. `block` sizes are given when the program fixes none. A zero size traps.
    `shared` gives the bytes of the program's shared array without a length; it has none without.

    Example::

        atlas.launch @scale grid(%g, %c1, %c1) args(%x, %k : memref<?xf32>, f32)
    """

    name = "atlas.launch"
    program = prop_def(SymbolRefAttr)
    grid = var_operand_def(IndexType())
    block = var_operand_def(IndexType())
    shared = var_operand_def(IndexType())
    arguments = var_operand_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(_LaunchSymbols())

    def __init__(
        self,
        program: str,
        grid: Sequence[SSAValue],
        block: Sequence[SSAValue],
        arguments: Sequence[SSAValue],
        shared: Sequence[SSAValue] = (),
    ):
        super().__init__(operands=[grid, block, shared, arguments], properties={"program": SymbolRefAttr(program)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        groups: dict[str, list[SSAValue]] = {"grid": [], "block": [], "shared": []}
        for keyword in groups:
            if parser.parse_optional_keyword(keyword) is not None:
                operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
                groups[keyword] = [parser.resolve_operand(o, IndexType()) for o in operands]
        arguments = parse_group(parser, "args")
        op = cls(name.data, groups["grid"], groups["block"], arguments, groups["shared"])
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.program.root_reference.data)
        for keyword, values in (("grid", self.grid), ("block", self.block), ("shared", self.shared)):
            if values:
                printer.print_string(f" {keyword}(")
                printer.print_list(values, printer.print_ssa_value)
                printer.print_string(")")
        print_group(printer, "args", self.arguments)
        printer.print_op_attributes(self.attributes)


def register_type(name: str) -> IntegerType:
    """The SSA type of a special register."""
    return i64 if name == "gid" else i32


@irdl_op_definition
class SpecialOp(IRDLOperation):
    """Reads a special register: `lane.x`, `block.y`, `lanes.z` (block size), `grid.x` (i32), or `gid` (i64, linear).

    Example::

        %i = atlas.special gid : i64
    """

    name = "atlas.special"
    FORM: ClassVar[Form] = Form(
        "special", "=d:T register:special", {"type": frozenset({"u32", "u64"})}, spelling="mov"
    )  # fmt: skip
    register = prop_def(StringAttr)
    result = result_def(IntegerType)
    traits = traits_def(Pure())

    def __init__(self, register: str, type: Attribute | None = None):
        type = register_type(register) if type is None else type
        super().__init__(result_types=[type], properties={"register": StringAttr(register)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        name = parser.parse_optional_identifier() or ""
        if name not in SPECIAL_REGISTERS:
            parse_error(
                parser, "atlas-special-register", f"there is no special register '{name}'",
                hint=did_you_mean(name, SPECIAL_REGISTERS) or "they are " + " ".join(SPECIAL_REGISTERS), at=start,
            )  # fmt: skip
        attributes, type = parse_typed(parser)
        op = cls(name, type)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.register.data}")
        print_typed(printer, self.attributes, self.result.type)

    def verify_(self) -> None:
        name = self.register.data
        if name not in SPECIAL_REGISTERS or self.result.type != register_type(name):
            raise VerifyError("atlas-special", f"'%{name}' is no special register of type {self.result.type}")


OPS: list[type[Operation]] = [
    ProgramOp, LaunchOp, SpecialOp, LdgOp, StgOp, LdsOp, StsOp, LdlOp, StlOp, LeaOp, AllocaOp, IfOp, LoopOp, RepeatOp,
    *atomics.OPS, BarSyncOp, ExitOp, FuncOp, CallOp, RetOp, BraOp,
]  # fmt: skip

__all__ = [
    "ATOMICS", "AXES", "OPS", "SCOPES", "SPECIAL_REGISTERS", "AllocaOp", "AtomicOp", "BarSyncOp", "BraOp", "CallOp",
    "ExitOp", "FuncOp", "IfOp", "LaunchOp", "LdgOp", "LdlOp", "LdsOp", "LeaOp", "LoadOp", "LoopOp", "MemfenceOp",
    "MemoryOp", "PoolLoadOp", "PoolStoreOp", "ProgramOp", "RepeatOp", "RetOp",
    "SpecialOp", "StgOp", "StlOp", "StoreOp", "StsOp", "space_of",
]  # fmt: skip
