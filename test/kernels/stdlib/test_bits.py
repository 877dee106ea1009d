"""Sums of the library's kernels have the bits of the instructions (isa.md, section 3), and of each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from extension_programs import memref
from kernels.stdlib.cases import Draw, load
from kernels.stdlib.loss_cases import CHUNK, logits, numbers, wide

Array = np.ndarray[Any, np.dtype[Any]]
SIZES = ((3, 5), (2, 257), (2, 4099), (1, 5 * CHUNK + 131))
pytestmark = pytest.mark.slow


def instruction(name: str, ins: list[Array], out: Array, attributes: str) -> Array:
    """The result of an array-level instruction."""
    names = [f"%i{n}" for n in range(len(ins))]
    types = ", ".join(memref(v) for v in ins)
    arguments = ", ".join(f"{n}: {memref(v)}" for n, v in zip([*names, "%o"], [*ins, out], strict=True))
    program = f"""func.func @main({arguments}) {{
      atlas.{name} ins({", ".join(names)} : {types}) outs(%o : {memref(out)}) {{{attributes}}}
      func.return
    }}"""
    found = out.copy()
    hologram.compile(program)(*ins, found)
    return found


@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_layer_norm(sizes: tuple[int, int], dtype: str):
    on = Draw(dtype, *sizes)
    x, gamma, beta, out = on.array(*sizes), on.array(sizes[1]), on.array(sizes[1]), on.blank(*sizes)
    load("norm/layer_norm", "layer_norm")(x, gamma, beta, out, 1e-5)
    assert out.tobytes() == instruction("layer_norm", [x, gamma, beta], out, "eps = 1.0e-5 : f64").tobytes()


@pytest.mark.parametrize("spatial", [1, 49, 3000])
def test_group_norm(spatial: int):
    on = Draw("f32", spatial)
    x, gamma, beta = on.array(2, 6, spatial), on.array(6), on.array(6)
    out = on.blank(4, 3 * spatial)
    load("norm/group_norm", "group_norm")(x.reshape(4, -1), gamma, beta, out, spatial, 1e-5)
    right = instruction("group_norm", [x, gamma, beta], on.blank(2, 6, spatial), "groups = 2 : i64, eps = 1.0e-5 : f64")
    assert out.tobytes() == right.tobytes()


@pytest.mark.parametrize("spatial", [1, 49, 3000])
def test_batch_norm(spatial: int):
    on = Draw("f32", spatial)
    x, gamma, beta, out = on.array(3, 4, spatial), on.array(4), on.array(4), on.blank(3, 4, spatial)
    mean, variance = on.blank(4), on.blank(4)
    load("norm/batch_norm", "batch_norm_statistics")(x, mean, variance)
    load("norm/batch_norm", "batch_norm")(x, gamma, beta, mean, variance, out, 1e-5)
    assert out.tobytes() == instruction("batch_norm", [x, gamma, beta], out, "eps = 1.0e-5 : f64").tobytes()


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("name", ["mse", "binary_cross_entropy_logits"])
@pytest.mark.parametrize("n", [1, 4096, 4097, 11 * CHUNK - 1])
def test_losses_by_chunks(name: str, n: int, dtype: str):
    on = Draw(dtype, n)
    pred, target, out = (numbers if name == "mse" else logits)(on, n)
    again, sums = on.blank(1), on.blank((n + CHUNK - 1) // CHUNK, dtype=wide(dtype))
    load(f"loss/{name}", name)(pred, target, out)
    load(f"loss/{name}", f"{name}_chunks")(pred, target, sums)
    load("loss/mean_of_chunks", "mean_of_chunks")(sums, n, again)
    assert again.tobytes() == out.tobytes()


@pytest.mark.parametrize("chunks", [1, 2, 127, 129, 255, 256, 1000])
def test_means_of_chunks_have_the_order_of_one_block(chunks: int):
    """The tree of many chunks, without their elements."""
    on = Draw("f32", chunks)
    sums, out = on.array(chunks), on.blank(1)
    load("loss/mean_of_chunks", "mean_of_chunks")(sums, 1, out)
    tree = np.full(1 << (chunks - 1).bit_length(), -0.0, np.float32)
    tree[:chunks] = sums
    while len(tree) > 1:
        tree = tree[::2] + tree[1::2]
    assert out[0] == tree[0]
