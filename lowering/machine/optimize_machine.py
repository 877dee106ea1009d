"""`optimize-machine`: machine code becomes shorter machine code of the same meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from hologram.dialects.atlas.lanes import branches
from hologram.dialects.atlas.lanes.programs import ProgramOp as LaneProgramOp
from hologram.dialects.machine.control import CallOp
from hologram.dialects.machine.directives import PoolOp
from hologram.dialects.machine.program import HeaderOp, ProgramOp
from hologram.errors import PassError
from hologram.lowering.machine.assign_registers import AssignRegistersPass
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.lowering.machine.metadata import length_of
from hologram.support.walking import operations
from hologram.transforms import get_all_passes

_PASSES = ("sccp", "mem2reg", "canonicalize", "cse", "sccp", "canonicalize", "cse")


@dataclass(frozen=True)
class OptimizeMachinePass(ModulePass):
    """Lifts the machine code of a module to SSA form, folds constants, simplifies, removes what is repeated and what
    nothing needs, and assigns registers again.

    A program that calls no function is replaced if this makes it shorter. Those that call, functions and array-level
    programs are replaced together. Functions that nothing calls are removed, unless there are only functions. What a
    program takes stays as it was, but for the registers that scalars arrive in.

    Before, as assembly::

        .program k(buf0: u32[?]) {
          mov_imm.u32 r0, 6
          mov_imm.u32 r1, 7
          mul.u32 r2, r0, r1
          add.u32 r3, r2, r2
          stg.u32 [buf0], r2
          exit
        }

    After::

        .program k(buf0: u32[?]) {
          mov_imm.i32 r4, 42
          stg.u32 [buf0], r4
          exit
        }
    """

    name = "optimize-machine"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        old = [o for o in op.body.block.ops if isinstance(o, HeaderOp | PoolOp)]
        try:
            new = _optimized(ctx, ModuleOp([o.clone() for o in old]))
        except PassError as error:
            if error.code != "assign-pressure":
                raise
            return  # values of thousands of bits that a hand placed better than linear scan
        chosen = _shorter(old, new)
        for item in old:
            item.detach()
        op.body.block.add_ops(chosen)
        for item in old:
            if item.parent is None:
                item.erase()


def _optimized(ctx: Context, module: ModuleOp) -> list[Operation]:
    """The optimised items of a module of machine code."""
    pools = [o.clone() for o in module.body.block.ops if isinstance(o, PoolOp)]
    LiftMachinePass().apply(ctx, module)
    _drop_uncalled(module)
    passes = get_all_passes()
    for name in _PASSES:
        passes[name]()().apply(ctx, module)
    AssignRegistersPass().apply(ctx, module)
    items = [o for o in module.body.block.ops if not isinstance(o, PoolOp)]
    for item in items:
        item.detach()
    return [*pools, *items]


def _drop_uncalled(module: ModuleOp) -> None:
    """Removes the lane functions that no program calls, where there are programs."""
    items = list(module.body.block.ops)
    waiting: list[Operation] = [o for o in items if isinstance(o, LaneProgramOp | func.FuncOp)]
    if not waiting:
        return
    functions = {o.sym_name.data: o for o in items if isinstance(o, branches.FuncOp)}
    while waiting:
        calls = [o for o in operations(waiting.pop()) if isinstance(o, branches.CallOp)]
        called = [functions.pop(c.callee.root_reference.data, None) for c in calls]
        waiting += [f for f in called if f is not None]
    for function in functions.values():
        function.detach()
        function.erase()


def _shorter(old: Sequence[Operation], new: Sequence[Operation]) -> list[Operation]:
    """The optimised items that are shorter, and else the items as they were."""
    alone = {o.symbol: o for o in old if isinstance(o, ProgramOp) and _is_alone(o)}
    chosen: dict[str, Operation] = {}
    for item in new:
        if isinstance(item, ProgramOp) and (known := alone.get(item.symbol)) is not None:
            chosen[item.symbol] = item if length_of(item) < length_of(known) else known
    together = [o for o in new if not (isinstance(o, ProgramOp) and o.symbol in alone)]
    before = [o for o in old if not (isinstance(o, ProgramOp) and o.symbol in alone)]
    if sum(map(length_of, together)) < sum(map(length_of, before)):
        return [chosen.get(_symbol(o), o) for o in new]
    return [chosen.get(_symbol(o), o) for o in old]


def _is_alone(op: ProgramOp) -> bool:
    return not any(isinstance(o, CallOp) for o in operations(op))


def _symbol(op: Operation) -> str:
    return op.symbol if isinstance(op, ProgramOp) else ""
