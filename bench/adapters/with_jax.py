"""jax on the CPU: jit of each row. It has no setting for threads but the processors that the process may use."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import cases
from cases import Array
from worker import Unavailable, Variant

jax: Any = None
functions: dict[str, Any] = {}


def versions() -> dict[str, str]:
    """The versions of the packages that are measured, by name."""
    return {name: import_module(name).__version__ for name in ("jax", "jaxlib", "numpy")}


def start(threads: int) -> None:
    """Import jax, whose pool is as large as the set of processors at that time."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    os.environ["JAX_PLATFORMS"] = "cpu"
    global jax
    jax = import_module("jax")
    functions.update({kind: jax.jit(function) for kind, function in make_functions(jax).items()})


def make_functions(jax: Any) -> dict[str, Any]:
    """The function of jax that computes each kind of row."""
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
        "fft": jnp.fft.fft,
        **attentions(jax),
    }


def attentions(jax: Any) -> dict[str, Any]:
    """Attention as jax's users write it: jax has nothing faster for processors."""
    jnp = jax.numpy

    def attention(q: Any, k: Any, v: Any, seen: Any = None) -> Any:
        scores = jnp.einsum("...sd,...td->...st", q, k, precision="highest") / q.shape[-1] ** 0.5
        scores = scores if seen is None else jnp.where(seen, scores, -jnp.inf)
        return jnp.einsum("...st,...te->...se", jax.nn.softmax(scores), v, precision="highest")

    def causal(q: Any, k: Any, v: Any) -> Any:
        return attention(q, k, v, jnp.tri(q.shape[-2], k.shape[-2], dtype=bool))

    return {"attention": attention, "attention_causal": causal, "flash_attention": attention}


def convolution(image: Sequence[int], weights: Sequence[int], out: Sequence[int]) -> Any:
    """The convolution of these shapes, compiled."""
    numbers = cases.convolution_of(image, weights, out)
    padding = [(n, n) for n in numbers["padding"]]

    def function(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(x, w, numbers["stride"], padding, precision="highest")

    return jax.jit(function)


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """Return the one way to call a row; jax allocates the results, from memory that was freed before."""
    import numpy as np

    if kind not in functions and kind != "conv2d":
        raise Unavailable(f"it has no {kind} on processors")
    given = [inputs[0].view(np.complex64)[..., 0]] if kind == "fft" else inputs
    arguments: dict[str, Any] = {f"x{i}": jax.numpy.array(x, copy=True) for i, x in enumerate(given)}
    function = functions[kind] if kind in functions else convolution(inputs[0].shape, inputs[1].shape, out.shape)
    names = {"f": function, **arguments}
    statement = f"r = f({', '.join(arguments)}).block_until_ready()"
    return [Variant("jit", statement, names, result=np.asarray, copies=True)]


def compile_chain(text: str, folder: str | None) -> None:
    """Compile a new function by jit; with a `folder`, through jax's own cache."""
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
