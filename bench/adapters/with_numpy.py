"""numpy: ufuncs and BLAS (OpenBLAS), into arrays that exist."""

from __future__ import annotations

from typing import Any

import cases
import numpy as np
from cases import Array
from worker import Unavailable, Variant


def versions() -> dict[str, str]:
    """The versions of the packages that are measured, by name."""
    return {"numpy": np.__version__}


def start(threads: int) -> None:
    """Do nothing: the environment variable OPENBLAS_NUM_THREADS has set the threads, and ufuncs have one thread."""


def chain(a: Array, b: Array, c: Array, out: Array) -> None:
    np.multiply(a, b, out)
    np.add(out, c, out)
    np.maximum(out, 0, out)


def softmax(x: Array, out: Array) -> None:
    np.subtract(x, x.max(axis=1, keepdims=True), out)
    np.exp(out, out)
    np.multiply(out, 1 / out.sum(axis=1, keepdims=True), out)


def layer_norm(x: Array, gamma: Array, beta: Array, out: Array) -> None:
    np.subtract(x, x.mean(axis=1, keepdims=True), out)
    variance = np.vecdot(out, out)[:, None] / np.float32(x.shape[1])
    np.multiply(out, 1 / np.sqrt(variance + np.float32(cases.EPSILON)), out)
    np.multiply(out, gamma, out)
    np.add(out, beta, out)


def gelu_tanh(x: Array, out: Array) -> None:
    """GELU by tanh, since numpy has no erf."""
    np.multiply(x, x, out)
    np.multiply(out, np.float32(0.044715), out)
    np.add(out, 1, out)
    np.multiply(out, x, out)
    np.multiply(out, np.float32(0.7978845608), out)
    np.tanh(out, out)
    np.add(out, 1, out)
    np.multiply(out, x, out)
    np.multiply(out, np.float32(0.5), out)


WAYS: dict[str, tuple[str, Any]] = {
    "add": ("f(x0, x1, out)", np.add),
    "chain": ("f(x0, x1, x2, out)", chain),
    "sum": ("f(x0, None, None, out)", np.sum),
    "exp": ("f(x0, out)", np.exp),
    "tanh": ("f(x0, out)", np.tanh),
    "gelu": ("f(x0, out)", gelu_tanh),
    "softmax": ("f(x0, out)", softmax),
    "layer_norm": ("f(x0, x1, x2, out)", layer_norm),
    "transpose": ("f(out, x0.T)", np.copyto),
    "gemm": ("f(x0, x1, out)", np.matmul),
}


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """Return the one way to call a row."""
    if kind == "fft":
        names = {"fft": np.fft.fft, "x": inputs[0].view(np.complex64)[..., 0], "out": out.view(np.complex64)[..., 0]}
        return [Variant("fft(x, out=out)", "fft(x, out=out)", names)]
    if kind not in WAYS:
        raise Unavailable(f"it has no {kind}")
    statement, function = WAYS[kind]
    arguments: dict[str, Any] = {f"x{i}": x for i, x in enumerate(inputs)}
    label = "tanh form, in pieces" if kind == "gelu" else statement.replace("f(", f"{function.__name__}(", 1)
    form = "gelu_tanh" if kind == "gelu" else None
    return [Variant(label, statement, {"f": function, "out": out, **arguments}, form=form)]
