"""Tests of arrays, launches and failures on a device: what is asked happens in order, and it survives errors.

`devices/test_runtime.py` runs them where no hardware is needed and `gpu/test_runtime.py` on a GPU, each with a
fixture `device` that gives a name.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver import graph
from hologram.errors import DeviceError, HologramError, TrapError
from hologram.lowering.targets.objects.compile_helper import HELPER
from hologram.runtime.devices import open_device
from in_process import run_tool

SEQUENCES = 2000
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
UPDATE = """
func.func @main(%cache: memref<2x64xf32>, %new: memref<1x64xf32>, %at: memref<i32>, %out: memref<2x64xf32>) {
  atlas.kv_cache_update ins(%cache, %new, %at : memref<2x64xf32>, memref<1x64xf32>, memref<i32>)
    outs(%out : memref<2x64xf32>)
  func.return
}
"""
REVERSE = """
func.func @main(%x: memref<64xf32>, %out: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  "gpu.launch"(%c1, %c1, %c1, %c64, %c1, %c1) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%bx: index, %by: index, %bz: index, %i: index, %ty: index, %tz: index,
       %gx: index, %gy: index, %gz: index, %sx: index, %sy: index, %sz: index):
    %tile = memref.alloca() : memref<128xf32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %tile[%i] : memref<128xf32, #gpu.address_space<workgroup>>
    "gpu.barrier"() : () -> ()
    %other = arith.subi %c63, %i : index
    %w = memref.load %tile[%other] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%i] : memref<128xf32>
    %behind = arith.addi %i, %c64 : index
    %z = memref.load %tile[%behind] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %z, %out[%behind] : memref<128xf32>
    "gpu.terminator"() : () -> ()
  }) : (index, index, index, index, index, index) -> ()
  func.return
}
"""
A = np.arange(1000, dtype=np.float32)


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


def test_what_follows_a_trap_touches_no_memory(device: str):
    """A kernel whose index an earlier one found to be wrong, between arrays that are not its own."""
    kernel = hologram.compile(UPDATE, device=device)
    cache, new = (hologram.array(np.full((n, 64), v, np.float32), device=device) for n, v in ((2, 7), (1, 8)))
    for at, wanted in ((-1, None), (1, [7, 8]), (2, None), (0, [8, 7]), (-(1 << 31), None)):
        whole = hologram.array(np.full((4, 64), 9, np.float32), device=device)
        kernel(cache, new, hologram.array(np.array(at, np.int32), device=device), whole[1:3])
        if wanted is None:
            with pytest.raises(TrapError, match="inside of the cache"):
                whole.numpy()
        assert (whole.numpy()[[0, 3]] == 9).all()
        assert wanted is None or (whole.numpy()[1:3] == np.array(wanted)[:, None]).all()


def reversed_by(kernel: Any) -> None:
    """Checks what `REVERSE` gives: what a block shares holds zeros before any thread goes on."""
    out = np.full(128, 7, np.float32)
    kernel(A[1:65], out)
    assert out.tolist() == [*A[64:0:-1], *[0] * 64]


def test_memory_of_a_block(device: str):
    if device.startswith("wasm"):
        fails("gpu-op-outside-kernel", hologram.compile, REVERSE, device=device)
    else:
        reversed_by(hologram.compile(REVERSE, device=device))


class Mirrored:
    """An array on a device, and what must be in it: whole numbers that floats have."""

    def __init__(self, device: str, rng: np.random.Generator):
        self.mirror = rng.integers(0, 9, int(rng.choice([1, 7, 64, 1000, 4099]))).astype(np.float32)
        self.array = hologram.array(self.mirror, device=device)

    def part(self, rng: np.random.Generator) -> slice:
        """A part of the array, seldom all of it."""
        low, high = sorted(rng.integers(0, self.mirror.size + 1, 2))
        return slice(int(low), int(high))

    def write(self, part: slice, rng: np.random.Generator) -> None:
        """New numbers in a part."""
        self.mirror[part] = rng.integers(0, 9, self.mirror[part].size)
        self.array[part].copy_from(self.mirror[part])

    def check(self, part: slice) -> None:
        """Check that a part reads as its content in the mirror."""
        assert (self.array[part].numpy() == self.mirror[part]).all()


def test_random_sequences_give_no_stale_read(device: str):
    """Writes, launches and reads of arrays and parts of them, which are freed and made again in between."""
    rng = np.random.default_rng(6)
    scale, add = (hologram.compile(text, device=device) for text in (SCALE, ADD))
    arrays = [Mirrored(device, rng) for _ in range(4)]
    for _ in range(SEQUENCES):
        at, of = (int(n) for n in rng.permutation(4)[:2])
        x, other = arrays[at], arrays[of]
        x.write(slice(None) if x.mirror.max() > 1e6 else x.part(rng), rng)
        for step in rng.integers(0, 6, 3):
            if step == 0:
                x.write(x.part(rng), rng)
            elif step == 1:
                x.check(x.part(rng))
            elif step == 2:
                part = x.part(rng)
                scale(x.array[part], 3.0)
                x.mirror[part] *= 3
            elif step == 3:
                x.array = add(x.array, x.array)
                x.mirror += x.mirror
            elif step == 4:
                count = int(rng.integers(0, min(x.mirror.size, other.mirror.size) + 1))
                add(other.array[:count], other.array[:count], x.array[:count])
                x.mirror[:count] = 2 * other.mirror[:count]
            else:
                x.array.free()
                x = arrays[at] = Mirrored(device, rng)
        x.check(slice(None))
    for x in arrays:
        x.check(slice(None))


def test_transfers_can_be_awaited(device: str):
    async def transfer() -> Any:
        arrays = [hologram.empty(1000, device=device) for _ in range(3)]
        await asyncio.gather(*(x.store(A * n) for n, x in enumerate(arrays)))
        return await asyncio.gather(*(x.fetch() for x in arrays))

    for n, found in enumerate(asyncio.run(transfer())):
        assert (found == n * A).all()


def test_pools(device: str):
    """More than there is room for goes through one, in parts that kernels get in order."""
    kernel = hologram.compile(ADD, device=device)
    with hologram.DevicePool(4096, device=device) as pool:
        assert pool.read(0, 4096) == bytes(4096)
        found = [kernel(part, part) for part in pool.stream(A[:-1].repeat(3))]
        assert len(found) == 3
        assert (np.concatenate([x.numpy() for x in found]) == 2 * A[:-1].repeat(3)).all()
        pool.write(5, b"abc")
        assert pool.read(4, 5)[1:4] == b"abc"
        assert pool.view("u8", 5, 3).numpy().tobytes() == b"abc"
        assert pool.view("u128", 16).shape == (255, 2)
        assert pool.view("bf16").shape == (2048,)
        assert repr(pool) == f"<hologram.DevicePool of 4096 bytes on {pool.device}>"
        for code, wrong in (
            ("pool-range", lambda: pool.write(4094, b"abc")), ("pool-range", lambda: pool.read(-1, 1)),
            ("pool-alignment", lambda: pool.view("f32", 2)), ("pool-type", lambda: pool.view("f33")),
            ("pool-stream", lambda: next(pool.stream(A.reshape(10, 100)))),
        ):  # fmt: skip
            fails(code, wrong)
    fails("array-freed", pool.read, 0, 1)
    fails("pool-capacity", hologram.DevicePool, 0, device=device)


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


def test_launches_over_the_limits(device: str):
    """Too much shared memory, too large a block, too many blocks: each names the kernel, and the next launch works."""
    limits = open_device(device).limits
    kernel = hologram.compile(TWICE, device=device)
    x = A[:64].copy()
    over = [("device-block", (1, 1, 1), (2 * limits.threads, 1, 1))] * (limits.threads > 1)
    for axis, most in enumerate(limits.grid):
        sizes = [1, 1, 1]
        sizes[axis] = most + 1
        over += [("device-grid", (sizes[0], sizes[1], sizes[2]), (1, 1, 1))] * (most < 1 << 20)
    row = min(limits.grid[0], (1 << 32) - 1)
    over += [("device-blocks", (row, (1 << 32) // row + 1, 1), (64, 1, 1))] * device.startswith("opencl")
    for code, grid, block in over:
        error = fails(code, kernel.launch, x, config=hologram.LaunchConfig(grid, block))
        assert "kernel '" in str(error)
        assert device in str(error)
        kernel.launch(x, config=hologram.LaunchConfig((1, 1, 1), (64, 1, 1)))
        assert (x == 2 * A[:64]).all()
        x = A[:64].copy()
    if limits.shared:
        text = _shared(limits.shared + 4)
        with pytest.raises(HologramError):
            hologram.compile(text, device=device).launch(x, config=hologram.LaunchConfig((1, 1, 1), (64, 1, 1)))
    kernel.launch(x, config=hologram.LaunchConfig((64, 1, 1), (1, 1, 1)))
    assert (x == 2 * A[:64]).all()


TWICE = """
atlas.program @p(%x: memref<?xf32>) {
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  %w = atlas.add f32 %v, %v
  atlas.stg f32 %w, %x[%i : i64] : memref<?xf32>
}
"""


def _shared(nbytes: int) -> str:
    """A program whose blocks share so many bytes."""
    return f"""
atlas.program @p(%x: memref<?xf32>) block [64, 1, 1] {{
  %s = atlas.alloca : memref<{nbytes // 4}xf32, #atlas.space<shared>>
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  atlas.sts f32 %v, %s[%i : i64] : memref<{nbytes // 4}xf32, #atlas.space<shared>>
  atlas.bar.sync 0
  %w = atlas.lds f32 %s[%i : i64] : memref<{nbytes // 4}xf32, #atlas.space<shared>>
  atlas.stg f32 %w, %x[%i : i64] : memref<?xf32>
}}
"""


def check_killed_helper(device: str) -> None:
    """The process that compiles is killed, idle and at work: the one is not noticed, the other an error."""
    compile = partial(hologram.Executor(device).compile, ADD, cache=False)
    compile()
    _kill()
    assert (compile()(A, A) == 2 * A).all()
    assert HELPER.pid is not None
    os.kill(HELPER.pid, signal.SIGSTOP)  # So that it is at work when it is killed.
    killer = threading.Thread(target=_kill_at_work)
    killer.start()
    error = fails("compile-helper-died", compile)
    killer.join()
    assert "report it with that file" in str(error)
    assert (compile()(A, A) == 2 * A).all()


def _kill_at_work() -> None:
    for _ in range(1000):
        time.sleep(0.05)
        if HELPER.is_busy:
            break
    time.sleep(1)  # From its lock to the request.
    _kill()


def _kill() -> None:
    assert HELPER.pid is not None
    os.kill(HELPER.pid, signal.SIGKILL)


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
    graph.clear_memory()
    first = hologram.compile(ADD, device=device)
    graph.clear_memory()
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


__all__ = [
    "test_a_lost_device_is_opened_anew",
    "test_arrays",
    "test_exhausted_memory",
    "test_few_bytes",
    "test_in_place",
    "test_kernels",
    "test_launches_over_the_limits",
    "test_memory_is_given_back",
    "test_memory_of_a_block",
    "test_pools",
    "test_random_sequences_give_no_stale_read",
    "test_the_cache_of_programs",
    "test_threads",
    "test_tools",
    "test_transfers_can_be_awaited",
    "test_traps",
    "test_what_follows_a_trap_touches_no_memory",
]
