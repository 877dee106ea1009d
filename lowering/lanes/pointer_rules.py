"""Typed pointers at the kernel level: the address and the bytes of an object, and a byte offset, each an i64.

An access whose object is known where it stands, and has elements of the access's type, becomes an access of that
memref's elements, so that its address and its size need not be known. Any other goes by address.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, i1, i8, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import llvm
from hologram.dialects.atlas.instructions.types import DType, PtrType, dtype_of
from hologram.dialects.atlas.lanes import programs
from hologram.dialects.atlas.lanes.memory import GLOBAL
from hologram.dialects.shapes import is_memref
from hologram.lowering.lanes.reducers import known_object
from hologram.lowering.lanes.state import AtlasRewriter
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.core_builder import Core
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.transforms.analysis.integer_ranges import Ranges, divides


def pointer_type(type: Attribute) -> Sequence[Attribute] | None:
    """The address of the object, its bytes, and the offset."""
    return (i64, i64, i64) if isinstance(type, PtrType) else None


RULES = Rules([pointer_type])


def _goes_by_element(op: Any, dtype: DType) -> bool:
    """Return whether an access through a pointer is one of an element of a known memref."""
    underlying = known_object(op.memref)
    if underlying is None or not is_memref(underlying.type) or not underlying.type.get_shape():
        return False
    return underlying.type.element_type == dtype.ir and dtype.bits <= 64


def _needs_address(pointer: SSAValue) -> bool:
    """Return whether anything asks for the address or the size behind a pointer."""
    for use in pointer.uses:
        user = use.operation
        if isinstance(user, programs.LeaOp):
            if _needs_address(user.result):
                return True
        elif not (isinstance(user, programs.MemoryOp) and use.index == list(user.operands).index(user.memref)):
            return True
        elif not _goes_by_element(user, user.dtype):
            return True
    return False


@RULES.on(programs.LeaOp)
def lea(rw: AtlasRewriter, op: programs.LeaOp) -> None:
    """The object's address and bytes where they will be asked for, and the offsets' sum."""
    core = Core(rw)
    offset = core.index_cast(rw.value(op.indices[0]), i64) if op.indices else core.constant(0, i64)
    if isinstance(op.base.type, PtrType):
        address, bytes, before = rw.values(op.base)
        rw.define(op.result, address, bytes, core.add(before, offset) if op.indices else before)
        return
    base = rw.value(op.base)
    if not _needs_address(op.result):
        zero = core.constant(0, i64)
        rw.define(op.result, zero, zero, offset)
        return
    start = core.op(memref.ExtractAlignedPointerAsIndexOp.get(base))
    rw.define(op.result, core.index_cast(start, i64), object_bytes(rw, base), offset)


def object_bytes(rw: AtlasRewriter, base: SSAValue) -> SSAValue:
    """The bytes of a converted memref."""
    b = Builder(rw)
    dtype = dtype_of(cast("MemRefType[Attribute]", base.type).element_type)
    assert dtype is not None
    return Core(rw).index_cast(b.index(b.mul(b.product(b.sizes(base)), dtype.bytes)), i64)


def total_offset(rw: AtlasRewriter, op: Any) -> SSAValue:
    """The bytes from the start of the object to what is accessed."""
    core = Core(rw)
    before = rw.values(op.memref)[2]
    return core.add(before, core.index_cast(rw.value(op.indices[0]), i64)) if op.indices else before


def linear(b: Builder, place: SSAValue, indices: Sequence[Index]) -> Index:
    """Return the number of an element of a memref, in row-major order."""
    number: Index = 0
    for axis, index in enumerate(indices):
        number = b.add(b.mul(number, b.size(place, axis)), index)
    return number


# What is proven


def _offsets(op: Any) -> list[SSAValue]:
    """The offsets that add up to the place of an access through a pointer, as far as the program says."""
    offsets, pointer = list(op.indices), op.memref
    while isinstance(pointer.type, PtrType) and isinstance(pointer.owner, programs.LeaOp):
        offsets += pointer.owner.indices
        pointer = pointer.owner.base
    return offsets


def _static_bytes(place: SSAValue | None) -> int | None:
    if place is None or not is_memref(place.type) or DYNAMIC_INDEX in place.type.get_shape():
        return None
    dtype = dtype_of(place.type.element_type)
    count = 1
    for size in place.type.get_shape():
        count *= size
    return None if dtype is None else count * dtype.bytes


def proves_range(op: programs.MemoryOp) -> bool:
    """Return whether the place of an access is known to be inside its object."""
    bytes = _static_bytes(known_object(op.memref))
    if bytes is None:
        return False
    ranges = [known.signed for v in _offsets(op) if (known := Ranges().of(v)) is not None]
    return all(r[0] >= 0 for r in ranges) and sum(r[1] for r in ranges) <= bytes - op.bytes


def proves_alignment(op: programs.MemoryOp) -> bool:
    """Return whether the offset of an access is known to be a multiple of the alignment."""
    return known_object(op.memref) is not None and all(divides(op.alignment, v) for v in _offsets(op))


def pointer_may_trap(op: programs.MemoryOp) -> bool:
    """Return whether an access through a pointer needs a guard."""
    return not (proves_range(op) and proves_alignment(op)) or is_unaligned(op)


def is_unaligned(op: programs.MemoryOp) -> bool:
    """Return whether it is an atomic whose address may be odd, as that of an array of bytes may."""
    if not isinstance(op, programs.AtomicOp):
        return False
    underlying = known_object(op.memref)
    if underlying is None or not is_memref(underlying.type):
        return True
    dtype = dtype_of(underlying.type.element_type)
    host = programs.space_of(underlying.type) in GLOBAL
    return host and (dtype is None or dtype.alignment < op.alignment)


# Accesses


def guarded_offset(rw: AtlasRewriter, op: programs.MemoryOp, offset: SSAValue | None = None) -> SSAValue:
    """The offset of an access, its place's own unless another is given, after the guard."""
    core = Core(rw)
    offset = total_offset(rw, op) if offset is None else offset
    if not rw.guard:
        return offset
    zero = core.constant(0, i64)
    if not proves_range(op):
        underlying = known_object(op.memref)
        bytes = rw.values(op.memref)[1] if underlying is None else object_bytes(rw, rw.value(underlying))
        last = core.sub(bytes, op.bytes)
        bad = core.either(core.compare("slt", offset, zero), core.compare("sgt", offset, last))
        text = f"{op.name} {op.type.data.value}: address out of range"
        rw.trap_if(op, bad, text, lambda: [offset, bytes])
    if not proves_alignment(op):
        _trap_misaligned(rw, op, offset, offset)
    return offset


def _trap_misaligned(rw: AtlasRewriter, op: programs.MemoryOp, place: SSAValue, offset: SSAValue) -> None:
    core = Core(rw)
    odd = core.compare("ne", core.both(place, op.alignment - 1), 0)
    text = f"{op.name} {op.type.data.value}: misaligned address"
    rw.trap_if(op, odd, text, lambda: [offset, core.constant(op.alignment, i64)])


def element(rw: AtlasRewriter, op: Any, offset: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """The memref of one axis and the index for an access that goes by element, else None."""
    dtype = op.dtype
    if not _goes_by_element(op, dtype):
        return None
    core, b = Core(rw), Builder(rw)
    underlying = known_object(op.memref)
    assert underlying is not None
    base = rw.value(underlying)
    type = cast("MemRefType[Attribute]", base.type)
    shift = dtype.bytes.bit_length() - 1
    index = core.shr(offset, shift) if shift else offset
    flat = base if type.get_num_dims() == 1 else b.collapse(base, [list(range(type.get_num_dims()))])
    return flat, core.index_cast(index, IndexType())


def address(rw: AtlasRewriter, op: programs.MemoryOp, offset: SSAValue) -> SSAValue:
    """The place of an access as an llvm pointer; that of an atomic is aligned."""
    core = Core(rw)
    place = core.add(rw.values(op.memref)[0], offset)
    if rw.guard and is_unaligned(op):
        _trap_misaligned(rw, op, place, offset)
    return core.op(llvm.IntToPtrOp(place, LLVMPointerType()))


def raw_load(rw: AtlasRewriter, dtype: DType, place: SSAValue) -> SSAValue:
    """A value at an address. A host array may begin anywhere, so nothing is taken for granted of the address."""
    core = Core(rw)
    held = i8 if dtype.bits <= 8 else dtype.ir
    loaded = core.op(llvm.LoadOp(place, held, 1))
    return core.compare("ne", loaded, 0) if dtype.ir == i1 else loaded


def raw_store(rw: AtlasRewriter, dtype: DType, place: SSAValue, value: SSAValue) -> None:
    """Stores a value at an address."""
    core = Core(rw)
    held = core.resize(value, i8, signed=False) if dtype.ir == i1 else value
    rw.emit(llvm.StoreOp(held, place, 1))


def load_through(rw: AtlasRewriter, op: programs.LoadOp) -> None:
    """A guarded load through a pointer."""
    offset = guarded_offset(rw, op)
    if (place := element(rw, op, offset)) is not None:
        for number, result in enumerate(op.values):
            rw.define(result, Core(rw).op(memref.LoadOp.get(place[0], [beside(rw, place[1], number)])))
        return
    for number, result in enumerate(op.values):
        rw.define(result, raw_load(rw, op.dtype, address(rw, op, moved(rw, offset, number * op.dtype.bytes))))


def store_through(rw: AtlasRewriter, op: programs.StoreOp) -> None:
    """A guarded store through a pointer."""
    offset, values = guarded_offset(rw, op), [rw.value(v) for v in op.values]
    if (place := element(rw, op, offset)) is not None:
        for number, value in enumerate(values):
            rw.emit(memref.StoreOp.get(value, place[0], [beside(rw, place[1], number)]))
        return
    for number, value in enumerate(values):
        raw_store(rw, op.dtype, address(rw, op, moved(rw, offset, number * op.dtype.bytes)), value)


def beside(rw: AtlasRewriter, index: SSAValue, number: int) -> SSAValue:
    """An index some elements further on."""
    return Builder(rw).index(Builder(rw).add(index, number))


def moved(rw: AtlasRewriter, offset: SSAValue, bytes: int) -> SSAValue:
    """An offset some bytes further on."""
    core = Core(rw)
    return core.add(offset, bytes) if bytes else offset
