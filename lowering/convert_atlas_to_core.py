"""Converts scalar and lane-level atlas instructions to the core dialects, with guards where the ISA is stricter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass

from hologram.dialects import gpu
from hologram.dialects.atlas.arrays import ArrayOp
from hologram.dialects.atlas.class_memory import BoundMapOp
from hologram.dialects.atlas.lanes import LaunchOp, ProgramOp
from hologram.dialects.atlas.state import ResAccumOp
from hologram.errors import PassError, UsageError
from hologram.lowering import (
    atlas_class_memory_rules,
    atlas_class_rules,
    atlas_control_rules,
    atlas_cvt_rules,
    atlas_lane_rules,
    atlas_math_rules,
    atlas_scalar_rules,
)
from hologram.lowering.atlas_state import AtlasRewriter
from hologram.lowering.conversion import Rules, convert_module
from hologram.lowering.device_symbols import symbol_of
from hologram.lowering.expansions.tables import declare
from hologram.lowering.helper_functions import RESONATE, define_helpers, resonate_function
from hologram.lowering.hidden_arguments import CLASSES, RESONANCE, TRAP, Hidden, add_hidden
from hologram.lowering.launch_pools import provide_pools
from hologram.lowering.schedules.spans import place_reducers
from hologram.lowering.traps import Sites
from hologram.walking import operations

RULES = Rules.merge(
    rules.RULES
    for rules in (
        atlas_scalar_rules,
        atlas_class_rules,
        atlas_class_memory_rules,
        atlas_cvt_rules,
        atlas_math_rules,
        atlas_lane_rules,
        atlas_control_rules,
    )
)


@dataclass(frozen=True)
class ConvertAtlasToCorePass(ModulePass):
    """Turns scalar atlas instructions into arith and math with the ISA's semantics, and lane programs into gpu kernels.

    A site that may trap (integer division by what is not a nonzero constant, an access out of range) fills the trap
    record, which the function takes as a last argument, and leaves the function. `bounds` says what happens to the
    accesses of lane programs that are not proven in range: `guard` traps, `trust` relies on the program. Activations
    that math has no operation for (`sigmoid`, `swish`, `gelu`) are expanded, with `fma=false` as in `expand-math`.

    Before::

        func.func @f(%a: i32, %b: i32) -> i32 {
          %q = atlas.div i32 %a, %b
          func.return %q : i32
        }

    After::

        func.func @f(%a: i32, %b: i32, %trap: memref<8xi64> {hologram.trap}) -> i32
            attributes {hologram.sites = ["atlas.div i32: integer division by zero; at f.mlir:2:3"]} {
          %zero = arith.cmpi eq, %b, %c0 : i32
          scf.if %zero {
            func.call @hologram_trap(%trap, %site, %lane, %v0, %v1) : (...) -> ()
          }
          cf.assert %nonzero, "integer division by zero"
          ... arith.divsi, with least / -1 wrapping
        }
    """

    name = "convert-atlas-to-core"
    bounds: str = "guard"
    fma: bool = True
    """Whether the target has a true fused multiply-add."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.bounds not in ("guard", "trust"):
            raise UsageError(
                "core-bounds", f"option 'bounds' of convert-atlas-to-core is guard or trust, not '{self.bounds}'"
            )
        for nested in operations(op):
            if isinstance(nested, ArrayOp):
                raise PassError(
                    nested,
                    "core-array-level",
                    f"'{nested.name}' is an array-level instruction, not a scalar one",
                    hint="run schedule-atlas first",
                )
        provide_pools(op)
        add_hidden(op, self._needs)
        sites = Sites.of(op)
        programs = [o for o in op.body.block.ops if isinstance(o, ProgramOp)]
        rw = AtlasRewriter(RULES, sites, self.bounds == "guard", _free_name(op), programs)
        rw.fused = self.fma
        rw.function_state = atlas_class_rules.state_of_functions(op)
        rw.functions = {o.sym_name.data for o in op.body.block.ops if isinstance(o, func.FuncOp)}
        convert_module(op, RULES, rw)
        if rw.kernels:
            op.body.block.add_op(gpu.ModuleOp(rw.kernel_module, Region(Block(rw.kernels))))
            op.attributes["gpu.container_module"] = UnitAttr()
        declare(rw.tables)
        sites.attach(op)
        define_helpers(op, {RESONATE: resonate_function})
        place_reducers(op)

    def _needs(self, op: Operation) -> Collection[Hidden]:
        """The hidden arguments that the code of an operation uses."""
        if not op.name.startswith("atlas."):
            return ()
        kinds = [TRAP] if self._may_trap(op) else []
        match op:
            case BoundMapOp():
                kinds.append(CLASSES)
            case ResAccumOp():
                kinds.append(RESONANCE)
            case _:
                pass
        return kinds

    def _may_trap(self, op: Operation) -> bool:
        if isinstance(op, LaunchOp):
            return atlas_lane_rules.launch_may_trap(op)
        if atlas_control_rules.loses_lanes(op):
            return True
        if any(r.may_trap(op) for r in (atlas_scalar_rules, atlas_class_rules, atlas_class_memory_rules)):
            return True
        return (self.bounds == "guard" and atlas_lane_rules.access_may_trap(op))


def _free_name(module: ModuleOp) -> str:
    taken = {symbol_of(o) for o in module.body.block.ops}
    name, number = "programs", 0
    while name in taken:
        name, number = f"programs_{number}", number + 1
    return name
