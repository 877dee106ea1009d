"""The kernel library on an NVIDIA GPU, by each of its drivers: each kernel on its edge sizes.

HOLOGRAM_TYPES=all: with all element types.
"""

from __future__ import annotations

import pytest

from devices.columns import Column
from devices.test_library import run
from kernels.stdlib.cases import Row, cases, rows

pytestmark = pytest.mark.gpu
KINDS = [Column(kind) for kind in ("cuda", "opencl", "vulkan", "webgpu")]


@pytest.mark.parametrize(
    ("row", "dtype"), cases(rows()), ids=lambda part: part.title if isinstance(part, Row) else part
)
@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_kernels(row: Row, dtype: str, column: Column):
    if not column.missing and not column.opened.is_gpu:
        pytest.skip(f"{column.device} is no GPU")
    run(row, dtype, column)
