"""Device programs written by hand, as LLVM IR for the host side, and a device without hardware to run them on."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hologram.runtime.devices import DEVICES, Kind
from hologram.runtime.devices.callbacks import Again, CallbackProgram, Dispatch
from hologram.runtime.devices.failures import lost, memory_full, not_built
from hologram.runtime.devices.pooled import PooledDevice
from hologram.runtime.devices.protocol import Device, Event, KernelInfo, Limits
from runtime_programs import LLVM_TYPES, buffer, program, record, scalar

FUNCTIONS = """
@hologram_device_context = global i64 0
declare void @hologram_device_launch(i64, i32, i64, i64, i64, i64, i64, i64, i64, ptr)
declare i64 @hologram_device_alloc(i64, i64)
declare void @hologram_device_free(i64, i64)
declare void @hologram_device_copy(i64, i64, i64, i64)
"""


def kernel(name: str, *arguments: dict[str, Any], block: Sequence[int] | None = (64, 1, 1)) -> dict[str, Any]:
    """A kernel of the record."""
    return {"name": name, "block": block and list(block), "shared": 0, "arguments": list(arguments)}


def buffer_of(dtype: str, access: str = "read", role: str | None = None) -> dict[str, Any]:
    """A buffer argument of a kernel."""
    return {"kind": "buffer", "dtype": dtype, "access": access, "role": role}


def scalar_of(dtype: str) -> dict[str, Any]:
    """A scalar argument of a kernel."""
    return {"kind": "scalar", "dtype": dtype}


def launch(number: int, grid: str, values: Sequence[tuple[str, str]], block: int = 64) -> str:
    """IR that launches a kernel on `grid` blocks along x; `values` are the types and names of its arguments."""
    n = number
    text = f"  %args{n} = alloca [{max(len(values), 1)} x ptr]\n"
    for i, (type, name) in enumerate(values):
        text += f"  %slot{n}_{i} = alloca {type}\n  store {type} {name}, ptr %slot{n}_{i}\n"
        text += f"  %at{n}_{i} = getelementptr ptr, ptr %args{n}, i64 {i}\n"
        text += f"  store ptr %slot{n}_{i}, ptr %at{n}_{i}\n"
    text += f"  %context{n} = load i64, ptr @hologram_device_context\n"
    sizes = f"i64 {grid}, i64 1, i64 1, i64 {block}, i64 1, i64 1, i64 0"
    return text + f"  call void @hologram_device_launch(i64 %context{n}, i32 {number}, {sizes}, ptr %args{n})\n"


def blocks(count: str, block: int = 64) -> str:
    """IR for `%blocks`: how many cover `count` lanes."""
    return f"  %more = add i64 {count}, {block - 1}\n  %blocks = udiv i64 %more, {block}\n"


def device_program(
    kind: str, format: str, code: bytes, entry: dict[str, Any], kernels: Sequence[dict[str, Any]], body: str
) -> str:
    """LLVM IR of a host function with device code in it."""
    spelled = "".join(f"\\{byte:02X}" for byte in code)
    extra = FUNCTIONS + f'@hologram_device_code = constant [{len(code)} x i8] c"{spelled}"\n'
    device = {"kind": kind, "format": format, "target": "", "bytes": len(code), "kernels": list(kernels)}
    return program({**entry, "version": 3, "device": device}, body + "  ret void\n", extra)


def add(kind: str = "paper", format: str = "names", code: bytes = b"add", dtype: str = "f32") -> str:
    """c = a + b over vectors; c may be omitted."""
    args = [buffer("a", dtype), buffer("b", dtype), buffer("c", dtype, access="write", result="(a[0],)")]
    arguments = (buffer_of(dtype), buffer_of(dtype), buffer_of(dtype, "write"), scalar_of("index"))
    values = [("ptr", "%a"), ("ptr", "%b"), ("ptr", "%c"), ("i64", "%a_n0")]
    entry = record(args, constraints=["a[0] == b[0]"])
    return device_program(kind, format, code, entry, [kernel("add", *arguments)],
                          blocks("%a_n0") + launch(0, "%blocks", values))  # fmt: skip


def scale(kind: str = "paper", format: str = "names", code: bytes = b"scale", strided: bool = False) -> str:
    """x[i] *= f in place, from an element and with a stride that the caller's array decides."""
    args = [buffer("x", access="readwrite", strides=[None] if strided else None), scalar("f", "f32")]
    arguments = (buffer_of("f32", "readwrite"), scalar_of("index"), scalar_of("index"), scalar_of("f32"))
    values = [("ptr", "%x"), ("i64", "%x_n0"), ("i64", "%x_s0" if strided else "1"), ("float", "%f")]
    return device_program(kind, format, code, record(args), [kernel("scale", *arguments)],
                          blocks("%x_n0") + launch(0, "%blocks", values))  # fmt: skip


def divide(kind: str = "paper", format: str = "names", code: bytes = b"divide") -> str:
    """x[i] /= d, which traps where d is 0."""
    args = [buffer("x", "i32", access="readwrite"), scalar("d", "i32")]
    entry = record(args, trap=True, sites=["atlas.div: division by zero; at file.mlir:3:5"])
    arguments = (
        buffer_of("i32", "readwrite"),
        scalar_of("index"),
        scalar_of("i32"),
        buffer_of("i64", "readwrite", "trap"),
    )
    values = [("ptr", "%x"), ("i64", "%x_n0"), ("i32", "%d"), ("ptr", "%trap")]
    return device_program(kind, format, code, entry, [kernel("divide", *arguments)],
                          blocks("%x_n0") + launch(0, "%blocks", values))  # fmt: skip


def twice(kind: str = "paper", format: str = "names", code: bytes = b"add") -> str:
    """b = (a + a) + (a + a), by way of memory that the host code allocates; a copy of it goes to b at last."""
    args = [buffer("a"), buffer("b", access="write", result="(a[0],)")]
    arguments = (buffer_of("f32"), buffer_of("f32"), buffer_of("f32", "write"), scalar_of("index"))
    body = (
        blocks("%a_n0")
        + """  %bytes = mul i64 %a_n0, 4
  %context = load i64, ptr @hologram_device_context
  %one = call i64 @hologram_device_alloc(i64 %context, i64 %bytes)
  %two = call i64 @hologram_device_alloc(i64 %context, i64 %bytes)
"""
    )
    body += launch(0, "%blocks", [("ptr", "%a"), ("ptr", "%a"), ("i64", "%one"), ("i64", "%a_n0")])
    again = launch(0, "%blocks", [("i64", "%one"), ("i64", "%one"), ("i64", "%two"), ("i64", "%a_n0")])
    for name in ("args0", "slot0", "at0", "context0"):
        again = again.replace(f"%{name}", f"%second_{name}")
    body += (
        again
        + """  %target = ptrtoint ptr %b to i64
  call void @hologram_device_copy(i64 %context, i64 %target, i64 %two, i64 %bytes)
  call void @hologram_device_free(i64 %context, i64 %one)
  call void @hologram_device_free(i64 %context, i64 %two)
"""
    )
    return device_program(kind, format, code, record(args), [kernel("add", *arguments)], body)


# A device without hardware


def _add(a: Any, b: Any, c: Any, n: int) -> None:
    c[:n] = a[:n] + b[:n]


def _scale(x: Any, n: int, step: int, f: float) -> None:
    for i in range(n):
        x[i * step] *= np.float32(f)


def _divide(x: Any, n: int, d: int, trap: Any) -> None:
    if d == 0 and n:
        if not trap[0]:
            trap[:4] = [1, 0, x[0], d]
        return
    x[:n] //= d


NAMES: dict[bytes, Callable[..., None]] = {b"add": _add, b"scale": _scale, b"divide": _divide}
FORMATS = {"index": "q", "i64": "q", "i32": "i", "f32": "f", "f64": "d"}
NUMPY = {"f32": np.float32, "i32": np.int32, "i64": np.int64, "f64": np.float64, "i8": np.int8}
LIMITS = Limits(64, (64, 64, 1), (1000, 1, 1), 1024, 1 << 24, 1 << 22, 1 << 22)


class PaperEvent(Event):
    """A number of steps of the device's list."""

    def __init__(self, device: PaperDevice):
        self._device = device
        self._upto = device.asked

    def wait(self) -> None:
        self._device.work(self._upto)

    @property
    def done(self) -> bool:
        return self._device.worked >= self._upto


class PaperDevice(PooledDevice[bytearray]):
    """Notes what it is asked to do, and does it when someone waits for it: as late as an asynchronous device may."""

    def __init__(self, number: int):
        super().__init__(f"paper:{number}", LIMITS, alignment=1)
        self.title, self.version, self.is_gpu = "paper", "1", False
        self.asked = self.worked = self.started = 0
        self._list: list[Callable[[], None]] = []

    def make_buffer(self, nbytes: int) -> bytearray:
        if self.memory.used + self.memory.kept + nbytes > LIMITS.memory:
            raise memory_full(self.name, nbytes)
        return bytearray(nbytes)

    def drop_buffer(self, handle: bytearray) -> None:
        """Do nothing: the buffer is freed with the last step that uses it."""

    def ask(self, step: Callable[[], None]) -> PaperEvent:
        """Notes a step."""
        if self.is_lost:
            raise lost(self.name, "it was torn")
        self._list.append(step)
        self.asked += 1
        return PaperEvent(self)

    def work(self, upto: int) -> None:
        """Does the steps up to a number."""
        if self.is_lost:
            raise lost(self.name, "it was torn")
        while self.worked < upto:
            self.worked += 1
            self._list.pop(0)()

    def view(self, address: int) -> memoryview:
        """The bytes from an address on."""
        place = self.memory.place(address)
        return memoryview(place.handle)[place.offset :]

    def write(self, address: int, data: memoryview) -> Event:
        target = self.view(address)
        return self.ask(lambda: target.__setitem__(slice(0, data.nbytes), bytes(data)))

    def read(self, address: int, data: memoryview) -> Event:
        source = self.view(address)
        return self.ask(lambda: data.__setitem__(slice(None), source[: data.nbytes]))

    def copy(self, target: int, source: int, nbytes: int) -> None:
        to, of = self.view(target), self.view(source)
        self.ask(lambda: to.__setitem__(slice(0, nbytes), bytes(of[:nbytes])))

    def fill(self, address: int, value: int, nbytes: int) -> None:
        target = self.view(address)
        self.ask(lambda: target.__setitem__(slice(0, nbytes), bytes([value]) * nbytes))

    def record(self) -> Event:
        return PaperEvent(self)

    def close(self) -> None:
        self.is_lost = True

    def load(self, code: bytes, kernels: Sequence[KernelInfo], trap: int) -> CallbackProgram:
        if code not in NAMES:
            raise not_built(self.name, f"line 1: no kernel is called {code.decode()}")
        return CallbackProgram(self, kernels, trap, NAMES[code])

    def start(self, dispatch: Dispatch) -> Again:
        self.started += 1
        found: list[Any] = []
        for argument, value in zip(dispatch.kernel.arguments, dispatch.values, strict=True):
            if isinstance(value, int):
                view = self.view(value)
                size = np.dtype(NUMPY[argument.dtype]).itemsize
                found.append(np.frombuffer(view[: view.nbytes - view.nbytes % size], NUMPY[argument.dtype]))
            else:
                (plain,) = struct.unpack(FORMATS[argument.dtype], value)
                found.append(plain)

        def again() -> None:
            self.ask(lambda: dispatch.program.code(*found))

        again()
        return again


COUNT = 2
PAPER = Kind("paper", "devices of paper", "device_programs")


def count() -> int:
    """The number of programs."""
    return COUNT


def open_device(number: int) -> Device:
    """One of them."""
    return PaperDevice(number)


def use_paper(known: dict[str, Kind] = DEVICES) -> None:
    """Makes devices of this kind known to the process, as an installed plugin would."""
    known["paper"] = PAPER


__all__ = [
    "LLVM_TYPES",
    "PAPER",
    "PaperDevice",
    "add",
    "count",
    "device_program",
    "divide",
    "open_device",
    "scale",
    "twice",
    "use_paper",
]
