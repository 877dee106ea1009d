"""The errors of the assembler for mistyped words: the place, and the word that was meant."""

from __future__ import annotations

import pytest

from hologram import isa
from hologram.errors import HologramError

CASES = {
    "lopp r0, end": (3, "did you mean 'loop'?"),
    "add.f32 r0, r1, p2": (19, "all but bool lies in r0 to r255"),
    "add.f32 r0, r1, 1.5": (19, "put a constant into a register with mov_imm"),
    "add.f32 r0, r1, [buf0]": (19, "load it into a register first: ldg, lds, ldl"),
    "add.u64 r0, r1, %gid": (19, "read it into a register first: mov.u64 r1, %gid"),
    "setlt.f32 r0, r1, r2": (13, "conditions and bool lie in predicates, p0 to p15"),
    "ldg.v3.f32 r0, [buf0]": (7, "did you mean 'v2'?"),
    "memfence.blok": (3, "did you mean 'block'?"),
    "ldg.f32 r0, [bfu0]": (16, "did you mean 'buf0'?"),
    "stg.f32 [buf2], r0": (3, "it has 1 of them, counted from 0"),
    "bra ende": (7, "did you mean 'end'?"),
    "call halp": (8, "did you mean 'help'?"),
    ".shard shared0: f32[4]": (3, "did you mean '.shared'?"),
}


@pytest.mark.parametrize("line", CASES)
def test_hint_and_place(line: str):
    text = f".program p(buf0: f32[?]) {{\n  {line}\nend:\n  exit\n}}\n.func help() {{\n  ret\n}}\n"
    with pytest.raises(HologramError) as caught:
        isa.assemble(text, "typo.atlas")
    where = caught.value.where
    assert where is not None
    assert (where.line, where.column, caught.value.hint) == (2, *CASES[line])
