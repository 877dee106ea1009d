"""Collectives on one device: the value itself."""

from __future__ import annotations

import numpy as np

from extension_programs import on_both, program

TYPE = "kind = #atlas.kind<add>, type = #atlas.dtype<f32>"


def test_one_device() -> None:
    for shape in ((3, 5), (0, 2)):
        x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        (found,), (expected,) = on_both(program("all_reduce", [x], [x], TYPE), [x], [np.full_like(x, 9)])
        assert np.array_equal(found, x)
        assert np.array_equal(expected, x)
        out = np.full((1, *shape), 9, np.float32)
        text = program("all_gather", [x], [out]).replace("outs(%o0 : memref<?x", "outs(%o0 : memref<1x")
        (found,), (expected,) = on_both(text.replace("%o0: memref<?x", "%o0: memref<1x"), [x], [out])
        assert np.array_equal(found[0], x)
        assert np.array_equal(expected[0], x)
