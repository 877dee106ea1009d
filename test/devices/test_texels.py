"""Texel buffers on lavapipe: what kernels only read of f32, which the driver reads by vectors of four."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from xdsl.parser import Parser

import hologram
from device_kernels import KERNELS
from hologram.dialects import make_context
from hologram.errors import DeviceError
from hologram.lowering.targets.spirv.convert_gpu_to_spirv import ConvertGpuToSpirvPass
from hologram.lowering.targets.spirv.target import emit_spirv
from hologram.runtime.devices.callbacks import Dispatch
from hologram.runtime.devices.protocol import KernelArgument, KernelInfo
from hologram.runtime.devices.vulkan import device as vulkan
from hologram.runtime.devices.vulkan.programs import are_bound, texels_of, words_of
from hologram.runtime.devices.vulkan.setup import TEXELS

pytestmark = [pytest.mark.device, pytest.mark.timeout(300)]
COUNT = 3 * 8192 + 5
"""Elements of whole tiles, and of a part of one."""
BLOCK = 64


@pytest.fixture(scope="module")
def device() -> Iterator[vulkan.VulkanDevice]:
    opened = vulkan.open_device(0)
    yield opened
    opened.close()


def reading(arrays: int) -> str:
    """A kernel that adds the second numbers of texels of as many arrays."""
    types = ", ".join(["memref<?xvector<4xf32>>"] * arrays)
    names = ", ".join(f"%a{n}: memref<?xvector<4xf32>>" for n in range(arrays))
    said = ", ".join(['{hologram.access = "read", hologram.texels}'] * arrays)
    sums = "\n".join(
        f"""
    %v{n} = memref.load %a{n}[%i] : memref<?xvector<4xf32>>
    %x{n} = vector.extract %v{n}[1] : f32 from vector<4xf32>
    %s{n} = arith.addf %{f"s{n - 1}" if n else "zero"}, %x{n} : f32"""
        for n in range(arrays)
    )
    return f"""
"gpu.module"() <{{sym_name = "m"}}> ({{
  "gpu.func"() <{{function_type = (memref<?xf32>, {types}) -> (), known_block_size = array<i32: {BLOCK}, 1, 1>,
      arg_attrs = [{{hologram.access = "write"}}, {said}]}}> ({{
  ^bb0(%out: memref<?xf32>, {names}):
    %i = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
    %zero = arith.constant 0.0 : f32
    {sums}
    memref.store %s{arrays - 1}, %out[%i] : memref<?xf32>
    "gpu.return"() : () -> ()
  }}) {{sym_name = "k", gpu.kernel}} : () -> ()
}}) : () -> ()
"""


def program_of(arrays: int) -> tuple[bytes, KernelInfo]:
    ctx = make_context()
    module = Parser(ctx, reading(arrays)).parse_module()
    ConvertGpuToSpirvPass().apply(ctx, module)
    module.verify()
    arguments = [KernelArgument("buffer", "f32", "read" if n else "write") for n in range(arrays + 1)]
    return emit_spirv(module), KernelInfo("k", (BLOCK, 1, 1), 0, tuple(arguments))


@pytest.mark.parametrize("arrays", [1, 15, 16, 40])
def test_kernels_with_many(device: vulkan.VulkanDevice, arrays: int):
    """Kernels with more buffers than bindings get addresses, and load the same vectors by them."""
    code, info = program_of(arrays)
    words = words_of(code)
    assert are_bound(words) == (arrays < 16)
    assert texels_of(words, "k") == (frozenset(range(1, arrays + 1)) if arrays < 16 else frozenset())
    assert not texels_of(words, "other")
    program = device.load(code, [info], 0)
    given = np.random.default_rng(arrays).standard_normal((arrays, 4 * BLOCK), np.float32)
    addresses = [device.allocate(4 * BLOCK), *(device.allocate(row.nbytes) for row in given)]
    for address, row in zip(addresses[1:], given, strict=True):
        device.write(address, row.data)
    device.start(Dispatch(program, 0, (1, 1, 1), (BLOCK, 1, 1), 0, addresses))
    found = np.zeros(BLOCK, np.float32)
    device.read(addresses[0], found.data).wait()
    expected = np.zeros(BLOCK, np.float32)
    for row in given:
        expected += row[1::4]
    assert found.tobytes() == expected.tobytes()
    program.close()
    for address in addresses:
        device.free(address)


def test_views_are_dropped_when_their_work_is_done(device: vulkan.VulkanDevice):
    code, info = program_of(2)
    program = device.load(code, [info], 0)
    addresses = [device.allocate(16 * BLOCK) for _ in range(3)]
    for _ in range(1000):
        device.start(Dispatch(program, 0, (1, 1, 1), (BLOCK, 1, 1), 0, addresses))
    device.synchronize()
    queue: Any = device.queue
    assert not queue._running
    assert queue._idle
    assert not any(batch.views for batch in queue._idle)
    program.close()
    for address in addresses:
        device.free(address)


class NoViews:
    """The driver, but for its views."""

    def __init__(self, lib: Any):
        self._lib = lib

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lib, name)

    def vkCreateBufferView(self, *arguments: object) -> int:  # noqa: N802
        return -2


def test_a_view_that_there_is_no_memory_for(device: vulkan.VulkanDevice, monkeypatch: pytest.MonkeyPatch):
    code, info = program_of(1)
    program = device.load(code, [info], 0)
    addresses = [device.allocate(16 * BLOCK) for _ in range(2)]
    dispatch = Dispatch(program, 0, (1, 1, 1), (BLOCK, 1, 1), 0, addresses)
    records: Any = device.queue._records  # pyright: ignore[reportPrivateUsage]
    with monkeypatch.context() as patched:
        patched.setattr(records, "_lib", NoViews(records._lib))
        with pytest.raises(DeviceError, match="start a kernel: it has no memory for it"):
            device.start(dispatch)
    device.write(addresses[1], np.ones(4 * BLOCK, np.float32).data)
    device.start(dispatch)
    found = np.zeros(BLOCK, np.float32)
    device.read(addresses[0], found.data).wait()
    assert (found == 1).all()
    program.close()
    for address in addresses:
        device.free(address)


def test_devices_without_them_refuse_the_code(device: vulkan.VulkanDevice, monkeypatch: pytest.MonkeyPatch):
    code, info = program_of(1)
    less = replace(device.adapter, capabilities=device.adapter.capabilities - {TEXELS})
    monkeypatch.setattr(device.programs, "adapter", less)
    with pytest.raises(DeviceError, match=TEXELS):
        device.load(code, [info], 0)


# Whole kernels


def test_the_device_asks_for_them():
    assert hologram.runtime.devices.open_device("vulkan:0").options["texels"] == "true"


@pytest.mark.parametrize("start", [0, 1, 2, 3, 4, 7, 16, 64])
@pytest.mark.parametrize("count", [0, 1, 3, 8192, COUNT])
def test_arrays_that_begin_anywhere(start: int, count: int):
    """A view begins at multiples of 16 bytes; what does not is copied."""
    kernel = KERNELS["saxpy"]
    a, x, y = kernel.arguments((start + count,))
    there = [hologram.array(v, device="vulkan")[start:] for v in (x, y)]
    found = hologram.compile(kernel.text, device="vulkan")(a, *there)
    assert kernel.error([a, x[start:], y[start:]], found.numpy()) <= 1


NEGATED = """
func.func @negated(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = hologram.neg %x : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
"""


def test_every_kind_of_number_comes_as_it_is():
    bits = np.random.default_rng(2).integers(0, 1 << 32, COUNT, np.uint32)
    bits[:8] = [0, 0x80000000, 1, 0x807FFFFF, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 0x00800000]
    given = bits.view(np.float32)
    found = hologram.compile(NEGATED, device="vulkan")(given)
    assert np.array_equal(np.isnan(found), np.isnan(given))
    numbers = ~np.isnan(given)
    assert (found.view(np.uint32)[numbers] == (bits ^ 0x80000000)[numbers]).all()


def test_reads_follow_writes():
    """A launch fetches the values that the launch before it stored."""
    kernel = hologram.compile(NEGATED, device="vulkan")
    x = np.random.default_rng(3).standard_normal(COUNT, np.float32)
    one, other = hologram.array(x, device="vulkan"), hologram.array(np.zeros_like(x), device="vulkan")
    for _ in range(101):
        kernel(one, out=other)
        one, other = other, one
    assert (one.numpy() == -x).all()
