"""Lane-level programs: what one lane executes, with its launch shape, registers, memory, control and barriers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    RecursiveMemoryEffect,
    SymbolOpInterface,
    SymbolTable,
    SymbolUserOpInterface,
)

from hologram.dialects.atlas.arrays import YieldOp, element_type, parse_group, print_group
from hologram.dialects.atlas.instruction import parse_dtype
from hologram.dialects.atlas.types import DType, DTypeAttr, Space, SpaceAttr
from hologram.errors import VerifyError, did_you_mean, parse_error

AXES = ("x", "y", "z")
SPECIAL_REGISTERS = (*(f"{group}.{axis}" for group in ("lane", "block", "lanes", "grid") for axis in AXES), "gid")
"""The special registers (isa.md section 1): lane and block index, block and grid size (u32), linear lane (u64)."""


@irdl_op_definition
class ExitOp(IRDLOperation):
    """Ends the lane. Falling off the end of a program is `exit` too.

    Example::

        atlas.exit
    """

    name = "atlas.exit"
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"


def parse_signature(parser: Parser) -> tuple[list[Parser.Argument], list[dict[str, Attribute]]]:
    """Parses `(%a: type {attributes}, ...)`."""

    def argument() -> tuple[Parser.Argument, dict[str, Attribute]]:
        arg = parser.parse_argument()
        return arg, parser.parse_optional_attr_dict()

    pairs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    return [a for a, _ in pairs], [d for _, d in pairs]


@irdl_op_definition
class ProgramOp(IRDLOperation):
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
    block = opt_prop_def(DenseArrayBase)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(
        self, sym_name: str, inputs: Sequence[Attribute], block: Sequence[int] | None = None, body: Region | None = None
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "function_type": FunctionType.from_lists(inputs, []),
                "block": None if block is None else DenseArrayBase.from_list(i64, list(block)),
            },
            regions=[Region(Block(arg_types=inputs)) if body is None else body],
        )

    @property
    def block_size(self) -> tuple[int, int, int] | None:
        """The fixed lanes of a block along x, y, z, if any."""
        return None if self.block is None else tuple(int(v) for v in self.block.get_values())  # pyright: ignore

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        arguments, _ = parse_signature(parser)
        block: list[int] | None = None
        if parser.parse_optional_keyword("block") is not None:
            block = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region(arguments)
        if not body.blocks:
            body.add_block(Block(arg_types=[a.type for a in arguments]))
        _end_with(body, ExitOp)
        op = cls(name.data, [a.type for a in arguments], block, body)
        op.attributes |= {} if attributes is None else attributes.data
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string("(")
        printer.print_list(self.body.block.args, printer.print_block_argument)
        printer.print_string(")")
        if (size := self.block_size) is not None:
            printer.print_string(f" block [{', '.join(map(str, size))}]")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    def verify_(self) -> None:
        if [a.type for a in self.body.block.args] != list(self.function_type.inputs):
            raise VerifyError("atlas-program-arguments", "the body's arguments differ from the program's type")
        size = self.block_size
        if size is not None and (len(size) != 3 or min(size) < 1):
            raise VerifyError(
                "atlas-program-block", f"the block [{', '.join(map(str, size))}] needs three sizes of at least 1",
                hint="write sizes for x, y and z, such as block [256, 1, 1]",
            )


class _LaunchSymbols(SymbolUserOpInterface):
    """Checks a launch against its program."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, LaunchOp)
        program = SymbolTable.lookup_symbol(op, op.program)
        if not isinstance(program, ProgramOp):
            raise VerifyError("atlas-launch-symbol", f"there is no atlas.program {op.program}")
        if [v.type for v in op.arguments] != list(program.function_type.inputs):
            raise VerifyError("atlas-launch-arguments", f"the arguments do not fit {op.program}: {program.function_type}")
        if len(op.grid) != 3 or len(op.block) != (3 if program.block is None else 0):
            raise VerifyError(
                "atlas-launch-shape", "a launch takes three grid sizes, and three block sizes if its program fixes none"
            )


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Runs a program over a grid of blocks. `block` sizes are given when the program fixes none. A zero size traps.

    Example::

        atlas.launch @scale grid(%g, %c1, %c1) args(%x, %k : memref<?xf32>, f32)
    """

    name = "atlas.launch"
    program = prop_def(SymbolRefAttr)
    grid = var_operand_def(IndexType())
    block = var_operand_def(IndexType())
    arguments = var_operand_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(_LaunchSymbols())

    def __init__(
        self, program: str, grid: Sequence[SSAValue], block: Sequence[SSAValue], arguments: Sequence[SSAValue]
    ):
        super().__init__(operands=[grid, block, arguments], properties={"program": SymbolRefAttr(program)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        groups: dict[str, list[SSAValue]] = {"grid": [], "block": []}
        for keyword in groups:
            if parser.parse_optional_keyword(keyword) is not None:
                operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
                groups[keyword] = [parser.resolve_operand(o, IndexType()) for o in operands]
        arguments = parse_group(parser, "args")
        op = cls(name.data, groups["grid"], groups["block"], arguments)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.program.root_reference.data)
        for keyword, values in (("grid", self.grid), ("block", self.block)):
            if values:
                printer.print_string(f" {keyword}(")
                printer.print_list(values, printer.print_ssa_value)
                printer.print_string(")")
        print_group(printer, "args", self.arguments)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class SpecialOp(IRDLOperation):
    """Reads a special register: `lane.x`, `block.y`, `lanes.z` (block size), `grid.x` (i32), or `gid` (i64, linear).

    Example::

        %i = atlas.special gid : i64
    """

    name = "atlas.special"
    register = prop_def(StringAttr)
    result = result_def(IntegerType)
    traits = traits_def(Pure())

    def __init__(self, register: str):
        super().__init__(result_types=[i64 if register == "gid" else i32], properties={"register": StringAttr(register)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        name = parser.parse_optional_identifier() or ""
        if name not in SPECIAL_REGISTERS:
            parse_error(
                parser, "atlas-special-register", f"there is no special register '{name}'",
                hint=did_you_mean(name, SPECIAL_REGISTERS) or "they are " + " ".join(SPECIAL_REGISTERS), at=start,
            )
        op = cls(name)
        op.attributes |= parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        parser.parse_type()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.register.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        expected = i64 if self.register.data == "gid" else i32
        if self.register.data not in SPECIAL_REGISTERS or self.result.type != expected:
            raise VerifyError("atlas-special", f"'%{self.register.data}' is no special register of type {self.result.type}")


# Memory


class MemoryOp(IRDLOperation):
    """The base of typed loads and stores of one space; indices count elements (i64 or index), one for each axis."""

    SPACE: ClassVar[Space]
    if TYPE_CHECKING:  # declared by each row
        type: DTypeAttr
        memref: Any
        indices: Any

    def verify_access(self) -> None:
        """The memref's element, rank and space fit."""
        memref = self.memref.type
        if not isinstance(memref, MemRefType) or element_type(memref) != self.type.dtype.ir:  # pyright: ignore
            raise VerifyError("atlas-access-type", f"'{self.name}' of {self.type.data} needs a memref of {self.type.dtype.ir}, found {memref}")
        if len(self.indices) != len(memref.get_shape()):
            raise VerifyError("atlas-access-rank", f"'{self.name}' has {len(self.indices)} indices for {memref}")
        if space_of(memref) != self.SPACE:
            raise VerifyError(
                "atlas-access-space", f"'{self.name}' reaches {self.SPACE.value} memory, found {memref}",
                hint=f"the space is #atlas.space<{space_of(memref).value}>",
            )


def space_of(memref: MemRefType[Any]) -> Space:
    """The ISA's space of a memref; none means global."""
    return memref.memory_space.data if isinstance(memref.memory_space, SpaceAttr) else Space.global_


def _parse_place(parser: Parser) -> tuple[SSAValue, list[SSAValue]]:
    """Parses `%m[%i, %j : i64, index] : memref<...>`."""
    base = parser.parse_unresolved_operand()
    parser.parse_punctuation("[")
    indices: list[SSAValue] = []
    if parser.parse_optional_punctuation("]") is None:
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        start = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        indices = list(parser.resolve_operands(names, types, start))
        parser.parse_punctuation("]")
    parser.parse_punctuation(":")
    return parser.resolve_operand(base, parser.parse_type()), indices


def _print_place(printer: Printer, base: SSAValue, indices: Sequence[SSAValue]) -> None:
    printer.print_ssa_value(base)
    printer.print_string("[")
    if indices:
        printer.print_list(indices, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([v.type for v in indices], printer.print_attribute)
    printer.print_string("] : ")
    printer.print_attribute(base.type)


class LoadOp(MemoryOp):
    """The base of `ldg`, `lds`, `ldl`."""

    def __init__(self, dtype: DType, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[memref, indices], result_types=[dtype.ir], properties={"type": DTypeAttr.of(dtype)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        dtype = parse_dtype(parser)
        base, indices = _parse_place(parser)
        op = cls(dtype, base, indices)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.type.data} ")
        _print_place(printer, self.memref, self.indices)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_access()


class StoreOp(MemoryOp):
    """The base of `stg`, `sts`, `stl`."""

    if TYPE_CHECKING:
        value: Any

    def __init__(self, dtype: DType, value: SSAValue | Operation, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[value, memref, indices], properties={"type": DTypeAttr.of(dtype)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        dtype = parse_dtype(parser)
        value = parser.resolve_operand(parser.parse_unresolved_operand(), dtype.ir)
        parser.parse_punctuation(",")
        base, indices = _parse_place(parser)
        op = cls(dtype, value, base, indices)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.type.data} ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        _print_place(printer, self.memref, self.indices)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_access()
        if self.value.type != self.type.dtype.ir:
            raise VerifyError("atlas-store-type", f"'{self.name}' of {self.type.data} stores {self.type.dtype.ir}, found {self.value.type}")


def _memory_op(name: str, space: Space, doc: str, example: str) -> type[Any]:
    """Makes a load or store class: a row of the memory family."""
    is_load = name.startswith("ld")
    base = LoadOp if is_load else StoreOp
    namespace: dict[str, Any] = {
        "name": f"atlas.{name}",
        "__doc__": f"{doc}\n\nExample::\n\n    {example}\n",
        "__module__": __name__,
        "SPACE": space,
        "__annotations__": {"SPACE": ClassVar[Space]},
        "type": prop_def(DTypeAttr),
    }
    if not is_load:
        namespace["value"] = operand_def()
    namespace |= {"memref": operand_def(MemRefType), "indices": var_operand_def()}
    if is_load:
        namespace["result"] = result_def()
    return irdl_op_definition(type(name.capitalize() + "Op", (base,), namespace))


LdgOp = _memory_op("ldg", Space.global_, "Loads from global memory.", "%v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>")
StgOp = _memory_op("stg", Space.global_, "Stores to global memory.", "atlas.stg f32 %v, %x[%i : i64] : memref<?xf32>")
LdsOp = _memory_op(
    "lds", Space.shared, "Loads from the block's shared memory.",
    "%v = atlas.lds f32 %s[%i : i64] : memref<128xf32, #atlas.space<shared>>",
)
StsOp = _memory_op(
    "sts", Space.shared, "Stores to the block's shared memory.",
    "atlas.sts f32 %v, %s[%i : i64] : memref<128xf32, #atlas.space<shared>>",
)
LdlOp = _memory_op(
    "ldl", Space.local, "Loads from the lane's local memory.",
    "%v = atlas.ldl f32 %l[%i : i64] : memref<4xf32, #atlas.space<local>>",
)
StlOp = _memory_op(
    "stl", Space.local, "Stores to the lane's local memory.",
    "atlas.stl f32 %v, %l[%i : i64] : memref<4xf32, #atlas.space<local>>",
)


@irdl_op_definition
class AllocaOp(IRDLOperation):
    """Declares a typed array of shared memory (one a block) or local memory (one a lane), uninitialised.

    Example::

        %s = atlas.alloca : memref<128xf32, #atlas.space<shared>>
    """

    name = "atlas.alloca"
    result = result_def(MemRefType)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: MemRefType[Any]):
        super().__init__(result_types=[type])

    def verify_(self) -> None:
        memref = self.result.type
        assert isinstance(memref, MemRefType)
        if space_of(memref) not in (Space.shared, Space.local) or any(n < 0 for n in memref.get_shape()):
            raise VerifyError("atlas-alloca", f"'atlas.alloca' declares static shared or local memory, found {memref}")


# Control and synchronisation


@irdl_op_definition
class IfOp(IRDLOperation):
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
        self, condition: SSAValue | Operation, types: Sequence[Attribute], then_region: Region, else_region: Region | None = None
    ):
        super().__init__(
            operands=[condition], result_types=[types], regions=[then_region, Region() if else_region is None else else_region]
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)  # pyright: ignore
        then_region = parser.parse_region()
        else_region = parser.parse_region() if parser.parse_optional_keyword("else") is not None else Region()
        _end_with(then_region, YieldOp)
        _end_with(else_region, YieldOp)
        op = cls(condition, types, then_region, else_region)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        if self.results:
            printer.print_string(" -> (")
            printer.print_list(self.result_types, printer.print_attribute)
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.then_region, print_empty_block=False)
        if self.else_region.blocks:
            printer.print_string(" else ")
            printer.print_region(self.else_region, print_empty_block=False)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if self.results and not self.else_region.blocks:
            raise VerifyError("atlas-if-else", "an 'atlas.if' with results needs an else region")
        for region in self.regions:
            if region.blocks:
                _verify_yield(region.block, list(self.result_types), self.name)


def _end_with(region: Region, terminator: type[ExitOp] | type[YieldOp]) -> None:
    """Adds the terminator that the text may leave out."""
    if region.blocks and ((last := region.block.last_op) is None or not last.has_trait(IsTerminator)):
        region.block.add_op(terminator())


def _verify_yield(block: Block, types: list[Attribute], name: str) -> None:
    last = block.last_op
    if isinstance(last, ExitOp):
        return
    if not isinstance(last, YieldOp) or [v.type for v in last.values] != types:
        raise VerifyError("atlas-region-yield", f"a region of '{name}' must yield ({', '.join(map(str, types))})")


@irdl_op_definition
class LoopOp(IRDLOperation):
    """Executes its body exactly `count` times (zero allowed), carrying values. The body takes the iteration number,
    in the type of the count, and the carried values, and yields their next ones.

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
            _end_with(body, YieldOp)
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
        if [a.type for a in self.body.block.args] != [self.count.type, *types]:
            raise VerifyError("atlas-loop-arguments", "the body of 'atlas.loop' takes the iteration number, then the carried values")
        _verify_yield(self.body.block, types, self.name)


@irdl_op_definition
class BarSyncOp(IRDLOperation):
    """Waits until all lanes of the block have come here (exited lanes count); `id` is a label only.

    Example::

        atlas.bar.sync 0
    """

    name = "atlas.bar.sync"
    id = prop_def(IntegerAttr)

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


OPS: list[type[Operation]] = [
    ProgramOp, LaunchOp, SpecialOp, LdgOp, StgOp, LdsOp, StsOp, LdlOp, StlOp, AllocaOp, IfOp, LoopOp, BarSyncOp, ExitOp,
]  # fmt: skip
