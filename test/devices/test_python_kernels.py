"""Python kernels give on the devices what they give on the CPU."""

# Kernels are typed by their own rules: Array[f32] is no type to type checkers.
# pyright: basic, reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from devices.columns import LOCAL, Column
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.driver.kernel_decorator import PythonKernel
from hologram.errors import TrapError
from hologram.language import Array, Element, f32, get_global_id
from kernels.test_python import arithmetic, case, counted, float_floors, floors, guarded, loops, shifted

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
KERNELS = [arithmetic, floors, float_floors, loops, counted, guarded, shifted]


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_as_on_the_cpu(kernel: PythonKernel, column: Column):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    given, wanted = arguments(kernel), arguments(kernel)
    kernel(*given, device=column.device)
    kernel(*wanted)
    for found, right in zip(given, wanted, strict=True):
        np.testing.assert_allclose(found, right, rtol=2e-6, atol=1e-6)


def arguments(kernel: PythonKernel) -> list[Any]:
    """The same each time."""
    if kernel is shifted:
        return [np.arange(300, dtype=np.float32), np.zeros(300, np.float32)]
    return case(np.random.default_rng(5), kernel, 257)[0]


@hologram.kernel(lanes="out.shape[0]")
def window(x: Array[f32], out: Array[f32]):
    """Lanes could leave it in 91 places, which are more than drivers nest."""
    i = get_global_id()
    if i >= out.shape[0]:
        return
    t = x[i] + x[i + 1] + x[i + 2] + x[i + 3] + x[i + 4] + x[i + 5] + x[i + 6] + x[i + 7] + x[i + 8] + x[i + 9]
    t += x[i] + x[i + 2] + x[i + 4] + x[i + 6] + x[i + 8] + x[i + 10] + x[i + 12] + x[i + 14] + x[i + 16] + x[i + 18]
    t -= x[i] + x[i + 3] + x[i + 6] + x[i + 9] + x[i + 12] + x[i + 15] + x[i + 18] + x[i + 21] + x[i + 24] + x[i + 27]
    t += x[i] + x[i + 4] + x[i + 8] + x[i + 12] + x[i + 16] + x[i + 20] + x[i + 24] + x[i + 28] + x[i + 32] + x[i + 36]
    t -= x[i] + x[i + 5] + x[i + 10] + x[i + 15] + x[i + 20] + x[i + 25] + x[i + 30] + x[i + 35] + x[i + 40]
    t += x[i] + x[i + 6] + x[i + 12] + x[i + 18] + x[i + 24] + x[i + 30] + x[i + 36] + x[i + 42] + x[i + 48]
    t -= x[i] + x[i + 7] + x[i + 14] + x[i + 21] + x[i + 28] + x[i + 35] + x[i + 42] + x[i + 49] + x[i + 56]
    t += x[i] + x[i + 8] + x[i + 16] + x[i + 24] + x[i + 32] + x[i + 40] + x[i + 48] + x[i + 56] + x[i + 64]
    t -= x[i] + x[i + 9] + x[i + 18] + x[i + 27] + x[i + 36] + x[i + 45] + x[i + 54] + x[i + 63] + x[i + 72]
    out[i] = t


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_many_places_to_leave(column: Column):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    x = np.arange(372, dtype=np.float32)
    found, right = np.zeros(300, np.float32), np.zeros(300, np.float32)
    window(x, found, device=column.device)
    window(x, right)
    np.testing.assert_array_equal(found, right)
    beyond = np.zeros(301, np.float32)
    with pytest.raises(TrapError, match="lane 300.*372, 372"):
        window(x, beyond, device=column.device)
    np.testing.assert_array_equal(beyond[:300], right)
    assert beyond[300] == 0


T = Element("T", "bf16", "f16")


@hologram.kernel(lanes="len(out)")
def put(value: T, out: Array[T]):
    i = get_global_id()
    if i < len(out):
        out[i] = value


@pytest.mark.parametrize("dtype", T.dtypes)
@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_numbers_of_16_bits(column: Column, dtype: str):
    """Host code that passes them on calls functions, which the loader brings."""
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    out = np.zeros(5, DTYPES[dtype].numpy)
    put(1.5, out, device=column.device)
    np.testing.assert_array_equal(out.astype(np.float32), np.full(5, 1.5))
