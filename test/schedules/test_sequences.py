"""rope and kv_cache_update on the CPU against the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import hologram
from extension_programs import BF16, Array, on_both, program
from hologram.errors import TrapError
from interpreter.running import fails, run


def draw(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("halves", [0, 1])
def test_rope(halves: int) -> None:
    text = program("rope", [draw(1, 1, 1, 2), draw(1, 1)], [draw(1, 1, 1, 2)], f"halves = {halves}")
    for batch, length, heads, size in ((2, 3, 2, 70), (1, 1, 1, 2), (1, 0, 2, 4), (2, 2, 1, 0)):
        x, angles = draw(batch, length, heads, size), 9 * draw(length, size // 2)
        (found,), (expected,) = on_both(text, [x, angles], [np.full_like(x, 9)])
        assert np.allclose(found, expected, rtol=1e-5, atol=1e-5)
    x, angles = draw(1, 2, 1, 6), draw(2, 2)
    with pytest.raises(TrapError, match="two elements for each angle"):
        hologram.compile(text)(x, angles, np.zeros_like(x))
    fails("trap-assert", run, text, x, angles, np.zeros_like(x))


def test_rope_of_bf16() -> None:
    x, angles = draw(2, 3, 2, 8).astype(BF16), draw(3, 4).astype(BF16)
    (found,), (expected,) = on_both(program("rope", [x, angles], [x]), [x, angles], [x])
    assert np.allclose(found.astype(float), expected.astype(float), rtol=2.0**-7, atol=2.0**-9)


def test_kv_cache_update() -> None:
    cache, new = draw(2, 10, 5), draw(2, 3, 5)
    for in_place in (None, 0):
        ins = [cache, new, np.array(0)]
        text = program("kv_cache_update", ins, [cache] if in_place is None else [], in_place=in_place)
        kernel = hologram.compile(text)
        for position in (0, 4, 7):
            x, out = cache.copy(), np.zeros_like(cache)
            kernel(x, new, np.array(position), *([out] if in_place is None else []))
            expected = cache.copy()
            expected[:, position : position + 3] = new
            assert np.array_equal(out if in_place is None else x, expected)
        for position in (-1, 8, 2**40):
            rest = [np.zeros_like(cache)] if in_place is None else []
            with pytest.raises(TrapError, match="must lie inside of the cache"):
                kernel(cache, new, np.array(position), *rest)
            fails("trap-assert", run, text, cache, new, np.array(position), *rest)
