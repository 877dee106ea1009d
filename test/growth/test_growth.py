"""The work of compiling grows as the source does, for each kind of program and on the way to each device."""

from __future__ import annotations

from math import log2
from pathlib import Path

import numpy as np
import pytest

import hologram
from growth.shapes import SHAPES
from growth.work import work
from in_process import run_tool

CPU = "hologram-to-cpu"
STEEPEST = 1.35
"""The largest exponent of growth; 1 is linear, and 2 has twice the source take four times the work."""
SIZES = {
    "py_helpers": 24, "py_condition": 8, "py_condition_mixed": 5, "py_elifs": 6, "py_sequence_ifs": 5, "py_chain": 10,
    "py_stores": 2, "py_sum": 8, "py_parameters": 10, "py_kernels": 2, "py_whiles": 3, "py_ternaries": 5,
    "py_nested_ifs": 6, "py_nested_ifs_returns": 4, "py_variables": 4, "py_shared": 4, "py_nested_loops": 3,
    "py_small_loops": 4, "py_functions": 5, "ir_switch": 10, "ir_memory": 8,
    "ir_chain": 40, "ir_tensors": 20,
    "ir_tensors_twice": 20, "ir_fibonacci": 20, "ir_blocks": 30, "ir_diamonds": 10, "ir_functions": 10,
    "ir_ifs": 20, "ir_loops": 10, "ir_loops_in_turn": 6, "ir_arguments": 60, "ir_results": 3, "ir_constants": 30,
    "ir_attributes": 100, "ir_helpers": 10, "ir_tensors_static": 3, "ir_tensor_functions": 1, "py_arrays": 3,
    "json_nested": 20, "asm_instructions": 60, "asm_labels": 8, "circuit_steps": 30, "circuit_branches": 20,
    "circuit_nested": 30, "circuit_prefixes": 20,
}  # fmt: skip
"""The shapes whose growth is measured, and the least size: beyond what does not grow, and still small."""


def exponent(name: str, pipeline: str, size: int) -> float:
    """How the work grows with the size. What is done once for a program of any size does not count."""
    form, text = SHAPES[name]
    work(text(size), form, pipeline)  # What is remembered for the process is found.
    once, twice, four = (work(text(size * k), form, pipeline) for k in (1, 2, 4))
    return log2((four - twice) / (twice - once))


QUICK = (
    "py_condition_mixed", "py_sequence_ifs", "py_stores", "py_shared", "py_ternaries", "py_nested_ifs_returns",
    "py_nested_loops", "py_small_loops", "py_functions", "ir_switch", "ir_memory", "ir_results", "asm_instructions",
    "ir_chain", "ir_fibonacci", "ir_blocks",
    "ir_diamonds", "ir_functions", "ir_ifs", "ir_loops", "ir_loops_in_turn", "ir_helpers",
    "ir_tensors_twice", "json_nested", "asm_labels",
    "circuit_branches", "circuit_nested",
)  # fmt: skip


@pytest.mark.parametrize("name", QUICK)
def test_work_grows_as_the_source(name: str):
    assert exponent(name, CPU, SIZES[name]) < STEEPEST


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(SIZES) - set(QUICK)))
def test_work_of_more_programs_grows_as_the_source(name: str):
    assert exponent(name, CPU, SIZES[name]) < STEEPEST


def test_nests_with_statements_between_are_not_looked_at_again_and_again():
    assert exponent("py_nested_mixed", f"{CPU}{{to=scheduled}}", 12) < 1.3


def test_helpers_do_not_multiply():
    form, text = SHAPES["py_helpers"]
    sixteen, thirty_two = (work(text(n), form, f"{CPU}{{to=core}}") for n in (16, 32))
    assert thirty_two < 3 * sixteen


@pytest.mark.parametrize("device", ["opencl", "webgpu", "metal"])
def test_helpers_stay_functions_in_texts(device: str, tmp_path: Path):
    file = tmp_path / "helpers.py"
    file.write_text(SHAPES["py_helpers"][1](32))
    forms = {"opencl": "opencl-c", "webgpu": "wgsl", "metal": "msl"}
    made = run_tool("hologram-opt", [str(file), "-p", f"hologram-to-{device}{{to=device}}", "-t", forms[device]])
    assert made.code == 0, made.errors
    assert made.text.count("g0_f32") < 4


def test_helpers_are_counted_before_they_are_inlined(tmp_path: Path):
    file = tmp_path / "helpers.py"
    file.write_text(SHAPES["py_helpers"][1](32))
    made = run_tool("hologram-opt", [str(file), "-p", "hologram-to-vulkan"])
    assert made.code == 1
    assert "the kernel with functions in place of their calls has" in made.errors
    assert "HOLOGRAM_MAX_OPERATIONS=" in made.errors


def test_what_is_freed_at_traps_is_counted_before_it_is_made(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOLOGRAM_MAX_OPERATIONS", "6000")
    count = 120
    lines = [f"  %m{n} = memref.alloc(%size) : memref<?xf32>" for n in range(count)]
    # What is only written to and freed would go.
    lines += [f"  memref.copy %m{n}, %out : memref<?xf32> to memref<?xf32>" for n in range(count)]
    lines += [f"  memref.dealloc %m{n} : memref<?xf32>" for n in range(count)]
    text = "\n".join(["func.func @f(%size: index, %out: memref<?xf32>) {", *lines, "  func.return", "}"])
    with pytest.raises(hologram.HologramError, match="the program, with what is freed wherever it may trap, has 60"):
        hologram.compile(text, cache=False)


@pytest.mark.parametrize("name", ["ir_splat", "ir_splat_core", "ir_splat_fold"])
def test_constants_of_equal_elements_are_never_written_out(name: str):
    form, text = SHAPES[name]
    work(text(10**6), form, CPU)
    small, large = (work(text(n), form, CPU) for n in (10**6, 10**9))
    assert large == pytest.approx(small, rel=0.1)


def test_many_equal_elements_count_as_many():
    one = "dense<1.500000e+00> : tensor<5000xf32>"
    text = f"""func.func @f(%x: tensor<5000xf32>) -> tensor<5000xf32> {{
      %a = hologram.constant {one}
      %b = arith.constant dense<"0x0000803F"> : tensor<5000xf32>
      %c = hologram.add %a, %b : tensor<5000xf32>
      %r = hologram.mul %c, %x : tensor<5000xf32>
      func.return %r : tensor<5000xf32>
    }}"""
    x = np.arange(5000, dtype=np.float32)
    assert np.array_equal(hologram.compile(text, cache=False)(x), x * np.float32(2.5))
    assert one in run_tool("hologram-opt", ["-"], stdin=text.encode()).text


def test_deep_regions_compile():
    kernel = hologram.compile(SHAPES["ir_ifs"][1](900), cache=False)
    memory = np.zeros(4, np.float32)
    kernel(True, memory, 2.5)
    assert memory.tolist() == [2.5, 0, 0, 0]
