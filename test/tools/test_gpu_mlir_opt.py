"""The real mlir-opt reads what we print of the gpu level, and we read what it prints."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from gpu_level.kernels import kernel
from gpu_level.simulate import lower, parse
from hologram.dialects import make_context
from hologram.lowering.pipelines.pipelines import PIPELINES, run_pipeline

MLIR_OPT = os.environ.get("HOLOGRAM_MLIR_OPT", "")
pytestmark = [
    pytest.mark.tools,
    pytest.mark.skipif(not MLIR_OPT, reason="HOLOGRAM_MLIR_OPT does not name mlir-opt"),
]

BODY = """
  %gx_id = "gpu.global_id"() <{dimension = #gpu<dim x>, upper_bound = 100 : index}> : () -> index
  %sg = "gpu.subgroup_size"() : () -> index
  %dyn = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
  memref.store %tid, %s[%lane] : memref<64xi64, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %v = memref.load %s[%c0] : memref<64xi64, #gpu.address_space<workgroup>>
  memref.store %v, %out[%gid] : memref<?xi64>
"""


def generic(module: ModuleOp) -> str:
    from io import StringIO

    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def mlir_opt(text: str, *args: str) -> str:
    return subprocess.run([MLIR_OPT, *args], input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("sizes", ["known", "launch"])
def test_round_trip_through_mlir_opt(sizes: str):
    ours = generic(parse(kernel(BODY, (2, 1, 1), (4, 2, 1), sizes=sizes)))
    theirs = mlir_opt(ours, "--mlir-print-op-generic")
    again = mlir_opt(generic(parse(theirs)), "--mlir-print-op-generic")
    assert again == theirs
    assert "gpu.kernel" in theirs
    assert "workgroup_attributions = 1" in theirs


def test_mlir_opt_takes_our_kernel_for_one():
    text = mlir_opt(generic(parse(kernel(BODY, (2, 1, 1), (4, 2, 1), sizes="known"))))
    assert "kernel attributes {known_block_size = array<i32: 4, 2, 1>}" in text
    assert "workgroup(" in text


@pytest.mark.parametrize("sizes", ["known", "launch", "dynamic"])
def test_mlir_opt_verifies_and_lowers_our_loops(sizes: str):
    body = "\n".join(line for line in BODY.splitlines() if "dyn" not in line)
    text = generic(lower(kernel(body, (2, 1, 1), (4, 2, 1), sizes=sizes)))
    assert "llvm.func" in mlir_opt(
        text,
        "--convert-scf-to-cf",
        "--finalize-memref-to-llvm",
        "--convert-arith-to-llvm",
        "--convert-cf-to-llvm",
        "--convert-func-to-llvm",
        "--reconcile-unrealized-casts",
    )


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("stage", ["scheduled", "kernels", "flat"])
@pytest.mark.parametrize("name", ["saxpy", "softmax"])
def test_mlir_opt_reads_the_stages_to_devices(name: str, stage: str):
    """Launches with their bodies, kernels as they are outlined, and the flat form."""
    module = parse((EXAMPLES / f"{name}.mlir").read_text())
    stages = PIPELINES["hologram-to-cpu-simt"]
    run_pipeline(module, make_context(), stages[: [s.name for s in stages].index(stage) + 1])
    # Array-level and scalar instructions are ours alone; they are gone with the kernels.
    options = ["--allow-unregistered-dialect"] if stage == "scheduled" else []
    theirs = mlir_opt(generic(module), *options)
    assert "gpu.launch" in theirs
