"""The kernels of the library that `make docs` writes, of declarations of every shape."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from hologram.dialects.atlas.instructions.declaration import Instruction, made
from hologram.dialects.atlas.instructions.dtypes import BOOL, FLOATS, INTEGERS

KERNEL = runpy.run_path(str(Path(__file__).resolve().parents[2] / "docs" / "derived.py"))["kernel"]


def row(operands: str, types: frozenset[str]) -> Instruction:
    return made("it", operands, types, "It.", lambda t, a: a, word="it", kernel="vector/vector_it")


@pytest.mark.parametrize(
    ("declared", "call"),
    [
        (row("a amount:u32", INTEGERS), "c[i] = it(a[i], b[i])"),
        (row("a b", BOOL), 'T = Element("T", "bool")'),
        (row("p:bool q:bool a b c", FLOATS), "f[i] = it(a[i], b[i], c[i], d[i], e[i])"),
    ],
)
def test_kernel_of_a_declaration(declared: Instruction, call: str):
    text = KERNEL(declared)
    assert call in text
    assert max(map(len, text.splitlines())) <= 120
    compile(text, "it.py", "exec")
