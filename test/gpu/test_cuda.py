"""Kernels on a real NVIDIA GPU, by the device module alone: PTX of flat kernels, launched by the host functions."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hologram
from device_kernels import KERNELS
from hologram.errors import DeviceError
from hologram.runtime.devices.cuda import device as cuda
from hologram.runtime.devices.protocol import ALLOC, COPY, FREE, LAUNCH, KernelArgument, KernelInfo
from nvvm.kernels import kernel, ptx

pytestmark = pytest.mark.gpu

WORD = ctypes.c_int64
BUFFERS = {"x": "memref<?xf32>", "y": "memref<?xf32>", "n": "index"}
FLOATS = KernelArgument("buffer", "f32", "readwrite")
COUNT = KernelArgument("scalar", "index")


@pytest.fixture(name="device", scope="module")
def a_device() -> Iterator[cuda.CudaDevice]:
    device = cuda.open_device(0)
    assert isinstance(device, cuda.CudaDevice)
    yield device
    device.close()


class Host:
    """Calls the device's functions by their addresses, as host code does."""

    def __init__(self, device: cuda.CudaDevice, text: str, arguments: list[KernelArgument], block: int = 64):
        self.device = device
        info = KernelInfo("k", (block, 1, 1) if block else None, 0, tuple(arguments))
        self.record = device.allocate(64)
        device.fill(self.record, 0, 64)
        code = ptx(text, device.architecture).encode()
        self.program = device.load(code, [info], self.record)
        self._launch = ctypes.CFUNCTYPE(None, WORD, ctypes.c_int32, *[WORD] * 7, ctypes.c_void_p)(
            device.functions[LAUNCH]
        )

    def launch(self, sizes: tuple[int, ...], *values: Any, shared: int = 0) -> None:
        places = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        self._launch(self.program.context, 0, *sizes, shared, places)
        if (error := self.program.take_error()) is not None:
            raise error

    def put(self, data: Any) -> ctypes.c_uint64:
        address = self.device.allocate(data.nbytes)
        self.device.write(address, data.reshape(-1).view(np.uint8).data).wait()
        return ctypes.c_uint64(address)

    def get(self, address: ctypes.c_uint64, like: Any) -> Any:
        found = np.empty_like(like)
        self.device.read(address.value, found.reshape(-1).view(np.uint8).data).wait()
        return found


ADD = """
  %in = arith.cmpi ult, %i, %n : index
  scf.if %in {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = memref.load %y[%i] : memref<?xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %y[%i] : memref<?xf32>
  }
"""


@pytest.mark.parametrize("count", [1, 63, 64, 65, 1_000_003])
def test_add(device: cuda.CudaDevice, count: int):
    host = Host(device, kernel(ADD, BUFFERS), [FLOATS, FLOATS, COUNT])
    rng = np.random.default_rng(count)
    x, y = (rng.standard_normal(count, np.float32) for _ in range(2))
    left, right = host.put(x), host.put(y)
    host.launch((-(-count // 64), 1, 1, 64, 1, 1), left, right, WORD(count))
    np.testing.assert_array_equal(host.get(right, y), x + y)


EXACT = """
  %in = arith.cmpi ult, %i, %n : index
  scf.if %in {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = memref.load %y[%i] : memref<?xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %a : f32
    %d = arith.divf %s, %b : f32
    %q = math.sqrt %d : f32
    memref.store %q, %y[%i] : memref<?xf32>
  }
"""


def test_arithmetic_is_exact(device: cuda.CudaDevice):
    """Every operation rounds once, and subnormal numbers stay."""
    edges = np.array([0, -0.0, 1, -1, 1e-45, -1e-45, 1e-38, 3e-39, 3.4e38, np.inf, -np.inf, np.nan, 1 / 3], np.float32)
    rng = np.random.default_rng(5)
    bits = rng.integers(0, 2**32, 1 << 16, dtype=np.uint32).view(np.float32)
    x, y = (a.ravel() for a in np.meshgrid(edges, edges))
    x, y = np.concatenate([x, bits]), np.concatenate([y, bits[::-1]])
    host = Host(device, kernel(EXACT, BUFFERS), [FLOATS, FLOATS, COUNT])
    left, right = host.put(x), host.put(y)
    host.launch((-(-x.size // 64), 1, 1, 64, 1, 1), left, right, WORD(x.size))
    with np.errstate(all="ignore"):
        expected = np.sqrt((x * y + x) / y)
    found = host.get(right, y)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    good = ~np.isnan(expected)
    np.testing.assert_array_equal(found[good].view(np.uint32), expected[good].view(np.uint32))


REVERSE = """
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %c63 = arith.constant 63 : index
  %r = arith.subi %c63, %t : index
  %w = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%i] : memref<?xf32>
"""
SHARED = {"s": "memref<64xf32, #gpu.address_space<workgroup>>"}


def test_shared_memory_and_barriers(device: cuda.CudaDevice):
    host = Host(device, kernel(REVERSE, BUFFERS, shared=SHARED), [FLOATS, FLOATS, COUNT])
    x = np.arange(640, dtype=np.float32)
    left, right = host.put(x), host.put(np.zeros_like(x))
    host.launch((10, 1, 1, 64, 1, 1), left, right, WORD(640))
    np.testing.assert_array_equal(host.get(right, x), x.reshape(10, 64)[:, ::-1].ravel())


LARGE = """
  %v = memref.load %x[%i] : memref<?xf32>
  %c = arith.constant 15000 : index
  %at = arith.addi %t, %c : index
  memref.store %v, %s[%at] : memref<16000xf32, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %c63 = arith.constant 15063 : index
  %r = arith.subi %c63, %t : index
  %w = memref.load %s[%r] : memref<16000xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%i] : memref<?xf32>
"""


def test_more_shared_memory_than_may_be_declared(device: cuda.CudaDevice):
    shared = {"s": "memref<16000xf32, #gpu.address_space<workgroup>>"}
    host = Host(device, kernel(LARGE, BUFFERS, shared=shared), [FLOATS, FLOATS, COUNT])
    x = np.arange(64, dtype=np.float32)
    left, right = host.put(x), host.put(np.zeros_like(x))
    host.launch((1, 1, 1, 64, 1, 1), left, right, WORD(64))
    np.testing.assert_array_equal(host.get(right, x), x[::-1])


ATOMIC = """
  %v = memref.load %x[%i] : memref<?xf32>
  %at = arith.constant 0 : index
  %o = "memref.atomic_rmw"(%v, %y, %at) <{kind = 0 : i64}> : (f32, memref<?xf32>, index) -> f32
"""


def test_atomic_sums_keep_subnormal_numbers(device: cuda.CudaDevice):
    host = Host(device, kernel(ATOMIC, BUFFERS), [FLOATS, FLOATS, COUNT])
    x = np.full(640, 1e-45, np.float32)
    left, right = host.put(x), host.put(np.zeros(1, np.float32))
    host.launch((10, 1, 1, 64, 1, 1), left, right, WORD(640))
    assert host.get(right, x[:1]).view(np.uint32)[0] == 640


TRAP = """
  %ok = arith.cmpi ult, %i, %n : index
  %z = arith.constant 0 : index
  %true = arith.constant true
  %bad = arith.xori %ok, %true : i1
  %one = arith.constant 1 : i64
  scf.if %bad {
    memref.store %one, %trap[%z] : memref<8xi64>
  }
  cf.assert %ok, "out of range"
  %a = memref.load %x[%i] : memref<?xf32>
  memref.store %a, %y[%i] : memref<?xf32>
"""


def test_lanes_that_trap_end(device: cuda.CudaDevice):
    record = KernelArgument("buffer", "i64", "readwrite", "trap")
    host = Host(device, kernel(TRAP, {**BUFFERS, "trap": "memref<8xi64>"}), [FLOATS, FLOATS, COUNT, record])
    x = np.arange(100, dtype=np.float32)
    left, right = host.put(x), host.put(np.zeros_like(x))
    host.launch((2, 1, 1, 64, 1, 1), left, right, WORD(100), ctypes.c_uint64(0))
    np.testing.assert_array_equal(host.get(right, x), x)
    assert host.get(ctypes.c_uint64(host.record), np.zeros(8, np.int64))[0] == 1


def test_refused_launches_are_errors_and_the_next_one_works(device: cuda.CudaDevice):
    host = Host(device, kernel(ADD, BUFFERS, block=None), [FLOATS, FLOATS, COUNT], block=0)
    x = np.ones(64, np.float32)
    left, right = host.put(x), host.put(x)
    with pytest.raises(DeviceError, match="kernel 'k' has blocks of 2048x1x1 lanes"):
        host.launch((1, 1, 1, 2048, 1, 1), left, right, WORD(64))
    with pytest.raises(DeviceError, match="kernel 'k' asks for a grid of"):
        host.launch((1, 65536, 1, 64, 1, 1), left, right, WORD(64))
    with pytest.raises(DeviceError, match="shared memory"):
        host.launch((1, 1, 1, 64, 1, 1), left, right, WORD(64), shared=1 << 20)
    host.launch((1, 1, 1, 64, 1, 1), left, right, WORD(64))
    np.testing.assert_array_equal(host.get(right, x), 2 * x)


def test_memory_that_is_not_there(device: cuda.CudaDevice):
    with pytest.raises(DeviceError, match="cuda:0 has no memory for 1099511627776 bytes"):
        device.allocate(1 << 40)
    address = device.allocate(1 << 20)
    device.free(address)


def test_host_functions_allocate_and_copy(device: cuda.CudaDevice):
    host = Host(device, kernel(ADD, BUFFERS), [FLOATS, FLOATS, COUNT])
    x = np.arange(1000, dtype=np.float32)
    source = host.put(x)
    context = host.program.context
    target = ctypes.CFUNCTYPE(WORD, WORD, WORD)(device.functions[ALLOC])(context, x.nbytes)
    ctypes.CFUNCTYPE(None, WORD, WORD, WORD, WORD)(device.functions[COPY])(context, target, source.value, x.nbytes)
    np.testing.assert_array_equal(host.get(ctypes.c_uint64(target), x), x)
    ctypes.CFUNCTYPE(None, WORD, WORD)(device.functions[FREE])(context, target)


def test_code_that_the_driver_refuses(device: cuda.CudaDevice):
    with pytest.raises(DeviceError, match="cuda:0 does not take the code"):
        device.load(b".version 8.0\n.target sm_80\n.address_size 64\nnonsense\n", [], 0)


def test_events_time_kernels(device: cuda.CudaDevice):
    host = Host(device, kernel(ADD, BUFFERS), [FLOATS, FLOATS, COUNT])
    count = 1 << 24
    x = np.ones(count, np.float32)
    left, right = host.put(x), host.put(x)
    start = device.record()
    for _ in range(10):
        host.launch((count // 64, 1, 1, 64, 1, 1), left, right, WORD(count))
    end = device.record()
    end.wait()
    assert 1e-6 < end.elapsed(start) < 10


TENSORS = """
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = hologram.add %a, %b : tensor<?xf32>
  func.return %c : tensor<?xf32>
}
"""


def test_prepared_launches():
    x = np.random.default_rng(1).standard_normal(1_000_003, np.float32)
    program: Any = hologram.compile(TENSORS, device="cuda")
    a, b, c = (hologram.array(v, device="cuda") for v in (x, 2 * x, 0 * x))
    launch = program.prepare(a, b, out=c)
    np.testing.assert_array_equal(c.numpy(), 0 * x)
    launch()
    np.testing.assert_array_equal(c.numpy(), x + 2 * x)
    program.prepare(c, b, out=a)()
    launch()
    np.testing.assert_array_equal(c.numpy(), (x + 2 * x + 2 * x) + 2 * x)


def test_arrays_of_torch_are_taken_where_they_lie():
    torch: Any = pytest.importorskip("torch")
    program: Any = hologram.compile(TENSORS, device="cuda")
    for count in (1, 1000, 1 << 20):
        a, b = torch.randn(count, device="cuda"), torch.randn(count, device="cuda")
        c = torch.zeros(count, device="cuda")
        for _ in range(5):
            a.mul_(1.5)
            assert program(a, b, out=c) is c
            assert torch.equal(c, a + b)


@pytest.mark.parametrize("length", [1024, 2048, 4096])
def test_layer_norm_of_rows_that_are_held_has_the_bits_of_the_processor(length: int):
    """Quotients are not divided there."""
    text = KERNELS["layer-norm"].text
    random = np.random.default_rng(length)
    x, gamma, beta = (random.standard_normal(s).astype(np.float32) for s in ((9, length), length, length))
    x[1, 5], x[2, length - 1] = np.nan, np.inf
    x[3], x[4, ::2], x[5], x[6, 7] = 2.5, 1e-25, x[5] * np.float32(1e-28), 3e19
    x[7] *= np.float32(1e18)
    expected: Any = hologram.compile(text)(x, gamma, beta)
    found: Any = hologram.compile(text, device="cuda")(x, gamma, beta)
    same = (expected.view(np.uint32) == found.view(np.uint32)) | (np.isnan(expected) & np.isnan(found))
    assert same.all(), np.argwhere(~same)[:5]
