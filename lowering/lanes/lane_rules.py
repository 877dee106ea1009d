"""Lane programs as gpu kernels: programs and launches, special registers, guarded memory, barriers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, cast

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects import gpu, marks
from hologram.dialects.atlas.arrays.general import DYNAMIC, shape_of
from hologram.dialects.atlas.instructions.types import Space, SpaceAttr, dtype_of
from hologram.dialects.atlas.lanes import programs as lanes
from hologram.dialects.atlas.lanes.reductions import SpanOp
from hologram.dialects.memref import PrefetchOp
from hologram.lowering.arithmetic.float8 import byte_type, held_float8, is_float8
from hologram.lowering.lanes import atomic_rules, class_rules, pointer_rules, reduction_rules
from hologram.lowering.lanes.control_rules import VOTES, lane_block, loses_lanes, refuse_branches
from hologram.lowering.lanes.state import AtlasRewriter, constant_integer
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.rewriting.core_builder import Core
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.support.walking import enclosing, operations
from hologram.transforms.analysis.integer_ranges import divides, proves_inside

_SPACES = {Space.shared: gpu.WORKGROUP, Space.local: gpu.PRIVATE}


def core_type(type: Attribute) -> Sequence[Attribute] | None:
    """Memrefs in the spaces of the kernel level: shared is workgroup memory, local private; the others have none."""
    if not isinstance(type, MemRefType) or not isinstance(type.memory_space, SpaceAttr):  # pyright: ignore
        return None
    memref_type = cast("MemRefType[Attribute]", type)
    space = _SPACES.get(cast(SpaceAttr, memref_type.memory_space).data)
    element = i8 if is_float8(memref_type.element_type) else memref_type.element_type
    return [MemRefType(element, memref_type.shape, memref_type.layout, *([space] if space else []))]


RULES = Rules.merge([Rules([core_type, byte_type]), pointer_rules.RULES, atomic_rules.RULES] + [reduction_rules.RULES])


RULES.on(
    memref.LoadOp, memref.StoreOp, memref.DimOp, memref.CastOp, memref.SubviewOp, memref.CollapseShapeOp,
    memref.CopyOp, memref.ExpandShapeOp, memref.ReinterpretCastOp, memref.AllocOp, memref.AllocaOp, memref.DeallocOp,
    memref.ExtractAlignedPointerAsIndexOp, func.CallOp, func.ReturnOp, PrefetchOp,
)(Rewriter.retype)  # fmt: skip


@RULES.on(func.FuncOp)
def function(rw: AtlasRewriter, op: func.FuncOp) -> None:
    """A function of converted types. What they no longer say of arguments, the attribute `hologram.type` does."""
    properties: dict[str, Attribute] = {**op.properties, "function_type": rw.type(op.function_type)}
    inputs = list(op.function_type.inputs)
    if any(held_float8(t) for t in inputs):
        known = [DictionaryAttr({})] * len(inputs) if op.arg_attrs is None else list(op.arg_attrs)
        types = [{marks.TYPE: StringAttr(name)} if (name := held_float8(t)) else {} for t in inputs]
        arg_attrs = [DictionaryAttr({**type, **own.data}) for type, own in zip(types, known, strict=True)]
        properties["arg_attrs"] = ArrayAttr(arg_attrs)
    new = func.FuncOp.create(
        properties=properties,
        attributes=op.attributes,
        regions=[rw.region(op.body)],
    )
    rw.emit(new)
    new.location = op.location


# Programs and launches


@RULES.on(lanes.ProgramOp)
def program(rw: AtlasRewriter, op: lanes.ProgramOp) -> None:
    """A kernel in the module's gpu.module. Shared arrays become its workgroup attributions; one that the launch sizes
    is its dynamic shared memory, whose bytes are the kernel's last argument.
    """
    refuse_branches(op, op.body)
    block = op.body.block
    arrays = [
        o for o in operations(op) if isinstance(o, lanes.AllocaOp) and lanes.space_of(o.result.type) is Space.shared
    ]
    shared = [a for a in arrays if not a.is_open]
    sized = [IndexType()] * (len(arrays) - len(shared))
    body = Block()
    for old in block.args:
        rw.define(old, body.insert_arg(rw.type(old.type), len(body.args)))
    bytes = [body.insert_arg(type, len(body.args)) for type in sized]
    for old in (a.result for a in shared):
        rw.define(old, body.insert_arg(rw.type(old.type), len(body.args)))
    voted = [o for o in operations(op) if loses_lanes(o, rw.held)]
    rw.votes = {o: body.insert_arg(VOTES, len(body.args)) for o in voted}
    rw.linear_lane = lambda: _linear_lane(rw, op)
    outer = rw.insertion_block
    rw.move_to(body)
    for array in (a for a in arrays if a.is_open):
        _dynamic_array(rw, array, bytes[0])
    class_rules.declare_state(rw, op)
    lane_block(rw, block)
    rw.emit(gpu.ReturnOp())
    rw.move_to(outer)
    rw.linear_lane, rw.state = None, {}
    inputs = [*(rw.type(t) for t in op.function_type.inputs), *sized]
    kernel = gpu.FuncOp(
        op.sym_name.data,
        FunctionType.from_lists(inputs, []),
        Region(body),
        workgroup=[*(rw.type(a.result.type) for a in shared), *[VOTES] * len(voted)],
        known_block_size=op.block_size,
    )
    kernel.attributes |= op.attributes
    if op.arg_attrs is not None:
        kernel.properties["arg_attrs"] = ArrayAttr([*op.arg_attrs, *[DictionaryAttr({})] * len(sized)])
    kernel.location = op.location
    rw.kernels.append(kernel)


def _dynamic_array(rw: AtlasRewriter, op: lanes.AllocaOp, bytes: SSAValue) -> None:
    """The launch's shared memory as an array of as many elements as it holds."""
    core = Core(rw)
    bytes.name_hint = "shared_bytes"
    type = cast("MemRefType[Attribute]", rw.type(op.result.type))
    whole = core.op(gpu.DynamicSharedMemoryOp(MemRefType(i8, [DYNAMIC_INDEX], memory_space=gpu.WORKGROUP)))
    element = dtype_of(type.element_type)
    assert element is not None
    count = Builder(rw).index(Builder(rw).div(bytes, element.bytes))
    start = core.constant(0, IndexType())
    rw.define(op.result, core.op(memref.ViewOp.create(operands=[whole, start, count], result_types=[type])))


@RULES.on(lanes.FuncOp)
def lane_function(rw: AtlasRewriter, op: lanes.FuncOp) -> None:
    """A device function. Before its results it gives whether the lane comes back, unless every lane does."""
    refuse_branches(op, op.body)
    types = rw.all_types(op.function_type.inputs)
    block = Block(arg_types=types)
    rw.define_all(op.body.block.args, block.args)
    outer = rw.insertion_block
    rw.move_to(block)
    rw.linear_lane = lambda: _linear_lane(rw, None)
    kept = class_rules.take_state(rw, op.sym_name.data, block)
    values, alive = lane_block(rw, op.body.block)
    leaves = op.sym_name.data in rw.leaving
    back = [Core(rw).constant(1, i1) if alive is None else alive] if leaves else []
    rw.emit(func.ReturnOp(*back, *values))
    rw.move_to(outer)
    rw.linear_lane, rw.state = None, {}
    outputs = [*([i1] if leaves else []), *rw.all_types(op.function_type.outputs)]
    function = func.FuncOp(
        op.sym_name.data,
        FunctionType.from_lists([*types, *kept], outputs),
        Region(block),
        visibility="private",
        arg_attrs=_spread(rw, op, len(kept)),
    )
    function.location = op.location
    rw.kernels.append(function)


def _spread(rw: AtlasRewriter, op: lanes.FuncOp, more: int) -> ArrayAttr[DictionaryAttr] | None:
    """The attributes of a function's arguments, those of a pointer for each of its parts; then of `more` others."""
    if op.arg_attrs is None:
        return None
    pairs = zip(op.function_type.inputs, op.arg_attrs, strict=True)
    return ArrayAttr([*(attrs for type, attrs in pairs for _ in rw.types(type)), *[DictionaryAttr({})] * more])


@RULES.on(lanes.AllocaOp)
def alloca(rw: AtlasRewriter, op: lanes.AllocaOp) -> None:
    """Local arrays; shared ones are defined with their program."""
    if lanes.space_of(op.result.type) is Space.local:
        type = cast("MemRefType[Attribute]", rw.type(op.result.type))
        rw.replace(op, memref.AllocaOp.build(operands=[[], []], result_types=[type]))


def launch_may_trap(op: lanes.LaunchOp) -> bool:
    """Return whether a grid or block size is not a constant above zero, or the shared bytes may be too many."""
    return not all(map(_is_above_zero, (*op.grid, *op.block))) or any(map(_too_many, op.shared))


def _is_above_zero(size: SSAValue) -> bool:
    """Return whether a size is a constant above zero."""
    known = constant_integer(size)
    return known is not None and known > 0


def _too_many(bytes: SSAValue) -> bool:
    """Return whether a number of bytes is not known to fit in 31 bits, which launches pass it in."""
    known = constant_integer(bytes)
    return known is None or not 0 <= known < 1 << 31


@RULES.on(lanes.LaunchOp)
def launch(rw: AtlasRewriter, op: lanes.LaunchOp) -> None:
    """A launch of the kernel; sizes of zero or less trap."""
    core = Core(rw)
    name = op.program.string_value()
    sizes = [rw.value(v) for v in (*op.grid, *op.block)]
    unknown = [rw.value(v) for v in (*op.grid, *op.block) if not _is_above_zero(v)]
    if unknown:
        bad = reduce(core.either, [core.compare("sle", v, 0) for v in unknown])
        rw.trap_if(op, bad, f"atlas.launch @{name}: a size of the launch is zero or less", lambda: unknown)
    bytes = [rw.value(v) for v in op.shared]
    for given in (v for v, old in zip(bytes, op.shared, strict=True) if _too_many(old)):
        bad = core.compare("uge", given, 1 << 31)
        rw.trap_if(op, bad, f"atlas.launch @{name}: 2^31 or more shared bytes", lambda given=given: [given])
    fixed = rw.block_sizes.get(name)
    if fixed is not None:
        sizes += [core.constant(n, IndexType()) for n in fixed]
    arguments = [rw.value(v) for v in op.arguments]
    if name in rw.open_programs:
        bytes = bytes or [core.constant(0, IndexType())]
        arguments += bytes
    shared = core.index_cast(bytes[0], i32) if bytes else None
    kernel = SymbolRefAttr(rw.kernel_module, [name])
    rw.emit(gpu.LaunchFuncOp(kernel, sizes[:3], sizes[3:], None, arguments, dynamicSharedMemorySize=shared))


# Special registers


@RULES.on(lanes.SpecialOp)
def special(rw: AtlasRewriter, op: lanes.SpecialOp) -> None:
    """Ids and sizes as i32, the linear lane as i64."""
    core = Core(rw)
    around = enclosing(op, lanes.ProgramOp)
    if op.register.data == "gid":
        rw.define(op.result, _linear_lane(rw, around))
        return
    group, _, axis = op.register.data.partition(".")
    rw.define(
        op.result, core.index_cast(Builder(rw).index(_id(rw, around, group, lanes.AXES.index(axis))), op.result.type)
    )


_IDS: dict[str, Any] = {"lane": gpu.ThreadIdOp, "block": gpu.BlockIdOp, "lanes": gpu.BlockDimOp, "grid": gpu.GridDimOp}


def _id(rw: AtlasRewriter, around: lanes.ProgramOp | None, group: str, axis: int) -> Index:
    size = None if around is None else around.block_size
    if size is not None and group == "lanes":
        return size[axis]
    if size is not None and group == "lane" and size[axis] == 1:
        return 0
    blocks = _blocks(rw, around)[axis] if group in ("block", "grid") else None
    if blocks is not None and (group == "grid" or blocks == 1):
        return blocks if group == "grid" else 0
    core = Core(rw)
    return rw.once((group, axis), lambda: core.op(_IDS[group]((gpu.X, gpu.Y, gpu.Z)[axis])))


def _blocks(rw: AtlasRewriter, around: lanes.ProgramOp | None) -> tuple[int | None, ...]:
    """Return how many blocks a launch has along each axis, where all launches say so."""
    none = (None, None, None)
    return rw.grids.get(around.sym_name.data, none) if around is not None else none


def _linear_lane(rw: AtlasRewriter, around: lanes.ProgramOp | None) -> SSAValue:
    """Linear block index * lanes of a block + linear lane of the block, x fastest."""
    b = Builder(rw)

    def linear(group: str, sizes: str) -> Index:
        x, y, z = (_id(rw, around, group, axis) for axis in range(3))
        width, height = (_id(rw, around, sizes, axis) for axis in range(2))
        return b.add(b.mul(b.add(b.mul(z, height), y), width), x)

    lanes_of_block = b.product([_id(rw, around, "lanes", axis) for axis in range(3)])
    place = b.add(b.mul(linear("block", "grid"), lanes_of_block), linear("lane", "lanes"))
    return Core(rw).index_cast(b.index(place), i64)


# Memory

_LOADS: list[Any] = [lanes.LdgOp, lanes.LdsOp, lanes.LdlOp, lanes.PoolLoadOp]
_STORES: list[Any] = [lanes.StgOp, lanes.StsOp, lanes.StlOp, lanes.PoolStoreOp]


def unproven_axes(op: Any) -> list[int]:
    """The axes of an access whose index is not known to be in range."""
    shape = shape_of(op.memref.type)
    room = {len(shape) - 1: op.count - 1}
    return [
        axis
        for axis, (index, size) in enumerate(zip(op.indices, shape, strict=True))
        if size == DYNAMIC or not proves_inside(index, size - room.get(axis, 0))
    ]


def unproven_alignment(op: Any) -> int:
    """Return the number that the first element's must be a multiple of, where that is not known; else 1."""
    ways = max(op.alignment // op.dtype.bytes, 1)
    inner = [size if size != DYNAMIC else 1 for size in shape_of(op.memref.type)[-1:]] if op.indices[1:] else []
    known = all(size % ways == 0 for size in inner) and (ways == 1 or divides(ways, op.indices[-1]))
    return 1 if known else ways


def access_may_trap(op: Operation) -> bool:
    """Return whether it is an access that needs a guard."""
    if not isinstance(op, lanes.MemoryOp):
        return False
    if isinstance(op, SpanOp):
        return True
    if op.is_through_pointer:
        return pointer_rules.pointer_may_trap(op)
    return bool(unproven_axes(op)) or unproven_alignment(op) > 1


def _place(rw: AtlasRewriter, op: Any) -> tuple[SSAValue, list[SSAValue]]:
    """The memref and the indices, after the guard. A negative index is a great one when read as unsigned."""
    core, b = Core(rw), Builder(rw)
    place = rw.value(op.memref)
    indices = [core.index_cast(rw.value(i), IndexType()) for i in op.indices]
    axes = unproven_axes(op) if rw.guard else []
    if axes:
        checks: list[tuple[SSAValue, SSAValue]] = []
        outside: list[SSAValue] = []
        for axis in axes:
            checks.append((indices[axis], b.index(b.size(place, axis))))
            outside.append(core.compare("uge", *checks[-1]))
        if op.count > 1 and axes[-1] == len(indices) - 1:
            last = b.index(b.add(indices[-1], op.count - 1))
            outside[-1] = core.either(outside[-1], core.compare("uge", last, checks[-1][1]))
        rw.trap_outside(op, f"{op.name} {op.type.data.value}: index out of range", checks, outside)
    if rw.guard and (ways := unproven_alignment(op)) > 1:
        number = b.index(pointer_rules.linear(b, place, indices))
        odd = b.compare("ne", b.rem(number, ways), 0)
        wanted = lambda: [number, core.constant(ways, i64)]  # noqa: E731
        rw.trap_if(op, odd, f"{op.name} {op.type.data.value}: misaligned address", wanted)
    return place, indices


def _next(rw: AtlasRewriter, indices: Sequence[SSAValue], number: int) -> list[SSAValue]:
    """The indices of the values of a vector form."""
    return [*indices[:-1], pointer_rules.beside(rw, indices[-1], number)] if number else list(indices)


def load(rw: AtlasRewriter, op: Any) -> None:
    """A guarded load."""
    if op.is_through_pointer:
        return pointer_rules.load_through(rw, op)
    place, indices = _place(rw, op)
    for number, result in enumerate(op.values):
        rw.define(result, Core(rw).op(memref.LoadOp.get(place, _next(rw, indices, number))))


def store(rw: AtlasRewriter, op: Any) -> None:
    """A guarded store."""
    if op.is_through_pointer:
        return pointer_rules.store_through(rw, op)
    place, indices = _place(rw, op)
    for number, value in enumerate(op.values):
        rw.emit(memref.StoreOp.get(rw.value(value), place, _next(rw, indices, number)))


RULES.on(*_LOADS)(load)
RULES.on(*_STORES)(store)


@RULES.on(*lanes.ATOMICS)
def atomic(rw: AtlasRewriter, op: lanes.AtomicOp) -> None:
    """A guarded atomic."""
    atomic_rules.atomic(rw, op, _place)


@RULES.on(lanes.BarSyncOp)
def barrier(rw: AtlasRewriter, op: lanes.BarSyncOp) -> None:
    """The label is dropped."""
    rw.emit(gpu.BarrierOp())
