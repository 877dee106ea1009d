"""Zeros that are chosen by comparisons with zero: compilers of OpenCL C made by LLVM before 16 lose their signs."""

from __future__ import annotations

import numpy as np
import pytest

from devices.test_addresses import compare

pytestmark = [pytest.mark.device, pytest.mark.timeout(300)]

CONDITIONS = ("gt", "lt", "ge", "le", "eq", "ne")


def test_signs_of_chosen_zeros():
    """x or a zero, for each comparison, its opposite, both orders of operands and of results."""
    lines, outs = list[str](), 0
    for condition in CONDITIONS:
        for operands in ("r4, r5", "r5, r4"):
            for chosen in ("r6, r4", "r4, r6", "r5, r4", "r4, r5"):
                for opposite in ("", "not.bool p0, p0"):
                    lines += [f"set{condition}.f32 p0, {operands}", opposite, f"sel.f32 r7, p0, {chosen}"]
                    lines += ["add.u64 r1, r0, r2", "stg.f32 [buf1 + r1], r7", "add.u64 r2, r2, r3"]
                    outs += 1
    text = (
        ".program zeros(buf0: f32[?], buf1: f32[?]) {\n  .launch block(8, 1, 1)\n  mov_imm.u64 r1, 4\n"
        "  mul.u64 r0, r1, r255\n  ldg.f32 r4, [buf0 + r0]\n  mov_imm.u64 r2, 0\n  mov_imm.u64 r3, 32\n"
        "  mov_imm.f32 r5, 0.0\n  mov_imm.f32 r6, -0.0\n  " + "\n  ".join(lines) + "\n  exit\n}\n"
    )
    given = np.array([0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e-45], np.float32)
    assert compare(text, [[given, np.zeros(8 * outs, np.float32)]]) != ["trap"]
