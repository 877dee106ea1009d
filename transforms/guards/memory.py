"""Guards of memory that a program asks for: sizes, the stack, what new memory holds, and globals."""

from __future__ import annotations

from math import prod
from typing import Any

from xdsl.dialects import memref, scf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, IndexType, IntegerType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import SymbolTable

from hologram.dialects import gpu
from hologram.dialects.atlas.arrays.named import FillOp
from hologram.dialects.atlas.instructions.dtypes import DType
from hologram.dialects.atlas.instructions.types import STORED, dtype_of
from hologram.dialects.layouts import byte_size
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.shapes import dense
from hologram.dialects.verbs import Index, is_float, number
from hologram.errors import PassError, where_of
from hologram.errors.limits import check_dense
from hologram.transforms.guards.guards import GUARDS, Guards, memref_type
from hologram.transforms.guards.refusals import FLAG

STACK_BYTES = 1 << 16
"""What the functions of a module take of the stack together, at most; other memory comes from the heap."""
MOST_ALIGNED = 1 << 12
_GRIDS = ("scf.parallel", "gpu.launch", "gpu.func", "atlas.program", "atlas.func")
"""What runs on a device, or may."""


@GUARDS.on("memref.alloc")
def guard_alloc(guards: Guards, op: memref.AllocOp) -> None:
    """Sizes are not below 0 (`check-allocations` has the rest), and the memory holds zeros."""
    _check_aligned(op)
    guards.layout(op, op.memref)
    for size in op.dynamic_sizes:
        guards.natural(op, size, f"{op.name}: size {{}} is below 0")
    _fill(op, op.memref)


def _check_aligned(op: Any) -> None:
    alignment = 1 if op.alignment is None else op.alignment.value.data
    if alignment < 1 or alignment > MOST_ALIGNED or alignment & (alignment - 1):
        message = f"'{op.name}' asks for an alignment of {alignment}"
        raise PassError(op, "guard-alignment", message, hint=f"give a power of two up to {MOST_ALIGNED}, or none")


def _fill(op: Operation, value: SSAValue) -> None:
    """Fills new memory with zeros, unless an instruction on arrays fills it next."""
    block, following = op.parent_block(), op.next_op
    assert block is not None
    first = next((use.operation for use in value.uses), None)
    if value.first_use is None or (following is first and getattr(first, "name", "") == "atlas.fill"):
        return
    at = OpBuilder(following or block, op)
    element = memref_type(value).element_type
    dtype = _check_elements(op, element)
    zero = at.op(ConstantOp(number(0, element)))
    on_host = not any(_is_within(op, name) for name in _GRIDS)
    if on_host and dtype in STORED and not isinstance(element, IndexType):
        at.emit(FillOp([zero], [value]))
        return
    if memref_type(value).memory_space != gpu.WORKGROUP:
        return _fill_from(at, value, zero, ())
    # The threads of a block share the work, and none goes on before all is done: it would lose what it stores.
    threads = at.op(gpu.ThreadIdOp(gpu.X)), at.op(gpu.BlockDimOp(gpu.X))
    _fill_from(at, value, zero, (), threads)
    at.emit(gpu.BarrierOp())


def _check_elements(op: Operation, element: Attribute) -> DType | None:
    """The element type, which has a zero."""
    dtype = dtype_of(element)
    if dtype is None and not isinstance(element, IntegerType | IndexType):
        message = f"'{op.name}' makes memory of {element}, which can't be filled with zeros"
        raise PassError(op, "guard-elements", message, hint=FLAG)
    return dtype


def _is_within(op: Operation, name: str) -> bool:
    parent = op.parent_op()
    while parent is not None and parent.name != name:
        parent = parent.parent_op()
    return parent is not None


def _repeats(op: Operation) -> bool:
    """Return whether an operation may run several times in a call of its function."""
    block = op.parent_block()
    while block is not None and block.parent is not None:
        parent = block.parent.parent
        if len(block.parent.blocks) > 1 or isinstance(parent, scf.ForOp | scf.WhileOp | scf.ParallelOp):
            return True
        block = None if parent is None else parent.parent_block()
    return False


def _fill_from(
    at: OpBuilder, value: SSAValue, zero: SSAValue, indices: tuple[SSAValue, ...], spread: tuple[Index, Index] = (0, 1)
) -> None:
    """Stores zeros; of the first axis from a place on, and in steps."""
    sizes = memref_type(value).get_shape()
    axis = len(indices)
    if axis == len(sizes):
        at.store(zero, value, *indices)
        return
    size = sizes[axis]
    end = at.op(memref.DimOp(value, at.index(axis))) if size == DYNAMIC_INDEX else size
    with at.loop(spread[0], end, spread[1]) as (inside, index):
        _fill_from(inside, value, zero, (*indices, index))


@GUARDS.on("memref.alloca")
def guard_alloca(guards: Guards, op: memref.AllocaOp) -> None:
    """Little memory of known size is on the stack; other memory comes from the heap, and is freed with its block."""
    _check_aligned(op)
    layout = guards.layout(op, op.memref)
    bytes = (byte_size(layout.element) or 1) * prod(n or 0 for n in layout.sizes)
    guards.stack += bytes
    on_stack = None not in layout.sizes and guards.stack <= STACK_BYTES
    goes_around = _repeats(op) and op.memref in guards.memory.carried
    if on_stack and not goes_around:
        return _fill(op, op.memref)
    if any(_is_within(op, name) for name in _GRIDS[1:]):
        raise PassError(
            op,
            "guard-stack",
            f"'{op.name}' makes a {op.memref.type}, more than a kernel's stack holds for sure",
            hint=FLAG,
        )
    block = op.parent_block()
    assert block is not None
    region = block.parent
    if goes_around or region is None or len(region.blocks) > 1 or block in guards.memory.leaves(op.memref):
        raise PassError(
            op,
            "guard-stack-escape",
            f"what '{op.name}' makes, a {op.memref.type}, leaves the block that it is in",
            hint=FLAG,
        )
    new = OpBuilder(op).emit(memref.AllocOp(list(op.dynamic_sizes), [], op.memref.type, op.alignment))
    new.memref.name_hint = op.memref.name_hint
    op.memref.replace_all_uses_with(new.memref)
    last = block.last_op
    assert last is not None
    OpBuilder(last, op).emit(memref.DeallocOp.get(new.memref))
    op.detach()
    op.erase()
    guard_alloc(guards, new)


# Globals


@GUARDS.on("memref.global")
def guard_global(guards: Guards, op: memref.GlobalOp) -> None:
    """It has a value, or zeros."""
    _check_aligned(op)
    if isinstance(op.initial_value, DenseIntOrFPElementsAttr):
        return
    type: Any = op.type
    _check_elements(op, type.element_type)
    guards.globals = check_dense(type, guards.globals, where_of(op))
    zero = 0.0 if is_float(type.element_type) else 0
    kind: Any = TensorType(type.element_type, type.get_shape())
    op.properties["initial_value"] = dense(kind, [zero])


@GUARDS.on("memref.get_global")
def guard_get_global(guards: Guards, op: memref.GetGlobalOp) -> None:
    """The type is that of the global, and nobody writes to a constant."""
    symbol = SymbolTable.lookup_symbol(op, op.name_)
    if not isinstance(symbol, memref.GlobalOp) or symbol.type != op.memref.type:
        raise PassError(
            op,
            "guard-global-type",
            f"'{op.name}' takes @{op.name_.string_value()} as a {op.memref.type}, which it is not",
            hint="take it as it is",
        )
    if symbol.constant is not None and guards.memory.writes(op.memref):
        raise PassError(
            op,
            "guard-constant-write",
            f"'{op.name}' @{op.name_.string_value()} is a constant, which is written to",
            hint="write to a copy of it",
        )
