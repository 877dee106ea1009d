"""Programs over integers, with their checks in a kernel of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
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
    """The checks of a program, in order."""
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


# Random programs


@dataclass(frozen=True)
class Program:
    """A program over memory; `shapes` and `types` are those of its arguments, the results among them."""

    text: str
    shapes: Sequence[tuple[int, ...]]
    types: Sequence[str]

    def arguments(self, random: np.random.Generator) -> list[NDArray[Any]]:
        """Numbers over all of each type, often its extremes."""
        return [_random_numbers(random, shape, t) for shape, t in zip(self.shapes, self.types, strict=True)]


def _random_numbers(random: np.random.Generator, shape: tuple[int, ...], t: str) -> NDArray[Any]:
    dtype = t.replace("i", "int")
    info = np.iinfo(dtype)
    found = random.integers(info.min, info.max, shape, dtype, endpoint=True)
    ends = np.array([info.min, info.min + 1, -1, 0, 1, info.max], dtype)
    return np.where(random.random(shape) < 0.2, random.choice(ends, shape), found).astype(dtype)


RING = {"add": 2, "sub": 2, "mul": 2, "neg": 1, "fma": 3, "fms": 3, "mad": 3}
OTHER = {"min": 2, "max": 2, "xor": 2, "and": 2, "not": 1, "shr": 2}


def random_program(seed: int) -> Program:
    """A map of a random expression, a sum or a product of one, or a matrix product; by its number."""
    random = np.random.default_rng(seed)
    return (_random_map, _random_reduction, _random_gemm)[seed % 3](random)


def _one_of(random: np.random.Generator, items: Sequence[str]) -> str:
    return items[int(random.integers(len(items)))]


def _expression(random: np.random.Generator, t: str) -> tuple[list[str], str, str]:
    """Lines that compute from `%a` and `%b`, the last value and its type."""
    lines: list[str] = ["%k = atlas.mov_imm 3 : i32"]
    values: dict[str, str] = {"%a": t, "%b": t}
    for number in range(int(random.integers(1, 6))):
        name, result = f"%v{number}", _one_of(random, list(values))
        kind = values[result]
        said = f"{_one_of(random, 'iu')}{kind[1:]}"
        if random.random() < 0.25:
            wide = _one_of(random, ["i8", "i16", "i32", "i64"])
            lines.append(f"{name} = atlas.cvt {said} to {_one_of(random, 'iu')}{wide[1:]} {result}")
            values[name] = wide
            continue
        op = _one_of(random, list(OTHER if random.random() < 0.2 else RING))
        alike = [v for v in values if values[v] == kind]
        operands = [_one_of(random, alike) for _ in range((RING | OTHER)[op])]
        if op == "shr":
            operands[1] = "%k"
        lines.append(f"{name} = atlas.{op} {said} {', '.join(operands)}")
        values[name] = kind
    last = list(values)[-1]
    return lines, last, values[last]


def _body(lines: Sequence[str], last: str, t: str) -> str:
    return "\n".join(f"    {line}" for line in [*lines, f"atlas.yield {last} : {t}"])


def _random_map(random: np.random.Generator) -> Program:
    t = _one_of(random, ["i8", "i16", "i32", "i64"])
    lines, last, result = _expression(random, t)
    shape = [(), (37,), (5, 9), (2, 3, 4)][int(random.integers(4))]
    text = mapping(
        _body(lines, last, result), "x".join("?" if random.random() < 0.5 else str(n) for n in shape), t, result
    )
    return Program(text, [shape] * 3, [t, t, result])


def _random_reduction(random: np.random.Generator) -> Program:
    t = _one_of(random, ["i8", "i16", "i32", "i64"])
    lines, last, result = _expression(random, t)
    shape, axis = (int(random.integers(1, 8)), int(random.integers(1, 40))), int(random.integers(2))
    kind, said = _one_of(random, ["add", "add", "mul"]), f"{_one_of(random, 'iu')}{result[1:]}"
    array = f"memref<{shape[0]}x?x{t}>"
    text = f"""
func.func @main(%x: {array}, %y: {array}, %r: memref<?x{result}>) {{
  atlas.reduce [{kind} {said}] ins(%x, %y : {array}, {array}) outs(%r : memref<?x{result}>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d{axis})>] {{
  ^bb0(%a: {t}, %b: {t}):
{_body(lines, last, result)}
  }}
  func.return
}}
"""
    return Program(text, [shape, shape, (shape[axis],)], [t, t, result])


def _random_gemm(random: np.random.Generator) -> Program:
    m, k, n = (int(random.integers(1, 20)) for _ in range(3))
    flips = [bool(random.integers(2)) for _ in range(2)]
    shapes = [(k, m) if flips[0] else (m, k), (n, k) if flips[1] else (k, n), (m, n)]
    said = ", ".join(f"trans_{name} = {int(flip)} : i64" for name, flip in zip("ab", flips, strict=True))
    names = ["x".join(map(str, shape)) for shape in shapes]
    if random.random() < 0.4:
        ins = f"memref<{names[0]}xi8>, memref<{names[1]}xi8>"
        signs = f"type = #atlas.dtype<{_one_of(random, 'iu')}8>, type_b = #atlas.dtype<{_one_of(random, 'iu')}8>"
        text = f"""
func.func @main(%a: memref<{names[0]}xi8>, %b: memref<{names[1]}xi8>, %r: memref<{names[2]}xi32>) {{
  atlas.quantized_gemm ins(%a, %b : {ins}) outs(%r : memref<{names[2]}xi32>) {{{signs}, {said}}}
  func.return
}}
"""
        return Program(text, shapes, ["i8", "i8", "i32"])
    t = _one_of(random, ["i8", "i16", "i32", "i64"])
    added = bool(random.integers(2))
    scales = f", alpha = {int(random.integers(-3, 4))}.0 : f64, beta = {int(random.integers(-3, 4))}.0 : f64"
    text = gemm(names[0], names[1], names[2], t, said + scales * added, added=added)
    return Program(text, [*shapes[:2], *[shapes[2]] * (1 + added)], [t] * (3 + added))
