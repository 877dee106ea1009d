"""Passes that stay on a level. One row a pass in the table below; a pass is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_PASSES: dict[str, tuple[str, str]] = {
    # pass name: (module in this package, class)
    "add-launch-functions": ("add_launch_functions", "AddLaunchFunctionsPass"),
    "allocate-classes": ("allocate_classes", "AllocateClassesPass"),
    "canonicalize": ("canonicalize", "CanonicalizePass"),
    "canonicalize-sigil-tiles": ("canonicalize_sigil_tiles", "CanonicalizeSigilTilesPass"),
    "canonicalize-sigil-words": ("canonicalize_sigil_words", "CanonicalizeSigilWordsPass"),
    "contract-fma": ("contract_fma", "ContractFmaPass"),
    "cse": ("cse", "CsePass"),
    "flatten-control-flow": ("flatten_control_flow", "FlattenControlFlowPass"),
    "fuse-atlas": ("fuse_atlas", "FuseAtlasPass"),
    "fuse-parallel-loops": ("fuse_parallel_loops", "FuseParallelLoopsPass"),
    "generalize-atlas": ("generalize_atlas", "GeneralizeAtlasPass"),
    "hoist-projections": ("hoist_projections", "HoistProjectionsPass"),
    "infer-shapes": ("infer_shapes", "InferShapesPass"),
    "inline-lane-functions": ("inline_lane_functions", "InlineLaneFunctionsPass"),
    "interleave-chains": ("interleave_chains", "InterleaveChainsPass"),
    "insert-coherence-checks": ("insert_coherence_checks", "InsertCoherenceChecksPass"),
    "loop-invariant-code-motion": ("loop_invariant_code_motion", "LoopInvariantCodeMotionPass"),
    "mem2reg": ("mem2reg", "Mem2RegPass"),
    "mlir-opt": ("mlir_opt", "MlirOptPass"),
    "sccp": ("sccp", "SccpPass"),
    "select-tables": ("select_tables", "SelectTablesPass"),
    "stage-tables": ("stage_tables", "StageTablesPass"),
    "stage-class-tiles": ("stage_class_tiles", "StageClassTilesPass"),
    "sink-projections": ("sink_projections", "SinkProjectionsPass"),
    "structure-control-flow": ("structure_control_flow", "StructureControlFlowPass"),
    "raise-accesses": ("raise_accesses", "RaiseAccessesPass"),
    "raise-loops": ("raise_loops", "RaiseLoopsPass"),
    "symbol-dce": ("symbol_dce", "SymbolDcePass"),
    "verify": ("verifier", "VerifyPass"),
}

ONLY_ON = {
    # pass name: the operations and dialects without which it does nothing; then it is not even imported
    "add-launch-functions": "atlas.program",
    "generalize-atlas": "atlas.all_gather atlas.all_reduce atlas.batch_norm atlas.batched_gemm atlas.copy atlas.fill"
    " atlas.group_norm atlas.layer_norm atlas.layer_scale atlas.mixed_precision_gemm atlas.parallel_map"
    " atlas.parallel_map_binary atlas.parallel_reduce atlas.quantized_gemm atlas.tensor_contract atlas.transpose",
    "canonicalize-sigil-tiles": "sigil",
    "interleave-chains": "gpu",
    "raise-accesses": "atlas.program atlas.func",
    "raise-loops": "atlas.program atlas.func",
    "structure-control-flow": "atlas.program atlas.func",
}


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes of this package by name."""

    def factory(module: str, name: str) -> Callable[[], type[ModulePass]]:
        return lambda: getattr(import_module(f"{__name__}.{module}"), name)

    return {name: factory(*row) for name, row in sorted(_PASSES.items())}
