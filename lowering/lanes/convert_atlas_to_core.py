"""Converts scalar and lane-level atlas instructions to the core dialects, with guards where the ISA is stricter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects.atlas.arrays.general import ArrayOp
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.declaration import Instruction, from_outside
from hologram.dialects.atlas.instructions.types import DType, SpaceAttr
from hologram.errors import PassError, UsageError
from hologram.lowering.arithmetic import conversions
from hologram.lowering.arithmetic.expansions.tables import declare
from hologram.lowering.arithmetic.float8 import held_float8
from hologram.lowering.lanes import math_rules, scalar_rules
from hologram.lowering.lanes.reducers import place_reducers
from hologram.lowering.lanes.state import AtlasRewriter, scalar_rule
from hologram.lowering.rewriting.conversion import Rules, convert_module
from hologram.lowering.rewriting.core_builder import Core
from hologram.lowering.rewriting.helper_functions import RESONATE, define_helpers, resonate_function
from hologram.lowering.rewriting.hidden_arguments import TRAP, Hidden, add_hidden
from hologram.lowering.rewriting.traps import Sites
from hologram.plugins.tables import Row, imported
from hologram.support.walking import operations, symbol_of

RULES = Rules.merge(rules.RULES for rules in (scalar_rules, conversions, math_rules))
"""The rules of scalar instructions, which lane programs use too."""


def _from_outside(instruction: Instruction, row: Row) -> None:
    """Registers the rule of an instruction of a plug-in."""
    if not instruction.is_instruction:
        return
    given = row.more.get("lower")

    def late(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
        rule: Any = imported(given, row) if isinstance(given, str) else given
        return rule(rw, core, op, t, args)

    emit = scalar_rules.composition if instruction.compose is not None and given is None else late

    def checked(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
        value: Any = emit(rw, core, op, t, args)
        found: Any = getattr(value, "type", type(value).__name__)
        if found != (wanted := rw.types(op.result.type)[0]):
            message = f"the rule of '{instruction.name}' gives {found}, and its result is {wanted}"
            hint = "return the value that was emitted last; do.sel(...) chooses, and do.mul(a, 0.5) takes numbers"
            raise PassError(op, "plugin-instruction-value", f"{message}: {_place(row)}", hint=hint)
        return value

    scalar_rule(RULES, scalar.INSTRUCTIONS[instruction.name])(checked)


def _place(row: Row) -> str:
    return f"plug-in '{row.plugin}'" if row.where is None else f"{row.where.file}:{row.where.line}"


from_outside(_from_outside)


@dataclass(frozen=True)
class ConvertAtlasToCorePass(ModulePass):
    """Turns scalar atlas instructions into arith and math with the ISA's semantics, and lane programs into gpu kernels.

    A site that may trap (integer division by what is not a nonzero constant, an access out of range) fills the trap
    record, which the function takes as a last argument, and leaves the function. `bounds` says what happens to the
    accesses of lane programs that are not proven in range: `guard` traps, `trust` relies on the program. Activations
    that math has no operation for (`sigmoid`, `swish`, `gelu`) are expanded, with `fma=false` as in `expand-math`.
    A `mad` with the mark `contract` rounds once, unless `contract=false`.

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
    tables: bool = True
    """Whether tables are as fast as arithmetic; else gelu of f32 has none."""
    contract: bool = True
    """Whether that is the faster way to multiply and add: an instruction, not a function."""
    f64: bool = True
    """Whether the target has floats of 64 bits, in which those of 16 are multiplied and added; else f32 must do."""

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
        rules, needs = RULES, _needs_of_scalars
        programs: Any = None
        if _needs_program_rules(op):
            # Loaded for modules with lane programs alone, as it takes long.
            programs = import_module("hologram.lowering.lanes.program_rules")
            rules = Rules.merge((rules, programs.RULES))
            needs = programs.needs(guarded=self.bounds == "guard")
            programs.provide_pools(op)
        add_hidden(op, needs)
        sites = Sites.of(op)
        rw = AtlasRewriter(rules, sites, self.bounds == "guard", _free_name(op))
        rw.fused, rw.looks_up, rw.contract, rw.doubles = self.fma, self.tables, self.contract, self.f64
        rw.functions = {o.sym_name.data for o in op.body.block.ops if isinstance(o, func.FuncOp)}
        if programs is not None:
            programs.begin(rw, op)
        convert_module(op, rules, rw)
        if programs is not None:
            programs.place_kernels(rw, op)
        declare(rw.tables)
        sites.attach(op)
        define_helpers(op, {RESONATE: resonate_function})
        place_reducers(op)


def _needs_of_scalars(op: Operation) -> Collection[Hidden]:
    return [TRAP] if scalar_rules.may_trap(op) else []


def _needs_program_rules(module: ModuleOp) -> bool:
    """Return whether there is more than scalar instructions, or a type that the kernel level has another for."""
    ops = operations(module)
    if any(op.name.startswith("atlas.") and RULES.find(type(op)) is None for op in ops):
        return True
    types = {result.type for op in ops for result in op.results}
    types |= {arg.type for op in ops for region in op.regions for block in region.blocks for arg in block.args}
    for function in (op for op in ops if isinstance(op, func.FuncOp)):
        types |= {*function.function_type.inputs, *function.function_type.outputs}
    return any(held_float8(t) or (isinstance(t, MemRefType) and isinstance(t.memory_space, SpaceAttr)) for t in types)


def _free_name(module: ModuleOp) -> str:
    taken = {symbol_of(o) for o in module.body.block.ops}
    name, number = "programs", 0
    while name in taken:
        name, number = f"programs_{number}", number + 1
    return name
