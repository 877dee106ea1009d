"""memref to spirv: linear accesses to buffers of a device, of a block and of a lane, and atomic updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects import memref as stock
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, TensorType, i1
from xdsl.dialects.vector import BroadcastOp, ExtractOp
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import memref, spirv
from hologram.dialects.custom.atomic_kinds import KINDS
from hologram.dialects.gpu import PRIVATE
from hologram.dialects.shapes import written_out
from hologram.dialects.vector import FromElementsOp
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.targets.spirv import build as sb
from hologram.lowering.targets.spirv.arith import extreme

RULES = Rules()

MemRef = MemRefType[Attribute]
Pointer = Callable[[], SSAValue]
"""Gives a pointer when it is needed: where the access stands."""


def buffer_of(rw: Rewriter, op: Operation, memory: SSAValue) -> sb.Buffer:
    """The buffer that a value is."""
    if len(cast(MemRef, memory.type).get_shape()) != 1:
        raise PassError(
            op,
            "spirv-rank",
            f"'{op.name}' of a {memory.type} is no linear access",
            hint="flatten-kernels makes accesses linear",
        )
    if (buffer := sb.kernel_of(rw).buffers.get(memory)) is None:
        raise PassError(
            op,
            "spirv-memory-unknown",
            f"'{op.name}' accesses memory that is neither an argument nor an array of the kernel",
            hint="the address must be known at compile time: SPIR-V has no pointers across objects",
        )
    return buffer


def element_pointer(rw: Rewriter, buffer: sb.Buffer, index: SSAValue) -> SSAValue:
    """A pointer to the element of a buffer at a linear index."""
    indices = (sb.constant(rw, 0), index) if buffer.storage in ("StorageBuffer", sb.PHYSICAL) else (index,)
    return sb.element(rw, buffer.pointer, indices, buffer.held)


def held(rw: Rewriter, buffer: sb.Buffer, value: SSAValue) -> SSAValue:
    """A value as it is in memory."""
    if spirv.is_float(value.type):
        return sb.bitcast(rw, value, buffer.held)
    return sb.resize(rw, value, buffer.held, signed=value.type != i1)


def used(rw: Rewriter, buffer: sb.Buffer, value: SSAValue) -> SSAValue:
    """A value as rules compute with it."""
    element = buffer.type.element_type
    if element == i1:
        return sb.Spirv(rw).compare("ne", value, 0)
    type = rw.type(element)
    return sb.bitcast(rw, value, type) if spirv.is_float(type) else sb.resize(rw, value, type, signed=True)


def safe_index(rw: Rewriter, index: SSAValue) -> SSAValue:
    """The index of a read: a lane that has trapped and can't leave reads the first element instead."""
    alive = sb.kernel_of(rw).alive
    return index if alive is None else sb.Spirv(rw).select(sb.load(rw, alive), index, 0)


@RULES.on(stock.LoadOp)
def load(rw: Rewriter, op: stock.LoadOp) -> None:
    buffer, index = buffer_of(rw, op, op.memref), safe_index(rw, rw.value(op.indices[0]))
    if buffer.image is not None:
        rw.define(op.res, sb.emit(rw, "ImageFetch", (buffer.image, index), buffer.held))
        return
    pointer = element_pointer(rw, buffer, index)
    rw.define(op.res, used(rw, buffer, sb.load(rw, pointer)))


@RULES.on(stock.StoreOp)
def store(rw: Rewriter, op: stock.StoreOp) -> None:
    buffer = buffer_of(rw, op, op.memref)
    index, value = rw.value(op.indices[0]), rw.value(op.value)
    sb.guarded(rw, lambda: sb.store(rw, element_pointer(rw, buffer, index), held(rw, buffer, value)))


@sb.computed(RULES, ExtractOp)
def extract(x: sb.Spirv, op: ExtractOp, vector: SSAValue) -> SSAValue:
    """An element of a vector of words."""
    place = {"indices": spirv.i32_array(list(op.static_position.get_values()))}
    return sb.emit(x.rw, "CompositeExtract", (vector,), x.type(op), place)


@sb.computed(RULES, FromElementsOp)
def construct(x: sb.Spirv, op: FromElementsOp, *words: SSAValue) -> SSAValue:
    """A vector of words."""
    return x.op("CompositeConstruct", *words, type=x.type(op))


@sb.computed(RULES, BroadcastOp)
def broadcast(x: sb.Spirv, op: BroadcastOp, word: SSAValue) -> SSAValue:
    """A vector of equal words, as canonicalize makes it of `vector.from_elements`."""
    count = op.vector.type.element_count()
    return x.op("CompositeConstruct", *[word] * count, type=x.type(op))


@RULES.on(stock.AllocaOp)
def alloca(rw: Rewriter, op: stock.AllocaOp) -> None:
    """A private array is a variable of the function; one for the block would be an attribution."""
    type = op.memref.type
    if type.memory_space != PRIVATE or len(type.get_shape()) != 1 or type.get_shape()[0] < 0:
        raise PassError(
            op,
            "spirv-alloca",
            f"memory of type {type} can't be a variable of a kernel",
            hint="flatten-kernels makes private arrays static and linear",
        )
    sb.private_array(rw, op.memref)


@RULES.on(stock.GetGlobalOp)
def table(rw: Rewriter, op: stock.GetGlobalOp) -> None:
    """A table of constants is a variable of the function that holds them; drivers make a constant of it again."""
    kernel, name = sb.kernel_of(rw), op.name_.root_reference.data
    declared = sb.walk(rw).shared.tables.get(name)
    values = None if declared is None else declared.initial_value
    type = op.memref.type
    if not isinstance(values, DenseIntOrFPElementsAttr) or len(type.get_shape()) != 1:
        raise PassError(
            op,
            "spirv-table",
            f"'{name}' is no table of constants of one dimension in the module",
            hint="flatten-kernels makes tables flat; memory that is written must be an argument",
        )

    def make() -> sb.Buffer:
        whole, held = written_out(values), sb.held_type(rw, op.memref)
        array = spirv.ArrayType.of(type.get_shape()[0], held)
        tensor = TensorType(held, [array.count.data])
        bits = whole if held == type.element_type else _as_held(whole, tensor)
        dense = DenseIntOrFPElementsAttr(cast(Any, tensor), bits.data)
        return sb.Buffer(type, sb.variable(rw, array, sb.array_constant(rw, dense, array)), held)

    kernel.buffers[op.memref] = rw.once(("table", name), make, scope=kernel.entry)


def _as_held(values: DenseIntOrFPElementsAttr, type: TensorType[Attribute]) -> DenseIntOrFPElementsAttr:
    """Truth values as bytes, indices as words."""
    return DenseIntOrFPElementsAttr.from_list(cast(Any, type), [int(cast(int, v)) for v in values.get_values()])


# Atomics

_COMPUTED = {"addf": "FAdd", "mulf": "FMul", "muli": "IMul"}
_INSTRUCTIONS = {
    "addi": "AtomicIAdd", "andi": "AtomicAnd", "assign": "AtomicExchange", "maxs": "AtomicSMax", "maxu": "AtomicUMax",
    "mins": "AtomicSMin", "minu": "AtomicUMin", "ori": "AtomicOr", "xori": "AtomicXor",
}  # fmt: skip
_EXTREMES = {
    "maximumf": (True, False), "maxnumf": (True, True), "minimumf": (False, False), "minnumf": (False, True),
}  # fmt: skip
"""The greatest or the least, and whether numbers win over NaNs."""


@RULES.on(stock.AtomicRMWOp)
def atomic(rw: Rewriter, op: stock.AtomicRMWOp) -> None:
    buffer, index = _atomic_buffer(rw, op, op.memref), rw.value(op.indices[0])
    place = lambda: element_pointer(rw, buffer, index)  # noqa: E731
    rw.define(op.result, update(rw, KINDS[op.kind.value.data], buffer, place, rw.value(op.value)))


def update(rw: Rewriter, kind: str, buffer: sb.Buffer, place: Pointer, value: SSAValue) -> SSAValue:
    """One of arith's kinds of atomic updates, of what `place` gives a pointer to; the value from before."""

    def instruction(pointer: SSAValue) -> SSAValue:
        properties = {"memory_scope": buffer.scope, "semantics": sb.RELAXED}
        operands = (pointer, held(rw, buffer, value))
        return used(rw, buffer, sb.emit(rw, _INSTRUCTIONS[kind], operands, buffer.held, properties))

    def combine(old: SSAValue) -> SSAValue:
        if kind in _EXTREMES:
            greatest, numbers = _EXTREMES[kind]
            return extreme(sb.Spirv(rw), old, value, greatest=greatest, numbers=numbers)
        return sb.emit(rw, _COMPUTED[kind], (old, value), value.type, exact=kind != "muli")

    def loop(pointer: SSAValue) -> SSAValue:
        return _loop(rw, buffer, pointer, combine)

    return if_alive(rw, place, instruction if kind in _INSTRUCTIONS else loop, value.type)


@RULES.on(memref.GenericAtomicRMWOp)
def generic_atomic(rw: Rewriter, op: memref.GenericAtomicRMWOp) -> None:
    buffer, body, index = _atomic_buffer(rw, op, op.memref), op.atomic_body.block, rw.value(op.indices[0])

    def combine(old: SSAValue) -> SSAValue:
        rw.inline(body, (old,))
        leave = body.last_op
        assert isinstance(leave, memref.AtomicYieldOp)
        return rw.value(leave.result)

    place = lambda: element_pointer(rw, buffer, index)  # noqa: E731
    old = if_alive(rw, place, lambda pointer: _loop(rw, buffer, pointer, combine), rw.type(op.result.type))
    rw.define(op.result, old)


def _atomic_buffer(rw: Rewriter, op: Operation, memory: SSAValue) -> sb.Buffer:
    buffer = buffer_of(rw, op, memory)
    check_atomic(op, buffer)
    return buffer


def check_atomic(op: Operation, buffer: sb.Buffer) -> None:
    """Raises an error for elements that can't be updated atomically."""
    if buffer.storage == "Function" or buffer.type.element_type == i1 or sb.width_of(buffer.held) not in (32, 64):
        raise PassError(
            op,
            "spirv-atomic",
            f"an atomic access to {buffer.type} has no lowering to spirv",
            hint="use elements of 32 or 64 bits that other lanes can see",
        )


def if_alive(rw: Rewriter, place: Pointer, read: Callable[[SSAValue], SSAValue], type: Attribute) -> SSAValue:
    """A value that is read from a place; a lane that has trapped and can't leave may get any value."""
    if sb.kernel_of(rw).alive is None:
        return read(place())
    kept = sb.variable(rw, type)
    sb.guarded(rw, lambda: sb.store(rw, kept, read(place())))
    return sb.load(rw, kept)


def _loop(rw: Rewriter, buffer: sb.Buffer, pointer: SSAValue, combine: Callable[[SSAValue], SSAValue]) -> SSAValue:
    """Tries until nobody else changed the element meanwhile; gives the element from before. Compares bits."""
    old_place = sb.variable(rw, buffer.held)
    loop = sb.Loop(rw, [sb.load(rw, pointer)])
    old, again = loop.header.args[0], loop.back.insert_arg(buffer.held, 0)
    loop.header.add_op(spirv.BranchOp(loop.body))
    loop.back.add_op(spirv.BranchOp(loop.header, [again]))
    rw.move_to(loop.body)
    new = combine(used(rw, buffer, old))
    seen = sb.compare_exchange(rw, pointer, held(rw, buffer, new), old, buffer.scope)
    sb.store(rw, old_place, seen)
    same = sb.Spirv(rw).compare("eq", seen, old)
    rw.emit(spirv.BranchConditionalOp(same, loop.merge, loop.back, [], [seen]))
    loop.emit(rw)
    return used(rw, buffer, sb.load(rw, old_place))
