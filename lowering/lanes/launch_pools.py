"""Pools at the kernel level: a launch makes the pools of its program, and passes them as it passes buffers."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects import marks
from hologram.dialects.atlas.lanes.pools import PoolAllocOp, PoolFreeOp, PoolOp
from hologram.dialects.atlas.lanes.programs import CallOp, FuncOp, LaunchOp, ProgramOp
from hologram.lowering.rewriting.hidden_arguments import callee_of, insert_argument, pass_on
from hologram.support.walking import operations

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
    found = {
        name for name, op in bodies.items() if any(isinstance(o, PoolAllocOp) and _names(o, pool) for o in op.walk())
    }
    while more := {n for n, cs in calls.items() if n not in found and any(callee_of(c) in found for c in cs)}:
        found |= more
    return found


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
    made = alloc.next_op
    assert isinstance(made, LaunchOp)
    return made
