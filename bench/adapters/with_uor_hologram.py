"""uor-hologram, the Rust engine of the same name: one graph a row, executed through its C entry on arrays that exist.

It answers equal inputs from a memo, so every call sees a change. It has no setting for threads.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
from importlib import import_module
from typing import Any

import numpy as np
from cases import Array
from worker import Variant

engine: Any = import_module("hologram")
native: Any = import_module("hologram._hologram")

CACHES = False
OPERATIONS = {
    "add": "add", "sum": "reduce_sum", "exp": "exp", "tanh": "tanh", "gelu": "gelu", "softmax": "softmax",
    "layer_norm": "layer_norm", "transpose": "transpose", "gemm": "matmul",
}  # fmt: skip


def versions() -> dict[str, str]:
    """The versions of the packages that are measured, by name."""
    return {"uor-hologram": importlib.metadata.version("uor-hologram")}


def start(threads: int) -> None:
    """Do nothing: there is no setting, and its kernels ran on one thread wherever we looked."""


sessions: dict[Any, Any] = {}


def session(kind: str, shapes: list[tuple[int, ...]], result: tuple[int, ...]) -> Any:
    """A session for one row, made once."""
    key = kind, *shapes
    if key not in sessions:
        sessions.clear()
        sessions[key] = engine.Session.load(graph(kind, shapes, result))
    return sessions[key]


def graph(kind: str, shapes: list[tuple[int, ...]], result: tuple[int, ...]) -> bytes:
    """The compiled archive of a row."""
    made = engine.Graph("row")
    inputs = [made.input(f"x{i}", dtype=engine.f32, shape=shape) for i, shape in enumerate(shapes)]
    if kind == "chain":
        product = made.op("mul", inputs[:2], shape=result)
        last = made.op("relu", [made.op("add", [product, inputs[2]], shape=result)], shape=result)
    else:
        last = made.op(OPERATIONS[kind], inputs, shape=result or (1,))
    return made.output("y", last).compile()


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """Return the call of the C entry; `Session.execute` is slower, since it copies inputs and outputs through bytes."""
    handle = session(kind, [x.shape for x in inputs], out.shape)._handle
    byte = ctypes.POINTER(ctypes.c_uint8)
    pointers = (byte * len(inputs))(*(x.ctypes.data_as(byte) for x in inputs))
    sizes = (ctypes.c_size_t * len(inputs))(*(x.nbytes for x in inputs))
    outputs = (byte * 1)(out.ctypes.data_as(byte))
    execute = native._lib().hologram_session_execute

    def failed() -> None:
        raise RuntimeError(native.last_error_message() or "hologram_session_execute failed")

    names = {
        "execute": execute, "failed": failed, "handle": handle, "pointers": pointers, "sizes": sizes,
        "count": len(inputs), "outputs": outputs, "out_sizes": (ctypes.c_size_t * 1)(out.nbytes), "keep": inputs,
    }  # fmt: skip
    statement = "execute(handle, pointers, sizes, count, outputs, out_sizes, 1) and failed()"
    form = "gelu_tanh" if kind == "gelu" else None
    label = "tanh form" if form else "hologram_session_execute"
    return [Variant(label, statement, names, form=form, remembers=True)]


def compile_chain(text: str, folder: str | None) -> None:
    """Make an archive from a graph and a session from the archive. No code is generated: the archive names kernels."""
    x = np.ones(1024, np.float32)
    made = engine.Session.load(graph("chain", [x.shape] * 3, x.shape))
    data = x.tobytes()
    assert np.frombuffer(made.execute([data] * 3)["y"], np.float32)[0] == 2
