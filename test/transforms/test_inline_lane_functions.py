"""Programs whose functions were inlined compute what they did."""

from __future__ import annotations

import numpy as np
import pytest

import hologram
from hologram.kernels import stdlib
from in_process import run_tool

LIBRARY = stdlib.ROOT


@pytest.mark.parametrize("file", ["norm/layer_norm.py"])
def test_equal_bits(file: str):
    passes = "convert-hologram-kernels-to-atlas,inline-lane-functions"
    text = run_tool("hologram-opt", [LIBRARY / file, "-p", passes]).text
    assert "atlas.program" in text
    assert not [line for line in text.splitlines() if "atlas.func" in line and "memref" in line]
    inlined, plain = hologram.compile(text), hologram.compile(LIBRARY / file)
    random = np.random.default_rng(5)
    for size in (1, 4097):
        shapes = {"x": (2, size), "out": (2, size), "gamma": (size,), "beta": (size,)}
        found: list[bytes] = []
        given = {n: random.normal(size=s).astype(np.float32) for n, s in shapes.items()}
        for kernel in (plain, inlined):
            args = [given[a.name].copy() if a.shape else np.float32(1e-5) for a in kernel.arguments]
            kernel(*args)
            found.append(b"".join(a.tobytes() for a in args))
        assert found[0] == found[1]
