"""`atlas.reduce.*`.

Of a window of values it becomes the tree of the fixed association, as scalar instructions; of a span of memory
(`atlas.reduce.*.span`) it becomes the guards, and a call of the function that schedule-atlas has added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.types import working_type
from hologram.dialects.atlas.lanes.reductions import SPANS, WINDOWS, SpanOp, WindowOp
from hologram.errors import PassError
from hologram.lowering.lanes import pointer_rules as pointers
from hologram.lowering.lanes.reducers import Reducer, known_object
from hologram.lowering.lanes.state import AtlasRewriter
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.core_builder import Core
from hologram.lowering.rewriting.kernel_builder import Builder

RULES = Rules()
ACCUMULATORS = 128


@RULES.on(*WINDOWS)
def window(rw: AtlasRewriter, op: WindowOp) -> None:
    """Builds the tree at the atlas level, instruction by instruction, and converts each."""
    dtype, kind = op.dtype, op.KIND
    is_sum = kind in ("add", "mul")
    work = working_type(kind, dtype)

    def make(new: Operation) -> SSAValue:
        new.location = op.location
        rw.convert(new)
        return new.results[0]

    def join(a: SSAValue, b: SSAValue) -> SSAValue:
        return make(scalar.INSTRUCTIONS[kind](work, a, b))

    values: list[SSAValue] = list(op.values)
    if work is not dtype:
        values = [make(scalar.CvtOp(dtype, work, v)) for v in values]
    if work.is_float and not is_sum:
        # The identity stands where there is nothing but NaN.
        first = make(scalar.MovImmOp.of(work.greatest if kind == "min" else work.least, work))
        values = [join(first, v) for v in values[:ACCUMULATORS]] + values[ACCUMULATORS:]
    accumulators = values[:ACCUMULATORS]
    for number, value in enumerate(values[ACCUMULATORS:]):
        accumulators[number] = join(accumulators[number], value)
    width = 1 << (len(accumulators) - 1).bit_length()
    while width > 1:
        width //= 2
        upper = accumulators[width:]
        accumulators = [join(a, b) for a, b in zip(accumulators, upper, strict=False)] + accumulators[
            len(upper) : width
        ]
    total = accumulators[0]
    rw.define(op.result, rw.value(total if work is dtype else make(scalar.CvtOp(work, dtype, total))))


@RULES.on(*SPANS)
def span(rw: AtlasRewriter, op: SpanOp) -> None:
    """A guarded call."""
    core, reducer = Core(rw), Reducer.of(op)
    if reducer.name not in rw.functions:
        raise PassError(
            op, "core-span", f"there is no function for '{op.name}' of {op.dtype.name}",
            hint="run schedule-atlas first, which adds it",
        )  # fmt: skip
    n = rw.value(op.n)
    count = core.index_cast(n, IndexType())
    offset = _through_pointer(rw, op, n) if op.is_through_pointer else None
    if offset is None:
        place = rw.value(op.memref)
        arguments = [*_array(rw, place, _element(rw, op, place, n)), count]
    elif reducer.space is None:
        arguments = [core.add(rw.values(op.memref)[0], offset), count]
    else:
        element = pointers.element(rw, op, offset)
        assert element is not None
        arguments = [*_array(rw, *element), count]
    call = rw.emit(func.CallOp(reducer.name, arguments, [rw.type(op.result.type)]))
    rw.define(op.result, call.results[0])


def _array(rw: AtlasRewriter, place: SSAValue, first: SSAValue) -> list[SSAValue]:
    """The memref with one axis of unknown size, and the first element's number in it."""
    b = Builder(rw)
    type = cast("MemRefType[Attribute]", place.type)
    rank = type.get_num_dims()
    if rank == 0:
        place = b.op(memref.ExpandShapeOp.build(operands=[place, [], []], result_types=[_sized(type, 1)]))
    elif rank > 1:
        place = b.collapse(place, [list(range(rank))])
    wanted = _sized(cast("MemRefType[Attribute]", place.type), DYNAMIC_INDEX)
    return [place if place.type == wanted else b.op(memref.CastOp.get(place, wanted)), first]


def _sized(type: MemRefType[Attribute], size: int) -> MemRefType[Attribute]:
    return MemRefType(type.element_type, [size], type.layout, type.memory_space)


def _element(rw: AtlasRewriter, op: SpanOp, place: SSAValue, n: SSAValue) -> SSAValue:
    """The number of the first element, after the guard."""
    core, b = Core(rw), Builder(rw)
    indices = [core.index_cast(rw.value(i), IndexType()) for i in op.indices]
    first = b.index(pointers.linear(b, place, indices))
    if not rw.guard:
        return first
    sizes = b.sizes(place)
    rest = core.index_cast(b.index(b.sub(b.product(sizes), first)), i64)
    bad = core.compare("ugt", n, rest)
    for index, size in zip(indices, sizes, strict=True):
        bad = core.either(bad, core.compare("uge", index, b.index(size)))
    _trap_some(rw, op, bad, n, "index out of range", [first, n])
    return first


def _through_pointer(rw: AtlasRewriter, op: SpanOp, n: SSAValue) -> SSAValue:
    """The bytes from the start of the object to the first element, after the guards."""
    core = Core(rw)
    offset = pointers.total_offset(rw, op)
    if not rw.guard:
        return offset
    underlying = known_object(op.memref)
    bytes = rw.values(op.memref)[1] if underlying is None else pointers.object_bytes(rw, rw.value(underlying))
    shift = core.constant(op.dtype.bytes.bit_length() - 1, i64)
    rest = core.shr(core.sub(bytes, offset), shift)
    # Read as unsigned a negative offset is past the end too.
    bad = core.either(core.compare("ugt", offset, bytes), core.compare("ugt", n, rest))
    _trap_some(rw, op, bad, n, "address out of range", [offset, n])
    if not pointers.proves_alignment(op):
        odd = core.both(offset, op.alignment - 1)
        misaligned = core.compare("ne", odd, 0)
        _trap_some(rw, op, misaligned, n, "misaligned address", [offset, core.constant(op.alignment, i64)])
    return offset


def _trap_some(
    rw: AtlasRewriter, op: SpanOp, bad: SSAValue, n: SSAValue, reason: str, values: Sequence[SSAValue]
) -> None:
    """Traps unless there is nothing to read."""
    core = Core(rw)
    some = core.compare("ne", n, 0)
    rw.trap_if(op, core.both(some, bad), f"{op.name} {op.dtype.name}: {reason}", lambda: values)
