"""memref to llvm: allocation, access and copies; views and atomics are in files of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import llvm
from hologram.dialects.layouts import Layout, byte_size
from hologram.dialects.llvm import LLVMArrayType
from hologram.dialects.memref import PrefetchOp
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_arith_to_llvm import constant_value
from hologram.lowering.targets.llvm.convert_cf_to_llvm import need_blocks
from hologram.lowering.targets.llvm.memref_atomics_to_llvm import RULES as ATOMICS
from hologram.lowering.targets.llvm.memref_views_to_llvm import RULES as VIEWS
from hologram.lowering.targets.llvm.types import (
    ADDRESS_SPACES,
    LLVM_TYPES,
    Size,
    Sizes,
    View,
    define_view,
    index_value,
    layout_or_error,
    llvm_types,
    pointer_type,
    size_value,
    view,
)

ACCESS = Rules(LLVM_TYPES)

LINE = 64
"""Arrays start at a cache line, which is also the widest vector."""


# Elements


def _is_set(flag: Attribute | None) -> bool:
    return isinstance(flag, IntegerAttr) and flag.value.data != 0


@ACCESS.on(memref.LoadOp)
def convert_load(rw: Rewriter, op: memref.LoadOp) -> None:
    indices = [index_value(rw, i) for i in op.indices]
    rw.define(op.res, view(rw, op.memref).load(rw, indices, _is_set(op.nontemporal)))


@ACCESS.on(memref.StoreOp)
def convert_store(rw: Rewriter, op: memref.StoreOp) -> None:
    indices = [index_value(rw, i) for i in op.indices]
    view(rw, op.memref).store(rw, indices, rw.value(op.value), _is_set(op.nontemporal))


@ACCESS.on(PrefetchOp)
def convert_prefetch(rw: Rewriter, op: PrefetchOp) -> None:
    indices = [index_value(rw, i) for i in op.indices]
    place = view(rw, op.memref).place(rw, indices)
    hint = op.localityHint.value.data
    rw.emit(llvm.PrefetchOp(place, int(op.isWrite.value.data != 0), hint, int(op.isDataCache.value.data != 0)))


# Allocation


def _element_bytes(rw: Rewriter, layout: Layout) -> int:
    size = byte_size(layout.element)
    if size is None:
        raise PassError(rw.source, "memref-element-unsupported", f"elements of {layout.type} have no size in memory")
    return size


def _sizes(rw: Rewriter, layout: Layout, dynamic: Sequence[SSAValue]) -> list[Size]:
    """Return the sizes of a new memref; only those without gaps and offsets can be made."""
    if not layout.identity:
        raise PassError(
            rw.source,
            "memref-alloc-layout",
            f"{rw.source.name} can't make a {layout.type}: only memrefs without gaps can be allocated",
            hint="allocate with the default layout and take a memref.subview or memref.reinterpret_cast of it",
        )
    given = iter(dynamic)
    return [rw.value(next(given)) if s is None else s for s in layout.sizes]


def _define_new(rw: Rewriter, result: SSAValue, pointer: SSAValue, sizes: Sequence[Size]) -> None:
    define_view(rw, result, pointer, sizes, lambda: [])


@ACCESS.on(memref.AllocOp)
def convert_alloc(rw: Rewriter, op: memref.AllocOp) -> None:
    """Call aligned_alloc, which wants a multiple of the alignment."""
    layout = layout_or_error(rw, op.memref.type)
    sizes = _sizes(rw, layout, op.dynamic_sizes)
    alignment = max(LINE, op.alignment.value.data if op.alignment is not None else 0)
    size = Sizes(rw).mul(Sizes(rw).product(sizes), _element_bytes(rw, layout))
    padded = _round_up(rw, size, alignment)
    pointer = ll.pointer()
    rw.declare("aligned_alloc", lambda: ll.function("aligned_alloc", [i64, i64], pointer))
    call = ll.call(rw, "aligned_alloc", (ll.constant_i64(rw, alignment), size_value(rw, padded)), [pointer])
    _define_new(rw, op.memref, call.results[0], sizes)


def _round_up(rw: Rewriter, size: Size, to: int) -> Size:
    if isinstance(size, int):
        return -(-size // to) * to
    raised = size_value(rw, Sizes(rw).add(size, to - 1))
    return ll.Llvm(rw).both(raised, ll.constant_i64(rw, -to))


@ACCESS.on(memref.DeallocOp)
def convert_dealloc(rw: Rewriter, op: memref.DeallocOp) -> None:
    pointer = view(rw, op.memref).pointer
    rw.declare("free", lambda: ll.function("free", [ll.pointer()], None))
    ll.call(rw, "free", (pointer,), [])


@ACCESS.on(memref.AllocaOp)
def convert_alloca(rw: Rewriter, op: memref.AllocaOp) -> None:
    """Reserve it on the stack: in the entry block if its size is known, so that loops don't grow the stack."""
    layout = layout_or_error(rw, op.memref.type)
    sizes = _sizes(rw, layout, op.dynamic_sizes)
    count = Sizes(rw).product(sizes)
    natural = _element_bytes(rw, layout)
    requested = op.alignment.value.data if op.alignment is not None else 0
    alignment = max(requested, natural if count == 1 else LINE)
    kind = rw.types(op.memref.type)[0]
    if isinstance(count, int):
        type = layout.element if count == 1 else LLVMArrayType(count, layout.element)
        pointer = ll.reserve(rw, type, alignment, kind)
    else:
        properties = {"alignment": ll.number(alignment), "elem_type": layout.element}
        pointer = ll.emit(rw, "alloca", (count,), kind, properties)
    _define_new(rw, op.memref, pointer, sizes)


@ACCESS.on(memref.AllocaScopeOp)
def convert_alloca_scope(rw: Rewriter, op: memref.AllocaScopeOp) -> None:
    """Put its blocks in line, and give back at its end what it took from the stack."""
    need_blocks(rw, op)
    end = rw.new_block(rw.all_types(op.result_types))
    saved = ll.emit(rw, "intr.stacksave", (), ll.pointer())

    def leave(last: Operation) -> None:
        ll.jump(rw, end, rw.all_values(last.operands))

    rw.inline_region(op.scope, (), leave)
    rw.move_to(end)
    ll.emit_effect(rw, "intr.stackrestore", (saved,))
    rw.define_all(op.results, end.args)


# Shapes


@ACCESS.on(memref.DimOp)
def convert_dim(rw: Rewriter, op: memref.DimOp) -> None:
    sizes = view(rw, op.source).sizes
    known = index_value(rw, op.index)
    if isinstance(known, int) and 0 <= known < len(sizes):
        return rw.define(op.result, size_value(rw, sizes[known]))
    x, number = ll.Llvm(rw), size_value(rw, known)
    chosen = size_value(rw, sizes[-1] if sizes else 0)
    for axis in reversed(range(len(sizes) - 1)):
        here = x.compare("eq", number, ll.constant_i64(rw, axis))
        chosen = x.select(here, size_value(rw, sizes[axis]), chosen)
    rw.define(op.result, chosen)


@ACCESS.on(memref.RankOp)
def convert_rank(rw: Rewriter, op: memref.RankOp) -> None:
    layout = layout_or_error(rw, op.source.type)
    rw.define(op.rank, ll.constant_i64(rw, len(layout.sizes)))


# Copies


@ACCESS.on(memref.CopyOp)
def convert_copy(rw: Rewriter, op: memref.CopyOp) -> None:
    source, target = view(rw, op.source), view(rw, op.destination)
    if source.layout.contiguous and target.layout.contiguous:
        best = source if source.layout.dynamic <= target.layout.dynamic else target
        size = Sizes(rw).mul(best.count(rw), _element_bytes(rw, best.layout))
        operands = (target.pointer, source.pointer, size_value(rw, size))
        return ll.emit_effect(rw, "intr.memcpy", operands, {"isVolatile": BoolAttr.from_bool(False)})
    need_blocks(rw, op)
    sizes = [a if isinstance(a, int) else b for a, b in zip(source.sizes, target.sizes, strict=True)]
    _copy_elements(rw, source, target, sizes, ())


def _copy_elements(rw: Rewriter, source: View, target: View, sizes: Sequence[Size], indices: tuple[Size, ...]) -> None:
    """Emit one loop a dimension, from the one after `indices` on."""
    if len(indices) == len(sizes):
        return target.store_raw(rw, indices, source.load_raw(rw, indices))
    header = rw.new_block((i64,))
    inside = rw.new_block(after=header)
    end = rw.new_block(after=inside)
    ll.jump(rw, header, (ll.constant_i64(rw, 0),))
    rw.move_to(header)
    at = header.args[0]
    more = ll.Llvm(rw).compare("slt", at, size_value(rw, sizes[len(indices)]))
    ll.branch(rw, more, inside, end)
    rw.move_to(inside)
    _copy_elements(rw, source, target, sizes, (*indices, at))
    ll.jump(rw, header, (size_value(rw, Sizes(rw).add(at, 1)),))
    rw.move_to(end)


# Globals


@ACCESS.on(memref.GlobalOp)
def convert_global(rw: Rewriter, op: memref.GlobalOp) -> None:
    """Make a flat array with the initial values in order, or a region that leaves it undefined."""
    ll.check_name(op, op.sym_name.data)
    layout = layout_or_error(rw, op.type)
    _check_global(op, layout)
    sizes = _sizes(rw, layout, ())
    count = Sizes(rw).product(sizes)
    assert isinstance(count, int)
    element = layout.element
    kind = element if not sizes else LLVMArrayType(count, element)
    natural = _element_bytes(rw, layout)
    requested = op.alignment.value.data if op.alignment is not None else 0
    public = op.sym_visibility.data == "public"
    value, region = None, Region()
    if isinstance(op.initial_value, DenseIntOrFPElementsAttr):
        value = _initial_value(op.initial_value, element, count, bool(sizes))
    else:
        undefined = ll.build("mlir.undef", (), (kind,))
        region.add_block(Block([undefined, ll.build("return", undefined.results)]))
    rw.emit(
        llvm.GlobalOp(
            kind,
            op.sym_name.data,
            "external" if public else "private",
            value,
            op.constant is not None,
            max(requested, LINE if count > 1 else natural),
            getattr(pointer_type(rw, op.type).addr_space, "data", 0),
            region,
        )
    )


def _check_global(op: memref.GlobalOp, layout: Layout) -> None:
    value, why = op.initial_value, ""
    if None in layout.sizes:
        why = "whose size is not known"
    elif isinstance(value, DenseIntOrFPElementsAttr) and (
        value.get_shape() != tuple(layout.sizes) or value.get_element_type() != layout.type.element_type
    ):
        why = f"and its value is a {value.type}"
    if why:
        hint = "a global has a static shape, and a value of that shape and its elements"
        raise PassError(op, "memref-global-value", f"@{op.sym_name.data} is a {op.type}, {why}", hint=hint)


def _initial_value(value: DenseIntOrFPElementsAttr, element: Attribute, count: int, is_array: bool) -> Attribute:
    """Return the initial values as a flat tensor of the memory type (the bytes stay: i1 is stored as bytes already)."""
    data = value.data
    if isinstance(value.get_element_type(), IntegerType) and value.get_element_type() == i1:
        data = type(data)(bytes(b & 1 for b in data.data))
    flat = DenseIntOrFPElementsAttr(TensorType(element, (count,)), data)  # pyright: ignore
    if is_array:
        return flat
    return constant_value(next(iter(flat.iter_attrs())), element)


@ACCESS.on(memref.GetGlobalOp)
def convert_get_global(rw: Rewriter, op: memref.GetGlobalOp) -> None:
    layout = layout_or_error(rw, op.memref.type)
    pointer = ll.address_of(rw, op.name_.string_value(), rw.types(op.memref.type)[0])
    _define_new(rw, op.memref, pointer, _sizes(rw, layout, ()))


RULES = Rules.merge((ACCESS, VIEWS, ATOMICS))


@dataclass(frozen=True)
class ConvertMemRefToLLVMPass(ModulePass):
    """Turns memrefs into pointers, sizes and strides, and their operations into address arithmetic.

    Before: `%x = memref.load %m[%i, %j] : memref<4x8xf32>`

    After::

        %0 = llvm.mul %i, %c8 overflow<nsw, nuw> : i64
        %1 = llvm.add %0, %j overflow<nsw, nuw> : i64
        %p = llvm.getelementptr inbounds|nuw %m[%1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %p : !llvm.ptr -> f32
    """

    name = "convert-memref-to-llvm"

    address_spaces: str = "none"
    """The family of targets that says what memory spaces are: none (strip them), nvptx, amdgpu, spirv."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_spaces(self.address_spaces)
        convert_module(op, Rules(llvm_types(self.address_spaces), RULES.table))


def check_spaces(name: str) -> None:
    """Refuse a target family that ADDRESS_SPACES doesn't know."""
    from hologram.errors import UsageError, did_you_mean

    if name not in ADDRESS_SPACES:
        hint = did_you_mean(name, ADDRESS_SPACES) or f"known are: {', '.join(ADDRESS_SPACES)}"
        raise UsageError("address-spaces-unknown", f"'{name}' is no family of targets with address spaces", hint=hint)
