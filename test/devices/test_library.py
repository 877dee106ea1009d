"""The kernel library on the devices: each kernel on its edge sizes, with the results of isa.md section 7.

`make test-devices` runs every third kernel, on one device each, in turn. All on all, which takes minutes a device:
`make test-devices ARGS='-m "device and slow" test/devices/test_library.py'`.
"""

from __future__ import annotations

import pytest

from devices.columns import BOUNDED, LOCAL, Column, told_apart
from kernels.stdlib.cases import Row, copied, rows

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
"""`make test` and `make programs` run the CPU; Node runs the wasm modules of other tests."""


def run(row: Row, column: Column) -> None:
    """Runs a kernel on all its sizes."""
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    for sizes in row.sizes:
        given = row.draw(row.types[0], sizes, column.kind in BOUNDED)
        found = copied(given)
        with told_apart():
            row.kernel(*found, device=column.device, **row.constants)
        problem = row.wrong(given, found, column.kind in BOUNDED)
        assert problem is None, f"{row.title} at {sizes}: {problem}"


@pytest.mark.parametrize(("number", "row"), list(enumerate(rows()))[::3], ids=lambda part: getattr(part, "title", ""))
def test_in_turn(number: int, row: Row):
    run(row, KINDS[number // 3 % len(KINDS)])


@pytest.mark.slow
@pytest.mark.parametrize("row", rows(), ids=lambda row: row.title)
@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_on_all(row: Row, column: Column):
    run(row, column)
