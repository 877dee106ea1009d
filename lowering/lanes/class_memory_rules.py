"""Class memory at the kernel level: the hidden argument that holds it, and pointers into that, as all pointers are."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import memref
from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue

from hologram import classes
from hologram.dialects.atlas.lanes import class_memory, state
from hologram.lowering.lanes import pointer_rules as pointers
from hologram.lowering.lanes.state import AtlasRewriter
from hologram.lowering.numbers.class_formulas import Numbers, degree, neighbour
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.hidden_arguments import CLASSES, find
from hologram.lowering.rewriting.traps import enclosing_function
from hologram.transforms.analysis.integer_ranges import proves_inside

RULES = Rules()
_PARTS = (
    (classes.CLASS_COUNT, classes.BYTES_PER_CLASS),
    (classes.PAGES_PER_CLASS, classes.BYTES_PER_PAGE),
    (classes.BYTES_PER_PAGE, 1),
)
"""How many classes, pages, bytes there are, and how many bytes lie between them."""


def may_trap(op: Operation) -> bool:
    """Return whether an instruction on class memory needs a guard; those of accesses are found with all accesses."""
    if isinstance(op, class_memory.BoundMapOp):
        return not all(proves_inside(v, end) for v, (end, _) in zip(op.operands, _PARTS, strict=True))
    return isinstance(op, class_memory.ClassAddressOp)


@RULES.on(class_memory.BoundMapOp)
def bound_map(rw: AtlasRewriter, op: class_memory.BoundMapOp) -> None:
    """class * 12288 + page * 256 + byte, after the guard."""
    core = Numbers(rw)
    around = enclosing_function(op)
    arena = None if around is None else find(around, CLASSES)
    assert arena is not None
    parts = [rw.value(v) for v in op.operands]
    _guard_place(rw, op, parts)
    offset = core.constant(0, i64)
    for part, (_, step) in zip(parts, _PARTS, strict=True):
        bytes = core.mul(core.resize(part, i64, signed=False), step)
        offset = core.add(offset, bytes)
    start = core.index_cast(core.op(memref.ExtractAlignedPointerAsIndexOp.get(rw.value(arena))), i64)
    rw.define(op.result, start, core.constant(classes.ARENA_BYTES, i64), offset)


def _guard_place(rw: AtlasRewriter, op: class_memory.BoundMapOp, parts: list[SSAValue]) -> None:
    core = Numbers(rw)
    checks = [
        (part, core.constant(end, i32))
        for old, part, (end, _) in zip(op.operands, parts, _PARTS, strict=True)
        if not proves_inside(old, end)
    ]
    if not checks:
        return
    outside = [core.compare("uge", part, end) for part, end in checks]
    rw.trap_outside(op, f"{op.name}: place out of class memory", checks, outside, signed=False)


def _class_and_rest(rw: AtlasRewriter, op: Any) -> tuple[SSAValue, SSAValue]:
    """The class of an address, as i32, and the bytes from where that class begins."""
    core = Numbers(rw)
    offset, end = pointers.total_offset(rw, op), core.constant(classes.ARENA_BYTES, i64)
    text = f"{op.name} {op.type.data.value}: address out of range"
    rw.trap_if(op, core.compare("uge", offset, end), text, lambda: [offset, end])
    step = core.constant(classes.BYTES_PER_CLASS, i64)
    number = core.div(offset, step)
    return core.resize(number, i32, signed=False), core.rem(offset, step)


@RULES.on(class_memory.ClsOfOp)
def cls_of(rw: AtlasRewriter, op: class_memory.ClsOfOp) -> None:
    """The address by the bytes of a class."""
    rw.define(op.result, _class_and_rest(rw, op)[0])


def _neighbour_place(rw: AtlasRewriter, op: Any) -> SSAValue:
    """The same place in a neighbour, as an llvm pointer, after the guards."""
    core = Numbers(rw)
    number, rest = _class_and_rest(rw, op)
    i = rw.value(op.i)
    past = core.compare("uge", i, degree(core, number))
    rw.trap_if(op, past, f"{op.name} {op.type.data.value}: {state.NO_NEIGHBOUR}", lambda: [number, i], signed=False)
    found = core.resize(neighbour(core, number, i), i64, signed=False)
    start = core.mul(found, classes.BYTES_PER_CLASS)
    offset = pointers.guarded_offset(rw, op, core.add(start, rest))
    return pointers.address(rw, op, offset)


@RULES.on(class_memory.NbrLoadOp)
def nbr_load(rw: AtlasRewriter, op: class_memory.NbrLoadOp) -> None:
    """A guarded load."""
    rw.define(op.result, pointers.raw_load(rw, op.dtype, _neighbour_place(rw, op)))


@RULES.on(class_memory.NbrStoreOp)
def nbr_store(rw: AtlasRewriter, op: class_memory.NbrStoreOp) -> None:
    """A guarded store."""
    place = _neighbour_place(rw, op)
    pointers.raw_store(rw, op.dtype, place, rw.value(op.value))
