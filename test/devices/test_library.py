"""The kernel library on the devices: each kernel on its edge sizes, with the results of isa.md section 7.

`make test-devices` runs all kernels on all devices with the first of their element types (f32 in most), and `make
library-devices` with all types. These devices refuse none of them.
"""

from __future__ import annotations

import pytest

from devices.columns import BOUNDED, LOCAL, Column, told_apart
from kernels.stdlib.cases import Row, cases, copied, rows

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
"""`make test` and `make programs` run the CPU; Node runs the wasm modules of other tests."""


def run(row: Row, dtype: str, column: Column) -> None:
    """Runs a kernel on all its sizes."""
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    for sizes in row.sizes:
        given = row.draw(dtype, sizes, column.kind in BOUNDED)
        found = copied(given)
        with told_apart():
            row.kernel(*found, device=column.device, **row.constants)
        problem = row.wrong(given, found, column.kind in BOUNDED)
        assert problem is None, f"{row.title} of {dtype} at {sizes}: {problem}"


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.title)
@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_first_types(row: Row, column: Column):
    run(row, row.types[0], column)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "dtype"), cases(rows()), ids=lambda part: part.title if isinstance(part, Row) else part
)
@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_types(row: Row, dtype: str, column: Column):
    run(row, dtype, column)
