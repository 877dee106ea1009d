"""`reduce.*` over elements of memory on a CPU: a function for each combiner and type, which lanes call."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import FunctionType, ModuleOp, i64
from xdsl.ir import Block, Region, SSAValue

from hologram.dialects import llvm as ours
from hologram.dialects.atlas.instructions.types import working_type
from hologram.dialects.atlas.lanes.reductions import SpanOp
from hologram.lowering.lanes.reducers import Reducer, known_object, place_reducers
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.target import Target
from hologram.support.walking import operations


def add_reducers(module: ModuleOp, target: Target) -> None:
    """Adds the functions that the lanes of a module call."""
    reducers = dict.fromkeys(Reducer.of(op) for op in operations(module) if isinstance(op, SpanOp))
    module.body.block.add_ops([_function(reducer, target) for reducer in reducers])


def _function(reducer: Reducer, target: Target) -> func.FuncOp:
    from hologram.lowering.schedules.cpu.reduction import reduction  # few modules have these instructions

    rw = Rewriter(Rules())
    body = Block(arg_types=reducer.inputs)
    rw.move_to(body)
    b, dtype = Builder(rw), reducer.dtype
    work = working_type(reducer.kind.value, dtype)

    def element(indices: Sequence[Index], t: Index) -> list[SSAValue]:
        value = _load(b, reducer, body.args, indices[0])
        return [b.cvt(dtype, work, value)]

    form = reduction(b, [(reducer.kind, work)], [body.args[-1]], element, target=target)
    total = form.result(0, 0)
    rw.emit(func.ReturnOp(b.cvt(work, dtype, total)))
    types = FunctionType.from_lists(reducer.inputs, [dtype.ir])
    return func.FuncOp(reducer.name, types, Region(body), visibility="private")


def _load(b: Builder, reducer: Reducer, arguments: Sequence[SSAValue], number: Index) -> SSAValue:
    if reducer.space is not None:
        return b.load(arguments[0], [b.add(arguments[1], number)])
    offset = b.index_as(b.mul(number, reducer.dtype.bytes), i64)
    place = b.op(ours.IntToPtrOp(b.core.add(arguments[0], offset), llvm.LLVMPointerType()))
    return b.op(ours.LoadOp(place, reducer.dtype.ir, 1))


__all__ = ["Reducer", "add_reducers", "known_object", "place_reducers"]
