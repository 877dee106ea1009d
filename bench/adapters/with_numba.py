"""numba: loops with fast math, parallel where there are threads, into arrays that exist."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import cases
import numpy as np
from cases import Array
from worker import Unavailable, Variant

numba: Any = import_module("numba")
prange: Any = numba.prange
EPSILON = np.float32(cases.EPSILON)
HALF = np.float32(0.5)
ONE = np.float32(1)
ROOT = np.float32(math.sqrt(0.5))

threads_wanted = 1


def versions() -> dict[str, str]:
    """The versions of the packages that are measured, by name."""
    return {"numba": numba.__version__, "numpy": np.__version__}


def start(threads: int) -> None:
    """Set the number of threads for parallel loops; with one thread they are not parallel."""
    global threads_wanted
    threads_wanted = threads
    numba.set_num_threads(threads)


def add(a: Any, b: Any, out: Any) -> None:
    for i in prange(a.size):
        out[i] = a[i] + b[i]


def chain(a: Any, b: Any, c: Any, out: Any) -> None:
    for i in prange(a.size):
        out[i] = max(a[i] * b[i] + c[i], np.float32(0))


def total(x: Any, out: Any) -> None:
    s = np.float32(0)
    for i in prange(x.size):
        s += x[i]
    out[()] = s


def exp(x: Any, out: Any) -> None:
    for i in prange(x.size):
        out[i] = math.exp(x[i])


def tanh(x: Any, out: Any) -> None:
    for i in prange(x.size):
        out[i] = math.tanh(x[i])


def gelu(x: Any, out: Any) -> None:
    for i in prange(x.size):
        out[i] = HALF * x[i] * (ONE + math.erf(x[i] * ROOT))


def softmax(x: Any, out: Any) -> None:
    for i in prange(x.shape[0]):
        row = x[i]
        most = row[0]
        for j in range(row.size):
            most = max(most, row[j])
        s = np.float32(0)
        for j in range(row.size):
            e = math.exp(row[j] - most)
            out[i, j] = e
            s += e
        inverse = ONE / s
        for j in range(row.size):
            out[i, j] *= inverse


def layer_norm(x: Any, gamma: Any, beta: Any, out: Any) -> None:
    for i in prange(x.shape[0]):
        row = x[i]
        s = np.float32(0)
        for j in range(row.size):
            s += row[j]
        mean = s / np.float32(row.size)
        q = np.float32(0)
        for j in range(row.size):
            q += (row[j] - mean) * (row[j] - mean)
        inverse = ONE / math.sqrt(q / np.float32(row.size) + EPSILON)
        for j in range(row.size):
            out[i, j] = (row[j] - mean) * inverse * gamma[j] + beta[j]


def transpose(x: Any, out: Any) -> None:
    for block in prange((x.shape[0] + 31) // 32):
        for start in range(0, x.shape[1], 32):
            for j in range(start, min(start + 32, x.shape[1])):
                for i in range(32 * block, min(32 * block + 32, x.shape[0])):
                    out[j, i] = x[i, j]


WAYS: dict[str, Callable[..., None]] = {
    "add": add, "chain": chain, "sum": total, "exp": exp, "tanh": tanh, "gelu": gelu,
    "softmax": softmax, "layer_norm": layer_norm, "transpose": transpose,
}  # fmt: skip


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """Return the serial loop, and the parallel one if there are several threads."""
    if kind not in WAYS:
        raise Unavailable("its matrix product calls scipy's BLAS")
    arguments: dict[str, Any] = {f"x{i}": x for i, x in enumerate(inputs)}
    made: list[Variant] = []
    for parallel in (False, True)[:threads_wanted]:
        function = compiled(kind, parallel)
        names = {"f": function, "out": out, **arguments}
        made.append(Variant("parallel loop" if parallel else "loop", f"f({', '.join(arguments)}, out)", names))
    return made


compiled_before: dict[tuple[str, bool], Any] = {}


def compiled(kind: str, parallel: bool) -> Any:
    """The loop of a kind, compiled once."""
    key = kind, parallel
    if key not in compiled_before:
        compiled_before[key] = numba.njit(parallel=parallel, fastmath=True, cache=True)(WAYS[kind])
    return compiled_before[key]


CHAIN = """
import numba, numpy
@numba.njit(fastmath=True, cache={cache})
def chain(a, b, c, out):
    for i in range(a.size):
        out[i] = max(a[i] * b[i] + c[i], numpy.float32(0))
"""
MODULE = "chain_in_cache"


def compile_chain(text: str, folder: str | None) -> None:
    """Compile a new function; for the cache, one of a module in a file, as numba requires it."""
    scope: dict[str, Any] = {"__name__": f"chain{text}"}
    if folder is None:
        exec(CHAIN.format(cache=False), scope)
    else:
        path = Path(folder) / f"{MODULE}.py"
        if not path.exists():
            path.write_text(CHAIN.format(cache=True), encoding="utf-8")
        sys.path.insert(0, folder)
        sys.modules.pop(MODULE, None)
        scope["chain"] = import_module(MODULE).chain
    x, out = np.ones(1024, np.float32), np.zeros(1024, np.float32)
    scope["chain"](x, x, x, out)
    assert out[0] == 2
