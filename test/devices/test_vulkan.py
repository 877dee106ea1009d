"""The device module of Vulkan on lavapipe: what no other device does, and what must not go wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser

import hologram
from conformance.batch import PASS
from device_kernels import KERNELS
from devices import results
from devices.columns import Column
from hologram.dialects import make_context
from hologram.errors import DeviceError, TrapError
from hologram.lowering.targets.spirv.convert_gpu_to_spirv import ConvertGpuToSpirvPass
from hologram.lowering.targets.spirv.target import emit_spirv
from hologram.runtime.devices import fma_probe as vulkan_probe
from hologram.runtime.devices.callbacks import Dispatch
from hologram.runtime.devices.protocol import KernelArgument, KernelInfo
from hologram.runtime.devices.vulkan import device as vulkan

pytestmark = [pytest.mark.device, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def device() -> Iterator[vulkan.VulkanDevice]:
    opened = vulkan.open_device(0)
    yield opened
    opened.close()


def binary(text: str) -> bytes:
    ctx = make_context()
    module = Parser(ctx, text).parse_module()
    ConvertGpuToSpirvPass().apply(ctx, module)
    module.verify()
    return emit_spirv(module)


def kernel(arguments: Sequence[str], body: str, block: str = "") -> str:
    types = ", ".join(arguments)
    names = ", ".join(f"%{n}: {type}" for n, type in enumerate(arguments))
    return f"""
"gpu.module"() <{{sym_name = "m"}}> ({{
  "gpu.func"() <{{function_type = ({types}) -> (){block}}}> ({{
  ^bb0({names}):
    {body}
    "gpu.return"() : () -> ()
  }}) {{sym_name = "k", gpu.kernel}} : () -> ()
}}) : () -> ()
"""


def described(arguments: Sequence[str], block: tuple[int, int, int] | None) -> KernelInfo:
    found = [
        KernelArgument("buffer", "f32", "readwrite") if "memref" in a else KernelArgument("scalar", a)
        for a in arguments
    ]
    return KernelInfo("k", block, 0, tuple(found))


def test_the_probe_is_what_the_compiler_makes():
    text = (Path(__file__).parent / "fma_probe.mlir").read_text()
    assert binary(text) == vulkan_probe.code()


def test_blocks_sized_at_launch_and_grids_in_parts(device: vulkan.VulkanDevice):
    """The grid is larger than one dispatch may be on lavapipe."""
    arguments = ["memref<?xf32>"]
    body = """
    %b = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
    %d = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %g = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %s = arith.muli %b, %d : index
    %i = arith.addi %s, %t : index
    %w = arith.index_cast %g : index to i32
    %f = arith.sitofp %w : i32 to f32
    memref.store %f, %0[%i] : memref<?xf32>
"""
    program = device.load(binary(kernel(arguments, body)), [described(arguments, None)], 0)
    for lanes in (1, 3):
        blocks = 70_001
        address = device.allocate(4 * blocks * lanes)
        device.start(Dispatch(program, 0, (blocks, 1, 1), (lanes, 1, 1), 0, [address]))
        found = np.zeros(blocks * lanes, np.float32)
        device.read(address, found.data).wait()
        device.free(address)
        assert (found == blocks).all()
    program.close()


@pytest.mark.usefixtures("device")
def test_its_threads_have_processors_of_their_own():
    tasks = list(Path("/proc/self/task").iterdir())
    places = [os.sched_getaffinity(int(task.name)) for task in tasks]
    bound = [place for place in places if len(place) == 1]
    assert set[int]().union(*bound) == os.sched_getaffinity(0)


@pytest.mark.parametrize("buffers", [2, 16, 17, 40])
@pytest.mark.parametrize("scalars", [1, 40])
def test_many_arrays_and_scalars(device: vulkan.VulkanDevice, buffers: int, scalars: int):
    arguments = ["memref<?xf32>"] * buffers + ["f32"] * scalars
    lines = ['%i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index', "%s0 = arith.constant 0.0 : f32"]
    for n in range(1, buffers):
        lines.append(f"%l{n} = memref.load %{n}[%i] : memref<?xf32>")
        lines.append(f"%s{n} = arith.addf %s{n - 1}, %l{n} : f32")
    last = f"%s{buffers - 1}"
    for n in range(scalars):
        lines.append(f"%p{n} = arith.addf {last}, %{buffers + n} : f32")
        last = f"%p{n}"
    lines.append(f"memref.store {last}, %0[%i] : memref<?xf32>")
    text = kernel(arguments, "\n    ".join(lines), ", known_block_size = array<i32: 4, 1, 1>")
    program = device.load(binary(text), [described(arguments, (4, 1, 1))], 0)
    addresses = [device.allocate(16) for _ in range(buffers)]
    for n, address in enumerate(addresses):
        device.write(address, np.full(4, n, np.float32).data)
    values = [np.float32(n).tobytes() for n in range(scalars)]
    device.start(Dispatch(program, 0, (1, 1, 1), (4, 1, 1), 0, [*addresses, *values]))
    found = np.zeros(4, np.float32)
    device.read(addresses[0], found.data).wait()
    assert (found == sum(range(buffers)) + sum(range(scalars))).all()
    program.close()
    for address in addresses:
        device.free(address)


def test_memory_runs_out_and_the_next_call_works(device: vulkan.VulkanDevice):
    for nbytes in (10**12, device.limits.memory + 1):
        with pytest.raises(DeviceError, match="no memory for"):
            device.allocate(nbytes)
    address = device.allocate(0)
    assert address % 256 == 0
    assert address
    device.free(address)
    with pytest.raises(DeviceError, match="nothing is allocated"):
        device.free(address)
    with pytest.raises(DeviceError, match="nothing is allocated"):
        device.write(address, memoryview(b"1234"))


def test_random_writes_fills_copies_and_reads(device: vulkan.VulkanDevice):
    """No read is stale: each gives the values of the writes before it."""
    random = np.random.default_rng(6)
    size = 4096
    places = [device.allocate(size) for _ in range(4)]
    expected = [np.zeros(size, np.uint8) for _ in places]
    for place in places:
        device.fill(place, 0, size)
    for _ in range(2000):
        what, one, other = random.integers(4), random.integers(4), random.integers(4)
        start = int(random.integers(size))
        count = int(random.integers(size - start + 1))
        span = slice(start, start + count)
        if what == 0:
            data = random.integers(0, 256, count, np.uint8)
            device.write(places[one] + start, data.data)
            expected[one][span] = data
        elif what == 1:
            device.fill(places[one] + start, int(other), count)
            expected[one][span] = other
        elif what == 2 and one != other:
            device.copy(places[one] + start, places[other] + start, count)
            expected[one][span] = expected[other][span]
        else:
            found = np.empty(count, np.uint8)
            device.read(places[one] + start, found.data).wait()
            assert (found == expected[one][span]).all()
    for place in places:
        device.free(place)


def test_events_are_timed_and_can_be_awaited(device: vulkan.VulkanDevice):
    import asyncio

    address = device.allocate(1 << 20)
    before = device.record()
    device.fill(address, 7, 1 << 20)
    after = device.record()

    async def wait() -> None:
        await after

    asyncio.run(wait())
    assert after.done
    assert before.done
    assert after.elapsed(before) >= 0
    device.free(address)


def test_code_that_is_none_is_refused(device: vulkan.VulkanDevice):
    with pytest.raises(DeviceError, match="does not take the code"):
        device.load(bytes(24), (), 0)


REVERSED = """
.program reversed(buf0: f32[?], buf1: f32[?]) {
  .launch block(16, 1, 1)
  .shared shared0: f32[?]
  mov.u64 r0, %gid
  mov_imm.u64 r1, 4
  mul.u64 r0, r0, r1
  mov.u32 r2, %lane.x
  cvt.u64.u32 r3, r2
  mul.u64 r3, r3, r1
  ldg.f32 r4, [buf0 + r0]
  sts.f32 [shared0 + r3], r4
  bar.sync 1
  mov_imm.u64 r5, 60
  sub.u64 r5, r5, r3
  lds.f32 r6, [shared0 + r5]
  stg.f32 [buf1 + r0], r6
}
"""


def test_shared_memory_that_the_launch_sizes():
    kernel = hologram.Executor("vulkan:0").compile(REVERSED, cache=False)
    given, found = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    for bytes in (64, 68, 16384):
        found[:] = 0
        kernel.launch(given, found, 2, 1, 1, bytes)
        assert (found == given.reshape(2, 16)[:, ::-1].reshape(-1)).all()
    with pytest.raises(TrapError, match="index out of range"):
        kernel.launch(given, found, 2, 1, 1, 60)
    with pytest.raises(DeviceError, match="bytes of shared memory"):
        kernel.launch(given, found, 2, 1, 1, 1 << 30)


@pytest.mark.parametrize(("title", "type"), [("windows", "i64"), ("assertions", "")])
def test_devices_without_integers_of_64_bits(title: str, type: str, monkeypatch: pytest.MonkeyPatch):
    """They are halves there: tried here, where whole ones are."""
    column = Column("vulkan")
    monkeypatch.setattr(column.opened, "_options", {**column.opened.options, "limb": "32"})
    rows = results.cells(column, title, type)
    assert rows
    assert {row["outcome"] for row in rows.values()} == {PASS}


def test_iterations_of_a_lane(device: vulkan.VulkanDevice):
    """Mesa's driver for processors ends loops after 65,535 iterations of a lane: docs/devices/using.mdx says so."""
    arguments = ["memref<?xf32>", "index"]
    body = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %sum = scf.for %i = %c0 to %1 step %c1 iter_args(%x = %zero) -> (f32) {
      %y = arith.addf %x, %one : f32
      scf.yield %y : f32
    }
    memref.store %sum, %0[%c0] : memref<?xf32>
"""
    text = kernel(arguments, body, ", known_block_size = array<i32: 1, 1, 1>")
    program = device.load(binary(text), [described(arguments, (1, 1, 1))], 0)
    address = device.allocate(4)
    is_cut = device.title.startswith("llvmpipe (LLVM 15")
    for count in (0, 1, 65_535, 65_536, 1_000_000):
        device.start(Dispatch(program, 0, (1, 1, 1), (1, 1, 1), 0, [address, count.to_bytes(8, "little")]))
        found = np.zeros(1, np.float32)
        device.read(address, found.data).wait()
        assert found[0] == (min(count, 65_535) if is_cut else count)
    device.free(address)
    program.close()


FENCED = 64
"""The lanes of a block."""


@pytest.mark.parametrize("turns", ["same", "own"])
def test_fences_in_loops(device: vulkan.VulkanDevice, turns: str):
    """Mesa's driver for processors takes a fence for a barrier: the first vector that leaves a loop with one ends the
    others. docs/devices/using.mdx says so."""
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %one = arith.constant 1 : i32
    %t = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
    %own = arith.addi %t, %c0 : index
    %same = arith.addi %c20, %c0 : index
    scf.for %i = %c0 to %{turns} step %c1 {{
      %x = memref.load %0[%t] : memref<?xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %0[%t] : memref<?xi32>
      "llvm.fence"() <{{ordering = 4 : i64, syncscope = "device"}}> : () -> ()
    }}
"""
    arguments, block = ["memref<?xi32>"], (FENCED, 1, 1)
    text = kernel(arguments, body, f", known_block_size = array<i32: {FENCED}, 1, 1>")
    program = device.load(binary(text), [described(arguments, block)], 0)
    found = np.zeros(FENCED, np.int32)
    address = device.allocate(found.nbytes)
    device.write(address, found.data)
    device.start(Dispatch(program, 0, (1, 1, 1), block, 0, [address]))
    device.read(address, found.data).wait()
    device.free(address)
    program.close()
    is_cut = turns == "own" and device.title.startswith("llvmpipe (LLVM 15")
    wanted = np.arange(FENCED) if turns == "own" else np.full(FENCED, 20)
    assert found[:8].tolist() == wanted[:8].tolist()
    assert (found.tolist() == wanted.tolist()) is not is_cut


LARGE = {
    "saxpy": (2 * 8192 + 5,), "gelu": (8193,), "sum": (4096 * 5,), "row-sum": (65, 384), "column-sum": (300, 128),
    "softmax": (65, 4224), "layer-norm": (64, 256), "transpose": (64, 128),
}  # fmt: skip
"""Sizes that processors have forms of their own for."""


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("kind", ["vulkan", "webgpu"])
def test_threads_that_are_lanes(kind: str, name: str):
    kernel = KERNELS[name]
    given = kernel.arguments(LARGE[name])
    found = hologram.compile(kernel.text, device=kind)(*given)
    assert kernel.error(given, found) <= 1


@pytest.mark.parametrize("kind", ["vulkan", "webgpu"])
def test_a_part_of_a_tile_behind_many(kind: str):
    """The rest of a long array is a launch of its own."""
    kernel = KERNELS["saxpy"]
    given = kernel.arguments(((1 << 22) + 3 * 8192 + 5,))
    found = hologram.compile(kernel.text, device=kind)(*given)
    assert kernel.error(given, found) <= 1
