"""A Python loop over a size is many operations, and says so where it is long."""

# Tensor functions are typed by what they are called with.
# pyright: basic

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.errors import UnrolledLoopWarning


@hologram.jit
def counted(x: Any) -> Any:
    for i in range(x.shape[0]):
        x = x + i
    return x


def test_a_long_range_of_a_size_is_told():
    with pytest.warns(UnrolledLoopWarning, match="loop of 70 steps.*hologram.ops.fori_loop") as found:
        assert counted(np.zeros(70, np.float32))[0] == 70 * 69 / 2
    assert found[0].filename == __file__


def test_short_ones_and_other_uses_of_sizes_are_not():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        counted(np.zeros(63, np.float32))
        hologram.jit(lambda x: x[x.shape[0] - 1 :])(np.zeros(100, np.float32))
        hologram.jit(lambda x: [x for _ in range(int(x.ndim))])(np.zeros(100, np.float32))
