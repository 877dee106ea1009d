"""Compares the code of a scalar instruction with its reference function, for instructions of plug-ins above all."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, cast

import ml_dtypes
import numpy as np

from hologram.dialects.atlas.instructions.composites import COMPOSITES
from hologram.dialects.atlas.instructions.declaration import Instruction
from hologram.dialects.atlas.instructions.dtypes import DTYPES, DType
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS
from hologram.errors import UsageError, did_you_mean
from hologram.plugins.tables import KINDS

RANDOM = 400
"""Random operands beside the edge values."""
WIDEST = 64


def check_instruction(name: str, types: Iterable[str] = (), device: str = "cpu", ulps: int = 8) -> list[str]:
    """What differs between the compiled instruction and its reference function, a line for each type; empty if nothing
    does.

    `types` are some of its types, by default all of up to 64 bits. An instruction that is not exact may be off by
    `ulps` units in the last place. Operands that trap are left out.
    """
    KINDS["instruction"].find(name)
    instruction = INSTRUCTIONS.get(name) or COMPOSITES.get(name)
    if instruction is None or not (instruction.is_instruction or instruction.tensor):
        hint = did_you_mean(name, [*INSTRUCTIONS, *COMPOSITES])
        raise UsageError(
            "conformance-instruction",
            f"there is no instruction '{name}', nor a composition with a tensor operation",
            hint=hint,
        )
    wanted = list(types) or [n for n in DTYPES if n in instruction.types and DTYPES[n].bits <= WIDEST]
    if wrong := [n for n in wanted if n not in instruction.types]:
        message = f"'{name}' is not defined for {wrong[0]}"
        raise UsageError("conformance-type", message, hint=f"it takes {', '.join(sorted(instruction.types))}")
    found = (_compared(instruction, DTYPES[n], device, ulps) for n in wanted)
    return [line for line in found if line is not None]


def _compared(instruction: Instruction, dtype: DType, device: str, ulps: int) -> str | None:
    from hologram.driver.compiler import compile

    lanes = _operands(instruction.operand_types(dtype))
    while True:
        try:
            expected = instruction.evaluate(dtype, *lanes)
            break
        except Trap as trap:
            lanes = [lane[~np.asarray(trap.lanes)] for lane in lanes]
    kernel = compile(_program(instruction, dtype), device=device)
    if instruction.is_instruction:
        kernel(*lanes, got := np.empty_like(expected))
    else:
        got = np.asarray(kernel(*lanes))
    differs = ~_equal(instruction, dtype, expected, got, ulps)
    if not differs.any():
        return None
    at = int(differs.argmax())
    values = ", ".join(str(lane[at]) for lane in lanes)
    first = f"{instruction.name}.{dtype.name}({values}) is {expected[at]}, and the code gives {got[at]}"
    return f"{first} ({int(differs.sum())} of {differs.size} differ)"


def _equal(instruction: Instruction, dtype: DType, expected: Any, got: Any, ulps: int) -> Any:
    same = expected == got
    if not dtype.is_float or instruction.result == "bool":
        return same
    wide_expected, wide = expected.astype(np.float64), got.astype(np.float64)
    both_nan = np.isnan(wide_expected) & np.isnan(wide)
    if instruction.exact:
        return both_nan | (same & (np.signbit(wide_expected) == np.signbit(wide)))
    with np.errstate(all="ignore"):
        limits = cast("Any", ml_dtypes).finfo(dtype.numpy)
        spacing = np.maximum(np.abs(wide_expected) * float(limits.eps), float(limits.smallest_subnormal))
        return both_nan | same | (np.abs(wide_expected - wide) <= ulps * spacing)


def _operands(types: list[DType]) -> list[Any]:
    """Edge values in all combinations, then random ones, in storage form."""
    generator = np.random.default_rng(1)
    edges = list(product(*([_edges(t) for t in types])))
    columns = [np.array(column) for column in zip(*edges, strict=True)]
    return [np.concatenate([c.astype(_storage(t)), _random(t, generator)]) for c, t in zip(columns, types, strict=True)]


def _storage(dtype: DType) -> Any:
    return DTYPES[dtype.name.replace("u", "i")].numpy if dtype.is_integer else dtype.numpy


def _edges(dtype: DType) -> list[Any]:
    if dtype.is_float:
        return [0.0, -0.0, 1.0, -1.0, 0.5, -2.75, 3e-5, 60000.0, float("inf"), -float("inf"), float("nan")]
    if dtype.is_integer:
        top = 1 << (dtype.bits - 1)
        return [0, 1, -1, 2, 7, -top, top - 1]
    return [False, True]


def _random(dtype: DType, generator: np.random.Generator) -> Any:
    if dtype.is_float:
        return (generator.standard_normal(RANDOM) * 10.0 ** generator.integers(-3, 3, RANDOM)).astype(dtype.numpy)
    if dtype.is_integer:
        kind = np.dtype(_storage(dtype))
        return generator.integers(np.iinfo(kind).min, np.iinfo(kind).max, RANDOM, kind, endpoint=True)
    return generator.integers(0, 2, RANDOM).astype(np.bool_)


def _program(instruction: Instruction, dtype: DType) -> str:
    """A map of the instruction; of a composition, its tensor operation."""
    types = [t.ir for t in instruction.operand_types(dtype)]
    result = instruction.result_type(dtype).ir
    names = [f"%x{n}" for n in range(len(types))]
    if not instruction.is_instruction:
        given, flag = ", ".join(f"{n}: tensor<?x{dtype.ir}>" for n in names), "unsigned " * dtype.is_unsigned
        return f"""func.func @main({given}) -> tensor<?x{result}> {{
  %r = hologram.{instruction.tensor} {flag}{", ".join(names)} : tensor<?x{dtype.ir}>
  func.return %r : tensor<?x{result}>
}}
"""
    arrays = [f"memref<?x{t}>" for t in types]
    parameters = ", ".join(f"{n}: {a}" for n, a in zip(names, arrays, strict=True))
    elements = ", ".join(f"%e{n}: {t}" for n, t in enumerate(types))
    operands = ", ".join(f"%e{n}" for n in range(len(types)))
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (len(types) + 1))
    body = f"%v = atlas.{instruction.name} {dtype.name} {operands}"
    return f"""func.func @main({parameters}, %r: memref<?x{result}>) {{
  atlas.map ins({", ".join(names)} : {", ".join(arrays)}) outs(%r : memref<?x{result}>) maps [{maps}] {{
  ^bb0({elements}):
    {body}
    atlas.yield %v : {result}
  }}
  func.return
}}
"""
