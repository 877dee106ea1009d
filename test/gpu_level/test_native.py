"""Kernels as machine code do what lanes in lockstep do: the passes from the gpu level to LLVM IR together."""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_level.kernels import Size, bodies, kernel
from gpu_level.simulate import parse, run_lanes
from gpu_level.test_convert_gpu_to_scf import INPUT, REDUCTION
from hologram.dialects import make_context
from hologram.lowering import get_all_passes
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from hologram.transforms.canonical.canonicalize import canonicalize
from hologram.transforms.canonical.cse import eliminate as cse

# llvmlite has no types.
llvm: Any = llvmlite.binding


def compiled(text: str) -> Any:
    """An execution engine with the module of `text`."""
    ctx = make_context()
    module = parse(text)
    get_all_passes()["convert-gpu-to-scf"]()().apply(ctx, module)
    canonicalize(ctx, module)
    cse(module)
    for name in ("convert-scf-to-cf", "convert-to-llvm"):
        get_all_passes()[name]()().apply(ctx, module)
    module.verify()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    binary = llvm.parse_assembly(emit_llvm_ir(module))
    binary.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(2))
    builder.getModulePassManager().run(binary, builder)
    return llvm.create_mcjit_compiler(binary, machine)


def run(body: str, grid: Size, block: Size, sizes: str, count: int) -> list[int]:
    """Runs the kernel as machine code; gives the output."""
    engine = compiled(kernel(body, grid, block, sizes=sizes))
    out = np.zeros(count, np.int64)
    scalars = [len(INPUT), count, 8, *((*grid, *block) if sizes == "dynamic" else ())]
    types = [ctypes.c_void_p] * 2 + [ctypes.c_int64] * len(scalars)
    call = ctypes.CFUNCTYPE(None, *types)(engine.get_function_address("main"))
    call(INPUT.ctypes.data, out.ctypes.data, *scalars)
    return out.tolist()


@pytest.mark.parametrize("sizes", ["known", "launch", "dynamic"])
def test_many_blocks_do_not_grow_the_stack(sizes: str):
    blocks = 200_000
    result = run(REDUCTION, (blocks, 1, 1), (4, 2, 1), sizes, 8 * blocks)
    assert (np.array(result).reshape(blocks, 8) == INPUT.sum() - INPUT).all()


@pytest.mark.slow
@given(bodies(), st.sampled_from([(4, 1, 1), (2, 3, 1), (1, 1, 1)]), st.sampled_from(["known", "dynamic"]))
@settings(max_examples=15)
def test_random_kernels(body: str, block: Size, sizes: str):
    grid = (2, 1, 1)
    expected = np.zeros(2 * int(np.prod(block)), np.int64)
    with np.errstate(over="ignore"):
        run_lanes(kernel(body, grid, block, sizes=sizes), "kernel", grid, block, INPUT, expected, 8)
    assert run(body, grid, block, sizes, expected.size) == expected.tolist()
