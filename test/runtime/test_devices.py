"""Kernels and arrays on devices, on one without hardware that does everything as late as it may."""

from __future__ import annotations

import asyncio
import json
import struct
from importlib.metadata import EntryPoint
from typing import Any
from unittest.mock import patch

import ml_dtypes
import numpy as np
import pytest

import hologram
from device_programs import PAPER, PaperDevice, add, buffer_of, divide, scalar_of, scale, twice, use_paper
from device_programs import kernel as kernel_of
from hologram.errors import DeviceError, HologramError, TrapError
from hologram.runtime import devices
from hologram.runtime.devices import find_device, find_kind, open_device
from hologram.runtime.devices.callbacks import CallbackProgram, Dispatch
from hologram.runtime.devices.handles import FIRST, Handles, size_class
from hologram.runtime.devices.protocol import Done, KernelInfo, check_launch
from hologram.runtime.entry import parse_entries
from hologram.tools import doctor
from in_process import run_tool
from plugin_state import fresh_plugins
from runtime_programs import add as on_the_processor
from runtime_programs import buffer, record

A = np.arange(100, dtype=np.float32)


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch) -> PaperDevice:
    monkeypatch.setattr(devices, "DEVICES", dict(devices.DEVICES))
    monkeypatch.setattr(devices, "_open", {})
    use_paper(devices.DEVICES)
    device = open_device("paper:0")
    assert isinstance(device, PaperDevice)
    return device


def fails(code: str, do: Any, *args: Any, **options: Any) -> HologramError:
    with pytest.raises(HologramError) as caught:
        do(*args, **options)
    assert caught.value.code == code
    return caught.value


def test_numpy_arrays_are_copied_both_ways():
    kernel = hologram.compile(add(), device="paper")
    assert kernel.device == "paper:0"
    assert (kernel(A, A) == A + A).all()
    out = np.full(100, 7, np.float32)
    assert kernel(A[::-1], A, out=out) is out
    assert (out == A[::-1] + A).all()
    empty = A[:0]
    assert kernel(empty, empty).shape == (0,)


def test_arrays_on_the_device_stay_there(paper: PaperDevice):
    kernel = hologram.compile(add(), device="paper")
    x = hologram.array(A, device="paper:0")
    y = kernel(x, A)
    assert isinstance(y, hologram.DeviceArray)
    before = paper.worked
    z = kernel(x, x, out=hologram.empty(100, device="paper"))
    assert paper.worked == before, "a call with arrays on the device does not wait"
    assert (y.numpy() == A + A).all()
    assert (z.numpy() == A + A).all()


def test_mixed_outputs():
    kernel = hologram.compile(add(), device="paper")
    x = hologram.array(A, device="paper")
    out = np.zeros(100, np.float32)
    kernel(x, x, out)
    assert (out == 2 * A).all()


@pytest.mark.parametrize("step", [1, 2, -1, -3])
def test_strides(step: int):
    kernel = hologram.compile(scale(strided=True), device="paper")
    x = A.copy()
    kernel(x[::step], 2.0)
    expected = A.copy()
    expected[::step] *= 2
    assert (x == expected).all()


def test_copied_strides_without_them_in_the_program():
    kernel = hologram.compile(scale(), device="paper")
    x = A.copy()
    kernel(x[::2], 3)
    assert (x[::2] == 3 * A[::2]).all()
    assert (x[1::2] == A[1::2]).all()


def test_memory_of_the_host_code(paper: PaperDevice):
    kernel = hologram.compile(twice(), device="paper")
    used = paper.memory.used
    assert (kernel(A) == 4 * A).all()
    assert paper.memory.used == used, "everything is given back"
    held = hologram.zeros(10, device="paper")
    error = fails("device-memory", kernel, np.ones(1_000_000, np.float32))
    assert "paper:0 has no memory for 4194304 bytes" in str(error)
    held.free()
    assert (kernel(A) == 4 * A).all()


def test_traps():
    kernel = hologram.compile(divide(), device="paper")
    x = np.arange(5, dtype=np.int32)
    with pytest.raises(TrapError, match="trapped in lane 0") as caught:
        kernel(x, 0)
    assert caught.value.where is not None
    assert caught.value.where.line == 3
    kernel(x, 2)
    assert x.tolist() == [0, 0, 1, 1, 2]


def test_traps_of_arrays_on_the_device_show_when_they_are_read():
    kernel = hologram.compile(divide(), device="paper")
    good = hologram.compile(add(), device="paper")
    x = hologram.array(np.arange(5, dtype=np.int32), device="paper")
    kernel(x, 0)
    with pytest.raises(TrapError):
        x.numpy()
    assert x.numpy().tolist() == [0, 1, 2, 3, 4]
    kernel(x, 0)
    with pytest.raises(TrapError):
        good(A, A)
    assert (good(A, A) == 2 * A).all()


def test_wrong_arguments():
    kernel = hologram.compile(add(), device="paper")
    x = hologram.array(A, device="paper")
    fails("launch-dtype", kernel, x, hologram.zeros(100, "f64", device="paper"))
    fails("launch-rank", kernel, x, x.reshape(10, -1))
    fails("launch-constraint", kernel, x, x[:50])
    fails("launch-alias", kernel, x, x, x)
    fails("launch-device", kernel, x, hologram.array(A, device="paper:1"))
    fails("launch-out-shape", kernel, x, x, out=hologram.zeros(3, device="paper"))
    fails("launch-count", kernel, x)
    fails("launch-scalar", hologram.compile(scale(), device="paper"), A.copy(), x)
    fails("launch-read-only", hologram.compile(scale(), device="paper"), np.broadcast_to(A[:1], (4,)), 2)
    assert (kernel(x[:50], x[50:]).numpy() == A[:50] + A[50:]).all()


def test_the_processor_does_not_take_them():
    x = hologram.array(A, device="paper")
    error = fails("launch-not-array", hologram.compile(on_the_processor()), x, x)
    assert error.hint == "pass a.numpy()"


def test_limits():
    kernel = hologram.compile(add(), device="paper")
    big = np.zeros(64 * 1000 + 1, np.float32)
    error = fails("device-grid", kernel, big, big)
    assert "1001x1x1" in str(error)
    kernel_info = KernelInfo("add", None, 0, ())
    for code, grid, block in (("device-grid", (1, -1, 1), (1, 1, 1)), ("device-block", (1, 1, 1), (-1, -1, 1))):
        fails(code, check_launch, open_device("paper:0").limits, kernel_info, "paper:0", grid, block, 0)
    fails("device-allocation", hologram.empty, 1 << 40, "i8", device="paper")
    assert (kernel(A, A) == 2 * A).all()


def test_a_lost_device_is_opened_anew(paper: PaperDevice):
    kernel = hologram.compile(add(), device="paper")
    x = hologram.array(A, device="paper")
    paper.close()
    fails("device-lost", x.numpy)
    fails("device-lost", kernel, x, A)
    assert (kernel(A, A) == 2 * A).all()
    assert open_device("paper:0") is not paper
    x.free()


def test_code_that_the_device_refuses():
    error = fails("device-build", hologram.compile, add(code=b"nonsense"), device="paper")
    assert "no kernel is called nonsense" in str(error)


def test_random_sequences_give_no_stale_read():
    rng = np.random.default_rng(6)
    kernel = hologram.compile(scale(), device="paper")
    for _ in range(50):
        mirror = rng.integers(0, 9, 8).astype(np.float32)
        x = hologram.array(mirror, device="paper")
        for step in rng.integers(0, 4, 6):
            if step == 0:
                mirror = rng.integers(0, 9, 8).astype(np.float32)
                x.copy_from(mirror)
            elif step == 1:
                kernel(x, 2.0)
                mirror = mirror * 2
            elif step == 2:
                kernel(x[2:5], 3.0)
                mirror = np.concatenate([mirror[:2], mirror[2:5] * 3, mirror[5:]])
            else:
                assert (x.numpy() == mirror).all()
        assert (x.numpy() == mirror).all()


# Arrays


def test_arrays():
    x = hologram.array(np.arange(12).reshape(3, 4), device="paper", dtype="i16")
    assert (x.shape, x.ndim, x.size, x.nbytes, x.strides, len(x)) == ((3, 4), 2, 12, 24, (8, 2), 3)
    assert repr(x) == "<hologram.DeviceArray i16[3, 4] on paper:0>"
    assert x[1].numpy().tolist() == [4, 5, 6, 7]
    assert x[-2:].numpy().tolist() == [[4, 5, 6, 7], [8, 9, 10, 11]]
    assert x[5:].shape == (0, 4)
    assert x.reshape(-1).view("i4").shape == (6,)
    assert x.reshape(-1).view("f32").dtype == np.float32
    with pytest.raises(IndexError, match=r"no row 3 in an array of shape \(3, 4\)"):
        x[3]
    for data in (["text"], [object()], np.zeros(2, "M8[s]")):
        fails("array-dtype", lambda data=data: hologram.array(data, device="paper"))
    assert hologram.zeros((2, 0), device="paper").numpy().shape == (2, 0)
    assert hologram.array(3, device="paper", dtype="bf16").numpy() == ml_dtypes.bfloat16(3)
    assert hologram.zeros(3, np.float64, device="paper").dtype == np.float64
    with hologram.zeros(4, device="paper") as y:
        y.copy_from([1, 2, 3, 4])
        assert y.numpy().tolist() == [1, 2, 3, 4]
    fails("array-freed", y.numpy)
    with pytest.raises(TypeError):
        len(hologram.zeros((), device="paper"))


def test_transfers_can_be_awaited():
    async def transfer() -> Any:
        x = hologram.empty(100, device="paper")
        await x.store(A)
        await Done()
        return await x.fetch()

    assert (asyncio.run(transfer()) == A).all()


def test_memory_is_given_back(paper: PaperDevice):
    used = paper.memory.used
    x = hologram.zeros(1000, device="paper")
    part = x[:10]
    del x
    assert paper.memory.used > used
    del part
    assert paper.memory.used == used
    assert paper.memory.kept
    paper.trim()
    assert not paper.memory.kept


def test_launches_are_repeated_as_long_as_their_memory_is_the_same(paper: PaperDevice):
    kernel = hologram.compile(twice(), device="paper")
    x, y = (hologram.array(A, device="paper") for _ in range(2))
    kernel(x, out=y)
    started = paper.started
    x.copy_from(A + 1)
    kernel(x, out=y)
    assert (y.numpy() == 4 * (A + 1)).all()
    del y
    # Of as many bytes: what lay there before lies there again.
    y = hologram.zeros(100, device="paper")
    kernel(x, out=y)
    assert (y.numpy() == 4 * (A + 1)).all()
    assert paper.started == started
    y.free()
    paper.trim()
    y = hologram.zeros(100, device="paper")
    kernel(x, out=y)
    assert (y.numpy() == 4 * (A + 1)).all()
    assert paper.started > started, "this is other memory"


def test_launches_inside_of_memory_are_not_repeated(paper: PaperDevice):
    kernel = hologram.compile(add(), device="paper")
    x, whole = hologram.array(A, device="paper"), hologram.zeros(101, device="paper")
    for times in (1, 2):
        x.copy_from(A + times)
        kernel(x, x, out=whole[1:])
        assert (whole.numpy()[1:] == 2 * (A + times)).all()
        assert paper.started == times


# Names


def test_names():
    assert find_device("paper") == "paper:0"
    assert find_device("paper:1") == "paper:1"
    assert find_device("cpu:0") == "cpu"
    fails("device-number", find_device, "cpu:1")
    with fresh_plugins([EntryPoint("folded", "device_programs:PAPER", "hologram.devices")]):
        assert find_kind("folded:3") is PAPER
        assert "folded" in hologram.devices()


def test_auto_takes_gpus_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(devices, "AUTO", ("paper",))
    assert find_device("auto") == "cpu"
    monkeypatch.setattr(open_device("paper:1"), "is_gpu", True)
    assert find_device("auto") == "paper:1"


def test_what_is_ready_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch):
    """Finding a library starts a process, and finding plugins reads the metadata of all installed packages."""
    asked: list[str] = []
    found: list[str | None] = [None, None, "libcuda.so.1"]

    def look(name: str) -> str | None:
        asked.append(name)
        return found[len(asked) - 1]

    def points(group: str) -> list[EntryPoint]:
        raise AssertionError(group)

    monkeypatch.setattr(devices, "_libraries", set[str]())
    monkeypatch.setattr("ctypes.util.find_library", look)
    monkeypatch.setattr("hologram.runtime.devices.cuda.device.count", lambda: 2)
    assert not devices.status("cuda").ready
    assert asked == ["cuda", "nvcuda"]
    # What `monkeypatch` would put back at the end is what stood there within.
    with fresh_plugins(), patch("importlib.metadata.entry_points", points):
        for _ in range(3):
            assert find_device("cuda:1") == "cuda:1"
    assert asked == ["cuda", "nvcuda", "cuda"]


def test_what_keeps_a_kind_from_working(monkeypatch: pytest.MonkeyPatch):
    def broken() -> int:
        raise DeviceError("device-driver", "it has no driver", hint="install one")

    monkeypatch.setattr("device_programs.count", broken)
    assert devices.status("paper").why == "it has no driver"
    monkeypatch.setattr("device_programs.count", lambda: 0)
    assert "no such device" in devices.status("paper").why
    for kind, why in (
        (devices.Kind("x", "x", "no_such_module"), "can't be loaded"),
        (devices.Kind("x", "x", "x", libraries=("no-such-library",), driver="a driver"), "a driver was not found"),
        (devices.Kind("x", "x", "x", "x", ("no_such.package",)), "'no_such.package' is not installed"),
    ):
        devices.DEVICES["x"] = kind
        assert why in devices.status("x").why


def test_doctor_lists_devices(monkeypatch: pytest.MonkeyPatch):
    for name in ("cuda", "vulkan", "webgpu", "opencl", "wasm"):
        monkeypatch.delitem(devices.DEVICES, name)
    (found,) = [d for d in doctor.examine()["devices"] if d["name"] == "paper"]
    assert found["found"][1]["limits"]["threads"] == 64
    shown = run_tool("hologram-doctor", []).text
    assert "paper:1  paper, 1 (no GPU)" in shown

    def refuse(number: int) -> Any:
        raise DeviceError("device-driver", "it is torn")

    monkeypatch.setattr("device_programs.open_device", refuse)
    monkeypatch.setattr(devices, "_open", {})
    assert "paper:0  can't be opened: it is torn" in run_tool("hologram-doctor", []).text


def test_run_on_a_device(tmp_path: Any):
    path = tmp_path / "add.ll"
    path.write_text(add())
    outcome = run_tool("hologram-run", [str(path), "--device", "paper", "--arg", "f32[3]=iota", "--arg", "f32[3]=ones"])
    assert "1" in outcome.text
    assert not outcome.code, outcome.errors


def test_executors():
    executor = hologram.Executor("paper:1")
    assert executor.device == "paper:1"
    assert (executor.compile(add())(A, A) == 2 * A).all()


def test_objects_say_their_device():
    fails("object-device", hologram.compile, add())
    fails("object-device", hologram.compile, add("opencl"), device="paper")


def test_records_of_devices():
    device = {"kind": "paper", "format": "names", "target": "", "bytes": 3, "kernels": [kernel_of("add")]}
    text = json.dumps([{**record([buffer("x")]), "version": 3, "device": device}])
    (entry,) = parse_entries(text)
    assert entry.to_json() == json.loads(text)[0]
    assert entry.device is not None
    assert KernelInfo.from_json(entry.device.kernels[0]).block == (64, 1, 1)
    for field, value in (
        ("bytes", -1), ("kernels", [3]), ("kernels", [{"arguments": [3], "name": "x"}]), ("kind", 3),
        ("kernels", [{"name": "x", "arguments": [{"kind": "thing"}]}]),
    ):  # fmt: skip
        fails(
            "entry-record",
            parse_entries,
            json.dumps([{**record([]), "version": 3, "device": {**device, field: value}}]),
        )


# Addresses


def test_addresses():
    dropped: list[int] = []
    memory: Handles[int] = Handles("x", lambda n: n, dropped.append, 1 << 20, 1 << 22)
    a, b, c = memory.allocate(1000), memory.allocate(0), memory.allocate(1 << 20)
    assert a >= FIRST
    assert not a % 256
    assert memory.place(a + 1000).left == 0
    assert memory.place(b).left == 0
    for address in (a - 1, a + 1001, 5):
        fails("device-address", memory.place, address)
    fails("device-allocation", memory.allocate, (1 << 20) + 1)
    memory.free(a)
    fails("device-address", memory.free, a)
    assert memory.place(memory.allocate(1010)).handle == size_class(1000)
    assert not dropped
    memory.free(c)
    memory.trim()
    assert dropped == [1 << 20]
    assert all(n <= size_class(n) <= n * 9 // 8 + 256 for n in (1, 255, 256, 257, 10_000, 123_456_789))


def test_full_memory_is_asked_for_again_without_what_is_kept():
    left = [2]

    def make(nbytes: int) -> int:
        if not left[0]:
            raise DeviceError("device-memory", "full")
        left[0] -= 1
        return nbytes

    def drop(_: int) -> None:
        left[0] += 1

    memory: Handles[int] = Handles("x", make, drop, 1 << 20, 1 << 22)
    a, _ = memory.allocate(1000), memory.allocate(1000)
    memory.free(a)
    memory.allocate(5000)
    with pytest.raises(DeviceError, match="full"):
        memory.allocate(5000)


@pytest.mark.parametrize(("first", "second"), [(3, 253), (253, 3), (3, 128), (128, 3), (64, 3)])
def test_arrays_between_the_offsets_that_a_device_binds(paper: PaperDevice, first: int, second: int):
    """They are copied to where it can bind them; what is written there comes back, and changes nothing else."""
    paper.alignment = 256
    arguments = [buffer_of("f32"), buffer_of("f32", "write"), buffer_of("f32", "write"), scalar_of("index")]
    info = KernelInfo.from_json(kernel_of("more", *arguments))

    def more(a: Any, b: Any, c: Any, n: int) -> None:
        b[:n], c[:n] = a[:n] + 1, a[:n] * 2

    expected = np.arange(400, dtype=np.float32)
    whole = hologram.array(expected, device="paper")
    used = paper.memory.used
    addresses = [whole.address + 4 * n for n in (301, first, second)]
    program = CallbackProgram(paper, [info], 0, more)
    paper.launch(Dispatch(program, 0, (2, 1, 1), (64, 1, 1), 0, [*addresses, struct.pack("<q", 60)]))
    assert paper.memory.used == used, "the copies are given back"
    a = expected[301:361].copy()
    expected[first : first + 60], expected[second : second + 60] = a + 1, a * 2
    assert (whole.numpy() == expected).all()
