"""Finds the registers that each operation of machine code reads and writes, and the values that may lie in them.

A `Slot` is a place and the type of the value in it. An operation reads slots and writes slots; writing one ends all
that overlap it. A forward analysis finds the slots that hold a value when control comes to a block: those that may
(on some way) and those that must (on every way).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Attribute, Block, Operation

from hologram.dialects.atlas.instructions.form import LETTERS, Field
from hologram.dialects.atlas.instructions.types import DTYPES, DType, DTypeAttr, PtrType, Space, SpaceAttr
from hologram.dialects.machine.address import OBJECTS, PHI, POINTER, AddressAttr
from hologram.dialects.machine.control import BraOp, CallOp, LoopOp, RetOp
from hologram.dialects.machine.instruction import InstructionOp
from hologram.dialects.machine.program import CodeOp, FuncOp, ProgramOp
from hologram.dialects.machine.registers import PredType, Register, registers_of
from hologram.support.walking import operations

INITIAL: tuple[tuple[int, str], ...] = ((252, "lane.x"), (253, "block.x"), (254, "lanes.x"), (255, "gid"))
"""The registers of a program that begin with a special register's value (isa.md section 1)."""
ANY_POINTER = "pointer"
ANY_OFFSET = "offset"
"""Reads that take what they find: a pointer of any space; a 32-bit or 64-bit integer."""


@dataclass(frozen=True)
class Slot:
    """A value in registers: the first one, how many, and the SSA type. Predicates count from -1 down."""

    first: int
    count: int
    type: Attribute

    @property
    def registers(self) -> range:
        return (
            range(self.first, self.first - self.count, -1)
            if self.first < 0
            else range(self.first, self.first + self.count)
        )

    @property
    def text(self) -> str:
        """Its register's name."""
        return f"p{-1 - self.first}" if self.first < 0 else f"r{self.first}"

    @cached_property
    def span(self) -> tuple[int, int]:
        """Its first register, and the one behind its last."""
        registers = self.registers
        return min(registers), max(registers) + 1

    def within(self, slots: Iterable[Slot]) -> list[Slot]:
        """Those of some slots that share a register with it."""
        first, end = self.span
        return [s for s in slots if s.span[0] < end and first < s.span[1]]


@dataclass(frozen=True)
class Read:
    """A read: the register, and the type that it is read as or a word for what it may be."""

    first: int
    count: int
    want: Attribute | str

    def fits(self, slot: Slot) -> bool:
        """Return whether a value in this slot is what is read."""
        if (slot.first, slot.count) != (self.first, self.count):
            return False
        if self.want == ANY_POINTER:
            return isinstance(slot.type, PtrType)
        if self.want == ANY_OFFSET:
            return slot.type in (i32, i64)
        return slot.type == self.want

    @property
    def slot(self) -> Slot:
        """The place, under whatever type."""
        return Slot(self.first, self.count, i1)


def _first(register: Register) -> int:
    return -1 - register.number if isinstance(register, PredType) else register.number


def held_type(type: Attribute) -> Attribute:
    """The SSA type of what a header says that a register holds."""
    return byte_pointer(type.space.data) if isinstance(type, PtrType) else cast("DTypeAttr", type).dtype.ir


def slot_of(register: Attribute, held: Attribute) -> Slot:
    """The slot of what a register holds."""
    placed = cast("Register", register)
    return Slot(_first(placed), placed.width, held_type(held))


def field_dtype(op: InstructionOp, field: Field) -> DType:
    """The type of each value of a register field."""
    return op.dtype(field.value) if field.value in LETTERS else DTYPES[field.value]


def window(op: InstructionOp, field: Field, register: Register) -> list[Slot]:
    """The slots of a field's values, one after another."""
    dtype = field_dtype(op, field)
    each = registers_of(dtype)
    step = -each if isinstance(register, PredType) else each
    first = _first(register)
    return [Slot(first + n * step, each, dtype.ir) for n in range(register.width // each)]


def field_reads(op: InstructionOp, field: Field) -> list[Read]:
    """The reads of one operand of an instruction."""
    registers = [cast("Register", v.type) for v in op.uses_of(field.name)]
    if field.kind == "address":
        address = cast("AddressAttr", op.properties[field.name])
        wants = [ANY_POINTER if address.base.data == POINTER else ANY_OFFSET] * address.base_registers
        wants += [ANY_OFFSET] * address.has_index
        return [Read(_first(r), r.width, want) for r, want in zip(registers, wants, strict=True)]
    if field.value == "ptr":
        return [Read(_first(registers[0]), 1, ANY_POINTER)]
    return [Read(s.first, s.count, s.type) for s in window(op, field, registers[0])]


def reads_of(op: Operation) -> list[Read]:
    """All reads of an operation, in order."""
    match op:
        case InstructionOp():
            fields = [f for f in op.FORM.fields if not f.is_result and f.kind in ("register", "address")]
            return [read for f in fields for read in field_reads(op, f)]
        case BraOp():
            return [] if op.predicate is None else [Read(_first(cast("PredType", op.predicate.type)), 1, i1)]
        case LoopOp():
            return [Read(_first(cast("Register", op.counter.type)), 1, op.type.dtype.ir)]
        case CallOp():
            function = callee(op)
            pairs = zip(function.in_registers, function.in_types, strict=True)
            return [Read(s.first, s.count, s.type) for s in (slot_of(r, t) for r, t in pairs)]
        case RetOp():
            function = op.parent_op()
            assert isinstance(function, FuncOp)
            return [Read(s.first, s.count, s.type) for s in out_slots(function)]
        case _:
            return []


def out_slots(function: FuncOp) -> list[Slot]:
    """Return the slots in which a function leaves its results."""
    return [slot_of(r, t) for r, t in zip(function.out_registers, function.out_types, strict=True)]


def writes_of(op: Operation, known: Iterable[Slot]) -> list[Slot]:
    """The slots that an operation writes, when `known` may hold values before it."""
    match op:
        case InstructionOp():
            fields = [f for f in op.FORM.fields if f.is_result]
            slots: list[Slot] = []
            for field, value in zip(fields, op.results, strict=True):
                register = cast("Register", value.type)
                slots += _pointers(op, register, known) if field.value == "ptr" else window(op, field, register)
            return slots
        case LoopOp():
            return [slot_of(op.counter.type, op.type)]
        case CallOp():
            return out_slots(callee(op))
        case _:
            return []


def _pointers(op: InstructionOp, register: Register, known: Iterable[Slot]) -> list[Slot]:
    """The pointers that `lea` may make: into the object that it names, or as the pointer that it goes on from."""
    field = next((f for f in op.FORM.fields if f.kind == "address"), None)
    address = None if field is None else cast("AddressAttr", op.properties[field.name])
    if field is None or address is None or address.base.data == PHI:
        return [Slot(register.number, 1, byte_pointer(Space.class_))]  # `bound.map`, and addresses like it
    if (target := address.object) is not None:
        return [Slot(register.number, 1, byte_pointer(Space(OBJECTS[target[0]])))]
    (read, *_) = field_reads(op, field)
    spaces = {s.type: None for s in known if read.fits(s)}
    return [Slot(register.number, 1, type) for type in spaces]


def byte_pointer(space: Space) -> PtrType:
    """The type under which pointers of a space lie in registers."""
    return PtrType(DTYPES["u8"].ir, SpaceAttr(space))


def callee(op: CallOp) -> FuncOp:
    """The function that a call calls."""
    module = cast("Any", op.get_toplevel_object())
    name = op.callee.root_reference.data
    return next(f for f in operations(module) if isinstance(f, FuncOp) and f.symbol == name)


def begin_slots(code: CodeOp) -> list[Slot]:
    """The slots that hold a value when a program or function begins: arguments, and special registers of programs."""
    if isinstance(code, FuncOp):
        return [slot_of(r, t) for r, t in zip(code.in_registers, code.in_types, strict=True)]
    assert isinstance(code, ProgramOp)
    arguments = [slot_of(a.type, DTypeAttr.of(t)) for a, t in zip(code.blocks[0].args, code.scalars, strict=True)]
    initial = [Slot(n, 1, i64 if name == "gid" else i32) for n, name in INITIAL]
    return [*(s for s in initial if not s.within(arguments)), *arguments]


def end(known: dict[Slot, Any], slots: Sequence[Slot]) -> None:
    """Ends what the slots overlap."""
    for slot in slots:
        for old in slot.within(known):
            del known[old]


def write(known: dict[Slot, None], slots: Sequence[Slot]) -> None:
    """Ends what the slots overlap, and adds them."""
    end(known, slots)
    known |= dict.fromkeys(slots)


Known = dict[Block, dict[Slot, None]]


def reaching(code: CodeOp, blocks: Sequence[Block], *, must: bool) -> Known:
    """The slots that hold a value where each block begins: on some way, or with `must` on every way."""
    slots: Known = {blocks[0]: dict.fromkeys(begin_slots(code))}
    changed = True
    while changed:
        changed = False
        for block in blocks:
            if block not in slots:
                continue
            after = dict(slots[block])
            for op in block.ops:
                write(after, writes_of(op, after))
            for target in () if block.last_op is None else block.last_op.successors:
                old = slots.get(target)
                new = dict(after) if old is None else {s: None for s in old if s in after} if must else old | after
                if old is None or new.keys() != old.keys():
                    slots[target] = new
                    changed = True
    return slots
