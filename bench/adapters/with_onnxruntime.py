"""onnxruntime: one model a row, inputs and outputs bound to memory that exists, or passed to `run` as arrays."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import cases
import numpy as np
from cases import Array
from worker import Unavailable, Variant

onnx: Any = import_module("onnx")
onnxruntime: Any = import_module("onnxruntime")
make: Any = onnx.helper
FLOAT: int = onnx.TensorProto.FLOAT
OPSET = 23
CACHES = False

threads_wanted = 1


def versions() -> dict[str, str]:
    """The versions of the packages that are measured, by name."""
    return {"onnxruntime": onnxruntime.__version__, "onnx": onnx.__version__}


def start(threads: int) -> None:
    """Set the threads within one operation, for sessions that are made from now on."""
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
        nodes = convolution(shapes, result) if kind == "conv2d" else NODES[kind]()
        sessions[key] = new_session(nodes, shapes, result)
    return sessions[key]


def new_session(nodes: list[Any], shapes: list[tuple[int, ...]], result: tuple[int, ...]) -> Any:
    """A session for a graph of these nodes."""
    inputs = [make.make_tensor_value_info(f"x{i}", FLOAT, shape) for i, shape in enumerate(shapes)]
    graph = make.make_graph(nodes, "row", inputs, [make.make_tensor_value_info("y", FLOAT, result)])
    domains = [make.make_opsetid("", OPSET), make.make_opsetid("com.microsoft", 1)]
    model = make.make_model(graph, opset_imports=domains, ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads_wanted
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """Return the calls with bound memory, and by `run`, which allocates the result."""
    if kind in ("attention", "attention_causal", "flash_attention"):
        return attentions(kind, inputs, out)
    if kind not in NODES and kind != "conv2d":
        raise Unavailable(f"it has no fast {kind}")
    model = session(kind, [x.shape for x in inputs], out.shape)
    return calls(model, inputs, out)


def calls(model: Any, inputs: list[Array], out: Array) -> list[Variant]:
    """The two ways to call a session."""
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


def convolution(shapes: list[tuple[int, ...]], result: tuple[int, ...]) -> list[Any]:
    """A convolution whose image is padded by half of the kernel."""
    image, weights = shapes
    numbers = cases.convolution_of(image, weights, result)
    pads = [*numbers["padding"], *numbers["padding"]]
    return [make.make_node("Conv", ["x0", "x1"], ["y"], strides=list(numbers["stride"]), pads=pads)]


def attentions(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """The operation of the ONNX standard, and onnxruntime's own, whose heads are parts of the rows of one matrix."""
    causal, key = int(kind == "attention_causal"), ("attention", kind, *out.shape)
    batch, heads, rows, size = out.shape
    flat = batch, rows, heads * size
    if key not in sessions:
        sessions.clear()
        standard = make.make_node("Attention", ["x0", "x1", "x2"], ["y"], is_causal=causal)
        own = make.make_node(
            "MultiHeadAttention", ["x0", "x1", "x2"], ["y"],
            domain="com.microsoft", num_heads=heads, unidirectional=causal,
        )  # fmt: skip
        sessions[key] = new_session([standard], [out.shape] * 3, out.shape), new_session([own], [flat] * 3, flat)
    standard, own = sessions[key]
    moved = [np.ascontiguousarray(x.swapaxes(1, 2)).reshape(flat) for x in inputs]

    def result(r: Any) -> Array:
        return r[0].reshape(batch, rows, heads, size).swapaxes(1, 2)

    names = {"run_model": own.run, "inputs": {f"x{i}": x for i, x in enumerate(moved)}}
    whole = Variant("MultiHeadAttention", "r = run_model(None, inputs)", names, result=result, copies=True)
    return [*calls(standard, inputs, out), whole]


def compile_chain(text: str, folder: str | None) -> None:
    """A model and its session."""
    x = np.ones(1024, np.float32)
    made = new_session(NODES["chain"](), [x.shape] * 3, x.shape)
    assert made.run(None, {"x0": x, "x1": x, "x2": x})[0][0] == 2
