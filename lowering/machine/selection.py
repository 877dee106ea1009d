"""Selects machine instructions for lane programs of blocks, as a listing.

Linear scan over the live intervals of values gives them registers. The first registers are the work area: for what a
call passes and gives, address computations, windows of vector forms, and values that come from and go to local memory.
The others hold SSA values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, MemRefType, StringAttr, i1
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from hologram.dialects.atlas.instructions.form import Field, Form, form_of
from hologram.dialects.atlas.instructions.scalar import ConditionAttr, MovImmOp
from hologram.dialects.atlas.instructions.types import DType, DTypeAttr, PtrType, dtype_of
from hologram.dialects.atlas.lanes.pools import PoolAllocOp, PoolFreeOp
from hologram.dialects.atlas.lanes.programs import (
    AllocaOp,
    BraOp,
    CallOp,
    ExitOp,
    FuncOp,
    ProgramOp,
    RetOp,
    SpecialOp,
    space_of,
)
from hologram.dialects.atlas.lanes.reductions import WindowOp
from hologram.dialects.machine.constants import constant_bits
from hologram.dialects.machine.listing import Address, Array, Code, Jump, Line, Listing, Scalar
from hologram.dialects.machine.registers import registers_of
from hologram.dialects.shapes import is_memref
from hologram.errors import PassError, where_of
from hologram.lowering.machine.folded_addresses import Folded, Folding, fold_addresses
from hologram.lowering.machine.headers import fixed_grid, parameter_types
from hologram.support.walking import operations
from hologram.transforms.analysis.dominance import reverse_postorder
from hologram.transforms.lanes.control_tree import Live, Variable


@dataclass(eq=False)
class Interval:
    """The places from the first to the last where a value must be kept; places are numbers of operations."""

    value: SSAValue
    width: int
    start: int
    end: int
    may_spill: bool
    near: Sequence[SSAValue] = ()
    """Values that are copied to or from it: their registers save the copy."""
    register: int = -1
    """The first register; -1 if it is kept in memory."""


def intervals(
    blocks: Sequence[Block],
    folding: Folding,
    width: Callable[[SSAValue], int],
    may_spill: Callable[[SSAValue], bool],
) -> list[Interval]:
    """The interval of every value but memrefs, by their starts."""
    live = _live_in(blocks, folding)
    near = _copies(blocks)
    ranges: dict[SSAValue, Interval] = {}
    place = 0

    def touch(value: Variable) -> None:
        if not isinstance(value, SSAValue) or isinstance(value.type, MemRefType):
            return
        if value not in ranges:
            ranges[value] = Interval(value, width(value), place, place, may_spill(value), near.get(value, ()))
        ranges[value].start = min(ranges[value].start, place)
        ranges[value].end = max(ranges[value].end, place)

    for block in blocks:
        for value in (*live[block], *block.args):
            touch(value)
        for op in block.ops:
            place += 1
            for value in (*folding.used(op), *folding.results(op)):
                touch(value)
        for target in () if block.last_op is None else block.last_op.successors:
            for value in live[target]:
                touch(value)
        place += 1
    return sorted(ranges.values(), key=lambda i: i.start)


def _copies(blocks: Sequence[Block]) -> dict[SSAValue, list[SSAValue]]:
    """The arguments of blocks that each value is passed as, and the values that each argument gets."""
    near: dict[SSAValue, list[SSAValue]] = {}
    for op in (block.last_op for block in blocks):
        for target, given in op.ways if isinstance(op, BraOp) else ():
            for argument, value in zip(target.args, given, strict=True):
                near.setdefault(argument, []).append(value)
                near.setdefault(value, []).append(argument)
    return near


def _live_in(blocks: Sequence[Block], folding: Folding) -> dict[Block, Live]:
    """The values that each block reads, or passes on, from before it."""
    live: dict[Block, Live] = {b: {} for b in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            last = block.last_op
            values: Live = {v: None for b in (() if last is None else last.successors) for v in live[b]}
            for op in reversed(list(block.ops)):
                for result in op.results:
                    values.pop(result, None)
                values |= dict.fromkeys(folding.used(op))
            for arg in block.args:
                values.pop(arg, None)
            changed |= values.keys() != live[block].keys()
            live[block] = values
    return {b: {v: None for v in values} for b, values in live.items()}


def linear_scan(wanted: Sequence[Interval], first: int, limit: int) -> list[Interval]:
    """Gives the intervals registers from `first` up to `limit`, and memory to those that end last where there are too
    few. Gives the intervals that fit nowhere, because they may not be kept in memory.
    """
    active: list[Interval] = []
    failed: list[Interval] = []
    assigned: dict[SSAValue, Interval] = {}
    for current in wanted:
        active = [i for i in active if not _is_over(i, current)]
        assigned[current.value] = current
        near = [n.register for v in current.near if (n := assigned.get(v)) is not None and n.register >= first]
        while (place := _free_run(active, current.width, first, limit, near)) is None:
            victims = [i for i in (*active, current) if i.may_spill]
            if not victims:
                failed.append(current)
                break
            victim = max(victims, key=lambda i: i.end)
            if victim is current:
                break
            victim.register = -1
            active.remove(victim)
        if place is not None:
            current.register = place
            active.append(current)
    return failed


def _is_over(interval: Interval, later: Interval) -> bool:
    """Return whether another may have its registers: an instruction reads its operands before it writes its result."""
    if interval.end != later.start or interval.start == later.start:
        return interval.end < later.start
    return isinstance(later.value, OpResult)


def _free_run(active: Sequence[Interval], width: int, first: int, limit: int, near: Sequence[int]) -> int | None:
    """The first of so many consecutive registers that no interval uses; before others those that are `near`."""
    for at in near:
        if at + width <= limit and all(i.register + i.width <= at or at + width <= i.register for i in active):
            return at
    at = first
    for interval in sorted(active, key=lambda i: i.register):
        if interval.register - at >= width:
            return at
        at = max(at, interval.register + interval.width)
    return at if at + width <= limit else None


Body = ProgramOp | FuncOp
WORK = 4
"""Registers of the work area for addresses and moves."""


@dataclass(frozen=True)
class Files:
    """The numbers of general registers and predicates."""

    registers: int
    predicates: int


def width_of(value: SSAValue) -> int:
    """The registers that a value takes."""
    dtype = dtype_of(value.type)
    return 1 if dtype is None else registers_of(dtype)


def is_predicate(value: SSAValue) -> bool:
    """Return whether a value lies in a predicate."""
    return value.type == i1


class Selection:
    """Selects instructions for a module."""

    def __init__(self, bodies: Sequence[Body], files: Files, pools: Mapping[str, str]):
        """`pools` has the object (`pool0`) of each pool by its name."""
        self.bodies = bodies
        self.files = files
        self.pools = pools
        for body in bodies:
            _check(body)
        self.foldings = [fold_addresses(operations(body)) for body in bodies]

    def listing(self) -> Listing:
        """The module as a listing: without spills if that can be, else with a work area that spills go through."""
        for spills in (False, True):
            work, predicates = self._work(spills)
            codes = [
                _Code(body, folding, self.files, work, predicates, spills, self.pools).build()
                for body, folding in zip(self.bodies, self.foldings, strict=True)
            ]
            if all(code is not None for code in codes):
                return [code for code in codes if code is not None]
        raise AssertionError("with spills every body is built or refused")

    def _work(self, spills: bool) -> tuple[int, int]:
        """The sizes of the work area: registers and predicates."""
        general, predicates = WORK, 1
        for folding, op in (
            (f, o) for body, f in zip(self.bodies, self.foldings, strict=True) for o in operations(body)
        ):
            sides = (folding.used(op), folding.results(op))
            if isinstance(op, CallOp | RetOp | WindowOp) or "vector" in op.properties:
                general = max(general, *(WORK + _total(side, False) for side in sides))
                predicates = max(predicates, *(1 + _total(side, True) for side in sides))
            elif isinstance(op, BraOp):
                general = max([general, *(WORK + 2 * width_of(v) for v in op.operands if not is_predicate(v))])
            if spills:
                general = max(general, WORK + sum(_total(side, False) for side in sides))
                predicates = max(predicates, 1 + sum(_total(side, True) for side in sides if not isinstance(op, BraOp)))
        return general, predicates


def _total(values: Sequence[SSAValue], predicates: bool) -> int:
    return sum(width_of(v) for v in values if is_predicate(v) == predicates and not isinstance(v.type, MemRefType))


def _check(body: Body) -> None:
    for op in operations(body):
        known = isinstance(op, ProgramOp | FuncOp | AllocaOp | BraOp | CallOp | ExitOp | RetOp)
        if not known and form_of(type(op)) is None:
            raise PassError(op, "assign-operation", f"there is no machine instruction for '{op.name}'")
        takes = op.operands if isinstance(op, CallOp) else op.body.blocks[0].args if isinstance(op, FuncOp) else ()
        if any(isinstance(v.type, MemRefType) for v in takes):
            raise PassError(
                op, "assign-function-memref", "a function in machine code takes scalars and pointers, no memref",
                hint="pass a pointer made by atlas.lea",
            )  # fmt: skip


def held_name(type: Attribute) -> str:
    """The name of what a register holds, in headers."""
    if isinstance(type, PtrType):
        return f"ptr<{_dtype(type.element).name}, {type.space.data.value}>"
    return _dtype(type).name


def _dtype(type: Attribute) -> DType:
    dtype = dtype_of(type)
    assert dtype is not None
    return dtype


@dataclass(frozen=True)
class Place:
    """The place of a value: its first register, or the local array that keeps it."""

    value: SSAValue
    register: int
    home: str = ""


class _Code:
    """One program or function."""

    def __init__(
        self,
        body: Body,
        folding: Folding,
        files: Files,
        work: int,
        predicates: int,
        spills: bool,
        pools: Mapping[str, str],
    ):
        self.body = body
        self.folding = folding
        self.files = files
        self.pools = pools
        self.work = work
        self.predicates = predicates
        self.spills = spills
        self.code = Code(body.sym_name.data, isinstance(body, FuncOp), where=where_of(body))
        self.blocks = reverse_postorder(body.body.blocks[0])
        self.names: dict[SSAValue, str] = {}
        """The objects (`buf0`, `local1`) of memrefs."""
        self.places: dict[SSAValue, Place] = {}
        self.labels: dict[Block, list[Jump]] = {}
        """The jumps to each block."""
        self.stubs: list[tuple[Jump, Block, Sequence[SSAValue]]] = []
        self.starts: dict[Block, int] = {}
        self.next_work = [0, 0]
        self.source: Operation = body

    def build(self) -> Code | None:
        """The code, or None if not all values have registers and there may be no spills."""
        if not self._allocate():
            return None
        self._declare()
        for block, following in zip(self.blocks, [*self.blocks[1:], None], strict=True):
            self.starts[block] = len(self.code.lines)
            for op in (o for o in block.ops if o not in self.folding.dropped):
                self.source = op
                self.next_work = [0, 0]
                self._operation(op, following)
            for jump, target, given in self.stubs:
                self._aim(jump, stub := Block())
                self.starts[stub] = len(self.code.lines)
                self._moves(target.args, given)
                self._jump(target)
            self.stubs = []
        self._label()
        return self.code

    # Registers

    def _allocate(self) -> bool:
        pinned = set(self.body.body.blocks[0].args) if isinstance(self.body, ProgramOp) else set[SSAValue]()

        def may_spill(value: SSAValue) -> bool:
            return self.spills and value not in pinned and not isinstance(value.type, PtrType)

        ranges = intervals(self.blocks, self.folding, width_of, may_spill)
        general = [i for i in ranges if not is_predicate(i.value)]
        failed = linear_scan(general, self.work, self.files.registers)
        predicates = [i for i in ranges if is_predicate(i.value)]
        failed += linear_scan(predicates, self.predicates, self.files.predicates)
        short = self.work > self.files.registers or self.predicates > self.files.predicates
        if (failed or short) and self.spills:
            raise PassError(
                self.body, "assign-pressure",
                f"the registers do not suffice: '{self.body.sym_name.data}' needs more at once than can go to "
                "local memory",
            )  # fmt: skip
        if failed or short:
            return False
        self.spilled = [i for i in ranges if i.register < 0]
        for interval in ranges:
            self.places[interval.value] = Place(interval.value, interval.register)
        return True

    def _declare(self) -> None:
        """Parameters, arrays, and the homes of spilled values."""
        counts = {"buf": 0, "shared": 0, "local": 0}

        def name(kind: str) -> str:
            counts[kind] += 1
            return f"{kind}{counts[kind] - 1}"

        for op in operations(self.body):
            if isinstance(op, PoolAllocOp):
                self.names[op.result] = self.pools[op.pool.string_value()]
            elif isinstance(op, AllocaOp):
                space = space_of(op.result.type).value
                type = op.result.type
                array = Array(_dtype(type.element_type).name, (_size(math.prod(type.get_shape())),))
                self.code.arrays.append((space, array))
                self.names[op.result] = name(space)
        for interval in self.spilled:
            self.code.arrays.append(("local", Array(_dtype(interval.value.type).name, (1,))))
            self.places[interval.value] = Place(interval.value, -1, name("local"))
        args = self.body.body.blocks[0].args
        if isinstance(self.body, FuncOp):
            self._function_header(args)
            return
        self.code.block = self.body.block_size
        self.code.grid = fixed_grid(self.body)
        for arg, known in zip(args, parameter_types(self.body), strict=True):
            if is_memref(arg.type):
                self.names[arg] = name("buf")
                dtype = known or _dtype(arg.type.element_type).name
                self.code.parameters.append(Array(dtype, tuple(map(_size, arg.type.get_shape()))))
            else:
                self.code.parameters.append(Scalar(known or held_name(arg.type), self._register_of(arg)))

    def _register_of(self, arg: SSAValue) -> int:
        """The register that a parameter arrives in, one without use too."""
        if arg not in self.places:
            self.places[arg] = Place(arg, 0)
        return self.places[arg].register

    def _function_header(self, args: Sequence[SSAValue]) -> None:
        assert isinstance(self.body, FuncOp)
        types = [a.type for a in args]
        registers = self._area(types)
        self.code.parameters += [Scalar(held_name(t), r) for t, r in zip(types, registers, strict=True)]
        outs = self.body.function_type.outputs.data
        self.code.outs += [Scalar(held_name(t), r) for t, r in zip(outs, self._area(outs), strict=True)]
        for arg, register in zip(args, registers, strict=True):
            if arg in self.places:
                self._move(self.places[arg], Place(arg, register))

    @staticmethod
    def _area(types: Sequence[Attribute]) -> list[int]:
        """The registers of the work area in which values are passed."""
        at = [WORK, 1]
        registers: list[int] = []
        for type in types:
            file = int(type == i1)
            registers.append(at[file])
            dtype = dtype_of(type)
            at[file] += 1 if dtype is None else registers_of(dtype)
        return registers

    def _temporary(self, count: int, file: bool = False) -> int:
        """Registers of the work area that this instruction uses for itself."""
        at = self.next_work[file]
        self.next_work[file] += count
        assert self.next_work[file] <= (self.predicates if file else self.work), "the work area holds what it must"
        return at

    # Lines

    def _line(self, name: str, type: str, *operands: Any, modifiers: Sequence[str] = ()) -> None:
        self.code.lines.append(Line(name, tuple(modifiers), (type,), operands, where_of(self.source)))

    def _move(self, to: Place, source: Place) -> None:
        """Copies a value."""
        if (to.register, to.home) == (source.register, source.home):
            return
        type = source.value.type
        name = _dtype(type.element if isinstance(type, PtrType) else type).name
        if source.home and to.home:
            register = self._temporary(width_of(source.value), is_predicate(source.value))
            self._move(Place(source.value, register), source)
            self._move(to, Place(source.value, register))
        elif source.home:
            self._line("ldl", name, to.register, Address(source.home), modifiers=("",))
        elif to.home:
            self._line("stl", name, Address(to.home), source.register, modifiers=("",))
        elif isinstance(type, PtrType):
            self._line("lea", name, to.register, Address("reg", (source.register,)))
        else:
            self._line("mov", name, to.register, source.register)

    def _read(self, value: SSAValue) -> int:
        """The register that holds a value, fetched if it is spilled."""
        place = self.places[value]
        if not place.home:
            return place.register
        register = self._temporary(width_of(value), is_predicate(value))
        self._move(Place(value, register), place)
        return register

    def _moves(self, targets: Sequence[SSAValue], sources: Sequence[SSAValue]) -> None:
        """Copies values all at once: what a copy would overwrite is copied before, or put aside."""
        pending = self._copied(targets, sources)
        self.next_work = [0, 0]
        aside: list[Place] = []
        while pending:
            free = next((p for p in pending if not any(_overlap(p[0], q[1]) for q in pending if q is not p)), None)
            if free is None:
                target, source = pending[0]
                aside.append(Place(source.value, self._temporary(width_of(source.value), is_predicate(source.value))))
                self._move(aside[-1], source)
                pending[0] = (target, aside[-1])
                continue
            pending.remove(free)
            before = list(self.next_work)
            self._move(*free)
            aside = [a for a in aside if a is not free[1]]
            self.next_work = before if aside else [0, 0]

    def _copied(self, targets: Sequence[SSAValue], sources: Sequence[SSAValue]) -> list[tuple[Place, Place]]:
        """The copies that are needed."""
        pairs = [(self.places[t], self.places[s]) for t, s in zip(targets, sources, strict=True) if t in self.places]
        return [(t, s) for t, s in pairs if not _overlap(t, s) or t.register != s.register]

    # Branches

    def _aim(self, jump: Jump, block: Block) -> None:
        self.labels.setdefault(block, []).append(jump)

    def _jump(self, target: Block, **how: Any) -> Jump:
        jump = Jump("bra", where=where_of(self.source), **how)
        self.code.lines.append(jump)
        self._aim(jump, target)
        return jump

    def _branch(self, op: BraOp, following: Block | None) -> None:
        way, *rest = op.ways
        if rest:
            assert op.condition is not None
            other = rest[0]
            copies, others = (bool(self._copied(target.args, given)) for target, given in (way, other))
            # What is jumped to is best a block without copies, and not the following one.
            negated = copies > others or (copies == others and way[0] is following)
            if negated:
                way, other, copies = other, way, others
            jump = Jump("bra", register=self._read(op.condition), negated=negated, where=where_of(op))
            self.code.lines.append(jump)
            if copies:
                self.stubs.append((jump, *way))
            else:
                self._aim(jump, way[0])
            way = other
        target, given = way
        self._moves(target.args, given)
        if target is not following or self.stubs:
            self._jump(target)

    def _label(self) -> None:
        """Gives the labels their numbers, in the order of the lines."""
        ordered = sorted(self.labels, key=lambda b: self.starts[b])
        for number, block in enumerate(ordered):
            self.code.labels.append((self.starts[block], ""))
            for jump in self.labels[block]:
                jump.target = number

    # Operations

    def _operation(self, op: Operation, following: Block | None) -> None:
        match op:
            case AllocaOp():
                pass
            case PoolAllocOp() | PoolFreeOp():
                name = op.name.removeprefix("atlas.")
                self.code.lines.append(Line(name, (), (), (self.pools[op.pool.string_value()],), where_of(op)))
            case BraOp():
                self._branch(op, following)
            case ExitOp():
                self.code.lines.append(Jump("exit", where=where_of(op)))
            case RetOp():
                self._pass(op.values)
                self.code.lines.append(Jump("ret", where=where_of(op)))
            case CallOp():
                self._pass(op.arguments)
                self.code.lines.append(Jump("call", op.callee.root_reference.data, where=where_of(op)))
                for result, register in zip(op.results, self._area(op.result_types), strict=True):
                    self._move(self.places[result], Place(result, register))
            case _:
                self._instruction(op)

    def _pass(self, values: Sequence[SSAValue]) -> None:
        for value, register in zip(values, self._area([v.type for v in values]), strict=True):
            self._move(Place(value, register), self.places[value])

    def _instruction(self, op: Operation) -> None:
        form = form_of(type(op))
        assert form is not None
        written: list[tuple[SSAValue, int]] = []
        operands: list[Any] = []
        results = list(op.results)
        for field in form.fields:
            if field.is_result:
                operands.append(self._results(results, written))
            else:
                operands.append(self._operand(op, form, field))
        types = [self._type(op, name) for name in form.types]
        line = Line(form.name, modifiers_of(op, form), tuple(types), tuple(operands), where_of(op))
        self.code.lines.append(line)
        for value, register in written:
            self._move(self.places[value], Place(value, register))

    def _results(self, results: Sequence[SSAValue], written: list[tuple[SSAValue, int]]) -> int:
        """The register that an instruction writes; what does not belong there is moved after it."""
        if len(results) == 1 and not self.places[results[0]].home:
            return self.places[results[0]].register
        width = width_of(results[0])
        first = self._temporary(width * len(results), is_predicate(results[0]))
        written += [(value, first + n * width) for n, value in enumerate(results)]
        return first

    def _operand(self, op: Operation, form: Form, field: Field) -> Any:
        if field.kind == "address":
            return self._address(cast("Any", op))
        if field.kind == "register":
            values = values_of(op, field)
            return self._read(values[0]) if len(values) == 1 else self._window(values)
        counted = next((f for f in form.fields if f.times == field.name), None)
        if counted is not None:
            return len(values_of(op, counted))
        given = op.properties[field.name]
        if isinstance(op, MovImmOp):
            return constant_bits(given, _dtype(op.result.type))
        return given.data if isinstance(given, StringAttr) else cast("IntegerAttr[Any]", given).value.data

    def _window(self, values: Sequence[SSAValue]) -> int:
        width = width_of(values[0])
        first = self._temporary(width * len(values), is_predicate(values[0]))
        for number, value in enumerate(values):
            self._move(Place(value, first + number * width), self.places[value])
        return first

    def _type(self, op: Operation, name: str) -> str:
        given = op.properties.get(name)
        if isinstance(given, DTypeAttr):
            return given.dtype.name
        dtype = _dtype(op.results[0].type)
        return dtype.name.replace("i", "u") if isinstance(op, SpecialOp) else dtype.name

    def _address(self, op: Any) -> Address:
        """The address of a memory instruction; element indices become byte offsets that never wrap into range."""
        if (folded := self.folding.addresses.get(op)) is not None:
            return self._folded_address(folded)
        base: SSAValue = op.memref
        indices: Sequence[SSAValue] = op.indices
        index = self._read(indices[0]) if indices else None
        if isinstance(base.type, PtrType):
            return Address("reg", (self._read(base),), index)
        if index is None:
            return Address(self.names[base])
        offset, factor = self._temporary(1), self._temporary(1)
        size = op.dtype.bytes
        self._line("mov_imm", "u64", offset, (1 << 63) // size)
        self._line("min", "u64", offset, index, offset)
        if size > 1:
            self._line("mov_imm", "u64", factor, size)
            self._line("mul", "u64", offset, offset, factor)
        return Address(self.names[base], (), offset)

    def _folded_address(self, folded: Folded) -> Address:
        parts = tuple(self._read(v) for v in folded.parts)
        index = None if folded.index is None else self._read(folded.index)
        if folded.base is None:
            return Address(folded.name, parts, index, folded.offset)
        if is_memref(folded.base.type):
            return Address(self.names[folded.base], (), index, folded.offset)
        return Address("reg", (self._read(folded.base),), index, folded.offset)


def values_of(op: Operation, field: Field) -> list[SSAValue]:
    """The values of a register operand: of a store's `value`, all that its vector form has."""
    values = getattr(op, f"{field.name}s", None)
    values = getattr(op, field.name) if values is None else values
    return [values] if isinstance(values, SSAValue) else list(cast("Sequence[SSAValue]", values))


def _size(size: int) -> int:
    return max(size, -1)


def _overlap(a: Place, b: Place) -> bool:
    """Return whether writing one place changes the other."""
    if a.home or b.home:
        return a.home == b.home
    if is_predicate(a.value) != is_predicate(b.value):
        return False
    return a.register < b.register + width_of(b.value) and b.register < a.register + width_of(a.value)


def modifiers_of(op: Operation, form: Form) -> tuple[str, ...]:
    modifiers: list[str] = []
    for modifier in form.modifiers:
        given = op.properties.get(modifier.name)
        text = given.data if isinstance(given, StringAttr | ConditionAttr) else ""
        modifiers.append(str(getattr(text, "value", text)))
    return tuple(modifiers)
