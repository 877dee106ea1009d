"""Loops and choices over tensors as `bufferize` makes them: what a loop carries lies in buffers.

A step that only writes parts of what it carries, or computes each element from the same element, works in one buffer,
in place. Any other step reads one buffer and writes a second one, and the two change places: the loop carries both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.dialects import func, scf, tensor
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr

from hologram.dialects.atlas.arrays.general import MapOp
from hologram.dialects.hologram.tensors import ReshapeOp
from hologram.dialects.shapes import is_tensor
from hologram.errors import PassError
from hologram.transforms.analysis.shape_analysis import end_of, given_by


@dataclass
class Slot:
    """A tensor that a loop carries."""

    start: SSAValue
    """What the loop starts with."""
    buffer: SSAValue
    other: SSAValue | None
    """The buffer that a step writes; None of what is changed in place."""


class Bufferizer(Protocol):
    """The work on a function, as far as loops and choices need it."""

    function: func.FuncOp
    blocks: list[Block]
    values: dict[SSAValue, SSAValue]
    places: dict[SSAValue, SSAValue]
    slots: dict[Operation, list[Slot | None]]

    @staticmethod
    def buffer_type(type: Attribute) -> Attribute:
        """The type of a buffer that is made for a tensor."""
        ...

    def place(self, value: SSAValue) -> SSAValue:
        """The buffer to compute a tensor in."""
        ...

    def allocate(self, value: SSAValue) -> SSAValue:
        """A new buffer for a tensor."""
        ...

    def computed_once(self, value: SSAValue) -> bool:
        """Return whether an operation computes a tensor for one use."""
        ...

    def read(self, value: SSAValue) -> SSAValue:
        """The buffer of an operand."""
        ...

    def copy(self, source: SSAValue, target: SSAValue, op: Operation) -> None:
        """Copies a buffer to another one."""
        ...

    def add(self, op: Operation, source: Operation | None = None, block: Block | None = None) -> Operation:
        """Puts an operation at the end of a block."""
        ...

    def convert_block(self, block: Block) -> None:
        """Converts the operations of a block into the innermost one that is built."""
        ...


def plan(on: Bufferizer, op: Operation) -> None:
    """Makes the buffers of a loop or a choice before what stands ahead of it is converted, so that what it starts with
    is computed in them."""
    if isinstance(op, scf.IfOp):
        for result in op.results:
            if is_tensor(result.type):
                on.places[result] = on.place(result)
        return
    assert isinstance(op, scf.ForOp | scf.WhileOp)
    starts = op.iter_args if isinstance(op, scf.ForOp) else op.arguments
    if [v.type for v in starts] != [r.type for r in op.results]:
        message = "a loop over tensors must give values of the types that it starts with"
        raise PassError(op, "bufferize-while", message, hint="hand on what the loop carries in scf.condition")
    slots: list[Slot | None] = []
    for number, (start, result) in enumerate(zip(starts, op.results, strict=True)):
        if not is_tensor(start.type):
            slots.append(None)
            continue
        is_in_place = _is_in_place(op, number)
        place = on.places.get(result)
        if place is None or not (is_in_place or place.type == on.buffer_type(start.type)):
            place = on.allocate(start)
        slots.append(Slot(start, place, None if is_in_place else on.allocate(start)))
        if on.computed_once(start):
            on.places[start] = place
    on.slots[op] = slots


# Loops


def convert_for(on: Bufferizer, op: scf.ForOp) -> None:
    """A counted loop."""
    slots = on.slots.pop(op)
    starts = _start(on, op.iter_args, slots)
    block = Block(arg_types=[op.body.block.args[0].type, *(v.type for v in starts)])
    index = op.body.block.args[0]
    block.args[0].name_hint = index.name_hint
    on.values[index] = block.args[0]
    carried = _enter(on, op.body.block.args[1:], block.args[1:], slots)
    _step(on, block, op.body.block, carried, scf.YieldOp)
    new = scf.ForOp(on.values[op.lb], on.values[op.ub], on.values[op.step], starts, Region(block))
    on.add(new, op)
    _leave(on, op.results, new.results, slots)


def convert_while(on: Bufferizer, op: scf.WhileOp) -> None:
    """A loop with a condition."""
    slots = on.slots.pop(op)
    starts = _start(on, op.arguments, slots)
    types = [v.type for v in starts]
    before, after = Block(arg_types=types), Block(arg_types=types)
    carried = _enter(on, op.before_region.block.args, before.args, slots)
    end = end_of(op.before_region.block, scf.ConditionOp)

    def condition(*values: SSAValue) -> Operation:
        return scf.ConditionOp(on.values[end.operands[0]], *values)

    _step(on, before, op.before_region.block, carried, condition)
    carried = _enter(on, op.after_region.block.args, after.args, slots)
    _step(on, after, op.after_region.block, carried, scf.YieldOp)
    new = scf.WhileOp(starts, types, Region(before), Region(after))
    on.add(new, op)
    _leave(on, op.results, new.results, slots)


def _start(on: Bufferizer, starts: Sequence[SSAValue], slots: Sequence[Slot | None]) -> list[SSAValue]:
    """What the loop over buffers carries; the tensors that it starts with stand in them."""
    carried: list[SSAValue] = []
    for start, slot in zip(starts, slots, strict=True):
        if slot is None:
            carried.append(on.values[start])
            continue
        if on.read(start) is not slot.buffer:
            on.copy(on.values[start], slot.buffer, start.owner if isinstance(start.owner, Operation) else on.function)
        carried += [] if slot.other is None else [slot.buffer, slot.other]
    return carried


Carried = list[tuple[SSAValue, ...]]
"""Of each value that a loop carries: the value itself, its buffer, or its buffer and the one that a step writes."""


def _enter(on: Bufferizer, old: Sequence[SSAValue], new: Sequence[SSAValue], slots: Sequence[Slot | None]) -> Carried:
    """Has a region read what is carried."""
    given = iter(new)
    carried: Carried = []
    for value, slot in zip(old, slots, strict=True):
        if slot is None:
            carried.append((next(given),))
        else:
            carried.append((slot.buffer,) if slot.other is None else (next(given), next(given)))
        on.values[value] = carried[-1][0]
        if slot is None or slot.other is not None:
            carried[-1][0].name_hint = value.name_hint
    return carried


def _leave(on: Bufferizer, old: Sequence[SSAValue], new: Sequence[SSAValue], slots: Sequence[Slot | None]) -> None:
    """What the loop gives."""
    for value, given in zip(old, _enter(on, old, new, slots), strict=True):
        on.values[value] = given[0]


def _step(on: Bufferizer, block: Block, old: Block, carried: Carried, end: Callable[..., Operation]) -> None:
    """Converts a region, whose last operation hands on what the loop carries."""
    last = old.last_op
    assert isinstance(last, scf.YieldOp | scf.ConditionOp)
    values = given_by(last)
    on.blocks.append(block)
    targets: dict[SSAValue, SSAValue] = {}
    for value, own in zip(values, carried, strict=True):
        if is_tensor(value.type) and isinstance(value.owner, Operation) and value.owner.parent is old:
            if value not in targets:
                targets[value] = on.places[value] = own[-1]
    on.convert_block(old)
    given: list[SSAValue] = []
    for value, own in zip(values, carried, strict=True):
        if not is_tensor(value.type):
            given.append(on.values[value])
            continue
        target = own[-1]
        unchanged = on.read(value) is own[0]
        if not unchanged and on.values[value] is not target:
            on.copy(on.values[value], target, last)
        if len(own) == 2:
            given += own if unchanged else (own[1], own[0])
    on.add(end(*given), last)
    on.blocks.pop()


# Choices


def convert_if(on: Bufferizer, op: scf.IfOp) -> None:
    """A choice: both sides write the same buffers."""
    scalars = [r for r in op.results if not is_tensor(r.type)]
    true, false = _side(on, op, op.true_region), _side(on, op, op.false_region)
    new = scf.IfOp(on.values[op.cond], [r.type for r in scalars], true, false)
    on.add(new, op)
    on.values.update(zip(scalars, new.results, strict=True))
    on.values.update((r, on.places[r]) for r in op.results if is_tensor(r.type))


def _side(on: Bufferizer, op: scf.IfOp, region: Region) -> Region:
    if not region.blocks:
        return Region()
    block, last = Block(), end_of(region.block, scf.YieldOp)
    on.blocks.append(block)
    for value, result in zip(last.operands, op.results, strict=True):
        if is_tensor(value.type) and isinstance(value.owner, Operation) and value.owner.parent is region.block:
            on.places.setdefault(value, on.places[result])
    on.convert_block(region.block)
    given: list[SSAValue] = []
    for value, result in zip(last.operands, op.results, strict=True):
        if not is_tensor(value.type):
            given.append(on.values[value])
        elif on.read(value) is not on.places[result]:
            on.copy(on.values[value], on.places[result], last)
    on.add(scf.YieldOp(*given), last)
    on.blocks.pop()
    return Region(block)


# In place


def _is_in_place(op: scf.ForOp | scf.WhileOp, number: int) -> bool:
    """Return whether every region of a loop may change the buffer of a tensor that it reads, and hand on that."""
    if isinstance(op, scf.ForOp):
        return _changes_in_place(op.body.block, number + 1, number)
    return _changes_in_place(op.before_region.block, number, number) and _changes_in_place(
        op.after_region.block, number, number
    )


def _changes_in_place(block: Block, argument: int, number: int) -> bool:
    arg, last = block.args[argument], block.last_op
    assert isinstance(last, scf.YieldOp | scf.ConditionOp)
    value = given_by(last)[number]
    if value is arg:
        return True
    if not isinstance(value.owner, Operation) or value.owner.parent is not block or _count(last, value) > 1:
        return False
    first = _first_write(value, arg)
    if first is None:
        return False
    position = {o: i for i, o in enumerate(block.ops)}
    for read, user in _readers(arg):
        at = block.find_ancestor_op_in_block(user)
        assert at is not None
        is_own = read is arg and user is first
        if not is_own and position[at] >= position[first] and not isinstance(user, tensor.DimOp):
            return False
    return True


def _readers(value: SSAValue) -> Iterator[tuple[SSAValue, Operation]]:
    """What reads the buffer of a value: it, or a reshape of it, which is a view of the buffer, and the reader."""
    for use in value.uses:
        yield value, use.operation
        if isinstance(use.operation, ReshapeOp):
            yield from _readers(use.operation.result)


def _count(op: Operation, value: SSAValue) -> int:
    return sum(v is value for v in op.operands)


def _first_write(value: SSAValue, arg: SSAValue) -> Operation | None:
    """The operation that would be the first to change the buffer of `arg`, if `value` may be made in it; it reads of it
    no more than it writes at once."""
    owner = value.owner
    if isinstance(owner, MapOp) and owner.is_value_form:
        place = owner.maps[len(owner.ins) + owner.results.index(value)]
        bare = all(isinstance(e, AffineDimExpr) for e in place.results)
        reads = [m for v, m in zip(owner.ins, owner.maps, strict=False) if v is arg]
        return owner if bare and reads and all(m == place for m in reads) else None
    while isinstance(owner, tensor.InsertSliceOp):
        if owner.source is arg:
            return None
        if owner.dest is arg:
            return owner if _count(owner, arg) == 1 else None
        if sum(1 for _ in owner.dest.uses) != 1:
            return None
        owner = owner.dest.owner
    return None
