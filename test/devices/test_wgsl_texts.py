"""Every scalar instruction and conversion as WGSL: wgpu compiles it, integers are exact, floats within bounds."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from atlas_core.lanes import Array, differ, info, pairs, values
from atlas_core.test_scalars import COMPUTED, every, operands, rows, symbol
from devices.texts import WgslKernels, element_kernels, flat
from hologram.dialects.atlas.instructions.instruction import Instruction
from hologram.dialects.atlas.instructions.reference import compare, convert
from hologram.dialects.atlas.instructions.scalar import Condition
from hologram.dialects.atlas.instructions.storage import storage, view
from hologram.dialects.atlas.instructions.types import DType
from hologram.lowering.arithmetic.expansions.rows import ACTIVATIONS
from math_expansions.references import slack_of

pytestmark = pytest.mark.device
PASSES = (
    "convert-atlas-to-core{fma=false},expand-math{fma=false},permute-tables,expand-narrow-floats{f16=false},flatten-kernels,"
    "canonicalize,cse"
)
NATIVE = frozenset({"i64", "f64"})


def near(t: DType, got: Array, want: Array, terms: Array | float = 0.0, digits: int = 32) -> Array:
    """Floats of a device that promises bounds: subnormals may be zeros, `terms` are of sums that may be unfused."""
    if not t.is_float:
        return got == want
    a, b = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        bound = digits * float(info(t).eps) * (np.abs(b) + terms) + 2 * float(info(t).tiny)
        return ~differ(got, want) | (np.abs(a - b) <= bound) | (terms > float(info(t).max) / 4)


def slack(row: Instruction, t: DType, args: list[Array]) -> Array | float:
    """The greatest of the terms of a sum whose products may be rounded; the bound of an activation."""
    with np.errstate(all="ignore"):
        if row.name in ("fma", "fms", "lerp"):
            x, y, z = (np.abs(a.astype(np.float64)) for a in args)
            return np.nan_to_num((x + y) * (1 + z) if row.name == "lerp" else x * y + z, nan=0.0)
        if t.is_float and t.bits <= 32 and row.name in ACTIVATIONS:
            return slack_of(ACTIVATIONS[row.name], args[0]) / (32 * float(info(t).eps))
    return 0.0


def kernel_rows(t: DType) -> list[Instruction]:
    return [row for row in rows(t) if not (row.traps and t.is_integer)]


@pytest.mark.parametrize("t", COMPUTED, ids=lambda t: t.name)
def test_instructions(t: DType) -> None:
    text = element_kernels(
        [
            (
                f"k_{symbol(row.name)}", f"atlas.{row.name} {t.name} {{}}",
                [str(operand.ir) for operand in row.operand_types(t)], str(row.result_type(t).ir),
            )
            for row in kernel_rows(t)
        ]
    )  # fmt: skip
    kernels = WgslKernels(flat(text, PASSES), NATIVE)
    bad: list[str] = []
    for row in kernel_rows(t):
        args = operands(row, t, np.random.default_rng(1))
        want = row.evaluate(t, *args)
        got = np.zeros_like(want)
        kernels(f"k_{symbol(row.name)}", [*args, got], struct.pack("<I", len(got)), len(got))
        at = np.flatnonzero(~near(t, got, want, slack(row, t, args), 128 if row.name in ACTIVATIONS else 32))
        cases = [([a[i] for a in args], want[i], got[i]) for i in at[:3]]
        bad += [f"{row.name} {t.name}: {len(at)} of {len(got)}, such as {cases}"] * bool(len(at))
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("source", COMPUTED, ids=lambda t: t.name)
def test_conversions(source: DType) -> None:
    text = element_kernels(
        [(f"to_{t.name}", f"atlas.cvt {source.name} to {t.name} {{}}", [str(source.ir)], str(t.ir)) for t in COMPUTED]
    )
    kernels = WgslKernels(flat(text, PASSES), NATIVE)
    a = every(source)
    bad: list[str] = []
    for target in COMPUTED:
        with np.errstate(all="ignore"):
            want = storage(np.asarray(convert(source, target, view(a, source))), target)
        got: Any = np.zeros_like(want)
        kernels(f"to_{target.name}", [a, got], struct.pack("<I", len(got)), len(got))
        with np.errstate(invalid="ignore"):
            at = np.flatnonzero(~near(target, got, want))
        cases = [(a[i], want[i], got[i]) for i in at[:3]]
        bad += [f"{source.name} to {target.name}: {len(at)}, such as {cases}"] * bool(len(at))
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("t", COMPUTED, ids=lambda t: t.name)
def test_conditions(t: DType) -> None:
    names = [c.value for c in Condition if t.is_integer or not c.value.endswith("u")]
    text = element_kernels([(f"is_{c}", f"atlas.setcc {c} {t.name} {{}}", [str(t.ir)] * 2, "i1") for c in names])
    kernels = WgslKernels(flat(text, PASSES), NATIVE)
    args = pairs(*[values(t, np.random.default_rng(2))] * 2)
    for name in names:
        got = np.zeros(args[0].shape, np.bool_)
        kernels(f"is_{name}", [*args, got], struct.pack("<I", len(got)), len(got))
        want: Array = compare(name, t, *(view(a, t) for a in args))
        assert (got == want).all(), f"{name} {t.name}"
