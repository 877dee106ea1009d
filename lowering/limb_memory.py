"""How split-wide-integers goes through memory: elements are as many limbs, and places in a buffer count them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, MemRefType, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import gpu, llvm
from hologram.dialects.memref import GenericAtomicRMWOp
from hologram.errors import PassError
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.emit.kernels.prepare import callees_first, inline
from hologram.lowering.limb_rules import LimbRules, is_split, limb_count, limbs_of
from hologram.walking import operations

RULES = Rules()


def _element(value: SSAValue) -> Attribute:
    return cast("MemRefType[Attribute]", value.type).element_type


def _place(rw: Rewriter, indices: Sequence[SSAValue], count: int, number: int) -> SSAValue:
    core, index = limbs_of(rw).core, IndexType()
    if not indices:
        return core.constant(number, index)
    first = core(arith.MuliOp(rw.value(indices[0]), core.constant(count, index)))
    return core(arith.AddiOp(first, core.constant(number, index))) if number else first


@RULES.on(memref.LoadOp)
def load(rw: Rewriter, op: memref.LoadOp) -> None:
    """Limb by limb."""
    if not (count := limb_count(rw, _element(op.memref))):
        return rw.rebuild(op)
    core, place = limbs_of(rw).core, rw.value(op.memref)
    found = [core(memref.LoadOp.get(place, [_place(rw, op.indices, count, n)])) for n in range(count)]
    rw.define(op.res, *found)


@RULES.on(memref.StoreOp)
def store(rw: Rewriter, op: memref.StoreOp) -> None:
    """Limb by limb."""
    if not (count := limb_count(rw, _element(op.memref))):
        return rw.rebuild(op)
    place = rw.value(op.memref)
    for number, value in enumerate(rw.values(op.value)):
        rw.emit(memref.StoreOp.get(value, place, [_place(rw, op.indices, count, number)]))


@RULES.on(memref.ExtractAlignedPointerAsIndexOp)
def address(rw: Rewriter, op: memref.ExtractAlignedPointerAsIndexOp) -> None:
    """The same memory's."""
    rw.replace(op, memref.ExtractAlignedPointerAsIndexOp.get(rw.value(op.source)))


@RULES.on(llvm.LoadOp)
def load_at_address(rw: Rewriter, op: llvm.LoadOp) -> None:
    """Limb by limb, from the buffer where the address says which one it is in."""
    if not (count := limb_count(rw, op.res.type)):
        return rw.rebuild(op)
    core, limb = limbs_of(rw).core, limbs_of(rw).limb
    if (found := _in_buffer(rw, op.addr)) is not None:
        limbs = [core(memref.LoadOp.get(found[0], [_further(rw, found[1], n)])) for n in range(count)]
    else:
        limbs = [core(llvm.LoadOp(_pointer(rw, op.addr, n), limb, 1)) for n in range(count)]
    rw.define(op.res, *limbs)


@RULES.on(llvm.StoreOp)
def store_at_address(rw: Rewriter, op: llvm.StoreOp) -> None:
    """Limb by limb, to the buffer where the address says which one it is in."""
    if not limb_count(rw, op.value.type):
        return rw.rebuild(op)
    found = _in_buffer(rw, op.addr)
    for number, limb in enumerate(rw.values(op.value)):
        if found is not None:
            rw.emit(memref.StoreOp.get(limb, found[0], [_further(rw, found[1], number)]))
        else:
            rw.emit(llvm.StoreOp(limb, _pointer(rw, op.addr, number), 1))


def inline_readers(module: gpu.ModuleOp, rules: LimbRules) -> None:
    """Puts functions that read such integers at an address in line, where the address says which buffer it is in."""
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
    readers = {name for name, op in functions.items() if any(_is_read(rules, o) for o in operations(op))}
    if not readers:
        return
    kernels = [op for op in module.body.block.ops if isinstance(op, gpu.FuncOp)]
    for caller in [*(functions[name] for name in callees_first(functions)), *kernels]:
        for call in [o for o in operations(caller) if isinstance(o, func.CallOp)]:
            if (name := call.callee.string_value()) in readers:
                inline(call, functions[name])
    for name in readers:
        functions[name].detach()
        functions[name].erase()


def _is_read(rules: LimbRules, op: Operation) -> bool:
    return isinstance(op, llvm.LoadOp) and rules.count(op.res.type) > 0


def _further(rw: Rewriter, place: SSAValue, number: int) -> SSAValue:
    core = limbs_of(rw).core
    return core(arith.AddiOp(place, core.constant(number, IndexType()))) if number else place


def _pointer(rw: Rewriter, pointer: SSAValue, number: int) -> SSAValue:
    """The address of a limb, as a pointer."""
    made = pointer.owner
    assert isinstance(made, llvm.IntToPtrOp)
    code = limbs_of(rw)
    place = rw.unconverted(made.arg)
    if number:
        place = code.core(arith.AddiOp(place, code.core.constant(number * code.width // 8, i64)))
    return code.core(llvm.IntToPtrOp(place, pointer.type))  # pyright: ignore[reportArgumentType]


def _in_buffer(rw: Rewriter, pointer: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """The buffer of limbs that an address is in, and the number of its first limb.

    The address is a sum of a buffer's own and of bytes. They are a multiple of 8, to which the lanes' rules guard
    integers of more than 64 bits.
    """
    made = pointer.owner
    if not isinstance(made, llvm.IntToPtrOp):
        return None
    terms = _terms(made.arg)
    bases = [(v, source) for v in terms if (source := _base(v)) is not None]
    if len(bases) != 1 or not is_split(rw, _element(bases[0][1])):
        return None
    code = limbs_of(rw)
    core = code.core
    # The least limb says it all, as that of an index does.
    bytes = code.one(0)
    for term in terms:
        if term is not bases[0][0]:
            bytes = core(arith.AddiOp(bytes, rw.values(term)[0]))
    place = core(arith.ShRUIOp(bytes, code.one((code.width // 8).bit_length() - 1)))
    return rw.value(bases[0][1]), core.index_cast(place, IndexType())


def _terms(value: SSAValue) -> list[SSAValue]:
    """What a number is the sum of."""
    made = value.owner
    return [*_terms(made.lhs), *_terms(made.rhs)] if isinstance(made, arith.AddiOp) else [value]


def _base(value: SSAValue) -> SSAValue | None:
    """The buffer that a number is the address of."""
    made = value.owner
    made = made.input.owner if isinstance(made, arith.IndexCastOp) else made
    return made.source if isinstance(made, memref.ExtractAlignedPointerAsIndexOp) else None


@RULES.on(memref.AtomicRMWOp, GenericAtomicRMWOp)
def atomic(rw: Rewriter, op: Any) -> None:
    """There are none of several limbs."""
    if is_split(rw, _element(op.memref)):
        raise PassError(
            op,
            "device-refuses-limb-atomics",
            f"{op.name} works on {_element(op.memref)}, which is several numbers on this device",
            hint="isa.md section 7: a device may refuse atomics of 64 bits, all refuse wider ones; use 32 bits",
        )
    rw.rebuild(op)


@RULES.on(memref.AllocaOp, memref.GetGlobalOp, memref.CastOp, memref.ViewOp)
def same_memory(rw: Rewriter, op: Operation) -> None:
    """The same with more elements."""
    operands = [rw.value(v) for v in op.operands]
    types = [rw.type(r.type) for r in op.results]
    new = type(op).create(operands=operands, result_types=types, properties=op.properties, attributes=op.attributes)
    rw.replace(op, new)


@RULES.on(memref.GlobalOp)
def table(rw: Rewriter, op: memref.GlobalOp) -> None:
    """The same bytes."""
    if not is_split(rw, op.type.element_type):
        return rw.rebuild(op)
    value: Any = op.initial_value
    kind = cast("MemRefType[Attribute]", rw.type(op.type))
    tensor = TensorType(kind.element_type, kind.get_shape())
    properties = {**op.properties, "type": kind, "initial_value": value.__class__(tensor, value.data)}
    rw.emit(memref.GlobalOp.create(properties=properties, attributes=op.attributes))
