"""Lifts machine code to lane programs in SSA form, for `lift-machine`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import OptOperandDef, VarOperandDef, VarResultDef
from xdsl.rewriter import Rewriter

from hologram.dialects.atlas.dialect import Atlas
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.form import Field, form_of
from hologram.dialects.atlas.instructions.scalar import Condition, ConditionAttr, CvtOp, MinOp, MovImmOp, SetccOp, SubOp
from hologram.dialects.atlas.instructions.types import DTYPES, PtrType, Space, dtype_of
from hologram.dialects.atlas.lanes import pools
from hologram.dialects.atlas.lanes import programs as lanes
from hologram.dialects.atlas.lanes.class_memory import BoundMapOp
from hologram.dialects.machine.address import PHI, POINTER, AddressAttr
from hologram.dialects.machine.array_program import ArraysOp
from hologram.dialects.machine.control import BraOp, CallOp, ExitOp, FallOp, GetOp, LabelOp, LoopOp, RetOp
from hologram.dialects.machine.directives import ArrayOp, ArrayTypeAttr, PoolOp
from hologram.dialects.machine.instruction import InstructionOp
from hologram.dialects.machine.program import CodeOp, FuncOp, ProgramOp
from hologram.dialects.machine.registers import PredType, Register, RegType
from hologram.errors import PassError
from hologram.lowering.machine.array_lifting import lift_arrays
from hologram.lowering.machine.headers import GRID, described, memref_of, pool_type
from hologram.lowering.machine.slots import (
    INITIAL,
    Read,
    Slot,
    begin_slots,
    byte_pointer,
    end,
    field_reads,
    held_type,
    reaching,
    reads_of,
    write,
    writes_of,
)
from hologram.transforms.analysis.dominance import reverse_postorder
from hologram.transforms.analysis.effects import drop_copied_arguments


def _atlas(name: str) -> Any:
    """The operation of an instruction."""
    if name not in _ATLAS:
        _ATLAS.update({form.name: op for op in Atlas.operations if (form := form_of(op)) is not None})
    return _ATLAS[name]


_ATLAS: dict[str, Any] = {}


def lift_module(module: ModuleOp) -> None:
    """Replaces the machine code of a module, as `lift-machine` says."""
    codes = [o for o in module.body.block.ops if isinstance(o, CodeOp)]
    lifted = [_Lifter(code).lift() for code in codes]
    for code, new in zip(codes, lifted, strict=True):
        new.location = code.location
        Rewriter.replace_op(code, new, [])
    if any(isinstance(o, ArraysOp) for o in module.body.block.ops):
        lift_arrays(module, {code.symbol: new for code, new in zip(codes, lifted, strict=True)})
    for number, pool in enumerate([o for o in module.body.block.ops if isinstance(o, PoolOp)]):
        declared = pools.PoolOp(f"pool{number}", pool_type(pool))
        declared.location = pool.location
        Rewriter.replace_op(pool, declared, [])


class _Lifter:
    """Lifts one program or function."""

    def __init__(self, code: CodeOp):
        self.code = code
        self._check_registers()
        self.blocks = reverse_postorder(code.blocks[0])
        self.may = reaching(code, self.blocks, must=False)
        self.must = reaching(code, self.blocks, must=True)
        self.chosen: dict[tuple[Operation, int], Slot] = {}
        """The slot of each read, by its number among the operation's reads."""
        self.doubtful: dict[Slot, None] = {}
        """The slots that are read where they may hold nothing of the kind."""
        self.start = Block()
        self.objects: dict[str, SSAValue] = {}
        """The memref of each object's name (`buf0`)."""
        self.made: dict[Block, Block] = {}
        self.block = self.start
        self.known: dict[Slot, SSAValue] = {}
        self.holds: dict[Slot, SSAValue] = {}
        """For doubtful slots: whether they hold a value of their type."""
        self.source: Operation = code
        self.space = byte_pointer(Space.global_)
        """The type of the last address."""

    def _check_registers(self) -> None:
        for block in self.code.blocks:
            for op in block.ops:
                for type in (*op.operand_types, *op.result_types):
                    if isinstance(type, RegType | PredType) and not type.is_allocated:
                        raise PassError(
                            op, "lift-unassigned", f"'{op.name}' works on a value without a register",
                            hint="give each value a register",
                        )  # fmt: skip
            if block is not self.code.blocks[0] and block.args:
                raise PassError(
                    self.code, "lift-block-arguments", "a block takes arguments, which registers hold in machine code",
                    hint="give each value a register",
                )  # fmt: skip

    def lift(self) -> Operation:
        """The lifted program or function."""
        for block in self.blocks:
            self._choose(block)
        live = self._live()
        self.live = {b: sorted(live[b], key=lambda s: (s.first, s.count, str(s.type))) for b in self.blocks}
        types = self._begin()
        for block in self.blocks:
            flags = [i1 for s in self.live[block] if s in self.doubtful]
            self.made[block] = Block(arg_types=[*(s.type for s in self.live[block]), *flags])
        self._emit(self._branch(self.blocks[0]))
        for block in self.blocks:
            self._block(block)
        region = Region([self.start, *self.made.values()])
        drop_copied_arguments(region)
        if isinstance(self.code, FuncOp):
            return lanes.FuncOp(self.code.symbol, types, [held_type(t) for t in self.code.out_types], region)
        assert isinstance(self.code, ProgramOp)
        names = described(self.code.parameters, self.code.blocks[0].args)
        program = lanes.ProgramOp(self.code.symbol, types, self.code.launch.get("block"), region, names)
        if self.code.grid is not None:
            program.attributes[GRID] = self.code.grid
        return program

    # Which values are read where

    def _choose(self, block: Block) -> None:
        may, must = dict(self.may[block]), dict(self.must[block])
        for op in block.ops:
            for number, read in enumerate(reads_of(op)):
                slot = self._find(op, read, may)
                self.chosen[op, number] = slot
                if slot not in must:
                    self.doubtful[slot] = None
            writes = writes_of(op, may)
            write(may, writes)
            write(must, writes)

    def _find(self, op: Operation, read: Read, may: dict[Slot, None]) -> Slot:
        first, count = read.first, read.count
        fits = [s for s in may if s.first == first and s.count == count and read.fits(s)]
        if len(fits) == 1:
            return fits[0]
        place = read.slot
        if len(fits) > 1:
            types = " and ".join(str(s.type) for s in fits)
            raise PassError(
                op, "lift-ambiguous", f"{place.text} may hold values of several types here: {types}",
                hint="use a register for each",
            )  # fmt: skip
        others = place.within(may)
        if not others:
            raise PassError(
                op, "lift-uninitialised", f"'{op.name}' reads {place.text}, which nothing has written before"
            )
        wanted = read.want if isinstance(read.want, Attribute) else f"a {read.want}"
        raise PassError(
            op, "lift-mistyped", f"'{op.name}' reads {place.text} as {wanted}, but it holds {others[0].type}",
            hint="convert with cvt or cvt.bits",
        )  # fmt: skip

    def _live(self) -> dict[Block, set[Slot]]:
        live: dict[Block, set[Slot]] = {b: set() for b in self.blocks}
        changed = True
        while changed:
            changed = False
            for block in reversed(self.blocks):
                last = block.last_op
                slots = {s for b in (() if last is None else last.successors) for s in live[b]}
                for op in reversed(list(block.ops)):
                    ended = writes_of(op, self.may[block]) or self._pointer_register(op)
                    for slot in ended:
                        slots.difference_update(slot.within(slots))
                    slots |= {self.chosen[op, n] for n in range(len(reads_of(op)))}
                changed |= slots != live[block]
                live[block] = slots
        return live

    def _pointer_register(self, op: Operation) -> list[Slot]:
        """Return the slots that a `lea` from a register writes, whatever the space."""
        results = op.results if isinstance(op, InstructionOp) else ()
        return [Slot(cast("Register", r.type).number, 1, i1) for r in results if r.type.name == "machine.reg"]

    # The beginning

    def _begin(self) -> list[Attribute]:
        """Makes the block that comes first: arguments, arrays, special registers. Gives the arguments' types."""
        types: list[Attribute] = []
        arguments: list[SSAValue] = []
        for parameter in self.code.taken:
            array = parameter if isinstance(parameter, ArrayTypeAttr) else None
            types.append(held_type(parameter) if array is None else memref_of(array, None, None))
            value = self.start.insert_arg(types[-1], len(self.start.args))
            if array is None:
                arguments.append(value)
            else:
                self.objects[f"buf{len(self.objects)}"] = value
        for space in (Space.shared, Space.local):
            for number, op in enumerate(self.code.arrays(space.value)):
                shared = self.code.shared if isinstance(self.code, ProgramOp) else None
                size = None if shared is None else shared.value.data
                alloca = self._emit(lanes.AllocaOp(memref_of(op.array, space, size)))
                self.objects[f"{space.value}{number}"] = alloca.result
        self._begin_objects()
        begun = begin_slots(self.code)
        specials = dict(INITIAL)
        for slot in begun[: len(begun) - len(arguments)]:
            self._set(slot, self._emit(lanes.SpecialOp(specials[slot.first])).result)
        for slot, value in zip(begun[len(begun) - len(arguments) :], arguments, strict=True):
            self._set(slot, value)
        return types

    def _begin_objects(self) -> None:
        """The pools and classes that addresses name."""
        given = (a for b in self.code.blocks for op in b.ops for a in op.properties.values())
        objects = {a.base.data: a.object for a in given if isinstance(a, AddressAttr)}
        for name, (kind, number) in ((name, o) for name, o in objects.items() if o is not None):
            if kind == "c":
                self.objects[name] = self._class_start(number)
            elif kind == "pool":
                self.objects[name] = self._pool(number)

    def _pool(self, number: int) -> SSAValue:
        block = self.code.parent_block()
        assert block is not None
        declared = [o for o in block.ops if isinstance(o, PoolOp)]
        return self._emit(pools.PoolAllocOp(f"pool{number}", pool_type(declared[number]))).result

    def _class_start(self, number: int) -> SSAValue:
        parts = [self._emit(MovImmOp.of(n, DTYPES["u32"])).result for n in (number, 0, 0)]
        return self._emit(BoundMapOp("u8", *parts)).result

    # Blocks

    def _block(self, block: Block) -> None:
        self.block = new_block = self.made[block]
        slots = self.live[block]
        self.known = dict(zip(slots, new_block.args, strict=False))
        doubtful = [s for s in slots if s in self.doubtful]
        self.holds = dict(zip(doubtful, new_block.args[len(slots) :], strict=True))
        for op in block.ops:
            self.source = op
            self._operation(op)

    def _operation(self, op: Operation) -> None:
        match op:
            case ArrayOp() | LabelOp() | GetOp():
                pass
            case FallOp():
                self._emit(self._branch(op.next))
            case BraOp():
                self._emit(self._bra(op))
            case LoopOp():
                self._emit(self._loop(op))
            case ExitOp():
                self._emit(lanes.ExitOp())
            case RetOp():
                self._emit(lanes.RetOp(*self._reads(op)))
            case CallOp():
                values = self._reads(op)
                slots = writes_of(op, ())
                call = self._emit(lanes.CallOp(op.callee.root_reference.data, values, [s.type for s in slots]))
                self._write(slots, list(call.results))
            case InstructionOp():
                self._instruction(op)
            case _:
                raise PassError(op, "lift-operation", f"'{op.name}' is nothing that machine code is made of")

    def _emit(self, op: Any) -> Any:
        op.location = self.source.location
        self.block.add_op(op)
        return op

    # Registers

    def _reads(self, op: Operation) -> list[SSAValue]:
        """The values that an operation reads, checked where it is not sure that they are there."""
        values: list[SSAValue] = []
        for number in range(len(reads_of(op))):
            slot = self.chosen[op, number]
            if slot in self.holds:
                name = op.name.removeprefix("machine.")
                reason = f"{name}: {slot.text} is read before it is written, or as another type than it was written"
                self._emit(AssertOp(self.holds[slot], reason))
            values.append(self._value(slot))
        return values

    def _value(self, slot: Slot) -> SSAValue:
        """Return the value of a slot; a stand-in where nothing was written, which nobody reads."""
        if (known := self.known.get(slot)) is not None:
            return known
        if not isinstance(slot.type, PtrType):
            dtype = dtype_of(slot.type)
            assert dtype is not None
            return self._emit(MovImmOp.of(0, dtype)).result
        if slot.type.space.data is Space.class_:
            return self._class_start(0)
        objects = (*self.objects.values(), *(a for a in self.start.args if isinstance(a.type, PtrType)))
        base = next((v for v in objects if lanes.space_of(v.type) is slot.type.space.data), None)
        if base is None:  # a pointer into a pool that a function gave
            base = self._pool(0)
        return self._emit(lanes.LeaOp(DTYPES["u8"], base, [])).result

    def _set(self, slot: Slot, value: SSAValue) -> None:
        self._write([slot], [value])

    def _write(self, slots: Sequence[Slot], values: Sequence[SSAValue]) -> None:
        end(self.known, slots)
        end(self.holds, slots)
        for slot, value in zip(slots, values, strict=True):
            self.known[slot] = value
            if slot in self.doubtful:
                self.holds[slot] = self._emit(MovImmOp.of(1, DTYPES["bool"])).result

    # Branches

    def _given(self, target: Block) -> list[SSAValue]:
        """Return the values that a branch passes to a block."""
        slots = self.live[target]
        values = [self._value(s) for s in slots]
        for slot in (s for s in slots if s in self.doubtful):
            held = self.holds.get(slot)
            values.append(self._emit(MovImmOp.of(0, DTYPES["bool"])).result if held is None else held)
        return values

    def _branch(self, target: Block) -> lanes.BraOp:
        return lanes.BraOp(self.made[target], self._given(target))

    def _either(self, condition: SSAValue, yes: Block, no: Block) -> lanes.BraOp:
        return lanes.BraOp(
            self.made[yes],
            self._given(yes),
            condition=condition,
            otherwise=self.made[no],
            else_arguments=self._given(no),
        )

    def _bra(self, op: BraOp) -> lanes.BraOp:
        if op.predicate is None:
            return self._branch(op.target)
        (condition,) = self._reads(op)
        assert op.next is not None
        return (
            self._either(condition, op.next, op.target) if op.negated else self._either(condition, op.target, op.next)
        )

    def _loop(self, op: LoopOp) -> lanes.BraOp:
        (count,) = self._reads(op)
        dtype = op.type.dtype
        less = self._emit(SubOp(dtype, count, self._emit(MovImmOp.of(1, dtype)))).result
        self._write(writes_of(op, ()), [less])
        more = self._emit(SetccOp("ne", dtype, less, self._emit(MovImmOp.of(0, dtype)))).result
        return self._either(more, op.target, op.next)

    # Instructions

    def _instruction(self, op: InstructionOp) -> None:
        values = iter(self._reads(op))
        if op.FORM.name == "mov":
            self._write(writes_of(op, ()), list(values))
            return
        if op.FORM.name == "pool.alloc":
            return  # addresses name the pool, which is there from the start
        given: dict[str, list[SSAValue]] = {}
        for field in (f for f in op.FORM.fields if not f.is_result and f.kind in ("register", "address")):
            mine = [next(values) for _ in field_reads(op, field)]
            given[field.name] = [self._address(op, field, mine)] if field.kind == "address" else mine
        kind = _atlas(op.FORM.name)
        operands = [_operand(name, definition, given) for name, definition in kind.get_irdl_definition().operands]
        new = self._emit(
            kind.build(operands=operands, result_types=self._results(op, kind), properties=self._properties(op, kind))
        )
        slots = writes_of(op, [self.chosen[op, n] for n in range(len(reads_of(op)))])
        results = [self._as_bytes(r) if isinstance(r.type, PtrType) else r for r in new.results]
        self._write(slots, results)

    def _results(self, op: InstructionOp, kind: Any) -> list[Sequence[Attribute] | Attribute]:
        results: list[Sequence[Attribute] | Attribute] = []
        definitions = kind.get_irdl_definition().results
        for field, (_, definition) in zip((f for f in op.FORM.fields if f.is_result), definitions, strict=True):
            if field.value == "ptr":
                space = Space.class_ if kind is BoundMapOp else self.space.space.data
                results.append(PtrType.of(op.dtype(), space))
                continue
            types = [s.type for s in writes_of(op, ())]
            results.append(types if isinstance(definition, VarResultDef) else types[0])
        return results

    def _properties(self, op: InstructionOp, kind: Any) -> dict[str, Attribute]:
        properties: dict[str, Attribute] = {}
        known = kind.get_irdl_definition().properties
        for name, value in op.properties.items():
            match value:
                case _ if name not in known:
                    pass
                case StringAttr() if name == "condition":
                    properties[name] = ConditionAttr(Condition(value.data))
                case StringAttr() if name == "pool":
                    properties[name] = SymbolRefAttr(value.data)
                case _:
                    properties[name] = value
        return properties

    # Addresses

    def _address(self, op: InstructionOp, field: Field, values: list[SSAValue]) -> SSAValue:
        """A pointer to the instruction's type at the address."""
        address = cast("AddressAttr", op.properties[field.name])
        base = self._base(address, values)
        offset = self._offset(values[-1]) if address.has_index else None
        dtype = op.dtype() if "type" in op.properties else DTYPES["u8"]
        if address.bytes and offset is not None:
            base = self._emit(lanes.LeaOp(DTYPES["u8"], base, [offset])).result
            offset = None
        if address.bytes:
            offset = self._emit(MovImmOp(IntegerAttr(address.bytes, i64))).result
        self.space = byte_pointer(lanes.space_of(base.type))
        if op.FORM.name == "lea":
            return base if offset is None else self._emit(lanes.LeaOp(DTYPES["u8"], base, [offset])).result
        return self._emit(lanes.LeaOp(dtype, base, [] if offset is None else [offset])).result

    def _base(self, address: AddressAttr, values: list[SSAValue]) -> SSAValue:
        """The object or the pointer that an address starts from."""
        if address.base.data == POINTER:
            return values[0]
        if address.base.data != PHI:
            return self.objects[address.base.data]
        return self._emit(BoundMapOp("u8", *map(self._place_part, values[:3]))).result

    def _place_part(self, value: SSAValue) -> SSAValue:
        """A class, page or byte as a u32; what is too great stays so."""
        if value.type == i32:
            return value
        most = self._emit(MovImmOp.of((1 << 32) - 1, DTYPES["u64"]))
        return self._emit(CvtOp("u64", "u32", self._emit(MinOp("u64", value, most)))).result

    def _offset(self, value: SSAValue) -> SSAValue:
        """A byte offset as i64; 32-bit ones are unsigned."""
        return self._emit(CvtOp("u32", "u64", value)).result if value.type == i32 else value

    def _as_bytes(self, pointer: SSAValue) -> SSAValue:
        """A pointer as it lies in a register."""
        return self._emit(lanes.LeaOp(DTYPES["u8"], pointer, [])).result


def _operand(name: str, definition: Any, given: dict[str, list[SSAValue]]) -> SSAValue | list[SSAValue]:
    """An operand of the atlas operation by its name. A memory operation's place is the pointer, without indices."""
    if name == "indices":
        return []
    place = name in ("memref", "base")
    values = given.get("address" if place else name if name in given else name.removesuffix("s"), [])
    return values if isinstance(definition, VarOperandDef | OptOperandDef) else values[0]
