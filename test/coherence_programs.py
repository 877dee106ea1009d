"""Programs over integers, with their checks in a kernel of their own."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hologram
from in_process import run_tool

QUANTIZED = """
func.func @main(%a: memref<?x?xi8>, %b: memref<KxNxi8>, %c: memref<?x?xi32>) {
  atlas.quantized_gemm ins(%a, %b : memref<?x?xi8>, memref<KxNxi8>) outs(%c : memref<?x?xi32>)
    {type = #atlas.dtype<i8>}
  func.return
}
"""


def insert(text: str, options: str = "") -> tuple[str, str]:
    """A program with its checks, and the remarks."""
    passes = f"insert-coherence-checks{{report=true {options}}}"
    found = run_tool("hologram-opt", ["-", "-p", passes], stdin=text.encode())
    assert found.code == 0, found.errors
    return found.text, found.errors


def moduli(text: str) -> list[str]:
    """What the checks of a program are, in order."""
    return re.findall(r'hologram\.coherence = "([^"]*)"', insert(text)[0])


def checks_of(text: str) -> Any:
    """The checks of a program as a kernel, which takes its arguments and results; without the program itself."""
    checked, _ = insert(text, "split=true")
    start, end = checked.index("  func.func @main("), checked.index("  func.func @main.check(")
    return hologram.compile(checked[:start] + checked[end:], cache=False, opt_level=1)


GEMM = """
func.func @main(%a: memref<{a}x{t}>, %b: memref<{b}x{t}>{more}, %r: memref<{r}x{t}>) {{
  atlas.gemm ins({ins}) outs(%r : memref<{r}x{t}>) {{{attributes}}}
  func.return
}}
"""


def gemm(a: str, b: str, r: str, t: str, attributes: str = "", *, added: bool = False) -> str:
    """A product of matrices of these shapes, with a third operand or without."""
    more = f", %d: memref<{r}x{t}>" if added else ""
    names, types = ["%a", "%b", "%d"][: 2 + added], [f"memref<{s}x{t}>" for s in (a, b, r)[: 2 + added]]
    ins = f"{', '.join(names)} : {', '.join(types)}"
    return GEMM.format(a=a, b=b, r=r, t=t, more=more, ins=ins, attributes=attributes)


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 0) -> NDArray[Any]:
    """Random integers over all of a type, its extremes among them."""
    info = np.iinfo(dtype)
    found = np.random.default_rng(seed).integers(info.min, info.max, shape, dtype, endpoint=True)
    if found.size:
        found.flat[0], found.flat[-1] = info.min, info.max
    return found


MAP = """
func.func @main(%x: memref<{s}x{t}>, %y: memref<{s}x{t}>, %r: memref<{s}x{u}>) {{
  atlas.map ins(%x, %y : memref<{s}x{t}>, memref<{s}x{t}>) outs(%r : memref<{s}x{u}>)
    maps [affine_map<{m}>, affine_map<{m}>, affine_map<{m}>] {{
  ^bb0(%a: {t}, %b: {t}):
{body}
  }}
  func.return
}}
"""


def mapping(body: str, shape: str = "?x?", t: str = "i32", u: str = "") -> str:
    """A map of two operands."""
    dims = ", ".join(f"d{n}" for n in range(shape.count("x") + 1 if shape else 0))
    text = MAP.format(s=shape, t=t, u=u or t, m=f"({dims}) -> ({dims})", body=body)
    return text if shape else text.replace("memref<x", "memref<")
