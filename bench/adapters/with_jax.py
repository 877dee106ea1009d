"""jax on the CPU: jit of each row. It has no setting for threads but the processors that the process may use."""

from __future__ import annotations

import operator
import os
from importlib import import_module
from typing import Any

import cases
from cases import Array
from worker import Variant

jax: Any = None
functions: dict[str, Any] = {}


def versions() -> dict[str, str]:
    """What is measured."""
    return {name: import_module(name).__version__ for name in ("jax", "jaxlib", "numpy")}


def start(threads: int) -> None:
    """The pool is as large as the set of processors when jax starts."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    os.environ["JAX_PLATFORMS"] = "cpu"
    global jax
    jax = import_module("jax")
    functions.update({kind: jax.jit(function) for kind, function in make_functions(jax).items()})


def make_functions(jax: Any) -> dict[str, Any]:
    """What each kind of row is in jax."""
    jnp = jax.numpy

    def chain(a: Any, b: Any, c: Any) -> Any:
        return jnp.maximum(a * b + c, 0)

    def gelu(x: Any) -> Any:
        return jax.nn.gelu(x, approximate=False)

    def softmax(x: Any) -> Any:
        return jax.nn.softmax(x, axis=1)

    def layer_norm(x: Any, gamma: Any, beta: Any) -> Any:
        d = x - x.mean(axis=1, keepdims=True)
        return d * jax.lax.rsqrt((d * d).mean(axis=1, keepdims=True) + cases.EPSILON) * gamma + beta

    def product(a: Any, b: Any) -> Any:
        return jnp.matmul(a, b, precision="highest")

    return {
        "add": operator.add,
        "chain": chain,
        "sum": jnp.sum,
        "exp": jnp.exp,
        "tanh": jnp.tanh,
        "gelu": gelu,
        "softmax": softmax,
        "layer_norm": layer_norm,
        "transpose": jnp.transpose,
        "gemm": product,
    }


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """One way; results are allocated by jax, from memory that was freed before."""
    import numpy as np

    arguments: dict[str, Any] = {f"x{i}": jax.numpy.array(x, copy=True) for i, x in enumerate(inputs)}
    names = {"f": functions[kind], **arguments}
    statement = f"r = f({', '.join(arguments)}).block_until_ready()"
    return [Variant("jit", statement, names, result=np.asarray, copies=True)]


def compile_chain(text: str, folder: str | None) -> None:
    """jit of a new function; with a `folder`, through jax's own cache."""
    import numpy as np

    if folder:
        jax.config.update("jax_compilation_cache_dir", folder)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    else:
        jax.config.update("jax_enable_compilation_cache", False)
    jax.clear_caches()
    number = 0.0 if folder else float(text)

    def chain(a: Any, b: Any, c: Any) -> Any:
        return jax.numpy.maximum(a * b + c, number * 0.0 - number)

    x = np.ones(1024, np.float32)
    assert jax.jit(chain)(x, x, x)[0] == 2
