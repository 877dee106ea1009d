"""Arrays, launches and failures on each device: what is asked happens in order, and it survives errors."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import device_programs
import hologram
from devices.columns import LOCAL, Column
from hologram.errors import DeviceError, HologramError, TrapError
from hologram.runtime import compiler
from hologram.runtime.devices import open_device
from in_process import run_tool

pytestmark = pytest.mark.device

SEQUENCES = 2000
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
SCALE = """
func.func @main(%x: memref<?xf32>, %f: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %x, %zero : memref<?xf32>
  scf.for %i = %zero to %n step %one {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %f : f32
    memref.store %w, %x[%i] : memref<?xf32>
  }
  func.return
}
"""
ADD = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
DIVIDE = """
func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %0 = hologram.div %a, %b : tensor<?xi32>
  return %0 : tensor<?xi32>
}
"""
PICK = """
func.func @main(%x: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
  %0 = hologram.gather %x, %i {axis = 0 : i64} : (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
A = np.arange(1000, dtype=np.float32)


@pytest.fixture(params=KINDS, ids=lambda column: column.kind)
def device(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    found: Column = request.param
    if found.missing:
        pytest.skip(f"{found.kind}: {found.missing}")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    return found.device


def fails(code: str, do: Any, *args: Any, **options: Any) -> HologramError:
    with pytest.raises(HologramError) as caught:
        do(*args, **options)
    assert caught.value.code == code
    return caught.value


def test_arrays(device: str):
    x = hologram.array(A.reshape(10, 100), device=device)
    assert (x.numpy() == A.reshape(10, 100)).all()
    assert (x[3:5].numpy() == A.reshape(10, 100)[3:5]).all()
    x[2].copy_from(np.ones(100))
    assert (x.numpy()[2] == 1).all()
    assert (x.numpy()[3] == A[300:400]).all()
    assert not hologram.zeros(7, "f64", device=device).numpy().any()
    assert hologram.zeros(0, device=device).numpy().size == 0
    small = hologram.zeros(11, "u8", device=device)
    small[3:6].copy_from([1, 2, 3])
    assert small.numpy().tolist() == [0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0]
    assert small[4:7].numpy().tolist() == [2, 3, 0]


def test_kernels(device: str):
    kernel = hologram.compile(ADD, device=device)
    assert (kernel(A, A) == 2 * A).all()
    assert (kernel(A[::-2], A[::2]) == A[::-2] + A[::2]).all()
    x = hologram.array(A, device=device)
    y = kernel(x, kernel(x, A))
    assert isinstance(y, hologram.DeviceArray)
    assert (y.numpy() == 3 * A).all()
    assert (kernel(x[3:500], x[5:502]).numpy() == A[3:500] + A[5:502]).all()
    kernel(x[8:300], x[16:308], x[500:792])
    assert (x.numpy()[500:792] == A[8:300] + A[16:308]).all()
    assert kernel(A[:0], A[:0]).size == 0


def test_few_bytes(device: str):
    """Arrays that are empty or smaller than an element of another one that a kernel takes."""
    kernel = hologram.compile(PICK, device=device)
    x, few = hologram.array(A[:3], device=device), hologram.zeros(4, "i64", device=device)
    for count in (0, 1, 3):
        found = kernel(x[:count], few[:count])
        assert (found.numpy() == A[:count][few[:count].numpy()]).all()
    assert kernel(x[3:3], few[4:4]).numpy().size == 0


def test_in_place(device: str):
    kernel = hologram.compile(SCALE, device=device)
    x = A.copy()
    kernel(x[::3], 2.0)
    assert (x[::3] == 2 * A[::3]).all()
    assert (x[1::3] == A[1::3]).all()


def test_traps(device: str):
    kernel = hologram.compile(DIVIDE, device=device)
    a, b = np.arange(100, dtype=np.int32), np.ones(100, np.int32)
    b[70] = 0
    with pytest.raises(TrapError, match=r"lane.*division by zero") as caught:
        kernel(a, b)
    assert caught.value.where is not None
    assert caught.value.where.line == 3
    b[70] = 1
    assert (kernel(a, b) == a).all()
    x, zeros = hologram.array(a, device=device), hologram.zeros(100, "i32", device=device)
    y = kernel(x, zeros)
    with pytest.raises(TrapError):
        y.numpy()
    assert (kernel(x, hologram.array(b, device=device)).numpy() == a).all()


def test_random_sequences_give_no_stale_read(device: str):
    rng = np.random.default_rng(6)
    kernel = hologram.compile(SCALE, device=device)
    arrays = [hologram.zeros(64, device=device) for _ in range(4)]
    for _ in range(SEQUENCES):
        x = arrays[rng.integers(4)]
        mirror = rng.integers(0, 9, 64).astype(np.float32)
        x.copy_from(mirror)
        for step in rng.integers(0, 4, 4):
            if step == 0:
                low = int(rng.integers(60))
                part = rng.integers(0, 9, 3).astype(np.float32)
                x[low : low + 3].copy_from(part)
                mirror[low : low + 3] = part
            elif step == 3:
                assert (x.numpy() == mirror).all()
            else:
                kernel(x, float(step))
                mirror *= step
        assert (x.numpy() == mirror).all()


def test_transfers_can_be_awaited(device: str):
    async def transfer() -> Any:
        arrays = [hologram.empty(1000, device=device) for _ in range(3)]
        await asyncio.gather(*(x.store(A * n) for n, x in enumerate(arrays)))
        return await asyncio.gather(*(x.fetch() for x in arrays))

    for n, found in enumerate(asyncio.run(transfer())):
        assert (found == n * A).all()


def test_threads(device: str):
    kernel = hologram.compile(ADD, device=device)
    wrong: list[int] = []

    def work(number: int) -> None:
        x = A * number
        for _ in range(20):
            if not (kernel(x, A) == x + A).all():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_exhausted_memory(device: str):
    kernel = hologram.compile(ADD, device=device)
    with pytest.raises(DeviceError) as error:
        hologram.empty(1 << 40, "i8", device=device)
    assert error.value.code in ("device-allocation", "device-memory")
    assert "1099511627776" in str(error.value)
    assert (kernel(A, A) == 2 * A).all()


def test_a_launch_over_the_limits(device: str):
    kernel = hologram.compile(ADD, device=device)
    limits = open_device(device).limits
    if limits.shared:
        text = _lanes(limits.shared + 4)
        with pytest.raises(HologramError):
            hologram.compile(text, device=device).launch(
                A.copy(), config=hologram.LaunchConfig((1, 1, 1), (64, 1, 1), limits.shared + 4)
            )
    assert (kernel(A, A) == 2 * A).all()


def _lanes(shared: int) -> str:
    return f"""
atlas.program @p(%x: memref<?xf32>) block [64, 1, 1] {{
  %s = atlas.alloca : memref<{shared // 4}xf32, #atlas.space<shared>>
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  atlas.sts f32 %v, %s[%i : i64] : memref<{shared // 4}xf32, #atlas.space<shared>>
  atlas.bar.sync 0
  %w = atlas.lds f32 %s[%i : i64] : memref<{shared // 4}xf32, #atlas.space<shared>>
  atlas.stg f32 %w, %x[%i : i64] : memref<?xf32>
}}
"""


def test_a_lost_device_is_opened_anew(device: str):
    kernel = hologram.compile(ADD, device=device)
    x = hologram.array(A, device=device)
    open_device(device).close()
    error = fails("device-lost", x.numpy)
    assert device in str(error)
    assert (kernel(A, A) == 2 * A).all()
    fails("device-lost", kernel, x, A)
    x.free()
    assert (kernel(hologram.array(A, device=device), A).numpy() == 2 * A).all()


def test_the_cache_of_programs(device: str):
    compiler.clear_memory()
    first = hologram.compile(ADD, device=device)
    compiler.clear_memory()
    again = hologram.compile(ADD, device=device)
    assert (first(A, A) == again(A, A)).all()
    assert hologram.cache_stats().disk_hits


def test_memory_is_given_back(device: str):
    kernel = hologram.compile(ADD, device=device)
    big = hologram.array(np.ones(1 << 20, np.float32), device=device)
    last = big
    for _ in range(200):
        last = kernel(big, big)
    assert last.numpy()[-1] == 2
    open_device(device).trim()
    assert (kernel(A, A) == 2 * A).all()


def test_tools(device: str, tmp_path: Path):
    assert f"\n           {device}  " in run_tool("hologram-doctor", []).text
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    outcome = run_tool("hologram-run", [str(path), "--device", device, "--arg", "f32[3]=iota", "--arg", "f32[3]=ones"])
    assert "[1. 2. 3.]" in outcome.text, outcome.text + outcome.errors


# One kind each


def _here(kind: str) -> Any:
    (column,) = [c for c in KINDS if c.kind == kind]
    if column.missing:
        pytest.skip(column.missing)
    return open_device(column.device)


def test_opencl_keeps_time():
    device = _here("opencl")
    before = device.record()
    kernel = hologram.compile(ADD, device="opencl")
    x = hologram.array(A, device="opencl")
    kernel(x, x)
    after = device.record()
    after.wait()
    assert 0 < after.elapsed(before) < 60


def test_opencl_binaries_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    device = _here("opencl")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path))
    code = b"kernel void f(global int *x) { x[0] = 1; }"
    assert device._find(code) is None
    device.load(code, [], 0).close()
    assert device._find(code) is not None
    (path,) = (p for p in tmp_path.rglob("*") if p.is_file())
    blob = bytearray(path.read_bytes())
    path.write_bytes(bytes(blob[:-1]))
    assert device._find(code) is None


@pytest.mark.parametrize(("kind", "format"), [("opencl", "opencl-c"), ("webgpu", "wgsl")])
def test_code_that_is_refused(kind: str, format: str):
    _here(kind)
    error = fails("device-build", hologram.compile, device_programs.add(kind, format, b"nonsense here"), device=kind)
    assert "nonsense" in str(error)
    assert (hologram.compile(ADD, device=kind)(A, A) == 2 * A).all()


def test_webgpu_waits_for_what_was_asked_after_a_wait():
    device = _here("webgpu")
    kernel = hologram.compile(ADD, device="webgpu")
    x = hologram.array(A, device="webgpu")
    for _ in range(3):
        device.synchronize()
        assert device.record().done
        kernel(x, x, hologram.empty(1000, device="webgpu"))
        event = device.record()
        assert not event.done
        event.wait()
        assert event.done
        assert device.finished == device.batch - 1


def test_webgpu_devices_that_break():
    device = _here("webgpu")
    kernel = hologram.compile(ADD, device="webgpu")
    device._device.destroy()
    fails("device-lost", kernel, A, A)
    assert (kernel(A, A) == 2 * A).all()
