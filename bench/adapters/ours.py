"""This project: kernels from IR text through `hologram.compile`, sizes known only at the call."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from pathlib import Path
from typing import Any

import cases
from cases import Array
from worker import Unavailable, Variant

import hologram

VECTOR = "tensor<?xf32>"
MATRIX = "tensor<?x?xf32>"
UNARY = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = hologram.NAME %x : tensor<?xf32>
  func.return %y : tensor<?xf32>
}
"""
TEXTS = {
    "add": """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = hologram.add %a, %b : tensor<?xf32>
  func.return %c : tensor<?xf32>
}
""",
    "chain": """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %ab = hologram.mul %a, %b : tensor<?xf32>
  %abc = hologram.add %ab, %c : tensor<?xf32>
  %y = hologram.relu %abc : tensor<?xf32>
  func.return %y : tensor<?xf32>
}
""",
    "sum": """
func.func @main(%x: tensor<?xf32>) -> tensor<f32> {
  %s = hologram.reduce sum %x {axes = [0 : i64]} : tensor<?xf32> to tensor<f32>
  func.return %s : tensor<f32>
}
""",
    "exp": UNARY.replace("NAME", "exp"),
    "tanh": UNARY.replace("NAME", "tanh"),
    "gelu": UNARY.replace("NAME", "gelu"),
    "softmax": """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = hologram.softmax %x {axis = 1 : i64} : tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
""",
    "layer_norm": (Path(__file__).parents[2] / "examples/layer_norm.mlir").read_text(encoding="utf-8"),
    "transpose": """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = hologram.transpose %x {permutation = [1 : i64, 0 : i64]} : tensor<?x?xf32> to tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
""",
    "gemm": """
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = hologram.matmul %a, %b : tensor<?x?xf32>
  func.return %c : tensor<?x?xf32>
}
""",
}
CHAIN = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %ab = hologram.mul %a, %b : tensor<?xf32>
  %abc = hologram.add %ab, %c : tensor<?xf32>
  %y = hologram.relu %abc : tensor<?xf32>
  func.return %y : tensor<?xf32>
}
// TEXT
"""


MEMREFS = """
func.func @main(ARGUMENTS) {
  atlas.NAME ins(INS) outs(%y : OUT) {ATTRIBUTES}
  func.return
}
"""


def extension(kind: str, inputs: list[Array], out: Array) -> str:
    """An array-level instruction. Sizes of weights and of heads and lengths of transforms are static."""
    types, attributes = list[str](), ""
    match kind:
        case "fft":
            batch = "?x" * (out.ndim - 2)
            types = [f"memref<{batch}{out.shape[-2]}x2xf32>"] * 2
        case "sparse_gemm":
            types = ["memref<?xf32>", "memref<?xi32>", "memref<?xi32>", "memref<?x?xf32>", "memref<?x?xf32>"]
        case "conv2d":
            filters, channels, *kernel = inputs[1].shape
            image, sizes = f"memref<?x{channels}x?x?xf32>", f"memref<?x{filters}x?x?xf32>"
            types = [image, f"memref<{filters}x{channels}x{kernel[0]}x{kernel[1]}xf32>", sizes]
            numbers = cases.convolution_of(inputs[0].shape, inputs[1].shape, out.shape)
            attributes = ", ".join(f"{name} = [{n[0]}, {n[1]}]" for name, n in numbers.items())
        case "attention" | "attention_causal" | "flash_attention":
            types = [f"memref<?x?x?x{out.shape[-1]}xf32>"] * 4
            attributes = f"causal = {int(kind == 'attention_causal')}"
        case _:
            raise Unavailable(f"no program for {kind}")
    names = [*(f"%x{n}" for n in range(len(types) - 1)), "%y"]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    text = MEMREFS.replace("ARGUMENTS", arguments).replace("NAME", kind.removesuffix("_causal"))
    ins = f"{', '.join(names[:-1])} : {', '.join(types[:-1])}"
    return text.replace("INS", ins).replace("OUT", types[-1]).replace("ATTRIBUTES", attributes)


def versions() -> dict[str, str]:
    """The versions of the packages that are measured, by name."""
    return {name: importlib.metadata.version(name) for name in ("hologram-mlir", "numpy", "llvmlite", "xdsl")}


def start(threads: int) -> None:
    """Do nothing: the environment variable HOLOGRAM_NUM_THREADS has set the number of threads already."""


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """Return the one way to call a row: with outputs as trailing arguments."""
    text = TEXTS[kind] if kind in TEXTS else extension(kind, inputs, out)
    arguments: dict[str, Any] = {f"x{i}": x for i, x in enumerate(inputs)}
    names = {"kernel": hologram.compile(text), "out": out, **arguments}
    return [Variant("kernel(..., out)", f"kernel({', '.join(arguments)}, out)", names)]


def compile_chain(text: str, folder: str | None) -> None:
    """Compile a text and compute a first result; with a `folder` the object comes from there after the first time."""
    import numpy as np

    x = np.ones(1024, np.float32)
    if folder is None:
        kernel = hologram.compile(CHAIN.replace("TEXT", text), cache=False)
    else:
        os.environ["HOLOGRAM_CACHE_DIR"] = folder
        if (graph := sys.modules.get("hologram.driver.graph")) is not None:
            graph.clear_memory()
        kernel = hologram.compile(CHAIN.replace("TEXT", "in the cache"))
    assert kernel(x, x, x)[0] == 2
