"""Passes that change level, schedules and emitters. One row a pass below; a pass is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hologram.dialects import marks
from hologram.support.late_table import factories

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_PASSES: dict[str, tuple[str, str]] = {
    # pass name: (module in this package, class)
    "assign-registers": ("machine.assign_registers", "AssignRegistersPass"),
    "bufferize": ("arrays.bufferize", "BufferizePass"),
    "convert-algebra-to-torus": ("numbers.convert_algebra_to_torus", "ConvertAlgebraToTorusPass"),
    "convert-arith-to-llvm": ("targets.llvm.convert_arith_to_llvm", "ConvertArithToLLVMPass"),
    "check-allocations": ("arrays.check_allocations", "CheckAllocationsPass"),
    "convert-atlas-to-core": ("lanes.convert_atlas_to_core", "ConvertAtlasToCorePass"),
    "convert-class-tiles": ("lanes.convert_class_tiles", "ConvertClassTilesPass"),
    "convert-class-to-atlas": ("numbers.convert_class_to_atlas", "ConvertClassToAtlasPass"),
    "convert-cf-to-llvm": ("targets.llvm.convert_cf_to_llvm", "ConvertControlFlowToLLVMPass"),
    "convert-func-to-llvm": ("targets.llvm.convert_func_to_llvm", "ConvertFuncToLLVMPass"),
    "convert-gpu-launch-to-llvm": ("targets.llvm.convert_gpu_launch_to_llvm", "ConvertGpuLaunchToLLVMPass"),
    "convert-gpu-to-nvvm": ("targets.ptx.convert_gpu_to_nvvm", "ConvertGpuToNVVMPass"),
    "convert-gpu-to-rocdl": ("targets.ptx.convert_gpu_to_rocdl", "ConvertGpuToROCDLPass"),
    "convert-gpu-to-scf": ("processor.convert_gpu_to_scf", "ConvertGpuToScfPass"),
    "convert-gpu-to-spirv": ("targets.spirv.convert_gpu_to_spirv", "ConvertGpuToSpirvPass"),
    "convert-hologram-kernels-to-atlas": (
        "lanes.convert_hologram_kernels_to_atlas",
        "ConvertHologramKernelsToAtlasPass",
    ),
    "convert-hologram-to-atlas": ("arrays.convert_hologram_to_atlas", "ConvertHologramToAtlasPass"),
    "convert-index-to-llvm": ("targets.llvm.convert_index_to_llvm", "ConvertIndexToLLVMPass"),
    "convert-math-to-llvm": ("targets.llvm.convert_math_to_llvm", "ConvertMathToLLVMPass"),
    "convert-memref-to-llvm": ("targets.llvm.convert_memref_to_llvm", "ConvertMemRefToLLVMPass"),
    "convert-monster-to-algebra": ("numbers.convert_monster_to_algebra", "ConvertMonsterToAlgebraPass"),
    "convert-parallel-loops-to-gpu": ("blocks.convert_parallel_loops_to_gpu", "ConvertParallelLoopsToGpuPass"),
    "convert-narrow-floats-to-i16": ("arithmetic.convert_narrow_floats_to_i16", "ConvertNarrowFloatsToI16Pass"),
    "convert-scf-to-cf": ("rewriting.convert_scf_to_cf", "ConvertScfToCfPass"),
    "convert-sigil-to-atlas": ("numbers.convert_sigil_to_atlas", "ConvertSigilToAtlasPass"),
    "convert-to-llvm": ("targets.llvm.convert_to_llvm", "ConvertToLLVMPass"),
    "convert-torus-to-atlas": ("numbers.convert_torus_to_atlas", "ConvertTorusToAtlasPass"),
    "convert-ub-to-llvm": ("targets.llvm.convert_ub_to_llvm", "ConvertUBToLLVMPass"),
    "convert-vector-to-llvm": ("targets.llvm.convert_vector_to_llvm", "ConvertVectorToLLVMPass"),
    "decompose-atlas": ("arrays.decompose_atlas", "DecomposeAtlasPass"),
    "embed-wasm": ("targets.objects.embed_wasm", "EmbedWasmPass"),
    "expand-fma": ("arithmetic.expand_fma", "ExpandFmaPass"),
    "expand-math": ("arithmetic.expand_math", "ExpandMathPass"),
    "flatten-kernels": ("blocks.flatten_kernels", "FlattenKernelsPass"),
    "gpu-module-to-binary": ("targets.gpu_module_to_binary", "GpuModuleToBinaryPass"),
    "hint-loads": ("targets.ptx.hint_loads", "HintLoadsPass"),
    "inline-tensor-functions": ("arrays.inline_tensor_functions", "InlineTensorFunctionsPass"),
    "insert-coherence-checks": ("pipelines.insert_coherence_checks", "InsertCoherenceChecksPass"),
    "insert-stop-checks": ("processor.insert_stop_checks", "InsertStopChecksPass"),
    "join-buffers": ("targets.text.join_buffers", "JoinBuffersPass"),
    "addresses-to-bytes": ("blocks.addresses_to_bytes", "AddressesToBytesPass"),
    "vectors-to-words": ("blocks.vectors_to_words", "VectorsToWordsPass"),
    "lift-machine": ("machine.lift_machine", "LiftMachinePass"),
    "optimize-machine": ("machine.optimize_machine", "OptimizeMachinePass"),
    "outline-gpu-kernels": ("blocks.outline_gpu_kernels", "OutlineGpuKernelsPass"),
    "outline-parallel-loops": ("processor.outline_parallel_loops", "OutlineParallelLoopsPass"),
    "permute-tables": ("processor.permute_tables", "PermuteTablesPass"),
    "reconcile-unrealized-casts": ("rewriting.reconcile_unrealized_casts", "ReconcileUnrealizedCastsPass"),
    "expand-narrow-floats": ("arithmetic.expand_narrow_floats", "ExpandNarrowFloatsPass"),
    "expand-wide-integers": ("arithmetic.expand_wide_integers", "ExpandWideIntegersPass"),
    "release-on-trap": ("processor.release_on_trap", "ReleaseOnTrapPass"),
    "schedule-atlas": ("schedules.schedule_atlas", "ScheduleAtlasPass"),
    "split-wide-integers": ("blocks.split_wide_integers", "SplitWideIntegersPass"),
    "vectorize-lanes": ("processor.vectorize_lanes", "VectorizeLanesPass"),
    "vectorize-lookups": ("processor.vectorize_lookups", "VectorizeLookupsPass"),
    "vectorize-loops": ("processor.vectorize_loops", "VectorizeLoopsPass"),
}

ONLY_ON = {
    # pass name: the operations, dialects and attributes without which it does nothing; then it is not even imported
    "check-allocations": "memref.alloc",
    "convert-algebra-to-torus": "algebra",
    "insert-stop-checks": "scf cf",
    "convert-class-tiles": "class",
    "convert-class-to-atlas": "class",
    "convert-gpu-to-nvvm": "gpu",
    "convert-hologram-kernels-to-atlas": "hologram.kernel hologram.function",
    "convert-gpu-to-scf": "gpu",
    "convert-monster-to-algebra": "monster",
    "convert-torus-to-atlas": "torus algebra",
    "decompose-atlas": "atlas.attention atlas.conv2d atlas.flash_attention",
    "convert-sigil-to-atlas": "sigil",
    "expand-fma": "math.fma vector.fma",
    "expand-math": "math arith.remf",
    "flatten-kernels": "gpu",
    "convert-gpu-launch-to-llvm": "gpu",
    "gpu-module-to-binary": "gpu",
    "hint-loads": marks.KEEP_READS,
    "join-buffers": "gpu",
    "addresses-to-bytes": "llvm.inttoptr",
    "vectors-to-words": "vector.load vector.store",
    "lift-machine": "machine",
    "outline-gpu-kernels": "gpu",
    "outline-parallel-loops": "scf.parallel",
    "permute-tables": "vector.gather",
    "split-wide-integers": "gpu",
    "vectorize-lanes": marks.LANES,
    "vectorize-lookups": "memref.get_global",
}


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes of this package by name."""
    return factories(__name__, _PASSES)
