"""The device module for CUDA, over a stand-in for the driver's library."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hologram.errors import DeviceError
from hologram.runtime.devices.cuda import device as cuda
from hologram.runtime.devices.cuda import driver as cuda_driver
from hologram.runtime.devices.cuda.driver import Driver
from hologram.runtime.devices.cuda.memory import CachingAllocator, rounded
from hologram.runtime.devices.protocol import ALLOC, COPY, FREE, LAUNCH, KernelArgument, KernelInfo
from runtime.fake_cuda import ILLEGAL_ADDRESS, FakeCuda

WORD = ctypes.c_int64
PTX = b"// hologram.shared_bytes large 64000\n.version 8.0\n"
BUFFER = KernelArgument("buffer", "f32", "readwrite")
RECORD = KernelArgument("buffer", "i64", "readwrite", "trap")
KERNELS = [
    KernelInfo("twice", (64, 1, 1), 0, (BUFFER, KernelArgument("scalar", "i64"))),
    KernelInfo("large", None, 64000, (BUFFER,)),
    KernelInfo("traps", None, 0, (BUFFER, RECORD)),
]


def _twice(grid: tuple[int, ...], block: tuple[int, ...], shared: int, places: list[int]) -> None:
    count = WORD.from_address(places[1]).value
    array = (ctypes.c_float * count).from_address(ctypes.c_uint64.from_address(places[0]).value)
    for n in range(min(count, grid[0] * block[0])):
        array[n] *= 2


@pytest.fixture(name="fake")
def a_fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeCuda]:
    fake = FakeCuda()
    library = Driver(fake)
    fake.kernels["twice"] = _twice
    fake.kernels["large"] = lambda grid, block, shared, places: fake.calls.update({f"shared {shared}": 1})
    fake.kernels["traps"] = lambda grid, block, shared, places: _put_word(places[1], 7)
    monkeypatch.setattr(cuda, "driver", lambda: library)
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path))
    cuda.host_functions.cache_clear()
    yield fake
    cuda.host_functions.cache_clear()


def _put_word(place: int, value: int) -> None:
    WORD.from_address(ctypes.c_uint64.from_address(place).value).value = value


@pytest.fixture(name="device")
def a_device(fake: FakeCuda) -> Iterator[cuda.CudaDevice]:
    device = cuda.open_device(0)
    assert isinstance(device, cuda.CudaDevice)
    yield device
    device.close()


class Host:
    """Calls the device's functions by their addresses, as host code does."""

    def __init__(self, device: cuda.CudaDevice, program: cuda.CudaProgram):
        types: dict[str, Any] = {LAUNCH: (None, WORD, ctypes.c_int32, *[WORD] * 7, ctypes.c_void_p)}
        types[ALLOC] = (WORD, WORD, WORD)
        types |= {FREE: (None, WORD, WORD), COPY: (None, WORD, WORD, WORD, WORD)}
        self._calls = {n: ctypes.CFUNCTYPE(*t)(device.functions[n]) for n, t in types.items()}
        self._context = program.context

    def launch(self, number: int, sizes: tuple[int, ...], *values: Any, shared: int = 0) -> None:
        places = (ctypes.c_void_p * 4)(*(ctypes.addressof(v) for v in values))
        self._calls[LAUNCH](self._context, number, *sizes, shared, places)

    def call(self, name: str, *args: int) -> Any:
        return self._calls[name](self._context, *args)


def test_what_a_device_says_of_itself(device: cuda.CudaDevice):
    assert (device.name, device.title, device.version) == ("cuda:0", "Fake GPU", "driver for CUDA 13.0")
    assert device.options == {"arch": "sm_90a"}
    assert (device.limits.threads, device.limits.shared, device.limits.subgroup) == (1024, 100_000, 32)
    assert cuda.count() == 1


@pytest.mark.parametrize(("capability", "arch"), [((7, 5), "sm_75"), ((8, 9), "sm_89"), ((9, 5), "sm_90a")])
def test_architectures(fake: FakeCuda, capability: tuple[int, int], arch: str):
    fake.capability = capability
    assert cuda.open_device(0).options == {"arch": arch}


@pytest.mark.parametrize("size", [0, 1, 7, 4096, 1_000_001])
def test_memory_comes_back_as_it_was_written(device: cuda.CudaDevice, size: int):
    data = np.arange(size, dtype=np.uint8)
    address = device.allocate(size)
    assert address % 256 == 0
    device.write(address, data.data).wait()
    back = np.zeros_like(data)
    event = device.read(address, back.data)
    event.wait()
    assert event.done
    np.testing.assert_array_equal(back, data)
    device.free(address)


def test_bytes_that_may_not_be_written_are_read(device: cuda.CudaDevice):
    address = device.allocate(3)
    device.write(address, memoryview(b"abc")).wait()
    device.fill(address, ord("x"), 1)
    device.copy(address + 1, address, 1)
    back = bytearray(3)
    device.read(address, memoryview(back)).wait()
    assert back == b"xxc"


def test_a_launch_goes_to_the_driver(fake: FakeCuda, device: cuda.CudaDevice):
    program = device.load(PTX, KERNELS, 0)
    host = Host(device, program)
    values = np.arange(100, dtype=np.float32)
    address = host.call(ALLOC, 400)
    device.write(address, values.data)
    host.launch(0, (2, 1, 1, 64, 1, 1), ctypes.c_uint64(address), WORD(100))
    other = host.call(ALLOC, 400)
    host.call(COPY, other, address, 400)
    back = np.zeros_like(values)
    device.read(other, back.data).wait()
    np.testing.assert_array_equal(back, 2 * values)
    assert program.take_error() is None
    assert program.launches == fake.calls["cuLaunchKernel"] == 1
    host.call(FREE, address)
    host.call(FREE, other)


@pytest.mark.parametrize("sizes", [(0, 1, 1, 64, 1, 1), (5, 0, 1, 64, 1, 1), (5, 1, 0, 64, 1, 1)])
def test_a_launch_of_nothing_does_nothing(fake: FakeCuda, device: cuda.CudaDevice, sizes: tuple[int, ...]):
    program = device.load(PTX, KERNELS, 0)
    Host(device, program).launch(0, sizes, ctypes.c_uint64(0), WORD(0))
    assert program.take_error() is None
    assert fake.calls["cuLaunchKernel"] == 0


def test_a_launch_whose_blocks_wrap_is_no_launch_of_nothing(device: cuda.CudaDevice):
    program = device.load(PTX, KERNELS, 0)
    Host(device, program).launch(1, (1 << 32, 1 << 32, 1, 64, 1, 1), ctypes.c_uint64(0))
    error = program.take_error()
    assert isinstance(error, DeviceError)
    assert error.code == "device-grid"


def test_kernels_with_much_shared_memory_ask_for_it(fake: FakeCuda, device: cuda.CudaDevice):
    host = Host(device, device.load(PTX, KERNELS, 0))
    host.launch(1, (1, 1, 1, 32, 1, 1), ctypes.c_uint64(0))
    host.launch(1, (1, 1, 1, 32, 1, 1), ctypes.c_uint64(0), shared=100)
    assert fake.calls["shared 64000"] == fake.calls["shared 64100"] == 1


def test_the_trap_record_is_the_device_s(device: cuda.CudaDevice):
    record = device.allocate(64)
    device.fill(record, 0, 64)
    host = Host(device, device.load(PTX, KERNELS, record))
    theirs = (WORD * 8)()
    host.launch(2, (1, 1, 1, 1, 1, 1), ctypes.c_uint64(0), ctypes.c_uint64(ctypes.addressof(theirs)))
    words = np.zeros(8, np.int64)
    device.read(record, words.data.cast("B")).wait()
    assert words[0] == 7
    assert not any(theirs)


def test_a_refused_launch_names_the_kernel_and_the_next_one_works(fake: FakeCuda, device: cuda.CudaDevice):
    program = device.load(PTX, KERNELS, 0)
    host = Host(device, program)
    array = (ctypes.c_float * 1)(1.0)
    arguments = ctypes.c_uint64(ctypes.addressof(array)), WORD(1)
    host.launch(1, (1, 1, 1, 2048, 1, 1), *arguments)
    host.launch(0, (1, 1, 1, 64, 1, 1), *arguments)  # Does nothing: something failed before.
    error = program.take_error()
    assert isinstance(error, DeviceError)
    assert error.code == "device-block"
    assert "'large'" in error.message
    assert array[0] == 1.0
    host.launch(0, (1, 1, 1, 64, 1, 1), *arguments)
    assert program.take_error() is None
    assert array[0] == 2.0


@pytest.mark.parametrize(
    ("sizes", "code"),
    [
        ((1, 1, 1, 65, 1, 1), None),
        ((1, 65536, 1, 1, 1, 1), None),
        ((1 << 31, 1, 1, 64, 1, 1), "device-grid"),
    ],
)
def test_sizes_beyond_32_bits(device: cuda.CudaDevice, sizes: tuple[int, ...], code: str | None):
    program = device.load(PTX, KERNELS, 0)
    Host(device, program).launch(1, sizes, ctypes.c_uint64(0))
    error = program.take_error()
    assert (error.code if isinstance(error, DeviceError) else None) == code


def test_a_copy_that_fails_is_kept(device: cuda.CudaDevice):
    program = device.load(PTX, KERNELS, 0)
    Host(device, program).call(COPY, 0, 0, 8)
    error = program.take_error()
    assert isinstance(error, DeviceError)
    assert "copy memory: CUDA_ERROR_INVALID_VALUE: said so" in error.message


def test_too_much_memory_is_refused_and_the_next_request_works(device: cuda.CudaDevice):
    kept = device.allocate(600 << 20)
    device.free(kept)
    with pytest.raises(DeviceError, match=r"cuda:0 has no memory for 1099511627776 bytes, of which it has \d+ left"):
        device.allocate(1 << 40)
    # What was kept for later is given back for it.
    again = device.allocate(700 << 20)
    program = device.load(PTX, KERNELS, 0)
    assert Host(device, program).call(ALLOC, 1 << 40) == 0
    error = program.take_error()
    assert isinstance(error, DeviceError)
    assert error.code == "device-memory"
    device.free(again)


def test_an_address_that_is_none(device: cuda.CudaDevice):
    with pytest.raises(DeviceError, match="nothing is allocated at address 0x7b"):
        device.free(123)


def test_code_that_the_driver_refuses(device: cuda.CudaDevice):
    with pytest.raises(DeviceError, match="cuda:0 does not take the code: ptxas error: line 1"):
        device.load(b"bad", [], 0)


def test_what_one_architecture_has_alone_is_asked_for_by_its_name(device: cuda.CudaDevice):
    device.load(b"picky\n.target sm_90a\n" + PTX, KERNELS, 0)
    with pytest.raises(DeviceError):
        device.load(b"picky\n.target sm_90\n" + PTX, KERNELS, 0)


def test_a_kernel_that_is_not_there(device: cuda.CudaDevice):
    with pytest.raises(DeviceError, match="find kernel 'missing'"):
        device.load(PTX, [KernelInfo("missing", None, 0, ())], 0)


def test_compiled_programs_are_kept_on_disk(fake: FakeCuda, device: cuda.CudaDevice):
    device.load(PTX, KERNELS, 0)
    device.load(PTX, KERNELS, 0)
    assert fake.calls["cuLinkComplete"] == 1
    device.load(PTX + b" ", KERNELS, 0)
    assert fake.calls["cuLinkComplete"] == 2


def test_a_lost_device_says_so_and_can_be_opened_again(fake: FakeCuda, device: cuda.CudaDevice):
    address = device.allocate(8)
    fake.dead = ILLEGAL_ADDRESS
    with pytest.raises(DeviceError, match=r"cuda:0 is lost.*ILLEGAL_ADDRESS"):
        device.write(address, memoryview(b"12345678"))
    assert device.is_lost
    with pytest.raises(DeviceError, match="cuda:0 is lost"):
        device.allocate(8)
    device.free(address)
    again = cuda.open_device(0)
    place = again.allocate(8)
    again.write(place, memoryview(b"12345678")).wait()


def test_events_keep_time_and_are_used_again(fake: FakeCuda, device: cuda.CudaDevice):
    first = device.record()
    second = device.record()
    assert second.elapsed(first) == pytest.approx(0.0025)
    del first, second
    made = fake.calls["cuEventCreate"]
    device.record().wait()
    assert fake.calls["cuEventCreate"] == made


def test_a_machine_without_the_library(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cuda_driver, "LIBRARIES", ("libnone-such.so.1",))
    cuda_driver.driver.cache_clear()
    with pytest.raises(DeviceError, match="CUDA has no driver here: libnone-such"):
        cuda_driver.driver()


# Memory that is kept


@pytest.mark.parametrize("nbytes", [0, 1, 511, 512, 513, 100_000, 1 << 20, (1 << 20) + 1, 123_456_789, 1 << 40])
def test_sizes_are_rounded_up_by_little(nbytes: int):
    assert nbytes <= rounded(nbytes) <= max(nbytes + (1 << 21), 512)
    assert rounded(rounded(nbytes)) == rounded(nbytes)
    assert rounded(nbytes) % 512 == 0


def test_freed_blocks_are_handed_out_again():
    made: list[int] = []
    dropped: list[int] = []

    def make(nbytes: int) -> int:
        made.append(nbytes)
        return 1000 * len(made)

    memory = CachingAllocator(make, dropped.append)
    first = memory.allocate(1000)
    assert first is not None
    assert memory.free(first)
    assert not memory.free(first)
    assert memory.allocate(1001) == first
    assert memory.allocate(1001) == 2000
    assert (len(made), memory.kept) == (2, 0)
    memory.free(2000)
    memory.trim()
    assert dropped == [2000]
