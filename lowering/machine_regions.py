"""The region of an array-level operation as a function of the machine form: without control flow each value takes the
first register that is free."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i1
from xdsl.ir import Block, Operation, SSAValue

from hologram.dialects.atlas.array_base import YieldOp
from hologram.dialects.atlas.form import Field, form_of
from hologram.dialects.atlas.scalar import MovImmOp
from hologram.dialects.atlas.types import DType, DTypeAttr, dtype_of
from hologram.dialects.machine.constants import constant_bits
from hologram.dialects.machine.listing import Code, Jump, Line, Operand, Scalar
from hologram.dialects.machine.registers import PREDICATES, REGISTERS, registers_of
from hologram.dialects.machine.table import REGION_INSTRUCTIONS
from hologram.errors import PassError, where_of
from hologram.lowering.machine_selection import modifiers_of, values_of


def region_code(name: str, op: Operation, block: Block) -> Code:
    """The function that does what the block of a region of `op` does."""
    return _RegionCode(name, op, block).build()


class _RegionCode:
    def __init__(self, name: str, op: Operation, block: Block):
        self.op = op
        self.block = block
        self.code = Code(name, True, where=where_of(op))
        self.places: dict[SSAValue, int] = {}
        values: list[SSAValue] = [*block.args, *(r for o in block.ops for r in o.results)]
        self.left = {v: len(list(v.uses)) for v in values}
        """The uses of each value that are still to come."""
        self.taken: dict[bool, set[int]] = {False: set(), True: set()}
        """The general registers and the predicates that hold something."""

    def build(self) -> Code:
        """The function."""
        code, block = self.code, self.block
        code.parameters += [self._scalar(arg, self._place(arg)) for arg in block.args]
        for arg in block.args:
            self._release(arg)
        for op in block.ops:
            if not isinstance(op, YieldOp):
                self._instruction(op)
        last = block.last_op
        assert isinstance(last, YieldOp)
        given: list[int] = []
        for value in last.values:
            self._outside(value)
            place = self.places[value]
            if any(r == place and v.type == value.type for r, v in zip(given, last.values, strict=False)):
                place = self._copy(value, place)
            given.append(place)
        code.outs += [self._scalar(value, place) for value, place in zip(last.values, given, strict=True)]
        code.lines.append(Jump("ret", where=where_of(self.op)))
        return code

    def _scalar(self, value: SSAValue, register: int) -> Scalar:
        return Scalar(self._dtype(value).name, register)

    def _dtype(self, value: SSAValue) -> DType:
        dtype = dtype_of(value.type)
        if dtype is None or str(value.type) == "index":
            raise PassError(
                self.op, "assign-region-type", f"a function of machine code holds no {value.type}",
                hint="convert it to a type of the ISA outside of the region",
            )  # fmt: skip
        return dtype

    # Registers

    def _place(self, value: SSAValue) -> int:
        """The first registers that are free, for a value."""
        width = registers_of(self._dtype(value))
        is_predicate = value.type == i1
        taken, limit = self.taken[is_predicate], PREDICATES if is_predicate else REGISTERS
        for first in range(limit - width + 1):
            wanted = range(first, first + width)
            if taken.isdisjoint(wanted):
                taken.update(wanted)
                self.places[value] = first
                return first
        raise PassError(
            self.op, "assign-region-registers", f"a region of '{self.op.name}' needs more registers than a lane has",
            hint="take it apart into several operations",
        )  # fmt: skip

    def _release(self, value: SSAValue) -> None:
        """Frees the registers of a value that nothing more reads."""
        if self.left[value] == 0:
            first = self.places[value]
            self.taken[value.type == i1] -= set(range(first, first + registers_of(self._dtype(value))))

    def _outside(self, value: SSAValue) -> None:
        """Brings in a constant that was made outside of the region."""
        if value in self.places:
            return
        owner = value.owner
        if isinstance(owner, Operation) and isinstance(owner, arith.ConstantOp | MovImmOp):
            self.left[value] = 1 << 30
            self.code.lines.append(self._constant(owner))
            return
        raise PassError(
            self.op, "assign-region-capture", f"a region of '{self.op.name}' reads a value from outside",
            hint="pass it in as one of the operands",
        )  # fmt: skip

    def _copy(self, value: SSAValue, place: int) -> int:
        self.left[value] = 1 << 30
        again = self._place(value)
        self.code.lines.append(Line("mov", (), (self._dtype(value).name,), (again, place), where_of(self.op)))
        return again

    # Instructions

    def _constant(self, op: arith.ConstantOp | MovImmOp) -> Line:
        dtype = self._dtype(op.result)
        bits = constant_bits(op.properties["value"], dtype)
        return Line("mov_imm", (), (dtype.name,), (self._place(op.result), bits), where_of(op))

    def _instruction(self, op: Operation) -> None:
        if isinstance(op, arith.ConstantOp | MovImmOp):
            self.code.lines.append(self._constant(op))
            return
        form = form_of(type(op))
        if form is None or form.name not in REGION_INSTRUCTIONS:
            raise PassError(
                op, "assign-region-operation", f"there is no scalar instruction for '{op.name}' in a region",
                hint="a function that stands for a region has scalar instructions alone",
            )  # fmt: skip
        operands: dict[str, Operand] = {}
        for field in form.fields:
            if not field.is_result:
                operands[field.name] = self._operand(op, field)
        for value in op.operands:
            self.left[value] -= 1
            self._release(value)
        for field in form.fields:
            if field.is_result:
                operands[field.name] = self._place(op.results[0])
        self._release(op.results[0])
        types = tuple(self._type(op, name) for name in form.types)
        line = Line(
            form.name, modifiers_of(op, form), types, tuple(operands[f.name] for f in form.fields), where_of(op)
        )
        self.code.lines.append(line)

    def _operand(self, op: Operation, field: Field) -> Operand:
        if field.kind == "register":
            (value,) = values_of(op, field)
            self._outside(value)
            return self.places[value]
        given: Any = op.properties[field.name]
        return given.data if isinstance(given, StringAttr) else self._number(given)

    @staticmethod
    def _number(given: IntegerAttr[Any]) -> int:
        return given.value.data

    def _type(self, op: Operation, name: str) -> str:
        given = op.properties.get(name)
        return given.dtype.name if isinstance(given, DTypeAttr) else self._dtype(op.results[0]).name


__all__ = ["region_code"]
