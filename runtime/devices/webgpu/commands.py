"""The queue of a WebGPU device: commands are gathered in one encoder, and submitted when there are some.

What a launch does is done by the driver's own functions, three calls of which stand under one look at its errors:
wgpu's classes take longer to make their objects than the driver to take them. Scalars of kernels lie in one buffer,
each struct of them once; a bind group says which buffer, a dynamic offset where.

WGSL modules without the checks that wgpu adds to what it does not trust.

What kernels access is proven in bounds or guarded when they are compiled, and their loops end as they do on other
devices. wgpu's own bounds on indices and counters in loops cost much in code as tight as products of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

MOST_WAITING = 32
"""How many commands wait for more of them, at most: the first is submitted at once, then two, and so on."""
SLOT = 256
"""Of the buffer of scalars: what a dynamic offset is a multiple of."""
SLOTS = 256


class Commands:
    """The commands of a device, in order."""

    def __init__(self, device: Any, call: Callable[..., Any], uniforms: Any):
        """`device` is wgpu's, `call` does something whose errors it names, `uniforms` is a buffer of slots."""
        self._device, self._call, self.uniforms = device, call, uniforms
        self.batch = 1
        """The number of the batch that is being gathered; those up to `finished` are done."""
        self.finished = 0
        self._encoder: Any = None
        self._pass: Any = None
        self._count = 0
        self._waiting = 1
        """How many commands are gathered before they are submitted."""
        self._slots: dict[bytes, int] = {}
        """By content, where a struct of scalars lies."""
        self._end = 0
        self._new = bytearray()
        """What lies at the end of the slots and is not copied yet."""
        self._bound: tuple[Any, Any] | None = None
        calls: Any = import_module("wgpu.backends.wgpu_native._api")
        lib = calls.lib
        self._offset = calls.ffi.new("uint32_t[1]")
        pipeline, group = lib.wgpuComputePassEncoderSetPipeline, lib.wgpuComputePassEncoderSetBindGroup
        dispatch, offset = lib.wgpuComputePassEncoderDispatchWorkgroups, self._offset

        def launch(at: Any, kernel: Any, bound: Any, sizes: Sequence[int]) -> None:
            pipeline(at, kernel)
            group(at, 0, bound, 1, offset)
            dispatch(at, *sizes)

        # As wgpu wraps each of its functions, so that what the driver says is raised.
        self._launch = calls.libf._make_proxy_func("launch", launch)

    @property
    def asked(self) -> int:
        """The number of the batch with the last command."""
        return self.batch if self._encoder is not None else self.batch - 1

    def _gathering(self) -> Any:
        if self._encoder is None:
            self._encoder = self._call("gather commands", self._device.create_command_encoder)
        self._count += 1
        return self._encoder

    def copying(self) -> Any:
        """The encoder, outside a compute pass."""
        encoder = self._gathering()
        if self._pass is not None:
            self._pass, ended = None, self._pass
            self._call("end a pass", ended.end)
        return encoder

    def slot(self, scalars: bytes) -> int:
        """Return the place of a struct of scalars when the commands that are being gathered run."""
        known = self._slots.get(scalars)
        if known is not None:
            return known
        size = -(-len(scalars) // SLOT) * SLOT
        if self._end + len(self._new) + size > SLOTS * SLOT:
            # What uses them is in the queue before what comes in their place.
            self.flush()
            self._slots.clear()
            self._end = 0
        place = self._slots[scalars] = self._end + len(self._new)
        self._new += scalars.ljust(size, b"\0")
        return place

    def dispatch(self, what: str, pipeline: Any, group: Any, slot: int, sizes: Sequence[int]) -> None:
        """Gathers a dispatch."""
        encoder = self._gathering()
        if self._pass is None:
            self._pass = self._call("begin a pass", encoder.begin_compute_pass)
        self._offset[0] = slot
        self._call(what, self._launch, self._pass._internal, pipeline._internal, group._internal, sizes)

    def advance(self) -> None:
        """Submits what was gathered, unless it is little."""
        if self._count >= self._waiting:
            self._waiting = min(2 * self._waiting, MOST_WAITING)
            self.flush()

    def flush(self) -> None:
        """Submits what was gathered."""
        if self._encoder is None:
            return
        encoder, ended = self._encoder, self._pass
        self._encoder = self._pass = None
        self._count = 0
        if ended is not None:
            self._call("end a pass", ended.end)
        self._send_scalars()
        self._call("submit work", lambda: self._device.queue.submit([encoder.finish()]))
        self.batch += 1

    def _send_scalars(self) -> None:
        if not self._new:
            return
        place, new = self._end, self._new
        self._end, self._new = place + len(new), bytearray()
        self._call("copy scalars", self._device.queue.write_buffer, self.uniforms, place, new)

    def finish(self, batch: int) -> None:
        """Waits for a batch."""
        if batch >= self.batch:
            self.flush()
        submitted = self.batch - 1
        if self.finished < min(batch, submitted):
            # The public call raises a TypeError in wgpu 0.32.
            self._call("wait", self._device._poll_wait)
            self.finished = submitted
            self._waiting = 1


NO_CHECKS = 0


def create(device: Any, text: str) -> Any:
    """The module of a text, checked where this wgpu has no other modules."""
    native: Any = import_module("wgpu.backends.wgpu_native")
    calls: Any = import_module("wgpu.backends.wgpu_native._api")
    # By way of the calls that raise what the driver says.
    trusted: Any = getattr(calls.libf, "wgpuDeviceCreateShaderModuleTrusted", None)
    if trusted is None:
        return device.create_shader_module(code=text)
    ffi, lib = native.ffi, native.lib
    code = ffi.new("char[]", text.encode())
    source: Any = ffi.new("WGPUShaderSourceWGSL *")
    source.chain.sType = lib.WGPUSType_ShaderSourceWGSL
    source.code.data, source.code.length = code, len(code) - 1
    described: Any = ffi.new("WGPUShaderModuleDescriptor *", {"nextInChain": ffi.addressof(source.chain)})
    return calls.GPUShaderModule("", trusted(device._internal, described, NO_CHECKS), device)
