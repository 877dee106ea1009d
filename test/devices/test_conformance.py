"""The twelve kernels on every device, instructions of lanes of some types, and equal bits where they are promised."""

from __future__ import annotations

from collections.abc import Generator
from itertools import product
from typing import Any

import numpy as np
import pytest

import hologram
from conformance import table
from conformance.batch import PASS
from device_kernels import KERNELS
from devices import results
from devices.columns import EXACT, LOCAL, Column, gap
from hologram.runtime.devices.opencl import OpenClDevice
from hologram.runtime.devices.protocol import Device

pytestmark = [pytest.mark.device, pytest.mark.timeout(1200)]

TYPES = ("i32", "f32", "bf16")
"""The types that `make test-devices` runs; `make device-conformance` runs all types."""


@pytest.fixture(autouse=True)
def unwarned(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Programs of OpenCL C are compiled without warnings: all are compiled from their text here."""
    logs: list[str] = []
    build = OpenClDevice._build  # pyright: ignore[reportPrivateUsage]

    def built(device: OpenClDevice, code: bytes) -> Any:
        program = build(device, code)
        logs.append(device._log(program))  # pyright: ignore[reportPrivateUsage]
        return program

    monkeypatch.setattr(OpenClDevice, "_find", lambda device, code: None)  # pyright: ignore
    monkeypatch.setattr(OpenClDevice, "_build", built)
    yield
    # What clang says of PoCL's own functions of wide vectors, on processors without AVX-512, is nothing of ours.
    lines = [line for log in logs for line in log.splitlines() if "warning:" in line or "error:" in line]
    assert not [line for line in lines if "changes the ABI" not in line]


def test_warnings_are_seen():
    column = Column("opencl")
    if column.missing:
        pytest.skip(column.missing)
    device = column.opened
    assert isinstance(device, OpenClDevice)
    assert "warning" in device.build_log(b"kernel void k(global int *a) { global float *b = a; b[0] = 1; }")


@pytest.mark.parametrize("name", KERNELS)
def test_kernels(column: Column, name: str):
    if (missing := gap(column.kind, name)) is not None:
        pytest.skip(f"not done yet: {missing}")
    assert results.kernel_outcome(KERNELS[name], column)[0] == PASS


@pytest.mark.parametrize("name", ["gelu", "sum", "row-sum", "column-sum", "softmax", "layer-norm", "transpose"])
@pytest.mark.parametrize(("kind", "schedule"), [("opencl", "processor"), ("vulkan", "lanes"), ("webgpu", "lanes")])
def test_blocks_of_threads(kind: str, schedule: str, name: str, monkeypatch: pytest.MonkeyPatch):
    """The code for GPUs gives, on a processor, the same bits as the code for processors."""
    column = Column(kind)
    if column.missing:
        pytest.skip(column.missing)
    device = column.opened
    if device.is_gpu:
        pytest.skip(f"{kind} is a GPU here")
    assert device.options["schedule"] == schedule
    found = results.kernel_outcome(KERNELS[name], column)
    as_a_gpu(device, monkeypatch)
    assert results.kernel_outcome(KERNELS[name], column) == found
    assert found[0] == PASS


def as_a_gpu(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels for a processor behind a language for devices are those of GPUs from now on."""
    options = {k: v for k, v in device.options.items() if k not in ("schedule", "block", "tables")}
    monkeypatch.setattr(type(device), "options", property(lambda self: options))


@pytest.mark.parametrize("length", [1024, 2048, 4096])
@pytest.mark.parametrize("name", ["layer-norm", "softmax"])
@pytest.mark.parametrize("kind", ["opencl", "vulkan", "webgpu"])
def test_rows_that_blocks_hold(kind: str, name: str, length: int, monkeypatch: pytest.MonkeyPatch):
    column, kernel = Column(kind), KERNELS[name]
    if column.missing:
        pytest.skip(column.missing)
    as_a_gpu(column.opened, monkeypatch)
    arguments = kernel.arguments((301, length))
    found: Any = hologram.compile(kernel.text, device=kind)(*arguments)
    assert kernel.error(arguments, found) <= 1
    if kind in EXACT:
        expected: Any = hologram.compile(kernel.text)(*arguments)
        assert expected.tobytes() == found.tobytes()


@pytest.mark.parametrize("name", [n for n, k in KERNELS.items() if k.bits != "bounded"])
def test_equal_bits(name: str):
    here = [c for c in LOCAL if c.kind in EXACT and not c.missing]
    bits = {c.kind: results.kernel_outcome(KERNELS[name], c)[1] for c in here}
    assert len(set(bits.values())) == 1, bits


@pytest.mark.parametrize(("title", "type"), list(results.jobs(TYPES, table.GROUPS)))
def test_instructions(column: Column, title: str, type: str):
    if column.kind == "cpu":
        pytest.skip("make test runs the CPU's cells")
    rows = results.cells(column, title, type)
    wrong = {n: r["outcome"] for n, r in rows.items() if r["outcome"] != PASS}
    unknown = {n: o for n, o in wrong.items() if gap(column.kind, f"{n} {type}") is None}
    assert not {n: o for n, o in unknown.items() if not o.startswith(results.REFUSED)}
    assert results.other_bits(column, type, rows) == []


ARRAYS: list[tuple[str, str, tuple[str, ...]]] = [
    ("array level", "i32", ()),
    ("array level", "f32", ("parallel_map", "scan", "gather")),
    ("array level", "u8", ("parallel_reduce", "scatter", "argmax")),
    ("array level", "f32", ("sort", "argsort", "searchsorted", "scatter_reduce")),
    ("array level", "i4096", ("transpose",)),
    ("products", "i8", ("quantized_gemm",)),
    ("products", "bf16", ("gemm",)),
    ("products", "f64", ("gemm",)),
    ("networks", "f16", ("softmax",)),
    ("networks", "bool", ("kv_cache_update",)),
    ("general forms, collectives and transforms", "u64", ("map", "reduce")),
]
"""Operations of the array level that `make test-devices` runs; `make device-conformance` runs all under all types."""


@pytest.mark.parametrize(("title", "type", "names"), ARRAYS)
def test_array_operations(column: Column, title: str, type: str, names: tuple[str, ...]):
    if column.kind in ("cpu", "node"):
        pytest.skip("make test runs the CPU's cells, and Node what wasm does")
    rows = results.cells(column, title, type, names)
    assert set(rows) == set(names or table.ARRAYS[title].names())
    assert {row["outcome"] for row in rows.values()} == {PASS}
    assert results.other_bits(column, type, rows) == []


@pytest.mark.parametrize(
    ("kind", "title", "type"),
    [
        *product(["opencl"], ["scalar", "memory", "windows", "spans"], ["i128"]),
        ("vulkan", "windows", "i128"),
        *product(["opencl", "vulkan", "webgpu"], ["spans"], ["u512"]),
    ],
)
def test_integers_in_limbs(kind: str, title: str, type: str):
    column = Column(kind)
    if column.missing:
        pytest.skip(column.missing)
    outcomes = {name: row["outcome"] for name, row in results.cells(column, title, type).items()}
    assert outcomes
    assert set(outcomes.values()) == {PASS}


ADD = """
.program add(buf0: i{bits}[?], r8: i{bits}) {{
  .launch block(1, 1, 1)
  mov_imm.u64 r0, 0
  ldg.i{bits} r32, [buf0 + r0]
  add.i{bits} r32, r32, r8
  stg.i{bits} [buf0 + r0], r32
  exit
}}
"""


@pytest.mark.parametrize("bits", [128, 256, 1024])
@pytest.mark.parametrize("kind", ["opencl", "vulkan"])
def test_scalars_in_limbs(kind: str, bits: int):
    column = Column(kind)
    if column.missing:
        pytest.skip(column.missing)
    a, b = (1 << bits) // 3, 12345 - (1 << (bits - 2))
    array = np.frombuffer(a.to_bytes(bits // 8, "little"), np.uint64).reshape(1, -1).copy()
    column.run(ADD.format(bits=bits))([array, b], (1, 1, 1))
    assert int.from_bytes(array.tobytes(), "little") == (a + b) % (1 << bits)
