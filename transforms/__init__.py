"""Passes that stay on a level. One row a pass in the table below; a pass is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hologram.support.late_table import factories

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_PASSES: dict[str, tuple[str, str]] = {
    # pass name: (module in this package, class)
    "add-launch-functions": ("lanes.add_launch_functions", "AddLaunchFunctionsPass"),
    "allocate-classes": ("numbers.allocate_classes", "AllocateClassesPass"),
    "canonicalize": ("canonical.canonicalize", "CanonicalizePass"),
    "canonicalize-sigil-tiles": ("numbers.canonicalize_sigil_tiles", "CanonicalizeSigilTilesPass"),
    "canonicalize-sigil-words": ("numbers.canonicalize_sigil_words", "CanonicalizeSigilWordsPass"),
    "contract-fma": ("canonical.contract_fma", "ContractFmaPass"),
    "cse": ("canonical.cse", "CsePass"),
    "flatten-control-flow": ("lanes.flatten_control_flow", "FlattenControlFlowPass"),
    "fuse-atlas": ("arrays.fuse_atlas", "FuseAtlasPass"),
    "fuse-parallel-loops": ("loops.fuse_parallel_loops", "FuseParallelLoopsPass"),
    "generalize-atlas": ("arrays.generalize_atlas", "GeneralizeAtlasPass"),
    "guard-memory": ("guards.guard_memory", "GuardMemoryPass"),
    "hoist-projections": ("arrays.projections", "HoistProjectionsPass"),
    "infer-shapes": ("arrays.infer_shapes", "InferShapesPass"),
    "inline-lane-functions": ("lanes.inline_lane_functions", "InlineLaneFunctionsPass"),
    "interleave-chains": ("loops.interleave_chains", "InterleaveChainsPass"),
    "loop-invariant-code-motion": ("canonical.loop_invariant_code_motion", "LoopInvariantCodeMotionPass"),
    "mem2reg": ("canonical.mem2reg", "Mem2RegPass"),
    "mlir-opt": ("canonical.mlir_opt", "MlirOptPass"),
    "sccp": ("canonical.sccp", "SccpPass"),
    "select-tables": ("loops.select_tables", "SelectTablesPass"),
    "stage-tables": ("loops.stage_tables", "StageTablesPass"),
    "stage-class-tiles": ("numbers.stage_class_tiles", "StageClassTilesPass"),
    "sink-projections": ("arrays.projections", "SinkProjectionsPass"),
    "structure-control-flow": ("lanes.structure_control_flow", "StructureControlFlowPass"),
    "raise-accesses": ("lanes.raise_accesses", "RaiseAccessesPass"),
    "raise-loops": ("lanes.raise_loops", "RaiseLoopsPass"),
    "symbol-dce": ("canonical.symbol_dce", "SymbolDcePass"),
    "verify": ("analysis.verifier", "VerifyPass"),
}

ONLY_ON = {
    # pass name: the operations and dialects without which it does nothing; then it is not even imported
    "add-launch-functions": "atlas.program",
    "generalize-atlas": "atlas.all_gather atlas.all_reduce atlas.batch_norm atlas.batched_gemm atlas.copy atlas.fill"
    " atlas.group_norm atlas.layer_norm atlas.layer_scale atlas.mixed_precision_gemm atlas.parallel_map"
    " atlas.parallel_map_binary atlas.parallel_reduce atlas.quantized_gemm atlas.tensor_contract atlas.transpose",
    "canonicalize-sigil-tiles": "sigil",
    "guard-memory": "memref vector tensor.insert_slice llvm nvvm rocdl spirv gpu index ub scf.for scf.parallel"
    " func.call cf.assert arith.divsi arith.divui arith.remsi arith.remui arith.floordivsi arith.ceildivsi"
    " arith.ceildivui arith.shli arith.shrsi arith.shrui arith.fptosi arith.fptoui builtin.unrealized_conversion_cast",
    "interleave-chains": "gpu",
    "raise-accesses": "atlas.program atlas.func",
    "raise-loops": "atlas.program atlas.func",
    "structure-control-flow": "atlas.program atlas.func",
}


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes of this package by name."""
    return factories(__name__, _PASSES)
