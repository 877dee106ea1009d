"""vector to llvm: vectors of one dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    VectorType,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from hologram.dialects import vector
from hologram.dialects.layouts import byte_size
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, RulesPass
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.build import lanes_of, shuffle, splat
from hologram.lowering.targets.llvm.convert_arith_to_llvm import NumberRules, direct, fast_flags
from hologram.lowering.targets.llvm.types import Size, View, index_value, size_value, view


def _refuse_tensor(rw: Rewriter, op: Operation) -> None:
    raise PassError(op, "vector-of-tensor", f"{op.name} on a tensor has no lowering to llvm", hint="run bufferize")


RULES = NumberRules(_refuse_tensor)


# Making vectors


def lane_numbers(rw: Rewriter, lanes: int, element: Attribute) -> SSAValue:
    """Emit the vector 0, 1, 2, ..."""
    kind: VectorType[Any] = VectorType(element, (lanes,))
    value = DenseIntOrFPElementsAttr.from_list(kind, list(range(lanes)))
    return rw.once(("lanes", kind), lambda: ll.emit(rw, "mlir.constant", (), kind, {"value": value}))


@RULES.on(xdsl_vector.BroadcastOp)
def convert_broadcast(rw: Rewriter, op: xdsl_vector.BroadcastOp) -> None:
    source, kind = rw.value(op.source), rw.type(op.vector.type)
    if source.type == kind:
        return rw.define(op.vector, source)
    if isinstance(source.type, VectorType):
        return rw.define(op.vector, shuffle(rw, source, source, [0] * lanes_of(kind)))
    rw.define(op.vector, splat(rw, source, kind))


@RULES.on(vector.StepOp)
def convert_step(rw: Rewriter, op: vector.StepOp) -> None:
    rw.define(op.result, lane_numbers(rw, lanes_of(op.result.type), i64))


@RULES.on(xdsl_vector.CreateMaskOp)
def convert_create_mask(rw: Rewriter, op: xdsl_vector.CreateMaskOp) -> None:
    rw.define(op.mask_vector, first_lanes(rw, rw.value(op.mask_dim_sizes[0]), lanes_of(op.mask_vector.type)))


@RULES.on("vector.constant_mask")
def convert_constant_mask(rw: Rewriter, op: Any) -> None:
    [count, *_] = op.mask_dim_sizes.iter_values()
    rw.define(op.result, first_lanes(rw, ll.constant_i64(rw, int(count)), lanes_of(op.result.type)))


def first_lanes(rw: Rewriter, count: SSAValue, lanes: int) -> SSAValue:
    """Emit a mask whose first `count` lanes are set; it is compared in i32, which takes half the registers of i64."""
    x = ll.Llvm(rw)
    held = x.smin(x.smax(count, ll.constant_i64(rw, 0)), ll.constant_i64(rw, lanes))
    limit = splat(rw, ll.truncate(rw, held, i32), VectorType(i32, (lanes,)))
    return x.compare("slt", lane_numbers(rw, lanes, i32), limit)


# Elements


def _position(rw: Rewriter, static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]) -> SSAValue:
    """Return the position in a vector of one dimension; in one of none, 0."""
    places = list(static.iter_values())
    if not places:
        return ll.constant_i64(rw, 0)
    place = int(places[0])
    return rw.value(dynamic[0]) if place == DYNAMIC_INDEX else ll.constant_i64(rw, place)


@RULES.on(xdsl_vector.ExtractOp)
def convert_extract(rw: Rewriter, op: xdsl_vector.ExtractOp) -> None:
    source = rw.value(op.vector)
    if isinstance(op.result.type, VectorType):
        return rw.define(op.result, source)
    at = _position(rw, op.static_position, op.dynamic_position)
    rw.replace(op, ll.build("extractelement", (source, at), (rw.type(op.result.type),)))


@RULES.on(xdsl_vector.InsertOp)
def convert_insert(rw: Rewriter, op: xdsl_vector.InsertOp) -> None:
    source, target = rw.value(op.source), rw.value(op.dest)
    if isinstance(op.source.type, VectorType):
        return rw.define(op.result, source)
    at = _position(rw, op.static_position, op.dynamic_position)
    rw.replace(op, ll.build("insertelement", (target, source, at), (target.type,)))


@RULES.on(vector.FromElementsOp)
def convert_from_elements(rw: Rewriter, op: vector.FromElementsOp) -> None:
    result = ll.emit(rw, "mlir.poison", (), rw.type(op.dest.type))
    for place, element in enumerate(op.elements):
        result = ll.emit(rw, "insertelement", (result, rw.value(element), ll.constant_i64(rw, place)), result.type)
    rw.define(op.dest, result)


@RULES.on(xdsl_vector.ShuffleOp)
def convert_shuffle(rw: Rewriter, op: xdsl_vector.ShuffleOp) -> None:
    """Shuffle vectors of one length, as llvm does: the shorter one gets poison elements, which the mask counts."""
    left, right = rw.value(op.v1), rw.value(op.v2)
    sizes = lanes_of(left.type), lanes_of(right.type)
    width = max(sizes)
    left, right = (_widen(rw, v, width) for v in (left, right))
    mask = [int(m) for m in op.mask.iter_values()]
    rw.define(op.result, shuffle(rw, left, right, [m + width - sizes[0] if m >= sizes[0] else m for m in mask]))


def _widen(rw: Rewriter, value: SSAValue, width: int) -> SSAValue:
    lanes = lanes_of(value.type)
    return value if lanes == width else shuffle(rw, value, value, [*range(lanes), *[-1] * (width - lanes)])


# Arithmetic

RULES.on(xdsl_vector.BitcastOp)(direct("bitcast", {}))
RULES.on(xdsl_vector.FMAOp)(direct("intr.fma", fast_flags))

REDUCTIONS: Mapping[str, tuple[str, str]] = {
    "minui": ("umin", "intr.umin"),
    "minsi": ("smin", "intr.smin"),
    "maxui": ("umax", "intr.umax"),
    "maxsi": ("smax", "intr.smax"),
    "and": ("and", "and"),
    "or": ("or", "or"),
    "xor": ("xor", "xor"),
    "minnumf": ("fmin", "intr.minnum"),
    "maxnumf": ("fmax", "intr.maxnum"),
    "minimumf": ("fminimum", "intr.minimum"),
    "maximumf": ("fmaximum", "intr.maximum"),
}
"""The kind, the intrinsic that reduces a vector, and the operation that joins its result with another value."""


@RULES.on(xdsl_vector.ReductionOp)
def convert_reduction(rw: Rewriter, op: xdsl_vector.ReductionOp) -> None:
    """Reduce in order, from the first element to the last, unless fast-math flags allow another order."""
    source = rw.value(op.vector)
    start = None if op.acc is None else rw.value(op.acc)
    kind, element = op.kind.data.value, ll.element_type(source.type)
    is_float = isinstance(element, AnyFloat)
    flags: Mapping[str, Attribute] = fast_flags(op) if is_float else {}
    if kind in ("add", "mul") and is_float:
        # -0 is what added to anything, even -0, gives that again.
        seed = start if start is not None else ll.constant(rw, element, -0.0 if kind == "add" else 1.0)
        name = f"intr.vector.reduce.f{kind}"
        return rw.define(op.dest, ll.emit(rw, name, (seed, source), element, flags))
    reduce, join = REDUCTIONS.get(kind, (kind, kind))
    result = ll.emit(rw, f"intr.vector.reduce.{reduce}", (source,), element, flags)
    if start is not None:
        result = ll.emit(rw, join, (result, start), element, flags or ll.flags(join))
    rw.define(op.dest, result)


# Memory


def _unit_stride(op: Operation, memory: View) -> int:
    """Return the alignment of the access; raise an error unless neighbours in the vector are neighbours in memory."""
    strides = memory.layout.strides
    if strides and strides[-1] != 1:
        raise PassError(
            op,
            "vector-stride",
            f"{op.name} needs elements side by side, but the last stride of {memory.layout.type} is not known to be 1",
            hint="use vector.gather and vector.scatter, or load the elements one by one",
        )
    return byte_size(ll.element_type(memory.layout.element)) or 1


def _access(op: Operation, memory: View) -> dict[str, Attribute]:
    """Return the properties of an access: the alignment that the operation promises, else that of an element."""
    natural, promised = _unit_stride(op, memory), op.properties.get("alignment")
    alignment = promised.value.data if isinstance(promised, IntegerAttr) else natural
    properties: dict[str, Attribute] = {**ll.NOT_ATOMIC, "alignment": ll.number(alignment)}
    nontemporal = op.properties.get("nontemporal")
    if isinstance(nontemporal, IntegerAttr) and nontemporal.value.data:
        properties["nontemporal"] = UnitAttr()
    return properties


def _masked(alignment: int) -> Mapping[str, Attribute]:
    """Return the properties of a masked access."""
    return {"alignment": ll.number(alignment, i32)}


@RULES.on(vector.LoadOp)
def convert_load(rw: Rewriter, op: vector.LoadOp) -> None:
    indices = [index_value(rw, i) for i in op.indices]
    rw.define(op.result, _load(rw, op, view(rw, op.base), indices))


def _load(rw: Rewriter, op: Operation, memory: View, indices: Sequence[Size]) -> SSAValue:
    kind = rw.type(op.results[0].type)
    kind = ll.with_element(kind, i8) if memory.layout.holds_bools else kind
    properties = _access(op, memory)
    return memory.from_memory(rw, ll.load(rw, memory.address(rw, indices), kind, properties))


@RULES.on(xdsl_vector.StoreOp, vector.StoreOp)
def convert_store(rw: Rewriter, op: xdsl_vector.StoreOp | vector.StoreOp) -> None:
    indices = [index_value(rw, i) for i in op.indices]
    _store(rw, op, view(rw, op.base), indices, rw.value(op.vector))


def _store(rw: Rewriter, op: Operation, memory: View, indices: Sequence[Size], value: SSAValue) -> None:
    properties = _access(op, memory)
    value = memory.to_memory(rw, value)
    ll.store(rw, memory.address(rw, indices), value, properties)


def _masked_load(
    rw: Rewriter, op: Operation, memory: View, indices: Sequence[Size], mask: SSAValue, other: SSAValue
) -> SSAValue:
    alignment = _unit_stride(op, memory)
    other = memory.to_memory(rw, other)
    # Lanes that are off may lie outside the object, but the first one may be off too: no promise about the address.
    operands = (memory.place(rw, indices), mask, other)
    return memory.from_memory(rw, ll.emit(rw, "intr.masked.load", operands, other.type, _masked(alignment)))


def _masked_store(
    rw: Rewriter, op: Operation, memory: View, indices: Sequence[Size], mask: SSAValue, value: SSAValue
) -> None:
    alignment = _unit_stride(op, memory)
    value = memory.to_memory(rw, value)
    ll.emit_effect(rw, "intr.masked.store", (value, memory.place(rw, indices), mask), _masked(alignment))


@RULES.on(xdsl_vector.MaskedLoadOp)
def convert_masked_load(rw: Rewriter, op: xdsl_vector.MaskedLoadOp) -> None:
    indices = [index_value(rw, i) for i in op.indices]
    memory = view(rw, op.base)
    rw.define(op.result, _masked_load(rw, op, memory, indices, rw.value(op.mask), rw.value(op.pass_thru)))


@RULES.on(xdsl_vector.MaskedStoreOp)
def convert_masked_store(rw: Rewriter, op: xdsl_vector.MaskedStoreOp) -> None:
    indices = [index_value(rw, i) for i in op.indices]
    _masked_store(rw, op, view(rw, op.base), indices, rw.value(op.mask), rw.value(op.value_to_store))


# Gather and scatter


def _addresses(rw: Rewriter, memory: View, offsets: Sequence[Size], lanes: SSAValue) -> SSAValue:
    """Emit one pointer a lane."""
    base = memory.place(rw, offsets)
    count = lanes_of(lanes.type)
    wide = VectorType(i64, (count,))
    if lanes.type != wide:
        lanes = ll.extend(rw, "sext", lanes, wide)
    stride = memory.strides(rw)[-1] if memory.sizes else 1
    if stride != 1:
        lanes = ll.Llvm(rw).mul(lanes, splat(rw, size_value(rw, stride), wide))
    return ll.gep_lanes(rw, base, memory.layout.element, lanes, VectorType(base.type, (count,)))


@RULES.on(vector.GatherOp)
def convert_gather(rw: Rewriter, op: vector.GatherOp) -> None:
    memory = view(rw, op.base)
    pointers = _addresses(rw, memory, [index_value(rw, i) for i in op.offsets], rw.value(op.indices))
    other = memory.to_memory(rw, rw.value(op.pass_thru))
    alignment = _masked(byte_size(memory.layout.element) or 1)
    operands = (pointers, rw.value(op.mask), other)
    rw.define(op.result, memory.from_memory(rw, ll.emit(rw, "intr.masked.gather", operands, other.type, alignment)))


@RULES.on(vector.ScatterOp)
def convert_scatter(rw: Rewriter, op: vector.ScatterOp) -> None:
    memory = view(rw, op.base)
    pointers = _addresses(rw, memory, [index_value(rw, i) for i in op.offsets], rw.value(op.indices))
    value = memory.to_memory(rw, rw.value(op.value_to_store))
    alignment = _masked(byte_size(memory.layout.element) or 1)
    ll.emit_effect(rw, "intr.masked.scatter", (value, pointers, rw.value(op.mask)), alignment)


# Transfers


def _transfer(rw: Rewriter, op: xdsl_vector.TransferReadOp | xdsl_vector.TransferWriteOp) -> tuple[View, list[Size]]:
    """Return the memory and indices of a transfer along the last dimension; raise an error for any other."""
    memory = view(rw, op.source)
    rank = len(memory.sizes)
    if rank == 0 or op.permutation_map.data != AffineMap.minor_identity(rank, 1):
        raise PassError(
            op,
            "vector-transfer-map",
            f"{op.name} has a lowering to llvm only along the last dimension",
            hint="use memref.transpose or memref.subview, or load the elements one by one",
        )
    return memory, [index_value(rw, i) for i in op.indices]


def _transfer_mask(
    rw: Rewriter,
    op: xdsl_vector.TransferReadOp | xdsl_vector.TransferWriteOp,
    memory: View,
    indices: Sequence[Size],
    lanes: int,
) -> SSAValue | None:
    """Emit the mask of the lanes that take part: those inside the memref that the given mask has; None if all do."""
    mask = None if op.mask is None else rw.value(op.mask)
    if all(bool(b.value.data) for b in op.in_bounds):
        return mask
    left = ll.Llvm(rw).sub(size_value(rw, memory.sizes[-1]), size_value(rw, indices[-1]))
    inside = first_lanes(rw, left, lanes)
    return inside if mask is None else ll.Llvm(rw).both(inside, mask)


@RULES.on(xdsl_vector.TransferReadOp)
def convert_transfer_read(rw: Rewriter, op: xdsl_vector.TransferReadOp) -> None:
    memory, indices = _transfer(rw, op)
    kind = rw.type(op.result.type)
    mask = _transfer_mask(rw, op, memory, indices, lanes_of(kind))
    if mask is None:
        return rw.define(op.result, _load(rw, op, memory, indices))
    padding = splat(rw, rw.value(op.padding), kind)
    rw.define(op.result, _masked_load(rw, op, memory, indices, mask, padding))


@RULES.on(xdsl_vector.TransferWriteOp)
def convert_transfer_write(rw: Rewriter, op: xdsl_vector.TransferWriteOp) -> None:
    memory, indices = _transfer(rw, op)
    value = rw.value(op.vector)
    mask = _transfer_mask(rw, op, memory, indices, lanes_of(value.type))
    if mask is None:
        return _store(rw, op, memory, indices, value)
    _masked_store(rw, op, memory, indices, mask, value)


@dataclass(frozen=True)
class ConvertVectorToLLVMPass(RulesPass):
    """Turns operations on vectors of one dimension into llvm's.

    Before: `%s = vector.reduction <add>, %v : vector<4xf32> into f32`

    After: `%s = llvm.intr.vector.reduce.fadd(%zero, %v) : (f32, vector<4xf32>) -> f32`
    """

    name = "convert-vector-to-llvm"
    TABLE = RULES
