"""The columns of the table of devices: what runs programs, whether it is here, and what may be refused there."""

from __future__ import annotations

import atexit
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import hologram
from conformance import products
from conformance.batch import MAKERS, Run
from devices.node import Node, find_node
from hologram.errors import DeviceError, HologramError
from hologram.resonance import Resonance
from hologram.runtime.devices import open_device, status
from hologram.runtime.devices.protocol import Device
from hologram.runtime.settings import current

EXACT = ("cpu", "cuda", "opencl")
"""The kinds whose bits are equal."""

BOUNDED = ("vulkan", "webgpu")
"""The kinds of devices that promise bounds, not bits."""


class Compiled(Protocol):
    """A program that is compiled: called with the inputs it gives its outputs."""

    def __call__(self, *arguments: Any) -> Any: ...


@dataclass(frozen=True)
class Column:
    """One column."""

    kind: str
    """`cpu`, `opencl`, ..., or `node`."""
    number: int = 0

    @property
    def device(self) -> str:
        """The name of the device for `hologram.compile`."""
        return self.kind if self.kind == "cpu" else f"{self.kind}:{self.number}"

    @property
    def missing(self) -> str:
        """The reason why the column can't be run here; empty if it can."""
        if self.kind == "cpu":
            return ""
        if self.kind == "node":
            return "" if find_node() else "there is no program 'node'"
        found = status(self.kind)
        if not found.ready:
            return f"{found.why} ({found.fix})"
        return "" if self.number < found.count else f"there are {found.count} of its kind"

    @property
    def title(self) -> str:
        """The description of the device by itself."""
        if self.kind == "cpu":
            return "this machine's processor"
        if self.kind == "node":
            return f"Node {node().version}"
        found = self.opened
        browser = self.kind == "webgpu" and current().webgpu == "browser"
        return f"{found.title} ({found.version}{'; as browsers have it' if browser else ''})"

    @property
    def opened(self) -> Device:
        """The device."""
        return open_device(self.device)

    def run(self, text: str) -> Run:
        """A program of the conformance tables, compiled for it."""
        if self.kind == "node":
            program = node().load(text)
            return lambda arguments, grid: program(*arguments, *_sizes(text, grid))
        with told_apart():
            kernel = hologram.Executor(self.device).compile(text, cache=False)

        def launch(arguments: Sequence[Any], grid: tuple[int, int, int]) -> Resonance | None:
            with told_apart():
                return kernel.launch(*arguments, *_sizes(text, grid)).resonance

        return launch

    def kernel(self, text: str) -> Compiled:
        """A function on tensors, compiled for it."""
        if self.kind == "node":
            return node().load(text).value
        kernel = hologram.compile(text, device=self.device)

        def call(*arguments: Any) -> Any:
            with told_apart():
                return kernel(*arguments)

        return call


@contextmanager
def told_apart() -> Generator[None]:
    """Makes an exception that is none of ours, so a fault of a device module, the outcome of a cell."""
    try:
        yield
    except HologramError:
        raise
    except Exception as error:
        raise DeviceError("test-fault", f"the device module broke: {type(error).__name__}: {error}") from error


def _sizes(text: str, grid: tuple[int, int, int]) -> tuple[int, ...]:
    return () if text.startswith("func.func") else grid


@cache
def node() -> Node:
    """The Node process of the tests."""
    made = Node()
    atexit.register(made.close)
    return made


LOCAL = tuple(Column(kind) for kind in ("cpu", "opencl", "vulkan", "webgpu", "wasm", "node"))
"""The columns that `make test-devices` runs."""


def backend(column: Column) -> str:
    """The name by which the conformance tables run a column."""
    name = column.device
    MAKERS.setdefault(name, column.run)
    return name


# What is not done yet

GAPS: dict[tuple[str, str], str] = {}
"""Kernels and instructions (the beginnings of their names) that fail on a kind of devices, or whose bits differ, though
isa.md section 7 allows it not, and what is missing. The page lists them; a test fails for others, and for those that
pass by now."""


def gap(kind: str, name: str) -> str | None:
    """The feature that a kind of devices lacks for a cell; None if it lacks none."""
    return next((why for (of, start), why in GAPS.items() if of == kind and name.startswith(start)), None)


# What may be refused: isa.md section 7


PRODUCTS = ("mul", "div", "rem", "mad", "fma", "fms", "reduce.mul")
"""The beginnings of the names of instructions that multiply or divide, and of what operations of arrays do."""
MULTIPLYING = ("layer_scale", "reduce", *products.ADDED)
"""The operations of arrays that multiply integers; a program of `reduce` combines by two kinds, often by products."""


def reason(kind: str, instruction: str, variant: str, types: Sequence[str], widest: int) -> str | None:
    """The row of isa.md section 7 that allows a kind of devices to refuse a cell."""
    atomic = instruction.startswith("atom.")
    portable = kind in ("vulkan", "webgpu")
    if kind in ("opencl", "vulkan", "webgpu") and "f64" in types:
        return "f64: if the device has it"
    if portable and widest > 256:
        return "128 to 4096 bits: over 256 may be refused"
    words = [instruction, *variant.split()]
    multiplies = instruction in MULTIPLYING or any(word.startswith(PRODUCTS) for word in words)
    if kind == "opencl" and widest > 1024 and multiplies:
        return "128 to 4096 bits: mul, div over 1024 may be refused"
    if kind in ("wasm", "node") and widest > 1024:
        return "128 to 4096 bits: over 1024 may be refused"
    if atomic and kind in ("opencl", "vulkan", "webgpu") and (widest == 64 or types[0].startswith("f")):
        return "64-bit and float atomics: if it has them, else refused"
    if instruction == "memfence" and kind in ("opencl", "webgpu") and variant in ("device", "system"):
        return "memfence device, system: refused below OpenCL 2.0 and on WebGPU"
    if portable and instruction == "lea":
        return "recursion, indirect pointers across objects: refused"
    return None
