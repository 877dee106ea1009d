"""The real mlir-opt accepts kernel-level and llvm-level stages of examples and random programs, in generic form."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from fuzz import lane_programs, tensor_programs
from hologram.dialects import make_context
from hologram.dialects.mlir_printer import print_operation
from hologram.frontend.mlir import parse_module
from hologram.lowering.pipelines.pass_runner import Hooks, RunStage
from hologram.lowering.pipelines.pipelines import run_pipeline, stages_for

pytestmark = pytest.mark.tools

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.mlir"))
STAGES = ("core", "loops", "math", "threads", "clean", "branches", "llvm")
PROGRAMS = 30
"""Random ones of each kind."""
SPLIT = "\n// -----\n"


class Seeded:
    """The decisions of a random program, by its number."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)


class Collect(Hooks):
    """The generic form of each stage."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def after_stage(self, step: RunStage, module: ModuleOp) -> None:
        if step.stage.name in STAGES:
            self.texts[step.stage.name] = print_operation(module, generic=True)


def stages(text: str) -> Iterator[str]:
    """The texts of a program's stages from the kernel level down."""
    ctx, found = make_context(), Collect()
    run_pipeline(parse_module(text, "program.mlir", ctx), ctx, stages_for("cpu"), hooks=found)
    assert tuple(found.texts) == STAGES
    yield from found.texts.values()


def complaints(text: str) -> str:
    """The errors of mlir-opt for a text. Its operations may have attributes of our dialects, hence the flag."""
    command = [os.environ["HOLOGRAM_MLIR_OPT"], "--allow-unregistered-dialect", "--split-input-file", "-o", os.devnull]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    return "" if done.returncode == 0 else done.stderr or f"exit code {done.returncode}"


def check(programs: list[str]) -> None:
    texts = [text for program in programs for text in stages(program)]
    if not complaints(SPLIT.join(texts)):
        return
    for text in texts:
        assert not (wrong := complaints(text)), f"{wrong}\n{text}"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path):
    check([path.read_text(encoding="utf-8")])


def test_random_tensor_programs():
    check([tensor_programs.build(Seeded(n)).text for n in range(PROGRAMS)])


def test_random_lane_programs():
    check([lane_programs.build(Seeded(n)).text for n in range(PROGRAMS)])


def test_empty_parts_of_concatenations():
    """Upstream's memref.subview may not start at the end of an axis, not even with no elements."""
    text = """
func.func @main(%a: tensor<0x2xi32>, %b: tensor<0x1xi32>, %c: tensor<3xi32>, %d: tensor<0xi32>)
    -> (tensor<0x3xi32>, tensor<3xi32>) {
  %0 = hologram.concat %a, %b {axis = 1 : i64} : (tensor<0x2xi32>, tensor<0x1xi32>) -> tensor<0x3xi32>
  %1 = hologram.concat %c, %d {axis = 0 : i64} : (tensor<3xi32>, tensor<0xi32>) -> tensor<3xi32>
  func.return %0, %1 : tensor<0x3xi32>, tensor<3xi32>
}
"""
    check([text])
