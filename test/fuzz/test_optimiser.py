"""Random lane programs keep their meaning under the optimiser's passes: the interpreter before and behind them."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.runtime.interpreter import interpret
from hologram.transforms import get_all_passes

from .counts import PROGRAMS
from .lane_programs import build
from .test_lane_programs import same, trapped
from .test_tensor_programs import Drawn

PASSES = ("sccp", "mem2reg", "cse", "loop-invariant-code-motion", "sccp", "canonicalize")


@settings(max_examples=max(PROGRAMS // 50, 1))
@given(st.data())
def test_passes_keep_the_meaning(data: Any) -> None:
    program = build(Drawn(data.draw))
    expected, ours = ([a.copy() for a in program.arguments] for _ in range(2))
    context = make_context()
    traps = trapped(lambda: interpret(parse_module(program.text, "lanes.mlir", context), "main", expected))
    module = parse_module(program.text, "lanes.mlir", context)
    passes = get_all_passes()
    for name in PASSES:
        passes[name]()().apply(context, module)
        module.verify()
    assert trapped(lambda: interpret(module, "main", ours)) == traps, program.text
    assert traps or all(same(got, want) for got, want in zip(ours, expected, strict=True)), program.text
