"""The kernel library on an NVIDIA GPU, by each of its drivers: each kernel on its edge sizes."""

from __future__ import annotations

import pytest

from devices.columns import Column
from devices.test_library import run
from kernels.stdlib.cases import Row, rows

pytestmark = pytest.mark.gpu
KINDS = [Column(kind) for kind in ("cuda", "opencl", "vulkan", "webgpu")]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.title)
@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_kernels(row: Row, column: Column):
    if not column.missing and not column.opened.is_gpu:
        pytest.skip(f"{column.device} is no GPU")
    run(row, column)
