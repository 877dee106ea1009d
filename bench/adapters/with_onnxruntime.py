"""onnxruntime: one model a row, inputs and outputs bound to memory that exists, or passed to `run` as arrays."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import cases
import numpy as np
from cases import Array
from worker import Variant

onnx: Any = import_module("onnx")
onnxruntime: Any = import_module("onnxruntime")
make: Any = onnx.helper
FLOAT: int = onnx.TensorProto.FLOAT
OPSET = 20
CACHES = False

threads_wanted = 1


def versions() -> dict[str, str]:
    """What is measured."""
    return {"onnxruntime": onnxruntime.__version__, "onnx": onnx.__version__}


def start(threads: int) -> None:
    """Threads within one operation, of the sessions made from now on."""
    global threads_wanted
    threads_wanted = threads


NODES: dict[str, Any] = {
    "add": lambda: [make.make_node("Add", ["x0", "x1"], ["y"])],
    "chain": lambda: [
        make.make_node("Mul", ["x0", "x1"], ["p"]),
        make.make_node("Add", ["p", "x2"], ["q"]),
        make.make_node("Relu", ["q"], ["y"]),
    ],
    "sum": lambda: [make.make_node("ReduceSum", ["x0"], ["y"], keepdims=0)],
    "exp": lambda: [make.make_node("Exp", ["x0"], ["y"])],
    "tanh": lambda: [make.make_node("Tanh", ["x0"], ["y"])],
    "gelu": lambda: [make.make_node("Gelu", ["x0"], ["y"])],
    "softmax": lambda: [make.make_node("Softmax", ["x0"], ["y"], axis=1)],
    "layer_norm": lambda: [
        make.make_node("LayerNormalization", ["x0", "x1", "x2"], ["y"], axis=1, epsilon=cases.EPSILON)
    ],
    "transpose": lambda: [make.make_node("Transpose", ["x0"], ["y"], perm=[1, 0])],
    "gemm": lambda: [make.make_node("MatMul", ["x0", "x1"], ["y"])],
}

sessions: dict[Any, Any] = {}


def session(kind: str, shapes: list[tuple[int, ...]], result: tuple[int, ...]) -> Any:
    """A session for one row, made once."""
    key = kind, *shapes
    if key not in sessions:
        sessions.clear()
        sessions[key] = new_session(NODES[kind](), shapes, result)
    return sessions[key]


def new_session(nodes: list[Any], shapes: list[tuple[int, ...]], result: tuple[int, ...]) -> Any:
    """A session for a graph of these nodes."""
    inputs = [make.make_tensor_value_info(f"x{i}", FLOAT, shape) for i, shape in enumerate(shapes)]
    graph = make.make_graph(nodes, "row", inputs, [make.make_tensor_value_info("y", FLOAT, result)])
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", OPSET)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads_wanted
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """With bound memory, and by `run`, which allocates the result."""
    model = session(kind, [x.shape for x in inputs], out.shape)
    binding = model.io_binding()
    arguments = {f"x{i}": x for i, x in enumerate(inputs)}
    for name, x in arguments.items():
        binding.bind_input(name, "cpu", 0, np.float32, x.shape, x.ctypes.data)
    binding.bind_output("y", "cpu", 0, np.float32, out.shape, out.ctypes.data)
    names = {"run_bound": model.run_with_iobinding, "binding": binding, "run_model": model.run, "inputs": arguments}
    return [
        Variant("run_with_iobinding", "run_bound(binding)", names),
        Variant("run", "r = run_model(None, inputs)", names, result=lambda r: r[0]),
    ]


def compile_chain(text: str, folder: str | None) -> None:
    """A model and its session."""
    x = np.ones(1024, np.float32)
    made = new_session(NODES["chain"](), [x.shape] * 3, x.shape)
    assert made.run(None, {"x0": x, "x1": x, "x2": x})[0][0] == 2
