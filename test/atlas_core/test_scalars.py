"""Every scalar instruction as machine code against its reference function, over edge values of every type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from atlas_core.lanes import TYPES, Array, differ, element_function, info, pairs, values
from hologram.dialects.atlas.instructions.instruction import Instruction
from hologram.dialects.atlas.instructions.reference import compare, convert
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS, Condition
from hologram.dialects.atlas.instructions.storage import storage, view
from hologram.dialects.atlas.instructions.types import DTYPES, STORED, DType
from hologram.lowering.arithmetic.expansions.rows import ACTIVATIONS
from math_expansions.references import slack_of

pytestmark = pytest.mark.slow
COMPUTED = [t for t in TYPES if t.name not in STORED]
"""All but floats of 8 bits, which have a test file of their own."""
AMOUNTS = np.array([0, 1, 5, 7, 8, 15, 31, 32, 33, 63, 64, 65, -1], np.int32)
TOLERANCE = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 1e-6, "f64": 4e-15}


def rows(t: DType) -> list[Instruction]:
    return [op.INSTRUCTION for op in INSTRUCTIONS.values() if t.name in op.INSTRUCTION.types]


def symbol(name: str) -> str:
    return name.replace(".", "_")


def module_of(t: DType) -> str:
    """A function for each instruction of a type."""
    texts = [
        element_function(
            symbol(row.name), f"atlas.{row.name} {t.name} {{}}",
            [operand.ir for operand in row.operand_types(t)], row.result_type(t).ir,
        )
        for row in rows(t)
    ]  # fmt: skip
    return "\n".join(texts)


def operands(row: Instruction, t: DType, rng: np.random.Generator) -> list[Array]:
    kinds = {"T": values(t, rng), "u32": AMOUNTS, "bool": np.array([False, True])}
    args = pairs(*(kinds[k] for k in row.operands.values()))
    if row.traps and t.is_integer:
        args = [np.ascontiguousarray(a[args[1] != 0]) for a in args]
    if len(args[0]) > 20_000:
        chosen = rng.integers(0, len(args[0]), 20_000)
        args = [np.ascontiguousarray(a[chosen]) for a in args]
    return args


def wrong(row: Instruction, t: DType, args: list[Array], got: Array, want: Array) -> Array:
    bad = differ(got, want)
    if row.exact or not bad.any():
        return bad
    a, b = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= TOLERANCE[t.name] * np.abs(b) + 2 * float(info(t).smallest_subnormal)
        if t.bits <= 32 and row.name in ACTIVATIONS:
            near |= np.abs(a - b) <= slack_of(ACTIVATIONS[row.name], args[0])
    return bad & ~near


@pytest.mark.parametrize("t", TYPES, ids=lambda t: t.name)
def test_instructions(t: DType) -> None:
    text = module_of(t)
    for row in rows(t):
        rng = np.random.default_rng(1)
        args = operands(row, t, rng)
        want = row.evaluate(t, *args)
        got = np.zeros_like(want)
        hologram.compile(text, entry=symbol(row.name) if len(rows(t)) > 1 else None)(*args, got)
        bad = np.flatnonzero(wrong(row, t, args, got, want))
        cases = [([a[i] for a in args], want[i], got[i]) for i in bad[:3]]
        assert not len(bad), f"{row.name} {t.name}: {len(bad)} of {len(got)}, such as (operands, want, got) {cases}"


@pytest.mark.parametrize("t", COMPUTED, ids=lambda t: t.name)
def test_conditions(t: DType) -> None:
    names = [c.value for c in Condition if t.is_integer or not c.value.endswith("u")]
    text = "\n".join(
        element_function(c, f"atlas.setcc {c} {t.name} {{}}", [t.ir, t.ir], DTYPES["bool"].ir) for c in names
    )
    args = pairs(*[values(t, np.random.default_rng(2))] * 2)
    for name in names:
        got = np.zeros(args[0].shape, np.bool_)
        hologram.compile(text, entry=name)(*args, got)
        assert (got == compare(name, t, *(view(a, t) for a in args))).all(), f"{name} {t.name}"


def every(t: DType) -> Array:
    """All values of 16-bit floats, else edges."""
    if t.is_float and t.bits == 16:
        return np.arange(1 << 16, dtype=np.uint16).view(t.numpy)
    return values(t, np.random.default_rng(3))


@pytest.mark.parametrize("source", COMPUTED, ids=lambda t: t.name)
def test_conversions(source: DType) -> None:
    text = "\n".join(
        element_function(f"to_{t.name}", f"atlas.cvt {source.name} to {t.name} {{}}", [source.ir], t.ir)
        for t in COMPUTED
    )
    a = every(source)
    for target in COMPUTED:
        with np.errstate(all="ignore"):
            want = storage(np.asarray(convert(source, target, view(a, source))), target)
        got: Any = np.zeros_like(want)
        hologram.compile(text, entry=f"to_{target.name}")(a, got)
        bad = np.flatnonzero(differ(got, want))
        cases = [(a[i], want[i], got[i]) for i in bad[:3]]
        assert not len(bad), f"{source.name} to {target.name}: {len(bad)}, such as (operand, want, got) {cases}"
