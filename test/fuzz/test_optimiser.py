"""Random lane programs keep their meaning under the optimiser's passes: the interpreter before and behind them."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.transforms import get_all_passes
from hologram.transforms.analysis.verifier import verify_module

from . import branch_programs, lane_programs
from .counts import PROGRAMS
from .test_branch_programs import agree, results, run
from .test_lane_programs import same, trapped
from .test_tensor_programs import Drawn

PASSES = ("sccp", "mem2reg", "cse", "loop-invariant-code-motion", "sccp", "canonicalize")


def optimised(text: str) -> ModuleOp:
    """The module behind all passes, verified after each."""
    context = make_context()
    module = parse_module(text, "lanes.mlir", context)
    passes = get_all_passes()
    for name in PASSES:
        passes[name]()().apply(context, module)
        verify_module(module)
    return module


@settings(max_examples=max(PROGRAMS // 50, 1))
@given(st.data())
def test_structured_programs(data: Any) -> None:
    program = lane_programs.build(Drawn(data.draw))
    expected, ours = ([a.copy() for a in program.arguments] for _ in range(2))
    module = parse_module(program.text, "lanes.mlir", make_context())
    traps = trapped(lambda: interpret(module, "main", expected))
    better = optimised(program.text)
    assert trapped(lambda: interpret(better, "main", ours)) == traps, program.text
    assert traps or all(same(got, want) for got, want in zip(ours, expected, strict=True)), program.text


@settings(max_examples=max(PROGRAMS // 50, 1))
@given(st.data())
def test_programs_of_blocks(data: Any) -> None:
    text = branch_programs.build(Drawn(data.draw))
    module = parse_module(text, "branches.mlir", make_context())
    agree(text, results(run(module)), results(run(optimised(text))))
