"""Array-level programs between listing and IR. A register stands for the value that was last written to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects.atlas.arrays.base import Kind, KindAttr
from hologram.dialects.atlas.arrays.form import ArrayForm, Setting
from hologram.dialects.atlas.instructions.types import DTYPES, DTypeAttr
from hologram.dialects.machine.array_instruction import ARRAY_INSTRUCTIONS, ArrayInstructionOp
from hologram.dialects.machine.array_program import ArraysOp, TempOp
from hologram.dialects.machine.constants import constant_attribute, constant_bits
from hologram.dialects.machine.index_maps import affine_map, index_map
from hologram.dialects.machine.listing import Array, ArrayLine, Arrays, Line, Scalar, Temporary, Value
from hologram.dialects.machine.registers import PredType, Register, RegType, held, held_name, held_register
from hologram.errors import VerifyError

F64 = DTYPES["f64"]


def register_name(type: Register) -> str:
    """`r5`, `p0`."""
    return f"{type.LETTER}{type.number}"


# From a listing to IR


class ArraysBuilder:
    """Builds an array-level program. `instruction` makes the operation of a line of the table, `placed` puts the place
    on it, `array` makes an array's type."""

    def __init__(
        self,
        program: Arrays,
        instruction: Callable[[Line], Operation],
        placed: Callable[[Operation, Any], Operation],
        array: Callable[[Array], Attribute],
    ):
        self.program = program
        self.instruction = instruction
        self.placed = placed
        self.array = array
        self.holds: dict[str, SSAValue] = {}
        """The value that each register is part of."""

    def build(self) -> ArraysOp:
        """The operation."""
        program = self.program
        types = [self.array(p) if isinstance(p, Array) else held(p.dtype) for p in program.parameters]
        scalars = [p for p in program.parameters if isinstance(p, Scalar)]
        block = Block(arg_types=[held_register(held(p.dtype), p.register) for p in scalars])
        for value in block.args:
            self._write(value)
        block.add_ops(self.placed(TempOp(t.dtype, t.sizes), t.where) for t in program.temporaries)
        for line in program.lines:
            op = self._line(line) if isinstance(line, ArrayLine) else self.instruction(line)
            block.add_op(self.placed(op, line.where))
            for result in op.results:
                self._write(result)
        return ArraysOp(program.name, types, Region(block))

    def _write(self, value: SSAValue) -> None:
        type = cast("Register", value.type)
        names = [f"{type.LETTER}{n}" for n in range(type.number, type.number + type.width)]
        self.holds |= dict.fromkeys(names, value)

    def _line(self, line: ArrayLine) -> Operation:
        op_class = ARRAY_INSTRUCTIONS[line.name]
        properties = dict(array_properties(op_class.FORM, line))
        groups = [[self._operand(name, line) for name in group] for group in line.groups]
        return op_class(groups, properties)

    def _operand(self, name: str, line: ArrayLine) -> str | SSAValue:
        if name[0] not in "rp":
            return name
        value = self.holds.get(name)
        type = None if value is None else cast("Register", value.type)
        whole = type is not None and all(
            self.holds[f"{type.LETTER}{n}"] is value for n in range(type.number, type.number + type.width)
        )
        if value is None or type is None or not whole or register_name(type) != name:
            raise VerifyError(
                "machine-array-register", f"{name} holds no value here", where=line.where,
                hint="a register of an array-level program is a parameter's, or written by mov_imm",
            )  # fmt: skip
        return value


def array_properties(form: ArrayForm, line: ArrayLine) -> Sequence[tuple[str, Attribute]]:
    """The properties of a line, by name."""
    properties: list[tuple[str, Attribute]] = []
    if form.choice is not None:
        word = StringAttr(line.choice) if form.choice.is_instruction else KindAttr(Kind(line.choice))
        properties.append((form.choice.name, word))
    properties += [(name, DTypeAttr.of(DTYPES[t])) for name, t in zip(form.types, line.types, strict=False)]
    for setting, value in zip(form.settings, line.settings, strict=True):
        if value is not None:
            to_attribute = _SETTINGS[setting.kind][0]
            held = ArrayAttr(map(to_attribute, cast("Any", value))) if setting.is_list else to_attribute(value)
            properties.append((setting.name, held))
    return properties


_Both: TypeAlias = tuple[Callable[[Any], Attribute], Callable[[Any], Any]]
_INTEGER: _Both = (lambda value: IntegerAttr(value, i64), lambda attr: attr.value.data)
_SETTINGS: dict[str, _Both] = {
    "mark": (lambda value: UnitAttr(), lambda attr: 1),
    **dict.fromkeys(("flag", "integer", "integers"), _INTEGER),
    "float": (lambda value: constant_attribute(value, F64), lambda attr: constant_bits(attr, F64)),
    "maps": (lambda value: AffineMapAttr(affine_map(value)), lambda attr: index_map(attr.data)),
    "kinds": (lambda value: KindAttr(Kind(value)), lambda attr: attr.data.value),
    "types": (lambda value: DTypeAttr.of(DTYPES[value]), lambda attr: attr.dtype.name),
    "function": (SymbolRefAttr, lambda attr: attr.root_reference.data),
}
"""The value of a setting by its kind, or each of those in its list: as an attribute, and what a listing has of that."""


# From IR to a listing


def arrays_of(
    op: ArraysOp, line_of: Callable[[Any], Line], array: Callable[[Any], Array], number_of: Callable[[SSAValue], int]
) -> Arrays:
    """The listing of an array-level program; every value must have a register."""
    program = Arrays(op.symbol)
    registers = iter(op.body.block.args)
    for parameter in op.parameters:
        if isinstance(parameter, DTypeAttr):
            program.parameters.append(Scalar(held_name(parameter), number_of(next(registers))))
        else:
            program.parameters.append(array(parameter))
    for inner in op.body.block.ops:
        if isinstance(inner, TempOp):
            program.temporaries.append(Temporary(inner.element.dtype.name, tuple(inner.shape)))
        elif isinstance(inner, ArrayInstructionOp):
            program.lines.append(array_line_of(inner, number_of))
        else:
            program.lines.append(line_of(inner))
    return program


def array_line_of(op: ArrayInstructionOp, number_of: Callable[[SSAValue], int]) -> ArrayLine:
    """An array-level instruction as a line."""
    form = op.FORM

    def name(operand: str | SSAValue) -> str:
        if isinstance(operand, str):
            return operand
        number_of(operand)
        assert isinstance(operand.type, RegType | PredType)
        return register_name(operand.type)

    choice = ""
    if form.choice is not None:
        given = op.properties[form.choice.name]
        choice = given.data if isinstance(given, StringAttr) else cast("KindAttr", given).data.value
    types = (op.properties.get(t) for t in form.types)
    return ArrayLine(
        form.name,
        choice,
        tuple(t.dtype.name for t in types if isinstance(t, DTypeAttr)),
        tuple(tuple(map(name, operands)) for _, operands in op.grouped()),
        tuple(setting_value(s, op.properties.get(s.name)) for s in form.settings),
    )


def setting_value(setting: Setting, given: Any) -> Value:
    """Return the value of an attribute as a listing holds it."""
    if given is None:
        return None
    from_attribute = _SETTINGS[setting.kind][1]
    return tuple(map(from_attribute, given)) if setting.is_list else from_attribute(given)
