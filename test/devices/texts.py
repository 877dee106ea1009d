"""Runs kernels as text on the devices of this machine, without the project's runtime: one lane an element."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from hologram.dialects import make_context
from hologram.dialects.mlir_parser import MlirParser
from hologram.lowering.pipelines.pass_runner import PassRunner
from hologram.lowering.pipelines.pass_spec import parse_pipeline
from hologram.lowering.pipelines.pipelines import resolve
from hologram.lowering.targets.text.kernels import emit, language
from hologram.runtime.devices.webgpu.bindings import pack_struct

Array = np.ndarray[Any, np.dtype[Any]]
EXTENSIONS = {"cl_khr_fp64": "f64", "cl_khr_fp16": "f16", "cl_khr_int64_base_atomics": "atomics64"}
WGPU_FEATURES = {"shader-f16": "f16", "shader-int64": "i64", "shader-f64": "f64"}
BLOCK = 64
Size = tuple[int, ...]


def flat(text: str, passes: str) -> ModuleOp:
    """A module after some passes."""
    ctx = make_context()
    module = MlirParser(ctx, text, "kernels.mlir").parse()
    PassRunner(ctx).run(module, resolve(parse_pipeline(passes, "test")))
    return module


def element_kernels(rows: Sequence[tuple[str, str, Sequence[str], str]]) -> str:
    """A gpu.module with a kernel for each row: its name, an instruction with `{}` for its operands, their types, the
    result's type. Each lane computes one element."""
    return '"gpu.module"() <{sym_name = "kernels"}> ({\n' + "\n".join(_kernel(*row) for row in rows) + "\n}) : () -> ()"


def _kernel(name: str, instruction: str, types: Sequence[str], result: str) -> str:
    memory = ", ".join(f"memref<?x{t}>" for t in (*types, result))
    given = "".join(f"%a{n}: memref<?x{t}>, " for n, t in enumerate(types))
    loads = "\n".join(f"      %x{n} = memref.load %a{n}[%i] : memref<?x{t}>" for n, t in enumerate(types))
    made = instruction.format(", ".join(f"%x{n}" for n in range(len(types))))
    return f"""
  "gpu.func"() <{{function_type = ({memory}, index) -> (), known_block_size = array<i32: {BLOCK}, 1, 1>}}> ({{
  ^bb0({given}%r: memref<?x{result}>, %n: index):
    %t = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
    %b = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
    %size = arith.constant {BLOCK} : index
    %first = arith.muli %b, %size : index
    %i = arith.addi %first, %t : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {{
{loads}
      %v = {made}
      memref.store %v, %r[%i] : memref<?x{result}>
    }}
    "gpu.return"() : () -> ()
  }}) {{sym_name = "{name}", gpu.kernel}} : () -> ()"""


def _words(array: Array) -> bytes:
    """The bytes, and as many more as make whole words."""
    data = np.ascontiguousarray(array).tobytes()
    return data + bytes(-len(data) % 16)


# OpenCL


@cache
def opencl() -> tuple[Any, Any]:
    """A context of PoCL, or of whatever else there is, and a queue."""
    pyopencl: Any = import_module("pyopencl")  # Its types are there only where it is installed.
    platforms: list[Any] = sorted(pyopencl.get_platforms(), key=lambda p: "Portable" not in p.name)
    context: Any = pyopencl.Context(platforms[0].get_devices()[:1])
    return context, pyopencl.CommandQueue(context)


def opencl_features() -> frozenset[str]:
    """The optional features that the device has."""
    return frozenset(f for e, f in EXTENSIONS.items() if e in opencl()[0].devices[0].extensions.split())


class OpenCLKernels:
    """The kernels of a module as a program of OpenCL C."""

    def __init__(self, module: ModuleOp, options: str = ""):
        pyopencl: Any = import_module("pyopencl")
        context, self.queue = opencl()
        self.text = emit(module, language("opencl-c", opencl_features()))
        program: Any = pyopencl.Program(context, self.text).build(options)
        self.log: str = program.get_build_info(context.devices[0], pyopencl.program_build_info.LOG)
        self.program = program

    def __call__(
        self, name: str, arrays: Sequence[Array], scalars: Sequence[Any], lanes: int | Size, block: Size = (BLOCK,)
    ) -> None:
        """Runs a kernel on arrays, which it changes: with blocks of 64 lanes, or with as many lanes as it says."""
        cl: Any = import_module("pyopencl")
        context = opencl()[0]
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        held = [np.frombuffer(_words(a) or bytes(16), np.uint8) for a in arrays]
        buffers: list[Any] = [cl.Buffer(context, flags, hostbuf=a) for a in held]
        kernel: Any = cl.Kernel(self.program, name)
        kernel.set_args(*buffers, *scalars)
        size = (-(-lanes // BLOCK) * BLOCK,) if isinstance(lanes, int) else lanes
        cl.enqueue_nd_range_kernel(self.queue, kernel, size, block)
        for array, buffer in zip(arrays, buffers, strict=True):
            cl.enqueue_copy(self.queue, array.view(np.uint8).reshape(-1), buffer)
        self.queue.finish()


# WebGPU


@cache
def webgpu(features: frozenset[str]) -> Any:
    """A device with some of the features."""
    wgpu: Any = import_module("wgpu")
    adapter: Any = wgpu.gpu.request_adapter_sync()
    wanted = [f for f in WGPU_FEATURES if WGPU_FEATURES[f] in features]
    return adapter.request_device_sync(required_features=wanted)


class WgslKernels:
    """The kernels of a module as a shader."""

    def __init__(self, module: ModuleOp, features: frozenset[str]):
        self.text = emit(module, language("wgsl", features))
        self.device = webgpu(features)
        self.shader = self.device.create_shader_module(code=self.text)

    def __call__(
        self, name: str, arrays: Sequence[Array], scalars: bytes, lanes: int, grid: Size | None = None
    ) -> None:
        """Runs a kernel on arrays, which it changes: with blocks of 64 lanes, or a grid of blocks."""
        wgpu: Any = import_module("wgpu")
        usage: Any = wgpu.BufferUsage
        kinds = usage.STORAGE | usage.COPY_SRC
        buffers = [self.device.create_buffer_with_data(data=_words(a) or bytes(16), usage=kinds) for a in arrays]
        blocks = grid or (-(-lanes // BLOCK),)
        whole = (*blocks, 1, 1)[:3]
        data = pack_struct(scalars, whole, (0, 0, 0), ())
        bound = [*buffers, self.device.create_buffer_with_data(data=data, usage=usage.UNIFORM)]
        layout, pipeline = self._pipeline(name)
        entries = [{"binding": n, "resource": {"buffer": b}} for n, b in enumerate(bound)]
        group = self.device.create_bind_group(layout=layout, entries=entries)
        encoder = self.device.create_command_encoder()
        run = encoder.begin_compute_pass()
        run.set_pipeline(pipeline)
        run.set_bind_group(0, group)
        run.dispatch_workgroups(*whole)
        run.end()
        self.device.queue.submit([encoder.finish()])
        for array, buffer in zip(arrays, buffers, strict=True):
            data = bytes(self.device.queue.read_buffer(buffer))
            array.view(np.uint8).reshape(-1)[:] = np.frombuffer(data, np.uint8)[: array.nbytes]

    def _pipeline(self, name: str) -> tuple[Any, Any]:
        """The layout of a kernel's bindings, also of those that it does not use if it is the only one; its pipeline."""
        found = re.findall(r"@binding\((\d+)\) var<(storage, read_write|storage, read|uniform)>", self.text)
        compute = {"module": self.shader, "entry_point": name}
        if len({number for number, _ in found}) < len(found):
            pipeline = self.device.create_compute_pipeline(layout="auto", compute=compute)
            return pipeline.get_bind_group_layout(0), pipeline
        kinds = {"storage, read_write": "storage", "storage, read": "read-only-storage", "uniform": "uniform"}
        entries = [{"binding": int(n), "visibility": 4, "buffer": {"type": kinds[kind]}} for n, kind in found]
        layout = self.device.create_bind_group_layout(entries=entries)
        whole = self.device.create_pipeline_layout(bind_group_layouts=[layout])
        return layout, self.device.create_compute_pipeline(layout=whole, compute=compute)
