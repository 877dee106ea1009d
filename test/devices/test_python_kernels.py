"""Python kernels give on the devices what they give on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from devices.columns import LOCAL, Column
from hologram.frontend.kernels.decorator import PythonKernel
from kernels.test_python import arithmetic, case, counted, float_floors, floors, guarded, loops, shifted

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
KERNELS = [arithmetic, floors, float_floors, loops, counted, guarded, shifted]


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_as_on_the_cpu(kernel: PythonKernel, column: Column):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    if column.kind == "vulkan" and kernel is loops:
        pytest.xfail("loops that load store nothing on lavapipe by Vulkan: not mended yet")
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
