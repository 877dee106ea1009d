"""Turns IR into a listing. The registers are those of the types: every value must have one."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue

from hologram.dialects.atlas.instructions.form import Field
from hologram.dialects.atlas.instructions.types import DTypeAttr
from hologram.dialects.machine.address import AddressAttr
from hologram.dialects.machine.array_listing import arrays_of
from hologram.dialects.machine.array_program import ArraysOp
from hologram.dialects.machine.constants import constant_bits
from hologram.dialects.machine.control import BraOp, CallOp, ExitOp, FallOp, GetOp, LabelOp, LoopOp, RetOp
from hologram.dialects.machine.directives import ArrayOp, ArrayTypeAttr, PoolOp
from hologram.dialects.machine.instruction import InstructionOp
from hologram.dialects.machine.listing import Address, Array, Code, Item, Jump, Line, Listing, Operand, Pool, Scalar
from hologram.dialects.machine.program import CodeOp, FuncOp, ProgramOp
from hologram.dialects.machine.registers import Register, held_name
from hologram.errors import InputError, where_of


def listing_of(module: ModuleOp) -> Listing:
    """The listing of a valid module that holds nothing but programs, functions and pools of the machine form.

    Raises InputError naming what is not of the machine form, or has no register yet.
    """
    return [_item(op) for op in module.body.block.ops]


def _item(op: Operation) -> Item:
    match op:
        case PoolOp():
            return Pool(_array(op.array))
        case ProgramOp() | FuncOp():
            return _code(op)
        case ArraysOp():
            return arrays_of(op, line_of, _array, number_of)
        case _:
            raise InputError(
                "machine-form-foreign",
                f"'{op.name}' is not of the machine form",
                hint="assembly and binary hold machine.program, machine.arrays, machine.func and machine.pool",
                where=where_of(op),
            )


def _array(array: ArrayTypeAttr) -> Array:
    return Array(array.dtype.name, array.shape)


def _code(op: ProgramOp | FuncOp) -> Code:
    code = Code(op.symbol, isinstance(op, FuncOp))
    registers = iter(op.blocks[0].args)
    if isinstance(op, ProgramOp):
        for parameter in op.parameters:
            is_array = isinstance(parameter, ArrayTypeAttr)
            code.parameters.append(_array(parameter) if is_array else _scalar(parameter, number_of(next(registers))))
        code.block, code.grid = (None if s is None else _sizes(s) for s in (op.block, op.grid))
        code.shared = None if op.shared is None else op.shared.value.data
    else:
        code.parameters += [_scalar(t, number_of(next(registers))) for t in op.in_types]
        code.outs += [_scalar(t, r.number) for t, r in zip(op.out_types, op.out_registers, strict=True)]
    code.arrays += [(a.space.data, _array(a.array)) for a in op.body.blocks[0].ops if isinstance(a, ArrayOp)]
    _Lines(code, op).write()
    return code


def _scalar(type: Any, register: int) -> Scalar:
    return Scalar(held_name(type), register)


def _sizes(values: DenseArrayBase[Any]) -> tuple[int, int, int]:
    x, y, z = values.get_values()
    return x, y, z


def number_of(value: SSAValue) -> int:
    """The number of a value's register."""
    type = cast("Register", value.type)
    if not type.is_allocated:
        owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
        raise InputError(
            "machine-unassigned",
            f"a value of '{owner.name if owner else ''}' has no register yet",
            hint="assembly and binary name registers: assign them first",
            where=where_of(owner) if owner else None,
        )
    return type.number


class _Lines:
    """Writes the blocks of a program or function as lines and labels."""

    def __init__(self, code: Code, op: CodeOp):
        self.code = code
        self.blocks = op.blocks
        targets = {id(b.last_op.target) for b in self.blocks if isinstance(b.last_op, BraOp | LoopOp)}
        self.labels: dict[int, int] = {}
        self.names: list[str] = []
        for block in self.blocks:
            label = next((o for o in block.ops if not isinstance(o, ArrayOp)), None)
            name = label.label.data if isinstance(label, LabelOp) else ""
            if name or id(block) in targets:
                self.labels[id(block)] = len(self.labels)
                self.names.append(name)

    def write(self) -> None:
        for block in self.blocks:
            if (label := self.labels.get(id(block))) is not None:
                self.code.labels.append((len(self.code.lines), self.names[label]))
            for op in block.ops:
                self._write_op(op)

    def _write_op(self, op: Operation) -> None:
        lines = self.code.lines
        match op:
            case InstructionOp():
                lines.append(line_of(op))
            case BraOp():
                predicate = -1 if op.predicate is None else number_of(op.predicate)
                self._check_arguments(op)
                lines.append(Jump("bra", self.labels[id(op.target)], predicate, op.negated is not None))
            case LoopOp():
                self._check_arguments(op)
                counter = number_of(op.counter)
                lines.append(Jump("loop", self.labels[id(op.target)], counter, type=op.type.dtype.name))
            case CallOp():
                for value in (*op.uses, *op.defs):
                    number_of(value)
                lines.append(Jump("call", op.callee.root_reference.data))
            case RetOp():
                for value in op.uses:
                    number_of(value)
                lines.append(Jump("ret"))
            case ExitOp():
                lines.append(Jump("exit"))
            case FallOp():
                self._check_arguments(op)
            case GetOp() | LabelOp() | ArrayOp():
                pass
            case _:
                raise InputError(
                    "machine-form-operation", f"'{op.name}' is no instruction of the machine form", where=where_of(op)
                )

    def _check_arguments(self, op: FallOp | BraOp | LoopOp) -> None:
        """Check that the passed values have registers; the verifier checks that they are those that the block takes."""
        for value in op.operands:
            number_of(value)


def line_of(op: InstructionOp) -> Line:
    """An instruction as a line."""
    form = op.FORM
    results = iter(op.defs)
    operands: list[Operand] = []
    for field in form.fields:
        if field.kind == "register":
            operands.append(number_of(next(results) if field.is_result else op.operand(field.name)))
        else:
            operands.append(_operand(op, field))
    return Line(
        form.name,
        tuple(op.modifier(m.name) for m in form.modifiers),
        tuple(cast("DTypeAttr", op.properties[name]).dtype.name for name in form.types),
        tuple(operands),
    )


def _operand(op: InstructionOp, field: Field) -> Operand:
    given = op.properties[field.name]
    match given:
        case AddressAttr():
            registers = [number_of(v) for v in op.uses_of(field.name)]
            index = registers.pop() if given.has_index else None
            return Address(given.base.data, tuple(registers), index, given.bytes)
        case StringAttr():
            return given.data
        case _ if field.kind == "constant":
            return constant_bits(given, op.dtype())
        case _:
            return cast("IntegerAttr[Any]", given).value.data
