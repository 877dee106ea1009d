"""Projections that move: random chains keep their meaning, and the laws of coherence hold in compiled code."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.parser import Parser

import hologram
from hologram.dialects import make_context
from hologram.interpreter import interpret
from hologram.torus import TORUS
from in_process import run_tool

CHAINS = int(os.environ.get("HOLOGRAM_FUZZ", "20"))
TYPES = {"!torus.coord": "torus", "!algebra.residue<16>": "algebra", "!algebra.residue<65537>": "algebra"}


def make_chain(source: random.Random) -> tuple[str, list[int]]:
    """A function of integer tensors that projects sums and products, and adds and multiplies projections."""
    type = source.choice([*TYPES])
    widths = [source.choice([8, 16, 32, 64]) for _ in range(3)]
    integers = [(f"%n{i}", width) for i, width in enumerate(widths)]
    lines: list[str] = []

    def emit(name: str, text: str) -> str:
        lines.append(f"  %{name}{len(lines)} = {text}")
        return f"%{name}{len(lines) - 1}"

    for _ in range(source.randint(1, 4)):
        a, width = source.choice(integers)
        if width < 64 and source.random() < 0.5:
            wide = source.choice([w for w in (16, 32, 64) if w > width])
            flag = source.choice(["", "unsigned "])
            x = emit("w", f"hologram.cast {flag}{a} : tensor<?xi{width}> to tensor<?xi{wide}>")
            integers.append((x, wide))
            continue
        b = source.choice([name for name, other in integers if other == width])
        kind = source.choice(["add", "sub", "mul"])
        integers.append((emit("i", f"hologram.{kind} {a}, {b} : tensor<?xi{width}>"), width))
    elements: list[str] = []
    for _ in range(source.randint(2, 4)):
        a, width = source.choice(integers)
        flag = source.choice(["", "unsigned "])
        elements.append(emit("p", f"{TYPES[type]}.project {flag}{a} : tensor<?xi{width}> to tensor<?x{type}>"))
    for _ in range(source.randint(1, 4)):
        kind = source.choice(["add", "sub", "mul"])
        a, b = source.choice(elements), source.choice(elements)
        elements.append(emit("e", f"algebra.{kind} {a}, {b} : tensor<?x{type}>"))
    head = ", ".join(f"%n{i}: tensor<?xi{width}>" for i, width in enumerate(widths))
    result = f"  func.return {elements[-1]} : tensor<?x{type}>"
    return "\n".join([f"func.func @f({head}) -> tensor<?x{type}> {{", *lines, result, "}"]), widths


def edges(width: int, source: random.Random) -> Any:
    """The ends of the range, and random integers."""
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    return np.array([low, low + 1, -1, 0, 1, high, *(source.randint(low, high) for _ in range(10))], f"i{width // 8}")


def values(text: str, args: list[Any]) -> list[int]:
    return interpret(Parser(make_context(), text).parse_module(), None, args)[0].tolist()


def test_moving_keeps_the_meaning() -> None:
    moved = 0
    for seed in range(CHAINS):
        source = random.Random(seed)
        text, widths = make_chain(source)
        arrays = [edges(width, source) for width in widths]
        for array in arrays:
            source.shuffle(array.tolist())
        args = [np.roll(array, 3 * n) for n, array in enumerate(arrays)]
        expected = values(text, args)
        for passes in ("sink-projections", "hoist-projections", "sink-projections{bits=16},hoist-projections"):
            found = run_tool("hologram-opt", ["-", "-p", passes], stdin=text.encode())
            assert found.code == 0, found.errors
            moved += found.text.count("project") != text.count("project")
            assert values(found.text, args) == expected, f"{passes}, seed {seed}:\n{text}\n{found.text}"
    assert moved


COHERENCE = """
func.func @f(%a: tensor<?xi64>, %b: tensor<?xi64>) -> (tensor<?x!torus.coord>, tensor<?x!torus.coord>,
    tensor<?x!torus.coord>, tensor<?x!torus.coord>, tensor<?x!torus.coord>, tensor<?x!torus.coord>) {
  %x = hologram.cast %a : tensor<?xi64> to tensor<?xi128>
  %y = hologram.cast %b : tensor<?xi64> to tensor<?xi128>
  %sum = hologram.add %x, %y : tensor<?xi128>
  %difference = hologram.sub %x, %y : tensor<?xi128>
  %product = hologram.mul %x, %y : tensor<?xi128>
  %s0 = torus.project %sum : tensor<?xi128> to tensor<?x!torus.coord>
  %d0 = torus.project %difference : tensor<?xi128> to tensor<?x!torus.coord>
  %p0 = torus.project %product : tensor<?xi128> to tensor<?x!torus.coord>
  %p = torus.project %a : tensor<?xi64> to tensor<?x!torus.coord>
  %q = torus.project %b : tensor<?xi64> to tensor<?x!torus.coord>
  %s1 = algebra.add %p, %q : tensor<?x!torus.coord>
  %d1 = algebra.sub %p, %q : tensor<?x!torus.coord>
  %p1 = algebra.scale %a, %q : (tensor<?xi64>, tensor<?x!torus.coord>) -> tensor<?x!torus.coord>
  func.return %s0, %d0, %p0, %s1, %d1, %p1 : tensor<?x!torus.coord>, tensor<?x!torus.coord>, tensor<?x!torus.coord>,
    tensor<?x!torus.coord>, tensor<?x!torus.coord>, tensor<?x!torus.coord>
}
"""


def test_coherence_in_compiled_code() -> None:
    """Sums and products are taken in i128; edges meet edges, and random integers random ones."""
    source = random.Random(7)
    ends = [-(2**63), -(2**63) + 1, -97, -96, -1, 0, 1, 47, 48, 95, 96, 2**32, 2**63 - 2, 2**63 - 1]
    pairs = [(a, b) for a in ends for b in ends]
    pairs += [(source.randint(-(2**63), 2**63 - 1), source.randint(-(2**63), 2**63 - 1)) for _ in range(2000)]
    a, b = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    found: Any = hologram.compile(COHERENCE)(a, b)
    assert (found[0] == found[3]).all()
    assert (found[1] == found[4]).all()
    assert (found[2] == found[5]).all()
    assert found[0].tolist() == [TORUS.project(x + y) for x, y in pairs]
    assert found[2].tolist() == [TORUS.project(x * y) for x, y in pairs]


def test_the_tutorial_takes_under_60_lines() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tutorials" / "extend-a-dialect.mdx").read_text(encoding="utf-8")
    _, _, file = page.partition('```python title="commutator.py"\n')
    assert 0 < file.partition("\n```\n")[0].count("\n") + 1 < 60
