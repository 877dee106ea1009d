"""WebGPU devices, by way of wgpu: programs are WGSL.

A kernel's buffers are the storage bindings of group 0, in the order of its arguments, the last ones together in one
where the adapter binds fewer; its scalars are one uniform struct behind them. Commands are gathered in one encoder and
submitted when someone waits for them, or when there are some. An index has 32 bits here, so no array may have 2^31
elements.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, cast

from hologram.runtime import settings
from hologram.runtime.devices import driver_threads, failures, fma_probe
from hologram.runtime.devices.callbacks import Again, CallbackProgram, Dispatch
from hologram.runtime.devices.handles import Place
from hologram.runtime.devices.pooled import LANES, PooledDevice
from hologram.runtime.devices.protocol import Device, Done, Event, KernelInfo, Limits
from hologram.runtime.devices.webgpu import commands as webgpu_shaders
from hologram.runtime.devices.webgpu.bindings import (
    LARGEST_INDEX,
    LEAST_BYTES,
    WORDS_BYTES,
    Part,
    binding,
    join,
    layout_of,
    pack_scalars,
    pack_struct,
    parts_of,
    words,
)
from hologram.runtime.devices.webgpu.commands import SLOT, SLOTS, Commands
from hologram.support import forks

WANTED = {
    "shader-f16": "f16",
    "shader-f64": "f64",
    "shader-int64": "i64",
    "shader-int64-atomic-all-ops": "atomics64",
    "subgroup": "subgroups",
}
"""Features that are asked for where the adapter has them, and our names of them."""
EMITTED = {"f64", "i64", "atomics64"}
"""Those that programs are made for, which no browser has. Floats of 16 bits are none: wgpu's compiler can't make
integers of them."""
BACKENDS = ("Vulkan", "Metal", "D3D12")
PROBE = b"""\
@group(0) @binding(0) var<storage, read_write> m: array<f32>;
@compute @workgroup_size(1) fn probe() { m[0] = fma(m[0], m[0], m[1]); }
"""
"""What looks whether multiply-adds are fused."""
MOST_GROUPS = 256
"""How many bind groups are kept to be used again."""
MOST_BLOCKS = (LARGEST_INDEX, LARGEST_INDEX, LARGEST_INDEX)
"""Larger grids than the adapter's are dispatched in parts."""


def _library() -> Any:
    return import_module("wgpu")


@forks.once
def _found() -> tuple[Any, ...]:
    """The adapters with compute, GPUs first."""
    wgpu = _library()
    try:
        adapters = wgpu.gpu.enumerate_adapters_sync()
    except RuntimeError as error:
        raise failures.no_driver("WebGPU", str(error), "install a Vulkan driver, such as mesa-vulkan-drivers") from None
    usable = [adapter for adapter in adapters if adapter.info["backend_type"] in BACKENDS]
    return tuple(sorted(usable, key=lambda adapter: "GPU" not in adapter.info["adapter_type"]))


def count() -> int:
    """Return the number of adapters."""
    return len(_found())


def open_device(number: int) -> Device:
    """The device of the adapter with a number."""
    return WebGpuDevice(number, _found()[number])


class WebGpuEvent(Event):
    """A point in the queue, and what is to be done when it is reached."""

    def __init__(self, device: WebGpuDevice, then: Callable[[], None] | None = None):
        self._device = device
        self._then = then
        self._commands = device.commands
        self._batch = device.commands.asked

    def wait(self) -> None:
        """Returns when it is reached."""
        with self._device.lock:
            self._commands.finish(self._batch)
            then, self._then = self._then, None
            if then is not None:
                then()

    @property
    def done(self) -> bool:
        """True if it is reached."""
        return self._then is None and self._commands.finished >= self._batch


@dataclass
class Code:
    """WGSL that is compiled, and its pipelines by kernel and block."""

    shader: Any
    pipelines: dict[tuple[int, tuple[int, ...]], Any] = field(default_factory=dict[tuple[int, tuple[int, ...]], Any])


@dataclass(frozen=True)
class Steps:
    """A launch of a kernel as the driver is asked for it."""

    what: str
    pipeline: Any
    group: Any
    parts: Sequence[tuple[bytes, tuple[int, ...]]]
    """The struct of scalars and the sizes of each dispatch."""


class WebGpuDevice(PooledDevice[Any]):
    """One adapter's device."""

    def __init__(self, number: int, adapter: Any):
        info, limits = adapter.info, adapter.limits
        asked = set(WANTED.values()) - (EMITTED if settings.current().webgpu == "browser" else set[str]())
        wanted = [theirs for theirs, ours in WANTED.items() if theirs in adapter.features and ours in asked]
        features = {WANTED[theirs] for theirs in wanted}
        is_gpu = "GPU" in info["adapter_type"]
        self._least = LEAST_BYTES if is_gpu else WORDS_BYTES
        alignment = max(int(limits["min-storage-buffer-offset-alignment"]), self._least)
        super().__init__(f"webgpu:{number}", _limits(limits, features), alignment)
        self._wgpu = _library()
        self.driver_errors = (self._wgpu.GPUError, RuntimeError, ValueError)
        self.title = f"{info['device']} ({info['backend_type']})"
        self.version = f"{info['description']}, wgpu {self._wgpu.__version__}"
        self.is_gpu = is_gpu
        self._blocks = (int(limits["max-compute-workgroups-per-dimension"]),) * 3
        self._bindings = int(limits["max-storage-buffers-per-shader-stage"])
        required = {name: value for name, value in limits.items() if name in _ASKED}
        with driver_threads.apart(self.title):
            self._device = self.call(
                "open", adapter.request_device_sync, required_features=wanted, required_limits=required
            )
        self._usage = self._wgpu.BufferUsage
        uniforms = self._buffer(SLOTS * SLOT, self._usage.UNIFORM | self._usage.COPY_DST)
        self.commands = Commands(self._device, self.call, uniforms)
        self._groups: dict[Any, Any] = {}

    @cached_property
    def options(self) -> Mapping[str, str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The features that programs may count on beyond WGSL's least."""
        fused = fma_probe.fuses(self, PROBE)
        limb = "64" if "i64" in self.limits.features else "32"
        features = ",".join(sorted((self.limits.features & EMITTED) | ({"fma"} if fused else set[str]())))
        kept = fused or "f64" not in self.limits.features
        fma = {"fma": str(fused).lower(), "native-fma": str(kept).lower()}
        return {
            "features": features,
            "limb": limb,
            "bindings": str(self._bindings),
            **fma,
            **({} if self.is_gpu else LANES),
        }

    def says_lost(self, why: str) -> bool:
        return "lost" in why.lower() or "destroyed" in why.lower()

    def says_full(self, why: str) -> bool:
        return "memory" in why.lower()

    # Memory

    def make_buffer(self, nbytes: int) -> Any:
        """A buffer of whole words."""
        usage = self._usage.STORAGE | self._usage.COPY_SRC | self._usage.COPY_DST
        return self._buffer(-(-nbytes // 4) * 4, usage)

    def _buffer(self, nbytes: int, usage: int) -> Any:
        with self.allocating(nbytes):
            return self._device.create_buffer(size=nbytes, usage=usage)

    def drop_buffer(self, handle: Any) -> None:
        """Destroys a buffer. Commands that were gathered may use it, so they are submitted before."""
        if not self.is_lost:
            self.commands.flush()
        self._groups.clear()
        handle.destroy()

    def write(self, address: int, data: memoryview) -> Event:
        """Copies bytes to the device; they are taken at once."""
        if data.nbytes:
            place = self.memory.place(address)
            offset, whole = self._words(place, data.cast("B") if data.format != "B" else data)
            # What was asked for before must be submitted before: writes go ahead of what is not.
            self.commands.flush()
            self.call("copy to it", self._device.queue.write_buffer, place.handle, offset, whole)
        return Done()

    def _words(self, place: Place[Any], data: memoryview) -> tuple[int, memoryview | bytearray]:
        """Whole words of 4 bytes, which are all that can be written, and where: with what stands around the data."""
        before, behind = place.offset % 4, -(place.offset + data.nbytes) % 4
        if not before and not behind:
            return place.offset, data
        whole = bytearray(before + data.nbytes + behind)
        if before or place.left > data.nbytes:
            self.read(place.start + place.offset - before, memoryview(whole)).wait()
        whole[before : before + data.nbytes] = data
        return place.offset - before, whole

    def read(self, address: int, data: memoryview) -> Event:
        """Copies bytes from the device."""
        if not data.nbytes:
            return Done()
        place = self.memory.place(address)
        before = place.offset % 4
        size = -(-(before + data.nbytes) // 4) * 4
        staging = self._buffer(size, self._usage.COPY_DST | self._usage.MAP_READ)
        self._copy_words(place.handle, place.offset - before, staging, 0, size)

        def take() -> None:
            self.call("map memory", staging.map_sync, "READ")
            view = staging.read_mapped(copy=False)
            data.cast("B")[:] = view[before : before + data.nbytes]
            staging.unmap()
            staging.destroy()

        event = WebGpuEvent(self, take)
        self.commands.flush()
        return event

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies bytes within the device."""
        if not nbytes:
            return
        to, of = self.memory.place(target), self.memory.place(source)
        if to.left == of.left == nbytes:
            # What lies behind an allocation's end is nobody's.
            nbytes = words(nbytes)
        if to.offset % 4 or of.offset % 4 or nbytes % 4 or to.handle is of.handle:
            # What the device can't copy itself goes by way of main memory.
            held = bytearray(nbytes)
            self.read(source, memoryview(held)).wait()
            self.write(target, memoryview(held))
            return
        self._copy_words(of.handle, of.offset, to.handle, to.offset, nbytes)

    def _copy_words(self, source: Any, start: int, target: Any, place: int, nbytes: int) -> None:
        self.call("copy", self.commands.copying().copy_buffer_to_buffer, source, start, target, place, nbytes)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        """Sets bytes."""
        place = self.memory.place(address)
        if value or nbytes % 4 or place.offset % 4:
            self.write(address, memoryview(bytes([value]) * nbytes))
        elif nbytes:
            self.call("fill memory", self.commands.copying().clear_buffer, place.handle, place.offset, nbytes)

    # The queue

    def record(self) -> Event:
        """An event behind everything so far."""
        return WebGpuEvent(self)

    def close(self) -> None:
        """Destroys the device."""
        super().close()
        self._device.destroy()

    # Programs

    def load(self, code: bytes, kernels: Sequence[KernelInfo], trap: int) -> CallbackProgram:
        """Compiles WGSL."""
        try:
            shader = webgpu_shaders.create(self._device, code.decode())
        except self._wgpu.GPUError as error:
            if "lost" in str(error).lower():
                raise self.failure("compile", str(error)) from None
            raise failures.not_built(self.name, str(error)) from None
        program = CallbackProgram(self, kernels, trap, Code(shader))
        for number, kernel in enumerate(kernels):
            if kernel.block is not None:
                self._pipeline(program, number, kernel.block)
        return program

    def _pipeline(self, program: CallbackProgram, number: int, block: tuple[int, ...]) -> tuple[Any, Any]:
        """A kernel's pipeline, and the layout of its bindings."""
        code: Code = program.code
        known = code.pipelines.get((number, block))
        if known is not None:
            return known
        kernel = program.kernels[number]
        layout = self.call("lay out bindings", self._device.create_bind_group_layout, entries=layout_of(kernel))
        all = self.call("lay out a pipeline", self._device.create_pipeline_layout, bind_group_layouts=[layout])
        compute: dict[str, Any] = {"module": code.shader, "entry_point": kernel.name}
        if kernel.block is None:
            compute["constants"] = dict(zip(("block_x", "block_y", "block_z"), block, strict=True))
        try:
            pipeline = self._device.create_compute_pipeline(layout=all, compute=compute)
        except self._wgpu.GPUError as error:
            # Drivers' compilers may give up, which wgpu takes for the loss of the device.
            self.is_lost |= "lost" in str(error).lower()
            raise failures.not_built(self.name, str(error)) from None
        code.pipelines[number, block] = pipeline, layout
        return pipeline, layout

    def start(self, dispatch: Dispatch) -> Again | None:
        """Gathers a dispatch."""
        kernel = dispatch.kernel
        places = [self.memory.place(value) for value in dispatch.values if isinstance(value, int)]
        failures.check_lanes(self.name, kernel.name, dispatch.grid, dispatch.block)
        buffers = [argument for argument in kernel.arguments if argument.is_buffer]
        bound = [place for argument, place in zip(buffers, places, strict=True) if not argument.joined]
        for place in bound:
            self._check_binding(kernel, place.left)
        parts, size = join(buffers, places)
        joined = [self._gather(kernel, parts, size)] if parts else []
        steps = self._steps(dispatch, [*bound, *joined], [part.begin for part in parts])
        self._do(steps)
        for whole in joined:
            self._scatter(parts, whole)
        for whole in joined:
            # What uses it is in the queue before whatever gets it next.
            self.memory.free(whole.start)
        self.commands.advance()
        return None if joined else lambda: self._again(steps)

    def unbindable(self, dispatch: Dispatch) -> Collection[int]:
        """The buffers that are read, where the driver's buffer that they lie in is written too."""
        arguments = dispatch.kernel.arguments
        alone = [n for n, argument in enumerate(arguments) if argument.is_buffer and not argument.joined]
        handles = {n: id(self.memory.place(cast("int", dispatch.values[n])).handle) for n in alone}
        written = {handles[n] for n in alone if arguments[n].access != "read"}
        return [n for n in alone if arguments[n].access == "read" and handles[n] in written]

    def _check_binding(self, kernel: KernelInfo, nbytes: int) -> None:
        if nbytes > self.limits.binding:
            raise failures.binding_too_large(self.name, kernel.name, nbytes, self.limits.binding)

    def _again(self, steps: Steps) -> None:
        self._do(steps)
        self.commands.advance()

    def _steps(self, dispatch: Dispatch, bound: Sequence[Place[Any]], begins: Sequence[int]) -> Steps:
        """Return what the driver is asked for with the buffers of a kernel."""
        pipeline, layout = self._pipeline(dispatch.program, dispatch.number, dispatch.block)
        scalars, grid = pack_scalars(dispatch.kernel.arguments, dispatch.values), dispatch.grid
        parts = [(pack_struct(scalars, grid, first, begins), n) for first, n in parts_of(grid, self._blocks)]
        uniform = {"buffer": self.commands.uniforms, "offset": 0, "size": len(parts[0][0])}
        entries = [binding(i, place, self._least) for i, place in enumerate(bound)]
        entries.append({"binding": len(entries), "resource": uniform})
        group = self._group(layout, entries)
        return Steps(f"launch '{dispatch.kernel.name}'", pipeline, group, parts)

    def _do(self, steps: Steps) -> None:
        for scalars, sizes in steps.parts:
            slot = self.commands.slot(scalars)
            self.commands.dispatch(steps.what, steps.pipeline, steps.group, slot, sizes)

    def _gather(self, kernel: KernelInfo, parts: Sequence[Part], size: int) -> Place[Any]:
        """Copies arrays into one buffer."""
        self._check_binding(kernel, size)
        whole = self.memory.place(self.memory.allocate(size))
        for part in parts:
            self._copy_words(part.place.handle, part.place.offset, whole.handle, part.begin, part.nbytes)
        return whole

    def _scatter(self, parts: Sequence[Part], whole: Place[Any]) -> None:
        """Copies what was written back."""
        for part in parts:
            if part.back:
                self._copy_words(whole.handle, part.begin, part.place.handle, part.place.offset, part.back)

    def _group(self, layout: Any, entries: list[dict[str, Any]]) -> Any:
        """A bind group; those of repeated launches are found again."""
        key = (
            id(layout),
            *((id(e["resource"]["buffer"]), e["resource"]["offset"], e["resource"]["size"]) for e in entries),
        )
        known = self._groups.get(key)
        if known is None:
            group = self.call("bind arguments", self._device.create_bind_group, layout=layout, entries=entries)
            # With what the numbers in the key are of, so that they stay those.
            known = group, layout, entries
            if len(self._groups) >= MOST_GROUPS:
                self._groups.clear()
            self._groups[key] = known
        return known[0]


_ASKED = (
    "max-buffer-size",
    "max-storage-buffer-binding-size",
    "max-storage-buffers-per-shader-stage",
    "max-compute-workgroup-storage-size",
    "max-compute-invocations-per-workgroup",
    "max-compute-workgroup-size-x",
    "max-compute-workgroup-size-y",
    "max-compute-workgroup-size-z",
    "max-compute-workgroups-per-dimension",
    "min-storage-buffer-offset-alignment",
)
"""The limits that are asked for as the adapter has them; without that a device has WebGPU's least."""


def _limits(limits: Mapping[str, Any], features: set[str]) -> Limits:
    sizes = [int(limits[f"max-compute-workgroup-size-{axis}"]) for axis in "xyz"]
    most = int(limits["max-buffer-size"])
    return Limits(
        threads=int(limits["max-compute-invocations-per-workgroup"]),
        block=(sizes[0], sizes[1], sizes[2]),
        grid=MOST_BLOCKS,
        shared=int(limits["max-compute-workgroup-storage-size"]),
        memory=0,
        allocation=most - most % 256,
        binding=int(limits["max-storage-buffer-binding-size"]),
        index_bits=32,
        features=frozenset(features),
    )
