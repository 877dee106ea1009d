"""The functions that lanes call for `atlas.reduce.*.span`: one for each combiner, type and space of memory."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, ModuleOp, NoneAttr, i64
from xdsl.ir import Attribute, SSAValue

from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.instructions.types import DType, PtrType, Space, SpaceAttr
from hologram.dialects.atlas.lanes.memory import LeaOp, space_of
from hologram.dialects.atlas.lanes.reductions import SpanOp
from hologram.dialects.shapes import is_memref
from hologram.lowering.rewriting.helper_functions import define_helpers
from hologram.lowering.rewriting.hidden_arguments import callee_of
from hologram.support.walking import operations

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
        underlying = known_object(op.memref)
        by_element = underlying is op.memref or (
            underlying is not None
            and is_memref(underlying.type)
            and bool(underlying.type.get_shape())
            and underlying.type.element_type == op.dtype.ir
            and op.dtype.bits <= 64
        )
        space = space_of(underlying.type) if underlying is not None and by_element else None
        return Reducer(Kind(op.KIND), op.dtype, space if space is None or space in OWN else Space.global_)


def known_object(pointer: SSAValue) -> SSAValue | None:
    """The memref that a pointer was made from, if the program says it."""
    while isinstance(pointer.type, PtrType):
        owner = pointer.owner
        if not isinstance(owner, LeaOp):
            return None
        pointer = owner.base
    return pointer


def place_reducers(module: ModuleOp) -> None:
    """Moves the functions to where the kernels are that call them."""
    functions = [o for o in module.body.block.ops if isinstance(o, func.FuncOp) and o.sym_name.data.startswith(PREFIX)]
    define_helpers(module, {op.sym_name.data: op.clone for op in functions})
    own = [o for top in module.body.block.ops if isinstance(top, func.FuncOp) for o in operations(top)]
    called = {callee_of(o) for o in own}
    for op in functions:
        if op.sym_name.data not in called:
            op.detach()
            op.erase()
