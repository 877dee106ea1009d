"""The rules of convert-atlas-to-core for lane programs and the Atlas state alone; other modules never load it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, Region

from hologram.dialects import gpu
from hologram.dialects.atlas.lanes.class_memory import BoundMapOp
from hologram.dialects.atlas.lanes.programs import LaunchOp, ProgramOp
from hologram.dialects.atlas.lanes.state import ResAccumOp
from hologram.lowering.lanes import class_memory_rules, class_rules, control_rules, lane_rules, scalar_rules
from hologram.lowering.lanes.launch_pools import provide_pools
from hologram.lowering.lanes.state import AtlasRewriter, constant_integer
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.hidden_arguments import CLASSES, RESONANCE, TRAP, Hidden
from hologram.support.walking import operations

__all__ = ["RULES", "begin", "needs", "place_kernels", "provide_pools"]

RULES = Rules.merge(rules.RULES for rules in (class_rules, class_memory_rules, lane_rules, control_rules))


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
    if control_rules.loses_lanes(op):
        return True
    if any(r.may_trap(op) for r in (scalar_rules, class_rules, class_memory_rules)):
        return True
    return guarded and lane_rules.access_may_trap(op)


def begin(rw: AtlasRewriter, module: ModuleOp) -> None:
    """Tells the walk of the module's programs and functions."""
    programs = [o for o in module.body.block.ops if isinstance(o, ProgramOp)]
    rw.block_sizes = {p.sym_name.data: p.block_size for p in programs}
    rw.grids = _grids(module)
    rw.open_programs = {p.sym_name.data for p in programs if p.open_arrays}
    rw.function_state = class_rules.state_of_functions(module)


def _grids(module: ModuleOp) -> dict[str, tuple[int | None, ...]]:
    """The numbers of blocks that are known: most programs have one block along y and z."""
    found: dict[str, tuple[int | None, ...]] = {}
    for op in operations(module):
        if isinstance(op, LaunchOp):
            sizes = tuple(constant_integer(v) for v in op.grid)
            name = op.program.string_value()
            known = found.setdefault(name, sizes)
            found[name] = tuple(a if a == b else None for a, b in zip(known, sizes, strict=True))
    return found


def place_kernels(rw: AtlasRewriter, module: ModuleOp) -> None:
    """Puts the kernels that were made into a gpu.module."""
    if rw.kernels:
        module.body.block.add_op(gpu.ModuleOp(rw.kernel_module, Region(Block(rw.kernels))))
        module.attributes["gpu.container_module"] = UnitAttr()
