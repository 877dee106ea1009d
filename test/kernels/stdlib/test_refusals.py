"""What kernels of the library are given that does not fit: each ends the launch with an error."""

from __future__ import annotations

import numpy as np
import pytest

import hologram
from kernels.stdlib.cases import Draw, load

pytestmark = pytest.mark.slow


def test_a_query_that_is_longer_than_the_registers():
    on = Draw("f32")
    q, out = on.array(1, 2, 9), on.blank(1, 2, 9)
    with pytest.raises(hologram.TrapError, match=r"flash_attention\.py:\d+"):
        load("attention/flash_attention", "flash_attention")(q, q, q, out, 1.0, HEAD=8)


def test_rows_beyond_the_cache():
    on = Draw("f32")
    with pytest.raises(hologram.TrapError, match=r"kv_cache_update\.py:\d+"):
        load("attention/kv_cache_update", "kv_cache_update")(on.array(1, 4, 2), on.array(1, 2, 2), 3)


def test_labels_that_are_no_columns():
    on = Draw("f32")
    with pytest.raises(hologram.TrapError, match=r"cross_entropy_logits\.py:\d+"):
        load("loss/cross_entropy_logits", "cross_entropy_logits")(on.array(1, 3), np.array([3], np.int32), on.blank(1))


def test_arrays_of_other_lengths():
    on = Draw("f32")
    with pytest.raises(hologram.TrapError, match=r"losses\.py:\d+"):
        load("loss/mse", "mse")(on.array(5), on.array(4), on.blank(1))
