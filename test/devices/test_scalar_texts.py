"""Every scalar instruction and conversion as OpenCL C against its reference function, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from atlas_core.lanes import Array, differ, pairs, values
from atlas_core.test_scalars import COMPUTED, every, operands, rows, symbol, wrong
from devices.texts import OpenCLKernels, element_kernels, flat
from hologram.dialects.atlas.instructions.instruction import Instruction
from hologram.dialects.atlas.instructions.reference import compare, convert
from hologram.dialects.atlas.instructions.scalar import Condition
from hologram.dialects.atlas.instructions.storage import storage, view
from hologram.dialects.atlas.instructions.types import DType

pytestmark = pytest.mark.device
PASSES = (
    "convert-atlas-to-core,expand-math,permute-tables,expand-narrow-floats{f16=false},flatten-kernels,canonicalize,cse"
)


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
    kernels = OpenCLKernels(flat(text, PASSES))
    assert not kernels.log.strip()
    bad: list[str] = []
    for row in kernel_rows(t):
        args = operands(row, t, np.random.default_rng(1))
        want = row.evaluate(t, *args)
        got = np.zeros_like(want)
        kernels(f"k_{symbol(row.name)}", [*args, got], [np.uint64(len(got))], len(got))
        at = np.flatnonzero(wrong(row, t, args, got, want))
        cases = [([a[i] for a in args], want[i], got[i]) for i in at[:3]]
        bad += [f"{row.name} {t.name}: {len(at)} of {len(got)}, such as {cases}"] * bool(len(at))
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("source", COMPUTED, ids=lambda t: t.name)
def test_conversions(source: DType) -> None:
    text = element_kernels(
        [(f"to_{t.name}", f"atlas.cvt {source.name} to {t.name} {{}}", [str(source.ir)], str(t.ir)) for t in COMPUTED]
    )
    kernels = OpenCLKernels(flat(text, PASSES))
    assert not kernels.log.strip()
    a = every(source)
    for target in COMPUTED:
        with np.errstate(all="ignore"):
            want = storage(np.asarray(convert(source, target, view(a, source))), target)
        got: Any = np.zeros_like(want)
        kernels(f"to_{target.name}", [a, got], [np.uint64(len(got))], len(got))
        at = np.flatnonzero(differ(got, want))
        cases = [(a[i], want[i], got[i]) for i in at[:3]]
        assert not len(at), f"{source.name} to {target.name}: {len(at)}, such as (operand, want, got) {cases}"


@pytest.mark.parametrize("t", COMPUTED, ids=lambda t: t.name)
def test_conditions(t: DType) -> None:
    names = [c.value for c in Condition if t.is_integer or not c.value.endswith("u")]
    text = element_kernels([(f"is_{c}", f"atlas.setcc {c} {t.name} {{}}", [str(t.ir)] * 2, "i1") for c in names])
    kernels = OpenCLKernels(flat(text, PASSES))
    args = pairs(*[values(t, np.random.default_rng(2))] * 2)
    for name in names:
        got = np.zeros(args[0].shape, np.bool_)
        kernels(f"is_{name}", [*args, got], [np.uint64(len(got))], len(got))
        want: Array = compare(name, t, *(view(a, t) for a in args))
        assert (got == want).all(), f"{name} {t.name}"
