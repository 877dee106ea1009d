"""Operations are found in the order of xDSL's own walk."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.support.walking import operations

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("name", ["block_sum", "layer_norm", "saxpy"])
def test_the_order_is_that_of_a_walk(name: str):
    module = parse_module((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"), name, make_context())
    assert operations(module) == list(module.walk())
    (function, *_) = module.body.block.ops
    assert operations(function) == list(function.walk())


def test_an_operation_without_regions_is_alone():
    assert operations(module := ModuleOp([])) == [module]
