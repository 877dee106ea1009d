"""Atomics and fences of lanes: memref's atomic operations where the object is known, llvm's by address elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Block, Region, SSAValue

from hologram.dialects import llvm, memref
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.atlas.lanes import atomics, programs
from hologram.lowering.lanes import pointer_rules as pointers
from hologram.lowering.lanes.scalar_rules import extreme_of
from hologram.lowering.lanes.state import AtlasRewriter
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.core_builder import Core

RULES = Rules()

Place = Callable[[AtlasRewriter, Any], tuple[SSAValue, list[SSAValue]]]
"""The memref and the indices of an access, after its guard."""

_ROWS: dict[Any, tuple[tuple[int, str], tuple[int, str], tuple[int, str] | None]] = {
    # instruction: of signed, unsigned, floats, the number of memref.atomic_rmw's kind and the word of llvm.atomicrmw
    atomics.AtomAddOp: ((1, "add"), (1, "add"), (0, "fadd")),
    atomics.AtomMinOp: ((10, "min"), (11, "umin"), None),
    atomics.AtomMaxOp: ((6, "max"), (7, "umax"), None),
    atomics.AtomAndOp: ((2, "_and"), (2, "_and"), None),
    atomics.AtomOrOp: ((14, "_or"), (14, "_or"), None),
    atomics.AtomXorOp: ((15, "_xor"), (15, "_xor"), None),
    atomics.AtomExchOp: ((3, "xchg"), (3, "xchg"), (3, "xchg")),
}

_ORDER = "monotonic"


def _kind_and_word(op: programs.AtomicOp) -> tuple[int, str] | None:
    """Return what upstream calls an atomic, if it has one operation for it."""
    row = _ROWS.get(type(op), (None, None, None))
    return row[2 if op.dtype.is_float else 1 if op.dtype.is_unsigned else 0]


def atomic(rw: AtlasRewriter, op: programs.AtomicOp, place_of: Place) -> None:
    """A guarded atomic."""
    given = [rw.value(v) for v in op.given]
    if not op.is_through_pointer:
        place, indices = place_of(rw, op)
        rw.define(op.result, _by_element(rw, op, place, indices, given))
        return
    offset = pointers.guarded_offset(rw, op)
    if (element := pointers.element(rw, op, offset)) is not None:
        rw.define(op.result, _by_element(rw, op, element[0], [element[1]], given))
        return
    rw.define(op.result, _by_address(rw, op, pointers.address(rw, op, offset), given))


def _by_element(
    rw: AtlasRewriter, op: programs.AtomicOp, place: SSAValue, indices: list[SSAValue], given: list[SSAValue]
) -> SSAValue:
    core, upstream = Core(rw), _kind_and_word(op)
    if upstream is not None:
        properties = {"kind": IntegerAttr(upstream[0], i64)}
        operands = [given[0], place, *indices]
        return core.op(
            xdsl_memref.AtomicRMWOp.create(operands=operands, result_types=[given[0].type], properties=properties)
        )
    block, outer = Block(arg_types=[given[0].type]), rw.insertion_block
    rw.move_to(block)
    rw.emit(memref.AtomicYieldOp(_replacement(core, op, block.args[0], given)))
    rw.move_to(outer)
    return core.op(memref.GenericAtomicRMWOp(place, indices, Region(block)))


def _replacement(core: Core, op: programs.AtomicOp, old: SSAValue, given: list[SSAValue]) -> SSAValue:
    """The new value, for what has no operation of its own."""
    if not op.COMPARES:
        assert op.COMBINE is not None
        return extreme_of(core, op.COMBINE.name, op.dtype, old, given[0])
    bits = IntegerType(op.dtype.bits)
    same = core.compare("eq", core.bits(old, bits), core.bits(given[0], bits))
    return core.select(same, given[1], old)


def _by_address(rw: AtlasRewriter, op: programs.AtomicOp, place: SSAValue, given: list[SSAValue]) -> SSAValue:
    core, upstream = Core(rw), _kind_and_word(op)
    if upstream is not None:
        return core.op(llvm.AtomicRMWOp(upstream[1], place, given[0], _ORDER))
    bits = IntegerType(op.dtype.bits)
    if op.COMPARES:
        before, _ = _exchange(core, place, core.bits(given[0], bits), core.bits(given[1], bits))
        return core.bits(before, op.dtype.ir)
    return core.bits(_retry(rw, op, op.dtype, place, given), op.dtype.ir)


def _exchange(core: Core, place: SSAValue, expected: SSAValue, value: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Emit an exchange: what was there, and whether that was what was expected, so that it was replaced."""
    pair = core.op(llvm.AtomicCmpXchgOp(place, expected, value, _ORDER, _ORDER))
    return (
        core.op(llvm.ExtractValueOp(pair, [0], expected.type)),
        core.op(llvm.ExtractValueOp(pair, [1], i1)),
    )


def _retry(rw: AtlasRewriter, op: programs.AtomicOp, dtype: DType, place: SSAValue, given: list[SSAValue]) -> SSAValue:
    """Exchanges until nobody else changed the value meanwhile; the bits from before."""
    core, bits = Core(rw), IntegerType(dtype.bits)
    first = core.op(llvm.LoadOp(place, bits, dtype.bytes, ordering=_ORDER))
    before, after, outer = Block(arg_types=[bits]), Block(arg_types=[bits]), rw.insertion_block
    rw.move_to(before)
    new = _replacement(core, op, core.bits(before.args[0], dtype.ir), given)
    current, done = _exchange(core, place, before.args[0], core.bits(new, bits))
    again = core.xor(done, 1)
    rw.emit(scf.ConditionOp(again, current))
    rw.move_to(after)
    rw.emit(scf.YieldOp(after.args[0]))
    rw.move_to(outer)
    return core.op(scf.WhileOp([first], [bits], Region(before), Region(after)))


FENCES = {"block": "block", "device": "device", "system": None}
"""The sync scopes of llvm's fences, named as NVPTX names them; none means all."""


@RULES.on(programs.MemfenceOp)
def memfence(rw: AtlasRewriter, op: programs.MemfenceOp) -> None:
    """A lane sees its own accesses in order without a fence."""
    if op.scope.data != "thread":
        rw.emit(llvm.FenceOp("acq_rel", FENCES[op.scope.data]))
