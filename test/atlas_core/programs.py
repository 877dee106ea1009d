"""Runs lane programs both ways, by the interpreter and as machine code: same bits, or a trap in both."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import hologram
from hologram.dialects import make_context
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

from .lanes import Array, differ

REGISTERS = """
  %gid = atlas.special gid : i64
  %lane32 = atlas.special lane.x : i32
  %lane = atlas.cvt u32 to u64 %lane32
"""


def program_text(body: str, types: Sequence[str], block: int = 8, grid: int = 1) -> str:
    """A module whose `main` launches a program on its arguments `%a`, `%b`, ..."""
    names = [f"%{'abcdefgh'[n]}" for n in range(len(types))]
    heads = ", ".join(f"{name}: {type}" for name, type in zip(names, types, strict=True))
    return f"""
func.func @main({heads}) {{
  %grid = arith.constant {grid} : index
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%grid, %c1, %c1) args({", ".join(names)} : {", ".join(types)})
  func.return
}}
atlas.program @p({heads}) block [{block}, 1, 1] {{{REGISTERS}{body}
}}"""


class Both:
    """One program, compiled and parsed once, to be run on several arrays."""

    def __init__(self, body: str, types: Sequence[str], *, block: int = 8, grid: int = 1):
        self.text = program_text(body, types, block, grid)
        self.kernel = hologram.compile(self.text, opt_level=1)
        self.module = parse_module(self.text, "p.mlir", make_context())

    def same(self, arrays: Sequence[Array]) -> list[Array]:
        """Runs the program on copies of the arrays both ways, which must agree; gives what they became."""
        ours, expected = ([a.copy() for a in arrays] for _ in range(2))
        self.kernel(*ours)
        interpret(self.module, "main", expected)
        for mine, theirs in zip(ours, expected, strict=True):
            assert not differ(mine, theirs).any(), f"{self.text}\n{mine}\n{theirs}"
        return ours

    def trap(self, arrays: Sequence[Array], code: str, words: str) -> None:
        """The program traps both ways: with this code in the interpreter, with these words in machine code."""
        with pytest.raises(TrapError) as caught:
            interpret(self.module, "main", [a.copy() for a in arrays])
        assert caught.value.code == code, str(caught.value)
        with pytest.raises(TrapError) as caught:
            self.kernel(*(a.copy() for a in arrays))
        assert words in str(caught.value)


def both(body: str, types: Sequence[str], arrays: Sequence[Array], *, block: int = 8, grid: int = 1) -> list[Array]:
    """Runs a program once both ways."""
    return Both(body, types, block=block, grid=grid).same(arrays)


__all__ = ["Array", "Both", "both", "program_text"]
