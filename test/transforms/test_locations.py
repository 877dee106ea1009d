"""Conversion, fusion and bufferisation keep the places of operations, inside regions too."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp

from stages import parse, run_passes
from tensor_cases import functions, moves
from tensor_cases.array_programs import build

CASES = {c[0]: c[1] for c in [*functions.CASES, *moves.CASES]}
PASSES = ("infer-shapes", "convert-hologram-to-atlas", "fuse-atlas", "bufferize")


def placeless(module: ModuleOp) -> list[str]:
    """The operations whose place is not known."""
    return [op.name for op in module.walk() if op is not module and not isinstance(op.location, FileLineColLoc)]


@pytest.mark.parametrize("name", CASES)
def test_tensor_functions(name: str):
    module = parse(CASES[name])
    for step in PASSES:
        run_passes(module, step)
        assert not placeless(module), f"after {step}:\n{module}"


@pytest.mark.parametrize("seed", range(30))
def test_maps_and_reductions(seed: int):
    module = parse(build(seed)[0])
    for step in ("fuse-atlas", "bufferize"):
        run_passes(module, step)
        assert not placeless(module), f"after {step}:\n{module}"
