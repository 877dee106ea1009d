"""The rules of convert-atlas-to-core for lane programs and the Atlas state alone; other modules never load it.

A launch makes the pools of its program, and passes them as it passes buffers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects import gpu, marks
from hologram.dialects.atlas.lanes.class_memory import BoundMapOp
from hologram.dialects.atlas.lanes.pools import PoolAllocOp, PoolFreeOp, PoolOp
from hologram.dialects.atlas.lanes.programs import CallOp, ExitOp, FuncOp, LaunchOp, ProgramOp
from hologram.dialects.atlas.lanes.state import ResAccumOp
from hologram.lowering.lanes import class_rules, control_rules, lane_rules, scalar_rules
from hologram.lowering.lanes.state import AtlasRewriter, constant_integer
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.hidden_arguments import (
    CLASSES,
    RESONANCE,
    TRAP,
    Hidden,
    callee_of,
    insert_argument,
    pass_on,
    position,
)
from hologram.support.walking import operations

__all__ = ["RULES", "begin", "needs", "place_kernels", "provide_pools"]

RULES = Rules.merge(rules.RULES for rules in (class_rules, lane_rules, control_rules))


def needs(*, guarded: bool) -> Callable[[Operation], Collection[Hidden]]:
    """Gives the hidden arguments that the code of an operation uses; accesses that are not proven may be guarded."""

    def of(op: Operation) -> Collection[Hidden]:
        if not op.name.startswith("atlas."):
            return ()
        kinds = [TRAP] if _may_trap(op, guarded) else []
        match op:
            case BoundMapOp():
                kinds.append(CLASSES)
            case ResAccumOp():
                kinds.append(RESONANCE)
            case _:
                pass
        return kinds

    return of


def _may_trap(op: Operation, guarded: bool) -> bool:
    if isinstance(op, LaunchOp):
        return lane_rules.launch_may_trap(op)
    if control_rules.loses_lanes(op, {}):
        return True
    if any(r.may_trap(op) for r in (scalar_rules, class_rules)):
        return True
    return guarded and lane_rules.access_may_trap(op)


def begin(rw: AtlasRewriter, module: ModuleOp) -> None:
    """Tells the walk of the module's programs and functions."""
    programs = [o for o in module.body.block.ops if isinstance(o, ProgramOp)]
    rw.block_sizes = {p.sym_name.data: p.block_size for p in programs}
    rw.grids = _grids(module)
    rw.open_programs = {p.sym_name.data for p in programs if p.open_arrays}
    rw.function_state = class_rules.state_of_functions(module)
    _find_leaving(rw, module)


def _find_leaving(rw: AtlasRewriter, module: ModuleOp) -> None:
    """Tells the walk which functions lanes may not come back from: those with exits or traps, and what calls them."""
    functions = [o for o in module.body.block.ops if isinstance(o, FuncOp)]
    inside = {f.sym_name.data: operations(f) for f in functions}
    calls = {name: {callee_of(o) for o in ops if isinstance(o, CallOp)} for name, ops in inside.items()}
    traps = {f.sym_name.data for f in functions if position(f, TRAP) is not None}
    rw.leaving = traps | {name for name, ops in inside.items() if any(isinstance(o, ExitOp) for o in ops)}
    while more := {n for n, callees in calls.items() if n not in rw.leaving and callees & rw.leaving}:
        rw.leaving |= more
    for op in operations(module):
        if isinstance(op, CallOp) and callee_of(op) not in rw.leaving:
            rw.held[op] = frozenset()  # It does not count as a call where is asked whether lanes may leave.


def _grids(module: ModuleOp) -> dict[str, tuple[int | None, ...]]:
    """The numbers of blocks that are known: most programs have one block along y and z."""
    grids: dict[str, tuple[int | None, ...]] = {}
    for op in operations(module):
        if isinstance(op, LaunchOp):
            sizes = tuple(constant_integer(v) for v in op.grid)
            name = op.program.string_value()
            known = grids.setdefault(name, sizes)
            grids[name] = tuple(a if a == b else None for a, b in zip(known, sizes, strict=True))
    return grids


def place_kernels(rw: AtlasRewriter, module: ModuleOp) -> None:
    """Puts the kernels that were made into a gpu.module."""
    if rw.kernels:
        module.body.block.add_op(gpu.ModuleOp(rw.kernel_module, Region(Block(rw.kernels))))
        module.attributes["gpu.container_module"] = UnitAttr()


# Pools

Body = ProgramOp | FuncOp


def provide_pools(module: ModuleOp) -> None:
    """Gives each program and function the pools that it or what it calls asks for, as first arguments.

    A pool belongs to the launch, so that of each launch is made before and given back after it.
    """
    pools = [op for op in module.body.block.ops if isinstance(op, PoolOp)]
    bodies = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, Body)}
    calls = {name: [o for o in operations(op) if isinstance(o, CallOp)] for name, op in bodies.items()}
    launches = [o for o in operations(module) if isinstance(o, LaunchOp)] if pools else []
    for pool in pools:
        needing = _needing(pool, bodies, calls)
        for name in needing:
            value = insert_argument(bodies[name], 0, pool.type, pool.sym_name.data, {})
            for op in [o for o in operations(bodies[name]) if isinstance(o, PoolAllocOp) and _names(o, pool)]:
                Rewriter.replace_op(op, [], [value])
            for call in calls[name]:
                if callee_of(call) in needing:
                    pass_on(call, 0, value)
        launches = [_launch(op, pool) if callee_of(op) in needing else op for op in launches]
    for op in [o for o in operations(module) if isinstance(o, PoolFreeOp | PoolOp)] if pools else ():
        Rewriter.erase_op(op)


def _names(op: PoolAllocOp, pool: PoolOp) -> bool:
    return op.pool.string_value() == pool.sym_name.data


def _needing(pool: PoolOp, bodies: dict[str, Body], calls: dict[str, list[CallOp]]) -> set[str]:
    """The programs and functions that ask for a pool, or call one that does."""
    users = {
        name
        for name, op in bodies.items()
        if any(isinstance(o, PoolAllocOp) and _names(o, pool) for o in operations(op))
    }
    while more := {n for n, cs in calls.items() if n not in users and any(callee_of(c) in users for c in cs)}:
        users |= more
    return users


def _launch(op: LaunchOp, pool: PoolOp) -> LaunchOp:
    """The launch with a pool of its own, passed first."""
    alloc = memref.AllocOp([], [], pool.type)
    alloc.attributes[marks.OWNER] = StringAttr(f"{pool.name} @{pool.sym_name.data}")
    free = memref.DeallocOp.get(alloc.memref)
    for new in (alloc, free):
        new.location = op.location
    Rewriter.insert_op(alloc, InsertPoint.before(op))
    Rewriter.insert_op(free, InsertPoint.after(op))
    pass_on(op, 0, alloc.memref)
    launch = alloc.next_op
    assert isinstance(launch, LaunchOp)
    return launch
