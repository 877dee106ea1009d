"""Turns a listing into IR: lines become operations, positions become blocks, registers become values.

A use reads the value that its block last wrote to the register; where the block has written none, a `machine.get`
stands before it. So equal listings give equal IR, and assembly needs no analysis to be read.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import cast

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine.address import AddressAttr
from hologram.dialects.machine.array_listing import ArraysBuilder
from hologram.dialects.machine.constants import constant_attribute
from hologram.dialects.machine.control import BraOp, CallOp, ExitOp, FallOp, GetOp, LabelOp, LoopOp, RetOp
from hologram.dialects.machine.directives import ArrayOp, ArrayTypeAttr, PoolOp
from hologram.dialects.machine.instruction import INSTRUCTIONS, field_type
from hologram.dialects.machine.listing import Address, Array, Arrays, Code, Jump, Line, Listing, Pool, Scalar
from hologram.dialects.machine.program import FuncOp, ProgramOp
from hologram.dialects.machine.registers import PredType, Register, RegType, held, held_register
from hologram.errors import HologramError, Where

ENDS = ("bra", "loop", "ret", "exit")
"""The instructions that end a block."""


def module_of(listing: Listing) -> ModuleOp:
    """The module of a listing whose names, operand counts and labels are right; the verifier checks the rest."""
    functions = {item.name: item for item in listing if isinstance(item, Code) and item.is_function}
    ops: list[Operation] = []
    for item in listing:
        with located(item.where):
            match item:
                case Pool():
                    op = PoolOp(_array(item.array))
                case Arrays():
                    op = ArraysBuilder(item, _constant, _placed, _array).build()
                case _:
                    op = _Builder(item, functions).build()
        ops.append(_placed(op, item.where))
    return ModuleOp(ops)


@contextmanager
def located(where: Where | None) -> Generator[None]:
    """Errors within (of registers, addresses) that know no place have this one."""
    try:
        yield
    except HologramError as error:
        error.where = error.where or where
        raise


def _array(array: Array) -> ArrayTypeAttr:
    return ArrayTypeAttr(array.dtype, array.sizes)


def _placed(op: Operation, where: Where | None) -> Operation:
    if where is not None:
        op.location = FileLineColLoc(StringAttr(where.file), IntAttr(where.line), IntAttr(where.column))
    return op


def _registers(values: Sequence[Scalar | Array]) -> list[Register]:
    return [held_register(held(v.dtype), v.register) for v in values if isinstance(v, Scalar)]


class _Builder:
    """Builds one program or function."""

    def __init__(self, code: Code, functions: dict[str, Code]):
        self.code = code
        self.functions = functions
        self.blocks: list[Block] = []
        self.starts: dict[int, list[Block]] = {}
        """The blocks that begin before each line."""
        self.written: dict[int, SSAValue] = {}
        """The value that this block wrote to each register; predicates count from -1 down."""

    def build(self) -> Operation:
        code = self.code
        self._start(Block(arg_types=_registers(code.parameters)))
        for value in self.blocks[0].args:
            self._write(value)
        self.blocks[0].add_ops([ArrayOp(space, _array(array)) for space, array in code.arrays])
        labels = self._make_blocks()
        for number, line in enumerate(code.lines):
            for block in self.starts.get(number, ()):
                self._start(block)
            with located(line.where):
                op = self._jump(line, number, labels) if isinstance(line, Jump) else self.instruction(line)
            self.blocks[-1].add_op(_placed(op, line.where))
            for result in op.results:
                self._write(result)
        for block, following in zip(self.blocks, self.blocks[1:], strict=False):
            if not isinstance(block.last_op, BraOp | LoopOp | RetOp | ExitOp):
                block.add_op(FallOp(following))
        return self._finish(Region(self.blocks))

    def _make_blocks(self) -> list[Block]:
        """Makes the blocks after the first; gives those of the labels."""
        labels: list[Block] = []
        for line, name in self.code.labels:
            block = Block([LabelOp(name)] if name else [])
            labels.append(block)
            self.starts.setdefault(line, []).append(block)
        last = len(self.code.lines) - 1
        for number, line in enumerate(self.code.lines):
            if number < last and isinstance(line, Jump) and line.name in ENDS:
                self.starts.setdefault(number + 1, [Block()])
        return labels

    def _finish(self, body: Region) -> Operation:
        code = self.code
        types = [_array(p) if isinstance(p, Array) else held(p.dtype) for p in code.parameters]
        if not code.is_function:
            return ProgramOp(code.name, types, body, block=code.block, grid=code.grid, shared=code.shared)
        outs = [(held(o.dtype), register) for o, register in zip(code.outs, _registers(code.outs), strict=True)]
        return FuncOp(code.name, [held(p.dtype) for p in code.parameters if isinstance(p, Scalar)], outs, body)

    # Registers

    def _start(self, block: Block) -> None:
        self.blocks.append(block)
        self.written = {}

    def _write(self, value: SSAValue) -> None:
        self.written |= dict.fromkeys(_slots(value.type), value)

    def _read(self, type: Register) -> SSAValue:
        """The value of a register: the last one written here, or what it held before."""
        slots = _slots(type)
        value = self.written.get(slots[0])
        if value is None or value.type != type or any(self.written.get(slot) is not value for slot in slots):
            get = GetOp(type)
            self.blocks[-1].add_op(get)
            value = get.result
            self._write(value)
        return value

    # Operations

    def _jump(self, jump: Jump, number: int, labels: list[Block]) -> Operation:
        match jump.name:
            case "bra":
                predicate = None if jump.register < 0 else self._read(PredType(jump.register))
                following = None if predicate is None else self.starts[number + 1][0]
                return BraOp(labels[cast("int", jump.target)], predicate, following, negated=jump.negated)
            case "loop":
                counter = self._read(RegType(jump.register))
                return LoopOp(counter, labels[cast("int", jump.target)], self.starts[number + 1][0], type=jump.type)
            case "call":
                function = self.functions[str(jump.target)]
                uses = [self._read(r) for r in _registers(function.parameters)]
                return CallOp(function.name, uses, _registers(function.outs))
            case "ret":
                return RetOp(*(self._read(r) for r in _registers(self.code.outs)))
            case _:
                return ExitOp()

    def instruction(self, line: Line) -> Operation:
        """The operation of a line."""
        op_class = INSTRUCTIONS[line.name]
        form = op_class.FORM
        properties = _properties(line, form)
        uses: list[SSAValue] = []
        defs: list[Register] = []
        for field, operand in zip(form.fields, line.operands, strict=True):
            if isinstance(operand, Address):
                registers = operand.registers if operand.index is None else (*operand.registers, operand.index)
                uses += [self._read(RegType(r)) for r in registers]
            elif field.kind == "register":
                type = field_type(form, field, properties, cast("int", operand))
                if field.is_result:
                    defs.append(type)
                else:
                    uses.append(self._read(type))
        return op_class.create(operands=uses, result_types=defs, properties=properties)


def _constant(line: Line) -> Operation:
    """A line that reads no registers, as those of array-level programs."""
    return _Builder(Code(""), {}).instruction(line)


def _properties(line: Line, form: Form) -> dict[str, Attribute]:
    """Return the properties of an instruction: all of it that is no register."""
    properties: dict[str, Attribute] = {name: held(dtype) for name, dtype in zip(form.types, line.types, strict=True)}
    for modifier, choice in zip(form.modifiers, line.modifiers, strict=True):
        if choice:
            properties[modifier.name] = StringAttr(choice)
    for field, operand in zip(form.fields, line.operands, strict=True):
        match operand:
            case Address():
                properties[field.name] = AddressAttr(operand.base, operand.index is not None, operand.offset)
            case str():
                properties[field.name] = StringAttr(operand)
            case _ if field.kind == "constant":
                properties[field.name] = constant_attribute(operand, DTYPES[line.types[0]])
            case _ if field.kind == "immediate":
                properties[field.name] = IntegerAttr(operand, i64)
            case _:
                pass
    return properties


def _slots(type: Attribute) -> list[int]:
    """The registers of a value."""
    assert isinstance(type, RegType | PredType)
    numbers = range(type.number, type.number + type.width)
    return [-1 - n for n in numbers] if isinstance(type, PredType) else list(numbers)
