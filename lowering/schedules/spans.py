"""`reduce.*` over elements of memory on a CPU: a function for each combiner and type, which lanes call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, func, llvm, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, IndexType, MemRefType, ModuleOp, NoneAttr, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from hologram.dialects import llvm as ours
from hologram.dialects.atlas.arrays import Kind
from hologram.dialects.atlas.lane_memory import LeaOp, space_of
from hologram.dialects.atlas.lane_reductions import SpanOp
from hologram.dialects.atlas.scalar import CvtOp
from hologram.dialects.atlas.types import DType, PtrType, Space, SpaceAttr, working_type
from hologram.dialects.shapes import is_memref
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.helper_functions import define_helpers
from hologram.lowering.hidden_arguments import callee_of
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.walking import operations

PREFIX = "hologram_reduce_"
"""What the names of these functions begin with."""
OWN = (Space.shared, Space.local)
"""The spaces that memrefs name at the kernel level."""
INDEX = IndexType()


@dataclass(frozen=True)
class Reducer:
    """One such function. By elements it takes a memref of one axis, the first element's number, and how many there
    are; by address the first element's place and how many there are."""

    kind: Kind
    dtype: DType
    space: Space | None
    """The space of the memref; None by address."""

    @property
    def name(self) -> str:
        where = "_at" if self.space is None else f"_{self.space.value}" if self.space in OWN else ""
        return f"{PREFIX}{self.kind.value}_{self.dtype.name}{where}"

    @property
    def inputs(self) -> list[Attribute]:
        """The types of its arguments, as schedule-atlas leaves them."""
        if self.space is None:
            return [i64, INDEX]
        space = SpaceAttr(self.space) if self.space in OWN else NoneAttr()
        return [MemRefType(self.dtype.ir, [DYNAMIC_INDEX], NoneAttr(), space), INDEX, INDEX]

    @staticmethod
    def of(op: SpanOp) -> Reducer:
        """The function that does what an instruction says."""
        found = known_object(op.memref)
        by_element = found is op.memref or (
            found is not None
            and is_memref(found.type)
            and bool(found.type.get_shape())
            and found.type.element_type == op.dtype.ir
            and op.dtype.bits <= 64
        )
        space = space_of(found.type) if found is not None and by_element else None
        return Reducer(Kind(op.KIND), op.dtype, space if space is None or space in OWN else Space.global_)


def known_object(pointer: SSAValue) -> SSAValue | None:
    """The memref that a pointer was made from, if the program says it."""
    while isinstance(pointer.type, PtrType):
        owner = pointer.owner
        if not isinstance(owner, LeaOp):
            return None
        pointer = owner.base
    return pointer


def add_reducers(module: ModuleOp, target: Target) -> None:
    """Adds the functions that the lanes of a module call."""
    asked = dict.fromkeys(Reducer.of(op) for op in operations(module) if isinstance(op, SpanOp))
    module.body.block.add_ops([_function(reducer, target) for reducer in asked])


def _function(reducer: Reducer, target: Target) -> func.FuncOp:
    from hologram.lowering.schedules.reduction import reduction  # few modules have these instructions

    rw = Rewriter(Rules())
    body = Block(arg_types=reducer.inputs)
    rw.move_to(body)
    b, dtype = Builder(rw), reducer.dtype
    work = working_type(reducer.kind.value, dtype)

    def element(indices: Sequence[Index], t: Index) -> list[SSAValue]:
        value = _load(b, reducer, body.args, indices[0])
        return [value if work is dtype else b.op(CvtOp(dtype, work, value))]

    made = reduction(b, [(reducer.kind, work)], [body.args[-1]], element, target=target)
    total = made.result(0, 0)
    rw.emit(func.ReturnOp(total if work is dtype else b.op(CvtOp(work, dtype, total))))
    types = FunctionType.from_lists(reducer.inputs, [dtype.ir])
    return func.FuncOp(reducer.name, types, Region(body), visibility="private")


def _load(b: Builder, reducer: Reducer, arguments: Sequence[SSAValue], number: Index) -> SSAValue:
    if reducer.space is not None:
        return b.op(memref.LoadOp.get(arguments[0], [b.index(b.add(arguments[1], number))]))
    offset = b.op(arith.IndexCastOp(b.index(b.mul(number, reducer.dtype.bytes)), i64))
    place = b.op(ours.IntToPtrOp(b.op(arith.AddiOp(arguments[0], offset)), llvm.LLVMPointerType()))
    return b.op(ours.LoadOp(place, reducer.dtype.ir, 1))


def place_reducers(module: ModuleOp) -> None:
    """Moves the functions to where the kernels are that call them."""
    found = [o for o in module.body.block.ops if isinstance(o, func.FuncOp) and o.sym_name.data.startswith(PREFIX)]
    define_helpers(module, {op.sym_name.data: op.clone for op in found})
    own = [o for top in module.body.block.ops if isinstance(top, func.FuncOp) for o in operations(top)]
    called = {callee_of(o) for o in own}
    for op in found:
        if op.sym_name.data not in called:
            op.detach()
            op.erase()


__all__ = ["Reducer", "add_reducers", "known_object", "place_reducers"]
