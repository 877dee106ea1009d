"""WebGPU as browsers have it: without integers and floats of 64 bits (`HOLOGRAM_WEBGPU=browser`)."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from conformance.batch import PASS
from device_kernels import KERNELS
from devices import results
from devices.columns import Column
from devices.test_library import run
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.errors import HologramError
from hologram.runtime import devices
from in_process import opt
from kernels.stdlib.cases import Row, cases, rows

pytestmark = pytest.mark.device
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
COLUMN = Column("webgpu")


@pytest.fixture(autouse=True)
def browser(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """The device is opened without the features, and other tests find theirs again."""
    if COLUMN.missing:
        pytest.skip(COLUMN.missing)
    monkeypatch.setenv("HOLOGRAM_WEBGPU", "browser")
    opened: dict[str, Any] = devices._open  # pyright: ignore[reportPrivateUsage]
    before = opened.pop("webgpu:0", None)
    if BROWSER:
        opened["webgpu:0"] = BROWSER[0]
    BROWSER[:] = [COLUMN.opened]
    yield
    opened.pop("webgpu:0", None)
    if before is not None:
        opened["webgpu:0"] = before


BROWSER: list[Any] = []
"""The device once it is open."""


def test_the_device_has_what_browsers_have():
    assert not {"i64", "f64", "atomics64"} & COLUMN.opened.limits.features
    assert COLUMN.opened.options["limb"] == "32"


@pytest.mark.parametrize("name", KERNELS)
def test_kernels(name: str):
    assert results.kernel_outcome(KERNELS[name], COLUMN)[0] == PASS


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_taken_as_they_are_printed(path: Path):
    text = opt(path.read_text(), "-p", "hologram-to-webgpu{to=device}", "-t", "wgsl").text
    assert not re.search(r"\b[iuf]64\b", text)
    (kernels,) = [re.findall(r"^fn (\w+)\(@builtin", text, re.MULTILINE)]
    assert kernels
    COLUMN.opened.load(text.encode(), [], 0)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.title)
def test_library_kernels(row: Row):
    run(row, next(t for t in row.types if t != "f64"), COLUMN)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "dtype"), cases(rows()), ids=lambda part: part.title if isinstance(part, Row) else part
)
def test_library_types(row: Row, dtype: str):
    if dtype != "f64":
        return run(row, dtype, COLUMN)
    with pytest.raises(HologramError) as caught:
        run(row, dtype, COLUMN)
    # Functions that look at the bits of f64 are refused for these, before the type is.
    assert caught.value.code in ("device-refuses-type", "device-refuses-f64-bits")


LONGS = """
func.func @f(%x: tensor<?xi64>, %y: tensor<?xi64>, %n: i64)
    -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>) {
  %d = hologram.dim %x {axis = 0 : i64} : tensor<?xi64> to index
  %ns = hologram.fill %n sizes(%d) : i64 to tensor<?xi64>
  %p = hologram.mul %x, %y : tensor<?xi64>
  %q = hologram.div %p, %ns : tensor<?xi64>
  %m = hologram.max %x, %q : tensor<?xi64>
  %s = hologram.reduce sum %x {axes = [0 : i64]} : tensor<?xi64> to tensor<i64>
  func.return %p, %q, %m, %s : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
}
"""


@pytest.mark.parametrize("size", [0, 1, 7, 3001])
def test_integers_of_64_bits_are_limbs(size: int):
    random = np.random.default_rng(size)
    x, y = (random.integers(-(1 << 63), 1 << 63, size, np.int64) for _ in range(2))
    n = -(1 << 40) - 12345
    found: Any = hologram.compile(LONGS, device="webgpu")(x, y, n)
    expected: Any = hologram.compile(LONGS)(x, y, n)
    for a, b in zip(found, expected, strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


ATOMIC = """
.program count(buf0: i64[?], buf1: i64[?]) {{
  .launch block(32, 1, 1)
  mov.u64 r0, %gid
  mov_imm.u64 r1, 8
  mul.u64 r0, r0, r1
  ldg.i64 r2, [buf1 + r0]
  mov_imm.u64 r0, 0
  atom.{verb}.i64 r3, [buf0 + r0], r2
{more}  exit
}}
"""


@pytest.mark.parametrize(("verb", "function"), [("add", np.add), ("xor", np.bitwise_xor), ("or", np.bitwise_or)])
def test_atomics_whose_results_are_not_used(verb: str, function: Any):
    values = np.random.default_rng(1).integers(-(1 << 63), 1 << 63, 320, np.int64)
    kernel = hologram.Executor("webgpu").compile(ATOMIC.format(verb=verb, more=""))
    total = np.array([(1 << 62) + 5, 7], np.int64)
    kernel(total, values, 10, 1, 1)
    assert total.tolist() == [int(function.reduce(values, initial=(1 << 62) + 5)), 7]


def test_atomics_whose_results_are_used_are_refused():
    with pytest.raises(HologramError) as caught:
        hologram.Executor("webgpu").compile(ATOMIC.format(verb="add", more="  stg.i64 [buf1 + r0], r3\n"))
    assert caught.value.code == "device-refuses-limb-atomics"


def test_floats_of_64_bits_are_refused():
    text = "func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {\n  %0 = hologram.add %x, %x : tensor<?xf64>\n"
    with pytest.raises(HologramError, match="f64, which WGSL has not on this device"):
        hologram.compile(text + "  func.return %0 : tensor<?xf64>\n}", device="webgpu")


CLASSES = """
.program move(buf0: {t}[?], buf1: u32[?]) {{
  .launch block(8, 1, 1)
  mov.u64 r0, %gid
  mov_imm.u64 r2, {bytes}
  mul.u64 r1, r0, r2
  mov_imm.u64 r2, 4
  mul.u64 r2, r0, r2
  ldg.u32 r3, [buf1 + r2]
  mov_imm.u32 r4, 1
  mov_imm.u32 r5, 0
  bound.map.{t} r8, r3, r4, r5
  ldg.{t} r16, [buf0 + r1]
  stg.{t} [r8], r16
  nbr.load.{t} r17, [r8], r5
  stg.{t} [c5 + r1], r17
  ldg.{t} r18, [c7 + r1]
  stg.{t} [buf0 + r1], r18
  exit
}}
"""


@pytest.mark.parametrize("t", ["u8", "f16", "f32", "i64"])
def test_class_memory(t: str):
    text, found = CLASSES.format(t=t, bytes=DTYPES[t].bytes), list[bytes]()
    for device in ("cpu", "webgpu"):
        executor = hologram.Executor(device)
        memory = executor.classes.bytes
        memory[:] = np.random.default_rng(5).integers(0, 100, memory.shape, np.uint8)
        values, places = np.arange(16).astype(DTYPES[t].numpy), np.arange(16, dtype=np.uint32) * 3
        executor.compile(text)(values, places, 2, 1, 1)
        found.append(values.tobytes() + memory.tobytes())
    assert found[0] == found[1]
