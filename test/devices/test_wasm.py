"""WebAssembly under wasmtime and Node: traps, memory that grows and ends, temporaries, wide scalars, the disk cache."""

from __future__ import annotations

import gc
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from device_kernels import KERNELS
from devices.columns import node
from devices.node import module_of
from hologram.errors import DeviceError, LaunchError, TrapError
from hologram.runtime.devices import open_device
from hologram.runtime.devices.linear_memory import ALIGNMENT

pytestmark = pytest.mark.device

DIVIDE = """
.program quotients(buf0: i32[?], buf1: i32[?]) {
  .launch block(4, 1, 1)
  mov_imm.u64 r1, 4
  mul.u64 r1, r255, r1
  ldg.i32 r2, [buf0 + r1]
  mov_imm.i32 r3, 12
  div.i32 r3, r3, r2
  stg.i32 [buf1 + r1], r3
}
"""
WIDE = """
func.func @wide(%x: memref<?xi128> {hologram.type = "u128"}, %by: i128 {hologram.type = "u128"}) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xi128>
  %p = arith.muli %v, %by : i128
  memref.store %p, %x[%c0] : memref<?xi128>
  func.return
}
"""
DEEP = """
func.func private @down(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %end = arith.cmpi eq, %n, %c0 : i64
  %r = scf.if %end -> (i64) {
    scf.yield %c0 : i64
  } else {
    %c3 = arith.constant 3 : i64
    %less = arith.subi %n, %c1 : i64
    %below = func.call @down(%less) : (i64) -> i64
    %mixed = arith.xori %below, %n : i64
    %more = arith.muli %mixed, %c3 : i64
    scf.yield %more : i64
  }
  func.return %r : i64
}
func.func @main(%x: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %x[%c0] : memref<?xi64>
  %r = func.call @down(%n) : (i64) -> i64
  memref.store %r, %x[%c0] : memref<?xi64>
  func.return
}
"""


def test_a_trap_names_its_site_and_the_next_call_works():
    kernel = hologram.compile(DIVIDE, device="wasm")
    given, found = np.array([1, 2, 0, 4], np.int32), np.zeros(4, np.int32)
    with pytest.raises(TrapError, match="in lane 2: .*division by zero"):
        kernel(given, found, 1, 1, 1)
    given[2] = 3
    kernel(given, found, 1, 1, 1)
    assert list(found) == [12, 6, 4, 3]


def test_node_traps_alike():
    program = node().load(DIVIDE)
    given, found = np.array([1, 2, 0, 4], np.int32), np.zeros(4, np.int32)
    with pytest.raises(TrapError, match="in lane 2: .*division by zero"):
        program(given, found, 1, 1, 1)
    given[2] = 3
    program(given, found, 1, 1, 1)
    assert list(found) == [12, 6, 4, 3]


@pytest.mark.parametrize("value", [0, 1, (1 << 128) - 1, 0x123456789ABCDEF0FEDCBA9876543210])
def test_wide_scalars_come_by_their_limbs(value: int):
    expected = hologram.limbs([5 * value % (1 << 128)], "u128")
    for run in (hologram.compile(WIDE, device="wasm"), node().load(WIDE)):
        array = hologram.limbs([5], "u128")
        run(array, value)
        assert array.tobytes() == expected.tobytes()


def test_a_stack_that_overflows_is_an_error_and_the_next_call_works():
    kernel = hologram.compile(DEEP, device="wasm", unsafe_memory=True)
    with pytest.raises(DeviceError, match="kernel 'main' takes more stack than wasm:0 has, which is 1048576 bytes"):
        kernel(np.array([10_000_000], np.int64))
    expected = 0
    for n in range(1, 21):
        expected = (expected ^ n) * 3
    for _ in range(3):
        x = np.array([20], np.int64)
        kernel(x)
        assert x[0] == expected


def test_sums_of_columns_one_after_the_other():
    """Their arrays would take more than the stack together."""
    count, m, r = 3, "memref<?x?xf64>", "memref<?xf64>"
    names = [f"%r{n}" for n in range(count)]
    sums = "\n".join(
        f"""atlas.reduce [add f64] ins(%x : {m}) outs({name} : {r})
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] {{
        ^bb0(%e: f64):
          atlas.yield %e : f64
        }} {{schedule = {{tile = 1024 : i64}}}}"""
        for name in names
    )
    arguments = ", ".join(f"{name}: {r}" for name in names)
    kernel = hologram.compile(f"func.func @main(%x: {m}, {arguments}) {{\n{sums}\nfunc.return\n}}", device="wasm")
    x, found = np.arange(600.0).reshape(20, 30), np.zeros((count, 30))
    kernel(x, *found)
    assert (found == x.sum(0)).all()


def test_memory_grows_and_comes_back():
    device = open_device("wasm:0")
    kernel = hologram.compile(KERNELS["saxpy"].text, device="wasm")
    for count in (1 << 10, 1 << 22, 3):
        x = np.arange(count, dtype=np.float32)
        assert np.array_equal(kernel(2.0, x, x), 3 * x)
    # Modules of other tests that are collected meanwhile give memory back too.
    gc.collect()
    before = device.allocate(1)
    device.free(before)
    for _ in range(20):
        kernel(2.0, np.ones(100_000, np.float32), np.ones(100_000, np.float32))
    after = device.allocate(1)
    device.free(after)
    assert after == before


def test_temporaries_of_programs_are_freed():
    device: Any = open_device("wasm:0")
    kernel = hologram.compile(KERNELS["matmul-f32"].text, device="wasm")
    a = np.ones((130, 70), np.float32)
    used: list[int] = []
    for _ in range(3):
        kernel(a, np.ones((70, 66), np.float32))
        used.append(device.heap.used)
    assert used[0] == used[1] == used[2]


def test_more_than_there_is():
    device = open_device("wasm:0")
    with pytest.raises(DeviceError) as caught:
        device.allocate(1 << 40)
    assert caught.value.code == "device-allocation"
    taken = device.allocate(1 << 31)
    with pytest.raises(DeviceError, match="no memory") as caught:
        device.allocate((1 << 31) + (1 << 30))
    assert caught.value.code == "device-memory"
    device.free(taken)
    address = device.allocate(ALIGNMENT)
    device.free(address)


def test_a_program_without_memory_for_its_temporaries():
    kernel = hologram.compile(KERNELS["softmax"].text, device="wasm")
    device = open_device("wasm:0")
    taken: list[int] = []
    size = 1 << 31
    while size > 1 << 16:
        try:
            taken.append(device.allocate(size))
        except DeviceError:
            size //= 2
    x = np.ones((2, 20_000), np.float32)
    try:
        with pytest.raises((DeviceError, LaunchError)):
            kernel(np.ones((640, 20_000), np.float32))
    finally:
        for address in taken:
            device.free(address)
    assert np.allclose(kernel(x), 1 / 20_000)


def test_the_machine_code_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from hologram.runtime.devices.wasm import WasmDevice

    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path))
    device = WasmDevice(7)
    linked = module_of(KERNELS["sum"].text)
    device.machine_code(linked)
    kept = list(tmp_path.rglob("*"))
    assert kept
    device.machine_code(linked)
    for path in kept:
        if path.is_file():
            path.write_bytes(b"damaged")
    device.machine_code(linked)


def test_modules_validate():
    wasmtime: Any = import_module("wasmtime")
    engine = wasmtime.Engine()
    for kernel in KERNELS.values():
        wasmtime.Module.validate(engine, module_of(kernel.text))
