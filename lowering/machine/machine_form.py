"""The machine form of the lane programs of a module, apart from the functions that launch them."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp, IndexCastOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i64
from xdsl.dialects.memref import DimOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.rewriter import Rewriter

from hologram.dialects.atlas.lanes.programs import ProgramOp
from hologram.lowering.machine.assign_registers import AssignRegistersPass
from hologram.support.walking import operations
from hologram.transforms.lanes.inline_lane_functions import InlineLaneFunctionsPass


def machine_form(shaped: ModuleOp, ctx: Context) -> ModuleOp:
    """The lane programs of a module behind the first stage as machine code, without the functions that launch them."""
    module = shaped.clone()
    for op in list(module.body.block.ops):
        if op.name == "func.func":
            op.detach()
            op.erase()
    InlineLaneFunctionsPass().apply(ctx, module)
    for op in module.body.block.ops:
        if isinstance(op, ProgramOp):
            _take_sizes_as_integers(op)
    AssignRegistersPass().apply(ctx, module)
    return module


def _take_sizes_as_integers(program: ProgramOp) -> None:
    """Machine code has no indices: what is one only to be cast to i64 becomes a parameter of this type. Sizes of arrays
    that the body asks for follow the parameters that there are."""
    entry = program.body.blocks[0]
    for arg in list(entry.args):
        if isinstance(arg.type, IndexType) and _is_only_cast(arg):
            _erase_casts(Rewriter.replace_value_with_new_type(arg, i64))
    sizes: dict[tuple[SSAValue, int], SSAValue] = {}
    for op in operations(program):
        if not isinstance(op, DimOp) or not isinstance(op.source, BlockArgument) or not _is_only_cast(op.result):
            continue
        axis = op.index.owner
        if op.source.block is not entry or not isinstance(axis, ConstantOp) or not isinstance(axis.value, IntegerAttr):
            continue
        key = op.source, axis.value.value.data
        if key not in sizes:
            sizes[key] = entry.insert_arg(i64, len(entry.args))
        op.result.replace_all_uses_with(sizes[key])
        _erase_casts(sizes[key])
        Rewriter.erase_op(op)
        if not axis.result.uses:
            Rewriter.erase_op(axis)


def _is_only_cast(value: SSAValue) -> bool:
    return all(isinstance(use.operation, IndexCastOp) for use in value.uses)


def _erase_casts(number: SSAValue) -> None:
    """Has what is cast to i64, and is one already, used as it is."""
    for op in [use.operation for use in number.uses if isinstance(use.operation, IndexCastOp)]:
        op.results[0].replace_all_uses_with(number)
        Rewriter.erase_op(op)
