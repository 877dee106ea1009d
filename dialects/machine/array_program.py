"""Array-level programs of the machine form: what the whole grid executes, one instruction after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntAttr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    UnrealizedConversionCastOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface, SymbolTable

from hologram.dialects.atlas.arrays.base import YieldOp
from hologram.dialects.atlas.instructions.instruction import parse_dtype
from hologram.dialects.atlas.instructions.types import DTYPES, DType, DTypeAttr
from hologram.dialects.machine.array_instruction import ArrayInstructionOp
from hologram.dialects.machine.control import GetOp, LabelOp, RetOp
from hologram.dialects.machine.instruction import REGION_INSTRUCTIONS, InstructionOp
from hologram.dialects.machine.program import FuncOp, HeaderOp, parse_arguments, verify_registers
from hologram.dialects.machine.spelling import check_name
from hologram.errors import HologramError, VerifyError, did_you_mean, where_of


@irdl_op_definition
class TempOp(IRDLOperation):
    """Declares an array that lives as long as the program runs, `temp0`, `temp1`, ... in their order. A size is a
    number, or that of an axis of a parameter: `buf0.1` is the second of `buf0`.

    Example::

        machine.temp f32 [buf0.1, 4]
    """

    name = "machine.temp"
    element = prop_def(DTypeAttr)
    sizes = prop_def(ArrayAttr[Attribute])

    def __init__(self, dtype: str | DType, sizes: Sequence[int | str]):
        element = DTYPES[dtype] if isinstance(dtype, str) else dtype
        parts = [StringAttr(s) if isinstance(s, str) else IntAttr(s) for s in sizes]
        super().__init__(properties={"element": DTypeAttr.of(element), "sizes": ArrayAttr[Attribute](parts)})

    @property
    def shape(self) -> list[int | str]:
        """Its sizes: numbers, and texts such as `buf0.1`."""
        return [cast("IntAttr | StringAttr", s).data for s in self.sizes]

    @property
    def type(self) -> MemRefType[Attribute]:
        """The array's type."""
        return MemRefType(self.element.dtype.ir, [n if isinstance(n, int) else DYNAMIC_INDEX for n in self.shape])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        def size() -> int | str:
            number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
            if number is not None:
                return number
            return parser.parse_identifier()

        op = cls(parse_dtype(parser), parser.parse_comma_separated_list(parser.Delimiter.SQUARE, size))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.element.dtype.name} [{', '.join(map(str, self.shape))}]")
        printer.print_op_attributes(self.attributes)


def axis_of(size: str) -> tuple[str, int] | None:
    """The array and the axis that a size names; None if it names none."""
    array, _, axis = size.partition(".")
    return (array, int(axis)) if axis.isdigit() and len(axis) < 4 else None


@irdl_op_definition
class ArraysOp(HeaderOp):
    """An array-level program. Its parameters are arrays (`buf0`, `buf1`, ... in their order) and scalars, which arrive
    in registers. Its body has temporary arrays, constants (`mov_imm`) and array-level instructions, executed in order,
    each by all lanes of the grid. What a region says in SSA form a function says here: it takes an element of each
    operand in its in registers, is made of scalar instructions, and gives what the region yields.

    Example::

        machine.arrays @softmax(f32[?, ?], f32[?, ?]) {
          machine.softmax outs(buf1) ins(buf0) {axis = 1 : i64}
        }
    """

    name = "machine.arrays"
    sym_name = prop_def(SymbolNameConstraint())
    parameters = prop_def(ArrayAttr[Attribute])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface(), NoTerminator())

    def __init__(self, sym_name: str, parameters: Sequence[Attribute], body: Region):
        super().__init__(
            properties={"sym_name": StringAttr(sym_name), "parameters": ArrayAttr(parameters)}, regions=[body]
        )

    @property
    def temporaries(self) -> list[TempOp]:
        """The arrays that it declares, in order."""
        return [op for op in self.body.block.ops if isinstance(op, TempOp)]

    def arrays(self) -> dict[str, MemRefType[Attribute]]:
        """The type of each array by its name."""
        buffers = {f"buf{n}": array.memref for n, array in enumerate(self.buffers)}
        return buffers | {f"temp{n}": op.type for n, op in enumerate(self.temporaries)}

    def held(self) -> dict[SSAValue, DType]:
        """The type of what each register holds."""
        dtypes: dict[SSAValue, DType] = dict(zip(self.body.block.args, self.scalars, strict=True))
        return dtypes | {op.results[0]: op.dtype() for op in self.body.block.ops if isinstance(op, InstructionOp)}

    def function(self, name: str) -> FuncOp | None:
        """The function of a name."""
        op = SymbolTable.lookup_symbol(self, name)
        return op if isinstance(op, FuncOp) else None

    # Syntax

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        arguments, types = parse_arguments(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region(arguments)
        if not region.blocks:
            region.add_block(Block(arg_types=[a.type for a in arguments]))
        op = cls(name.data, types, region)
        op.attributes |= {} if attributes is None else attributes.data
        return op

    def print(self, printer: Printer) -> None:
        self.print_header(printer)
        self.print_body(printer)

    # Verification

    def verify_(self) -> None:
        if len(self.buffers) + len(self.scalars) != len(self.parameters):
            raise VerifyError(
                "machine-arrays-parameters", "a parameter is an array (f32[?]) or a scalar of an ISA type (f32)"
            )
        check_name(self.symbol)
        if (misplaced := self.misplaced) is not None:
            raise VerifyError(
                "machine-arrays-registers",
                f"the scalars of '{self.symbol}' arrive in ({misplaced[0]}), expected ({misplaced[1]})",
            )
        self._verify_order()
        verify_registers(self.body.block)
        for temporary in self.temporaries:
            self._verify_temporary(temporary)
        arrays, held = self.arrays(), self.held()
        for op in self.body.block.ops:
            if isinstance(op, ArrayInstructionOp):
                self._verify_instruction(op, arrays, held)

    def _verify_order(self) -> None:
        began = False
        for op in self.body.block.ops:
            is_constant = isinstance(op, InstructionOp) and op.FORM.name == "mov_imm"
            if not (is_constant or isinstance(op, TempOp | ArrayInstructionOp)):
                raise VerifyError(
                    "machine-arrays-operation",
                    f"'{op.name}' has no place in the array-level program '{self.symbol}'",
                    hint="it holds machine.temp, machine.mov_imm and array-level instructions",
                    where=where_of(op),
                )
            if began and isinstance(op, TempOp):
                raise VerifyError(
                    "machine-temp-place", "temporary arrays are declared at the start of a program", where=where_of(op)
                )
            began = began or not isinstance(op, TempOp)

    def _verify_temporary(self, op: TempOp) -> None:
        buffers = self.buffers
        for size in op.shape:
            named = axis_of(size) if isinstance(size, str) else None
            if named is None:
                fits = isinstance(size, int) and 1 <= size < 1 << 63
            else:
                known = {f"buf{n}": len(a.shape) for n, a in enumerate(buffers)}
                fits = named[1] < known.get(named[0], 0)
            if not fits:
                raise VerifyError(
                    "machine-temp-size", f"'{size}' is no size of a temporary array of '{self.symbol}'",
                    hint="a size is a number from 1 up, or an axis of a parameter: buf0.1 is the second of buf0",
                    where=where_of(op),
                )  # fmt: skip

    def _verify_instruction(
        self, op: ArrayInstructionOp, arrays: Mapping[str, MemRefType[Attribute]], held: Mapping[SSAValue, DType]
    ) -> None:
        """Verify the instruction as its operation of the atlas dialect does, on operands of the types that they have
        here."""
        try:
            op.verify_()
        except HologramError as error:
            error.where = error.where or where_of(op)
            raise
        for _, operands in op.grouped():
            for name in operands:
                if isinstance(name, str) and name not in arrays:
                    raise VerifyError(
                        "machine-array-undeclared", f"'{self.symbol}' declares no {name}",
                        hint=did_you_mean(name, arrays) or f"it has {', '.join(arrays) or 'none'}", where=where_of(op),
                    )  # fmt: skip
        types = {
            group: [arrays[v] if isinstance(v, str) else held[v].ir for v in operands]
            for group, operands in op.grouped()
        }
        stand_ins = {group: [_stand_in(t) for t in given] for group, given in types.items()}
        raised = op.raised(stand_ins, {name: self._signature(op, f) for name, f in op.functions().items()})
        try:
            raised.verify(verify_nested_ops=False)
        except HologramError as error:
            error.where = error.where or where_of(op)
            raise
        finally:
            raised.erase()

    def _signature(self, op: Operation, name: str) -> Region:
        """A region that takes and yields what a function does."""
        function = self.function(name)
        if function is None:
            block = self.parent_block()
            known = [f.symbol for f in block.ops if isinstance(f, FuncOp)] if block is not None else []
            raise VerifyError(
                "machine-region-symbol", f"there is no function '{name}'", hint=did_you_mean(name, known),
                where=where_of(op),
            )  # fmt: skip
        verify_region_function(function, where_of(op))
        block = Block(arg_types=[cast("DTypeAttr", t).dtype.ir for t in function.in_types])
        values = [_stand_in(cast("DTypeAttr", t).dtype.ir) for t in function.out_types]
        block.add_ops([*(cast("Operation", v.owner) for v in values), YieldOp(*values)])
        return Region(block)


def _stand_in(type: Attribute) -> SSAValue:
    """A value of a type, for verification."""
    return UnrealizedConversionCastOp.get([], [type]).results[0]


def verify_region_function(function: FuncOp, where: Any) -> None:
    """A function that stands for a region is one block of scalar instructions on values."""
    what = f"the function '{function.symbol}' can't stand for a region"
    hint = "it takes and gives scalars, and has scalar instructions alone, up to its 'ret'"
    if not all(isinstance(t, DTypeAttr) for t in (*function.in_types, *function.out_types)):
        raise VerifyError("machine-region-pointer", f"{what}: pointers go in or out", hint=hint, where=where)
    if len(function.blocks) > 1:
        raise VerifyError("machine-region-control", f"{what}: it branches", hint=hint, where=where)
    for op in function.blocks[0].ops:
        is_scalar = isinstance(op, InstructionOp) and op.FORM.name in REGION_INSTRUCTIONS
        if not is_scalar and not isinstance(op, RetOp | GetOp | LabelOp):
            raise VerifyError(
                "machine-region-instruction", f"{what}: it has '{op.name.removeprefix('machine.')}'", hint=hint,
                where=where,
            )  # fmt: skip


OPS: list[type[Operation]] = [ArraysOp, TempOp]
